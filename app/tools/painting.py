"""Painting and erasing by hand with the active layer, for tools and commands.

``paint`` returns the edit, ``left_out`` the cells that stay as they are since a locked layer sets
them, and ``mark_left_out`` shows those in a preview. Each value goes into the layer that is its
target (``randomizer.model.hand.targets``). No other code of the desk writes values of planes by
hand.
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
    """Return the edit after which elements of a plane show these values; None for no change.

    ``elements`` are flat indices of cells, sides or corners, ``values`` is one number for all of
    them or an array (n,). Other planes get the values that the system paints along with these
    (``System.painted_with``).
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

    # Elements that are left out of the plane itself get no other values along with it either.
    barred = targets.left_out(battlemap, active_layer_id, plane.name, index).elements
    is_free = ~np.isin(index, barred)
    free_index = index[is_free]
    for name, plane_values in values_by_plane.items():
        free_values = plane_values[is_free]
        edits.append(targets.paint(battlemap, active_layer_id, name, free_index, free_values))
    return compound(edits)


def _index_array(elements: Iterable[int]) -> NDArray[np.intp]:
    """Return indices as an array (n,); no copy if they are one already."""
    if isinstance(elements, np.ndarray):
        return np.asarray(elements, np.intp)
    return np.array(list(elements), np.intp)


def left_out(
    document: MapDocument, plane: PlaneSpec, elements: Iterable[int], *, erasing: bool = False
) -> LeftOut:
    """Return the elements of a plane that painting, or ``erasing``, would leave out.

    They are those that a locked layer sets, with the names of such layers.
    """
    index = _index_array(elements)
    return targets.left_out(
        document.battlemap, document.active_layer_id, plane.name, index, erasing=erasing
    )


def mark_corners(preview: Preview, barred: LeftOut) -> Preview:
    """Return the preview with corners marked as left out; its note names the layers."""
    note = _joined_notes(preview.note, targets.left_out_words(barred.layers))
    return replace(preview, left_out_corners=barred.elements, note=note)


def mark_left_out(
    document: MapDocument, preview: Preview, barred: LeftOut, *, sides: bool = False
) -> Preview:
    """Return the preview with cells, or ``sides``, marked as left out; its note names layers."""
    if not barred.layers:
        return preview
    note = _joined_notes(preview.note, targets.left_out_words(barred.layers))
    preview = replace(preview, note=note)
    if sides:
        degree = document.battlemap.grid.degree
        barred_sides = [CellSide(*divmod(index, degree)) for index in barred.elements.tolist()]
        return replace(preview, left_out_sides=(*preview.left_out_sides, *barred_sides))

    terrains = preview.terrains
    if terrains is not None:
        terrains = np.where(np.isin(preview.cells, barred.elements), -1, terrains)
    cells = np.union1d(preview.left_out, barred.elements)
    return replace(preview, left_out=cells, terrains=terrains)


def _joined_notes(note: str, further_note: str) -> str:
    """Return two notes as one; a note that is "" or the same as the other one is left out."""
    notes = dict.fromkeys([note, further_note])
    return " - ".join(text for text in notes if text)
