"""Map data as a layer with its terrain set, grid and records, and what a map shows as map data."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

import numpy as np

from randomizer.generator import Base, DrawKey
from randomizer.model.basics.log_line import LogLine
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.layer import Layer
from randomizer.model.problems import Problem, error
from randomizer.model.records.map_records import MapRecord
from randomizer.model.rolls.generated import Generated
from randomizer.model.things.thing_state import State
from randomizer.model.things.things import Thing, Things
from randomizer.systems.zeroad.map.coordinates import (
    FILE_ENTRY,
    SEA_LEVEL,
    entity_place,
    fine,
    fine_angle,
    flip_rows,
    script_angle,
    thing_angle,
    thing_place,
)
from randomizer.systems.zeroad.map.locked_tiles import keep_locked_tiles
from randomizer.systems.zeroad.map.map_data import FIRST_ID, Entity, MapData
from randomizer.systems.zeroad.map.planes import HEIGHT, MOST, PRIORITY, TEXTURE, why_not_size
from randomizer.systems.zeroad.map.records import (
    CAMERA,
    ENVIRONMENT,
    SEA,
    SETTINGS,
    as_record,
    finite_number,
    players_by_hand,
    record_data,
    sea_level_of,
    settings_of_map,
    whole_number,
)
from randomizer.systems.zeroad.map.terrain_set import terrain_set_of
from randomizer.systems.zeroad.map_format.entity_schema import FURTHEST

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
    """Return a script's map as the result of a roll.

    What is locked on ``base`` is kept if it has the size of the map. The settings count as changed
    by hand if they hold the players that a hand changed on ``base``.
    """
    layer = layer_of(data)
    terrain_set = terrain_set_of(data.texture_names)
    grid = Grid(SQUARE, data.size, data.size)
    same_grid = grid.same_as(base.grid)
    if same_grid and base.locked_cells.any():
        layer, terrain_set, note = keep_locked_tiles(layer, terrain_set, base)
        notes = (*notes, note)
    records = records_of(data)
    if SETTINGS in records and players_by_hand(base.records):
        records[SETTINGS] = replace(records[SETTINGS], touched=True)
    return Generated(
        (layer,),
        key.number,
        log=tuple(log),
        notes=tuple(notes),
        records=records,
        terrain_set=terrain_set,
        grid=None if same_grid else grid,
    )


def layer_of(data: MapData) -> Layer:
    """Return the planes and things of map data, the textures as indices into their names.

    The things know how the script or the file has them (``FILE_ENTRY``).
    """
    planes = {
        TEXTURE.name: flip_rows(data.textures).astype(TEXTURE.dtype),
        PRIORITY.name: flip_rows(data.priorities).astype(PRIORITY.dtype),
        HEIGHT.name: flip_rows(data.heights).astype(HEIGHT.dtype),
    }
    things = Things(
        Thing(
            number,
            entity.template,
            *thing_place(data.size, fine(entity.x), fine(entity.z)),
            thing_angle(fine_angle(entity.angle)),
            entity.player,
            state=_file_state(entity),
        )
        for number, entity in enumerate(data.entities, 1)
    )
    return Layer(0, "", planes=planes, things=things)


def _file_state(entity: Entity) -> State:
    numbers = entity.x, entity.z, entity.angle
    exact = numbers == (fine(entity.x), fine(entity.z), fine_angle(entity.angle))
    return State({FILE_ENTRY: (entity.id,) if exact else (entity.id, *numbers)})


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
    """Return the visible layers and the records of a map as map data.

    Entities are in the order of layers and things; new ones get no id that is ``reserved``. Raises
    ProblemError for a size that the game does not have.
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
        size,
        heights,
        tuple(terrain.name for terrain in battlemap.terrain_set.terrains),
        textures,
        priorities,
        entities,
        record_data(battlemap.records, CAMERA),
        record_data(battlemap.records, ENVIRONMENT),
        sea_level_of(battlemap.records),
        settings_of_map(battlemap),
    )


def _entities(size: int, things: Sequence[Thing], reserved: Container[int]) -> Iterator[Entity]:
    """Things as entities: as a script or a file had them, as long as the thing gives it.

    The first of several with an id keeps it; others get the ids that are free from ``FIRST_ID`` on.
    """
    written = [_file_entry(thing) for thing in things]
    taken = {entry[0] for entry in written}
    free = (number for number in count(FIRST_ID) if number not in taken and number not in reserved)
    used: set[int] = set()
    for thing, (given, numbers) in zip(things, written, strict=True):
        if given is None or given in used:
            number = next(free)
        else:
            number = given
        used.add(number)
        x, z = entity_place(size, thing.x, thing.y)
        angle = script_angle(thing.angle)
        if numbers:
            x = numbers[0] if x == fine(numbers[0]) else x
            z = numbers[1] if z == fine(numbers[1]) else z
            if angle == fine_angle(numbers[2]):
                angle = numbers[2]
            else:
                angle = angle
        yield Entity(number, thing.kind, thing.owner, x, z, angle)


def _file_entry(thing: Thing) -> tuple[int | None, list[float]]:
    """Return the id that a file had, None if there is none, and the numbers, none if they are as
    now.
    """
    entry = thing.state.get(FILE_ENTRY)
    given = entry if isinstance(entry, tuple) else ()
    number = whole_number(given[0]) if given else None
    numbers = [each for each in map(finite_number, given[1:]) if each is not None]
    if len(numbers) != 3 or max(map(abs, numbers[:2])) > FURTHEST:
        numbers = []
    return number if number is not None and 0 <= number <= MOST else None, numbers
