"""What a roll brings beside layers; ``source_roll`` puts it into a map."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from randomizer.model.grid import Grid
    from randomizer.model.map_records import MapRecord
    from randomizer.model.terrain import TerrainSet


class MapParts(NamedTuple):
    """What a roll brings beside layers; None for what it does not bring.

    The codes of its layers are those of ``terrain_set`` (None: the map's).
    """

    records: Mapping[str, MapRecord] | None = None
    terrain_set: TerrainSet | None = None
    grid: Grid | None = None
