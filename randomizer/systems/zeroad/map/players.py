"""Reads the players of a map, and makes the edits that change, add and remove them.

    players_of(battlemap)[1]["Name"]                    # "Ann"; the player 0 is Gaia
    edit = set_first_view(battlemap, 1, (64.0, 75.0))   # None if it changes nothing

The record (``records.SETTINGS``) has a list of players whose first one is Gaia, so that the number
of a player is its index::

    "PlayerData": [{"Name": "Gaia", ...},
                   {"Name": "Ann", "Civ": "athen", "Team": -1,
                    "Color": {"r": 21, "g": 55, "b": 149},
                    "StartingCamera": {"Position": {"x": 256, "y": 18.5, "z": 300}, ...}}]

Positions in the record are in metres. ``player_form`` has the form of a player.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from randomizer.model.edits.edit_sequence import chained
from randomizer.model.edits.thing_owners import remove_owner
from randomizer.model.edits.value_edits import compound
from randomizer.model.planes.corners import heights_around
from randomizer.systems.zeroad.installation.game_choices import USUAL
from randomizer.systems.zeroad.installation.template_catalog import METRES_PER_TILE
from randomizer.systems.zeroad.map.coordinates import UNITS_PER_METRE, map_position
from randomizer.systems.zeroad.map.map_data import MAX_PLAYERS, NO_TEAM
from randomizer.systems.zeroad.map.planes import HEIGHT
from randomizer.systems.zeroad.map.records import (
    BY_HAND,
    PLAYERS,
    SETTINGS,
    set_value,
    settings_of_map,
)

if TYPE_CHECKING:
    from randomizer.model.edits.edit import Edit
    from randomizer.model.map.battlemap import BattleMap

PLAYERS_SETTING = "Players"
"""The setting of rolls that says how many players there are."""

MIN_PLAYERS = 1
"""The smallest number of players on a map, without Gaia."""

_CAMERA_TILT = 35
"""The degrees by which the camera looks down at the beginning, as on the game's own maps."""


def players_of(battlemap: BattleMap) -> list[dict[str, Any]]:
    """Return the players of a map, Gaia first, as they are in the record.

    Values that the record leaves out are those of the game's usual player of the same number. For a
    map without players all usual players are returned.
    """
    if has_players(battlemap):
        recorded_players = settings_of_map(battlemap)[PLAYERS]
    else:
        recorded_players = [{}, *USUAL.players[1:]]  # {}: Gaia has nothing beside the usual
    players = list[dict[str, Any]]()
    for index, row in enumerate(recorded_players[: MAX_PLAYERS + 1]):
        player = {**USUAL.players[index], "Team": NO_TEAM}
        if isinstance(row, dict):
            player |= row
        players.append(player)
    return players


def has_players(battlemap: BattleMap) -> bool:
    """Return whether the record has a list of players, with one at least beside Gaia."""
    recorded_players = settings_of_map(battlemap).get(PLAYERS)
    return isinstance(recorded_players, list) and len(recorded_players) > 1


def player_count(battlemap: BattleMap) -> int:
    """Return the number of players of a map, without Gaia."""
    return len(players_of(battlemap)) - 1


def set_first_view(battlemap: BattleMap, number: int, point: tuple[float, float]) -> Edit | None:
    """Return the edit after which a player first sees a point, (x, z) in tiles.

    The record has a point in space: that on the ground there.
    """
    grid = battlemap.grid
    x, z = point
    cell = grid.cell_at(*map_position(grid.height, x, z))
    ground_height = 0.0
    if cell >= 0:
        heights = battlemap.composite().planes[HEIGHT.name]
        corner_heights = heights_around(grid, heights, np.array([cell]))
        ground_height = float(corner_heights.mean()) / UNITS_PER_METRE
    position = {
        "x": x * METRES_PER_TILE,
        "y": round(ground_height, 2),
        "z": z * METRES_PER_TILE,
    }
    camera = {"Position": position, "Rotation": {"x": _CAMERA_TILT, "y": 0, "z": 0}}
    return set_player(battlemap, number, "StartingCamera", camera)


def clear_first_view(battlemap: BattleMap, number: int) -> Edit | None:
    """Return the edit after which a player first sees what it owns: the game chooses the point."""
    return set_player(battlemap, number, "StartingCamera", None)


def why_not_add_player(battlemap: BattleMap) -> str:
    """Return why a map can have no further player, as a sentence; "" if it can."""
    if player_count(battlemap) >= MAX_PLAYERS:
        return f"A map has at most {MAX_PLAYERS} players."
    return ""


def add_player(battlemap: BattleMap) -> Edit | None:
    """Return the edit that adds the game's usual player of the next number.

    Raises ValueError if there are as many as there can be.
    """
    why_not = why_not_add_player(battlemap)
    if why_not:
        raise ValueError(why_not.removesuffix("."))
    return change_player_count(battlemap, player_count(battlemap) + 1)


def remove_player(battlemap: BattleMap, number: int) -> Edit | None:
    """Return the edit that removes a player (1 is the first), and gives its things to Gaia.

    The players behind it get the next lower numbers, and keep their things. Raises ValueError for
    the only player.
    """
    if player_count(battlemap) <= MIN_PLAYERS:
        raise ValueError("a map has at least one player")
    players = players_of(battlemap)
    del players[number]
    edits = (
        set_value(battlemap, SETTINGS, (PLAYERS,), players),
        remove_owner(battlemap, number),
    )
    return compound(edits)


def change_player_count(battlemap: BattleMap, count: int) -> Edit | None:
    """Return the edit after which a map has ``count`` players beside Gaia; None if it has them.

    New ones are the game's usual ones of their numbers. If there are too many, the last ones are
    removed, and their things are Gaia's. Raises ValueError for a number that no map can have.
    """
    if not MIN_PLAYERS <= count <= MAX_PLAYERS:
        raise ValueError(f"a map has {MIN_PLAYERS} to {MAX_PLAYERS} players")
    former_players = players_of(battlemap)
    former_count = player_count(battlemap)
    if count == former_count:
        return None
    defaults = USUAL.players[len(former_players) : count + 1]
    new_players = [{**player, "Team": NO_TEAM} for player in defaults]
    players = [*former_players[: count + 1], *new_players]
    # Each edit is made when those before it are applied.
    make_edits = [partial(set_value, battlemap, SETTINGS, (PLAYERS,), players)]
    # From the last one: removing an owner renumbers those behind it.
    for number in range(former_count, count, -1):
        make_edits.append(partial(remove_owner, battlemap, number))
    return chained(battlemap, make_edits)


def set_player(battlemap: BattleMap, number: int, name: str, value: object) -> Edit | None:
    """Return the edit that sets a value of a player, or removes it if it is None.

    The result is None if the player has that value. Otherwise ``name`` is added to the player's
    list ``BY_HAND``, so that a roll keeps the value.
    """
    players = players_of(battlemap)
    player = {key: former for key, former in players[number].items() if key != name}
    if value is not None:
        player[name] = value
    if player == players[number]:
        return None
    names_by_hand = player.get(BY_HAND)
    if not isinstance(names_by_hand, list):
        names_by_hand = []
    if name not in names_by_hand:
        names_by_hand = [*names_by_hand, name]
    player[BY_HAND] = names_by_hand
    players[number] = player
    return set_value(battlemap, SETTINGS, (PLAYERS,), players)
