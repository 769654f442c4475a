"""Erasing cells of a layer, so that the layers below show; routes into the cells are cut off."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from randomizer.model.edit_making import compound, set_values
from randomizer.model.layer import Layer
from randomizer.model.layering import places_of
from randomizer.model.routes import MARKS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from randomizer.model.battlemap import BattleMap
    from randomizer.model.edit import Edit


def erase_cells(battlemap: BattleMap, layer_id: int, cells: NDArray[np.intp]) -> Edit | None:
    """The edit that unsets these cells, their sides and their corners in a layer.

    Routes of neighbouring cells that led into them, and now lead nowhere, are cut off there, in all
    visible layers that are not locked.
    """
    edits = []
    for spec in battlemap.system.shown_planes:
        places = places_of(spec.place, battlemap.grid, np.asarray(cells, np.intp))
        edits.append(unset(battlemap, layer_id, spec.name, places))
    for plane in dict.fromkeys(route.plane for route in battlemap.system.routes):
        edits += _cut_off(battlemap, layer_id, plane, cells)
    return compound(edits)


def unset(battlemap: BattleMap, layer_id: int, plane: str, places: Any) -> Edit | None:
    """The edit that unsets these places of a plane in a layer."""
    if plane not in battlemap.layer(layer_id).planes:
        return None
    return set_values(battlemap, layer_id, plane, places, battlemap.system.plane(plane).unset)


def _cut_off(
    battlemap: BattleMap, layer_id: int, plane: str, cells: NDArray[np.intp]
) -> Iterator[Edit | None]:
    """The links into ``cells`` that have no counterpart once the layer sets nothing there."""
    grid = battlemap.grid
    before, after, other_ground = _without(battlemap, layer_id, plane, cells)
    gone = set(cells.tolist())
    links: dict[int, int] = {}
    for cell in cells.tolist():
        for side, other in enumerate(grid.neighbour_table[cell].tolist()):
            bit = 1 << grid.opposite(side)
            if other < 0 or other in gone or not before[other] & bit:
                continue
            # A road can end at houses, as long as they stay.
            led_here = before[cell] >> side & 1 or other_ground[cell]
            if led_here and not after[cell] >> side & 1:
                links[other] = links.get(other, 0) | bit
    for layer in battlemap.layers:
        if plane in layer.planes and layer.visible and not layer.locked:
            yield _without_links(battlemap, layer, plane, links)


def _without_links(
    battlemap: BattleMap, layer: Layer, plane: str, links: Mapping[int, int]
) -> Edit | None:
    """The edits that remove ``links`` (cell -> sides); a route without links is unset."""
    none = battlemap.system.plane(plane).unset
    values: dict[int, int] = {}
    for cell, bits in links.items():
        value = int(layer.planes[plane].flat[cell])
        if value != none and value & bits:
            value &= ~bits
            values[cell] = value if value & ~MARKS else none
    return set_values(battlemap, layer.id, plane, list(values), list(values.values()))


def _without(
    battlemap: BattleMap, layer_id: int, plane: str, cells: NDArray[np.intp]
) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.bool_]]:
    """A plane as shown, as shown if the layer set nothing on ``cells``, and where terrain differs.

    Each has shape (size,).
    """
    layer = battlemap.layer(layer_id)
    bare = Layer(layer.id, layer.name, layer.visible)
    found = []
    ground_plane = battlemap.system.terrain
    for name in (plane, plane if ground_plane is None else ground_plane.name):
        if name in layer.planes:
            bare.planes[name] = layer.planes[name].copy()
            bare.planes[name].flat[cells] = battlemap.system.plane(name).unset
        left = [bare if each is layer else each for each in battlemap.layers]
        found.append((battlemap.values(name).ravel(), battlemap.values(name, left).ravel()))
    (before, after), (ground, ground_after) = found
    return before, after, ground != ground_after
