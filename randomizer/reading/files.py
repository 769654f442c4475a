"""Reads files that come from outside, of users and of other programs, within limits of memory.

    data = read_file(path, max_bytes=64 * 2**20)
    data = read_file(path, size_limit(path))        # a function decides by the start of the file

The kind and the size of a file are checked before anything is read, and never more is read than the
limit, however the file grows meanwhile. Nothing waits for a pipe that nobody writes to.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePath
from typing import IO

from randomizer.model.basics.error_reasons import words_of
from randomizer.model.problems import ProblemError, error

START = 2**16
"""The number of bytes of a file's start that a function gets to decide on the file's limit.

Formats are recognised in these bytes (``Format.recognises``).
"""

Limit = int | Callable[[bytes], int]
"""The largest size of a file in bytes, or a function that returns it for the file's start."""


def read_file(path: str | Path, max_bytes: Limit, *, pipes: bool = False) -> bytes:
    """Return the bytes of a file.

    Raises ProblemError if it cannot be read or is larger than ``max_bytes``. With ``pipes`` pipes
    and devices are read, too; the limit holds for them as well, so one without an end is refused.
    """
    with _opened(path, pipes=pipes) as file:
        # The limit, and the size that the file has now.
        status = os.fstat(file.fileno())
        size = 0  # of a pipe: macOS gives the number of bytes that wait in it
        if stat.S_ISREG(status.st_mode):
            size = status.st_size
        if isinstance(max_bytes, int):
            data = b""
            limit = max_bytes
        else:
            data = file.read(START)
            limit = max_bytes(data)
        if size > limit:
            raise too_large(path, limit)

        if size:
            # One byte more than the size shows whether the file grew since it was asked for.
            file.seek(0)
            data = file.read(size + 1)
            if len(data) <= size:
                return data

        # A pipe, or a file that grows: its size is known only when it ends. One byte more than the
        # limit shows that it is too large.
        parts = [data]
        bytes_left = limit + 1 - len(data)
        while bytes_left > 0:
            part = file.read(min(START, bytes_left))
            if not part:
                return b"".join(parts)
            parts.append(part)
            bytes_left -= len(part)
    raise too_large(path, limit)


def read_start(path: str | Path, count: int) -> bytes:
    """Return at most ``count`` bytes of the start of a file.

    Raises ProblemError if it cannot be read.
    """
    with _opened(path, pipes=False) as file:
        return file.read(count)


def read_within(folder: Path, path: Path, max_bytes: Limit) -> bytes:
    """Return the bytes of a file in or below a folder.

    Links are followed before the file is opened; one that another program exchanges in between is
    not noticed. Raises ProblemError as ``read_file`` does, and for links that lead out of the
    folder.
    """
    if not is_within(folder, path):
        message = "the file is not read: a link leads out of the folder"
        raise error("not-read", message, path=str(path))
    return read_file(path, max_bytes)


def is_within(folder: Path, path: Path) -> bool:
    """Return whether a path lies in a folder or below it when all links are followed."""
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):  # links in a circle: RuntimeError before Python 3.13
        return False


def too_large(path: str | Path, max_bytes: int) -> ProblemError:
    """Return the error of a file with more than ``max_bytes`` bytes."""
    return error("too-large", f"the file has more than {max_bytes:,} bytes", path=str(path))


def user_path(name: str | Path) -> Path:
    """Return the path for a name that a user typed: ``~`` and ``~ann`` become home folders.

    The name of a user whom the system does not know stays as it is.
    """
    try:
        return Path(name).expanduser()
    except RuntimeError:
        return Path(name)


@contextmanager
def _opened(path: str | Path, *, pipes: bool) -> Iterator[IO[bytes]]:
    """Open a file for reading within a context.

    Raises ProblemError if it cannot be opened, if it is a pipe or a device (unless ``pipes``), and
    for an OSError of the block in the context.
    """
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
                    # ``_open`` did not wait for a writer; reading has to wait for its bytes.
                    os.set_blocking(file.fileno(), True)
            yield file
    except OSError as failed:
        message = f"the file cannot be read: {words_of(failed)}"
        raise error("not-read", message, path=file_name) from failed


def _open(path: str, flags: int) -> int:
    """Open a file without waiting: a plain open of a pipe waits until somebody writes to it."""
    non_blocking = getattr(os, "O_NONBLOCK", 0)  # Windows has no such flag
    return os.open(path, flags | non_blocking)


def suffix_of(name: str) -> str:
    """Return the suffix of a file name in lower case, with its point; "" for none."""
    return PurePath(name).suffix.lower()
