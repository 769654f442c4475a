"""The small edits of a battleland: another hazard, height or hexside, with what a map has already.

Each keeps the board legal: it raises no warning of the game's builder that was not there, adds
nothing at the rim, and takes the hexsides along that a changed hex demands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product

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
_SIDES = GRID.degree
_PLAINS = COLOSSUS.terrain_code("Plains")
_TOWER = COLOSSUS.terrain_code("Tower")
_HARMLESS = {
    COLOSSUS.terrain_code(name)
    for name, rule in HAZARDS.items()
    if rule.ground in (Entry.SLOWS_OTHERS, Entry.NATIVES)
    and rule.fliers is not Entry.NATIVES
    and not rule.healing
}
_DROPS = [code for code, hexside in enumerate(COLOSSUS.hexsides, 1) if hexside.drops]
"""The hexsides that a difference of elevation demands."""


@dataclass(frozen=True)
class SmallEdit:
    """One edit: what it does, the cells that it is about, and the new value of places of planes.

    ``changes`` are (plane, flat index) -> value; the first is the edit, the others follow from it.
    """

    text: str
    cells: tuple[int, ...]
    changes: dict[tuple[str, int], int]

    @property
    def touched(self) -> set[int]:
        """The cells that it is about, and those on both sides of edges that it changes."""
        edges = [divmod(i, _SIDES) for plane, i in self.changes if plane == HEXSIDE.name]
        return {*self.cells, *(cell for edge in edges for cell in (edge[0], GRID.neighbour(*edge)))}


def with_edits(composite: Composite, edits: Iterable[SmallEdit]) -> Composite:
    """Return what a map shows after edits that touch no cell in common."""
    planes = dict(composite.planes)
    for edit in edits:
        for (plane, index), value in edit.changes.items():
            if planes[plane] is composite.planes[plane]:
                planes[plane] = composite.planes[plane].copy()  # a blank plane cannot be written
            planes[plane].flat[index] = value
    return replace(composite, planes=planes)


def painted(battlemap: BattleMap, layer_id: int, edits: Iterable[SmallEdit]) -> Edit | None:
    """Return the edit that paints small edits as a hand does with this layer active."""
    changes = [change for edit in edits for change in edit.changes.items()]
    return compound(
        paint(battlemap, layer_id, plane, [index], value) for (plane, index), value in changes
    )


def small_edits(battlemap: BattleMap, layer_id: int, *, strange: bool = False) -> list[SmallEdit]:
    """Return the edits that a hand can make with a layer active, none on or beside locked hexes.

    The hazards, heights and hexsides are those that the map has; every hazard can become Plains,
    and every hexside can go. ``strange``: instead, harmless hazards that it does not have come.
    """
    composite = battlemap.composite()
    fixed = _fixed_cells(battlemap, layer_id)
    warnings = {*check_battleland(composite)}
    candidates = []
    for edit in (*_hex_edits(composite, strange), *(() if strange else _hexside_edits(composite))):
        if edit.touched.isdisjoint(fixed):
            problems_after = check_battleland(with_edits(composite, [edit]))
            candidates += [edit] * warnings.issuperset(problems_after)
    return candidates


def _fixed_cells(battlemap: BattleMap, layer_id: int) -> set[int]:
    """Return the cells where a lock, or a locked layer, keeps anything as it is."""
    fixed = {*np.flatnonzero(battlemap.locked_cells).tolist()}
    fixed |= {*(np.flatnonzero(battlemap.locked_sides) // _SIDES).tolist()}
    edges = (_CELLS[:, None] * _SIDES + np.arange(_SIDES)).ravel()
    for plane, elements, size in (
        (TERRAIN, _CELLS, 1),
        (ELEVATION, _CELLS, 1),
        (HEXSIDE, edges, _SIDES),
    ):
        barred = left_out(battlemap, layer_id, plane.name, elements)
        fixed |= {*(barred.elements // size).tolist()}
    return fixed


def _hex_edits(composite: Composite, strange: bool) -> Iterator[SmallEdit]:
    hazards, heights = (
        composite.planes[plane.name].ravel()[_CELLS] for plane in (TERRAIN, ELEVATION)
    )
    held = {*hazards.tolist(), _PLAINS} - {_TOWER}
    low = int(heights.min())
    high = int(heights.max())
    if strange:
        held = _HARMLESS - held
        low = 0
        high = -1
    for cell, hazard, height in zip(CELL_OF_HEX, hazards.tolist(), heights.tolist(), strict=True):
        old = COLOSSUS.terrains[hazard].name
        label = cell_name(cell)
        for code in sorted(held):
            new = COLOSSUS.terrains[code].name
            text = f"{old} at {label} becomes {new}"
            if code == _PLAINS:
                text = f"{old} at {label} removed"
            elif hazard == _PLAINS:
                text = f"{new} at {label} added"
            if code != hazard:
                yield _with_hexsides(composite, text, TERRAIN.name, cell, code)
        for new_height in (height - 1, height + 1):
            if low <= new_height <= high:
                text = f"height of {label} {height} -> {new_height}"
                yield _with_hexsides(composite, text, ELEVATION.name, cell, new_height)


def _with_hexsides(composite: Composite, text: str, plane: str, cell: int, value: int) -> SmallEdit:
    """Return an edit of a hex and of the hexsides around it.

    A hexside that fitted goes if it does not any more. One that the heights demand now, and did
    not, comes where there is none, if the map has such hexsides.
    """
    hexsides = composite.planes[HEXSIDE.name].ravel()
    held = [code for code in _DROPS if (hexsides == code).any()]
    changes = {(plane, cell): value}
    edited = with_edits(composite, [SmallEdit(text, (cell,), changes)])
    old_hexsides = _demanded(composite, cell)
    new_hexsides = _demanded(edited, cell)
    for side in range(_SIDES):
        twin = GRID.twin(cell, side)
        if twin:
            elements = [at * _SIDES + of for at, of in ((cell, side), twin)]
        else:
            elements = []
        if any(hexsides[element] != old_hexsides.get(element, 0) for element in elements):
            continue  # it is as the map's author wants it
        for element in elements:
            code = new_hexsides.get(element, 0)
            if code != hexsides[element] and (not code or code in held):
                changes[HEXSIDE.name, element] = code
    follow = " with its hexsides" if len(changes) > 1 else ""
    return SmallEdit(text + follow, (cell,), changes)


def _demanded(composite: Composite, cell: int) -> dict[int, int]:
    """Return the hexsides that fit the edges around a cell, by place, whatever is there."""
    planes = EdgePlanes.of(SYSTEM, composite)
    assert planes.hexside is not None
    bare = planes._replace(hexside=np.zeros_like(planes.hexside))
    elements, codes = fitting_edges(GRID, bare, COLOSSUS, np.array([cell]))
    return dict(zip(elements.tolist(), codes.tolist(), strict=True))


def _hexside_edits(composite: Composite) -> Iterator[SmallEdit]:
    planes = EdgePlanes.of(SYSTEM, composite)
    hexsides = composite.planes[HEXSIDE.name].ravel()
    terrain, heights = (composite.planes[plane.name].ravel() for plane in (TERRAIN, ELEVATION))
    held = sorted({*hexsides.reshape(-1, _SIDES)[_CELLS].ravel().tolist()} - {0})
    for cell, side in product(CELL_OF_HEX, range(_SIDES // 2)):
        twin = GRID.twin(cell, side)
        if twin is None:
            continue
        elements = [at * _SIDES + of for at, of in ((cell, side), twin)]
        cells = cell, twin[0]
        between = f"between {cell_name(cell)} and {cell_name(twin[0])}"
        for element in elements:
            if code := int(hexsides[element]):
                name = COLOSSUS.hexsides[code - 1].name.lower()
                yield SmallEdit(f"{name} {between} removed", cells, {(HEXSIDE.name, element): 0})
        for code in () if hexsides[elements].any() else held:
            kind = COLOSSUS.hexsides[code - 1]
            owner, at = owner_of_edge(planes, COLOSSUS, GRID, cell, side, code)
            neighbour = GRID.neighbour(owner, at)
            low, most = kind.drops or (int(kind.higher), 0xFFFF)
            fits = not kind.higher or low <= int(heights[owner]) - int(heights[neighbour]) <= most
            if kind.ground:
                ground = COLOSSUS.terrain_code(kind.ground)
                fits = terrain[owner] == ground != terrain[neighbour]
            if fits:
                change = {(HEXSIDE.name, owner * _SIDES + at): code}
                yield SmallEdit(f"{kind.name.lower()} {between} added", cells, change)
