"""The hand on the canvas: mouse and keys become strokes, pans and zooms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPointF, Qt

if TYPE_CHECKING:
    from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QMouseEvent

    from app.tools import Tool
    from app.widgets.canvas import MapCanvas
    from randomizer.grid import Hit

PICK_KEYS = Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.ControlModifier
"""Held, every tool picks. Many window systems keep Alt with the mouse for themselves."""


class CanvasHand(QObject):
    """Turns the canvas' events into strokes of its tool; remembers what is under the mouse."""

    def __init__(self, canvas: MapCanvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self.hit: Hit | None = None
        self.panning = False
        self._stroke_tool: Tool | None = None
        self._stroke_places: set[tuple[int, ...]] = set()
        self._last_point = QPointF()
        self._space_held = False

    # --- the mouse --------------------------------------------------------------------------

    @property
    def tool_pans(self) -> bool:
        """Whether the tool moves the view."""
        tool = self._canvas.tool
        return tool is not None and tool.pans

    def hover(self, hit: Hit | None) -> None:
        """This is under the mouse now."""
        before, self.hit = self.hit, hit
        if (
            before is not None
            and hit is not None
            and (before[:2], before.near_edge) == (hit[:2], hit.near_edge)
        ):
            return
        canvas = self._canvas
        for place in (before, hit):
            if place is not None:
                canvas.update_cell(place.cell)
                other = canvas.document.battlemap.grid.neighbour(place.cell, place.side)
                if other >= 0:
                    canvas.update_cell(other)
        canvas.hovered.emit(hit)

    def press(self, event: QMouseEvent) -> None:
        """Begin a stroke, or a pan."""
        self._last_point = event.position()
        left = event.button() == Qt.MouseButton.LeftButton
        if event.button() == Qt.MouseButton.MiddleButton or (
            left and (self._space_held or self.tool_pans)
        ):
            self.panning = True
            self._canvas.setCursor(Qt.CursorShape.ClosedHandCursor)
        elif left and self._canvas.tool is not None:
            self._begin_stroke(event)

    def _begin_stroke(self, event: QMouseEvent) -> None:
        canvas = self._canvas
        assert canvas.tool is not None
        hit = canvas.hit_at(event.position())
        if hit is None:
            return
        tool = canvas.tool
        if event.modifiers() & PICK_KEYS:
            from app.tools import EyedropperTool

            tool = EyedropperTool(tool.options)
        self._stroke_tool = tool
        self._stroke_places = set()
        tool.start(canvas.document, hit)
        canvas.document.begin_stroke(tool.text)
        self._touch(hit)

    def _touch(self, hit: Hit) -> None:
        tool, document = self._stroke_tool, self._canvas.document
        assert tool is not None
        place = tool.place(document.battlemap, hit)
        if place not in self._stroke_places:
            self._stroke_places.add(place)
            document.stroke(tool.edit(document, hit))

    def move(self, event: QMouseEvent) -> None:
        """Go on with the stroke or the pan; a fast drag misses no cell on its way."""
        canvas, point = self._canvas, event.position()
        if self.panning:
            step = (point - self._last_point).toPoint()
            self._last_point += QPointF(step)
            canvas.pan(step.x(), step.y())
            return
        self.hover(canvas.hit_at(point))
        if self._stroke_tool is not None and canvas.document.in_stroke:
            for between in self._way_to(point):
                hit = canvas.hit_at(between)
                if hit is not None:
                    self._touch(hit)
        self._last_point = point

    def _way_to(self, point: QPointF) -> list[QPointF]:
        way = point - self._last_point
        steps = max(1, int(way.manhattanLength() / max(1.0, self._canvas.view.scale * 0.3)))
        return [self._last_point + way * (step / steps) for step in range(1, steps + 1)]

    def release(self, event: QMouseEvent) -> None:
        """End the stroke (one undo step) or the pan."""
        canvas = self._canvas
        if self.panning and event.button() in (
            Qt.MouseButton.MiddleButton,
            Qt.MouseButton.LeftButton,
        ):
            self.panning = False
            self.show_cursor()
        elif event.button() == Qt.MouseButton.LeftButton and self._stroke_tool is not None:
            self._stroke_tool = None
            if canvas.document.in_stroke:
                canvas.stroke_done.emit(canvas.document.end_stroke())

    def cancel_stroke(self) -> bool:
        """Take back the stroke under way; False if there is none."""
        if not self._canvas.document.in_stroke:
            return False
        self._stroke_tool = None
        self._canvas.document.cancel_stroke()
        return True

    def end_stroke(self) -> None:
        """What was done so far is the stroke."""
        canvas = self._canvas
        if canvas.document.in_stroke:
            self._stroke_tool = None
            canvas.stroke_done.emit(canvas.document.end_stroke())

    def context_menu(self, event: QContextMenuEvent) -> None:
        """Ask for the hex menu or the border menu of this place."""
        canvas = self._canvas
        hit = canvas.hit_at(QPointF(event.pos()))
        if hit is not None and not canvas.document.in_stroke:
            canvas.menu_requested.emit(hit, event.globalPos())

    # --- the keyboard -----------------------------------------------------------------------

    def key_press(self, event: QKeyEvent) -> bool:
        """Escape takes the stroke back, Space holds the hand, arrows move the view.

        Whether the key was one of these.
        """
        key, canvas = event.key(), self._canvas
        step = max(24, canvas.width() // 12)
        ways = {
            Qt.Key.Key_Left: (step, 0),
            Qt.Key.Key_Right: (-step, 0),
            Qt.Key.Key_Up: (0, step),
            Qt.Key.Key_Down: (0, -step),
        }
        if key == Qt.Key.Key_Escape and self.cancel_stroke():
            return True
        if key == Qt.Key.Key_Space and not event.isAutoRepeat():
            self._space_held = True
            self.show_cursor()
            return True
        if key in ways:
            canvas.pan(*ways[Qt.Key(key)])
            return True
        return False

    def key_release(self, event: QKeyEvent) -> bool:
        """Space lets the hand go. Whether the key was that."""
        if event.key() != Qt.Key.Key_Space or event.isAutoRepeat():
            return False
        self.let_go()
        return True

    def let_go(self) -> None:
        """Space is not held any more (or the keyboard is elsewhere)."""
        self._space_held = False
        self.show_cursor()

    def show_cursor(self) -> None:
        """The mouse cursor that says what the left button would do."""
        canvas = self._canvas
        if self._space_held or self.tool_pans:
            canvas.setCursor(Qt.CursorShape.OpenHandCursor)
        elif canvas.tool is not None:
            canvas.setCursor(Qt.CursorShape.CrossCursor)
        else:
            canvas.unsetCursor()
