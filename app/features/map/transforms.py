"""Turn, flip, resize and shift the whole map. Each is one undo step."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMessageBox

from app.desk.large_work import LargeWork
from app.qt_guard import connect
from randomizer.geometry.transform import Transformed, resize_map, shift_map, turn_map
from randomizer.geometry.turn import Turn, left_right, rotation, top_bottom
from randomizer.model.grid.cell_text import cell_words
from randomizer.model.plurals import counted
from randomizer.storage.encoding import encode_edit

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.desk.desk import Desk
    from randomizer.model.grid.layouts import Layout


class Transforms(QObject):
    """Changes the shape of the current map; large maps off the UI thread."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._work = LargeWork(desk)

    def turn(self, steps: int) -> None:
        """Turn the map clockwise by so many sides."""
        self._turn(
            lambda layout: rotation(layout, steps), "Turn right" if steps > 0 else "Turn left"
        )

    def flip(self, *, upside_down: bool) -> None:
        """Mirror the map."""
        if upside_down:
            self._turn(top_bottom, "Flip vertically")
        else:
            self._turn(left_right, "Flip horizontally")

    def _turn(self, turn: Callable[[Layout], Turn], text: str) -> None:
        battlemap = self._desk.document.battlemap
        self._run(partial(turn_map, battlemap, turn(battlemap.grid.layout)), text)

    def why_not_resize(self) -> str:
        """Return why the map keeps its size, "" if it can have another."""
        fixed = self._desk.document.battlemap.system.fixed_grid
        return "The board of these maps has one size." if fixed else ""

    def resize(self) -> None:
        """Ask for a size, then resize the map."""
        from app.features.map.transform_dialogs import ResizeDialog

        battlemap = self._desk.document.battlemap
        dialog = ResizeDialog(battlemap.system, battlemap.grid, self._desk.frame)
        connect(
            dialog.accepted,
            lambda: self._run(partial(resize_map, battlemap, *dialog.read_size()), "Resize"),
        )
        dialog.open()

    def shift(self) -> None:
        """Ask how far, then shift the map."""
        from app.features.map.transform_dialogs import ShiftDialog

        battlemap = self._desk.document.battlemap
        dialog = ShiftDialog(battlemap.grid, self._desk.frame)
        connect(
            dialog.accepted,
            lambda: self._run(partial(shift_map, battlemap, *dialog.read_shift()), "Shift"),
        )
        dialog.open()

    def _run(self, work: Callable[[], Transformed], text: str) -> None:
        self._work.run(text, partial(_encoded, work), partial(self._finish, text))

    def _finish(self, text: str, done: Transformed) -> None:
        """Ask if anything would be lost; then do it."""
        words = cell_words(self._desk.document.battlemap.grid.layout)
        lost = counted(done.lost, words.cell, words.cells)
        if done.lost:
            button = QMessageBox.StandardButton
            answer = QMessageBox.question(
                self._desk.frame,
                text,
                f"{text} takes what stands on {lost} off the board. Undo brings it back.\n\n"
                f"Do it all the same?",
                button.Yes | button.Cancel,
            )
            if answer != button.Yes:
                return
        if not self._desk.document.push(done.edit, text):
            return
        grid = self._desk.document.battlemap.grid
        columns, rows = counted(grid.width, "column"), counted(grid.height, "row")
        message = f"{text}: the map has {columns} and {rows} now"
        self._desk.say(f"{message}; what stood on {lost} was lost." if done.lost else f"{message}.")


def _encoded(work: Callable[[], Transformed]) -> Transformed:
    """Return what ``work`` gives, when its planes have been deflated for the journal."""
    done = work()
    encode_edit(done.edit)
    return done
