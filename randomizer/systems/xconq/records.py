"""What a map of Xconq holds beside terrain and units: its records, as values.

A map's record ``header`` is a ``Header``, ``map`` a ``MapFacts``, ``globals`` a ``Globals``,
``sides`` a ``Sides``, ``units`` a ``UnitsFacts``, ``typed`` a ``TypedLines``. ``period`` is the
text of the mapfile that has the period, and ``period of NAME`` that of each file that this one
includes, NAME as written there.
``globals_of(map)`` and the like give what a map without the record has.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from types import MappingProxyType
from typing import Annotated, Any, TypeVar

from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.basics.caches import registered
from randomizer.model.basics.error_reasons import reason_of
from randomizer.model.basics.limits import LARGEST_DATA
from randomizer.model.basics.sized_cache import sized_cache
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import NO_TEXTS
from randomizer.model.problems import Problem, Severity
from randomizer.model.records.map_records import MapRecord, further_texts
from randomizer.storage.records.codec import plain, read

PERIOD = "period"
HEADER = "header"
MAP = "map"
GLOBALS = "globals"
SIDES = "sides"
UNITS = "units"
TYPED = "typed"

VERSION = "5.5.1a (7/19/92)"
"""The last version of Xconq 5: that of a map that does not say one."""

BESIDE = "beside"
LIBRARY = "library"
GIVEN = "given"
MISSING = "missing"
PART = "part"
STANDARD = "standard"
"""Where the period of a file was found (``Header.period_place``): beside the file, in the library,
given by the caller, nowhere; as a part of a file or of several; that of files that name none."""

MOST_SIDES = 31
"""Sides are 0 .. 30; the number 31 means neutral in the files of Xconq 5.5."""
MOST_BLANKS = 2**22
"""Before the description: no file is larger."""
MOST_CONDITIONS = 10

NEUTRAL = -1
"""The side of a neutral unit in a file, by the document."""

_NOT_IN_LINE = re.compile("[\\0\\n\\r\\ud800-\\udfff]")
"""What no line of a file has: ends of lines, null characters and halves of UTF-16 pairs."""


def _fault_in_line(text: str) -> str:
    return "should be one line of text" if _NOT_IN_LINE.search(text) else ""


def _fault_in_note(text: str) -> str:
    if text == ".":
        return "cannot have a line that is only “.”, which ends them"
    return ""


def _fault_in_number(number: int) -> str:
    if -(2**31) <= number < 2**31:
        return ""
    return "should be a whole number of 32 bits"


def _fault_in_blanks(number: int) -> str:
    if 0 <= number <= MOST_BLANKS:
        return ""
    return f"should be 0 to {MOST_BLANKS:,}, not {number:,}"


def _fault_in_sides(sides: tuple[Side, ...]) -> str:
    number = len(sides)
    if number > MOST_SIDES:
        return f"has {number:,} sides, {MOST_SIDES} are the most"
    return ""


Line = Annotated[str, _fault_in_line]
Note = Annotated[Line, _fault_in_note]
Number = Annotated[int, _fault_in_number]


@dataclass(frozen=True, slots=True)
class Header:
    """The header of the map's file, and how it was read and is to be saved.

    ``details`` is the save string that was chosen ("ms1u1"), "" for what the file had and what has
    changed since. ``sections`` are the letters of the sections that the file had. ``period_file``
    is the name of the included file that brought the period ("" for none), ``period_place`` where
    that was found (``BESIDE`` ...), "" for a map that no file had. ``script_file`` is the name of
    the file in which the period was saved since, or from which it was opened, "" for none.
    ``included`` are the digests of the sections, by letter, that came with included files or from
    the library: as long as a section has that digest it needs not be written. ``rest`` are the
    lines after the last section, which nobody reads.
    """

    description: Line = ""
    blanks: Annotated[int, _fault_in_blanks] = 1
    notes: tuple[Note, ...] = ()
    includes: tuple[Line, ...] = ()
    version: Line = ""
    sections: Line = ""
    details: Line = ""
    period_file: Line = ""
    period_place: Line = ""
    script_file: Line = ""
    rest: tuple[Line, ...] = ()
    included: Mapping[str, Line] = field(default_factory=lambda: NO_TEXTS)


@dataclass(frozen=True, slots=True)
class MapFacts:
    """The facts in the header of the map section beside the size.

    ``scale`` is the width of a cell in km, 0 for not said; ``seen``: the players know the map.
    """

    scale: Number = 100
    seen: Number = 1
    extension: Number = 0


class ConditionKind(IntEnum):
    """The subject that a condition counts, by its number in files."""

    TERRITORY = 0
    """``numbers``: one, the territory."""
    UNITS = 1
    """One for each unit type."""
    RESOURCES = 2
    """One for each resource type."""
    PLACE = 3
    """x, y and a unit type, -1 for any."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition that ends the game for a side, between two turns, both included.

    ``wins``: the side wins and all others lose; else the side loses and the others go on. ``side``
    is its number from 0, -1 for all sides. What ``numbers`` are depends on ``kind``.
    """

    wins: bool
    kind: ConditionKind
    start: Number
    end: Number
    side: Number
    numbers: tuple[Number, ...]


@dataclass(frozen=True, slots=True)
class Globals:
    """The facts of the whole game. ``time`` is the number of turns over, ``end_time`` the last.

    ``set_product``: what units construct can be changed; ``leave_map``: units can leave over the
    edges.
    """

    time: Number = 0
    end_time: Number = 1000
    set_product: Number = 1
    leave_map: Number = 0
    conditions: tuple[Condition, ...] = ()
    extension: Number = 0


@dataclass(frozen=True, slots=True)
class Side:
    """One side. Detail 1 has its name alone; what higher details add is empty without them.

    ``attitudes`` towards each side are -100 (enemy), 0 or 100 (ally); ``counters`` number the
    unnamed units of each type. ``view`` are the rows of what the side has seen as they stand in
    files, y = 0 first. ``player`` is the line of who plays it, ``statistics`` are the lines of
    gains and losses, attacks and hits, three for each unit type.
    """

    name: Line
    ideology: Number = 0
    attitudes: tuple[Number, ...] = ()
    counters: tuple[Number, ...] = ()
    view: tuple[Line, ...] = ()
    player: Line = ""
    statistics: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class Sides:
    """The sides of the game in their order; the owner of a unit is the side's index plus 1.

    ``detail`` is that of the file they came from: 1, 2, 3, 4 or 9.
    """

    sides: Annotated[tuple[Side, ...], _fault_in_sides] = ()
    detail: Number = 1
    extension: Number = 0


@dataclass(frozen=True, slots=True)
class UnitsFacts:
    """The facts of the units section beside the units.

    ``detail`` is that of the file they came from: 1, 2, 3 or 4. ``neutral`` is the side number that
    neutral units are written with.
    """

    detail: Number = 1
    extension: Number = 0
    neutral: Number = NEUTRAL


@dataclass(frozen=True, slots=True)
class TypedLine:
    """A line of a section that was typed otherwise than it is written.

    ``index`` counts the lines of the section that are not blank, from 0. ``digest`` is that of the
    line that would be written in its place. ``text`` is the line as it was typed, after the blank
    lines that stood before it.
    """

    index: int
    digest: str
    text: str


@dataclass(frozen=True, slots=True)
class TypedLines:
    """The lines of a file that were typed otherwise, by the letters of its sections.

    ``end`` is what stood after the last line, None if it is as it would be written.
    """

    sections: Mapping[str, tuple[TypedLine, ...]] = field(default_factory=lambda: NO_TYPED_LINES)
    end: str | None = None


NO_TYPED_LINES: Mapping[str, tuple[TypedLine, ...]] = MappingProxyType({})


def header_of(battlemap: BattleMap) -> Header:
    """Return the header of a map's file."""
    return _of(battlemap, HEADER, Header)


def map_facts_of(battlemap: BattleMap) -> MapFacts:
    """Scale and the like of a map."""
    return _of(battlemap, MAP, MapFacts)


def globals_of(battlemap: BattleMap) -> Globals:
    """Return the globals of a map."""
    return _of(battlemap, GLOBALS, Globals)


def sides_of(battlemap: BattleMap) -> Sides:
    """Return the sides of a map, none if nobody gave it any."""
    return _of(battlemap, SIDES, Sides)


def units_facts_of(battlemap: BattleMap) -> UnitsFacts:
    """Return what a map's units section has beside the units."""
    return _of(battlemap, UNITS, UnitsFacts)


def typed_lines_of(battlemap: BattleMap) -> TypedLines:
    """Return the lines of a map's file that were typed otherwise than they are written."""
    return _of(battlemap, TYPED, TypedLines)


def period_texts_of(battlemap: BattleMap) -> tuple[str, Mapping[str, str]] | None:
    """Return the text of a map's period and those of its included files by name; None: it has
    none.
    """
    record = battlemap.records.get(PERIOD)
    if record is None:
        return None
    return record.text, further_texts(PERIOD, battlemap.records)


Record = Header | MapFacts | Globals | Sides | UnitsFacts | TypedLines
"""The value of a record."""

Kind = TypeVar("Kind", Header, MapFacts, Globals, Sides, UnitsFacts, TypedLines)

_KINDS: dict[str, type[Record]] = {
    HEADER: Header,
    MAP: MapFacts,
    GLOBALS: Globals,
    SIDES: Sides,
    UNITS: UnitsFacts,
    TYPED: TypedLines,
}


def record_text(value: Record) -> str:
    """Return the text of a record: a line for each entry, so that edits change few of them."""
    return json.dumps(plain(value), ensure_ascii=False, indent=1)


def read_record(name: str, text: str) -> Any:
    """Return the value of the record ``name``; entries that are not there have their default.

    Raises ValueError for a text that is not such a record.
    """
    data = parse_json(text.encode(), largest=LARGEST_DATA)
    return read(_KINDS[name], data, "its value")


def as_record(value: Record) -> MapRecord:
    """Return a value as a record of a map, made by a program, not by hand."""
    return MapRecord(record_text(value), is_json=True)


def record_problems(battlemap: BattleMap) -> tuple[Problem, ...]:
    """Return an error for each record that cannot be read; the map is shown as if it were not
    there.
    """
    problems = []
    for name in _KINDS:
        record = battlemap.records.get(name)
        if record is not None:
            fault = _value_or_fault(name, record.text)[1]
            if fault:
                message = f"The record “{name}” cannot be read: {fault}"
                problems.append(Problem(Severity.ERROR, "record", message))
    return tuple(problems)


def _of(battlemap: BattleMap, name: str, kind: type[Kind]) -> Kind:
    record = battlemap.records.get(name)
    if record is None:
        value = None
    else:
        value = _value_or_fault(name, record.text)[0]
    if isinstance(value, kind):
        return value
    return kind()


@registered(bytes_a_unit=10)
@sized_cache(most=64, size=1 << 16)
def _value_or_fault(name: str, text: str) -> tuple[Record | None, str]:
    """Return the value of a record's text and "", or None and why it cannot be read."""
    try:
        return read_record(name, text), ""
    except ValueError as fault:
        return None, reason_of(fault)
