"""Reads and changes the records of a 0 A.D. map: texts of JSON that its script made with the map.

They are the camera, the environment (light, fog, water) and the settings of the script::

    record_data(battlemap.records, ENVIRONMENT)["SkySet"]               # "cirrus"
    edit = set_value(battlemap, ENVIRONMENT, ("Fog", "FogFactor"), 0.5)
    if edit is not None:                                                # it was another value
        edit.apply(battlemap)

A script can put any JSON into a record, and a user can edit it as text. So nothing is known of its
shape: each value is checked when it is read (``json_values``), and one of a wrong type counts as
missing. What a record says of the water, of players and of the edge of the map is read in
``water_height``, ``owners``, ``players`` and ``map_edge``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from randomizer.model.basics.caches import registered
from randomizer.model.basics.sized_cache import sized_cache
from randomizer.model.records.map_records import MapRecord
from randomizer.systems.zeroad.map.json_values import value_at

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

_MAX_CACHED = 32
"""The number of parsed texts that are kept: a map has three, and several maps are open."""

_CACHED_SIZE = 1 << 16
"""The length of all their texts together; a longer text is parsed each time."""


def as_record(data: Any, *, touched: bool = False) -> MapRecord:
    """Return JSON data as a record; ``touched`` marks it as changed by the user."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return MapRecord(text, is_json=True, touched=touched)


def record_data(records: Mapping[str, MapRecord], name: str) -> Any:
    """Return the data of a record; None if there is no such record or its text is not JSON.

    The caller must not change the data.
    """
    record = records.get(name)
    if record is None:
        return None
    return _parsed(record.text)


@registered(bytes_a_unit=12)  # bytes of data for each letter of the text
@sized_cache(max_entries=_MAX_CACHED, max_size=_CACHED_SIZE)
def _parsed(text: str) -> Any:
    """Return the data of a JSON text; None if the text is not JSON.

    All callers get the same object from the cache: nobody may change it.
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError):  # the user has edited the text of the record
        return None


def settings_of_map(battlemap: BattleMap) -> Mapping[str, Any]:
    """Return the settings with which the script made a map; empty if they are not known."""
    data = record_data(battlemap.records, SETTINGS)
    if isinstance(data, dict):
        return data
    return {}


def set_value(battlemap: BattleMap, name: str, path: Sequence[str], value: object) -> Edit | None:
    """Return the edit that sets one value in a record; None if the record has that value already.

    ``path`` are the keys that lead to the value. The record and the objects on the path are made if
    they do not exist. The value None removes the last key.

    A record whose text is no JSON is replaced by one that has this value alone: nobody, the game
    included, can read what it was.
    """
    from randomizer.model.edits.record_edits import set_record  # rolling needs no edits

    record = record_data(battlemap.records, name)
    if _is_same_json(value_at(record, path), value):
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


def _is_same_json(value: object, other: object) -> bool:
    """Return whether two values are the same in JSON: 20 is 20.0, but 1 is not true."""
    return value == other and isinstance(value, bool) == isinstance(other, bool)


def _copied_object(value: object) -> dict[str, Any]:
    """Return a copy of a JSON object, an empty one for another value."""
    if isinstance(value, dict):
        return dict(value)
    return {}
