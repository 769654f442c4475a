"""The order of areas on a table: along the rows, along the map edge, clockwise around an area."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from randomizer.model.grid.grid import Grid
from randomizer.systems.cordery.dice.tables import QUARTERS_OF_EDGE

EDGES = ("top", "right", "bottom", "left")
QUARTERS = len(EDGES) * QUARTERS_OF_EDGE
"""The quarters of the map edge, numbered 1 to 16 clockwise from the top left corner."""


def counted_on(grid: Grid, start: int, steps: int) -> Iterator[int]:
    """Return all areas once, in counting order: along the row, then down, from the end to the
    start.

    The first is ``steps`` after ``start``, the area of the last feature or the position before the
    first area of a row. Cells outside the grid (on a turned table) are skipped.
    """
    areas = grid.cells.tolist()
    first = bisect_right(areas, start) - 1 + steps
    return (areas[index % len(areas)] for index in range(first, first + len(areas)))


def edge_cells(grid: Grid, edge: int) -> list[int]:
    """Return the areas along an edge (index in ``EDGES``), clockwise."""
    width = grid.width
    height = grid.height
    positions = (
        [(x, 0) for x in range(width)],
        [(width - 1, y) for y in range(height)],
        [(x, height - 1) for x in reversed(range(width))],
        [(0, y) for y in reversed(range(height))],
    )[edge]
    return [cell for x, y in positions if (cell := grid.cell(x, y)) >= 0]


def quarter_cells(grid: Grid, quarter: int) -> list[int]:
    """Return the areas of a quarter (1 .. 16); on short edges some quarters are empty."""
    edge, part = divmod(quarter - 1, QUARTERS_OF_EDGE)
    cells = edge_cells(grid, edge)
    n = len(cells)
    return [cell for i, cell in enumerate(cells) if i * QUARTERS_OF_EDGE // n == part]


def edge_of_quarter(quarter: int) -> int:
    """Return the edge (index in ``EDGES``) of a quarter."""
    return (quarter - 1) // QUARTERS_OF_EDGE


def quarter_words(quarter: int) -> str:
    """Return a quarter in words, for the log."""
    edge, part = divmod(quarter - 1, QUARTERS_OF_EDGE)
    ordinal = ("first", "second", "third", "last")[part]
    return f"quarter {quarter}, the {ordinal} of the {EDGES[edge]} edge"


def outward_side(grid: Grid, cell: int, edge: int) -> int:
    """Return the side by which a route leaves the table at ``edge``: the first that faces
    outwards.
    """
    squares = (0, 1, 2, 3)
    hexes = (0, 1, 3, 4)
    side = (squares if grid.degree == 4 else hexes)[edge]
    if grid.neighbour(cell, side) < 0:
        return side
    return (side - 1) % grid.degree


def side_towards(grid: Grid, cell: int, neighbour: int) -> int:
    """Return the side of ``cell`` beyond which ``neighbour`` is."""
    return next(side for side in range(grid.degree) if grid.neighbour(cell, side) == neighbour)
