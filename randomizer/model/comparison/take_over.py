"""Makes the edit that takes differences between two maps over into ours.

The desk does so with the rows that are selected in its list of differences::

    edit = take_over(comparison, battlemap, layer_id, selected_differences)
    if edit is not None:
        edit.apply(battlemap)       # our map now shows what theirs shows there
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from randomizer.model.comparison.comparison import DifferenceKind
from randomizer.model.edits.thing_edits import add_things, change_things
from randomizer.model.edits.value_edits import compound, set_locks, set_property
from randomizer.model.hand.links import without_new_half_links
from randomizer.model.hand.targets import change_property, paint, why_not
from randomizer.model.map.regions import NO_REGION, regions_of
from randomizer.model.problems import error
from randomizer.model.system.property import UNSET

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from randomizer.model.comparison.comparison import Comparison, Difference
    from randomizer.model.edits.edit import Edit
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.map.regions import Regions
    from randomizer.model.planes.planes import Plane, PlaneSpec
    from randomizer.model.system.property import Property
    from randomizer.model.terrain.terrain import TerrainSet
    from randomizer.model.things.things import Thing


def take_over(
    comparison: Comparison,
    battlemap: BattleMap,
    layer_id: int,
    differences: Iterable[Difference] | None = None,
) -> Edit | None:
    """Return the edit after which our map shows what theirs shows at ``differences`` (None: all).

    Each value goes to where the user's paint would go with the layer ``layer_id`` active: into the
    topmost layer, from that one on, that sets the value there (``hand.targets``). What a locked
    layer sets is left out. None if nothing would change. Raises ProblemError if that layer
    is hidden or locked, or for a terrain or region that our map lacks.
    """
    reason = why_not(battlemap, layer_id)
    if reason:
        raise error("layer-refuses", reason)
    indices = comparison.indices
    if differences is not None:
        indices = _indices_of(differences)
    edits: list[Edit | None] = []
    for spec in battlemap.system.shown_planes:
        plane_indices = indices[DifferenceKind(spec.element.value)]
        edits.append(_plane_edit(comparison, battlemap, layer_id, spec, plane_indices))
    for number in indices[DifferenceKind.PROPERTY].tolist():
        map_property = battlemap.system.properties[number]
        edits += _property_edits(comparison, battlemap, layer_id, map_property)
    edits += _lock_edits(comparison, battlemap, indices)
    edits += _thing_edits(comparison, battlemap, layer_id, indices[DifferenceKind.THING])
    # A way that is taken over at one cell alone would be half a link (``hand.links``).
    return without_new_half_links(battlemap, compound(edits))


def _indices_of(differences: Iterable[Difference]) -> dict[DifferenceKind, NDArray[np.intp]]:
    """Return the indices of differences by their kind, in their order."""
    lists: dict[DifferenceKind, list[int]] = {kind: [] for kind in DifferenceKind}
    for difference in differences:
        lists[difference.kind].append(difference.index)
    return {kind: np.array(indices, np.intp) for kind, indices in lists.items()}


def _plane_edit(
    comparison: Comparison,
    battlemap: BattleMap,
    layer_id: int,
    spec: PlaneSpec,
    indices: NDArray[np.intp],
) -> Edit | None:
    """Return the edit that paints their values of one plane, at those of ``indices`` that differ.

    Other planes may differ at the others: a cell is one difference.
    """
    our_plane = comparison.ours.composite.planes[spec.name]
    their_plane = comparison.theirs.composite.planes[spec.name]
    indices = indices[our_plane.flat[indices] != their_plane.flat[indices]]
    values = their_plane.flat[indices]
    _refuse_unknown_code(battlemap, comparison.ours.composite.terrain_set, spec, values)
    if spec == battlemap.system.regions:
        _refuse_unknown_region(battlemap, comparison.theirs.regions, values)
    return paint(battlemap, layer_id, spec.name, indices, values)


def _property_edits(
    comparison: Comparison, battlemap: BattleMap, layer_id: int, map_property: Property
) -> list[Edit | None]:
    """Return the edits that give a property their value, or unset it in all visible layers."""
    name = map_property.name
    value = comparison.theirs.property_value(map_property)
    if value is not UNSET:
        return [change_property(battlemap, layer_id, name, value)]
    layers_with_value = []
    for layer in battlemap.layers:
        if layer.visible and name in layer.properties:
            layers_with_value.append(layer)
    if any(layer.locked for layer in layers_with_value):
        return []  # the locked layer's value would still show
    return [set_property(battlemap, layer.id, name, UNSET) for layer in layers_with_value]


def _lock_edits(
    comparison: Comparison,
    battlemap: BattleMap,
    indices: Mapping[DifferenceKind, NDArray[np.intp]],
) -> list[Edit | None]:
    """Return the edits that lock what theirs has locked, and unlock the rest."""
    cells = indices[DifferenceKind.CELL_LOCK]
    are_cells_locked = comparison.theirs.locked_cells.flat[cells]
    sides = indices[DifferenceKind.SIDE_LOCK]
    are_sides_locked = comparison.theirs.locked_sides.flat[sides]
    return [
        set_locks(battlemap, cells[are_cells_locked], locked=True),
        set_locks(battlemap, sides[are_sides_locked], locked=True, sides=True),
        set_locks(battlemap, cells[~are_cells_locked], locked=False),
        set_locks(battlemap, sides[~are_sides_locked], locked=False, sides=True),
    ]


def _thing_edits(
    comparison: Comparison, battlemap: BattleMap, layer_id: int, keys: NDArray[np.intp]
) -> list[Edit | None]:
    """Return the edits that change, remove and add the things of these keys."""
    changed: list[Thing] = []
    removed: list[int] = []
    added: list[Thing] = []
    for key in keys.tolist():
        pair = comparison.things[key]
        if pair.ours and pair.theirs:
            changed.append(pair.theirs)
        elif pair.ours:
            removed.append(pair.ours.id)
        elif pair.theirs:
            added.append(pair.theirs)
    return [
        change_things(battlemap, changed, removed),
        add_things(battlemap, layer_id, added),
    ]


def _refuse_unknown_region(battlemap: BattleMap, regions: Regions, values: Plane) -> None:
    """Raise ProblemError for codes of regions that the map lacks."""
    our_regions = regions_of(battlemap.records)
    for code in np.unique(values[values != NO_REGION]).tolist():
        region = regions[code]
        if code >= len(our_regions) or our_regions[code] != region:
            if region is None:
                message = "these cells belong to a region that was removed from the other map"
            else:
                message = f"this map has no region “{region.name}”: add it first"
            raise error("compare-region", message)


def _refuse_unknown_code(
    battlemap: BattleMap, terrain_set: TerrainSet, spec: PlaneSpec, values: Plane
) -> None:
    """Raise ProblemError for codes of ``terrain_set`` that the map's own set lacks.

    The comparison has added the entries that it lacks behind the others, so the highest code tells.
    """
    if not len(values):
        return
    highest_code = int(values.max())
    our_set = battlemap.terrain_set
    # Terrains have the codes from 0 on; hexsides those from 1 on, since 0 is "no hexside".
    if spec == battlemap.system.terrain and highest_code >= len(our_set.terrains):
        name = terrain_set.terrains[highest_code].name
    elif spec == battlemap.system.hexside and highest_code > len(our_set.hexsides):
        name = terrain_set.hexsides[highest_code - 1].name
    else:
        return
    raise error("compare-terrain", f"this map has no “{name}”: its terrain set is another one")
