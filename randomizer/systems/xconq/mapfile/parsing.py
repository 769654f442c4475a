"""One mapfile parsed: its header and its sections, without the files that it includes.

``MAP_SECTIONS`` is the table of the sections that a map has: how each is read and written.
``parse`` reads a file section by section, in the order of the table; the sections version and
period are read here, and are no part of that table. ``digest_of`` tells whether a section of a map
has changed.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Generic, TypeVar, cast

from randomizer.model.basics.plurals import counted
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem, has_errors
from randomizer.systems.xconq.header import MapfileHeader, decode, read_header
from randomizer.systems.xconq.mapfile.cursor import Cursor, UnreadableError
from randomizer.systems.xconq.mapfile.globals_section import globals_text, read_globals
from randomizer.systems.xconq.mapfile.map_section import (
    MapSection,
    characters_of,
    map_text,
    read_map,
)
from randomizer.systems.xconq.mapfile.sides_section import FULL_DETAIL, read_sides, sides_text
from randomizer.systems.xconq.mapfile.units_section import FileUnits, read_units, units_text
from randomizer.systems.xconq.mapfile.written_units import section_of, units_of
from randomizer.systems.xconq.period.tokens import BEGIN_NOTES, Tokenizer, TokenKind
from randomizer.systems.xconq.records import (
    GLOBALS,
    VERSION,
    Globals,
    Sides,
    map_facts_of,
    period_texts_of,
    sides_of,
)
from randomizer.systems.xconq.system import TERRAIN

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Section(Generic[Value]):
    """A section of mapfiles that a map has, too."""

    letter: str
    """Its letter in the save string."""

    title: str
    """What it holds, for the middle of a sentence."""

    read: Callable[[Cursor], Value | None]
    """Reads a file's section, which begins at the next line; None with errors.

    Raises UnreadableError if the sections behind it cannot be read either.
    """

    text: Callable[[BattleMap, int], str]
    """Returns the section of a map with a detail of 1 to 9. Raises ProblemError."""

    in_map: Callable[[BattleMap], bool]
    """Returns whether a map has something to write in it."""


MAP_SECTION: Section[MapSection] = Section(
    "m",
    "the map",
    read_map,
    map_text,
    lambda battlemap: any(
        TERRAIN.name in layer.planes for layer in battlemap.layers if layer.visible
    ),
)
GLOBALS_SECTION: Section[Globals] = Section(
    "g",
    "turns and conditions",
    read_globals,
    globals_text,
    lambda battlemap: GLOBALS in battlemap.records,
)
SIDES_SECTION: Section[Sides] = Section(
    "s", "the sides", read_sides, sides_text, lambda battlemap: bool(sides_of(battlemap).sides)
)
UNITS_SECTION: Section[FileUnits] = Section(
    "u",
    "the units",
    read_units,
    lambda battlemap, detail: units_text(section_of(battlemap, detail)),
    lambda battlemap: bool(units_of(battlemap)),
)

MAP_SECTIONS = {
    section.letter: section
    for section in (MAP_SECTION, GLOBALS_SECTION, SIDES_SECTION, UNITS_SECTION)
}
"""The sections that a map has by their letters, in the order of the flags."""


# --- changes ------------------------------------------------------------------------------------


def digest_of(battlemap: BattleMap, letter: str) -> str:
    """Return the digest of what a map would have in a section (``p``: of its period).

    Two digests are equal if nothing has changed. Raises ProblemError for what cannot be written.
    """
    if letter == "p":
        return _digest_of_period(battlemap)
    if letter == MAP_SECTION.letter:
        # Of the characters, since run lengths take long; and without the extension of the file,
        # which is no change of the map.
        facts = map_facts_of(battlemap)
        grid = battlemap.grid
        facts_text = f"{grid.width} {grid.height} {facts.scale} {facts.seen}"
        return _digest(facts_text, characters_of(battlemap).tobytes().decode("latin-1"))
    return _digest(MAP_SECTIONS[letter].text(battlemap, FULL_DETAIL))


def _digest_of_period(battlemap: BattleMap) -> str:
    """Return the digest of the text of the period, and of the names and texts that it includes."""
    texts = period_texts_of(battlemap)
    if texts is None:
        return _digest()
    main_text, further_texts = texts
    hashed = [main_text]
    for name, further_text in sorted(further_texts.items()):
        hashed += [name, further_text]
    return _digest(*hashed)


def _digest(*texts: str) -> str:
    """Return the digest of some texts; their lengths keep apart what would join to one text."""
    digest = hashlib.sha256()
    for text in texts:
        digest.update(f"{len(text)}:".encode())
        digest.update(text.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:32]


# --- parsing ------------------------------------------------------------------------------------


_PERIOD = re.compile(r"\s*Period\s+(-?\d{1,9})\b", re.ASCII)
"""How the section Period begins: its number is the extension flag."""


@dataclass(eq=False)
class Mapfile:
    """A mapfile without the files that it includes. A section that it does not have is None."""

    path: str | None
    """The path for problems, None if there is none."""

    text: str
    """The whole text, with LF as line ends."""

    header: MapfileHeader

    version: str | None = None
    """The line of the version section."""

    period: str | None = None
    """The text of the period section, from its first line to the one with its ``end``."""

    period_line: int = 0
    """The line, from 1, with which the period section begins."""

    extends: bool = False
    """True if the period changes the one that was loaded before, by its flag."""

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
    """Return the offset behind the line in which a period ends; ``start`` is behind its number."""
    tokenizer = Tokenizer(text, start)
    while (token := tokenizer.next()) is not None:
        if token.kind is not TokenKind.SYMBOL:
            continue
        if token.value == "end":
            break
        # ``notes`` skips the notes; without their last line they go on to the end of the file.
        if token.value == BEGIN_NOTES and tokenizer.notes() is None:
            break
    # A token's end may be behind the line end that closes it.
    end = min(tokenizer.at, len(text))
    line_end = text.find("\n", max(0, end - 1))
    if line_end < 0:
        return len(text)
    return line_end + 1
