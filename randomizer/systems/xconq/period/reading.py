"""Reads a period: the period section of a mapfile after those of the files that it includes."""

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
from randomizer.systems.xconq.period.checks import TypePlaces, check
from randomizer.systems.xconq.period.faults import problem, text_order
from randomizer.systems.xconq.period.interpreter import Interpreter
from randomizer.systems.xconq.period.objects import Item, PeriodFile
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.period.tokens import Token

MOST_FILES = 16
"""The most files that are read for one period."""

_CACHED = 12
_SECTION = re.compile(r"\s*Period[ \t]+(-?[0-9]+)(?=[ \t\n]|$)")

Trace = Callable[[PeriodFile, Token], None]


class PeriodResult(NamedTuple):
    """A period that was read, None with errors, and the problems in the order of the texts."""

    period: Period | None
    problems: tuple[Problem, ...]


@dataclass(frozen=True)
class Reading:
    """The reading of a period's text, also of one with errors; for help while it is written.

    ``names`` are those that the text defines, with the object and the token of the name. ``stack``
    holds the objects left at its end, ``console`` is what ``print`` wrote. ``end`` is the offset in
    the text just behind the period section. The period holds what could be read.
    """

    period: Period
    problems: tuple[Problem, ...]
    console: tuple[str, ...]
    stack: tuple[Item, ...]
    end: int
    names: Mapping[str, tuple[PeriodFile, Item]] = field(repr=False)
    types: TypePlaces = field(repr=False)


def read_period(
    text: str, path: str | None = None, further: Mapping[str, str] = NO_TEXTS
) -> PeriodResult:
    """Return the period of a mapfile's text, or of a text that is only a period section.

    ``further`` are the texts of included files by the name as written. Problems of ``text`` name
    ``path``, those of included files the file's name. The latest results are kept.
    """
    reading = reading_of(text, path, further)
    period = None if has_errors(reading.problems) else reading.period
    return PeriodResult(period, reading.problems)


def reading_of(
    text: str, path: str | None = None, further: Mapping[str, str] = NO_TEXTS
) -> Reading:
    """Return all that is known of a period's text; arguments as those of ``read_period``."""
    return _cached(text, path, tuple(sorted(further.items())))


@registered(bytes_a_unit=30)
@sized_cache(most=_CACHED, size=1 << 16)
def _cached(text: str, path: str | None, further: tuple[tuple[str, str], ...]) -> Reading:
    return read_traced(text, path, dict(further))


def read_traced(
    text: str,
    path: str | None = None,
    further: Mapping[str, str] = NO_TEXTS,
    trace: Trace | None = None,
) -> Reading:
    """Read as ``reading_of``, uncached; call ``trace`` with each token before it is executed."""
    files = _Files(Interpreter(trace), further)
    files.read(PeriodFile(None, _with_line_feeds(text)))
    interpreter = files.interpreter
    period = _period_of(interpreter, files.read_files)
    problems = [*files.problems, *interpreter.problems]
    if not interpreter.full and not has_errors(problems):
        problems += check(period, interpreter.type_tokens)
    return Reading(
        period,
        tuple(
            sorted(
                (problem if problem.path else problem.at_path(path) for problem in problems),
                key=text_order,
            )
        ),
        tuple(interpreter.console),
        tuple(interpreter.stack),
        interpreter.end,
        interpreter.own_names,
        interpreter.type_tokens,
    )


def _with_line_feeds(text: str) -> str:
    if "\r" in text:
        return text.replace("\r\n", "\n")
    return text


class _Files:
    """Reads a file after the files that it includes, each once."""

    def __init__(self, interpreter: Interpreter, further: Mapping[str, str]) -> None:
        self.interpreter = interpreter
        self.problems: list[Problem] = []
        self.read_files: list[PeriodFile] = []
        self._further = further
        self._seen: set[str] = set()

    def read(self, file: PeriodFile) -> None:
        """Read the includes of ``file``, then its period section, if it has one."""
        if not is_mapfile(file.text) and _SECTION.match(file.text):
            self._section(file, 0, 0)
            return
        lines = file.text.split("\n")
        header, problems = read_header(lines, file.name)
        self.problems += problems
        if header is None:
            self.read_files.append(file)
            return
        missing = self._includes(file, header)
        if "p" in header.sections:
            first = header.next_line + ("v" in header.sections)
            self._section(file, sum(len(line) + 1 for line in lines[:first]), missing)
        else:
            self.read_files.append(file)

    def _includes(self, file: PeriodFile, header: MapfileHeader) -> int:
        """Read what a file includes; how many files are not at hand."""
        missing = 0
        start = header.next_line - len(header.includes)
        for line, name in enumerate(header.includes, start):
            span = file.starts[line], file.starts[line] + len(name)
            text = self._further.get(name)
            if name in self._seen:
                self.problems.append(problem("period-included-twice", file, span, {"name": name}))
            elif text is None or len(self._seen) >= MOST_FILES:
                missing += 1
                self.problems.append(problem("period-include-missing", file, span, {"name": name}))
            else:
                self._seen.add(name)
                self.read(PeriodFile(name, _with_line_feeds(text)))
        return missing

    def _section(self, file: PeriodFile, at: int, missing: int) -> None:
        """Read the section that begins at an offset; not if it changes a period that is missing."""
        self.read_files.append(file)
        match = _SECTION.match(file.text, at)
        if match is None:
            end = file.text.find("\n", at)
            end = len(file.text) if end < 0 else end
            self.problems.append(problem("period-header", file, (min(at, end), end)))
            return
        keeps = int(match[1][-6:].lstrip("-") or 0) != 0
        if keeps and missing:
            start, end = match.span(1)
            self.problems.append(problem("period-base-missing", file, (start, end)))
            self.interpreter.full = True
            return
        self.interpreter.read(file, match.end(), keeps)


def _period_of(interpreter: Interpreter, files: list[PeriodFile]) -> Period:
    """Return the period that the interpreter holds."""
    counts = {kind: len(tokens) for kind, tokens in interpreter.type_tokens.items()}
    digest = hashlib.sha256()
    for file in files:
        digest.update(f"{len(file.text)}:{file.name}\0{file.text}".encode("utf-8", "surrogatepass"))
    return Period(
        digest.hexdigest(),
        tuple(interpreter.units),
        tuple(interpreter.resources),
        tuple(interpreter.terrains),
        tuple(interpreter.notes),
        tuple(interpreter.side_names),
        tuple(interpreter.unit_names),
        interpreter.clears_side_names,
        interpreter.clears_unit_names,
        interpreter.values.of_types(counts),
        tuple(interpreter.assignments),
        tuple(files),
    )
