"""The records of a map of Xconq, as values: what it holds beside terrain and units.

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
from enum import IntEnum, StrEnum
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

MOST_SIDES = 31
"""Sides are 0 .. 30; the number 31 means neutral in the files of Xconq 5.5."""

MOST_BLANKS = 2**22
"""The most blanks before the description: no file is larger."""

MOST_CONDITIONS = 10
"""The most conditions of a game, as in Xconq 5.5."""

NEUTRAL = -1
"""The side of a neutral unit in a file, by the document."""

_NOT_IN_LINE = re.compile("[\\0\\n\\r\\ud800-\\udfff]")
"""What no line of a file has: ends of lines, null characters and halves of UTF-16 pairs."""


# What is wrong with a value of a record, as the end of a sentence; "" for nothing.


def _fault_in_line(text: str) -> str:
    """Return what keeps a text from standing in one line of a file."""
    if _NOT_IN_LINE.search(text):
        return "should be one line of text"
    return ""


def _fault_in_note(text: str) -> str:
    """Return what keeps a line from standing among the notes."""
    if text == ".":
        return "cannot have a line that is only “.”, which ends them"
    return ""


def _fault_in_number(number: int) -> str:
    """Return what keeps a number from being one of a file."""
    if -(2**31) <= number < 2**31:
        return ""
    return "should be a whole number of 32 bits"


def _fault_in_blanks(number: int) -> str:
    """Return what keeps so many blanks from standing before the description."""
    if 0 <= number <= MOST_BLANKS:
        return ""
    return f"should be 0 to {MOST_BLANKS:,}, not {number:,}"


def _fault_in_sides(sides: tuple[Side, ...]) -> str:
    """Return what keeps a map from having these sides."""
    number = len(sides)
    if number > MOST_SIDES:
        return f"has {number:,} sides, {MOST_SIDES} are the most"
    return ""


Line = Annotated[str, _fault_in_line]
"""A text that can stand in one line of a file; checked where a record is read."""

Note = Annotated[Line, _fault_in_note]
"""A line of notes."""

Number = Annotated[int, _fault_in_number]
"""A number of a file, of 32 bits."""


class PeriodPlace(StrEnum):
    """The place where a mapfile's period was found, or one of the files that it includes."""

    ITSELF = ""
    """In the mapfile itself; also that of the period of a map that no file had."""

    BESIDE = "beside"
    """In a file beside the mapfile."""

    LIBRARY = "library"
    """In a file of Xconq's library."""

    GIVEN = "given"
    """The caller gave it, who had asked the user for it."""

    MISSING = "missing"
    """Nowhere: its types are made up (``placeholder_types``)."""

    PART = "part"
    """In a file that has other sections as well, or in several files."""

    STANDARD = "standard"
    """The mapfile names no period: it has the one of such files."""


@dataclass(frozen=True, slots=True)
class Header:
    """The header of the map's file, and how the file was read and is to be saved."""

    description: Line = ""
    """The description in the first line."""

    blanks: Annotated[int, _fault_in_blanks] = 1
    """The number of blanks before the description."""

    notes: tuple[Note, ...] = ()
    """The lines of notes."""

    includes: tuple[Line, ...] = ()
    """The names of the included files."""

    version: Line = ""
    """The version that the file said, "" for none."""

    sections: Line = ""
    """The letters of the sections that the file had."""

    details: Line = ""
    """The save string that was chosen ("ms1u1"), "" for what the file had and what has changed."""

    period_file: Line = ""
    """The name of the included file that brought the period, "" for none."""

    period_place: PeriodPlace = PeriodPlace.ITSELF
    """Where the period was found."""

    script_file: Line = ""
    """The name of the file in which the period was saved since, or from which it was opened.

    "" for none.
    """

    rest: tuple[Line, ...] = ()
    """The lines after the last section, which nobody reads."""

    included: Mapping[str, Line] = field(default_factory=lambda: NO_TEXTS)
    """The digests of the sections, by letter, that came with included files or from the library.

    As long as a section has that digest it need not be written.
    """


@dataclass(frozen=True, slots=True)
class MapFacts:
    """The facts in the header of the map section beside the size."""

    scale: Number = 100
    """The width of a cell in km, 0 if it is not said."""

    seen: Number = 1
    """1 if the players know the map from the beginning."""

    extension: Number = 0
    """A number without a meaning yet."""


class ConditionKind(IntEnum):
    """The subject that a condition counts, by its number in files."""

    TERRITORY = 0
    """``Condition.numbers`` has one number, the territory."""

    UNITS = 1
    """It has a number for each unit type."""

    RESOURCES = 2
    """It has a number for each resource type."""

    PLACE = 3
    """It has x, y and a unit type, -1 for any."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition that ends the game for a side."""

    wins: bool
    """True if the side wins and all others lose; else the side loses and the others go on."""

    kind: ConditionKind

    start: Number
    """The first turn in which it counts."""

    end: Number
    """The last turn in which it counts."""

    side: Number
    """The number of the side from 0, -1 for all sides."""

    numbers: tuple[Number, ...]
    """What is counted: see ``ConditionKind``."""


@dataclass(frozen=True, slots=True)
class Globals:
    """The facts of the whole game."""

    time: Number = 0
    """The number of turns that are over."""

    end_time: Number = 1000
    """The last turn."""

    set_product: Number = 1
    """1 if the products of units can be changed."""

    leave_map: Number = 0
    """1 if units can leave the map over the edges."""

    conditions: tuple[Condition, ...] = ()

    extension: Number = 0
    """A number that the document gives no meaning; Xconq 5.5 has its clock there."""


@dataclass(frozen=True, slots=True)
class Side:
    """One side. Detail 1 has its name alone; what higher details add is empty without them."""

    name: Line

    ideology: Number = 0

    attitudes: tuple[Number, ...] = ()
    """Its attitudes towards all sides in their order: -100 (enemy), 0 or 100 (ally)."""

    counters: tuple[Number, ...] = ()
    """The number that the next unnamed unit of each type gets."""

    view: tuple[Line, ...] = ()
    """The rows of what it has seen of the map as they stand in files, y = 0 first."""

    player: Line = ""
    """The line of its player: human, host, lost, time."""

    statistics: tuple[Line, ...] = ()
    """The lines of gains and losses, attacks and hits: three for each unit type."""


@dataclass(frozen=True, slots=True)
class Sides:
    """The sides of the game."""

    sides: Annotated[tuple[Side, ...], _fault_in_sides] = ()
    """The sides in their order; the owner of a unit is the side's index plus 1."""

    detail: Number = 1
    """The detail of the file they came from: 1, 2, 3, 4 or 9."""

    extension: Number = 0
    """A number without a meaning yet."""


@dataclass(frozen=True, slots=True)
class UnitsFacts:
    """The facts of the units section beside the units."""

    detail: Number = 1
    """The detail of the file they came from: 1, 2, 3 or 4."""

    extension: Number = 0
    """A number without a meaning yet."""

    neutral: Number = NEUTRAL
    """The side number that neutral units are written with."""


@dataclass(frozen=True, slots=True)
class TypedLine:
    """A line of a section that was typed otherwise than it is written."""

    index: int
    """Its index among the lines of the section that are not blank."""

    digest: str
    """The digest of the line that would be written in its place."""

    text: str
    """The line as it was typed, after the blank lines that stood before it."""


@dataclass(frozen=True, slots=True)
class TypedLines:
    """The lines of a file that were typed otherwise than they are written."""

    sections: Mapping[str, tuple[TypedLine, ...]] = field(default_factory=lambda: NO_TYPED_LINES)
    """The lines by the letters of their sections."""

    end: str | None = None
    """What stood after the last line, None if it is as it would be written."""


NO_TYPED_LINES: Mapping[str, tuple[TypedLine, ...]] = MappingProxyType({})


def header_of(battlemap: BattleMap) -> Header:
    """Return the header of a map's file."""
    return _of(battlemap, HEADER, Header)


def map_facts_of(battlemap: BattleMap) -> MapFacts:
    """Return the scale of a map, and what else the header of its section has."""
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
    """Return the text of a map's period and those of its included files by name.

    None if the map has no period of its own.
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
    """Return an error for each record that cannot be read; the map is shown without it."""
    problems = []
    for name in _KINDS:
        record = battlemap.records.get(name)
        if record is None:
            continue
        _value, fault = _value_or_fault(name, record.text)
        if fault:
            message = f"The record “{name}” cannot be read: {fault}"
            problems.append(Problem(Severity.ERROR, "record", message))
    return tuple(problems)


def _of(battlemap: BattleMap, name: str, kind: type[Kind]) -> Kind:
    """Return the value of a record; the default one if the map lacks it, or it cannot be read."""
    record = battlemap.records.get(name)
    if record is None:
        return kind()
    value, _fault = _value_or_fault(name, record.text)
    if isinstance(value, kind):
        return value
    return kind()


@registered(bytes_a_unit=10)
@sized_cache(max_entries=64, max_size=1 << 16)
def _value_or_fault(name: str, text: str) -> tuple[Record | None, str]:
    """Return the value of a record's text and "", or None and why it cannot be read."""
    try:
        return read_record(name, text), ""
    except ValueError as fault:
        return None, reason_of(fault)
