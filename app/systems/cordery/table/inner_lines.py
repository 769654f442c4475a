"""Faint grid lines within areas and broad rivers, so that their cells can be counted.

A hill or a lake is drawn over many cells without the usual grid lines. ``TableFeatures`` asks
``InnerLines.pieces`` for faint ones to draw over it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPen

from app.render.cell_geometry import apothem, side_ends
from app.render.drawn_cells import DrawnCells
from app.render.piece import Piece, PiecePlaces
from app.render.theme import Theme
from randomizer.model.grid.indices import places_by_value
from randomizer.model.grid.layouts import Layout

WIDTH = 0.02
"""The width of the lines, as a share of the distance from a cell's centre to a side."""

STRENGTH = 0.7
"""The opacity of the lines, as a share of that of the other grid lines."""


class InnerLines:
    """Makes the pieces of lines for one layout and theme; ``box`` bounds each, in map units."""

    def __init__(self, layout: Layout, theme: Theme, box: QRectF) -> None:
        self._layout = layout
        self._theme = theme
        self._box = box

    def pieces(self, table: DrawnCells, sides: NDArray[np.int64]) -> Iterator[PiecePlaces]:
        """Yield lines on some sides of the drawn cells, with their positions in ``table.cells``.

        ``sides`` (size,) are bit masks of the sides beyond which an area goes on. If the table
        shows no grid lines, nothing is yielded.
        """
        if not table.grid_lines:
            return
        # Two cells share a line. On squares it is side 0 of the one and side 2 of the other: only
        # the cell that has it among the first half of its sides draws it, so that it is drawn once.
        first_half = (1 << table.grid.degree // 2) - 1
        sides_to_draw = sides[table.cells] & first_half
        rows = np.flatnonzero(sides_to_draw)
        for mask, positions in places_by_value(sides_to_draw[rows]):
            draw = partial(self._draw, sides=mask)
            yield Piece(("inner lines", mask), self._box, draw), rows[positions]

    def _draw(self, painter: QPainter, sides: int) -> None:
        """Draw lines on the sides of a cell whose bits are set in ``sides``."""
        ink = QColor(self._theme.grid_line)
        ink.setAlphaF(ink.alphaF() * STRENGTH)
        painter.setPen(QPen(ink, WIDTH * apothem(self._layout)))
        for side in range(self._layout.degree):
            if sides >> side & 1:
                start, end = side_ends(self._layout, side)
                painter.drawLine(QPointF(*start), QPointF(*end))
