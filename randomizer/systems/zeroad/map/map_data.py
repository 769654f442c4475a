"""The data of a map as a random map script returns them, checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

FIRST_ID = 150
"""The least id of an entity in files that are written."""

MOST_PLAYERS = 8
"""Of the game, without Gaia."""

NO_TEAM = -1

TEAMS = ((NO_TEAM, "none"), *((number, str(number + 1)) for number in range(MOST_PLAYERS)))
"""The teams that a player can be of, with their labels."""


@dataclass(frozen=True, slots=True)
class Entity:
    """One placed entity: position in tiles, ``angle`` in radians, clockwise from where z grows.

    ``player`` 0 is Gaia. Numbers are as the script or the file has them.
    """

    id: int
    template: str
    player: int
    x: float
    z: float
    angle: float


@dataclass(frozen=True, eq=False)
class MapData:
    """A map of ``size`` x ``size`` tiles.

    ``heights`` (size + 1, size + 1) are units of 1/92 m, ``textures`` (size, size) indices into
    ``texture_names``, ``priorities`` (size, size) say which texture is drawn over its neighbours:
    uint16, by [z, x]. ``camera`` and ``environment`` are JSON, None if the script gave none.
    ``sea_level`` is the height of the water in metres where there is no environment. ``settings``
    (JSON) are those that the script was given: name, players, outline ...
    """

    size: int
    heights: NDArray[np.uint16]
    texture_names: tuple[str, ...]
    textures: NDArray[np.uint16]
    priorities: NDArray[np.uint16]
    entities: tuple[Entity, ...]
    camera: Mapping[str, Any] | None = None
    environment: Mapping[str, Any] | None = None
    sea_level: float = 20.0
    settings: Mapping[str, Any] = field(default_factory=dict)
