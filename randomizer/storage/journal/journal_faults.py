"""Failures of a journal as problems."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from randomizer.model.basics.error_reasons import words_of
from randomizer.model.problems import error

DISK_FAULT = "journal-not-kept"
"""The code of problems of the disk, not of the journal itself."""

DAMAGED = "damaged-journal"

_WORDS = {
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_IOERR: "the disk reports a fault",
    sqlite3.SQLITE_READONLY: "its folder can only be read",
    sqlite3.SQLITE_CANTOPEN: "its folder does not let it be opened",
    sqlite3.SQLITE_PERM: "permission is denied",
    sqlite3.SQLITE_BUSY: "another program has it open",
}
"""Disk faults by sqlite's error code: on another disk, or later, the journal can be intact."""


def is_disk_fault(reason: sqlite3.Error) -> bool:
    """Return whether the disk is at fault, and not the journal."""
    return _words(reason) is not None


def _words(reason: Exception) -> str | None:
    return _WORDS.get(getattr(reason, "sqlite_errorcode", 0) & 0xFF)


@contextmanager
def as_problems(folder: Path) -> Iterator[None]:
    """Turns errors of sqlite and the system into a ProblemError."""
    try:
        yield
    except OSError as reason:
        text = f"the journal could not be kept: {words_of(reason)}"
        raise error(DISK_FAULT, text, path=str(folder)) from reason
    except (sqlite3.Error, ValueError) as reason:
        words = _words(reason)
        if words is None:
            text = f"this journal is damaged: {reason}"
            raise error(DAMAGED, text, path=str(folder)) from reason
        raise error(
            DISK_FAULT, f"the journal could not be kept: {words}", path=str(folder)
        ) from reason
