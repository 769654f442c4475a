"""A file's state when it was last read or written, to detect changes by other programs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from pathlib import Path

from randomizer.model.problems import ProblemError
from randomizer.reading.files import read_file


class FileChange(StrEnum):
    """The change of a file since it was read or written."""

    NOTHING = "nothing"
    CHANGED = "changed"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class KnownFile:
    """A file's size, time and contents at one moment."""

    path: Path
    size: int
    mtime_ns: int
    digest: bytes

    @classmethod
    def of(cls, path: Path, data: bytes) -> KnownFile:
        """Return the present state of a file that holds ``data``. Raises OSError.

        Call it at once: a write by another program between that reading or writing and this call is
        noticed only if the size differs.
        """
        status = path.stat()
        # An impossible time makes ``change`` compare the contents.
        time = status.st_mtime_ns if status.st_size == len(data) else -1
        return cls(path, len(data), time, sha256(data).digest())

    def change(self) -> FileChange:
        """Return what another program did to the file. Contents count, not times. Never raises.

        A file that cannot be read any more has changed.
        """
        try:
            status = self.path.stat()
            if (status.st_size, status.st_mtime_ns) == (self.size, self.mtime_ns):
                return FileChange.NOTHING
            if status.st_size == self.size and self._same_contents():
                return FileChange.NOTHING
        except FileNotFoundError:
            return FileChange.GONE
        except (OSError, ProblemError):
            return FileChange.CHANGED
        return FileChange.CHANGED

    def _same_contents(self) -> bool:
        return sha256(read_file(self.path, self.size)).digest() == self.digest
