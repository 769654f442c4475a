"""The bases of a journal: files beside its database, each with a whole map.

A journal has the undo steps of an open map. A *base* is that map as it was after some step, so that
the steps need not be replayed from the first one. Its file has a random name; the table ``base``
says which files are used, and a digest in it shows whether a file is what was written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from randomizer.storage.disk.regular_files import read_regular
from randomizer.storage.journal import journal_tables

BASE_NAME = re.compile(r"base-[0-9a-f]{8}")
"""The name of the file of a base."""


class BaseFile(NamedTuple):
    """A written base: a row of the table ``base``."""

    file: str
    """The name of its file in the journal's folder."""

    position: int
    """How many steps it includes."""

    digest: bytes
    """The SHA-256 of the file."""

    last_step: bytes = b""
    """The digest of the last step that it includes (``StepChain``).

    It ties the base to its steps: after a step was exchanged the base is not used. b"" for a file
    that has been written and has no row yet.
    """

    def is_whole(self, folder: Path) -> bool:
        """Return whether the map is what was written. Reads all of it. Raises OSError."""
        try:
            self.read(folder)
        except ValueError:
            return False
        return True

    def read(self, folder: Path) -> bytes:
        """Return the map (``encode_map``). Raises ValueError if it is not whole, or OSError."""
        try:
            data = read_regular(folder / self.file, journal_tables.LARGEST_VALUE)
        except FileNotFoundError:
            raise ValueError("its map is missing") from None
        if sha256(data).digest() != self.digest:
            raise ValueError("its map is not what was written")
        return data


def without_damaged_end(bases: Sequence[BaseFile], folder: Path) -> tuple[BaseFile, ...]:
    """Return the bases up to the last one that is whole. Raises OSError.

    Those before it are not read: the map is restored from the last one.
    """
    remaining = list(bases)
    while remaining and not remaining[-1].is_whole(folder):
        remaining.pop()
    return tuple(remaining)


def bases_in(folder: Path) -> list[Path]:
    """Return the files of bases in a journal's folder, used or not. Raises OSError."""
    return [file for file in folder.iterdir() if BASE_NAME.fullmatch(file.name)]
