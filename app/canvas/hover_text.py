"""Texts about a cell, side or corner: the values that the map shows there, and what set them.

``explain`` is the text for a point of the map, in the status bar; ``explain_cell`` and
``explain_side`` are parts of it. ``accessible_text`` is the text for a screen
reader. Such a text has *values* ("Volcano, elevation 2") and, behind a dash, their *sources*
(``value_sources``): the line of the script that set a value, or the layer into which it was painted
by hand::

    D4 Volcano, elevation 2 - Mountains.rnd line 8, AREA (innermost)
    C3 Tree - by hand, layer Woods (the next roll keeps it)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from app.canvas.value_sources import (
    OriginPlane,
    is_kept_by_next_roll,
    may_be_set_by_next_roll,
    source_of_property,
    source_of_value,
)
from app.tools.pointer import CellSide, side_index
from randomizer.model.basics.plurals import many
from randomizer.model.grid.cell_words import cell_words
from randomizer.model.grid.grid import Hit
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.kinds_on_map import kinds_by_name
from randomizer.model.map.things_at import thing_text, things_on_cell
from randomizer.model.planes.composite import Composite
from randomizer.model.planes.corners import corners_of, heights_around
from randomizer.model.planes.planes import Element
from randomizer.model.system.system import System

if TYPE_CHECKING:
    from app.document.document import MapDocument

NOT_SET = "neither rolled nor painted"
"""The source of a value that is the default of its plane."""

ROLLED_AGAIN = "(the next roll may change it)"
"""The remark on a rolled terrain or elevation if the other of the two, set by hand, stays."""

CORNER_WORDS = ("north-west", "north-east", "south-east", "south-west")
"""The corners of a square, in the order of the layout. No other grid has corners with heights."""

MAX_THINGS = 3
"""At most so many things of a cell are named, the others are counted: the text is one line."""


class _Explanation(NamedTuple):
    """The two halves of a text."""

    values: str
    """What is there: ``D4 Volcano, elevation 2``."""

    sources: tuple[str, ...] = ()
    """What set it: the layers or lines of the script, each behind a dash of its own."""

    @property
    def text(self) -> str:
        """Both halves: ``D4 Volcano, elevation 2 - layer Hills``."""
        return " - ".join((self.values, *self.sources))


def explain(document: MapDocument, hit: Hit, *, has_corner: bool = True) -> str:
    """Return the text for a point of the map.

    Near an edge that has a hexside it is that of the edge, else that of the cell, followed by that
    of its nearest corner unless ``has_corner`` is False.
    """
    if hit.near_edge:
        side_text = explain_side(document, hit)
        if side_text:
            return side_text
    cell = _explanation_of_cell(document, hit.cell)
    corner = None
    if has_corner:
        corner = _explanation_of_corner(document, hit)
    if corner is None:
        return cell.text
    if cell.sources[-1:] == corner.sources:  # one source for both is given once
        return f"{cell.text}; {corner.values}"
    return f"{cell.text}; {corner.text}"


def explain_composite(document: MapDocument, cell: int, composite: Composite) -> str:
    """Return the text for a cell where the canvas shows a composite in place of the map.

    Such as a table while it is being rolled: ``C4 Hill - so far``. There are no sources, since
    nothing on the map has set these values.
    """
    name = document.battlemap.system.cell_name(document.battlemap.grid, cell)
    values = ", ".join(_values_on_cell(document, cell, composite))
    return f"{name} {values} - so far"


def explain_cell(document: MapDocument, cell: int) -> str:
    """Return the text for a cell: its name, its values, and what set them."""
    return _explanation_of_cell(document, cell).text


def _explanation_of_cell(document: MapDocument, cell: int) -> _Explanation:
    """Return the name and values of a cell, and what set them."""
    system = document.battlemap.system
    name = system.cell_name(document.battlemap.grid, cell)
    values = ", ".join(_values_on_cell(document, cell, document.composite))
    text = f"{name} {values}".rstrip()
    # The system knows more, such as what a dice table asked for; at once, since the mouse moves on.
    explanation = system.explain(document.battlemap, cell, at_once=True)
    if explanation is not None and explanation.short:
        text = f"{text} - {explanation.short}"
    # A system that describes cells in words of its own does not say which value is which.
    if system.offers(System.describe):
        return _Explanation(text, tuple(_sources_of_all_planes(document, cell)))
    if system.terrain is None:
        return _Explanation(text)
    sources = ", ".join(_sources_of_cell(document, cell))
    return _Explanation(text, (sources or NOT_SET,))


def _sources_of_cell(document: MapDocument, cell: int) -> list[str]:
    """Return what set terrain, elevation and cell list of a cell; [] if nothing did.

    Such as ``layer Mountains``, ``elevation by hand, layer Hills``.
    """
    system = document.battlemap.system

    # The source of the terrain stands alone, the others are named.
    titles_by_plane = {}
    if system.terrain is not None:
        titles_by_plane[system.terrain.name] = ""
    if system.elevation is not None:
        titles_by_plane[system.elevation.name] = "elevation "

    titles_by_source: dict[str, str] = {}  # a source of several values is given for the first
    keeps_one = any(is_kept_by_next_roll(document, name, cell) for name in titles_by_plane)
    for name, title in titles_by_plane.items():
        source = source_of_value(document, name, cell, OriginPlane.CELLS)
        # One of terrain and elevation was set by hand and stays: the other may change beside it.
        if keeps_one and may_be_set_by_next_roll(document, name, cell):
            source = f"{source or NOT_SET} {ROLLED_AGAIN}"
        if source:
            titles_by_source.setdefault(source, title)

    cell_list = system.cell_list
    if cell_list is not None and _is_listed(document, cell, document.composite):
        source = source_of_property(document, cell_list.name)
        if source:
            titles_by_source.setdefault(source, f"{cell_list.label.lower()} ")
    return [title + source for source, title in titles_by_source.items()]


def _is_listed(document: MapDocument, cell: int, composite: Composite) -> bool:
    """Return whether a cell is on the cell list of the map, a property that names cells."""
    battlemap = document.battlemap
    names = battlemap.system.listed_cells(composite.properties)
    return bool(names) and battlemap.system.cell_name(battlemap.grid, cell) in names


def _explanation_of_corner(document: MapDocument, hit: Hit) -> _Explanation | None:
    """Return the text about the nearest corner; None on maps whose corners have no heights.

    Such as ``corner 3, 4: height 120 - by hand, layer Hills``.
    """
    battlemap = document.battlemap
    spec = battlemap.system.corner_heights
    heights = document.composite.plane(spec)
    if spec is None or heights is None or hit.corner < 0:
        return None
    name = battlemap.system.corner_name(battlemap.grid, hit.corner)
    height = battlemap.system.height_scale.words(float(heights.flat[hit.corner]))
    text = f"{name}: height {height}"
    if battlemap.locks(Element.CORNER).flat[hit.corner]:
        text += ", locked"
    source = source_of_value(document, spec.name, hit.corner) or NOT_SET
    return _Explanation(text, (source,))


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
    """Return what set the values of a cell that are not the default of their plane, each once.

    It is for systems that describe their cells in words of their own (``System.describe``), so that
    the text does not say which value comes from where.
    """
    sources = []
    for spec in document.battlemap.system.shown_planes:
        if spec.element is not Element.CELL:
            continue  # sides and corners have texts of their own
        if document.composite.planes[spec.name].flat[cell] != spec.default:
            source = source_of_value(document, spec.name, cell, OriginPlane.CELLS)
            sources.append(source or NOT_SET)
    return list(dict.fromkeys(sources))


def _values_on_cell(document: MapDocument, cell: int, composite: Composite) -> list[str]:
    """Return the values that a composite has on a cell as texts, then the things on it.

    The values are terrain, elevation, routes, heights of corners, cell list and lock.
    """
    battlemap = document.battlemap
    system = battlemap.system
    # The words with which a system describes a cell stand for all its values.
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
    """Return the visible things on a cell as texts, the topmost first, up to ``MAX_THINGS``.

    The last text counts the others: ``2 more things``.
    """
    topmost_first = things_on_cell(document.battlemap, cell)[::-1]
    if not topmost_first:
        return []
    kinds = kinds_by_name(document.battlemap)
    texts = [thing_text(thing, kinds) for thing in topmost_first[:MAX_THINGS]]
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
    texts = [
        battlemap.system.cell_name(grid, cell),
        *_values_on_cell(document, cell, document.composite),
    ]
    for cell_side in range(grid.degree):
        hexsides = _hexsides_on_edge(document, cell, cell_side)
        if hexsides:
            texts.append(f"{hexsides} to the {grid.layout.side_names[cell_side]}")
    if cell in document.selection.cells:
        texts.append("selected")
    return ", ".join(texts)


def _accessible_corner(document: MapDocument, cell: int, corner: int) -> str:
    """Return the text for a corner, such as ``north-west corner of D4, height 120``."""
    battlemap = document.battlemap
    system = battlemap.system
    text = f"{CORNER_WORDS[corner]} corner of {system.cell_name(battlemap.grid, cell)}"
    heights = document.composite.plane(system.corner_heights)
    if heights is None:
        return text
    index = int(corners_of(battlemap.grid, np.array([cell]))[0, corner])
    return f"{text}, height {system.height_scale.words(float(heights.flat[index]))}"


def _accessible_side(document: MapDocument, cell: int, side: int) -> str:
    """Return the text for a side, such as ``north side of D4, towards D5, slope``."""
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
    source = source_of_value(document, spec.name, index, OriginPlane.SIDES) or NOT_SET
    return f"{text} - {source}"


def _is_high_side(document: MapDocument, cell_side: CellSide) -> bool:
    """Return whether a cell is higher than its neighbour on a side."""
    battlemap = document.battlemap
    elevations = document.composite.plane(battlemap.system.elevation)
    twin = battlemap.grid.twin(cell_side.cell, cell_side.side)
    if elevations is None or twin is None:
        return False
    neighbour, _side = twin
    return bool(elevations.flat[cell_side.cell] > elevations.flat[neighbour])
