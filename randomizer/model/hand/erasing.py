"""Erasing cells, so that what lies below shows; routes into the cells are cut off.

Each place is erased in its target (``randomizer.model.hand.targets``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from randomizer.model.edits.layer_edits import cells_of, places_of
from randomizer.model.edits.thing_edits import things_on
from randomizer.model.edits.value_edits import compound, set_values
from randomizer.model.hand.links import link_planes
from randomizer.model.hand.targets import LeftOut, erase, left_out, targets_of, why_not
from randomizer.model.map.layer import Layer
from randomizer.model.planes.planes import Place, Plane
from randomizer.model.planes.routes import MARKS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from randomizer.model.edits.edit import Edit
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.things.things import Thing


NO_CELLS: NDArray[np.intp] = np.empty(0, np.intp)


def erase_cells(
    battlemap: BattleMap,
    layer_id: int,
    cells: NDArray[np.intp],
    before: NDArray[np.intp] = NO_CELLS,
) -> Edit | None:
    """Return the edit that unsets these cells, their sides and their corners, with this layer
    active.

    ``before`` are cells that the same stroke has erased: corners that they have are left alone.

    Routes of neighbouring cells that led into them, and now lead nowhere, are cut off there, in all
    visible layers down to the first locked one that sets the route. None if there is nothing to
    erase, or if nothing can be erased with this layer active.
    """
    if why_not(battlemap, layer_id, erasing=True):
        return None
    edits: list[Edit | None] = []
    for spec in battlemap.system.shown_planes:
        elements = places_of(spec.place, battlemap.grid, cells)
        if spec.place is Place.CORNER and len(before):
            elements = np.setdiff1d(elements, places_of(spec.place, battlemap.grid, before))
        edits.append(erase(battlemap, layer_id, spec.name, elements))
    for plane in link_planes(battlemap):
        edits += _cut_off(battlemap, layer_id, plane, cells)
    return compound(edits)


def erased_values(battlemap: BattleMap, layer_id: int, cells: NDArray[np.intp]) -> dict[str, Plane]:
    """Return what ``erase_cells`` takes away, as planes that are not set elsewhere."""
    values_by_plane = {}
    for spec in battlemap.system.shown_planes:
        elements = places_of(spec.place, battlemap.grid, cells)
        targets = targets_of(battlemap, layer_id, spec.name, elements, erasing=True)
        plane = spec.allocate(battlemap.grid)
        for position, in_layer in targets.by_layer():
            plane_values = battlemap.layers[position].planes[spec.name]
            plane.flat[elements[in_layer]] = plane_values.flat[elements[in_layer]]
        values_by_plane[spec.name] = plane
    return values_by_plane


class ErasedThings(NamedTuple):
    """``things`` that go with erased cells, and the names of ``locked`` layers that keep theirs."""

    things: list[Thing]
    locked: tuple[str, ...]

    @property
    def ids(self) -> list[int]:
        """The ids of the things."""
        return [thing.id for thing in self.things]


def erased_things(battlemap: BattleMap, layer_id: int, cells: NDArray[np.intp]) -> ErasedThings:
    """Return the things on these cells in the visible layers from this one upwards.

    Nothing covers a thing, so they go from each layer. Empty if nothing can be erased with this
    layer active.
    """
    things: list[Thing] = []
    locked: list[str] = []
    if not why_not(battlemap, layer_id, erasing=True):
        for layer in battlemap.layers[battlemap.index_of(layer_id) :]:
            if layer.visible:
                on_cells = things_on(battlemap.grid, layer.things, cells)
            else:
                on_cells = []
            if layer.locked and on_cells:
                locked.append(layer.name)
            elif not layer.locked:
                things += on_cells
    return ErasedThings(things, tuple(locked))


def left_out_of_erasing(battlemap: BattleMap, layer_id: int, cells: NDArray[np.intp]) -> LeftOut:
    """Return the cells of which ``erase_cells`` leaves something out."""
    barred = [cells[:0]]
    layers = dict[str, None]()
    for spec in battlemap.system.shown_planes:
        elements = places_of(spec.place, battlemap.grid, cells)
        skipped = left_out(battlemap, layer_id, spec.name, elements, erasing=True)
        barred.append(cells_of(spec.place, battlemap.grid, skipped.elements))
        layers |= dict.fromkeys(skipped.layers)
    return LeftOut(np.intersect1d(np.concatenate(barred), cells), tuple(layers))


def _cut_off(
    battlemap: BattleMap, layer_id: int, plane: str, cells: NDArray[np.intp]
) -> Iterator[Edit | None]:
    """Yield the links into ``cells`` that have no counterpart once the cells are erased."""
    if not any(plane in layer.planes for layer in battlemap.layers):
        return
    grid = battlemap.grid
    old_links, new_links, other_ground = _without(battlemap, layer_id, plane, cells)
    stays = np.ones(grid.size, np.bool_)
    stays[cells] = False
    links: dict[int, int] = {}
    for side in range(grid.degree):
        neighbours = grid.neighbour_table[cells, side]
        bit = 1 << grid.opposite(side)
        from_outside = (neighbours >= 0) & stays[neighbours] & (old_links[neighbours] & bit > 0)
        outer_cells = cells[from_outside]
        # A road can end at houses, as long as they stay.
        led_here = (old_links[outer_cells] >> side & 1 > 0) | other_ground[outer_cells]
        cut = led_here & (new_links[outer_cells] >> side & 1 == 0)
        for neighbour in neighbours[from_outside][cut].tolist():
            links[neighbour] = links.get(neighbour, 0) | bit
    unset = battlemap.system.plane(plane).unset
    for layer in reversed(battlemap.layers):
        if plane not in layer.planes or not layer.visible:
            continue
        if not layer.locked:
            yield _without_links(battlemap, layer, plane, links)
            continue
        values = layer.planes[plane].reshape(-1)
        # Nothing is written below a locked layer.
        links = {cell: bits for cell, bits in links.items() if values[cell] == unset}


def _without_links(
    battlemap: BattleMap, layer: Layer, plane: str, links: Mapping[int, int]
) -> Edit | None:
    """Return the edits that remove ``links`` (cell -> sides); a route without links is unset."""
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
    """Return a plane as shown, as shown once ``cells`` are erased, and where that changes the
    terrain.

    Each has shape (size,).
    """
    pairs = []
    terrain = battlemap.system.terrain
    for name in (plane, plane if terrain is None else terrain.name):
        unset = battlemap.system.plane(name).unset
        layers_left = list(battlemap.layers)
        targets = targets_of(battlemap, layer_id, name, cells, erasing=True)
        for position, in_layer in targets.by_layer():
            bare = layers_left[position].planes[name].copy()
            bare.flat[cells[in_layer]] = unset
            layers_left[position] = Layer(0, "", planes={name: bare})
        pairs.append((battlemap.values(name).ravel(), battlemap.values(name, layers_left).ravel()))
    (old_links, new_links), (ground, ground_after) = pairs
    return old_links, new_links, ground != ground_after
