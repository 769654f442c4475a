"""The hand on the canvas: the mouse becomes strokes and pans; keys go to the keyboard cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPointF, Qt, Signal

from app.canvas.keyboard_cursor import CanvasKeys
from randomizer.model.cell_words import suited
from randomizer.model.grid import Hit

if TYPE_CHECKING:
    from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QMouseEvent

    from app.canvas.canvas import MapCanvas
    from app.tools import Aim, Tool

CTRL = Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.ControlModifier
"""Held, most tools pick. Many window systems keep Alt with the mouse for themselves."""

SHIFT = Qt.KeyboardModifier.ShiftModifier


class CanvasHand(QObject):
    """Turns events into strokes of the canvas' tool; remembers what it points at.

    ``put_down()``: Escape was pressed and there was no stroke to take back.
    """

    put_down = Signal()

    def __init__(self, canvas: MapCanvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self.aim: Aim | None = None
        self.panning = False
        self.keys = CanvasKeys(canvas, self)
        self._stroke_tool: Tool | None = None
        self._stroke_places: set[tuple[int, ...]] = set()
        self._last_point = QPointF()
        self._space_held = False
        canvas.document.map_replaced.connect(self._leave)

    def _leave(self) -> None:
        """Another map is in front."""
        self.point_at(None)

    # --- what it points at ------------------------------------------------------------------

    @property
    def hit(self) -> Hit | None:
        """The place that it points at."""
        return None if self.aim is None else self.aim.hit

    @property
    def tool_pans(self) -> bool:
        """Whether the tool moves the view."""
        tool = self._canvas.tool
        return tool is not None and tool.pans

    @property
    def tool(self) -> Tool | None:
        """The tool of the stroke under way, else that of the canvas."""
        return self._stroke_tool or self._canvas.tool

    @property
    def in_stroke(self) -> bool:
        """Whether a stroke of this hand is under way."""
        return self._stroke_tool is not None and self._canvas.document.in_stroke

    def aim_at(self, point: QPointF, modifiers: Qt.KeyboardModifier) -> Aim | None:
        """What lies under a point of the widget."""
        hit = self._canvas.hit_at(point)
        if hit is None:
            return None
        from app.tools import Aim

        at = self._canvas.view.to_map(point)
        return Aim(hit, *at, bool(modifiers & SHIFT), bool(modifiers & CTRL))

    def hover(self, hit: Hit | None) -> None:
        """This is under the mouse now."""
        if hit is None:
            self.point_at(None)
            return
        from app.tools import Aim

        self.point_at(Aim(hit, *self._canvas.document.battlemap.grid.centre(hit.cell)))

    def point_at(self, aim: Aim | None) -> None:
        """Mouse or keyboard point here now."""
        before, self.aim = self.aim, aim
        if _place(before) != _place(aim) or self._stroke_tool is not None:
            self._canvas.marks.renew_preview()
        if _place(before) != _place(aim):
            self._canvas.hovered.emit(self.hit)

    # --- strokes ----------------------------------------------------------------------------

    def begin(self, aim: Aim) -> bool:
        """A stroke begins; False, and it is said why, if the tool cannot do anything here."""
        canvas = self._canvas
        tool, document = canvas.tool, canvas.document
        if tool is None:
            return False
        if aim.ctrl and tool.picks:
            from app.tools import EyedropperTool

            tool = EyedropperTool(tool.options)
        why_not = tool.why_not(document.battlemap.system) or tool.why_not_here(document)
        if why_not:
            document.refuse(why_not)
            return False
        self._stroke_tool = tool
        self._stroke_places = set()
        tool.start(document, aim)
        document.begin_stroke(suited(tool.text, document.battlemap.grid.layout))
        self.touch(aim)
        return True

    def touch(self, aim: Aim) -> None:
        """The stroke comes over a place."""
        tool, document = self._stroke_tool, self._canvas.document
        assert tool is not None
        place = tool.place(document.battlemap, aim)
        if place not in self._stroke_places:
            self._stroke_places.add(place)
            document.stroke(tool.edit(document, aim))

    def cancel_stroke(self) -> bool:
        """Take back the stroke under way; False if there is none."""
        if self._stroke_tool is None:
            return False
        self._forget()
        self._canvas.document.cancel_stroke()
        self._canvas.marks.renew_preview()
        return True

    def end_stroke(self) -> None:
        """What was done so far is the stroke."""
        canvas, tool, document = self._canvas, self._stroke_tool, self._canvas.document
        if tool is None:
            return
        if document.in_stroke:
            if self.aim is not None:
                for edit in tool.finish(document, self.aim):
                    document.stroke(edit)
            if not document.end_stroke() and tool.paints and self._outside_selection():
                document.refuse(
                    "Only what is selected is painted. Ctrl+Shift+A selects nothing, "
                    "then everything can be painted."
                )
        self._forget()
        canvas.marks.renew_preview()

    def _outside_selection(self) -> bool:
        import numpy as np

        selection = self._canvas.document.selection
        if self.aim is None or not len(selection):
            return False
        return not selection.contains(np.array([self.aim.cell]))[0]

    def _forget(self) -> None:
        if self._stroke_tool is not None:
            self._stroke_tool.forget()
        self._stroke_tool = None

    # --- the mouse --------------------------------------------------------------------------

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
            self.keys.hide()
            self.end_stroke()  # one that the keyboard has begun
            aim = self.aim_at(event.position(), event.modifiers())
            if aim is not None:
                self.aim = aim
                self.begin(aim)
                self._canvas.marks.renew_preview()

    def move(self, event: QMouseEvent) -> None:
        """Go on with the stroke or the pan; a fast drag misses no cell on its way."""
        canvas, point = self._canvas, event.position()
        if self.panning:
            step = (point - self._last_point).toPoint()
            self._last_point += QPointF(step)
            canvas.pan(step.x(), step.y())
            return
        aim = self.aim_at(point, event.modifiers())
        if self.in_stroke:
            for between in self._way_to(point):
                on_way = self.aim_at(between, event.modifiers())
                if on_way is not None:
                    self.touch(on_way)
        if aim is not None or not self.in_stroke:  # a stroke ends at its last place on the map
            self.point_at(aim)
        self._last_point = point

    def _way_to(self, point: QPointF) -> list[QPointF]:
        way = point - self._last_point
        steps = max(1, int(way.manhattanLength() / max(1.0, self._canvas.view.scale * 0.3)))
        return [self._last_point + way * (step / steps) for step in range(1, steps + 1)]

    def release(self, event: QMouseEvent) -> None:
        """End the stroke (one undo step) or the pan."""
        if self.panning and event.button() in (
            Qt.MouseButton.MiddleButton,
            Qt.MouseButton.LeftButton,
        ):
            self.panning = False
            self.show_cursor()
        elif event.button() == Qt.MouseButton.LeftButton:
            self.end_stroke()

    def context_menu(self, event: QContextMenuEvent) -> None:
        """Ask for the hex menu or the border menu of this place, or of the focused one."""
        canvas = self._canvas
        at, position = QPointF(event.pos()), event.globalPos()
        if event.reason() == event.Reason.Keyboard and self.aim is not None:
            at = canvas.view.to_screen(self.aim.x, self.aim.y)
            position = canvas.mapToGlobal(at.toPoint())
        hit = canvas.hit_at(at)
        if hit is not None and not canvas.document.in_stroke:
            canvas.menu_requested.emit(hit, position)

    # --- the keyboard -----------------------------------------------------------------------

    def key_press(self, event: QKeyEvent) -> bool:
        """Escape takes the stroke back, Space holds the hand, others move the keyboard cursor.

        Whether the key was one of these.
        """
        if event.key() == Qt.Key.Key_Escape:
            if not self.cancel_stroke():
                self.put_down.emit()
            return True
        if event.key() == Qt.Key.Key_Space:
            if not event.isAutoRepeat():
                self._space_held = True
                self.show_cursor()
            return True
        return self.keys.press(event)

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


def _place(aim: Aim | None) -> tuple[object, ...]:
    """What has to change for a preview to change, but for a line that is being drawn."""
    if aim is None:
        return ()
    return (aim.cell, aim.side, aim.hit.near_edge, aim.shift, aim.ctrl)
