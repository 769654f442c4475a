"""Functions that make edits of values, properties and locks, and that join or split edits.

``set_values`` is how values of a plane get into a layer; changes by a hand come through it from
``hand.targets``, which chooses the layer. ``compound`` makes one edit of several, ``squash`` makes
few edits of the many of a stroke.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from randomizer.model.edits.edit import (
    Compound,
    Edit,
    LayerField,
    LayerRemove,
    LayerReplace,
    LockEdit,
    PlaneEdit,
    PropertyEdit,
    ThingsEdit,
    fitting,
    take_back,
)
from randomizer.model.edits.record_edits import RecordSet
from randomizer.model.gate.plane_values import values_of
from randomizer.model.grid.indices import Indices, ascending, is_ascending
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.planes.planes import ROLLED, TOUCHED
from randomizer.model.system.property import UNSET

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from randomizer.model.planes.planes import Plane
    from randomizer.model.things.things import Thing


def _elements(index: Iterable[int], size: int) -> Indices:
    """Return indices as an array. Raises IndexError for one outside a plane of ``size``."""
    if isinstance(index, np.ndarray):
        elements = np.asarray(index, np.intp)
    else:
        elements = np.fromiter(index, np.intp)
    if elements.size and not 0 <= elements.min() <= elements.max() < size:
        raise IndexError(f"elements are 0 to {size - 1}, not {elements.min()} to {elements.max()}")
    return elements


def set_values(
    battlemap: BattleMap, layer_id: int, plane: str, index: Iterable[int], values: Any
) -> Edit | None:
    """Return the edit that writes ``values`` (one, or one each) at flat ``index`` of a plane.

    Elements that have the value already are left out; None if nothing would change. In a rolled
    layer all elements, unchanged ones too, are marked as touched, so that a re-roll keeps them, and
    what the roll made there is stored (``restore_rolled_values``).
    ``index`` can repeat an element only with the same value. Raises KeyError if the layer or plane
    is not there, IndexError for an element outside the plane, ValueError for values that the plane
    cannot hold or whose number is wrong.
    """
    layer = battlemap.layer(layer_id)
    spec = battlemap.system.plane(plane)
    elements = _elements(index, math.prod(spec.shape(battlemap.grid)))
    fitted_values = fitting(values, spec.dtype)
    allowed = values_of(battlemap.system, battlemap.terrain_set, battlemap.grid, spec)
    fault_position = allowed.first_fault(fitted_values)
    if fault_position is not None:
        value = fitted_values.flat[fault_position]
        raise ValueError(f"plane {plane}: here stand whole numbers {allowed.expected}, not {value}")
    elements, new_values = _once_each(elements, np.broadcast_to(fitted_values, elements.shape))

    present_plane = layer.planes.get(plane)
    if present_plane is None:
        old_values = np.full(len(elements), spec.unset, spec.dtype)
    else:
        old_values = present_plane.reshape(-1)[elements]
    differs = old_values != new_values
    edits: list[Edit] = []
    if differs.any():
        plane_edit = PlaneEdit(
            layer_id, plane, elements[differs], old_values[differs], new_values[differs]
        )
        edits.append(plane_edit)
    if layer.roll is not None and spec.shown:
        rolled_edit = _store_rolled_values(battlemap, layer, plane, elements, old_values)
        touched_edit = set_values(battlemap, layer_id, TOUCHED + plane, elements, 1)
        edits += filter(None, (rolled_edit, touched_edit))
    return compound(edits)


def _store_rolled_values(
    battlemap: BattleMap, layer: Layer, plane: str, elements: Indices, values: Plane
) -> Edit | None:
    """Return the edit that stores the values (n,) of elements that a hand is about to change.

    Elements that are touched already are left out: their values are no longer those of the roll.
    """
    if not battlemap.system.stores_rolled_values:
        return None
    is_rolled = ~_is_touched(layer, plane, elements)
    return set_values(battlemap, layer.id, ROLLED + plane, elements[is_rolled], values[is_rolled])


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
    """Return the edit that gives touched elements what the roll made there, without the mark.

    They are unset where the roll set nothing. None for no elements.
    """
    layer = battlemap.layer(layer_id)
    elements = ascending(elements)
    if not len(elements):
        return None
    spec = battlemap.system.plane(plane)
    marks_spec = battlemap.system.plane(TOUCHED + plane)
    rolled_spec = battlemap.system.plane(ROLLED + plane)
    rolled_plane = layer.planes.get(rolled_spec.name)
    rolled_values = np.full(len(elements), spec.unset, spec.dtype)
    if rolled_plane is not None:
        rolled_values = rolled_plane.reshape(-1)[elements]
    no_marks = np.zeros(len(elements), marks_spec.dtype)
    no_values = np.full(len(elements), spec.unset, spec.dtype)
    edits = []
    for changed_spec, new_values in (
        (spec, rolled_values),
        (marks_spec, no_marks),
        (rolled_spec, no_values),
    ):
        old_plane = layer.planes.get(changed_spec.name)
        if old_plane is None:
            continue
        old_values = old_plane.reshape(-1)[elements]
        edits.append(PlaneEdit(layer_id, changed_spec.name, elements, old_values, new_values))
    return compound(edits)


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


def set_property(battlemap: BattleMap, layer_id: int, name: str, value: object) -> Edit | None:
    """Return the edit that sets a property, or with UNSET unsets it; None if nothing would change.

    Raises KeyError if the system has no such property or the map no such layer, ValueError for a
    value that the property cannot have.
    """
    map_property = battlemap.system.property(name)
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


def blocking_layer(battlemap: BattleMap, edit: Edit) -> Layer | None:
    """Return the locked layer that ``edit`` would change, None if there is none.

    A locked layer cannot get other values or contents, nor be removed; it can be shown, moved,
    renamed and unlocked.
    """
    locked_layers = {layer.id: layer for layer in battlemap.layers if layer.locked}
    if not locked_layers:
        return None
    for simple_edit in parts(edit):
        if isinstance(simple_edit, PlaneEdit | PropertyEdit | ThingsEdit):
            layer_id = simple_edit.layer_id
        elif isinstance(simple_edit, LayerRemove):
            layer_id = simple_edit.layer.id
        elif isinstance(simple_edit, LayerReplace):
            layer_id = simple_edit.old_layer.id
        else:
            continue
        if layer_id in locked_layers:
            return locked_layers[layer_id]
    return None


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


class EditSequence:
    """Makes one edit of several, each made for the map as those before it leave the map.

        with EditSequence(battlemap) as sequence:
            sequence.add(change_terrain_set(battlemap, new_set))   # the map has the new set now
            sequence.add(set_values(battlemap, 1, "terrain", ...))  # in codes of the new set
        edit = sequence.edit                                       # the map has the old set again

    At the end of the ``with``, also by an exception, all edits are taken back: the map is as it
    was, bit for bit.
    """

    def __init__(self, battlemap: BattleMap) -> None:
        self._map = battlemap
        self._edits: list[Edit] = []
        """The edits that were added, in order."""

    def __enter__(self) -> Self:
        return self

    def add(self, edit: Edit | None) -> None:
        """Apply an edit to the map until the end of the sequence; do nothing for None."""
        if edit is not None:
            edit.apply(self._map)
            self._edits.append(edit)

    def __exit__(self, *exception: object) -> None:
        take_back(self._map, self._edits)

    @property
    def edit(self) -> Edit | None:
        """The edits so far as one; None if there is none."""
        return compound(self._edits)


def chained(battlemap: BattleMap, make_edits: Sequence[Callable[[], Edit | None]]) -> Edit | None:
    """Return the edits of some functions as one, each made for the map as those before leave it.

    The map itself is not changed (``EditSequence``).
    """
    with EditSequence(battlemap) as sequence:
        for make_edit in make_edits:
            sequence.add(make_edit())
    return sequence.edit


def squash(edits: Iterable[Edit]) -> Edit | None:
    """Return one edit with the effect of all, in order; None if they change nothing.

    The many small edits of a stroke become few: edits of one plane, of one array of locks, or of
    one layer's things are merged. Each element, thing or record keeps its first value before and
    its last value after; one that ends as it began is dropped. Of one record those are merged that
    follow one another.
    """
    run = _Run()
    for edit in edits:
        for simple_edit in parts(edit):
            run.add(simple_edit)
    run.finish()
    return compound(run.merged_edits)


class _Run:
    """A run of simple edits that are merged; ``merged_edits`` are those of the finished runs.

    Edits of different planes, locks and things commute, so they can be gathered whatever order
    they come in. An edit of the layer stack ends a run, and so does a thing that changes its layer.
    """

    def __init__(self) -> None:
        self.merged_edits: list[Edit] = []
        self._array_edits: dict[tuple[object, ...], list[PlaneEdit | LockEdit]] = {}
        """Those of a plane by its layer and name; those of locks by whether they are of sides."""
        self._thing_changes: dict[int, _ThingChanges] = {}
        """What changed in the things of each layer, by the layer's id."""
        self._layer_of_things: dict[int, int] = {}
        """The id of the layer of each thing in ``_thing_changes``, by the thing's id."""

    def add(self, edit: Edit) -> None:
        """Add the next simple edit."""
        if isinstance(edit, PlaneEdit):
            self._array_edits.setdefault((edit.layer_id, edit.plane), []).append(edit)
        elif isinstance(edit, LockEdit):
            self._array_edits.setdefault((edit.sides,), []).append(edit)
        elif isinstance(edit, ThingsEdit):
            self._add_things(edit)
        elif isinstance(edit, RecordSet):
            self._add_record(edit)
        else:
            self.finish()
            self.merged_edits.append(edit)

    def _add_things(self, edit: ThingsEdit) -> None:
        """Gather an edit of things; one that has changed its layer meanwhile ends the run."""
        thing_ids = {thing.id for thing in (*edit.old_things, *edit.new_things)}
        layer_ids = {self._layer_of_things.get(thing_id, edit.layer_id) for thing_id in thing_ids}
        if layer_ids - {edit.layer_id}:
            self.finish()
        for thing_id in thing_ids:
            self._layer_of_things[thing_id] = edit.layer_id
        self._thing_changes.setdefault(edit.layer_id, _ThingChanges()).add(edit)

    def _add_record(self, edit: RecordSet) -> None:
        """Merge with the last merged edit if that is of the same record; it ends no run.

        Records and what a run holds do not depend on each other.
        """
        old_record = edit.old_record
        if self.merged_edits:
            last_edit = self.merged_edits[-1]
            if isinstance(last_edit, RecordSet) and last_edit.name == edit.name:
                old_record = last_edit.old_record
                self.merged_edits.pop()
        if old_record != edit.new_record:
            self.merged_edits.append(RecordSet(edit.name, old_record, edit.new_record))

    def finish(self) -> None:
        """Merge the edits of this run, and begin the next."""
        for group in self._array_edits.values():
            merged_edit = _merge(group)
            if len(merged_edit.index):
                self.merged_edits.append(merged_edit)
        for layer_id, changes in self._thing_changes.items():
            things_edit = changes.edit(layer_id)
            if things_edit is not None:
                self.merged_edits.append(things_edit)
        self._array_edits.clear()
        self._thing_changes.clear()
        self._layer_of_things.clear()


class _ThingChanges:
    """Edits of one layer's things, merged: each thing as it was first and as it is last."""

    def __init__(self) -> None:
        self._first: dict[int, Thing | None] = {}
        """Each thing before the first edit of it, by id; None if it was not there."""
        self._last: dict[int, Thing | None] = {}
        """Each thing after the last edit of it; None if it is not there any more."""

    def add(self, edit: ThingsEdit) -> None:
        """Add the next edit."""
        for thing in edit.old_things:
            self._first.setdefault(thing.id, thing)
            self._last[thing.id] = None
        for thing in edit.new_things:
            self._first.setdefault(thing.id, None)
            self._last[thing.id] = thing

    def edit(self, layer_id: int) -> ThingsEdit | None:
        """Return the edit with the effect of all; None if nothing is changed in the end."""
        old_things = []
        new_things = []
        for thing_id, old_thing in self._first.items():
            new_thing = self._last[thing_id]
            if new_thing == old_thing:
                continue
            if old_thing is not None:
                old_things.append(old_thing)
            if new_thing is not None:
                new_things.append(new_thing)
        if old_things or new_things:
            return ThingsEdit(layer_id, tuple(old_things), tuple(new_things))
        return None


def _merge(group: Sequence[PlaneEdit | LockEdit]) -> PlaneEdit | LockEdit:
    """Return one edit with the effect of several of one plane, or of one array of locks.

    Elements that end as they began are left out.
    """
    edits = [edit for edit in group if len(edit.index)]
    if not edits:
        return group[0]
    if len(edits) == 1:
        return edits[0]
    # An entry for each index between the least and the greatest: quicker than sorting all of them.
    first = min(int(edit.index.min()) for edit in edits)
    last = max(int(edit.index.max()) for edit in edits)
    span = last - first + 1
    dtypes = set[np.dtype[Any]]()
    for edit in edits:
        dtypes |= {edit.old_values.dtype, edit.new_values.dtype}
    dtype = np.result_type(*dtypes)
    is_changed = np.zeros(span, np.bool_)
    old_values = np.empty(span, dtype)
    new_values = np.empty(span, dtype)
    for edit in edits:
        is_changed[edit.index - first] = True
        new_values[edit.index - first] = edit.new_values
    # Backwards, so that the value before the first edit of an element is written last.
    for edit in reversed(edits):
        old_values[edit.index - first] = edit.old_values
    index = np.flatnonzero(is_changed)
    index = index[old_values[index] != new_values[index]]
    return replace(
        edits[0],
        index=index + first,
        old_values=old_values[index],
        new_values=new_values[index],
    )
