"""Scenarios of 0 A.D.'s editor: both files come back, changed or not; what is refused."""

from __future__ import annotations

import struct
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from randomizer.catalog.format_choice import format_for
from randomizer.catalog.map_formats import format_named
from randomizer.formats.checked import read_checked, write_files_checked
from randomizer.formats.results import ReadResult
from randomizer.generator_run import run
from randomizer.model.edits.edit import Edit
from randomizer.model.edits.thing_edits import add_things, change_things, remove_things
from randomizer.model.edits.value_edits import set_values
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.things.things import Thing
from randomizer.reading.xml_tree import parse_xml
from randomizer.roll_base import Base
from randomizer.storage.files.project import read_project, write_project
from randomizer.systems.interchange.foreign.source import Source
from randomizer.systems.zeroad.generators.packaged import packaged
from randomizer.systems.zeroad.map.map_edge import round_edge
from randomizer.systems.zeroad.map.player_form import change_player
from randomizer.systems.zeroad.map.record_fields import change_field, fields_of
from randomizer.systems.zeroad.map.records import ENVIRONMENT
from randomizer.systems.zeroad.map.water_height import water_metres
from randomizer.systems.zeroad.map_format.scenario_elements import child_of, set_value, value_of
from randomizer.systems.zeroad.system import SYSTEM
from tests.randomizer.systems.interchange.scenario_files import (
    FLAT_SCENARIO,
    SCENARIO,
    read_scenario,
    read_terrain,
    terrain,
)
from tests.randomizer.systems.interchange.test_corpus import CORPUS

PMP = format_named("pmp")
REAL = [
    pytest.param(file.with_suffix(""), id=file.stem)
    for file in sorted((CORPUS / "pmp").glob("*.pmp") if CORPUS else ())
] or [pytest.param(Path(), marks=pytest.mark.skip("the corpus is not there"))]


def opened(path: Path) -> ReadResult:
    """What is read of a file and the one beside it."""
    data = path.read_bytes()
    assert format_for(data, str(path)) is PMP
    return read_checked(PMP, data, str(path))


def given(terrain_data: bytes, scenario: bytes) -> BattleMap:
    """The map of two files."""
    result = read_checked(PMP, terrain_data, "a.pmp", {"a.xml": scenario})
    assert result.battlemap is not None, result.problems
    return result.battlemap


def change(battlemap: BattleMap, edit: Edit | None) -> None:
    """Do an edit that changes something."""
    assert edit is not None
    edit.apply(battlemap)


@pytest.mark.parametrize("path", REAL)
def test_a_real_scenario_comes_back(path: Path) -> None:
    suffix = ".xml" if path.stem == "combat_demo" else ".pmp"
    result = opened(path.with_suffix(suffix))
    battlemap = read_project(write_project(result.battlemap)).battlemap
    assert result.problems == ()
    names = {end: path.with_suffix(end).read_bytes() for end in (".pmp", ".xml")}
    files = write_files_checked(PMP, battlemap, f"other{suffix}")
    assert files == {f"other{end}": data for end, data in names.items()}
    anew = PMP.codec.compose(battlemap, Source(names[".pmp"], None, {"a.xml": names[".xml"]}), "a")
    assert (anew.data, anew.files) == (names[".pmp"], {"a.xml": names[".xml"]})


@pytest.mark.parametrize("path", REAL)
def test_a_change_of_a_real_scenario_changes_nothing_else(path: Path) -> None:
    battlemap = opened(path.with_suffix(".pmp")).battlemap
    first, second, *_others = battlemap.layers[0].things.values()
    most = len(battlemap.terrain_set.terrains) - 1
    painted = (most - battlemap.values("texture").flat[5]) if most else 0
    edit = set_values(battlemap, 1, "texture", [5], painted)
    if edit is not None:  # else there is one texture
        edit.apply(battlemap)
    change(battlemap, set_values(battlemap, 1, "height", [7], 1234))
    change(battlemap, change_things(battlemap, [replace(first, x=first.x + 1)]))
    change(battlemap, remove_things(battlemap, [second.id]))
    files = write_files_checked(PMP, battlemap, "a.pmp")
    side, heights, tiles = read_terrain(path.with_suffix(".pmp").read_bytes())
    new_side, new_heights, new_tiles = read_terrain(files["a.pmp"])
    assert new_side == side
    assert [at for at, height in enumerate(heights) if height != new_heights[at]] == [
        side * (side + 1) + 7
    ]
    assert [at for at, tile in enumerate(tiles) if tile != new_tiles[at]] == [
        side**2 - side + 5
    ] * bool(edit)
    rest, settings, entities = read_scenario(path.with_suffix(".xml").read_bytes())
    uids = list(entities)
    moved = entities.pop(uids[0])
    _removed = entities.pop(uids[1])
    new_rest, new_settings, new_entities = read_scenario(files["a.xml"])
    new_moved = new_entities.pop(uids[0])
    assert (new_rest, new_settings, new_entities) == (rest, settings, entities)
    before, after = ({each[0]: each[1:] for each in one[3]} for one in (moved, new_moved))
    x = float(before["Position"][0]["x"]) + 4
    assert float(after["Position"][0].pop("x")) == pytest.approx(x, abs=1e-4)
    before["Position"][0].pop("x")
    assert after == before


def test_what_a_map_shows_of_a_scenario() -> None:
    battlemap = given(terrain(), SCENARIO)
    first, second, third = battlemap.layers[0].things.values()
    assert (first.kind, first.owner) == ("structures/athen/fortress", 1)
    assert (first.x, first.y) == pytest.approx((5.15519 / 4 - 0.5, 16 - 40.54519 / 4 - 0.5))
    assert first.angle == pytest.approx(np.degrees(2.35621))
    assert (second.owner, third.kind) == (0, "gaia/tree/oak")
    assert [each.name for each in battlemap.terrain_set.terrains] == ["grass1", "Dünen", "cliff"]
    assert battlemap.values("texture")[15, :4].tolist() == [0, 1, 0, 2]  # the south is below
    assert battlemap.values("priority")[15, :8].tolist() == [0, 2, 2, 2, 2, 0, 2, 0xFFFF]
    assert battlemap.values("height")[16, :3].tolist() == [0, 92, 184]
    assert (water_metres(battlemap.records), round_edge(battlemap)) == (34.623, (7.0, 4.0))
    assert [name for _number, name in SYSTEM.thing_kinds(battlemap)[0].owners] == [
        *("Gaia", "Player 1", "Player 2")
    ]


def test_changes_keep_what_has_no_place_here() -> None:
    battlemap = given(terrain(), SCENARIO)
    first, second, _third = battlemap.layers[0].things.values()
    sky, wind = (
        next(each for each in fields_of(ENVIRONMENT) if each.path[-1] == name)
        for name in ("SkySet", "WindAngle")
    )
    oak = Thing(battlemap.next_thing_id, "gaia/tree/oak", 3.0, 3.0, 90.0, 0)
    change(battlemap, change_things(battlemap, [replace(first, owner=2), replace(second, x=4.0)]))
    change(battlemap, add_things(battlemap, 1, [oak]))
    change(battlemap, change_field(battlemap, sky, "stormy"))
    change(battlemap, change_field(battlemap, wind, 90.0))
    change(battlemap, change_player(battlemap, 2, "Civ", "rome"))
    files = write_files_checked(PMP, battlemap, "a.pmp")
    rest, settings, entities = read_scenario(SCENARIO)
    new_rest, new_settings, new_entities = read_scenario(files["a.xml"])
    assert new_rest[1:] == rest[1:]  # camera, paths, script
    assert b"<!-- a garrison -->" in files["a.xml"]
    environment = {each[0]: each[1:] for each in new_rest[0][3]}
    assert environment["SkySet"][1] == "stormy"
    assert environment["SunColor"][0] == {"r": "1.69922", "g": "1.5", "b": "1"}
    assert environment["Water"][2][0][3][2] == ("WindAngle", {}, "1.57079633", [])
    civs = [each.get("Civ") for each in settings["PlayerData"]]
    assert (civs, new_settings["PlayerData"][1]["Civ"]) == (["athen", None], "rome")
    assert new_settings["TriggerScripts"] == ["scenarios/x.js"]
    assert list(new_entities) == ["11", "12", "12 again", "151"]
    assert new_entities["12 again"] == entities["12 again"]
    fortress, grass = ({each[0]: each[1:] for each in new_entities[uid][3]} for uid in ("11", "12"))
    assert fortress["Player"][1] == "2"
    assert fortress["Garrison"][2] == [("GarrisonedEntity", {"uid": "12"}, "", [])]
    assert "Player" not in grass
    assert grass["Position"][0] == {"x": "18", "y": "3", "z": "20.50"}
    assert [each[0] for each in new_entities["151"][3]] == [
        *("Template", "Player", "Position", "Orientation")
    ]


def test_settings_that_cannot_be_read_stay_as_they_are() -> None:
    damaged = SCENARIO.replace(b'"CircularMap": true,', b'"CircularMap": tru,')
    battlemap = given(terrain(), damaged)
    change(battlemap, set_values(battlemap, 1, "height", [7], 1234))
    files = write_files_checked(PMP, battlemap, "a.pmp")
    assert files["a.xml"] == damaged


def test_an_environment_without_values_leaves_its_element_empty() -> None:
    element = parse_xml(SCENARIO, None).root
    assert element is not None
    section = child_of(element, "Environment")
    assert section is not None
    set_value(section, {}, 2)
    assert child_of(section, "SkySet") is None


def test_values_of_elements_are_those_that_scripts_have() -> None:
    document = parse_xml(
        b'<a><Cloud angle="3">low</Cloud><Sun rgb="1">high</Sun><Fog>1</Fog></a>', None
    )
    assert document.root is not None
    assert value_of(document.root) == {"Cloud": "low", "Sun": "high", "Fog": 1.0}
    set_value(document.root, {"Cloud": "low", "Fog": False}, 1)
    assert value_of(document.root) == {"Cloud": "low", "Fog": "false"}


def test_a_new_entity_does_not_take_over_what_a_deleted_one_had() -> None:
    battlemap = given(terrain(), SCENARIO.replace(b'uid="11"', b'uid="150"'))
    fortress = next(iter(battlemap.layers[0].things.values()))
    change(battlemap, remove_things(battlemap, [fortress.id]))
    oak = Thing(battlemap.next_thing_id, "gaia/tree/oak", 3.0, 3.0, 90.0, 0)
    change(battlemap, add_things(battlemap, 1, [oak]))
    files = write_files_checked(PMP, battlemap, "a.pmp")
    _rest, _settings, entities = read_scenario(files["a.xml"])
    assert list(entities) == ["12", "12 again", "152"]
    assert len(entities["152"][3]) == 4


def test_second_textures_and_odd_priorities_stay_where_a_tile_is_not_changed() -> None:
    battlemap = given(terrain(), SCENARIO)
    change(battlemap, set_values(battlemap, 1, "texture", [0], 2))
    _side, _heights, tiles = read_terrain(terrain())
    _side, _heights, new_tiles = read_terrain(write_files_checked(PMP, battlemap, "a.pmp")["a.pmp"])
    at = 15 * 16
    assert tiles[at] == ("grass1", "cliff", 0xFFFFFFFF)
    assert new_tiles[at] == ("cliff", "", 0)
    assert new_tiles[:at] + new_tiles[at + 1 :] == tiles[:at] + tiles[at + 1 :]


def test_a_rolled_map_is_finished_in_atlas() -> None:
    made = run(packaged()[0], {"Size": 128}, DrawKey(3, 0), Base.under(BattleMap.new(SYSTEM), 0))
    assert made is not None
    battlemap = BattleMap.new(SYSTEM, made.grid, [replace(made.layers[0], id=1, name="Rolled")])
    battlemap.terrain_set = made.terrain_set
    battlemap.records = dict(made.records)
    battlemap.note_ids(list(battlemap.layers[0].things))
    files = write_files_checked(PMP, battlemap, "green_isles.pmp")
    assert sorted(files) == ["green_isles.pmp", "green_isles.xml"]
    _side, heights, tiles = read_terrain(files["green_isles.pmp"])
    shown = battlemap.composite().planes
    assert heights == shown["height"][::-1].ravel().tolist()
    names = [each.name for each in battlemap.terrain_set.terrains]
    assert [tile[0] for tile in tiles] == [names[at] for at in shown["texture"][::-1].flat]
    _rest, settings, entities = read_scenario(files["green_isles.xml"])
    assert (settings["Name"], settings["VictoryConditions"]) == ("Green isles", ["conquest"])
    assert len(entities) == len(battlemap.layers[0].things)
    again = read_checked(PMP, files["green_isles.xml"], None, files).battlemap
    assert again.composite().same_as(battlemap.composite())
    assert PMP.check(again) == PMP.check(battlemap)


def test_a_full_stop_in_a_name_stays_in_the_title() -> None:
    made = run(packaged()[0], {"Size": 128}, DrawKey(3, 0), Base.under(BattleMap.new(SYSTEM), 0))
    assert made is not None
    battlemap = BattleMap.new(SYSTEM, made.grid, [replace(made.layers[0], id=1, name="Rolled")])
    battlemap.terrain_set = made.terrain_set
    battlemap.records = dict(made.records)
    files = write_files_checked(PMP, battlemap, "moor.v2.pmp")
    _rest, settings, _entities = read_scenario(files["moor.v2.xml"])
    assert settings["Name"] == "Moor.v2"


def test_a_terrain_alone_is_a_map_and_says_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / "a.pmp").write_bytes(terrain())
    result = opened(tmp_path / "a.pmp")
    assert result.missing == ("a.xml",)
    assert [problem.message.partition(":")[0] for problem in result.problems] == [
        "'a.xml' is not used"
    ]
    assert write_files_checked(PMP, result.battlemap, "b.pmp") == {"b.pmp": terrain()}
    assert sorted(write_files_checked(PMP, result.battlemap, "b.xml")) == ["b.pmp", "b.xml"]


def test_a_scenario_without_its_terrain_is_refused_and_says_which(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(SCENARIO)
    result = opened(tmp_path / "a.xml")
    (problem,) = result.problems
    assert (result.battlemap, result.missing) == (None, ("a.pmp",))
    assert "a.pmp is not beside this scenario" in problem.message


def test_a_scenario_can_be_on_flat_ground() -> None:
    battlemap = read_checked(PMP, FLAT_SCENARIO).battlemap
    assert (battlemap.grid.width, set(battlemap.values("height").flat)) == (32, {16384})
    assert write_files_checked(PMP, battlemap, "a.xml") == {"a.xml": FLAT_SCENARIO}
    change(battlemap, set_values(battlemap, 1, "height", [0], 7))
    files = write_files_checked(PMP, battlemap, "a.xml")
    assert b"<Terrain" not in files["a.xml"]
    assert read_terrain(files["a.pmp"])[1].count(7) == 1


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (terrain()[:-1], "ends before the tiles do"),
        (terrain()[:610], "ends before the names of textures do"),
        (terrain()[:40], "ends before the heights do"),
        (terrain()[:12] + struct.pack("<I", 2**31) + terrain()[16:], "2147483648 patches"),
        (terrain()[:4] + struct.pack("<I", 6) + terrain()[8:], "the version is 6"),
        (terrain()[:594] + struct.pack("<I", 70_000) + bytes(280_000), "70,000 textures"),
        (terrain().replace(b"D\xc3", b"D\xff"), "is no UTF-8"),
        (
            terrain()[:-8] + b"\7\0\xff\xff\0\0\0\0",
            "a tile has texture 7, but there are 4 textures",
        ),
    ],
)
def test_a_damaged_terrain_is_refused(data: bytes, message: str) -> None:
    (problem,) = read_checked(PMP, data, "a.pmp", {"a.xml": SCENARIO}).problems
    assert message in problem.message
    assert problem.path == "a.pmp"


@pytest.mark.parametrize(
    ("old", "new", "place", "message"),
    [
        (b"</Script>", b"", (56, 3), "Another tag is closed"),
        (b'x="30"', b'x="1e9"', (49, 17), "has no x of"),
        (b'x="30"', b'x="nan"', (49, 17), "has no x of"),
        (b"<Player>1<", b"<Player>70000<", (33, 4), "Player is no number"),
        (b"gaia/tree/oak", b"", (48, 4), "names no template"),
        (b"<Scenario v", b"<!DOCTYPE x [<!ENTITY a 'b'>]><Scenario v", (4, 25), "entity"),
    ],
)
def test_a_damaged_scenario_is_refused_at_its_place(old, new, place, message) -> None:
    data = SCENARIO.replace(old, new, 1)
    (problem, *_more) = read_checked(PMP, terrain(), "d/a.pmp", {"a.xml": data}).problems
    assert message in problem.message
    assert (problem.path, problem.line, problem.column) == ("d/a.xml", *place)
