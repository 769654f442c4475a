"""Which pictogram a unit type is drawn with, guessed from where and how fast it moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from randomizer.systems.xconq.terrain.terrain_meaning import place_of

NEUTRAL = "#c8c8c8"
"""The colour of units of no side."""

FLYING = 2
"""Units that go nearly everywhere fly if they have this speed (hexes a turn) or more."""

WALKING = 3
"""Units on foot have at most this speed."""

NEARLY_ALL, FEW = 0.75, 0.4
"""Shares of the terrain types of a place."""


def icons_of(
    speeds: ArrayLike, makers: ArrayLike, moves: NDArray[Any], terrain_names: Sequence[str]
) -> tuple[str, ...]:
    """The icon (``ThingKind.icon``) of each unit type of a period.

    ``speeds`` and ``makers`` are the rows of the words ``speed`` and ``maker``; ``moves`` is the
    table of that word: [unit, terrain], negative where a unit cannot go. What does not move is a
    town if it makes units, else a base; what is slow and goes nearly wherever others march is on
    foot.
    """
    speed, maker = np.asarray(speeds), np.asarray(makers)
    places = np.array([place_of(name) or "land" for name in terrain_names])
    water, land = places == "water", (places == "land") | (places == "high")
    entered = np.asarray(moves) >= 0
    land &= entered[speed > 0].any(axis=0)
    on_water, on_land = _share(entered, water), _share(entered, land)
    marching = (speed > 0) & (on_water == 0) & (on_land > 0)
    far = NEARLY_ALL * max(on_land[marching], default=1.0)
    one_land = np.count_nonzero(entered[marching].any(axis=0) & land) == 1
    slowest = min(speed[marching], default=WALKING)
    icons = []
    for unit, pace in enumerate(speed.tolist()):
        if pace <= 0:
            icon = "town" if maker[unit] else "base"
        elif on_water[unit] > 0 and on_land[unit] <= FEW:
            icon = "ship"
        elif not on_land[unit] and entered[unit].any():
            icon = "aircraft"  # only in space
        elif on_water[unit] >= NEARLY_ALL and on_land[unit] >= NEARLY_ALL and pace >= FLYING:
            icon = "aircraft"
        elif pace <= (slowest if one_land else WALKING) and on_land[unit] >= far:
            icon = "foot"
        else:
            icon = "vehicle"
        icons.append(icon)
    return tuple(icons)


def _share(entered: NDArray[np.bool_], types: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The share of terrain ``types`` (n,) that each unit can enter: ``entered`` (units, n)."""
    return np.asarray(entered[:, types].sum(axis=1) / max(1, np.count_nonzero(types)))
