"""The operations of the disk with which ``atomic`` writes files, as one replaceable object.

The program always uses ``Disk``, the operating system's. A test that wants, say, the third rename
to fail hands in a subclass::

    class FullDisk(Disk):
        def rename(self, source, target):
            raise OSError(errno.ENOSPC, "full")

    with use_disk(FullDisk()):
        write_atomically(path, data)
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import IO


class Disk:
    """The files and folders of the operating system.

    All methods but ``may_write`` raise OSError.
    """

    def may_write(self, path: Path) -> bool:
        """Return whether the file ``path`` is not write-protected."""
        return os.access(path, os.W_OK)

    def open_new(self, path: Path, permissions: int) -> IO[bytes]:
        """Open a file that does not exist yet for writing.

        ``permissions`` are Unix's bits, less those that the system's umask takes away. Raises
        FileExistsError if there is a file, or a link, of that name.
        """
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        handle = os.open(path, flags, permissions)
        try:
            return os.fdopen(handle, "wb")
        except BaseException:  # no memory, or Ctrl-C: the empty file must not stay
            os.close(handle)
            self.remove(path)
            raise

    def sync(self, file: IO[bytes]) -> None:
        """Force what was written to ``file`` to the disk, where it outlives a power cut."""
        file.flush()
        os.fsync(file.fileno())

    def sync_folder(self, folder: Path) -> None:
        """Force the names in a folder to the disk, so that a rename outlives a power cut, too."""
        if os.name == "nt":  # Windows opens no folders
            return
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

    def rename(self, source: Path, target: Path) -> None:
        """Give a file another name, in one step, replacing the file of that name."""
        source.replace(target)

    def remove(self, file: Path) -> None:
        """Remove a file; it need not exist."""
        file.unlink(missing_ok=True)

    def make_folder(self, folder: Path) -> None:
        """Make a folder in one that exists."""
        folder.mkdir()

    def entries(self, folder: Path) -> list[os.DirEntry[str]]:
        """Return the entries of a folder."""
        with os.scandir(folder) as entries:
            return list(entries)


_CURRENT: ContextVar[Disk] = ContextVar("disk", default=Disk())  # noqa: B039 - it has no state
"""The disk of each thread; a new thread begins with the operating system's."""


def current_disk() -> Disk:
    """Return the disk that this thread writes to."""
    return _CURRENT.get()


@contextlib.contextmanager
def use_disk(disk: Disk) -> Iterator[None]:
    """Write to ``disk`` within this context; other threads keep theirs."""
    token = _CURRENT.set(disk)
    try:
        yield
    finally:
        _CURRENT.reset(token)
