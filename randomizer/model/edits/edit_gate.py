"""The check of the values that an edit brings into a map; what ``gate`` is for whole maps."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from randomizer.model.basics.plurals import with_article
from randomizer.model.edits.edit import (
    LayerField,
    LayerInsert,
    LayerRemove,
    LayerReplace,
    PlaneEdit,
    PropertyEdit,
    Reshape,
    ThingsEdit,
)
from randomizer.model.edits.record_edits import NamingEdit, RecordEdit, RecordSet, SourceEdit
from randomizer.model.edits.terrain_edits import TerrainSetEdit
from randomizer.model.edits.value_edits import parts
from randomizer.model.gate.gate import (
    check_amount_of_records,
    check_counts,
    check_grid,
    check_layer,
    check_layer_fields,
    check_map_assets,
    check_map_records,
    check_own_terrain_set,
    check_property,
    check_source,
    check_stack,
    check_things,
    check_values,
    in_layer,
)
from randomizer.model.grid.cell_naming import fault_in_naming
from randomizer.model.map.layer import Layer
from randomizer.model.problems import error
from randomizer.model.records.assets import assets_of, assets_of_records, only
from randomizer.model.system.property import UNSET

if TYPE_CHECKING:
    from collections.abc import Mapping

    from randomizer.model.edits.edit import Edit
    from randomizer.model.grid.grid import Grid
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.records.map_records import MapRecord
    from randomizer.model.terrain.terrain import TerrainSet


def check_edit(battlemap: BattleMap, edit: Edit) -> None:
    """Check an edit that is about to be applied. Raises ProblemError."""
    check_edit_values(battlemap, edit)
    _check_amounts(battlemap, edit)


def check_edit_values(battlemap: BattleMap, edit: Edit) -> None:
    """Check the values that ``edit`` brings into a map of this kind. Raises ProblemError.

    Layers that are in the map, which the inverse of an edit brings back, are as they should be. An
    edit can translate their codes on the way: those of now can be none of the set in between.
    """
    edits = list(parts(edit))
    sets = [part.before for part in edits if isinstance(part, TerrainSetEdit)]
    terrain_set = sets[0] if sets else battlemap.terrain_set
    shapes = [part.before for part in edits if isinstance(part, Reshape)]
    system = battlemap.system
    grid = shapes[0].grid if shapes else battlemap.grid
    for part in edits:
        if isinstance(part, PlaneEdit):
            _check_plane_edit(battlemap, terrain_set, grid, part)
        elif isinstance(part, TerrainSetEdit):
            terrain_set = part.after
            check_own_terrain_set(system, terrain_set)
            _check_assets(battlemap, terrain_set, {})
            for plane in part.planes:
                _check_plane_edit(battlemap, terrain_set, grid, plane)
        elif isinstance(part, RecordSet):
            if part.after is not None:
                records = {part.name: part.after}
            else:
                records = {}
            check_map_records(records)
            _check_assets(battlemap, terrain_set, records)
        elif isinstance(part, NamingEdit):
            fault = fault_in_naming(part.after)
            if fault or not system.own_cell_names:
                raise error(
                    "cell-names", fault or f"{with_article(system.title)} names its cells itself"
                )
        elif isinstance(part, SourceEdit):
            check_source(part.after)
        elif isinstance(part, LayerInsert | LayerReplace):
            layer = part.layer if isinstance(part, LayerInsert) else part.after
            if any(layer is old_layer for old_layer in battlemap.layers):
                continue
            check_layer(system, terrain_set, grid, layer)
            check_things(layer.things.values())
        elif isinstance(part, PropertyEdit):
            if part.after is not UNSET:
                check_property(system, part.name, part.after, "a property")
        elif isinstance(part, LayerField):
            check_layer_fields(system, replace(Layer(part.layer_id, ""), **{part.name: part.after}))
        elif isinstance(part, ThingsEdit):
            check_things(part.after)
        elif isinstance(part, Reshape):
            grid = part.after.grid
            check_grid(system, grid)
            check_stack(part.after.layers)
            for layer in part.after.layers:
                check_layer(system, terrain_set, grid, layer)
                check_things(layer.things.values())


def _check_assets(
    battlemap: BattleMap, terrain_set: TerrainSet, records: Mapping[str, MapRecord]
) -> None:
    """Check the assets that a map names once it has this set and these further records."""
    named = assets_of(terrain_set) | assets_of_records({**battlemap.records, **records})
    check_map_assets(only(battlemap.assets, named))


def _check_amounts(battlemap: BattleMap, edit: Edit) -> None:
    """Check that the map does not grow beyond its limits. Raises ProblemError."""
    more: Counter[str] = Counter()
    names = set(battlemap.records)
    for part in parts(edit):
        if isinstance(part, LayerInsert):
            more["layers"] += 1
            more["things"] += len(part.layer.things)
        elif isinstance(part, LayerRemove):
            more["layers"] -= 1
            more["things"] -= len(part.layer.things)
        elif isinstance(part, LayerReplace):
            more["things"] += len(part.after.things) - len(part.before.things)
        elif isinstance(part, ThingsEdit):
            more["things"] += len(part.after) - len(part.before)
        elif isinstance(part, RecordEdit):
            more["bytes"] += _bytes(part.after) - _bytes(part.before)
        elif isinstance(part, RecordSet):
            texts = ["" if record is None else record.text for record in (part.before, part.after)]
            more["bytes"] += _bytes(texts[1]) - _bytes(texts[0])
            (names.discard if part.after is None else names.add)(part.name)
    if more["layers"] < 0 and len(battlemap.layers) + more["layers"] < 1:
        check_stack(())
    if more["layers"] > 0:
        check_counts(layers=len(battlemap.layers) + more["layers"])
    if more["things"] > 0:
        present = sum(len(layer.things) for layer in battlemap.layers)
        check_counts(things=present + more["things"])
    if more["bytes"] > 0 or len(names) > len(battlemap.records):
        check_amount_of_records(battlemap.records, len(names), more["bytes"])


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _check_plane_edit(
    battlemap: BattleMap, terrain_set: TerrainSet, grid: Grid, edit: PlaneEdit
) -> None:
    spec = battlemap.system.plane(edit.plane)
    if edit.after.dtype != np.dtype(spec.dtype):
        raise error("edit-type", f"an edit of the plane {edit.plane} has {edit.after.dtype} values")
    layer = _layer(battlemap, edit.layer_id)
    where = "an edit" if layer is None else in_layer(layer)
    check_values(battlemap.system, terrain_set, grid, spec, edit.after, edit.index, where=where)


def _layer(battlemap: BattleMap, layer_id: int) -> Layer | None:
    """Return the layer with an id; None for one that an earlier part of the edit inserts."""
    return next((layer for layer in battlemap.layers if layer.id == layer_id), None)
