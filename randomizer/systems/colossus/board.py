"""The battleland: 27 flat-top hexes in six columns, their labels and their named parts.

                 D6
             C5      E5
         B4      D5      F4
    A3       C4      E4
         B3      D4      F3
    A2       C3      E3
         B2      D3      F2
    A1       C2      E2
         B1      D2      F1
             C1      E1
                 D1

A hex has four names here, between which the tables translate. Its *hex id* is 0 .. 26 in ascending
(x, y): the order in which the game sorts lists of hexes. Its *(x, y)* are column and row from the
upper left, as in the battleland file. Its *cell* is the index that ``Grid`` uses (``y * 6 + x``).
Its *label* is what the board shows, such as D4.

Source: the game's board as the project's fact sheet on Colossus records it.
"""

from __future__ import annotations

import numpy as np

from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT

_SIZE = 6
"""The columns and the rows of the grid."""

_ROWS_OF_COLUMN = ((2, 4), (1, 4), (1, 5), (0, 5), (1, 5), (1, 4))
"""The first and the last y of the columns A .. F: the board is no rectangle."""


def _positions() -> tuple[tuple[int, int], ...]:
    """Return (x, y) of every hex id."""
    positions = []
    for x, (first, last) in enumerate(_ROWS_OF_COLUMN):
        for y in range(first, last + 1):
            positions.append((x, y))
    return tuple(positions)


HEXES: tuple[tuple[int, int], ...] = _positions()
"""(x, y) of every hex id."""

HEX_COUNT = len(HEXES)
"""The number of hexes, 27."""


def _mask() -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    """Return which cells of the grid are hexes of the board, (rows, columns)."""
    mask = np.zeros((_SIZE, _SIZE), np.bool_)
    for x, y in HEXES:
        mask[y, x] = True
    return mask


GRID = Grid(FLAT, _SIZE, _SIZE, _mask())
"""The board as a grid. Sides 0 .. 5 are N, NE, SE, S, SW, NW, as in the battleland file."""

CELL_OF_HEX: tuple[int, ...] = tuple(y * _SIZE + x for x, y in HEXES)
"""The cell of every hex id."""

HEX_OF_CELL: dict[int, int] = {cell: hex_id for hex_id, cell in enumerate(CELL_OF_HEX)}
"""The hex id of every cell of the board."""

HEX_AT: dict[tuple[int, int], int] = {xy: hex_id for hex_id, xy in enumerate(HEXES)}
"""The hex id at every (x, y) of the board."""

_HIGH_COLUMNS = (2, 3, 4)
"""The columns C, D and E, which reach one hex farther down than the others, to y 5.

Labels count from the lowest hex of a column, with 1.
"""


def label_of(x: int, y: int) -> str:
    """Return the label on the board: letters from left to right, numbers from bottom to top.

    D4 is at x 3, y 2.
    """
    # The y one row below the lowest hex of the column, whose number would be 0.
    row_below_board = 5
    if x in _HIGH_COLUMNS:
        row_below_board = 6
    return f"{'ABCDEF'[x]}{row_below_board - y}"


LABELS: tuple[str, ...] = tuple(label_of(x, y) for x, y in HEXES)
"""The label of every hex id."""

HEX_OF_LABEL: dict[str, int] = {label: hex_id for hex_id, label in enumerate(LABELS)}
"""The hex id of every label."""


SIDES = 6
"""The sides of a hex."""

OFF_BOARD = -1
"""Stands in ``NEIGHBOURS`` for the missing neighbour at a side at the rim of the board."""


def _neighbours_of(cell: int) -> tuple[int, ...]:
    """Return the hex ids around a cell, in the order of the sides."""
    cells = [GRID.neighbour(cell, side) for side in range(GRID.degree)]
    return tuple(HEX_OF_CELL.get(neighbour, OFF_BOARD) for neighbour in cells)


NEIGHBOURS: tuple[tuple[int, ...], ...] = tuple(_neighbours_of(cell) for cell in CELL_OF_HEX)
"""The hex ids around every hex id, in the order of the sides; ``OFF_BOARD`` at the rim.

A1, at the lower left, has the neighbours A2, B2, B1, and OFF_BOARD three times.
"""


def opposite_side(side: int) -> int:
    """Return the side of a hex, or the entry side of the board, opposite: 3 for 0."""
    return (side + 3) % 6


ENTRY_SIDES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Top defence", ("D6", "E5", "F4")),
    ("Right", ("F4", "F3", "F2", "F1")),
    ("Right defence", ("F1", "E1", "D1")),
    ("Bottom", ("D1", "C1", "B1", "A1")),
    ("Left defence", ("A1", "A2", "A3")),
    ("Left", ("A3", "B4", "C5", "D6")),
)
"""The names and the labels of the six entry sides, clockwise from the top.

Attackers enter by those with odd numbers.
"""

BOTTOM = 3
"""The entry side of the attacker of a battleland with a start list, an index of ENTRY_SIDES."""


def _part(*ranges: tuple[range, range]) -> tuple[int, ...]:
    """Return the hex ids in rectangles of columns and rows, as far as they are on the board."""
    hex_ids = []
    for columns, rows in ranges:
        for x in columns:
            for y in rows:
                if (x, y) in HEX_AT:
                    hex_ids.append(HEX_AT[x, y])
    return tuple(hex_ids)


PARTS: dict[str, tuple[int, ...]] = {
    "anywhere": tuple(range(HEX_COUNT)),
    # B to E with y 2 and 3, D with y 1, and C to E with y 4.
    "inside": _part(
        (range(1, 5), range(2, 4)), (range(3, 4), range(1, 2)), (range(2, 5), range(4, 5))
    ),
    # A3, A2 and A1.
    "leftdefenseentry": _part((range(1), range(2, 5))),
    # D6, then E5 and F4.
    "upperdefenseentry": _part((range(3, 4), range(1)), (range(4, 6), range(1, 2))),
    # F1, then D1 and E1.
    "lowerdefenseentry": _part((range(5, 6), range(4, 5)), (range(3, 5), range(5, 6))),
}
"""The hex ids of the predefined labels of the language, in the game's own order.

The labels "leftover" and "usedup" are not here, because their hexes depend on the roll. The order
of the ids is not ascending everywhere; recorded rolls of the game show it, and so do start lists.
"""


def cell_name(cell: int) -> str:
    """Return the label of a grid cell. Raises KeyError for a cell that is not on the board."""
    return LABELS[HEX_OF_CELL[cell]]


def cell_of_label(label: str) -> int | None:
    """Return the grid cell of a label as the board writes it (``D4``), None if there is none."""
    hex_id = HEX_OF_LABEL.get(label)
    if hex_id is None:
        return None
    return CELL_OF_HEX[hex_id]
