"""Files of our own that are only opened if they are files: no link, no pipe, no device."""

from __future__ import annotations

import os
import stat
from pathlib import Path

_CAREFULLY = (
    getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
)
"""A link is not followed, and a pipe does not block."""


class NotAFileError(ValueError):
    """Something else lies where a file should be."""


def is_blocked(path: Path) -> bool:
    """Return whether something else than a file lies there. Raises OSError."""
    try:
        return not stat.S_ISREG(path.lstat().st_mode)
    except FileNotFoundError:
        return False


def open_regular(path: Path, flags: int = os.O_RDONLY) -> int:
    """Return a handle of the file. Raises NotAFileError, or OSError."""
    if is_blocked(path):
        raise NotAFileError(f"{path.name} is not a file")
    return os.open(path, flags | _CAREFULLY, 0o666)


def read_regular(path: Path, most: int) -> bytes:
    """The bytes of a file. Raises NotAFileError, ValueError if they are more than ``most``, or
    OSError."""
    with os.fdopen(open_regular(path), "rb") as file:
        size = os.fstat(file.fileno()).st_size
        if size > most:
            raise ValueError(f"{path.name} has {size:,} bytes, {most:,} are the most")
        return file.read(size)


def read_start(path: Path, count: int) -> bytes:
    """At most ``count`` bytes of the start of a file. Raises NotAFileError, or OSError."""
    with os.fdopen(open_regular(path), "rb") as file:
        return file.read(count)
