"""Watches whether another program writes the file of a script, and reads it then."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

from app.background.jobs import Job
from app.qt_guard import connect
from app.scripts.script import NO_SCRIPT, Script, read_script_file
from randomizer.catalog.catalog import further_files, read_further_texts
from randomizer.generator import Progress
from randomizer.model.problems import Problem
from randomizer.storage.disk.known_file import FileChange, KnownFile

REST_MS = 50
"""How long size and time of a file stay the same before it is read: programs write in pieces, and
may put another file in the place of the old one."""

GONE_AFTER = 6
"""How many times ``REST_MS`` a file may be missing: some programs remove the old one first."""

Newer = tuple[Script, KnownFile | None] | None
"""The script in a file and what is known of the file; None: it has not changed."""


def _size_and_time(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns


class ScriptWatch(QObject):
    """Watches the script of one document: its file, and the further files that belong to it.

    ``newer`` is what it holds since another program has written it, None if none has. With ``gone``
    it is not there any more. ``changed()``: one of these has. ``failed(problems)``: it cannot be
    read any more.
    """

    changed = Signal()
    failed = Signal(object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._watcher: QFileSystemWatcher | None = None
        self._script = NO_SCRIPT
        self._path: Path | None = None
        self.newer: Newer = None
        self.gone = False
        self._further: tuple[Path, ...] = ()
        self._known: KnownFile | None = None
        self._seen: tuple[tuple[int, int] | None, ...] = ()
        self._missed = 0
        self._job: Job | None = None
        self._timer = QTimer(self, singleShot=True, interval=REST_MS)
        connect(self._timer.timeout, self._rested)

    def watch(self, script: Script, known_file: KnownFile | None) -> None:
        """Watch the files of this script, if it is in one, from now on.

        ``known_file`` is what its own file held when it was read.
        """
        path = script.path
        further = () if path is None else further_files(path, script.text)
        folders = dict.fromkeys(further_path.parent for further_path in further)
        self._known = known_file
        self._script = script
        self.newer = None
        self.gone = False
        if (path, further) != (self._path, self._further):
            self._path = path
            self._further = further
            self._timer.stop()
            if self._watcher is not None:
                self._watcher.deleteLater()
                self._watcher = None
            if path is not None:
                self._watcher = QFileSystemWatcher(self)
                # A folder changes when another file takes the place of one, or one comes.
                connect(self._watcher.directoryChanged, self.look)
                connect(self._watcher.fileChanged, self.look)
                existing = [str(further_path) for further_path in further if further_path.exists()]
                watched_paths = [
                    path.parent,
                    *(folder for folder in folders if folder.is_dir()),
                    path,
                ]
                self._watcher.addPaths([*dict.fromkeys(map(str, watched_paths)), *existing])

    def look(self) -> None:
        """Look at a file that may have changed: wait until it stays the same, then read it."""
        if self._path is not None and not self._timer.isActive():
            self._seen = self._sizes_and_times()
            self._missed = 0
            self._timer.start()

    def _sizes_and_times(self) -> tuple[tuple[int, int] | None, ...]:
        """Return size and time of the script's own file, then of further ones; None if missing."""
        assert self._path is not None
        return tuple(map(_size_and_time, (self._path, *self._further)))

    def _rested(self) -> None:
        """Read the files if they stayed the same for a while, or tell that the script's is gone.

        Otherwise wait once more. A file that is missing is only gone when it has been missing
        several times in a row.
        """
        now = self._sizes_and_times()
        is_missing = now[0] is None
        if is_missing:
            self._missed += 1
        else:
            self._missed = 0
        is_perhaps_gone = 0 < self._missed < GONE_AFTER
        if now != self._seen or is_perhaps_gone or self._job is not None:
            self._seen = now
            self._timer.start()
            return
        if is_missing:
            self.newer = None
            self.gone = True
            self.changed.emit()
            return
        self._watch_replaced_files()
        self._read()

    def _watch_replaced_files(self) -> None:
        """Watch again what the watcher has lost: files that others took the place of."""
        if self._watcher is None or self._path is None:
            return
        existing = {str(path) for path in self._further if path.exists()}
        existing.add(str(self._path))
        unwatched = existing - set(self._watcher.files())
        if unwatched:
            self._watcher.addPaths(sorted(unwatched))

    def _read(self) -> None:
        """Read the script's files as a job; ``changed`` tells if they hold something new."""
        path = self._path
        known_file = self._known
        script = self._script
        assert path is not None

        def work(_progress: Progress, _cancelled: Callable[[], bool]) -> Newer:
            unchanged = known_file is not None and known_file.change() is FileChange.NOTHING
            if unchanged and read_further_texts(path, script.text) == script.texts:
                return None
            return read_script_file(path)

        self._job = Job(work)
        # Bound methods are disconnected if this object goes before the job ends.
        connect(self._job.finished, self._tell)
        connect(self._job.failed, self._fail)
        self._job.start()

    def _tell(self, result: Newer) -> None:
        """Tell of what was read, unless another file is watched by now."""
        self._job = None
        if result is not None and result[0].path == self._path:
            self.newer = result
            self.gone = False
            self.changed.emit()

    def _fail(self, problems: tuple[Problem, ...]) -> None:
        self._job = None
        if problems[0].path == str(self._path):
            self.failed.emit(problems)
