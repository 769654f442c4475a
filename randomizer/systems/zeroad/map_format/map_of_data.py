"""What a script's map data are on the desk: one layer, its terrain set, grid and records."""

from __future__ import annotations

from collections.abc import Sequence

from randomizer.generator import Base, DrawKey, Generated
from randomizer.model.grid import Grid
from randomizer.model.layer import Layer
from randomizer.model.layouts import SQUARE
from randomizer.model.log_line import LogLine
from randomizer.model.map_records import MapRecord
from randomizer.model.problems import Problem
from randomizer.model.thing_state import NO_STATE, State
from randomizer.model.things import Thing, Things
from randomizer.systems.zeroad.map.coordinates import (
    FILE_ENTRY,
    SEA_LEVEL,
    fine,
    fine_angle,
    flipped,
    thing_angle,
    thing_place,
)
from randomizer.systems.zeroad.map.locked_tiles import with_kept
from randomizer.systems.zeroad.map.map_data import Entity, MapData
from randomizer.systems.zeroad.map.planes import HEIGHT, PRIORITY, TEXTURE
from randomizer.systems.zeroad.map.records import CAMERA, ENVIRONMENT, SEA, SETTINGS, as_record
from randomizer.systems.zeroad.map.terrain_set import terrain_set_of


def generated(
    data: MapData,
    key: DrawKey,
    base: Base,
    log: Sequence[LogLine] = (),
    notes: Sequence[Problem] = (),
) -> Generated:
    """A script's map as the result of a roll.

    What is locked on ``base`` is kept if it has the size of the map.
    """
    layer, terrain_set = layer_of(data), terrain_set_of(data.texture_names)
    grid = Grid(SQUARE, data.size, data.size)
    same_grid = grid.same_as(base.grid)
    if same_grid and base.locked_cells.any():
        layer, terrain_set, note = with_kept(layer, terrain_set, base)
        notes = (*notes, note)
    return Generated(
        (layer,),
        key.number,
        log=tuple(log),
        notes=tuple(notes),
        records=records_of(data),
        terrain_set=terrain_set,
        grid=None if same_grid else grid,
    )


def layer_of(data: MapData, *, of_file: bool = False) -> Layer:
    """The planes and things of map data, the textures as indices into their names.

    ``of_file``: the things know how the file has them (``FILE_ENTRY``).
    """
    planes = {
        TEXTURE.name: flipped(data.textures).astype(TEXTURE.dtype),
        PRIORITY.name: flipped(data.priorities).astype(PRIORITY.dtype),
        HEIGHT.name: flipped(data.heights).astype(HEIGHT.dtype),
    }
    things = Things(
        Thing(
            number,
            entity.template,
            *thing_place(data.size, fine(entity.x), fine(entity.z)),
            thing_angle(fine_angle(entity.angle)),
            entity.player,
            state=_file_state(entity) if of_file else NO_STATE,
        )
        for number, entity in enumerate(data.entities, 1)
    )
    return Layer(0, "", planes=planes, things=things)


def _file_state(entity: Entity) -> State:
    numbers = entity.x, entity.z, entity.angle
    exact = numbers == (fine(entity.x), fine(entity.z), fine_angle(entity.angle))
    return State({FILE_ENTRY: (entity.id,) if exact else (entity.id, *numbers)})


def records_of(data: MapData) -> dict[str, MapRecord]:
    """The records of map data."""
    records = {}
    if data.camera is not None:
        records[CAMERA] = as_record(data.camera)
    if data.environment is not None:
        records[ENVIRONMENT] = as_record(data.environment)
    if data.sea_level != SEA_LEVEL:
        records[SEA] = as_record(data.sea_level)
    if data.settings:
        records[SETTINGS] = as_record(dict(data.settings))
    return records
