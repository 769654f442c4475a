"""Painting by hand, for tools and commands: no other code of the desk makes such edits.

A map has layers, and each layer has *planes*, arrays of the values of cells, sides or corners
(their *elements*). What is painted goes into the active layer, or into another one that
``randomizer.model.hand.targets`` chooses. If that layer is locked the element stays as it is: it is
*left out*. A tool paints cells, and shows in its preview which of them would be left out::

    edit = paint(document, system.terrain, cells, 3)
    preview = mark_left_out(document, preview, left_out(document, system.terrain, cells))
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
    from app.tools.preview import Preview
    from randomizer.model.hand.targets import LeftOut


NO_TERRAIN = -1
"""The value of ``Preview.terrains`` for a cell that is shown without a new terrain."""


def paint(
    document: MapDocument, plane: PlaneSpec, elements: Iterable[int], values: object
) -> Edit | None:
    """Return the edit that gives elements of a plane new values; None if that changes nothing.

    ``elements`` are n flat indices of cells, sides or corners, ``values`` is one number for all of
    them or an array (n,). Elements that are left out keep their values. Some systems paint other
    planes along with this one (``System.accompanying_changes``), such as elevations with water.
    """
    battlemap = document.battlemap
    active_layer_id = document.active_layer_id
    index = _index_array(elements)
    edits = [targets.paint(battlemap, active_layer_id, plane.name, index, values)]

    new_values = np.broadcast_to(np.asarray(values), index.shape)
    values_by_plane = battlemap.system.accompanying_changes(
        battlemap.grid, document.composite, plane.name, index, new_values
    )
    # Of the values painted along, only those of planes that the map uses already count. Otherwise
    # water that is painted on a flat map would give the map, and its file, a plane of elevations.
    used_planes: set[str] = set()
    for layer in battlemap.layers:
        used_planes.update(layer.planes)
    values_by_plane = {
        name: plane_values for name, plane_values in values_by_plane.items() if name in used_planes
    }
    if not values_by_plane:
        return edits[0]

    # Where the value itself is left out, the values along with it are left out, too.
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
    """Return which elements of a plane painting, or ``erasing``, would leave out, and why.

    They come with the names of the locked layers that set them.
    """
    index = _index_array(elements)
    return targets.left_out(
        document.battlemap, document.active_layer_id, plane.name, index, erasing=erasing
    )


def mark_corners(preview: Preview, barred: LeftOut) -> Preview:
    """Return the preview with the corners ``barred`` marked as left out; its note says why."""
    note = _joined_notes(preview.note, targets.left_out_words(barred.layers))
    return replace(preview, left_out_corners=barred.elements, note=note)


def mark_left_out(
    document: MapDocument, preview: Preview, barred: LeftOut, *, sides: bool = False
) -> Preview:
    """Return the preview with the elements ``barred`` marked as left out; its note says why.

    They are cells, or with ``sides`` flat indices of sides. A preview shows no new terrain in cells
    that are left out.
    """
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
        is_barred = np.isin(preview.cells, barred.elements)
        terrains = np.where(is_barred, NO_TERRAIN, terrains)
    cells = np.union1d(preview.left_out, barred.elements)
    return replace(preview, left_out=cells, terrains=terrains)


def _joined_notes(note: str, further_note: str) -> str:
    """Return two notes as one; a note that is "" or the same as the other one is left out."""
    notes = dict.fromkeys([note, further_note])
    return " - ".join(text for text in notes if text)
