"""The records of a map of Xconq, as values: what it holds beside terrain and units.

A *record* is a text that a map has under a name. Most of them are the JSON of a value; fields that
are missing have their default::

    header      Header         {"description": "Two islands", "notes": ["By Ann"], ...}
    map         MapFacts       {"scale": 50}
    globals     Globals        {"end_time": 200}
    sides       Sides          {"sides": [{"name": "Red"}, {"name": "Blue"}]}
    units       UnitsFacts     {"detail": 4}
    typed       TypedLines     lines of the map's file that a person has typed in another form

Two kinds of records are plain text: ``period`` is the mapfile that has the period (the rules of the
game), and ``period of NAME`` is a file that it includes, NAME as written there.

``header_of``, ``globals_of`` and the like read them from a map, ``as_record`` makes them. A map
without a record, or with one that cannot be read, has the default value; ``record_problems`` tells
which records cannot be read.
"""

from __future__ import annotations

import json
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
from randomizer.systems.xconq.record_fields import Blanks, Line, Note, Number

# The names of the records.
PERIOD = "period"
HEADER = "header"
MAP = "map"
GLOBALS = "globals"
SIDES = "sides"
UNITS = "units"
TYPED = "typed"

VERSION = "5.5.1a (7/19/92)"
"""The last version of Xconq 5, which is written for a map whose file named none."""

MAX_SIDES = 31
"""The most sides of a game, with the numbers 0 .. 30; 31 means neutral in files of Xconq 5.5."""

MAX_CONDITIONS = 10
"""The most conditions of a game, as in Xconq 5.5."""

NEUTRAL = -1
"""The side of a neutral unit in a file, by the document."""


def _fault_in_sides(sides: tuple[Side, ...]) -> str:
    """Return what keeps a map from having these sides."""
    number = len(sides)
    if number > MAX_SIDES:
        return f"has {number:,} sides, {MAX_SIDES} are the most"
    return ""


class PeriodPlace(StrEnum):
    """The place where a mapfile's period was found, or one of the files that it includes."""

    ITSELF = ""
    """In the mapfile itself; also that of the period of a map that no file had."""

    BESIDE = "beside"
    """In a file beside the mapfile."""

    LIBRARY = "library"
    """In a file of Xconq's library."""

    GIVEN = "given"
    """The user gave it when the mapfile was opened, as it was found nowhere.

    It is written beside the mapfile when the map is saved.
    """

    MISSING = "missing"
    """Nowhere: its types are made up (``placeholder_types``)."""

    PART = "part"
    """In a file that has other sections as well, or in several files.

    These are included again when the map is saved; the period alone never takes their place.
    """

    STANDARD = "standard"
    """The mapfile names no period: it has the one of such files."""


@dataclass(frozen=True, slots=True)
class Header:
    """The header of the map's file, and how the file was read and is to be saved."""

    description: Line = ""
    """The description in the first line."""

    blanks: Blanks = 1
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
    """The last number of the section's first line, which has no meaning yet."""


class ConditionKind(IntEnum):
    """The subject of a condition, by its number in files. It decides ``Condition.numbers``."""

    TERRITORY = 0
    """One number: the territory that a side holds."""

    UNITS = 1
    """A number for each unit type: the units that a side has."""

    RESOURCES = 2
    """A number for each resource type: the supplies that a side has."""

    PLACE = 3
    """Three numbers: x, y and a unit type, -1 for any. A side has such a unit on that hex."""


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
    """The numbers that a side must reach; ``ConditionKind`` says which these are."""


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
    """The conditions of victory and defeat, at most ``MAX_CONDITIONS``."""

    extension: Number = 0
    """A number that the document gives no meaning; Xconq 5.5 has its clock there."""


@dataclass(frozen=True, slots=True)
class Side:
    """One side. Detail 1 has its name alone; what higher details add is empty without them."""

    name: Line

    ideology: Number = 0

    attitudes: tuple[Number, ...] = ()
    """Its attitude towards each side, in the order of sides: -100 (enemy), 0 or 100 (ally)."""

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
    """A line of a file that a person has typed in another form than this program writes."""

    index: int
    """Its index among the lines of the section that are not blank."""

    digest: str
    """The digest of the line that would be written in its place."""

    text: str
    """The line as it was typed, after the blank lines that stood before it."""


@dataclass(frozen=True, slots=True)
class TypedLines:
    """The lines of a file that a person has typed in another form; they are saved as typed."""

    sections: Mapping[str, tuple[TypedLine, ...]] = field(default_factory=lambda: NO_TYPED_LINES)
    """The lines by the letters of their sections."""

    end: str | None = None
    """The text after the last line that is not blank; None if it is as it would be written."""


NO_TYPED_LINES: Mapping[str, tuple[TypedLine, ...]] = MappingProxyType({})
"""The ``sections`` of a file without such lines."""


def header_of(battlemap: BattleMap) -> Header:
    """Return the header of a map's file."""
    return _value_of(battlemap, HEADER, Header)


def map_facts_of(battlemap: BattleMap) -> MapFacts:
    """Return the facts of a map that its map section has beside its size."""
    return _value_of(battlemap, MAP, MapFacts)


def globals_of(battlemap: BattleMap) -> Globals:
    """Return the globals of a map."""
    return _value_of(battlemap, GLOBALS, Globals)


def sides_of(battlemap: BattleMap) -> Sides:
    """Return the sides of a map; a map without the record has none."""
    return _value_of(battlemap, SIDES, Sides)


def units_facts_of(battlemap: BattleMap) -> UnitsFacts:
    """Return the facts of a map that its units section has beside the units."""
    return _value_of(battlemap, UNITS, UnitsFacts)


def typed_lines_of(battlemap: BattleMap) -> TypedLines:
    """Return the lines of a map's file that are saved as they were typed."""
    return _value_of(battlemap, TYPED, TypedLines)


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

_Value = TypeVar("_Value", Header, MapFacts, Globals, Sides, UnitsFacts, TypedLines)

_CLASS_OF_NAME: dict[str, type[Record]] = {
    HEADER: Header,
    MAP: MapFacts,
    GLOBALS: Globals,
    SIDES: Sides,
    UNITS: UnitsFacts,
    TYPED: TypedLines,
}


def record_text(value: Record) -> str:
    """Return the text of a record, with a line for each entry: an edit changes few lines."""
    return json.dumps(plain(value), ensure_ascii=False, indent=1)


def read_record(name: str, text: str) -> Any:
    """Return the value of the record ``name``, of its class (see the top of this module).

    Raises ValueError for a text that is not such a record.
    """
    data = parse_json(text.encode(), largest=LARGEST_DATA)
    return read(_CLASS_OF_NAME[name], data, "its value")


def as_record(value: Record) -> MapRecord:
    """Return a value as a record of a map, which does not count as edited by hand."""
    return MapRecord(record_text(value), is_json=True)


def record_problems(battlemap: BattleMap) -> tuple[Problem, ...]:
    """Return an error for each record that cannot be read; the map is shown without it."""
    problems = []
    for name in _CLASS_OF_NAME:
        record = battlemap.records.get(name)
        if record is None:
            continue
        _value, fault = _value_or_fault(name, record.text)
        if fault:
            message = f"The record “{name}” cannot be read: {fault}"
            problems.append(Problem(Severity.ERROR, "record", message))
    return tuple(problems)


def _value_of(battlemap: BattleMap, name: str, value_class: type[_Value]) -> _Value:
    """Return the value of a record; the default one if the map lacks it, or it cannot be read."""
    record = battlemap.records.get(name)
    if record is None:
        return value_class()
    value, _fault = _value_or_fault(name, record.text)
    if isinstance(value, value_class):
        return value
    return value_class()


@registered(bytes_a_unit=10)
@sized_cache(max_entries=64, max_size=1 << 16)
def _value_or_fault(name: str, text: str) -> tuple[Record | None, str]:
    """Return the value of a record's text and "", or None and why it cannot be read."""
    try:
        return read_record(name, text), ""
    except ValueError as fault:
        return None, reason_of(fault)
