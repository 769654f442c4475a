"""Find and replace in the planes of a map: terrains, hexsides and elevations.

Each of the three has one plane of numbers, so that replacing is looking up: a table has the new
number for each old one, and all numbers are exchanged at once. (Ways are harder: see
way_replacement.py.) Terrain alone has a second case: where no layer sets any, a map shows the first
terrain of its set, and there is no number that could be exchanged: then it has to be set.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from randomizer.geometry.replacement_names import Replacement, Subject, names_of
from randomizer.model.planes.planes import Element

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.map.layer import Layer
    from randomizer.model.planes.planes import PlaneSpec


_FIRST_TERRAIN = 0
"""The code of the terrain that a map shows where no layer sets any."""


class PlaneChange(NamedTuple):
    """New values of some elements of a plane of one layer."""

    layer: Layer

    plane: str
    """The name of the plane."""

    elements: NDArray[np.intp]
    """Flat indices in the plane, ascending, shape (n,)."""

    values: NDArray[np.int64]
    """The new value of each element, shape (n,)."""


def value_changes(
    battlemap: BattleMap, replacements: Sequence[Replacement], cells: NDArray[np.intp] | None
) -> Iterator[PlaneChange]:
    """Yield what changes in the planes of all layers, locked ones too, each element once.

    Only elements of ``cells`` change, unless these are None. Names must be in the terrain set.
    """
    system = battlemap.system
    for subject, spec in (
        (Subject.TERRAIN, system.terrain),
        (Subject.HEXSIDE, system.hexside),
        (Subject.ELEVATION, system.elevation),
    ):
        new_values = _new_values(battlemap, replacements, subject)
        if spec is None or not new_values:
            continue
        for layer in battlemap.layers:
            values = layer.planes.get(spec.name)
            if values is not None:
                yield from _changes_of_layer(battlemap, layer, spec, values, new_values, cells)
        if subject is Subject.TERRAIN and _FIRST_TERRAIN in new_values:
            yield from _changes_of_unset(battlemap, spec, new_values[_FIRST_TERRAIN], cells)


def _new_values(
    battlemap: BattleMap, replacements: Sequence[Replacement], subject: Subject
) -> dict[int, int]:
    """Return the new value of a plane for each old one that is replaced."""
    index_by_name = names_of(battlemap, subject)
    new_values = {}
    for replacement in replacements:
        if replacement.subject is not subject or replacement.old == replacement.new:
            continue
        if subject is Subject.ELEVATION:
            new_values[int(replacement.old)] = int(replacement.new)
        elif subject is Subject.HEXSIDE:
            # On the plane 0 is no hexside, which has the name "", and 1 the first of the set.
            new_code = 0
            if replacement.new:
                new_code = index_by_name[replacement.new] + 1
            new_values[index_by_name[replacement.old] + 1] = new_code
        else:
            new_values[index_by_name[replacement.old]] = index_by_name[replacement.new]
    return new_values


def _changes_of_layer(
    battlemap: BattleMap,
    layer: Layer,
    spec: PlaneSpec,
    values: NDArray[np.int64],
    new_values: dict[int, int],
    cells: NDArray[np.intp] | None,
) -> Iterator[PlaneChange]:
    """Yield the change of a plane in which any of the old values of ``new_values`` stands."""
    flat_values = values.reshape(-1)
    # The number that means "not set" may be that of an elevation which is replaced.
    is_set = flat_values != spec.unset
    is_replaced = np.isin(flat_values, list(new_values)) & is_set
    elements = np.flatnonzero(is_replaced & _is_chosen(battlemap, spec, cells))
    if not len(elements):
        return
    # Look up each distinct value once, then spread the new ones over the elements.
    old_values, indices = np.unique(flat_values[elements], return_inverse=True)
    values_by_index = np.array([new_values[value] for value in old_values.tolist()], np.int64)
    yield PlaneChange(layer, spec.name, elements, values_by_index[indices])


def _changes_of_unset(
    battlemap: BattleMap, spec: PlaneSpec, new: int, cells: NDArray[np.intp] | None
) -> Iterator[PlaneChange]:
    """Yield the change of the cells whose terrain is unset in every layer, hidden ones included.

    Where a hidden layer sets it, the cell shows the first terrain only until that layer is shown.
    They get the terrain ``new`` in the lowest visible layer that is not locked. If all are locked
    it is the lowest one, so that the caller can name it.
    """
    is_bare = _is_chosen(battlemap, spec, cells)
    for layer in battlemap.layers:
        values = layer.planes.get(spec.name)
        if values is not None:
            is_bare = is_bare & (values.reshape(-1) == spec.unset)
    elements = np.flatnonzero(is_bare)
    visible_layers = [layer for layer in battlemap.layers if layer.visible]
    unlocked_layers = [layer for layer in visible_layers if not layer.locked]
    target_layers = unlocked_layers or visible_layers
    if len(elements) and target_layers:
        new_values = np.full(len(elements), new, np.int64)
        yield PlaneChange(target_layers[0], spec.name, elements, new_values)


def _is_chosen(
    battlemap: BattleMap, spec: PlaneSpec, cells: NDArray[np.intp] | None
) -> NDArray[np.bool_]:
    """Return which elements of a plane of cells or of sides may change: a flat array.

    These are the elements of existing cells, and of ``cells`` alone unless that is None.
    """
    grid = battlemap.grid
    chosen_cells = grid.cells
    if cells is not None:
        chosen_cells = np.intersect1d(grid.cells, cells)
    is_chosen = np.zeros(grid.size, np.bool_)
    is_chosen[chosen_cells] = True
    if spec.element is Element.SIDE:
        return np.repeat(is_chosen, grid.degree)
    return is_chosen
