"""Converts ``MapData``, the map that a script returns or a file has, to a map of ours, and back.

    roll_result(data, key, base)          # generators: the result of a roll
    layer_of(data), records_of(data)      # formats that read a file: parts of a new map
    map_data_of(battlemap)                # formats that write one

Positions and angles on our maps are rounded, since they are converted to other units. A thing
remembers the exact numbers of its file or script (``FILE_ENTRY``), so that an entity that was not
moved is written with just these.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from randomizer.model.basics.log_line import LogLine
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.layer import Layer
from randomizer.model.problems import Problem, error
from randomizer.model.records.map_records import MapRecord
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.generated import Generated
from randomizer.model.things.thing_state import State
from randomizer.model.things.things import Thing, Things
from randomizer.roll_base import Base
from randomizer.systems.zeroad.map.coordinates import (
    SEA_LEVEL,
    flip_rows,
    map_angle,
    map_position,
    rounded,
    rounded_angle,
    script_angle,
    script_position,
)
from randomizer.systems.zeroad.map.json_values import finite_number, whole_number
from randomizer.systems.zeroad.map.locked_tiles import keep_locked_tiles
from randomizer.systems.zeroad.map.map_data import FILE_ENTRY, FIRST_ID, Entity, MapData
from randomizer.systems.zeroad.map.owners import recorded_players
from randomizer.systems.zeroad.map.planes import HEIGHT, MOST, PRIORITY, TEXTURE, why_not_size
from randomizer.systems.zeroad.map.records import (
    CAMERA,
    ENVIRONMENT,
    SEA,
    SETTINGS,
    as_record,
    record_data,
    settings_of_map,
)
from randomizer.systems.zeroad.map.terrain_set import terrain_set_of
from randomizer.systems.zeroad.map.water_height import default_water_metres
from randomizer.systems.zeroad.map_format.entity_schema import FARTHEST

if TYPE_CHECKING:
    from collections.abc import Iterator

    from randomizer.model.map.battlemap import BattleMap


def roll_result(
    data: MapData,
    key: DrawKey,
    base: Base,
    log: Sequence[LogLine] = (),
    notes: Sequence[Problem] = (),
) -> Generated:
    """Return the map of a script as the result of a roll.

    Tiles that are locked on ``base``, the map below the roll, stay as they are if both have the
    same size. The record of settings is marked as changed by the user if the user changed the
    players of ``base``, since the script was given these.
    """
    layer = layer_of(data)
    terrain_set = terrain_set_of(data.texture_names)
    grid = Grid(SQUARE, data.size, data.size)
    new_grid: Grid | None = grid
    all_notes = list(notes)
    if grid.same_as(base.grid):
        new_grid = None  # the map keeps its grid
        if base.locked_cells.any():
            locked_roll = keep_locked_tiles(layer, terrain_set, base)
            layer = locked_roll.layer
            terrain_set = locked_roll.terrain_set
            all_notes.append(locked_roll.note)
    records = records_of(data)
    if SETTINGS in records and recorded_players(base.records):
        records[SETTINGS] = replace(records[SETTINGS], touched=True)
    return Generated(
        (layer,),
        key.number,
        log=tuple(log),
        notes=tuple(all_notes),
        records=records,
        terrain_set=terrain_set,
        grid=new_grid,
    )


def layer_of(data: MapData) -> Layer:
    """Return a layer with the planes and things of map data.

    Textures are indices of ``data.texture_names``. The things have an entry ``FILE_ENTRY``.
    """
    planes = {
        TEXTURE.name: flip_rows(data.textures).astype(TEXTURE.dtype),
        PRIORITY.name: flip_rows(data.priorities).astype(PRIORITY.dtype),
        HEIGHT.name: flip_rows(data.heights).astype(HEIGHT.dtype),
    }
    things = Things(
        _thing_of(entity, number, data.size) for number, entity in enumerate(data.entities, 1)
    )
    return Layer(0, "", planes=planes, things=things)


def _thing_of(entity: Entity, thing_id: int, size: int) -> Thing:
    """Return an entity as a thing; the map is ``size`` tiles wide."""
    x, y = map_position(size, rounded(entity.x), rounded(entity.z))
    angle = map_angle(rounded_angle(entity.angle))
    return Thing(
        thing_id, entity.template, x, y, angle, entity.player, state=_FileEntry.of(entity).state()
    )


def records_of(data: MapData) -> dict[str, MapRecord]:
    """Return the records of map data."""
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


def map_data_of(battlemap: BattleMap, reserved: Container[int] = ()) -> MapData:
    """Return the visible layers of a map, flattened, and its records as map data.

    The entities are in the order of layers and things. No new entity gets an id of ``reserved``.
    Raises ProblemError for a size that the game does not have.
    """
    why_not = why_not_size(battlemap.grid.width, battlemap.grid.height)
    if why_not:
        raise error("map-size", why_not)
    size = battlemap.grid.width
    planes = battlemap.composite().planes
    entities = tuple(_entities(size, tuple(battlemap.visible_things()), reserved))
    heights, textures, priorities = (
        np.ascontiguousarray(flip_rows(planes[spec.name]), np.uint16)
        for spec in (HEIGHT, TEXTURE, PRIORITY)
    )
    return MapData(
        size=size,
        heights=heights,
        texture_names=tuple(terrain.name for terrain in battlemap.terrain_set.terrains),
        textures=textures,
        priorities=priorities,
        entities=entities,
        camera=record_data(battlemap.records, CAMERA),
        environment=record_data(battlemap.records, ENVIRONMENT),
        sea_level=default_water_metres(battlemap.records),
        settings=settings_of_map(battlemap),
    )


def _entities(size: int, things: Sequence[Thing], reserved: Container[int]) -> Iterator[Entity]:
    """Yield things as entities, with the ids and the exact numbers of their script or file.

    Of several things with the same id the first one keeps it. All others, and new things, get free
    ids from ``FIRST_ID`` on. Those of ``reserved`` are not free: they are ids of deleted entities,
    to which other elements of a file may refer.

    A number of the file is used if the thing still has it, apart from rounding.
    """
    entries = [_FileEntry.of_thing(thing) for thing in things]
    ids_in_file = {entry.id for entry in entries}
    free_ids = (
        number for number in count(FIRST_ID) if number not in ids_in_file and number not in reserved
    )
    used_ids = set[int]()
    for thing, entry in zip(things, entries, strict=True):
        if entry.id is None or entry.id in used_ids:
            entity_id = next(free_ids)
        else:
            entity_id = entry.id
        used_ids.add(entity_id)
        x, z = script_position(size, thing.x, thing.y)
        angle = script_angle(thing.angle)
        if entry.exact_numbers:
            exact_x, exact_z, exact_angle = entry.exact_numbers
            if x == rounded(exact_x):
                x = exact_x
            if z == rounded(exact_z):
                z = exact_z
            if angle == rounded_angle(exact_angle):
                angle = exact_angle
        yield Entity(entity_id, thing.kind, thing.owner, x, z, angle)


class _FileEntry(NamedTuple):
    """What a thing remembers of the entity of its script or file (``FILE_ENTRY``)."""

    id: int | None
    """The id of the entity, None for a new thing."""
    exact_numbers: tuple[float, ...]
    """x and z in tiles and the angle in radians; () if rounding changes none of them."""

    @classmethod
    def of(cls, entity: Entity) -> _FileEntry:
        """Return what the thing of an entity has to remember."""
        numbers = (entity.x, entity.z, entity.angle)
        rounded_numbers = (rounded(entity.x), rounded(entity.z), rounded_angle(entity.angle))
        if numbers == rounded_numbers:
            return cls(entity.id, ())
        return cls(entity.id, numbers)

    @classmethod
    def of_thing(cls, thing: Thing) -> _FileEntry:
        """Return what a thing remembers. It is checked: a user can edit the state of things."""
        values = thing.state.get(FILE_ENTRY)
        if not isinstance(values, tuple) or not values:
            return cls(None, ())
        entity_id = whole_number(values[0])
        if entity_id is not None and not 0 <= entity_id <= MOST:
            entity_id = None
        numbers = [number for number in map(finite_number, values[1:]) if number is not None]
        if len(numbers) != 3 or max(map(abs, numbers[:2])) > FARTHEST:
            return cls(entity_id, ())
        return cls(entity_id, tuple(numbers))

    def state(self) -> State:
        """Return the state of a thing that remembers this."""
        return State({FILE_ENTRY: (self.id, *self.exact_numbers)})
