"""The keyboard cursor: a cell, or one of its sides or corners, at which the keys use the tool.

``CanvasInput`` hands it the keys of the canvas, ``CanvasOverlays`` draws it. Arrow keys move it
from cell to cell (``cell_steps``), comma and full stop choose what it points at within its cell
(``cursor_target``), Return uses the tool there. A screen reader is told what is at the cursor
whenever it moves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRectF, Qt

from app.canvas.active_tool import ActiveTool
from app.canvas.cell_steps import Direction, next_cell
from app.canvas.cursor_target import WHOLE_CELL, CursorTarget, targets_of_cell
from app.canvas.map_widget import MapWidget
from app.qt_guard import connect
from randomizer.model.grid.grid import Grid, Hit
from randomizer.model.planes.corners import corners_of

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

    from app.tools import Pointer
    from app.tools.tool import Stop


Key = Qt.Key

DIRECTIONS: dict[int, Direction] = {
    Key.Key_Left: Direction(-1, 0),
    Key.Key_Right: Direction(1, 0),
    Key.Key_Up: Direction(0, -1),
    Key.Key_Down: Direction(0, 1),
    Key.Key_Home: Direction(-1, -1),
    Key.Key_PageUp: Direction(1, -1),
    Key.Key_End: Direction(-1, 1),
    Key.Key_PageDown: Direction(1, 1),
}
"""The direction of each key that moves the cursor."""

TARGET_KEYS: dict[int, int] = {
    Key.Key_Period: 1,
    Key.Key_Greater: 1,
    Key.Key_Comma: -1,
    Key.Key_Less: -1,
}
"""The keys that go to the next (1) or the previous (-1) target of the cell.

With Shift full stop and comma are > and <.
"""

MIN_PAN = 24
"""The least distance by which Ctrl with an arrow key pans, in logical pixels."""

PANS_PER_VIEW_WIDTH = 12
"""Such a pan moves the map by the width of the view divided by this number."""

VIEW_MARGIN = 0.5
"""So much is seen around the cell of the cursor, in map units."""

SIDE_DEPTH = 0.9
"""A chosen side is pointed at this far out from the centre of its cell (1.0: on the side)."""


class KeyboardCursor:
    """Moves a cursor over a map widget, points the tool at it, and uses the tool.

    There is no cursor until a key asks for one, which then begins under the mouse or amid the view
    (``_first_cell``). It is gone again once the mouse is used, or another map is shown.
    """

    def __init__(self, widget: MapWidget, active_tool: ActiveTool) -> None:
        self._widget = widget
        self._active_tool = active_tool
        self.cell: int | None = None
        """The cell of the cursor; None while there is no cursor."""
        self.target: CursorTarget = WHOLE_CELL
        """What the cursor points at in its cell."""
        self._anchor: int | None = None
        """The cell at which Shift was pressed: a rectangle is selected from there to the cursor.

        None while no rectangle is selected.
        """
        connect(widget.document.map_replaced, self._reset)

    @property
    def _grid(self) -> Grid:
        return self._widget.document.battlemap.grid

    def _reset(self) -> None:
        """Go back to the state without a cursor."""
        self.cell = None
        self.target = WHOLE_CELL
        self._anchor = None

    def hide(self) -> None:
        """Show no cursor until a key asks for it again; called when the mouse is used."""
        if self.cell is not None:
            self._reset()
            self._active_tool.preview_outdated.emit()

    def show(self) -> None:
        """Show the cursor in the middle of the view, unless something is pointed at already."""
        if self.cell is None and self._active_tool.pointer is None:
            self._show_at(self._first_cell())

    def go_to(self, cell: int) -> None:
        """Show the cursor at a cell, as a whole."""
        self._reset()
        self._show_at(cell)

    def press(self, event: QKeyEvent) -> bool:
        """Move the cursor, choose a target, or use the tool; return False for any other key.

        Keys with Alt or Ctrl are those of commands, which can be disabled now: only the arrows with
        Ctrl are the cursor's own.
        """
        key = event.key()  # a number: not every letter is a member of ``Qt.Key``
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        ctrl = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        if alt or (ctrl and key not in DIRECTIONS):
            return False
        if ctrl:
            self._pan(DIRECTIONS[key])
        elif key in DIRECTIONS:
            self._move(DIRECTIONS[key], extend=shift)
        elif key in TARGET_KEYS:
            self._choose_target(TARGET_KEYS[key])
        elif key in (Key.Key_Return, Key.Key_Enter):
            self._use_tool(stay_in_stroke=shift)
        else:
            return False
        return True

    # --- the keys ---------------------------------------------------------------------------

    def _pan(self, direction: Direction) -> None:
        """Pan the view, so that more of the map shows on this side of it."""
        step = max(MIN_PAN, self._widget.width() // PANS_PER_VIEW_WIDTH)
        self._widget.pan(-direction.right * step, -direction.down * step)

    def _move(self, direction: Direction, *, extend: bool) -> None:
        """Go to the next cell in a direction; the first key only shows the cursor.

        ``extend``: select the rectangle from where the extending began to the new cell.
        """
        if self.cell is None:
            old_cell = self._first_cell()
            new_cell = old_cell
        else:
            old_cell = self.cell
            new_cell = next_cell(self._grid, old_cell, direction)
            self.target = self.target.in_next_cell()
        if not extend:
            self._anchor = None
        else:
            if self._anchor is None:
                self._anchor = old_cell
            self._select_rectangle(self._anchor, new_cell)
        self._show_at(new_cell)

    def _select_rectangle(self, first_cell: int, last_cell: int) -> None:
        """Select the rectangle between two cells at opposite corners."""
        from randomizer.geometry.shapes import rectangle

        self._widget.document.select(rectangle(self._grid, first_cell, last_cell))

    def _choose_target(self, step: int) -> None:
        """Choose the next (1) or the previous (-1) target of the cell; after the last the first."""
        cell = self._cell_or_first()
        system = self._widget.document.battlemap.system
        targets = targets_of_cell(system, self._grid, len(self._stops(cell)))
        index = 0
        if self.target in targets:  # otherwise another tool offered it
            index = targets.index(self.target)
        self.target = targets[(index + step) % len(targets)]
        self._show_at(cell)

    def _use_tool(self, *, stay_in_stroke: bool) -> None:
        """Use the tool here, as a whole stroke.

        With ``stay_in_stroke``, and for tools that need a drag, the stroke begins here and ends at
        the next call.
        """
        active_tool = self._active_tool
        tool = active_tool.chosen
        cell = self._cell_or_first()
        self.cell = cell
        pointer = self._pointer_at(cell)
        active_tool.point_at(pointer)
        if tool is None or tool.pans:
            return
        if active_tool.in_stroke:
            active_tool.end_stroke()
        else:
            has_begun = active_tool.begin_stroke(pointer)
            if has_begun and not stay_in_stroke and not tool.drags_between_cells:
                active_tool.end_stroke()
        active_tool.preview_outdated.emit()
        self._announce(cell)

    # --- where the cursor is ----------------------------------------------------------------

    def _cell_or_first(self) -> int:
        """Return the cell of the cursor, or that at which it first shows."""
        if self.cell is None:
            return self._first_cell()
        return self.cell

    def _first_cell(self) -> int:
        """Return the cell at which the cursor first shows.

        It is the one under the mouse, else that in the middle of the view, else one amid the map.
        """
        grid = self._grid
        hit = self._active_tool.hit
        if hit is None:
            hit = self._widget.hit_at(QRectF(self._widget.rect()).center())
        if hit is None:
            return int(grid.cells[len(grid.cells) // 2])
        return hit.cell

    def _show_at(self, cell: int) -> None:
        """Bring the cursor into view, point the tool at it, and announce what is there.

        In a stroke, which the keyboard has begun, the tool is applied here, too.
        """
        self.cell = cell
        active_tool = self._active_tool
        self._pan_to(cell)
        pointer = self._pointer_at(cell)
        active_tool.point_at(pointer)
        if active_tool.in_stroke:
            active_tool.touch(pointer)
        active_tool.preview_outdated.emit()
        self._announce(cell)

    def _pan_to(self, cell: int) -> None:
        """Pan the view as little as needed to show a cell with some of the map around it."""
        widget = self._widget
        box = widget.viewport.cell_rect(self._grid, cell, VIEW_MARGIN)
        view = QRectF(widget.rect())
        # To the right if the box begins left of the view, to the left if it ends right of it. A box
        # that is larger than the view does both, and is moved to the middle between the two.
        right = max(view.left() - box.left(), 0) + min(view.right() - box.right(), 0)
        down = max(view.top() - box.top(), 0) + min(view.bottom() - box.bottom(), 0)
        widget.pan(round(right), round(down))

    def _stops(self, cell: int) -> tuple[Stop, ...]:
        """Return the points of a cell that the tool offers (``Tool.stops``)."""
        tool = self._active_tool.chosen
        if tool is None:
            return ()
        return tool.stops(self._widget.document.battlemap, cell)

    def _stop(self, cell: int) -> Stop | None:
        """Return the chosen stop, None for none; the tool may offer fewer by now."""
        number = self.target.stop
        if number is None:
            return None
        stops = self._stops(cell)
        if number >= len(stops):
            return None
        return stops[number]

    def _pointer_at(self, cell: int) -> Pointer:
        """Return a pointer at the target of the cursor in a cell."""
        from app.tools import Pointer

        grid = self._grid
        scale = self._widget.viewport.scale
        x, y = grid.centre(cell)
        side = self.target.side
        if side is not None:
            first_x, first_y = grid.layout.corners[side]
            second_x, second_y = grid.layout.corners[(side + 1) % grid.degree]
            x += (first_x + second_x) / 2 * SIDE_DEPTH
            y += (first_y + second_y) / 2 * SIDE_DEPTH
            return Pointer(Hit(cell, side, depth=SIDE_DEPTH), x, y, scale=scale)

        stop = self._stop(cell)
        if stop is not None:
            x = stop.x
            y = stop.y
        hit = Hit(cell, side=0, depth=0.0)
        if grid.has_corners:
            # A tool that works at corners is pointed at the first if none is chosen.
            corner_of_cell = self.target.corner or 0
            corner_of_map = int(corners_of(grid, np.array([cell]))[0, corner_of_cell])
            hit = Hit(cell, side=0, depth=0.0, corner=corner_of_map)
        return Pointer(hit, x, y, scale=scale)

    def _announce(self, cell: int) -> None:
        """Tell a screen reader what is at the cursor, and what the tool notes about it."""
        from app.canvas.hover_text import accessible_text

        stop = self._stop(cell)
        if stop is None:
            document = self._widget.document
            text = accessible_text(document, cell, self.target.side, self.target.corner)
        else:
            text = stop.text
        preview = self._active_tool.preview().preview
        if preview is not None and preview.note:
            text = f"{text}, {preview.note}"
        self._widget.setAccessibleDescription(text)
        # Not before the first paint: it has many enumerations, which PySide makes one by one.
        from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._widget, text))
