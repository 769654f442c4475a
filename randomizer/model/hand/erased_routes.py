"""Routes that lead into erased cells, and nowhere any more, are cut off.

A road from A over B to C has half a link in each cell on both sides of a border. If B is erased the
halves in A and C that lead to it are left, and are removed::

    before      A ---|--- B ---|--- C
    erased      A ---|         |--- C
    cut off     A    |         |    C

A road that leads to houses stays when something else of their cell is erased: it still leads there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from randomizer.model.edits.value_edits import set_values
from randomizer.model.hand.links import link_planes, map_with_plane_after
from randomizer.model.planes.routes import MARKS, has_side

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from randomizer.model.edits.edit import Edit
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.map.layer import Layer


def cut_routes(
    battlemap: BattleMap, cells: NDArray[np.intp], erasing: Edit
) -> Iterator[Edit | None]:
    """Yield the edits that remove what leads into ``cells`` and nowhere, once they are erased.

    ``erasing`` is the edit that erases them; these edits change other cells, so that they fit
    behind it, though they are made for the map before it. The routes are removed from all visible
    layers from the top, but not below a locked one that sets the route: what is written there would
    not show.
    """
    for plane in link_planes(battlemap):
        if not any(plane in layer.planes for layer in battlemap.layers):
            continue
        sides_to_cut = _sides_to_cut(battlemap, cells, erasing, plane)
        unset = battlemap.system.plane(plane).unset
        for layer in reversed(battlemap.layers):
            if plane not in layer.planes or not layer.visible:
                continue
            if layer.locked:
                # Below it nothing would show in the cells that it sets.
                values = layer.planes[plane].reshape(-1)
                sides_to_cut = {
                    cell: sides for cell, sides in sides_to_cut.items() if values[cell] == unset
                }
            else:
                yield _without_sides(battlemap, layer, plane, sides_to_cut)


def _sides_to_cut(
    battlemap: BattleMap, cells: NDArray[np.intp], erasing: Edit, plane: str
) -> dict[int, int]:
    """Return the sides by which routes of other cells lead into erased ``cells``, and nowhere.

    The keys are these other cells, the values bit masks of their sides.
    """
    grid = battlemap.grid
    links_before = battlemap.values(plane).ravel()
    links_after = map_with_plane_after(battlemap, erasing, plane).values(plane).ravel()
    loses_destination = _loses_destination(battlemap, erasing, plane)
    is_outside = np.ones(grid.size, np.bool_)
    is_outside[cells] = False

    sides_to_cut: dict[int, int] = {}
    for side in range(grid.degree):
        # The routes that come into the cells by this side, from cells that are not erased.
        neighbours = grid.neighbours_of(cells, side)
        has_neighbour = neighbours >= 0
        entered_cells = cells[has_neighbour]
        neighbours = neighbours[has_neighbour]
        neighbours_side = grid.opposite(side)
        comes_in = has_side(links_before[neighbours], neighbours_side) & is_outside[neighbours]
        entered_cells = entered_cells[comes_in]
        neighbours = neighbours[comes_in]

        # Of these, the ones that led somewhere before, and no longer do. A route is *answered* if
        # the other cell has a route to the same side.
        was_answered = has_side(links_before[entered_cells], side)
        led_somewhere = was_answered | loses_destination[entered_cells]
        is_answered = has_side(links_after[entered_cells], side)
        for neighbour in neighbours[led_somewhere & ~is_answered].tolist():
            sides = sides_to_cut.get(neighbour, 0)
            sides_to_cut[neighbour] = sides | (1 << neighbours_side)
    return sides_to_cut


def _loses_destination(battlemap: BattleMap, erasing: Edit, plane: str) -> NDArray[np.bool_]:
    """Return for each cell (size,) whether erasing takes what a route could lead to.

    That is the terrain of the cell, such as houses; in a system without terrains, where there is
    nothing else, other routes.
    """
    destination_plane = plane
    if battlemap.system.terrain is not None:
        destination_plane = battlemap.system.terrain.name
    values_before = battlemap.values(destination_plane).ravel()
    map_after = map_with_plane_after(battlemap, erasing, destination_plane)
    values_after = map_after.values(destination_plane).ravel()
    is_changed: NDArray[np.bool_] = values_before != values_after
    return is_changed


def _without_sides(
    battlemap: BattleMap, layer: Layer, plane: str, sides_to_cut: Mapping[int, int]
) -> Edit | None:
    """Return the edit that removes sides, bit masks by cell, from the routes in a layer.

    A route that is left without a side is unset.
    """
    unset = battlemap.system.plane(plane).unset
    new_values: dict[int, int] = {}
    for cell, sides in sides_to_cut.items():
        value = int(layer.planes[plane].flat[cell])
        if value == unset or not value & sides:
            continue
        value &= ~sides
        has_sides = value & ~MARKS != 0
        if not has_sides:
            value = unset
        new_values[cell] = value
    return set_values(battlemap, layer.id, plane, list(new_values), list(new_values.values()))
