"""What tools and commands paint and erase with the active layer, and what is left out of that.

Each value goes into its target (``randomizer.model.hand.targets``): nothing else of the desk writes
values of planes by hand.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

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
    active = document.active_layer_id
    index = np.asarray(elements if isinstance(elements, np.ndarray) else list(elements), np.intp)
    edit = targets.paint(battlemap, active, plane.name, index, values)
    new_values = np.broadcast_to(np.asarray(values), index.shape)
    more = battlemap.system.painted_with(
        battlemap.grid, document.composite, plane.name, index, new_values
    )
    # A flat map stays one: water would only say what is so, and a file would get a plane for it.
    used_planes = {name for layer in battlemap.layers for name in layer.planes}
    more = {name: plane_values for name, plane_values in more.items() if name in used_planes}
    if not more:
        return edit
    barred = targets.left_out(battlemap, active, plane.name, index).elements
    free = ~np.isin(index, barred)
    return compound(
        [
            edit,
            *(
                targets.paint(battlemap, active, name, index[free], plane_values[free])
                for name, plane_values in more.items()
            ),
        ]
    )


def left_out(
    document: MapDocument, plane: PlaneSpec, elements: Iterable[int], *, erasing: bool = False
) -> LeftOut:
    """Return the places of a plane that ``paint`` (or erasing) leaves out."""
    index = np.asarray(elements if isinstance(elements, np.ndarray) else list(elements), np.intp)
    battlemap = document.battlemap
    active = document.active_layer_id
    return targets.left_out(battlemap, active, plane.name, index, erasing=erasing)


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
    texts = [preview.note, targets.left_out_words(barred.layers)]
    preview = replace(preview, note=" - ".join(filter(None, dict.fromkeys(texts))))
    if sides:
        degree = document.battlemap.grid.degree
        at = [CellSide(*divmod(index, degree)) for index in barred.elements.tolist()]
        return replace(preview, left_out_sides=(*preview.left_out_sides, *at))
    terrains = preview.terrains
    if terrains is not None:
        terrains = np.where(np.isin(preview.cells, barred.elements), -1, terrains)
    cells = np.union1d(preview.left_out, barred.elements)
    return replace(preview, left_out=cells, terrains=terrains)
