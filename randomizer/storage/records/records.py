"""Maps as records (what JSON can hold) and back; arrays and long texts are stored outside.

A record has the fields of its dataclass (``codec``). An array, the text of a script or of a map's
record is replaced by a reference, with which ``parts`` finds it again (parts.py). A map whose
references are offsets::

    {"system": "xconq", "terrain_set": "Modern Times", "next_thing_id": 3,
     "records": {}, "source": null,
     "grid": {"layout": "hex", "width": 60, "height": 30, "mask": 0, ...},
     "layers": [{"id": 1, "name": "Land", "planes": {"terrain": 1928}, ...}],
     "locked_cells": null, "locked_sides": null}

Reading checks the types of everything, raising ValueError with a message, and then the values
(``model.gate``), raising ProblemError.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.limits import DEEPEST_DATA, MAX_CELLS, MAX_LAYERS
from randomizer.model.basics.texts import LongText
from randomizer.model.edits.reshape import Shape
from randomizer.model.gate.gate import (
    check_grid,
    check_layer,
    check_next_id,
    check_own_terrain_set,
    check_source,
    check_stack,
)
from randomizer.model.gate.plane_values import MapFrame
from randomizer.model.grid.cell_naming import CellNaming
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import LAYOUTS
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, Planes, Properties
from randomizer.model.planes.planes import Plane, blank, is_blank
from randomizer.model.records.map_records import MapRecord, check_records
from randomizer.model.system.system import System
from randomizer.model.terrain.terrain import Hexside, Terrain, TerrainSet, Way
from randomizer.model.terrain.terrain_check import check_terrain_set
from randomizer.model.things.things import Things
from randomizer.storage.records.codec import (
    OwnReaders,
    OwnWriters,
    Raw,
    Record,
    kinds_of,
    plain,
    read,
    read_fields,
    short_fields,
)
from randomizer.storage.records.parts import PartReader, PartWriter
from randomizer.storage.records.thing_records import read_things, things_record

# The kinds of values that are not those of a dataclass, for the codec.

_RECORDS = Mapping[str, MapRecord]
"""The kind of the map's own records."""

_GRID = {
    "layout": str,
    "width": int,
    "height": int,
    "mask": Raw,
    "wrap": bool,
    "lean": bool,
    "naming": CellNaming,
}
"""The fields of a grid."""

_SHAPE = {"grid": Raw, "layers": tuple[Raw, ...], "locked_cells": Raw, "locked_sides": Raw}
"""The fields of a ``Shape``."""

_MAP = {
    "system": Raw,
    "next_thing_id": int,
    "terrain_set": Raw,
    "records": _RECORDS,
    "source": int | None,
    **dict.fromkeys(_SHAPE, Raw),
}
"""The fields of a map; those of its shape are read by ``read_shape``."""

TERRAIN_WRITERS: OwnWriters = dict.fromkeys((Terrain, Hexside, Way), short_fields)
"""How the codec writes what terrain sets hold: there can be thousands of it."""

LARGEST_JSON = 32 * 2**20
"""The most bytes of the JSON of a map or an edit, without its arrays."""

DEEPEST_JSON = 2 * DEEPEST_DATA
"""How deep its lists and objects can be nested, those of data in it included."""


# --- writing ------------------------------------------------------------------------------------


def text_writers(parts: PartWriter) -> OwnWriters:
    """Return how the codec writes long texts: as references."""
    return {LongText: parts.text}


def layer_record(layer: Layer, parts: PartWriter) -> Record:
    """Return the record of a layer."""

    def planes_record(planes: Planes) -> Record:
        """Return references to the planes by name."""
        references = {}
        for name, plane in planes.items():
            references[name] = parts.array(f"planes/{layer.id}/{name}", plane)
        return references

    writers = {
        **text_writers(parts),
        Planes: planes_record,
        Things: lambda things: things_record(things.values()),
    }
    record: Record = plain(layer, writers)
    return record


def shape_record(shape: Shape, parts: PartWriter) -> Record:
    """Return the record of a map's ``Shape``."""
    grid = shape.grid
    mask_reference = None
    if grid.mask is not None:
        mask_reference = parts.array("mask", grid.mask)
    return {
        "grid": {
            "layout": grid.layout.name,
            "width": int(grid.width),
            "height": int(grid.height),
            "mask": mask_reference,
            "wrap": bool(grid.wrap),
            "lean": bool(grid.lean),
            "naming": list(grid.naming),
        },
        "layers": [layer_record(layer, parts) for layer in shape.layers],
        "locked_cells": _locks_reference(shape.locked_cells, "locks/cells", parts),
        "locked_sides": _locks_reference(shape.locked_sides, "locks/sides", parts),
    }


def _locks_reference(locks: NDArray[np.bool_], name: str, parts: PartWriter) -> int | str | None:
    """Return the reference to an array of locks; None if nobody has locked anything.

    An array that had locks once is stored even if all of them are undone: only the array that new
    maps share is left out (``is_blank``).
    """
    if is_blank(locks) and not locks.any():
        return None
    return parts.array(name, locks)


def map_record(battlemap: BattleMap, parts: PartWriter) -> Record:
    """Return the record of a whole map."""
    return {
        "system": battlemap.system.name,
        "next_thing_id": int(battlemap.next_thing_id),
        "terrain_set": terrain_set_record(battlemap.terrain_set, battlemap.system),
        "records": plain(battlemap.records, text_writers(parts), _RECORDS),
        "source": battlemap.source,
        **shape_record(Shape.of(battlemap), parts),
    }


def terrain_set_record(terrain_set: TerrainSet, system: System) -> Record | str:
    """Return the record of a terrain set: its name alone if it is that of the system's new maps."""
    if terrain_set == system.terrain_set:
        return terrain_set.name
    record: Record = plain(terrain_set, TERRAIN_WRITERS)
    return record


# --- reading ------------------------------------------------------------------------------------


def text_readers(parts: PartReader) -> OwnReaders:
    """Return how the codec reads long texts: by their references."""
    return {LongText: lambda reference, _where: parts.text(reference)}


def read_grid(record: object, parts: PartReader) -> Grid:
    """Return the grid of a record. Raises ValueError."""
    fields = read_fields(_GRID, record, "the grid")
    width = fields["width"]
    height = fields["height"]
    if min(width, height) < 1 or width * height > MAX_CELLS:
        raise ValueError(f"the map has {width} x {height} cells, {MAX_CELLS:,} are the most")
    layouts = {layout.name: layout for layout in LAYOUTS}
    if fields["layout"] not in layouts:
        raise ValueError(f"no grid has the layout {fields['layout']!r:.40}")
    mask = None
    if fields["mask"] is not None:
        mask = parts.array(fields["mask"], "bool", (height, width))
    return Grid(
        layouts[fields["layout"]],
        width,
        height,
        mask,
        wrap=fields["wrap"],
        lean=fields["lean"],
        naming=fields["naming"],
    )


def read_terrain_set(record: object, system: System) -> TerrainSet:
    """Return the terrain set of a record. Raises ValueError."""
    if record == system.terrain_set.name:
        return system.terrain_set
    terrain_set: TerrainSet = read(TerrainSet, record, "the terrain set")
    check_terrain_set(terrain_set)
    return terrain_set


def read_layer(
    record: object, system: System, terrain_set: TerrainSet, grid: Grid, parts: PartReader
) -> Layer:
    """Return the layer of a record. Raises ValueError, or ProblemError for values that none has."""

    def read_planes(value: object, where: str) -> Planes:
        """Return the planes of references by name."""
        planes = {}
        for name, reference in read(Mapping[str, Raw], value, where).items():
            planes[name] = _read_plane(reference, name, system, grid, parts)
        return planes

    def read_properties(value: object, where: str) -> Properties:
        """Return properties as the system reads them."""
        properties = {}
        for name, plain_value in read(Mapping[str, Raw], value, where).items():
            properties[name] = read_property(system, name, plain_value)
        return properties

    readers = {
        **text_readers(parts),
        Planes: read_planes,
        Properties: read_properties,
        Things: lambda columns, where: Things(read_things(columns, where)),
    }
    name: object = ""  # for the messages
    if isinstance(record, dict):
        name = record.get("name")
    layer = Layer(**read_fields(kinds_of(Layer), record, f"the layer {name!r:.40}", readers))
    check_layer(MapFrame(system, terrain_set, grid), layer)
    return layer


def read_property(system: System, name: str, value: object) -> Any:
    """Return the value of a property of the system's maps. Raises ValueError."""
    try:
        map_property = system.property_named(name)
    except KeyError:
        raise ValueError(f"maps of {system.title} have no property {name!r:.40}") from None
    try:
        return map_property.read(value)
    except ValueError as failed:
        raise ValueError(f"the property “{name}”: {failed}") from None


def _read_plane(
    reference: object, name: str, system: System, grid: Grid, parts: PartReader
) -> Plane:
    """Return the plane of a reference. Raises ValueError for a name that the system lacks."""
    try:
        spec = system.plane(name)
    except KeyError:
        raise ValueError(f"maps of {system.title} have no plane {name!r:.40}") from None
    return parts.array(reference, spec.dtype, spec.shape(grid))


def read_shape(record: object, system: System, terrain_set: TerrainSet, parts: PartReader) -> Shape:
    """Return the ``Shape`` of a record.

    Raises ValueError, or ProblemError for values that no shape has.
    """
    fields = read_fields(_SHAPE, record, "the map")
    grid = read_grid(fields["grid"], parts)
    check_grid(system, grid)
    if system.fixed_grid:
        grid = system.new_grid()  # the one object that all its maps share
    layer_records = fields["layers"]
    if len(layer_records) > MAX_LAYERS:  # before their arrays take memory
        raise ValueError(f"the map has {len(layer_records):,} layers, {MAX_LAYERS} are the most")
    layers = tuple(read_layer(record, system, terrain_set, grid, parts) for record in layer_records)
    check_stack(layers)
    shape_of_cells = (grid.height, grid.width)
    shape_of_sides = (*shape_of_cells, grid.degree)
    return Shape(
        grid,
        layers,
        _read_locks(fields["locked_cells"], shape_of_cells, parts),
        _read_locks(fields["locked_sides"], shape_of_sides, parts),
    )


def _read_locks(reference: object, shape: tuple[int, ...], parts: PartReader) -> NDArray[np.bool_]:
    """Return the array of locks of a reference; None stands for no locks."""
    if reference is None:
        return blank(shape, value=False, dtype=np.bool_)
    return parts.array(reference, "bool", shape)


def read_map(record: object, parts: PartReader) -> BattleMap:
    """Return the map of a record. Raises ValueError, or ProblemError for values that no map has."""
    from randomizer.catalog.systems import system_named
    from randomizer.installed import problems

    fields = read_fields(_MAP, record, "the map", text_readers(parts))
    name = fields["system"]
    system = None
    if isinstance(name, str):
        system = system_named(name)
    if system is None:
        faults = "".join(f"; {problem.message}" for problem in problems())
        raise ValueError(f"maps of {name!r:.40} are not known here{faults}")
    terrain_set = read_terrain_set(fields["terrain_set"], system)
    check_own_terrain_set(system, terrain_set)
    check_records(fields["records"])
    check_source(fields["source"])
    shape = read_shape({field: fields[field] for field in _SHAPE}, system, terrain_set, parts)
    check_next_id(fields["next_thing_id"], shape.layers)
    return BattleMap(
        system=system,
        terrain_set=terrain_set,
        grid=shape.grid,
        layers=list(shape.layers),
        locked_cells=shape.locked_cells,
        locked_sides=shape.locked_sides,
        next_thing_id=fields["next_thing_id"],
        records=dict(fields["records"]),
        source=fields["source"],
    )
