"""Reads the database of a journal, as far as it is whole.

``Journal.open`` calls ``read_content``; its result says what can be used, and in words what is
lost. Nothing is believed that no digest speaks for. Values larger than ``LARGEST_VALUE`` are not
loaded, and tables that are not the journal's own are not read.
"""

from __future__ import annotations

import json
import math
import re
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from randomizer.model.basics.plurals import counted
from randomizer.model.problems import error
from randomizer.storage.disk.regular_files import read_regular, read_start
from randomizer.storage.journal.journal_digests import START, StepRow, state_digest, whole_links
from randomizer.storage.journal.journal_faults import is_disk_fault
from randomizer.storage.journal.journal_head import read_head
from randomizer.storage.journal.journal_log import Log

VERSION = 10
"""The version of journals; others are not read."""

VERSION_FIELDS = ("user_version", "application_id")
"""The two fields in which a database has the version: a flipped bit makes no other version of it.
"""

LARGEST_VALUE = 2**28
"""The most bytes of a base, and of a step, that are written and read."""

BUSY_S = 0.5
"""How long a write waits for another program that has locked the database."""

TABLES = {
    "about": "CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "base": (
        "CREATE TABLE base (file TEXT NOT NULL, position INTEGER NOT NULL, digest BLOB NOT NULL,"
        " last_step BLOB NOT NULL)"
    ),
    "done": (
        "CREATE TABLE done (position INTEGER NOT NULL, count INTEGER NOT NULL,"
        " saved INTEGER NOT NULL, time REAL NOT NULL, writes INTEGER NOT NULL,"
        " digest BLOB NOT NULL)"
    ),
    "steps": (
        "CREATE TABLE steps (number INTEGER PRIMARY KEY, text TEXT NOT NULL,"
        " old_active INTEGER NOT NULL, new_active INTEGER NOT NULL, extras TEXT NOT NULL,"
        " edit BLOB NOT NULL, digest BLOB NOT NULL)"
    ),
    "texts": "CREATE TABLE texts (digest TEXT PRIMARY KEY, text TEXT NOT NULL)",
    "assets": "CREATE TABLE assets (digest TEXT PRIMARY KEY, data BLOB NOT NULL)",
}
"""The tables of a journal and the statements that make them; a database with others is none."""

KEEPING = ("base", "done")
"""The tables that have rows as long as the journal keeps anything."""

_SMALLEST_DATABASE = 512
"""The least size of a database, in bytes: one page."""

_BASE_NAME = re.compile(r"base-[0-9a-f]{8}")
"""The name of the file of a base."""


class BaseFile(NamedTuple):
    """A written base: a row of the table ``base``."""

    file: str
    """The name of its file in the journal's folder."""

    position: int
    """How many steps it includes."""

    digest: bytes
    """The SHA-256 of the file."""

    last_step: bytes = b""
    """The digest of the last step that it includes (``journal_digests``)."""

    def read(self, folder: Path) -> bytes:
        """Return the map (``encode_map``). Raises ValueError if it is not whole, or OSError."""
        try:
            data = read_regular(folder / self.file, LARGEST_VALUE)
        except FileNotFoundError:
            raise ValueError("its map is missing") from None
        if sha256(data).digest() != self.digest:
            raise ValueError("its map is not what was written")
        return data


def drop_damaged(bases: Sequence[BaseFile], folder: Path) -> list[BaseFile]:
    """Return the bases up to the last one that is whole. Raises OSError."""
    whole = list(bases)
    while whole:
        with suppress(ValueError):
            whole[-1].read(folder)
            break
        del whole[-1]
    return whole


@dataclass
class Content:
    """The undamaged content of a journal."""

    bases: list[BaseFile]
    """The bases that can be used, in the order of their positions; the map is that of the last."""

    about: dict[str, str] = field(default_factory=dict)
    """What describes the map, as ``Journal.about``."""

    start: int = 0
    """The steps up to this number are not whole: 0, or the position of the last base."""

    digests: list[bytes] = field(default_factory=list)
    """The digests after ``start`` steps, and after each whole step that follows."""

    position: int = 0
    """How many steps are done."""

    saved: int = -1
    """How many were done when the map was last saved; -1 if that is not known."""

    changed: float = 0.0
    """The ``time.time()`` of the last step."""

    writes: int = 0
    """How often ``Journal.write`` was called; -1 if that is not known."""

    lost: list[str] = field(default_factory=list)
    """What is not whole, in words."""

    @property
    def count(self) -> int:
        """The number of the last step that is whole."""
        return self.start + len(self.digests) - 1


def bases_in(folder: Path) -> list[Path]:
    """Return the files of bases in a journal's folder, used or not. Raises OSError."""
    return [file for file in folder.iterdir() if _BASE_NAME.fullmatch(file.name)]


def has_pages(file: Path) -> bool:
    """Return whether it is a database. SQLite deletes the log of a file that is none.

    Raises OSError.
    """
    start = read_start(file, _SMALLEST_DATABASE)
    return start.startswith(b"SQLite format 3\0") and len(start) == _SMALLEST_DATABASE


def connect(file: Path, mode: str) -> sqlite3.Connection:
    """Return a connection of SQLite's mode; "ro" changes nothing, also when it is closed."""
    connection = sqlite3.connect(
        f"{file.absolute().as_uri()}?mode={mode}",
        timeout=BUSY_S,
        isolation_level=None,
        check_same_thread=False,
        uri=True,
    )
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_VALUE)
    return connection


def read_content(folder: Path, database: sqlite3.Connection, log: Log) -> Content | None:
    """Return what is whole of a journal; None if its database says that nothing is kept.

    ``database`` already has what is whole of ``log``, which says whether something is missing.

    Raises sqlite3.Error, ValueError, or ProblemError for a journal of another version.
    """
    versions = [database.execute(f"PRAGMA {name}").fetchone()[0] for name in VERSION_FIELDS]
    if not any(versions) and not bases_in(folder):
        return None  # its program ended before making the tables
    if VERSION not in versions and any(versions):
        age = "an older"
        if max(versions) > VERSION:
            age = "a newer"
        raise error("journal-version", f"this journal is from {age} version of this program")
    reader = _Reader(database)
    if reader.keeps_nothing():
        return None

    # In this order: steps need a base, and which are done can only be among those that are whole.
    bases = reader.bases()
    content = Content(drop_damaged(bases, folder))
    if not content.bases:
        raise ValueError("its map is not what was written")
    reader.read_about(content)
    total = reader.read_steps(content)
    reader.read_done(content, total)

    # What is lost, in words for the user.
    if content.start:
        first_changes = counted(content.start, "change")
        content.lost.append(f"the first {first_changes} cannot be undone any more")
    if not content.lost:
        content.lost += _lost_writes(folder, content.writes, log)
    has_versions = all(version == VERSION for version in versions)
    is_database_whole = has_versions and log.is_whole and reader.is_whole()
    has_last_base = content.bases[-1] == bases[-1]
    if not content.lost and not (is_database_whole and has_last_base):
        content.lost.append("all its changes are whole, a file of it is not")
    return content


def _lost_writes(folder: Path, writes: int, log: Log) -> list[str]:
    """Return in words what was written after the ``writes`` that the database has."""
    writes_of_head = read_head(folder)
    if writes_of_head is None or writes < 0:
        if log.is_complete:
            return []
        return ["changes made last can be missing"]
    missing = writes_of_head - writes
    if missing > 1:
        return [f"the last {missing} changes, undoing and redoing counted, are lost"]
    if missing == 1:
        return ["the last change is lost"]
    # Without a frame of the log a page can be older than the one that counts the writes.
    if log.is_complete:
        return []
    return ["changes can be missing"]


class _Reader:
    """Reads the tables of a journal, each as far as it can be."""

    def __init__(self, database: sqlite3.Connection) -> None:
        """Check the tables. Raises ValueError if they are not those of a journal."""
        self._database = database
        self._is_whole = True
        """False once a row could not be read."""
        tables = database.execute("SELECT name, type, sql FROM sqlite_master WHERE sql IS NOT NULL")
        if set(tables) != {(name, "table", sql) for name, sql in TABLES.items()}:
            raise ValueError("its tables are not those of a journal")

    def _rows(self, table: str, columns: str, clause: str = "", *values: int) -> Iterator[Any]:
        """Yield the rows of a table, up to one that cannot be read.

        ``clause`` is the end of the query, with a question mark for each of ``values``.
        """
        try:
            yield from self._database.execute(f"SELECT {columns} FROM {table} {clause}", values)
        except sqlite3.Error as reason:
            if is_disk_fault(reason):
                raise
            self._is_whole = False

    def is_whole(self) -> bool:
        """Return whether the database can be written further, as far as SQLite can tell."""
        try:
            state = self._database.execute("PRAGMA quick_check(1)").fetchone()
        except sqlite3.Error as reason:
            if is_disk_fault(reason):
                raise
            return False
        return self._is_whole and state == ("ok",)

    def keeps_nothing(self) -> bool:
        """Return whether the tables say that the journal keeps nothing.

        Its program was killed while it made or deleted the journal.
        """
        rows = [next(self._rows(table, "1"), None) for table in KEEPING]
        return self._is_whole and not any(rows)

    def bases(self) -> list[BaseFile]:
        """Return the bases in the order of their positions.

        Raises ValueError if none can be one.
        """
        bases = []
        for row in self._rows("base", "file, position, digest, last_step", "ORDER BY position"):
            if _is_base(row):
                bases.append(BaseFile(*row))
            else:
                self._is_whole = False
        if not bases:
            raise ValueError("it does not say what its map is")
        return bases

    def read_about(self, content: Content) -> None:
        """Read what describes the map."""
        content.about = decode_about(self._rows("about", "name, value"))

    def read_steps(self, content: Content) -> int:
        """Read the digests of the steps, and return how many steps there were, as far as is seen.

        Of the steps before the last base all are used or none: without one the others cannot be
        undone. Of those after it as many as are whole.
        """
        base = content.bases[-1]
        order = "ORDER BY number"
        rows = self._rows("steps", "*", f"WHERE number <= ? {order}", base.position)
        digests, total = whole_links(START, map(StepRow._make, rows), 1)
        content.digests = [START, *digests]
        # The chain has to end at the digest that the base names.
        if total != base.position or content.digests[base.position :] != [base.last_step]:
            content.start = base.position
            content.digests = [base.last_step]
            content.bases = [base]
        # Other bases are used only if the chain passes through their digests.
        matching_bases = []
        for base_file in content.bases:
            if content.digests[base_file.position - content.start] == base_file.last_step:
                matching_bases.append(base_file)
        content.bases = matching_bases
        rows = self._rows("steps", "*", f"WHERE number > ? {order}", base.position)
        digests, total = whole_links(base.last_step, map(StepRow._make, rows), base.position + 1)
        content.digests += digests
        return base.position + total

    def read_done(self, content: Content, total: int) -> None:
        """Read how many steps are done and saved; all whole ones count as done if that is damaged.

        ``total`` is the number of the last step that was written, as far as the steps tell.
        """
        row: tuple[Any, ...] = next(self._rows("done", "*"), (None,) * 6)
        position, count, saved, changed, writes, _digest = row
        position = _number_or_unknown(position)
        count = _number_or_unknown(count)
        saved = _number_or_unknown(saved)
        content.writes = _number_or_unknown(writes)
        if isinstance(changed, float) and math.isfinite(changed):
            content.changed = changed

        # A journal that ends too early shows it: more steps were written than are whole.
        possible = range(content.start, content.count + 1)
        total = max(total, count)
        is_as_written = state_digest(row[:5], content.about) == row[5]
        if content.count < total:
            first_lost = content.count + 1
            content.lost.append(f"its changes from number {first_lost} of {total} on are lost")
        elif count != total or position not in possible:
            content.lost.append("which of its changes were undone is not known")
        elif not is_as_written:
            content.lost.append(
                "its name, its file or which of its changes were undone may not be right"
            )
        if not is_as_written:
            content.writes = -1
        content.position = content.count
        if position in possible:
            content.position = position
        content.saved = -1
        if saved in possible and not content.lost:
            content.saved = saved


def _number_or_unknown(value: object) -> int:
    """Return a number of the table ``done``, -1 if it is none: sqlite does not enforce types."""
    if isinstance(value, int):
        return value
    return -1


def _is_base(row: tuple[Any, ...]) -> bool:
    """Return whether the values of a row of the table ``base`` are possible."""
    file, position, digest, after = row
    if not isinstance(file, str) or not _BASE_NAME.fullmatch(file):
        return False
    if not isinstance(position, int) or position < 0:
        return False
    return isinstance(digest, bytes) and isinstance(after, bytes)


def decode_about(rows: Iterable[Any]) -> dict[str, str]:
    """Return the rows of the table ``about``; the map can do without those that are damaged."""
    about = {}
    for name, value in rows:
        with suppress(ValueError, TypeError, RecursionError):
            text = json.loads(value)
            if isinstance(name, str) and isinstance(text, str):
                about[name] = text
    return about


def moment(seconds: float) -> str:
    """Return a ``time.time()`` as a date and a time of day for the user, in local time."""
    try:
        return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(seconds))
    except (ValueError, OverflowError, OSError):
        return "an unknown time"
