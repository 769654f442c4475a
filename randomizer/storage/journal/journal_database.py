"""The SQLite database of a journal: its connection, its transactions, and its queries.

A journal is a folder with the undo steps of an open map; its steps are rows of this database.
``Journal`` has one ``JournalDatabase``. It is opened for reading only, so that a journal that a
crashed program left stays as it was, and again for writing when the first transaction begins::

    with database.transaction() as connection:
        connection.execute("DELETE FROM steps")
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from randomizer.model.problems import error
from randomizer.storage.disk.regular_files import read_start
from randomizer.storage.journal import journal_tables
from randomizer.storage.journal.journal_faults import DISK_FAULT, as_problems

STEPS = "steps.sqlite"
"""The name of the database."""

LOG = f"{STEPS}-wal"
"""The name of SQLite's write-ahead log."""

_BUSY_S = 0.5
"""How long a write waits for another program that has locked the database, in seconds.

It waits on the UI thread: if this were longer, the window would stand still noticeably.
"""

_SMALLEST_DATABASE = 512
"""The least size of a database, in bytes: one page."""


class JournalDatabase:
    """The database in the folder of a journal, closed at first.

    Calls can come from any thread, one at a time; ``checkpoint`` at any time.
    """

    def __init__(self, folder: Path) -> None:
        self.file = folder / STEPS
        """The path of the database."""
        self._folder = folder
        """The folder of the journal, which problems name."""
        self._log_file = folder / LOG
        """The path of SQLite's write-ahead log."""
        self._connection: sqlite3.Connection | None = None
        """None until it is opened, and after ``close``."""
        self._can_write = False
        """True if ``_connection`` was opened for writing."""
        self._inodes: dict[Path, int] = {}
        """The inodes of the files that this object reads or writes, by their paths.

        If a path has another inode now, another file has taken its place. {} before ``note_file``.
        """

    def note_file(self) -> None:
        """Note which file the database is, before it or a copy of it is read. Raises OSError.

        ``is_gone`` compares it later; the log is noted by the first transaction.
        """
        self._inodes = {self.file: self.file.stat().st_ino}

    def open_to_read(self, file: Path) -> sqlite3.Connection:
        """Open ``file``, the database itself or a copy of it, so that nothing is written.

        It is called once, before any transaction. Raises sqlite3.Error.
        """
        assert self._connection is None, "it is opened once"
        self._connection = connect(file, "ro")
        return self._connection

    @contextmanager
    def transaction(self, *, creates_database: bool = False) -> Iterator[sqlite3.Connection]:
        """Begin a transaction, which is committed at the end of the block, or rolled back.

        Raises ProblemError if the journal cannot be written, or its files were deleted or moved.
        Errors of the block itself become problems, too (``as_problems``): a ValueError there says
        that the journal is damaged.
        """
        mode = "rwc" if creates_database else "rw"
        with as_problems(self._folder):
            connection = self._open_to_write(mode)
            if self.is_gone():
                message = "the folder of the journal was deleted or moved"
                raise error(DISK_FAULT, message, path=str(self._folder))
            try:
                connection.execute("BEGIN IMMEDIATE")
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
            # The first transaction has made the log; until then there was no file to note.
            if self._log_file not in self._inodes:
                files = (self.file, self._log_file)
                # What is committed is kept. Files that are not there now are noticed next time.
                with suppress(OSError):
                    self._inodes = {file: file.stat().st_ino for file in files}

    def _open_to_write(self, mode: str) -> sqlite3.Connection:
        """Return the connection for writing, which is made when it is first needed.

        It takes the place of one that can only read.
        """
        if self._connection is not None and self._can_write:
            return self._connection
        connection = connect(self.file, mode)
        # Changes go into a log, which is moved into the database now and then (``checkpoint``).
        connection.execute("PRAGMA journal_mode = WAL")
        # With less, SQLite does not sync its log to the disk at each commit.
        connection.execute("PRAGMA synchronous = FULL")
        # Otherwise SQLite would move the log at some commit, on the thread that waits for it.
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        if self._connection is not None:
            self._connection.close()
        self._connection = connection
        self._can_write = True
        return connection

    def is_gone(self) -> bool:
        """Return whether the files were deleted or moved: what is written would be lost.

        Those that were open can still be read, until ``close``.
        """
        try:
            return any(file.stat().st_ino != inode for file, inode in self._inodes.items())
        except (FileNotFoundError, NotADirectoryError):
            return True
        except OSError:
            return False  # the files cannot be looked at, but those that are open can be written

    def fetch_all(self, query: str, *values: int | str) -> list[tuple[Any, ...]]:
        """Return the rows of a query. Raises ProblemError."""
        with as_problems(self._folder):
            return self.iterate(query, *values).fetchall()

    def iterate(self, query: str, *values: int | str) -> sqlite3.Cursor:
        """Return the rows of a query one by one, as they are read. Raises sqlite3.Error."""
        assert self._connection is not None, "the journal is closed"
        return self._connection.execute(query, values)

    def checkpoint(self) -> None:
        """Move the write-ahead log into the database, so that the log starts again.

        It has a connection of its own: a transaction on another thread need not end first.
        """
        with as_problems(self._folder), closing(connect(self.file, "rw")) as connection:
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()

    def close(self) -> None:
        """Close the connection; files that were moved or deleted cannot be read any more."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def is_database(file: Path) -> bool:
    """Return whether a file begins as a database does. Raises OSError.

    To be asked before ``connect``: SQLite deletes the log beside a file that is no database.
    """
    start = read_start(file, _SMALLEST_DATABASE)
    return start.startswith(b"SQLite format 3\0") and len(start) == _SMALLEST_DATABASE


def connect(file: Path, mode: str) -> sqlite3.Connection:
    """Return a connection of SQLite's mode; "ro" changes nothing, also when it is closed."""
    connection = sqlite3.connect(
        f"{file.absolute().as_uri()}?mode={mode}",
        timeout=_BUSY_S,
        isolation_level=None,
        check_same_thread=False,
        uri=True,
    )
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, journal_tables.LARGEST_VALUE)
    return connection
