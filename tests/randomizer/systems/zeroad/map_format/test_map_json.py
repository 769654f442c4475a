"""Map data on the desk and in files: the same map comes back."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.catalog.file_kinds import is_map
from randomizer.catalog.format_choice import format_for
from randomizer.formats.checked import read_checked, write_checked
from randomizer.model.basics.bounded_json import MAX_VALUES
from randomizer.model.edits.layer_edits import duplicate
from randomizer.model.edits.thing_copies import layers_with_ids
from randomizer.model.edits.thing_edits import add_things, change_things, remove_things
from randomizer.model.edits.value_edits import compound
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.problems import ProblemError
from randomizer.model.records.map_records import MapRecord
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.put_roll import new_map
from randomizer.roll_base import Base
from randomizer.storage.files.project import PROJECT
from randomizer.systems.zeroad.map.planes import HEIGHT
from randomizer.systems.zeroad.map.records import ENVIRONMENT, SEA, as_record, settings_of_map
from randomizer.systems.zeroad.map.water_height import water_metres
from randomizer.systems.zeroad.map_format.map_conversion import map_data_of, roll_result
from randomizer.systems.zeroad.map_format.map_json import JSON, map_of
from randomizer.systems.zeroad.system import SYSTEM
from tests.randomizer.systems.zeroad.map_strategies import map_data, maps, raw_map, same


@settings(max_examples=30)
@given(data=maps())
def test_a_roll_shows_the_very_map_that_the_script_returned(data):
    base = Base.under(BattleMap.new(SYSTEM), 0)
    made = roll_result(replace(data, settings={"Name": "Islands"}), DrawKey(1, 2), base)
    battlemap = new_map(SYSTEM, base.grid, base.terrain_set, made)
    assert same(map_data_of(battlemap), data)
    assert settings_of_map(battlemap) == {"Name": "Islands"}


@settings(max_examples=60)
@given(data=maps(any_numbers=True))
def test_a_file_holds_the_very_map(data):
    result = read_checked(JSON, write_checked(JSON, map_of(data)))
    assert result.problems == ()
    assert result.battlemap is not None
    assert same(map_data_of(result.battlemap), data)


def _entities(battlemap: BattleMap) -> dict[int, dict[str, object]]:
    """The entities of the map's file by id."""
    return {each["id"]: each for each in json.loads(JSON.write(battlemap))["entities"]}


@settings(max_examples=40)
@given(data=maps(any_numbers=True).filter(lambda data: data.entities), turn=st.booleans())
def test_only_what_was_moved_is_written_in_another_way(data, turn):
    battlemap = map_of(data)
    before = _entities(battlemap)
    moved = next(battlemap.visible_things())
    number = data.entities[0].id
    angle = data.entities[0].angle
    change = {"angle": (moved.angle + 90) % 360} if turn else {"x": moved.x + 1}
    edit = change_things(battlemap, [replace(moved, **change)])
    assert edit is not None
    edit.apply(battlemap)
    after = _entities(battlemap)
    assert {each for each in before if before[each] != after[each]} == {number}
    same_part = "position" if turn else "rotation"
    assert after[number][same_part] == before[number][same_part]
    assert after[number]["position"]["z"] == before[number]["position"]["z"]
    for restored in (edit.inverse(), edit):  # undone it is as it was, and a project keeps it
        restored.apply(battlemap)
        read = read_checked(PROJECT, write_checked(PROJECT, battlemap)).battlemap
        assert read is not None
        assert _entities(read) == (after if restored is edit else before)
    assert angle == before[number]["rotation"]["y"]


def test_copies_get_ids_of_their_own():
    raw = raw_map()
    raw["entities"][0]["id"] = 151
    raw["entities"][1]["id"] = 7
    raw["entities"][0]["position"]["x"] = 60.4 / 7
    battlemap = JSON.read(json.dumps(raw).encode()).battlemap
    assert battlemap is not None
    first = next(battlemap.visible_things())
    edit = compound([add_things(battlemap, 1, [first]), remove_things(battlemap, [first.id])])
    assert edit is not None
    edit.apply(battlemap)
    assert list(_entities(battlemap)) == [7, 150]
    duplicate(battlemap, 1).edit.apply(battlemap)
    other = map_of(map_data())
    other.layers += layers_with_ids(battlemap.layers, other)
    assert list(_entities(battlemap)) == [7, 150, 151, 152]
    assert list(_entities(other)) == [150, 151, 152, 153]
    assert all(thing.state == {} for thing in other.visible_things())


@pytest.mark.parametrize(
    "entry", [7, (), ("a",), (-1, 1, 1, 1), (70000,), (200, 1, "b", 1), (200, 1e9, 1, 1), (200.5,)]
)
def test_a_damaged_entry_of_a_thing_does_not_reach_the_file(entry):
    battlemap = JSON.read(json.dumps(raw_map()).encode()).battlemap
    assert battlemap is not None
    before = _entities(battlemap)
    first = next(battlemap.visible_things())
    battlemap.layers[0].things.exchange([first], [replace(first, state={"file": entry})])
    after = _entities(battlemap)
    assert [each["position"] for each in after.values()] == [
        each["position"] for each in before.values()
    ]
    assert len(after) == 2


def test_entities_that_a_map_lists_twice_by_id_are_written_with_two():
    battlemap = JSON.read(json.dumps(raw_map()).encode()).battlemap
    assert battlemap is not None
    first, second = battlemap.visible_things()
    battlemap.layers[0].things.exchange([second], [replace(second, state=first.state)])
    assert list(_entities(battlemap)) == [150, 151]


def test_rows_are_turned_over():
    data = map_data()
    shown = map_of(data).composite().planes
    assert (shown[HEIGHT.name][-1] == data.heights[0]).all()
    assert (shown["texture"][0] == data.textures[-1]).all()


def test_a_file_is_known_by_its_keys_in_any_order():
    raw = raw_map()
    raw["entities"] = [{**raw["entities"][0], "id": 200 + number} for number in range(100)]
    for keys in (list(raw), list(raw)[::-1]):
        data = json.dumps({key: raw[key] for key in keys}).encode()
        assert format_for(data, "map.json") is JSON
        assert is_map("map.json", data)
    bare = {key: raw[key] for key in ("size", "height", "seaLevel", "textureNames", "tileData")}
    bare["height"] = [2116] * 129**2
    bare["tileData"] = {"index": [0] * 128**2}
    for data in (
        json.dumps({**bare, "entities": []}),
        json.dumps({"entities": [], **bare}, indent=1),
    ):
        assert format_for(data.encode(), "map.json") is JSON  # as the game's document orders keys
    assert not JSON.recognises(b'{"settings": {"Name": "Islands", "Script": "islands.js"}}')
    assert not JSON.recognises(b'{"title": "Moor", "height": [[0, 0], [1, 2]], "things": []}')
    assert not JSON.recognises(b'{"table": "square", "width": 4, "height": 4}')


def test_a_file_that_is_cut_or_wrong_is_not_read():
    data = json.dumps(raw_map()).encode()
    for wrong in (data[:-5], data.replace(b'"size": 16', b'"size": 48'), b"{}", b"[1]", b"\xff"):
        result = JSON.read(wrong, "map.json")
        assert result.battlemap is None
        assert {problem.path for problem in result.problems} == {"map.json"}


@pytest.mark.parametrize("many", ['{"a":[]}', "[[1]]", "{}"])
def test_an_unknown_key_with_more_than_a_map_can_have_is_refused(many):
    raw = json.dumps(raw_map())
    numbers = f"[{','.join(['1'] * (MAX_VALUES + 1))}]"
    assert JSON.read(f'{raw[:-1]}, "own": {numbers}}}'.encode()).battlemap is not None
    data = f'{raw[:-1]}, "own": [{",".join([many] * (MAX_VALUES + 1))}]}}'.encode()
    (problem,) = JSON.read(data, "map.json").problems
    assert problem.path == "map.json"
    assert f"{MAX_VALUES:,} are the most" in problem.message


def test_ids_are_given_from_150_on_to_visible_things_only():
    data = raw_map()
    battlemap = JSON.read(json.dumps(data).encode()).battlemap
    assert battlemap is not None
    ground = battlemap.layers[0]
    battlemap.layers.append(Layer(2, "Hidden", visible=False, things=ground.things.copy()))
    written = json.loads(JSON.write(battlemap))
    assert [entity["id"] for entity in written["entities"]] == [150, 151]
    assert written["entities"] == data["entities"]


def test_a_map_of_a_size_that_the_game_does_not_have_is_not_written():
    for width, height in ((16, 32), (20, 20)):
        battlemap = BattleMap.new(SYSTEM, Grid(SQUARE, width, height))
        assert f"{width} x {height} is not possible" in SYSTEM.why_not_grid(battlemap.grid)
        with pytest.raises(ProblemError, match=f"{width} x {height} is not possible"):
            JSON.write(battlemap)


def test_entities_of_nobody_and_outside_are_told():
    battlemap = map_of(map_data())
    raw = raw_map()
    raw["entities"][0]["position"]["x"] = 40
    raw["entities"][1]["player"] = 9
    read = JSON.read(json.dumps(raw).encode()).battlemap
    assert read is not None
    assert {problem.code for problem in JSON.check(read)} == {"entity-outside", "entity-player"}
    assert JSON.check(battlemap) == ()


def test_the_water_is_as_high_as_the_environment_says():
    battlemap = map_of(map_data())
    assert SYSTEM.water_level(battlemap) == 20 * 92
    battlemap = map_of(map_data(sea_level=5.5))
    assert SYSTEM.water_level(battlemap) == 5.5 * 92
    battlemap.records[ENVIRONMENT] = as_record({"Water": {"WaterBody": {"Height": 19.9}}})
    assert SYSTEM.water_level(battlemap) == pytest.approx(19.9 * 92)
    battlemap.records[ENVIRONMENT] = as_record({"Water": [True]})
    assert SYSTEM.water_level(battlemap) == 5.5 * 92


def test_a_new_map_is_written():
    written = json.loads(JSON.write(BattleMap.new(SYSTEM)))
    assert written["seaLevel"] == 20.0
    assert set(written["height"]) == {2116}
    assert np.prod((129, 129)) == len(written["height"])


@pytest.mark.parametrize("value", ["\ud800", 10**300])
def test_settings_that_cannot_be_kept_are_left_out(value):
    raw = {**raw_map(), "settings": {"Name": value}}
    result = read_checked(JSON, json.dumps(raw).encode())
    assert result.battlemap is not None
    assert "settings has " in result.problems[-1].message
    assert settings_of_map(result.battlemap) == {}
    assert read_checked(JSON, write_checked(JSON, result.battlemap)).problems == ()


@pytest.mark.parametrize(("value", "words"), [([1], "a list"), (5, "5"), ("x", "“x”")])
def test_settings_that_are_no_object_are_left_out_and_told(value, words):
    result = read_checked(JSON, json.dumps({**raw_map(), "settings": value}).encode())
    assert result.battlemap is not None
    assert [problem.message for problem in result.problems] == [
        f"settings is {words}, expected an object: it is left out"
    ]
    assert settings_of_map(result.battlemap) == {}


@pytest.mark.parametrize("text", ['"x"', "{}", "true", "false", str(10**400), "1e999", "null"])
def test_records_that_say_no_height_leave_the_usual_one(text):
    water = f'{{"Water": {{"WaterBody": {{"Height": {text}}}}}}}'
    for name, said in ((SEA, text), (ENVIRONMENT, water)):
        battlemap = map_of(map_data())
        battlemap.records[name] = MapRecord(said, is_json=True)
        assert water_metres(battlemap.records) == 20
        assert map_data_of(battlemap).sea_level == 20
