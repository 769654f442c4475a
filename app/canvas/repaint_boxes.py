"""Tells which boxes of the widget to repaint when cells or things of a map change.

The idea: what changed is a set of points of the map, and reaches some pixels beyond each of them.
Points near each other share one box; points that lie far apart are put into squares of the view,
and each square that has any gets a box, so that two changes at opposite corners do not repaint all
that lies between them.

``MapWidget`` calls ``boxes_of_cells`` and ``boxes_of_things``. Boxes are in logical pixels of the
widget and may reach beyond it; points are in map units.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize

from app.render.cell_geometry import SIDE_REACH, cell_box
from app.render.raster.backdrop import AHEAD
from app.render.viewport import Viewport
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.indices import places_by_value

FEW_POINTS = 12
"""Up to so many things that changed have a box each; with more of them, boxes are shared."""

SQUARE_SIZE = 320
"""The side of the squares of the view by which changes far apart are repainted, in pixels."""

MAX_SQUARES_ACROSS = 4096
"""More squares than any view is wide: row * this + column is another number for each square."""

EDGE_MARGIN = 0.05
"""How far lines at the edges of cells reach beyond the hexsides on them, in map units."""

EDGE_PIXELS = 3
"""How far pens and rounding reach beyond that, in logical pixels."""


def boxes_of_cells(
    cells: NDArray[np.intp], grid: Grid, viewport: Viewport, view_size: QSize
) -> Iterator[QRectF]:
    """Yield boxes that hold the cells (n,) and what is drawn across their edges.

    The box of a single cell may lie outside the view.
    """
    if not len(cells):
        return
    box = cell_box(grid.layout, SIDE_REACH + EDGE_MARGIN)  # the centre of the cell is at (0, 0)
    across = box.right() * viewport.scale + EDGE_PIXELS
    down = box.bottom() * viewport.scale + EDGE_PIXELS
    if len(cells) == 1:  # without arrays this is quicker
        centre = viewport.to_screen(*grid.centre(int(cells[0])))
        yield QRectF(centre.x() - across, centre.y() - down, 2 * across, 2 * down)
        return
    yield from boxes_around(grid.centres_of(cells), (across, down), viewport, view_size)


def boxes_of_things(
    points: NDArray[np.float64], margin: float, viewport: Viewport, view_size: QSize
) -> Iterator[QRectF]:
    """Yield boxes around things at points (n, 2); those of a few things may lie outside the view.

    ``margin`` is how far the picture of a thing reaches beyond its point, in pixels
    (``thing_reach_px``).
    """
    if len(points) > FEW_POINTS:
        yield from boxes_around(points, (margin, margin), viewport, view_size)
        return
    diagonal = QPointF(margin, margin)
    for x, y in points.tolist():
        centre = viewport.to_screen(x, y)
        yield QRectF(centre - diagonal, centre + diagonal)


def boxes_around(
    points: NDArray[np.float64],
    margins: tuple[float, float],
    viewport: Viewport,
    view_size: QSize,
) -> Iterator[QRectF]:
    """Yield boxes that hold those of the points (n, 2) that lie in or near the view.

    ``margins`` are two distances in logical pixels by which a box is larger than its points: the
    first to the right and the left, the second up and down.
    """
    margin = np.array(margins)
    margin_ahead = margin + AHEAD  # the backdrop reaches beyond the view, and changes there, too
    size = np.array(view_size.toTuple())
    pixels = points * viewport.scale + (viewport.dx, viewport.dy)
    is_near_view = ((pixels + margin_ahead > 0) & (pixels - margin_ahead < size)).all(axis=1)
    pixels = pixels[is_near_view]
    if not len(pixels):
        return

    groups = [pixels]
    lie_far_apart = (np.ptp(pixels, axis=0) > SQUARE_SIZE).any()
    if lie_far_apart:
        columns, rows = (pixels // SQUARE_SIZE).astype(np.intp).T
        squares = rows * MAX_SQUARES_ACROSS + columns  # one number for each square
        # Each square with the indices of its points.
        groups = [pixels[indices] for _square, indices in places_by_value(squares)]
    for group in groups:
        first = group.min(axis=0) - margin
        last = group.max(axis=0) + margin
        yield QRectF(QPointF(*first.tolist()), QPointF(*last.tolist()))
