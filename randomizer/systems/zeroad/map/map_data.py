"""A map as a random map script returns it, after it was checked (``map_schema``).

``map_conversion`` makes layers and records of a ``MapData``, and one of a map that is written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

FIRST_ID = 150
"""The least id of an entity in files that are written."""

MAX_PLAYERS = 8
"""The most players of a match, without Gaia."""

NO_TEAM = -1
"""The number of the team of a player without one, as in the game."""

TEAMS = ((NO_TEAM, "none"), *((number, str(number + 1)) for number in range(MAX_PLAYERS)))
"""The numbers of the teams that a player can be of, each with its label, which counts from 1."""


FILE_ENTRY = "file"
"""The entry of a thing's state with the numbers of its entity in the script or file.

It is ``(id,)``, or ``(id, x, z, angle)`` if rounding changes one of these (``coordinates``).
"""


@dataclass(frozen=True, slots=True)
class Entity:
    """One entity on a map. Its numbers are exactly those of the script or file that it is from."""

    id: int
    template: str
    player: int
    """Its owner; 0 is Gaia."""
    x: float
    """In tiles."""
    z: float
    """In tiles, from the south."""
    angle: float
    """In radians, clockwise from where z grows."""


@dataclass(frozen=True, eq=False)
class MapData:
    """A map as a script returns it. Arrays are indexed by [z, x]."""

    size: int
    """The number of tiles along the map."""
    heights: NDArray[np.uint16]
    """(size + 1, size + 1): the heights of the corners, in units of 1/92 m."""
    texture_names: tuple[str, ...]
    textures: NDArray[np.uint16]
    """(size, size): the textures of the tiles, as indices of ``texture_names``."""
    priorities: NDArray[np.uint16]
    """(size, size): a texture is drawn over neighbours with a lower priority."""
    entities: tuple[Entity, ...]
    camera: Mapping[str, Any] | None = None
    """What a player sees first, as JSON; None if the script gave none."""
    environment: Mapping[str, Any] | None = None
    """Light, sky, fog and water, as JSON; None if the script gave none."""
    sea_level: float = 20.0
    """The height of the water in metres, which counts if there is no environment."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """The JSON that the script was given: name, players, outline ..."""
