"""Paints what lies over the map: selection, preview of the tool, keyboard cursor, marked cells.

``MapCanvas`` makes a ``CanvasOverlays`` and calls its ``paint`` from its paint event. Each overlay
notices what changes and has the widget repaint as little as possible: the boxes of what was drawn,
and those of what is drawn now. Positions are in map units until ``Viewport`` turns them into
logical pixels of the screen.

The two large overlays have modules of their own: ``PreviewOverlay`` and ``PickedOverlay``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, QPointF, QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QPainter, QPen

from app.canvas.active_tool import ActiveTool
from app.canvas.keyboard_cursor import KeyboardCursor
from app.canvas.line_width import LineWidth
from app.canvas.map_widget import MapWidget
from app.canvas.measured_lines import VIEW_MARGIN, caption_size, paint_caption
from app.canvas.picked_overlay import PickedOverlay
from app.canvas.preview_overlay import PreviewOverlay
from app.qt_guard import connect
from app.render.drawing_faults import picture_part
from randomizer.model.edits.edit import Region

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.canvas.areas import CellArea
    from app.tools import Preview

FLASH_MS = 1600
"""How long ``show_place`` rings a cell, in ms."""

# The outlines below have different sizes, so that several of one cell lie inside each other.

FLASH_SIZE = 0.93
"""The size of the outline that ``show_place`` shows for a moment, as a part of the cell."""

FOCUS_SIZE = 0.86
"""The size of the outline of the cell of the keyboard cursor, as a part of the cell."""

MARKED_SIZE = 0.82
"""The size of the outline of a marked cell, as a part of the cell."""

FLASH_WIDTH = LineWidth(map_units=0.08, min_pixels=3.0)
"""The width of the outline that ``show_place`` shows for a moment."""

FOCUS_WIDTH = LineWidth(map_units=0.1, min_pixels=4.0)
"""The width of the keyboard cursor: a line with a white line inside."""

FOCUS_BOX_MARGIN = 0.3
"""How far the box of the keyboard cursor reaches beyond its cell, as a part of the cell.

It holds the line on a side, and the circle around a corner.
"""

MARKED_WIDTH = LineWidth(map_units=0.05, min_pixels=2.0)
"""The width of the outline of a marked cell."""

WIDE_SELECTION_SCALE = 8.0
"""From this scale on (hex radius in logical pixels) the outline of the selection is wide."""

DASHED_SCALE = 4.0
"""From this scale on the outline of the selection is dashed.

Below it dashes would be no shorter than the sides of cells.
"""

DASH_PATTERN = (3, 3)
"""The lengths of a dash and of a gap, in widths of the line."""


class Flash(NamedTuple):
    """A cell that is ringed for a moment."""

    cell: int

    side: int | None
    """The side of the cell that is drawn, too; None for none."""


class MapCaption(NamedTuple):
    """A short text at a position of the map."""

    x: float
    """The position of its middle, in map units."""

    y: float
    """See ``x``; y runs down."""

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
        self._preview = PreviewOverlay(widget)
        self.picked = PickedOverlay(widget)
        """The marks of picked things."""
        self.flash: Flash | None = None
        """What ``show_place`` rings for a moment, None after that."""
        self._flash_timer = QTimer(self, singleShot=True)
        """Ends the flash."""
        self.marked: frozenset[int] = frozenset()
        """The cells that stand out, see ``mark_cells``."""
        self.solid_cells: frozenset[int] = frozenset()
        """Those of the marked cells that the line of the script has set, see ``mark_cells``."""
        self.captions: tuple[MapCaption, ...] = ()
        """The captions on the map, see ``show_captions``."""
        self._selection: CellArea | None = None
        """The cells of the selection that was drawn last, None for none."""
        self._focus: int | None = None
        """The cell of the keyboard cursor that was drawn last, None for none."""
        self._refresh_timer = QTimer(self, singleShot=True)
        """Computes the preview once after all changes of one turn of the event loop."""
        connect(self._flash_timer.timeout, self._end_flash)
        connect(self._refresh_timer.timeout, self.refresh_preview)
        connect(active_tool.preview_outdated, self.refresh_preview)
        connect(widget.document.changed, self._on_changed)
        connect(widget.document.selection_changed, self.show_selection)
        connect(widget.document.map_replaced, self.show_selection)

    @property
    def preview(self) -> Preview | None:
        """What the tool would do where it points, None for nothing."""
        return self._preview.preview

    # --- what has to be drawn again ---------------------------------------------------------

    def _on_changed(self, region: Region) -> None:
        """Follow an edit, after which the preview may be another.

        Not during a stroke, in which each move of the mouse refreshes the preview.
        """
        if region.reshaped or self._active_tool.in_stroke or self.preview is None:
            return
        self._refresh_timer.start(0)

    def refresh_preview(self) -> None:
        """Ask the tool for its preview again, and repaint that and the keyboard cursor."""
        self._repaint_preview_and_focus()  # where they were
        self._focus = self._keyboard_cursor.cell
        self._preview.clear()  # nothing outdated is shown if the tool fails
        preview, symmetry = self._active_tool.preview()
        self._preview.set_preview(preview, symmetry)
        self._repaint_preview_and_focus()  # where they are now

    def _repaint_preview_and_focus(self) -> None:
        """Let Qt repaint where the preview and the keyboard cursor are."""
        widget = self._widget
        grid = widget.document.battlemap.grid
        boxes = self._preview.boxes()
        # The cell may be none any more: an edit can make the map smaller.
        if self._focus is not None and self._focus < grid.size:
            boxes.append(widget.viewport.cell_rect(grid, self._focus, FOCUS_BOX_MARGIN))
        for box in boxes:
            widget.update(box.toAlignedRect())

    def show_selection(self) -> None:
        """Follow the selection of the document, which has changed, and repaint where it is."""
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
        self._refresh_timer.start(0)  # what a tool would do can depend on the selection

    def show_place(self, cell: int, side: int | None = None) -> None:
        """Ring a cell for a moment, with one of its sides if given, and bring it into view."""
        widget = self._widget
        rect = widget.viewport.cell_rect(widget.document.battlemap.grid, cell)
        if not QRectF(widget.rect()).contains(rect):
            middle = QPointF(widget.rect().center())
            widget.pan(*(middle - rect.center()).toPoint().toTuple())
        self.flash = Flash(cell, side)
        self._flash_timer.start(FLASH_MS)
        widget.update()

    def _end_flash(self) -> None:
        self.flash = None
        self._widget.update()

    def mark_cells(self, cells: frozenset[int], made: frozenset[int] = frozenset()) -> None:
        """Outline exactly these cells from now on: those that a line of a script names.

        Those of them that the line has ``made`` on this map, so that their values are its own, get
        a solid outline, all others a dotted one.
        """
        if (cells, made) != (self.marked, self.solid_cells):
            self.marked = cells
            self.solid_cells = made
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
            self.picked.paint(painter, dirty)
        is_panning = self._active_tool.panning or self._active_tool.pans
        if self.preview is not None and not is_panning:
            with picture_part(painter, "The preview of the tool"):
                self._preview.paint(painter, dirty, ratio)
        with picture_part(painter, "The cursor"):
            self._paint_focus(painter)
            self._paint_flash(painter)
        if self.captions:
            with picture_part(painter, "The captions"):
                self._paint_captions(painter)

    def _paint_marked(self, painter: QPainter) -> None:
        """Draw an outline inside each marked cell: a solid one, or a dotted one."""
        if not self.marked:
            return
        widget = self._widget
        colour = QColor(widget.renderer.theme.cursor)
        pen = QPen(colour, MARKED_WIDTH.at(widget.viewport.scale))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        battlemap = widget.document.battlemap
        for cell in self.marked:
            if cell in self.solid_cells:
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
        width = 1
        if viewport.scale > WIDE_SELECTION_SCALE:
            width = 2
        pens = [QPen(Qt.GlobalColor.black, width)]
        if viewport.scale > DASHED_SCALE:
            white_dashes = QPen(Qt.GlobalColor.white, width)
            white_dashes.setDashPattern(DASH_PATTERN)
            pens.append(white_dashes)
        self._selection.outline(painter, viewport, dirty, pens)

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
            side = cursor.target.side
            if side is not None:
                painter.drawLine(viewport.side_line(battlemap.grid, cursor.cell, side))
            corner = cursor.target.corner
            if corner is not None:
                point = viewport.to_screen(*battlemap.grid.corner(cursor.cell, corner))
                painter.drawEllipse(point, width, width)

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
