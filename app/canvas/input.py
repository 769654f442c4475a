"""Mouse and keyboard on the canvas: they become strokes, pans and moves of the keyboard cursor.

``MapCanvas`` hands the events of Qt to a ``CanvasInput``, which turns each point of the widget
into a ``Pointer`` (the cell, side and corner there, and the keys held) and calls the
``ActiveTool``. What the left button does from its press to its release is a *stroke* of the tool,
or a *pan* of the view.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QMouseEvent

from app.canvas.active_tool import ActiveTool
from app.canvas.keyboard_cursor import KeyboardCursor
from app.canvas.map_widget import MapWidget
from randomizer.model.grid.grid import Hit

if TYPE_CHECKING:
    from app.tools import Pointer

CTRL = Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.ControlModifier
"""With one of these held most tools act as the eyedropper.

Alt alone would not do: many window systems keep it with the mouse for themselves.
"""

SHIFT = Qt.KeyboardModifier.ShiftModifier
"""With it held most tools do something else, see ``Pointer.shift``."""

HALVINGS = 20
"""So often the distance to the edge of the map is halved: one pixel becomes a millionth of it."""

DRAG_STEP = 0.3
"""Points of a drag are at most so far apart, in map units, so that it misses no cell on its way."""


class MenuRequest(NamedTuple):
    """A context menu that was asked for."""

    hit: Hit
    """What the menu is for."""

    position: QPoint
    """Where the menu opens, in global pixels."""


class CanvasInput(QObject):
    """Gets the mouse and key events of a map widget, and uses the tool by them."""

    escaped = Signal()
    """Escape was pressed, and there was no stroke to take back."""

    def __init__(
        self, widget: MapWidget, active_tool: ActiveTool, keyboard_cursor: KeyboardCursor
    ) -> None:
        super().__init__(widget)
        self._widget = widget
        self._active_tool = active_tool
        self._keyboard_cursor = keyboard_cursor
        self._last_point = QPointF()
        """The point of the widget up to which a stroke or a pan has gone."""
        self._is_space_held = False
        """While Space is held, a drag with the left button pans."""
        self._is_held_off_map = False
        """True while the left button is held that was pressed off the map, and the drag may come
        in (``Tool.comes_in``)."""

    # --- the mouse --------------------------------------------------------------------------

    def pointer_at(self, point: QPointF, modifiers: Qt.KeyboardModifier) -> Pointer | None:
        """Return the pointer for a point of the widget, with the keys held; None off the map."""
        hit = self._widget.hit_at(point)
        if hit is None:
            return None
        from app.tools import Pointer

        viewport = self._widget.viewport
        x, y = viewport.to_map(point)
        shift = bool(modifiers & SHIFT)
        ctrl = bool(modifiers & CTRL)
        return Pointer(hit, x, y, shift=shift, ctrl=ctrl, scale=viewport.scale)

    def hover(self, hit: Hit | None) -> None:
        """Point the tool at the middle of a cell without a mouse event, or (None) at nothing."""
        if hit is None:
            self._active_tool.point_at(None)
            return
        from app.tools import Pointer

        grid = self._widget.document.battlemap.grid
        self._active_tool.point_at(Pointer(hit, *grid.centre(hit.cell)))

    def press(self, event: QMouseEvent) -> None:
        """Begin a pan or a stroke."""
        active_tool = self._active_tool
        self._last_point = event.position()
        self._is_held_off_map = False
        is_left = event.button() == Qt.MouseButton.LeftButton
        left_pans = self._is_space_held or active_tool.pans
        if event.button() == Qt.MouseButton.MiddleButton or (is_left and left_pans):
            active_tool.panning = True
            self._widget.setCursor(Qt.CursorShape.ClosedHandCursor)
        elif is_left and active_tool.chosen is not None:
            self._keyboard_cursor.hide()
            active_tool.end_stroke()  # one that the keyboard has begun
            pointer = self.pointer_at(event.position(), event.modifiers())
            if pointer is None:
                self._is_held_off_map = active_tool.chosen.comes_in
                return
            active_tool.pointer = pointer
            active_tool.begin_stroke(pointer, held=True)
            active_tool.preview_outdated.emit()

    def press_again(self, event: QMouseEvent) -> None:
        """Take the second press of a double click like a first one: Qt sends no press for it.

        A tool whose double click means something else, as *Things* names what the first click has
        placed, gets no second press.
        """
        tool = self._active_tool.chosen
        is_left = event.button() == Qt.MouseButton.LeftButton
        if is_left and tool is not None and tool.names_on_double_click:
            return
        self.press(event)

    def move(self, event: QMouseEvent) -> None:
        """Go on with the pan or the stroke, or point the tool at what is under the mouse."""
        active_tool = self._active_tool
        point = event.position()
        if active_tool.panning:
            # Only whole pixels are panned; what is left over stays for the next event.
            step = (point - self._last_point).toPoint()
            self._last_point += QPointF(step)
            self._widget.pan(step.x(), step.y())
            return
        if active_tool.in_stroke or self._is_held_off_map:
            self._continue_stroke(point, event.modifiers())
        else:
            active_tool.point_at(self.pointer_at(point, event.modifiers()))
        self._last_point = point

    def _continue_stroke(self, point: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        """Go on with the stroke to a point of the widget.

        If the button was pressed off the map, the stroke begins where the drag enters the map.
        """
        active_tool = self._active_tool
        pointers = self._pointers_to(point, modifiers)
        pointers_on_map = [pointer for pointer in pointers if pointer is not None]
        if not active_tool.in_stroke:
            if not pointers_on_map:
                active_tool.point_at(None)
                return
            self._is_held_off_map = False
            first_pointer = pointers_on_map[0]
            active_tool.pointer = first_pointer
            if not active_tool.begin_stroke(first_pointer, held=True, comes_in=True):
                return
            pointers = pointers[pointers.index(first_pointer) + 1 :]
        active_tool.follow(pointers)
        if pointers_on_map:
            # Also if the drag has left the map: a stroke ends at its last point on the map.
            active_tool.point_at(pointers_on_map[-1])

    def _pointers_to(self, point: QPointF, modifiers: Qt.KeyboardModifier) -> list[Pointer | None]:
        """Return pointers on the line from the last point to this one, None for points off the map.

        Where the line crosses the edge of the map, a pointer at the edge is among them: a fast drag
        has so few points that its last one on the map could lie well inside.
        """
        pointers: list[Pointer | None] = []
        last_point = self._last_point
        was_on_map = self._widget.hit_at(last_point) is not None
        for next_point in self._points_to(point):
            pointer = self.pointer_at(next_point, modifiers)
            is_on_map = pointer is not None
            if is_on_map != was_on_map:
                if is_on_map:
                    edge_point = self._edge_point(inside=next_point, outside=last_point)
                else:
                    edge_point = self._edge_point(inside=last_point, outside=next_point)
                pointers.append(self.pointer_at(edge_point, modifiers))
            pointers.append(pointer)
            last_point = next_point
            was_on_map = is_on_map
        return pointers

    def _edge_point(self, inside: QPointF, outside: QPointF) -> QPointF:
        """Return the outermost point on the map between a point on the map and one off it.

        The distance between both is halved until it is far below a pixel (``HALVINGS``).
        """
        for _halving in range(HALVINGS):
            middle = (inside + outside) / 2
            if self._widget.hit_at(middle) is None:
                outside = middle
            else:
                inside = middle
        return inside

    def _points_to(self, point: QPointF) -> list[QPointF]:
        """Return points on the line from the last one (without it) to this one (with it).

        They are at most ``DRAG_STEP`` apart, but never less than a pixel.
        """
        line = point - self._last_point
        pixels_per_step = max(1.0, self._widget.viewport.scale * DRAG_STEP)
        steps = max(1, int(line.manhattanLength() / pixels_per_step))
        return [self._last_point + line * (step / steps) for step in range(1, steps + 1)]

    def release(self, event: QMouseEvent) -> None:
        """End the stroke (one undo step) or the pan."""
        is_left = event.button() == Qt.MouseButton.LeftButton
        is_middle = event.button() == Qt.MouseButton.MiddleButton
        if self._active_tool.panning and (is_left or is_middle):
            self._active_tool.panning = False
            self.show_mouse_cursor()
        elif is_left:
            if self._active_tool.in_stroke or self._is_held_off_map:
                # The mouse may have come here since its last move event.
                self._continue_stroke(event.position(), event.modifiers())
            self._is_held_off_map = False
            self._last_point = event.position()
            self._active_tool.end_stroke()

    def menu_request(self, event: QContextMenuEvent) -> MenuRequest | None:
        """Return what a context menu is asked for; None outside the map and during a stroke.

        A menu that the menu key asks for is that of the cell that the tool points at.
        """
        widget = self._widget
        pointer = self._active_tool.pointer
        if event.reason() == event.Reason.Keyboard and pointer is not None:
            point = widget.viewport.to_screen(pointer.x, pointer.y)
            position = widget.mapToGlobal(point.toPoint())
        else:
            point = QPointF(event.pos())
            position = event.globalPos()
        hit = widget.hit_at(point)
        if hit is None or widget.document.in_stroke:
            return None
        return MenuRequest(hit, position)

    def show_mouse_cursor(self) -> None:
        """Show the mouse cursor that fits what the left button would do."""
        widget = self._widget
        if self._is_space_held or self._active_tool.pans:
            widget.setCursor(Qt.CursorShape.OpenHandCursor)
        elif self._active_tool.chosen is not None:
            widget.setCursor(Qt.CursorShape.CrossCursor)
        else:
            widget.unsetCursor()

    # --- the keyboard -----------------------------------------------------------------------

    def key_press(self, event: QKeyEvent) -> bool:
        """Take a stroke back (Escape), pan by drags (Space), or hand the key to the cursor.

        Return False if the key means nothing here.
        """
        if event.key() == Qt.Key.Key_Escape:
            if not self._active_tool.cancel_stroke():
                self.escaped.emit()
            return True
        if event.key() == Qt.Key.Key_Space:
            if not event.isAutoRepeat():
                self._is_space_held = True
                self.show_mouse_cursor()
            return True
        return self._keyboard_cursor.press(event)

    def key_release(self, event: QKeyEvent) -> bool:
        """Note that Space is released; return False for any other key."""
        if event.key() != Qt.Key.Key_Space or event.isAutoRepeat():
            return False
        self.forget_space()
        return True

    def forget_space(self) -> None:
        """Pan by drags no longer: Space is released, or its release goes to another widget."""
        self._is_space_held = False
        self.show_mouse_cursor()
