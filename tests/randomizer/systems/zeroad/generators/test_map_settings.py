"""The map settings: what the metadata offer, what is chosen, and what the seed draws."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as limits
from hypothesis import strategies as st

from randomizer.model.problems import ProblemError
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.settings.metadata import Metadata, read_metadata
from randomizer.model.settings.setting import Setting, checked_settings
from randomizer.systems.zeroad.generators.map_settings import (
    drawn_choices,
    map_settings,
    settings_of,
)
from randomizer.systems.zeroad.installation.game_choices import USUAL, civ_choices

KEY = DrawKey(7, 0)
GAME = replace(
    USUAL,
    biomes=(("bay/frozen", "Frozen"), ("generic/alpine", "Alpine"), ("generic/arctic", "Arctic")),
)


def metadata(**settings: object) -> Metadata:
    needed = {"Name": "Bay", "Script": "bay.js", "Description": "A bay."}
    return read_metadata(json.dumps({"settings": {**needed, **settings}}))


def made(
    said: Metadata, key: DrawKey = KEY, chosen: Mapping[str, object] | None = None
) -> dict[str, Any]:
    checked = checked_settings(settings_of(said, GAME), chosen or {})
    return map_settings(said, checked, key, GAME)


def lines(
    said: Metadata, chosen: Mapping[str, object], values: Mapping[str, Any]
) -> tuple[str, ...]:
    return tuple(line.text for line in drawn_choices(said, chosen, values, GAME))


def setting(said: Metadata, name: str) -> Setting:
    return next(each for each in settings_of(said, GAME) if each.name == name)


def test_a_script_gets_what_the_metadata_say_and_the_game_adds() -> None:
    said = metadata(
        Keywords=["naval"],
        Preview="bay.png",
        TriggerScripts=["scripts/TriggerHelper.js"],
        Own={"kept": [1]},
        BaseTerrain=["grass"],
        BaseHeight=-5,
    )
    values = made(said)
    assert values["Name"] == "Bay"
    assert values["Script"] == "bay.js"
    assert values["Keywords"] == ["naval"]
    assert values["Preview"] == "bay.png"
    assert values["TriggerScripts"] == ["scripts/TriggerHelper.js"]
    assert values["Own"] == {"kept": [1]}
    assert (values["BaseTerrain"], values["BaseHeight"]) == (["grass"], -5)
    assert values["Size"] == 256
    assert values["VictoryConditions"] == []
    assert values["CircularMap"] is values["RevealMap"] is values["LockTeams"] is False
    assert json.loads(json.dumps(values)) == values


def test_the_seed_is_that_of_the_key_and_its_number() -> None:
    assert made(metadata(), DrawKey(5, 3))["Seed"] == 8
    assert made(metadata(), DrawKey(2**32 - 1, 1))["Seed"] == 0


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("Size", 512, 512),
        ("CircularMap", True, True),
        ("Nomad", "yes", True),
    ],
)
def test_what_is_chosen_goes_over_the_metadata(name: str, value: object, expected: object) -> None:
    said = metadata(Size=128, CircularMap=False, LockTeams=True)
    assert made(said)["Size"] == 128
    assert made(said)["LockTeams"] is True
    assert made(said, chosen={name: value})[name] == expected


def test_sizes_are_the_games_and_the_scripts_own() -> None:
    assert setting(metadata(), "Size").values == (128, 192, 256, 320, 384, 448, 512)
    assert setting(metadata(Size=16), "Size").values[0] == 16
    assert setting(metadata(Size=100), "Size").default == 256
    assert setting(metadata(Size=2048), "Size").default == 256


@pytest.mark.parametrize(
    ("supported", "biomes"),
    [
        (["generic/arctic", "own/dark"], {"generic/arctic", "own/dark"}),
        ("generic/", {"generic/alpine", "generic/arctic"}),
        ("generic", {"generic/alpine", "generic/arctic"}),
        ("bay/", {"bay/frozen"}),
        ("bay/frozen", {"bay/frozen"}),
    ],
)
def test_a_biome_is_a_full_id_of_those_supported(supported: object, biomes: set[str]) -> None:
    said = metadata(SupportedBiomes=supported)
    drawn = {made(said, DrawKey(seed, 0))["Biome"] for seed in range(20)}
    assert drawn == biomes
    chosen = sorted(biomes)[0]
    assert made(said, chosen={"Biome": chosen})["Biome"] == chosen
    assert set(setting(said, "Biome").values) == {"", *biomes}


def test_the_log_says_what_the_seed_drew_and_only_that() -> None:
    said = metadata(SupportedBiomes="bay/", Daytime=[{"Id": "day", "Name": "Day"}])
    values = made(said)
    assert tuple(line.text for line in drawn_choices(said, {}, values, GAME)) == (
        "Biome: Frozen (bay/frozen), drawn by the seed",
        "Time of day: Day (day), drawn by the seed",
    )
    players = {"Players": 2, "PlayerData": '[{"Civ": "athen"}, {"Civ": "random"}]'}
    values = made(metadata(), chosen=players)
    civ = values["PlayerData"][2]["Civ"]
    label = dict(civ_choices(GAME.civs))[civ]
    assert lines(metadata(), players, values) == (
        f"Civilisation of player 2: {label}, drawn by the seed",
    )
    chosen = {"Biome": "bay/frozen", "Daytime": "day"}
    assert lines(said, chosen, made(said, chosen=chosen)) == ()


@pytest.mark.parametrize("supported", [None, [], "none/", [3], 7])
def test_a_script_without_biomes_gets_none(supported: object) -> None:
    said = metadata(SupportedBiomes=supported)
    assert "Biome" not in made(said)
    assert not any(each.name == "Biome" for each in settings_of(said, GAME))


LANDSCAPES = [
    {
        "Id": "random_land",
        "Name": "Land",
        "Items": [{"Id": "Hills", "Name": "Hills"}, {"Id": "Gulf"}],
    },
    {"Id": "random_naval", "Items": [{"Id": "Sea"}]},
    {"Id": "empty", "Items": []},
    "no landscape",
]


def test_a_landscape_is_drawn_from_all_or_from_a_group() -> None:
    said = metadata(Landscapes=LANDSCAPES)
    choices = dict(setting(said, "Landscape").choices)
    assert list(choices) == ["", "random_land", "random_naval", "Hills", "Gulf", "Sea"]
    assert choices["random_land"] == "Land"
    keys = [DrawKey(seed, 0) for seed in range(20)]
    assert {made(said, key)["Landscape"] for key in keys} == {"Hills", "Gulf", "Sea"}
    land = {"Landscape": "random_land"}
    assert {made(said, key, land)["Landscape"] for key in keys} == {"Hills", "Gulf"}
    values = made(said, chosen=land)
    (line,) = drawn_choices(said, land, values, GAME)
    assert line.text == f"Landscape: {values['Landscape']}, drawn by the seed"


def test_further_choices_have_the_names_that_scripts_read() -> None:
    said = metadata(
        Daytime=[{"Id": "day", "Name": "Day"}, {"Id": "night"}],
        PlayerPlacements=["radial", "line"],
        TeamPlacements=["line"],
        WaterLevels=[{"Name": "low"}, {"Name": "high", "Default": True}, {}],
        SeaLevelRise={"Min": 0, "Max": 60, "Default": 25},
    )
    values = made(said, chosen={"Daytime": "night"})
    assert values["Daytime"] == "night"
    assert values["PlayerPlacement"] in ("radial", "line")
    assert values["TeamPlacement"] == "line"
    assert values["waterLevel"] == "high"
    assert values["SeaLevelRiseTime"] == 25
    assert made(said, chosen={"waterLevel": "low"})["waterLevel"] == "low"
    assert not any("Water" in line for line in lines(said, {}, made(said)))


def test_a_daytime_that_offers_nothing_is_not_the_list_of_choices() -> None:
    assert "Daytime" not in made(metadata(Daytime=[]))


# --- players --------------------------------------------------------------------------------------


def players(said: Metadata, **chosen: object) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = made(said, chosen=chosen)["PlayerData"]
    return found


def test_gaia_comes_first_and_missing_values_are_the_defaults() -> None:
    found = players(metadata(), Players=3)
    assert [each["Name"] for each in found] == ["Gaia", "Player 1", "Player 2", "Player 3"]
    assert found[0]["Civ"] == "gaia"
    assert all(each["Team"] == -1 for each in found[1:])
    assert len(players(metadata())) == 3


@pytest.mark.parametrize("first", [[], [None], [{"Name": "Gaia", "Civ": "gaia"}]])
def test_the_metadata_s_players_may_begin_with_gaia(first: list[object]) -> None:
    own = [{"Civ": "rome", "Team": 1}, None, {"Name": "Third"}]
    found = players(metadata(PlayerData=[*first, *own]))
    assert [(each["Name"], each["Civ"]) for each in found[1:]] == [
        ("Player 1", "rome"),
        ("Player 2", USUAL.players[2]["Civ"]),
        ("Third", USUAL.players[3]["Civ"]),
    ]
    assert found[1]["Team"] == 1


def test_chosen_players_go_over_the_metadata_s_and_those_beyond_are_ignored() -> None:
    said = metadata(PlayerData=[{"Civ": "rome", "Name": "One", "AI": "petra"}])
    rows = [{"Civ": "", "Name": "Mine", "Team": 0}, None, {"Name": "beyond"}]
    found = players(said, PlayerData=json.dumps(rows), Players=2)
    assert [(each["Name"], each["Civ"], each["Team"]) for each in found[1:]] == [
        ("Mine", "rome", 0),
        ("Player 2", USUAL.players[2]["Civ"], -1),
    ]


@pytest.mark.parametrize("name", ["Color", "Colour"])
def test_colours_are_understood_in_both_spellings(name: str) -> None:
    rgb = {"r": 10, "g": 100, "b": 255}
    for colour in (rgb, "#0a64ff"):
        assert players(metadata(PlayerData=[{name: colour}]))[1]["Color"] == rgb
        row = json.dumps([{name: colour}])
        found = players(metadata(), PlayerData=row)[1]
        assert found["Color"] == rgb
        assert "Colour" not in found


def test_a_random_civilisation_is_drawn_for_each_player() -> None:
    rows = json.dumps([{"Civ": "random"}] * 8)
    found = players(metadata(), Players=8, PlayerData=rows)
    civs = [each["Civ"] for each in found[1:]]
    assert set(civs) <= set(dict(USUAL.civs))
    assert len(set(civs)) > 1


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("no JSON", "setting-table"),
        ("[3]", "setting-table"),
        ('[{"Civ": "elves"}]', "setting-table"),
        ('[{"Color": "red"}]', "setting-table"),
        ('[{"Diplomacy": "[1, true]"}]', "setting-table"),
        ('[{"Diplomacy": "friends"}]', "setting-table"),
    ],
)
def test_player_data_that_are_none_are_refused(text: str, code: str) -> None:
    with pytest.raises(ProblemError) as caught:
        made(metadata(), chosen={"PlayerData": text})
    assert caught.value.problems[0].code == code


@pytest.mark.parametrize(
    "player", [{"Color": "red"}, {"Diplomacy": "friends"}, {"Colour": {"r": "x"}, "Team": "one"}]
)
def test_values_of_players_in_the_metadata_that_are_none_are_left_out(player: object) -> None:
    """The check of the metadata says where they are; the game's usual ones take their places."""
    assert players(metadata(PlayerData=[player])) == players(metadata(PlayerData=[{}]))


@pytest.mark.parametrize("relations", [[1, 2, 2], "[1, 2, 2]"])
def test_relations_are_a_list(relations: object) -> None:
    rows = json.dumps([{"Diplomacy": relations}])
    assert players(metadata(), PlayerData=rows)[1]["Diplomacy"] == [1, 2, 2]


@pytest.mark.parametrize("human", [False, "false"])
def test_a_player_without_an_ai_is_a_human(human: object) -> None:
    assert players(metadata(PlayerData=[{"AI": human}]))[1]["AI"] is False
    assert players(metadata(), PlayerData=json.dumps([{"AI": human}]))[1]["AI"] is False


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 600) | st.sampled_from(["", "generic/", "x"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["Id", "Name", "Items", "Default", "Civ"]), inner, max_size=3
        )
    ),
    max_leaves=8,
)
READ = [
    "SupportedBiomes",
    "Landscapes",
    "Daytime",
    "PlayerPlacements",
    "WaterLevels",
    "SeaLevelRise",
]


@given(others=st.dictionaries(st.sampled_from([*READ, "PlayerData", "Size", "Nomad"]), JSON))
@limits(max_examples=40, deadline=None)
def test_metadata_of_any_kind_give_a_complete_object(others: dict[str, object]) -> None:
    values = made(Metadata("Bay", "bay.js", "", others=others))
    assert values["Size"] % 16 == 0
    assert 2 <= len(values["PlayerData"]) <= 9
    assert all(isinstance(each, dict) for each in values["PlayerData"])
    assert json.loads(json.dumps(values)) == values


def test_a_size_is_one_of_the_games_or_any_that_a_map_can_have() -> None:
    said = metadata(Size=2048)
    for size in (128, 160, "176", 16, 1024):
        assert made(said, chosen={"Size": size})["Size"] == int(size)
    for wrong in (0, 100, 1040, -16, "big"):
        with pytest.raises(ProblemError, match="Size"):
            made(said, chosen={"Size": wrong})


def test_the_placement_of_teams_can_be_left_to_the_script() -> None:
    said = metadata(TeamPlacements=["line", "river"], PlayerPlacements=["line"])
    settings = made(said, chosen={"TeamPlacement": "script"})
    assert "TeamPlacement" not in settings
    assert drawn_choices(said, {"TeamPlacement": "script"}, settings)[0].text.startswith("Placem")
    assert made(said)["TeamPlacement"] in ("line", "river")
    with pytest.raises(ProblemError, match="PlayerPlacement"):
        made(said, chosen={"PlayerPlacement": "script"})


def test_civilisations_are_offered_by_name_and_code() -> None:
    table = next(each for each in settings_of(metadata()) if each.name == "PlayerData")
    column = next(each for each in table.columns if each.name == "Civ")
    assert dict(column.choices)["athen"] == "Athenians (athen)"


def test_a_biome_that_no_game_names_has_a_title() -> None:
    said = metadata(SupportedBiomes=["fields_of_euboea/rainy_spring"])
    label = dict(setting(said, "Biome").choices)["fields_of_euboea/rainy_spring"]
    assert label == "Rainy spring"


def test_biomes_of_the_same_title_are_told_apart_by_their_folders() -> None:
    said = metadata(SupportedBiomes=["fields_of_meroe/dry", "generic/temperate", "nubia/dry"])
    labels = [label for value, label in setting(said, "Biome").choices if value]
    assert labels == ["Dry (fields_of_meroe/dry)", "Temperate", "Dry (nubia/dry)"]


def test_only_a_choice_that_can_be_drawn_says_that_the_seed_draws_it() -> None:
    said = metadata(WaterLevels=[{"Name": "Low", "Default": True}, {"Name": "High"}])
    assert "seed" not in setting(said, "waterLevel").help
    said = metadata(WaterLevels=[{"Name": "Low"}, {"Name": "High"}])
    assert "seed" in setting(said, "waterLevel").help
