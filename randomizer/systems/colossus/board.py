"""The battleland: 27 flat-top hexes in six columns, their labels and their named parts.

A *hex id* is 0 .. 26 in ascending (x, y): the order in which the game sorts lists of hexes. A
*cell* is the index that ``Grid`` uses (``y * 6 + x``); ``CELL_OF_HEX`` and ``HEX_OF_CELL``
translate.
Source: the game's board as the project's fact sheet on Colossus records it.
"""

from __future__ import annotations

import numpy as np

from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT

_ROWS_OF_COLUMN = ((2, 4), (1, 4), (1, 5), (0, 5), (1, 5), (1, 4))
"""First and last visible y of the columns A .. F."""

HEXES: tuple[tuple[int, int], ...] = tuple(
    (x, y) for x, (first, last) in enumerate(_ROWS_OF_COLUMN) for y in range(first, last + 1)
)
"""(x, y) of every hex id."""

HEX_COUNT = len(HEXES)


def _mask() -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    mask = np.zeros((6, 6), np.bool_)
    for x, y in HEXES:
        mask[y, x] = True
    return mask


GRID = Grid(FLAT, 6, 6, _mask())
"""The board as a grid. Sides 0 .. 5 are N, NE, SE, S, SW, NW, as in the battleland file."""

CELL_OF_HEX: tuple[int, ...] = tuple(y * 6 + x for x, y in HEXES)
HEX_OF_CELL: dict[int, int] = {cell: number for number, cell in enumerate(CELL_OF_HEX)}
HEX_AT: dict[tuple[int, int], int] = {xy: number for number, xy in enumerate(HEXES)}


def label_of(x: int, y: int) -> str:
    """Return the label on the board: letters left to right, numbers bottom to top (D4 is x 3, y
    2).
    """
    return f"{'ABCDEF'[x]}{(6 if x in (2, 3, 4) else 5) - y}"


LABELS: tuple[str, ...] = tuple(label_of(x, y) for x, y in HEXES)
"""The label of every hex id."""

HEX_OF_LABEL: dict[str, int] = {label: number for number, label in enumerate(LABELS)}

NEIGHBOURS: tuple[tuple[int, ...], ...] = tuple(
    tuple(HEX_OF_CELL.get(GRID.neighbour(cell, side), -1) for side in range(6))
    for cell in CELL_OF_HEX
)
"""The hex ids around every hex id, in the order of the sides, -1 at the rim."""

ENTRY_SIDES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Top defence", ("D6", "E5", "F4")),
    ("Right", ("F4", "F3", "F2", "F1")),
    ("Right defence", ("F1", "E1", "D1")),
    ("Bottom", ("D1", "C1", "B1", "A1")),
    ("Left defence", ("A1", "A2", "A3")),
    ("Left", ("A3", "B4", "C5", "D6")),
)
"""The six entry sides clockwise from the top; the odd ones are the attacker's."""


def _part(*ranges: tuple[range, range]) -> tuple[int, ...]:
    return tuple(HEX_AT[x, y] for xs, ys in ranges for x in xs for y in ys if (x, y) in HEX_AT)


PARTS: dict[str, tuple[int, ...]] = {
    "anywhere": tuple(range(HEX_COUNT)),
    "inside": _part(
        (range(1, 5), range(2, 4)), (range(3, 4), range(1, 2)), (range(2, 5), range(4, 5))
    ),
    "leftdefenseentry": _part((range(1), range(2, 5))),
    "upperdefenseentry": _part((range(3, 4), range(1)), (range(4, 6), range(1, 2))),
    "lowerdefenseentry": _part((range(5, 6), range(4, 5)), (range(3, 5), range(5, 6))),
}
"""The predefined labels of the language, without leftover and usedup, in the game's own order.

The order is not ascending everywhere; recorded rolls of the game (and start lists) show it.
"""


def cell_name(cell: int) -> str:
    """Return the label of a grid cell. Raises KeyError for a cell that is not on the board."""
    return LABELS[HEX_OF_CELL[cell]]


def cell_of_label(label: str) -> int | None:
    """Return the grid cell of a label as the board writes it (``D4``), None if there is none."""
    number = HEX_OF_LABEL.get(label)
    if number is None:
        return None
    return CELL_OF_HEX[number]
