"""Links: a route that leaves a cell by a side comes into the cell beyond it, or leaves the map.

Where a change would leave half a link, the other half is taken away (``System.links_answer``)::

    edit = with_links_mended(battlemap, compound(edits))
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from randomizer.model.edits.edit import PlaneEdit
from randomizer.model.edits.value_edits import compound, parts, set_values
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.planes import TOUCHED
from randomizer.model.planes.routes import SIDES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from randomizer.model.edits.edit import Edit
    from randomizer.model.grid.grid import Grid
    from randomizer.model.grid.indices import Indices


def link_planes(battlemap: BattleMap) -> list[str]:
    """Return the planes of the routes of a map, each once."""
    routes = battlemap.system.routes_of(battlemap.terrain_set)
    return list(dict.fromkeys(route.plane for route in routes))


def half_links(grid: Grid, values: NDArray[Any], cells: Indices) -> NDArray[np.uint8]:
    """Return the links of existing ``cells`` (n,) that the cell beyond does not answer: masks of
    sides.

    ``values`` (size,) are those of a plane as shown.
    """
    result = np.zeros(len(cells), np.uint8)
    for side in range(grid.degree):
        rows = np.flatnonzero(values[cells] >> side & 1)
        beyond = grid.neighbours_of(cells[rows], side)
        answered = values[np.maximum(beyond, 0)] >> grid.opposite(side) & 1
        result[rows] |= ((beyond >= 0) & (answered == 0)).astype(np.uint8) << side
    return result


def with_links_mended(battlemap: BattleMap, edit: Edit | None) -> Edit | None:
    """Return an edit of planes, and what takes away the halves of links that it would leave.

    A half that a locked layer shows stays.
    """
    if edit is None or not battlemap.system.links_answer:
        return edit
    grid = battlemap.grid
    changes = [part for part in parts(edit) if isinstance(part, PlaneEdit)]
    edits: list[Edit | None] = [edit]
    for plane in link_planes(battlemap):
        plane_changes = [change for change in changes if change.plane in (plane, TOUCHED + plane)]
        if not plane_changes:
            continue
        changed = np.unique(np.concatenate([plane_change.index for plane_change in plane_changes]))
        neighbours = [grid.neighbours_of(changed, side) for side in range(grid.degree)]
        cells = np.unique(np.concatenate([changed, *neighbours]))
        cells = cells[cells >= 0]
        changed_map = _copy_of(battlemap, plane)
        for plane_change in plane_changes:
            plane_change.apply(changed_map)
        values_after, before = (
            plane_change.values(plane).ravel() for plane_change in (changed_map, battlemap)
        )
        halves = half_links(grid, values_after, cells) & ~half_links(grid, before, cells)
        edits += _without(changed_map, plane, cells, halves)
    return compound(edits)


def without_half_links(battlemap: BattleMap) -> None:
    """Take the halves of links that a map shows from its layers (locked ones too), in place.

    It is for layers that no map that is shown has yet.
    """
    if not battlemap.system.links_answer:
        return
    for plane in link_planes(battlemap):
        visible_values = battlemap.values(plane).ravel()
        cells = np.intersect1d(np.flatnonzero(visible_values & SIDES), battlemap.grid.cells)
        halves = half_links(battlemap.grid, visible_values, cells)
        edit = compound(_without(battlemap, plane, cells, halves, even_locked=True))
        if edit is not None:
            edit.apply(battlemap)


def joined_positions(
    battlemap: BattleMap, elements: Indices, values: NDArray[Any], positions: NDArray[np.intp]
) -> NDArray[np.intp]:
    """Return the stack positions (n,) of ``elements`` where both cells of a link have the higher of
    theirs.

    ``values`` (n,) of a plane of links are painted at ``elements``: so no layer has half a link.
    """
    if len(np.unique(positions)) < 2:
        return positions
    grid = battlemap.grid
    order = np.argsort(elements, kind="stable")
    ends = []
    for side in range(grid.degree):
        rows = np.flatnonzero(values >> side & 1)
        beyond = grid.neighbours_of(elements[rows], side)
        at = order[np.minimum(np.searchsorted(elements, beyond, sorter=order), len(elements) - 1)]
        both = elements[at] == beyond
        ends.append(np.stack([rows[both], at[both]]))
    ends_here, ends_there = np.concatenate(ends, axis=1)
    result = positions.copy()
    while (result[ends_here] != result[ends_there]).any():
        higher = np.maximum(result[ends_here], result[ends_there])
        np.maximum.at(result, ends_here, higher)
        np.maximum.at(result, ends_there, higher)
    return result


def _copy_of(battlemap: BattleMap, plane: str) -> BattleMap:
    """Return a map with copies of one plane and of its touched marks, which edits may change."""
    layers = []
    for layer in battlemap.layers:
        copies = {
            name: layer.planes[name].copy()
            for name in (plane, TOUCHED + plane)
            if name in layer.planes
        }
        layers.append(replace(layer, planes={**layer.planes, **copies}))
    return replace(battlemap, layers=layers)


def _without(
    battlemap: BattleMap,
    plane: str,
    cells: Indices,
    sides: NDArray[np.uint8],
    *,
    even_locked: bool = False,
) -> Iterator[Edit | None]:
    """Yield the edits that take ``sides``, masks (n,), from what shows at ``cells`` (n,)."""
    spec = battlemap.system.plane(plane)
    cells = cells[sides > 0]
    sides = sides[sides > 0]
    for layer in reversed(battlemap.layers):
        plane_values = layer.planes.get(plane)
        if plane_values is None or not layer.visible or not len(cells):
            continue
        values = plane_values.reshape(-1)[cells]
        is_set = values != spec.unset
        if even_locked or not layer.locked:
            less = values[is_set] & ~sides[is_set]
            less[less & SIDES == 0] = spec.default
            yield set_values(battlemap, layer.id, plane, cells[is_set], less)
        cells = cells[~is_set]
        sides = sides[~is_set]
