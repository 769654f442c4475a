"""In words: what is under the mouse, and why it is so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.tools import SidePlace, side_index
from randomizer.battlemap import TOUCHED, Layer

if TYPE_CHECKING:
    from app.document import MapDocument
    from randomizer.grid import Hit


def explain(document: MapDocument, hit: Hit) -> str:
    """``D4 Volcano, elevation 2 - Mountains.rnd line 8, AREA (innermost)``, or of an edge."""
    if hit.near_edge:
        text = explain_side(document, hit)
        if text:
            return text
    return explain_cell(document, hit.cell)


def explain_cell(document: MapDocument, cell: int) -> str:
    """What stands on a cell, and where it comes from."""
    battlemap = document.battlemap
    system, grid = battlemap.system, battlemap.grid
    name = system.cell_name(grid, cell)
    planes = document.composite.planes
    terrain = system.terrain_set.terrains[int(planes["terrain"].flat[cell])].name
    words = [f"{name} {terrain}, elevation {int(planes['elevation'].flat[cell])}"]
    if name in (document.composite.startlist or ()):
        words.append("on the start list")
    if battlemap.locked_cells.flat[cell]:
        words.append("locked")
    return f"{', '.join(words)} - {_reason(document, 'terrain', 'origin', cell)}"


def explain_side(document: MapDocument, hit: Hit) -> str:
    """The hexsides of an edge, each with its owner and where it comes from; "" if there is none."""
    battlemap = document.battlemap
    system, grid = battlemap.system, battlemap.grid
    here = SidePlace(hit.cell, hit.side)
    twin = grid.twin(*here)
    places = [here] if twin is None else [here, SidePlace(*twin)]
    texts = []
    for place in places:
        index = side_index(battlemap, place)
        code = int(document.composite.planes["hexside"].flat[index])
        if not code:
            continue
        hexside = system.terrain_set.hexsides[code - 1]
        name = system.cell_name(grid, place.cell)
        side = grid.layout.side_names[place.side]
        high = " (the high side)" if hexside.higher else ""
        locked = ", locked" if battlemap.locked_sides.flat[index] else ""
        reason = _reason(document, "hexside", "side_origin", index)
        texts.append(f"{hexside.name} on the {side} of {name}{high}{locked} - {reason}")
    return "; ".join(texts)


def _reason(document: MapDocument, plane: str, origin_plane: str, index: int) -> str:
    layer = document.battlemap.owner(plane, index)
    if layer is None:
        return "not set on any layer"
    return _origin(layer, plane, origin_plane, index)


def _origin(layer: Layer, plane: str, origin_plane: str, index: int) -> str:
    touched = layer.planes.get(TOUCHED + plane)
    if layer.roll is None or (touched is not None and touched.flat[index]):
        return f"by hand, layer {layer.name}"
    origin = layer.planes.get(origin_plane)
    number = -1 if origin is None else int(origin.flat[index])
    if 0 <= number < len(layer.roll.origins):
        return f"{layer.roll.script_name} {layer.roll.origins[number]}"
    return f"layer {layer.name}"
