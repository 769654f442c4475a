"""One mapfile taken apart: its header and sections, and how each section is read and written.

The sections ``version`` and ``period`` are no part of a map.
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
from randomizer.systems.xconq.mapfile.unit_things import section_of, units_of
from randomizer.systems.xconq.mapfile.units_section import FileUnits, read_units, units_text
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
    """A section by its letter in the save string.

    ``read`` gives what a file has, from the next line on, None with errors (raises
    UnreadableError); ``text`` the section of a map with a detail of 1 to 9 (raises ProblemError).
    ``in_map`` is whether a map has something to write in it, ``title`` what that is, in a sentence.
    """

    letter: str
    title: str
    read: Callable[[Cursor], Value | None]
    text: Callable[[BattleMap, int], str]
    in_map: Callable[[BattleMap], bool]


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
    each.letter: each for each in (MAP_SECTION, GLOBALS_SECTION, SIDES_SECTION, UNITS_SECTION)
}
"""By their letters, in the order of the flags."""


# --- noticing changes -------------------------------------------------------------------------


def digest_of(battlemap: BattleMap, letter: str) -> str:
    """Return the digest of a section, or of the period (``p``). Raises ProblemError."""
    if letter == "p":
        texts = period_texts_of(battlemap)
        if texts is None:
            return _digest()
        return _digest(
            texts[0], *(part for named_text in sorted(texts[1].items()) for part in named_text)
        )
    if letter == MAP_SECTION.letter:  # not its text: run lengths take long, and the extension
        facts = map_facts_of(battlemap)  # of a file is not a change
        size = f"{battlemap.grid.width} {battlemap.grid.height} {facts.scale} {facts.seen}"
        return _digest(size, characters_of(battlemap).tobytes().decode("latin-1"))
    return _digest(MAP_SECTIONS[letter].text(battlemap, FULL_DETAIL))


def _digest(*texts: str) -> str:
    digest = hashlib.sha256()
    for text in texts:
        digest.update(f"{len(text)}:".encode())
        digest.update(text.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:32]


_PERIOD = re.compile(r"\s*Period\s+(-?\d{1,9})\b", re.ASCII)


@dataclass(eq=False)
class Mapfile:
    """A mapfile without what it includes; what it does not have is None.

    ``period`` is the text of the period section, which begins at ``period_line`` (from 1);
    ``extends``: by its flag it changes the period that was loaded before. ``values`` are those of
    the sections that are a map's own, by letter.
    """

    path: str | None
    text: str
    header: MapfileHeader
    version: str | None = None
    period: str | None = None
    period_line: int = 0
    extends: bool = False
    values: dict[str, object] = field(default_factory=dict)
    lines: dict[str, list[str]] = field(default_factory=dict)
    """The lines of each section but the period, by letter, blank ones, too."""
    rest: tuple[str, ...] = ()
    """Lines after the last section."""
    problems: list[Problem] = field(default_factory=list)

    def value(self, section: Section[Value]) -> Value | None:
        """Return what the file has in a section; None if it has none, or with errors."""
        return cast("Value | None", self.values.get(section.letter))


def parse(
    data: bytes, path: str | None = None, size: tuple[int, int] = (0, 0)
) -> tuple[Mapfile | None, tuple[Problem, ...]]:
    """Return the mapfile in ``data``, None with errors if not even its header can be read.

    ``size`` is that of the map that was loaded before, for views of sides in a file without a map.
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
    with suppress(UnreadableError):  # its problem is in the cursor
        _read_sections(cursor, mapfile)
    mapfile.problems = cursor.problems
    return mapfile, tuple(cursor.problems)


def _read_sections(cursor: Cursor, mapfile: Mapfile) -> None:
    """Read each section that the header announces. Raises UnreadableError."""
    for letter in mapfile.header.sections:
        first_line = cursor.at
        if letter == "v":
            mapfile.version = cursor.take("the version").strip()
            if mapfile.version != VERSION:
                message = (
                    f"This file was written by another version than {VERSION}, and that version "
                    "of Xconq would not load it"
                )
                cursor.warn("version", message)
        elif letter == "p":
            _read_period(cursor, mapfile)
        else:
            mapfile.values[letter] = MAP_SECTIONS[letter].read(cursor)
        if letter != "p":
            mapfile.lines[letter] = cursor.lines[first_line : cursor.at]
    line = cursor.peek()
    if line is not None and mapfile.header.sections != "p":
        mapfile.rest = tuple("\n".join(cursor.lines[cursor.at :]).rstrip("\n").split("\n"))
        cursor.at += 1
        message = (
            f"Here the last section ends; {counted(len(mapfile.rest), 'line')} from here on "
            "are not read, but kept in the file"
        )
        cursor.warn("after-the-end", message)


def _read_period(cursor: Cursor, mapfile: Mapfile) -> None:
    """The period section up to its word ``end``. Raises UnreadableError."""
    line = cursor.take("the section Period")
    match = _PERIOD.match(line)
    if match is None:
        message = "Here begins the section Period, by the flags of the header: “Period 0”"
        cursor.error("section", message)
        raise UnreadableError
    starts = [0]
    for each in cursor.lines:
        starts.append(starts[-1] + len(each) + 1)
    start = starts[cursor.at - 1]
    tokenizer = Tokenizer(mapfile.text, start + match.end())
    while (token := tokenizer.next()) is not None:
        if token.kind is TokenKind.SYMBOL and token.value == "end":
            break
        if (
            token.kind is TokenKind.SYMBOL
            and token.value == BEGIN_NOTES
            and tokenizer.notes() is None
        ):
            break
    end = min(tokenizer.at, len(mapfile.text))
    line_end = mapfile.text.find("\n", max(0, end - 1))
    end = len(mapfile.text) if line_end < 0 else line_end + 1
    mapfile.period = mapfile.text[start:end]
    mapfile.period_line = cursor.at
    mapfile.extends = int(match[1]) != 0
    cursor.at = sum(1 for each in starts[:-1] if each < end)
