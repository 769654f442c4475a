"""Texts about a cell, side or corner: what the map shows there, and what set it.

``explain`` is the text for a point of the map, in the status bar; ``explain_cell``,
``explain_side`` and ``explain_corner`` are its parts. ``accessible_text`` is the text for a screen
reader. Such a text has *values* ("Volcano, elevation 2") and, behind a dash, their *sources*: the
line of the script that set a value, or the layer into which a hand painted it::

    D4 Volcano, elevation 2 - Mountains.rnd line 8, AREA (innermost)
    C3 Tree - by hand, layer Woods (the next roll keeps it)
"""

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
from randomizer.model.map.layer import Layer, roll_name
from randomizer.model.map.things_at import thing_text, things_on_cell
from randomizer.model.planes.composite import Composite
from randomizer.model.planes.corners import corners_of, heights_around
from randomizer.model.planes.planes import TOUCHED, Element
from randomizer.model.rolls.rolled_layers import parts_from, rolled_layer
from randomizer.model.rolls.touch_ups import touch_ups_name
from randomizer.model.system.system import System

if TYPE_CHECKING:
    from app.document.document import MapDocument

CORNER_WORDS = ("north-west", "north-east", "south-east", "south-west")
"""The corners of a square, in the order of the layout."""

NOT_SET = "neither rolled nor painted"
"""The source of a value that is the default of its plane."""

ROLLED_AGAIN = "(the next roll may change it)"
"""What is said of a value that a roll set, where another one of the same cell stays."""

MOST_THINGS = 3
"""At most so many things of a cell are named, the others are counted: the text is one line."""


def explain(
    document: MapDocument,
    hit: Hit,
    instead: Composite | None = None,
    *,
    has_corner: bool = True,
) -> str:
    """Return the text for a point of the map: of its edge if that has a hexside, else of its cell.

    Behind that of a cell stands that of its nearest corner, unless ``has_corner`` is False.
    ``instead`` is what the canvas shows in place of the map: a table while it is being rolled. Then
    the text has values only, since nothing on the map has set them.
    """
    if instead is not None:
        name = document.battlemap.system.cell_name(document.battlemap.grid, hit.cell)
        values = ", ".join(_values_on_cell(document, hit.cell, instead))
        return f"{name} {values} - so far"
    if hit.near_edge:
        side_text = explain_side(document, hit)
        if side_text:
            return side_text
    cell_text = explain_cell(document, hit.cell)
    if not has_corner:
        return cell_text
    corner_text = explain_corner(document, hit, cell_text)
    if not corner_text:
        return cell_text
    return f"{cell_text}; {corner_text}"


def explain_cell(document: MapDocument, cell: int) -> str:
    """Return the text for a cell: its name, its values, and what set them."""
    system = document.battlemap.system
    name = system.cell_name(document.battlemap.grid, cell)
    values = ", ".join(_values_on_cell(document, cell))
    text = f"{name} {values}".rstrip()
    explanation = system.explain(document.battlemap, cell, at_once=True)
    if explanation is not None and explanation.short:
        text = f"{text} - {explanation.short}"
    if system.offers(System.describe):
        return " - ".join([text, *_sources_of_all_planes(document, cell)])
    if system.terrain is None:
        return text
    sources = ", ".join(_sources_of_cell(document, cell))
    return f"{text} - {sources or NOT_SET}"


def _sources_of_cell(document: MapDocument, cell: int) -> list[str]:
    """Return what set terrain, elevation and cell list of a cell; [] if nothing did.

    The source of the terrain stands alone, the others are named: ``elevation by hand, layer
    Hills``. A source of several of them is given once, for the first. If the next roll keeps one of
    terrain and elevation, because a hand set it, the text of the other says that it may change.
    """
    system = document.battlemap.system
    titles_by_plane = {}
    if system.terrain is not None:
        titles_by_plane[system.terrain.name] = ""
    if system.elevation is not None:
        titles_by_plane[system.elevation.name] = "elevation "

    titles_by_source: dict[str, str] = {}
    one_stays = any(_is_kept_by_next_roll(document, name, cell) for name in titles_by_plane)
    for name, title in titles_by_plane.items():
        source = _source(document, name, "origin", cell)
        if one_stays and _is_set_by_next_roll(document, name, cell):
            source = f"{source or NOT_SET} {ROLLED_AGAIN}"
        if source:
            titles_by_source.setdefault(source, title)

    cell_list = system.cell_list
    if cell_list is not None and _is_listed(document, cell, document.composite):
        source = _source_of_property(document, cell_list.name)
        if source:
            titles_by_source.setdefault(source, f"{cell_list.label.lower()} ")
    return [title + source for source, title in titles_by_source.items()]


def _source_of_property(document: MapDocument, name: str) -> str:
    """Return what set a property of the map, such as the list of cells; "" if nothing did."""
    layer = document.battlemap.property_owner(name)
    if layer is None:
        return ""
    if layer.roll is None:
        return _layer_text(document, layer)
    if name in layer.touched_properties:
        return _touched_text(document, layer, is_locked=False)
    return f"layer {layer.name}"


def _is_listed(document: MapDocument, cell: int, composite: Composite) -> bool:
    """Return whether a cell is on the cell list of the map, a property that names cells."""
    battlemap = document.battlemap
    names = battlemap.system.listed_cells(composite.properties)
    return bool(names) and battlemap.system.cell_name(battlemap.grid, cell) in names


def explain_corner(document: MapDocument, hit: Hit, text_before: str = "") -> str:
    """Return the text about the nearest corner; "" on maps whose corners have no heights.

    Such as ``corner 3, 4: height 120 - by hand, layer Hills``. ``text_before`` is the text that
    stands before it on the screen: if it ends with the same source, that is not repeated.
    """
    battlemap = document.battlemap
    spec = battlemap.system.corner_heights
    heights = document.composite.plane(spec)
    if spec is None or heights is None or hit.corner < 0:
        return ""
    name = battlemap.system.corner_name(battlemap.grid, hit.corner)
    height = battlemap.system.height_scale.words(float(heights.flat[hit.corner]))
    text = f"{name}: height {height}"
    if battlemap.locks(Element.CORNER).flat[hit.corner]:
        text += ", locked"
    # "": no plane tells which line of a script set the height of a corner.
    source = _source(document, spec.name, "", hit.corner) or NOT_SET
    if text_before.endswith(f" - {source}"):
        return text
    return f"{text} - {source}"


def _height_texts(battlemap: BattleMap, composite: Composite, cell: int) -> list[str]:
    """Return ``mean height 118`` and ``12 under water``, for the mean of a cell's corners.

    [] on maps whose corners have no heights.
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


def _sources_of_all_planes(document: MapDocument, cell: int) -> list[str]:
    """Return what set the values of a cell that are not the default of their plane, each once."""
    sources = []
    for spec in document.battlemap.system.shown_planes:
        if spec.element is not Element.CELL:
            continue  # sides and corners have texts of their own
        if document.composite.planes[spec.name].flat[cell] != spec.default:
            sources.append(_source(document, spec.name, "origin", cell) or NOT_SET)
    return list(dict.fromkeys(sources))


def _values_on_cell(
    document: MapDocument, cell: int, instead: Composite | None = None
) -> list[str]:
    """Return the values of a cell as texts, then the things on it.

    The values are terrain, elevation, routes, heights of corners, cell list and lock. ``instead``
    is what the canvas shows in place of the map: a roll of the gallery, for example.
    """
    battlemap = document.battlemap
    composite = instead
    if composite is None:
        composite = document.composite
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
        texts = value_texts(battlemap, values) + _height_texts(battlemap, composite, cell)
    if system.cell_list is not None and _is_listed(document, cell, composite):
        texts.append(f"on the {system.cell_list.label.lower()}")
    if battlemap.locked_cells.flat[cell]:
        texts.append("locked")
    return texts + _things_on(document, cell)


def _things_on(document: MapDocument, cell: int) -> list[str]:
    """Return the visible things on a cell as texts, the topmost first, up to ``MOST_THINGS``.

    The last text counts the others: ``2 more things``.
    """
    topmost_first = things_on_cell(document.battlemap, cell)[::-1]
    if not topmost_first:
        return []
    kinds = kinds_by_name(document.battlemap)
    texts = [thing_text(thing, kinds) for thing in topmost_first[:MOST_THINGS]]
    unnamed_count = len(topmost_first) - len(texts)
    if unnamed_count:
        texts.append(f"{unnamed_count:,} more {many(unnamed_count, 'thing')}")
    return texts


def value_texts(battlemap: BattleMap, values: Mapping[str, int]) -> list[str]:
    """Return values of a cell, by the names of their planes, as texts: ``Tree``, ``elevation 1``.

    Planes that are none of terrain, elevation and routes have no text.
    """
    texts = []
    system = battlemap.system
    terrain_set = battlemap.terrain_set
    if system.terrain is not None and system.terrain.name in values:
        texts.append(terrain_set.terrains[values[system.terrain.name]].name)
    if system.elevation is not None and system.elevation.name in values:
        texts.append(system.elevation_text(values[system.elevation.name]))
    for route in system.routes_of(terrain_set):
        if route.plane in values and route.runs(np.array(values[route.plane])):
            texts.append(route.name)
    return texts


def accessible_text(
    document: MapDocument, cell: int, side: int | None = None, corner: int | None = None
) -> str:
    """Return the text for a screen reader: of a cell, or of one of its sides or corners (0 to 3).

    The text of a cell is such as ``D4, Tree, elevation 1, slope to the north, selected``.
    """
    if corner is not None:
        return _accessible_corner(document, cell, corner)
    if side is not None:
        return _accessible_side(document, cell, side)
    battlemap = document.battlemap
    grid = battlemap.grid
    texts = [battlemap.system.cell_name(grid, cell), *_values_on_cell(document, cell)]
    for cell_side in range(grid.degree):
        hexsides = _hexsides_on_edge(document, cell, cell_side)
        if hexsides:
            texts.append(f"{hexsides} to the {grid.layout.side_names[cell_side]}")
    if cell in document.selection.cells:
        texts.append("selected")
    return ", ".join(texts)


def _accessible_corner(document: MapDocument, cell: int, corner: int) -> str:
    """Return such as ``north-west corner of D4, height 120``."""
    battlemap = document.battlemap
    system = battlemap.system
    text = f"{CORNER_WORDS[corner]} corner of {system.cell_name(battlemap.grid, cell)}"
    heights = document.composite.plane(system.corner_heights)
    if heights is None:
        return text
    index = int(corners_of(battlemap.grid, np.array([cell]))[0, corner])
    return f"{text}, height {system.height_scale.words(float(heights.flat[index]))}"


def _accessible_side(document: MapDocument, cell: int, side: int) -> str:
    """Return such as ``north side of D4, towards D5, slope``."""
    grid = document.battlemap.grid
    system = document.battlemap.system
    side_text = f"{grid.layout.side_names[side]} side of {system.cell_name(grid, cell)}"
    neighbour = grid.neighbour(cell, side)
    if neighbour < 0:
        direction = "the rim"
    else:
        direction = f"towards {system.cell_name(grid, neighbour)}"
    hexsides = _hexsides_on_edge(document, cell, side)
    return ", ".join((side_text, direction, hexsides or "nothing there"))


def _hexsides_on_edge(document: MapDocument, cell: int, side: int) -> str:
    """Return the hexsides on an edge, which both cells at it can have; "" if neither has one.

    Such as ``slope``, ``dune of the other hex``, or ``slope and dune of the other hex``.
    """
    names = []
    name = _hexside_name(document, CellSide(cell, side))
    if name:
        names.append(name)
    grid = document.battlemap.grid
    twin = grid.twin(cell, side)
    if twin is not None:
        twin_name = _hexside_name(document, CellSide(*twin))
        if twin_name:
            names.append(f"{twin_name} of the other {cell_words(grid.layout).cell}")
    return " and ".join(names)


def _hexside_name(document: MapDocument, cell_side: CellSide) -> str:
    """Return the name of the hexside that a cell has on one of its sides; "" for none."""
    battlemap = document.battlemap
    hexsides = document.composite.plane(battlemap.system.hexside)
    if hexsides is None:
        return ""
    code = int(hexsides.flat[side_index(battlemap, cell_side)])
    if code == 0:
        return ""
    return battlemap.terrain_set.hexsides[code - 1].name.lower()


def explain_side(document: MapDocument, hit: Hit) -> str:
    """Return the text for an edge: the hexsides of both cells at it, and what set them.

    Such as ``Slope on the north of D4 (the high side) - by hand, layer Hills``; "" if the edge has
    no hexside.
    """
    twin = document.battlemap.grid.twin(hit.cell, hit.side)
    texts = [_explain_hexside(document, CellSide(hit.cell, hit.side))]
    if twin is not None:
        texts.append(_explain_hexside(document, CellSide(*twin)))
    return "; ".join(filter(None, texts))


def _explain_hexside(document: MapDocument, cell_side: CellSide) -> str:
    """Return the text for the hexside that a cell has on one of its sides; "" for none."""
    battlemap = document.battlemap
    spec = battlemap.system.hexside
    hexsides = document.composite.plane(spec)
    if spec is None or hexsides is None:
        return ""
    index = side_index(battlemap, cell_side)
    code = int(hexsides.flat[index])
    if code == 0:
        return ""
    hexside = battlemap.terrain_set.hexsides[code - 1]
    side = battlemap.grid.layout.side_names[cell_side.side]
    cell = battlemap.system.cell_name(battlemap.grid, cell_side.cell)
    text = f"{hexside.name} on the {side} of {cell}"
    if hexside.higher and _is_high_side(document, cell_side):
        text += " (the high side)"
    if battlemap.locked_sides.flat[index]:
        text += ", locked"
    source = _source(document, spec.name, "side_origin", index) or NOT_SET
    return f"{text} - {source}"


def _is_high_side(document: MapDocument, cell_side: CellSide) -> bool:
    """Return whether a cell is higher than its neighbour on a side."""
    battlemap = document.battlemap
    elevations = document.composite.plane(battlemap.system.elevation)
    twin = battlemap.grid.twin(cell_side.cell, cell_side.side)
    if elevations is None or twin is None:
        return False
    return bool(elevations.flat[cell_side.cell] > elevations.flat[twin[0]])


def _source(document: MapDocument, plane: str, origin_plane: str, index: int) -> str:
    """Return the layer, or the line of a script, that set an element of a plane; "" if none did.

    ``origin_plane`` is the plane of a rolled layer that has, at the same flat ``index``, a position
    in ``Roll.origins``, the texts of the lines; "" if there is none for this plane.
    """
    battlemap = document.battlemap
    layer = battlemap.owner(plane, index)
    if layer is None:
        return ""
    if layer.roll is None:
        return _layer_text(document, layer)
    touched = layer.planes.get(TOUCHED + plane)
    if touched is not None and touched.flat[index]:
        locks = battlemap.locks(battlemap.system.plane(plane).element)
        return _touched_text(document, layer, is_locked=bool(locks.flat[index]))
    origins = layer.planes.get(origin_plane)
    if origins is not None:
        line_number = int(origins.flat[index])
        # A damaged or older file can have a number for which the roll has no line.
        if 0 <= line_number < len(layer.roll.origins):
            return f"{layer.roll.script_name} {layer.roll.origins[line_number]}"
    if layer.name == roll_name(layer):
        return f"layer {layer.roll.source_name}"  # seed and number stand beside the button Roll
    return f"layer {layer.name}"


def _layer_text(document: MapDocument, layer: Layer) -> str:
    """Return the source of a value in a layer that was not rolled."""
    if layer.from_file:  # nothing tells what was painted into it since it was opened
        return f"layer {layer.name}, opened from a file"
    return f"by hand, layer {layer.name}{_next_roll_text(document, layer)}"


def _touched_text(document: MapDocument, layer: Layer, *, is_locked: bool) -> str:
    """Return the source of a value that a hand set in a rolled layer.

    The layer that the next roll moves it to is named instead of the rolled one, so that the text
    has room in the status bar.
    """
    next_roll_text = ""
    if not is_locked:  # else the next roll keeps it where it is, as its locks say
        next_roll_text = _next_roll_text(document, layer)
    if next_roll_text:
        return f"by hand{next_roll_text}"
    return f"by hand, layer {layer.name}"


def _is_kept_by_next_roll(document: MapDocument, plane: str, index: int) -> bool:
    """Return whether the next roll keeps a value because a hand set it, not because of a lock."""
    battlemap = document.battlemap
    layer = battlemap.owner(plane, index)
    is_locked = bool(battlemap.locks(battlemap.system.plane(plane).element).flat[index])
    if layer is None or layer.from_file or is_locked:
        return False
    touched = layer.planes.get(TOUCHED + plane)
    is_touched = touched is not None and bool(touched.flat[index])
    if layer.roll is not None and not is_touched:
        return False  # the script set it
    return bool(_next_roll_text(document, layer))


def _is_set_by_next_roll(document: MapDocument, plane: str, index: int) -> bool:
    """Return whether the next roll replaces a value, or may set one that no layer has set.

    It may set one if the present roll sets values of that plane anywhere.
    """
    battlemap = document.battlemap
    target = rolled_layer(battlemap, document.active_layer)
    if target is None or _is_kept_by_next_roll(document, plane, index):
        return False
    roll_positions = parts_from(battlemap, target.id)
    layer = battlemap.owner(plane, index)
    if layer is not None:
        return battlemap.index_of(layer.id) in roll_positions
    spec = battlemap.system.plane(plane)
    for position in roll_positions:
        values = battlemap.layers[position].planes.get(plane)
        if values is None:
            continue
        is_set = (values != spec.unset) & (values != spec.default)
        if is_set.any():
            return True
    return False


def _next_roll_text(document: MapDocument, layer: Layer) -> str:
    """Return whether the next roll keeps what a hand set in a layer, as text in brackets.

    "" if the next roll replaces none on the map; and for a layer below the roll, which the next
    roll can cover.
    """
    battlemap = document.battlemap
    target = rolled_layer(battlemap, document.active_layer)
    if target is None or target.locked:
        return ""
    roll_positions = parts_from(battlemap, target.id)  # one roll can have several layers
    position = battlemap.index_of(layer.id)
    if position > roll_positions[-1]:
        return " (the next roll keeps it)"
    if position in roll_positions:
        # The next roll moves it to the layer of touch-ups.
        return f" (the next roll keeps it, in {touch_ups_name(battlemap, roll_positions)})"
    return ""
