"""The orders in which Cordery's page counts areas: along the rows, and along the map edge.

Areas are the cells of a wargame table. The map edge is divided into 16 quarters, four along each
edge, which are numbered clockwise from the top left corner::

         1  2  3  4
     16              5
     15              6
     14              7
     13              8
        12 11 10  9

Features are located along the rows (``areas_counted_on``). Routes enter and leave by the quarters
of the map edge (``quarter_cells``) and the sides of areas there (``outward_side``).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from randomizer.model.grid.grid import Grid
from randomizer.systems.cordery.dice.tables import QUARTERS_OF_EDGE

EDGES = ("top", "right", "bottom", "left")
"""The edges of a table, clockwise; a number of an edge is an index in this tuple."""

QUARTERS = len(EDGES) * QUARTERS_OF_EDGE
"""The quarters of the map edge, numbered 1 to 16 clockwise from the top left corner."""

_ORDINALS = ("first", "second", "third", "last")
"""What each of the ``QUARTERS_OF_EDGE`` quarters of an edge is called, clockwise."""


def areas_counted_on(grid: Grid, start: int, steps: int) -> Iterator[int]:
    """Yield all areas once, along the rows, and from the last area of the table on to its first.

    The first one yielded is ``steps`` areas after ``start``. That is the index of the last
    feature's area, or the index before the first area of a row (-1 for the top row), which need not
    be an area. A table that was turned has no areas in its corners; only areas are counted.
    """
    areas = grid.cells.tolist()  # ascending
    # The index of ``start``, or of the last area before it; -1 before the first area of the table.
    start_index = bisect_right(areas, start) - 1
    first = start_index + steps
    for index in range(first, first + len(areas)):
        yield areas[index % len(areas)]


def edge_cells(grid: Grid, edge: int) -> list[int]:
    """Return the areas along an edge (an index in ``EDGES``), clockwise."""
    right = grid.width - 1
    bottom = grid.height - 1
    if EDGES[edge] == "top":
        positions = [(x, 0) for x in range(grid.width)]
    elif EDGES[edge] == "right":
        positions = [(right, y) for y in range(grid.height)]
    elif EDGES[edge] == "bottom":
        positions = [(x, bottom) for x in reversed(range(grid.width))]
    else:
        positions = [(0, y) for y in reversed(range(grid.height))]
    cells = [grid.cell(x, y) for x, y in positions]
    return [cell for cell in cells if cell >= 0]  # a turned table has no area in its corners


def quarter_cells(grid: Grid, quarter: int) -> list[int]:
    """Return the areas of a quarter (1 to 16), clockwise.

    If the edge has fewer than four areas, some of its quarters have none: [].
    """
    cells = edge_cells(grid, edge_of_quarter(quarter))
    quarter_of_edge = (quarter - 1) % QUARTERS_OF_EDGE
    cells_of_quarter = []
    for index, cell in enumerate(cells):
        # The areas are shared among the quarters as evenly as their number allows.
        if index * QUARTERS_OF_EDGE // len(cells) == quarter_of_edge:
            cells_of_quarter.append(cell)
    return cells_of_quarter


def edge_of_quarter(quarter: int) -> int:
    """Return the edge (index in ``EDGES``) of a quarter."""
    return (quarter - 1) // QUARTERS_OF_EDGE


def counted_quarter(clockwise_from: int, score: int) -> int:
    """Return the quarter (1 to 16) that lies ``score`` quarters clockwise from another one.

    ``clockwise_from`` is that quarter, or 0 to count from the top left corner.
    """
    # Quarters count from 1. So 1 is subtracted before the remainder, and added after it.
    return (clockwise_from + score - 1) % QUARTERS + 1


def middle_of_quarter(grid: Grid, quarter: int) -> tuple[float, float] | None:
    """Return the middle (x, y) of a quarter of the map edge, in map units.

    None for a quarter without an area.
    """
    corners = []
    for cell in quarter_cells(grid, quarter):
        corners += grid.outline(cell)
    if not corners:
        return None
    lefts_and_rights = [x for x, _y in corners]
    tops_and_bottoms = [y for _x, y in corners]
    middle_x = (min(lefts_and_rights) + max(lefts_and_rights)) / 2
    middle_y = (min(tops_and_bottoms) + max(tops_and_bottoms)) / 2
    edge = EDGES[edge_of_quarter(quarter)]
    if edge == "top":
        return middle_x, min(tops_and_bottoms)
    if edge == "bottom":
        return middle_x, max(tops_and_bottoms)
    if edge == "left":
        return min(lefts_and_rights), middle_y
    return max(lefts_and_rights), middle_y


def sum_in_words(clockwise_from: int, score: int) -> str:
    """Return how a quarter was counted from another one, for the log: "6 + 3 clockwise".

    After quarter 16 comes quarter 1: "15 + 3 - 16 clockwise". "" if it was counted from 0.
    """
    if not clockwise_from:
        return ""
    if clockwise_from + score > QUARTERS:
        return f"{clockwise_from} + {score} - {QUARTERS} clockwise"
    return f"{clockwise_from} + {score} clockwise"


def quarter_words(quarter: int, sum_words: str = "") -> str:
    """Return a quarter in words, for the log: "quarter 5 of 16, the first of the right edge".

    ``sum_words`` says how its number was counted, if it was: "6 + 3 clockwise".
    """
    number = f"{quarter} of {QUARTERS}"
    if sum_words:
        number = f"{number} ({sum_words})"
    ordinal = _ORDINALS[(quarter - 1) % QUARTERS_OF_EDGE]
    return f"quarter {number}, the {ordinal} of the {EDGES[edge_of_quarter(quarter)]} edge"


_OUTWARD_HEX_SIDES = (0, 1, 3, 4)
"""The side of a hex that faces each edge, by the index of the edge.

Sides are numbered clockwise from the north-east. Two sides face the top, of which it is the
north-eastern one, and two the bottom, of which it is the south-western one.
"""


def outward_side(grid: Grid, cell: int, edge: int) -> int:
    """Return the side of ``cell`` by which a route leaves the table at ``edge``.

    ``cell`` is along that edge, so that of the two sides of a hex that face it one leads outside:
    the one of ``_OUTWARD_HEX_SIDES``, or the next one counter-clockwise if an area lies beyond
    that.
    """
    if grid.degree == 4:
        side = edge
    else:
        side = _OUTWARD_HEX_SIDES[edge]
    if grid.neighbour(cell, side) < 0:
        return side
    return (side - 1) % grid.degree


def side_towards(grid: Grid, cell: int, neighbour: int) -> int:
    """Return the side of ``cell`` beyond which ``neighbour`` is; it must be a neighbour."""
    return next(side for side in range(grid.degree) if grid.neighbour(cell, side) == neighbour)
