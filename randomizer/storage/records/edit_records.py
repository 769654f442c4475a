"""Edits as records and back (docs/adr/0010), with layers that keep their identity.

Layers that an edit removes or inserts are the map's own objects while they are in it: undo and redo
change them in place. So an edit is read against the map.
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
    if type(edit).__name__ not in READERS:
        raise TypeError(f"no record holds {edit!r}")
    is_set = [name for name in kinds_of(type(edit)) if getattr(edit, name) is not UNSET]
    record = {"edit": type(edit).__name__, **plain_fields(edit, writers, is_set)}
    if isinstance(edit, PlaneEdit | LockEdit):
        record["steps"] = record.pop("index")
    return record


def _steps(index: Indices) -> Indices:
    """Return the differences of an index.

    Places ascend: they are small, and all equal in an area.
    """
    steps = np.diff(index, prepend=0)
    if len(steps) and steps.min() >= 0:
        return steps.astype(np.min_scalar_type(steps.max()))
    return steps


class EditReader:
    """Reads edits against a map. ``done``: the map is in the state after the edit, not before."""

    def __init__(self, battlemap: BattleMap, get: Get, *, done: bool) -> None:
        self._system = battlemap.system
        self._terrain_set = battlemap.terrain_set
        self._get = get
        self._done = done
        self._now = Shape.of(battlemap)
        self._present = {layer.id: layer for layer in battlemap.layers}
        self._own = {
            **text_readers(get),
            _THINGS: read_things,
            TerrainSet: lambda record, _where: read_terrain_set(record, self._system),
        }

    def edit(self, record: object) -> Edit:
        """Return the edit of a record. Raises ValueError for a record that is no edit of the
        map.
        """
        if isinstance(record, dict):
            word = record.get("edit")
        else:
            word = None
        if isinstance(word, str):
            read_edit = READERS.get(word)
        else:
            read_edit = None
        if read_edit is None:
            raise ValueError(f"no edit is called {word!r:.40}")
        return read_edit(self, {k: v for k, v in cast(Record, record).items() if k != "edit"})

    def _fields(self, record: Record, cls: type, **kinds: Any) -> Record:
        """Return the values of the fields of an edit; ``kinds`` are those of fields read
        otherwise.
        """
        return read_fields({**kinds_of(cls), **kinds}, record, "an edit", self._own)

    # --- places -----------------------------------------------------------------------------

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
        size = self._now.grid.size * (self._now.grid.degree if sides else 1)
        return LockEdit(sides, *self._values(fields, size, "bool"))

    def _values(self, fields: Record, size: int, dtype: str | None) -> tuple[Plane, Plane, Plane]:
        index = np.cumsum(self._get.array(fields["steps"], None, None), dtype=np.intp)
        if not is_ascending(index):
            raise ValueError("the places of an edit are not in ascending order")
        if len(index) and not 0 <= index[0] <= index[-1] < size:
            raise ValueError("an edit is about places off the map")
        before, after = (
            self._get.array(fields[name], dtype, (len(index),)) for name in ("before", "after")
        )
        return index, before, after

    # --- layers -----------------------------------------------------------------------------

    def _layer(self, record: object, *, enters: bool) -> Layer:
        """Return the layer that is inserted or removed: the map's own if it is in the map."""
        if enters is self._done:
            if isinstance(record, dict):
                layer_id = record.get("id")
            else:
                layer_id = None
            if isinstance(layer_id, int):
                present_layer = self._present.pop(layer_id, None)
            else:
                present_layer = None
            return present_layer or self._read_layer(record)
        layer = self._read_layer(record)
        self._present[layer.id] = layer
        return layer

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
        layers = {
            name: self._layer(fields[name], enters=name == "after") for name in self._in_order()
        }
        return LayerReplace(fields["index"], layers["before"], layers["after"])

    def _in_order(self) -> tuple[str, str]:
        """Two states, the map's present one first."""
        if self._done:
            return ("after", "before")
        return ("before", "after")

    def _property_edit(self, record: Record) -> Edit:
        """Return a value that is not set is absent."""
        kinds = {**kinds_of(PropertyEdit), "before": Raw, "after": Raw}
        fields = read_fields(kinds, record, "an edit", required=("layer_id", "name"))
        for field in fields.keys() & {"before", "after"}:
            fields[field] = read_property(self._system, fields["name"], fields[field])
        return PropertyEdit(**{"before": UNSET, "after": UNSET, **fields})

    def _layer_field(self, record: Record) -> Edit:
        name = record.get("name")
        if isinstance(name, str):
            kind = _LAYER_FIELDS.get(name)
        else:
            kind = None
        if kind is None:
            raise ValueError(f"no layer has a field {name!r:.40}")
        return LayerField(**self._fields(record, LayerField, before=kind, after=kind))

    # --- the rest ---------------------------------------------------------------------------

    def _reshape(self, record: Record) -> Edit:
        fields = self._fields(record, Reshape, before=Raw, after=Raw)
        here, other = self._in_order()
        if isinstance(fields[here], dict):
            layers = fields[here].get("layers")
        else:
            layers = None
        if not isinstance(layers, list):
            raise ValueError("an edit has no layers")
        reshaped = replace(
            self._now, layers=tuple(self._layer(layer, enters=self._done) for layer in layers)
        )
        self._now = read_shape(fields[other], self._system, self._terrain_set, self._get)
        self._present = {layer.id: layer for layer in self._now.layers}
        if self._done:
            return Reshape(self._now, reshaped)
        return Reshape(reshaped, self._now)

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
        edits = self._fields(record, Compound, edits=tuple[Raw, ...])["edits"]
        step = -1 if self._done else 1
        return Compound(tuple([self.edit(part) for part in edits[::step]][::step]))

    def _simple(self, record: Record, cls: type) -> Edit:
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
