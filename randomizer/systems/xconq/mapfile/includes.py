"""The files that a mapfile includes, found by their names: beside it, or in Xconq's library::

finder = IncludeFinder(folder=Path("maps"), library=Path("/usr/lib/xconq"))
finder.find("naval.per").file        # maps/naval.per if it exists, else the library's
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from randomizer.model.basics.error_reasons import words_of
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.reading.files import read_within
from randomizer.systems.xconq.library import LIBRARY
from randomizer.systems.xconq.records import PeriodPlace

LARGEST_INCLUDE = 2**22
"""The most bytes of an included file, and of all together; the largest real one has 50,000."""

_LONGEST_NAME = 255
"""The most characters of the name of an included file; most file systems allow no more."""

_NOT_IN_NAMES = re.compile(r'[\0\\:*?"<>|]')
"""Characters that file names cannot have on some systems."""

NO_GIVEN_FILES: Mapping[str, bytes] = MappingProxyType({})
"""No files: the default of ``given_files``."""


@dataclass(frozen=True, slots=True)
class Included:
    """An included file."""

    name: str
    """Its name as written in the file that includes it."""

    path: str
    """Its path, or the name for a file that the caller gave."""

    place: PeriodPlace
    """Where it was found: beside the including file, in the library, or given by the caller."""

    data: bytes
    """Its content."""


class IncludeSearch(NamedTuple):
    """What the search for an included file has come to."""

    file: Included | None
    """The file; None if it is nowhere, cannot be read, or its name is refused."""

    problems: tuple[Problem, ...] = ()
    """Warnings about the files that were looked at."""


@dataclass(frozen=True)
class IncludeFinder:
    """Finds included files: those that the caller gives by name, else in two folders."""

    folder: Path | None = None
    """The folder of the including file, None if that is in none."""

    library: Path | None = None
    """The library directory of Xconq, None if it is not known."""

    given_files: Mapping[str, bytes] = field(default_factory=dict)
    """The content of files that are not searched for, by their names as written."""

    def find(self, name: str) -> IncludeSearch:
        """Look for the file with a name as written.

        A file beside the including one wins, with a warning if the library has another one.
        """
        if name in self.given_files:
            return IncludeSearch(Included(name, name, PeriodPlace.GIVEN, self.given_files[name]))
        fault = fault_in_include(name)
        if fault:
            message = f"The file “{name:.60}” is not sought: {fault}"
            return IncludeSearch(None, (Problem(Severity.WARNING, "include-place", message),))

        # The library may be flat: "lib/earth.map" is looked for as "earth.map", too.
        problems: list[Problem] = []
        name_without_folders = name.rpartition("/")[2]
        for file_name in dict.fromkeys((name, name_without_folders)):
            candidates = []
            for search in self._searches(file_name, name):
                problems += search.problems
                if search.file is not None:
                    candidates.append(search.file)
            if not candidates:
                continue
            if len(candidates) > 1 and candidates[1].data != candidates[0].data:
                message = (
                    f"{candidates[0].path} is used here; the library has another {file_name}, "
                    "which Xconq itself takes"
                )
                problems.append(Problem(Severity.WARNING, "include-differs", message))
            return IncludeSearch(candidates[0], tuple(problems))
        return IncludeSearch(None, tuple(problems))

    def _searches(self, file_name: str, name: str) -> Iterator[IncludeSearch]:
        """Look for a file beside the including one, then in the library.

        ``name`` is its name as written, ``file_name`` that under which it is looked for.
        """
        places = ((self.folder, PeriodPlace.BESIDE), (self.library, PeriodPlace.LIBRARY))
        for folder, place in places:
            if folder is None:
                continue
            path = folder / file_name
            try:
                if not path.is_file():
                    continue
                data = read_within(folder, path, LARGEST_INCLUDE)
            except ProblemError as failed:
                yield _unread(path, failed.problems[0].message)
            except OSError as failed:
                yield _unread(path, words_of(failed))
            else:
                yield IncludeSearch(Included(name, str(path), place, data))


def _unread(path: Path, reason: str) -> IncludeSearch:
    """Return the result of a search for a file that exists and cannot be read."""
    message = f"{path} is not read: {reason}"
    return IncludeSearch(None, (Problem(Severity.WARNING, "include-not-read", message),))


def include_finder(
    path: str | None,
    library: Path | None = None,
    given_files: Mapping[str, bytes] = NO_GIVEN_FILES,
) -> IncludeFinder:
    """Return the finder of what the mapfile at ``path`` includes (``reader.read_with``)."""
    folder = None
    if path is not None:
        folder = Path(path).absolute().parent
    return IncludeFinder(folder, library or LIBRARY.folder(), given_files)


def fault_in_include(name: str) -> str:
    """Return why a name cannot be that of an included file, as the end of a sentence.

    "" if it can. No file outside the two folders can be named.
    """
    if not name or len(name) > _LONGEST_NAME or not name.isprintable():
        return "no file has such a name"
    match = _NOT_IN_NAMES.search(name)
    if match is not None:
        return f"it must not hold {match[0]}"
    parts = name.split("/")
    if name.startswith(("/", "~")) or ".." in parts or "" in parts or "." in parts:
        return "it must stay beside the file or in the library"
    return ""
