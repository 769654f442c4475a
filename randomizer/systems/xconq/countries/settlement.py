"""The units of a new world: those of countries, then those scattered over it, and their names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from randomizer.generator import DrawKey
from randomizer.model.basics.plurals import many
from randomizer.model.problems import Problem, Severity
from randomizer.systems.xconq.countries.board import Board, PlacedUnit
from randomizer.systems.xconq.countries.country_centres import SITES, find_places
from randomizer.systems.xconq.countries.naming import names_of_sides, names_of_units
from randomizer.systems.xconq.countries.placement_advice import CODE, placement_problems
from randomizer.systems.xconq.countries.rules import rules_of
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.world.hexes import distances, hex_length
from randomizer.systems.xconq.world.random_numbers import KeyedDraws

TRIES = 500
"""How many hexes are tried by chance for each unit."""

UNIT_SITE = 0x5863_6F6E_2000_0000
SCATTER_SITE = 0x5863_6F6E_3000_0000
"""The first sites of the draws for the units of the first country, and of the first scattered
type."""

STUCK = 90
IDLE = 20
BESIDE = 70
"""By how much the chance (in percent) of a hex falls where a unit cannot move, for each resource
that it does not produce there, and beside another unit."""


def settle(board: Board, country: int, centre: tuple[int, int], key: DrawKey) -> list[int]:
    """Place the units of a country; returns the types of those that found no hex.

    The first unit stands on the centre and is the side's, as is what it carries; the others are
    neutral. Without a first unit all are the side's. None is put into a unit of another side. Types
    with favored terrain come first, so that those without find their carriers.
    """
    rules = board.rules
    draws = KeyedDraws(key, UNIT_SITE + country * SITES)
    owner = country + 1
    first = rules.first_unit
    needed = rules.of_country
    if first is not None:
        key_of_first = _key(country, first, 0)
        product = rules.first_product
        board.place(PlacedUnit(first, *centre, owner, key_of_first, product=product))
    unplaced = []
    types = np.flatnonzero(needed).tolist()
    for unit in sorted(types, key=lambda unit: not rules.settles[unit]):
        for number in range(1 if unit == first else 0, int(needed[unit])):
            hex_at = _tried(board, unit, owner, centre, draws) or _nearest(
                board, unit, owner, centre
            )
            if hex_at is None:
                unplaced.append(unit)
                continue
            carrier = board.carrier_at(*hex_at, unit, owner)
            side = 0 if first is not None else owner
            if carrier is not None:
                side = board.units[carrier].owner
            board.place(PlacedUnit(unit, *hex_at, side, _key(country, unit, number)))
    return unplaced


def _key(country: int, unit: int, number: int) -> str:
    return f"{country}.{unit}.{number}"


def _tried(
    board: Board, unit: int, owner: int, centre: tuple[int, int], draws: KeyedDraws
) -> tuple[int, int] | None:
    """Return a hex of the country, by chance."""
    rules = board.rules
    radius = board.rules.size
    rows = draws.rows_below((2 * radius + 1, 2 * radius + 1, 100), TRIES)
    near = hex_length(rows[:, 0] - radius, rows[:, 1] - radius) <= radius
    for u, v, drawn in rows[near].tolist():
        x = (centre[0] + u - radius) % board.width
        y = centre[1] + v - radius
        if not board.takes_units(y):
            continue
        terrain = board.terrain(x, y)
        if board.is_empty(x, y):
            if rules.favored[unit, terrain] <= 0:
                continue
        elif board.carrier_at(x, y, unit, owner) is None:
            continue
        chance = 100 - IDLE * int(rules.idle[unit, terrain])
        if rules.stuck[unit, terrain]:
            chance -= STUCK
        if board.has_neighbour(x, y):
            chance -= BESIDE
        if drawn < chance:
            return x, y
    return None


def _nearest(
    board: Board, unit: int, owner: int, centre: tuple[int, int]
) -> tuple[int, int] | None:
    """Return the hex nearest to the centre where a unit can be; None if there is none."""
    cells = board.free_hexes(unit, owner)
    if not cells.size:
        return None
    y, x = np.divmod(cells, board.width)
    nearest = int(distances(board.width, x, y, *centre).argmin())
    return int(x[nearest]), int(y[nearest])


def scatter(board: Board, countries: int, most: int, key: DrawKey) -> int:
    """Place the neutral units that ``density`` demands, up to ``most`` units in all.

    A unit whose tries all fail is left out silently; returns how many are left out for ``most``.
    """
    rules = board.rules
    size = board.codes.size
    left_out = 0
    for unit in np.flatnonzero(rules.density).tolist():
        needed = int(rules.density[unit]) * size // 10_000 - countries * int(rules.in_country[unit])
        needed = max(1, needed)
        possible = min(needed, max(0, most - len(board.units)))
        left_out += needed - possible
        _scatter(board, unit, possible, key)
    return left_out


def _scatter(board: Board, unit: int, number: int, key: DrawKey) -> None:
    """Place units of one type. Each try is made for all units that are left, in their order."""
    draws = KeyedDraws(key, SCATTER_SITE + unit * SITES)
    chances = board.rules.favored[unit]
    if board.height < 3 or not (chances > 0).any():
        return
    left = np.arange(number)
    limits = (board.width, board.height - 2, 100, 2)
    for _try in range(TRIES):
        rows = draws.rows_below(limits, len(left))
        x = rows[:, 0]
        y = rows[:, 1] + 1
        passed = np.flatnonzero(rows[:, 2] < chances[board.codes[y, x]])
        placed = np.zeros(len(left), np.bool_)
        for at in passed.tolist():
            hex_at = int(x[at]), int(y[at])
            if not board.is_empty(*hex_at) or (rows[at, 3] and board.has_neighbour(*hex_at)):
                continue
            board.place(PlacedUnit(unit, *hex_at, 0, f"-.{unit}.{left[at]}"))
            placed[at] = True
        left = left[~placed]
        if not left.size:
            break


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
    centres = find_places(codes, rules, count, key)
    if centres.failed is not None:
        notes = placement_problems(centres.failed, codes, rules, period, count, key, world_of_size)
        return Settlement(notes=notes)
    board = Board(codes, rules)
    if rules.first_unit is not None:
        for centre in centres.centres:
            board.reserve(*centre)
    unplaced: Counter[int] = Counter()
    for country, centre in enumerate(centres.centres):
        unplaced.update(settle(board, country, centre, key))
    left = scatter(board, count, MOST_UNITS, key)
    _name(board, period, key)
    notes = tuple(
        _warning(f"{times} x {period.units[unit].name} found no hex and no carrier")
        for unit, times in unplaced.items()
    )
    if left:
        verb = many(left, "is", "are")
        message = f"A map holds {MOST_UNITS:,} units: {left:,} {verb} left out (density)"
        notes += (_warning(message),)
    return Settlement(tuple(board.units), names_of_sides(period, count, key), notes)


def _warning(message: str) -> Problem:
    return Problem(Severity.WARNING, CODE, message)


def _name(board: Board, period: Period, key: DrawKey) -> None:
    """Give names to the units of types that have them, as long as there are some."""
    named = [unit for unit in board.units if board.rules.named[unit.unit]]
    for unit, name in zip(named, names_of_units(period, len(named), key), strict=False):
        unit.name = name
