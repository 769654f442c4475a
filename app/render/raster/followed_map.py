"""The map that a renderer follows: what an edit of it changes in its picture.

A canvas shows one map for a long time. So its renderer stores an overview and tiles of it, and is
told of every edit. Two properties of the map change the look of many cells at once: its terrain set
and the level of its water. ``FollowedMap`` is what they were when the map was drawn last::

    now = FollowedMap.of(former.battlemap)
    change = former.change_to(now, region)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from app.render.cell_changes import redefined_cells
from randomizer.model.edits.edit import Region
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.regions import RECORD as REGIONS
from randomizer.model.terrain.terrain import TerrainSet


class MapChange(NamedTuple):
    """The changes that an edit makes to the picture of a map."""

    region: Region | None
    """What looks different now; None if that may be all of the map."""

    has_redefined_terrains: bool
    """True if terrains are defined anew, for instance in another colour.

    Then ``region`` is where they occur, or None if even more looks different.
    """

    moves_locks: bool
    """True if the padlocks of locked areas may stand elsewhere."""

    moves_region_names: bool
    """True if the names of regions may stand elsewhere, or be others."""


@dataclass(frozen=True, eq=False)
class FollowedMap:
    """A map, and what its picture depends on beside its cells, as that was at some time."""

    battlemap: BattleMap
    """The map itself: unlike the other fields it changes with each edit."""

    terrain_set: TerrainSet
    """Its terrain set at that time."""

    water_level: float | None
    """The level of its water at that time, None for a map without water."""

    @classmethod
    def of(cls, battlemap: BattleMap) -> FollowedMap:
        """Return a map with its present terrain set and water level."""
        return cls(battlemap, battlemap.terrain_set, battlemap.system.water_level(battlemap))

    def change_to(self, now: FollowedMap, region: Region) -> MapChange:
        """Return what an edit has changed in the picture; ``region`` is what it has touched.

        ``now`` is the map after the edit.
        """
        # An edit of the terrain set says that everything changed, but often only few terrains did.
        region_of_redefined = redefined_cells(now.battlemap, region, self.terrain_set)
        changes_all_values = region.reshaped or (region.everything and region_of_redefined is None)
        changes_all = (
            changes_all_values or REGIONS in region.records or now.water_level != self.water_level
        )
        regions = now.battlemap.system.regions
        sets_regions = regions is not None and regions.name in region.planes

        # Three cases: all of the map, the cells of redefined terrains, or what was touched.
        changed_region: Region | None = region
        if changes_all:
            changed_region = None
        elif region_of_redefined is not None:
            changed_region = region_of_redefined
        return MapChange(
            changed_region,
            has_redefined_terrains=region_of_redefined is not None,
            moves_locks=region.locks or changes_all_values,
            moves_region_names=sets_regions or changes_all,
        )
