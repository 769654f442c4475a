"""Faint grid lines within areas and broad rivers, so that their cells can be counted."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPen

from app.render.cell_geometry import apothem, side_ends
from app.render.piece import Piece, PiecePlaces
from app.render.style import DrawnCells
from app.render.theme import Theme
from randomizer.model.grid.indices import places_by_value
from randomizer.model.grid.layouts import Layout

WIDTH = 0.02
"""As a share of the distance from a cell's centre to a side."""

STRENGTH = 0.7
"""Their opacity against that of other grid lines."""


class InnerLines:
    """The pieces of one layout and theme, in ``box``."""

    def __init__(self, layout: Layout, theme: Theme, box: QRectF) -> None:
        self._layout = layout
        self._theme = theme
        self._box = box

    def pieces(self, table: DrawnCells, sides: NDArray[np.int64]) -> Iterator[PiecePlaces]:
        """Yield lines on ``sides`` (size,), bit masks of the sides beyond which an area goes on.

        None where the table shows no grid lines.
        """
        if not table.grid_lines:
            return
        half = (1 << table.grid.degree // 2) - 1  # the other sides are drawn by the neighbours
        own_sides = sides[table.cells] & half
        rows = np.flatnonzero(own_sides)
        for mask, positions in places_by_value(own_sides[rows]):
            draw = partial(self._draw, sides=mask)
            yield Piece(("inner lines", mask), self._box, draw), rows[positions]

    def _draw(self, painter: QPainter, sides: int) -> None:
        ink = QColor(self._theme.grid_line)
        ink.setAlphaF(ink.alphaF() * STRENGTH)
        painter.setPen(QPen(ink, WIDTH * apothem(self._layout)))
        for side in range(self._layout.degree):
            if sides >> side & 1:
                (ax, ay), (bx, by) = side_ends(self._layout, side)
                painter.drawLine(QPointF(ax, ay), QPointF(bx, by))
