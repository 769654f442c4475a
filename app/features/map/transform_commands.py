"""Commands that turn, flip, resize and shift the whole map, each as one undo step."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMessageBox

from app.background.large_work import LargeWork
from randomizer.geometry.transform import Transformed, resized, shifted, turned_map
from randomizer.geometry.turn import Turn, left_right, top_bottom, turned
from randomizer.model.cell_words import cell_words
from randomizer.model.plurals import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.window import MainWindow
    from randomizer.model.layouts import Layout


class TransformCommands(QObject):
    """The commands of the menu Map that transform the map."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._work = LargeWork(window)

    def turn(self, steps: int) -> None:
        """Turn the map clockwise by so many sides."""
        self._turn(lambda layout: turned(layout, steps), "Turn right" if steps > 0 else "Turn left")

    def flip(self, *, upside_down: bool) -> None:
        """Mirror the map."""
        if upside_down:
            self._turn(top_bottom, "Flip vertically")
        else:
            self._turn(left_right, "Flip horizontally")

    def _turn(self, turn: Callable[[Layout], Turn], text: str) -> None:
        battlemap = self._window.document.battlemap
        self._run(partial(turned_map, battlemap, turn(battlemap.grid.layout)), text)

    def resize(self) -> None:
        """Ask for a size, then resize the map."""
        from app.features.map.transform_dialogs import ResizeDialog

        battlemap = self._window.document.battlemap
        if battlemap.system.fixed_grid:
            title = battlemap.system.title
            self._window.say(f"The board of a {title} has one size.")
            return
        dialog = ResizeDialog(battlemap.system, battlemap.grid, self._window)
        dialog.accepted.connect(
            lambda: self._run(partial(resized, battlemap, *dialog.size_asked()), "Resize")
        )
        dialog.open()

    def shift(self) -> None:
        """Ask how far, then shift the map."""
        from app.features.map.transform_dialogs import ShiftDialog

        battlemap = self._window.document.battlemap
        dialog = ShiftDialog(battlemap.grid, self._window)
        dialog.accepted.connect(
            lambda: self._run(partial(shifted, battlemap, *dialog.way_asked()), "Shift")
        )
        dialog.open()

    def _run(self, work: Callable[[], Transformed], text: str) -> None:
        self._work.run(text, work, partial(self._finish, text))

    def _finish(self, text: str, done: Transformed) -> None:
        """Push the edit; ask before if anything would be lost."""
        lost = counted(done.lost, *cell_words(self._window.document.battlemap.grid.layout))
        if done.lost:
            button = QMessageBox.StandardButton
            answer = QMessageBox.question(
                self._window,
                text,
                f"{text} takes what stands on {lost} off the board. Undo brings it back.\n\n"
                f"Do it all the same?",
                button.Yes | button.Cancel,
            )
            if answer != button.Yes:
                return
        self._window.document.push(done.edit, text)
        grid = self._window.document.battlemap.grid
        columns, rows = counted(grid.width, "column"), counted(grid.height, "row")
        said = f"{text}: the map has {columns} and {rows} now"
        self._window.say(f"{said}; what stood on {lost} was lost." if done.lost else f"{said}.")
