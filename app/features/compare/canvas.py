"""The canvas of one of the two maps in the comparison window, with the differences marked.

``CompareWindow`` has two of them, which follow each other's view. Nothing can be edited on them.
Begin with ``paintEvent``: from afar each cell that differs is marked by a dot, from near by its
outline, and sides that differ by a line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QLineF, QPoint, QRect
from PySide6.QtGui import QColor, QContextMenuEvent, QImage, QPainter, QPaintEvent, QPen

from app.appearance.painting import painting
from app.canvas.canvas import MapCanvas
from app.canvas.line_width import LineWidth
from app.document.document import MapDocument
from app.document.selection import Selection
from app.qt_guard import guarded
from app.render.renderer import Renderer
from app.render.viewport import Viewport
from app.tools.options import ToolOptions
from app.tools.picking import PanTool
from randomizer.model.edits.edit import Region
from randomizer.model.grid.box import Box
from randomizer.model.grid.cells_in_box import cells_in_box
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from randomizer.model.comparison.comparison import Comparison

MIN_CANVAS_SIDE = 160
"""The least width and height of the canvas, in logical pixels."""

MIN_OUTLINE_SCALE = 5.0
"""At this scale (hex radius in logical pixels) and above, cells are outlined; below, dotted."""

DOT_MARGIN = 2
"""Pixels around the picture of the dots. A dot reaches one pixel beyond its centre, and centres up
to one pixel outside are painted: with this margin their whole dots lie on the array."""

BYTES_PER_PIXEL = 4
"""The size of a colour 0xAARRGGBB."""

OUTLINE_SIZE = 0.9
"""The size of the outline of a marked cell, as a part of the cell. At 1 the outlines of neighbours
would coincide, and with the lines on the sides between them."""

OUTLINE_WIDTH = LineWidth(map_units=0.05, min_pixels=1.5)
"""The width of the outline of a marked cell."""

DIFFERING_SIDE_WIDTH = LineWidth(map_units=0.1, min_pixels=2.5)
"""The width of the line on a side that differs: thicker than an outline, to be seen beside it."""


class CompareCanvas(MapCanvas):
    """Shows one of the compared maps, and marks the differences on it.

    The map is edited in the window's document, not here: the canvas has a document of its own for
    the same map, and the comparison window tells it of each edit (``map_changed``).
    """

    def __init__(self, battlemap: BattleMap, renderer: Renderer, name: str) -> None:
        document = MapDocument(battlemap)
        super().__init__(document, renderer)
        document.setParent(self)
        self.setMinimumSize(MIN_CANVAS_SIDE, MIN_CANVAS_SIDE)
        self.setAccessibleName(name)
        self.set_tool(PanTool(ToolOptions(self)))
        self._comparison: Comparison | None = None
        """Holds the differences to mark; None before the first comparison, or without one."""
        self._marks_visible = True
        """False while the map is shown without the marks of its differences."""
        self._marked_cells = Selection()
        """The cells with a difference."""
        self._marked_centres = np.empty((0, 2), np.float32)
        """The centre (x, y) of each marked cell, in map units."""

    def map_changed(self, composite: Composite | None, region: Region) -> None:
        """Draw the region of the map that was edited, whose composite is now ``composite``."""
        self.document.current_map.composite = composite
        self.document.changed.emit(region)

    def show_differences(self, comparison: Comparison | None) -> None:
        """Mark the differences of a comparison from now on; None marks none."""
        self._comparison = comparison
        if comparison is None:
            cells = np.empty(0, np.intp)
        else:
            cells = comparison.cells
        self._marked_cells = Selection(cells)
        self._marked_centres = self.document.battlemap.grid.centres_of(cells).astype(np.float32)
        self.update()

    def outline_cells(self, cells: Iterable[int]) -> None:
        """Outline exactly these cells from now on, as a selection is, also without the marks."""
        self.document.select(cells)

    def set_marks_visible(self, visible: bool) -> None:
        """Mark the differences, or show the map alone."""
        self._marks_visible = visible
        self.update()

    def follow(self, viewport: Viewport, *, fitted: bool) -> None:
        """Show the same part of the map as the other canvas, whose viewport is given.

        ``fitted`` tells that the other canvas keeps its whole map in view when its size changes.
        """
        dx = viewport.dx - self.viewport.dx
        dy = viewport.dy - self.viewport.dy
        same_scale = viewport.scale == self.viewport.scale
        moved_by_whole_pixels = dx == round(dx) and dy == round(dy)
        self.fitted = fitted
        if same_scale and moved_by_whole_pixels:
            # The pixels that stay in view are moved; only the strips that come into it are drawn.
            # (``_store_viewport`` draws nothing, ``_set_viewport`` draws the whole view again.)
            self._store_viewport(viewport)
            self.scroll(round(dx), round(dy))
            self.viewport_changed.emit()
        else:
            self._set_viewport(viewport)

    @guarded
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Show no menu: nothing can be edited here."""
        event.accept()

    # --- painting ---------------------------------------------------------------------------

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the map, then the marks of the differences."""
        super().paintEvent(event)
        if self._comparison is None or not self._marks_visible:
            return
        dirty = event.rect()
        with painting(self) as painter:
            painter.setClipRect(dirty)
            if self.viewport.scale < MIN_OUTLINE_SCALE:
                self._paint_dots(painter, dirty)
                return
            cells = self._marked_cells_in(dirty)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_cell_outlines(painter, cells)
            self._paint_sides(painter, cells, self._comparison)

    def _paint_dots(self, painter: QPainter, dirty: QRect) -> None:
        """Mark each cell by 3 x 3 pixels.

        The dots are set in an array, drawn as one picture: this is fast for any number of cells.
        """
        width = dirty.width()
        height = dirty.height()

        # The pixel of each centre, counted from the top left of the dirty rectangle.
        viewport = self.viewport
        positions = self._marked_centres * np.float32(viewport.scale)
        positions += np.array([viewport.dx - dirty.left(), viewport.dy - dirty.top()], np.float32)
        x, y = np.floor(positions).astype(np.int32).T

        # One pixel a centre: those in the rectangle, and those whose dot reaches into it.
        is_near = (x >= -1) & (x <= width) & (y >= -1) & (y <= height)
        dots = np.zeros((height + 2 * DOT_MARGIN, width + 2 * DOT_MARGIN), np.bool_)
        dots[y[is_near] + DOT_MARGIN, x[is_near] + DOT_MARGIN] = True

        # Each pixel grows to its neighbours left and right, then the three above and below.
        row_neighbours = dots[:, :-2] | dots[:, 2:]
        dots[:, 1:-1] |= row_neighbours
        column_neighbours = dots[:-2] | dots[2:]
        dots[1:-1] |= column_neighbours

        # Differences have the colour of problems: it is seen on every terrain.
        colour = np.uint32(self.renderer.theme.problem_ring.rgba())
        dots_in_rectangle = dots[DOT_MARGIN:-DOT_MARGIN, DOT_MARGIN:-DOT_MARGIN]
        pixels = np.where(dots_in_rectangle, colour, np.uint32(0))
        bytes_per_line = BYTES_PER_PIXEL * width
        image = QImage(pixels.data, width, height, bytes_per_line, QImage.Format.Format_ARGB32)
        painter.drawImage(dirty.topLeft(), image)

    def _marked_cells_in(self, dirty: QRect) -> NDArray[np.intp]:
        """Return the cells with a difference that are seen in a rectangle of pixels, ascending."""
        viewport = self.viewport
        left, top = viewport.to_map(dirty.topLeft().toPointF())
        right, bottom = viewport.to_map((dirty.bottomRight() + QPoint(1, 1)).toPointF())
        # The box holds centres of cells. A cell reaches up to one map unit from its centre: it can
        # be seen in the rectangle although its centre lies so far outside.
        grid = self.document.battlemap.grid
        cells = cells_in_box(grid, Box(left - 1, top - 1, right + 1, bottom + 1)).cells
        return cells[self._marked_cells.contains(cells)]

    def _paint_cell_outlines(self, painter: QPainter, cells: NDArray[np.intp]) -> None:
        """Draw an outline inside each of these cells."""
        viewport = self.viewport
        grid = self.document.battlemap.grid
        colour = QColor(self.renderer.theme.problem_ring)
        painter.setPen(QPen(colour, OUTLINE_WIDTH.at(viewport.scale)))
        for cell in cells.tolist():
            painter.drawPolygon(viewport.cell_polygon(grid, cell, OUTLINE_SIZE))

    def _paint_sides(
        self, painter: QPainter, cells: NDArray[np.intp], comparison: Comparison
    ) -> None:
        """Paint a line on each side of these cells on which something differs."""
        viewport = self.viewport
        grid = self.document.battlemap.grid
        # A side's flat index is cell * degree + side.
        all_sides = (cells[:, None] * grid.degree + np.arange(grid.degree)).ravel()
        differing_sides = all_sides[Selection(comparison.sides).contains(all_sides)]
        lines: list[QLineF] = []
        for flat_index in differing_sides.tolist():
            cell, side = divmod(flat_index, grid.degree)
            lines.append(viewport.side_line(grid, cell, side))
        colour = QColor(self.renderer.theme.problem_ring)
        painter.setPen(QPen(colour, DIFFERING_SIDE_WIDTH.at(viewport.scale)))
        painter.drawLines(lines)
