"""Edits as records and back (docs/adr/0010), with layers that keep their identity.

The journal calls ``edit_record`` for the record of an edit, and ``EditReader`` to read it. A record
is the name of the class and its fields, ``{"edit": "LayerMove", "start": 0, "end": 2}``. What JSON
cannot hold is written otherwise, and has a method of ``EditReader`` for each class:

- arrays and long texts are references to parts beside the record (``parts.Put``, ``parts.Get``);
- the indices of changed values are called ``steps``, their differences (``_steps``);
- a field whose value is UNSET is left out;
- a layer is a record of its own.

The hard part are layers. One that an edit removes or inserts is the map's own object as long as it
is in the map: undo and redo change it in place. So an edit is read against the map. Of its two
states, the old and the new one, one is the map as it is now, and layers of that state are the
map's own; those of the other state are read from the record. If an edit replaces layer A by B::

    done        the map has B (it can be undone):  B is the map's object, A is read
    not done    the map has A (it can be redone):  A is the map's object, B is read
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

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
from randomizer.storage.records.codec import (
    OwnWriters,
    Raw,
    Record,
    kinds_of,
    plain_fields,
    read_fields,
)
from randomizer.storage.records.parts import Get, Put
from randomizer.storage.records.records import (
    TERRAIN_WRITERS,
    layer_record,
    read_layer,
    read_property,
    read_shape,
    read_terrain_set,
    shape_record,
    text_readers,
    text_writers,
)
from randomizer.storage.records.thing_records import read_things, things_record

# The types of fields of edits, by which the codec finds their writers and readers.
_THINGS = tuple[Thing, ...]
_EDITS = tuple[Edit, ...]
_PLANE_EDITS = tuple[PlaneEdit, ...]
_LOCKS = NDArray[np.bool_]

_VALUES = {"steps": Raw, "old_values": Raw, "new_values": Raw}
"""The fields of an edit of values that are arrays, and their kinds for the codec.

``steps`` stands for the field ``index``: the differences of one index to the next.
"""


def edit_record(edit: Edit, put: Put) -> Record:
    """Return the record of an edit of any kind. Raises TypeError for an unknown kind."""
    writers = {
        **text_writers(put),
        **TERRAIN_WRITERS,
        _THINGS: things_record,
        Layer: lambda layer: layer_record(layer, put),
        Shape: lambda shape: shape_record(shape, put),
        Indices: lambda index: put.array("steps", _steps(index)),
        Plane: lambda values: put.array("values", np.asarray(values)),
        _LOCKS: lambda values: put.array("values", np.asarray(values)),
    }

    def edit_records(edits: Sequence[Edit]) -> list[Record]:
        return [_record(inner_edit, writers) for inner_edit in edits]

    writers[_EDITS] = edit_records
    writers[_PLANE_EDITS] = edit_records
    return _record(edit, writers)


def _record(edit: Edit, writers: OwnWriters) -> Record:
    """Return the record of an edit; a field that is UNSET is left out."""
    if type(edit).__name__ not in READERS:
        raise TypeError(f"no record holds {edit!r}")
    names = [name for name in kinds_of(type(edit)) if getattr(edit, name) is not UNSET]
    record = {"edit": type(edit).__name__, **plain_fields(edit, writers, names)}
    if isinstance(edit, PlaneEdit | LockEdit):
        record["steps"] = record.pop("index")
    return record


def _steps(index: Indices) -> Indices:
    """Return the differences of ascending indices, of the smallest type that holds them.

    They are small numbers, many of them equal, and so take much less space when packed: of 7, 8, 9,
    20 they are 7, 1, 1, 11, as bytes.
    """
    steps = np.diff(index, prepend=0)
    if len(steps) and steps.min() >= 0:
        return steps.astype(np.min_scalar_type(steps.max()))
    return steps


class EditReader:
    """Reads one edit against a map. Its methods raise ValueError.

    The edits within a compound are read one after the other, from the map's state on; meanwhile the
    fields below follow what each of them changes.
    """

    def __init__(self, battlemap: BattleMap, get: Get, *, done: bool) -> None:
        self._system = battlemap.system
        self._terrain_set = battlemap.terrain_set
        """The terrain set of the map at the edit that is read next."""
        self._get = get
        """Finds the arrays and texts of the record."""
        self._done = done
        """True if the map is in the state after the edit, False if in the state before it."""
        self._shape = Shape.of(battlemap)
        """The grid of the map at the edit that is read next, and what depends on it."""
        self._present_layers = {layer.id: layer for layer in battlemap.layers}
        """The layers of the map at the edit that is read next, by id."""
        self._own_readers = {
            **text_readers(get),
            _THINGS: read_things,
            TerrainSet: lambda record, _where: read_terrain_set(record, self._system),
        }

    def read(self, record: object) -> Edit:
        """Return the edit of a record. Raises ValueError if it is no edit of the map."""
        class_name = None
        if isinstance(record, dict):
            class_name = record.get("edit")
        if not isinstance(class_name, str) or class_name not in READERS:
            raise ValueError(f"no edit is called {class_name!r:.40}")
        fields = dict(cast(Record, record))
        del fields["edit"]
        return READERS[class_name](self, fields)

    def _read_fields(self, record: Record, cls: type, **kinds: Any) -> Record:
        """Return the values of the fields of an edit of class ``cls``, by name.

        ``kinds`` replace the types of some fields; one that is ``Raw`` is read by the caller.
        """
        return read_fields({**kinds_of(cls), **kinds}, record, "an edit", self._own_readers)

    # --- values of planes, and locks --------------------------------------------------------

    def _read_plane_edit(self, record: Record) -> Edit:
        """Return the edit of the values of a plane."""
        fields = read_fields({"layer_id": int, "plane": str, **_VALUES}, record, "an edit")
        plane = fields["plane"]
        try:
            size = int(np.prod(self._system.plane(plane).shape(self._shape.grid)))
        except KeyError:
            raise ValueError(f"there is no plane {plane!r:.40}") from None
        values = self._read_values(fields, size, None)
        return PlaneEdit(
            fields["layer_id"], plane, values.indices, values.old_values, values.new_values
        )

    def _read_lock_edit(self, record: Record) -> Edit:
        """Return the edit of the locks of cells or of sides."""
        fields = read_fields({"sides": bool, **_VALUES}, record, "an edit")
        sides = fields["sides"]
        size = self._shape.grid.size
        if sides:
            size *= self._shape.grid.degree
        values = self._read_values(fields, size, "bool")
        return LockEdit(sides, values.indices, values.old_values, values.new_values)

    def _read_values(self, fields: Record, size: int, dtype: str | None) -> _ChangedValues:
        """Return the arrays of an edit of a plane or of locks. Raises ValueError.

        ``size`` is the number of elements of the plane or of the locks. With ``dtype`` None the
        values can have any type, and the gate checks it.
        """
        index = np.cumsum(self._get.array(fields["steps"], None, None), dtype=np.intp)
        if not is_ascending(index):
            raise ValueError("the places of an edit are not in ascending order")
        if len(index) and not 0 <= index[0] <= index[-1] < size:
            raise ValueError("an edit is about places off the map")
        return _ChangedValues(
            indices=index,
            old_values=self._get.array(fields["old_values"], dtype, (len(index),)),
            new_values=self._get.array(fields["new_values"], dtype, (len(index),)),
        )

    # --- layers -----------------------------------------------------------------------------

    def _inserted_layer(self, record: object) -> Layer:
        """Return the layer that an edit inserts: it is in the map if the edit is done."""
        if self._done:
            return self._take_present_layer(record)
        return self._add_read_layer(record)

    def _removed_layer(self, record: object) -> Layer:
        """Return the layer that an edit removes: it is in the map if the edit is not done."""
        if self._done:
            return self._add_read_layer(record)
        return self._take_present_layer(record)

    def _take_present_layer(self, record: object) -> Layer:
        """Return the map's own object for a layer of its present state.

        In the other state of the edit, from which reading goes on, the layer is not in the map.
        """
        layer_id = None
        if isinstance(record, dict):
            layer_id = record.get("id")
        if isinstance(layer_id, int) and layer_id in self._present_layers:
            return self._present_layers.pop(layer_id)
        return self._read_layer(record)  # the map does not fit the edit; the gate will say so

    def _add_read_layer(self, record: object) -> Layer:
        """Return a new object for a layer that is only in the other state of the edit.

        From there reading goes on, so it is added to the layers of the map.
        """
        layer = self._read_layer(record)
        self._present_layers[layer.id] = layer
        return layer

    def _read_layer(self, record: object) -> Layer:
        """Return a layer of a record as a new object."""
        return read_layer(record, self._system, self._terrain_set, self._shape.grid, self._get)

    def _read_layer_insert(self, record: Record) -> Edit:
        """Return the edit that inserts a layer."""
        fields = self._read_fields(record, LayerInsert, layer=Raw)
        return LayerInsert(fields["index"], self._inserted_layer(fields["layer"]))

    def _read_layer_remove(self, record: Record) -> Edit:
        """Return the edit that removes a layer."""
        fields = self._read_fields(record, LayerRemove, layer=Raw)
        return LayerRemove(fields["index"], self._removed_layer(fields["layer"]))

    def _read_layer_replace(self, record: Record) -> Edit:
        """Return the edit that puts one layer in the place of another."""
        fields = self._read_fields(record, LayerReplace, old_layer=Raw, new_layer=Raw)
        # The present layer is taken out first: the other one can have the same id.
        if self._done:
            new_layer = self._inserted_layer(fields["new_layer"])
            old_layer = self._removed_layer(fields["old_layer"])
        else:
            old_layer = self._removed_layer(fields["old_layer"])
            new_layer = self._inserted_layer(fields["new_layer"])
        return LayerReplace(fields["index"], old_layer, new_layer)

    def _read_property_edit(self, record: Record) -> Edit:
        """Return the edit of a property; an absent value is UNSET."""
        kinds = {**kinds_of(PropertyEdit), "old_value": Raw, "new_value": Raw}
        fields = read_fields(kinds, record, "an edit", required=("layer_id", "name"))
        for field in fields.keys() & {"old_value", "new_value"}:
            fields[field] = read_property(self._system, fields["name"], fields[field])
        return PropertyEdit(**{"old_value": UNSET, "new_value": UNSET, **fields})

    def _read_layer_field(self, record: Record) -> Edit:
        """Return the edit of a field of a layer, such as its name; the field says the kind."""
        name = record.get("name")
        if not isinstance(name, str) or name not in _LAYER_FIELDS:
            raise ValueError(f"no layer has a field {name!r:.40}")
        kind = _LAYER_FIELDS[name]
        return LayerField(**self._read_fields(record, LayerField, old_value=kind, new_value=kind))

    # --- the rest ---------------------------------------------------------------------------

    def _read_reshape(self, record: Record) -> Edit:
        """Return the edit of the whole shape, all of whose layers leave and enter the map."""
        fields = self._read_fields(record, Reshape, old_shape=Raw, new_shape=Raw)
        if self._done:
            present_record = fields["new_shape"]
            other_record = fields["old_shape"]
        else:
            present_record = fields["old_shape"]
            other_record = fields["new_shape"]
        # Of the present shape only the layers are needed: the map has its grid and locks.
        layer_records = None
        if isinstance(present_record, dict):
            layer_records = present_record.get("layers")
        if not isinstance(layer_records, list):
            raise ValueError("an edit has no layers")
        layers = [self._take_present_layer(layer) for layer in layer_records]
        present_shape = replace(self._shape, layers=tuple(layers))
        other_shape = read_shape(other_record, self._system, self._terrain_set, self._get)
        self._shape = other_shape
        self._present_layers = {layer.id: layer for layer in other_shape.layers}
        if self._done:
            return Reshape(old_shape=other_shape, new_shape=present_shape)
        return Reshape(old_shape=present_shape, new_shape=other_shape)

    def _read_terrain_set_edit(self, record: Record) -> Edit:
        """Return the edit of the terrain set, with the planes whose codes it changes."""
        fields = self._read_fields(record, TerrainSetEdit, planes=tuple[Raw, ...])
        old_set = fields["old_set"]
        new_set = fields["new_set"]
        plane_edits = tuple(self.read(plane_record) for plane_record in fields["planes"])
        if not all(isinstance(plane_edit, PlaneEdit) for plane_edit in plane_edits):
            raise ValueError("an edit of the terrain set changes only planes")
        self._terrain_set = old_set if self._done else new_set
        return TerrainSetEdit(old_set, new_set, cast(tuple[PlaneEdit, ...], plane_edits))

    def _read_compound(self, record: Record) -> Edit:
        """Return the compound of several edits.

        They are read from the state of the map on: those of a done compound from last to first.
        """
        records = self._read_fields(record, Compound, edits=tuple[Raw, ...])["edits"]
        if not self._done:
            return Compound(tuple([self.read(inner_record) for inner_record in records]))
        edits = [self.read(inner_record) for inner_record in reversed(records)]
        return Compound(tuple(reversed(edits)))

    def _read_simple(self, record: Record, cls: type) -> Edit:
        """Return an edit of class ``cls`` whose fields the codec can read, by their types alone."""
        return cast(Edit, cls(**self._read_fields(record, cls)))


class _ChangedValues(NamedTuple):
    """The arrays of an edit of a plane or of locks, all of shape (n,)."""

    indices: Indices
    old_values: Plane
    new_values: Plane


_NOT_LAYER_FIELDS = ("id", "planes", "properties", "things", "roll")
"""The fields of a layer that only edits of other classes change."""

_LAYER_FIELDS = {
    name: kind for name, kind in kinds_of(Layer).items() if name not in _NOT_LAYER_FIELDS
}
"""The fields that a ``LayerField`` changes, and their kinds."""

_SIMPLE_EDITS = (LayerMove, ThingsEdit, RecordEdit, RecordSet, SourceEdit, NamingEdit)
"""The classes of edits whose fields the codec can read by their types alone."""

READERS: dict[str, Callable[[EditReader, Record], Edit]] = {
    **{cls.__name__: partial(EditReader._read_simple, cls=cls) for cls in _SIMPLE_EDITS},
    PlaneEdit.__name__: EditReader._read_plane_edit,
    PropertyEdit.__name__: EditReader._read_property_edit,
    LockEdit.__name__: EditReader._read_lock_edit,
    LayerInsert.__name__: EditReader._read_layer_insert,
    LayerRemove.__name__: EditReader._read_layer_remove,
    LayerReplace.__name__: EditReader._read_layer_replace,
    LayerField.__name__: EditReader._read_layer_field,
    TerrainSetEdit.__name__: EditReader._read_terrain_set_edit,
    Reshape.__name__: EditReader._read_reshape,
    Compound.__name__: EditReader._read_compound,
}
"""The method that reads the edits of each class, by the name of the class."""
