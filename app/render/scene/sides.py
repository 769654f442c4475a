"""What lies on the sides of cells: hexsides, the map's edge, the seam of a map that wraps."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPen, QPolygonF

from app.render.cell_geometry import side_ends, side_transform
from app.render.map_edges import map_edge_sides, near_map_edge
from app.render.picture_source import SIDE_BOX
from app.render.piece import Piece
from app.render.scene.batch import Batch
from randomizer.model.planes import is_blank

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QPainter

    from app.render.scene.part import ScenePart
    from app.render.scene.pieces import Pieces

MARGIN = 0.06
"""Pictures of hexsides may reach over their box by this much (map units)."""


def hexside_batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """The hexsides, side by side."""
    spec = part.system.hexside
    if spec is None or is_blank(part.composite.planes[spec.name]):
        return
    codes = part.values(spec)
    places, sides = np.nonzero(codes)
    keys = codes[places, sides].astype(np.intp) * pieces.layout.degree + sides

    def make(key: int) -> Piece:
        code, side = divmod(key, pieces.layout.degree)
        return hexside(pieces, code, side)

    order = np.argsort(sides, kind="stable")
    yield Batch(pieces.numbers("hexside", keys[order], make), places[order])


def hexside(pieces: Pieces, code: int, side: int) -> Piece:
    """Hexside ``code`` (from 1 on) on one side of its owner."""
    transform = side_transform(pieces.layout, side)
    box = transform.mapRect(SIDE_BOX).adjusted(-MARGIN, -MARGIN, MARGIN, MARGIN)

    def draw(painter: QPainter) -> None:
        painter.setTransform(transform, combine=True)
        pieces.pictures.hexside(painter, pieces.terrain_set.hexsides[code - 1])

    return Piece(("hexside", code, side), box, draw)


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
