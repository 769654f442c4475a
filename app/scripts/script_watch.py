"""Watches whether another program writes the file of the script shown, and reads it then."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

from app.background.jobs import Job
from app.qt_guard import connect
from app.scripts.shown_script import ShownScript, read_known
from randomizer.generator import Progress
from randomizer.model.problems import Problem
from randomizer.storage.known_file import FileChange, KnownFile

REST_MS = 50
"""How long size and time of a file stay the same before it is read: programs write in pieces, and
may put another file in the place of the old one."""

GONE_AFTER = 6
"""How many times ``REST_MS`` a file may be missing: some programs remove the old one first."""

Found = tuple[ShownScript, KnownFile | None] | None
"""The script in a file and what is known of the file; None: it has not changed."""


class ScriptWatch(QObject):
    """Watches one file at a time.

    ``changed(ShownScript, KnownFile | None)``: it holds something else now. ``gone()``: it is not
    there any more. ``failed(problems)``: it cannot be read any more.
    """

    changed = Signal(object, object)
    gone = Signal()
    failed = Signal(object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._watcher: QFileSystemWatcher | None = None
        self._path: Path | None = None
        self._known: KnownFile | None = None
        self._seen: tuple[int, int] | None = None
        self._missed = 0
        self._job: Job | None = None
        self._timer = QTimer(self, singleShot=True, interval=REST_MS)
        connect(self._timer.timeout, self._rested)

    def watch(self, path: Path | None, known: KnownFile | None) -> None:
        """Watch this file from now on (None: none); ``known`` is what it held when it was read."""
        self._known = known
        if path != self._path:
            self._path = path
            self._timer.stop()
            if self._watcher is not None:
                self._watcher.deleteLater()
                self._watcher = None
            if path is not None:
                self._watcher = QFileSystemWatcher(self)
                # The folder changes when another file takes the place of this one.
                connect(self._watcher.directoryChanged, self.look)
                connect(self._watcher.fileChanged, self.look)
                self._watcher.addPaths([str(path.parent), str(path)])

    def look(self) -> None:
        """The file may have changed: wait until it stays the same, then read it."""
        if self._path is not None and not self._timer.isActive():
            self._seen = self._size_and_time()
            self._missed = 0
            self._timer.start()

    def _size_and_time(self) -> tuple[int, int] | None:
        assert self._path is not None
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_size, found.st_mtime_ns

    def _rested(self) -> None:
        now = self._size_and_time()
        self._missed = self._missed + 1 if now is None else 0
        if now != self._seen or 0 < self._missed < GONE_AFTER or self._job is not None:
            self._seen = now
            self._timer.start()
            return
        path, known = self._path, self._known
        assert path is not None
        if now is None:
            self.gone.emit()
            return
        if self._watcher is not None and str(path) not in self._watcher.files():
            self._watcher.addPath(str(path))

        def work(_progress: Progress, _cancelled: Callable[[], bool]) -> Found:
            if known is not None and known.change() is FileChange.NOTHING:
                return None
            return read_known(path)

        self._job = Job(work)
        # Bound methods are disconnected if this object goes before the job ends.
        connect(self._job.finished, self._tell)
        connect(self._job.failed, self._fail)
        self._job.start()

    def _tell(self, found: Found) -> None:
        self._job = None
        if found is not None and found[0].path == self._path:
            self.changed.emit(*found)

    def _fail(self, problems: tuple[Problem, ...]) -> None:
        self._job = None
        if problems[0].path == str(self._path):
            self.failed.emit(problems)
