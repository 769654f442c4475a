"""Changing the terrain set of a map: codes in all layers are translated by names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from randomizer.model.basics.plurals import with_article
from randomizer.model.edits.edit import Compound, PlaneEdit, Region
from randomizer.model.edits.terrain_codes import translated_planes, with_missing
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.planes import blank
from randomizer.model.terrain.terrain import TerrainSet
from randomizer.model.terrain.terrain_check import check_terrain_set

if TYPE_CHECKING:
    from randomizer.model.planes.composite import Composite


@dataclass(frozen=True, eq=False)
class TerrainSetEdit:
    """The map gets another terrain set; ``planes`` translate the codes of all layers."""

    before: TerrainSet
    after: TerrainSet
    planes: tuple[PlaneEdit, ...]

    def apply(self, battlemap: BattleMap) -> None:
        """Set it and write the codes.

        Raises ValueError if the map has not the set ``before``, KeyError if a layer is not there;
        the map is unchanged then.
        """
        if battlemap.terrain_set != self.before:
            raise ValueError("the map has another terrain set")
        Compound(self.planes).apply(battlemap)
        battlemap.terrain_set = self.after
        battlemap.terrain_revision += 1

    def inverse(self) -> TerrainSetEdit:
        """Return the edit that sets it back."""
        return TerrainSetEdit(
            self.after, self.before, tuple(edit.inverse() for edit in self.planes)
        )

    def region(self, battlemap: BattleMap) -> Region:
        """Everything."""
        planes = frozenset(edit.plane for edit in self.planes)
        return Region(everything=True, terrain_set=True, planes=planes)

    def refresh(self, battlemap: BattleMap, composite: Composite) -> bool:
        """False: a composite has the terrain set of its map."""
        return False


def change_terrain_set(
    battlemap: BattleMap, terrain_set: TerrainSet, called: TerrainSet | None = None
) -> TerrainSetEdit | None:
    """Return the edit that gives a map another terrain set; None if it has that one.

    Codes are translated by the names of terrains and hexsides, and ways come into the planes of
    their places in ``terrain_set``, in hidden layers too. ``called`` is the map's set with the
    names by which its terrains, hexsides and ways are looked up in ``terrain_set``
    (``called_as_in``); None: their own. What ``terrain_set`` lacks and a layer still sets is kept
    at its end, marked as missing.
    Raises ValueError for a set that maps cannot have, or if those of this system cannot have
    another.
    """
    if battlemap.system.fixed_terrain_set and terrain_set != battlemap.system.terrain_set:
        raise ValueError(f"{with_article(battlemap.system.title)} cannot have another terrain set")
    check_terrain_set(terrain_set)
    old_set = battlemap.terrain_set
    called = called or old_set
    new_set = with_missing(battlemap.system, battlemap.layers, called, terrain_set)
    if new_set == old_set:
        return None
    check_terrain_set(new_set)
    edits = []
    for layer in battlemap.layers:
        planes = translated_planes(battlemap.system, layer.planes, called, new_set)
        for name in sorted(layer.planes.keys() | planes.keys()):
            spec = battlemap.system.plane(name)
            unset = blank(spec.shape(battlemap.grid), spec.unset, spec.dtype)
            old = layer.planes.get(name, unset)
            values = planes.get(name, unset)
            if values is not old and len(index := np.flatnonzero(values != old)):
                changed = (array.reshape(-1)[index] for array in (old, values))
                edits.append(PlaneEdit(layer.id, name, index, *changed))
    return TerrainSetEdit(old_set, new_set, tuple(edits))
