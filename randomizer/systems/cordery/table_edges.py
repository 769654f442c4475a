"""Where things are counted on a table: along the rows, round the rim, clockwise round an area."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from randomizer.model.grid import Grid
from randomizer.systems.cordery.tables import QUARTERS_OF_EDGE

EDGES = ("top", "right", "bottom", "left")
QUARTERS = len(EDGES) * QUARTERS_OF_EDGE
"""Numbered 1 to 16 clockwise from the top left corner."""


def counted_on(grid: Grid, start: int, steps: int) -> Iterator[int]:
    """All areas once, in counting order: along the row, down, from the end back to the start.

    The first is ``steps`` on from ``start``, the area where the last feature stands or the place
    just before the first one of a row.
    A table that was turned has rows of several lengths: what is no area is not counted.
    """
    areas = grid.cells.tolist()
    first = bisect_right(areas, start) - 1 + steps
    return (areas[index % len(areas)] for index in range(first, first + len(areas)))


def edge_cells(grid: Grid, edge: int) -> list[int]:
    """The areas along an edge (index in ``EDGES``), clockwise round the table."""
    width, height = grid.width, grid.height
    places = (
        [(x, 0) for x in range(width)],
        [(width - 1, y) for y in range(height)],
        [(x, height - 1) for x in reversed(range(width))],
        [(0, y) for y in reversed(range(height))],
    )[edge]
    return [cell for x, y in places if (cell := grid.cell(x, y)) >= 0]


def quarter_cells(grid: Grid, quarter: int) -> list[int]:
    """The areas of a quarter (1 .. 16) of the rim; short edges have quarters without any."""
    edge, part = divmod(quarter - 1, QUARTERS_OF_EDGE)
    cells = edge_cells(grid, edge)
    n = len(cells)
    return [cell for i, cell in enumerate(cells) if i * QUARTERS_OF_EDGE // n == part]


def edge_of_quarter(quarter: int) -> int:
    """The edge (index in ``EDGES``) of a quarter."""
    return (quarter - 1) // QUARTERS_OF_EDGE


def quarter_words(quarter: int) -> str:
    """A quarter as people at the table call it."""
    edge, part = divmod(quarter - 1, QUARTERS_OF_EDGE)
    ordinal = ("first", "second", "third", "last")[part]
    return f"quarter {quarter}, the {ordinal} of the {EDGES[edge]} edge"


def outward_side(grid: Grid, cell: int, edge: int) -> int:
    """The side by which a route leaves the table at ``edge``; the first that faces outwards."""
    squares, hexes = (0, 1, 2, 3), (0, 1, 3, 4)
    side = (squares if grid.degree == 4 else hexes)[edge]
    return side if grid.neighbour(cell, side) < 0 else (side - 1) % grid.degree
