"""Finding the files that a mapfile includes: beside it, then in the library, never elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from randomizer.file_reading import read_within
from randomizer.model.problems import Problem, ProblemError, Severity, words_of
from randomizer.systems.xconq.records import BESIDE, GIVEN, LIBRARY

LARGEST_INCLUDE = 2**22
"""In bytes; the largest real one has 50,000."""


_NOT_IN_NAMES = re.compile(r'[\0\\:*?"<>|]')


@dataclass(frozen=True, slots=True)
class Included:
    """An included file: its name as written, where it was found, and its bytes."""

    name: str
    path: str
    place: str
    data: bytes


@dataclass
class Places:
    """Where included files are sought. ``given`` are files by name that need not be sought.

    ``beside`` is the folder of the including file, None if that has none. What was noticed is in
    ``problems``.
    """

    beside: Path | None = None
    library: Path | None = None
    given: Mapping[str, bytes] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def find(self, name: str) -> Included | None:
        """The file with a name as written; None if it is nowhere, or the name leads elsewhere.

        Beside the file, then in the library, then by its last part in both. One beside the file
        wins, with a warning if the library has another one.
        """
        if name in self.given:
            return Included(name, name, GIVEN, self.given[name])
        fault = fault_in_include(name)
        if fault:
            message = f"The file “{name:.60}” is not sought: {fault}"
            self.problems.append(Problem(Severity.WARNING, "include-place", message))
            return None
        for file_name in dict.fromkeys((name, name.rpartition("/")[2])):
            candidates = list(self._copies(file_name, name))
            if candidates:
                if len(candidates) > 1 and candidates[1].data != candidates[0].data:
                    message = (
                        f"{candidates[0].path} is used here; the library has another {file_name}, "
                        "which Xconq itself takes"
                    )
                    self.problems.append(Problem(Severity.WARNING, "include-differs", message))
                return candidates[0]
        return None

    def _copies(self, file_name: str, name: str) -> Iterator[Included]:
        """The file beside, and the one of the library."""
        for folder, place in ((self.beside, BESIDE), (self.library, LIBRARY)):
            if folder is not None:
                path = folder / file_name
                data = self._read(folder, path)
                if data is not None:
                    yield Included(name, str(path), place, data)

    def _read(self, folder: Path, path: Path) -> bytes | None:
        """What a file of a folder holds; None, perhaps with a warning, if it cannot be used."""
        try:
            if not path.is_file():
                return None
            return read_within(folder, path, LARGEST_INCLUDE)
        except ProblemError as failed:
            fault = failed.problems[0].message
        except OSError as failed:
            fault = words_of(failed)
        message = f"{path} is not read: {fault}"
        self.problems.append(Problem(Severity.WARNING, "include-not-read", message))
        return None


def fault_in_include(name: str) -> str:
    """Why a name cannot be that of an included file, as the end of a sentence; "" if it can."""
    if not name or len(name) > 255 or not name.isprintable():
        return "no file has such a name"
    match = _NOT_IN_NAMES.search(name)
    if match is not None:
        return f"it must not hold {match[0]}"
    parts = name.split("/")
    if name.startswith(("/", "~")) or ".." in parts or "" in parts or "." in parts:
        return "it must stay beside the file or in the library"
    return ""
