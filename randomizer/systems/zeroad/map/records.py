"""The records of a map: camera and environment as its script gave them, and the script's settings.

    water_height(battlemap.records)                                       # in metres
    edit = set_value(battlemap, ENVIRONMENT, ("Fog", "FogFactor"), 0.5)   # None if it is so

All hold JSON, whatever a script put into it: each value is checked when it is read.
"""

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
"""The record with what a player sees first."""

ENVIRONMENT = "environment"
"""The record with light, sky, fog and water."""

SETTINGS = "settings"
"""The record with the settings that the script was given: Name, CircularMap, Seed and so on."""

SEA = "sea-level"
"""The record with the height of the water in metres, a number.

It exists if the script gave another one than the usual, and counts if no environment names one.
"""

PLAYERS = "PlayerData"
"""The key of the players in ``SETTINGS``, a list; Gaia is its first."""

BY_HAND = "ByHand"
"""An entry of our own of a player in PlayerData: the keys that were changed by hand."""

MAP_BORDER = 3
"""The width, in tiles, of the edge of a map where units cannot walk."""

WATER_HEIGHT = ("Water", "WaterBody", "Height")
"""The keys that lead to the height of the water, in metres, in the environment."""


def whole_number(value: object) -> int | None:
    """Return the whole number that a JSON number is, None if it is none."""
    if type(value) is float and value.is_integer():
        return int(value)
    if type(value) is int:  # True is an int for isinstance
        return value
    return None


def finite_number(value: object) -> float | None:
    """Return the finite number that a JSON number is, None if it is none."""
    if type(value) is float and math.isfinite(value):
        return value
    if type(value) is int and abs(value) <= LARGEST_INT:
        return float(value)
    return None


def as_record(data: Any, *, touched: bool = False) -> MapRecord:
    """Return JSON data as a record; ``touched`` says that a hand changed it."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return MapRecord(text, is_json=True, touched=touched)


@registered(bytes_a_unit=12)
@sized_cache(max_entries=32, max_size=1 << 16)
def _parsed(text: str) -> Any:
    """Return the data of a JSON text, None if it is none. It is shared: nobody may change it."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):  # a record changed by hand
        return None


def record_data(records: Mapping[str, MapRecord], name: str) -> Any:
    """Return the JSON data of a record, None if there is no such record or it is no JSON.

    The caller must not change the data.
    """
    record = records.get(name)
    if record is None:
        return None
    return _parsed(record.text)


def settings_of_map(battlemap: BattleMap) -> Mapping[str, Any]:
    """Return the settings that the script of a map was given; empty if they are not known."""
    data = record_data(battlemap.records, SETTINGS)
    if isinstance(data, dict):
        return data
    return {}


def players_by_hand(records: Mapping[str, MapRecord]) -> Sequence[Mapping[str, Any]]:
    """Return the players of a map, Gaia first, if a hand changed them; else none.

    ``records`` are only those that a hand changed, as ``Base`` has them.
    """
    rows = value_at(record_data(records, SETTINGS), (PLAYERS,))
    if not isinstance(rows, list) or len(rows) < 2:  # Gaia alone
        return ()
    players = list[Mapping[str, Any]]()
    for row in rows[: MOST_PLAYERS + 1]:
        if isinstance(row, dict):
            players.append(row)
        else:
            players.append({})
    return players


def sea_level_of(records: Mapping[str, MapRecord]) -> float:
    """Return the height of the water in metres that counts if no environment names one."""
    level = finite_number(record_data(records, SEA))
    if level is None:
        return SEA_LEVEL
    return level


def water_height(records: Mapping[str, MapRecord]) -> float:
    """Return the height of the water in metres of the world."""
    return water_in(record_data(records, ENVIRONMENT), sea_level_of(records))


def water_in(environment: object, sea_level: float) -> float:
    """Return the height of the water of an environment, ``sea_level`` if that names none."""
    level = finite_number(value_at(environment, WATER_HEIGHT))
    if level is None:
        return sea_level
    return level


def value_at(data: object, path: Iterable[str], missing: object = None) -> Any:
    """Return the value to which a path of keys leads in JSON data; ``missing`` if there is none."""
    for key in path:
        if not isinstance(data, Mapping) or key not in data:
            return missing
        data = data[key]
    return data


def water_level(battlemap: BattleMap) -> float:
    """Return the height of the water in units of the height plane."""
    return water_height(battlemap.records) * UNITS_PER_METRE


def set_water(battlemap: BattleMap, level: float) -> Edit | None:
    """Return the edit of the environment that sets the height of the water; None if it is that.

    ``level`` is in units of the height plane; it is rounded to a centimetre.
    """
    metres = round(level / UNITS_PER_METRE, 2)
    if metres == water_height(battlemap.records):
        return None
    return set_value(battlemap, ENVIRONMENT, WATER_HEIGHT, metres)


def set_value(battlemap: BattleMap, name: str, path: Sequence[str], value: object) -> Edit | None:
    """Return the edit that sets the value to which a path of keys leads in a record.

    The value None removes the last key. The record and the objects on the path are made if they do
    not exist. The result is None if the record has that value.
    """
    from randomizer.model.edits.record_edits import set_record  # rolling needs no edits

    record = record_data(battlemap.records, name)
    if value_at(record, path) == value:
        return None
    # The data of the record are shared: what is changed on the path is copied before.
    data = _copied_object(record)
    inner = data
    for key in path[:-1]:
        inner[key] = _copied_object(inner.get(key))
        inner = inner[key]
    if value is None:
        inner.pop(path[-1], None)
    else:
        inner[path[-1]] = value
    return set_record(battlemap, name, as_record(data, touched=True))


def _copied_object(value: object) -> dict[str, Any]:
    """Return a copy of a JSON object, an empty one for another value."""
    if isinstance(value, dict):
        return dict(value)
    return {}


def round_edge(battlemap: BattleMap) -> tuple[float, float] | None:
    """Return the radii, in tiles, of the outline of a circular map and of where units can walk.

    None if the map is no circle.
    """
    if settings_of_map(battlemap).get("CircularMap") is not True:
        return None
    outline = battlemap.grid.width / 2 - 1
    return outline, outline - MAP_BORDER
