"""Reads the database of a journal, as far as it is whole.

A journal has the undo steps of an open map. What a crashed program left may be damaged in any way:
rows can be missing, exchanged, of a wrong type, or unreadable. Nothing is believed that no digest
speaks for, values larger than ``LARGEST_VALUE`` are not loaded, and a database with other tables
than ``TABLES`` is not read.

``Journal.open`` calls ``read_content``, which tells what can be used, and in words for the user
what is lost::

    database        base at 2, steps 1 2 3 x 5 (the fourth is damaged), done: 5 of 5
    content         base at 2, steps 1 2 3, position 3
    losses          "its changes from number 4 of 5 on are lost"
"""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from randomizer.model.basics.plurals import counted
from randomizer.model.problems import error
from randomizer.storage.journal.journal_bases import (
    BASE_NAME,
    BaseFile,
    bases_in,
    without_damaged_end,
)
from randomizer.storage.journal.journal_content import Content
from randomizer.storage.journal.journal_digests import StepChain, StepRow, state_digest
from randomizer.storage.journal.journal_faults import is_disk_fault
from randomizer.storage.journal.journal_head import read_head
from randomizer.storage.journal.journal_log import Log
from randomizer.storage.journal.journal_tables import KEEPING, TABLES, VERSION, VERSION_FIELDS


class ReadJournal(NamedTuple):
    """What was read of a journal."""

    content: Content
    """What is whole of it."""

    losses: tuple[str, ...]
    """What is not whole, in words; empty if all is."""


def read_content(folder: Path, database: sqlite3.Connection, log: Log) -> ReadJournal | None:
    """Return what is whole of a journal; None if its database says that nothing is kept.

    ``database`` already has what is whole of ``log``, which says whether something is missing.

    Raises sqlite3.Error, ValueError, or ProblemError for a journal of another version.
    """
    versions = [database.execute(f"PRAGMA {name}").fetchone()[0] for name in VERSION_FIELDS]
    if not any(versions) and not bases_in(folder):
        return None  # its program ended before making the tables
    _check_version(versions)
    tables = _Tables(database)
    if tables.keep_nothing():
        return None

    # In this order: steps need a base, and which are done can only be among those that are whole.
    written_bases = tables.bases()
    bases = without_damaged_end(written_bases, folder)
    if not bases:
        raise ValueError("its map is not what was written")
    steps = tables.steps(bases)
    about = tables.about()
    done = tables.done(about)

    losses = _lost_steps(steps, done)
    is_known_as_saved = not losses  # else the steps may not be those that led to the saved map
    if steps.chain.start:
        first_changes = counted(steps.chain.start, "change")
        losses.append(f"the first {first_changes} cannot be undone any more")
    if not losses:
        losses += _lost_writes(folder, done.writes, log)
    has_versions = all(version == VERSION for version in versions)
    has_last_base = steps.bases[-1] == written_bases[-1]
    is_database_whole = has_versions and log.is_whole and tables.are_whole()
    if not losses and not (is_database_whole and has_last_base):
        losses.append("all its changes are whole, a file of it is not")

    # Where the number of done steps is damaged, all whole ones count as done.
    position = steps.chain.end
    if done.position is not None and done.position in steps.possible_positions:
        position = done.position
    saved = None
    if is_known_as_saved and done.saved in steps.possible_positions:
        saved = done.saved
    content = Content(
        bases=steps.bases,
        chain=steps.chain,
        position=position,
        saved=saved,
        changed=done.changed,
        writes=done.writes,
        about=about,
    )
    return ReadJournal(content, tuple(losses))


def _check_version(versions: Sequence[int]) -> None:
    """Raise ProblemError if both fields of the version say that the journal is of another one."""
    if VERSION in versions or not any(versions):
        return
    age = "an older"
    if max(versions) > VERSION:
        age = "a newer"
    raise error("journal-version", f"this journal is from {age} version of this program")


# --- the tables ---------------------------------------------------------------------------------


class _WholeSteps(NamedTuple):
    """The steps that are whole, and the bases that fit them."""

    chain: StepChain
    """The digests of the steps."""

    bases: tuple[BaseFile, ...]
    """The bases whose last steps are in the chain."""

    written: int
    """The number of the last step that there was, whole or not, as far as the rows show."""

    @property
    def possible_positions(self) -> range:
        """The numbers of steps that can be done."""
        return range(self.chain.start, self.chain.end + 1)


class _DoneRow(NamedTuple):
    """The row of the table ``done``; None stands for a value that is none, or is not known."""

    position: int | None
    """How many steps are done."""

    step_count: int | None
    """How many steps there are."""

    saved: int | None
    """How many were done when the map was last saved; negative if it never was."""

    changed: float
    """The ``time.time()`` of the last step; 0.0 if it is not known."""

    writes: int | None
    """How often the journal was written; None also if the row is not what was written."""

    is_as_written: bool
    """True if the digest of the row fits it."""


class _Tables:
    """Reads the tables of a journal, each as far as it can be.

    A row that cannot be read ends its table. ``are_whole`` tells at the end whether there was one.
    """

    def __init__(self, database: sqlite3.Connection) -> None:
        """Check the tables. Raises ValueError if they are not those of a journal."""
        self._database = database
        self._has_bad_row = False
        """True once a row could not be read, or a row of ``base`` had impossible values."""
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
            self._has_bad_row = True

    def are_whole(self) -> bool:
        """Return whether all rows read could be read, and SQLite finds no fault in the rest."""
        try:
            state = self._database.execute("PRAGMA quick_check(1)").fetchone()
        except sqlite3.Error as reason:
            if is_disk_fault(reason):
                raise
            return False
        return not self._has_bad_row and state == ("ok",)

    def keep_nothing(self) -> bool:
        """Return whether the tables say that the journal keeps nothing.

        Its program was killed while it made or deleted the journal.
        """
        rows = [next(self._rows(table, "1"), None) for table in KEEPING]
        return not self._has_bad_row and not any(rows)

    def bases(self) -> list[BaseFile]:
        """Return the bases in the order of their positions.

        Raises ValueError if none can be one.
        """
        bases = []
        for row in self._rows("base", "file, position, digest, last_step", "ORDER BY position"):
            if _is_base(row):
                bases.append(BaseFile(*row))
            else:
                self._has_bad_row = True
        if not bases:
            raise ValueError("it does not say what its map is")
        return bases

    def about(self) -> dict[str, str]:
        """Return what describes the map."""
        return decode_about(self._rows("about", "name, value"))

    def steps(self, bases: Sequence[BaseFile]) -> _WholeSteps:
        """Return the steps that are whole around the last of ``bases``, which is the map.

        Of the steps before that base all are used or none: without one the others cannot be undone.
        Of those after it as many are used as are whole.
        """
        last_base = bases[-1]
        order = "ORDER BY number"
        rows = self._rows("steps", "*", f"WHERE number <= ? {order}", last_base.position)
        chain, row_count = StepChain().extended(map(StepRow._make, rows))
        # The chain has to end at the digest that the base names.
        is_whole = row_count == last_base.position and chain.end == last_base.position
        if not is_whole or chain.digest_after(chain.end) != last_base.last_step:
            chain = StepChain(last_base.position, (last_base.last_step,))
            bases = [last_base]

        # Other bases are used only if the chain passes through their digests.
        matching_bases = []
        for base in bases:
            if chain.digest_after(base.position) == base.last_step:
                matching_bases.append(base)

        rows = self._rows("steps", "*", f"WHERE number > ? {order}", last_base.position)
        chain, row_count = chain.extended(map(StepRow._make, rows))
        written = last_base.position + row_count
        return _WholeSteps(chain, tuple(matching_bases), written)

    def done(self, about: Mapping[str, str]) -> _DoneRow:
        """Return the row of the table ``done``, whose digest covers ``about``, too."""
        nothing: tuple[Any, ...] = (None,) * 6
        row = next(self._rows("done", "*"), nothing)
        position, count, saved, time_of_change, writes, digest = row
        is_as_written = state_digest(row[:-1], about) == digest
        changed = 0.0
        if isinstance(time_of_change, float) and math.isfinite(time_of_change):
            changed = time_of_change
        known_writes = None
        if is_as_written:
            known_writes = _int_or_none(writes)
        return _DoneRow(
            position=_int_or_none(position),
            step_count=_int_or_none(count),
            saved=_int_or_none(saved),
            changed=changed,
            writes=known_writes,
            is_as_written=is_as_written,
        )


def _int_or_none(value: object) -> int | None:
    """Return a value if it is an int: sqlite does not enforce the types of columns."""
    if isinstance(value, int):
        return value
    return None


def _is_base(row: tuple[Any, ...]) -> bool:
    """Return whether the values of a row of the table ``base`` are possible."""
    file, position, digest, last_step = row
    if not isinstance(file, str) or not BASE_NAME.fullmatch(file):
        return False
    if not isinstance(position, int) or position < 0:
        return False
    return isinstance(digest, bytes) and isinstance(last_step, bytes)


# --- what is lost, in words ---------------------------------------------------------------------


def _lost_steps(steps: _WholeSteps, done: _DoneRow) -> list[str]:
    """Return in words what the steps and the row of the table ``done`` show to be lost."""
    # A journal that ends too early shows it: more steps were written than are whole.
    total = max(steps.written, done.step_count or 0)
    if steps.chain.end < total:
        first_lost = steps.chain.end + 1
        return [f"its changes from number {first_lost} of {total} on are lost"]
    if done.step_count != total or done.position not in steps.possible_positions:
        return ["which of its changes were undone is not known"]
    if not done.is_as_written:
        return ["its name, its file or which of its changes were undone may not be right"]
    return []


def _lost_writes(folder: Path, writes: int | None, log: Log) -> list[str]:
    """Return in words what was written after the ``writes`` that the database has.

    The file ``head`` has the number of writes, too (``journal_head.py``).
    """
    writes_of_head = read_head(folder)
    if writes_of_head is None or writes is None:
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


def decode_about(rows: Iterable[Any]) -> dict[str, str]:
    """Return the rows of the table ``about``; the map can do without those that are damaged."""
    about = {}
    for name, value in rows:
        with suppress(ValueError, TypeError, RecursionError):
            text = json.loads(value)
            if isinstance(name, str) and isinstance(text, str):
                about[name] = text
    return about
