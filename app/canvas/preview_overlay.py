"""The preview of a tool on the map: what a click here, or the end of the drag, would change.

``CanvasOverlays`` sets the ``Preview`` that the tool gives, asks for the boxes that have to be
repainted for it, and calls ``paint``. Of a preview are drawn, the lowest first:

    the axis of the symmetry     a dashed line, or a circle with a cross
    cells                        tinted with their new terrain, and outlined together
    cells without a change       hatched: a twin lies outside the map, or a layer is locked
    the line of a drag           dashed, through the centres of its cells
    sides                        their new hexside, a line, and the outline of the cell that owns it
    things                       the area that each covers, and its icon
    measured lines, round brushes of corners
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPolygonF

from app.appearance.painting import saved_state
from app.canvas.corner_preview import circle_box, paint_corners
from app.canvas.line_width import LineWidth
from app.canvas.map_widget import MapWidget
from app.canvas.measured_lines import line_boxes, paint_lines
from app.canvas.symmetry_axis import axis_of
from app.render.scene.edges.hexsides import single_piece
from app.render.scene.icons import Covered
from app.render.scene.things.looks import Look, colour_of
from app.render.scene.things.thing_sizes import diameter, shows_icon, thing_reach_px

if TYPE_CHECKING:
    from app.canvas.areas import CellArea
    from app.tools import CellSide, Preview
    from randomizer.geometry.symmetry import Symmetry

THING_OPACITY = 0.6
"""The opacity of things that would be placed, and do not lie on the map yet; 1 is opaque."""

HEXSIDE_OPACITY = 0.75
"""The opacity of a hexside that would be set, and is not there yet; 1 is opaque."""

TERRAIN_ALPHA = 50
"""The opacity of a terrain that would be painted, of 255.

If it is larger, the present terrain is not seen through it.
"""

WIDE_OUTLINE_SCALE = 8.0
"""From this scale on (hex radius in logical pixels) the outline of the cells is wide."""

WIDE_OUTLINE = 2.5
"""The width of a wide outline of the cells, in logical pixels."""

NARROW_OUTLINE = 1.5
"""The width of the outline of the cells on a map seen from afar, in logical pixels."""

LINE_WIDTH = 1.5
"""The width of the line of a drag, and of the outline of an owner, in logical pixels."""

LINE_MARGIN = 4
"""How far the box of the line of a drag reaches beyond it, in logical pixels.

It covers half the width of the line and its smoothed edge.
"""

SIDE_BOX_MARGIN = 0.5
"""How far the box of a side reaches beyond the cell that owns it, as a part of the cell.

A hexside is drawn into the cell beyond, too.
"""

AXIS_WIDTH = 2.0
"""The width of the line of a mirror, in logical pixels."""

OWNER_SIZE = 0.97
"""The size of the outline of a cell that will own a hexside, as a part of the cell."""

SIDE_WIDTH = LineWidth(map_units=0.06, min_pixels=2.5)
"""The width of the line on a side whose hexside would be set."""

CENTRE_RADIUS = LineWidth(map_units=0.2, min_pixels=6.0)
"""The radius of the circle around the centre of a rotation."""


class PreviewOverlay:
    """Paints the preview of the tool in use over the map of a widget."""

    def __init__(self, widget: MapWidget) -> None:
        self._widget = widget
        self.preview: Preview | None = None
        """What the tool would do where it points, None for nothing."""
        self._area: CellArea | None = None
        """The cells of the preview that would be changed."""
        self._lost: CellArea | None = None
        """The cells of the preview of which a symmetric twin lies outside the map."""
        self._left_out: CellArea | None = None
        """The cells of the preview that a locked layer keeps from being changed."""
        self._symmetry: Symmetry | None = None
        """The symmetry of the tool, None for none."""

    def clear(self) -> None:
        """Paint no preview; the symmetry stays until the next ``set_preview``."""
        self.preview = None
        self._area = None
        self._lost = None
        self._left_out = None

    def set_preview(self, preview: Preview | None, symmetry: Symmetry | None) -> None:
        """Set what is painted from now on; None for nothing.

        The caller repaints the ``boxes`` of the preview before and after.
        """
        self.clear()
        self.preview = preview
        if preview is not None:
            from app.canvas.areas import CellArea  # not needed for the first paint

            grid = self._widget.document.battlemap.grid
            self._area = CellArea(grid, preview.cells)
            self._lost = CellArea(grid, preview.lost)
            self._left_out = CellArea(grid, preview.left_out)
        if symmetry is not self._symmetry:
            self._symmetry = symmetry
            self._widget.update()  # its line goes across the whole view

    def boxes(self) -> list[QRectF]:
        """Return boxes in logical pixels that hold all of the preview, its symmetry aside."""
        preview = self.preview
        if preview is None:
            return []
        widget = self._widget
        viewport = widget.viewport
        grid = widget.document.battlemap.grid
        boxes = []
        for area in (self._area, self._lost, self._left_out):
            if area is not None and len(area.cells):
                boxes.append(area.box(viewport))
        for cell_side, _code in preview.sides:  # those left out are among them
            boxes.append(viewport.cell_rect(grid, cell_side.cell, SIDE_BOX_MARGIN))
        boxes += [circle_box(viewport, circle) for circle in preview.circles]
        if preview.points:
            line = QPolygonF([viewport.to_screen(*point) for point in preview.points])
            box = line.boundingRect()
            boxes.append(box.adjusted(-LINE_MARGIN, -LINE_MARGIN, LINE_MARGIN, LINE_MARGIN))
        if preview.lines:
            boxes += line_boxes(widget, preview)
        reach = thing_reach_px(widget.document.battlemap, viewport.scale)
        for thing in preview.things:
            centre = viewport.to_screen(thing.x, thing.y)
            boxes.append(QRectF(centre.x() - reach, centre.y() - reach, 2 * reach, 2 * reach))
        return boxes

    def paint(self, painter: QPainter, dirty: QRectF, ratio: float) -> None:
        """Draw what of the preview is in ``dirty`` (logical pixels); ``ratio`` is device pixels'.

        The painter comes back with another pen, brush and render hints.
        """
        preview = self.preview
        if preview is None:
            return
        self._paint_symmetry(painter)
        self._paint_cells(painter, dirty, preview)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)  # for all that follows
        if preview.points:
            self._paint_line(painter, preview)
        self._paint_sides(painter, preview, ratio)
        self._paint_things(painter, preview)
        if preview.lines:
            paint_lines(painter, self._widget, preview)
        if preview.circles:
            paint_corners(painter, self._widget, dirty, preview)

    def _paint_symmetry(self, painter: QPainter) -> None:
        """Draw the centre of the symmetry of the tool, or the line of its mirror."""
        if self._symmetry is None:
            return
        widget = self._widget
        pen = QPen(widget.renderer.theme.problem_ring, AXIS_WIDTH, Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        axis = axis_of(self._symmetry)
        centre = widget.viewport.to_screen(*axis.centre)
        if axis.direction is not None:
            # Long enough to cross the whole view, wherever on it the centre lies.
            half_line = QPointF(*axis.direction) * (widget.width() + widget.height())
            painter.drawLine(QLineF(centre - half_line, centre + half_line))
            return
        radius = CENTRE_RADIUS.at(widget.viewport.scale)
        right = QPointF(radius, 0)
        down = QPointF(0, radius)
        painter.drawEllipse(centre, radius, radius)
        painter.drawLine(QLineF(centre - right, centre + right))
        painter.drawLine(QLineF(centre - down, centre + down))

    def _paint_cells(self, painter: QPainter, dirty: QRectF, preview: Preview) -> None:
        """Draw the cells that the tool would change, and those that it leaves out."""
        widget = self._widget
        viewport = widget.viewport
        theme = widget.renderer.theme

        # Fill the cells with their new terrains, and hatch those that are lost or left out.
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        painter.setPen(Qt.PenStyle.NoPen)
        brushes = self._brushes(preview)
        if self._area is not None and brushes is not None:
            self._area.fill(painter, viewport, dirty, brushes)
        if self._lost is not None:
            hatch = QBrush(theme.problem_ring, Qt.BrushStyle.BDiagPattern)
            self._lost.fill(painter, viewport, dirty, [hatch])
        if self._left_out is not None:
            hatch = QBrush(theme.problem_ring, Qt.BrushStyle.DiagCrossPattern)
            self._left_out.fill(painter, viewport, dirty, [hatch])

        # Outline all cells of the preview together.
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._area is not None and len(preview.cells):
            width = NARROW_OUTLINE
            if viewport.scale > WIDE_OUTLINE_SCALE:
                width = WIDE_OUTLINE
            pen = QPen(theme.cursor, width)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            # A large area that is not filled is seen from afar by a tint.
            self._area.outline(painter, viewport, dirty, [pen], tinted=brushes is None)

    def _brushes(self, preview: Preview) -> list[QBrush] | None:
        """Return the brushes that fill the cells of a preview: one for each cell, or one for all.

        None if nothing is filled: the cells keep their terrain, or they are so many of several
        terrains that it would take too long. The colours are those of the map's theme.
        """
        from app.canvas.areas import LARGE
        from app.tools.painting import NO_TERRAIN

        codes = preview.terrains
        if codes is None or not len(codes):
            return None
        if (codes == codes[0]).all():
            codes = codes[:1]
        if len(codes) > LARGE:
            return None
        theme = self._widget.renderer.theme
        brushes_by_code = {NO_TERRAIN: QBrush()}
        for code, terrain in enumerate(self._widget.document.battlemap.terrain_set.terrains):
            colour = QColor(theme.terrain_colour(terrain))
            colour.setAlpha(TERRAIN_ALPHA)
            brushes_by_code[code] = QBrush(colour)
        return [brushes_by_code[code] for code in codes.tolist()]

    def _paint_line(self, painter: QPainter, preview: Preview) -> None:
        """Draw the line along which the tool is dragged."""
        viewport = self._widget.viewport
        theme = self._widget.renderer.theme
        painter.setPen(QPen(theme.cursor, LINE_WIDTH, Qt.PenStyle.DashLine))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline([viewport.to_screen(*point) for point in preview.points])

    def _paint_sides(self, painter: QPainter, preview: Preview, ratio: float) -> None:
        """Draw the hexsides that would be set or removed, and outline the cell that owns each.

        Those that a locked layer keeps from being changed are dotted. Of the others only the
        hexsides themselves are drawn if the preview has cells too, whose outline says enough.
        """
        widget = self._widget
        viewport = widget.viewport
        renderer = widget.renderer
        battlemap = widget.document.battlemap
        has_cells = len(preview.cells) > 0
        width = SIDE_WIDTH.at(viewport.scale)
        side_pen = QPen(renderer.theme.cursor, width)
        side_pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        left_out_pen = QPen(renderer.theme.problem_ring, width, Qt.PenStyle.DotLine)
        for cell_side, code in preview.sides:
            if cell_side in preview.left_out_sides:
                painter.setPen(left_out_pen)
                painter.drawLine(viewport.side_line(battlemap.grid, *cell_side))
                continue
            if code is not None and code > 0:  # 0 removes the hexside, None keeps it
                self._paint_hexside(painter, cell_side, int(code), ratio)
            if has_cells:
                continue
            painter.setPen(side_pen)
            painter.drawLine(viewport.side_line(battlemap.grid, *cell_side))
            if code is not None:  # the hexside changes
                self._outline_owner(painter, cell_side)

    def _paint_hexside(
        self, painter: QPainter, cell_side: CellSide, code: int, ratio: float
    ) -> None:
        """Draw a hexside, ``code`` from 1 on, so that the map is seen through it."""
        widget = self._widget
        battlemap = widget.document.battlemap
        viewport = widget.viewport
        sprites = widget.renderer.sprites(battlemap, viewport.scale, ratio)
        piece = single_piece(sprites.pieces, code, cell_side.side)
        x, y = battlemap.grid.centre(cell_side.cell)
        left_top = viewport.to_screen(x + piece.box.left(), y + piece.box.top())
        painter.setOpacity(HEXSIDE_OPACITY)
        painter.drawPixmap(left_top, sprites.pixmap(piece))
        painter.setOpacity(1.0)

    def _outline_owner(self, painter: QPainter, cell_side: CellSide) -> None:
        """Outline the cell that will own a hexside."""
        widget = self._widget
        painter.setPen(QPen(widget.renderer.theme.cursor, LINE_WIDTH))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        battlemap = widget.document.battlemap
        painter.drawPolygon(
            widget.viewport.cell_polygon(battlemap.grid, cell_side.cell, OWNER_SIZE)
        )

    def _paint_things(self, painter: QPainter, preview: Preview) -> None:
        """Draw the things that would be placed: the area that each covers, then its icon."""
        if not preview.things:
            return
        widget = self._widget
        battlemap = widget.document.battlemap
        viewport = widget.viewport
        size = diameter(battlemap, viewport.scale)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for thing in preview.things:
            with saved_state(painter):
                painter.setOpacity(THING_OPACITY)
                painter.translate(viewport.to_screen(thing.x, thing.y))
                kind = battlemap.system.thing_kind(battlemap, thing.kind)
                if kind is not None and kind.footprint is not None:
                    with saved_state(painter):
                        painter.rotate(thing.angle)
                        painter.scale(viewport.scale, viewport.scale)
                        covered = Covered(kind.footprint, colour_of(kind, thing.owner))
                        covered.draw(painter, 1 / viewport.scale)
                if shows_icon(kind, viewport.scale, size):
                    Look.of(kind, thing.kind, thing.owner, thing.angle).draw(painter, size)
