"""The owners of placed things, such as the players of a game: numbers from 1 on, 0 for nobody."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from randomizer.model.edits.thing_edits import change_things

if TYPE_CHECKING:
    from randomizer.model.edits.edit import Edit
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.things.things import Thing


def things_of_owner(battlemap: BattleMap, owner: int) -> list[Thing]:
    """Return the things of an owner on all layers, hidden ones too."""
    things: list[Thing] = []
    for layer in battlemap.layers:
        things += (thing for thing in layer.things.values() if thing.owner == owner)
    return things


def remove_owner(battlemap: BattleMap, owner: int) -> Edit | None:
    """Return the edit that removes an owner, whose things then belong to nobody (owner 0).

    Owners are numbered from 1 without a gap, so those with higher numbers move down by one. None if
    no thing belongs to the owner or to one of these.
    """
    changed = []
    for layer in battlemap.layers:
        for thing in layer.things.values():
            if thing.owner == owner:
                changed.append(replace(thing, owner=0))
            elif thing.owner > owner:
                changed.append(replace(thing, owner=thing.owner - 1))
    return change_things(battlemap, changed)
