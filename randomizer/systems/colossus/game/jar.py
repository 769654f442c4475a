"""A jar of the game: a zip file with variants, whose files are read by their names.

jar.read("Default/Battlelands/Plains.xml", limit=100_000)
"""

from __future__ import annotations

import zipfile
from functools import cached_property
from pathlib import Path

from randomizer.model.problems import error
from randomizer.reading.archives import archive_entries, entry_bytes
from randomizer.storage.disk.file_names import fault_in_name


class GameJar:
    """A jar on the disk. The index of its entries is built when first needed."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @cached_property
    def entries(self) -> dict[str, zipfile.ZipInfo]:
        """The files in the jar by their names, without folders. Raises ProblemError if not a jar.

        Of several files with one name it is the last.
        """
        entries = {}
        for info in archive_entries(self.path):
            name = info.filename
            if name and not name.endswith("/"):
                entries[name] = info
        return entries

    def read(self, name: str, limit: int) -> bytes:
        """Return the bytes of an entry.

        Raises ProblemError if it is missing, damaged or above ``limit`` bytes.
        """
        info = self.entries.get(name)
        if info is None:
            message = f"{name} is not in {self.path.name}"
            raise error("not-in-jar", message, path=f"{self.path}!{name}")
        return entry_bytes(self.path, info, limit)

    def variant_names(self) -> set[str]:
        """Return the names of the variants in the jar: of folders ``Name`` with ``NameVar.xml``.

        Raises ProblemError if it is not a jar.
        """
        names = set()
        for entry in self.entries:
            folder, slash, file = entry.partition("/")
            if slash and file == f"{folder}Var.xml" and fault_in_name(folder) is None:
                names.add(folder)
        return names
