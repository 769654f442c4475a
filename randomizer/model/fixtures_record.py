"""The record in which a map keeps its fixtures: walls, doors and lights of a virtual table.

    battlemap.records[RECORD] = record_of(fixtures).record
    fixtures_of(battlemap.records)                    # the same fixtures

It is JSON, and has all fields that differ from their defaults::

    {"walls": [{"line": [0, 0, 2, 0], "door": "door"}], "lights": [{"x": 1, "y": 1, "dim": 5}]}

A file of a stranger can hold any record of this name: entries that are no walls or lights are left
out, and fields of the wrong type count as absent.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from enum import Enum
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.basics.caches import KB, registered
from randomizer.model.basics.limits import LARGEST_DATA
from randomizer.model.fixtures import (
    NO_FIXTURES,
    BlockedWay,
    Blocking,
    Door,
    DoorState,
    Fixtures,
    Light,
    Wall,
)
from randomizer.model.records.map_records import MapRecord
from randomizer.model.settings.setting import COLOUR

RECORD = "fixtures"
"""The record: a JSON object of lists ``walls`` and ``lights``, and of numbers, ``others``."""

FARTHEST = 1e7
"""The largest coordinate, in map units, and the largest range, in cells."""

DIGITS = 4
"""The decimal places of numbers in the record: a hundredth of a pixel at 100 pixels a cell."""

# --- writing --------------------------------------------------------------------------------------


class WrittenFixtures(NamedTuple):
    """The record of some fixtures."""

    record: MapRecord | None
    """None if there are no fixtures."""

    left_out: int
    """The number of fixtures that the record has no room for."""


def record_of(fixtures: Fixtures) -> WrittenFixtures:
    """Return the record of fixtures; walls come before lights if not all find room in it."""
    entries: dict[str, list[dict[str, Any]]] = {
        "walls": [_wall_entry(wall) for wall in fixtures.walls],
        "lights": [_light_entry(light) for light in fixtures.lights],
    }
    left_out = 0
    # The bytes of all but the entries, estimated generously.
    size = 200 + 100 * len(fixtures.others)
    for entries_of_kind in entries.values():
        for index, entry in enumerate(entries_of_kind):
            size += len(json.dumps(entry)) + 2  # with a comma and a blank
            if size > LARGEST_DATA:
                left_out += len(entries_of_kind) - index
                del entries_of_kind[index:]
                break
    record: dict[str, Any] = {name: items for name, items in entries.items() if items}
    if fixtures.others:
        record["others"] = dict(fixtures.others)
    if not record:
        return WrittenFixtures(None, left_out)
    return WrittenFixtures(MapRecord(json.dumps(record), is_json=True, touched=True), left_out)


def _wall_entry(wall: Wall) -> dict[str, Any]:
    """Return a wall as an object of JSON."""
    return _without_defaults(
        {
            "line": [_rounded(number) for number in wall.line],
            "move": wall.move,
            "sight": wall.sight,
            "light": wall.light,
            "sound": wall.sound,
            "way": wall.way,
            "door": wall.door,
            "state": wall.state,
            "freestanding": wall.freestanding,
        },
        Wall._field_defaults,
    )


def _light_entry(light: Light) -> dict[str, Any]:
    """Return a light as an object of JSON."""
    return _without_defaults(
        {
            "x": _rounded(light.x),
            "y": _rounded(light.y),
            "dim": _rounded(light.dim),
            "bright": _rounded(light.bright),
            "colour": light.colour,
            "intensity": _rounded(light.intensity),
            "angle": _rounded(light.angle),
            "turn": _rounded(light.turn),
            "shadows": light.shadows,
            "hidden": light.hidden,
        },
        Light._field_defaults,
    )


def _without_defaults(entry: dict[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """Return an object of JSON without fields that have their defaults."""
    return {name: value for name, value in entry.items() if defaults.get(name) != value}


def _rounded(number: float) -> float:
    """Return a number as the record has it, a whole one without decimal places."""
    rounded_number = round(number, DIGITS)
    if float(rounded_number).is_integer():
        return int(rounded_number)
    return rounded_number


# --- reading --------------------------------------------------------------------------------------


def fixtures_of(records: Mapping[str, MapRecord]) -> Fixtures:
    """Return the fixtures of a map; entries of the record that cannot be any are left out."""
    record = records.get(RECORD)
    if record is None or not record.is_json:
        return NO_FIXTURES
    return _read_text(record.text)


@registered(count=2, bytes_each=200 * KB)
@lru_cache(2)
def _read_text(text: str) -> Fixtures:
    """Return the fixtures of the text of a record."""
    record = parse_json(text.encode(), largest=LARGEST_DATA)
    if not isinstance(record, dict):
        return NO_FIXTURES
    walls = [_read_wall(entry) for entry in _dicts_in(record.get("walls"))]
    lights = [_read_light(entry) for entry in _dicts_in(record.get("lights"))]
    return Fixtures(
        tuple(wall for wall in walls if wall is not None),
        tuple(light for light in lights if light is not None),
        tuple(_others(record.get("others"))),
    )


def _others(value: object) -> Iterator[tuple[str, int]]:
    """Yield the entries of ``Fixtures.others`` that a value of JSON holds."""
    if not isinstance(value, dict):
        return
    for noun, count in value.items():
        if type(count) is int and 0 < count < FARTHEST and noun.isprintable():
            yield noun, count


def _dicts_in(value: object) -> list[dict[str, Any]]:
    """Return the objects of a list of JSON; none if it is no list."""
    if not isinstance(value, list):
        return []
    return [entry for entry in value if isinstance(entry, dict)]


def _read_wall(entry: Mapping[str, Any]) -> Wall | None:
    """Return the wall of an object of JSON; None if it is none."""
    line = entry.get("line")
    if not isinstance(line, list) or not all(map(is_coordinate, line)):
        return None
    if len(line) < 4 or len(line) % 2:
        return None
    try:
        return Wall(
            tuple(map(float, line)),
            move=_flag(entry, "move", default=True),
            sight=_member(entry, "sight", Blocking.NORMAL),
            light=_member(entry, "light", Blocking.NORMAL),
            sound=_member(entry, "sound", Blocking.NORMAL),
            way=_member(entry, "way", BlockedWay.BOTH),
            door=_member(entry, "door", Door.NO_DOOR),
            state=_member(entry, "state", DoorState.CLOSED),
            freestanding=_flag(entry, "freestanding", default=False),
        )
    except ValueError:  # a word, or the number of a way, that no wall has
        return None


def _read_light(entry: Mapping[str, Any]) -> Light | None:
    """Return the light of an object of JSON; None if it is none."""
    colour = entry.get("colour")
    if not isinstance(colour, str):
        colour = ""
    light = Light(
        _number(entry, "x", default=math.nan),
        _number(entry, "y", default=math.nan),
        dim=_number(entry, "dim", default=0.0),
        bright=_number(entry, "bright", default=0.0),
        colour=colour,
        intensity=_number(entry, "intensity", default=1.0),
        angle=_number(entry, "angle", default=360.0),
        turn=_number(entry, "turn", default=0.0),
        shadows=_flag(entry, "shadows", default=True),
        hidden=_flag(entry, "hidden", default=False),
    )
    if math.isnan(light.x) or math.isnan(light.y) or light.dim < 0 or light.bright < 0:
        return None
    if light.colour and not re.fullmatch(COLOUR, light.colour):
        return None
    return light


def _number(entry: Mapping[str, Any], name: str, *, default: float) -> float:
    """Return the number of a field of an object of JSON; the default for anything else."""
    value = entry.get(name, default)
    if is_coordinate(value):
        return float(value)  # JSON can have it as a whole number
    return default


def _flag(entry: Mapping[str, Any], name: str, *, default: bool) -> bool:
    """Return the boolean of a field of an object of JSON; the default for anything else."""
    value = entry.get(name)
    if isinstance(value, bool):
        return value
    return default


Member = TypeVar("Member", bound=Enum)


def _member(entry: Mapping[str, Any], name: str, default: Member) -> Member:
    """Return the member of an enum of whose value a field of an object of JSON is.

    The default for a value of another type. Raises ValueError for one that no member has.
    """
    value = entry.get(name)
    if type(value) is type(default.value):
        return type(default)(value)
    return default


def is_coordinate(value: object) -> bool:
    """Return whether a value of JSON is a number that a coordinate can be."""
    return type(value) in (int, float) and abs(value) <= FARTHEST  # type: ignore[arg-type]
