"""The map's edge, and the seam of a map that wraps: lines on the sides of the outermost cells.

``Scene.map_edges`` draws them with ``map_edge_batches``, where reading begins. The light of slopes
(``relief_light``) and pictures at the ends of the map (``map_ends``) ask ``may_lie_at_map_edge``
and ``map_edge_sides`` which cells those are.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from app.render.cell_geometry import neighbour_centres, side_ends
from app.render.piece import Piece
from app.render.scene.batch import Batch
from app.render.scene.part import ScenePart
from app.render.scene.pieces import Pieces
from randomizer.model.grid.grid import Grid

UPRIGHT_END_WIDTH = 2.0
"""The centre of a cell at the left or right end of an upright grid lies nearer to that end than
this, in map units: every other row begins half a cell further in, so it is up to 1.74 away."""

SEAM_TOLERANCE = 0.5
"""Across the seam a neighbour's centre is off by the map's width, elsewhere by rounding only.

So neighbours meet across the seam if it is off by more than this, in map units.
"""

LINE_WIDTH_PIXELS = 1.5
"""The width of edge and seam, as long as it lies between ``THINNEST_LINE`` and ``WIDEST_LINE``."""

THINNEST_LINE = 0.05
"""The least width of the lines in map units: they stay in proportion to large cells."""

WIDEST_LINE = 0.5
"""The greatest width of the lines in map units: they do not hide cells of a pixel or two."""


def may_lie_at_map_edge(grid: Grid, cells: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return which of ``cells`` (n,) may lie at the map's edge or seam, as booleans (n,).

    All that do are among them, and perhaps more: this is a quick choice of those for which
    ``map_edge_sides`` is asked.
    """
    if grid.mask is not None:
        # A hole may lie beside any cell.
        return np.ones(len(cells), np.bool_)
    rows, columns = np.divmod(cells, grid.width)
    is_in_end_row = (rows == 0) | (rows == grid.height - 1)
    if not grid.upright:
        is_in_end_column = (columns == 0) | (columns == grid.width - 1)
        return np.asarray(is_in_end_row | is_in_end_column)
    # An upright grid is an oblique one whose rows are shifted back, so that it does not lean: the
    # columns that one sees are not those of the grid.
    left, _top, right, _bottom = grid.bounds
    centres_x = grid.centres_of(cells)[:, 0]
    is_at_left_end = centres_x - left < UPRIGHT_END_WIDTH
    is_at_right_end = right - centres_x < UPRIGHT_END_WIDTH
    return np.asarray(is_in_end_row | is_at_left_end | is_at_right_end)


class MapEdge(NamedTuple):
    """What n cells have at one of their sides: arrays (n,)."""

    is_edge: NDArray[np.bool_]
    """True where the map ends."""

    is_seam: NDArray[np.bool_]
    """True where a map that wraps was cut open."""


def map_edge_sides(grid: Grid, cells: NDArray[np.intp], side: int) -> MapEdge:
    """Return which of ``cells`` (n,) have the map's edge at ``side``, and which the seam.

    The seam of a map that wraps is where its left and right ends meet:
    there the centre of a neighbour is not where a step from the cell leads, but at the other end.
    """
    neighbours = grid.neighbours_of(cells, side)
    is_edge = neighbours < 0
    if not grid.wrap:
        return MapEdge(is_edge, np.zeros(len(cells), np.bool_))
    # Cell 0 stands for missing neighbours, which have no centre: they are no seam below.
    neighbours_or_0 = np.maximum(neighbours, 0)
    neighbours_x = grid.centres_of(neighbours_or_0)[:, 0]
    step_x, _step_y = neighbour_centres(grid.layout)[side]
    expected_x = grid.centres_of(cells)[:, 0] + step_x
    is_seam = ~is_edge & (np.abs(neighbours_x - expected_x) > SEAM_TOLERANCE)
    return MapEdge(is_edge, is_seam)


def map_edge_batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Yield the map's edge, and the seam of a map that wraps where that overlay is drawn."""
    if part.is_far_from_ends:
        return
    rows = np.flatnonzero(may_lie_at_map_edge(part.grid, part.cells))
    if not len(rows):
        return
    cells = part.cells[rows]
    lines_at_rows = []
    for side in range(pieces.layout.degree):
        is_edge, is_seam = map_edge_sides(part.grid, cells, side)
        lines_at_rows.append((_edge_line(pieces, side), rows[is_edge]))
        if part.overlays.seam:
            lines_at_rows.append((_seam_line(pieces, side), rows[is_seam]))
    batch = pieces.batch(lines_at_rows)
    if batch is not None:
        yield batch


def _edge_line(pieces: Pieces, side: int) -> Piece:
    """Return the piece of the map's edge on a side."""
    pen = QPen(pieces.theme.board_outline, _line_width(pieces))
    return _line(pieces, side, pen, is_seam=False)


def _seam_line(pieces: Pieces, side: int) -> Piece:
    """Return the piece of the seam on a side: a dotted line."""
    pen = QPen(pieces.theme.seam, _line_width(pieces), Qt.PenStyle.DotLine)
    return _line(pieces, side, pen, is_seam=True)


def _line_width(pieces: Pieces) -> float:
    """Return the width of edge and seam, in map units."""
    width = max(LINE_WIDTH_PIXELS * pieces.pixel, THINNEST_LINE)
    return min(width, WIDEST_LINE)


def _line(pieces: Pieces, side: int, pen: QPen, *, is_seam: bool) -> Piece:
    """Return the piece of a line along a side.

    ``is_seam`` is a part of its key: edge and seam are two pieces.
    """
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    ends = QPolygonF([QPointF(*end) for end in side_ends(pieces.layout, side)])
    width = pen.widthF()
    box = ends.boundingRect().adjusted(-width, -width, width, width)
    return Piece(("edge", side, is_seam), box, partial(_draw_line, pen=pen, ends=ends))


def _draw_line(painter: QPainter, pen: QPen, ends: QPolygonF) -> None:
    """Draw the line between two ends."""
    painter.setPen(pen)
    painter.drawPolyline(ends)
