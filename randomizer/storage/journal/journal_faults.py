"""Turns the exceptions of a journal's database and files into problems for the user.

It matters whose fault it is. A journal that the *disk* does not let be read or written may be
whole, and is left as it is. One that is *damaged* will never be readable, and goes into the
quarantine::

    with as_problems(folder):
        connection.execute(...)         # raises ProblemError, with DISK_FAULT or DAMAGED as code
"""

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
"""The code of problems of a journal whose content is not what was written."""

_DISK_FAULTS = {
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_IOERR: "the disk reports a fault",
    sqlite3.SQLITE_READONLY: "its folder can only be read",
    sqlite3.SQLITE_CANTOPEN: "its folder does not let it be opened",
    sqlite3.SQLITE_PERM: "permission is denied",
    sqlite3.SQLITE_BUSY: "another program has it open",
}
"""The faults of the disk by SQLite's error codes, as ends of sentences.

Every other error of SQLite counts as damage of the journal: it will not be readable later, either.
"""

_PRIMARY_CODE = 0xFF
"""The bits of SQLite's error code with the kind of error; the higher ones tell it more exactly."""


def is_disk_fault(reason: sqlite3.Error) -> bool:
    """Return whether the disk is at fault for an error, and not the journal."""
    return _text_of_disk_fault(reason) is not None


def _text_of_disk_fault(reason: Exception) -> str | None:
    """Return the fault of the disk that is behind an error; None if the disk is not at fault."""
    error_code = getattr(reason, "sqlite_errorcode", 0)  # not all errors of sqlite3 have one
    return _DISK_FAULTS.get(error_code & _PRIMARY_CODE)


@contextmanager
def as_problems(folder: Path) -> Iterator[None]:
    """Turn OSError, sqlite3.Error and ValueError in this context into a ProblemError.

    The problem names ``folder``. OSError is a fault of the disk. ValueError is what readers of a
    journal's content raise: then the journal is damaged.
    """
    try:
        yield
    except OSError as reason:
        message = f"the journal could not be kept: {words_of(reason)}"
        raise error(DISK_FAULT, message, path=str(folder)) from reason
    except (sqlite3.Error, ValueError) as reason:
        disk_fault = _text_of_disk_fault(reason)
        if disk_fault is not None:
            message = f"the journal could not be kept: {disk_fault}"
            raise error(DISK_FAULT, message, path=str(folder)) from reason
        message = f"this journal is damaged: {reason}"
        raise error(DAMAGED, message, path=str(folder)) from reason
