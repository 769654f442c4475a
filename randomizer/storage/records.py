"""Maps as records (what JSON can hold) and back; arrays and long texts are stored outside.

A record has the fields of its dataclass. An array, the text of a script or of a map's record is
replaced by a reference: ``put`` stores it and returns one, ``get`` finds it. Reading checks the
types of everything, raising ValueError with a message, and then the values (``model.gate``),
raising ProblemError.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from types import MappingProxyType, NoneType, UnionType
from typing import Any, cast, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from randomizer.model.battlemap import BattleMap
from randomizer.model.edit import Shape
from randomizer.model.gate import (
    check_grid,
    check_layer,
    check_next_id,
    check_own_terrain_set,
    check_source,
    check_stack,
)
from randomizer.model.grid import FAR, Grid
from randomizer.model.layer import Layer, Roll
from randomizer.model.layouts import LAYOUTS
from randomizer.model.limits import DEEPEST_DATA, MOST_CELLS, MOST_LAYERS
from randomizer.model.map_records import MapRecord, check_records
from randomizer.model.planes import Plane, blank, is_blank
from randomizer.model.system import System
from randomizer.model.terrain import TerrainSet
from randomizer.model.terrain_check import check_terrain_set
from randomizer.model.things import Things
from randomizer.storage.parts import Get, Put
from randomizer.storage.thing_records import read_things, things_record

Record = dict[str, Any]
"""A JSON object."""

_APART = ("planes", "properties", "things", "roll")
"""The fields of a layer that have a record of their own kind."""

_SHAPE = ("grid", "layers", "locked_cells", "locked_sides")

LARGEST_JSON = 32 * 2**20
"""In bytes of a map or an edit, without its arrays."""

DEEPEST_JSON = 2 * DEEPEST_DATA
"""How deep the lists and objects of a map or an edit are nested, the data they hold included."""


# --- writing ------------------------------------------------------------------------------------


def plain(value: Any) -> Any:
    """A value without arrays as JSON. Raises TypeError for unsupported types."""
    if isinstance(value, np.generic):  # bool is a subclass of int
        return value.item()
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Mapping):
        return {name: plain(each) for name, each in value.items()}
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, tuple | list):
        return [plain(each) for each in value]
    if is_dataclass(value):
        kind: type = type(value)
        return {name: plain(getattr(value, name)) for name in kinds_of(kind)}
    raise TypeError(f"no record holds {value!r}")


def layer_record(layer: Layer, put: Put) -> Record:
    """The record of a layer."""
    record = {name: plain(getattr(layer, name)) for name in kinds_of(Layer) if name not in _APART}
    record["roll"] = None if layer.roll is None else _roll_record(layer.roll, put)
    record["properties"] = {name: plain(value) for name, value in layer.properties.items()}
    record["things"] = things_record(layer.things.values())
    record["planes"] = {
        name: put.array(f"planes/{layer.id}/{name}", plane) for name, plane in layer.planes.items()
    }
    return record


def _roll_record(roll: Roll, put: Put) -> Record:
    texts = {name: put.text(text) for name, text in roll.texts.items()}
    return {**plain(roll), "script": put.text(roll.script), "texts": texts}


def map_records_record(records: Mapping[str, MapRecord], put: Put) -> Record:
    """The record of the records of a map."""
    return {name: map_record_record(record, put) for name, record in records.items()}


def map_record_record(record: MapRecord, put: Put) -> Record:
    """The record of one of the records of a map."""
    return {**plain(record), "text": put.text(record.text)}


def shape_record(shape: Shape, put: Put) -> Record:
    """The record of a map's ``Shape``."""
    grid = shape.grid
    return {
        "grid": {
            "layout": grid.layout.name,
            "width": int(grid.width),
            "height": int(grid.height),
            "mask": None if grid.mask is None else put.array("mask", grid.mask),
            "wrap": bool(grid.wrap),
            "lean": bool(grid.lean),
        },
        "layers": [layer_record(layer, put) for layer in shape.layers],
        "locked_cells": _locks(shape.locked_cells, "locks/cells", put),
        "locked_sides": _locks(shape.locked_sides, "locks/sides", put),
    }


def _locks(locks: NDArray[np.bool_], name: str, put: Put) -> int | str | None:
    return None if is_blank(locks) and not locks.any() else put.array(name, locks)


def map_record(battlemap: BattleMap, put: Put) -> Record:
    """The record of a whole map."""
    return {
        "system": battlemap.system.name,
        "next_thing_id": int(battlemap.next_thing_id),
        "terrain_set": terrain_set_record(battlemap.terrain_set, battlemap.system),
        "records": map_records_record(battlemap.records, put),
        "source": battlemap.source,
        **shape_record(Shape.of(battlemap), put),
    }


def terrain_set_record(known: TerrainSet, system: System) -> Record | str:
    """The record of a terrain set; only the name of the one that the system brings along."""
    record: Record = plain(known)
    return known.name if known == system.terrain_set else record


# --- reading ------------------------------------------------------------------------------------


@cache
def kinds_of(cls: type) -> dict[str, Any]:
    """The fields of a dataclass with their types, without those that it works out itself."""
    hints = get_type_hints(cls)
    return {each.name: hints[each.name] for each in fields(cls) if each.init}


@cache
def _required(cls: type) -> frozenset[str]:
    return frozenset(
        each.name
        for each in fields(cls)
        if each.init and each.default is MISSING and each.default_factory is MISSING
    )


def taken_fields(
    record: object, where: str, known: Collection[str], required: Collection[str] | None = None
) -> Record:
    """``record``, checked to have all ``required`` names (None: all) and only ``known`` ones."""
    if not isinstance(record, dict):
        raise ValueError(f"{where} is no record")
    for name in known if required is None else required:
        if name not in record:
            raise ValueError(f"{where} has no “{name}”")
    for name in record:
        if name not in known:
            raise ValueError(f"{where} has {name!r:.40}, which is not known here")
    return record


def read_plain(kind: Any, value: object, where: str) -> Any:
    """``value`` converted to the type ``kind`` of a field. Raises ValueError.

    All entries of a tuple have one type.
    """
    origin, inner = get_origin(kind), get_args(kind)
    if kind is int:
        if type(value) is int and -(2**63) <= value < 2**64:
            return value
    elif kind is float:
        if type(value) in (int, float) and abs(cast(float, value)) < FAR:  # rejects NaN, too
            return float(cast(float, value))
    elif kind in (str, bool, NoneType):
        if type(value) is kind:
            return value
    elif kind in (object, Any):
        return _read_any(value)
    elif origin is UnionType:
        return None if value is None else read_plain(inner[0], value, where)
    elif origin in (tuple, frozenset) and isinstance(value, list):
        is_fixed = origin is tuple and inner[-1] is not Ellipsis
        if not is_fixed or len(value) == len(inner):
            return origin(read_plain(inner[0], each, where) for each in value)
    elif origin is Mapping and isinstance(value, dict):
        return MappingProxyType(
            {name: read_plain(inner[1], each, where) for name, each in value.items()}
        )
    elif is_dataclass(kind):
        return _read_dataclass(cast(type, kind), value, where)
    raise ValueError(f"{where} cannot be {value!r:.60}")


def _read_any(value: object) -> Any:
    if isinstance(value, list):
        return tuple(_read_any(each) for each in value)
    if isinstance(value, dict):
        return {name: _read_any(each) for name, each in value.items()}
    return value


def _read_dataclass(cls: type, value: object, where: str) -> Any:
    kinds = kinds_of(cls)
    record = taken_fields(value, where, kinds, _required(cls))
    return cls(
        **{name: read_plain(kinds[name], each, f"{where}: {name}") for name, each in record.items()}
    )


def read_grid(record: object, get: Get) -> Grid:
    """The grid of a record. Raises ValueError."""
    names = ("layout", "width", "height", "mask", "wrap", "lean")
    taken = taken_fields(record, "the grid", names)
    width, height = (read_plain(int, taken[name], f"the {name}") for name in ("width", "height"))
    wrap, lean = (read_plain(bool, taken[name], f"“{name}”") for name in ("wrap", "lean"))
    if min(width, height) < 1 or width * height > MOST_CELLS:
        raise ValueError(f"the map has {width} x {height} cells, {MOST_CELLS:,} are the most")
    for layout in LAYOUTS:
        if layout.name == taken["layout"]:
            mask = taken["mask"]
            exist = None if mask is None else get.array(mask, "bool", (height, width))
            return Grid(layout, width, height, exist, wrap, lean)
    raise ValueError(f"no grid has the layout {taken['layout']!r:.40}")


def read_terrain_set(record: object, system: System) -> TerrainSet:
    """The terrain set of a record. Raises ValueError."""
    if record == system.terrain_set.name:
        return system.terrain_set
    known: TerrainSet = read_plain(TerrainSet, record, "the terrain set")
    check_terrain_set(known)
    return known


def read_map_records(record: object, get: Get) -> dict[str, MapRecord]:
    """The records of a map from their record. Raises ValueError."""
    if not isinstance(record, dict):
        raise ValueError("the records are no object")
    found = {}
    for name, each in record.items():
        found[name] = read_map_record(each, f"the record {name!r:.60}", get)
    check_records(found)
    return found


def read_map_record(record: object, where: str, get: Get) -> MapRecord:
    """One of the records of a map. Raises ValueError."""
    taken = taken_fields(record, where, kinds_of(MapRecord), _required(MapRecord))
    text = get.text(taken["text"])
    found: MapRecord = read_plain(MapRecord, {**taken, "text": text}, where)
    return found


def read_layer(
    record: object, system: System, terrain_set: TerrainSet, grid: Grid, get: Get
) -> Layer:
    """The layer of a record. Raises ValueError, or ProblemError for values that none has."""
    kinds = kinds_of(Layer)
    taken = dict(taken_fields(record, "a layer", kinds, {*_required(Layer), *_APART}))
    refs, properties, things, roll = (taken.pop(name) for name in _APART)
    where = f"the layer {taken['name']!r:.40}"
    if not isinstance(refs, dict):
        raise ValueError(f"{where} has no planes")
    if not isinstance(properties, dict):
        raise ValueError(f"{where} has no properties")
    layer = Layer(
        **{name: read_plain(kinds[name], each, f"{where}: {name}") for name, each in taken.items()}
    )
    for name, value in properties.items():
        layer.properties[name] = read_property(system, name, value)
    for name, ref in refs.items():
        layer.planes[name] = _read_plane(ref, name, system, grid, get)
    layer.things = Things(read_things(things, f"{where}: its things"))
    layer.roll = None if roll is None else _read_roll(roll, f"{where}: its roll", get)
    check_layer(system, terrain_set, grid, layer)
    return layer


def _read_roll(record: object, where: str, get: Get) -> Roll:
    taken = taken_fields(record, where, kinds_of(Roll), _required(Roll))
    refs = taken.get("texts", {})
    if not isinstance(refs, dict):
        raise ValueError(f"{where} has no texts")
    texts = {name: get.text(ref) for name, ref in refs.items()}
    roll: Roll = read_plain(
        Roll, {**taken, "script": get.text(taken["script"]), "texts": texts}, where
    )
    return roll


def read_property(system: System, name: str, value: object) -> Any:
    """The value of a property of the system's maps. Raises ValueError."""
    try:
        known = system.property(name)
    except KeyError:
        raise ValueError(f"maps of {system.title} have no property {name!r:.40}") from None
    try:
        return known.read(value)
    except ValueError as failed:
        raise ValueError(f"the property “{name}”: {failed}") from None


def _read_plane(ref: object, name: str, system: System, grid: Grid, get: Get) -> Plane:
    try:
        spec = system.plane(name)
    except KeyError:
        raise ValueError(f"maps of {system.title} have no plane {name!r:.40}") from None
    return get.array(ref, spec.dtype, spec.shape(grid))


def read_shape(record: object, system: System, terrain_set: TerrainSet, get: Get) -> Shape:
    """The ``Shape`` of a record. Raises ValueError, or ProblemError for values that none has."""
    taken = taken_fields(record, "the map", _SHAPE)
    grid = read_grid(taken["grid"], get)
    check_grid(system, grid)
    if system.fixed_grid:
        grid = system.new_grid()
    if not isinstance(taken["layers"], list):
        raise ValueError("the layers are no list")
    if len(taken["layers"]) > MOST_LAYERS:  # before their arrays take memory
        raise ValueError(f"the map has {len(taken['layers']):,} layers, {MOST_LAYERS} are the most")
    layers = tuple(read_layer(each, system, terrain_set, grid, get) for each in taken["layers"])
    check_stack(layers)
    shape = (grid.height, grid.width)
    return Shape(
        grid,
        layers,
        _read_locks(taken["locked_cells"], shape, get),
        _read_locks(taken["locked_sides"], (*shape, grid.degree), get),
    )


def _read_locks(ref: object, shape: tuple[int, ...], get: Get) -> NDArray[np.bool_]:
    return blank(shape, False, np.bool_) if ref is None else get.array(ref, "bool", shape)


def read_source(value: object) -> int | None:
    """The id of the source layer, None for none. Raises ValueError."""
    source: int | None = read_plain(int | None, value, "the source")
    check_source(source)
    return source


def read_map(record: object, get: Get) -> BattleMap:
    """The map of a record. Raises ValueError, or ProblemError for values that no map has."""
    from randomizer.catalog import system_named
    from randomizer.installed import problems

    names = ("system", "next_thing_id", "terrain_set", "records", "source", *_SHAPE)
    taken = dict(taken_fields(record, "the map", names))
    name = taken.pop("system")
    next_thing_id = read_plain(int, taken.pop("next_thing_id"), "the id of the next thing")
    system = system_named(name) if isinstance(name, str) else None
    if system is None:
        faults = "".join(f"; {problem.message}" for problem in problems())
        raise ValueError(f"maps of {name!r:.40} are not known here{faults}")
    terrain_set = read_terrain_set(taken.pop("terrain_set"), system)
    check_own_terrain_set(system, terrain_set)
    records = read_map_records(taken.pop("records"), get)
    source = read_source(taken.pop("source"))
    shape = read_shape(taken, system, terrain_set, get)
    check_next_id(next_thing_id, shape.layers)
    return BattleMap(
        system,
        terrain_set,
        shape.grid,
        list(shape.layers),
        shape.locked_cells,
        shape.locked_sides,
        next_thing_id,
        records,
        source,
    )
