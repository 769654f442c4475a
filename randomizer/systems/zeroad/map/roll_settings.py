"""Finds the settings of rolls that fit a map of 0 A.D.: its size, its players, its biome.

When a map is open and the user wants to roll, the form begins with these settings, so that the roll
makes a map of the same kind::

    roll_settings_of(battlemap)
    # {"Size": 256, "CircularMap": True, "Nomad": False, "Biome": "generic/alpine", "Players": 2,
    #  "PlayerData": '[{"Name": "Ann", "Civ": "athen", "Color": "#1560d0", "Team": -1}, ...]'}

A map script of the game gets its settings under these names. A map keeps those of the script that
made it in a record, as JSON (``settings_of_map``). A user can edit this text, so that any value can
be missing or of a wrong type; such a value is left out.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from randomizer.systems.zeroad.installation.game_choices import civ_choices
from randomizer.systems.zeroad.map.player_form import (
    CIV,
    NAME,
    PLAYER_COLOUR,
    TEAM,
    civs,
    player_values,
)
from randomizer.systems.zeroad.map.players import PLAYERS_SETTING, has_players, player_count
from randomizer.systems.zeroad.map.records import PLAYERS, settings_of_map

if TYPE_CHECKING:
    from collections.abc import Mapping

    from randomizer.model.map.battlemap import BattleMap

BOOLEAN_SETTINGS = ("CircularMap", "Nomad")
"""The settings that are true or false: a round map; players who begin without a town."""

TEXT_SETTINGS = (
    "Biome",
    "Landscape",
    "Daytime",
    "PlayerPlacement",
    "TeamPlacement",
    "waterLevel",
)
"""The settings whose value is one of several texts, which the metadata file of a script lists.

The game draws a value where the user chooses none. The record has the value, chosen or drawn.
"""


def roll_settings_of(battlemap: BattleMap) -> Mapping[str, object]:
    """Return the settings of rolls that fit a map, by name."""
    record = settings_of_map(battlemap)
    settings: dict[str, object] = {"Size": battlemap.grid.width}
    for name in BOOLEAN_SETTINGS:
        if isinstance(record.get(name), bool):
            settings[name] = record[name]

    # Of a map that was rolled here, some values were drawn, and the record does not tell which.
    # They are left out, so that the next roll draws them anew.
    is_rolled_here = _is_rolled(battlemap)
    if not is_rolled_here:
        for name in TEXT_SETTINGS:
            if isinstance(record.get(name), str):
                settings[name] = record[name]

    # Without players in the record the form begins with the number that the script has as default.
    if has_players(battlemap):
        settings[PLAYERS_SETTING] = player_count(battlemap)
        if not is_rolled_here:
            settings[PLAYERS] = _player_table(battlemap)
    return settings


def _is_rolled(battlemap: BattleMap) -> bool:
    """Return whether a roll of this program made the records of a map."""
    layer = battlemap.source_layer
    return layer is not None and layer.roll is not None


def _player_table(battlemap: BattleMap) -> str:
    """Return the values of all players as the table in the form for a roll has them.

    It is a JSON list with an object for each player, without Gaia, who is no row of the table.
    """
    offered_civs = dict(civ_choices(civs()))
    rows = []
    for number in range(1, player_count(battlemap) + 1):
        values = player_values(battlemap, number)
        columns = (NAME.name, CIV.name, PLAYER_COLOUR.name, TEAM.name)
        row = {name: values[name] for name in columns}
        # The form does not offer the civilisation of a mod: such a player gets the usual one.
        if row[CIV.name] not in offered_civs:
            del row[CIV.name]
        rows.append(row)
    return json.dumps(rows, ensure_ascii=False)
