"""The menu Map > Compare with: another open map, or a file."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.background.actions import result
from app.background.jobs import Job
from app.commands.commands import Command, slug
from app.desk.desk import Desk
from app.document.map_files import reading
from app.qt_guard import connect
from app.widgets.dialogs.files import choose_file
from app.widgets.dialogs.problem_dialog import tell_problems
from randomizer.catalog.catalog import formats
from randomizer.model.grid.cell_words import escaped
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import ProblemError

if TYPE_CHECKING:
    from app.document.open_map import OpenMap
    from app.features.compare.window import CompareWindow


SOURCE = "map.compare-with.*"
"""The place of the commands that are found when the menu opens."""


class CompareController(QObject):
    """Opens a window that compares the current map."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._listed: list[OpenMap] = []
        connect(desk.document.maps_changed, self._forget_closed)

    def _forget_closed(self) -> None:
        """Take maps that were closed out of the menu, whose commands hold them."""
        if not set(self._listed) <= set(self._desk.document.maps):
            self._desk.commands.fill(SOURCE)

    def commands(self) -> list[Command]:
        """Return the other open maps, and a file."""
        document = self._desk.document
        self._listed = other_maps = [
            open_map for open_map in document.maps if open_map is not document.current_map
        ]
        menu_name = "map.compare-with"
        return [
            *(
                Command(
                    f"{menu_name}.{number}.{slug(document.name_of(other_map))}",
                    escaped(document.name_of(other_map).replace("&", "&&")),
                    partial(self.show, other_map, document.name_of(other_map)),
                )
                for number, other_map in enumerate(other_maps)
            ),
            Command(f"{menu_name}.a-file", "A &file...", self.with_file),
        ]

    async def with_file(self) -> None:
        """Ask for a file and compare the current map with the one in it."""
        document = self._desk.document
        open_map = document.current_map
        suffixes = (
            f"*{end}"
            for file_format in formats()
            if file_format.readable
            for end in file_format.suffixes
        )
        choice = choose_file(
            self._desk.frame,
            "Compare with",
            self._desk.settings.last_directory,
            f"Maps ({' '.join(suffixes)});;All files (*)",
        )
        path = await document.while_open(open_map, choice)
        if path is None:
            return
        self._desk.settings.last_directory = str(path.parent)
        with tell_problems(self._desk.frame, f"Cannot open {path.name}"):
            read = await document.while_open(open_map, result(Job(reading(path))))
            theirs = read.result.battlemap
            if theirs is None:
                raise ProblemError(read.result.problems)
        document.make_current(open_map)
        self.show(theirs, path.name)

    def show(
        self,
        theirs: OpenMap | BattleMap,
        name: str,
        ours: tuple[BattleMap, str] | None = None,
    ) -> CompareWindow:
        """Compare the current map, or ``ours`` (a map and its name), with ``theirs``."""
        from app.features.compare.window import CompareWindow

        desk = self._desk
        opened = CompareWindow(desk.document, theirs, name, desk.renderer, desk.frame, ours=ours)
        opened.show()
        return opened


def make(desk: Desk) -> None:
    """Make the comparing of maps, with the menu of what can be compared."""
    desk.compare = compare = CompareController(desk)
    desk.commands.add_source(SOURCE, compare.commands)
