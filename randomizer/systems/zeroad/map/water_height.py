"""The height of the water of a 0 A.D. map, which is the same everywhere on it.

    water_metres(battlemap.records)                 # 20.0
    water_plane_height(battlemap)                   # 1840.0, to be compared with corners
    edit = set_water(battlemap, 2024.0)             # 22 m; None if the water has that height

Records have the height in metres; the height plane has ``UNITS_PER_METRE`` to a metre. The first of
these that a map has is its height: that of the record ``ENVIRONMENT``, that of the record ``SEA``,
``SEA_LEVEL``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from randomizer.systems.zeroad.map.coordinates import SEA_LEVEL, UNITS_PER_METRE
from randomizer.systems.zeroad.map.json_values import finite_number, value_at
from randomizer.systems.zeroad.map.records import ENVIRONMENT, SEA, record_data, set_value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from randomizer.model.edits.edit import Edit
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.records.map_records import MapRecord

WATER_HEIGHT = ("Water", "WaterBody", "Height")
"""The keys that lead to the height of the water, in metres, in the environment."""


def water_metres(records: Mapping[str, MapRecord]) -> float:
    """Return the height of the water of a map in metres."""
    environment = record_data(records, ENVIRONMENT)
    return environment_water_metres(environment, default_water_metres(records))


def environment_water_metres(environment: object, default: float) -> float:
    """Return the height of the water in metres in an environment; ``default`` if it has none."""
    height = finite_number(value_at(environment, WATER_HEIGHT))
    if height is None:
        return default
    return height


def default_water_metres(records: Mapping[str, MapRecord]) -> float:
    """Return the height of the water in metres for an environment that names none."""
    height = finite_number(record_data(records, SEA))
    if height is None:
        return SEA_LEVEL
    return height


def water_plane_height(battlemap: BattleMap) -> float:
    """Return the height of the water of a map in units of the height plane."""
    return water_metres(battlemap.records) * UNITS_PER_METRE


def set_water(battlemap: BattleMap, plane_height: float) -> Edit | None:
    """Return the edit that sets the height of the water; None if the water has it already.

    ``plane_height`` is in units of the height plane; it is rounded to a centimetre.
    """
    metres = round(plane_height / UNITS_PER_METRE, 2)
    if metres == water_metres(battlemap.records):
        return None
    return set_value(battlemap, ENVIRONMENT, WATER_HEIGHT, metres)
