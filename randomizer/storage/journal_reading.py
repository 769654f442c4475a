"""What the database of a journal holds, as far as it is whole.

Nothing is believed that no digest speaks for. Values larger than ``LARGEST_VALUE`` are not loaded,
and tables that are not the journal's own are not read.
"""

from __future__ import annotations

import json
import math
import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from randomizer.model.problems import error
from randomizer.storage.journal_faults import is_disk_fault
from randomizer.storage.journal_head import VERSION, Head
from randomizer.storage.regular_files import read_start
from randomizer.storage.step_chain import StepRow, broken_links, chained

LARGEST_VALUE = 2**28
"""In bytes: the largest base, and the largest step, that is written and read."""

BUSY_S = 0.5
"""How long a write waits for another program that has locked the database."""

TABLES = {
    "about": "CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "base": (
        "CREATE TABLE base (file TEXT NOT NULL, position INTEGER NOT NULL, digest BLOB NOT NULL,"
        " after BLOB NOT NULL, bridge BLOB NOT NULL)"
    ),
    "chain": "CREATE TABLE chain (start BLOB NOT NULL)",
    "bridge": "CREATE TABLE bridge (number INTEGER PRIMARY KEY, edit BLOB NOT NULL)",
    "done": (
        "CREATE TABLE done (position INTEGER NOT NULL, saved INTEGER NOT NULL, time REAL NOT NULL,"
        " serial INTEGER NOT NULL)"
    ),
    "steps": (
        "CREATE TABLE steps (number INTEGER PRIMARY KEY, text TEXT NOT NULL,"
        " before INTEGER NOT NULL, after INTEGER NOT NULL, extras TEXT NOT NULL,"
        " edit BLOB NOT NULL, digest BLOB NOT NULL)"
    ),
    "texts": "CREATE TABLE texts (digest TEXT PRIMARY KEY, text TEXT NOT NULL)",
}

_LEAST = 512
"""The least size of a database, in bytes."""

_BASE_NAME = re.compile(r"base-[0-9a-f]{8}")


class BaseFile(NamedTuple):
    """A written base: its file in the journal, how many steps it includes, its SHA-256.

    ``after`` is the digest of the last of these steps, ``bridge`` that of the last edit of the
    bridge, or ``digest`` if there is none.
    """

    file: str
    position: int
    digest: bytes
    after: bytes = b""
    bridge: bytes = b""


@dataclass
class Content:
    """What is whole of a journal.

    ``first`` is the number of the first whole step, ``digests`` are the one before it and those of
    all whole steps. ``position``, ``saved`` and ``count`` count the whole steps only, as does the
    position of the ``base``; ``leads`` is whether the base leads to them. ``lost`` says in words
    what is not whole, ``doubt`` what cannot be known.
    """

    base: BaseFile
    about: dict[str, str] = field(default_factory=dict)
    first: int = 1
    digests: list[bytes] = field(default_factory=list)
    position: int = 0
    saved: int = -1
    changed: float = 0.0
    serial: int = 0
    leads: bool = True
    lost: list[str] = field(default_factory=list)
    doubt: str = ""

    @property
    def count(self) -> int:
        """How many steps are whole."""
        return len(self.digests) - 1


def has_pages(file: Path) -> bool:
    """Whether it is a database. SQLite deletes the log of a file that is none. Raises OSError."""
    start = read_start(file, _LEAST)
    return start.startswith(b"SQLite format 3\0") and len(start) == _LEAST


def connect(file: Path, mode: str) -> sqlite3.Connection:
    """A connection of SQLite's mode; "ro" changes nothing, also when it is closed."""
    connection = sqlite3.connect(
        f"{file.absolute().as_uri()}?mode={mode}",
        timeout=BUSY_S,
        isolation_level=None,
        check_same_thread=False,
        uri=True,
    )
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_VALUE)
    return connection


def read_content(database: sqlite3.Connection, head: Head | None) -> Content | None:
    """What the database holds; None if its program ended before writing anything.

    Raises sqlite3.Error, ValueError, or ProblemError for a journal of another version.
    """
    (version,) = database.execute("PRAGMA user_version").fetchone()
    if version == 0 and head is not None and not head.serial:
        return None
    if version != VERSION and version != 0 and head is None:
        age = "a newer" if version > VERSION else "an older"
        raise error("journal-version", f"this journal is from {age} version of this program")
    reader = _Reader(database)
    content = Content(reader.base())
    reader.read_about(content)
    total = reader.read_steps(content)
    _put_done(content, reader.done(), head, total)
    if content.first > 1:
        content.lost.append(f"the first {content.first - 1} changes cannot be undone any more")
    if not reader.leads(content.base):
        content.leads = False
        content.lost.append("the map is as it was before changes that were undone")
    if not content.lost and (version != VERSION or not reader.is_whole()):
        content.lost.append("all its changes are whole, its file of steps is not")
    return content


def _columns(table: str) -> list[str]:
    """The names of the columns of a table of a journal."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute(TABLES[table])
        return [row[1] for row in database.execute(f"PRAGMA table_info({table})")]


class _Reader:
    """Reads the tables of the database that are the journal's own, each as far as it can be."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        found = database.execute("SELECT name, type, sql FROM sqlite_master WHERE sql IS NOT NULL")
        kinds = {name: (kind, sql) for name, kind, sql in found.fetchall()}
        self._tables = TABLES.keys() & kinds.keys()
        self._is_whole = kinds == {name: ("table", sql) for name, sql in TABLES.items()}
        if not self._is_whole:
            for name in self._tables:
                kind, sql = kinds[name]
                columns = [row[1] for row in database.execute(f"PRAGMA table_info({name})")]
                is_plain = kind == "table" and isinstance(sql, str) and "VIRTUAL" not in sql.upper()
                if not is_plain or columns != _columns(name):
                    raise ValueError(f"its {name} are not those of a journal")

    def _rows(self, table: str, columns: str, more: str = "", *values: int) -> Iterator[Any]:
        """Rows of a table, up to one that cannot be read."""
        if table not in self._tables:
            return
        try:
            yield from self._database.execute(f"SELECT {columns} FROM {table} {more}", values)
        except sqlite3.Error as reason:
            if is_disk_fault(reason):
                raise
            self._is_whole = False

    def is_whole(self) -> bool:
        """Whether the database can be written further, as far as SQLite can tell."""
        try:
            state = self._database.execute("PRAGMA quick_check(1)").fetchone()
        except sqlite3.Error as reason:
            if is_disk_fault(reason):
                raise
            return False
        return self._is_whole and state == ("ok",)

    def base(self) -> BaseFile:
        """The base. Raises ValueError for what cannot be one."""
        for row in self._rows("base", "file, position, digest, after, bridge"):
            file, position, *digests = row
            if (
                isinstance(file, str)
                and _BASE_NAME.fullmatch(file)
                and isinstance(position, int)
                and position >= 0
                and all(isinstance(digest, bytes) for digest in digests)
            ):
                return BaseFile(*row)
        raise ValueError("it does not say what its map is")

    def leads(self, base: BaseFile) -> bool:
        """Whether the bridge is whole."""
        last = base.digest
        for (edit,) in self._rows("bridge", "edit", "ORDER BY number"):
            last = chained(last, edit) if isinstance(edit, bytes) else b""
        return last == base.bridge

    def read_about(self, content: Content) -> None:
        """What describes the map; what is damaged of it is left out: the map can do without."""
        for name, value in self._rows("about", "name, value"):
            with suppress(ValueError, TypeError, RecursionError):
                text = json.loads(value)
                if isinstance(name, str) and isinstance(text, str):
                    content.about[name] = text

    def read_steps(self, content: Content) -> int:
        """The chain of steps, as far as it is whole before and after the base.

        Returns how many steps there were, as far as that can be seen.
        """
        base = content.base
        (start,) = next(self._rows("chain", "start"), (b"",))
        start = start if isinstance(start, bytes) else b""
        order = "ORDER BY number"
        rows = self._rows("steps", "*", f"WHERE number BETWEEN 1 AND ? {order}", base.position)
        below, broken = broken_links(start, map(StepRow._make, rows))
        if below.get(base.position, start if base.position == 0 else b"") != base.after:
            broken.append(base.position)
        content.first = min(max(broken, default=0), base.position) + 1
        rows = self._rows("steps", "*", f"WHERE number > ? {order}", base.position)
        above, broken = broken_links(base.after, map(StepRow._make, rows), base.position + 1)
        # The first break; the numbers behind it may be any in a damaged file.
        last = (broken[0] if broken else max(above, default=base.position) + 1) - 1
        digests = {0: start, **below, base.position: base.after, **above}
        content.digests = [digests[number] for number in range(content.first - 1, last + 1)]
        content.base = base._replace(position=base.position - content.first + 1)
        # A number beyond those that the rows can have is a damaged one.
        return min(max(digests), base.position + len(above))

    def done(self) -> tuple[int, int, float, int]:
        """Position, saved, time and serial; -1, and 0.0, for what is damaged."""
        row = next(self._rows("done", "position, saved, time, serial"), (None,) * 4)
        position, saved, serial = (
            value if isinstance(value, int) else -1 for value in (*row[:2], row[3])
        )
        changed = row[2] if isinstance(row[2], float) and math.isfinite(row[2]) else 0.0
        return position, saved, changed, serial


def _put_done(
    content: Content, done: tuple[int, int, float, int], head: Head | None, total: int
) -> None:
    """How many steps are done; and whether they are those that were written last."""
    position, saved, content.changed, content.serial = done
    last = content.count + content.first - 1
    if head is None:
        content.doubt = "its head is damaged, so changes made last can be missing"
    elif head.serial >= content.serial:
        if head.serial == content.serial or head.digest == content.digests[-1]:
            position, saved, total = head.position, head.saved, head.count
            content.changed, content.serial = head.changed, head.serial
        if head.digest != content.digests[-1]:
            total = max(head.count, total)
            if last >= total:
                content.lost.append(
                    f"what was done until {moment(head.changed)} is lost, the map is as it was"
                    f" at {moment(content.changed)}"
                )
    if last < total:
        when = "" if head is None else f", made until {moment(head.changed)},"
        words = f"its changes from number {last + 1} of {total} on{when} are lost"
        content.lost.insert(0, words)
    before = content.first - 1
    content.position = position - before if before <= position <= last else content.count
    content.saved = saved - before if before <= saved <= last and not content.lost else -1


def moment(seconds: float) -> str:
    """A ``time.time()`` for the user, of this place."""
    try:
        return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(seconds))
    except (ValueError, OverflowError, OSError):
        return "an unknown time"
