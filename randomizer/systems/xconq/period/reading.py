"""Reads a *period*, the rules of a game in Xconq's language, from the text of a mapfile.

A mapfile begins with a header, which names the files that it includes and the sections that follow.
The period is what the period sections say, first those of the included files, then its own::

    Xconq 0 -+---- Two islands          the header: a period section follows
    Period 0                            the section; 0 since it goes on from no included period
    "." "sea" "blue" ttype              words of the language, up to ``end``

Three functions read a text, of which the last does the work, with the ``Interpreter``::

    read_period     cached: the period, if it has no errors, and the problems
    reading_of      cached: all that was read, also of a text that is just being written
    read_traced     not cached: the same; a function is called with each token

The first two are cached, since every panel asks for the same text.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from randomizer.model.basics.caches import registered
from randomizer.model.basics.sized_cache import sized_cache
from randomizer.model.map.layer import NO_TEXTS
from randomizer.model.problems import Problem, has_errors
from randomizer.systems.xconq.header import MapfileHeader, is_mapfile, read_header
from randomizer.systems.xconq.period.checks import TypeDefinitions, check
from randomizer.systems.xconq.period.execution import Execution
from randomizer.systems.xconq.period.faults import make_problem, text_order_key
from randomizer.systems.xconq.period.interpreter import Interpreter
from randomizer.systems.xconq.period.missing_quotes import lack_quotes, mark_missing_quotes
from randomizer.systems.xconq.period.missing_values import offer_values
from randomizer.systems.xconq.period.objects import Definition, Item, PeriodFile
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.period.renamed_types import offer_renames
from randomizer.systems.xconq.period.tokens import Token

MAX_FILES = 16
"""The most files that are read for one period."""

_CACHED = 12
"""The most readings in the cache."""

_MAX_CACHED_CHARACTERS = 1 << 16
"""The most characters of all texts whose readings are in the cache."""

_SECTION = re.compile(r"\s*Period[ \t]+(-?[0-9]+)(?=[ \t\n]|$)")
"""The line that begins a period section, with its number."""

Trace = Callable[[PeriodFile, Token], None]
"""Called with each token before it is executed."""


class PeriodResult(NamedTuple):
    """A period, and what is wrong with its text."""

    period: Period | None
    """None if one of the problems is an error."""

    problems: tuple[Problem, ...]
    """The problems in the order of the texts."""


@dataclass(frozen=True)
class Reading:
    """The reading of a period's text, also of one with errors; for help while it is written."""

    period: Period
    """The period as far as it could be read."""

    problems: tuple[Problem, ...]
    """The problems in the order of the texts."""

    console: tuple[str, ...]
    """The lines that the word ``print`` wrote."""

    stack: tuple[Item, ...]
    """The objects that were left at the end of the text."""

    end: int
    """The offset behind the period section of the text."""

    names: Mapping[str, Definition] = field(repr=False)
    """The names that the texts define."""

    types: TypeDefinitions = field(repr=False)
    """The definitions of the types."""


def read_period(
    text: str, path: str | None = None, further: Mapping[str, str] = NO_TEXTS
) -> PeriodResult:
    """Return the period of a mapfile's text, or of a text that is only a period section.

    ``further`` are the texts of included files by the name as written. Problems of ``text`` name
    ``path``, those of included files the file's name. The latest results are kept.
    """
    reading = reading_of(text, path, further)
    if has_errors(reading.problems):
        return PeriodResult(None, reading.problems)
    return PeriodResult(reading.period, reading.problems)


def reading_of(
    text: str, path: str | None = None, further: Mapping[str, str] = NO_TEXTS
) -> Reading:
    """Return all that is known of a period's text; arguments as those of ``read_period``."""
    return _cached(text, path, tuple(sorted(further.items())))


@registered(bytes_a_unit=30)
@sized_cache(max_entries=_CACHED, max_size=_MAX_CACHED_CHARACTERS)
def _cached(text: str, path: str | None, further: tuple[tuple[str, str], ...]) -> Reading:
    """Return the reading of a text; ``further`` are names and texts, as a key of the cache."""
    return read_traced(text, path, dict(further))


def read_traced(
    text: str,
    path: str | None = None,
    further: Mapping[str, str] = NO_TEXTS,
    trace: Trace | None = None,
) -> Reading:
    """Read as ``reading_of``, uncached; call ``trace`` with each token before it is executed."""
    # Read all files.
    files = _Files(Interpreter(trace), further)
    files.read(PeriodFile(None, _with_line_feeds(text)))
    interpreter = files.interpreter
    execution = interpreter.execution
    types = execution.parts.type_definitions
    period = _period_of(execution, files.read_files)
    problems = [*files.problems, *execution.log.problems]

    # Check the period as a whole, unless its reading has stopped: then it lacks what follows.
    if not interpreter.has_stopped and not has_errors(problems):
        problems += check(period, types)

    # Find the likely causes of the problems, and offer fixes.
    problems = mark_missing_quotes(files.read_files, interpreter.texts_over_lines, problems)
    if not lack_quotes(problems):
        problems = offer_renames(files.read_files[-1], problems, period, types)
        lost_assignments = execution.parts.lost_assignments
        problems = offer_values(files.read_files[-1], problems, period, lost_assignments, types)
    located_problems = []
    for problem in problems:
        if problem.path:
            located_problems.append(problem)
        else:
            located_problems.append(problem.at_path(path))
    return Reading(
        period=period,
        problems=tuple(sorted(located_problems, key=text_order_key)),
        console=tuple(execution.console),
        stack=tuple(execution.stack),
        end=interpreter.end,
        names=execution.parts.definitions,
        types=types,
    )


def _with_line_feeds(text: str) -> str:
    """Return the text with LF as line ends; a CR alone is none, as in the original program."""
    if "\r" in text:
        return text.replace("\r\n", "\n")
    return text


class _Files:
    """Reads the files of a period with one interpreter: a file after those that it includes."""

    def __init__(self, interpreter: Interpreter, further: Mapping[str, str]) -> None:
        self.interpreter = interpreter
        self.problems: list[Problem] = []
        """The problems of headers and includes; those of words are the interpreter's."""
        self.read_files: list[PeriodFile] = []
        """The files in the order of reading, the period's own last."""
        self._further = further
        """The texts of files that can be included, by their names."""
        self._included_names: set[str] = set()
        """The names of the files that were included so far."""
        self._is_base_missing = False
        """True once a section was left out, since it goes on from a period that is missing."""

    def read(self, file: PeriodFile) -> None:
        """Read the includes of ``file``, then its period section, if it has one."""
        is_section_alone = not is_mapfile(file.text) and _SECTION.match(file.text) is not None
        if is_section_alone:
            self._read_section(file, offset=0, missing=0)
            return
        lines = file.text.split("\n")
        header, problems = read_header(lines, file.name)
        self.problems += problems
        if header is None:
            self.read_files.append(file)
            return
        missing = self._read_includes(file, header)
        if "p" not in header.sections:
            self.read_files.append(file)
            return
        first_line = header.next_line
        if "v" in header.sections:
            first_line += 1  # the version, a section of one line, comes before the period
        offset = sum(len(line) + 1 for line in lines[:first_line])
        self._read_section(file, offset, missing)

    def _read_includes(self, file: PeriodFile, header: MapfileHeader) -> int:
        """Read the files that a file includes; return how many could not be read."""
        missing = 0
        start = header.next_line - len(header.includes)
        for line, name in enumerate(header.includes, start):
            span = (file.starts[line], file.starts[line] + len(name))
            text = self._further.get(name)
            if name in self._included_names:
                self.problems.append(
                    make_problem("period-included-twice", file, span, {"name": name})
                )
            elif text is None or len(self._included_names) >= MAX_FILES:
                # Beyond the bound a file counts as missing, so that no circle of files is endless.
                missing += 1
                self.problems.append(
                    make_problem("period-include-missing", file, span, {"name": name})
                )
            else:
                self._included_names.add(name)
                self.read(PeriodFile(name, _with_line_feeds(text)))
                if self._is_base_missing:
                    missing += 1
        return missing

    def _read_section(self, file: PeriodFile, offset: int, missing: int) -> None:
        """Read the section that begins at an offset of a file.

        ``missing`` is the number of its included files that are missing. If there are any, a
        section that goes on from an included period is not read: too many words would be unknown.
        """
        self.read_files.append(file)
        match = _SECTION.match(file.text, offset)
        if match is None:
            end = file.text.find("\n", offset)
            if end < 0:
                end = len(file.text)
            self.problems.append(make_problem("period-header", file, (min(offset, end), end)))
            return
        # ``Period 0`` begins anew, any other number goes on from what was included. The number is
        # not converted: Python refuses one of thousands of digits.
        extends = match[1].strip("-0") != ""
        if extends and missing:
            self.problems.append(make_problem("period-base-missing", file, match.span(1)))
            self._is_base_missing = True
            self.interpreter.stop()
            return
        self.interpreter.read(file, match.end(), extends=extends)


def _period_of(execution: Execution, files: list[PeriodFile]) -> Period:
    """Return the period that has been read from files."""
    parts = execution.parts
    counts = {kind: len(types) for kind, types in parts.type_definitions.items()}
    digest = hashlib.sha256()
    for file in files:
        # The length of each text keeps apart files whose texts joined would be the same.
        digest.update(f"{len(file.text)}:{file.name}\0{file.text}".encode("utf-8", "surrogatepass"))
    return Period(
        digest=digest.hexdigest(),
        units=tuple(parts.units),
        resources=tuple(parts.resources),
        terrains=tuple(parts.terrains),
        notes=tuple(parts.notes),
        side_names=tuple(execution.side_names),
        unit_names=tuple(execution.unit_names),
        clears_side_names=execution.clears_side_names,
        clears_unit_names=execution.clears_unit_names,
        values=parts.values.of_types(counts),
        assignments=tuple(parts.assignments),
        files=tuple(files),
    )
