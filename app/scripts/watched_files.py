"""Files that other programs may write, watched until they have come to rest: ``WatchedFiles``.

The operating system tells at once of each change, when a file may be half written, or removed to be
replaced in a moment. So a change only begins a series of *looks*, ``REST_MS`` apart, at the size
and time of all files. The series ends with one of two signals: ``settled`` when two looks in a row
saw the same, and ``gone`` when the main file was missing at several.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

from app.qt_guard import connect

REST_MS = 50
"""The time for which size and time of a file stay the same before it is settled.

Programs write in pieces, and may replace the old file by another one. If it is longer, the user
waits longer for what was saved elsewhere; if it is shorter, half of a file is read.
"""

GONE_AFTER = 6
"""The number of looks, ``REST_MS`` apart, until a missing file is said to be gone.

Some programs remove the old file before they write the new one.
"""


class SizeAndTime(NamedTuple):
    """The size of a file and when it was modified, by which a change is noticed."""

    size: int
    """In bytes."""

    modified_ns: int
    """In nanoseconds, as the disk says."""


class WatchedFiles(QObject):
    """A main file, further ones that belong to it, and the system's watcher of all of them."""

    settled = Signal()
    """A file may have changed, and all have come to rest; the main file exists."""

    gone = Signal()
    """The main file is not there any more."""

    def __init__(self, path: Path, further: tuple[Path, ...], parent: QObject) -> None:
        super().__init__(parent)
        self.path = path
        """The main file."""
        self.further = further
        """The other files, which need not exist."""
        self._last_look: tuple[SizeAndTime | None, ...] = ()
        """Size and time of all files at the last look of a series, as ``_sizes_and_times``."""
        self._looks_without_file = 0
        """The number of looks in a row at which the main file was missing."""
        self._timer = QTimer(self, singleShot=True, interval=REST_MS)
        """Runs from one look of a series to the next."""
        self._watcher = QFileSystemWatcher(self)
        self._watch_all()
        connect(self._timer.timeout, self._on_timer)
        connect(self._watcher.directoryChanged, self.look)
        connect(self._watcher.fileChanged, self.look)

    def _watch_all(self) -> None:
        """Watch all files that exist, and all their folders.

        A folder changes when a file comes, or when another one takes the place of one. A folder
        that is made later is not watched.
        """
        paths = [self.path.parent]
        paths += [file.parent for file in self.further if file.parent.is_dir()]
        paths.append(self.path)
        paths += [file for file in self.further if file.exists()]
        self._watcher.addPaths([str(path) for path in dict.fromkeys(paths)])

    def look(self) -> None:
        """Begin a series of looks, unless one is under way: a file may have changed."""
        if not self._timer.isActive():
            self._last_look = self._sizes_and_times()
            self._looks_without_file = 0
            self._timer.start()

    def close(self) -> None:
        """Watch no more; no signal follows.

        Within a nested event loop this object lives on for a while, and its watcher goes on.
        """
        self.blockSignals(True)
        self._timer.stop()
        self.deleteLater()

    def _sizes_and_times(self) -> tuple[SizeAndTime | None, ...]:
        """Return size and time of the main file, then of further ones; None for missing ones."""
        return tuple(_size_and_time(path) for path in (self.path, *self.further))

    def _on_timer(self) -> None:
        """Take the next look of a series, which ends the series or calls for another one."""
        sizes_and_times = self._sizes_and_times()
        is_changing = sizes_and_times != self._last_look
        self._last_look = sizes_and_times
        is_missing = sizes_and_times[0] is None
        if is_missing:
            self._looks_without_file += 1
        else:
            self._looks_without_file = 0

        may_come_back = is_missing and self._looks_without_file < GONE_AFTER
        if is_changing or may_come_back:
            self._timer.start()
        elif is_missing:
            self.gone.emit()
        else:
            self._watch_replaced_files()
            self.settled.emit()

    def _watch_replaced_files(self) -> None:
        """Watch files again that the watcher has lost, since others have replaced them."""
        existing = {str(path) for path in self.further if path.exists()}
        existing.add(str(self.path))
        unwatched = existing - set(self._watcher.files())
        if unwatched:
            self._watcher.addPaths(sorted(unwatched))


def _size_and_time(path: Path) -> SizeAndTime | None:
    """Return the size and time of a file, None if it is missing."""
    try:
        status = path.stat()
    except OSError:
        return None
    return SizeAndTime(status.st_size, status.st_mtime_ns)
