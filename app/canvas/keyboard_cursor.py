"""The keyboard cursor: a cell, or one of its sides or corners, at which the keys use the tool."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRectF, Qt

from app.canvas.active_tool import ActiveTool
from app.canvas.map_widget import MapWidget
from app.qt_guard import connect
from randomizer.model.grid.grid import Grid, Hit
from randomizer.model.planes.corners import corners_of

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent


Key = Qt.Key

DIRECTIONS = {
    Key.Key_Left: (-1, 0),
    Key.Key_Right: (1, 0),
    Key.Key_Up: (0, -1),
    Key.Key_Down: (0, 1),
    Key.Key_Home: (-1, -1),
    Key.Key_PageUp: (1, -1),
    Key.Key_End: (-1, 1),
    Key.Key_PageDown: (1, 1),
}
"""Steps to the right and down. Where hexes have no such neighbour, the cursor goes in a zigzag."""

SIDE_KEYS = {Key.Key_Period: 1, Key.Key_Greater: 1, Key.Key_Comma: -1, Key.Key_Less: -1}

ALONG_SIDE = 0.9
"""A chosen side is pointed at this far out from the centre of its cell (1.0: on the side)."""


class KeyboardCursor:
    """The place of the keyboard on the map. ``cell`` is None until a key asks for the cursor.

    Keys move it over the ``widget`` and point the tool at it. ``side`` and ``corner`` are None
    while the cell as a whole is meant; then the tool is pointed at its first corner. ``stop`` is
    the number of the point among those that the tool offers on the cell (``Tool.stops``), None for
    none.
    """

    def __init__(self, widget: MapWidget, active_tool: ActiveTool) -> None:
        self._widget = widget
        self._active_tool = active_tool
        self.cell: int | None = None
        self.side: int | None = None
        self.corner: int | None = None
        self.stop: int | None = None
        self._anchor: int | None = None  # where Shift was pressed
        connect(widget.document.map_replaced, self._reset)

    @property
    def _grid(self) -> Grid:
        return self._widget.document.battlemap.grid

    def _reset(self) -> None:
        self.cell = self.side = self.corner = self.stop = self._anchor = None

    def hide(self) -> None:
        """Show no cursor until a key asks for it again (the mouse is used)."""
        if self.cell is not None:
            self._reset()
            self._active_tool.preview_outdated.emit()

    def press(self, event: QKeyEvent) -> bool:
        """Move the cursor, choose a side, use the tool; whether the key was one for that."""
        key = Key(event.key())
        held = event.modifiers()
        shift = bool(held & Qt.KeyboardModifier.ShiftModifier)
        if key in DIRECTIONS:
            if held & Qt.KeyboardModifier.ControlModifier:
                self._pan(*DIRECTIONS[key])
            else:
                self._move(DIRECTIONS[key], extend=shift)
        elif key in SIDE_KEYS:
            self._turn(SIDE_KEYS[key])
        elif key in (Key.Key_Return, Key.Key_Enter):
            self._use_tool(stay_in_stroke=shift)
        else:
            return False
        return True

    def show(self) -> None:
        """Show the cursor in the middle of the view, unless something is pointed at already."""
        if self.cell is None and self._active_tool.pointer is None:
            self.cell = self._first()
            self._show()

    def go_to(self, cell: int) -> None:
        """Show the cursor at a cell."""
        self._reset()
        self.cell = cell
        self._show()

    # --- moving -----------------------------------------------------------------------------

    def _pan(self, right: int, down: int) -> None:
        step = max(24, self._widget.width() // 12)
        self._widget.pan(-right * step, -down * step)

    def _first(self) -> int:
        """Return the cell at which the cursor first shows: under the mouse, else amid the view."""
        grid = self._grid
        middle = QRectF(self._widget.rect()).center()
        hit = self._active_tool.hit or self._widget.hit_at(middle)
        if hit is None:
            return int(grid.cells[len(grid.cells) // 2])
        return hit.cell

    def _move(self, direction: tuple[int, int], *, extend: bool) -> None:
        old_cell = self.cell
        if old_cell is None:
            self.cell = self._first()
        else:
            self.cell = next_cell(self._grid, old_cell, *direction)
        if old_cell is not None:
            self.side = self.stop = None
        if extend:
            self._extend(self.cell if old_cell is None else old_cell)
        else:
            self._anchor = None
        self._show()

    def _extend(self, old_cell: int) -> None:
        """Select the rectangle from where the Shift key was pressed."""
        from randomizer.geometry.shapes import rectangle

        if self._anchor is None:
            self._anchor = old_cell
        assert self.cell is not None
        self._widget.document.select(rectangle(self._grid, self._anchor, self.cell))

    def _turn(self, by: int) -> None:
        """Choose the next stop, side or corner; after the last one the cell as a whole again.

        Stops are offered where the tool has some here; else corners where heights lie on them,
        sides where there are no such heights or hexsides too.
        """
        if self.cell is None:
            self.cell = self._first()
        stops = len(self._stops())
        if stops:
            number = 0 if self.stop is None else self.stop + 1
            number = (number + by) % (stops + 1)
            self.stop = number - 1 if number else None
            self._show()
            return
        system = self._widget.document.battlemap.system
        degree = self._grid.degree
        has_corners = system.corner_heights is not None
        sides = 0 if has_corners and system.hexside is None else degree
        number = 0 if self.side is None else self.side + 1
        if self.corner is not None:
            number = sides + self.corner + 1
        number = (number + by) % (sides + (degree if has_corners else 0) + 1)
        self.side = number - 1 if 0 < number <= sides else None
        self.corner = number - sides - 1 if number > sides else None
        self._show()

    def _stops(self) -> tuple[tuple[float, float, str], ...]:
        """Return the points of the cell that the tool in use offers (``Tool.stops``)."""
        tool = self._active_tool.chosen
        if tool is None or self.cell is None:
            return ()
        return tool.stops(self._widget.document.battlemap, self.cell)

    def _stop(self) -> tuple[float, float, str] | None:
        """Return the stop pointed at, None for none."""
        stops = () if self.stop is None else self._stops()
        if self.stop is not None and self.stop < len(stops):
            return stops[self.stop]
        return None

    def _show(self) -> None:
        """Bring the cursor into view, point the tool at it, and announce what is there."""
        assert self.cell is not None
        widget = self._widget
        active_tool = self._active_tool
        rect = widget.viewport.cell_rect(self._grid, self.cell, 0.5)
        room = QRectF(widget.rect())
        dx = max(room.left() - rect.left(), 0) + min(room.right() - rect.right(), 0)
        dy = max(room.top() - rect.top(), 0) + min(room.bottom() - rect.bottom(), 0)
        widget.pan(round(dx), round(dy))
        self._point()
        if active_tool.in_stroke and active_tool.pointer is not None:
            active_tool.touch(active_tool.pointer)
        active_tool.preview_outdated.emit()
        self._announce()

    def _point(self) -> None:
        from app.tools import Pointer

        assert self.cell is not None
        grid = self._grid
        scale = self._widget.viewport.scale
        stop = self._stop()
        x, y = grid.centre(self.cell) if stop is None else stop[:2]
        if self.side is None:
            corner = -1
            if grid.has_corners:
                corner = int(corners_of(grid, np.array([self.cell]))[0, self.corner or 0])
            hit = Hit(self.cell, 0, 0.0, corner)
            self._active_tool.point_at(Pointer(hit, x, y, scale=scale))
            return
        (ax, ay), (bx, by) = (grid.layout.corners[(self.side + n) % grid.degree] for n in (0, 1))
        half = ALONG_SIDE / 2
        hit = Hit(self.cell, self.side, ALONG_SIDE)
        x = x + (ax + bx) * half
        y = y + (ay + by) * half
        self._active_tool.point_at(Pointer(hit, x, y, scale=scale))

    def _announce(self) -> None:
        """Tell a screen reader what is at the cursor."""
        from app.canvas.hover_text import accessible_text

        assert self.cell is not None
        stop = self._stop()
        document = self._widget.document
        if stop is None:
            text = accessible_text(document, self.cell, self.side, self.corner)
        else:
            text = stop[2]
        preview, _symmetry = self._active_tool.preview()
        if preview is not None and preview.note:
            text = f"{text}, {preview.note}"
        self._widget.setAccessibleDescription(text)
        # Not before the first paint: it has many enumerations, which PySide makes one by one.
        from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._widget, text))

    # --- using the tool ---------------------------------------------------------------------

    def _use_tool(self, *, stay_in_stroke: bool) -> None:
        """Use the tool here, as a whole stroke.

        With ``stay_in_stroke``, and for tools that need a drag, the stroke begins here and ends at
        the next call.
        """
        active_tool = self._active_tool
        tool = active_tool.chosen
        if self.cell is None:
            self.cell = self._first()
        self._point()
        if tool is None or tool.pans or active_tool.pointer is None:
            return
        if active_tool.in_stroke or (
            active_tool.begin_stroke(active_tool.pointer) and not (stay_in_stroke or tool.spans)
        ):
            active_tool.end_stroke()
        active_tool.preview_outdated.emit()
        self._announce()


def next_cell(grid: Grid, cell: int, right: int, down: int) -> int:
    """Return the cell one step to the right and down on the screen; ``cell`` itself at the rim."""
    x, y = grid.xy(cell)
    slanting = grid.layout.shear == "oblique"
    if grid.degree == 6 and right and down:
        result = _towards(grid, cell, right, down)
    elif slanting:  # y counts upwards, every second row starts farther right
        to_y = y - down
        result = grid.cell(x + right - ((to_y >> 1) - (y >> 1)), to_y)
    else:
        result = grid.cell(x + right, y + down)
    if result < 0:  # round a corner of the board
        result = _towards(grid, cell, right, down)
    return cell if result < 0 else result


def _towards(grid: Grid, cell: int, right: int, down: int) -> int:
    """Return the neighbour most nearly in that direction, -1 if none is near it."""
    (qx, qy), (rx, ry) = grid.layout.basis
    best = -1
    nearest = 0.4
    for side, (q, r) in enumerate(grid.layout.steps):
        across = grid.neighbour(cell, side)
        x = q * qx + r * rx
        y = q * qy + r * ry
        likeness = (x * right + y * down) / ((x * x + y * y) * (right * right + down * down)) ** 0.5
        if across >= 0 and likeness > nearest:
            best = across
            nearest = likeness
    return best
