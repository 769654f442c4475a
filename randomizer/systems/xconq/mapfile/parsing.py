"""One mapfile parsed: its header and its sections, without the files that it includes.

``parse`` reads a file section by section, in the order in which its header announces them::

    mapfile, problems = parse(data, "islands.map")
    mapfile.header.description          # "Two islands"
    mapfile.value(SIDES_SECTION)        # the ``Sides`` of the file, None if it has none
    mapfile.lines["s"]                  # the lines of that section as they were typed

The sections of ``MAP_SECTIONS`` are read by modules of their own, version and period here.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypeVar, cast

from randomizer.model.basics.plurals import counted
from randomizer.model.problems import Problem, has_errors
from randomizer.systems.xconq.header import MapfileHeader, decode, read_header
from randomizer.systems.xconq.mapfile.cursor import Cursor, UnreadableError
from randomizer.systems.xconq.mapfile.map_sections import MAP_SECTIONS, Section
from randomizer.systems.xconq.period.tokens import BEGIN_NOTES, Tokenizer, TokenKind
from randomizer.systems.xconq.records import (
    VERSION,
)

Value = TypeVar("Value")

_PERIOD = re.compile(r"\s*Period\s+(-?\d{1,9})\b", re.ASCII)
"""The beginning of the section Period; with a number other than 0 it extends another period."""


@dataclass(eq=False)
class Mapfile:
    """A mapfile without the files that it includes. A section that it does not have is None."""

    path: str | None
    """The path for problems, None if there is none."""

    text: str
    """The whole text, with LF as line ends."""

    header: MapfileHeader
    """The first lines, up to the first section."""

    version: str | None = None
    """The line of the version section."""

    period: str | None = None
    """The text of the period section, from its first line to the one with its ``end``."""

    period_line: int = 0
    """The line, from 1, with which the period section begins."""

    extends: bool = False
    """True if the period changes the one that was loaded before, by the number of its section."""

    values: dict[str, object] = field(default_factory=dict)
    """The values of the sections of ``MAP_SECTIONS`` by letter, None for one with errors."""

    lines: dict[str, list[str]] = field(default_factory=dict)
    """The lines of each section but the period, by letter, blank ones, too."""

    rest: tuple[str, ...] = ()
    """The lines after the last section, which nobody reads."""

    problems: list[Problem] = field(default_factory=list)

    def value(self, section: Section[Value]) -> Value | None:
        """Return what the file has in a section; None if it has none, or with errors."""
        return cast("Value | None", self.values.get(section.letter))


def parse(
    data: bytes, path: str | None = None, size: tuple[int, int] = (0, 0)
) -> tuple[Mapfile | None, tuple[Problem, ...]]:
    """Return the mapfile in ``data``, None with errors if not even its header can be read.

    ``size`` is the width and height of the map that was loaded before, (0, 0) for none: in a file
    without a map the views of sides have that size.
    """
    text, problems = decode(data, path)
    if has_errors(problems):
        return None, problems
    header, header_problems = read_header(text.split("\n"), path)
    problems += header_problems
    if header is None:
        return None, problems
    mapfile = Mapfile(path, text, header)
    cursor = Cursor(text, path, header.next_line, size)
    cursor.problems += problems
    # What ends the reading early is a problem of the cursor.
    with suppress(UnreadableError):
        _read_sections(cursor, mapfile)
    mapfile.problems = cursor.problems
    return mapfile, tuple(cursor.problems)


def _read_sections(cursor: Cursor, mapfile: Mapfile) -> None:
    """Read each section that the header announces. Raises UnreadableError."""
    for letter in mapfile.header.sections:
        if letter == "p":
            _read_period(cursor, mapfile)
            continue
        first_index = cursor.next_index
        if letter == "v":
            _read_version(cursor, mapfile)
        else:
            mapfile.values[letter] = MAP_SECTIONS[letter].read(cursor)
        mapfile.lines[letter] = cursor.lines[first_index : cursor.next_index]

    # Behind a period alone, which is a script, may stand anything.
    if cursor.peek() is None or mapfile.header.sections == "p":
        return
    mapfile.rest = tuple("\n".join(cursor.lines[cursor.next_index :]).rstrip("\n").split("\n"))
    message = (
        f"Here the last section ends; {counted(len(mapfile.rest), 'line')} from here on "
        "are not read, but kept in the file"
    )
    cursor.warn("after-the-end", message, line_number=cursor.next_index + 1)


def _read_version(cursor: Cursor, mapfile: Mapfile) -> None:
    """Read the version section, which is one line. Raises UnreadableError."""
    mapfile.version = cursor.take("the version").strip()
    if mapfile.version != VERSION:
        message = (
            f"This file was written by another version than {VERSION}, and that version "
            "of Xconq would not load it"
        )
        cursor.warn("version", message)


def _read_period(cursor: Cursor, mapfile: Mapfile) -> None:
    """Read the period section up to the line with its word ``end``. Raises UnreadableError.

    Only its tokens tell where it ends: ``end`` may stand in a string, a comment or notes as well.
    So it is tokenized here, but not executed.
    """
    line = cursor.take("the section Period")
    match = _PERIOD.match(line)
    if match is None:
        message = "Here begins the section Period, by the flags of the header: “Period 0”"
        cursor.error("section", message)
        raise UnreadableError
    mapfile.period_line = cursor.line_number
    mapfile.extends = int(match[1]) != 0

    line_starts = [0]
    for text_line in cursor.lines:
        line_starts.append(line_starts[-1] + len(text_line) + 1)
    start = line_starts[cursor.line_number - 1]
    end = _end_of_period(mapfile.text, start + match.end())
    mapfile.period = mapfile.text[start:end]
    # Go on with the first line that begins at the end or behind it.
    cursor.next_index = sum(1 for line_start in line_starts[:-1] if line_start < end)


def _end_of_period(text: str, start: int) -> int:
    """Return the offset behind the line in which a period ends.

    ``start`` is the offset behind the number of its section, with which its words begin.
    """
    tokenizer = Tokenizer(text, start)
    while (token := tokenizer.next()) is not None:
        if token.kind is not TokenKind.SYMBOL:
            continue
        if token.value == "end":
            break
        # ``notes`` skips the notes; without their last line they go on to the end of the file.
        if token.value == BEGIN_NOTES and tokenizer.notes() is None:
            break
    # The end of a token that a line end closes is behind that line end: so the search for one
    # begins a character before.
    end = min(tokenizer.at, len(text))
    line_end = text.find("\n", max(0, end - 1))
    if line_end < 0:
        return len(text)
    return line_end + 1
