"""Fixtures: the walls, doors and lights that a virtual table has on a map, as a record.

    wall = Wall((0.0, 0.0, 2.0, 0.0), door="door")
    battlemap.records[RECORD] = record_of(Fixtures((wall,), (Light(1.0, 1.0, dim=5.0),)))
    fixtures_of(battlemap.records)                    # the same

They come from scenes of Foundry and from Universal VTT, and go into both. Positions are in map
units, like those of things; the ranges of lights are in cells.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.basics.caches import KB, registered
from randomizer.model.basics.limits import LARGEST_DATA
from randomizer.model.records.map_records import MapRecord
from randomizer.model.settings.setting import COLOUR

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from randomizer.model.edits.edit import Edit
    from randomizer.model.map.battlemap import BattleMap

RECORD = "fixtures"
"""The record: a JSON object of lists ``walls`` and ``lights``, and of numbers, ``others``."""

FARTHEST = 1e7
"""The largest coordinate, in map units, and the largest range, in cells."""

DIGITS = 4
"""Decimal places of coordinates in the record: a hundredth of a pixel at 100 pixels a cell."""

SENSES = ("none", "limited", "normal", "proximity", "distance")
"""How much of sight, light or sound a wall blocks.

``limited``: what lies behind a second such wall. ``proximity``: what is far from the wall;
``distance``: what is near it.
"""

DOORS = ("", "door", "secret")
STATES = ("closed", "open", "locked")


class Wall(NamedTuple):
    """A wall or, with one of ``DOORS``, a door: a polyline.

    ``line`` is x, y of each corner, at least two. ``way`` 1 and 2: it blocks only what comes from
    its left or right, seen along the line. A ``freestanding`` door stands in no wall.
    """

    line: tuple[float, ...]
    move: bool = True
    sight: str = "normal"
    light: str = "normal"
    sound: str = "normal"
    way: int = 0
    door: str = ""
    state: str = "closed"
    freestanding: bool = False

    @property
    def points(self) -> list[tuple[float, float]]:
        """The corners."""
        return list(zip(self.line[::2], self.line[1::2], strict=True))


class Light(NamedTuple):
    """A light: bright, then dim, as far as these ranges say.

    ``colour`` is "#rrggbb", "" for white. ``intensity`` 1 is the usual one. It shines into a sector
    of ``angle`` degrees, whose middle points down, turned clockwise by ``turn`` degrees. Walls
    throw ``shadows``. A ``hidden`` one is switched off.
    """

    x: float
    y: float
    dim: float = 0.0
    bright: float = 0.0
    colour: str = ""
    intensity: float = 1.0
    angle: float = 360.0
    turn: float = 0.0
    shadows: bool = True
    hidden: bool = False


class Fixtures(NamedTuple):
    """All fixtures of a map.

    ``others`` are the numbers of what else the file of the table holds, by nouns ("tile": 3): such
    things stay in that file and have no place on a map.
    """

    walls: tuple[Wall, ...] = ()
    lights: tuple[Light, ...] = ()
    others: tuple[tuple[str, int], ...] = ()

    def numbers(self) -> Counter[str]:
        """Return the numbers of walls (those of a polyline singly), doors, lights and others."""
        count = Counter(dict(self.others))
        for wall in self.walls:
            count["door" if wall.door else "wall"] += len(wall.line) // 2 - 1
        count["light"] += len(self.lights)
        return +count


NO_FIXTURES = Fixtures()


# --- the record -----------------------------------------------------------------------------------


def record_of(fixtures: Fixtures) -> tuple[MapRecord | None, int]:
    """Return the record of fixtures, and how many of them it has no room for.

    None where there are no fixtures.
    """
    entries: dict[str, list[dict[str, Any]]] = {
        "walls": [_entry(wall) for wall in fixtures.walls],
        "lights": [_entry(light) for light in fixtures.lights],
    }
    left_out = 0
    size = 200 + 100 * len(fixtures.others)
    for listed in entries.values():
        for index, entry in enumerate(listed):
            size += len(json.dumps(entry)) + 2
            if size > LARGEST_DATA:
                left_out += len(listed) - index
                del listed[index:]
                break
    whole: dict[str, Any] = {name: listed for name, listed in entries.items() if listed}
    if fixtures.others:
        whole["others"] = dict(fixtures.others)
    if not whole:
        return None, left_out
    return MapRecord(json.dumps(whole), is_json=True, touched=True), left_out


def _entry(item: Wall | Light) -> dict[str, Any]:
    """Return an item as an object of JSON without what is usual."""
    usual = type(item)._field_defaults
    values = {name: _rounded(value) for name, value in item._asdict().items()}
    return {name: value for name, value in values.items() if usual.get(name) != value}


def _rounded(value: Any) -> Any:
    """Return numbers of a record as the record has them."""
    if isinstance(value, tuple):
        return [_rounded(number) for number in value]
    if isinstance(value, float):
        number = round(value, DIGITS)
        if number.is_integer():
            return int(number)
        return number
    return value


def fixtures_of(records: Mapping[str, MapRecord]) -> Fixtures:
    """Return the fixtures of a map; what is none in the record is left out."""
    record = records.get(RECORD)
    if record is None or not record.is_json:
        return NO_FIXTURES
    return _read(record.text)


@registered(count=2, bytes_each=200 * KB)
@lru_cache(2)
def _read(text: str) -> Fixtures:
    whole = parse_json(text.encode(), largest=LARGEST_DATA)
    if not isinstance(whole, dict):
        return NO_FIXTURES
    walls = [_wall(entry) for entry in _objects(whole.get("walls"))]
    lights = [_light(entry) for entry in _objects(whole.get("lights"))]
    other_entries = whole.get("others")
    return Fixtures(
        tuple(wall for wall in walls if wall is not None),
        tuple(light for light in lights if light is not None),
        tuple(
            (noun, count)
            for noun, count in (other_entries.items() if isinstance(other_entries, dict) else ())
            if type(count) is int and 0 < count < FARTHEST and noun.isprintable()
        ),
    )


def _objects(value: object) -> list[dict[str, Any]]:
    if not isinstance(value, list):
        return []
    return [entry for entry in value if isinstance(entry, dict)]


Item = TypeVar("Item", Wall, Light)


def _wall(entry: Mapping[str, Any]) -> Wall | None:
    line = entry.get("line")
    if not isinstance(line, list) or not all(map(is_coordinate, line)):
        return None
    wall = _with_values(Wall(tuple(map(float, line))), entry)
    is_sound = (
        len(line) >= 4
        and len(line) % 2 == 0
        and {wall.sight, wall.light, wall.sound} <= set(SENSES)
        and wall.way in (0, 1, 2)
        and wall.door in DOORS
        and wall.state in STATES
    )
    return wall if is_sound else None


def _light(entry: Mapping[str, Any]) -> Light | None:
    light = _with_values(Light(math.nan, math.nan), entry)
    numbers = [value for value in light if isinstance(value, float)]
    is_sound = all(map(is_coordinate, numbers)) and light.dim >= 0 and light.bright >= 0
    is_coloured = not light.colour or re.fullmatch(COLOUR, light.colour)
    return light if is_sound and is_coloured else None


def _with_values(item: Item, entry: Mapping[str, Any]) -> Item:
    """Return an item with the values of an object of JSON that have the types of its own."""
    values: dict[str, Any] = {}
    for name, usual in item._asdict().items():
        value = entry.get(name)
        if value is not None and isinstance(usual, float) and is_coordinate(value):
            values[name] = float(value)
        elif type(value) is type(usual):
            values[name] = value
    return item._replace(**values)


def is_coordinate(value: object) -> bool:
    """Return whether a value of JSON is a number that a coordinate can be."""
    return type(value) in (int, float) and abs(value) <= FARTHEST  # type: ignore[arg-type]


# --- what becomes of them -------------------------------------------------------------------------


def for_players(fixtures: Fixtures) -> Fixtures:
    """Return what players may have of fixtures.

    A secret door is a wall, a light that is switched off and what the table has besides are not
    there.
    """
    walls = [
        wall._replace(door="", state="closed") if wall.door == "secret" else wall
        for wall in fixtures.walls
    ]
    lights = [light for light in fixtures.lights if not light.hidden]
    return Fixtures(tuple(walls), tuple(lights))


def carry_fixtures(battlemap: BattleMap, motion: NDArray[np.float64]) -> Edit | None:
    """Return the edit that moves the fixtures as points of the map are: (x, y, 1) @ ``motion``.

    ``motion`` is (3, 2). None without fixtures, and where nothing moves.
    """
    from randomizer.model.edits.record_edits import set_record  # not needed by a plain roll

    fixtures = fixtures_of(battlemap.records)
    if fixtures == NO_FIXTURES:
        return None
    is_mirrored = bool(np.linalg.det(motion[:2]) < 0)
    walls = [_moved_wall(wall, motion, is_mirrored=is_mirrored) for wall in fixtures.walls]
    lights = [_moved_light(light, motion) for light in fixtures.lights]
    record, _left_out = record_of(Fixtures(tuple(walls), tuple(lights), fixtures.others))
    return set_record(battlemap, RECORD, record)


def _moved_wall(wall: Wall, motion: NDArray[np.float64], *, is_mirrored: bool) -> Wall:
    way = 3 - wall.way if is_mirrored and wall.way else wall.way
    return wall._replace(line=_moved(wall.points, motion), way=way)


def _moved_light(light: Light, motion: NDArray[np.float64]) -> Light:
    x, y = _moved([(light.x, light.y)], motion)
    scale = math.sqrt(abs(float(np.linalg.det(motion[:2]))))  # cells stay as large as they are
    light = light._replace(x=x, y=y, dim=light.dim * scale, bright=light.bright * scale)
    if light.angle >= 360:
        return light
    turn = math.radians(light.turn)
    right, down = (np.array([-math.sin(turn), math.cos(turn)]) @ motion[:2]).tolist()
    return light._replace(turn=math.degrees(math.atan2(-right, down)) % 360)


def _moved(points: Sequence[tuple[float, float]], motion: NDArray[np.float64]) -> tuple[float, ...]:
    """Return x, y of each moved point, one after the other."""
    return tuple((np.column_stack([points, np.ones(len(points))]) @ motion).ravel().tolist())
