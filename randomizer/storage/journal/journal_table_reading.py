"""Reads the tables of a journal's database, each as far as it is whole.

tables = Tables(connection)         # ValueError if these are not the tables of a journal
bases = tables.bases()
steps = tables.steps(bases)
about = tables.about()
state = tables.state(about)
tables.are_whole()                  # at the end: was there a row that could not be read?
"""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from randomizer.storage.journal.journal_bases import BASE_NAME, BaseFile
from randomizer.storage.journal.journal_digests import StepChain, StepRow, state_digest
from randomizer.storage.journal.journal_faults import is_disk_fault
from randomizer.storage.journal.journal_tables import KEEPING, TABLES


class WholeSteps(NamedTuple):
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


class StateRow(NamedTuple):
    """The row of the table ``done``: how far the map is done, and saved.

    None stands for a value that is missing or of a wrong type. Values of a row that is not as it
    was written are told all the same, since a wrong one only shows another step of the map.
    """

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


class Tables:
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
        """Yield the rows of a table, up to one that cannot be read; then ``are_whole`` is False.

        They are read one by one, since all the edits of a journal can be very large. ``clause`` is
        the end of the query, with a question mark for each of ``values``.
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

    def steps(self, bases: Sequence[BaseFile]) -> WholeSteps:
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
        return WholeSteps(chain, tuple(matching_bases), written)

    def state(self, about: Mapping[str, str]) -> StateRow:
        """Return the row of the table ``done``, whose digest covers ``about``, too."""
        columns = "position, count, saved, time, writes, digest"
        no_row: tuple[Any, ...] = (None, None, None, None, None, None)
        row = next(self._rows("done", columns), no_row)
        position, count, saved, time_of_change, writes, digest = row
        is_as_written = state_digest(row[:-1], about) == digest
        changed = 0.0
        if isinstance(time_of_change, float) and math.isfinite(time_of_change):
            changed = time_of_change
        known_writes = None
        if is_as_written:
            known_writes = _int_or_none(writes)
        return StateRow(
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


def decode_about(rows: Iterable[Any]) -> dict[str, str]:
    """Return the rows of the table ``about``; the map can do without those that are damaged."""
    about = {}
    for name, value in rows:
        with suppress(ValueError, TypeError, RecursionError):
            text = json.loads(value)
            if isinstance(name, str) and isinstance(text, str):
                about[name] = text
    return about
