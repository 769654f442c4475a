"""The units of a new world of Xconq: those of countries, then neutral ones scattered over it.

``settlement`` does it all, in five stages:

1. ``find_centres`` chooses the centre hex of each country.
2. ``settle`` places the units of a country around its centre.
3. ``scatter`` places the neutral units that the period's word ``density`` demands.
4. ``leave_hexes`` moves the units whose hexes hold units that a person has placed.
5. ``_name_units`` gives names to units of types that have names.

The rules are those of Xconq's document, the draws our own (docs/adr/0022). A draw is a random
number that depends on the draw key of the world and on the *site* of the draw, a number. Each
country and each scattered type has ``SITES`` sites of its own, so that one more country changes
none of the others.

The ``Board`` knows the world and the units on it: which hexes are empty or reserved, where a unit
can stand, and which unit can carry another. It places a unit on a hex, or into a carrier there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.plurals import many
from randomizer.model.problems import Problem, Severity
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.systems.xconq.countries.board import Board, PlacedUnit
from randomizer.systems.xconq.countries.country_centres import SITES, find_centres
from randomizer.systems.xconq.countries.naming import names_of_sides, names_of_units
from randomizer.systems.xconq.countries.placement_advice import (
    CODE,
    FailedPlacement,
    placement_problems,
)
from randomizer.systems.xconq.countries.rules import rules_of
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.world.hexes import distances, hex_length
from randomizer.systems.xconq.world.random_numbers import KeyedDraws

TRIES = 500
"""How many hexes are drawn for each unit before it counts as not placed."""

UNIT_SITE = 0x5863_6F6E_2000_0000
"""The first site of the draws for the units of the first country."""

SCATTER_SITE = 0x5863_6F6E_3000_0000
"""The first site of the draws for the units of the first scattered type."""

CERTAIN = 100
"""The percent chance of a unit to stay on the hex drawn for it, less what speaks against it:"""

LOSS_IF_STUCK = 90
"""... percent if the unit cannot move there,"""

LOSS_PER_RESOURCE = 20
"""... percent for each resource that the unit does not produce there,"""

LOSS_BESIDE_UNIT = 70
"""... percent if another unit stands on a neighbouring hex."""

MAX_UNITS = 40_000
"""The most units of a new world: maps hold no more with their names.

Only scattered units are left out for it: those of all countries together are far fewer.
"""


@dataclass(frozen=True)
class KeptUnits:
    """The units that will stand on the map beside those of a new world, such as placed ones."""

    hexes: frozenset[tuple[int, int]] = frozenset()
    """The hexes (x, y) that they stand on."""

    keys: frozenset[str] = frozenset()
    """The keys of those that an earlier roll made: each replaces the new unit with the same key."""


NO_KEPT_UNITS = KeptUnits()


@dataclass(frozen=True)
class Settlement:
    """The units of a world."""

    units: tuple[PlacedUnit, ...] = ()
    """All units, those of countries first; there are none if a country has no place."""

    sides: tuple[str, ...] = ()
    """The names of the sides in their order."""

    notes: tuple[Problem, ...] = ()
    """Problems about units that could not be placed."""


def settlement(
    codes: NDArray[np.uint8],
    period: Period,
    count: int,
    key: DrawKey,
    world_of_size: Callable[[int, int], NDArray[np.uint8] | None],
    kept: KeptUnits = NO_KEPT_UNITS,
) -> Settlement:
    """Return the units of a new world with ``count`` countries.

    ``codes`` (h, w) are the terrain types of the world. If not every country finds a centre there
    are no units at all, and the notes say why and what would help: for that ``world_of_size`` makes
    worlds of another width and height with the same key. It returns None for a size that no world
    can have. Units leave the hexes of ``kept`` ones (``leave_hexes``).
    """
    rules = rules_of(period)
    centres = find_centres(codes, rules, count, key)
    if centres.failure is not None:
        placement = FailedPlacement(
            codes=codes,
            rules=rules,
            period=period,
            count=count,
            key=key,
            world_of_size=world_of_size,
            failure=centres.failure,
        )
        return Settlement(notes=placement_problems(placement))

    board = Board(codes, rules)
    # All centres first: no unit of one country may stand on that of a later one.
    if rules.first_unit is not None:
        for centre in centres.positions:
            board.reserve(*centre)
    unplaced: Counter[int] = Counter()
    for country, centre in enumerate(centres.positions):
        unplaced.update(settle(board, country, centre, key))
    left_out = scatter(board, count, MAX_UNITS, key)
    leave_hexes(board, kept)
    _name_units(board, period, key)

    notes = tuple(
        _warning(f"{times} x {period.units[unit_type].name} found no hex and no carrier")
        for unit_type, times in unplaced.items()
    )
    if left_out:
        verb = many(left_out, "is", "are")
        message = f"A map holds {MAX_UNITS:,} units: {left_out:,} {verb} left out (density)"
        notes += (_warning(message),)
    return Settlement(tuple(board.units), names_of_sides(period, count, key), notes)


def _warning(message: str) -> Problem:
    """Return a warning that not all units of a world have been placed."""
    return Problem(Severity.WARNING, CODE, message)


# --- the units of a country ---


def settle(board: Board, country: int, centre: tuple[int, int], key: DrawKey) -> list[int]:
    """Place the units of a country; return the type of each unit that found no hex.

    ``centre`` is (x, y): the first unit stands there, if the period names one. ``_owner_at`` has
    the rule to whom the others belong.
    """
    rules = board.rules
    draws = KeyedDraws(key, UNIT_SITE + country * SITES)
    owner = country + 1
    first_unit = rules.first_unit
    unit_counts = rules.of_country
    if first_unit is not None:
        first_key = _unit_key(country, first_unit, 0)
        product = rules.first_product
        board.place(first_unit, *centre, owner=owner, key=first_key, product=product)
    unplaced = []
    types = np.flatnonzero(unit_counts).tolist()
    # Types that settle on terrain come first: the others can only be carried by them.
    for unit_type in sorted(types, key=lambda unit_type: not rules.has_favored_terrain[unit_type]):
        first_number = 0
        if unit_type == first_unit:  # its first one is placed already
            first_number = 1
        for number in range(first_number, int(unit_counts[unit_type])):
            position = _draw_hex(board, unit_type, owner, centre, draws)
            if position is None:
                position = _nearest(board, unit_type, owner, centre)
            if position is None:
                unplaced.append(unit_type)
                continue
            unit_owner = _owner_at(board, position, unit_type, owner)
            unit_key = _unit_key(country, unit_type, number)
            board.place(unit_type, *position, owner=unit_owner, key=unit_key)
    return unplaced


def _owner_at(board: Board, position: tuple[int, int], unit_type: int, country_owner: int) -> int:
    """Return the owner of a unit of a country; 0 is neutral.

    If the period names a first unit, that one belongs to the side of the country, and so do the
    units that it carries: all others are neutral. If the period names none, all units belong to the
    side. No unit is put into one of another side.
    """
    carrier = board.free_carrier_at(*position, unit_type, country_owner)
    if carrier is not None:
        return board.units[carrier].owner
    if board.rules.first_unit is not None:
        return 0
    return country_owner


def _unit_key(country: int, unit_type: int, number: int) -> str:
    """Return the key of a unit of a country; a scattered unit has ``-`` instead of a country."""
    return f"{country}.{unit_type}.{number}"


def _draw_hex(
    board: Board, unit_type: int, owner: int, centre: tuple[int, int], draws: KeyedDraws
) -> tuple[int, int] | None:
    """Return a hex (x, y) of the country by chance, where a unit can be; None if all tries fail.

    A try draws three numbers: column and row of a hex in the box around the country, and a number
    below ``CERTAIN``, which must be less than the chance of the hex. The box has corners that are
    not in the country; tries there fail.
    """
    rules = board.rules
    radius = board.rules.size
    box_width = 2 * radius + 1
    rows = draws.rows_below((box_width, box_width, CERTAIN), TRIES)
    is_in_country = hex_length(rows[:, 0] - radius, rows[:, 1] - radius) <= radius
    for column, row, drawn in rows[is_in_country].tolist():
        x = (centre[0] + column - radius) % board.width  # the world goes round from east to west
        y = centre[1] + row - radius
        if not board.is_inner_row(y):
            continue
        terrain = board.terrain(x, y)
        if board.is_empty(x, y):
            if rules.favored[unit_type, terrain] <= 0:
                continue
        elif board.free_carrier_at(x, y, unit_type, owner) is None:
            continue
        chance = CERTAIN - LOSS_PER_RESOURCE * int(rules.products_lost_on[unit_type, terrain])
        if rules.cannot_move_on[unit_type, terrain]:
            chance -= LOSS_IF_STUCK
        if board.has_taken_neighbour(x, y):
            chance -= LOSS_BESIDE_UNIT
        if drawn < chance:
            return x, y
    return None


def _nearest(
    board: Board, unit_type: int, owner: int, centre: tuple[int, int]
) -> tuple[int, int] | None:
    """Return the hex (x, y) nearest to the centre where a unit can be; None if there is none."""
    return _nearest_of(board, board.possible_hexes(unit_type, owner), centre)


def _nearest_of(
    board: Board, cells: NDArray[np.int64], centre: tuple[int, int]
) -> tuple[int, int] | None:
    """Return the hex (x, y) of these cell numbers that is nearest to another; None for none."""
    if not cells.size:
        return None
    y, x = np.divmod(cells, board.width)
    nearest = int(distances(board.width, x, y, *centre).argmin())
    return int(x[nearest]), int(y[nearest])


# --- neutral units ---


def scatter(board: Board, countries: int, max_units: int, key: DrawKey) -> int:
    """Place the neutral units that ``density`` demands, until the world has ``max_units`` units.

    ``density`` is the number of units of a type on 10,000 hexes. Units of the countries count
    towards it, but at least one is scattered. A unit for which all tries fail is left out silently.
    Returns how many units are left out because of ``max_units``.
    """
    rules = board.rules
    left_out = 0
    for unit_type in np.flatnonzero(rules.density).tolist():
        demanded = int(rules.density[unit_type]) * board.codes.size // 10_000
        in_countries = countries * int(rules.in_country[unit_type])
        needed = max(1, demanded - in_countries)
        possible = min(needed, max(0, max_units - len(board.units)))
        left_out += needed - possible
        _scatter_type(board, unit_type, possible, key)
    return left_out


def _scatter_type(board: Board, unit_type: int, count: int, key: DrawKey) -> None:
    """Place ``count`` neutral units of one type where tries by chance succeed.

    Each round makes one try for every unit that has no hex yet. A try draws four numbers: column
    and row of a hex, a number below 100, which must be less than the favor of the terrain there,
    and a coin. If another unit stands on a neighbouring hex, the coin decides.
    """
    draws = KeyedDraws(key, SCATTER_SITE + unit_type * SITES)
    chances = board.rules.favored[unit_type]
    has_inner_rows = board.height > 2  # no unit can stand in the first and the last row
    if not has_inner_rows or not (chances > 0).any():
        return
    numbers_left = np.arange(count)
    limits = (board.width, board.height - 2, CERTAIN, 2)
    for _round in range(TRIES):
        x, inner_row, drawn, coin = draws.rows_below(limits, len(numbers_left)).T
        y = inner_row + 1
        is_passed = drawn < chances[board.codes[y, x]]
        is_placed = np.zeros(len(numbers_left), np.bool_)
        for index in np.flatnonzero(is_passed).tolist():
            position = int(x[index]), int(y[index])
            if not board.is_empty(*position):
                continue
            if coin[index] and board.has_taken_neighbour(*position):
                continue
            unit_key = f"-.{unit_type}.{numbers_left[index]}"
            board.place(unit_type, *position, owner=0, key=unit_key)
            is_placed[index] = True
        numbers_left = numbers_left[~is_placed]
        if not numbers_left.size:
            break


# --- kept units, and names ---


def leave_hexes(board: Board, kept: KeptUnits) -> None:
    """Move the units on the hexes of kept ones to the nearest empty hexes that suit them.

    All other units of the world stay where they are: if the draws left these hexes out, units far
    away would change, too. A unit that no empty hex suits stays.
    """
    for position in kept.hexes:
        board.reserve(*position)
    for position in sorted(kept.hexes):
        index = board.standing_unit_at(*position)
        if index is None:
            continue
        unit = board.units[index]
        if unit.key in kept.keys:
            continue
        suitable_hexes = board.empty_hexes(unit.unit_type)
        new_position = _nearest_of(board, suitable_hexes, position)
        if new_position is not None:
            board.move(index, *new_position)


def _name_units(board: Board, period: Period, key: DrawKey) -> None:
    """Give names to the units whose types have names; those for which none is left have none."""
    units_to_name = [unit for unit in board.units if board.rules.named[unit.unit_type]]
    names = names_of_units(period, len(units_to_name), key)
    for unit, name in zip(units_to_name, names, strict=False):  # there can be fewer names
        unit.name = name
