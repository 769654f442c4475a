"""Texts about a cell or side: what the map shows there and which layer or script line set it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from app.tools.pointer import CellSide, side_index
from randomizer.model.basics.plurals import many
from randomizer.model.grid.cell_words import cell_words
from randomizer.model.grid.grid import Hit
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.kinds_on_map import kinds_by_name
from randomizer.model.map.layer import Layer
from randomizer.model.map.things_at import on_cell, thing_text
from randomizer.model.planes.composite import Composite
from randomizer.model.planes.corners import corners_of, heights_around
from randomizer.model.planes.planes import TOUCHED, Place
from randomizer.model.rolls.rolled_layers import parts_from, rolled_layer
from randomizer.model.rolls.touch_ups import touch_ups_name
from randomizer.model.system.system import System

if TYPE_CHECKING:
    from app.document.document import MapDocument

CORNER_WORDS = ("north-west", "north-east", "south-east", "south-west")
"""The corners of a square, in the order of the layout."""

NOT_SET = "neither rolled nor painted"

ROLLED_AGAIN = "(the next roll may change it)"

MOST_THINGS = 3
"""At most so many things of a cell are named."""


def explain(document: MapDocument, hit: Hit, instead: Composite | None = None) -> str:
    """``D4 Volcano, elevation 2 - Mountains.rnd line 8, AREA (innermost)``, or that of an edge.

    ``instead``: what the canvas shows in place of the map (a table while it is being rolled).
    """
    if instead is not None:
        name = document.battlemap.system.cell_name(document.battlemap.grid, hit.cell)
        return f"{name} {', '.join(_on_cell(document, hit.cell, instead))} - so far"
    if hit.near_edge:
        text = explain_side(document, hit)
        if text:
            return text
    cell = explain_cell(document, hit.cell)
    return "; ".join(filter(None, (cell, explain_corner(document, hit, cell))))


def explain_cell(document: MapDocument, cell: int) -> str:
    """Return the text for a cell: name, values, and which layer or script line set them."""
    system = document.battlemap.system
    name = system.cell_name(document.battlemap.grid, cell)
    words = f"{name} {', '.join(_on_cell(document, cell))}".rstrip()
    why = system.explain(document.battlemap, cell, True)
    if why is not None and why.short:
        words = f"{words} - {why.short}"
    if system.offers(System.describe):
        return " - ".join([words, *_reasons(document, cell)])
    if system.terrain is None:
        return words
    return f"{words} - {', '.join(_sources(document, cell)) or NOT_SET}"


def _sources(document: MapDocument, cell: int) -> list[str]:
    """Return what set terrain, elevation and cell list of a cell, each source once; [] for nothing.

    That of the terrain stands alone, the others are named: ``elevation by hand, layer Hills``.
    Where a hand set one of terrain and elevation and the next roll keeps only that one, this is
    said of the other.
    """
    system = document.battlemap.system
    battlemap = document.battlemap
    result: dict[str, str] = {}
    titles_by_plane = {
        spec.name: title
        for spec, title in ((system.terrain, ""), (system.elevation, "elevation "))
        if spec is not None
    }
    kept_planes = [name for name in titles_by_plane if _is_kept_by_next_roll(document, name, cell)]
    for name, title in titles_by_plane.items():
        reason = _source(document, name, "origin", cell)
        if kept_planes and _is_set_by_next_roll(document, name, cell):
            reason = f"{reason or NOT_SET} {ROLLED_AGAIN}"
        if reason:
            result.setdefault(reason, title)
    cell_list = system.cell_list
    if cell_list is not None and _is_listed(document, cell, document.composite):
        layer = battlemap.property_owner(cell_list.name)
        if layer is not None:
            if layer.roll is None:
                reason = _layer_text(document, layer)
            elif cell_list.name in layer.touched_properties:
                reason = _touched_text(document, layer, is_locked=False)
            else:
                reason = f"layer {layer.name}"
            result.setdefault(reason, f"{cell_list.label.lower()} ")
    return [title + reason for reason, title in result.items()]


def _is_listed(document: MapDocument, cell: int, composite: Composite) -> bool:
    """Return whether a cell is on the cell list of the map."""
    battlemap = document.battlemap
    names = battlemap.system.listed_cells(composite.properties)
    return bool(names) and battlemap.system.cell_name(battlemap.grid, cell) in names


def explain_corner(document: MapDocument, hit: Hit, text_before: str = "") -> str:
    """Return the text about a corner; "" where corners have no heights.

    ``corner 3, 4: height 120 - by hand, layer Hills``.

    ``text_before`` is the text of the cell: the origin of the height is left out if that text
    ends with the same one.
    """
    battlemap = document.battlemap
    spec = battlemap.system.corner_heights
    heights = document.composite.plane(spec)
    if spec is None or heights is None or hit.corner < 0:
        return ""
    if battlemap.locks(Place.CORNER).flat[hit.corner]:
        locked = ", locked"
    else:
        locked = ""
    name = battlemap.system.corner_name(battlemap.grid, hit.corner)
    reason = _reason(document, spec.name, "", hit.corner)
    height = battlemap.system.height_scale.words(float(heights.flat[hit.corner]))
    text = f"{name}: height {height}{locked}"
    if text_before.endswith(f" - {reason}"):
        return text
    return f"{text} - {reason}"


def _land(battlemap: BattleMap, composite: Composite, cell: int) -> list[str]:
    """Return the texts about the land of a cell with heights at its corners, [] without these.

    ``mean height 118``, ``12 under water``.
    """
    system = battlemap.system
    heights = composite.plane(system.corner_heights)
    if heights is None:
        return []
    mean = float(heights_around(battlemap.grid, heights, np.array([cell])).mean())
    texts = [f"mean height {system.height_scale.words(mean)}"]
    level = system.water_level(battlemap)
    if level is not None and mean < level:
        texts.append(f"{system.height_scale.difference(level - mean)} under water")
    return texts


def _reasons(document: MapDocument, cell: int) -> list[str]:
    """Return the origins of a cell's planes that are not at their default, each once."""
    result = []
    for spec in document.battlemap.system.shown_planes:
        if spec.place is Place.CORNER:
            continue
        if document.composite.planes[spec.name].flat[cell] != spec.default:
            result.append(_reason(document, spec.name, "origin", cell))
    return list(dict.fromkeys(result))


def _on_cell(document: MapDocument, cell: int, instead: Composite | None = None) -> list[str]:
    """Return the texts about a cell: terrain, elevation, ways, land, list, lock and things.

    ``instead`` is what the canvas shows in place of the map (a roll of the gallery).
    """
    battlemap = document.battlemap
    composite = instead or document.composite
    system = battlemap.system
    # A system can describe its cells in words of its own, which then stand for all values.
    description = system.describe(battlemap, composite.planes, cell)
    if description:
        texts = [description]
    else:
        values = {}
        for spec in (system.terrain, system.elevation, *system.ways):
            if spec is not None:
                values[spec.name] = int(composite.planes[spec.name].flat[cell])
        texts = value_texts(battlemap, values) + _land(battlemap, composite, cell)
    if system.cell_list is not None and _is_listed(document, cell, composite):
        texts.append(f"on the {system.cell_list.label.lower()}")
    if battlemap.locked_cells.flat[cell]:
        texts.append("locked")
    return texts + _things_on(document, cell)


def _things_on(document: MapDocument, cell: int) -> list[str]:
    """Return the visible things on a cell, the topmost first; many are counted."""
    things = on_cell(document.battlemap, cell)[::-1]
    kinds = kinds_by_name(document.battlemap) if things else {}
    texts = [thing_text(thing, kinds) for thing in things[:MOST_THINGS]]
    more = len(things) - len(texts)
    if more:
        return [*texts, f"{more:,} more {many(more, 'thing')}"]
    return texts


def value_texts(battlemap: BattleMap, values: Mapping[str, int]) -> list[str]:
    """``Tree``, ``elevation 1``: the values of a cell, by the names of planes, as texts."""
    words = []
    system = battlemap.system
    terrain_set = battlemap.terrain_set
    if system.terrain is not None and system.terrain.name in values:
        words.append(terrain_set.terrains[values[system.terrain.name]].name)
    if system.elevation is not None and system.elevation.name in values:
        words.append(system.elevation_text(values[system.elevation.name]))
    for route in system.routes_of(terrain_set):
        if route.plane in values and route.runs(np.array(values[route.plane])):
            words.append(route.name)
    return words


def accessible_text(
    document: MapDocument, cell: int, side: int | None = None, corner: int | None = None
) -> str:
    """Return the text of a cell, or of one of its sides or corners (0 to 3), for a screen reader.

    ``D4, Tree, elevation 1, slope to the north, selected``.
    """
    battlemap = document.battlemap
    system = battlemap.system
    grid = battlemap.grid
    name = system.cell_name(grid, cell)
    if corner is not None:
        index = int(corners_of(grid, np.array([cell]))[0, corner])
        heights = document.composite.plane(system.corner_heights)
        height = ""
        if heights is not None:
            height = f", height {system.height_scale.words(float(heights.flat[index]))}"
        return f"{CORNER_WORDS[corner]} corner of {name}{height}"
    if side is not None:
        across = grid.neighbour(cell, side)
        texts = [f"{grid.layout.side_names[side]} side of {name}"]
        texts.append("the rim" if across < 0 else f"towards {system.cell_name(grid, across)}")
        texts.append(_hexside_at(document, cell, side) or "nothing there")
        return ", ".join(texts)
    texts = [name, *_on_cell(document, cell)]
    for number in range(grid.degree):
        hexside = _hexside_at(document, cell, number)
        if hexside:
            texts.append(f"{hexside} to the {grid.layout.side_names[number]}")
    if cell in document.selection.cells:
        texts.append("selected")
    return ", ".join(texts)


def _hexside_at(document: MapDocument, cell: int, side: int) -> str:
    """Return the hexsides that the two cells at an edge have there; "" if neither has one.

    ``slope``, ``dune of the other hex``, or both with "and".
    """
    battlemap = document.battlemap
    hexsides = document.composite.plane(battlemap.system.hexside)
    if hexsides is None:
        return ""

    def name_at(cell_side: CellSide) -> str:
        code = int(hexsides.flat[side_index(battlemap, cell_side)])
        return battlemap.terrain_set.hexsides[code - 1].name.lower() if code else ""

    names = [name_at(CellSide(cell, side))]
    twin = battlemap.grid.twin(cell, side)
    if twin is not None:
        name_from_there = name_at(CellSide(*twin))
        if name_from_there:
            names.append(f"{name_from_there} of the other {cell_words(battlemap.grid.layout).cell}")
    return " and ".join(filter(None, names))


def explain_side(document: MapDocument, hit: Hit) -> str:
    """Return the text for an edge: its hexsides with owners and origins; "" if it has none."""
    battlemap = document.battlemap
    system = battlemap.system
    grid = battlemap.grid
    spec = system.hexside
    hexsides = document.composite.plane(system.hexside)
    if spec is None or hexsides is None:
        return ""
    cell_sides = [CellSide(hit.cell, hit.side)]
    twin = grid.twin(hit.cell, hit.side)
    if twin is not None:
        cell_sides.append(CellSide(*twin))
    texts = []
    for cell_side in cell_sides:
        index = side_index(battlemap, cell_side)
        code = int(hexsides.flat[index])
        if not code:
            continue
        hexside = battlemap.terrain_set.hexsides[code - 1]
        name = system.cell_name(grid, cell_side.cell)
        side = grid.layout.side_names[cell_side.side]
        high = " (the high side)" if hexside.higher else ""
        locked = ", locked" if battlemap.locked_sides.flat[index] else ""
        reason = _reason(document, spec.name, "side_origin", index)
        texts.append(f"{hexside.name} on the {side} of {name}{high}{locked} - {reason}")
    return "; ".join(texts)


def _reason(document: MapDocument, plane: str, origin_plane: str, index: int) -> str:
    return _source(document, plane, origin_plane, index) or NOT_SET


def _source(document: MapDocument, plane: str, origin_plane: str, index: int) -> str:
    """Return the layer, or the line of a script, that set an element of a plane; "" if none did.

    ``origin_plane`` has the numbers of lines of a roll, at the same ``index``.
    """
    battlemap = document.battlemap
    layer = battlemap.owner(plane, index)
    if layer is None:
        return ""
    if layer.roll is None:
        return _layer_text(document, layer)
    touched = layer.planes.get(TOUCHED + plane)
    if touched is not None and touched.flat[index]:
        locks = battlemap.locks(battlemap.system.plane(plane).place)
        return _touched_text(document, layer, is_locked=bool(locks.flat[index]))
    origins = layer.planes.get(origin_plane)
    if origins is not None:
        line_number = int(origins.flat[index])
        # A damaged or older file can name a line that the roll does not have.
        if 0 <= line_number < len(layer.roll.origins):
            return f"{layer.roll.script_name} {layer.roll.origins[line_number]}"
    return f"layer {layer.name}"


def _layer_text(document: MapDocument, layer: Layer) -> str:
    """Return where the values of a layer come from that was not rolled."""
    if layer.from_file:  # nothing tells what was painted into it since it was opened
        return f"layer {layer.name}, opened from a file"
    return f"by hand, layer {layer.name}{_next_roll_text(document, layer)}"


def _touched_text(document: MapDocument, layer: Layer, *, is_locked: bool) -> str:
    """Return the text for what a hand set in a rolled layer."""
    text = f"by hand, layer {layer.name}"
    if is_locked:  # the next roll keeps it where it is, as its locks say
        return text
    return text + _next_roll_text(document, layer)


def _is_kept_by_next_roll(document: MapDocument, plane: str, index: int) -> bool:
    """Return whether a hand set a value that the next roll keeps, without a lock."""
    battlemap = document.battlemap
    layer = battlemap.owner(plane, index)
    is_locked = bool(battlemap.locks(battlemap.system.plane(plane).place).flat[index])
    if layer is None or layer.from_file or is_locked:
        return False
    touched = layer.planes.get(TOUCHED + plane)
    is_rolled_value = layer.roll is not None and (touched is None or not touched.flat[index])
    return not is_rolled_value and bool(_next_roll_text(document, layer))


def _is_set_by_next_roll(document: MapDocument, plane: str, index: int) -> bool:
    """Return whether the next roll replaces a value of a script.

    Also whether it may set one that no layer has: where the roll of today sets such values at all.
    """
    battlemap = document.battlemap
    target = rolled_layer(battlemap, document.active_layer)
    if target is None or _is_kept_by_next_roll(document, plane, index):
        return False
    positions = parts_from(battlemap, target.id)
    layer = battlemap.owner(plane, index)
    if layer is None:
        spec = battlemap.system.plane(plane)
        rolled_values = (battlemap.layers[position].planes.get(plane) for position in positions)
        return any(
            bool(((values != spec.unset) & (values != spec.default)).any())
            for values in rolled_values
            if values is not None
        )
    return battlemap.index_of(layer.id) in positions


def _next_roll_text(document: MapDocument, layer: Layer) -> str:
    """Return what the next roll does to what a hand set in a layer, in brackets.

    That is "" where the map has no roll that the next one could replace, and below that roll, where
    the next one can cover what shows now.
    """
    battlemap = document.battlemap
    target = rolled_layer(battlemap, document.active_layer)
    if target is None or target.locked:
        return ""
    positions = parts_from(battlemap, target.id)
    position = battlemap.index_of(layer.id)
    if position > positions[-1]:
        return " (the next roll keeps it)"
    if position in positions:
        return f" (the next roll keeps it, in {touch_ups_name(battlemap, positions)})"
    return ""
