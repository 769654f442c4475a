"""The journal of an open map: every undo step on the disk, so that a crash loses nothing.

A journal is a folder of its own: ``steps.sqlite`` (every undo step, and how many are done),
*bases* (each the map after some step), ``head`` (how often it was written) and ``lock``, held as
long as the program that writes the journal runs. The map after the last step is the last base that
is whole, with the steps after it.

The steps are chained by digests (``journal_digests``). SQLite's log is read past damage
(``journal_log``), and what is missing at its end is told by the head. Of a journal that is not
whole a new one is made, with what is whole of it; the other one is kept as it was.

The newest ``MOST_BASES`` are kept. Bases of steps that are discarded for others go with them; where
none is left the map as it is then becomes one.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from randomizer.model.basics.plurals import counted
from randomizer.model.gate.gate import check_map
from randomizer.model.map.layer import NO_TEXTS
from randomizer.model.problems import Problem, ProblemError, Severity, error
from randomizer.model.records.assets import NO_ASSETS, Assets, checked_asset
from randomizer.storage.disk.atomic import make_folders, sync_folder, write_atomically
from randomizer.storage.disk.disk import current_disk
from randomizer.storage.disk.file_lock import lock_file
from randomizer.storage.disk.regular_files import is_blocked
from randomizer.storage.journal.journal_digests import START, StepRow, digest_of, state_digest
from randomizer.storage.journal.journal_faults import DAMAGED, DISK_FAULT, as_problems
from randomizer.storage.journal.journal_head import HEAD, write_head
from randomizer.storage.journal.journal_log import read_log, write_merged
from randomizer.storage.journal.journal_reading import (
    KEEPING,
    LARGEST_VALUE,
    TABLES,
    VERSION,
    VERSION_FIELDS,
    BaseFile,
    bases_in,
    connect,
    decode_about,
    drop_damaged,
    has_pages,
    read_content,
)
from randomizer.storage.journal.quarantine import move_to_quarantine, quarantine_path
from randomizer.storage.records.encoding import decode_edit, decode_map, encode_map
from randomizer.storage.records.parts import digest_of as digest_of_text

if TYPE_CHECKING:
    from randomizer.model.edits.edit import Edit
    from randomizer.model.map.battlemap import BattleMap

STEPS = "steps.sqlite"
LOCK = "lock"
_LOG = f"{STEPS}-wal"

_MERGED = f"{STEPS}-merged"
"""The database with its log in it, which is made of a log that SQLite cannot read to its end."""

MOST_BASES = 2
"""So many bases are kept: a damaged one leaves the one before it."""

DAMAGE = "damage"
QUARANTINED = "quarantined"
"""What ``Journal.about`` says of a journal that was not whole: what is lost, where it is kept."""

WORK = "work"
"""Set in ``Journal.about`` where the map is somebody's work even without a step: it was rolled."""


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


class Journal:
    """One journal, locked.

    ``position`` of its ``count`` steps are done; ``saved`` of them were done when the map was last
    saved, -1 if that state was discarded or never existed. ``changed`` is the ``time.time()`` of
    the last step, ``about`` describes the map for the user (its name ...). ``lost`` says in words
    what is not whole of a journal that was opened: ``renewed`` makes a new one of it.

    Methods raise ProblemError, and then the journal is unchanged. Calls can come from any thread,
    one at a time; ``write_base`` and ``checkpoint`` at any time.
    """

    def __init__(self, folder: Path) -> None:
        """Lock the journal in ``folder``. Raises JournalInUseError, OSError or NotAFileError."""
        self.folder = folder
        self.position = self.count = 0
        self.saved = -1
        self.changed = 0.0
        self.about: dict[str, str] = {}
        self.lost = ""
        self._writes = 0
        self._start = 0
        self._assets: set[str] = set()
        self.bases: list[BaseFile] = []
        """The whole maps of the journal, the oldest first; its steps begin at the last one."""
        self._digests = [START]
        self._steps_file = folder / STEPS
        self._inodes: dict[Path, int] = {}
        self._can_write = False
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
        steps: Iterable[StepRecord] = (),
        done: int = 0,
        *,
        texts: Iterable[tuple[str, str]] = (),
        assets: Assets = NO_ASSETS,
        changed: float | None = None,
    ) -> Journal:
        """Return a new journal in the folder ``journals``.

        ``base`` is the map (``encode_map``) after ``position`` of ``steps``; now ``done`` are done.
        ``texts`` are those that steps have beside their own, by digest. ``changed``: when the last
        step was done, None for now.
        """
        name = f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}-{secrets.token_hex(4)}"
        make_folders(journals / name)
        with as_problems(journals / name):
            journal = cls(journals / name)
        try:
            with journal._transaction("rwc") as database:  # without rows nothing is kept yet
                for table in TABLES.values():
                    database.execute(table)
                for name in VERSION_FIELDS:
                    database.execute(f"PRAGMA {name} = {VERSION}")
            written = journal.write_base(base, position)
            with journal._transaction() as database:
                digests = _insert_steps(database, journal._digests, steps)
                written = _insert_base(database, written, digests)
                if changed is None:
                    journal.changed = time.time()
                else:
                    journal.changed = changed
                database.executemany("INSERT OR IGNORE INTO texts VALUES (?, ?)", texts)
                journal._insert_assets(database, assets)
                state = (done, len(digests) - 1, -1, journal.changed, 0)
                _write_state(database, state, about)
            journal.bases = [written]
            journal._digests = digests
            journal._assets = set(assets)
            journal.position = done
            journal.count = len(digests) - 1
            journal.about.update(about)
            # What is in the log only is lost if the log is damaged.
            journal._rows("PRAGMA wal_checkpoint(TRUNCATE)")
            write_head(journal.folder, 0)
            sync_folder(journals)
        except BaseException:
            journal.delete()
            raise
        return journal

    @classmethod
    def open(cls, folder: Path) -> Journal:
        """Return the journal that a program left; its files are not changed before something is
        written.

        Raises JournalInUseError, or ProblemError if it is damaged or newer than this program.
        """
        is_log_lost = False
        for name in (LOCK, HEAD, _LOG, f"{STEPS}-shm", _MERGED):
            with as_problems(folder):
                blocked = is_blocked(folder / name)
            if blocked:  # by a link or a pipe, for example: these files can be done without
                path = quarantine_path(folder.parent, f"{folder.name} {name}")
                move_to_quarantine(folder / name, path)
                is_log_lost |= name == _LOG
        with as_problems(folder):
            journal = cls(folder)
        try:
            with as_problems(folder):
                journal._read(is_log_lost=is_log_lost)
        except BaseException:
            journal.close()
            raise
        return journal

    def _read(self, *, is_log_lost: bool) -> None:
        file = self._steps_file
        if not (os.path.lexists(file) and file.lstat().st_size) and not bases_in(self.folder):
            return  # its program ended before writing anything, or after deleting all
        if is_blocked(file) or not file.exists():
            raise ValueError("its file of steps is missing")
        if not has_pages(file):
            raise ValueError("its file of steps is not one")
        self._inodes = {file: file.stat().st_ino}
        log = read_log(self.folder / _LOG)
        if is_log_lost:
            log.is_complete = False
        if not log.is_whole:
            file = self.folder / _MERGED
            write_merged(self._steps_file, log, file)
        self._database = connect(file, "ro")
        content = read_content(self.folder, self._database, log)
        if content is None:
            return
        self.about = content.about
        self.bases = content.bases
        self._digests = content.digests
        self._start = content.start
        self.count = content.count
        self.position = content.position
        self.saved = content.saved
        self.changed = content.changed
        self._writes = content.writes
        self.lost = ", and ".join(content.lost)

    @property
    def is_work(self) -> bool:
        """True if there is anything to restore: steps, or damage that may have taken some."""
        return bool(self.bases and (self.count or self.problems or self.about.get(WORK)))

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The damage of the journal, or of the one that it was made from."""
        damage = self.lost or self.about.get(DAMAGE)
        if not damage:
            return ()
        message = f"the journal of {self.about.get('name', 'a map')} is damaged: {damage}"
        quarantine_name = self.about.get(QUARANTINED) or str(self.folder)
        return (Problem(Severity.WARNING, DAMAGED, message, quarantine_name),)

    def renewed(self, quarantined: Path) -> Journal:
        """Return a new journal with what is whole of this one, which will be at ``quarantined``.

        Raises ProblemError if there is no map to begin with.
        """
        battlemap = self._map_of_base()
        about = self.about | {DAMAGE: self.lost, QUARANTINED: str(quarantined)}
        return Journal.begin(
            self.folder.parent,
            about,
            encode_map(battlemap),
            self.base_position - self._start,
            self.records(self._start),
            self.position - self._start,
            texts=self.texts(),
            assets=self.assets(),
            changed=self.changed,
        )

    # --- writing ----------------------------------------------------------------------------

    @contextmanager
    def _transaction(self, mode: str = "rw") -> Iterator[sqlite3.Connection]:
        """A transaction; ``mode`` "rwc" makes the database."""
        with as_problems(self.folder):
            database = self._writing(mode)
            if self.is_gone():
                words = "the folder of the journal was deleted or moved"
                raise error(DISK_FAULT, words, path=str(self.folder))
            try:
                database.execute("BEGIN IMMEDIATE")
                yield database
                database.execute("COMMIT")
            except BaseException:
                if database.in_transaction:
                    database.execute("ROLLBACK")
                raise
            if len(self._inodes) < 2:
                files = (self._steps_file, self.folder / _LOG)
                self._inodes = {file: file.stat().st_ino for file in files}

    def _writing(self, mode: str) -> sqlite3.Connection:
        """Return the connection for writing, which is made when it is first needed."""
        if self._database is not None and self._can_write:
            return self._database
        connection = connect(self._steps_file, mode)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA wal_autocheckpoint = 0")  # see checkpoint()
        if self._database is not None:
            self._database.close()  # it could only read
        self._database = connection
        self._can_write = True
        return connection

    def is_gone(self) -> bool:
        """Return whether its files were deleted or moved: what is written would be lost.

        Those that were open can still be read, until ``close``.
        """
        try:
            return any(file.stat().st_ino != number for file, number in self._inodes.items())
        except (FileNotFoundError, NotADirectoryError):
            return True
        except OSError:
            return False  # it cannot be looked at, but what is open is written

    def write(
        self,
        keep: int,
        steps: Sequence[StepRecord],
        position: int,
        about: Mapping[str, str] | None = None,
        encoded: Callable[[], bytes] | None = None,
        assets: Assets = NO_ASSETS,
    ) -> None:
        """Replace all steps after the first ``keep`` by ``steps``; ``position`` are done now.

        All of it is on the disk when this returns, and so are all ``assets``. ``encoded`` returns
        the map (``encode_map``) after ``position`` steps: it becomes the base if no other one is
        left.
        """
        saved = self.saved if self.saved <= keep else -1
        bases = self.bases
        base: BaseFile | None = None
        if bases[-1].position > keep:
            with as_problems(self.folder):
                bases = [base for base in bases if base.position <= keep]
                bases = drop_damaged(bases, self.folder)
            if not bases:
                assert encoded is not None, "no base is left"
                base = self.write_base(encoded(), position)
        changed = time.time()
        news = dict(set((about or {}).items()) - set(self.about.items()))
        with self._transaction() as database:
            database.execute("DELETE FROM base WHERE position > ?", (keep,))
            database.execute("DELETE FROM steps WHERE number > ?", (keep,))
            digests = _insert_steps(database, self._digests[: keep + 1], steps)
            self._insert_assets(database, assets)
            if base is not None:
                bases = [_insert_base(database, base, digests)]
            state = (position, len(digests) - 1, saved, changed, self._writes + 1)
            _write_state(database, state, news)
        self.bases = bases
        self._digests = digests
        self._assets.update(assets)
        self.position, self.count, self.saved, self.changed, self._writes = state
        self.about.update(news)
        write_head(self.folder, self._writes)

    def note_saved(self, about: Mapping[str, str]) -> None:
        """Record that the map in its present state has been saved."""
        with self._transaction() as database:
            state = (self.position, self.count, self.position, self.changed, self._writes)
            _write_state(database, state, about)
        self.saved = self.position
        self.about.update(about)

    def write_base(self, data: bytes, position: int) -> BaseFile:
        """Write another base, which is not used until ``use_base``; it is proven readable first."""
        if len(data) > LARGEST_VALUE:
            raise error(DISK_FAULT, "the map is too large to be kept", path=str(self.folder))
        decode_map(data)
        base = BaseFile(f"base-{secrets.token_hex(4)}", position, sha256(data).digest())
        write_atomically(self.folder / base.file, data)
        return base

    def use_base(self, base: BaseFile) -> None:
        """Use this base, too; the steps before its position must not have changed.

        Files of bases that are not kept go; no other base may be being written.
        """
        base = base._replace(after=self._digests[base.position])
        bases = sorted((*self.bases, base), key=lambda earlier: earlier.position)[-MOST_BASES:]
        with self._transaction() as database:
            database.execute("DELETE FROM base")
            for earlier in bases:
                database.execute("INSERT INTO base VALUES (?, ?, ?, ?)", earlier)
        self.bases = bases
        names = {earlier.file for earlier in bases}
        with suppress(OSError):  # they are only too many then
            for file in bases_in(self.folder):
                if file.name not in names:
                    file.unlink()

    def checkpoint(self) -> None:
        """Move the write-ahead log into the database, so that the log starts again."""
        with as_problems(self.folder), closing(connect(self._steps_file, "rw")) as connection:
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()

    # --- reading ----------------------------------------------------------------------------

    @property
    def base_position(self) -> int:
        """The number of steps that the last base includes."""
        return self.bases[-1].position

    def edit_of(self, number: int) -> bytes:
        """Return the encoded edit of a step, counted from 1; ProblemError if it is another than it
        was.
        """
        rows = self._rows("SELECT * FROM steps WHERE number = ?", number)
        row = StepRow._make(rows[0]) if rows else None
        at = number - self._start
        last, digest = self._digests[at - 1 : at + 1]
        if row is None or digest_of(last, *row[1:-1]) != digest:
            raise error(
                DAMAGED,
                f"the journal is damaged: change {number} is not what was written",
                path=str(self.folder),
            )
        return row.edit

    def edit(self, number: int, battlemap: BattleMap, *, done: bool) -> Edit:
        """Return the edit of a step, counted from 1, for a map as ``decode_edit`` wants it."""
        return decode_edit(self.edit_of(number), battlemap, done=done, texts=_Texts(self))

    def steps(self) -> list[StepRecord]:
        """Return all steps, without their edits."""
        rows = self._rows("SELECT text, before, after, extras FROM steps ORDER BY number")
        with as_problems(self.folder):
            return [
                StepRecord(json.loads(text), (before, after), extras, b"")
                for text, before, after, extras in rows
            ]

    def records(self, start: int = 0) -> Iterator[StepRecord]:
        """Yield the whole steps after the first ``start``, one by one; see ``texts`` for their
        texts.
        """
        query = "SELECT * FROM steps WHERE number > ? AND number <= ? ORDER BY number"
        for number, row in enumerate(self._found(query, start, self.count), start + 1):
            step = StepRow._make(row)
            if step.number != number:  # a damaged file can give a row that was not asked for
                return
            yield StepRecord(json.loads(step.text), (step.before, step.after), *step[4:6])

    def texts(self) -> Iterator[tuple[str, str]]:
        """Yield the texts of the steps by digest, those that can be read."""
        with suppress(sqlite3.DatabaseError):  # a step whose text is missing says so
            for ref, text in self._found("SELECT digest, text FROM texts"):
                if isinstance(text, str) and digest_of_text(text) == ref:
                    yield ref, text

    def assets(self) -> Assets:
        """Return the assets by digest, those that are whole."""
        assets: dict[str, bytes] = {}
        with suppress(sqlite3.DatabaseError):
            for digest, data in self._found("SELECT digest, data FROM assets"):
                with suppress(ValueError):
                    if isinstance(data, bytes):
                        assets[digest] = checked_asset(digest, data)
        self._assets.update(assets)
        return assets

    def _insert_assets(self, database: sqlite3.Connection, assets: Assets) -> None:
        """Insert those assets that are not in the journal yet; nothing is read of the others."""
        rows = [(digest, assets[digest]) for digest in assets.keys() - self._assets]
        database.executemany("INSERT OR REPLACE INTO assets VALUES (?, ?)", rows)

    def battlemap(self) -> BattleMap:
        """Return the map after its last step, done or undone, with all assets of the journal.

        A step after the base that cannot be done is dropped, with those that follow, and
        ``problems`` says so. A copy of the journal as it was is in quarantine.
        """
        battlemap = self._map_of_base()
        for number in range(self.base_position + 1, self.count + 1):
            try:
                _apply(self.edit(number, battlemap, done=False), battlemap)
            except ProblemError as reason:
                if any(problem.code == DISK_FAULT for problem in reason.problems):
                    raise
                self._cut(number - 1)
                break
        battlemap.assets = dict(self.assets())
        check_map(battlemap)
        lost = battlemap.asset_digests - battlemap.assets.keys()
        if lost and DAMAGE not in self.about:
            pictures = counted(len(lost), "picture")
            self.about |= {DAMAGE: f"{pictures} of its own terrains are lost"}
        return battlemap

    def map_to_show(self, battlemap: BattleMap) -> BattleMap:
        """Return a copy of ``battlemap()`` as it will be restored: after its last step that is
        done.
        """
        snapshot = battlemap.snapshot()
        with suppress(ProblemError):  # no further can it be undone when it is restored
            for number in range(self.count, self.position, -1):
                _apply(self.edit(number, snapshot, done=True).inverse(), snapshot)
        return snapshot

    def _map_of_base(self) -> BattleMap:
        """Return the map of the last base."""
        with as_problems(self.folder):
            data = self.bases[-1].read(self.folder)
        return decode_map(data)

    def _cut(self, keep: int) -> None:
        """Keep the first ``keep`` steps only; a copy of the journal goes to the quarantine."""
        copy = quarantine_path(self.folder.parent, self.folder.name)
        with as_problems(self.folder):
            copy.mkdir()
            for file in self.folder.iterdir():
                if file.name != LOCK and not is_blocked(file):
                    shutil.copyfile(file, copy / file.name)
        words = f"its changes from number {keep + 1} of {self.count} on are lost"
        about = {DAMAGE: words, QUARANTINED: str(copy)}
        self.write(keep, [], min(self.position, keep), about)

    def _rows(self, query: str, *values: int | str) -> list[tuple[Any, ...]]:
        with as_problems(self.folder):
            return self._found(query, *values).fetchall()

    def _found(self, query: str, *values: int | str) -> sqlite3.Cursor:
        assert self._database is not None, "the journal is closed"
        return self._database.execute(query, values)

    # --- the end ----------------------------------------------------------------------------

    def close(self) -> None:
        """Release the journal and keep its files: it will be offered again."""
        if self._database is not None:
            self._database.close()
            self._database = None
        self._lock.close()

    def delete(self) -> None:
        """Delete the journal. First it says that nothing is kept: remains are not offered."""
        with suppress(ProblemError), self._transaction() as database:
            for table in KEEPING:
                database.execute(f"DELETE FROM {table}")
        if self._database is not None:
            self._database.close()
            self._database = None
        with suppress(OSError):
            for file in (*bases_in(self.folder), self.folder / HEAD, self._steps_file):
                current_disk().remove(file)
        self._lock.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class _Texts(Mapping[str, str]):
    """The texts of a journal by digest."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def __getitem__(self, ref: str) -> str:
        rows = self._journal._rows("SELECT text FROM texts WHERE digest = ?", ref)
        text = rows[0][0] if rows else None
        if not isinstance(text, str) or digest_of_text(text) != ref:
            raise KeyError(ref)
        return text

    def __iter__(self) -> Iterator[str]:
        return (ref for (ref,) in self._journal._rows("SELECT digest FROM texts"))

    def __len__(self) -> int:
        return len(self._journal._rows("SELECT digest FROM texts"))


def _insert_steps(
    database: sqlite3.Connection, digests: Sequence[bytes], steps: Iterable[StepRecord]
) -> list[bytes]:
    """Insert steps and their texts behind those with ``digests``; returns the longer chain."""
    chain = list(digests)
    for number, step in enumerate(steps, len(chain)):
        content = (json.dumps(step.text), *step.active, step.extras, step.edit)
        chain.append(digest_of(chain[-1], *content))
        row = (number, *content, chain[-1])
        database.execute("INSERT INTO steps VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        database.executemany("INSERT OR IGNORE INTO texts VALUES (?, ?)", step.texts.items())
    return chain


def _insert_base(
    database: sqlite3.Connection, base: BaseFile, digests: Sequence[bytes]
) -> BaseFile:
    """Insert a base where it stands in a chain."""
    base = base._replace(after=digests[base.position])
    database.execute("INSERT INTO base VALUES (?, ?, ?, ?)", base)
    return base


def _write_state(
    database: sqlite3.Connection,
    state: tuple[int, int, int, float, int],
    about: Mapping[str, str],
) -> None:
    """Write a row of the table ``done`` without its digest, and what is new in ``about``."""
    # In JSON, like the steps' texts: sqlite cannot store file names that are not UTF-8.
    rows = ((name, json.dumps(value)) for name, value in about.items())
    database.executemany("INSERT OR REPLACE INTO about VALUES (?, ?)", rows)
    all_about = decode_about(database.execute("SELECT name, value FROM about"))
    database.execute("DELETE FROM done")
    row = (*state, state_digest(state, all_about))
    database.execute("INSERT INTO done VALUES (?, ?, ?, ?, ?, ?)", row)


def _apply(edit: Edit, battlemap: BattleMap) -> None:
    try:
        edit.apply(battlemap)
    except (KeyError, IndexError, ValueError, AttributeError) as reason:
        raise error(DAMAGED, "the steps in this journal do not fit its map") from reason
