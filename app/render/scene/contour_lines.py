"""The contour lines of the heights, cell by cell."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from app.render.cell_geometry import cell_box
from app.render.cell_values.cell_colours import CONTOUR
from app.render.cell_values.relief import MAIN, corner_levels
from app.render.piece import Piece
from app.render.scene.batch import Batch
from app.render.scene.part import ScenePart
from app.render.scene.pieces import Pieces

MOST_LINES = 4
"""Where more pass through a cell, only every ``MAIN``-th is drawn, and so many of these."""

FINE = 8
"""Lines begin and end at the ends of so many parts of a side."""

SHRUNKEN = 2.5
"""How much wider lines are in pictures that are shown smaller (``Pieces.coarse``)."""

WIDTHS = (0.035, 0.08)
"""Of usual lines and of each ``MAIN``-th, in map units; at least one pixel and one and a half."""

OPACITY = 0.6


def contour_batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Yield the lines of each level that passes through a cell."""
    step = part.overlays.contour_step
    if step:
        levels = corner_levels(part.battlemap, part.composite, step, part.cells)
    else:
        levels = None
    if levels is None:
        return
    low = levels.min(axis=0)
    high = levels.max(axis=0)
    all_cells = np.where(high - low > MOST_LINES, MAIN, 1)
    for number in range(1, MOST_LINES + 1):
        level = (np.floor(low / all_cells) + number) * all_cells
        rows = np.flatnonzero(level <= high)
        if len(rows):
            yield from _lines(pieces, rows, levels[:, rows], level[rows])


def _lines(
    pieces: Pieces,
    rows: NDArray[np.intp],
    corners: NDArray[np.float32],
    level: NDArray[np.float32],
) -> Iterator[Batch]:
    """Yield the lines of one level in each cell; corners that are as high lie above it."""
    above = corners >= level
    passed = above != np.roll(above, -1, axis=0)
    # Along sides from the left or from the top: the same in both cells beside a side.
    starts = corners[[0, 1, 3, 0]]
    ends = corners[[1, 2, 2, 3]]
    rise = np.where(starts == ends, 1, ends - starts)
    at = np.rint(np.clip((level - starts) / rise, 0, 1) * FINE).astype(np.intp)
    saddle = passed.all(axis=0)
    middle = (corners.mean(axis=0) >= level) == above[0]
    first = np.where(saddle, np.where(middle, 0, 3), passed.argmax(axis=0))
    last = np.where(saddle, np.where(middle, 1, 0), 3 - passed[::-1].argmax(axis=0))
    main = (level % MAIN == 0).astype(np.intp)
    all_cells = np.arange(len(rows))
    for begin, end, chosen_cells in (
        (first, last, all_cells),
        ((first + 2) % 4, (last + 2) % 4, saddle),
    ):
        ends_at = [side * (FINE + 1) + at[side, all_cells] for side in (begin, end)]
        codes = (ends_at[0] * 4 * (FINE + 1) + ends_at[1]) * 2 + main
        numbers = pieces.numbers("contour line", codes[chosen_cells], partial(_line, pieces))
        yield Batch(numbers, rows[chosen_cells])


def _line(pieces: Pieces, code: int) -> Piece:
    """Return a line between two points on sides of a square."""
    line, main = divmod(code, 2)
    begin, end = (_point(*divmod(end_code, FINE + 1)) for end_code in divmod(line, 4 * (FINE + 1)))
    colour = QColor.fromRgb(CONTOUR)
    colour.setAlphaF(OPACITY)
    pixel = pieces.pixel * (SHRUNKEN if pieces.coarse else 1)
    pen = QPen(colour, max(WIDTHS[main], (1 + main / 2) * pixel))
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)

    def draw(painter: QPainter) -> None:
        painter.setPen(pen)
        painter.drawLine(begin, end)

    return Piece(("contour line", code), cell_box(pieces.layout), draw)


def _point(side: int, along: int) -> QPointF:
    """Return the place on a side, ``along`` parts from its left or upper end."""
    share = along / FINE - 0.5
    return (QPointF(share, -0.5), QPointF(0.5, share), QPointF(share, 0.5), QPointF(-0.5, share))[
        side
    ]
