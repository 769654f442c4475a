"""Merges maps: the layers of other maps are inserted into the current one, as one undo step.

A layer of another map holds codes of that map's terrain set and regions, and ids of its own. So
each map is merged in two steps: the current map gets the terrains and regions that it lacks, then
the layers, translated to what it has then.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from app.document.document import MapDocument
from randomizer.formats.results import ReadResult
from randomizer.model.basics.plurals import counted
from randomizer.model.basics.texts import clean_line
from randomizer.model.edits.edit import Edit
from randomizer.model.edits.edit_sequence import EditSequence
from randomizer.model.edits.record_edits import set_record
from randomizer.model.edits.stack_edits import LayerInsert
from randomizer.model.edits.terrain_codes import translated_layer, with_missing
from randomizer.model.edits.terrain_edits import change_terrain_set
from randomizer.model.edits.thing_copies import layers_with_ids
from randomizer.model.edits.value_edits import compound
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.regions import (
    MAX_REGIONS,
    joint_regions,
    record_of,
    regions_of,
    with_codes_of,
)
from randomizer.model.map.regions import RECORD as REGIONS
from randomizer.model.problems import error
from randomizer.model.records.map_records import MapRecord


def merge_in(document: MapDocument, results: Sequence[tuple[str, ReadResult]]) -> bool:
    """Insert the layers of other maps above the active one, as one undo step.

    ``results`` are pairs of the name of a file and what was read of it; those without a map are
    left out. Terrains and regions that the current
    map lacks are added, with their pictures. If several maps have the same record, that of the last
    one counts. Return False if the document refuses the change. Raises ProblemError for a map of
    another system or grid.
    """
    battlemap = document.battlemap
    index = battlemap.index_of(document.active_layer_id) + 1
    topmost_id = 0
    # Within the ``with`` the map has the edits so far; after it they are taken back again.
    with EditSequence(battlemap) as sequence:
        for name, result in results:
            if result.battlemap is None:
                continue
            document.add_assets(result.battlemap.named_assets)
            # The layers are translated to the terrain set that the map has then.
            sequence.add(_add_terrains(battlemap, result.battlemap))
            inserted = _insert_layers(battlemap, name, result, index)
            sequence.add(inserted.edit)
            topmost_id = inserted.topmost_id
            index += len(result.battlemap.layers)
    if sequence.edit is None:
        return False
    names = [name for name, result in results if result.battlemap is not None]
    if len(names) == 1:
        title = names[0]
    else:
        title = counted(len(names), "file")
    return document.push(sequence.edit, f"Merge {title}", active=topmost_id)


def _add_terrains(battlemap: BattleMap, other_map: BattleMap) -> Edit | None:
    """Return the edit that gives a map the terrains, hexsides and ways that another map shows."""
    system = battlemap.system
    if other_map.system is not system:
        return None
    their_set = other_map.terrain_set
    new_set = with_missing(system, other_map.layers, their_set, battlemap.terrain_set)
    if system.users_edit_terrain_sets:
        # ``with_missing`` adds terrains as missing ones. Where a map has a set of its own they
        # become real ones, with the looks that they have in the other map.
        their_terrains = {terrain.name: terrain for terrain in their_set.terrains}
        terrains = []
        for terrain in new_set.terrains:
            if terrain.missing:
                terrains.append(their_terrains.get(terrain.name, terrain))
            else:
                terrains.append(terrain)
        new_set = replace(new_set, terrains=tuple(terrains))
    return change_terrain_set(battlemap, new_set)


class _InsertedLayers(NamedTuple):
    """The layers of another map as those of the current one."""

    edit: Edit

    topmost_id: int
    """The id of the topmost of them."""


def _insert_layers(
    battlemap: BattleMap, name: str, result: ReadResult, index: int
) -> _InsertedLayers:
    """Return the edit that inserts the layers of another map, called ``name``, from an index on.

    It adds the regions of that map. Raises ProblemError for a map of another system or grid.
    """
    other_map = result.battlemap
    assert other_map is not None, "a map was read"
    if not _has_same_cells(battlemap, other_map):
        raise error("other-system", f"{name} is a map of another kind; open it by itself")
    our_regions = regions_of(battlemap.records)
    their_regions = regions_of(other_map.records)
    regions = joint_regions(our_regions, their_regions)
    if len(regions) > MAX_REGIONS:
        message = f"with {name} the map would have more than {MAX_REGIONS:,} regions"
        raise error("too-many-regions", message)

    # The layers, with ids and codes of this map.
    edits: list[Edit | None] = []
    layers = layers_with_ids(other_map.layers, battlemap)
    for layer_index, layer in enumerate(layers, index):
        new_layer = translated_layer(
            battlemap.system, layer, other_map.terrain_set, battlemap.terrain_set
        )
        spec = battlemap.system.regions
        if spec is not None and spec.name in new_layer.planes:
            codes = with_codes_of(new_layer.planes[spec.name], their_regions, regions)
            new_layer.planes[spec.name] = codes
        if len(layers) == 1:
            new_layer.name = clean_line(name)
        else:
            new_layer.name = clean_line(f"{name}: {layer.name}")
        edits.append(LayerInsert(layer_index, new_layer))

    # The records of a whole map stay behind. But a file that only adds to the map in front, such as
    # one of units, has its content in records: ``ReadResult.adds_records``.
    records: dict[str, MapRecord] = {}
    if result.adds_records:
        records = dict(other_map.records)
        records.pop(REGIONS, None)
    # The record of regions is joined from both: that of the other map alone would lack our regions.
    region_record = record_of(regions)
    if region_record is not None and regions != our_regions:
        records[REGIONS] = region_record
    for record_name, record in records.items():
        edits.append(set_record(battlemap, record_name, record))

    edit = compound(edits)
    assert edit is not None, "a map has a layer"
    return _InsertedLayers(edit, layers[-1].id)


def _has_same_cells(battlemap: BattleMap, other_map: BattleMap) -> bool:
    """Return whether layers of one map fit the other: the same system, layout and size."""
    if battlemap.system is not other_map.system:
        return False
    grid = battlemap.grid
    other_grid = other_map.grid
    has_same_size = (grid.width, grid.height) == (other_grid.width, other_grid.height)
    return has_same_size and grid.layout == other_grid.layout
