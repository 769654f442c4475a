"""Links: a route, such as a road, that leaves a cell by a side comes into the cell beyond it.

The value of a route in a cell has a bit for each side by which the route leaves the cell
(``planes/routes.py``). A *link* has two halves: a bit of the one cell, and the bit of the opposite
side in the neighbour. If a road is erased from the neighbour, half a link would be left, a road
that ends at the border. Systems with ``System.links_are_mutual`` allow no such halves. Tools call::

    edit = without_new_half_links(battlemap, compound(edits))

which adds the removal of halves to the edit. A route that leaves the map needs no second half.

Routes are stored in *planes* of layers, arrays with a value for each cell. Where a layer has the
*unset* value of its plane, the layers below show through. ``TOUCHED + name`` is the name of the
plane that marks the cells which were changed by hand.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from randomizer.model.edits.edit import PlaneEdit
from randomizer.model.edits.value_edits import compound, parts, set_values
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.planes import ROLLED, TOUCHED
from randomizer.model.planes.routes import SIDES, has_side

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from randomizer.model.edits.edit import Edit
    from randomizer.model.grid.grid import Grid
    from randomizer.model.grid.indices import Indices


_NO_ROW = -1
"""Stands for the row of a cell that is not among the painted ones."""


def link_planes(battlemap: BattleMap) -> list[str]:
    """Return the names of the planes of the routes of a map, each once."""
    routes = battlemap.system.routes_of(battlemap.terrain_set)
    return list(dict.fromkeys(route.plane for route in routes))


def half_links(grid: Grid, values: NDArray[Any], cells: Indices) -> NDArray[np.uint8]:
    """Return the halves of links in each of ``cells`` (n,), as masks of sides, uint8 (n,).

    Bit i of a mask is set if a route leaves the cell by side i, but does not come into the cell
    beyond it. ``values`` (size,) are those of a plane of routes as shown; all of ``cells`` exist.
    """
    masks = np.zeros(len(cells), np.uint8)
    for side in range(grid.degree):
        rows = np.flatnonzero(has_side(values[cells], side))
        cells_beyond = grid.neighbours_of(cells[rows], side)
        is_on_map = cells_beyond >= 0
        # Off the map the cell is -1, so that the value of the last cell is read: it does not count.
        has_other_half = has_side(values[cells_beyond], grid.opposite(side))
        is_half = is_on_map & ~has_other_half
        masks[rows] |= is_half.astype(np.uint8) << side
    return masks


def without_new_half_links(battlemap: BattleMap, edit: Edit | None) -> Edit | None:
    """Return an edit together with edits that remove the halves of links that it would leave.

    Halves that the map has already stay, and so do halves that a locked layer shows. None, an edit
    that changes nothing, stays None.
    """
    if edit is None or not battlemap.system.links_are_mutual:
        return edit
    grid = battlemap.grid
    changes = [part for part in parts(edit) if isinstance(part, PlaneEdit)]
    edits: list[Edit | None] = [edit]
    for plane in link_planes(battlemap):
        plane_changes = [change for change in changes if change.plane in (plane, TOUCHED + plane)]
        if not plane_changes:
            continue
        # Half a link can be in a changed cell or in a neighbour of one.
        changed = np.unique(np.concatenate([change.index for change in plane_changes]))
        neighbours = [grid.neighbours_of(changed, side) for side in range(grid.degree)]
        cells = np.unique(np.concatenate([changed, *neighbours]))
        cells = cells[cells >= 0]

        changed_map = map_with_plane_after(battlemap, edit, plane)
        halves_before = half_links(grid, battlemap.values(plane).ravel(), cells)
        halves_after = half_links(grid, changed_map.values(plane).ravel(), cells)
        new_halves = halves_after & ~halves_before
        edits += _side_removals(changed_map, plane, cells, new_halves)
    return compound(edits)


def map_with_plane_after(battlemap: BattleMap, edit: Edit, plane: str) -> BattleMap:
    """Return a map that has the values of a plane, and its marks, as they are after an edit.

    All else of it is shared with ``battlemap``, which does not change.
    """
    names = {plane, TOUCHED + plane, ROLLED + plane}
    changes = [part for part in parts(edit) if isinstance(part, PlaneEdit) and part.plane in names]
    # Of a large map only the planes that change are copied.
    changed_planes = {(change.layer_id, change.plane) for change in changes}
    layers = []
    for layer in battlemap.layers:
        planes = dict(layer.planes)
        for name in names & planes.keys():
            if (layer.id, name) in changed_planes:
                planes[name] = planes[name].copy()
        layers.append(replace(layer, planes=planes))
    changed_map = replace(battlemap, layers=layers)
    for change in changes:
        change.apply(changed_map)
    return changed_map


def remove_half_links(battlemap: BattleMap) -> None:
    """Remove the halves of links that a map shows from its layers, in place, locked ones too.

    The planes change without an undo step: it is only for maps that no window shows yet.
    """
    if not battlemap.system.links_are_mutual:
        return
    for plane in link_planes(battlemap):
        visible_values = battlemap.values(plane).ravel()
        cells = np.intersect1d(np.flatnonzero(visible_values & SIDES), battlemap.grid.cells)
        halves = half_links(battlemap.grid, visible_values, cells)
        edit = compound(_side_removals(battlemap, plane, cells, halves, even_locked=True))
        if edit is not None:
            edit.apply(battlemap)


def positions_joined_by_links(
    battlemap: BattleMap, elements: Indices, values: NDArray[Any], positions: NDArray[np.intp]
) -> NDArray[np.intp]:
    """Return positions of layers, changed so that linked cells are painted in the same layer.

    A tool is about to paint ``values`` (n,) of a plane of routes in the cells ``elements`` (n,),
    each in the layer at its position of ``positions`` (n,) in the stack. Of two linked cells both
    get the higher position: else each layer would have half a link. Along a whole route that raises
    all cells to the highest position, step by step until nothing changes.
    """
    if len(np.unique(positions)) < 2:
        return positions
    ends_here, ends_there = _linked_rows(battlemap.grid, elements, values)
    joined = positions.copy()
    while (joined[ends_here] != joined[ends_there]).any():
        higher = np.maximum(joined[ends_here], joined[ends_there])
        # A cell can have several links: ``maximum.at`` takes the highest of all.
        np.maximum.at(joined, ends_here, higher)
        np.maximum.at(joined, ends_there, higher)
    return joined


def _linked_rows(grid: Grid, elements: Indices, values: NDArray[Any]) -> NDArray[np.intp]:
    """Return the rows of ``elements`` (n,) that links join, shape (2, links).

    A link counts if ``values`` (n,) has it in one of the cells, and both are among ``elements``.
    """
    row_of_cell = np.full(grid.size, _NO_ROW, np.intp)
    row_of_cell[elements] = np.arange(len(elements))
    pairs = []
    for side in range(grid.degree):
        rows = np.flatnonzero(has_side(values, side))
        cells_beyond = grid.neighbours_of(elements[rows], side)
        is_on_map = cells_beyond >= 0
        rows_beyond = np.where(is_on_map, row_of_cell[cells_beyond], _NO_ROW)
        is_element = rows_beyond != _NO_ROW
        pairs.append(np.stack([rows[is_element], rows_beyond[is_element]]))
    return np.concatenate(pairs, axis=1)


def _side_removals(
    battlemap: BattleMap,
    plane: str,
    cells: Indices,
    sides: NDArray[np.uint8],
    *,
    even_locked: bool = False,
) -> Iterator[Edit | None]:
    """Yield the edits, from the top layer down, that remove sides of the routes shown at ``cells``.

    ``cells`` and ``sides``, their masks, have shape (n,). A route shows in the topmost visible
    layer that sets one. In a locked layer it stays, unless ``even_locked``.
    """
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
            new_values = values[is_set] & ~sides[is_set]  # both are uint8
            new_values[(new_values & SIDES) == 0] = spec.default  # a route without sides is none
            yield set_values(battlemap, layer.id, plane, cells[is_set], new_values)
        # Lower layers do not show at the cells that this one sets.
        cells = cells[~is_set]
        sides = sides[~is_set]
