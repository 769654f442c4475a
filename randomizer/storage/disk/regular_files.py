"""Opens files that this program has written itself, such as journals, and only if they are files.

Somebody may have put a link, a pipe or a device in the place of such a file: reading it could block
the program, or read a file that nobody has chosen. Files that a person has chosen are read by
``randomizer.reading.files``.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

_CAREFUL_FLAGS = (
    getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
)
"""The flags for ``os.open``, as far as the system has them.

A link is not followed, a pipe does not block, and line ends stay as they are.
"""

_ANY_PERMISSIONS = 0o666
"""The permissions of a new file, less those that the system's umask takes away."""


class NotAFileError(ValueError):
    """There is something else at the path of a file: a folder, a link, a pipe, a device."""


def is_blocked(path: Path) -> bool:
    """Return whether something else than a file is at ``path``; False if nothing is there.

    Raises OSError.
    """
    try:
        return not stat.S_ISREG(path.lstat().st_mode)
    except FileNotFoundError:
        return False


def open_regular(path: Path, flags: int = os.O_RDONLY) -> int:
    """Return the handle of an opened file (``os.open``). Raises NotAFileError, or OSError."""
    if is_blocked(path):
        raise NotAFileError(f"{path.name} is not a file")
    # Between the check and this call a link can take the place of the file: hence the flags.
    return os.open(path, flags | _CAREFUL_FLAGS, _ANY_PERMISSIONS)


def read_regular(path: Path, largest: int) -> bytes:
    """Return the bytes of a file.

    Raises NotAFileError, OSError, or ValueError if it has more than ``largest`` bytes.
    """
    with os.fdopen(open_regular(path), "rb") as file:
        size = os.fstat(file.fileno()).st_size
        if size > largest:
            raise ValueError(f"{path.name} has {size:,} bytes, {largest:,} are the most")
        return file.read(size)


def read_start(path: Path, count: int) -> bytes:
    """Return the first ``count`` bytes of a file, or all of a shorter one.

    Raises NotAFileError, or OSError.
    """
    with os.fdopen(open_regular(path), "rb") as file:
        return file.read(count)
