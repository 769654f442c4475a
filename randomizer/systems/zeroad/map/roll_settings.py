"""The settings with which a script would make a map like one that lies: its size, its players."""

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
"""The settings of yes or no that the record of a map's settings has under the same names."""

OFFERED = (
    "Biome",
    "Landscape",
    "Daytime",
    "PlayerPlacement",
    "TeamPlacement",
    "waterLevel",
)
"""The settings that metadata files offer choices of (``map_settings.offers``). The record has the
choice, drawn or not, as a text under the same name."""


def roll_settings_of(battlemap: BattleMap) -> Mapping[str, object]:
    """Return the settings of scripts, by name, that a map has, such as its size.

    The values of each player and the choice of a biome and the like are among them where the map
    has no roll: a script draws some of them, and draws them anew for its next roll.
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
    """Return the players as the setting ``PlayerData`` has them: JSON, without Gaia."""
    known_civs = dict(civ_choices(civs()))
    rows = []
    for number in range(1, len(players_of(battlemap))):
        _settings, values = described_player(battlemap, number)
        names = [NAME.name, CIV.name, PLAYER_COLOUR.name, TEAM.name]
        if values[CIV.name] not in known_civs:  # that of a mod, which no form can choose
            names.remove(CIV.name)
        rows.append({name: values[name] for name in names})
    return json.dumps(rows, ensure_ascii=False)
