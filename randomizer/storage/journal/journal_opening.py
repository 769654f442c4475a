"""Opens the files of a journal that a program left, without changing them.

The files may be damaged in any way, or be no files at all. ``quarantine_irregular_files`` makes
sure that those can be opened which are not needed, ``open_to_read`` reads what is whole of the
others.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from randomizer.storage.disk.regular_files import is_blocked
from randomizer.storage.journal.journal_bases import bases_in
from randomizer.storage.journal.journal_database import LOG, STEPS, JournalDatabase, is_database
from randomizer.storage.journal.journal_faults import as_problems
from randomizer.storage.journal.journal_head import HEAD
from randomizer.storage.journal.journal_log import read_log, write_merged
from randomizer.storage.journal.journal_reading import ReadJournal, read_content
from randomizer.storage.journal.quarantine import move_to_quarantine, quarantine_path

LOCK = "lock"
"""The name of the file that is locked as long as the journal is in use."""

_SHARED_MEMORY = f"{STEPS}-shm"
"""The name of SQLite's index of its log."""

_MERGED = f"{STEPS}-merged"
"""The name of a copy of the database with its log in it.

It is made of a log that SQLite cannot read to its end.
"""

_FILES_NOT_NEEDED = (LOCK, HEAD, LOG, _SHARED_MEMORY, _MERGED)
"""The names of files without which most of a journal can be read."""


def quarantine_irregular_files(folder: Path) -> set[str]:
    """Move to the quarantine what is no regular file, and return the names.

    That is a link or a pipe, for example, in place of one of ``_FILES_NOT_NEEDED``. Raises
    ProblemError.
    """
    names = set()
    for name in _FILES_NOT_NEEDED:
        with as_problems(folder):
            blocked = is_blocked(folder / name)
        if blocked:
            path = quarantine_path(folder.parent, f"{folder.name} {name}")
            move_to_quarantine(folder / name, path)
            names.add(name)
    return names


def open_to_read(
    folder: Path, database: JournalDatabase, *, is_log_lost: bool
) -> ReadJournal | None:
    """Open the database of a journal for reading, and return what is whole of the journal.

    ``is_log_lost``: SQLite's log is in the quarantine, so changes may be missing. None if the
    journal keeps nothing. Raises ValueError, OSError or sqlite3.Error, which ``as_problems`` turns
    into problems.
    """
    # The file of steps can be missing or empty, a link or a folder, or something else than a
    # database.
    file = database.file
    has_steps = os.path.lexists(file) and file.lstat().st_size > 0
    if not has_steps and not bases_in(folder):
        return None  # its program ended before writing anything, or after deleting all
    if is_blocked(file) or not file.exists():
        raise ValueError("its file of steps is missing")
    if not is_database(file):
        raise ValueError("its file of steps is no database")
    database.note_file()
    log = read_log(folder / LOG)
    if is_log_lost:
        log = replace(log, is_complete=False)
    # SQLite ends reading at the first damage in a log: then it reads a copy with the log in it.
    if not log.is_whole:
        merged = folder / _MERGED  # the renewed journal has none; this one goes to the quarantine
        write_merged(database.file, log, merged)
        return read_content(folder, database.open_to_read(merged), log)
    return read_content(folder, database.open_to_read(file), log)
