"""The map data of what a map shows: what is written into files and given to the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from randomizer.model.problems import error
from randomizer.systems.zeroad.coordinates import entity_place, flipped, script_angle
from randomizer.systems.zeroad.map_data import FIRST_ID, Entity, MapData
from randomizer.systems.zeroad.planes import HEIGHT, PRIORITY, TEXTURE, why_not_size
from randomizer.systems.zeroad.records import CAMERA, ENVIRONMENT, data_of, sea_level_of

if TYPE_CHECKING:
    from randomizer.model.battlemap import BattleMap


def map_data_of(battlemap: BattleMap) -> MapData:
    """The visible layers and the records of a map as map data.

    Entities have ids from ``FIRST_ID`` on, in the order of layers and things. Raises ProblemError
    for a size that the game does not have.
    """
    why_not = why_not_size(battlemap.grid.width, battlemap.grid.height)
    if why_not:
        raise error("map-size", why_not)
    size, planes = battlemap.grid.width, battlemap.composite().planes
    entities = tuple(
        Entity(
            number,
            thing.kind,
            thing.owner,
            *entity_place(size, thing.x, thing.y),
            script_angle(thing.angle),
        )
        for number, thing in enumerate(battlemap.visible_things(), FIRST_ID)
    )
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
    )
