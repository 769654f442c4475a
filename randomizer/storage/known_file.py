"""A file as it was when we last read or wrote it, so that nobody's work is overwritten unseen."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from pathlib import Path


class FileChange(StrEnum):
    """What happened to a file since."""

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
        """The file that holds ``data`` now. Raises OSError.

        What another program writes between that reading or writing and this call is noticed only if
        it has another size: call it at once.
        """
        found = path.stat()
        # A time that cannot be right makes the next look compare the contents.
        time = found.st_mtime_ns if found.st_size == len(data) else -1
        return cls(path, len(data), time, sha256(data).digest())

    def change(self) -> FileChange:
        """What another program did to the file. The contents count, not the time. Never raises.

        A file that cannot be read any more is one that changed.
        """
        try:
            found = self.path.stat()
            if (found.st_size, found.st_mtime_ns) == (self.size, self.mtime_ns):
                return FileChange.NOTHING
            if found.st_size == self.size and self._same_contents():
                return FileChange.NOTHING
        except FileNotFoundError:
            return FileChange.GONE
        except OSError:
            return FileChange.CHANGED
        return FileChange.CHANGED

    def _same_contents(self) -> bool:
        return sha256(self.path.read_bytes()).digest() == self.digest
