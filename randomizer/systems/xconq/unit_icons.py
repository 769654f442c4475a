"""Which pictogram a unit type is drawn with, guessed from where and how fast it moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from randomizer.systems.xconq.terrain_meaning import MEANINGS, meaning_of

NEUTRAL = "#c8c8c8"
"""The colour of units of no side."""

FLYING = 4
"""Units that go everywhere fly if they have this speed (hexes a turn) or more."""

WALKING = 3
"""Units on foot have at most this speed."""


def icons_of(
    speeds: ArrayLike, makers: ArrayLike, moves: NDArray[Any], terrain_names: Sequence[str]
) -> tuple[str, ...]:
    """The icon (``ThingKind.icon``) of each unit type of a period.

    ``speeds`` and ``makers`` are the rows of the words ``speed`` and ``maker``; ``moves`` is the
    table of that word: [unit, terrain], negative where a unit cannot go. The slowest on land are
    on foot.
    """
    speed, maker = np.asarray(speeds), np.asarray(makers)
    meanings = [meaning_of(name) for name in terrain_names]
    places = [MEANINGS[meaning].place if meaning else "" for meaning in meanings]
    entered = [
        {place for place, cost in zip(places, row, strict=True) if cost >= 0}
        for row in moves.tolist()
    ]
    icons = [
        _icon(int(speed[unit]), bool(maker[unit]), entered[unit]) for unit in range(len(speed))
    ]
    rolling = [int(speed[unit]) for unit, icon in enumerate(icons) if icon == "vehicle"]
    walking = min([WALKING, *rolling])
    return tuple(
        "foot" if icon == "vehicle" and speed[unit] <= walking else icon
        for unit, icon in enumerate(icons)
    )


def _icon(speed: int, maker: bool, entered: set[str]) -> str:
    """The icon of a unit that can enter these ``Meaning.place``; "" stands for an unknown terrain.

    Whatever moves on land is a vehicle here.
    """
    if speed <= 0:
        return "town" if maker else "base"
    if entered == {"void"}:
        return "aircraft"
    if "water" in entered:
        if not entered & {"land", "high", ""}:
            return "ship"
        if entered >= {"land", "high"} and speed >= FLYING:
            return "aircraft"
    return "vehicle"
