"""What tools and commands paint and erase with the active layer, and what is left out of that.

Each value goes into its target (``randomizer.model.hand.targets``): nothing else of the desk writes
values of planes by hand.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from app.tools.pointer import CellSide
from randomizer.model.edits.edit import Edit
from randomizer.model.edits.value_edits import compound
from randomizer.model.hand import targets
from randomizer.model.planes.planes import PlaneSpec

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.tools.tool import Preview
    from randomizer.model.hand.targets import LeftOut


def paint(
    document: MapDocument, plane: PlaneSpec, elements: Iterable[int], values: object
) -> Edit | None:
    """Return the edit after which values show at places of a plane; None for no change.

    Other planes get what the system paints along with them (``System.painted_with``).
    """
    battlemap = document.battlemap
    active_layer_id = document.active_layer_id
    index = _index_array(elements)
    edits = [targets.paint(battlemap, active_layer_id, plane.name, index, values)]

    new_values = np.broadcast_to(np.asarray(values), index.shape)
    values_by_plane = battlemap.system.painted_with(
        battlemap.grid, document.composite, plane.name, index, new_values
    )
    # A flat map stays one: water would only say what is so, and a file would get a plane for it.
    used_planes: set[str] = set()
    for layer in battlemap.layers:
        used_planes.update(layer.planes)
    values_by_plane = {
        name: plane_values for name, plane_values in values_by_plane.items() if name in used_planes
    }
    if not values_by_plane:
        return edits[0]

    # What is left out of the plane itself gets nothing along with it either.
    barred = targets.left_out(battlemap, active_layer_id, plane.name, index).elements
    free = ~np.isin(index, barred)
    for name, plane_values in values_by_plane.items():
        edits.append(
            targets.paint(battlemap, active_layer_id, name, index[free], plane_values[free])
        )
    return compound(edits)


def _index_array(elements: Iterable[int]) -> NDArray[np.intp]:
    """Return elements of a plane as an array (n,), the same one if they are such an array."""
    if isinstance(elements, np.ndarray):
        return np.asarray(elements, np.intp)
    return np.array(list(elements), np.intp)


def left_out(
    document: MapDocument, plane: PlaneSpec, elements: Iterable[int], *, erasing: bool = False
) -> LeftOut:
    """Return the places of a plane that ``paint`` (or erasing) leaves out."""
    index = _index_array(elements)
    return targets.left_out(
        document.battlemap, document.active_layer_id, plane.name, index, erasing=erasing
    )


def mark_corners(preview: Preview, barred: LeftOut) -> Preview:
    """Return the preview with corners marked as left out, their layers named."""
    texts = [preview.note, targets.left_out_words(barred.layers)]
    text = " - ".join(filter(None, texts))
    return replace(preview, left_out_corners=barred.elements, note=text)


def mark_left_out(
    document: MapDocument, preview: Preview, barred: LeftOut, *, sides: bool = False
) -> Preview:
    """Return the preview with cells (or ``sides``) marked as left out, their layers named."""
    if not barred.layers:
        return preview
    # As keys of a dict, so that a note which says the same already is not said twice.
    texts = dict.fromkeys([preview.note, targets.left_out_words(barred.layers)])
    preview = replace(preview, note=" - ".join(filter(None, texts)))
    if sides:
        degree = document.battlemap.grid.degree
        barred_sides = [CellSide(*divmod(index, degree)) for index in barred.elements.tolist()]
        return replace(preview, left_out_sides=(*preview.left_out_sides, *barred_sides))

    terrains = preview.terrains
    if terrains is not None:
        terrains = np.where(np.isin(preview.cells, barred.elements), -1, terrains)
    cells = np.union1d(preview.left_out, barred.elements)
    return replace(preview, left_out=cells, terrains=terrains)
