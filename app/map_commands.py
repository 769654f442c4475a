"""Commands on the whole map: erase it, fill its edges. Each is one undo step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import numpy as np

from app.document import MapDocument
from app.tools import SidePlace, side_index
from randomizer.battlemap import Layer, Plane
from randomizer.edit import Edit, LayerInsert, LayerRemove, compound, set_locks, set_values

GROUND = "Ground"
"""The name of the layer that a new map starts with."""

Fill = Callable[[Mapping[str, Plane]], Iterable[tuple[int, int, int]]]
"""From the planes of a map to (cell, side, hexside code)."""


def erase_map(document: MapDocument) -> bool:
    """One empty layer in place of all; title and subtitle stay, locks go."""
    battlemap, shown = document.battlemap, document.composite
    ground = Layer(battlemap.free_layer_id(), GROUND, title=shown.title, subtitle=shown.subtitle)
    removals: list[Edit] = [
        LayerRemove(index, layer) for index, layer in reversed(list(enumerate(battlemap.layers)))
    ]
    cells = set_locks(battlemap, np.flatnonzero(battlemap.locked_cells), False)
    sides = set_locks(battlemap, np.flatnonzero(battlemap.locked_sides), False, sides=True)
    edit = compound([*removals, LayerInsert(0, ground), cells, sides])
    return document.push(edit, "Erase map", active=ground.id)


def fill_edges(document: MapDocument, fill: Fill, text: str) -> int:
    """Put the hexsides that ``fill`` names into the active layer; how many there were."""
    battlemap = document.battlemap
    found = list(fill(document.composite.planes))
    if found:
        places = [side_index(battlemap, SidePlace(cell, side)) for cell, side, _ in found]
        codes = [code for _, _, code in found]
        edit = set_values(battlemap, document.active_layer_id, "hexside", places, codes)
        document.push(edit, text)
    return len(found)
