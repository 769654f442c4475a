"""Areas of cells drawn over the map: a selection or a preview, filled or outlined.

``CanvasOverlays`` makes a ``CellArea`` of the cells and calls its ``fill`` and ``outline`` in each
paint event. What they draw depends on the size of the area and on the scale of the view. A *tint*
is an image of one pixel for each cell, in one colour (area_tint.py)::

                         fill                                  outline
    small                polygons; above MAX_FILLED a tint    lines, which are kept
    large (LARGE)        the same, of the cells in view        lines of the cells in view
    large, from AFAR     a tint                                a tint, unless it is filled

Where a tint is drawn, cells that have brushes of their own are not filled at all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

import numpy as np
import shiboken6
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPolygonF

from app.canvas.area_tint import AreaTint
from app.render.viewport import Viewport
from randomizer.geometry.areas import Cells
from randomizer.model.grid.box import Box
from randomizer.model.grid.cells_in_box import cells_in_box
from randomizer.model.grid.grid import Grid

MAX_FILLED = 3000
"""If more cells than these are in view, they are filled as an image of one pixel for each.

With more of them a drag over a large selection is not smooth: each is a polygon.
"""

LARGE = 20_000
"""For more cells only the outline in view is computed, and below ``AFAR`` they are tinted.

If it is larger, the first frame with such an area comes later.
"""

AFAR = 5.0
"""Below this scale (hex radius in logical pixels) a large area is tinted.

Below it an outline would be hardly wider than a cell.
"""

TINT = 0x6095AAFF
"""The colour of an area that is tinted instead of outlined, as 0xAARRGGBB."""

REACH = 1.2
"""How far a cell and the line at its edge reach beyond the cell's centre, in map units."""

OUTLINE_WIDTH = 3
"""The widest pen of outlines, in logical pixels, by which a box around them is larger."""

CELL_REACH = 1.0
"""The centre of a cell that reaches into a box lies at most this far outside, in map units."""

LINE_REACH = 2.0
"""A side whose first end lies farther than this outside a box, in map units, is not in it."""


class CellArea:
    """Cells of a grid, and cached geometry to draw them in any view.

    It does not change: another selection or preview gets another one.
    """

    def __init__(self, grid: Grid, cells: Cells) -> None:
        self.grid = grid
        self.cells = cells
        """The cells of the area, ascending, shape (n,)."""
        self._centres: NDArray[np.float64] | None = None
        """``centres``; None until they are first asked for."""
        self._lines: NDArray[np.float64] | None = None
        """The whole outline (``outline_of``) of a small area; None until it is drawn."""
        self._tint = AreaTint(grid, cells)

    @property
    def _is_large(self) -> bool:
        """True if the whole area takes too long to draw, or even to compute its outline."""
        return len(self.cells) > LARGE

    def _is_seen_from_afar(self, viewport: Viewport) -> bool:
        """Return whether the area is large and so small on the screen that it is tinted."""
        return self._is_large and viewport.scale < AFAR

    @property
    def centres(self) -> NDArray[np.float64]:
        """The centres of the cells, in map units, shape (n, 2)."""
        if self._centres is None:
            self._centres = self.grid.centres_of(self.cells)
        return self._centres

    def box(self, viewport: Viewport) -> QRectF:
        """Return a box in logical pixels that holds the whole area; empty for no cells."""
        if not len(self.cells):
            return QRectF()
        if self._is_large:
            left, top, right, bottom = self.grid.bounds  # quicker than all centres
        else:
            left, top = self.centres.min(axis=0)
            right, bottom = self.centres.max(axis=0)
        centres_box = QRectF(viewport.to_screen(left, top), viewport.to_screen(right, bottom))
        reach = REACH * viewport.scale + OUTLINE_WIDTH
        return centres_box.adjusted(-reach, -reach, reach, reach)

    def fill(
        self, painter: QPainter, viewport: Viewport, dirty: QRectF, brushes: Sequence[QBrush]
    ) -> None:
        """Fill the cells that are in ``dirty``, a box in logical pixels; the pen draws their edges.

        ``brushes`` holds one brush for all cells, or one for each, in the order of ``cells``. Cells
        with one each are left out where a tint is drawn, which has one colour: more than
        ``MAX_FILLED`` cells in view, and a large area seen from afar.
        """
        if not brushes or not len(self.cells):
            return
        if self._is_seen_from_afar(viewport):
            self._fill_by_tint(painter, viewport, brushes)
            return
        positions, centres = self._cells_in_view(viewport, dirty)
        if len(positions) > MAX_FILLED:
            self._fill_by_tint(painter, viewport, brushes)
            return
        corners = self.grid.layout.corners
        cell_shape = QPolygonF([QPointF(*corner) * viewport.scale for corner in corners])
        painter.setBrush(brushes[0])
        for position, (x, y) in zip(positions.tolist(), centres.tolist(), strict=True):
            if len(brushes) > 1:
                painter.setBrush(brushes[position])
            painter.drawPolygon(cell_shape.translated(viewport.to_screen(x, y)))

    def _fill_by_tint(
        self, painter: QPainter, viewport: Viewport, brushes: Sequence[QBrush]
    ) -> None:
        """Draw the tint if all cells have one brush."""
        if len(brushes) == 1:
            self._tint.paint(painter, viewport, brushes[0].color())

    def _cells_in_view(
        self, viewport: Viewport, dirty: QRectF
    ) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """Return positions in ``cells``, (k,), of those in ``dirty``, and their centres, (k, 2)."""
        left, top, right, bottom = _map_box(viewport, dirty, CELL_REACH)
        if self._is_large:
            # Computing the centres of all cells would take longer than drawing those in view.
            in_view = cells_in_box(self.grid, Box(left, top, right, bottom)).cells
            in_view = in_view[self._holds(in_view)]
            return np.searchsorted(self.cells, in_view), self.grid.centres_of(in_view)
        x, y = self.centres.T
        is_in_view = (x > left) & (x < right) & (y > top) & (y < bottom)
        positions = np.flatnonzero(is_in_view)
        return positions, self.centres[positions]

    def outline(
        self,
        painter: QPainter,
        viewport: Viewport,
        dirty: QRectF,
        pens: Sequence[QPen],
        *,
        tinted: bool = True,
    ) -> None:
        """Draw the outline that is in ``dirty``, with one pen over the other.

        Of a large area seen from afar no outline is drawn. It is tinted in place of that if
        ``tinted``; False for an area that is filled.
        """
        if self._is_seen_from_afar(viewport):
            if tinted:
                self._tint.paint(painter, viewport, QColor.fromRgba(TINT))
            return
        lines = self._lines_in_view(viewport, dirty)
        if not len(lines):
            return
        screen_lines = np.ascontiguousarray(
            lines * viewport.scale + (viewport.dx, viewport.dy, viewport.dx, viewport.dy)
        )
        # A QLineF is four doubles, as a row of the array is. So the array itself is given to Qt,
        # as pyqtgraph does, instead of a hundred thousand Python objects. ``screen_lines`` has to
        # live until the last line is drawn: ``first_line`` only points into it.
        first_line = cast(QLineF, shiboken6.wrapInstance(screen_lines.ctypes.data, QLineF))
        for pen in pens:
            painter.setPen(pen)
            painter.drawLines(first_line, len(screen_lines))

    def _lines_in_view(self, viewport: Viewport, dirty: QRectF) -> NDArray[np.float64]:
        """Return the lines of the outline (``outline_of``) that can be in ``dirty``, (n, 4)."""
        left, top, right, bottom = _map_box(viewport, dirty, LINE_REACH)
        if self._is_large:
            in_view = cells_in_box(self.grid, Box(left, top, right, bottom)).cells
            return outline_of(self.grid, in_view[self._holds(in_view)], self._holds)
        if self._lines is None:
            self._lines = outline_of(self.grid, self.cells, self._holds)
        x = self._lines[:, 0]
        y = self._lines[:, 1]
        is_in_view = (x > left) & (x < right) & (y > top) & (y < bottom)
        return self._lines[is_in_view]

    def _holds(self, cells: Cells) -> NDArray[np.bool_]:
        """Return which of ``cells`` belong to the area; booleans of their shape.

        As the cells of the area are ascending, each is looked up by bisection.
        """
        positions = np.searchsorted(self.cells, cells).clip(max=len(self.cells) - 1)
        return np.asarray(self.cells[positions] == cells)


def outline_of(
    grid: Grid, cells: Cells, holds: Callable[[Cells], NDArray[np.bool_]]
) -> NDArray[np.float64]:
    """Return the outline of an area: the sides of ``cells`` beyond which the area does not go on.

    They are lines (x1, y1, x2, y2) in map units, shape (n, 4). ``holds`` tells which of some cells
    belong to the area; of a large area ``cells`` are only those in view.
    """
    corners = np.array(grid.layout.corners)
    lines = []
    for side in range(grid.degree):
        is_at_edge = ~holds(grid.neighbours_of(cells, side))
        centres = grid.centres_of(cells[is_at_edge])
        starts = centres + corners[side]
        ends = centres + corners[(side + 1) % grid.degree]
        lines.append(np.concatenate((starts, ends), axis=1))
    return np.concatenate(lines)


def _map_box(viewport: Viewport, dirty: QRectF, reach: float) -> tuple[float, float, float, float]:
    """Return a box of the screen in map units, larger by ``reach``: left, top, right, bottom."""
    left, top = viewport.to_map(dirty.topLeft())
    right, bottom = viewport.to_map(dirty.bottomRight())
    return left - reach, top - reach, right + reach, bottom + reach
