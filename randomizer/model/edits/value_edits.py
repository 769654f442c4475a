"""Functions that make edits: values, properties, locks; and join or split them."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

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
from randomizer.model.planes.planes import TOUCHED
from randomizer.model.system.property import UNSET

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from randomizer.model.things.things import Thing


def _elements(index: Iterable[int], size: int) -> Indices:
    """``index`` as an array. Raises IndexError for a place outside a plane of ``size``."""
    is_array = isinstance(index, np.ndarray)
    if is_array:
        elements = np.asarray(index, np.intp)
    else:
        elements = np.fromiter(index, np.intp)
    if elements.size and not 0 <= elements.min() <= elements.max() < size:
        raise IndexError(f"elements are 0 to {size - 1}, not {elements.min()} to {elements.max()}")
    return elements


def set_values(
    battlemap: BattleMap, layer_id: int, plane: str, index: Iterable[int], values: Any
) -> Edit | None:
    """Return the edit that writes ``values`` (one, or one each) at flat ``index`` of a layer's
    plane.

    Places that have the value already are left out; None if nothing would change. In a rolled layer
    all places, unchanged ones too, are marked as touched, so that a re-roll keeps them. ``index``
    can repeat a place only with the same value. Raises KeyError if the layer or plane is not there,
    IndexError for a place outside the plane, ValueError for values that the plane cannot hold or
    whose number is wrong.
    """
    layer = battlemap.layer(layer_id)
    spec = battlemap.system.plane(plane)
    elements = _elements(index, math.prod(spec.shape(battlemap.grid)))
    fitted = fitting(values, spec.dtype)
    allowed = values_of(battlemap.system, battlemap.terrain_set, battlemap.grid, spec)
    at = allowed.first_fault(fitted)
    if at is not None:
        raise ValueError(
            f"plane {plane}: here stand whole numbers {allowed.expected}, not {fitted.flat[at]}"
        )
    new_values = np.broadcast_to(fitted, elements.shape)
    where = elements
    values_set = new_values
    if not is_ascending(elements):
        where, first, inverse = np.unique(elements, return_index=True, return_inverse=True)
        values_set = new_values[first]
        if (values_set[inverse] != new_values).any():
            raise ValueError("one place cannot have two values")
    present = layer.planes.get(plane)
    if present is None:
        old_values = np.full(len(where), spec.unset, spec.dtype)
    else:
        old_values = present.reshape(-1)[where]
    different = old_values != values_set
    edits: list[Edit] = []
    if different.any():
        edits.append(
            PlaneEdit(
                layer_id, plane, where[different], old_values[different], values_set[different]
            )
        )
    if layer.roll is not None and spec.shown:
        touched = set_values(battlemap, layer_id, TOUCHED + plane, where, 1)
        if touched is not None:
            edits.append(touched)
    return compound(edits)


def set_property(battlemap: BattleMap, layer_id: int, name: str, value: object) -> Edit | None:
    """Return the edit that sets a property, or with UNSET unsets it; None if nothing would change.

    Raises KeyError if the system has no such property or the map no such layer, ValueError for a
    value that the property cannot have.
    """
    map_property = battlemap.system.property(name)
    layer = battlemap.layer(layer_id)
    old_value = layer.properties.get(name, UNSET)
    if value is UNSET:
        new_value = UNSET
    else:
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

    None if nothing would change. Raises IndexError for a place outside the map.
    """
    locks = battlemap.locked_sides if sides else battlemap.locked_cells
    where = ascending(_elements(index, locks.size))
    where = where[locks.reshape(-1)[where] != locked]
    if not len(where):
        return None
    new_locks = np.full(len(where), locked, np.bool_)
    return LockEdit(sides, where, ~new_locks, new_locks)


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
    locked = {layer.id: layer for layer in battlemap.layers if layer.locked}
    if not locked:
        return None
    for part in parts(edit):
        if isinstance(part, PlaneEdit | PropertyEdit | ThingsEdit):
            touched = part.layer_id
        elif isinstance(part, LayerRemove):
            touched = part.layer.id
        elif isinstance(part, LayerReplace):
            touched = part.before.id
        else:
            continue
        if touched in locked:
            return locked[touched]
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


def chained(battlemap: BattleMap, makes: Sequence[Callable[[], Edit | None]]) -> Edit | None:
    """Return one edit of several, each made for the map as it is after those before.

    They are applied for that, and taken back again: the map is as it was, bit for bit.
    """
    done: list[Edit] = []
    try:
        for make in makes:
            edit = make()
            if edit is not None:
                edit.apply(battlemap)
                done.append(edit)
    finally:
        take_back(battlemap, done)
    return compound(done)


def squash(edits: Iterable[Edit]) -> Edit | None:
    """One edit with the effect of all, in order; edits of one plane, lock array or layer's things
    are merged.

    The many small edits of a stroke become few: each place, thing or record keeps its first
    ``before`` and its last ``after``; one that ends as it began is dropped. Edits of different
    planes commute, so only edits of the layer stack, and of a thing that changes its layer, end a
    run. Of one record those are merged that follow one another.
    """
    done: list[Edit] = []
    pending: dict[tuple[object, ...], list[PlaneEdit | LockEdit]] = {}
    things: dict[int, _ThingChanges] = {}
    homes: dict[int, int] = {}  # the layers of the things in ``things``

    def flush() -> None:
        for group in pending.values():
            merged = _merge(group)
            if len(merged.index):
                done.append(merged)
        done.extend(edit for layer_id in things if (edit := things[layer_id].edit(layer_id)))
        pending.clear()
        things.clear()
        homes.clear()

    for edit in chain.from_iterable(parts(edit) for edit in edits):
        if isinstance(edit, PlaneEdit):
            pending.setdefault((edit.layer_id, edit.plane), []).append(edit)
        elif isinstance(edit, LockEdit):
            pending.setdefault((edit.sides,), []).append(edit)
        elif isinstance(edit, ThingsEdit):
            if any(
                homes.setdefault(thing.id, edit.layer_id) != edit.layer_id
                for thing in (*edit.before, *edit.after)
            ):
                flush()
                homes.update((thing.id, edit.layer_id) for thing in (*edit.before, *edit.after))
            things.setdefault(edit.layer_id, _ThingChanges()).add(edit)
        elif isinstance(edit, RecordSet):
            if done and _sets_record(done[-1], edit.name):
                last = done.pop()
            else:
                last = edit
            assert isinstance(last, RecordSet)
            if last.before != edit.after:
                done.append(RecordSet(edit.name, last.before, edit.after))
        else:
            flush()
            done.append(edit)
    flush()
    return compound(done)


def _sets_record(edit: Edit, name: str) -> bool:
    return isinstance(edit, RecordSet) and edit.name == name


class _ThingChanges:
    """Edits of one layer's things, merged: each thing as it was first and as it is last."""

    def __init__(self) -> None:
        self._before: dict[int, Thing | None] = {}
        self._after: dict[int, Thing | None] = {}

    def add(self, edit: ThingsEdit) -> None:
        """Follow with one more edit."""
        for thing in edit.before:
            self._before.setdefault(thing.id, thing)
            self._after[thing.id] = None
        for thing in edit.after:
            self._before.setdefault(thing.id, None)
            self._after[thing.id] = thing

    def edit(self, layer_id: int) -> ThingsEdit | None:
        """Return the edit with the effect of all; None if nothing is changed in the end."""
        changed = [i for i, before in self._before.items() if self._after[i] != before]
        before, after = (
            tuple(thing for i in changed if (thing := state[i]) is not None)
            for state in (self._before, self._after)
        )
        if changed:
            return ThingsEdit(layer_id, before, after)
        return None


def _merge(group: list[PlaneEdit | LockEdit]) -> PlaneEdit | LockEdit:
    group = [edit for edit in group if len(edit.index)] or group[:1]
    if len(group) == 1:
        return group[0]
    first = min(int(edit.index.min()) for edit in group)
    span = max(int(edit.index.max()) for edit in group) - first + 1
    # A place for each index between the least and the most: quicker than sorting all of them.
    marks = np.zeros(span, np.bool_)
    dtype = np.result_type(*{held.dtype for edit in group for held in (edit.before, edit.after)})
    befores = np.empty(span, dtype)
    afters = np.empty(span, dtype)
    for edit in group:
        marks[edit.index - first] = True
        afters[edit.index - first] = edit.after
    for edit in reversed(group):
        befores[edit.index - first] = edit.before
    where = np.flatnonzero(marks)
    old_values = befores[where]
    new_values = afters[where]
    where += first
    different = old_values != new_values
    return replace(
        group[0], index=where[different], before=old_values[different], after=new_values[different]
    )
