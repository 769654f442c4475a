"""Reads the game's jar: an index built once, entries read with a limit on their size."""

from __future__ import annotations

import zipfile
from functools import cached_property
from pathlib import Path

from randomizer.archive_reading import archive_entries, entry_bytes
from randomizer.model.problems import error as problem_error


class GameJar:
    """A jar on the disk. The index of its entries is built when first needed."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @cached_property
    def entries(self) -> dict[str, zipfile.ZipInfo]:
        """Files by their name in the jar. Raises ProblemError if it is not a jar."""
        names = ((info.filename, info) for info in archive_entries(self.path))
        return {name: info for name, info in names if name and not name.endswith("/")}

    def read(self, name: str, limit: int) -> bytes:
        """One entry. Raises ProblemError if it is missing, damaged or above ``limit`` bytes."""
        info = self.entries.get(name)
        if info is None:
            where = f"{self.path}!{name}"
            raise problem_error("not-in-jar", f"{name} is not in {self.path.name}", path=where)
        return entry_bytes(self.path, info, limit)
