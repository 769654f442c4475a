"""What lies on the sides of the outermost cells: the map's edge, the seam of a map that wraps."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPen, QPolygonF

from app.render.cell_geometry import side_ends
from app.render.map_edges import map_edge_sides, near_map_edge
from app.render.piece import Piece
from app.render.scene.batch import Batch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QPainter

    from app.render.scene.part import ScenePart
    from app.render.scene.pieces import Pieces


def map_edge_batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """The map's edge, and the seam of a map that wraps."""
    near = np.flatnonzero(near_map_edge(part.grid, part.cells))
    if not len(near):
        return
    cells, laid = part.cells[near], []
    for side in range(pieces.layout.degree):
        edge, seam = map_edge_sides(part.grid, cells, side)
        laid.append((_edge(pieces, side, seam=False), near[edge]))
        if part.overlays.seam:
            laid.append((_edge(pieces, side, seam=True), near[seam]))
    found = pieces.batch(laid)
    if found is not None:
        yield found


def _edge(pieces: Pieces, side: int, *, seam: bool) -> Piece:
    width = min(0.5, max(1.5 * pieces.pixel, 0.05))
    line = QPolygonF([QPointF(*end) for end in side_ends(pieces.layout, side)])
    box = line.boundingRect().adjusted(-width, -width, width, width)
    style = Qt.PenStyle.DotLine if seam else Qt.PenStyle.SolidLine
    colour = pieces.theme.seam if seam else pieces.theme.board_outline
    pen = QPen(colour, width, style, Qt.PenCapStyle.RoundCap)
    return Piece(("edge", side, seam), box, partial(_draw, pen=pen, lines=line))


def _draw(painter: QPainter, pen: QPen, lines: QPolygonF) -> None:
    painter.setPen(pen)
    painter.drawPolyline(lines)
