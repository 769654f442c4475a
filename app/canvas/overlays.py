"""Paints what lies over the map: selection, preview of the tool, keyboard cursor, marked cells.

``MapCanvas`` makes a ``CanvasOverlays`` and calls its ``paint`` from its paint event. The methods
before that one notice what changes and have the widget repaint as little as possible; the
``_paint_...`` methods draw, the lowest first. Positions are in map units until ``Viewport`` turns
them into logical pixels of the screen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QObject, QPointF, QRectF, Qt, QTimer
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPolygonF, QRegion, QTransform

from app.appearance.painting import saved_state
from app.canvas.active_tool import ActiveTool
from app.canvas.corner_preview import circle_box, paint_corners
from app.canvas.keyboard_cursor import KeyboardCursor
from app.canvas.line_width import LineWidth
from app.canvas.map_widget import MapWidget
from app.canvas.measured_lines import (
    VIEW_MARGIN,
    caption_size,
    line_boxes,
    paint_caption,
    paint_lines,
)
from app.canvas.picked_names import names_to_paint, paint_names, region_of_names
from app.qt_guard import connect
from app.render.drawing_faults import picture_part
from app.render.scene.icons import LEAST, Covered, box_of
from app.render.scene.things.looks import Look, colour_of
from app.render.scene.things.things import RING, diameter, ring_radius, shows_icon, thing_reach
from randomizer.model.edits.edit import Region
from randomizer.model.map.kinds_on_map import kinds_by_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.canvas.areas import CellArea
    from app.tools import CellSide, Preview
    from randomizer.geometry.symmetry import Symmetry

FLASH_MS = 1600
"""How long ``show_place`` rings a cell."""

NO_POINTS = np.empty((0, 2), np.float64)
"""The positions of no things."""

PREVIEW_OPACITY = 0.6
"""The opacity of things that would be placed, and do not lie on the map yet; 1 is opaque."""

TERRAIN_ALPHA = 50
"""The opacity of a terrain that would be painted, of 255: the present one is seen through it."""

DETAILED_SCALE = 8.0
"""From this scale on (hex radius in logical pixels) cells are large enough for wide outlines."""

DASHED_SCALE = 4.0
"""From this scale on the outline of the selection is dashed: below it dashes would be no longer
than the sides of cells."""

FOCUS_SIZE = 0.86
"""The size of the outline of the cell of the keyboard cursor, as a part of the cell. This and the
three sizes below differ, so that several outlines of one cell lie inside each other."""

MARKED_SIZE = 0.82
"""The size of the outline of a marked cell."""

FLASH_SIZE = 0.93
"""The size of the outline that ``show_place`` shows for a moment."""

OWNER_SIZE = 0.97
"""The size of the outline of a cell that will own a hexside."""

MARKED_WIDTH = LineWidth(map_units=0.05, least_pixels=2.0)
"""The width of the outline of a marked cell."""

SIDE_WIDTH = LineWidth(map_units=0.06, least_pixels=2.5)
"""The width of the line on a side whose hexside would be set."""

FLASH_WIDTH = LineWidth(map_units=0.08, least_pixels=3.0)
"""The width of the outline that ``show_place`` shows for a moment."""

FOCUS_WIDTH = LineWidth(map_units=0.1, least_pixels=4.0)
"""The width of the keyboard cursor: a line with a white line inside."""

CENTRE_RADIUS = LineWidth(map_units=0.2, least_pixels=6.0)
"""The radius of the circle around the centre of a rotation."""

HEXSIDE_OPACITY = 0.75
"""The opacity of a hexside that would be set, and is not there yet; 1 is opaque."""


class MapCaption(NamedTuple):
    """A short text at a position of the map."""

    x: float
    """Where its middle is, in map units, as is ``y``."""

    y: float

    text: str


class CanvasOverlays(QObject):
    """Paints over the map of a widget, and repaints what changes of that."""

    def __init__(
        self, widget: MapWidget, active_tool: ActiveTool, keyboard_cursor: KeyboardCursor
    ) -> None:
        super().__init__(widget)
        self._widget = widget
        self._active_tool = active_tool
        self._keyboard_cursor = keyboard_cursor
        self.flash: tuple[int, int | None] | None = None
        """The cell that is ringed for a moment, and its side or None; see ``show_place``."""
        self.marked: frozenset[int] = frozenset()
        """The cells that stand out, see ``mark_cells``."""
        self.made: frozenset[int] = frozenset()
        """Those of the marked cells with a solid outline."""
        self.captions: tuple[MapCaption, ...] = ()
        """The captions on the map, see ``show_captions``."""
        self._flash_timer = QTimer(self, singleShot=True)
        connect(self._flash_timer.timeout, self._end_flash)
        self.preview: Preview | None = None
        """What the tool would do where it points, None for nothing."""
        self._area: CellArea | None = None
        """The cells of the preview that would be changed."""
        self._lost: CellArea | None = None
        """The cells of the preview of which a symmetric twin lies outside the map."""
        self._left_out: CellArea | None = None
        """The cells of the preview that a locked layer keeps from being changed."""
        self._selection: CellArea | None = None
        """The cells of the selection that was drawn last, None for none."""
        self._focus: int | None = None
        """The cell of the keyboard cursor that was drawn last."""
        self._symmetry: Symmetry | None = None
        """The symmetry of the tool whose line or centre was drawn last."""
        self.picked_points: NDArray[np.float64] = NO_POINTS
        """Where the picked things are drawn, in map units, of shape (n, 2)."""
        self._has_footprint = np.zeros(0, np.bool_)
        """Which of the picked things cover an area of the map and are outlined by it, (n,)."""
        self._has_names = False
        """Whether names of picked things were drawn since these were picked."""
        self._refresh_timer = QTimer(self, singleShot=True)
        """Computes the preview once after all changes of one turn of the event loop."""
        connect(self._refresh_timer.timeout, self.refresh_preview)
        connect(active_tool.preview_outdated, self.refresh_preview)
        connect(widget.document.changed, self._on_changed)
        connect(widget.document.selection_changed, self.show_selection)
        connect(widget.document.map_replaced, self.show_selection)
        connect(widget.document.map_replaced, self._show_picked)
        connect(widget.document.picked_changed, self._show_picked)

    # --- what has to be drawn again ---------------------------------------------------------

    def _on_changed(self, region: Region) -> None:
        """Follow an edit: things may have moved, and the preview may be another.

        Not during a stroke, in which each move of the mouse refreshes the preview.
        """
        if region.things or region.structure:
            self.picked_points = self._points_of_picked()  # the map's widget repaints them
        if region.reshaped or self._active_tool.in_stroke or self.preview is None:
            return
        self._refresh_timer.start(0)

    def show_selection(self) -> None:
        """Draw the selection of the document, which has changed."""
        widget = self._widget
        previous_selection = self._selection
        cells = widget.document.selection.cells
        if len(cells):
            from app.canvas.areas import CellArea  # not needed for the first paint

            self._selection = CellArea(widget.document.battlemap.grid, cells)
        else:
            self._selection = None
        for area in (previous_selection, self._selection):
            if area is not None:
                widget.update(area.box(widget.viewport).toAlignedRect())
        self._refresh_timer.start(0)

    def _show_picked(self) -> None:
        """Ring the things that are picked now, and no others any more."""
        previous_points = self.picked_points
        self.picked_points = self._points_of_picked()
        for points in (previous_points, self.picked_points):
            self._widget.update_points(points)
        if self._has_names or names_to_paint(self._widget):
            self._widget.update()  # names reach farther than things
        self._has_names = False

    def _points_of_picked(self) -> NDArray[np.float64]:
        """Return where the picked things are shown, shape (n, 2), in map units.

        ``_has_footprint`` is brought up to date with them.
        """
        document = self._widget.document
        if not document.picked:
            self._has_footprint = np.zeros(0, np.bool_)
            return NO_POINTS
        kinds = kinds_by_name(document.battlemap)
        covering_kinds = {name for name, kind in kinds.items() if kind.footprint is not None}
        has_footprint = [thing.kind in covering_kinds for thing in document.picked]
        self._has_footprint = np.array(has_footprint, np.bool_)
        points = np.array([(thing.x, thing.y) for thing in document.picked], np.float64)
        return document.battlemap.grid.shown_points(points.reshape(-1, 2))

    def refresh_preview(self) -> None:
        """Ask the tool for its preview again, and repaint that and the keyboard cursor."""
        widget = self._widget
        previous_boxes = self._boxes()
        self._focus = self._keyboard_cursor.cell
        self.preview = None
        preview, symmetry = self._active_tool.preview()
        if preview is not None:
            self._set_preview(preview)
        if symmetry is not self._symmetry:
            self._symmetry = symmetry
            widget.update()  # its line goes across the whole view
        for box in (*previous_boxes, *self._boxes()):
            widget.update(box.toAlignedRect())

    def _set_preview(self, preview: Preview) -> None:
        """Keep a preview, and the geometry of its cells."""
        from app.canvas.areas import CellArea

        grid = self._widget.document.battlemap.grid
        self.preview = preview
        self._area = CellArea(grid, preview.cells)
        self._lost = CellArea(grid, preview.lost)
        self._left_out = CellArea(grid, preview.left_out)

    def _boxes(self) -> list[QRectF]:
        """Return boxes in logical pixels that hold all of the preview and the keyboard cursor."""
        widget = self._widget
        viewport = widget.viewport
        grid = widget.document.battlemap.grid
        boxes = []
        if self._focus is not None and self._focus < grid.size:
            boxes.append(viewport.cell_rect(grid, self._focus, 0.3))
        if self.preview is not None:
            boxes += self._preview_boxes(self.preview)
        return boxes

    def _preview_boxes(self, preview: Preview) -> list[QRectF]:
        """Return boxes in logical pixels that hold all that is drawn of a preview."""
        widget = self._widget
        viewport = widget.viewport
        grid = widget.document.battlemap.grid
        boxes = []
        for area in (self._area, self._lost, self._left_out):
            if area is not None and len(area.cells):
                boxes.append(area.box(viewport))
        sides = [cell_side for cell_side, _code in preview.sides]
        for cell_side in (*sides, *preview.left_out_sides):
            boxes.append(viewport.cell_rect(grid, cell_side.cell, 0.5))
        boxes += [circle_box(viewport, *circle) for circle in preview.circles]
        if preview.points:
            line = QPolygonF([viewport.to_screen(*point) for point in preview.points])
            boxes.append(line.boundingRect().adjusted(-4, -4, 4, 4))  # half its width, and more
        if preview.lines:
            boxes += line_boxes(widget, preview)
        reach = thing_reach(widget.document.battlemap, viewport.scale)
        for thing in preview.things:
            centre = viewport.to_screen(thing.x, thing.y)
            boxes.append(QRectF(centre.x() - reach, centre.y() - reach, 2 * reach, 2 * reach))
        return boxes

    def show_place(self, cell: int, side: int | None = None) -> None:
        """Ring a cell, or one of its sides, for a moment, and bring it into view."""
        widget = self._widget
        rect = widget.viewport.cell_rect(widget.document.battlemap.grid, cell)
        if not QRectF(widget.rect()).contains(rect):
            middle = QPointF(widget.rect().center())
            widget.pan(*(middle - rect.center()).toPoint().toTuple())
        self.flash = (cell, side)
        self._flash_timer.start(FLASH_MS)
        widget.update()

    def _end_flash(self) -> None:
        self.flash = None
        self._widget.update()

    def mark_cells(self, cells: frozenset[int], made: frozenset[int] = frozenset()) -> None:
        """Outline exactly these cells from now on: those that a line of a script names.

        Those of them that the line has ``made`` on this map get a solid outline, all others a
        dashed one.
        """
        if (cells, made) != (self.marked, self.made):
            self.marked = cells
            self.made = made
            self._widget.update()

    def show_captions(self, captions: Sequence[MapCaption]) -> None:
        """Show exactly these captions from now on, above all else on the map."""
        if tuple(captions) != self.captions:
            self.captions = tuple(captions)
            self._widget.update()

    # --- painting ---------------------------------------------------------------------------

    def paint(self, painter: QPainter, dirty: QRectF, ratio: float) -> None:
        """Draw the overlays in ``dirty`` (logical pixels); ``ratio`` is that of device pixels."""
        with picture_part(painter, "The selection"):
            self._paint_marked(painter)
            self._paint_selection(painter, dirty)
        with picture_part(painter, "What is picked"):
            self._paint_picked(painter, dirty)
        is_panning = self._active_tool.panning or self._active_tool.pans
        if self.preview is not None and not is_panning:
            with picture_part(painter, "The preview of the tool"):
                self._paint_symmetry(painter)
                self._paint_preview(painter, dirty, self.preview)
                self._paint_sides(painter, self.preview, ratio)
                self._paint_things(painter, self.preview)
                if self.preview.lines:
                    paint_lines(painter, self._widget, self.preview)
                if self.preview.circles:
                    paint_corners(painter, self._widget, dirty, self.preview)
        with picture_part(painter, "The cursor"):
            self._paint_focus(painter)
            self._paint_flash(painter)
        if self.captions:
            with picture_part(painter, "The captions"):
                self._paint_captions(painter)

    def _paint_captions(self, painter: QPainter) -> None:
        """Draw the captions whose positions are in view, each with its middle there.

        At the edge of the view they are moved inwards, so that all of the text is seen.
        """
        widget = self._widget
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for x, y, text in self.captions:
            middle = widget.viewport.to_screen(x, y)
            if not QRectF(widget.rect()).contains(middle):
                continue
            box = QRectF(QPointF(), caption_size(text))
            box.moveCenter(middle)
            box.moveRight(min(box.right(), widget.width() - VIEW_MARGIN))
            box.moveBottom(min(box.bottom(), widget.height() - VIEW_MARGIN))
            box.moveLeft(max(box.left(), VIEW_MARGIN))
            box.moveTop(max(box.top(), VIEW_MARGIN))
            paint_caption(painter, widget, box, text)

    def _paint_marked(self, painter: QPainter) -> None:
        """Draw an outline inside each marked cell: a solid one, or a dashed one."""
        if not self.marked:
            return
        widget = self._widget
        colour = QColor(widget.renderer.theme.cursor)
        pen = QPen(colour, MARKED_WIDTH.at(widget.viewport.scale))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        battlemap = widget.document.battlemap
        for cell in self.marked:
            if cell in self.made:
                pen.setStyle(Qt.PenStyle.SolidLine)
            else:
                pen.setStyle(Qt.PenStyle.DotLine)
            painter.setPen(pen)
            painter.drawPolygon(widget.viewport.cell_polygon(battlemap.grid, cell, MARKED_SIZE))

    def _paint_selection(self, painter: QPainter, dirty: QRectF) -> None:
        """Draw the outline of the selection in black and white dashes, seen on any terrain."""
        if self._selection is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        viewport = self._widget.viewport
        width = 2 if viewport.scale > DETAILED_SCALE else 1
        pens = [QPen(Qt.GlobalColor.black, width)]
        if viewport.scale > DASHED_SCALE:
            white_dashes = QPen(Qt.GlobalColor.white, width)
            white_dashes.setDashPattern([3, 3])
            pens.append(white_dashes)
        self._selection.outline(painter, viewport, dirty, pens)

    def _paint_picked(self, painter: QPainter, dirty: QRectF) -> None:
        """Draw a ring around each picked thing, white on black: one of them shows on any terrain.

        A thing that covers an area is outlined by that area instead.
        """
        if not len(self.picked_points):
            return
        widget = self._widget
        viewport = widget.viewport
        battlemap = widget.document.battlemap
        reach = thing_reach(battlemap, viewport.scale)
        radius = ring_radius(battlemap, viewport.scale)
        screen_points = self.picked_points * viewport.scale + (viewport.dx, viewport.dy)
        is_in_view = (screen_points > (dirty.left() - reach, dirty.top() - reach)).all(axis=1)
        is_in_view &= (screen_points < (dirty.right() + reach, dirty.bottom() + reach)).all(axis=1)
        ringed_points = screen_points[is_in_view & ~self._has_footprint].tolist()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        with saved_state(painter):
            # The rings lie over the map: they are open where its names are, which lie in it.
            names = region_of_names(widget, dirty)
            without_names = QRegion(dirty.toAlignedRect()) - names
            painter.setClipRegion(without_names, Qt.ClipOperation.IntersectClip)
            for pen in (QPen(Qt.GlobalColor.black, RING), QPen(Qt.GlobalColor.white, RING / 2)):
                painter.setPen(pen)
                for x, y in ringed_points:
                    painter.drawEllipse(QPointF(x, y), radius, radius)
                self._outline_footprints(painter, screen_points, is_in_view & self._has_footprint)
        self._has_names = paint_names(painter, widget, screen_points)

    def _outline_footprints(
        self, painter: QPainter, screen_points: NDArray[np.float64], is_outlined: NDArray[np.bool_]
    ) -> None:
        """Draw the outlines of the areas that picked things cover, where ``is_outlined`` (n,).

        ``screen_points`` are the positions of all picked things, (n, 2), in logical pixels.
        """
        if not is_outlined.any():
            return
        widget = self._widget
        kinds = kinds_by_name(widget.document.battlemap)
        scale = widget.viewport.scale
        picked = widget.document.picked
        for index in np.flatnonzero(is_outlined).tolist():
            thing = picked[index]
            footprint = kinds[thing.kind].footprint
            assert footprint is not None
            with saved_state(painter):
                painter.translate(*screen_points[index].tolist())
                painter.rotate(thing.angle)
                box = box_of(footprint, LEAST / scale)
                outline = QTransform.fromScale(scale, scale).mapRect(box)
                if footprint.round:
                    painter.drawEllipse(outline)
                else:
                    painter.drawRect(outline)

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
                painter.setOpacity(PREVIEW_OPACITY)
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

    def _paint_preview(self, painter: QPainter, dirty: QRectF, preview: Preview) -> None:
        """Draw the cells that the tool would change, and the line that it is drawing."""
        widget = self._widget
        viewport = widget.viewport
        theme = widget.renderer.theme

        # Fill the cells with their new terrains, and hatch those that are lost or left out.
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        painter.setPen(Qt.PenStyle.NoPen)
        brushes = self._brushes(preview)
        if self._area is not None:
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
            pen = QPen(theme.cursor, 2.5 if viewport.scale > DETAILED_SCALE else 1.5)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            self._area.outline(painter, viewport, dirty, [pen], tinted=not brushes)

        if preview.points:
            painter.setPen(QPen(theme.cursor, 1.5, Qt.PenStyle.DashLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPolyline([viewport.to_screen(*point) for point in preview.points])

    def _brushes(self, preview: Preview) -> list[QBrush]:
        """Return the brushes that fill the cells of a preview: one for each cell, or one for all.

        [] if the cells keep their terrain, and for many cells of several terrains, which would
        take too long to fill. The colours are those of the map's theme.
        """
        from app.canvas.areas import LARGE

        codes = preview.terrains
        if codes is None or not len(codes):
            return []
        if (codes == codes[0]).all():
            codes = codes[:1]
        if len(codes) > LARGE:
            return []
        theme = self._widget.renderer.theme
        brushes_by_code = {-1: QBrush()}  # -1: a cell that is not filled
        for code, terrain in enumerate(self._widget.document.battlemap.terrain_set.terrains):
            colour = QColor(theme.terrain_colour(terrain))
            colour.setAlpha(TERRAIN_ALPHA)
            brushes_by_code[code] = QBrush(colour)
        return [brushes_by_code[code] for code in codes.tolist()]

    def _paint_sides(self, painter: QPainter, preview: Preview, ratio: float) -> None:
        """Draw the hexsides that would be set, and outline the cell that would own each.

        Those that a locked layer keeps from being set are dotted. If the preview has cells too,
        their outline says enough: then only the hexsides themselves are drawn.
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
            if code:  # None keeps the hexside, 0 removes it
                painter.setOpacity(HEXSIDE_OPACITY)
                sprites = renderer.sprites(battlemap, viewport.scale, ratio)
                renderer.paint_hexside(painter, battlemap, viewport, sprites, *cell_side, code)
                painter.setOpacity(1.0)
            if not has_cells:
                painter.setPen(side_pen)
                painter.drawLine(viewport.side_line(battlemap.grid, *cell_side))
            if code is not None and not has_cells:
                self._outline_owner(painter, cell_side)

    def _outline_owner(self, painter: QPainter, cell_side: CellSide) -> None:
        """Outline the cell that will own a hexside."""
        widget = self._widget
        painter.setPen(QPen(widget.renderer.theme.cursor, 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        battlemap = widget.document.battlemap
        painter.drawPolygon(
            widget.viewport.cell_polygon(battlemap.grid, cell_side.cell, OWNER_SIZE)
        )

    def _paint_symmetry(self, painter: QPainter) -> None:
        """Draw the centre of the symmetry of the tool, or the line of its mirror."""
        widget = self._widget
        if self._symmetry is None:
            return
        pen = QPen(widget.renderer.theme.problem_ring, 2.0, Qt.PenStyle.DashLine)
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

    def _paint_focus(self, painter: QPainter) -> None:
        """Outline the cell of the keyboard cursor, and mark the side or corner that it chose."""
        widget = self._widget
        cursor = self._keyboard_cursor
        if cursor.cell is None:
            return
        battlemap = widget.document.battlemap
        viewport = widget.viewport
        renderer = widget.renderer
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        width = FOCUS_WIDTH.at(viewport.scale)
        for pen in (QPen(renderer.theme.cursor, width), QPen(Qt.GlobalColor.white, width / 3)):
            painter.setPen(pen)
            painter.drawPolygon(viewport.cell_polygon(battlemap.grid, cursor.cell, FOCUS_SIZE))
            if cursor.side is not None:
                painter.drawLine(viewport.side_line(battlemap.grid, cursor.cell, cursor.side))
            if cursor.corner is not None:
                corner = viewport.to_screen(*battlemap.grid.corner(cursor.cell, cursor.corner))
                painter.drawEllipse(corner, width, width)

    def _paint_flash(self, painter: QPainter) -> None:
        """Draw the ring that ``show_place`` shows for a moment."""
        if self.flash is None:
            return
        widget = self._widget
        cell, side = self.flash
        battlemap = widget.document.battlemap
        pen = QPen(widget.renderer.theme.problem_ring, FLASH_WIDTH.at(widget.viewport.scale))
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if side is not None:
            painter.drawLine(widget.viewport.side_line(battlemap.grid, cell, side))
        painter.drawPolygon(widget.viewport.cell_polygon(battlemap.grid, cell, FLASH_SIZE))


class SymmetryAxis(NamedTuple):
    """The line of a mirror, or the centre of a rotation, as it is drawn."""

    centre: tuple[float, float]
    """The point (x, y) that the symmetry leaves where it is, in map units."""

    direction: tuple[float, float] | None
    """The direction (x, y) of the mirror's line, of length 1; None for a rotation."""


def axis_of(symmetry: Symmetry) -> SymmetryAxis:
    """Return the centre of a symmetry, and the direction of its line if it is a mirror."""
    from randomizer.geometry.turn import reflection

    # ``Symmetry.centre`` is in sixths of axial coordinates, which are whole for every centre.
    q, r = np.array(symmetry.centre) / 6
    (qx, qy), (rx, ry) = symmetry.layout.basis
    centre = (float(q * qx + r * rx), float(q * qy + r * ry))
    if not symmetry.kind.startswith("mirror"):
        return SymmetryAxis(centre, direction=None)

    # The middle between a point and its mirror image lies on the line. Any point will do that does
    # not lie straight across from the centre: such a one has the centre itself as its middle.
    mirror = reflection(symmetry.layout, int(symmetry.kind.removeprefix("mirror")))
    point = (1.0, 0.3)
    along_line = np.add(mirror.point(*point), point)
    x, y = (along_line / np.hypot(*along_line)).tolist()
    return SymmetryAxis(centre, (x, y))
