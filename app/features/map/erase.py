"""The command that erases the whole map."""

from __future__ import annotations

import numpy as np

from app.document.document import MapDocument
from randomizer.model.edits.edit import Edit
from randomizer.model.edits.stack_edits import LayerInsert, LayerRemove
from randomizer.model.edits.value_edits import compound, set_locks
from randomizer.model.map.layer import Layer
from randomizer.model.system.property import PropertyKind

GROUND = "Ground"
"""The name of the layer that a new map starts with."""


def erase_map(document: MapDocument) -> bool:
    """Replace all layers by an empty one and remove all locks, as one undo step.

    The texts of the map, such as its title, stay. Return False if the document refuses.
    """
    battlemap = document.battlemap
    composite = document.composite
    texts = {}
    for prop in battlemap.system.properties:
        if prop.kind is PropertyKind.TEXT and prop.name in composite.properties:
            texts[prop.name] = composite.properties[prop.name]
    ground = Layer(battlemap.free_layer_id(), GROUND, properties=texts)
    # The topmost layer is removed first: so the indexes of those below stay what they are.
    layers_from_top = reversed(list(enumerate(battlemap.layers)))
    remove_layers: list[Edit] = [LayerRemove(index, layer) for index, layer in layers_from_top]
    unlock_cells = set_locks(battlemap, np.flatnonzero(battlemap.locked_cells), False)
    locked_sides = np.flatnonzero(battlemap.locked_sides)
    unlock_sides = set_locks(battlemap, locked_sides, False, sides=True)
    edit = compound([*remove_layers, LayerInsert(0, ground), unlock_cells, unlock_sides])
    return document.push(edit, "Erase map", active=ground.id)
