"""The owner of a thing that is going to be placed: nobody, the one chosen last, or a player.

    new_owner(town, battlemap, chosen_owner=2)      # 2: towns can belong to player 2
    new_owner(oak, battlemap, chosen_owner=2)       # 0: trees belong to nobody

The number 0 stands for nobody, those from 1 on for the owners that the map has.
"""

from __future__ import annotations

from dataclasses import replace

from randomizer.model.map.battlemap import BattleMap
from randomizer.model.things.thing_kind import NewOwner, ThingKind

NOBODY = 0
"""The number of the owner of things that belong to nobody."""


def new_owner(kind: ThingKind, battlemap: BattleMap, chosen_owner: int | None) -> int:
    """Return the owner of a new thing of a kind, by the rule of the kind (``new_owner``).

    ``chosen_owner`` is the owner that the user chose last, None before that. The first of these
    that applies:

    1. Nobody, for a kind whose things belong to nobody.
    2. The owner chosen last, if things of the kind can belong to that one.
    3. For a kind whose things belong to players: the player whose civilisation the kind is of, else
       the first player.
    4. Nobody.

    ``kind`` has the players of the map among its owners (``with_players``).
    """
    if kind.new_owner is NewOwner.NOBODY:
        return NOBODY
    possible_owners = [number for number, _name in kind.owners]
    can_have_any = not possible_owners  # a kind without a list
    if chosen_owner is not None and (can_have_any or chosen_owner in possible_owners):
        return chosen_owner
    players = [number for number in possible_owners if number != NOBODY]
    if kind.new_owner is NewOwner.CHOSEN_OR_FIRST and players:
        return battlemap.system.usual_owner(battlemap, kind.name) or players[0]
    return NOBODY


def with_players(kind: ThingKind, map_kinds: tuple[ThingKind, ...]) -> ThingKind:
    """Return a kind with the players of the map: kinds of an installed game know none.

    ``map_kinds`` are the kinds of the map, all of which have the same players.
    """
    if kind.owners or not map_kinds:
        return kind
    kind_of_map = map_kinds[0]
    return replace(kind, owners=kind_of_map.owners, owner_colours=kind_of_map.owner_colours)
