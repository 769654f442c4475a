"""Edits as records and back (docs/adr/0006), with layers that keep their identity.

Layers that an edit removes or inserts are the map's own objects while they are in it: undo and redo
change them in place. So an edit is read against the map.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import cast

import numpy as np

from randomizer.model.battlemap import BattleMap
from randomizer.model.edit import (
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
from randomizer.model.indices import is_ascending
from randomizer.model.layer import Layer
from randomizer.model.map_records import MapRecord
from randomizer.model.planes import Plane
from randomizer.model.property import UNSET
from randomizer.model.record_edits import RecordEdit, RecordSet, SourceEdit
from randomizer.model.terrain_edits import TerrainSetEdit
from randomizer.storage.parts import Get, Put
from randomizer.storage.records import (
    Record,
    kinds_of,
    layer_record,
    map_record_record,
    plain,
    read_layer,
    read_map_record,
    read_plain,
    read_property,
    read_shape,
    read_terrain_set,
    shape_record,
    taken_fields,
)
from randomizer.storage.thing_records import read_things, things_record


def edit_record(edit: Edit, put: Put) -> Record:
    """The record of an edit of any kind. Raises TypeError for an unknown kind."""
    record: Record = {"edit": type(edit).__name__}
    if isinstance(edit, PlaneEdit):
        record |= {"layer_id": int(edit.layer_id), "plane": edit.plane}
        record |= _values(edit, put)
    elif isinstance(edit, LockEdit):
        record |= {"sides": bool(edit.sides), **_values(edit, put)}
    elif isinstance(edit, Compound):
        record["edits"] = [edit_record(part, put) for part in edit.edits]
    elif isinstance(edit, LayerInsert | LayerRemove):
        record |= {"index": int(edit.index), "layer": layer_record(edit.layer, put)}
    elif isinstance(edit, LayerReplace):
        before, after = layer_record(edit.before, put), layer_record(edit.after, put)
        record |= {"index": int(edit.index), "before": before, "after": after}
    elif isinstance(edit, Reshape):
        record |= {
            "before": shape_record(edit.before, put),
            "after": shape_record(edit.after, put),
        }
    elif isinstance(edit, TerrainSetEdit):
        record |= {"before": plain(edit.before), "after": plain(edit.after)}
        record["planes"] = [edit_record(part, put) for part in edit.planes]
    elif isinstance(edit, ThingsEdit):
        record |= {"layer_id": int(edit.layer_id)}
        record |= {"before": things_record(edit.before), "after": things_record(edit.after)}
    elif isinstance(edit, LayerMove | LayerField | RecordEdit | RecordSet | SourceEdit):
        record |= plain(edit)
        if isinstance(edit, RecordSet):
            record |= {
                "before": _map_record(edit.before, put),
                "after": _map_record(edit.after, put),
            }
    elif isinstance(edit, PropertyEdit):
        record |= {"layer_id": int(edit.layer_id), "name": edit.name}
        values = {"before": edit.before, "after": edit.after}
        record |= {name: plain(value) for name, value in values.items() if value is not UNSET}
    else:
        raise TypeError(f"no record holds {edit!r}")
    return record


def _map_record(record: MapRecord | None, put: Put) -> Record | None:
    return None if record is None else map_record_record(record, put)


def _values(edit: PlaneEdit | LockEdit, put: Put) -> Record:
    # Places ascend: their differences are small, and all equal in a filled area.
    steps = np.diff(edit.index, prepend=0)
    if len(steps) and steps.min() >= 0:
        steps = steps.astype(np.min_scalar_type(steps.max()))
    return {
        "steps": put.array("steps", steps),
        "before": put.array("before", np.asarray(edit.before)),
        "after": put.array("after", np.asarray(edit.after)),
    }


class EditReader:
    """Reads edits against a map. ``done``: the map is in the state after the edit, not before."""

    def __init__(self, battlemap: BattleMap, get: Get, *, done: bool) -> None:
        self._system = battlemap.system
        self._terrain_set = battlemap.terrain_set
        self._get = get
        self._done = done
        self._now = Shape.of(battlemap)
        self._present = {layer.id: layer for layer in battlemap.layers}

    def edit(self, record: object) -> Edit:
        """The edit of a record. Raises ValueError for a record that is no edit of the map."""
        word = record.get("edit") if isinstance(record, dict) else None
        read = _READERS.get(word) if isinstance(word, str) else None
        if read is None:
            raise ValueError(f"no edit is called {word!r:.40}")
        return read(self, {k: v for k, v in cast(Record, record).items() if k != "edit"})

    # --- places -----------------------------------------------------------------------------

    def _plane_edit(self, record: Record) -> Edit:
        taken = taken_fields(record, "an edit", ("layer_id", "plane", *_VALUES))
        plane = read_plain(str, taken["plane"], "the plane")
        try:
            size = int(np.prod(self._system.plane(plane).shape(self._now.grid)))
        except KeyError:
            raise ValueError(f"there is no plane {plane!r:.40}") from None
        layer_id = read_plain(int, taken["layer_id"], "the layer")
        return PlaneEdit(layer_id, plane, *self._values(taken, size, None))

    def _lock_edit(self, record: Record) -> Edit:
        taken = taken_fields(record, "an edit", ("sides", *_VALUES))
        sides = read_plain(bool, taken["sides"], "“sides”")
        size = self._now.grid.size * (self._now.grid.degree if sides else 1)
        return LockEdit(sides, *self._values(taken, size, "bool"))

    def _values(self, taken: Record, size: int, dtype: str | None) -> tuple[Plane, Plane, Plane]:
        index = np.cumsum(self._get.array(taken["steps"], None, None), dtype=np.intp)
        if not is_ascending(index):
            raise ValueError("the places of an edit are not in ascending order")
        if len(index) and not 0 <= index[0] <= index[-1] < size:
            raise ValueError("an edit is about places off the map")
        before, after = (
            self._get.array(taken[name], dtype, (len(index),)) for name in ("before", "after")
        )
        return index, before, after

    # --- layers -----------------------------------------------------------------------------

    def _layer(self, record: object, *, enters: bool) -> Layer:
        """The layer that is inserted or removed: the map's own if it is in the map."""
        if enters is self._done:
            layer_id = record.get("id") if isinstance(record, dict) else None
            own = self._present.pop(layer_id, None) if isinstance(layer_id, int) else None
            return own or self._read_layer(record)
        layer = self._read_layer(record)
        self._present[layer.id] = layer
        return layer

    def _read_layer(self, record: object) -> Layer:
        return read_layer(record, self._system, self._terrain_set, self._now.grid, self._get)

    def _layer_insert(self, record: Record) -> Edit:
        index, layer = self._index_and_layer(record, enters=True)
        return LayerInsert(index, layer)

    def _layer_remove(self, record: Record) -> Edit:
        index, layer = self._index_and_layer(record, enters=False)
        return LayerRemove(index, layer)

    def _index_and_layer(self, record: Record, *, enters: bool) -> tuple[int, Layer]:
        taken = taken_fields(record, "an edit", ("index", "layer"))
        index = read_plain(int, taken["index"], "a position")
        return index, self._layer(taken["layer"], enters=enters)

    def _layer_replace(self, record: Record) -> Edit:
        taken = taken_fields(record, "an edit", ("index", "before", "after"))
        index = read_plain(int, taken["index"], "a position")
        found = {
            name: self._layer(taken[name], enters=name == "after") for name in self._in_order()
        }
        return LayerReplace(index, found["before"], found["after"])

    def _in_order(self) -> tuple[str, str]:
        """Two states, the map's present one first."""
        return ("after", "before") if self._done else ("before", "after")

    def _property_edit(self, record: Record) -> Edit:
        """A value that is not set is absent."""
        names = ("layer_id", "name", "before", "after")
        taken = taken_fields(record, "an edit", names, ("layer_id", "name"))
        name = read_plain(str, taken["name"], "a property")
        layer_id = read_plain(int, taken["layer_id"], "the layer")
        before, after = (
            read_property(self._system, name, taken[each]) if each in taken else UNSET
            for each in ("before", "after")
        )
        return PropertyEdit(layer_id, name, before, after)

    def _layer_field(self, record: Record) -> Edit:
        taken = taken_fields(record, "an edit", ("layer_id", "name", "before", "after"))
        kinds = kinds_of(Layer)
        name = read_plain(str, taken["name"], "a field")
        if name not in kinds or name in ("id", "planes", "properties", "things", "roll"):
            raise ValueError(f"no layer has a field {name!r:.40}")
        layer_id = read_plain(int, taken["layer_id"], "the layer")
        before, after = (read_plain(kinds[name], taken[each], name) for each in ("before", "after"))
        return LayerField(layer_id, name, before, after)

    def _things_edit(self, record: Record) -> Edit:
        taken = taken_fields(record, "an edit", ("layer_id", "before", "after"))
        before, after = (
            read_things(taken[name], f"the things {name} an edit") for name in ("before", "after")
        )
        return ThingsEdit(read_plain(int, taken["layer_id"], "the layer"), before, after)

    # --- the rest ---------------------------------------------------------------------------

    def _record_set(self, record: Record) -> Edit:
        taken = taken_fields(record, "an edit", ("name", "before", "after"))
        name = read_plain(str, taken["name"], "a record")
        before, after = (
            None if taken[each] is None else read_map_record(taken[each], f"its {each}", self._get)
            for each in ("before", "after")
        )
        return RecordSet(name, before, after)

    def _reshape(self, record: Record) -> Edit:
        taken = taken_fields(record, "an edit", ("before", "after"))
        here, other = self._in_order()
        layers = taken[here].get("layers") if isinstance(taken[here], dict) else None
        if not isinstance(layers, list):
            raise ValueError("an edit has no layers")
        own = replace(
            self._now, layers=tuple(self._layer(each, enters=self._done) for each in layers)
        )
        self._now = read_shape(taken[other], self._system, self._terrain_set, self._get)
        self._present = {layer.id: layer for layer in self._now.layers}
        return Reshape(self._now, own) if self._done else Reshape(own, self._now)

    def _terrain_set_edit(self, record: Record) -> Edit:
        taken = taken_fields(record, "an edit", ("before", "after", "planes"))
        before, after = (
            read_terrain_set(taken[name], self._system) for name in ("before", "after")
        )
        if not isinstance(taken["planes"], list):
            raise ValueError("an edit of the terrain set has no planes")
        planes = []
        for part in taken["planes"]:
            edit = self.edit(part)
            if not isinstance(edit, PlaneEdit):
                raise ValueError("an edit of the terrain set changes only planes")
            planes.append(edit)
        self._terrain_set = before if self._done else after
        return TerrainSetEdit(before, after, tuple(planes))

    def _compound(self, record: Record) -> Edit:
        edits = taken_fields(record, "an edit", ("edits",))["edits"]
        if not isinstance(edits, list):
            raise ValueError("an edit has no parts")
        step = -1 if self._done else 1
        return Compound(tuple([self.edit(part) for part in edits[::step]][::step]))


_VALUES = ("steps", "before", "after")


def _simple(cls: type) -> Callable[[EditReader, Record], Edit]:
    return lambda _reader, record: cast(Edit, read_plain(cls, record, "an edit"))


_READERS: dict[str, Callable[[EditReader, Record], Edit]] = {
    "PlaneEdit": EditReader._plane_edit,
    "PropertyEdit": EditReader._property_edit,
    "LockEdit": EditReader._lock_edit,
    "LayerInsert": EditReader._layer_insert,
    "LayerRemove": EditReader._layer_remove,
    "LayerReplace": EditReader._layer_replace,
    "LayerField": EditReader._layer_field,
    "LayerMove": _simple(LayerMove),
    "ThingsEdit": EditReader._things_edit,
    "TerrainSetEdit": EditReader._terrain_set_edit,
    "RecordEdit": _simple(RecordEdit),
    "RecordSet": EditReader._record_set,
    "SourceEdit": _simple(SourceEdit),
    "Reshape": EditReader._reshape,
    "Compound": EditReader._compound,
}
