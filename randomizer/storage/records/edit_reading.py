"""Edits from records (docs/adr/0010), with layers that keep their identity.

``edit_writing`` says what a record holds. Most edits are read by the types of their fields alone.
The hard part are layers: one that an edit removes or inserts is the map's own object as long as it
is in the map, since undo and redo change it in place. So an edit is read against the map. Of its
two states, the old and the new one, one is the map as it is now, the *present* state: layers of
that state are the map's own objects. Layers of the *other* state are read from the record. If an
edit replaces layer A by B::

    done        the map has B (it can be undone):  B is the map's object, A is read
    not done    the map has A (it can be redone):  A is the map's object, B is read

An edit within a compound is read against the map as its neighbour leaves it. ``_MapState`` follows
that: after an edit was read it is in the edit's other state, like a map in which one undo or redo
has been done.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np

from randomizer.model.edits.edit import (
    Compound,
    Edit,
    LockEdit,
    PlaneEdit,
    PropertyEdit,
    ThingsEdit,
)
from randomizer.model.edits.record_edits import NamingEdit, RecordEdit, RecordSet, SourceEdit
from randomizer.model.edits.reshape import Reshape, Shape
from randomizer.model.edits.stack_edits import (
    LayerField,
    LayerInsert,
    LayerMove,
    LayerRemove,
    LayerReplace,
)
from randomizer.model.edits.terrain_edits import TerrainSetEdit
from randomizer.model.grid.indices import Indices, is_ascending
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.planes.planes import Plane
from randomizer.model.system.property import UNSET
from randomizer.model.terrain.terrain import TerrainSet
from randomizer.model.things.things import Thing
from randomizer.storage.records.codec import Raw, Record, kinds_of, read_fields
from randomizer.storage.records.parts import PartReader
from randomizer.storage.records.records import (
    read_layer,
    read_property,
    read_shape,
    read_terrain_set,
    text_readers,
)
from randomizer.storage.records.thing_records import read_things

Value = TypeVar("Value")


def read_edit(record: object, battlemap: BattleMap, parts: PartReader, *, done: bool) -> Edit:
    """Return the edit of a record. Raises ValueError if it is no edit of the map.

    With ``done`` the map is in the state after the edit, otherwise in the one before it.
    """
    return _read_next(record, _MapState(battlemap, parts, done=done))


def _read_next(record: object, state: _MapState) -> Edit:
    """Return the edit of a record, and bring ``state`` into the other state of the edit."""
    class_name = None
    if isinstance(record, dict):
        class_name = record.get("edit")
    if not isinstance(class_name, str) or class_name not in READERS:
        raise ValueError(f"no edit is called {class_name!r:.40}")
    fields = dict(cast(Record, record))
    del fields["edit"]
    return READERS[class_name](fields, state)


class _MapState:
    """The map at the edit that is read next, and what is needed to read it."""

    def __init__(self, battlemap: BattleMap, parts: PartReader, *, done: bool) -> None:
        self.system = battlemap.system
        self.parts = parts
        """Finds the arrays and texts of the record."""
        self.done = done
        """True if the map is in the state after each edit, False if in the state before it."""
        self.terrain_set = battlemap.terrain_set
        self.shape = Shape.of(battlemap)
        """The grid, and what depends on it; its layers are not those of this state."""
        self.layers = {layer.id: layer for layer in battlemap.layers}
        """The layers by id."""
        self._own_readers = {
            **text_readers(parts),
            tuple[Thing, ...]: read_things,
            TerrainSet: lambda record, _where: read_terrain_set(record, self.system),
        }
        """Read the fields of types that the codec does not know."""

    def present_and_other(self, old: Value, new: Value) -> tuple[Value, Value]:
        """Return the old and the new value of an edit in another order: first the present one."""
        if self.done:
            return new, old
        return old, new

    def old_and_new(self, present: Value, other: Value) -> tuple[Value, Value]:
        """Return the present and the other value of an edit in another order: first the old one."""
        if self.done:
            return other, present
        return present, other

    def pop_present_layer(self, record: object) -> Layer:
        """Remove a layer that only the present state has, and return it: the map's own object."""
        layer_id = None
        if isinstance(record, dict):
            layer_id = record.get("id")
        if isinstance(layer_id, int) and layer_id in self.layers:
            return self.layers.pop(layer_id)
        # The map does not fit the edit: ``check_edit_values`` refuses it afterwards.
        return self._read_layer(record)

    def add_other_layer(self, record: object) -> Layer:
        """Add a layer that only the other state has, and return it: a new object."""
        layer = self._read_layer(record)
        self.layers[layer.id] = layer
        return layer

    def read_fields(self, record: Record, cls: type, **kinds: Any) -> Record:
        """Return the values of the fields of an edit of class ``cls``, by name.

        ``kinds`` replace the types of some fields; one that is ``Raw`` is read by the caller.
        """
        return read_fields({**kinds_of(cls), **kinds}, record, "an edit", self._own_readers)

    def _read_layer(self, record: object) -> Layer:
        """Return a layer of a record as a new object."""
        return read_layer(record, self.system, self.terrain_set, self.shape.grid, self.parts)


# --- values of planes, and locks ------------------------------------------------------------------


def steps_of_indices(indices: Indices) -> Indices:
    """Return the differences of ascending indices, of the smallest type that holds them.

    They are small numbers, many of them equal, and so take much less space when packed: of 7, 8, 9,
    20 they are 7, 1, 1, 11, as bytes.
    """
    steps = np.diff(indices, prepend=0)
    if len(steps) and steps.min() >= 0:
        return steps.astype(np.min_scalar_type(steps.max()))
    return steps


def _indices_of_steps(steps: Plane) -> Indices:
    """Return the indices whose differences are ``steps``."""
    return np.cumsum(steps, dtype=np.intp)


_VALUES = {"steps": Raw, "old_values": Raw, "new_values": Raw}
"""The fields of an edit of values that are arrays, and their kinds for the codec.

``steps`` stands for the field ``index``.
"""


class _ChangedValues(NamedTuple):
    """The arrays of an edit of a plane or of locks, all of shape (n,)."""

    indices: Indices
    old_values: Plane
    new_values: Plane


def _read_plane_edit(record: Record, state: _MapState) -> Edit:
    """Return the edit of the values of a plane."""
    fields = read_fields({"layer_id": int, "plane": str, **_VALUES}, record, "an edit")
    plane = fields["plane"]
    try:
        size = int(np.prod(state.system.plane(plane).shape(state.shape.grid)))
    except KeyError:
        raise ValueError(f"there is no plane {plane!r:.40}") from None
    values = _read_values(fields, state.parts, size, None)
    return PlaneEdit(
        fields["layer_id"], plane, values.indices, values.old_values, values.new_values
    )


def _read_lock_edit(record: Record, state: _MapState) -> Edit:
    """Return the edit of the locks of cells or of sides."""
    fields = read_fields({"sides": bool, **_VALUES}, record, "an edit")
    sides = fields["sides"]
    size = state.shape.grid.size
    if sides:
        size *= state.shape.grid.degree
    values = _read_values(fields, state.parts, size, "bool")
    return LockEdit(sides, values.indices, values.old_values, values.new_values)


def _read_values(fields: Record, parts: PartReader, size: int, dtype: str | None) -> _ChangedValues:
    """Return the arrays of an edit of a plane or of locks. Raises ValueError.

    ``size`` is the number of elements of the plane or of the locks. With ``dtype`` None the values
    can have any type, which ``check_edit_values`` checks.
    """
    indices = _indices_of_steps(parts.array(fields["steps"], None, None))
    if not is_ascending(indices):
        raise ValueError("the places of an edit are not in ascending order")
    if len(indices) and not 0 <= indices[0] <= indices[-1] < size:
        raise ValueError("an edit is about places off the map")
    return _ChangedValues(
        indices=indices,
        old_values=parts.array(fields["old_values"], dtype, (len(indices),)),
        new_values=parts.array(fields["new_values"], dtype, (len(indices),)),
    )


# --- layers ---------------------------------------------------------------------------------------


def _read_layer_insert(record: Record, state: _MapState) -> Edit:
    """Return the edit that inserts a layer: it is in the map if the edit is done."""
    fields = state.read_fields(record, LayerInsert, layer=Raw)
    if state.done:
        layer = state.pop_present_layer(fields["layer"])
    else:
        layer = state.add_other_layer(fields["layer"])
    return LayerInsert(fields["index"], layer)


def _read_layer_remove(record: Record, state: _MapState) -> Edit:
    """Return the edit that removes a layer: it is in the map if the edit is not done."""
    fields = state.read_fields(record, LayerRemove, layer=Raw)
    if state.done:
        layer = state.add_other_layer(fields["layer"])
    else:
        layer = state.pop_present_layer(fields["layer"])
    return LayerRemove(fields["index"], layer)


def _read_layer_replace(record: Record, state: _MapState) -> Edit:
    """Return the edit that puts one layer in the place of another."""
    fields = state.read_fields(record, LayerReplace, old_layer=Raw, new_layer=Raw)
    present_record, other_record = state.present_and_other(fields["old_layer"], fields["new_layer"])
    # Out before in: both layers can have the same id.
    present_layer = state.pop_present_layer(present_record)
    other_layer = state.add_other_layer(other_record)
    old_layer, new_layer = state.old_and_new(present_layer, other_layer)
    return LayerReplace(fields["index"], old_layer, new_layer)


def _read_reshape(record: Record, state: _MapState) -> Edit:
    """Return the edit of the whole shape, all of whose layers leave and enter the map."""
    fields = state.read_fields(record, Reshape, old_shape=Raw, new_shape=Raw)
    present_record, other_record = state.present_and_other(fields["old_shape"], fields["new_shape"])
    # Of the present shape only the layers are needed: the map has its grid and locks.
    layer_records = None
    if isinstance(present_record, dict):
        layer_records = present_record.get("layers")
    if not isinstance(layer_records, list):
        raise ValueError("an edit has no layers")
    layers = [state.pop_present_layer(layer_record) for layer_record in layer_records]
    present_shape = replace(state.shape, layers=tuple(layers))
    other_shape = read_shape(other_record, state.system, state.terrain_set, state.parts)
    state.shape = other_shape
    state.layers = {layer.id: layer for layer in other_shape.layers}
    old_shape, new_shape = state.old_and_new(present_shape, other_shape)
    return Reshape(old_shape, new_shape)


_NOT_LAYER_FIELDS = ("id", "planes", "properties", "things", "roll")
"""The fields of a layer that only edits of other classes change."""

_LAYER_FIELDS = {
    name: kind for name, kind in kinds_of(Layer).items() if name not in _NOT_LAYER_FIELDS
}
"""The fields that a ``LayerField`` changes, and their kinds."""


def _read_layer_field(record: Record, state: _MapState) -> Edit:
    """Return the edit of a field of a layer, such as its name; the field says the kind."""
    name = record.get("name")
    if not isinstance(name, str) or name not in _LAYER_FIELDS:
        raise ValueError(f"no layer has a field {name!r:.40}")
    kind = _LAYER_FIELDS[name]
    return LayerField(**state.read_fields(record, LayerField, old_value=kind, new_value=kind))


# --- the rest -------------------------------------------------------------------------------------


def _read_property_edit(record: Record, state: _MapState) -> Edit:
    """Return the edit of a property; an absent value is UNSET."""
    kinds = {**kinds_of(PropertyEdit), "old_value": Raw, "new_value": Raw}
    fields = read_fields(kinds, record, "an edit", required=("layer_id", "name"))
    values: dict[str, Any] = {}
    for field in ("old_value", "new_value"):
        values[field] = UNSET
        if field in fields:
            values[field] = read_property(state.system, fields["name"], fields[field])
    return PropertyEdit(fields["layer_id"], fields["name"], **values)


def _read_terrain_set_edit(record: Record, state: _MapState) -> Edit:
    """Return the edit of the terrain set, with the planes whose codes it changes."""
    fields = state.read_fields(record, TerrainSetEdit, planes=tuple[Raw, ...])
    old_set = fields["old_set"]
    new_set = fields["new_set"]
    plane_edits = tuple(_read_next(plane_record, state) for plane_record in fields["planes"])
    if not all(isinstance(plane_edit, PlaneEdit) for plane_edit in plane_edits):
        raise ValueError("an edit of the terrain set changes only planes")
    _present_set, state.terrain_set = state.present_and_other(old_set, new_set)
    return TerrainSetEdit(old_set, new_set, cast(tuple[PlaneEdit, ...], plane_edits))


def _read_compound(record: Record, state: _MapState) -> Edit:
    """Return the compound of several edits.

    They are read from the state of the map on: those of a done compound from last to first.
    """
    records = state.read_fields(record, Compound, edits=tuple[Raw, ...])["edits"]
    if not state.done:
        return Compound(tuple([_read_next(inner_record, state) for inner_record in records]))
    edits = [_read_next(inner_record, state) for inner_record in reversed(records)]
    return Compound(tuple(reversed(edits)))


def _read_by_types(record: Record, state: _MapState, cls: type) -> Edit:
    """Return an edit of class ``cls`` whose fields the codec can read, by their types alone."""
    return cast(Edit, cls(**state.read_fields(record, cls)))


_READ_BY_TYPES = (LayerMove, ThingsEdit, RecordEdit, RecordSet, SourceEdit, NamingEdit)
"""The classes of edits whose fields the codec can read by their types alone."""

READERS: dict[str, Callable[[Record, _MapState], Edit]] = {
    **{cls.__name__: partial(_read_by_types, cls=cls) for cls in _READ_BY_TYPES},
    PlaneEdit.__name__: _read_plane_edit,
    PropertyEdit.__name__: _read_property_edit,
    LockEdit.__name__: _read_lock_edit,
    LayerInsert.__name__: _read_layer_insert,
    LayerRemove.__name__: _read_layer_remove,
    LayerReplace.__name__: _read_layer_replace,
    LayerField.__name__: _read_layer_field,
    TerrainSetEdit.__name__: _read_terrain_set_edit,
    Reshape.__name__: _read_reshape,
    Compound.__name__: _read_compound,
}
"""The function that reads the edits of each class, by the name of the class.

Each gets the fields of the record and the state of the map, which it brings into the edit's other
state. A new class of edits needs its line here; those that are missing cannot be written either.
"""
