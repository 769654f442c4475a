"""Reads the game's jar: an index built once, entries read with a limit on their size."""

from __future__ import annotations

import zipfile
import zlib
from functools import cached_property
from pathlib import Path

from randomizer.model.problems import error as problem_error
from randomizer.model.problems import words_of

MAX_ENTRIES = 50_000


class GameJar:
    """A jar on the disk. The index of its entries is built when first needed."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @cached_property
    def entries(self) -> dict[str, zipfile.ZipInfo]:
        """Files by their name in the jar. Raises ProblemError if it is not a jar."""
        try:
            with zipfile.ZipFile(self.path) as archive:
                infos = archive.infolist()
        except (zipfile.BadZipFile, ValueError, NotImplementedError, EOFError) as failed:
            raise problem_error(
                "bad-jar", f"{self.path.name} is no jar that can be read", path=str(self.path)
            ) from failed
        except OSError as failed:
            raise problem_error(
                "bad-jar",
                f"{self.path.name} could not be read: {words_of(failed)}",
                path=str(self.path),
            ) from failed
        if len(infos) > MAX_ENTRIES:
            raise problem_error(
                "bad-jar",
                f"{self.path.name} holds more than {MAX_ENTRIES:,} files",
                path=str(self.path),
            )
        return {info.filename: info for info in infos if not info.is_dir()}

    def read(self, name: str, limit: int) -> bytes:
        """One entry. Raises ProblemError if it is missing, damaged or above ``limit`` bytes."""
        where = f"{self.path}!{name}"
        info = self.entries.get(name)
        if info is None:
            raise problem_error("not-in-jar", f"{name} is not in {self.path.name}", path=where)
        try:
            # The sizes in the jar's directory can be wrong, so reading is limited too.
            if info.file_size <= limit:
                with zipfile.ZipFile(self.path) as archive, archive.open(info) as entry:
                    data = entry.read(limit + 1)
                if len(data) <= limit:
                    return data
        except (
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            ValueError,
            NotImplementedError,  # unknown compression
            RuntimeError,  # encrypted
            OSError,
        ) as failed:
            raise problem_error(
                "bad-jar", f"{name} in {self.path.name} cannot be read", path=where
            ) from failed
        raise problem_error(
            "too-large", f"{name} in {self.path.name} has more than {limit:,} bytes", path=where
        )
