"""All units of a new world: those of countries, then those scattered over it, and their names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from randomizer.generator import DrawKey
from randomizer.model.problems import Problem, Severity
from randomizer.systems.xconq.countries.board import Board, PlacedUnit
from randomizer.systems.xconq.countries.naming import names_of_sides, names_of_units
from randomizer.systems.xconq.countries.placement_advice import CODE, problems_of
from randomizer.systems.xconq.countries.places import find_places
from randomizer.systems.xconq.countries.rules import rules_of
from randomizer.systems.xconq.countries.settling import scatter, settle
from randomizer.systems.xconq.period.period import Period

MOST_UNITS = 40_000
"""The most units of a new world: maps hold no more with their names."""


@dataclass(frozen=True)
class Settlement:
    """The units of a world, the names of its sides, and problems of placing them."""

    units: tuple[PlacedUnit, ...] = ()
    sides: tuple[str, ...] = ()
    notes: tuple[Problem, ...] = ()


def settlement(
    codes: NDArray[np.uint8],
    period: Period,
    count: int,
    key: DrawKey,
    world_of_size: Callable[[int, int], NDArray[np.uint8] | None],
) -> Settlement:
    """``count`` countries on a world of these terrain types (h, w).

    Where not all find a place there are no units, and the notes say why. ``world_of_size`` makes
    worlds of other sizes with the same key; None for a size that no world has.
    """
    rules = rules_of(period)
    places = find_places(codes, rules, count, key)
    if places.failed is not None:
        notes = problems_of(places.failed, codes, rules, period, count, key, world_of_size)
        return Settlement(notes=notes)
    board = Board(codes, rules)
    if rules.first_unit is not None:
        for centre in places.centres:
            board.reserve(*centre)
    unplaced: Counter[int] = Counter()
    for country, centre in enumerate(places.centres):
        unplaced.update(settle(board, country, centre, key))
    left = scatter(board, count, MOST_UNITS, key)
    _name(board, period, key)
    notes = tuple(
        _warning(f"{times} x {period.units[unit].name} found no hex and no carrier")
        for unit, times in unplaced.items()
    )
    if left:
        notes += (_warning(f"A map holds {MOST_UNITS:,} units: {left:,} are left out (density)"),)
    return Settlement(tuple(board.units), names_of_sides(period, count, key), notes)


def _warning(message: str) -> Problem:
    return Problem(Severity.WARNING, CODE, message)


def _name(board: Board, period: Period, key: DrawKey) -> None:
    """Give names to the units of types that have them, as long as there are some."""
    named = [unit for unit in board.units if board.rules.named[unit.unit]]
    for unit, name in zip(named, names_of_units(period, len(named), key), strict=False):
        unit.name = name
