"""Fixtures: the walls, doors and lights that a virtual table has on a map, as a record.

    wall = Wall((0.0, 0.0, 2.0, 0.0), door=Door.DOOR)
    fixtures = Fixtures((wall,), (Light(1.0, 1.0, dim=5.0),))
    battlemap.records[RECORD] = record_of(fixtures).record
    fixtures_of(battlemap.records)                    # the same fixtures

The record of these has all fields that differ from their defaults::

    {"walls": [{"line": [0, 0, 2, 0], "door": "door"}], "lights": [{"x": 1, "y": 1, "dim": 5}]}

They come from scenes of Foundry and from Universal VTT, and go into both. Positions are in map
units, like those of things; the ranges of lights are in cells.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum, IntEnum, StrEnum
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
"""The decimal places of numbers in the record: a hundredth of a pixel at 100 pixels a cell."""


class Blocking(StrEnum):
    """The part of sight, light or sound that a wall blocks."""

    NONE = "none"
    """A wall blocks nothing."""

    LIMITED = "limited"
    """A wall blocks what lies behind a second such wall."""

    NORMAL = "normal"
    """A wall blocks all that lies behind it."""

    PROXIMITY = "proximity"
    """A wall blocks what is far from it."""

    DISTANCE = "distance"
    """A wall blocks what is near it."""


class Door(StrEnum):
    """The kind of door that a wall is."""

    NO_DOOR = ""

    DOOR = "door"

    SECRET = "secret"
    """A door that players take for a wall."""


class DoorState(StrEnum):
    """The state of a door."""

    CLOSED = "closed"

    OPEN = "open"

    LOCKED = "locked"


class BlockedWay(IntEnum):
    """The side from which a wall blocks what comes, seen along its line."""

    BOTH = 0

    FROM_LEFT = 1

    FROM_RIGHT = 2


class Wall(NamedTuple):
    """A wall, or a door: a polyline."""

    line: tuple[float, ...]
    """The x and y of each corner, one after the other; two corners at least."""
    move: bool = True
    """True if it blocks movement."""
    sight: Blocking = Blocking.NORMAL
    """The sight that it blocks."""
    light: Blocking = Blocking.NORMAL
    """The light that it blocks."""
    sound: Blocking = Blocking.NORMAL
    """The sound that it blocks."""
    way: BlockedWay = BlockedWay.BOTH
    """The side from which it blocks all this."""
    door: Door = Door.NO_DOOR
    """The kind of door that it is."""
    state: DoorState = DoorState.CLOSED
    """The state of a door; it means nothing for a wall that is none."""
    freestanding: bool = False
    """True for a door that stands in no wall."""

    @property
    def points(self) -> list[tuple[float, float]]:
        """The corners."""
        return list(zip(self.line[::2], self.line[1::2], strict=True))


class Light(NamedTuple):
    """A light, which is bright near its point and dim farther off."""

    x: float
    y: float
    dim: float = 0.0
    """The radius to which it shines at all, in cells."""
    bright: float = 0.0
    """The radius to which it is bright, in cells."""
    colour: str = ""
    """Its colour as "#rrggbb"; "" for white."""
    intensity: float = 1.0
    """1 is the usual one."""
    angle: float = 360.0
    """The sector into which it shines, in degrees."""
    turn: float = 0.0
    """The direction of the middle of that sector: in degrees clockwise from down."""
    shadows: bool = True
    """True if walls throw shadows in its light."""
    hidden: bool = False
    """True if it is switched off."""


class Fixtures(NamedTuple):
    """All fixtures of a map."""

    walls: tuple[Wall, ...] = ()
    lights: tuple[Light, ...] = ()
    others: tuple[tuple[str, int], ...] = ()
    """The other contents of the table's file: pairs of a noun and a number, such as ("tile", 3).

    Such things stay in that file: a map has no room for them.
    """

    def numbers(self) -> Counter[str]:
        """Return the numbers of walls (those of a polyline singly), doors, lights and others."""
        count = Counter(dict(self.others))
        for wall in self.walls:
            noun = "wall"
            if wall.door:
                noun = "door"
            corner_count = len(wall.line) // 2
            count[noun] += corner_count - 1
        count["light"] += len(self.lights)
        return +count  # without nouns whose number is 0


NO_FIXTURES = Fixtures()
"""The fixtures of a map without a record of them."""


# --- the record -----------------------------------------------------------------------------------


class WrittenFixtures(NamedTuple):
    """The record of some fixtures."""

    record: MapRecord | None
    """None if there are no fixtures."""

    left_out: int
    """The number of fixtures that the record has no room for."""


def record_of(fixtures: Fixtures) -> WrittenFixtures:
    """Return the record of fixtures; walls come before lights if not all find room in it."""
    entries: dict[str, list[dict[str, Any]]] = {
        "walls": [_entry(wall) for wall in fixtures.walls],
        "lights": [_entry(light) for light in fixtures.lights],
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
    record: dict[str, Any] = {name: listed for name, listed in entries.items() if listed}
    if fixtures.others:
        record["others"] = dict(fixtures.others)
    if not record:
        return WrittenFixtures(None, left_out)
    return WrittenFixtures(MapRecord(json.dumps(record), is_json=True, touched=True), left_out)


def _entry(item: Wall | Light) -> dict[str, Any]:
    """Return an item as an object of JSON without fields that have their defaults."""
    defaults = type(item)._field_defaults
    values = {name: _rounded(value) for name, value in item._asdict().items()}
    return {name: value for name, value in values.items() if defaults.get(name) != value}


def _rounded(value: Any) -> Any:
    """Return a value as the record has it: numbers rounded, a tuple of them as a list."""
    if isinstance(value, tuple):
        return [_rounded(number) for number in value]
    if isinstance(value, float):
        number = round(value, DIGITS)
        if number.is_integer():
            return int(number)
        return number
    return value


def fixtures_of(records: Mapping[str, MapRecord]) -> Fixtures:
    """Return the fixtures of a map; entries of the record that cannot be any are left out."""
    record = records.get(RECORD)
    if record is None or not record.is_json:
        return NO_FIXTURES
    return _read(record.text)


@registered(count=2, bytes_each=200 * KB)
@lru_cache(2)
def _read(text: str) -> Fixtures:
    """Return the fixtures of the text of a record."""
    record = parse_json(text.encode(), largest=LARGEST_DATA)
    if not isinstance(record, dict):
        return NO_FIXTURES
    walls = [_wall(entry) for entry in _objects(record.get("walls"))]
    lights = [_light(entry) for entry in _objects(record.get("lights"))]
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


def _objects(value: object) -> list[dict[str, Any]]:
    """Return the objects of a list of JSON; none if it is no list."""
    if not isinstance(value, list):
        return []
    return [entry for entry in value if isinstance(entry, dict)]


Item = TypeVar("Item", Wall, Light)


def _wall(entry: Mapping[str, Any]) -> Wall | None:
    """Return the wall of an object of JSON; None if it is none."""
    line = entry.get("line")
    if not isinstance(line, list) or not all(map(is_coordinate, line)):
        return None
    if len(line) < 4 or len(line) % 2:
        return None
    try:
        return _with_values(Wall(tuple(map(float, line))), entry)
    except ValueError:  # a word, or the number of a way, that no wall has
        return None


def _light(entry: Mapping[str, Any]) -> Light | None:
    """Return the light of an object of JSON; None if it is none."""
    # A position that the entry lacks stays nan, which is no coordinate.
    light = _with_values(Light(math.nan, math.nan), entry)
    numbers = [value for value in light if isinstance(value, float)]
    if not all(map(is_coordinate, numbers)) or light.dim < 0 or light.bright < 0:
        return None
    if light.colour and not re.fullmatch(COLOUR, light.colour):
        return None
    return light


def _with_values(item: Item, entry: Mapping[str, Any]) -> Item:
    """Return an item with those values of an object of JSON that have the type of their field.

    Raises ValueError for a text or number that is no member of an enum.
    """
    values: dict[str, Any] = {}
    for name, default in item._asdict().items():
        value = entry.get(name)
        if value is not None and isinstance(default, float) and is_coordinate(value):
            values[name] = float(value)  # JSON can have it as a whole number
        elif isinstance(default, Enum):
            # JSON has the value of the member; a value of another type counts as absent.
            if type(value) is type(default.value):
                values[name] = type(default)(value)
        elif type(value) is type(default):
            values[name] = value
    return item._replace(**values)


def is_coordinate(value: object) -> bool:
    """Return whether a value of JSON is a number that a coordinate can be."""
    return type(value) in (int, float) and abs(value) <= FARTHEST  # type: ignore[arg-type]


# --- what becomes of them -------------------------------------------------------------------------


def for_players(fixtures: Fixtures) -> Fixtures:
    """Return what players may have of fixtures.

    A secret door is a wall. Lights that are switched off, and what else the file of the table
    holds, are left out.
    """
    walls = []
    for wall in fixtures.walls:
        if wall.door is Door.SECRET:
            # All that tells of a door goes.
            wall = wall._replace(door=Door.NO_DOOR, state=DoorState.CLOSED, freestanding=False)
        walls.append(wall)
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
    written = record_of(Fixtures(tuple(walls), tuple(lights), fixtures.others))
    return set_record(battlemap, RECORD, written.record)


def _moved_wall(wall: Wall, motion: NDArray[np.float64], *, is_mirrored: bool) -> Wall:
    """Return a wall moved by ``motion``."""
    way = wall.way
    if is_mirrored and wall.way is BlockedWay.FROM_LEFT:
        way = BlockedWay.FROM_RIGHT
    elif is_mirrored and wall.way is BlockedWay.FROM_RIGHT:
        way = BlockedWay.FROM_LEFT
    return wall._replace(line=_moved(wall.points, motion), way=way)


def _moved_light(light: Light, motion: NDArray[np.float64]) -> Light:
    """Return a light moved by ``motion``, with its ranges and its direction."""
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
