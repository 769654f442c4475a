"""A mapfile with all that it includes, loaded in order: each file once, later sections win.

``load`` finds and parses the files. Each is loaded after those that it includes, so that its own
sections replace theirs. ``period_texts`` then returns the period that is in effect, as texts that a
map can keep. The reader (reader.py) makes a map of both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from randomizer.model.basics.error_reasons import words_of
from randomizer.model.problems import Problem, ProblemError, Severity, has_errors
from randomizer.reading.files import read_within
from randomizer.systems.xconq.header import PERIOD_SUFFIX, SECTION_WORDS, MapfileHeader
from randomizer.systems.xconq.library import STANDARD_PERIOD, library_folder
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
"""The most bytes of an included file, and of all together; the largest real one has 50,000."""

MOST_FILES = 64
"""The most files that are loaded for one map; the document has "16 or so"."""

NO_NAME = ""
"""The name under which a caller gives the period of a file that names none."""

NO_GIVEN_FILES: Mapping[str, bytes] = {}
"""The files that a caller gives who gives none."""

_NOT_IN_NAMES = re.compile(r'[\0\\:*?"<>|]')
"""Characters that file names cannot have on some systems."""


@dataclass(frozen=True, slots=True)
class Included:
    """An included file."""

    name: str
    """Its name as written in the file that includes it."""

    path: str
    """Its path, or the name for a file that the caller gave."""

    origin: str
    """Where it was found: ``BESIDE``, ``LIBRARY`` or ``GIVEN``."""

    data: bytes
    """Its content."""


@dataclass
class IncludeFinder:
    """Finds included files: those that the caller gives by name, else in two folders."""

    folder: Path | None = None
    """The folder of the including file, None if that is in none."""

    library: Path | None = None
    """The library directory of Xconq, None if it is not known."""

    given_files: Mapping[str, bytes] = field(default_factory=dict)
    """The content of files that are not searched for, by their names as written."""

    problems: list[Problem] = field(default_factory=list)
    """Warnings about the files that were looked for."""

    def find(self, name: str) -> Included | None:
        """Return the file with a name as written; None if it is nowhere, or the name is refused.

        It is looked for beside the including file, then in the library; with folders in its name
        ("lib/earth.map") without them, too. A file beside the including one wins, with a warning if
        the library has another one.
        """
        if name in self.given_files:
            return Included(name, name, GIVEN, self.given_files[name])
        fault = fault_in_include(name)
        if fault:
            message = f"The file “{name:.60}” is not sought: {fault}"
            self.problems.append(Problem(Severity.WARNING, "include-place", message))
            return None
        name_without_folders = name.rpartition("/")[2]
        for file_name in dict.fromkeys((name, name_without_folders)):
            candidates = list(self._candidates(file_name, name))
            if not candidates:
                continue
            if len(candidates) > 1 and candidates[1].data != candidates[0].data:
                message = (
                    f"{candidates[0].path} is used here; the library has another {file_name}, "
                    "which Xconq itself takes"
                )
                self.problems.append(Problem(Severity.WARNING, "include-differs", message))
            return candidates[0]
        return None

    def _candidates(self, file_name: str, name: str) -> Iterator[Included]:
        """Yield the file beside the including one, and the one of the library, if they exist."""
        for folder, origin in ((self.folder, BESIDE), (self.library, LIBRARY)):
            if folder is None:
                continue
            path = folder / file_name
            data = self._read(folder, path)
            if data is not None:
                yield Included(name, str(path), origin, data)

    def _read(self, folder: Path, path: Path) -> bytes | None:
        """Return the content of a file; None if there is none, or if it cannot be read.

        Only the second is a warning.
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
    """Return why a name cannot be that of an included file, as the end of a sentence.

    "" if it can. No file outside the two folders can be named.
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


@dataclass(frozen=True)
class PeriodTexts:
    """The period in effect, as texts that a map can keep."""

    text: str
    """The text of the mapfile that has the period, or of one that was made of its parts."""

    further: Mapping[str, str]
    """The texts of the files that it includes, directly or not, by their names as written."""

    name: str = ""
    """The name of the included file that has the period.

    "" if the mapfile itself has it, or if no file names it.
    """

    origin: str = ""
    """Where that file was found (``BESIDE`` ...); ``PART`` if the text is not that whole file."""

    path: str | None = None
    """The path of the file that has the period."""

    line_shift: int = 0
    """What is added to a line number of the text to get that of the file it comes from."""

    def located(self, problems: Iterable[Problem]) -> list[Problem]:
        """Return the problems of reading the period, located in the file that it comes from.

        Those of the text have no path yet; those of further files are located already.
        """
        result = []
        for problem in problems:
            if problem.path:
                result.append(problem)
            else:
                result.append(_relocated(problem, self.path, self.line_shift))
        return result


def _relocated(problem: Problem, path: str | None, line_shift: int) -> Problem:
    """Return a problem and its fix, moved to the lines of a file. Other fixes are dropped."""
    fix = problem.fix
    if fix is not None:
        edits = []
        for edit in fix.edits:
            moved_line = edit.line + line_shift
            moved_end = edit.end_line + line_shift
            edits.append(replace(edit, line=moved_line, end_line=moved_end))
        fix = replace(fix, edits=tuple(edits))
    line = problem.line
    if line is not None:
        line += line_shift
    end_line = problem.end_line
    if end_line is not None:
        end_line += line_shift
    return replace(problem, path=path, line=line, end_line=end_line, fix=fix, other_fixes=())


class LoadedFile(NamedTuple):
    """A file that was loaded for a map."""

    name: str
    """Its name as it was included, "" for the mapfile itself."""

    origin: str
    """Where it was found (``BESIDE`` ...), "" for the mapfile itself."""

    mapfile: Mapfile


@dataclass(eq=False)
class Loaded:
    """The content of a mapfile with its included files."""

    main: Mapfile
    """The mapfile itself."""

    files: list[LoadedFile] = field(default_factory=list)
    """All files in the order of loading, the mapfile itself last."""

    sections: dict[str, Mapfile] = field(default_factory=dict)
    """The file that each section, by its letter, comes from."""

    missing: list[str] = field(default_factory=list)
    """The names of periods that were not found."""

    missing_maps: list[str] = field(default_factory=list)
    """The names of other included files that were not found, without which nothing is read."""

    problems: list[Problem] = field(default_factory=list)

    included_names: dict[str, set[str]] = field(default_factory=dict)
    """The names of all files that a file included, directly or not, by its own name."""

    def value(self, section: Section[Value]) -> Value | None:
        """Return the value of a section; None if no file has it, or one with errors has it."""
        file = self.sections.get(section.letter)
        if file is None:
            return None
        return file.value(section)

    def is_in_main(self, letter: str) -> bool:
        """Return whether a section is in effect that stands in the mapfile itself."""
        return self.sections.get(letter) is self.main


def include_finder(
    path: str | None,
    library: Path | None = None,
    given_files: Mapping[str, bytes] = NO_GIVEN_FILES,
) -> IncludeFinder:
    """Return the finder of the files that a mapfile includes, see ``reader.read_with``."""
    folder = None
    if path is not None:
        folder = Path(path).absolute().parent
    return IncludeFinder(folder, library or library_folder(), given_files)


def load(data: bytes, path: str | None, finder: IncludeFinder) -> Loaded | tuple[Problem, ...]:
    """Return the mapfile in ``data`` with the files that it includes.

    Only the problems if not even its header can be read.
    """
    main, problems = parse(data, path)
    if main is None:
        return problems
    loader = _Loader(finder, Loaded(main))
    if path is not None:
        # So a file that includes itself, directly or not, is not loaded again.
        file_name = path.replace("\\", "/").rpartition("/")[2]
        loader.seen_names.add(file_name)
    loader.load("", "", main, data)
    loaded = loader.loaded
    loaded.problems = [*finder.problems, *loaded.problems]
    return loaded


class _Loader:
    """Loads a file and what it includes into ``loaded``."""

    def __init__(self, finder: IncludeFinder, loaded: Loaded) -> None:
        self.finder = finder
        self.loaded = loaded
        self.seen_names: set[str] = set()
        """The names of all files that were included so far: each is loaded once."""
        self.map_size = (0, 0)
        """The width and height of the map that was read last, (0, 0) if none was."""
        self.file_count = 1
        self.included_bytes = 0
        """The size of all included files so far."""

    def load(self, name: str, origin: str, mapfile: Mapfile, data: bytes) -> set[str]:
        """Load a file after those that it includes; return the names of all that it included.

        ``mapfile`` is ``data``, parsed for the size of the map that was read before it.
        """
        included_names: set[str] = set()
        header = mapfile.header
        first_line = header.next_line - len(header.includes) + 1
        for line, included_name in enumerate(header.includes, first_line):
            included_names.add(included_name)
            included_names |= self._include(mapfile, line, included_name)
        mapfile = self._with_map_size(mapfile, data)
        self.loaded.problems += mapfile.problems
        self.loaded.files.append(LoadedFile(name, origin, mapfile))
        self.loaded.included_names[name] = included_names
        self._put_into_effect(mapfile)
        return included_names

    def _with_map_size(self, mapfile: Mapfile, data: bytes) -> Mapfile:
        """Return the file, parsed again if its sides have views of a map that it includes.

        A view has the size of the map, which is not known before the included files are loaded.
        """
        sections = mapfile.header.sections
        if SIDES_SECTION.letter not in sections or MAP_SECTION.letter in sections:
            return mapfile
        if self.map_size == (0, 0):
            return mapfile
        parsed_again, _ = parse(data, mapfile.path, self.map_size)
        assert parsed_again is not None, "its header has been read before"
        if mapfile is self.loaded.main:
            self.loaded.main = parsed_again
        return parsed_again

    def _include(self, mapfile: Mapfile, line: int, name: str) -> set[str]:
        """Load the file that a line of another names; return the names of all that it included."""
        if name in self.seen_names:
            message = f"“{name:.60}” is loaded already; a file is loaded only once"
            self._report(Severity.WARNING, "include-again", message, mapfile, line, name)
            return set()
        self.seen_names.add(name)
        self.file_count += 1
        if self.file_count > MOST_FILES:
            message = f"More than {MOST_FILES} files are included"
            self._report(Severity.ERROR, "include-many", message, mapfile, line, name)
            return set()
        included = self.finder.find(name)
        if included is None:
            self._report_missing(mapfile, line, name)
            return set()
        self.included_bytes += len(included.data)
        if self.included_bytes > LARGEST_INCLUDE:
            message = f"The included files have more than {LARGEST_INCLUDE:,} bytes together"
            self._report(Severity.ERROR, "include-many", message, mapfile, line, name)
            return set()
        included_mapfile, problems = parse(included.data, included.path, self.map_size)
        if included_mapfile is None:
            self.loaded.problems += problems
            return set()
        return self.load(name, included.origin, included_mapfile, included.data)

    def _report_missing(self, mapfile: Mapfile, line: int, name: str) -> None:
        """Add the problem of an included file that was not found.

        A period that is missing is a warning: the map is shown with types that stand in for it.
        """
        searched = "beside this file nor in Xconq's library"
        if self.finder.library is None:
            searched = "beside this file, and no library directory of Xconq is known"
        message = f"The included file “{name:.60}” is neither {searched}"
        if name.endswith(PERIOD_SUFFIX):
            self.loaded.missing.append(name)
            self._report(Severity.WARNING, "missing-period", message, mapfile, line, name)
            return
        severity = Severity.ERROR
        if self.finder.folder is None:
            # Bytes that come from no folder are not wrong for what is not beside them.
            severity = Severity.WARNING
        else:
            self.loaded.missing_maps.append(name)
        self._report(severity, "missing-include", message, mapfile, line, name)

    def _report(
        self, severity: Severity, code: str, message: str, mapfile: Mapfile, line: int, name: str
    ) -> None:
        """Add a problem of the line of a file that names an included one."""
        span = (mapfile.path, line, 1, line, len(name) + 1)
        self.loaded.problems.append(Problem(severity, code, message, *span))

    def _put_into_effect(self, mapfile: Mapfile) -> None:
        """Let the sections of a file replace those that were loaded before."""
        section = mapfile.value(MAP_SECTION)
        if section is not None:
            self.map_size = section.width, section.height
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


def period_texts(loaded: Loaded, finder: IncludeFinder) -> PeriodTexts | None:
    """Return the period in effect, that of the library's standard file if the files bring none.

    None: there is none, or a file that is missing would bring it. The period can be

    * a whole file, which includes the periods that it extends, if it extends any;
    * a section of a file with other sections: the text is a file made of that section alone;
    * several files, none of which includes the others: the text is a file that includes all.
    """
    files_with_period = [file for file in loaded.files if file.mapfile.period is not None]
    if not files_with_period:
        if loaded.missing:
            return None
        return _standard_period(loaded, finder)
    needed_files = _needed_files(files_with_period)
    last_file = needed_files[-1]
    extended_names = {file.name for file in needed_files[:-1]}

    # Several files, since the last one does not include all those that it extends.
    if not extended_names <= loaded.included_names[last_file.name]:
        header = MapfileHeader(
            "", "Several periods", includes=tuple(file.name for file in needed_files)
        )
        texts = _texts_of_files(loaded, header.includes)
        return PeriodTexts(header.text(), texts, last_file.name, PART)

    # A section of a file, or a whole file.
    mapfile = last_file.mapfile
    if mapfile.header.sections != "p":
        return _period_section(loaded, last_file, extended_names)
    return PeriodTexts(
        mapfile.text,
        _texts_of_files(loaded, mapfile.header.includes),
        last_file.name,
        last_file.origin,
        mapfile.path,
    )


def _needed_files(files_with_period: list[LoadedFile]) -> list[LoadedFile]:
    """Return the last of these files, after those whose periods it extends."""
    first = len(files_with_period) - 1
    while first > 0 and files_with_period[first].mapfile.extends:
        first -= 1
    return files_with_period[first:]


def _period_section(loaded: Loaded, file: LoadedFile, extended_names: set[str]) -> PeriodTexts:
    """Return the period of a file with other sections, as a file of that section alone.

    It includes only those files that bring the periods which it extends.
    """
    mapfile = file.mapfile
    includes = []
    for include in mapfile.header.includes:
        brought_names = loaded.included_names.get(include, set()) | {include}
        if not extended_names.isdisjoint(brought_names):
            includes.append(include)
    header = replace(mapfile.header, sections="p", includes=tuple(includes), notes=())
    header_text = header.text()
    return PeriodTexts(
        f"{header_text}{mapfile.period}",
        _texts_of_files(loaded, header.includes),
        file.name,
        PART,
        mapfile.path,
        line_shift=mapfile.period_line - 1 - header_text.count("\n"),
    )


def _texts_of_files(loaded: Loaded, names: Iterable[str]) -> dict[str, str]:
    """Return the texts of included files, and of all that they include, by name."""
    reachable_names = set(names)
    for name in names:
        reachable_names |= loaded.included_names.get(name, set())
    return {
        file.name: file.mapfile.text
        for file in loaded.files
        if file.name and file.name in reachable_names
    }


def _standard_period(loaded: Loaded, finder: IncludeFinder) -> PeriodTexts | None:
    """Return the period of a file that names none: the one that the caller gives, or the library's.

    None if there is none, or with a problem if it cannot be read.
    """
    if NO_NAME in finder.given_files:
        standard_finder = IncludeFinder(finder.folder, finder.library)
        standard_file: Included | None = Included(
            NO_NAME, "the chosen period", GIVEN, finder.given_files[NO_NAME]
        )
    else:
        # The standard file is the library's: one beside the mapfile does not count.
        standard_finder = IncludeFinder(None, finder.library)
        standard_file = standard_finder.find(STANDARD_PERIOD)
    if standard_file is None:
        return None
    standard = load(standard_file.data, standard_file.path, standard_finder)
    if isinstance(standard, tuple):
        _report_unusable(loaded, standard_file, standard)
        return None
    if has_errors(standard.problems) or not standard.is_in_main("p"):
        _report_unusable(loaded, standard_file, standard.problems)
        return None
    texts = period_texts(standard, standard_finder)
    if texts is None:
        return None
    return replace(texts, origin=standard_file.origin)


def _report_unusable(loaded: Loaded, file: Included, problems: Iterable[Problem]) -> None:
    """Add the problems of a file that should have the standard period, and what they mean."""
    loaded.problems += problems
    message = f"{file.path} cannot be used as the period of this file"
    loaded.problems.append(Problem(Severity.WARNING, "standard-unusable", message))
