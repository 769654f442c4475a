"""Players, environment and camera of a made map: shown, changed, taken back and exported."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.systems.zeroad.export.pair_metadata import pair_metadata
from randomizer.systems.zeroad.map.player_form import change_player, described_player
from randomizer.systems.zeroad.map.players import players_of, set_first_view
from randomizer.systems.zeroad.map.record_fields import change_field, described_fields, fields_of
from randomizer.systems.zeroad.map.records import (
    CAMERA,
    ENVIRONMENT,
    SETTINGS,
    as_record,
    record_data,
    settings_of_map,
)
from randomizer.systems.zeroad.map.roll_settings import roll_settings_of
from randomizer.systems.zeroad.map.water_height import water_metres
from randomizer.systems.zeroad.map_format.map_conversion import map_data_of
from randomizer.systems.zeroad.system import SYSTEM

FIELDS = {
    (record, field.setting.name): field
    for record in (ENVIRONMENT, CAMERA)
    for field in fields_of(record)
}


def made_map(**records: Any) -> BattleMap:
    battlemap = BattleMap.new(SYSTEM, layers=[Layer(1, "Ground")])
    battlemap.records = {name: as_record(data) for name, data in records.items()}
    return battlemap


def shown(battlemap: BattleMap, record: str, name: str) -> object:
    return described_fields(battlemap, fields_of(record))[1][name]


@st.composite
def changes(draw: st.DrawFn) -> tuple[str, str, object]:
    record, name = draw(st.sampled_from(sorted(FIELDS)))
    setting = FIELDS[record, name].setting
    if setting.pattern:
        return record, name, "#" + draw(st.binary(min_size=3, max_size=3)).hex()
    if setting.choices:
        return record, name, draw(st.sampled_from(setting.values))
    assert setting.minimum is not None
    assert setting.maximum is not None
    tenths = draw(st.integers(setting.minimum * 10, setting.maximum * 10))
    return record, name, tenths / 10


@given(st.lists(changes(), max_size=8))
def test_what_is_changed_is_shown_and_taken_back(steps: list[tuple[str, str, object]]) -> None:
    battlemap = made_map()
    undo = []
    for record, name, value in steps:
        before = dict(battlemap.records)
        edit = change_field(battlemap, FIELDS[record, name], value)
        if edit is not None:
            edit.apply(battlemap)
            undo.append((edit.inverse(), before))
        held = shown(battlemap, record, name)
        if name.endswith("glare") and record_data(battlemap.records, ENVIRONMENT)["SunColor"] == (
            BLACK
        ):
            continue
        assert held == (pytest.approx(value, abs=0.01) if isinstance(value, float) else value)
    for inverse, before in reversed(undo):
        inverse.apply(battlemap)
        assert battlemap.records == before


def test_the_environment_is_in_degrees_colours_and_metres() -> None:
    battlemap = made_map(
        environment={
            "SkySet": "home made",
            "SunColor": {"r": 2.0, "g": 1.0, "b": 0.5, "a": 0},
            "SunRotation": -math.pi / 2,
            "Water": {"WaterBody": {"Height": 17.5, "Colour": "kept"}},
            "Fog": "odd",
        }
    )
    settings, values = described_fields(battlemap, fields_of(ENVIRONMENT))
    assert values == {
        "SkySet.choice": "home made",
        "SunColor.colour": "#ff8040",
        "SunColor.glare": 2.0,
        "SunRotation.angle": -90.0,
        "Water.WaterBody.Height.number": 17.5,
    }
    assert "home made" in settings[0].values
    for name, value in (
        ("SunColor.colour", "#00ff00"),
        ("SunRotation.angle", 180.0),
        ("Water.WaterBody.Height.number", 21.0),
        ("Fog.FogFactor.number", 0.25),
    ):
        edit = change_field(battlemap, FIELDS[ENVIRONMENT, name], value)
        assert edit is not None
        edit.apply(battlemap)
    data = record_data(battlemap.records, ENVIRONMENT)
    assert data["SunColor"] == {"r": 0.0, "g": 2.0, "b": 0.0, "a": 0}, "as bright as before"
    assert data["SunRotation"] == pytest.approx(math.pi)
    assert data["Water"]["WaterBody"] == {"Height": 21.0, "Colour": "kept"}
    assert data["Fog"] == {"FogFactor": 0.25}
    assert water_metres(battlemap.records) == 21.0
    assert battlemap.records[ENVIRONMENT].touched
    assert change_field(battlemap, FIELDS[ENVIRONMENT, "Fog.FogFactor.number"], 0.25) is None
    rounded = made_map(environment={"SunRotation": 0.7})
    assert shown(rounded, ENVIRONMENT, "SunRotation.angle") == 40.11
    assert change_field(rounded, FIELDS[ENVIRONMENT, "SunRotation.angle"], 40.11) is None
    with pytest.raises(ValueError, match="red"):
        change_field(battlemap, FIELDS[ENVIRONMENT, "SunColor.colour"], "red")


BLACK = {"r": 0.0, "g": 0.0, "b": 0.0, "a": 0}
"""The light of a black sun cannot be brighter."""

PLAYERS = [
    {"Name": "Gaia", "Civ": "gaia"},
    {"Name": "Player 1", "Civ": "athen", "Color": {"r": 1, "g": 2, "b": 3}, "AI": "petra"},
    {"Name": "Player 2", "Civ": "homemade", "Team": 9},
]


def change(battlemap: BattleMap, number: int, name: str, value: object) -> None:
    edit = change_player(battlemap, number, name, value)
    assert edit is not None
    edit.apply(battlemap)


def test_a_player_gets_another_civilisation_team_colour_name_and_first_view() -> None:
    battlemap = made_map(settings={"Name": "Mainland", "PlayerData": PLAYERS})
    settings, values = described_player(battlemap, 2)
    assert values["Civ"] == "homemade"
    assert values["Team"] == -1, "a team that no game has is none"
    assert "homemade" in next(setting for setting in settings if setting.name == "Civ").values
    untouched = json.loads(pair_metadata("a", settings_of_map(battlemap), ""))["settings"]
    assert untouched["PlayerData"] == [{"Civ": "athen"}, {"Civ": "homemade"}]
    for name, value in (
        ("Civ", "rome"),
        ("Team", 1),
        ("Color", "#ff0080"),
        ("Name", "Hannibal"),
        ("looks-at-x", 10.0),
        ("looks-at-z", 20.5),
    ):
        change(battlemap, 2, name, value)
        assert described_player(battlemap, 2)[1][name] == value
    assert change_player(battlemap, 2, "Civ", "rome") is None
    player = players_of(battlemap)[2]
    assert player["Color"] == {"r": 255, "g": 0, "b": 128}
    assert player["StartingCamera"]["Position"] == {"x": 40.0, "y": 23.0, "z": 82.0}
    assert settings_of_map(battlemap)["Name"] == "Mainland"
    said = json.loads(pair_metadata("a", map_data_of(battlemap).settings, ""))["settings"]
    first, second = said["PlayerData"]
    assert first == {"Civ": "athen"}, "what no hand has changed is left to the game"
    assert second == {
        "Name": "Hannibal",
        "Civ": "rome",
        "Team": 1,
        "Color": player["Color"],
        "StartingCamera": player["StartingCamera"],
    }
    change(battlemap, 2, "looks-at-x", None)
    assert "StartingCamera" not in players_of(battlemap)[2]


def test_a_map_without_players_has_the_usual_eight_until_one_is_changed() -> None:
    battlemap = made_map()
    assert len(players_of(battlemap)) == 9
    change(battlemap, 8, "Team", 0)
    assert len(settings_of_map(battlemap)["PlayerData"]) == 9
    assert SETTINGS in battlemap.records


@pytest.mark.parametrize("players", [None, "Ann", [{"Name": "Gaia"}]])
def test_a_roll_begins_without_players_if_a_map_names_none(players: object) -> None:
    battlemap = made_map(settings={"Nomad": True, "PlayerData": players})
    assert roll_settings_of(battlemap) == {"Size": battlemap.grid.width, "Nomad": True}


def test_values_that_no_player_can_have_are_refused() -> None:
    battlemap = made_map(settings={"PlayerData": PLAYERS})
    for name, value in (("Color", "red"), ("Color", ""), ("Name", "  "), ("Name", None)):
        with pytest.raises(ValueError):
            change_player(battlemap, 1, name, value)
    outside = set_first_view(battlemap, 1, (-5.0, 7.0))
    assert outside is not None, "a camera may look at what is outside"
