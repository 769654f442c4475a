"""Reads off a map the settings with which a script would make one like it: size, players, biome.

    roll_settings_of(battlemap)        # {"Size": 256, "CircularMap": True, "Players": 4, ...}

The form for a roll begins with them. A map has them in its record ``SETTINGS``: the settings that
its script was given.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from randomizer.systems.zeroad.installation.game_data import civ_choices
from randomizer.systems.zeroad.map.players import (
    CIV,
    NAME,
    PLAYER_COLOUR,
    PLAYERS_SETTING,
    TEAM,
    civs,
    described_player,
    players_of,
)
from randomizer.systems.zeroad.map.records import PLAYERS, settings_of_map

if TYPE_CHECKING:
    from collections.abc import Mapping

    from randomizer.model.map.battlemap import BattleMap

SWITCHES = ("CircularMap", "Nomad")
"""The settings of yes or no, whose names in the record are the same."""

OFFERED = (
    "Biome",
    "Landscape",
    "Daytime",
    "PlayerPlacement",
    "TeamPlacement",
    "waterLevel",
)
"""The settings of which a metadata file can offer several values (``map_settings.offers``).

The record has one of these as a text under the same name, whether a user or a draw chose it.
"""


def roll_settings_of(battlemap: BattleMap) -> Mapping[str, object]:
    """Return the settings of scripts that a map has, by name.

    The settings of ``OFFERED`` and the values of each player are among them only if the map was not
    rolled: of a rolled map some of them were drawn, and are to be drawn anew by the next roll.
    """
    record = settings_of_map(battlemap)
    settings: dict[str, object] = {"Size": battlemap.grid.width}
    for name in SWITCHES:
        if isinstance(record.get(name), bool):
            settings[name] = record[name]
    layer = battlemap.source_layer
    is_rolled = layer is not None and layer.roll is not None
    if not is_rolled:
        for name in OFFERED:
            if isinstance(record.get(name), str):
                settings[name] = record[name]
    if PLAYERS not in record:
        return settings
    settings[PLAYERS_SETTING] = len(players_of(battlemap)) - 1
    if not is_rolled:
        settings[PLAYERS] = _rows_of_players(battlemap)
    return settings


def _rows_of_players(battlemap: BattleMap) -> str:
    """Return the value of the setting ``PlayerData``: JSON with an object for each player.

    Gaia is not among them.
    """
    known_civs = dict(civ_choices(civs()))
    rows = []
    for number in range(1, len(players_of(battlemap))):
        _settings, values = described_player(battlemap, number)
        names = [NAME.name, CIV.name, PLAYER_COLOUR.name, TEAM.name]
        if values[CIV.name] not in known_civs:  # it is from a mod, and not offered by the form
            names.remove(CIV.name)
        rows.append({name: values[name] for name in names})
    return json.dumps(rows, ensure_ascii=False)
