"""Mouse and keyboard on the canvas: they become strokes, pans and moves of the keyboard cursor.

``MapCanvas`` hands the events of Qt to a ``CanvasInput``, which makes a ``Pointer`` of each point
(pointers.py) and calls the ``ActiveTool``. What a mouse button does from its press to its release
is one of these:

- a *stroke*: the tool draws, and all that it drew becomes one undo step. Its state is that of the
  ``ActiveTool``, since the keyboard can begin and end a stroke, too.
- an *entry*: the left button was pressed off the map. The stroke begins where the drag enters the
  map, if the tool offers that (``Tool.may_begin_outside``, as brushes and roads do).
- a *pan*: the view follows the mouse. The middle button can pan in the midst of a stroke.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QMouseEvent

from app.canvas.active_tool import ActiveTool
from app.canvas.keyboard_cursor import KeyboardCursor
from app.canvas.map_widget import MapWidget
from app.canvas.pointers import pointer_at, pointers_of_drag
from randomizer.model.grid.grid import Hit

if TYPE_CHECKING:
    from app.tools import Pointer


class MenuRequest(NamedTuple):
    """A context menu that was asked for."""

    hit: Hit
    """What the menu is for."""

    position: QPoint
    """Where the menu opens, in global pixels."""


@dataclass
class Pan:
    """A drag that moves the view."""

    button: Qt.MouseButton
    """The button that was pressed; the pan ends when it is released."""

    point: QPointF
    """The point of the widget up to which the view has followed the mouse."""


class CanvasInput(QObject):
    """Makes calls of the tool, the view and the keyboard cursor of the events of a map widget."""

    escaped = Signal()
    """Escape was pressed, and there was no stroke to take back."""

    def __init__(
        self, widget: MapWidget, active_tool: ActiveTool, keyboard_cursor: KeyboardCursor
    ) -> None:
        super().__init__(widget)
        self._widget = widget
        self._active_tool = active_tool
        self._keyboard_cursor = keyboard_cursor
        self._mouse_point = QPointF()
        """Where the last mouse event was; the next piece of a stroke begins there."""
        self._is_space_held = False
        """While Space is held, the left button pans."""
        self._pan: Pan | None = None
        """The pan under way, None for none."""
        self._waits_for_entry = False
        """True during an *entry*, until the drag has entered the map or ends."""

    # --- the mouse --------------------------------------------------------------------------

    def handle_press(self, event: QMouseEvent) -> None:
        """Begin a pan, a stroke or an entry."""
        button = event.button()
        is_left = button == Qt.MouseButton.LeftButton
        if self._pan is not None and self._pan.button == button:
            self._end_pan()  # its release has gone to another window
        if is_left:
            self._waits_for_entry = False
        self._mouse_point = event.position()
        if button == Qt.MouseButton.MiddleButton or (is_left and self._left_button_pans):
            self._begin_pan(event)
        elif is_left:
            self._begin_stroke_or_entry(event)

    @property
    def _left_button_pans(self) -> bool:
        """True if a press of the left button begins a pan rather than a stroke."""
        return self._is_space_held or self._active_tool.pans

    def _begin_stroke_or_entry(self, event: QMouseEvent) -> None:
        """Begin a stroke at the mouse; off the map, begin an entry if the tool offers it."""
        active_tool = self._active_tool
        tool = active_tool.chosen
        if tool is None:
            return
        self._keyboard_cursor.hide()
        active_tool.end_stroke()  # one that the keyboard has begun
        pointer = pointer_at(self._widget, event.position(), event.modifiers())
        if pointer is None:
            self._waits_for_entry = tool.may_begin_outside
            return
        # Even if no stroke begins, the tool points here now.
        active_tool.begin_stroke(pointer, by_mouse=True)
        active_tool.preview_outdated.emit()

    def handle_double_click(self, event: QMouseEvent) -> None:
        """Handle the second press of a double click like a first one: Qt sends no press for it.

        A tool whose double click means something else, as *Things* names what the first click has
        placed, gets no second press.
        """
        tool = self._active_tool.chosen
        is_left = event.button() == Qt.MouseButton.LeftButton
        if is_left and tool is not None and tool.names_on_double_click:
            return
        self.handle_press(event)

    def handle_move(self, event: QMouseEvent) -> None:
        """Go on with what is under way, or else point the tool at what is under the mouse."""
        point = event.position()
        if self._pan is not None:
            self._follow_with_view(self._pan, point)
        elif self._active_tool.in_stroke:
            self._continue_stroke(self._pointers_to(event))
        elif self._waits_for_entry:
            self._look_for_entry(event)
        else:
            pointer = pointer_at(self._widget, point, event.modifiers())
            self._active_tool.point_at(pointer)
        self._mouse_point = point

    def handle_release(self, event: QMouseEvent) -> None:
        """End the pan, or the stroke as one undo step."""
        button = event.button()
        if self._pan is not None and self._pan.button == button:
            self._end_pan()
        elif button == Qt.MouseButton.LeftButton:
            is_drawing = self._active_tool.in_stroke or self._waits_for_entry
            # The mouse may have come here since its last move event. While the middle button pans,
            # that moves the view, and the stroke ends at its last point.
            if is_drawing and self._pan is None:
                self.handle_move(event)
            self._waits_for_entry = False
            self._mouse_point = event.position()
            self._active_tool.end_stroke()

    # --- pans -------------------------------------------------------------------------------

    def _begin_pan(self, event: QMouseEvent) -> None:
        """Let the view follow the mouse until the button is released."""
        self._pan = Pan(event.button(), event.position())
        self._active_tool.begin_pan()
        self._widget.setCursor(Qt.CursorShape.ClosedHandCursor)

    def _follow_with_view(self, pan: Pan, point: QPointF) -> None:
        """Pan by whole pixels; what is left over stays for the next event."""
        step = (point - pan.point).toPoint()
        pan.point += QPointF(step)
        self._widget.pan(step.x(), step.y())

    def _end_pan(self) -> None:
        """Let the view stay where it is."""
        self._pan = None
        self._active_tool.end_pan()
        self.update_cursor_shape()

    # --- strokes ----------------------------------------------------------------------------

    def _continue_stroke(self, pointers: list[Pointer | None]) -> None:
        """Go on with the stroke along these points of the drag; None for points off the map."""
        self._active_tool.follow(pointers)
        pointers_on_map = [pointer for pointer in pointers if pointer is not None]
        if pointers_on_map:
            # Also if the drag has left the map: a stroke ends at its last point on the map.
            self._active_tool.point_at(pointers_on_map[-1])

    def _look_for_entry(self, event: QMouseEvent) -> None:
        """Begin the stroke if the mouse has entered the map since the last event."""
        active_tool = self._active_tool
        pointers = self._pointers_to(event)
        for index, entry in enumerate(pointers):
            if entry is None:
                continue
            self._waits_for_entry = False
            if active_tool.begin_stroke(entry, by_mouse=True, enters_map=True):
                active_tool.preview_outdated.emit()
                self._continue_stroke(pointers[index + 1 :])
            return
        active_tool.point_at(None)

    def _pointers_to(self, event: QMouseEvent) -> list[Pointer | None]:
        """Return pointers on the line from the last mouse event to this one."""
        return pointers_of_drag(
            self._widget, self._mouse_point, event.position(), event.modifiers()
        )

    # --- without a drag ---------------------------------------------------------------------

    def handle_leave(self) -> None:
        """Point the tool at nothing: the mouse has left the widget."""
        self._active_tool.point_at(None)

    def point_at_hit(self, hit: Hit) -> None:
        """Point the tool at the middle of a cell without a mouse event."""
        from app.tools import Pointer  # the map is shown before the tools are loaded

        grid = self._widget.document.battlemap.grid
        self._active_tool.point_at(Pointer(hit, *grid.centre(hit.cell)))

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

    def update_cursor_shape(self) -> None:
        """Show the mouse cursor that fits what the left button would do."""
        widget = self._widget
        if self._left_button_pans:
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
                self.update_cursor_shape()
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
        self.update_cursor_shape()
