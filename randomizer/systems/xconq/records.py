"""What a map of Xconq holds beside terrain and units: its records, as values.

A map's record ``header`` is a ``Header``, ``map`` a ``MapFacts``, ``globals`` a ``Globals``,
``sides`` a ``Sides``, ``units`` a ``UnitsFacts``. ``period`` is the text of the mapfile that has
the period, and ``period of NAME`` that of each file that this one includes, NAME as written there.
``X.from_record(text)`` raises ValueError for a text that is not such a record; ``globals_of(map)``
and the like give what a map without the record has.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from functools import lru_cache
from typing import TypeVar

from randomizer.model.battlemap import BattleMap
from randomizer.model.layer import NO_TEXTS
from randomizer.model.map_records import MapRecord, further_texts
from randomizer.model.problems import Problem, Severity
from randomizer.systems.xconq.record_json import Record

PERIOD = "period"
HEADER = "header"
MAP = "map"
GLOBALS = "globals"
SIDES = "sides"
UNITS = "units"

VERSION = "5.5.1a (7/19/92)"
"""The last version of Xconq 5: that of a map that does not say one."""

BESIDE, LIBRARY, GIVEN, MISSING, PART, STANDARD = (
    "beside",
    "library",
    "given",
    "missing",
    "part",
    "standard",
)
"""Where the period of a file was found (``Header.period_place``): beside the file, in the library,
given by the caller, nowhere; as a part of a file or of several; that of files that name none."""

MOST_SIDES = 31
"""Sides are 0 .. 30; the number 31 means neutral in the files of Xconq 5.5."""
MOST_BLANKS = 2**22
"""Before the description: no file is larger."""
MOST_CONDITIONS = 10

NEUTRAL = -1
"""The side of a neutral unit in a file, by the document."""


@dataclass(frozen=True, slots=True)
class Header(Record):
    """The header of the map's file, and how it was read and is to be saved.

    ``details`` is the save string that was chosen ("ms1u1"), "" for what the file had and what has
    changed since. ``sections`` are the letters of the sections that the file had. ``period_file``
    is the name of the included file that brought the period ("" for none), ``period_place`` where
    that was found (``BESIDE`` ...), "" for a map that no file had.
    ``included`` are the digests of the sections, by letter, that came with included files or from
    the library: as long as a section has that digest it needs not be written. ``rest`` are the
    lines after the last section, which nobody reads.
    """

    description: str = ""
    blanks: int = 1
    notes: tuple[str, ...] = ()
    includes: tuple[str, ...] = ()
    version: str = ""
    sections: str = ""
    details: str = ""
    period_file: str = ""
    period_place: str = ""
    rest: tuple[str, ...] = ()
    included: Mapping[str, str] = field(default_factory=lambda: NO_TEXTS)

    def fault(self) -> str:
        """Why no file can have this header, "" if one can."""
        if not 0 <= self.blanks <= MOST_BLANKS:
            return f"blanks: 0 to {MOST_BLANKS:,} are possible, not {self.blanks:,}"
        return "notes: a line that is only “.” ends them" if "." in self.notes else ""


@dataclass(frozen=True, slots=True)
class MapFacts(Record):
    """What the header of the map section says beside the size.

    ``scale`` is the width of a cell in km, 0 for not said; ``seen``: the players know the map.
    """

    scale: int = 100
    seen: int = 1
    extension: int = 0


class ConditionKind(IntEnum):
    """What a condition counts, by its number in files."""

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
    start: int
    end: int
    side: int
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Globals(Record):
    """What concerns the whole game. ``time`` are the turns that are over, ``end_time`` the last.

    ``set_product``: what units construct can be changed; ``leave_map``: units can leave over the
    edges.
    """

    time: int = 0
    end_time: int = 1000
    set_product: int = 1
    leave_map: int = 0
    conditions: tuple[Condition, ...] = ()
    extension: int = 0


@dataclass(frozen=True, slots=True)
class Side:
    """One side. Detail 1 has its name alone; what higher details add is empty without them.

    ``attitudes`` towards each side are -100 (enemy), 0 or 100 (ally); ``counters`` number the
    unnamed units of each type. ``view`` are the rows of what the side has seen as they stand in
    files, y = 0 first. ``player`` is the line of who plays it, ``statistics`` are the lines of
    gains and losses, attacks and hits, three for each unit type.
    """

    name: str
    ideology: int = 0
    attitudes: tuple[int, ...] = ()
    counters: tuple[int, ...] = ()
    view: tuple[str, ...] = ()
    player: str = ""
    statistics: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sides(Record):
    """The sides of the game in their order; the owner of a unit is the side's index plus 1.

    ``detail`` is that of the file they came from: 1, 2, 3, 4 or 9.
    """

    sides: tuple[Side, ...] = ()
    detail: int = 1
    extension: int = 0

    def fault(self) -> str:
        """Why no game can have these sides, "" if one can."""
        number = len(self.sides)
        return f"sides: {MOST_SIDES} are the most, not {number:,}" if number > MOST_SIDES else ""


@dataclass(frozen=True, slots=True)
class UnitsFacts(Record):
    """What the units section has beside the units.

    ``detail`` is that of the file they came from: 1, 2, 3 or 4. ``neutral`` is the side number that
    neutral units are written with.
    """

    detail: int = 1
    extension: int = 0
    neutral: int = NEUTRAL


def header_of(battlemap: BattleMap) -> Header:
    """The header of a map's file."""
    return _of(battlemap, HEADER, Header)


def map_facts_of(battlemap: BattleMap) -> MapFacts:
    """Scale and the like of a map."""
    return _of(battlemap, MAP, MapFacts)


def globals_of(battlemap: BattleMap) -> Globals:
    """The globals of a map."""
    return _of(battlemap, GLOBALS, Globals)


def sides_of(battlemap: BattleMap) -> Sides:
    """The sides of a map, none if nobody gave it any."""
    return _of(battlemap, SIDES, Sides)


def units_facts_of(battlemap: BattleMap) -> UnitsFacts:
    """What a map's units section has beside the units."""
    return _of(battlemap, UNITS, UnitsFacts)


def period_texts_of(battlemap: BattleMap) -> tuple[str, Mapping[str, str]] | None:
    """The text of a map's period and those of its included files by name; None: it has none."""
    record = battlemap.records.get(PERIOD)
    if record is None:
        return None
    return record.text, further_texts(PERIOD, battlemap.records)


def record_problems(battlemap: BattleMap) -> tuple[Problem, ...]:
    """An error for each record that cannot be read; the map is shown as if it were not there."""
    problems = []
    for name in _KINDS:
        record = battlemap.records.get(name)
        if record is not None:
            fault = _found(name, record.text)[1]
            if fault:
                message = f"The record “{name}” cannot be read: {fault}"
                problems.append(Problem(Severity.ERROR, "record", message))
    return tuple(problems)


def as_record(value: Record) -> MapRecord:
    """A value as a record of a map, made by a program, not by hand."""
    return MapRecord(value.to_record(), is_json=True)


Kind = TypeVar("Kind", bound=Record)

_KINDS: dict[str, type[Record]] = {
    HEADER: Header,
    MAP: MapFacts,
    GLOBALS: Globals,
    SIDES: Sides,
    UNITS: UnitsFacts,
}


def _of(battlemap: BattleMap, name: str, kind: type[Kind]) -> Kind:
    record = battlemap.records.get(name)
    value = None if record is None else _found(name, record.text)[0]
    return value if isinstance(value, kind) else kind()


@lru_cache(maxsize=64)
def _found(name: str, text: str) -> tuple[Record | None, str]:
    """The value of a record's text and "", or None and why it cannot be read."""
    try:
        return _KINDS[name].from_record(text), ""
    except ValueError as fault:
        return None, str(fault)
