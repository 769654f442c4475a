"""The one way in for the bytes of files that are not this program's own.

What a file is and how large it is are looked at before anything is read, and never more is read
than the limit, however the file grows meanwhile. Nothing waits for a pipe that nobody writes to.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from randomizer.model.basics.error_reasons import words_of
from randomizer.model.problems import ProblemError, error

START = 2**16
"""So many bytes of a file's start are given to a function that says its limit."""

Limit = int | Callable[[bytes], int]
"""The most bytes of a file, or a function that says it when it is given the file's start."""


def read_file(path: str | Path, most: Limit, *, pipes: bool = False) -> bytes:
    """Return the bytes of a file. Raises ProblemError if it cannot be read or is larger than
    ``most``.

    With ``pipes`` pipes and devices are read, too; one that ends nowhere ends at the limit.
    """
    with _opened(path, pipes) as file:
        size = os.fstat(file.fileno()).st_size
        data = b"" if isinstance(most, int) else file.read(START)
        limit = most if isinstance(most, int) else most(data)
        if size > limit:
            raise too_large(path, limit)
        if size:
            file.seek(0)
            data = file.read(size + 1)
            if len(data) <= size:
                return data
        parts = [data]
        left = limit + 1 - len(data)
        while left > 0:  # of a pipe, and of a file that grows meanwhile
            parts.append(file.read(min(START, left)))
            if not parts[-1]:
                return b"".join(parts)
            left -= len(parts[-1])
    raise too_large(path, limit)


def read_start(path: str | Path, count: int) -> bytes:
    """At most ``count`` bytes of the start of a file. Raises ProblemError if it cannot be read."""
    with _opened(path, pipes=False) as file:
        return file.read(count)


def read_within(folder: Path, path: Path, most: Limit) -> bytes:
    """Read as ``read_file``; raises ProblemError for links that lead out of the folder, too."""
    if not is_within(folder, path):
        message = "the file is not read: a link leads out of the folder"
        raise error("not-read", message, path=str(path))
    return read_file(path, most)


def is_within(folder: Path, path: Path) -> bool:
    """Return whether a path lies in a folder or below it when all links are followed."""
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):  # a circle of links
        return False


def too_large(path: str | Path, most: int) -> ProblemError:
    """Return the error of a file with more than ``most`` bytes."""
    return error("too-large", f"the file has more than {most:,} bytes", path=str(path))


def user_path(name: str | Path) -> Path:
    """Return a path that a user named: ``~`` is the home of a user; of one that is not known as it
    is.
    """
    try:
        return Path(name).expanduser()
    except RuntimeError:
        return Path(name)


@contextmanager
def _opened(path: str | Path, pipes: bool) -> Iterator[IO[bytes]]:
    """A file, open for reading. Raises ProblemError, also for what goes wrong while it is read."""
    file_name = str(path)
    try:
        file = open(path, "rb", opener=_open)  # noqa: SIM115 - Path.open has no opener
    except FileNotFoundError as failed:
        raise error("not-read", "there is no such file", path=file_name) from failed
    except OSError as failed:
        if os.path.isdir(path):  # noqa: PTH112 - the name may be no path at all
            message = "this is a folder, not a file"
        else:
            message = f"the file cannot be read: {words_of(failed)}"
        raise error("not-read", message, path=file_name) from failed
    except ValueError as failed:  # a null character
        raise error("not-read", "no file can have this name", path=file_name) from failed
    try:
        with file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                if not pipes:
                    message = "this is a pipe or a device, not a file"
                    raise error("not-read", message, path=file_name)
                if os.name != "nt":
                    os.set_blocking(file.fileno(), True)
            yield file
    except OSError as failed:
        message = f"the file cannot be read: {words_of(failed)}"
        raise error("not-read", message, path=file_name) from failed


def _open(path: str, flags: int) -> int:
    """Open a file without waiting for somebody who writes to it."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
