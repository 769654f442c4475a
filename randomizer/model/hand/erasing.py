"""Erasing cells, so that what lies below shows; routes into the cells are cut off.

The eraser and Cut call ``erase_cells``. Values are erased in their targets (targets.py). Things are
erased by ids of their own (``erased_things``), as no layer covers them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from randomizer.model.edits.layer_edits import cells_of, elements_of
from randomizer.model.edits.thing_edits import things_on
from randomizer.model.edits.value_edits import compound, painted_in_roll
from randomizer.model.hand.erased_routes import cut_routes
from randomizer.model.hand.targets import LeftOut, erase, erase_targets, left_out, why_not
from randomizer.model.planes.planes import Element, Plane, PlaneSpec

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from randomizer.model.edits.edit import Edit
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.things.things import Thing


NO_CELLS: NDArray[np.intp] = np.empty(0, np.intp)
"""What callers pass, and get, for no cells at all."""


def painted_over_rolls(
    battlemap: BattleMap, layer_id: int, cells: NDArray[np.intp]
) -> NDArray[np.intp]:
    """Return those of ``cells`` that a hand painted over a roll, ascending.

    A hand paints over a roll in two ways: into the rolled layer itself, which marks the value, or
    into a layer above it that was not rolled. Layers below the active one, ``layer_id``, and hidden
    ones do not count. A cell of which one side or corner was painted is a painted one.
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
                # In a layer above a roll all values are painted, in a rolled one the marked ones.
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

    ``erased_cells`` are those that the same stroke has erased. A corner that is shared with them is
    erased already: erased again, it would lose what a layer below shows there now. Of
    ``paint_cells`` nothing is erased that a roll made, only what a hand painted over it
    (``painted_over_rolls``). Routes of neighbouring cells that led into the cells, and now lead
    nowhere, are cut off there (``cut_routes``). None if there is nothing to erase, or if nothing
    can be erased with this layer active.
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
    erasing = compound(edits)
    if erasing is None:
        return None
    return compound([erasing, *cut_routes(battlemap, cells, erasing)])


def _is_of_cells(
    battlemap: BattleMap, spec: PlaneSpec, elements: NDArray[np.intp], cells: NDArray[np.intp]
) -> NDArray[np.bool_]:
    """Return which elements of a plane, (n,), are those of ``cells``, (n,)."""
    return np.isin(elements, elements_of(spec.element, battlemap.grid, cells))


def erased_values(battlemap: BattleMap, layer_id: int, cells: NDArray[np.intp]) -> dict[str, Plane]:
    """Return the values that erasing ``cells`` would remove: planes by name, unset everywhere else.

    That is with this layer active and without cells in which only paint is erased. Values that are
    restored to what a roll made are among them.
    """
    values_by_plane = {}
    for spec in battlemap.system.shown_planes:
        elements = elements_of(spec.element, battlemap.grid, cells)
        targets = erase_targets(battlemap, layer_id, spec.name, elements)
        plane = spec.allocate(battlemap.grid)
        for position, is_in_layer in targets.by_layer():
            plane_values = battlemap.layers[position].planes[spec.name]
            plane.flat[elements[is_in_layer]] = plane_values.flat[elements[is_in_layer]]
        values_by_plane[spec.name] = plane
    return values_by_plane


class ErasedThings(NamedTuple):
    """The things on cells that are erased."""

    things: list[Thing]
    """The things that are erased with the cells."""

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
    layer_names: list[str] = []
    for spec in battlemap.system.shown_planes:
        elements = elements_of(spec.element, battlemap.grid, cells)
        is_paint_only = _is_of_cells(battlemap, spec, elements, paint_cells)
        skipped = left_out(
            battlemap, layer_id, spec.name, elements, erasing=True, is_paint_only=is_paint_only
        )
        cells_left_out.append(cells_of(spec.element, battlemap.grid, skipped.elements))
        layer_names += skipped.layers
    # A corner that is left out has cells that are not erased at all.
    all_cells_left_out = np.intersect1d(np.concatenate(cells_left_out), cells)
    return LeftOut(all_cells_left_out, tuple(dict.fromkeys(layer_names)))
