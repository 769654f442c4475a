"""Grid lines: the outlines of cells, on landscapes faint ones over everything."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from app.render.cell_geometry import cell_outline
from app.render.piece import Piece
from app.render.scene.batch import Batch
from app.render.scene.part import ScenePart
from app.render.scene.pieces import Pieces

FAINT_BELOW = 16.0
"""Grid lines get fainter below this scale, where so many of them would hide the map."""

JOINED = 0.5
"""The opacity of grid lines on landscapes, against that of others."""

JOINED_FROM = 14.0
"""From this scale on landscapes have grid lines."""


def batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """The grid lines of a landscape: of each cell half of the sides, the neighbours have others."""
    if pieces.pixel * JOINED_FROM > 1:
        return
    number = pieces.number(_half(pieces))
    count = len(part.cells)
    yield Batch(np.full(count, number, np.intp), np.arange(count, dtype=np.intp))


def _half(pieces: Pieces) -> Piece:
    """Half of the outline of a cell."""
    outline = cell_outline(pieces.layout)
    half = QPolygonF([outline.at(i) for i in range(pieces.layout.degree // 2 + 1)])
    box = half.boundingRect().adjusted(*(pieces.pixel * end for end in (-1, -1, 1, 1)))

    def draw(painter: QPainter) -> None:
        painter.setPen(QPen(grid_colour(pieces), pieces.pixel))
        painter.drawPolyline(half)

    return Piece("grid", box, draw)


def draw_outline(painter: QPainter, pieces: Pieces) -> None:
    """Draw the whole outline of a cell."""
    painter.setPen(QPen(grid_colour(pieces), pieces.pixel))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolygon(cell_outline(pieces.layout))


def grid_colour(pieces: Pieces) -> QColor:
    """Return the colour of grid lines."""
    colour = QColor(pieces.theme.grid_line)
    if pieces.joined:
        colour.setAlphaF(colour.alphaF() * JOINED)
    if 1 / pieces.pixel < FAINT_BELOW:
        colour.setAlphaF(colour.alphaF() / pieces.pixel / FAINT_BELOW)
    return colour
