"""What the game would mind of a map."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from randomizer.model.basics.plurals import counted
from randomizer.model.problems import Problem, Severity
from randomizer.systems.zeroad.installation.game_names import names_of, unknown_names
from randomizer.systems.zeroad.installation.installations import find
from randomizer.systems.zeroad.map.entity_kinds import owners_of
from randomizer.systems.zeroad.map.map_data import FIRST_ID
from randomizer.systems.zeroad.map.planes import MOST, TEXTURE
from randomizer.systems.zeroad.map.records import CAMERA, ENVIRONMENT, record_data, settings_of_map

if TYPE_CHECKING:
    from collections.abc import Iterator

    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.planes.composite import Composite

MOST_ENTITIES = MOST - FIRST_ID + 1

OUTSIDE = "entity-outside"
STRANGER = "entity-player"
"""Codes of problems of entities outside the map, and of players that are not there."""


def check_map(battlemap: BattleMap, _composite: Composite) -> tuple[Problem, ...]:
    """Return the warnings of the game for a map, those that are found at once: ``System.check``."""
    return tuple(_quick_problems(battlemap))


def _quick_problems(battlemap: BattleMap) -> Iterator[Problem]:
    count = sum(len(layer.things) for layer in battlemap.layers if layer.visible)
    if count > MOST_ENTITIES:
        message = f"The map has {count:,} entities, {MOST_ENTITIES:,} are the most"
        yield Problem(Severity.ERROR, "entities-many", message)
    for name in (CAMERA, ENVIRONMENT):
        if name in battlemap.records and record_data(battlemap.records, name) is None:
            message = f"The {name} is no JSON: it is left out of files"
            yield Problem(Severity.WARNING, "record-json", message)


def check_names(battlemap: BattleMap) -> tuple[Problem, ...]:
    """Warnings of names on a map that the first installed game lacks; none without a game."""
    game = next(iter(find()), None)
    if game is None:
        return ()
    kinds = {kind for layer in battlemap.layers if layer.visible for kind in layer.things.kinds}
    used = np.unique(battlemap.composite().planes[TEXTURE.name]).tolist()
    textures = [
        terrain.name for code, terrain in enumerate(battlemap.terrain_set.terrains) if code in used
    ]
    return unknown_names(names_of(kinds, textures, settings_of_map(battlemap)), game.mods)


def check_entities(battlemap: BattleMap) -> tuple[Problem, ...]:
    """Return the warnings of the game for the entities of a map: those outside, those of no
    player.
    """
    grid = battlemap.grid
    players = len(owners_of(settings_of_map(battlemap)))
    outside = strangers = 0
    for layer in battlemap.layers:
        if layer.visible:
            arrays = layer.things.arrays()
            outside += int((grid.cells_at(arrays.points) < 0).sum())
            strangers += int(((arrays.owners < 0) | (arrays.owners >= players)).sum())
    problems = []
    if outside:
        message = f"{counted(outside, 'entity', 'entities')} outside the map"
        problems.append(Problem(Severity.WARNING, OUTSIDE, message))
    if strangers:
        message = f"{counted(strangers, 'entity', 'entities')} of players that are not there"
        problems.append(Problem(Severity.WARNING, STRANGER, message))
    return tuple(problems)
