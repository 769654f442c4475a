"""The edit that gives a map another terrain set, and translates all its layers.

Layers hold the numbers (*codes*) of terrains in the set of the map. In another set a terrain can
have another code, so what is painted keeps its name, not its number::

    change_terrain_set(battlemap, new_set)      # the edit; None if the map has that set

How codes are translated is in ``terrain_codes.py``, edits of single terrains are in
``terrain_entries.py``.
"""

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
    from collections.abc import Iterator

    from randomizer.model.map.layer import Layer
    from randomizer.model.planes.composite import Composite


@dataclass(frozen=True, eq=False)
class TerrainSetEdit:
    """The map gets another terrain set."""

    old_set: TerrainSet
    """The set of the map now."""
    new_set: TerrainSet
    """The set that it gets."""
    planes: tuple[PlaneEdit, ...]
    """The translation of all layers: edits of those planes whose values differ in ``new_set``."""

    def apply(self, battlemap: BattleMap) -> None:
        """Write the codes and set the terrain set.

        Raises ValueError if the map has not ``old_set``, KeyError if a layer is not there;
        the map is unchanged then.
        """
        if battlemap.terrain_set != self.old_set:
            raise ValueError("the map has another terrain set")
        Compound(self.planes).apply(battlemap)
        battlemap.terrain_set = self.new_set
        battlemap.terrain_revision += 1  # tells what keeps a picture of the set to make it anew

    def inverse(self) -> TerrainSetEdit:
        """Return the edit that sets it back."""
        return TerrainSetEdit(
            self.new_set, self.old_set, tuple(edit.inverse() for edit in self.planes)
        )

    def region(self, battlemap: BattleMap) -> Region:
        """Return what has to be drawn again: the whole map."""
        planes = frozenset(edit.plane for edit in self.planes)
        return Region(everything=True, terrain_set=True, planes=planes)

    def refresh(self, battlemap: BattleMap, composite: Composite) -> bool:
        """Return False, so that the composite is made anew: it has the terrain set of its map."""
        return False


def change_terrain_set(
    battlemap: BattleMap, terrain_set: TerrainSet, renamed_set: TerrainSet | None = None
) -> TerrainSetEdit | None:
    """Return the edit that gives a map another terrain set; None if it has that one.

    All layers are translated, hidden and locked ones too: terrains and hexsides keep their names
    and get the codes of ``terrain_set``, and a way (a kind of route, which has its plane by its
    position in the set) moves to the plane that it has there. What ``terrain_set`` lacks and a
    layer still has is appended to it, marked as missing.

    An entry can have another name in ``terrain_set``. Then ``renamed_set`` is the map's present set
    with the new names at the old codes (``called_as_in``); None if no name changes::

        the map's set        0 Plains    1 Rock
        terrain_set          0 Stone     1 Plains
        renamed_set          0 Plains    1 Stone       cells of Rock, code 1, become Stone, code 0

    Raises ValueError for a set that maps cannot have, or if maps of this system have a fixed one.
    """
    if battlemap.system.is_terrain_set_fixed and terrain_set != battlemap.system.terrain_set:
        raise ValueError(f"{with_article(battlemap.system.title)} cannot have another terrain set")
    check_terrain_set(terrain_set)
    old_set = battlemap.terrain_set
    if renamed_set is None:
        renamed_set = old_set
    new_set = with_missing(battlemap.system, battlemap.layers, renamed_set, terrain_set)
    if new_set == old_set:
        return None
    check_terrain_set(new_set)  # with what was appended it can be too large
    edits: list[PlaneEdit] = []
    for layer in battlemap.layers:
        edits += _translate_layer(battlemap, layer, renamed_set, new_set)
    return TerrainSetEdit(old_set, new_set, tuple(edits))


def _translate_layer(
    battlemap: BattleMap, layer: Layer, old_set: TerrainSet, new_set: TerrainSet
) -> Iterator[PlaneEdit]:
    """Yield the edits that translate the planes of a layer, by their names in order."""
    new_planes = translated_planes(battlemap.system, layer.planes, old_set, new_set)
    for name in sorted(layer.planes.keys() | new_planes.keys()):
        spec = battlemap.system.plane(name)
        unset_plane = blank(spec.shape(battlemap.grid), spec.unset, spec.dtype)
        old_values = layer.planes.get(name, unset_plane)
        new_values = new_planes.get(name, unset_plane)
        if new_values is old_values:  # a plane without codes: comparing all values takes time
            continue
        changed = np.flatnonzero(new_values != old_values)
        if len(changed):
            yield PlaneEdit(
                layer.id,
                name,
                changed,
                old_values=old_values.reshape(-1)[changed],
                new_values=new_values.reshape(-1)[changed],
            )
