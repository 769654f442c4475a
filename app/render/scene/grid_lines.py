"""Grid lines: half of the sides of every cell; the neighbours draw the others."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtGui import QColor, QPen, QPolygonF

from app.render.cell_geometry import cell_outline
from app.render.piece import Piece
from app.render.scene.batch import Batch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QPainter

    from app.render.scene.part import ScenePart
    from app.render.scene.pieces import Pieces

FAINT_BELOW = 16.0
"""Grid lines get fainter below this scale, where so many of them would hide the map."""


def batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """The grid lines of all cells."""
    number = pieces.number(grid_line(pieces))
    count = len(part.cells)
    yield Batch(np.full(count, number, np.intp), np.arange(count, dtype=np.intp))


def grid_line(pieces: Pieces) -> Piece:
    """Half of the outline of a cell."""
    outline = cell_outline(pieces.layout)
    half = QPolygonF([outline.at(i) for i in range(pieces.layout.degree // 2 + 1)])
    box = half.boundingRect().adjusted(*(pieces.pixel * end for end in (-1, -1, 1, 1)))
    return Piece(
        "grid", box, partial(_draw, pen=QPen(grid_colour(pieces), pieces.pixel), lines=half)
    )


def grid_colour(pieces: Pieces) -> QColor:
    """The colour of grid lines."""
    colour = QColor(pieces.theme.grid_line)
    if 1 / pieces.pixel < FAINT_BELOW:
        colour.setAlphaF(colour.alphaF() / pieces.pixel / FAINT_BELOW)
    return colour


def _draw(painter: QPainter, pen: QPen, lines: QPolygonF) -> None:
    painter.setPen(pen)
    painter.drawPolyline(lines)
