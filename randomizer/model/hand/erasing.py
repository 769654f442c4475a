"""Erasing cells, so that what lies below shows; routes into the cells are cut off.

The eraser and Cut call ``erase_cells``. Values are erased in their targets (targets.py). Things are
erased by ids of their own (``erased_things``), as no layer covers them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from randomizer.model.edits.layer_edits import cells_of, elements_of
from randomizer.model.edits.thing_edits import things_on
from randomizer.model.edits.value_edits import compound, painted_in_roll, set_values
from randomizer.model.hand.links import link_planes
from randomizer.model.hand.targets import LeftOut, erase, left_out, targets_of, why_not
from randomizer.model.map.layer import Layer
from randomizer.model.planes.planes import Element, Plane, PlaneSpec
from randomizer.model.planes.routes import MARKS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from randomizer.model.edits.edit import Edit
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.things.things import Thing


NO_CELLS: NDArray[np.intp] = np.empty(0, np.intp)
"""No cells."""


def painted_over_rolls(
    battlemap: BattleMap, layer_id: int, cells: NDArray[np.intp]
) -> NDArray[np.intp]:
    """Return those of ``cells`` that a hand painted over a roll, ascending, with a layer active.

    They are the cells of which a visible layer that was not rolled, above a visible rolled one at
    or above the active layer, sets a value, be it of one of their sides or corners; and those of
    which a value was painted into such a rolled layer.
    """
    grid = battlemap.grid
    painted_cells = [NO_CELLS]
    is_above_roll = False
    for layer in battlemap.layers[battlemap.index_of(layer_id) :]:
        if not layer.visible:
            continue
        if layer.roll is not None:
            is_above_roll = True
        elif not is_above_roll:
            continue
        for spec in battlemap.system.shown_planes:
            if spec.name in layer.planes:
                elements = elements_of(spec.element, grid, cells)
                is_painted = layer.planes[spec.name].reshape(-1)[elements] != spec.unset
                if layer.roll is not None:
                    is_painted &= painted_in_roll(battlemap, layer, spec.name, elements)
                painted_cells.append(cells_of(spec.element, grid, elements[is_painted]))
    # A corner that is set has cells that are not asked for at all.
    return np.intersect1d(np.concatenate(painted_cells), cells)


def erase_cells(
    battlemap: BattleMap,
    layer_id: int,
    cells: NDArray[np.intp],
    erased_cells: NDArray[np.intp] = NO_CELLS,
    *,
    paint_cells: NDArray[np.intp] = NO_CELLS,
) -> Edit | None:
    """Return the edit that unsets cells, their sides and their corners, with a layer active.

    ``erased_cells`` are those that the same stroke has erased: their corners are erased already,
    and once more would erase what then showed from below. Of ``paint_cells`` nothing is erased that
    a roll made, only what a hand painted over it (``painted_over_rolls``). Routes of neighbouring
    cells that led into the cells, and now lead nowhere, are cut off there, in all visible layers
    down to the first locked one that sets the route. None if there is nothing to erase, or if
    nothing can be erased with this layer active.
    """
    if why_not(battlemap, layer_id, erasing=True):
        return None
    edits: list[Edit | None] = []
    for spec in battlemap.system.shown_planes:
        elements = elements_of(spec.element, battlemap.grid, cells)
        if spec.element is Element.CORNER and len(erased_cells):
            erased_corners = elements_of(spec.element, battlemap.grid, erased_cells)
            elements = np.setdiff1d(elements, erased_corners)
        is_paint_only = _is_of_cells(battlemap, spec, elements, paint_cells)
        edits.append(erase(battlemap, layer_id, spec.name, elements, is_paint_only=is_paint_only))
    for plane in link_planes(battlemap):
        edits += _cut_off(battlemap, layer_id, plane, cells, paint_cells)
    return compound(edits)


def _is_of_cells(
    battlemap: BattleMap, spec: PlaneSpec, elements: NDArray[np.intp], cells: NDArray[np.intp]
) -> NDArray[np.bool_]:
    """Return which elements of a plane, (n,), are those of ``cells``, (n,)."""
    return np.isin(elements, elements_of(spec.element, battlemap.grid, cells))


def erased_values(battlemap: BattleMap, layer_id: int, cells: NDArray[np.intp]) -> dict[str, Plane]:
    """Return the values that ``erase_cells`` removes: planes by name, unset everywhere else."""
    values_by_plane = {}
    for spec in battlemap.system.shown_planes:
        elements = elements_of(spec.element, battlemap.grid, cells)
        targets = targets_of(battlemap, layer_id, spec.name, elements, erasing=True)
        plane = spec.allocate(battlemap.grid)
        for position, in_layer in targets.by_layer():
            plane_values = battlemap.layers[position].planes[spec.name]
            plane.flat[elements[in_layer]] = plane_values.flat[elements[in_layer]]
        values_by_plane[spec.name] = plane
    return values_by_plane


class ErasedThings(NamedTuple):
    """The things on cells that are erased."""

    things: list[Thing]
    """Those that are erased with the cells."""

    locked: tuple[str, ...]
    """The names of locked layers that have things there, too, which stay."""

    @property
    def ids(self) -> list[int]:
        """The ids of the things."""
        return [thing.id for thing in self.things]


def erased_things(battlemap: BattleMap, layer_id: int, cells: NDArray[np.intp]) -> ErasedThings:
    """Return the things on these cells in the visible layers from this one upwards.

    Nothing covers a thing, so they go from each layer. Empty if nothing can be erased with this
    layer active.
    """
    if why_not(battlemap, layer_id, erasing=True):
        return ErasedThings([], ())
    things: list[Thing] = []
    locked_layers: list[str] = []
    for layer in battlemap.layers[battlemap.index_of(layer_id) :]:
        if not layer.visible:
            continue
        things_on_cells = things_on(battlemap.grid, layer.things, cells)
        if not layer.locked:
            things += things_on_cells
        elif things_on_cells:
            locked_layers.append(layer.name)
    return ErasedThings(things, tuple(locked_layers))


def left_out_of_erasing(
    battlemap: BattleMap,
    layer_id: int,
    cells: NDArray[np.intp],
    *,
    paint_cells: NDArray[np.intp] = NO_CELLS,
) -> LeftOut:
    """Return the cells of which ``erase_cells`` leaves something out: ascending, each once."""
    cells_left_out = [cells[:0]]
    layers = dict[str, None]()
    for spec in battlemap.system.shown_planes:
        elements = elements_of(spec.element, battlemap.grid, cells)
        is_paint_only = _is_of_cells(battlemap, spec, elements, paint_cells)
        skipped = left_out(
            battlemap, layer_id, spec.name, elements, erasing=True, is_paint_only=is_paint_only
        )
        cells_left_out.append(cells_of(spec.element, battlemap.grid, skipped.elements))
        layers |= dict.fromkeys(skipped.layers)
    # A corner that is left out has cells that are not erased at all.
    return LeftOut(np.intersect1d(np.concatenate(cells_left_out), cells), tuple(layers))


# --- cutting off routes ---------------------------------------------------------------------------


def _cut_off(
    battlemap: BattleMap,
    layer_id: int,
    plane: str,
    cells: NDArray[np.intp],
    paint_cells: NDArray[np.intp],
) -> Iterator[Edit | None]:
    """Yield the edits that remove the links into ``cells`` that lead nowhere once they are erased.

    They are made in all visible layers from the top, but not below a locked one that sets the
    route: what is written there would not show.
    """
    if not any(plane in layer.planes for layer in battlemap.layers):
        return
    sides_to_cut = _sides_to_cut(battlemap, layer_id, plane, cells, paint_cells)
    unset = battlemap.system.plane(plane).unset
    for layer in reversed(battlemap.layers):
        if plane not in layer.planes or not layer.visible:
            continue
        if not layer.locked:
            yield _without_links(battlemap, layer, plane, sides_to_cut)
            continue
        values = layer.planes[plane].reshape(-1)
        sides_to_cut = {
            cell: sides for cell, sides in sides_to_cut.items() if values[cell] == unset
        }


def _sides_to_cut(
    battlemap: BattleMap,
    layer_id: int,
    plane: str,
    cells: NDArray[np.intp],
    paint_cells: NDArray[np.intp],
) -> dict[int, int]:
    """Return masks of sides by which routes of other cells lead into erased ``cells``, and nowhere.

    The keys are these other cells. A route did lead somewhere if the cell had one that answered it,
    or, without such a route, if the cell shows another terrain after erasing: a road can end at
    houses, as long as they stay. In a system without terrains another route counts instead.
    """
    grid = battlemap.grid
    links_before = battlemap.values(plane).ravel()
    links_after = _values_without(battlemap, layer_id, plane, cells, paint_cells)
    terrain_plane = plane
    if battlemap.system.terrain is not None:
        terrain_plane = battlemap.system.terrain.name
    terrain_after = _values_without(battlemap, layer_id, terrain_plane, cells, paint_cells)
    changes_terrain = battlemap.values(terrain_plane).ravel() != terrain_after
    is_outside = np.ones(grid.size, np.bool_)
    is_outside[cells] = False

    sides_to_cut: dict[int, int] = {}
    for side in range(grid.degree):
        neighbours = grid.neighbour_table[cells, side]
        bit = 1 << grid.opposite(side)
        leads_in = links_before[neighbours] & bit > 0
        # Of index -1 the values above are those of another cell: there is no neighbour.
        comes_from_outside = (neighbours >= 0) & is_outside[neighbours] & leads_in
        entered_cells = cells[comes_from_outside]
        did_lead_there = links_before[entered_cells] >> side & 1 > 0
        did_lead_there |= changes_terrain[entered_cells]
        is_cut = did_lead_there & (links_after[entered_cells] >> side & 1 == 0)
        for neighbour in neighbours[comes_from_outside][is_cut].tolist():
            sides_to_cut[neighbour] = sides_to_cut.get(neighbour, 0) | bit
    return sides_to_cut


def _without_links(
    battlemap: BattleMap, layer: Layer, plane: str, sides_to_cut: Mapping[int, int]
) -> Edit | None:
    """Return the edit that removes sides, masks by cell, from the routes in a layer.

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


def _values_without(
    battlemap: BattleMap,
    layer_id: int,
    plane: str,
    cells: NDArray[np.intp],
    paint_cells: NDArray[np.intp],
) -> NDArray[Any]:
    """Return the values of a plane as shown once ``cells`` are erased: shape (size,)."""
    unset = battlemap.system.plane(plane).unset
    layers = list(battlemap.layers)
    is_paint_only = np.isin(cells, paint_cells)
    targets = targets_of(
        battlemap, layer_id, plane, cells, erasing=True, is_paint_only=is_paint_only
    )
    for position, in_layer in targets.by_layer():
        values = layers[position].planes[plane].copy()
        values.flat[cells[in_layer]] = unset
        layers[position] = Layer(0, "", planes={plane: values})
    return battlemap.values(plane, layers).ravel()
