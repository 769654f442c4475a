"""Checks the map for problems, and puts the bar of problems below it.

``MapProblems`` finds the problems of the map. ``ProblemsBar`` shows those of all sources, of which
the map is one, and ``BarController`` connects it with the desk.
"""

from __future__ import annotations

from PySide6.QtCore import QObject

from app.commands.commands import Change, Command
from app.desk.desk import Desk
from app.features.problems.map_problems import MapProblems
from app.features.problems.problems_bar import ProblemsBar
from app.qt_guard import connect


class BarController(QObject):
    """Puts the bar of problems below the map, and connects it with the desk."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._bar = ProblemsBar(desk.problems, self._text_without_problems)
        desk.map_column.addWidget(self._bar)
        desk.theme.keep_up(self._bar.draw_icons)
        connect(desk.document.map_replaced, self._bar.show_problems)
        connect(self._bar.lists_shown, self._keep_view)
        for signal in (self._bar.opened, self._bar.presence_changed, desk.problems.added):
            connect(signal, self._refresh_commands)

    def command(self) -> Command:
        """Return the command that opens and closes the lists of the bar."""
        return Command(
            "view.problems",
            "P&roblems",
            self._toggle,
            tip="What is wrong with the map, its script or their game",
            keys="Ctrl+Shift+M",
            why_not=self._why_not_open,
            checked=lambda: self._bar.is_open,
            words="errors warnings check mistakes wrong",
        )

    def _toggle(self) -> None:
        """Open the lists, or close them."""
        if self._bar.is_open:
            self._bar.close_lists()
        else:
            self._bar.open()

    def _why_not_open(self) -> str:
        """Return why there are no lists to open; "" if there are some."""
        if self._bar.sources_with_problems:
            return ""
        return "There are no problems."

    def _text_without_problems(self) -> str:
        """Return the text of the bar for a map without problems, which names its game."""
        game = self._desk.document.battlemap.system.loading_game
        if not game:
            return "No problems"
        return f"No problems: {game} can load this map"

    def _keep_view(self, is_shown: bool) -> None:
        """Let no cell move under the mouse when the lists take room from the map."""
        self._desk.canvas.keeps_scale = is_shown

    def _refresh_commands(self) -> None:
        """Let the command show whether there are problems, and whether the lists are open."""
        self._desk.commands.refresh(Change.DESK)


def make(desk: Desk) -> None:
    """Check the map for problems, put the bar below it, and add the command that opens the bar."""
    MapProblems(desk)  # a child of the desk, with which it lives
    desk.commands.add([BarController(desk).command()])
