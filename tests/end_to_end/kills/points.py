"""The points at which a desk can be killed: before, amid and after all that changes the disk.

    Points(root, reached)         # reached(Point("rename", "before", "map.battlemap")) ...

Calls of Python are watched, on all threads: opening for writing, writing (also when half of the
bytes are written), fsync, rename, unlink, chmod, mkdir, rmdir, and of sqlite every statement that
changes something, COMMIT, checkpoint and close. For that, functions of ``os``, ``io`` and
``sqlite3`` are replaced by methods of ``Points``.
"""

from __future__ import annotations

import builtins
import io
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from threading import RLock
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

KINDS = (
    "open", "write", "fsync", "rename", "unlink", "chmod", "mkdir", "rmdir",
    "statement", "commit", "checkpoint", "close",
)  # fmt: skip
"""The kinds of changes."""

_CALLS = {
    "replace": "rename", "rename": "rename", "unlink": "unlink", "remove": "unlink",
    "chmod": "chmod", "mkdir": "mkdir", "rmdir": "rmdir", "fsync": "fsync",
}  # fmt: skip
"""The functions of ``os`` that change the disk at once, and the kinds of their changes."""

_WRITING = os.O_WRONLY | os.O_RDWR
"""The flags of ``os.open``, one of which a file that is written has."""


class Point(NamedTuple):
    """A point of time at which a desk can be killed."""

    kind: str
    """The kind of the change, one of ``KINDS``."""
    when: str
    """"before", "amid" or "after" the change."""
    name: str
    """The name of the file that is changed, without its folder."""


class Points:
    """Calls ``reached`` at every point below the folder ``root``, on the thread that is there.

    It does so for the rest of the process, which is to be killed.
    """

    def __init__(self, root: Path, reached: Callable[[Point], None]) -> None:
        self._root = os.path.realpath(root)
        self._reached = reached
        self._lock = RLock()
        self._paths: dict[int, str] = {}
        """The paths of open files and folders below the root, by their handles."""
        self._is_reached = False
        """True while ``reached`` runs: what it writes itself is no point."""
        self._real_open = os.open
        self._real_io_open = io.open
        self._real_write = os.write
        os.write = self._write  # type: ignore[assignment]
        os.open = self._open  # type: ignore[assignment]
        io.open = builtins.open = self._io_open  # type: ignore[assignment]
        for name, kind in _CALLS.items():
            setattr(os, name, self._watching(kind, getattr(os, name)))
        self._watch_sqlite()

    def reach(self, kind: str, when: str, path: str) -> None:
        """Tell that a point is reached in a change of the file at ``path``."""
        with self._lock:
            if self._is_reached:
                return
            self._is_reached = True
            try:
                self._reached(Point(kind, when, Path(path).name))
            finally:
                self._is_reached = False

    def watched_path(self, path: Any, dir_fd: int | None = None) -> str | None:
        """Return the absolute path of what a call is about, None if it is not below the root.

        ``path`` is a path or a handle; with ``dir_fd`` it is relative to that folder.
        """
        if isinstance(path, int):
            return self._paths.get(path)
        if dir_fd is not None:
            folder = self._paths.get(dir_fd)
            if folder is None:
                return None
            return f"{folder}/{os.fsdecode(path)}"
        absolute_path = os.path.abspath(os.fsdecode(path))  # noqa: PTH100 - no link is followed
        if not absolute_path.startswith(self._root):
            return None
        return absolute_path

    def _watching(self, kind: str, real: Any) -> Any:
        """Return a function that does what ``real`` does, with a point before and one after it."""

        def call(path: Any, *rest: Any, **options: Any) -> Any:
            watched_path = self.watched_path(path, options.get("dir_fd"))
            if watched_path is None:
                return real(path, *rest, **options)
            self.reach(kind, "before", watched_path)
            result = real(path, *rest, **options)
            self.reach(kind, "after", watched_path)
            return result

        return call

    def _open(self, path: Any, flags: int, *rest: Any, **options: Any) -> int:
        """Do what ``os.open`` does; opening for writing has a point before and one after it."""
        watched_path = self.watched_path(path, options.get("dir_fd"))
        if watched_path is not None and flags & _WRITING:
            self.reach("open", "before", watched_path)
        handle = self._real_open(path, flags, *rest, **options)
        self._paths.pop(handle, None)  # a handle that was closed is given again
        if watched_path is not None:
            self._paths[handle] = watched_path
            if flags & _WRITING:
                self.reach("open", "after", watched_path)
        return handle

    def _write(self, handle: int, data: Any) -> int:
        """Do what ``os.write`` does, in halves."""
        watched_path = self._paths.get(handle)
        if watched_path is None:
            return self._real_write(handle, data)
        return self.write_in_halves(data, lambda part: self._real_write(handle, part), watched_path)

    def write_in_halves(self, data: Any, write: Callable[[memoryview], int], path: str) -> int:
        """Write all of the data, with a point before, one amid and one after them.

        ``write`` writes some bytes and returns their number. Returns the number of all bytes.
        """
        data = memoryview(data).cast("B")
        written = 0
        for when, end in (("before", 0), ("amid", len(data) // 2), ("after", len(data))):
            while written < end:
                written += write(data[written:end])
            self.reach("write", when, path)
        return written

    def _io_open(
        self,
        file: Any,
        mode: str = "r",
        buffering: int = -1,
        encoding: str | None = None,
        errors: str | None = None,
        newline: str | None = None,
        closefd: bool = True,
        opener: Any = None,
    ) -> Any:
        """Do what ``open`` does; a file that is written is one that is written in halves."""
        watched_path = self.watched_path(file)
        if watched_path is None or not set(mode) & set("wax"):
            return self._real_io_open(
                file, mode, buffering, encoding, errors, newline, closefd, opener
            )
        assert "+" not in mode, mode
        is_new_handle = not isinstance(file, int)  # else ``os.open`` has told of it
        if is_new_handle:
            self.reach("open", "before", watched_path)
        raw = _WatchedFile(self, watched_path, file, mode.strip("bt"), closefd)
        self._paths[raw.fileno()] = watched_path
        if is_new_handle:
            self.reach("open", "after", watched_path)
        buffered = io.BufferedWriter(raw)
        if "b" in mode:
            return buffered
        return io.TextIOWrapper(buffered, encoding, errors, newline)

    def _watch_sqlite(self) -> None:
        """Let SQLite connect with connections that have points."""
        points = self
        real = sqlite3.connect

        class Watched(sqlite3.Connection):
            """A connection whose statements have a point before and one after them."""

            path = ""

            def _watch(self, statement: str, do: Callable[[], Any]) -> Any:
                kind = _kind_of(statement)
                if kind is None:
                    return do()
                points.reach(kind, "before", self.path)
                result = do()
                points.reach(kind, "after", self.path)
                return result

            def execute(self, statement: str, *rest: Any) -> Any:
                return self._watch(
                    statement, lambda: super(Watched, self).execute(statement, *rest)
                )

            def executemany(self, statement: str, *rest: Any) -> Any:
                return self._watch(
                    statement, lambda: super(Watched, self).executemany(statement, *rest)
                )

            def executescript(self, statements: str) -> Any:
                return self._watch("CREATE", lambda: super(Watched, self).executescript(statements))

            def close(self) -> None:
                self._watch("CLOSE", super().close)

        def connect(path: Any, *rest: Any, **options: Any) -> sqlite3.Connection:
            file = path
            if options.get("uri"):
                file = unquote(urlsplit(path).path)
            watched_path = points.watched_path(file)
            if watched_path is None:
                return real(path, *rest, **options)
            points.reach("open", "before", watched_path)
            connection = real(path, *rest, factory=Watched, **options)
            connection.path = watched_path
            points.reach("open", "after", watched_path)
            return connection

        sqlite3.connect = connect  # type: ignore[assignment]


def _kind_of(statement: str) -> str | None:
    """Return the kind of change that an SQL statement is, None for one that only reads."""
    word = statement.split(None, 1)[0].rstrip(";").upper()
    if word == "PRAGMA" and "checkpoint(" in statement:
        return "checkpoint"
    if word in ("PRAGMA", "SELECT"):
        return None
    if word in ("CLOSE", "COMMIT"):
        return word.lower()
    return "statement"


class _WatchedFile(io.FileIO):
    """A file of which half of what is written reaches the disk before the rest."""

    def __init__(self, points: Points, path: str, file: Any, mode: str, closefd: bool) -> None:
        super().__init__(file, mode, closefd)
        self._points = points
        self._path = path

    def write(self, data: Any) -> int:
        return self._points.write_in_halves(data, super().write, self._path)
