"""The keyboard cursor: one cell (and maybe one of its sides) that the tools can be used on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

from randomizer.model.grid import Grid, Hit

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

    from app.canvas.canvas import MapCanvas
    from app.canvas.input import CanvasHand

Key = Qt.Key

WAYS = {
    Key.Key_Left: (-1, 0),
    Key.Key_Right: (1, 0),
    Key.Key_Up: (0, -1),
    Key.Key_Down: (0, 1),
    Key.Key_Home: (-1, -1),
    Key.Key_PageUp: (1, -1),
    Key.Key_End: (-1, 1),
    Key.Key_PageDown: (1, 1),
}
"""Right and down. Where hexes have no neighbour straight that way, the cursor goes in a zigzag."""

SIDE_KEYS = {Key.Key_Period: 1, Key.Key_Greater: 1, Key.Key_Comma: -1, Key.Key_Less: -1}

ALONG_SIDE = 0.9
"""A focused side is pointed at this far out from the middle of its cell."""


class CanvasKeys:
    """Where the keyboard is on the map. ``cell`` is None until a key asks for it."""

    def __init__(self, canvas: MapCanvas, hand: CanvasHand) -> None:
        self._canvas = canvas
        self._hand = hand
        self.cell: int | None = None
        self.side: int | None = None
        self._anchor: int | None = None
        canvas.document.map_replaced.connect(self._leave)

    def _leave(self) -> None:
        self.cell = self.side = self._anchor = None

    def hide(self) -> None:
        """The mouse is used again: no ring any more."""
        if self.cell is not None:
            self._leave()
            self._canvas.marks.renew_preview()

    def press(self, event: QKeyEvent) -> bool:
        """Move the cursor, choose a side, use the tool. Whether the key was one for that."""
        key, held = Key(event.key()), event.modifiers()
        shift = bool(held & Qt.KeyboardModifier.ShiftModifier)
        if key in WAYS:
            if held & Qt.KeyboardModifier.ControlModifier:
                self._pan(*WAYS[key])
            else:
                self._move(WAYS[key], extend=shift)
        elif key in SIDE_KEYS:
            self._turn(SIDE_KEYS[key])
        elif key in (Key.Key_Return, Key.Key_Enter):
            self._use(go_on=shift)
        else:
            return False
        return True

    def show(self) -> None:
        """Show the cursor where the mouse is, or amid what is in view, if it does not show yet."""
        if self.cell is None and self._hand.aim is None:
            self.cell = self._first()
            self._show()

    # --- moving -----------------------------------------------------------------------------

    def _pan(self, right: int, down: int) -> None:
        step = max(24, self._canvas.width() // 12)
        self._canvas.pan(-right * step, -down * step)

    def _first(self) -> int:
        """Where the cursor is when it first shows: under the mouse, else amid what is in view."""
        canvas, grid = self._canvas, self._canvas.document.battlemap.grid
        hit = self._hand.hit or canvas.hit_at(QRectF(canvas.rect()).center())
        return int(grid.cells[len(grid.cells) // 2]) if hit is None else hit.cell

    def _move(self, way: tuple[int, int], *, extend: bool) -> None:
        grid = self._canvas.document.battlemap.grid
        before = self.cell
        self.cell = self._first() if before is None else next_cell(grid, before, *way)
        if before is not None:
            self.side = None
        if extend:
            self._extend(self.cell if before is None else before)
        else:
            self._anchor = None
        self._show()

    def _extend(self, before: int) -> None:
        """Select the rectangle from where the Shift key was pressed."""
        from randomizer.geometry.shapes import rectangle

        if self._anchor is None:
            self._anchor = before
        assert self.cell is not None
        grid = self._canvas.document.battlemap.grid
        self._canvas.document.select(rectangle(grid, self._anchor, self.cell))

    def _turn(self, by: int) -> None:
        """The next side of the cell; after the last one the cell as a whole again."""
        degree = self._canvas.document.battlemap.grid.degree
        if self.cell is None:
            self.cell = self._first()
        number = ((-1 if self.side is None else self.side) + 1 + by) % (degree + 1)
        self.side = None if number == 0 else number - 1
        self._show()

    def _show(self) -> None:
        """Bring the cursor into view, point the hand at it, and say what is there."""
        assert self.cell is not None
        canvas, hand = self._canvas, self._hand
        rect = canvas.view.cell_rect(canvas.document.battlemap.grid, self.cell, 0.5)
        room = QRectF(canvas.rect())
        dx = max(room.left() - rect.left(), 0) + min(room.right() - rect.right(), 0)
        dy = max(room.top() - rect.top(), 0) + min(room.bottom() - rect.bottom(), 0)
        canvas.pan(round(dx), round(dy))
        self._point()
        if hand.in_stroke and hand.aim is not None:
            hand.touch(hand.aim)
        canvas.marks.renew_preview()
        self._say()

    def _point(self) -> None:
        from app.tools import Aim

        assert self.cell is not None
        grid = self._canvas.document.battlemap.grid
        x, y = grid.centre(self.cell)
        if self.side is None:
            self._hand.point_at(Aim(Hit(self.cell, 0, 0.0), x, y))
            return
        (ax, ay), (bx, by) = (grid.layout.corners[(self.side + n) % grid.degree] for n in (0, 1))
        half = ALONG_SIDE / 2
        aim = Aim(Hit(self.cell, self.side, ALONG_SIDE), x + (ax + bx) * half, y + (ay + by) * half)
        self._hand.point_at(aim)

    def _say(self) -> None:
        from app.features.status_bar.place_text import spoken

        assert self.cell is not None
        words = spoken(self._canvas.document, self.cell, self.side)
        self._canvas.setAccessibleDescription(words)
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._canvas, words))

    # --- using the tool ---------------------------------------------------------------------

    def _use(self, *, go_on: bool) -> None:
        """Use the tool here: at once, or (``go_on``, and tools that drag) from here to the next."""
        hand, tool = self._hand, self._canvas.tool
        if self.cell is None:
            self.cell = self._first()
        self._point()
        if tool is None or tool.pans or hand.aim is None:
            return
        if hand.in_stroke or (hand.begin(hand.aim) and not (go_on or tool.spans)):
            hand.end_stroke()
        self._canvas.marks.renew_preview()
        self._say()


def next_cell(grid: Grid, cell: int, right: int, down: int) -> int:
    """The cell that lies one step that way on the screen; the same one at the rim."""
    x, y = grid.xy(cell)
    slanting = grid.layout.shear == "oblique"
    if grid.degree == 6 and right and down:
        found = _towards(grid, cell, right, down)
    elif slanting:  # y counts upwards, every second row starts farther right
        to_y = y - down
        found = grid.cell(x + right - ((to_y >> 1) - (y >> 1)), to_y)
    else:
        found = grid.cell(x + right, y + down)
    if found < 0:  # round a corner of the board
        found = _towards(grid, cell, right, down)
    return cell if found < 0 else found


def _towards(grid: Grid, cell: int, right: int, down: int) -> int:
    """The neighbour that lies most nearly that way, -1 if none does."""
    (qx, qy), (rx, ry) = grid.layout.basis
    best, nearest = -1, 0.4
    for side, (q, r) in enumerate(grid.layout.steps):
        across = grid.neighbour(cell, side)
        x, y = q * qx + r * rx, q * qy + r * ry
        likeness = (x * right + y * down) / ((x * x + y * y) * (right * right + down * down)) ** 0.5
        if across >= 0 and likeness > nearest:
            best, nearest = across, likeness
    return best
