"""``KnownFile``: a file as it was last read or written, to notice changes by other programs.

    known_file = KnownFile.of(path, data)      # at once after ``data`` was read or written
    ...
    known_file.change_since()                  # UNCHANGED, CHANGED or GONE

The desk asks before it saves over a file, and when its window gets the focus again.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from pathlib import Path

from randomizer.model.problems import ProblemError
from randomizer.reading.files import read_file


class FileChange(StrEnum):
    """The change of a file since it was read or written."""

    UNCHANGED = "unchanged"
    CHANGED = "changed"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class KnownFile:
    """A file's size, time and content at one moment."""

    path: Path

    size: int
    """In bytes."""

    mtime_ns: int
    """The time of its last change in nanoseconds; -1, which no file has, if that is not known."""

    digest: bytes
    """The SHA-256 of its content."""

    @classmethod
    def of(cls, path: Path, data: bytes) -> KnownFile:
        """Return the present state of a file that holds ``data``. Raises OSError.

        Call it at once after reading or writing: if another program writes the file in between,
        that is noticed only if the size differs.
        """
        status = path.stat()
        mtime_ns = status.st_mtime_ns
        if status.st_size != len(data):
            # Another program wrote it meanwhile, so that time is not the time of ``data``.
            mtime_ns = -1
        return cls(path, len(data), mtime_ns, sha256(data).digest())

    def change_since(self) -> FileChange:
        """Return what another program has done to the file since. Never raises.

        The content counts, not the time: a file that was written again with the same bytes has not
        changed. One that cannot be read any more has.
        """
        try:
            status = self.path.stat()
            if status.st_size != self.size:
                return FileChange.CHANGED
            # Reading is slow: it is done only if the time is another one.
            if status.st_mtime_ns == self.mtime_ns or self._has_same_content():
                return FileChange.UNCHANGED
        except FileNotFoundError:
            return FileChange.GONE
        except (OSError, ProblemError):
            return FileChange.CHANGED
        return FileChange.CHANGED

    def _has_same_content(self) -> bool:
        """Return whether the file holds the known bytes. Raises OSError or ProblemError."""
        return sha256(read_file(self.path, self.size)).digest() == self.digest
