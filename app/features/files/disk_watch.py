"""Tells when another program changed the file of the current map, and reads it again if wanted."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QToolBar

from app.background.jobs import Job
from app.desk.desk import Desk
from app.document.map_files import FileRead, reading
from app.qt_guard import connect, guarded
from app.widgets.dialogs.problem_dialog import show_problems
from app.widgets.layout.banner import Banner
from app.widgets.layout.builders import add_to_bar
from randomizer.model.edits.edit import Reshape, Shape
from randomizer.storage.disk.known_file import FileChange, KnownFile

if TYPE_CHECKING:
    from app.document.open_map import OpenMap

_WORDS = {
    FileChange.CHANGED: "Another program has changed {}.",
    FileChange.GONE: "{} is not there any more: Save writes it again.",
}


class DiskWatch(QObject):
    """Looks at the file of the current map whenever the window or the map becomes active."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self.banner = Banner("Reload", "Read the file again; Undo brings back what is here now")
        self.banner.setAccessibleName("The file on disk")
        connect(self.banner.accepted, self.reload)
        bar = QToolBar("The file on disk")
        bar.setObjectName("disk")
        bar.setMovable(False)
        bar.toggleViewAction().setVisible(False)
        self._shown = (bar, add_to_bar(bar, self.banner))  # only its action shows a bar's widget
        bar.hide()
        desk.frame.addToolBarBreak()
        desk.frame.addToolBar(bar)
        desk.frame.installEventFilter(self)
        connect(desk.document.map_replaced, self.look)
        connect(desk.document.path_changed, self.look)

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Look at the file when the window is used again."""
        if event.type() == QEvent.Type.WindowActivate:
            self.look()
        return super().eventFilter(watched, event)

    def look(self) -> None:
        """Say so if the file is not as it was; a disk that sleeps keeps nobody waiting."""
        current = self._desk.document.current_map
        known_file = current.known_file
        if known_file is None:
            self._say(current, FileChange.NOTHING)
            return
        job = Job(lambda *_: (current, known_file, known_file.change()))
        connect(job.finished, self._tell)  # a bound method: it is disconnected with the window
        job.start()

    def _tell(self, result: tuple[OpenMap, KnownFile, FileChange]) -> None:
        current, known_file, change = result
        if current is self._desk.document.current_map and current.known_file is known_file:
            self._say(current, change)

    def _say(self, current: OpenMap, change: FileChange) -> None:
        text = _WORDS.get(change, "")
        self.banner.say(text.format("" if current.path is None else current.path.name))
        self.banner.button.setVisible(change is FileChange.CHANGED)
        for part in self._shown:
            part.setVisible(bool(text))

    def reload(self) -> None:
        """Read the file again. What is here now comes back by Undo."""
        current = self._desk.document.current_map
        if current.path is not None:
            job = Job(reading(current.path, looks=self._desk.settings.program_terrains))
            connect(job.finished, partial(self._reloaded, current))
            connect(job.failed, partial(show_problems, self._desk.frame, "Cannot reload"))
            job.start()

    def _reloaded(self, current: OpenMap, read: FileRead) -> None:
        document = self._desk.document
        result = read.result
        if current is not document.current_map or current.path is None:
            return
        if result.problems:
            show_problems(self._desk.frame, f"Problems in {current.path.name}", result.problems)
        if result.battlemap is None:
            return
        if result.battlemap.system is not current.battlemap.system:
            self._desk.files.open_copy(current.path)
            return
        edit = Reshape(Shape.of(current.battlemap), Shape.of(result.battlemap))
        if document.push(edit, f"Reload {current.path.name}"):
            current.known_file = read.known_file
            document.set_path(current.path)
