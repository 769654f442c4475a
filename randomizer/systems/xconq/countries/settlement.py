"""The units of a new world: those of countries, then those scattered over it, and their names.

``settlement`` does it all: it finds the centres of the countries, places the units of each with
``settle``, then those of the word ``density`` with ``scatter``, and gives names. The rules are
those of Xconq's document, the draws our own (docs/adr/0022): each country and each scattered type
has draws at sites of its own, so that one more country changes none of the others.
"""

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
from randomizer.systems.xconq.countries.country_centres import SITES, find_centres
from randomizer.systems.xconq.countries.naming import names_of_sides, names_of_units
from randomizer.systems.xconq.countries.placement_advice import CODE, placement_problems
from randomizer.systems.xconq.countries.rules import rules_of
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.world.hexes import distances, hex_length
from randomizer.systems.xconq.world.random_numbers import KeyedDraws

TRIES = 500
"""How many hexes are tried by chance for each unit."""

UNIT_SITE = 0x5863_6F6E_2000_0000
"""The first site of the draws for the units of the first country."""

SCATTER_SITE = 0x5863_6F6E_3000_0000
"""The first site of the draws for the units of the first scattered type."""

STUCK = 90
"""The chance of a hex, 100 percent, is less by this where the unit cannot move."""

IDLE = 20
"""It is less by this for each resource that the unit does not produce there."""

BESIDE = 70
"""It is less by this beside another unit."""


def settle(board: Board, country: int, centre: tuple[int, int], key: DrawKey) -> list[int]:
    """Place the units of a country; returns the types of those that found no hex.

    ``centre`` is its first hex, (x, y). The first unit stands on the centre and is the side's, as
    is what it carries; the others are neutral. Without a first unit all are the side's. None is put
    into a unit of another side. Types with favored terrain come first, so that those without find
    their carriers.
    """
    rules = board.rules
    draws = KeyedDraws(key, UNIT_SITE + country * SITES)
    owner = country + 1
    first_unit = rules.first_unit
    unit_counts = rules.of_country
    if first_unit is not None:
        key_of_first = _key(country, first_unit, 0)
        product = rules.first_product
        board.place(PlacedUnit(first_unit, *centre, owner, key_of_first, product=product))
    unplaced = []
    types = np.flatnonzero(unit_counts).tolist()
    for unit in sorted(types, key=lambda unit: not rules.settles[unit]):
        first_number = 0
        if unit == first_unit:  # that is placed already
            first_number = 1
        for number in range(first_number, int(unit_counts[unit])):
            position = _draw_hex(board, unit, owner, centre, draws)
            if position is None:
                position = _nearest(board, unit, owner, centre)
            if position is None:
                unplaced.append(unit)
                continue
            unit_owner = _owner_at(board, position, unit, owner)
            board.place(PlacedUnit(unit, *position, unit_owner, _key(country, unit, number)))
    return unplaced


def _owner_at(board: Board, position: tuple[int, int], unit: int, country_owner: int) -> int:
    """Return whose a further unit of a country is: its carrier's, if it gets one.

    Else it is neutral, or the country's if that has no first unit.
    """
    carrier = board.carrier_at(*position, unit, country_owner)
    if carrier is not None:
        return board.units[carrier].owner
    if board.rules.first_unit is not None:
        return 0
    return country_owner


def _key(country: int, unit: int, number: int) -> str:
    """Return the key of a unit of a country; those of scattered units begin with ``-``."""
    return f"{country}.{unit}.{number}"


def _draw_hex(
    board: Board, unit: int, owner: int, centre: tuple[int, int], draws: KeyedDraws
) -> tuple[int, int] | None:
    """Draw a hex of the country, None if no try is good.

    A try is a hex of the box around the country, and a number below 100 that has to be below the
    chance of the hex. Tries outside of the country are lost.
    """
    rules = board.rules
    radius = board.rules.size
    rows = draws.rows_below((2 * radius + 1, 2 * radius + 1, 100), TRIES)
    is_in_country = hex_length(rows[:, 0] - radius, rows[:, 1] - radius) <= radius
    for u, v, drawn in rows[is_in_country].tolist():
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


def scatter(board: Board, countries: int, most_units: int, key: DrawKey) -> int:
    """Place the neutral units that ``density`` demands, up to ``most_units`` units in all.

    Those of the countries count as well, but there is one at least. A unit whose tries all fail is
    left out silently; returns how many are left out for ``most_units``.
    """
    rules = board.rules
    left_out = 0
    for unit in np.flatnonzero(rules.density).tolist():
        demanded = int(rules.density[unit]) * board.codes.size // 10_000
        in_countries = countries * int(rules.in_country[unit])
        needed = max(1, demanded - in_countries)
        possible = min(needed, max(0, most_units - len(board.units)))
        left_out += needed - possible
        _scatter_type(board, unit, possible, key)
    return left_out


def _scatter_type(board: Board, unit: int, count: int, key: DrawKey) -> None:
    """Place units of one type. Each try is made for all units that are left, in their order.

    A try is a hex of the inner rows, a number below 100 that has to be below the favor of its
    terrain, and a coin, which decides where another unit is beside it.
    """
    draws = KeyedDraws(key, SCATTER_SITE + unit * SITES)
    chances = board.rules.favored[unit]
    if board.height < 3 or not (chances > 0).any():
        return
    numbers_left = np.arange(count)
    limits = (board.width, board.height - 2, 100, 2)
    for _try in range(TRIES):
        x, inner_row, drawn, coin = draws.rows_below(limits, len(numbers_left)).T
        y = inner_row + 1
        is_passed = drawn < chances[board.codes[y, x]]
        is_placed = np.zeros(len(numbers_left), np.bool_)
        for index in np.flatnonzero(is_passed).tolist():
            position = int(x[index]), int(y[index])
            if not board.is_empty(*position):
                continue
            if coin[index] and board.has_neighbour(*position):
                continue
            board.place(PlacedUnit(unit, *position, 0, f"-.{unit}.{numbers_left[index]}"))
            is_placed[index] = True
        numbers_left = numbers_left[~is_placed]
        if not numbers_left.size:
            break


MOST_UNITS = 40_000
"""The most units of a new world: maps hold no more with their names."""


@dataclass(frozen=True)
class Settlement:
    """The units of a world."""

    units: tuple[PlacedUnit, ...] = ()

    sides: tuple[str, ...] = ()
    """The names of the sides in their order."""

    notes: tuple[Problem, ...] = ()
    """The problems of placing them."""


def settlement(
    codes: NDArray[np.uint8],
    period: Period,
    count: int,
    key: DrawKey,
    world_of_size: Callable[[int, int], NDArray[np.uint8] | None],
) -> Settlement:
    """Make ``count`` countries on a world of these terrain types (h, w), and scattered units.

    Where not all find a place there are no units, and the notes say why. ``world_of_size`` makes
    worlds of other sizes with the same key; None for a size that no world has.
    """
    rules = rules_of(period)
    centres = find_centres(codes, rules, count, key)
    if centres.failure is not None:
        notes = placement_problems(centres.failure, codes, rules, period, count, key, world_of_size)
        return Settlement(notes=notes)

    board = Board(codes, rules)
    # All centres first: no unit of one country may stand on that of a later one.
    if rules.first_unit is not None:
        for centre in centres.positions:
            board.reserve(*centre)
    unplaced: Counter[int] = Counter()
    for country, centre in enumerate(centres.positions):
        unplaced.update(settle(board, country, centre, key))
    left_out = scatter(board, count, MOST_UNITS, key)
    _name_units(board, period, key)

    notes = tuple(
        _warning(f"{times} x {period.units[unit].name} found no hex and no carrier")
        for unit, times in unplaced.items()
    )
    if left_out:
        verb = many(left_out, "is", "are")
        message = f"A map holds {MOST_UNITS:,} units: {left_out:,} {verb} left out (density)"
        notes += (_warning(message),)
    return Settlement(tuple(board.units), names_of_sides(period, count, key), notes)


def _warning(message: str) -> Problem:
    """Return a warning that not all units of a world have been placed."""
    return Problem(Severity.WARNING, CODE, message)


def _name_units(board: Board, period: Period, key: DrawKey) -> None:
    """Give names to the units of types that have them, as long as there are some."""
    units_to_name = [unit for unit in board.units if board.rules.named[unit.unit]]
    names = names_of_units(period, len(units_to_name), key)
    for unit, name in zip(units_to_name, names, strict=False):
        unit.name = name
