"""The check of the values that an edit brings into a map; what ``gate`` is for whole maps."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from randomizer.model.edit import (
    LayerField,
    LayerInsert,
    LayerRemove,
    LayerReplace,
    PlaneEdit,
    PropertyEdit,
    Reshape,
    ThingsEdit,
)
from randomizer.model.edit_making import parts
from randomizer.model.gate import (
    check_counts,
    check_grid,
    check_layer_fields,
    check_map_records,
    check_own_terrain_set,
    check_property,
    check_source,
    check_stack,
    check_things,
    check_values,
    in_layer,
)
from randomizer.model.layer import Layer
from randomizer.model.problems import error
from randomizer.model.property import UNSET
from randomizer.model.record_edits import RecordSet, SourceEdit
from randomizer.model.terrain_edits import TerrainSetEdit

if TYPE_CHECKING:
    from randomizer.model.battlemap import BattleMap
    from randomizer.model.edit import Edit
    from randomizer.model.terrain import TerrainSet


def check_edit(battlemap: BattleMap, edit: Edit) -> None:
    """Check the values of ``edit``, which is about to be applied. Raises ProblemError.

    The planes of whole layers that it inserts are not looked at: whoever reads or generates a layer
    has checked them, and what the desk makes of layers moves checked values.
    """
    more: Counter[str] = Counter()
    found = list(parts(edit))
    changes = [part.before for part in found if isinstance(part, TerrainSetEdit)]
    terrain_set = changes[0] if changes else battlemap.terrain_set
    for part in found:
        if isinstance(part, PlaneEdit):
            _check_plane_edit(battlemap, terrain_set, part)
        elif isinstance(part, TerrainSetEdit):
            terrain_set = part.after
            check_own_terrain_set(battlemap.system, terrain_set)
            for each in part.planes:
                _check_plane_edit(battlemap, terrain_set, each)
        elif isinstance(part, RecordSet):
            check_map_records({part.name: part.after} if part.after is not None else {})
        elif isinstance(part, SourceEdit):
            check_source(part.after)
        elif isinstance(part, LayerInsert):
            check_layer_fields(battlemap.system, part.layer)
            check_things(part.layer.things.values())
            more["layers"] += 1
            more["things"] += len(part.layer.things)
        elif isinstance(part, LayerReplace):
            check_layer_fields(battlemap.system, part.after)
            check_things(part.after.things.values())
            more["things"] += len(part.after.things) - len(part.before.things)
        elif isinstance(part, LayerRemove):
            more["layers"] -= 1
            more["things"] -= len(part.layer.things)
        elif isinstance(part, PropertyEdit):
            if part.after is not UNSET:
                check_property(battlemap.system, part.name, part.after, "a property")
        elif isinstance(part, LayerField):
            layer = replace(Layer(part.layer_id, ""), **{part.name: part.after})
            check_layer_fields(battlemap.system, layer)
        elif isinstance(part, ThingsEdit):
            check_things(part.after)
            more["things"] += len(part.after) - len(part.before)
        elif isinstance(part, Reshape):
            check_grid(battlemap.system, part.after.grid)
            check_stack(part.after.layers)
            for layer in part.after.layers:
                check_things(layer.things.values())
    if more["layers"] > 0:
        check_counts(layers=len(battlemap.layers) + more["layers"])
    if more["things"] > 0:
        present = sum(len(layer.things) for layer in battlemap.layers)
        check_counts(things=present + more["things"])


def _check_plane_edit(battlemap: BattleMap, terrain_set: TerrainSet, edit: PlaneEdit) -> None:
    spec = battlemap.system.plane(edit.plane)
    if edit.after.dtype != np.dtype(spec.dtype):
        raise error("edit-type", f"an edit of the plane {edit.plane} has {edit.after.dtype} values")
    layer = _layer(battlemap, edit.layer_id)
    where = "an edit" if layer is None else in_layer(layer)
    system, grid = battlemap.system, battlemap.grid
    check_values(system, terrain_set, grid, spec, edit.after, edit.index, where=where)


def _layer(battlemap: BattleMap, layer_id: int) -> Layer | None:
    """The layer with an id; None for one that an earlier part of the edit inserts."""
    return next((layer for layer in battlemap.layers if layer.id == layer_id), None)
