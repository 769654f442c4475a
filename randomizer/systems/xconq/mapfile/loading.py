"""A mapfile with all that it includes, loaded in order: each file once, later sections win.

A file is loaded after those that it includes, so that its own sections replace theirs::

    islands.map     Xconq 2 --+--+      includes naval.per and ports.map, has a map and units
    ports.map       Xconq 1 --+---      includes sea.per, has a map

    order of loading:        naval.per, sea.per, ports.map, islands.map
    sections in effect:      the period of sea.per, map and units of islands.map

``load`` does that. ``period_texts.py`` then finds the period that is in effect, and the reader
(reader.py) makes a map of both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.systems.xconq.header import PERIOD_SUFFIX, SECTION_WORDS
from randomizer.systems.xconq.mapfile.includes import LARGEST_INCLUDE, IncludeFinder
from randomizer.systems.xconq.mapfile.map_sections import (
    MAP_SECTION,
    MAP_SECTIONS,
    SIDES_SECTION,
    Section,
)
from randomizer.systems.xconq.mapfile.parsing import Mapfile, Value, parse
from randomizer.systems.xconq.records import PeriodPlace

MAX_FILES = 64
"""The most files that are loaded for one map; the document has "16 or so"."""

_NO_MAP = (0, 0)
"""The width and height of the map that was read last where none was read."""


class LoadedFile(NamedTuple):
    """A file that was loaded for a map."""

    name: str
    """Its name as it was included, "" for the mapfile itself."""

    place: PeriodPlace
    """Where it was found; ``PeriodPlace.ITSELF`` for the mapfile itself."""

    mapfile: Mapfile


@dataclass(eq=False)
class Loaded:
    """The content of a mapfile with its included files."""

    files: list[LoadedFile]
    """All files in the order of loading, the mapfile itself last."""

    sections: dict[str, Mapfile]
    """The file that each section, by its letter, comes from."""

    included_names: dict[str, set[str]]
    """The names of all files that a file included, directly or not, by its own name."""

    missing_periods: list[str]
    """The names of periods that were not found."""

    missing_maps: list[str]
    """The names of other included files that were not found, without which nothing is read."""

    problems: list[Problem]

    @property
    def main(self) -> Mapfile:
        """The mapfile itself."""
        return self.files[-1].mapfile

    def value(self, section: Section[Value]) -> Value | None:
        """Return the value of a section; None if no file has it, or one with errors has it."""
        file = self.sections.get(section.letter)
        if file is None:
            return None
        return file.value(section)

    def is_in_main(self, letter: str) -> bool:
        """Return whether a section is in effect that stands in the mapfile itself."""
        return self.sections.get(letter) is self.main


def load(data: bytes, path: str | None, finder: IncludeFinder) -> Loaded:
    """Return the mapfile in ``data`` with the files that it includes.

    Raises ProblemError if not even its header can be read; all other faults become problems.
    """
    mapfile, problems = parse(data, path)
    if mapfile is None:
        raise ProblemError(problems)
    loader = _Loader(finder)
    if path is not None:
        # So a file that includes itself, directly or not, is not loaded again.
        file_name = path.replace("\\", "/").rpartition("/")[2]
        loader.seen_names.add(file_name)
    loader.load(_ParsedFile("", PeriodPlace.ITSELF, data, mapfile))
    return Loaded(
        files=loader.files,
        sections=loader.sections,
        included_names=loader.included_names,
        missing_periods=loader.missing_periods,
        missing_maps=loader.missing_maps,
        problems=[*loader.search_problems, *loader.problems],
    )


class _ParsedFile(NamedTuple):
    """A file that was found and parsed, before its includes and then itself are loaded."""

    name: str
    """Its name as it was included, "" for the mapfile itself."""

    place: PeriodPlace
    """Where it was found; ``PeriodPlace.ITSELF`` for the mapfile itself."""

    data: bytes

    mapfile: Mapfile
    """The data, parsed for the size of the map that was read before it."""


class _Include(NamedTuple):
    """A line in which a file names another one."""

    including_path: str | None
    """The path of the file that has the line."""

    line: int
    """The number of the line, from 1."""

    name: str
    """The name of the included file as written."""

    def problem(self, severity: Severity, code: str, message: str) -> Problem:
        """Return a problem of this line."""
        end_column = len(self.name) + 1
        span = (self.including_path, self.line, 1, self.line, end_column)
        return Problem(severity, code, message, *span)


class _Loader:
    """The files loaded so far; ``load`` adds one, and before it those that it includes."""

    def __init__(self, finder: IncludeFinder) -> None:
        self._finder = finder

        # The fields of ``Loaded`` so far.
        self.files: list[LoadedFile] = []
        self.sections: dict[str, Mapfile] = {}
        self.included_names: dict[str, set[str]] = {}
        self.missing_periods: list[str] = []
        self.missing_maps: list[str] = []
        self.problems: list[Problem] = []
        """The problems of the files and of their includes."""
        self.search_problems: list[Problem] = []
        """The problems of looking for files."""

        self.seen_names: set[str] = set()
        """The names of all files that were included so far: each is loaded once."""
        self._map_size = _NO_MAP
        """The width and height of the map that was read last."""
        self._file_count = 1
        """The number of files that were looked for, the mapfile itself counted."""
        self._included_bytes = 0
        """The size of all included files so far."""

    def load(self, file: _ParsedFile) -> set[str]:
        """Load a file after those that it includes; return the names of all that it included."""
        header = file.mapfile.header
        included_names: set[str] = set()
        first_line = header.next_line - len(header.includes) + 1
        for line, name in enumerate(header.includes, first_line):
            included_names.add(name)
            include = _Include(file.mapfile.path, line, name)
            included_file = self._find(include)
            if included_file is not None:
                included_names |= self.load(included_file)
            else:
                # Perhaps it was loaded for another file: what it includes is included here, too.
                included_names |= self.included_names.get(name, set())

        # The map that the sides of this file see may have come with an included file. Its size was
        # not known when the header was read for the names of these: so the file is parsed again.
        mapfile = file.mapfile
        if self._has_views_of_earlier_map(mapfile):
            parsed_again, _problems = parse(file.data, mapfile.path, self._map_size)
            assert parsed_again is not None, "its header has been read before"
            mapfile = parsed_again

        self.problems += mapfile.problems
        self.files.append(LoadedFile(file.name, file.place, mapfile))
        self.included_names[file.name] = included_names
        self._put_into_effect(mapfile)
        return included_names

    def _has_views_of_earlier_map(self, mapfile: Mapfile) -> bool:
        """Return whether the sides of a file have views of a map that is not in the file.

        A view has the size of the map, which is not known before the included files are loaded.
        """
        sections = mapfile.header.sections
        has_sides_alone = SIDES_SECTION.letter in sections and MAP_SECTION.letter not in sections
        return has_sides_alone and self._map_size != _NO_MAP

    def _find(self, include: _Include) -> _ParsedFile | None:
        """Return an included file; None for one that is loaded already or cannot be loaded."""
        name = include.name
        if name in self.seen_names:
            message = f"“{name:.60}” is loaded already; a file is loaded only once"
            self.problems.append(include.problem(Severity.WARNING, "include-again", message))
            return None
        self.seen_names.add(name)
        self._file_count += 1
        if self._file_count > MAX_FILES:
            message = f"More than {MAX_FILES} files are included"
            self.problems.append(include.problem(Severity.ERROR, "include-many", message))
            return None
        search = self._finder.find(name)
        self.search_problems += search.problems
        if search.file is None:
            self._add_missing(include)
            return None
        self._included_bytes += len(search.file.data)
        if self._included_bytes > LARGEST_INCLUDE:
            message = f"The included files have more than {LARGEST_INCLUDE:,} bytes together"
            self.problems.append(include.problem(Severity.ERROR, "include-many", message))
            return None
        mapfile, problems = parse(search.file.data, search.file.path, self._map_size)
        if mapfile is None:
            self.problems += problems
            return None
        return _ParsedFile(name, search.file.place, search.file.data, mapfile)

    def _add_missing(self, include: _Include) -> None:
        """Note an included file that was not found, with its problem.

        A period that is missing is a warning: the map is shown with types that stand in for it.
        """
        place = "neither beside this file nor in Xconq's library"
        if self._finder.library is None:
            place = "not beside this file, and no library directory of Xconq is known"
        message = f"The included file “{include.name:.60}” is {place}"
        if include.name.endswith(PERIOD_SUFFIX):
            self.missing_periods.append(include.name)
            self.problems.append(include.problem(Severity.WARNING, "missing-period", message))
            return
        severity = Severity.ERROR
        if self._finder.folder is None:
            # Bytes that come from no folder are not wrong for what is not beside them.
            severity = Severity.WARNING
        else:
            self.missing_maps.append(include.name)
        self.problems.append(include.problem(severity, "missing-include", message))

    def _put_into_effect(self, mapfile: Mapfile) -> None:
        """Let the sections of a file replace those that were loaded before.

        The size of its map is noted, and a hint is added for each section of a map that is
        replaced.
        """
        section = mapfile.value(MAP_SECTION)
        if section is not None:
            self._map_size = (section.width, section.height)
        for letter in mapfile.header.sections:
            earlier_file = self.sections.get(letter)
            if earlier_file is not None and letter in MAP_SECTIONS:
                name = SECTION_WORDS[letter].lower()
                message = f"The {name} section of {earlier_file.path} is replaced by the one here"
                self.problems.append(
                    Problem(Severity.HINT, "section-replaced", message, mapfile.path, 1, 1)
                )
            self.sections[letter] = mapfile
