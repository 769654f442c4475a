"""Checks a map of 0 A.D. for what its game would not load, or its players would mind.

    check_map(battlemap, composite)    # after each change of the map: it takes milliseconds
    check_names(battlemap)             # before a map is written or played: asks the installed game
    check_entities(battlemap)          # before a map is written or played

An *entity* is the game's word for a thing on the map, such as a tree or a house, and a *template*
its kind. The checks of single things are in modules of their own: ``water_check``, ``site_check``
and ``shared_spots``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from randomizer.model.basics.plurals import counted
from randomizer.model.problems import Problem, Severity
from randomizer.systems.zeroad.installation.game_names import names_of, unknown_names
from randomizer.systems.zeroad.installation.installations import find_installations
from randomizer.systems.zeroad.map.map_data import FIRST_ID
from randomizer.systems.zeroad.map.owners import owners_of
from randomizer.systems.zeroad.map.planes import MOST, TEXTURE
from randomizer.systems.zeroad.map.records import CAMERA, ENVIRONMENT, record_data, settings_of_map
from randomizer.systems.zeroad.map.shared_spots import check_shared_spots
from randomizer.systems.zeroad.map.site_check import check_sites
from randomizer.systems.zeroad.map.water_check import check_water

if TYPE_CHECKING:
    from collections.abc import Iterator

    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.planes.composite import Composite

MAX_ENTITIES = MOST - FIRST_ID + 1
"""The most entities of a map: so many ids are free."""

OUTSIDE = "entity-outside"
"""The code of the problem of entities outside the map."""

STRANGER = "entity-player"
"""The code of the problem of entities whose owner is no player of the map: strangers."""


def check_map(battlemap: BattleMap, composite: Composite) -> tuple[Problem, ...]:
    """Return the problems of a map that are quickly found."""
    return (
        *_check_entity_count(battlemap),
        *_check_records(battlemap),
        *_check_owners(battlemap),
        *check_water(battlemap, composite),
        *check_sites(battlemap, composite),
        *check_shared_spots(battlemap),
    )


def _check_entity_count(battlemap: BattleMap) -> Iterator[Problem]:
    """Yield a problem if there are more entities than the game has ids for."""
    count = sum(len(layer.things) for layer in battlemap.layers if layer.visible)
    if count > MAX_ENTITIES:
        message = f"The map has {count:,} entities, {MAX_ENTITIES:,} are the most"
        yield Problem(Severity.ERROR, "entities-many", message)


def _check_records(battlemap: BattleMap) -> Iterator[Problem]:
    """Yield a problem for each record whose text, which a user can edit, is no JSON."""
    for name in (CAMERA, ENVIRONMENT):
        if name in battlemap.records and record_data(battlemap.records, name) is None:
            message = f"The {name} is no JSON: it is left out of files"
            yield Problem(Severity.WARNING, "record-json", message)


def _check_owners(battlemap: BattleMap) -> Iterator[Problem]:
    """Yield a problem if there are entities whose owner is no player of the map."""
    owner_count = len(owners_of(settings_of_map(battlemap)))
    count = 0
    first_tile = None
    for layer in battlemap.layers:
        if not layer.visible or not layer.things:
            continue
        arrays = layer.things.arrays()
        strangers = arrays.some((arrays.owners < 0) | (arrays.owners >= owner_count))
        count += len(strangers.owners)
        tiles = battlemap.grid.cells_at(strangers.points)
        if first_tile is None:
            first_tile = next((tile for tile in tiles.tolist() if tile >= 0), None)
    if count:
        words = counted(count, "thing belongs", "things belong")
        message = f"{words} to players that this map does not have"
        yield Problem(Severity.WARNING, STRANGER, message, cell=first_tile)


def check_names(battlemap: BattleMap) -> tuple[Problem, ...]:
    """Return warnings of names of templates and textures that the installed game does not know.

    Of several games that are installed the first is asked. Without a game there are no warnings.
    """
    games = find_installations()
    if not games:
        return ()
    templates = set[str]()
    for layer in battlemap.layers:
        if layer.visible:
            templates.update(layer.things.kinds)
    codes_in_use = np.unique(battlemap.composite().planes[TEXTURE.name]).tolist()
    terrains = battlemap.terrain_set.terrains
    textures = [terrains[code].name for code in codes_in_use if code < len(terrains)]
    names = names_of(templates, textures, settings_of_map(battlemap))
    return unknown_names(names, games[0].mods)


def check_entities(battlemap: BattleMap) -> tuple[Problem, ...]:
    """Return a warning if there are entities outside of the map, none otherwise."""
    outside = 0
    for layer in battlemap.layers:
        if layer.visible:
            points = layer.things.arrays().points
            tiles = battlemap.grid.cells_at(points)  # -1 for a point outside
            outside += int((tiles < 0).sum())
    if not outside:
        return ()
    message = f"{counted(outside, 'entity', 'entities')} outside the map"
    return (Problem(Severity.WARNING, OUTSIDE, message),)
