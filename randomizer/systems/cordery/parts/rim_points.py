"""Steps 2.1, 3.1 and 6.1: where a route enters and leaves the table.

The map edge, or *rim*, is divided into 16 *quarters*, four on each edge of the table, clockwise
from the top left corner::

          1  2  3  4
        16          5
        15          6
        14          7
        13          8
         12 11 10  9

A die chooses a quarter, which for an exit is counted on from that of the entry. Then each free area
of the quarter gets a die, and the highest one wins. ``choose_rim_point`` does all of that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from randomizer.model.problems import error
from randomizer.systems.cordery.dice.decisions import Decision, DecisionKind
from randomizer.systems.cordery.dice.scores import SIDES
from randomizer.systems.cordery.dice.throws import Throws
from randomizer.systems.cordery.dice.wanted_die import DieWantedError
from randomizer.systems.cordery.table.counting_order import (
    QUARTERS,
    counted_quarter,
    edge_of_quarter,
    quarter_cells,
    quarter_words,
    sum_in_words,
)
from randomizer.systems.cordery.table.feature_places import decided_area
from randomizer.systems.cordery.table.table_builder import TableBuilder


class RimPoint(NamedTuple):
    """The end of a route at the map edge."""

    cell: int
    """Its area."""

    edge: int
    """The edge, as an index in ``counting_order.EDGES``: an area in a corner is at two of them."""


class RimChoice(NamedTuple):
    """A point of the map edge, with the quarter (1 to 16) from which the next one is counted."""

    point: RimPoint

    quarter: int
    """The quarter that was thrown or decided; the point may be in a later one, with a free area.

    With a decided area it is the quarter in which that area is.
    """


def choose_rim_point(
    builder: TableBuilder, name: str, *, clockwise_from: int, is_free: Callable[[int], bool]
) -> RimChoice | None:
    """Throw or decide a point of the map edge, and log the dice.

    If no area of the map edge is free the result is None, and nothing is logged.

    ``name`` is that of the die ("river 1 entry"). ``clockwise_from`` is the quarter from which the
    die counts, 0 for an entry. Decisions can set the quarter, or the area itself. Raises
    ProblemError for a decided area that is not free or not on the edge.
    """
    throws = builder.throws
    grid = builder.table.grid
    name_of = builder.name_of

    quarter = throws.ask_number(f"{name} quarter", 1, QUARTERS)
    area = decided_area(grid, throws, Decision(f"{name} at", DecisionKind.EDGE_AREA), name_of)
    if area is not None and quarter is None:
        quarters_of_area = [
            number for number in range(1, QUARTERS + 1) if area in quarter_cells(grid, number)
        ]
        if len(quarters_of_area) == 1:
            quarter = quarters_of_area[0]  # no die is needed: the area is in no other quarter

    # The quarter, and all quarters clockwise from it.
    reason = "as decided"
    sum_words = ""
    if quarter is None:
        score = _throw_for_quarter(throws, name, clockwise_from)
        quarter = counted_quarter(clockwise_from, score)
        sum_words = sum_in_words(clockwise_from, score)
        reason = f"D6 = {score}"
    quarters_in_order = [(quarter - 1 + turn) % QUARTERS + 1 for turn in range(QUARTERS)]

    # A decided area.
    if area is not None:
        # A corner area belongs to two quarters, on two edges: the first one in turn counts.
        for number in quarters_in_order:
            if is_free(area) and area in quarter_cells(grid, number):
                throws.say(f"{name.capitalize()}: {name_of(area)}, as decided", area)
                return RimChoice(RimPoint(area, edge_of_quarter(number)), number)
        message = f"{name} at {name_of(area)}: that is no free area on the rim"
        raise error("decision", message)

    # The area with the highest die in the first quarter that has a free one.
    for number in quarters_in_order:
        free_cells = [cell for cell in quarter_cells(grid, number) if is_free(cell)]
        if not free_cells:
            continue
        cell = throws.highest_first(f"{name} area", free_cells, name_of)[0]
        where = quarter_words(quarter, sum_words)
        if number != quarter:
            where += f"; {quarter_words(number)} is the next with a free area"
        if len(free_cells) > 1:
            where += (
                f", {_area_dice(throws, name, [name_of(free_cell) for free_cell in free_cells])}"
            )
        throws.say(f"{name.capitalize()}: {reason}, {where}: {name_of(cell)}", cell)
        return RimChoice(RimPoint(cell, edge_of_quarter(number)), quarter)
    return None


def _throw_for_quarter(throws: Throws, name: str, clockwise_from: int) -> int:
    """Return the score of the die called ``name``, which is counted on from a quarter.

    Raises ``DieWantedError`` with the quarters that it chooses from if it is to be entered, else as
    ``d6``.
    """
    try:
        return throws.d6(name)
    except DieWantedError as die:
        scores = range(1, SIDES + 1)
        die.quarters = tuple(counted_quarter(clockwise_from, score) for score in scores)
        if clockwise_from:
            die.options = f"{clockwise_from} + what it shows"
        else:
            die.options = "1 to 6, clockwise from the top left corner"
        raise


def _area_dice(throws: Throws, name: str, areas: Sequence[str]) -> str:
    """Return the dice of a quarter's areas in words: ``the highest die of 0903 (2), 0904 (6)``."""
    dice = (f"{area} ({throws.dice_in_words(f'{name} area', area)})" for area in areas)
    return f"the highest die of {', '.join(dice)}"
