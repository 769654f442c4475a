"""The journal of an open map: every undo step on the disk, so that a crash loses nothing.

A journal is a folder of its own: ``steps.sqlite`` (every undo step, and how many are done), a
*base* (the map after some step) and ``lock``, held as long as the program that writes the journal
runs. The map after the last step is the base with the steps after it.

The steps are chained by digests (``step_chain``). Where the chain is broken, a journal is opened
with the steps that are whole.

A step before the base can be discarded for another one. Then its inverse is kept as part of a
*bridge*, which leads from the base to where the steps continue.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from randomizer.model.gate import check_map
from randomizer.model.layer import NO_TEXTS
from randomizer.model.problems import Problem, Severity, error
from randomizer.storage.atomic import make_folders, sync_folder, write_atomically
from randomizer.storage.encoding import decode_edit, decode_map
from randomizer.storage.file_lock import lock_file
from randomizer.storage.journal_faults import DAMAGED, as_problems
from randomizer.storage.parts import digest_of as digest_of_text
from randomizer.storage.step_chain import StepRow, broken_links, digest_of

if TYPE_CHECKING:
    from randomizer.model.battlemap import BattleMap
    from randomizer.model.edit import Edit

VERSION = 3
STEPS = "steps.sqlite"
LOCK = "lock"
SET_ASIDE = "set aside"
"""The folder, among the journals, of those that could not be read or were not whole."""

_SCHEMA = f"""
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE base (file TEXT NOT NULL, position INTEGER NOT NULL, digest BLOB NOT NULL);
CREATE TABLE chain (start BLOB NOT NULL);
CREATE TABLE bridge (number INTEGER PRIMARY KEY, edit BLOB NOT NULL);
CREATE TABLE done (position INTEGER NOT NULL, saved INTEGER NOT NULL, time REAL NOT NULL);
CREATE TABLE steps (
    number INTEGER PRIMARY KEY, text TEXT NOT NULL, before INTEGER NOT NULL,
    after INTEGER NOT NULL, extras TEXT NOT NULL, edit BLOB NOT NULL, digest BLOB NOT NULL
);
CREATE TABLE texts (digest TEXT PRIMARY KEY, text TEXT NOT NULL);
PRAGMA user_version = {VERSION};
"""


class JournalInUseError(Exception):
    """The program that writes this journal is still running."""


@dataclass(frozen=True, slots=True)
class StepRecord:
    """One undo step: its name, the active layer before and after, JSON of further data.

    ``edit`` and its ``texts`` are from ``encode_edit`` at the time of the step: later edits change
    its layers.
    """

    text: str
    active: tuple[int, int]
    extras: str
    edit: bytes
    texts: Mapping[str, str] = field(default_factory=lambda: NO_TEXTS)


class BaseFile(NamedTuple):
    """A written base: its file in the journal, how many steps it includes, its SHA-256."""

    file: str
    position: int
    digest: bytes


class Journal:
    """One journal, locked.

    ``position`` of its ``count`` steps are done; ``saved`` of them were done when the map was last
    saved, -1 if that state was discarded or never existed. ``changed`` is the ``time.time()`` of
    the last step, ``about`` describes the map for the user (its name ...). ``problems`` says which
    steps were not whole when the journal was opened.

    Methods raise ProblemError, and then the journal is unchanged. Calls can come from any thread,
    one at a time; ``write_base`` and ``checkpoint`` at any time.
    """

    def __init__(self, folder: Path) -> None:
        """Lock the journal in ``folder``. Raises JournalInUseError, or OSError."""
        self.folder = folder
        self.position = self.count = 0
        self.saved = -1
        self.changed = 0.0
        self.about: dict[str, str] = {}
        self.problems: tuple[Problem, ...] = ()
        self._base = BaseFile("", 0, b"")
        self._digests = [secrets.token_bytes(32)]
        self._steps_file = folder / STEPS
        lock = lock_file(folder / LOCK)
        if lock is None:
            raise JournalInUseError(folder.name)
        self._lock = lock
        self._database: sqlite3.Connection | None = None

    @classmethod
    def begin(
        cls,
        journals: Path,
        about: Mapping[str, str],
        base: bytes,
        position: int = 0,
        steps: Sequence[StepRecord] = (),
        done: int = 0,
    ) -> Journal:
        """A new journal in the folder ``journals``.

        ``base`` is the map (``encode_map``) after ``position`` of ``steps``; now ``done`` are done.
        """
        name = f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}-{secrets.token_hex(4)}"
        make_folders(journals / name)
        with as_problems(journals / name):
            journal = cls(journals / name)
        try:
            written = journal.write_base(base, position)
            with as_problems(journal.folder):
                database = journal._connect()
                database.executescript(f"BEGIN;{_SCHEMA}")
                database.execute("INSERT INTO base VALUES (?, ?, ?)", written)
                database.execute("INSERT INTO chain VALUES (?)", (journal._digests[0],))
                database.execute("INSERT INTO done VALUES (0, -1, 0)")
                database.execute("COMMIT")
            journal._base = written._replace(position=0)
            journal.write(0, steps, done, about)
            journal._base = written
            sync_folder(journals)
        except BaseException:
            journal.delete()
            raise
        return journal

    @classmethod
    def open(cls, folder: Path) -> Journal:
        """The journal that a program left.

        Raises JournalInUseError, or ProblemError if it is damaged or newer than this program.
        """
        with as_problems(folder):
            journal = cls(folder)
        try:
            journal._read()
        except BaseException:
            journal.close()
            raise
        return journal

    def _read(self) -> None:
        with as_problems(self.folder):
            database = self._connect()
            (version,) = database.execute("PRAGMA user_version").fetchone()
            if version == 0:
                return  # its program ended before writing anything
            if version != VERSION:
                age = "a newer" if version > VERSION else "an older"
                raise error(
                    "journal-version", f"this journal is from {age} version of this program"
                )
            state = database.execute("PRAGMA quick_check(1)").fetchone()
            base = database.execute("SELECT file, position, digest FROM base").fetchone()
            chain = database.execute("SELECT start FROM chain").fetchone()
            done = database.execute("SELECT position, saved, time FROM done").fetchone()
            if state != ("ok",) or base is None or chain is None or done is None:
                raise sqlite3.DatabaseError("its file of steps is not whole")
            about = database.execute("SELECT name, value FROM about")
            self.about = {name: json.loads(value) for name, value in about}
            (self.count,) = database.execute("SELECT max(number) FROM steps").fetchone()
            self.count = self.count or 0
            self._base = BaseFile(*base)
            self.position, self.saved, self.changed = done
            rows = database.execute("SELECT * FROM steps ORDER BY number")
            digests, broken = broken_links(chain[0], map(StepRow._make, rows))
            self._digests = [chain[0], *(digests.get(n + 1, b"") for n in range(self.count))]
        if broken:
            self._mend(broken)

    def _mend(self, broken: Sequence[int]) -> None:
        """Drop the steps that are not whole, and those that nothing leads to without them.

        The journal as it was is kept aside.
        """
        base, count, position = self._base.position, self.count, self.position
        last = min((number for number in broken if number > base), default=count + 1) - 1
        first = base + 1 if any(number <= base for number in broken) else 1
        aside = self.folder.parent / SET_ASIDE / self.folder.name
        with as_problems(self.folder):
            shutil.copytree(
                self.folder, aside, ignore=shutil.ignore_patterns(LOCK), dirs_exist_ok=True
            )
        kept = range(first, last + 1)
        self._digests = [self._digests[first - 1], *(self._digests[number] for number in kept)]
        self.count = len(kept)
        self.position = min(max(position - first + 1, 0), self.count)
        self.saved = -1
        self._base = self._base._replace(position=base - first + 1)
        with self._transaction() as database:
            database.execute("DELETE FROM steps WHERE number < ? OR number > ?", (first, last))
            database.executemany(
                "UPDATE steps SET number = ? WHERE number = ?",
                [(new, old) for new, old in enumerate(kept, 1) if new != old],
            )
            database.execute("UPDATE base SET position = ?", (self._base.position,))
            database.execute("UPDATE chain SET start = ?", (self._digests[0],))
            database.execute("UPDATE done SET position = ?, saved = -1", (self.position,))
        lost = []
        if last < count:
            lost.append(f"its changes from number {last + 1} of {count} on are lost")
        if first > 1:
            lost.append(f"the first {base} changes cannot be undone any more")
        name = self.about.get("name", "a map")
        message = f"the journal of {name} is damaged: {', and '.join(lost)}"
        self.problems = (Problem(Severity.WARNING, DAMAGED, message, str(aside)),)

    def _connect(self) -> sqlite3.Connection:
        connection = self._database = sqlite3.connect(
            self._steps_file, isolation_level=None, check_same_thread=False
        )
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA wal_autocheckpoint = 0")  # see checkpoint()
        return connection

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        database = self._database
        assert database is not None, "the journal is closed"
        with as_problems(self.folder):
            try:
                database.execute("BEGIN IMMEDIATE")
                yield database
                database.execute("COMMIT")
            except BaseException:
                if database.in_transaction:
                    database.execute("ROLLBACK")
                raise

    # --- writing ----------------------------------------------------------------------------

    def write(
        self,
        keep: int,
        steps: Sequence[StepRecord],
        position: int,
        about: Mapping[str, str] | None = None,
    ) -> None:
        """Replace all steps after the first ``keep`` by ``steps``; ``position`` are done now.

        All of it is on the disk when this returns.
        """
        saved = self.saved if self.saved <= keep else -1
        base = self._base._replace(position=min(self._base.position, keep))
        done = position, saved, time.time()
        news = dict(set((about or {}).items()) - set(self.about.items()))
        digests = self._digests[: keep + 1]
        rows = []
        for number, step in enumerate(steps, keep + 1):
            content = (json.dumps(step.text), *step.active, step.extras, step.edit)
            digests.append(digest_of(digests[-1], *content))
            rows.append(StepRow(number, *content, digests[-1]))
        texts = {ref: text for step in steps for ref, text in step.texts.items()}
        with self._transaction() as database:
            if base != self._base:
                database.execute(
                    "INSERT INTO bridge (edit) SELECT edit FROM steps"
                    " WHERE number > ? AND number <= ? ORDER BY number DESC",
                    (keep, self._base.position),
                )
                database.execute("UPDATE base SET position = ?", (keep,))
            database.execute("DELETE FROM steps WHERE number > ?", (keep,))
            database.executemany("INSERT INTO steps VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
            database.executemany("INSERT OR IGNORE INTO texts VALUES (?, ?)", texts.items())
            database.execute("UPDATE done SET position = ?, saved = ?, time = ?", done)
            _write_about(database, news)
        self._base, self._digests = base, digests
        self.position, self.saved, self.changed = done
        self.count = keep + len(steps)
        self.about.update(news)

    def note_saved(self, about: Mapping[str, str]) -> None:
        """Record that the map in its present state has been saved."""
        with self._transaction() as database:
            database.execute("UPDATE done SET saved = position")
            _write_about(database, about)
        self.saved = self.position
        self.about.update(about)

    def write_base(self, data: bytes, position: int) -> BaseFile:
        """Write another base, which is not used until ``use_base``; it is proven readable first."""
        decode_map(data)
        base = BaseFile(f"base-{secrets.token_hex(4)}", position, sha256(data).digest())
        write_atomically(self.folder / base.file, data)
        return base

    def use_base(self, base: BaseFile) -> None:
        """Use this base from now on; the steps before its position must not have changed."""
        with self._transaction() as database:
            database.execute("DELETE FROM bridge")
            database.execute("UPDATE base SET file = ?, position = ?, digest = ?", base)
        before, self._base = self._base, base
        with suppress(OSError):  # an old base that is left only takes space
            (self.folder / before.file).unlink()

    def checkpoint(self) -> None:
        """Move the write-ahead log into the database, so that the log starts again."""
        with as_problems(self.folder), closing(sqlite3.connect(self._steps_file)) as connection:
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)")

    # --- reading ----------------------------------------------------------------------------

    @property
    def base_position(self) -> int:
        """The number of steps that the base includes."""
        return self._base.position

    def edit_of(self, number: int) -> bytes:
        """The encoded edit of a step, counted from 1; ProblemError if it is another than it was."""
        rows = self._rows("SELECT * FROM steps WHERE number = ?", number)
        row = StepRow._make(rows[0]) if rows else None
        last, digest = self._digests[number - 1 : number + 1]
        if row is None or digest_of(last, *row[1:-1]) != digest:
            raise error(
                DAMAGED,
                f"the journal is damaged: change {number} is not what was written",
                path=str(self.folder),
            )
        return row.edit

    def edit(self, number: int, battlemap: BattleMap, *, done: bool) -> Edit:
        """The edit of a step, counted from 1, for a map as ``decode_edit`` wants it."""
        return self._decoded(self.edit_of(number), battlemap, done=done)

    def _decoded(self, data: bytes, battlemap: BattleMap, *, done: bool) -> Edit:
        return decode_edit(data, battlemap, done=done, texts=_Texts(self))

    def steps(self) -> list[StepRecord]:
        """All steps, without their edits."""
        rows = self._rows("SELECT text, before, after, extras FROM steps ORDER BY number")
        with as_problems(self.folder):
            return [
                StepRecord(json.loads(text), (before, after), extras, b"")
                for text, before, after, extras in rows
            ]

    def battlemap(self) -> BattleMap:
        """The map after its last step, done or undone."""
        with as_problems(self.folder):
            data = (self.folder / self._base.file).read_bytes()
            if sha256(data).digest() != self._base.digest:
                raise ValueError("its map is not what was written")
        battlemap = decode_map(data)
        for (edit,) in self._rows("SELECT edit FROM bridge ORDER BY number"):
            _apply(self._decoded(edit, battlemap, done=True).inverse(), battlemap)
        for number in range(self._base.position + 1, self.count + 1):
            _apply(self.edit(number, battlemap, done=False), battlemap)
        check_map(battlemap)
        return battlemap

    def _rows(self, query: str, *values: int | str) -> list[tuple[Any, ...]]:
        assert self._database is not None, "the journal is closed"
        with as_problems(self.folder):
            return self._database.execute(query, values).fetchall()

    # --- the end ----------------------------------------------------------------------------

    def close(self) -> None:
        """Release the journal and keep its files: it will be offered again."""
        if self._database is not None:
            self._database.close()
            self._database = None
        self._lock.close()

    def delete(self) -> None:
        """Delete the journal. Its steps go first, so that remains are not offered."""
        if self._database is not None:
            self._database.close()
            self._database = None
        with suppress(OSError):
            self._steps_file.unlink(missing_ok=True)
        self._lock.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class _Texts(Mapping[str, str]):
    """The texts of a journal by digest."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def __getitem__(self, ref: str) -> str:
        rows = self._journal._rows("SELECT text FROM texts WHERE digest = ?", ref)
        if not rows or digest_of_text(rows[0][0]) != ref:
            raise KeyError(ref)
        return str(rows[0][0])

    def __iter__(self) -> Iterator[str]:
        return (ref for (ref,) in self._journal._rows("SELECT digest FROM texts"))

    def __len__(self) -> int:
        return len(self._journal._rows("SELECT digest FROM texts"))


def _write_about(database: sqlite3.Connection, about: Mapping[str, str]) -> None:
    # In JSON, like the steps' texts: sqlite cannot store file names that are not UTF-8.
    rows = ((name, json.dumps(value)) for name, value in about.items())
    database.executemany("INSERT OR REPLACE INTO about VALUES (?, ?)", rows)


def _apply(edit: Edit, battlemap: BattleMap) -> None:
    try:
        edit.apply(battlemap)
    except (KeyError, IndexError, ValueError, AttributeError) as reason:
        raise error(DAMAGED, "the steps in this journal do not fit its map") from reason
