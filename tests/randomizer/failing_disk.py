"""A disk on which one call fails, for tests of what a failure leaves."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO

from randomizer.storage.disk.disk import Disk


class FailingDisk(Disk):
    """A disk that counts its calls by name, and on which some of them raise.

    ``failing`` names a method; its calls from the ``first`` to the ``last`` (numbers from 1) raise
    ``failure``. Without a ``last`` only the ``first`` one does.
    """

    def __init__(
        self, failing: str, first: int, failure: BaseException, last: int | None = None
    ) -> None:
        assert hasattr(Disk, failing), f"a disk has no {failing}"
        self.counts: dict[str, int] = {}
        self._failing = failing
        self._numbers = range(first, (first if last is None else last) + 1)
        self._failure = failure

    @property
    def count(self) -> int:
        """How often the method that fails was called."""
        return self.counts.get(self._failing, 0)

    def _note(self, name: str) -> None:
        self.counts[name] = self.counts.get(name, 0) + 1
        if name == self._failing and self.counts[name] in self._numbers:
            raise self._failure

    def may_write(self, path: Path) -> bool:
        self._note("may_write")
        return super().may_write(path)

    def open_new(self, path: Path, permissions: int) -> IO[bytes]:
        self._note("open_new")
        return super().open_new(path, permissions)

    def sync(self, file: IO[bytes]) -> None:
        self._note("sync")
        super().sync(file)

    def sync_folder(self, folder: Path) -> None:
        self._note("sync_folder")
        super().sync_folder(folder)

    def rename(self, source: Path, target: Path) -> None:
        self._note("rename")
        super().rename(source, target)

    def remove(self, file: Path) -> None:
        self._note("remove")
        super().remove(file)

    def make_folder(self, folder: Path) -> None:
        self._note("make_folder")
        super().make_folder(folder)

    def entries(self, folder: Path) -> list[os.DirEntry[str]]:
        self._note("entries")
        return super().entries(folder)
