"""The points at which a desk can be killed: before, amid and after all that changes the disk.

Calls of Python are watched, on all threads: opening for writing, writing (also when half of the
bytes are written), fsync, rename, unlink, chmod, mkdir, rmdir, and of sqlite every statement that
changes something, COMMIT, checkpoint and close.
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
_CALLS = {
    "replace": "rename", "rename": "rename", "unlink": "unlink", "remove": "unlink",
    "chmod": "chmod", "mkdir": "mkdir", "rmdir": "rmdir", "fsync": "fsync",
}  # fmt: skip
_WRITING = os.O_WRONLY | os.O_RDWR


class Point(NamedTuple):
    """``kind`` of a change, ``when``: "before", "amid" or "after" it, and its file's name."""

    kind: str
    when: str
    name: str


class Points:
    """Calls ``reached`` at every point below the folder ``root``, on the thread that is there.

    For the rest of this process, which is to be killed.
    """

    def __init__(self, root: Path, reached: Callable[[Point], None]) -> None:
        self._root = os.path.realpath(root)
        self._reached = reached
        self._lock = RLock()
        self._names: dict[int, str] = {}  # of open files below the root
        self._inside = False
        self._real_open = os.open
        self._real_io_open = io.open
        self._real_write = os.write
        os.write = self._write  # type: ignore[assignment]
        os.open = self._open  # type: ignore[assignment]
        io.open = builtins.open = self._io_open  # type: ignore[assignment]
        for name, kind in _CALLS.items():
            setattr(os, name, self._watching(kind, getattr(os, name)))
        self._watch_sqlite()

    def at(self, kind: str, when: str, name: str) -> None:
        """Here is a point."""
        with self._lock:
            if not self._inside:
                self._inside = True
                try:
                    self._reached(Point(kind, when, Path(name).name))
                finally:
                    self._inside = False

    def _place(self, path: Any, dir_fd: int | None = None) -> str | None:
        """The path of what a call is about, None if that is not below the root."""
        if isinstance(path, int):
            return self._names.get(path)
        if dir_fd is not None:
            above = self._names.get(dir_fd)
            return None if above is None else f"{above}/{os.fsdecode(path)}"
        place = os.path.abspath(os.fsdecode(path))  # noqa: PTH100 - no link is followed
        return place if place.startswith(self._root) else None

    def _watching(self, kind: str, real: Any) -> Any:
        def call(path: Any, *rest: Any, **options: Any) -> Any:
            place = self._place(path, options.get("dir_fd"))
            if place is None:
                return real(path, *rest, **options)
            self.at(kind, "before", place)
            result = real(path, *rest, **options)
            self.at(kind, "after", place)
            return result

        return call

    def _open(self, path: Any, flags: int, *rest: Any, **options: Any) -> int:
        place = self._place(path, options.get("dir_fd"))
        handle = -1
        if place is not None and flags & _WRITING:
            self.at("open", "before", place)
        handle = self._real_open(path, flags, *rest, **options)
        self._names.pop(handle, None)
        if place is not None:
            self._names[handle] = place
            if flags & _WRITING:
                self.at("open", "after", place)
        return handle

    def _write(self, handle: int, data: Any) -> int:
        place = self._names.get(handle)
        if place is None:
            return self._real_write(handle, data)
        return self.in_halves(data, lambda part: self._real_write(handle, part), place)

    def in_halves(self, data: Any, write: Callable[[memoryview], int], place: str) -> int:
        """Write all of the data to a file, and stop when half of them are there."""
        data = memoryview(data).cast("B")
        written = 0
        for when, end in (("before", 0), ("amid", len(data) // 2), ("after", len(data))):
            while written < end:
                written += write(data[written:end])
            self.at("write", when, place)
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
        place = self._place(file)
        if place is None or not set(mode) & set("wax"):
            return self._real_io_open(
                file, mode, buffering, encoding, errors, newline, closefd, opener
            )
        assert "+" not in mode, mode
        if not isinstance(file, int):
            self.at("open", "before", place)
        raw = _WatchedFile(self, place, file, mode.strip("bt"), closefd)
        self._names[raw.fileno()] = place
        if not isinstance(file, int):
            self.at("open", "after", place)
        buffered = io.BufferedWriter(raw)
        return buffered if "b" in mode else io.TextIOWrapper(buffered, encoding, errors, newline)

    def _watch_sqlite(self) -> None:
        points = self
        real = sqlite3.connect

        class Watched(sqlite3.Connection):
            place = ""

            def _watch(self, statement: str, do: Callable[[], Any]) -> Any:
                kind = _kind_of(statement)
                if kind is None:
                    return do()
                points.at(kind, "before", self.place)
                result = do()
                points.at(kind, "after", self.place)
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
            # A point of SQLite's, by the rule of the others.
            place = points._place(unquote(urlsplit(path).path) if options.get("uri") else path)
            if place is None:
                return real(path, *rest, **options)
            points.at("open", "before", place)
            made = real(path, *rest, factory=Watched, **options)
            made.place = place
            points.at("open", "after", place)
            return made

        sqlite3.connect = connect  # type: ignore[assignment]


def _kind_of(statement: str) -> str | None:
    """The kind of point that an SQL statement is, None for one that only reads."""
    word = statement.split(None, 1)[0].rstrip(";").upper()
    if word == "PRAGMA":
        return "checkpoint" if "checkpoint(" in statement else None
    if word in ("CLOSE", "COMMIT"):
        return word.lower()
    return None if word == "SELECT" else "statement"


class _WatchedFile(io.FileIO):
    """A file of which half of what is written reaches the disk before the rest."""

    def __init__(self, points: Points, place: str, file: Any, mode: str, closefd: bool) -> None:
        super().__init__(file, mode, closefd)
        self._points = points
        self._place = place

    def write(self, data: Any) -> int:
        return self._points.in_halves(data, super().write, self._place)
