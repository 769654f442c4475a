"""Which edits a locked layer forbids."""

from __future__ import annotations

from typing import TYPE_CHECKING

from randomizer.model.edits.edit import Edit, PlaneEdit, PropertyEdit, ThingsEdit
from randomizer.model.edits.stack_edits import LayerRemove, LayerReplace
from randomizer.model.edits.value_edits import parts

if TYPE_CHECKING:
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.map.layer import Layer


def blocking_layer(battlemap: BattleMap, edit: Edit) -> Layer | None:
    """Return the locked layer that ``edit`` would change, None if there is none.

    A locked layer cannot get other values or contents, nor be removed; it can be shown, moved,
    renamed and unlocked.
    """
    locked_layers = {layer.id: layer for layer in battlemap.layers if layer.locked}
    if not locked_layers:
        return None
    for simple_edit in parts(edit):
        if isinstance(simple_edit, PlaneEdit | PropertyEdit | ThingsEdit):
            layer_id = simple_edit.layer_id
        elif isinstance(simple_edit, LayerRemove):
            layer_id = simple_edit.layer.id
        elif isinstance(simple_edit, LayerReplace):
            layer_id = simple_edit.old_layer.id
        else:
            continue
        if layer_id in locked_layers:
            return locked_layers[layer_id]
    return None
