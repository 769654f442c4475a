"""The menu Map > Compare with: another open map, or a file."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from app.background.jobs import Job
from app.document.map_files import reading
from app.widgets.problem_dialog import show_problems
from randomizer.catalog import formats

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMenu

    from app.document.open_map import OpenMap
    from app.features.compare.window import CompareWindow
    from app.window import MainWindow
    from randomizer.formats import ReadResult
    from randomizer.model.battlemap import BattleMap


class CompareCommands(QObject):
    """Opens windows that compare the map in front with another."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window

    def fill(self, menu: QMenu) -> None:
        """Fill the menu with the other open maps and "A file"."""
        document = self._window.document
        menu.clear()
        for other in document.maps:
            if other is not document.front:
                name = document.name_of(other).replace("&", "&&")
                menu.addAction(name).triggered.connect(partial(self._with_open_map, other))
        menu.addAction("A &file...").triggered.connect(lambda _checked=False: self.with_file())

    def _with_open_map(self, other: OpenMap, _checked: bool = False) -> None:
        self.show(other, self._window.document.name_of(other))

    def with_file(self) -> None:
        """Ask for a file and compare with the map in it."""
        suffixes = (f"*{end}" for known in formats() if known.readable for end in known.suffixes)
        name, _ = QFileDialog.getOpenFileName(
            self._window,
            "Compare with",
            self._window.settings.last_directory,
            f"Maps ({' '.join(suffixes)});;All files (*)",
        )
        if name:
            self.with_path(Path(name))

    def with_path(self, path: Path) -> None:
        """Compare with the map in a file."""
        job = Job(reading(path))
        job.finished.connect(lambda found: self._read(path, found[0]))
        job.failed.connect(partial(show_problems, self._window, f"Cannot open {path.name}"))
        job.start()

    def _read(self, path: Path, result: ReadResult) -> None:
        if result.battlemap is None:
            show_problems(self._window, f"Cannot open {path.name}", result.problems)
        else:
            self.show(result.battlemap, path.name)

    def show(
        self,
        theirs: OpenMap | BattleMap,
        name: str,
        ours: tuple[BattleMap, str] | None = None,
    ) -> CompareWindow:
        """Compare the map in front, or ``ours`` (a map and its name), with ``theirs``."""
        from app.features.compare.window import CompareWindow

        window = self._window
        opened = CompareWindow(window.document, theirs, name, window.renderer, window, ours=ours)
        opened.show()
        return opened
