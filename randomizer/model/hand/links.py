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
        own = [change for change in changes if change.plane in (plane, TOUCHED + plane)]
        if not own:
            continue
        changed = np.unique(np.concatenate([each.index for each in own]))
        around = [grid.neighbours_of(changed, side) for side in range(grid.degree)]
        cells = np.unique(np.concatenate([changed, *around]))
        cells = cells[cells >= 0]
        after = _copy_of(battlemap, plane)
        for each in own:
            each.apply(after)
        shown, before = (each.values(plane).ravel() for each in (after, battlemap))
        halves = half_links(grid, shown, cells) & ~half_links(grid, before, cells)
        edits += _without(after, plane, cells, halves)
    return compound(edits)


def without_half_links(battlemap: BattleMap) -> None:
    """Take the halves of links that a map shows from its layers (locked ones too), in place.

    It is for layers that no map that is shown has yet.
    """
    if not battlemap.system.links_answer:
        return
    for plane in link_planes(battlemap):
        shown = battlemap.values(plane).ravel()
        cells = np.intersect1d(np.flatnonzero(shown & SIDES), battlemap.grid.cells)
        halves = half_links(battlemap.grid, shown, cells)
        edit = compound(_without(battlemap, plane, cells, halves, even_locked=True))
        if edit is not None:
            edit.apply(battlemap)


def joined_positions(
    battlemap: BattleMap, places: Indices, values: NDArray[Any], positions: NDArray[np.intp]
) -> NDArray[np.intp]:
    """Return the stack positions (n,) of ``places`` where both cells of a link have the higher of
    theirs.

    ``values`` (n,) of a plane of links are painted at ``places``: so no layer has half a link.
    """
    if len(np.unique(positions)) < 2:
        return positions
    grid = battlemap.grid
    order = np.argsort(places, kind="stable")
    ends = []
    for side in range(grid.degree):
        rows = np.flatnonzero(values >> side & 1)
        beyond = grid.neighbours_of(places[rows], side)
        at = order[np.minimum(np.searchsorted(places, beyond, sorter=order), len(places) - 1)]
        both = places[at] == beyond
        ends.append(np.stack([rows[both], at[both]]))
    one, other = np.concatenate(ends, axis=1)
    result = positions.copy()
    while (result[one] != result[other]).any():
        higher = np.maximum(result[one], result[other])
        np.maximum.at(result, one, higher)
        np.maximum.at(result, other, higher)
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
        own = layer.planes.get(plane)
        if own is None or not layer.visible or not len(cells):
            continue
        values = own.reshape(-1)[cells]
        here = values != spec.unset
        if even_locked or not layer.locked:
            less = values[here] & ~sides[here]
            less[less & SIDES == 0] = spec.default
            yield set_values(battlemap, layer.id, plane, cells[here], less)
        cells = cells[~here]
        sides = sides[~here]
