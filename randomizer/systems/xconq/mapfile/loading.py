"""A mapfile with all that it includes, loaded in order: each file once, later sections win."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from randomizer.model.basics.error_reasons import words_of
from randomizer.model.problems import Problem, ProblemError, Severity, has_errors
from randomizer.reading.files import read_within
from randomizer.systems.xconq.header import PERIOD_SUFFIX, SECTION_WORDS, MapfileHeader
from randomizer.systems.xconq.library import STANDARD_PERIOD
from randomizer.systems.xconq.mapfile.parsing import (
    MAP_SECTION,
    MAP_SECTIONS,
    SIDES_SECTION,
    Mapfile,
    Section,
    Value,
    parse,
)
from randomizer.systems.xconq.records import BESIDE, GIVEN, LIBRARY, PART

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
    """The folders where included files are sought; files ``given`` by name need no search.

    ``beside`` is the folder of the including file, None if that has none. What was noticed is in
    ``problems``.
    """

    beside: Path | None = None
    library: Path | None = None
    given: Mapping[str, bytes] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def find(self, name: str) -> Included | None:
        """Return the file with a name as written; None if it is nowhere, or the name leads
        elsewhere.

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
        """Yield the file beside, and the one of the library."""
        for folder, source in ((self.beside, BESIDE), (self.library, LIBRARY)):
            if folder is not None:
                path = folder / file_name
                data = self._read(folder, path)
                if data is not None:
                    yield Included(name, str(path), source, data)

    def _read(self, folder: Path, path: Path) -> bytes | None:
        """Return what a file of a folder holds; None, perhaps with a warning, if it cannot be
        used.
        """
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
    """Return why a name cannot be that of an included file, as the end of a sentence; "" if it
    can.
    """
    if not name or len(name) > 255 or not name.isprintable():
        return "no file has such a name"
    match = _NOT_IN_NAMES.search(name)
    if match is not None:
        return f"it must not hold {match[0]}"
    parts = name.split("/")
    if name.startswith(("/", "~")) or ".." in parts or "" in parts or "." in parts:
        return "it must stay beside the file or in the library"
    return ""


MOST_FILES = 64
"""The most files that are loaded for one map; the document has "16 or so"."""

NO_NAME = ""
"""The name under which a caller gives the period of a file that names none."""


@dataclass(frozen=True)
class PeriodTexts:
    """The period in effect: its text, those of its included files by name, and its origin.

    ``name`` is that of the included file that has it ("" if the mapfile itself has it, or nothing
    names it), ``place`` where that was found, or ``PART`` if the text is not that whole file.
    ``path`` is its path. Line 1 of the text is ``shift`` lines before the line of the file that it
    comes from.
    """

    text: str
    further: Mapping[str, str]
    name: str = ""
    place: str = ""
    path: str | None = None
    shift: int = 0

    def located(self, problems: Iterable[Problem]) -> list[Problem]:
        """Problems of the text, which have no path, with the path and the lines of the file."""
        return [
            problem if problem.path else _moved(problem, self.path, self.shift)
            for problem in problems
        ]


def _moved(problem: Problem, path: str | None, lines: int) -> Problem:
    fix = problem.fix
    if fix is not None:
        edits = (
            replace(edit, line=edit.line + lines, end_line=edit.end_line + lines)
            for edit in fix.edits
        )
        fix = replace(fix, edits=tuple(edits))
    line, end_line = (
        None if number is None else number + lines for number in (problem.line, problem.end_line)
    )
    return replace(problem, path=path, line=line, end_line=end_line, fix=fix, other_fixes=())


@dataclass(eq=False)
class Loaded:
    """The content of a mapfile with its included files.

    ``files`` are all of them in the order of loading, the mapfile itself last, with the names by
    which they were included ("" for itself) and where they were found. ``sections`` is the file
    that each section, by letter, comes from. ``missing`` are the names of periods not found.
    """

    main: Mapfile
    files: list[tuple[str, str, Mapfile]] = field(default_factory=list)
    sections: dict[str, Mapfile] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    inside: dict[str, set[str]] = field(default_factory=dict)
    """The names of all files that an included file brought, directly or not, by its name."""

    def value(self, section: Section[Value]) -> Value | None:
        """Return what is in effect of a section; None if no file has it, or with errors."""
        file = self.sections.get(section.letter)
        if file is None:
            return None
        return file.value(section)

    def own(self, letter: str) -> bool:
        """Return whether a section in effect stands in the mapfile itself."""
        return self.sections.get(letter) is self.main


def load(data: bytes, path: str | None, places: Places) -> Loaded | tuple[Problem, ...]:
    """Return the mapfile in ``data`` with what it includes; only the problems if it cannot be
    read.
    """
    main, problems = parse(data, path)
    if main is None:
        return problems
    loader = _Loader(places, Loaded(main))
    if path is None:
        name = ""
    else:
        name = path.replace("\\", "/").rpartition("/")[2]
    loader.seen.add(name)
    loader.load("", "", main, data)
    loaded = loader.loaded
    loaded.problems = [*places.problems, *loaded.problems]
    return loaded


class _Loader:
    def __init__(self, places: Places, loaded: Loaded) -> None:
        self.places = places
        self.loaded = loaded
        self.seen: set[str] = set()
        self.size = (0, 0)
        self.number = 1
        self.bytes = 0
        """Of all included files so far."""

    def load(self, name: str, place: str, mapfile: Mapfile, data: bytes) -> set[str]:
        """Load a file after those that it includes; the names of all that it brought."""
        brought: set[str] = set()
        header = mapfile.header
        first = header.next_line - len(header.includes) + 1
        for line, included_name in enumerate(header.includes, first):
            brought |= {included_name} | self._include(mapfile, line, included_name)
        has_sides, has_map = (
            section.letter in header.sections for section in (SIDES_SECTION, MAP_SECTION)
        )
        if has_sides and not has_map and self.size != (0, 0):
            resized, _ = parse(data, mapfile.path, self.size)  # its views have this size
            assert resized is not None
            if mapfile is self.loaded.main:
                self.loaded.main = resized
            mapfile = resized
        self.loaded.problems += mapfile.problems
        self.loaded.files.append((name, place, mapfile))
        self.loaded.inside[name] = brought
        self._take(mapfile)
        return brought

    def _include(self, mapfile: Mapfile, line: int, name: str) -> set[str]:
        if name in self.seen:
            message = f"“{name:.60}” is loaded already; a file is loaded only once"
            self._say(Severity.WARNING, "include-again", message, mapfile, line, name)
            return set()
        self.seen.add(name)
        self.number += 1
        if self.number > MOST_FILES:
            message = f"More than {MOST_FILES} files are included"
            self._say(Severity.ERROR, "include-many", message, mapfile, line, name)
            return set()
        included_file = self.places.find(name)
        if included_file is None:
            self._not_found(mapfile, line, name)
            return set()
        self.bytes += len(included_file.data)
        if self.bytes > LARGEST_INCLUDE:
            message = f"The included files have more than {LARGEST_INCLUDE:,} bytes together"
            self._say(Severity.ERROR, "include-many", message, mapfile, line, name)
            return set()
        included, problems = parse(included_file.data, included_file.path, self.size)
        if included is None:
            self.loaded.problems += problems
            return set()
        return self.load(name, included_file.place, included, included_file.data)

    def _not_found(self, mapfile: Mapfile, line: int, name: str) -> None:
        where = "beside this file nor in Xconq's library"
        if self.places.library is None:
            where = "beside this file, and no library directory of Xconq is known"
        words = f"The included file “{name:.60}” is neither {where}"
        if name.endswith(PERIOD_SUFFIX):
            self.loaded.missing.append(name)
            self._say(Severity.WARNING, "missing-period", words, mapfile, line, name)
        else:  # bytes that come from no folder are not wrong for what is not beside them
            if self.places.beside is None:
                severity = Severity.WARNING
            else:
                severity = Severity.ERROR
            self._say(severity, "missing-include", words, mapfile, line, name)

    def _say(
        self, severity: Severity, code: str, message: str, mapfile: Mapfile, line: int, name: str
    ) -> None:
        span = (mapfile.path, line, 1, line, len(name) + 1)
        self.loaded.problems.append(Problem(severity, code, message, *span))

    def _take(self, mapfile: Mapfile) -> None:
        """Put the sections of a file into effect."""
        section = mapfile.value(MAP_SECTION)
        if section is not None:
            self.size = section.width, section.height
        for letter in mapfile.header.sections:
            earlier_section = self.loaded.sections.get(letter)
            if earlier_section is not None and letter in MAP_SECTIONS:
                name = SECTION_WORDS[letter].lower()
                message = (
                    f"The {name} section of {earlier_section.path} is replaced by the one here"
                )
                self.loaded.problems.append(
                    Problem(Severity.HINT, "section-replaced", message, mapfile.path, 1, 1)
                )
            self.loaded.sections[letter] = mapfile


def period_texts(loaded: Loaded, places: Places) -> PeriodTexts | None:
    """Return the period in effect, that of the library's standard file if the files bring none.

    None: there is none, or a file that is missing would bring it.
    """
    bringing = [each for each in loaded.files if each[2].period is not None]
    if not bringing:
        if loaded.missing:
            return None
        return _standard(loaded, places)
    needed = [bringing[-1]]
    for each in reversed(bringing[:-1]):
        if not needed[0][2].extends:
            break
        needed.insert(0, each)
    name, place, mapfile = needed[-1]
    further = {each: file.text for each, _, file in loaded.files if each}
    names = {each for each, _, _ in needed[:-1]}
    if not names <= loaded.inside[name]:  # siblings: a file that includes all of them
        header = MapfileHeader("", "Several periods", includes=tuple(e for e, _, _ in needed))
        return PeriodTexts(header.text(), _subtree(loaded, further, header.includes), name, PART)
    text = mapfile.text
    includes = mapfile.header.includes
    shift = 0
    if mapfile.header.sections != "p":
        includes = tuple(
            include
            for include in includes
            if names & (loaded.inside.get(include, set()) | {include})
        )
        header = replace(mapfile.header, sections="p", includes=includes, notes=())
        text = f"{header.text()}{mapfile.period}"
        place = PART
        shift = mapfile.period_line - 1 - header.text().count("\n")
    texts = _subtree(loaded, further, includes)
    return PeriodTexts(text, texts, name, place, mapfile.path, shift)


def _subtree(loaded: Loaded, texts: Mapping[str, str], names: tuple[str, ...]) -> dict[str, str]:
    """Return the texts of files and of all that they brought."""
    reachable = set(names).union(*(loaded.inside.get(name, ()) for name in names))
    return {name: text for name, text in texts.items() if name in reachable}


def _standard(loaded: Loaded, places: Places) -> PeriodTexts | None:
    """Return the period that was given for a file that names none, else the standard one of the
    library.

    None if there is none, or it cannot be read, which is a problem.
    """
    sought = Places(places.beside if NO_NAME in places.given else None, places.library)
    if NO_NAME in places.given:
        standard_file: Included | None = Included(
            NO_NAME, "the chosen period", GIVEN, places.given[NO_NAME]
        )
    else:
        standard_file = sought.find(STANDARD_PERIOD)
    if standard_file is None:
        return None
    standard = load(standard_file.data, standard_file.path, sought)
    problems = standard if isinstance(standard, tuple) else standard.problems
    if isinstance(standard, tuple) or has_errors(problems) or not standard.own("p"):
        loaded.problems += problems
        message = f"{standard_file.path} cannot be used as the period of this file"
        loaded.problems.append(Problem(Severity.WARNING, "standard-unusable", message))
        return None
    texts = period_texts(standard, sought)
    if texts is None:
        return None
    return replace(texts, place=standard_file.place)
