"""Watches the files of a script, and reads them when another program has written them.

``ScriptDocument`` owns a ``ScriptWatch``; ``Scripts`` tells the user what has changed. Begin with
``watch`` and ``look``.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

from app.background.jobs import Job
from app.qt_guard import connect
from app.scripts.script import NO_SCRIPT, Script, read_script_file
from randomizer.catalog.catalog import further_files, read_further_texts
from randomizer.generator import Progress
from randomizer.model.problems import Problem
from randomizer.storage.disk.known_file import FileChange, KnownFile

REST_MS = 50
"""The time for which size and time of a file stay the same before it is read.

Programs write in pieces, and may replace the old file by another one.
"""

GONE_AFTER = 6
"""The number of looks, ``REST_MS`` apart, until a missing file is said to be gone.

Some programs remove the old file before they write the new one.
"""

Newer = tuple[Script, KnownFile | None] | None
"""A script that was read and what is known of its file; None if the file has not changed."""


class SizeAndTime(NamedTuple):
    """The size of a file and when it was modified, by which a change is noticed."""

    size: int
    """In bytes."""

    modified_ns: int
    """In nanoseconds, as the disk says."""


def _size_and_time(path: Path) -> SizeAndTime | None:
    """Return the size and time of a file, None if it is missing."""
    try:
        status = path.stat()
    except OSError:
        return None
    return SizeAndTime(status.st_size, status.st_mtime_ns)


class ScriptWatch(QObject):
    """Watches the script of one document: its file, and the further files that belong to it.

    When the system tells of a change, ``look`` waits until size and time of all files stay the same
    for a while; then a job reads them.
    """

    changed = Signal()
    """``newer`` or ``gone`` has changed."""

    failed = Signal(object)
    """The script cannot be read any more, for these problems."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.newer: Newer = None
        """The script that another program has written into the file, None if none has."""
        self.gone = False
        """True if the file is not there any more."""
        self._watcher: QFileSystemWatcher | None = None
        """The system's watcher, None if the script is in no file."""
        self._script = NO_SCRIPT
        """The script as it was read last."""
        self._path: Path | None = None
        """The file of the script, None if it is in none."""
        self._further: tuple[Path, ...] = ()
        """The further files that belong to the script."""
        self._known_file: KnownFile | None = None
        """What the script's own file held when it was read last."""
        self._last_sizes_and_times: tuple[SizeAndTime | None, ...] = ()
        """Size and time of all files at the last look, as ``_sizes_and_times``."""
        self._looks_without_file = 0
        """The number of looks in a row at which the script's own file was missing."""
        self._job: Job | None = None
        """The job that reads the files, None if none is under way."""
        self._timer = QTimer(self, singleShot=True, interval=REST_MS)
        connect(self._timer.timeout, self._look_again)

    def watch(self, script: Script, known_file: KnownFile | None) -> None:
        """Watch the files of a script from now on, or none if it has no file.

        ``known_file`` is what is known of its own file since that was read. ``newer`` and ``gone``
        are reset.
        """
        path = script.path
        further: tuple[Path, ...] = ()
        if path is not None:
            further = further_files(path, script.text)
        self._known_file = known_file
        self._script = script
        self.newer = None
        self.gone = False
        if (path, further) == (self._path, self._further):
            return
        self._path = path
        self._further = further
        self._timer.stop()
        if self._watcher is not None:
            self._watcher.deleteLater()
            self._watcher = None
        if path is not None:
            self._watcher = self._new_watcher(path, further)

    def _new_watcher(self, path: Path, further: tuple[Path, ...]) -> QFileSystemWatcher:
        """Return a watcher of the script's own file, its further ones, and all their folders.

        A folder changes when another file takes the place of one, or one comes.
        """
        watcher = QFileSystemWatcher(self)
        connect(watcher.directoryChanged, self.look)
        connect(watcher.fileChanged, self.look)
        paths = [path.parent]
        paths += [file.parent for file in further if file.parent.is_dir()]
        paths.append(path)
        paths += [file for file in further if file.exists()]
        watcher.addPaths([str(watched_path) for watched_path in dict.fromkeys(paths)])
        return watcher

    def look(self) -> None:
        """Look at a file that may have changed: wait until it stays the same, then read it."""
        if self._path is not None and not self._timer.isActive():
            self._last_sizes_and_times = self._sizes_and_times()
            self._looks_without_file = 0
            self._timer.start()

    def _sizes_and_times(self) -> tuple[SizeAndTime | None, ...]:
        """Return size and time of the script's own file, then of further ones; None if missing."""
        assert self._path is not None
        return tuple(map(_size_and_time, (self._path, *self._further)))

    def _look_again(self) -> None:
        """Read the files if they stayed the same for a while, or tell that the script's is gone.

        Otherwise wait once more. A file that is missing is only gone when it has been missing
        several times in a row.
        """
        sizes_and_times = self._sizes_and_times()
        is_missing = sizes_and_times[0] is None
        if is_missing:
            self._looks_without_file += 1
        else:
            self._looks_without_file = 0
        is_perhaps_gone = 0 < self._looks_without_file < GONE_AFTER
        is_changing = sizes_and_times != self._last_sizes_and_times
        if is_changing or is_perhaps_gone or self._job is not None:
            self._last_sizes_and_times = sizes_and_times
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
        """Watch files again that the watcher has lost, since others have replaced them."""
        if self._watcher is None or self._path is None:
            return
        existing = {str(path) for path in self._further if path.exists()}
        existing.add(str(self._path))
        unwatched = existing - set(self._watcher.files())
        if unwatched:
            self._watcher.addPaths(sorted(unwatched))

    def _read(self) -> None:
        """Read the script's files in a job; ``changed`` is emitted if they have changed."""
        path = self._path
        known_file = self._known_file
        script = self._script
        assert path is not None

        def work(_progress: Progress, _cancelled: Callable[[], bool]) -> Newer:
            is_unchanged = known_file is not None and known_file.change() is FileChange.NOTHING
            if is_unchanged and read_further_texts(path, script.text) == script.texts:
                return None
            return read_script_file(path)

        self._job = Job(work)
        # Bound methods are disconnected if this object goes before the job ends.
        connect(self._job.finished, self._take)
        connect(self._job.failed, self._fail)
        self._job.start()

    def _take(self, newer: Newer) -> None:
        """Set ``newer`` to what was read, unless another file is watched by now."""
        self._job = None
        if newer is None:
            return
        script, _known_file = newer
        if script.path == self._path:
            self.newer = newer
            self.gone = False
            self.changed.emit()

    def _fail(self, problems: tuple[Problem, ...]) -> None:
        """Emit ``failed``, unless another file is watched by now."""
        self._job = None
        if problems[0].path == str(self._path):
            self.failed.emit(problems)
