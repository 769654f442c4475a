"""Edits as records and back (docs/adr/0010), with layers that keep their identity.

``edit_record`` makes the record of an edit, ``EditReader`` reads it. Both need a case for each kind
of edit, as edits hold what JSON cannot: arrays, layers, values that are not set.

A layer that an edit removes or inserts is the map's own object as long as it is in the map: undo
and redo change it in place. So an edit is read against the map: of its two states, before and
after, one is the map as it is, and layers of that state are taken from the map. The layers of the
other state are read.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from randomizer.model.edits.edit import (
    Compound,
    Edit,
    LayerField,
    LayerInsert,
    LayerMove,
    LayerRemove,
    LayerReplace,
    LockEdit,
    PlaneEdit,
    PropertyEdit,
    Reshape,
    Shape,
    ThingsEdit,
)
from randomizer.model.edits.record_edits import NamingEdit, RecordEdit, RecordSet, SourceEdit
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

_THINGS = tuple[Thing, ...]
_EDITS = tuple[Edit, ...]
_PLANE_EDITS = tuple[PlaneEdit, ...]
_LOCKS = NDArray[np.bool_]
# These four are types of fields, by which the codec finds how to write them.

_VALUES = {"steps": Raw, "before": Raw, "after": Raw}
"""The arrays of an edit of values; ``steps`` are the differences of its index."""


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
    for kind in (_EDITS, _PLANE_EDITS):
        writers[kind] = lambda parts: [_record(part, writers) for part in parts]
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

    They are small numbers, many of them equal, and so take much less space when packed.
    """
    steps = np.diff(index, prepend=0)
    if len(steps) and steps.min() >= 0:
        return steps.astype(np.min_scalar_type(steps.max()))
    return steps


class EditReader:
    """Reads edits against a map.

    With ``done`` the map is in the state after the edit, else in that before it. While the parts of
    a compound edit are read, the fields below follow what each part changes.
    """

    def __init__(self, battlemap: BattleMap, get: Get, *, done: bool) -> None:
        self._system = battlemap.system
        self._terrain_set = battlemap.terrain_set
        """The terrain set of the map at the part that is read."""
        self._get = get
        self._done = done
        self._now = Shape.of(battlemap)
        """The grid of the map at the part that is read, and what depends on it."""
        self._present = {layer.id: layer for layer in battlemap.layers}
        """The layers of the map at the part that is read, by id."""
        self._own_readers = {
            **text_readers(get),
            _THINGS: read_things,
            TerrainSet: lambda record, _where: read_terrain_set(record, self._system),
        }

    def edit(self, record: object) -> Edit:
        """Return the edit of a record. Raises ValueError if it is no edit of the map."""
        kind = record.get("edit") if isinstance(record, dict) else None
        read_edit = READERS.get(kind) if isinstance(kind, str) else None
        if read_edit is None:
            raise ValueError(f"no edit is called {kind!r:.40}")
        fields = dict(cast(Record, record))
        del fields["edit"]
        return read_edit(self, fields)

    def _fields(self, record: Record, cls: type, **kinds: Any) -> Record:
        """Return the values of the fields of an edit of class ``cls``.

        ``kinds`` replace the types of fields that are not read by them.
        """
        return read_fields({**kinds_of(cls), **kinds}, record, "an edit", self._own_readers)

    # --- values of planes, and locks --------------------------------------------------------

    def _plane_edit(self, record: Record) -> Edit:
        fields = read_fields({"layer_id": int, "plane": str, **_VALUES}, record, "an edit")
        plane = fields["plane"]
        try:
            size = int(np.prod(self._system.plane(plane).shape(self._now.grid)))
        except KeyError:
            raise ValueError(f"there is no plane {plane!r:.40}") from None
        return PlaneEdit(fields["layer_id"], plane, *self._values(fields, size, None))

    def _lock_edit(self, record: Record) -> Edit:
        fields = read_fields({"sides": bool, **_VALUES}, record, "an edit")
        sides = fields["sides"]
        size = self._now.grid.size
        if sides:
            size *= self._now.grid.degree
        return LockEdit(sides, *self._values(fields, size, "bool"))

    def _values(self, fields: Record, size: int, dtype: str | None) -> tuple[Plane, Plane, Plane]:
        """Return the arrays of an edit, (n,): indices, old values, new values.

        ``size`` is that of the whole array. With ``dtype`` None the values can have any type, and
        the gate checks it.
        """
        index = np.cumsum(self._get.array(fields["steps"], None, None), dtype=np.intp)
        if not is_ascending(index):
            raise ValueError("the places of an edit are not in ascending order")
        if len(index) and not 0 <= index[0] <= index[-1] < size:
            raise ValueError("an edit is about places off the map")
        before = self._get.array(fields["before"], dtype, (len(index),))
        after = self._get.array(fields["after"], dtype, (len(index),))
        return index, before, after

    # --- layers -----------------------------------------------------------------------------

    def _layer(self, record: object, *, enters: bool) -> Layer:
        """Return a layer that an edit inserts (``enters``) or removes.

        It is in the map if a done edit inserts it, or one that is not done removes it: then it is
        the map's own object, and out of the map in the other state. Otherwise it is read.
        """
        is_present = enters is self._done
        if not is_present:
            layer = self._read_layer(record)
            self._present[layer.id] = layer
            return layer
        layer_id = record.get("id") if isinstance(record, dict) else None
        if isinstance(layer_id, int) and layer_id in self._present:
            return self._present.pop(layer_id)
        return self._read_layer(record)

    def _read_layer(self, record: object) -> Layer:
        return read_layer(record, self._system, self._terrain_set, self._now.grid, self._get)

    def _layer_insert(self, record: Record) -> Edit:
        fields = self._fields(record, LayerInsert, layer=Raw)
        return LayerInsert(fields["index"], self._layer(fields["layer"], enters=True))

    def _layer_remove(self, record: Record) -> Edit:
        fields = self._fields(record, LayerRemove, layer=Raw)
        return LayerRemove(fields["index"], self._layer(fields["layer"], enters=False))

    def _layer_replace(self, record: Record) -> Edit:
        fields = self._fields(record, LayerReplace, before=Raw, after=Raw)
        # The present layer leaves the map before the other one, with the same id, enters it.
        layers = {}
        for state in self._in_order():
            layers[state] = self._layer(fields[state], enters=state == "after")
        return LayerReplace(fields["index"], layers["before"], layers["after"])

    def _in_order(self) -> tuple[str, str]:
        """Return the two states of an edit by their names, the map's present one first."""
        if self._done:
            return ("after", "before")
        return ("before", "after")

    def _property_edit(self, record: Record) -> Edit:
        """Return the edit of a property; an absent value is UNSET."""
        kinds = {**kinds_of(PropertyEdit), "before": Raw, "after": Raw}
        fields = read_fields(kinds, record, "an edit", required=("layer_id", "name"))
        for field in fields.keys() & {"before", "after"}:
            fields[field] = read_property(self._system, fields["name"], fields[field])
        return PropertyEdit(**{"before": UNSET, "after": UNSET, **fields})

    def _layer_field(self, record: Record) -> Edit:
        name = record.get("name")
        kind = _LAYER_FIELDS.get(name) if isinstance(name, str) else None
        if kind is None:
            raise ValueError(f"no layer has a field {name!r:.40}")
        return LayerField(**self._fields(record, LayerField, before=kind, after=kind))

    # --- the rest ---------------------------------------------------------------------------

    def _reshape(self, record: Record) -> Edit:
        fields = self._fields(record, Reshape, before=Raw, after=Raw)
        present_state, other_state = self._in_order()
        # Of the present shape only the layers are needed: the map has its grid and locks.
        present = fields[present_state]
        layer_records = present.get("layers") if isinstance(present, dict) else None
        if not isinstance(layer_records, list):
            raise ValueError("an edit has no layers")
        layers = [self._layer(record, enters=self._done) for record in layer_records]
        present_shape = replace(self._now, layers=tuple(layers))
        self._now = read_shape(fields[other_state], self._system, self._terrain_set, self._get)
        self._present = {layer.id: layer for layer in self._now.layers}
        if self._done:
            return Reshape(self._now, present_shape)
        return Reshape(present_shape, self._now)

    def _terrain_set_edit(self, record: Record) -> Edit:
        fields = self._fields(record, TerrainSetEdit, planes=tuple[Raw, ...])
        before = fields["before"]
        after = fields["after"]
        planes = tuple(self.edit(part) for part in fields["planes"])
        if not all(isinstance(part, PlaneEdit) for part in planes):
            raise ValueError("an edit of the terrain set changes only planes")
        self._terrain_set = before if self._done else after
        return TerrainSetEdit(before, after, cast(tuple[PlaneEdit, ...], planes))

    def _compound(self, record: Record) -> Edit:
        """Return the edit of several parts.

        They are read from the present state on: a done edit from its last part to the first.
        """
        part_records = self._fields(record, Compound, edits=tuple[Raw, ...])["edits"]
        if not self._done:
            return Compound(tuple([self.edit(part) for part in part_records]))
        parts = [self.edit(part) for part in reversed(part_records)]
        return Compound(tuple(reversed(parts)))

    def _simple(self, record: Record, cls: type) -> Edit:
        """Return an edit of class ``cls`` whose fields the codec can read."""
        return cast(Edit, cls(**self._fields(record, cls)))


_LAYER_FIELDS = {
    name: kind
    for name, kind in kinds_of(Layer).items()
    if name not in ("id", "planes", "properties", "things", "roll")
}
"""The fields that a ``LayerField`` changes, and their kinds."""

READERS: dict[str, Callable[[EditReader, Record], Edit]] = {
    PlaneEdit.__name__: EditReader._plane_edit,
    PropertyEdit.__name__: EditReader._property_edit,
    LockEdit.__name__: EditReader._lock_edit,
    LayerInsert.__name__: EditReader._layer_insert,
    LayerRemove.__name__: EditReader._layer_remove,
    LayerReplace.__name__: EditReader._layer_replace,
    LayerField.__name__: EditReader._layer_field,
    TerrainSetEdit.__name__: EditReader._terrain_set_edit,
    Reshape.__name__: EditReader._reshape,
    Compound.__name__: EditReader._compound,
    **{
        cls.__name__: partial(EditReader._simple, cls=cls)
        for cls in (LayerMove, ThingsEdit, RecordEdit, RecordSet, SourceEdit, NamingEdit)
    },
}
