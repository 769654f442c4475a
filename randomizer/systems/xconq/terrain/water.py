"""Which terrain types of a period are water, as filters on maps ask (``land``, ``water``)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.terrain.terrain_meaning import place_of

NO_LAND = {"water", "void"}
"""Places (``Meaning.place``) that are no land."""


def water_types(period: Period) -> tuple[bool, ...]:
    """Whether each terrain type is water, or a void, which is no land either.

    Their names tell. If none is named like water, the moves of the units do: it is water where
    nothing can go that moves on the ground of the first unit, but something else can. What can go
    everywhere flies, and tells nothing.
    """
    places = [place_of(terrain.name) for terrain in period.terrains]
    named = np.array([place in NO_LAND for place in places], np.bool_)
    if "water" not in places:
        named |= _by_moves(period)
    return tuple(named.tolist())


def _by_moves(period: Period) -> NDArray[np.bool_]:
    entered = (period.table("moves") >= 0) & (period.row("speed") > 0)[:, None]
    moving = entered[entered.any(axis=1) & ~entered.all(axis=1)]
    first, favored = period.named_type("first-unit"), period.table("favored")
    ground = (favored > 0).any(axis=0) if first is None else favored[first] > 0
    walking = moving[:, ground].any(axis=1)
    return np.asarray(moving[~walking].any(axis=0) & ~moving[walking].any(axis=0) & walking.any())
