"""Mouse and keyboard on the canvas: they become strokes, pans and moves of the keyboard cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QMouseEvent

from app.canvas.active_tool import ActiveTool
from app.canvas.keyboard_cursor import KeyboardCursor
from app.canvas.map_widget import MapWidget
from randomizer.model.grid.grid import Hit

if TYPE_CHECKING:
    from app.tools import Pointer

CTRL = Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.ControlModifier
"""Held, most tools pick. Many window systems keep Alt with the mouse for themselves."""

HALVINGS = 20
"""So often the way to the edge of the map is halved: a pixel becomes a millionth of one."""

SHIFT = Qt.KeyboardModifier.ShiftModifier


class CanvasInput(QObject):
    """Gets the mouse and key events of the ``widget``.

    ``escaped()``: Escape was pressed and there was no stroke to take back.
    """

    escaped = Signal()

    def __init__(
        self, widget: MapWidget, active_tool: ActiveTool, keyboard_cursor: KeyboardCursor
    ) -> None:
        super().__init__(widget)
        self._widget = widget
        self._active_tool = active_tool
        self._keyboard_cursor = keyboard_cursor
        self._last_point = QPointF()
        self._space_held = False
        self._comes_in = False
        """Whether the button is held off the map for a drag that may come in."""

    # --- the mouse --------------------------------------------------------------------------

    def pointer_at(self, point: QPointF, modifiers: Qt.KeyboardModifier) -> Pointer | None:
        """Return the place under a point of the widget with the keys held; None outside the map."""
        hit = self._widget.hit_at(point)
        if hit is None:
            return None
        from app.tools import Pointer

        viewport = self._widget.viewport
        held = (bool(modifiers & SHIFT), bool(modifiers & CTRL))
        return Pointer(hit, *viewport.to_map(point), *held, viewport.scale)

    def hover(self, hit: Hit | None) -> None:
        """Point the tool at a place without a mouse event, or (None) at nothing."""
        if hit is None:
            self._active_tool.point_at(None)
            return
        from app.tools import Pointer

        grid = self._widget.document.battlemap.grid
        self._active_tool.point_at(Pointer(hit, *grid.centre(hit.cell)))

    def press(self, event: QMouseEvent) -> None:
        """Begin a stroke, or a pan."""
        active_tool = self._active_tool
        self._last_point = event.position()
        self._comes_in = False
        left = event.button() == Qt.MouseButton.LeftButton
        if event.button() == Qt.MouseButton.MiddleButton or (
            left and (self._space_held or active_tool.pans)
        ):
            active_tool.panning = True
            self._widget.setCursor(Qt.CursorShape.ClosedHandCursor)
        elif left and active_tool.chosen is not None:
            self._keyboard_cursor.hide()
            active_tool.end_stroke()  # one that the keyboard has begun
            pointer = self.pointer_at(event.position(), event.modifiers())
            if pointer is not None:
                active_tool.pointer = pointer
                active_tool.begin_stroke(pointer, held=True)
                active_tool.preview_outdated.emit()
            else:
                self._comes_in = active_tool.chosen.comes_in

    def move(self, event: QMouseEvent) -> None:
        """Go on with the stroke or the pan; a fast drag misses no cell on its way."""
        active_tool = self._active_tool
        point = event.position()
        if active_tool.panning:
            step = (point - self._last_point).toPoint()
            self._last_point += QPointF(step)
            self._widget.pan(step.x(), step.y())
            return
        if active_tool.in_stroke or self._comes_in:
            self._go_on_to(point, event.modifiers())
        else:
            active_tool.point_at(self.pointer_at(point, event.modifiers()))
        self._last_point = point

    def _go_on_to(self, point: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        """Go on with the stroke; one that was pressed off the map begins where it comes in."""
        active_tool = self._active_tool
        pointers = self._pointers_to(point, modifiers)
        on_map = [pointer for pointer in pointers if pointer is not None]
        if not active_tool.in_stroke:
            if not on_map:
                active_tool.point_at(None)
                return
            self._comes_in = False
            active_tool.pointer = on_map[0]
            if not active_tool.begin_stroke(on_map[0], held=True, comes_in=True):
                return
            pointers = pointers[pointers.index(on_map[0]) + 1 :]
        active_tool.follow(pointers)
        if on_map:
            active_tool.point_at(on_map[-1])  # a stroke ends at its last place on the map

    def _pointers_to(self, point: QPointF, modifiers: Qt.KeyboardModifier) -> list[Pointer | None]:
        """Return places on the way from the last point to this one, None for those off the map.

        Where the way crosses the edge of the map, the place at the edge is among them: a drag of
        few mouse moves would leave the map somewhere amid a cell.
        """
        pointers: list[Pointer | None] = []
        last_point = self._last_point
        was_on_map = self._widget.hit_at(last_point) is not None
        for next_point in self._points_to(point):
            pointer = self.pointer_at(next_point, modifiers)
            is_on_map = pointer is not None
            if is_on_map != was_on_map:
                inside = last_point
                outside = next_point
                if is_on_map:
                    inside = next_point
                    outside = last_point
                pointers.append(self.pointer_at(self._edge_point(inside, outside), modifiers))
            pointers.append(pointer)
            last_point = next_point
            was_on_map = is_on_map
        return pointers

    def _edge_point(self, inside: QPointF, outside: QPointF) -> QPointF:
        """Return the outermost point on the map between a point on the map and one off it."""
        for _halving in range(HALVINGS):
            middle = (inside + outside) / 2
            if self._widget.hit_at(middle) is None:
                outside = middle
            else:
                inside = middle
        return inside

    def _points_to(self, point: QPointF) -> list[QPointF]:
        """Points from the last one (without it) to this one, at most 0.3 map units apart."""
        way = point - self._last_point
        steps = max(1, int(way.manhattanLength() / max(1.0, self._widget.viewport.scale * 0.3)))
        return [self._last_point + way * (step / steps) for step in range(1, steps + 1)]

    def release(self, event: QMouseEvent) -> None:
        """End the stroke (one undo step) or the pan."""
        if self._active_tool.panning and event.button() in (
            Qt.MouseButton.MiddleButton,
            Qt.MouseButton.LeftButton,
        ):
            self._active_tool.panning = False
            self.show_mouse_cursor()
        elif event.button() == Qt.MouseButton.LeftButton:
            if self._active_tool.in_stroke or self._comes_in:
                self._go_on_to(event.position(), event.modifiers())  # a fast drag has few moves
            self._comes_in = False
            self._last_point = event.position()
            self._active_tool.end_stroke()

    def menu_place(self, event: QContextMenuEvent) -> tuple[Hit, QPoint] | None:
        """Return the place that a context menu is asked for and the global position of the menu.

        By the keyboard that is the place pointed at. None outside the map and during a stroke.
        """
        widget = self._widget
        pointer = self._active_tool.pointer
        at = QPointF(event.pos())
        position = event.globalPos()
        if event.reason() == event.Reason.Keyboard and pointer is not None:
            at = widget.viewport.to_screen(pointer.x, pointer.y)
            position = widget.mapToGlobal(at.toPoint())
        hit = widget.hit_at(at)
        if hit is None or widget.document.in_stroke:
            return None
        return (hit, position)

    def show_mouse_cursor(self) -> None:
        """Show the mouse cursor that fits what the left button would do."""
        widget = self._widget
        if self._space_held or self._active_tool.pans:
            widget.setCursor(Qt.CursorShape.OpenHandCursor)
        elif self._active_tool.chosen is not None:
            widget.setCursor(Qt.CursorShape.CrossCursor)
        else:
            widget.unsetCursor()

    # --- the keyboard -----------------------------------------------------------------------

    def key_press(self, event: QKeyEvent) -> bool:
        """Escape takes a stroke back, Space held pans, others go to the keyboard cursor.

        False if the key means nothing here.
        """
        if event.key() == Qt.Key.Key_Escape:
            if not self._active_tool.cancel_stroke():
                self.escaped.emit()
            return True
        if event.key() == Qt.Key.Key_Space:
            if not event.isAutoRepeat():
                self._space_held = True
                self.show_mouse_cursor()
            return True
        return self._keyboard_cursor.press(event)

    def key_release(self, event: QKeyEvent) -> bool:
        """Note that Space is released; False for any other key."""
        if event.key() != Qt.Key.Key_Space or event.isAutoRepeat():
            return False
        self.forget_space()
        return True

    def forget_space(self) -> None:
        """Space is held no longer, or the keyboard has gone elsewhere."""
        self._space_held = False
        self.show_mouse_cursor()
