"""Reads and changes the records of a 0 A.D. map: texts of JSON that its script made with the map.

They are the camera, the environment (light, fog, water) and the settings of the script::

    water_height_m(battlemap.records)                                   # 20.0
    edit = set_value(battlemap, ENVIRONMENT, ("Fog", "FogFactor"), 0.5)
    if edit is not None:                                                # it was another value
        edit.apply(battlemap)

A script can put any JSON into a record, and a user can edit it as text. So nothing is known of its
shape: each value is checked when it is read, and one of a wrong type counts as missing.

Heights of water come in two units: functions named ``..._m`` return metres, as the records have
them; ``water_level`` and ``set_water`` have units of the height plane (``UNITS_PER_METRE``).
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
from randomizer.model.system.edges import RoundEdge
from randomizer.systems.zeroad.map.coordinates import SEA_LEVEL, UNITS_PER_METRE
from randomizer.systems.zeroad.map.map_data import MOST_PLAYERS

if TYPE_CHECKING:
    from randomizer.model.edits.edit import Edit
    from randomizer.model.map.battlemap import BattleMap

CAMERA = "camera"
"""The record with the view that a player has first."""

ENVIRONMENT = "environment"
"""The record with light, sky, fog and water."""

SETTINGS = "settings"
"""The record with the settings that the script was given: Name, CircularMap, Seed and so on."""

SEA = "sea-level"
"""The record with the script's height of the water in metres, a number.

A map has it if the script chose another height than ``SEA_LEVEL``. A height in the environment
takes precedence over it.
"""

PLAYERS = "PlayerData"
"""The key of the players in ``SETTINGS``: a list whose first entry is Gaia, who owns nature."""

BY_HAND = "ByHand"
"""A key of a player in ``PLAYERS`` that only this program writes, not the game.

Its value lists the keys of the player that the user changed.
"""

MAP_BORDER = 3
"""The width, in tiles, of the edge of a map where units cannot walk."""

WATER_HEIGHT = ("Water", "WaterBody", "Height")
"""The keys that lead to the height of the water, in metres, in the environment."""


def whole_number(value: object) -> int | None:
    """Return a JSON value as a whole number: 3 for 3 and for 3.0; None for any other value."""
    if type(value) is float and value.is_integer():
        return int(value)
    if type(value) is int:  # True is an int for isinstance
        return value
    return None


def finite_number(value: object) -> float | None:
    """Return a JSON value as a float; None unless it is a finite number of 64 bits."""
    if type(value) is float and math.isfinite(value):
        return value
    if type(value) is int and abs(value) <= LARGEST_INT:  # others can overflow a float
        return float(value)
    return None


def as_record(data: Any, *, touched: bool = False) -> MapRecord:
    """Return JSON data as a record; ``touched`` marks it as changed by the user."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return MapRecord(text, is_json=True, touched=touched)


@registered(bytes_a_unit=12)
@sized_cache(max_entries=32, max_size=1 << 16)
def _parsed(text: str) -> Any:
    """Return the data of a JSON text; None if the text is not JSON.

    All callers get the same object from the cache: nobody may change it.
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError):  # the user has edited the text of the record
        return None


def record_data(records: Mapping[str, MapRecord], name: str) -> Any:
    """Return the data of a record; None if there is no such record or its text is not JSON.

    The caller must not change the data.
    """
    record = records.get(name)
    if record is None:
        return None
    return _parsed(record.text)


def settings_of_map(battlemap: BattleMap) -> Mapping[str, Any]:
    """Return the settings with which the script made a map; empty if they are not known."""
    data = record_data(battlemap.records, SETTINGS)
    if isinstance(data, dict):
        return data
    return {}


def players_by_hand(records: Mapping[str, MapRecord]) -> Sequence[Mapping[str, Any]]:
    """Return the players that the user has changed, Gaia first; empty if there are none.

    ``records`` are only the records that the user has changed, as ``Base.records`` has them.
    """
    players = value_at(record_data(records, SETTINGS), (PLAYERS,))
    gaia_count = 1
    if not isinstance(players, list) or len(players) <= gaia_count:
        return ()
    checked_players = list[Mapping[str, Any]]()
    for player in players[: gaia_count + MOST_PLAYERS]:
        if isinstance(player, dict):
            checked_players.append(player)
        else:
            checked_players.append({})  # the number of a player is its index: none may be left out
    return checked_players


def default_water_m(records: Mapping[str, MapRecord]) -> float:
    """Return the height of the water in metres for an environment that names none."""
    height_m = finite_number(record_data(records, SEA))
    if height_m is None:
        return SEA_LEVEL
    return height_m


def water_height_m(records: Mapping[str, MapRecord]) -> float:
    """Return the height of the water of a map in metres."""
    return environment_water_m(record_data(records, ENVIRONMENT), default_water_m(records))


def environment_water_m(environment: object, default_m: float) -> float:
    """Return the height of the water in metres in an environment; ``default_m`` if it has none."""
    height_m = finite_number(value_at(environment, WATER_HEIGHT))
    if height_m is None:
        return default_m
    return height_m


def value_at(data: object, path: Iterable[str], missing: object = None) -> Any:
    """Return the value to which a path of keys leads in JSON data.

    For example ``value_at(environment, ("Fog", "FogFactor"))``. Returns ``missing`` if the data has
    no such value.
    """
    for key in path:
        if not isinstance(data, Mapping) or key not in data:
            return missing
        data = data[key]
    return data


def water_level(battlemap: BattleMap) -> float:
    """Return the height of the water of a map in units of the height plane."""
    return water_height_m(battlemap.records) * UNITS_PER_METRE


def set_water(battlemap: BattleMap, level: float) -> Edit | None:
    """Return the edit that sets the height of the water; None if the water has it already.

    ``level`` is in units of the height plane; it is rounded to a centimetre.
    """
    metres = round(level / UNITS_PER_METRE, 2)
    if metres == water_height_m(battlemap.records):
        return None
    return set_value(battlemap, ENVIRONMENT, WATER_HEIGHT, metres)


def set_value(battlemap: BattleMap, name: str, path: Sequence[str], value: object) -> Edit | None:
    """Return the edit that sets one value in a record; None if the record has that value already.

    ``path`` are the keys that lead to the value. The record and the objects on the path are made if
    they do not exist. The value None removes the last key.
    """
    from randomizer.model.edits.record_edits import set_record  # rolling needs no edits

    record = record_data(battlemap.records, name)
    if value_at(record, path) == value:
        return None
    # The data of the record are shared by all readers, so each object on the path is copied.
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


def round_edge(battlemap: BattleMap) -> RoundEdge | None:
    """Return the edge of a circular map, in tiles; None for a square map."""
    if settings_of_map(battlemap).get("CircularMap") is not True:
        return None
    map_radius = battlemap.grid.width / 2 - 1  # the game ends its maps a tile earlier
    return RoundEdge(map_radius, unit_radius=map_radius - MAP_BORDER)
