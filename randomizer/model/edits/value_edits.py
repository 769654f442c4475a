"""Functions that make edits of values, properties and locks, and that join or split edits.

``set_values`` makes the edit that writes values into a plane of a layer. For what a user paints,
call ``hand.targets.paint``: it chooses the layer that gets the values, and calls ``set_values``.
``compound`` makes one edit of several, ``parts`` splits it again.

A *plane* of a layer has a value for each *element*: each cell, side or corner, by its flat index. A
*rolled* layer was made by a generator. Two more planes remember where a hand has changed it: there
is a mark in ``touched:``, so that another roll keeps the change, and in ``rolled:`` what the roll
made there. Here a hand has painted 7 into element 1 (``-`` is unset)::

    element            0   1   2   3
    terrain            4   7   2   2
    touched:terrain    0   1   0   0
    rolled:terrain     -   4   -   -

``set_values`` writes all three planes; ``restore_rolled_values`` takes the paint away again.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from randomizer.model.edits.edit import (
    Compound,
    Edit,
    LockEdit,
    PlaneEdit,
    PropertyEdit,
    fitting,
)
from randomizer.model.edits.stack_edits import LayerField
from randomizer.model.gate.plane_values import MapFrame, values_of
from randomizer.model.grid.indices import Indices, ascending, is_ascending
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.planes.planes import ROLLED, TOUCHED
from randomizer.model.system.property import UNSET

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from randomizer.model.planes.planes import Plane, PlaneSpec


def set_values(
    battlemap: BattleMap, layer_id: int, plane: str, index: Iterable[int], values: Any
) -> Edit | None:
    """Return the edit that writes ``values`` (one, or one each) at flat ``index`` of a plane.

    Elements that have the value already are left out; None if nothing would change. In a rolled
    layer all elements, unchanged ones too, are marked as touched. ``index`` can repeat an element
    only with the same value. Raises KeyError if the layer or plane is not there, IndexError for an
    element outside the plane, ValueError for values that the plane cannot hold or whose number is
    wrong.
    """
    layer = battlemap.layer(layer_id)
    spec = battlemap.system.plane(plane)
    elements = _elements(index, math.prod(spec.shape(battlemap.grid)))
    fitted_values = _allowed_values(battlemap, spec, values)
    elements, new_values = _once_each(elements, np.broadcast_to(fitted_values, elements.shape))
    edits: list[Edit | None] = [_plane_edit(layer, spec, elements, new_values)]
    if layer.roll is not None and spec.shown:
        edits.append(_store_rolled_values(battlemap, layer, spec, elements))
        marks_spec = battlemap.system.plane(TOUCHED + plane)
        marks = np.ones(len(elements), marks_spec.dtype)
        edits.append(_plane_edit(layer, marks_spec, elements, marks))
    return compound(edits)


def _plane_edit(
    layer: Layer, spec: PlaneSpec, elements: Indices, new_values: Plane
) -> PlaneEdit | None:
    """Return the edit that writes values (n,) at ascending elements (n,) of a plane of a layer.

    Those that have the value already are left out; None if all have it.
    """
    old_values = _values_at(layer, spec, elements)
    differs = old_values != new_values
    if not differs.any():
        return None
    return PlaneEdit(
        layer_id=layer.id,
        plane=spec.name,
        index=elements[differs],
        old_values=old_values[differs],
        new_values=new_values[differs],
    )


def _elements(index: Iterable[int], size: int) -> Indices:
    """Return indices as an array. Raises IndexError for one outside a plane of ``size``."""
    if isinstance(index, np.ndarray):
        elements = np.asarray(index, np.intp)
    else:
        elements = np.fromiter(index, np.intp)
    if elements.size and not 0 <= elements.min() <= elements.max() < size:
        raise IndexError(f"elements are 0 to {size - 1}, not {elements.min()} to {elements.max()}")
    return elements


def _allowed_values(battlemap: BattleMap, spec: PlaneSpec, values: Any) -> Plane:
    """Return values in the dtype of a plane. Raises ValueError for one that it cannot have."""
    fitted_values = fitting(values, spec.dtype)
    allowed = values_of(MapFrame.of(battlemap), spec)
    fault_position = allowed.first_fault(fitted_values)
    if fault_position is not None:
        value = fitted_values.flat[fault_position]
        raise ValueError(
            f"plane {spec.name}: here stand whole numbers {allowed.expected}, not {value}"
        )
    return fitted_values


def _once_each(elements: Indices, values: Plane) -> tuple[Indices, Plane]:
    """Return elements ascending, each once, and the value of each.

    Raises ValueError for an element with two values.
    """
    if is_ascending(elements):
        return elements, values
    unique_elements, first_positions, positions_in_unique = np.unique(
        elements, return_index=True, return_inverse=True
    )
    unique_values = values[first_positions]
    if (unique_values[positions_in_unique] != values).any():
        raise ValueError("one place cannot have two values")
    return unique_elements, unique_values


def _values_at(layer: Layer, spec: PlaneSpec, elements: Indices) -> Plane:
    """Return what a layer sets at elements (n,) of a plane, (n,): ``unset`` where it sets none."""
    plane = layer.planes.get(spec.name)
    if plane is None:
        return np.full(len(elements), spec.unset, spec.dtype)
    return plane.reshape(-1)[elements]


def _store_rolled_values(
    battlemap: BattleMap, layer: Layer, spec: PlaneSpec, elements: Indices
) -> PlaneEdit | None:
    """Return the edit that stores what the roll made at elements that a hand is about to change.

    Elements that are touched already are left out: their values are no longer those of the roll.
    """
    if not battlemap.system.stores_rolled_values:
        return None
    rolled_elements = elements[~_is_touched(layer, spec.name, elements)]
    rolled_values = _values_at(layer, spec, rolled_elements)
    rolled_spec = battlemap.system.plane(ROLLED + spec.name)
    return _plane_edit(layer, rolled_spec, rolled_elements, rolled_values)


def _is_touched(layer: Layer, plane: str, elements: Indices) -> NDArray[np.bool_]:
    """Return which elements of a plane of a rolled layer, (n,), a hand has changed, (n,)."""
    marks = layer.planes.get(TOUCHED + plane)
    if marks is None:
        return np.zeros(len(elements), np.bool_)
    is_touched: NDArray[np.bool_] = marks.reshape(-1)[elements] != 0
    return is_touched


def painted_in_roll(
    battlemap: BattleMap, layer: Layer, plane: str, elements: Indices
) -> NDArray[np.bool_]:
    """Return which elements (n,) of a layer hold paint over what its roll has made there, (n,).

    ``restore_rolled_values`` takes it away. In a layer that was not rolled, and in systems that do
    not store what a roll made, there are none.
    """
    if layer.roll is None or not battlemap.system.stores_rolled_values:
        return np.zeros(len(elements), np.bool_)
    return _is_touched(layer, plane, elements)


def restore_rolled_values(
    battlemap: BattleMap, layer_id: int, plane: str, elements: Indices
) -> Edit | None:
    """Return the edit that gives elements what the roll made there, and takes the mark away.

    All of them must be ``painted_in_roll``. They are unset where the roll set nothing. None for no
    elements.
    """
    layer = battlemap.layer(layer_id)
    elements = ascending(elements)
    if not len(elements):
        return None
    spec = battlemap.system.plane(plane)
    marks_spec = battlemap.system.plane(TOUCHED + plane)
    rolled_spec = battlemap.system.plane(ROLLED + plane)
    new_values = {
        spec: _values_at(layer, rolled_spec, elements),
        marks_spec: np.zeros(len(elements), marks_spec.dtype),
        rolled_spec: np.full(len(elements), rolled_spec.unset, rolled_spec.dtype),
    }
    edits = []
    for changed_spec, values in new_values.items():
        if changed_spec.name in layer.planes:
            plane_edit = PlaneEdit(
                layer_id=layer_id,
                plane=changed_spec.name,
                index=elements,
                old_values=_values_at(layer, changed_spec, elements),
                new_values=values,
            )
            edits.append(plane_edit)
    return compound(edits)


def set_property(battlemap: BattleMap, layer_id: int, name: str, value: object) -> Edit | None:
    """Return the edit that sets a property, or with UNSET unsets it; None if nothing would change.

    Raises KeyError if the system has no such property or the map no such layer, ValueError for a
    value that the property cannot have.
    """
    map_property = battlemap.system.property_named(name)
    layer = battlemap.layer(layer_id)
    old_value = layer.properties.get(name, UNSET)
    new_value: object = UNSET
    if value is not UNSET:
        new_value = map_property.read(value)
    if old_value == new_value:
        return None
    edits: list[Edit] = [PropertyEdit(layer_id, name, old_value, new_value)]
    touched = layer.touched_properties
    if layer.roll is not None and name not in touched:
        edits.append(LayerField(layer_id, "touched_properties", touched, touched | {name}))
    return compound(edits)


def set_locks(
    battlemap: BattleMap, index: Iterable[int], locked: bool, *, sides: bool = False
) -> Edit | None:
    """Return the edit that locks or unlocks cells (or hexsides: ``cell * degree + side``).

    None if nothing would change. Raises IndexError for an element outside the map.
    """
    locks = battlemap.locked_sides if sides else battlemap.locked_cells
    elements = ascending(_elements(index, locks.size))
    elements = elements[locks.reshape(-1)[elements] != locked]
    if not len(elements):
        return None
    new_locks = np.full(len(elements), locked, np.bool_)
    return LockEdit(sides, elements, ~new_locks, new_locks)


def parts(edit: Edit) -> Iterator[Edit]:
    """Yield the simple edits of a compound one, first to last; the edit itself if it is simple."""
    if isinstance(edit, Compound):
        for part in edit.edits:
            yield from parts(part)
    else:
        yield edit


def compound(edits: Iterable[Edit | None]) -> Edit | None:
    """Return one edit of several, flattened; None if there are none."""
    flat: list[Edit] = []
    for edit in edits:
        if isinstance(edit, Compound):
            flat.extend(edit.edits)
        elif edit is not None:
            flat.append(edit)
    if not flat:
        return None
    if len(flat) == 1:
        return flat[0]
    return Compound(tuple(flat))
