"""The map data of what a map shows: what is written into files and given to the game."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import numpy as np

from randomizer.model.problems import error
from randomizer.systems.zeroad.map.coordinates import (
    FILE_ENTRY,
    entity_place,
    fine,
    fine_angle,
    flipped,
    script_angle,
)
from randomizer.systems.zeroad.map.map_data import FIRST_ID, Entity, MapData
from randomizer.systems.zeroad.map.planes import HEIGHT, MOST, PRIORITY, TEXTURE, why_not_size
from randomizer.systems.zeroad.map.records import (
    CAMERA,
    ENVIRONMENT,
    data_of,
    finite_number,
    sea_level_of,
    settings_of_map,
    whole_number,
)
from randomizer.systems.zeroad.map_format.entity_schema import FURTHEST

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from randomizer.model.battlemap import BattleMap
    from randomizer.model.things import Thing


def map_data_of(battlemap: BattleMap) -> MapData:
    """The visible layers and the records of a map as map data.

    Entities are in the order of layers and things. Raises ProblemError for a size that the game
    does not have.
    """
    why_not = why_not_size(battlemap.grid.width, battlemap.grid.height)
    if why_not:
        raise error("map-size", why_not)
    size, planes = battlemap.grid.width, battlemap.composite().planes
    entities = tuple(_entities(size, tuple(battlemap.visible_things())))
    heights, textures, priorities = (
        np.ascontiguousarray(flipped(planes[spec.name]), np.uint16)
        for spec in (HEIGHT, TEXTURE, PRIORITY)
    )
    return MapData(
        size,
        heights,
        tuple(terrain.name for terrain in battlemap.terrain_set.terrains),
        textures,
        priorities,
        entities,
        data_of(battlemap.records, CAMERA),
        data_of(battlemap.records, ENVIRONMENT),
        sea_level_of(battlemap.records),
        settings_of_map(battlemap),
    )


def _entities(size: int, things: Sequence[Thing]) -> Iterator[Entity]:
    """Things as entities: what a file had is as it was, as long as the thing gives it.

    The first of several with an id keeps it; others get the ids that are free from ``FIRST_ID`` on.
    """
    written = [_file_entry(thing) for thing in things]
    taken = {entry[0] for entry in written}
    free = (number for number in count(FIRST_ID) if number not in taken)
    used: set[int] = set()
    for thing, (given, numbers) in zip(things, written, strict=True):
        number = next(free) if given is None or given in used else given
        used.add(number)
        x, z = entity_place(size, thing.x, thing.y)
        angle = script_angle(thing.angle)
        if numbers:
            x = numbers[0] if x == fine(numbers[0]) else x
            z = numbers[1] if z == fine(numbers[1]) else z
            angle = numbers[2] if angle == fine_angle(numbers[2]) else angle
        yield Entity(number, thing.kind, thing.owner, x, z, angle)


def _file_entry(thing: Thing) -> tuple[int | None, list[float]]:
    """The id that a file had, None if there is none, and the numbers, none if they are as now."""
    entry = thing.state.get(FILE_ENTRY)
    given = entry if isinstance(entry, tuple) else ()
    number = whole_number(given[0]) if given else None
    numbers = [each for each in map(finite_number, given[1:]) if each is not None]
    if len(numbers) != 3 or max(map(abs, numbers[:2])) > FURTHEST:
        numbers = []
    return number if number is not None and 0 <= number <= MOST else None, numbers
