"""The choices before a map: those of an installed game, else the usual ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from randomizer.systems.zeroad.installation.game_choices import USUAL, colour_of
from randomizer.systems.zeroad.installation.game_data import game_data
from randomizer.systems.zeroad.installation.mod_files import ModFiles
from randomizer.systems.zeroad.map.entity_kinds import kinds_without_game

SETTINGS = "simulation/data/settings/"
GAIA = {"Name": "Gaia", "Civ": "gaia"}

FILES: dict[str, object] = {
    f"{SETTINGS}map_sizes.json": {
        "Data": [{"Name": "Tiny", "Tiles": 128}, {"Name": "Own", "Tiles": 160, "Default": True}, 7]
    },
    f"{SETTINGS}player_defaults.json": {"PlayerData": [GAIA, {"Name": "A", "Civ": "athen"}]},
    f"{SETTINGS}starting_resources.json": {
        "Data": [{"Resources": 100}, {"Resources": 500, "Default": True}]
    },
    "simulation/data/civs/gaia.json": {"Code": "gaia"},
    "simulation/data/civs/rome.json": {"Code": "rome"},
    "simulation/data/civs/athen.json": {"Code": "athen"},
    "simulation/data/civs/old.json": {"Code": "old", "SelectableInGameSetup": False},
    "maps/random/rmbiome/defaultbiome.json": {},
    "maps/random/rmbiome/generic/alpine.json": {"Description": {"Title": "Subalpine"}},
    "maps/random/rmbiome/generic/bare.json": {},
}


def mod(place: Path, files: dict[str, object]) -> ModFiles:
    for name, value in files.items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(value if isinstance(value, str) else json.dumps(value), "utf-8")
    return ModFiles(place)


def test_an_installed_game_says_what_can_be_chosen(tmp_path: Path) -> None:
    athens = "<Entity><Identity><GenericName>Athenians</GenericName></Identity></Entity>"
    named = {"simulation/templates/special/players/athen.xml": athens}
    data = game_data([mod(tmp_path, FILES | named)])
    assert data.sizes == ((128, "Tiny"), (160, "Own"))
    assert data.size == 160
    assert [player["Name"] for player in data.players] == ["Gaia", "A"]
    assert data.civs == (("athen", "Athenians"), ("rome", "rome"))
    assert data.biomes == (("generic/alpine", "Subalpine"), ("generic/bare", "Bare"))
    assert data.resources == 500


@pytest.mark.parametrize(
    "text", ["", "no JSON", "[]", '{"Data": 3, "PlayerData": 3}', "[" * 50_000]
)
def test_what_a_game_does_not_say_is_as_usual(text: str, tmp_path: Path) -> None:
    assert game_data([mod(tmp_path, dict.fromkeys(FILES, text))]).sizes == USUAL.sizes
    data = game_data([mod(tmp_path, dict.fromkeys(FILES, text))])
    assert (data.size, data.players, data.civs) == (USUAL.size, USUAL.players, USUAL.civs)
    assert game_data([]) == USUAL


def test_a_changed_game_is_read_again(tmp_path: Path) -> None:
    first = game_data([mod(tmp_path, FILES)])
    assert game_data([ModFiles(tmp_path)]) is first
    mod(tmp_path, {f"{SETTINGS}map_sizes.json": {"Data": [{"Name": "Large", "Tiles": 384}]}})
    assert game_data([ModFiles(tmp_path)]).sizes == ((384, "Large"),)


def test_the_usual_choices_are_such_as_a_game_has() -> None:
    assert USUAL.size in dict(USUAL.sizes)
    assert len(USUAL.players) == 9
    assert USUAL.players[0]["Civ"] == "gaia"
    assert {player["Civ"] for player in USUAL.players[1:]} <= set(dict(USUAL.civs))


def test_a_colour_is_six_digits() -> None:
    assert colour_of("#0a64ff") == {"r": 10, "g": 100, "b": 255}
    for text in ("0a64ff", "#0a64f", "#0a64fg", "red"):
        with pytest.raises(ValueError):
            colour_of(text)


def test_players_can_have_each_civilisation_whose_buildings_can_be_placed():
    """Without a game the palette had Roman buildings, and the players could not be Romans."""
    folders = set()
    for kind in kinds_without_game():
        if kind.name.startswith("structures/"):
            folders.add(kind.name.split("/")[1])
    assert folders == {code for code, _name in USUAL.civs}
