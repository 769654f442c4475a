"""The map's edge, and the seam of a map that wraps: lines on the sides of the outermost cells."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from app.render.cell_geometry import side_ends
from app.render.piece import Piece
from app.render.scene.batch import Batch
from app.render.scene.part import ScenePart
from app.render.scene.pieces import Pieces
from randomizer.model.grid.grid import Grid


def near_map_edge(grid: Grid, cells: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return which of ``cells`` (n,) may lie at the map's edge or seam: all that do, and perhaps
    more.
    """
    if grid.mask is not None:
        return np.ones(len(cells), np.bool_)
    ys, xs = np.divmod(cells, grid.width)
    ends = (ys == 0) | (ys == grid.height - 1)
    if grid.upright:
        left, _, right, _ = grid.bounds
        centres = grid.centres_of(cells)[:, 0]
        return np.asarray(ends | (centres - left < 2) | (right - centres < 2))
    return np.asarray(ends | (xs == 0) | (xs == grid.width - 1))


def map_edge_sides(
    grid: Grid, cells: NDArray[np.intp], side: int
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which of ``cells`` (n,) have the map's edge at ``side``, and which the seam.

    The seam of a map that wraps is where its left and right ends meet.
    """
    neighbours = grid.neighbours_of(cells, side)
    edge = neighbours < 0
    if not grid.wrap:
        return edge, np.zeros(len(cells), np.bool_)
    away = grid.centres_of(np.maximum(neighbours, 0))[:, 0] - grid.centres_of(cells)[:, 0]
    return edge, ~edge & (np.abs(away) > 3)


def map_edge_batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Yield the map's edge, and the seam of a map that wraps."""
    near = np.flatnonzero(near_map_edge(part.grid, part.cells))
    if not len(near):
        return
    cells = part.cells[near]
    edges = []
    for side in range(pieces.layout.degree):
        edge, seam = map_edge_sides(part.grid, cells, side)
        edges.append((_edge(pieces, side, seam=False), near[edge]))
        if part.overlays.seam:
            edges.append((_edge(pieces, side, seam=True), near[seam]))
    result = pieces.batch(edges)
    if result is not None:
        yield result


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
