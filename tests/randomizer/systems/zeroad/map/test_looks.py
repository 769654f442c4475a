"""Looks of textures and templates, told by the words of their names."""

from itertools import combinations
from pathlib import Path

import pytest

import app.resources
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.terrain.terrain_check import check_terrain_set
from randomizer.model.things.thing_kind import ICONS
from randomizer.model.things.things import Thing, Things
from randomizer.systems.zeroad.map.entity_kinds import kind_of_name, kinds_of
from randomizer.systems.zeroad.map.owners import PLAYER_COLOURS, colours_of
from randomizer.systems.zeroad.map.records import SETTINGS, as_record
from randomizer.systems.zeroad.map.template_groups import group_of, sign_of, title_of
from randomizer.systems.zeroad.map.terrain_set import NEW_MAP, terrain_set_of
from randomizer.systems.zeroad.map.texture_looks import look_of
from randomizer.systems.zeroad.map.usual_templates import USUAL
from randomizer.systems.zeroad.system import SYSTEM

PICTURES = {
    "medit_grass_field_a": "Grassland",
    "desert_sand_dunes_50": "Sand",
    "alpine_cliff_a": "Mountains",
    "temp_road_muddy": "Pavement",
    "sahara_rocks_dirt_01": "Stone",
    "desert_wave": "Desert",
    "snow forest": "Drift",
    "aegean_forestfloor_01": "Woods",
    "LavaTest01": "Volcano",
    "ocean_medit_coral": "Open sea",
}


@pytest.mark.parametrize(("name", "picture"), PICTURES.items())
def test_a_texture_is_told_by_its_words(name, picture):
    assert look_of(name).picture == picture


def test_a_share_of_the_second_ground_is_no_variant():
    # The red part goes from that of grass to that of sand, a quarter with each name.
    names = ("grass_sand_25", "grass_sand_50", "grass_sand_75")
    reds = [int(look_of(name).colour[1:3], 16) for name in names]
    first_step = reds[1] - reds[0]
    second_step = reds[2] - reds[1]
    assert first_step > 0
    assert abs(first_step - second_step) <= 8, "only the shade of the name differs"


def test_an_unknown_texture_has_a_colour_of_its_own_that_stays():
    assert look_of("xyzzy") == look_of("xyzzy")
    assert look_of("xyzzy").picture.startswith("Pattern ")
    assert look_of("xyzzy").colour != look_of("plugh").colour


def test_every_picture_is_there():
    folder = Path(app.resources.__file__).parent / "terrain"
    for name in (*PICTURES, "xyzzy", "plugh", *(terrain.name for terrain in NEW_MAP.terrains)):
        assert (folder / f"{look_of(name).picture}.svg").is_file()


def test_the_textures_of_a_family_differ_in_colour():
    names = [f"temp_grass_{last}" for last in "abcdefgh"]
    names += [f"temp_grass_{number:02}" for number in range(1, 9)]
    colours = [terrain.colour for terrain in terrain_set_of(names).terrains]
    for one, other in combinations(colours, 2):
        pairs = zip(bytes.fromhex(one[1:]), bytes.fromhex(other[1:]), strict=True)
        assert sum(abs(a - b) for a, b in pairs) >= 20


def test_the_textures_of_a_new_map_look_as_their_names_say():
    assert terrain_set_of([terrain.name for terrain in NEW_MAP.terrains]) == NEW_MAP


def test_any_names_make_a_terrain_set():
    check_terrain_set(terrain_set_of(["a", "_", "50", "snow 50", "ÄÖ", "x" * 100]))


@pytest.mark.parametrize(
    ("template", "group"),
    [
        ("gaia/tree/oak", "tree"),
        ("gaia/flora_tree_oak", "tree"),
        ("gaia/rock/alpine_large", "stone"),
        ("gaia/geology_stone_alpine_a", "stone"),
        ("gaia/ore/desert_small", "metal"),
        ("gaia/geology_metal_alpine", "metal"),
        ("gaia/fauna_deer", "hunt"),
        ("gaia/fauna_chicken", "fowl"),
        ("gaia/fauna_whale_fin", "fish"),
        ("gaia/fish/generic", "fish"),
        ("gaia/fauna_fish", "fish"),
        ("gaia/fruit/berry_01", "berries"),
        ("gaia/flora_bush_berry", "berries"),
        ("gaia/treasure/wood", "treasure"),
        ("gaia/ruins/column_doric", "building"),
        ("structures/athen/civil_centre", "building"),
        ("skirmish/structures/default_house_5", "building"),
        ("units/athen/infantry_spearman_b", "unit"),
        ("actor|props/flora/grass.xml", "decoration"),
        ("trigger/trigger_point_A", "other"),
        ("ungarrisonable|units/athen/hero_pericles", "unit"),
        ("", "other"),
    ],
)
def test_a_template_is_told_by_its_words(template, group):
    assert group_of(template) == group


def test_kinds_are_what_is_placed_and_the_usual_templates():
    battlemap = BattleMap.new(SYSTEM, layers=[Layer(1, "Ground")])
    usual = {*USUAL, "structures/athen/civil_centre"}
    assert {kind.name for kind in kinds_of(battlemap)} == usual
    battlemap.layers[0].things = Things([Thing(1, "units/athen/hero_pericles", 3, 3)])
    assert {kind.name for kind in kinds_of(battlemap)} == {*usual, "units/athen/hero_pericles"}
    players = [None, {"Civ": "rome"}, {"Civ": "random"}, {"Civ": 5}, {"Civ": "brit"}]
    battlemap.records[SETTINGS] = as_record({"PlayerData": players})
    names = {kind.name for kind in kinds_of(battlemap)}
    assert {name for name in names if "civil_centre" in name} == {
        "structures/rome/civil_centre",
        "structures/brit/civil_centre",
    }


@pytest.mark.parametrize(
    ("template", "title"),
    [
        ("gaia/tree/cretan_date_palm_tall", "Cretan date palm tall"),
        ("gaia/fauna_deer", "Deer"),
        ("gaia/rock/desert_small", "Stone desert small"),
        ("gaia/ore/desert_small", "Metal desert small"),
        ("gaia/geology_metal_alpine", "Metal alpine"),
        ("gaia/treasure/wood", "Treasure wood"),
        ("structures/athen/civil_centre", "Civil centre (Athenians)"),
        ("units/spart/hero_brasidas", "Hero brasidas (Spartans)"),
        ("actor|props/flora/grass.xml", "Grass"),
        ("_", "_"),
    ],
)
def test_a_template_has_a_title_that_says_what_it_is(template, title):
    assert title_of(template) == title


def test_owners_are_the_players_of_the_settings():
    battlemap = BattleMap.new(SYSTEM, layers=[Layer(1, "Ground")])
    assert kinds_of(battlemap)[0].owners[:2] == ((0, "Gaia"), (1, "Player 1"))
    assert len(kinds_of(battlemap)[0].owners) == 9
    players = {"PlayerData": [None, {"Name": "Ann"}, {"Civ": "athen"}]}
    battlemap.records[SETTINGS] = as_record(players)
    assert kinds_of(battlemap)[0].owners == ((0, "Gaia"), (1, "Ann"), (2, "Player 2"))


def test_players_have_the_colours_of_the_settings_and_the_usual_ones_else():
    red = {"Color": {"r": 255, "g": 0, "b": 16}}
    british = {"Colour": {"r": 1, "g": 2, "b": 3}}
    wrong = {"Color": {"r": 300, "g": 0, "b": "x"}}
    colours = colours_of({"PlayerData": [{"Name": "Gaia"}, red, british, wrong, None]})
    assert colours == ("#ff0010", "#010203", *PLAYER_COLOURS[2:])
    assert colours_of({"PlayerData": 5}) == colours_of({}) == PLAYER_COLOURS


@pytest.mark.parametrize(
    ("template", "icon"),
    [
        ("structures/iber/wall_long", "wall"),
        ("structures/iber/wall_tower", "tower"),
        ("structures/iber/wall_gate", "gate"),
        ("structures/palisades_gate", "gate"),
        ("structures/athen/civil_centre", "centre"),
        ("structures/athen_civil_centre", "centre"),
        ("structures/rome/fortress", "base"),
        ("structures/brit/defense_tower", "tower"),
        ("structures/cart/super_dock", "dock"),
        ("structures/han/field", "field"),
        ("structures/han/farmstead", "farmstead"),
        ("structures/gaul/storehouse", "storehouse"),
        ("structures/maur/elephant_stable", "barracks"),
        ("structures/kush/temple_amun", "temple"),
        ("structures/pers/market", "market"),
        ("structures/ptol/wonder", "wonder"),
        ("structures/spart/house", "building"),
        ("structures/spart/gerousia", "building"),
    ],
)
def test_structures_have_the_sign_of_their_class(template, icon):
    assert sign_of(template).icon == icon
    assert icon in ICONS


def test_the_pieces_of_a_wall_are_long_and_narrow():
    long, medium, tower = (
        sign_of(f"wall_{each}").footprint for each in ("long", "medium", "tower")
    )
    assert long.width > medium.width > 3 * medium.depth
    assert tower.width == tower.depth


def test_an_exact_name_is_a_kind_whether_a_map_has_it_or_not():
    battlemap = BattleMap.new(SYSTEM)
    kind = kind_of_name(battlemap, "structures/rome/fortress")
    assert kind is not None
    assert (kind.title, kind.icon) == ("Fortress (Romans)", "base")
    assert kind_of_name(battlemap, "actor|props/flora/grass.xml").group == "Decoration"
    for text in ("fortress", "rome fortress", "a//b", "/a", "a/", ""):
        assert kind_of_name(battlemap, text) is None
