"""What a map of Xconq holds beside terrain and units: its records, as values, and as JSON.

A map's record ``header`` is a ``Header``, ``map`` a ``MapFacts``, ``globals`` a ``Globals``,
``sides`` a ``Sides``, ``units`` a ``UnitsFacts``. ``period`` is the text of the mapfile that has
the period, and ``period of NAME`` that of each file that this one includes, NAME as written there.
``X.from_record(text)`` raises ValueError for a text that is not such a record; ``globals_of(map)``
and the like give what a map without the record has.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from functools import lru_cache
from typing import Any, TypeVar, cast

from randomizer.model.battlemap import BattleMap
from randomizer.model.layer import NO_TEXTS
from randomizer.model.limits import LARGEST_DATA
from randomizer.model.map_records import MapRecord
from randomizer.model.problems import Problem, Severity

PERIOD = "period"
PERIOD_OF = "period of "
"""Followed by the name of an included file, as written."""
HEADER = "header"
MAP = "map"
GLOBALS = "globals"
SIDES = "sides"
UNITS = "units"

VERSION = "5.5.1a (7/19/92)"
"""The last version of Xconq 5: that of a map that does not say one."""

_NOT_IN_LINE = re.compile("[\0\n\r\ud800-\udfff]")
"""What no line of a file has: ends of lines, null characters and halves of UTF-16 pairs."""

MOST_SIDES = 31
"""Sides are 0 .. 30; the number 31 means neutral in the files of Xconq 5.5."""
MOST_CONDITIONS = 10
MOST_TURNS = 2**31 - 1

NEUTRAL = -1
"""The side of a neutral unit in a file, by the document."""


@dataclass(frozen=True, slots=True)
class Header:
    """The header of the map's file, and how it was read and is to be saved.

    ``details`` is the save string that was chosen ("ms1u1"), "" for what the file had and what has
    changed since. ``sections`` are the letters of the sections that the file had. ``period_file``
    is the name of the included file that brought the period ("" for none), found ``beside`` the
    file, in the ``library`` or not at all (``missing``), which is its ``period_place``.
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

    @classmethod
    def from_record(cls, text: str) -> Header:
        """The header of a record's text. Raises ValueError."""
        return _read(cls, text)

    def to_record(self) -> str:
        """The text of the record."""
        return _written(self)


@dataclass(frozen=True, slots=True)
class MapFacts:
    """What the header of the map section says beside the size.

    ``scale`` is the width of a cell in km, 0 for not said; ``seen``: the players know the map.
    """

    scale: int = 100
    seen: int = 1
    extension: int = 0

    @classmethod
    def from_record(cls, text: str) -> MapFacts:
        """The facts of a record's text. Raises ValueError."""
        return _read(cls, text)

    def to_record(self) -> str:
        """The text of the record."""
        return _written(self)


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
class Globals:
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

    @classmethod
    def from_record(cls, text: str) -> Globals:
        """The globals of a record's text. Raises ValueError."""
        return _read(cls, text)

    def to_record(self) -> str:
        """The text of the record."""
        return _written(self)


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
class Sides:
    """The sides of the game in their order; the owner of a unit is the side's index plus 1.

    ``detail`` is that of the file they came from: 1, 2, 3, 4 or 9.
    """

    sides: tuple[Side, ...] = ()
    detail: int = 1
    extension: int = 0

    @classmethod
    def from_record(cls, text: str) -> Sides:
        """The sides of a record's text. Raises ValueError."""
        return _read(cls, text)

    def to_record(self) -> str:
        """The text of the record."""
        return _written(self)


@dataclass(frozen=True, slots=True)
class UnitsFacts:
    """What the units section has beside the units.

    ``detail`` is that of the file they came from: 1, 2, 3 or 4. ``neutral`` is the side number that
    neutral units are written with.
    """

    detail: int = 1
    extension: int = 0
    neutral: int = NEUTRAL

    @classmethod
    def from_record(cls, text: str) -> UnitsFacts:
        """The facts of a record's text. Raises ValueError."""
        return _read(cls, text)

    def to_record(self) -> str:
        """The text of the record."""
        return _written(self)


# --- of a map -----------------------------------------------------------------------------------


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
    further = {
        name.removeprefix(PERIOD_OF): each.text
        for name, each in battlemap.records.items()
        if name.startswith(PERIOD_OF)
    }
    return record.text, further


def record_problems(battlemap: BattleMap) -> tuple[Problem, ...]:
    """An error for each record that cannot be read; the map is shown as if it were not there."""
    problems = []
    for name, kind in _KINDS.items():
        record = battlemap.records.get(name)
        if record is not None:
            fault = _found(kind, record.text)[1]
            if fault:
                message = f"The record “{name}” cannot be read: {fault}"
                problems.append(Problem(Severity.ERROR, "record", message))
    return tuple(problems)


def as_record(value: Header | MapFacts | Globals | Sides | UnitsFacts) -> MapRecord:
    """A value as a record of a map, made by a program, not by hand."""
    return MapRecord(value.to_record(), is_json=True)


# --- JSON ---------------------------------------------------------------------------------------

Kind = TypeVar("Kind")

_KINDS: dict[str, type] = {
    HEADER: Header,
    MAP: MapFacts,
    GLOBALS: Globals,
    SIDES: Sides,
    UNITS: UnitsFacts,
}


def _of(battlemap: BattleMap, name: str, kind: type[Kind]) -> Kind:
    record = battlemap.records.get(name)
    known: type = kind
    value = _found(known, "{}" if record is None else record.text)[0]
    return cast(Kind, known() if value is None else value)


@lru_cache(maxsize=64)
def _found(kind: type, text: str) -> tuple[Any, str]:
    """The value of a record's text and "", or None and why it cannot be read."""
    try:
        return _read(kind, text), ""
    except ValueError as fault:
        return None, str(fault)


def _written(value: Any) -> str:
    """A value as JSON, a line for each entry, so that edits of a record change few of them."""
    return json.dumps(_plain(value), ensure_ascii=False, indent=1)


def _plain(value: Any) -> Any:
    """A value as dicts and lists."""
    if dataclasses.is_dataclass(value):
        return {each.name: _plain(getattr(value, each.name)) for each in dataclasses.fields(value)}
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return dict(value) if isinstance(value, Mapping) else value


def _read(kind: type[Kind], text: str) -> Kind:
    try:
        return cast(Kind, _value(kind, json.loads(text)))
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _value(kind: type, found: object) -> Any:
    """A dataclass of this module from decoded JSON; fields that are not there have their default.

    Raises ValueError.
    """
    if not isinstance(found, dict):
        raise ValueError(f"here stands {kind.__name__.lower()}, not {found!r:.40}")
    readers = _READERS[kind]
    values = {}
    for name, value in found.items():
        if name not in readers:
            raise ValueError(f"there is no “{name:.40}”")
        try:
            values[name] = readers[name](value)
        except ValueError as fault:
            raise ValueError(f"{name}: {fault}") from None
    missing = [
        known.name
        for known in dataclasses.fields(kind)
        if known.name not in values
        and known.default is dataclasses.MISSING
        and known.default_factory is dataclasses.MISSING
    ]
    if missing:
        raise ValueError(f"“{missing[0]}” is missing")
    return kind(**values)


def _int(value: object) -> int:
    if type(value) is not int or not -(2**31) <= value < 2**31:
        raise ValueError(f"here stands a whole number of 32 bits, not {value!r:.40}")
    return value


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"here stands true or false, not {value!r:.40}")
    return value


def _line(value: object) -> str:
    if not isinstance(value, str) or _NOT_IN_LINE.search(value):
        raise ValueError(f"here stands one line of text, not {value!r:.40}")
    return value


def _note(value: object) -> str:
    if value == ".":
        raise ValueError("a line that is only “.” ends the notes")
    return _line(value)


def _blanks(value: object) -> int:
    if not 0 <= _int(value) <= LARGEST_DATA:
        raise ValueError(f"there cannot be {value} blanks")
    return _int(value)


def _kind(value: object) -> ConditionKind:
    try:
        return ConditionKind(_int(value))
    except ValueError:
        raise ValueError(f"there are no conditions of type {value!r:.40}") from None


def _texts(value: object) -> dict[str, str]:
    if not isinstance(value, dict):
        raise ValueError(f"here stand texts by name, not {value!r:.40}")
    return {str(name): _line(text) for name, text in value.items()}


def _several(
    of: Callable[[object], Any], most: int = LARGEST_DATA
) -> Callable[[object], tuple[Any, ...]]:
    """The reader of a list with at most so many entries."""

    def read(value: object) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise ValueError(f"here stands a list, not {value!r:.40}")
        if len(value) > most:
            raise ValueError(f"{len(value):,} entries, {most:,} are the most")
        return tuple(map(of, value))

    return read


_READERS: dict[type, dict[str, Callable[[object], Any]]] = {
    Header: {
        "description": _line,
        "blanks": _blanks,
        "notes": _several(_note),
        "includes": _several(_line),
        "version": _line,
        "sections": _line,
        "details": _line,
        "period_file": _line,
        "period_place": _line,
        "rest": _several(_line),
        "included": _texts,
    },
    MapFacts: {"scale": _int, "seen": _int, "extension": _int},
    Condition: {
        "wins": _flag,
        "kind": _kind,
        "start": _int,
        "end": _int,
        "side": _int,
        "numbers": _several(_int),
    },
    Globals: {
        "time": _int,
        "end_time": _int,
        "set_product": _int,
        "leave_map": _int,
        "conditions": _several(lambda value: _value(Condition, value)),
        "extension": _int,
    },
    Side: {
        "name": _line,
        "ideology": _int,
        "attitudes": _several(_int),
        "counters": _several(_int),
        "view": _several(_line),
        "player": _line,
        "statistics": _several(_line),
    },
    Sides: {
        "sides": _several(lambda value: _value(Side, value), MOST_SIDES),
        "detail": _int,
        "extension": _int,
    },
    UnitsFacts: {
        "detail": _int,
        "extension": _int,
        "neutral": _int,
    },
}
