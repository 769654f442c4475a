"""The small edits of a battleland: another hazard, height or hexside, with what a map has already.

    for edit in small_edits(battlemap, layer_id):
        edit.text       # "Bog at D4 removed with its hexsides"

``balance`` tries them to make a map fairer. A *hazard* is the terrain of a hex; a *hexside* is a
slope, a cliff and so on at one of its six sides. Each edit keeps the board legal: it raises no
warning of the game's builder that was not there before, and adds no hexside at the rim. If a hex is
changed, the hexsides around it are changed with it where they no longer fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import NamedTuple

import numpy as np

from randomizer.geometry.auto_edges import EdgePlanes, fitting_edges, owner_of_edge
from randomizer.model.edits.edit import Edit
from randomizer.model.edits.value_edits import compound
from randomizer.model.hand.targets import left_out, paint
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite
from randomizer.systems.colossus.board import CELL_OF_HEX, GRID, cell_name
from randomizer.systems.colossus.map_checks import check_battleland
from randomizer.systems.colossus.rules import HAZARDS, Entry
from randomizer.systems.colossus.system import ELEVATION, HEXSIDE, SYSTEM, TERRAIN
from randomizer.systems.colossus.terrain_set import COLOSSUS

_CELLS = np.array(CELL_OF_HEX)
"""The flat index of each hex in planes of cells, (27,)."""

_SIDES = GRID.degree
"""The number of sides of a hex; cell * _SIDES + side is a flat index in the plane of hexsides."""

_PLAINS = COLOSSUS.terrain_code("Plains")
_TOWER = COLOSSUS.terrain_code("Tower")


def _mild_hazards() -> set[int]:
    """Return the codes of hazards that are acceptable where a map did not have them before.

    They slow or bar creatures on foot that are not native there, and do nothing else. A hazard that
    only native fliers can cross would cut the board in two, and one that heals or wounds would be
    a subject of its own.
    """
    codes = set()
    for name, rule in HAZARDS.items():
        hinders_strangers = rule.entry_on_foot in (Entry.SLOWS_OTHERS, Entry.NATIVES)
        if hinders_strangers and rule.entry_of_fliers is not Entry.NATIVES and not rule.healing:
            codes.add(COLOSSUS.terrain_code(name))
    return codes


_MILD_HAZARDS = _mild_hazards()

_NO_HEXSIDE = 0
"""The code of no hexside in the plane; that of the first hexside of the terrain set is 1."""

_DROPS = [code for code, hexside in enumerate(COLOSSUS.hexsides, 1) if hexside.drops]
"""The hexsides that a difference of elevation demands."""


class Element(NamedTuple):
    """A place of a map that holds one value: the hazard or height of a hex, or one hexside."""

    plane: str
    """The name of the plane: that of TERRAIN, ELEVATION or HEXSIDE."""

    flat_index: int
    """The index in the flat plane: that of a cell, or cell * _SIDES + side."""


@dataclass(frozen=True)
class SmallEdit:
    """One edit of a board."""

    text: str
    """The change in words: ``Stone at A3 removed``."""

    cells: tuple[int, ...]
    """The hex that it changes, or both hexes at the edge that it changes."""

    changes: dict[Element, int]
    """The new value, a code or a height, of each element that is changed.

    The first is the edit itself; the others are hexsides that follow from it.
    """

    @property
    def touched(self) -> set[int]:
        """``cells``, and the cells on both sides of all edges that it changes."""
        touched = set(self.cells)
        for element in self.changes:
            if element.plane == HEXSIDE.name:
                cell, side = divmod(element.flat_index, _SIDES)
                touched.add(cell)
                touched.add(GRID.neighbour(cell, side))
        return touched


def with_edits(composite: Composite, edits: Iterable[SmallEdit]) -> Composite:
    """Return what a map shows after edits; no two of them may touch the same cell."""
    planes = dict(composite.planes)
    for edit in edits:
        for element, value in edit.changes.items():
            plane = element.plane
            if planes[plane] is composite.planes[plane]:
                planes[plane] = composite.planes[plane].copy()  # a blank plane cannot be written
            planes[plane].flat[element.flat_index] = value
    return replace(composite, planes=planes)


def painted(battlemap: BattleMap, layer_id: int, edits: Iterable[SmallEdit]) -> Edit | None:
    """Return the edit that paints small edits as a hand does with this layer active."""
    strokes = []
    for small_edit in edits:
        for element, value in small_edit.changes.items():
            strokes.append(paint(battlemap, layer_id, element.plane, [element.flat_index], value))
    return compound(strokes)


def small_edits(
    battlemap: BattleMap, layer_id: int, *, uses_new_hazards: bool = False
) -> list[SmallEdit]:
    """Return the edits that a hand can make with a layer active, none on or beside locked hexes.

    They use the hazards, heights and hexsides that the map has already; every hazard can become
    Plains, and every hexside can be removed. With ``uses_new_hazards`` they are others: hexes get
    hazards that the map does not have, but only mild ones (``_mild_hazards``).
    """
    composite = battlemap.composite()
    candidates = list(_hex_edits(composite, uses_new_hazards=uses_new_hazards))
    if not uses_new_hazards:
        candidates += _hexside_edits(composite)
    fixed_cells = _fixed_cells(battlemap, layer_id)
    warnings = set(check_battleland(composite))
    edits = []
    for edit in candidates:
        if edit.touched.isdisjoint(fixed_cells):
            warnings_after_edit = check_battleland(with_edits(composite, [edit]))
            if warnings.issuperset(warnings_after_edit):
                edits.append(edit)
    return edits


def _fixed_cells(battlemap: BattleMap, layer_id: int) -> set[int]:
    """Return the cells where a hand cannot change all values: there is a lock or a locked layer."""
    fixed = {*np.flatnonzero(battlemap.locked_cells).tolist()}
    fixed |= {*(np.flatnonzero(battlemap.locked_sides) // _SIDES).tolist()}
    for plane in (TERRAIN, ELEVATION):
        left_out_cells = left_out(battlemap, layer_id, plane.name, _CELLS).elements
        fixed |= {*left_out_cells.tolist()}
    sides_of_cells = (_CELLS[:, None] * _SIDES + np.arange(_SIDES)).ravel()
    left_out_sides = left_out(battlemap, layer_id, HEXSIDE.name, sides_of_cells).elements
    fixed |= {*(left_out_sides // _SIDES).tolist()}
    return fixed


def _hex_edits(composite: Composite, *, uses_new_hazards: bool) -> Iterator[SmallEdit]:
    """Yield the edits that give one hex another hazard or height of those that the map has.

    With ``uses_new_hazards`` they give it one of the mild hazards that the map does not have.
    """
    hazards = composite.planes[TERRAIN.name].ravel()[_CELLS].tolist()
    heights = composite.planes[ELEVATION.name].ravel()[_CELLS].tolist()
    usual_hazards = {*hazards, _PLAINS} - {_TOWER}
    if uses_new_hazards:
        new_hazards = sorted(_MILD_HAZARDS - usual_hazards)
        new_heights = range(0)
    else:
        new_hazards = sorted(usual_hazards)
        new_heights = range(min(heights), max(heights) + 1)
    for cell, hazard, height in zip(CELL_OF_HEX, hazards, heights, strict=True):
        for new_hazard in new_hazards:
            if new_hazard != hazard:
                text = _text_of_hazard(cell, hazard, new_hazard)
                yield _with_hexsides(composite, text, Element(TERRAIN.name, cell), new_hazard)
        for new_height in (height - 1, height + 1):
            if new_height in new_heights:
                text = f"height of {cell_name(cell)} {height} -> {new_height}"
                yield _with_hexsides(composite, text, Element(ELEVATION.name, cell), new_height)


def _text_of_hazard(cell: int, hazard: int, new_hazard: int) -> str:
    """Return what an edit of a hazard does; Plains are no hazard."""
    label = cell_name(cell)
    name = COLOSSUS.terrains[hazard].name
    new_name = COLOSSUS.terrains[new_hazard].name
    if new_hazard == _PLAINS:
        return f"{name} at {label} removed"
    if hazard == _PLAINS:
        return f"{new_name} at {label} added"
    return f"{name} at {label} becomes {new_name}"


def _with_hexsides(composite: Composite, text: str, of_hex: Element, value: int) -> SmallEdit:
    """Return an edit of the hazard or height of a hex and of the hexsides around it.

    A hexside that fitted its ground is removed if it does not fit any more. A hexside is added
    where the heights demand one now and did not before, if the map has such hexsides.
    """
    hexsides = composite.planes[HEXSIDE.name].ravel()
    usual_drops = [code for code in _DROPS if (hexsides == code).any()]
    cell = of_hex.flat_index
    edited = with_edits(composite, [SmallEdit(text, (cell,), {of_hex: value})])
    changes = {of_hex: value}
    fitting_before = _fitting_hexsides(composite, cell)
    fitting_after = _fitting_hexsides(edited, cell)
    for side in range(_SIDES):
        indices = _indices_of_edge(cell, side)
        if any(hexsides[index] != fitting_before.get(index, _NO_HEXSIDE) for index in indices):
            continue  # it is as the map's author wants it
        for index in indices:
            code = fitting_after.get(index, _NO_HEXSIDE)
            if code != hexsides[index] and (code == _NO_HEXSIDE or code in usual_drops):
                changes[Element(HEXSIDE.name, index)] = code
    if len(changes) > 1:
        text += " with its hexsides"
    return SmallEdit(text, (cell,), changes)


def _indices_of_edge(cell: int, side: int) -> list[int]:
    """Return both flat indices of an edge in the plane of hexsides; [] at the rim of the board.

    Each of its two hexes has an entry for the edge.
    """
    twin = GRID.twin(cell, side)
    if twin is None:
        return []
    neighbour, opposite_side = twin
    return [cell * _SIDES + side, neighbour * _SIDES + opposite_side]


def _fitting_hexsides(composite: Composite, cell: int) -> dict[int, int]:
    """Return the hexsides that fit the ground at the edges around a cell, by flat index.

    The hexsides that the map has there do not count.
    """
    planes = EdgePlanes.of(SYSTEM, composite)
    assert planes.hexside is not None, "battlelands have hexsides"
    bare = planes._replace(hexside=np.zeros_like(planes.hexside))
    elements, codes = fitting_edges(GRID, bare, COLOSSUS, np.array([cell]))
    return dict(zip(elements.tolist(), codes.tolist(), strict=True))


def _hexside_edits(composite: Composite) -> Iterator[SmallEdit]:
    """Yield the edits that remove a hexside, or add one of those that the map has."""
    planes = EdgePlanes.of(SYSTEM, composite)
    hexsides = composite.planes[HEXSIDE.name].ravel()
    usual_codes = sorted({*hexsides.reshape(-1, _SIDES)[_CELLS].ravel().tolist()} - {_NO_HEXSIDE})
    # Half of the sides are all edges: the other half are the same edges from the other hex.
    for cell, side in product(CELL_OF_HEX, range(_SIDES // 2)):
        indices = _indices_of_edge(cell, side)
        if not indices:
            continue
        cells = (cell, GRID.neighbour(cell, side))
        between = f"between {cell_name(cells[0])} and {cell_name(cells[1])}"
        codes = hexsides[indices].tolist()
        for index, code in zip(indices, codes, strict=True):
            if code != _NO_HEXSIDE:
                removal = {Element(HEXSIDE.name, index): _NO_HEXSIDE}
                yield SmallEdit(f"{_hexside_name(code)} {between} removed", cells, removal)
        if any(codes):
            continue
        for code in usual_codes:
            owner, owner_side = owner_of_edge(planes, COLOSSUS, GRID, cell, side, code)
            if _fits(composite, owner, GRID.neighbour(owner, owner_side), code):
                addition = {Element(HEXSIDE.name, owner * _SIDES + owner_side): code}
                yield SmallEdit(f"{_hexside_name(code)} {between} added", cells, addition)


def _hexside_name(code: int) -> str:
    """Return the name of a hexside as it stands within a sentence."""
    return COLOSSUS.hexsides[code - 1].name.lower()


def _fits(composite: Composite, owner: int, neighbour: int, code: int) -> bool:
    """Return whether a hexside may stand between two cells, marked in the ``owner``.

    One that needs a terrain stands between that and another one; else one that leads down needs a
    difference of elevation.
    """
    kind = COLOSSUS.hexsides[code - 1]
    if kind.ground:
        terrain = composite.planes[TERRAIN.name].ravel()
        ground = COLOSSUS.terrain_code(kind.ground)
        return bool(terrain[owner] == ground and terrain[neighbour] != ground)
    if not kind.higher:
        return True
    heights = composite.planes[ELEVATION.name].ravel()
    drop = int(heights[owner]) - int(heights[neighbour])
    if kind.drops is None:
        return drop > 0
    least, most = kind.drops
    return least <= drop <= most
