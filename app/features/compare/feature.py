"""The menu Map > Compare with: another open map, or a file."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from app.background.jobs import Job
from app.commands.commands import Command, slug
from app.desk.desk import Desk
from app.document.map_files import reading
from app.qt_guard import connect
from app.widgets.dialogs.problem_dialog import show_problems
from randomizer.catalog.catalog import formats
from randomizer.formats import ReadResult
from randomizer.model.grid.cell_text import escaped
from randomizer.model.map.battlemap import BattleMap

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
        self._listed = others = [each for each in document.maps if each is not document.current_map]
        place = "map.compare-with"
        return [
            *(
                Command(
                    f"{place}.{number}.{slug(document.name_of(other))}",
                    escaped(document.name_of(other).replace("&", "&&")),
                    partial(self.show, other, document.name_of(other)),
                )
                for number, other in enumerate(others)
            ),
            Command(f"{place}.a-file", "A &file...", self.with_file),
        ]

    def with_file(self) -> None:
        """Ask for a file and compare with the map in it."""
        suffixes = (
            f"*{end}"
            for file_format in formats()
            if file_format.readable
            for end in file_format.suffixes
        )
        name, _ = QFileDialog.getOpenFileName(
            self._desk.frame,
            "Compare with",
            self._desk.settings.last_directory,
            f"Maps ({' '.join(suffixes)});;All files (*)",
        )
        if name:
            self.with_path(Path(name))

    def with_path(self, path: Path) -> None:
        """Compare with the map in a file."""
        job = Job(reading(path))
        connect(job.finished, lambda read: self._read(path, read.result))
        connect(job.failed, partial(show_problems, self._desk.frame, f"Cannot open {path.name}"))
        job.start()

    def _read(self, path: Path, result: ReadResult) -> None:
        if result.battlemap is None:
            show_problems(self._desk.frame, f"Cannot open {path.name}", result.problems)
        else:
            self.show(result.battlemap, path.name)

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
