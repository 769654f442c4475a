"""The keyboard cursor: a cell, or one of its sides or corners, at which the keys use the tool.

``CanvasInput`` hands it the keys of the canvas, ``CanvasOverlays`` draws it. Arrow keys move it
from cell to cell; comma and full stop go through the *targets* of its cell (sides, corners, or
*stops*, points that the tool itself offers); Return uses the tool there. A screen reader is told
what is at the cursor whenever it moves.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRectF, Qt

from app.canvas.active_tool import ActiveTool
from app.canvas.map_widget import MapWidget
from app.qt_guard import connect
from randomizer.model.grid.grid import Grid, Hit
from randomizer.model.grid.layouts import Shear
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
"""The steps to the right and down of each key.

In a direction in which hexes have no neighbour, the cursor goes in a zigzag.
"""

TARGET_KEYS = {Key.Key_Period: 1, Key.Key_Greater: 1, Key.Key_Comma: -1, Key.Key_Less: -1}
"""The keys that go to the next or the last target of the cell; with Shift they are < and >."""

LEAST_PAN = 24
"""The least distance by which Ctrl with an arrow key pans, in logical pixels."""

PANS_ACROSS_VIEW = 12
"""By so many such pans the map goes from one side of the view to the other."""

LEAST_LIKENESS = 0.4
"""The least cosine of the angle between a direction and the neighbour to which it leads.

Neighbours that are 60 degrees off (cosine 0.5) count: they are the steps of a zigzag.
"""

ALONG_SIDE = 0.9
"""A chosen side is pointed at this far out from the centre of its cell (1.0: on the side)."""


class KeyboardCursor:
    """Moves a cursor over a map widget, points the tool at it, and uses the tool.

    At most one of ``side``, ``corner`` and ``stop`` is set; if none is, the cell as a whole is
    meant.
    """

    def __init__(self, widget: MapWidget, active_tool: ActiveTool) -> None:
        self._widget = widget
        self._active_tool = active_tool
        self.cell: int | None = None
        """The cell of the cursor; None until a key asks for the cursor, and while the mouse is
        used."""
        self.side: int | None = None
        """The chosen side of the cell."""
        self.corner: int | None = None
        """The chosen corner of the cell, from 0; without one the tool is pointed at the first."""
        self.stop: int | None = None
        """The chosen point among those that the tool offers on the cell (``Tool.stops``)."""
        self._anchor: int | None = None
        """The cell at which Shift was pressed, from which on a rectangle is selected."""
        connect(widget.document.map_replaced, self._reset)

    @property
    def _grid(self) -> Grid:
        return self._widget.document.battlemap.grid

    def _reset(self) -> None:
        """Go back to the state without a cursor."""
        self.cell = self.side = self.corner = self.stop = self._anchor = None

    def hide(self) -> None:
        """Show no cursor until a key asks for it again; called when the mouse is used."""
        if self.cell is not None:
            self._reset()
            self._active_tool.preview_outdated.emit()

    def press(self, event: QKeyEvent) -> bool:
        """Move the cursor, choose a target, or use the tool; return False for any other key."""
        key = Key(event.key())
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        ctrl = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if key in DIRECTIONS and ctrl:
            self._pan(*DIRECTIONS[key])
        elif key in DIRECTIONS:
            self._move(DIRECTIONS[key], extend=shift)
        elif key in TARGET_KEYS:
            self._choose_target(TARGET_KEYS[key])
        elif key in (Key.Key_Return, Key.Key_Enter):
            self._use_tool(stay_in_stroke=shift)
        else:
            return False
        return True

    def show(self) -> None:
        """Show the cursor in the middle of the view, unless something is pointed at already."""
        if self.cell is None and self._active_tool.pointer is None:
            self.cell = self._first_cell()
            self._show()

    def go_to(self, cell: int) -> None:
        """Show the cursor at a cell, as a whole."""
        self._reset()
        self.cell = cell
        self._show()

    # --- moving -----------------------------------------------------------------------------

    def _pan(self, right: int, down: int) -> None:
        """Pan the view, so that more of the map shows on this side of it."""
        step = max(LEAST_PAN, self._widget.width() // PANS_ACROSS_VIEW)
        self._widget.pan(-right * step, -down * step)

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

    def _move(self, direction: tuple[int, int], *, extend: bool) -> None:
        """Go to the next cell in a direction; the first key only shows the cursor.

        ``extend``: select the rectangle from where the extending began to the new cell.
        """
        old_cell = self.cell
        if old_cell is None:
            old_cell = self._first_cell()
            self.cell = old_cell
        else:
            self.cell = next_cell(self._grid, old_cell, *direction)
            self.side = None
            self.stop = None  # a chosen corner stays chosen from cell to cell
        if extend:
            self._select_from_anchor(old_cell)
        else:
            self._anchor = None
        self._show()

    def _select_from_anchor(self, old_cell: int) -> None:
        """Select the rectangle from the anchor to the cursor; the first anchor is ``old_cell``."""
        from randomizer.geometry.shapes import rectangle

        if self._anchor is None:
            self._anchor = old_cell
        assert self.cell is not None
        self._widget.document.select(rectangle(self._grid, self._anchor, self.cell))

    def _choose_target(self, step: int) -> None:
        """Choose the next (1) or the last (-1) target of the cell.

        The targets are counted round: 0 is the cell as a whole, then come its stops if the tool has
        some here; otherwise its sides, then its corners.
        """
        if self.cell is None:
            self.cell = self._first_cell()
        stop_count = len(self._stops())
        if stop_count:
            number = 0
            if self.stop is not None:
                number = self.stop + 1
            number = (number + step) % (stop_count + 1)
            self.stop = None
            if number > 0:
                self.stop = number - 1
        else:
            self._choose_side_or_corner(step)
        self._show()

    def _choose_side_or_corner(self, step: int) -> None:
        """Choose the next or the last of: the cell as a whole, its sides, its corners.

        Corners are offered on maps with heights at corners; sides on maps with hexsides, and where
        there are no corners to offer.
        """
        system = self._widget.document.battlemap.system
        has_corners = system.corner_heights is not None
        has_sides = system.hexside is not None or not has_corners
        side_count = 0
        if has_sides:
            side_count = self._grid.degree
        corner_count = 0
        if has_corners:
            corner_count = self._grid.degree

        number = 0
        if self.side is not None:
            number = 1 + self.side
        if self.corner is not None:
            number = 1 + side_count + self.corner
        number = (number + step) % (1 + side_count + corner_count)

        self.side = None
        self.corner = None
        if number > side_count:
            self.corner = number - side_count - 1
        elif number > 0:
            self.side = number - 1

    def _stops(self) -> tuple[tuple[float, float, str], ...]:
        """Return the points of the cell that the tool offers, as (x, y, text): ``Tool.stops``."""
        tool = self._active_tool.chosen
        if tool is None or self.cell is None:
            return ()
        return tool.stops(self._widget.document.battlemap, self.cell)

    def _stop(self) -> tuple[float, float, str] | None:
        """Return the chosen stop, None for none; the tool may offer fewer by now."""
        if self.stop is None:
            return None
        stops = self._stops()
        if self.stop >= len(stops):
            return None
        return stops[self.stop]

    def _show(self) -> None:
        """Bring the cursor into view, point the tool at it, and announce what is there."""
        assert self.cell is not None
        active_tool = self._active_tool
        self._pan_to(self.cell)
        self._point()
        if active_tool.in_stroke and active_tool.pointer is not None:
            active_tool.touch(active_tool.pointer)
        active_tool.preview_outdated.emit()
        self._announce()

    def _pan_to(self, cell: int) -> None:
        """Pan the view as little as needed to show a cell with half a map unit around it."""
        widget = self._widget
        box = widget.viewport.cell_rect(self._grid, cell, 0.5)
        view = QRectF(widget.rect())
        right = max(view.left() - box.left(), 0) + min(view.right() - box.right(), 0)
        down = max(view.top() - box.top(), 0) + min(view.bottom() - box.bottom(), 0)
        widget.pan(round(right), round(down))

    def _point(self) -> None:
        """Point the tool at the cursor: at the chosen stop, side or corner, or at the cell."""
        from app.tools import Pointer

        assert self.cell is not None
        grid = self._grid
        stop = self._stop()
        if stop is None:
            x, y = grid.centre(self.cell)
        else:
            x, y, _text = stop
        if self.side is not None:
            hit = Hit(self.cell, self.side, depth=ALONG_SIDE)
            first_x, first_y = grid.layout.corners[self.side]
            second_x, second_y = grid.layout.corners[(self.side + 1) % grid.degree]
            x += (first_x + second_x) / 2 * ALONG_SIDE
            y += (first_y + second_y) / 2 * ALONG_SIDE
        else:
            corner = -1
            if grid.has_corners:
                corner = int(corners_of(grid, np.array([self.cell]))[0, self.corner or 0])
            hit = Hit(self.cell, side=0, depth=0.0, corner=corner)
        self._active_tool.point_at(Pointer(hit, x, y, scale=self._widget.viewport.scale))

    def _announce(self) -> None:
        """Tell a screen reader what is at the cursor, and what the tool notes about it."""
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
            self.cell = self._first_cell()
        self._point()
        if tool is None or tool.pans or active_tool.pointer is None:
            return
        if active_tool.in_stroke:
            active_tool.end_stroke()
        else:
            has_begun = active_tool.begin_stroke(active_tool.pointer)
            if has_begun and not stay_in_stroke and not tool.spans:
                active_tool.end_stroke()
        active_tool.preview_outdated.emit()
        self._announce()


def next_cell(grid: Grid, cell: int, right: int, down: int) -> int:
    """Return the cell one step to the right and down on the screen; ``cell`` itself at the rim.

    ``right`` and ``down`` are -1, 0 or 1.
    """
    x, y = grid.xy(cell)
    if grid.degree == 6 and right and down:
        # The diagonal neighbours of a hex are not at (x + right, y + down) in all columns or rows.
        next_in_row_or_column = -1
    elif grid.layout.shear is Shear.OBLIQUE:
        # y counts upwards, and a row begins half a cell farther right than the one below it. To go
        # straight up on the screen, x goes back by one in every second row.
        new_y = y - down
        new_x = x + right - ((new_y >> 1) - (y >> 1))
        next_in_row_or_column = grid.cell(new_x, new_y)
    else:
        next_in_row_or_column = grid.cell(x + right, y + down)
    if next_in_row_or_column >= 0:
        return next_in_row_or_column

    # At the edge of a board that is not a rectangle a neighbour may go on in nearly that direction.
    neighbour = _neighbour_towards(grid, cell, right, down)
    if neighbour >= 0:
        return neighbour
    return cell


def _neighbour_towards(grid: Grid, cell: int, right: int, down: int) -> int:
    """Return the neighbour whose direction is most like the given one, -1 if none is.

    The likeness of two directions is the cosine of the angle between them, see ``LEAST_LIKENESS``.
    """
    (qx, qy), (rx, ry) = grid.layout.basis
    best_neighbour = -1
    best_likeness = LEAST_LIKENESS
    for side, (q, r) in enumerate(grid.layout.steps):
        neighbour = grid.neighbour(cell, side)
        x = q * qx + r * rx
        y = q * qy + r * ry
        likeness = (x * right + y * down) / (math.hypot(x, y) * math.hypot(right, down))
        if neighbour >= 0 and likeness > best_likeness:
            best_neighbour = neighbour
            best_likeness = likeness
    return best_neighbour
