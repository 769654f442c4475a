"""Reads the database of a journal, as far as it is whole.

A journal has the undo steps of an open map. What a crashed program left may be damaged in any way:
rows can be missing, exchanged, of a wrong type, or unreadable. No step and no base is believed that
no digest speaks for; which steps are done is taken as it stands, since a wrong number there loses
nothing. Values larger than ``LARGEST_VALUE`` are not loaded, and a database with other tables than
``TABLES`` is not read.

``Journal.open`` calls ``read_content``, which tells what can be used, and in words for the user
what is lost. The tables are read by ``journal_table_reading``::

    database        base at 2, steps 1 2 3 x 5 (the fourth is damaged), done: 5 of 5
    content         base at 2, steps 1 2 3, position 3
    losses          "its changes from number 4 of 5 on are lost"
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from randomizer.model.basics.plurals import counted
from randomizer.model.problems import error
from randomizer.storage.journal.journal_bases import bases_in, without_damaged_end
from randomizer.storage.journal.journal_content import Content
from randomizer.storage.journal.journal_head import read_head
from randomizer.storage.journal.journal_log import Log
from randomizer.storage.journal.journal_table_reading import StateRow, Tables, WholeSteps
from randomizer.storage.journal.journal_tables import VERSION, VERSION_FIELDS


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
    versions = [_version(database, field) for field in VERSION_FIELDS]
    if not any(versions) and not bases_in(folder):
        return None  # its program ended before making the tables
    _check_version(versions)
    tables = Tables(database)
    if tables.keep_nothing():
        return None

    # In this order: steps need a base, and which are done can only be among those that are whole.
    written_bases = tables.bases()
    bases = without_damaged_end(written_bases, folder)
    if not bases:
        raise ValueError("its map is not what was written")
    steps = tables.steps(bases)
    about = tables.about()
    state = tables.state(about)

    lost_steps = _lost_steps(steps, state)
    is_all_whole = (
        all(version == VERSION for version in versions)
        and log.is_whole
        and tables.are_whole()
        and steps.bases[-1] == written_bases[-1]
    )
    losses = [lost_steps] if lost_steps else []
    if steps.chain.start:
        first_changes = counted(steps.chain.start, "change")
        losses.append(f"the first {first_changes} cannot be undone any more")
    if not losses:
        # Nothing is known to be lost; is something missing that the tables cannot know of?
        missing_writes = _missing_writes(folder, state.writes, log)
        if missing_writes:
            losses.append(missing_writes)
        elif not is_all_whole:
            losses.append("all its changes are whole, a file of it is not")

    # Where the number of done steps is damaged, all whole ones count as done.
    position = steps.chain.end
    if state.position is not None and state.position in steps.possible_positions:
        position = state.position
    # If steps are lost, the others may not be those that led to the saved map.
    saved = None
    if not lost_steps and state.saved in steps.possible_positions:
        saved = state.saved
    content = Content(
        bases=steps.bases,
        chain=steps.chain,
        position=position,
        saved=saved,
        changed=state.changed,
        writes=state.writes,
        about=about,
    )
    return ReadJournal(content, tuple(losses))


def _version(database: sqlite3.Connection, field: str) -> int:
    """Return one of ``VERSION_FIELDS`` of a database."""
    (version,) = database.execute(f"PRAGMA {field}").fetchone()
    return int(version)


def _check_version(versions: Sequence[int]) -> None:
    """Raise ProblemError if both fields of the version say that the journal is of another one."""
    if VERSION in versions or not any(versions):
        return
    age = "an older"
    if max(versions) > VERSION:
        age = "a newer"
    raise error("journal-version", f"this journal is from {age} version of this program")


# --- what is lost, in words ---------------------------------------------------------------------


def _lost_steps(steps: WholeSteps, state: StateRow) -> str:
    """Return in words what the steps and the row of the table ``done`` show to be lost, or ""."""
    # A journal that ends too early shows it: more steps were written than are whole.
    total = max(steps.written, state.step_count or 0)
    if steps.chain.end < total:
        first_lost = steps.chain.end + 1
        return f"its changes from number {first_lost} of {total} on are lost"
    if state.step_count != total or state.position not in steps.possible_positions:
        return "which of its changes were undone is not known"
    if not state.is_as_written:
        return "its name, its file or which of its changes were undone may not be right"
    return ""


def _missing_writes(folder: Path, writes: int | None, log: Log) -> str:
    """Return in words what was written after the ``writes`` that the database has; "" if nothing.

    ``writes`` is None if their number could not be read. The file ``head`` has the number of
    writes, too (``journal_head.py``).
    """
    writes_of_head = read_head(folder)
    if writes_of_head is None or writes is None:
        if log.is_complete:
            return ""
        return "changes made last can be missing"
    missing = writes_of_head - writes
    if missing > 1:
        return f"the last {missing} changes, undoing and redoing counted, are lost"
    if missing == 1:
        return "the last change is lost"
    # Without a frame of the log a page can be older than the one that counts the writes.
    if log.is_complete:
        return ""
    return "changes can be missing"
