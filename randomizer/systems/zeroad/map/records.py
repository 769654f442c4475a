"""The records of a map: camera and environment as the script gave them, and its settings."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from randomizer.model.basics.caches import registered
from randomizer.model.basics.limits import LARGEST_INT
from randomizer.model.basics.sized_cache import sized_cache
from randomizer.model.records.map_records import MapRecord
from randomizer.systems.zeroad.map.coordinates import SEA_LEVEL, UNITS_PER_METRE
from randomizer.systems.zeroad.map.map_data import MOST_PLAYERS

if TYPE_CHECKING:
    from randomizer.model.edits.edit import Edit
    from randomizer.model.map.battlemap import BattleMap

CAMERA = "camera"
ENVIRONMENT = "environment"
SETTINGS = "settings"
SEA = "sea-level"
"""The names of the records; all hold JSON. ``SETTINGS`` is what the script was given: Name,
CircularMap, PlayerData (Gaia is 0), Seed ... ``SEA`` (a number, in metres) is there only where the
script gave another than the usual; it counts where no environment names one."""

PLAYERS = "PlayerData"
"""The key of the players in ``SETTINGS``, a list; Gaia is its first."""

BY_HAND = "ByHand"
"""An entry of our own of a player in PlayerData: the keys that were changed by hand."""

MAP_BORDER = 3
"""Units do not get nearer to the edge of a map, in tiles."""

WATER_HEIGHT = ("Water", "WaterBody", "Height")
"""Where the environment has the height of the water, in metres of the world."""


def whole_number(value: object) -> int | None:
    """Return the whole number that a JSON number is, None if it is none."""
    if type(value) is float and value.is_integer():
        return int(value)
    return value if type(value) is int else None


def finite_number(value: object) -> float | None:
    """Return the finite number that a JSON number is, None if it is none."""
    if type(value) is float and math.isfinite(value):
        return value
    if type(value) is int and abs(value) <= LARGEST_INT:
        return float(value)
    return None


def as_record(data: Any, *, touched: bool = False) -> MapRecord:
    """JSON data as a record."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return MapRecord(text, is_json=True, touched=touched)


@registered(bytes_a_unit=12)
@sized_cache(most=32, size=1 << 16)
def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):  # a record changed by hand
        return None


def record_data(records: Mapping[str, MapRecord], name: str) -> Any:
    """Return the JSON data of a record, not to be changed; None if it is not there or is no
    JSON.
    """
    record = records.get(name)
    if record is None:
        return None
    return _parsed(record.text)


def settings_of_map(battlemap: BattleMap) -> Mapping[str, Any]:
    """Return the settings that the script of a map was given; empty if they are not known."""
    data = record_data(battlemap.records, SETTINGS)
    return data if isinstance(data, dict) else {}


def players_by_hand(records: Mapping[str, MapRecord]) -> Sequence[Mapping[str, Any]]:
    """Return the players of a map, Gaia first, if a hand changed them; else none.

    ``records`` are those that a hand changed, see ``Base``.
    """
    rows = value_at(record_data(records, SETTINGS), (PLAYERS,))
    if not isinstance(rows, list) or len(rows) < 2:  # Gaia alone
        return ()
    return [row if isinstance(row, dict) else {} for row in rows[: MOST_PLAYERS + 1]]


def sea_level_of(records: Mapping[str, MapRecord]) -> float:
    """Return the height of the water in metres where no environment names one."""
    level = finite_number(record_data(records, SEA))
    return SEA_LEVEL if level is None else level


def water_height(records: Mapping[str, MapRecord]) -> float:
    """Return the height of the water in metres of the world."""
    return water_in(record_data(records, ENVIRONMENT), sea_level_of(records))


def water_in(environment: object, sea_level: float) -> float:
    """Return the height of the water of an environment, ``sea_level`` where that names none."""
    level = finite_number(value_at(environment, WATER_HEIGHT))
    return sea_level if level is None else level


def value_at(data: object, path: Iterable[str], missing: object = None) -> Any:
    """Return the value at a path of keys of JSON data; ``missing`` if it is not there."""
    for key in path:
        if not isinstance(data, Mapping) or key not in data:
            return missing
        data = data[key]
    return data


def water_level(battlemap: BattleMap) -> float:
    """Return the height of the water in units of the height plane."""
    return water_height(battlemap.records) * UNITS_PER_METRE


def set_water(battlemap: BattleMap, level: float) -> Edit | None:
    """Return the edit of the environment that gives the water a height, in units of the height
    plane.

    Heights are kept to a centimetre. None if it is so already.
    """
    metres = round(level / UNITS_PER_METRE, 2)
    if metres == water_height(battlemap.records):
        return None
    return set_value(battlemap, ENVIRONMENT, WATER_HEIGHT, metres)


def set_value(battlemap: BattleMap, name: str, path: Sequence[str], value: object) -> Edit | None:
    """Return the edit that sets a value at a path of keys of a record, which may not be there yet.

    None as the value removes the last key. None if it is so already.
    """
    from randomizer.model.edits.record_edits import set_record  # rolling needs no edits

    record = record_data(battlemap.records, name)
    if value_at(record, path) == value:
        return None
    data: dict[str, Any] = dict(record) if isinstance(record, dict) else {}
    inner = data
    for key in path[:-1]:
        below = inner.get(key)
        inner[key] = dict(below) if isinstance(below, dict) else {}
        inner = inner[key]
    if value is None:
        inner.pop(path[-1], None)
    else:
        inner[path[-1]] = value
    return set_record(battlemap, name, as_record(data, touched=True))


def round_edge(battlemap: BattleMap) -> tuple[float, float] | None:
    """Return the radii, in tiles, of the outline of a circular map and of where units can walk."""
    if settings_of_map(battlemap).get("CircularMap") is not True:
        return None
    outline = battlemap.grid.width / 2 - 1
    return outline, outline - MAP_BORDER
