"""Walls, doors and lights of virtual tables: from one table to another, and what others lose."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any

import pytest

from randomizer.__main__ import main
from randomizer.catalog.format_choice import format_for
from randomizer.catalog.map_formats import format_named
from randomizer.formats.checked import read_checked, write_checked
from randomizer.geometry.transform import resize_map, turn_map
from randomizer.geometry.turn import left_right
from randomizer.model.basics.limits import LARGEST_DATA
from randomizer.model.fixtures import (
    BlockedWay,
    Door,
    DoorState,
    Fixtures,
    Light,
    Wall,
    for_players,
)
from randomizer.model.fixtures_record import RECORD, fixtures_of, record_of
from randomizer.model.grid.layouts import FLAT, SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.records.map_records import MapRecord
from randomizer.storage.files.project import read_project, write_project
from randomizer.systems.free.system import free_map

CASTLE: dict[str, Any] = {
    "format": 0.3,
    "resolution": {
        "map_origin": {"x": 2, "y": 1},
        "map_size": {"x": 6, "y": 4},
        "pixels_per_grid": 20,
    },
    "line_of_sight": [
        [{"x": 2.5, "y": 1.5}, {"x": 6.25, "y": 1.5}, {"x": 6.25, "y": 4}],
        [{"x": 40, "y": 40}, {"x": 41, "y": 40}],
    ],
    "objects_line_of_sight": [[{"x": 3, "y": 3}, {"x": 4, "y": 3}, {"x": 3, "y": 3}]],
    "portals": [
        {
            "position": {"x": 4, "y": 1.5},
            "bounds": [{"x": 3.5, "y": 1.5}, {"x": 4.5, "y": 1.5}],
            "rotation": 0,
            "closed": False,
            "freestanding": True,
        }
    ],
    "lights": [
        {
            "position": {"x": 4, "y": 3},
            "range": 5,
            "intensity": 1,
            "color": "ffeccd8b",
            "shadows": True,
        }
    ],
}
"""A Universal VTT file whose squares begin at (2, 1)."""

HALL: dict[str, Any] = {
    "name": "Hall",
    "width": 500,
    "height": 300,
    "padding": 0,
    "grid": {"type": 1, "size": 50, "distance": 5},
    "tokenVision": True,
    "walls": [
        {"_id": "a", "c": [0, 0, 100, 0], "move": 20, "sight": 20, "light": 20, "door": 1, "ds": 2},
        {"_id": "b", "c": [100, 0, 200, 0], "move": 20, "sight": 10, "light": 10, "door": 0},
        {"_id": "c", "c": [200, 0, 300, 0], "move": 20, "sight": 0, "light": 0, "door": 0},
        {"_id": "d", "c": [300, 0, 400, 0], "move": 0, "sight": 20, "light": 20, "dir": 1},
        {"_id": "e", "c": [0, 50, 100, 50], "move": 20, "sight": 20, "light": 20, "door": 2},
    ],
    "lights": [
        {"x": 75, "y": 25, "rotation": 90, "config": {"dim": 20, "bright": 10, "angle": 60}},
        {"x": 125, "y": 25, "hidden": True, "config": {"dim": 5, "bright": 0, "color": "#ff0000"}},
    ],
    "tiles": [{"x": 1}, {"x": 2}],
    "flags": {},
}
"""A scene of Foundry with all kinds of walls."""


def opened(document: Mapping[str, Any]) -> BattleMap:
    """Return the map of a file."""
    data = json.dumps(document).encode()
    result = read_checked(format_for(data, "a"), data)
    assert [problem for problem in result.problems if "is not used" not in problem.message] == []
    assert result.battlemap is not None
    return result.battlemap


def written(name: str, battlemap: BattleMap) -> dict[str, Any]:
    """Return the file of a map."""
    document: dict[str, Any] = json.loads(write_checked(format_named(name), battlemap))
    return document


def near(segments: Iterable[tuple[float, ...]]) -> list[Any]:
    """Return segments that lists of nearly the same numbers are equal to."""
    return [pytest.approx(segment) for segment in segments]


def segments(document: Mapping[str, Any]) -> Iterator[tuple[float, ...]]:
    """Yield each wall of a Universal VTT file that is no object, in squares of its picture."""
    left, top = document["resolution"]["map_origin"].values()
    for line in document["line_of_sight"]:
        for start, end in pairwise(line):
            yield start["x"] - left, start["y"] - top, end["x"] - left, end["y"] - top


def messages(name: str, battlemap: BattleMap) -> list[str]:
    return [problem.message for problem in format_named(name).check(battlemap)]


def test_walls_doors_and_lights_go_from_universal_vtt_to_foundry_and_back() -> None:
    battlemap = opened(CASTLE)
    scene = written("foundry", battlemap)
    size = scene["grid"]["size"]
    walls = [wall for wall in scene["walls"] if wall["door"] == 0]
    whole = [tuple(n / size for n in wall["c"]) for wall in walls if wall["sight"] == 20]
    assert whole == near(segments(CASTLE))
    assert [wall["sight"] for wall in walls] == [20, 20, 20, 10, 10]
    assert all(wall["move"] for wall in walls)
    (door,) = (wall for wall in scene["walls"] if wall["door"])
    assert [n / size for n in door["c"]] == [1.5, 0.5, 2.5, 0.5]
    assert door["ds"] == 1
    (light,) = scene["lights"]
    assert (light["x"] / size, light["y"] / size) == (2, 2)
    assert light["config"]["dim"] == 5 * scene["grid"]["distance"]
    assert light["config"]["color"] == "#eccd8b"
    assert "5 walls, 1 door and 1 light are in the file" in messages("foundry", battlemap)
    names = [each["_id"] for each in (*scene["walls"], *scene["lights"])]
    assert len(set(names)) == len(names)

    back = written("uvtt", opened(scene))
    assert list(segments(back)) == near(segments(CASTLE))
    assert len(back["objects_line_of_sight"]) == 2
    (portal,) = back["portals"]
    assert portal["bounds"] == [{"x": 1.5, "y": 0.5}, {"x": 2.5, "y": 0.5}]
    assert (portal["position"], portal["closed"]) == ({"x": 2, "y": 0.5}, False)
    assert back["lights"] == [{**CASTLE["lights"][0], "position": {"x": 2, "y": 2}}]


def test_a_single_wall_is_counted_in_a_sentence_of_good_english(tmp_path, capfd) -> None:
    path = tmp_path / "wall.uvtt"
    line = [{"x": 3, "y": 3}, {"x": 4, "y": 3}]
    one_wall = {"line_of_sight": [line], "objects_line_of_sight": [], "portals": [], "lights": []}
    path.write_text(json.dumps({**CASTLE, **one_wall}))
    assert main(["convert", str(path), str(tmp_path / "wall.json"), "--to", "foundry"]) == 0
    assert "1 wall, 0 doors and 0 lights are in the file" in capfd.readouterr().err


def test_what_universal_vtt_has_no_place_for_is_counted() -> None:
    battlemap = opened(HALL)
    document = written("uvtt", battlemap)
    assert list(segments(document)) == near([(6, 0, 8, 0), (0, 1, 2, 1)])
    assert len(document["objects_line_of_sight"]) == 1
    assert [portal["closed"] for portal in document["portals"]] == [True]
    assert [light["range"] for light in document["lights"]] == [4]
    assert messages("uvtt", battlemap)[1:] == [
        "1 secret door becomes a wall",
        "1 wall that blocks neither sight nor light: not written",
        "1 one-way wall blocks both ways",
        "1 locked door is only closed",
        "1 light that is switched off: not written",
        "1 light with an angle shines all around",
        "2 tiles of the other table's file: not written",
        "3 walls, 1 door and 1 light are in the file",
    ]


def test_a_new_scene_has_all_that_the_old_one_had() -> None:
    battlemap = opened(HALL)
    grown = resize_map(battlemap, 12, 7, (1, 1))
    grown.edit.apply(battlemap)
    scene = written("foundry", battlemap)
    usual = {"sight": 20, "light": 20, "sound": 20, "dir": 0, "ds": 0, "door": 0}
    expected = [{**usual, **wall} for wall in HALL["walls"]]
    for wall in expected:
        size = scene["grid"]["size"] / 50
        wall["c"] = [round((n + d) * size) for n, d in zip(wall["c"], (100, 50) * 2, strict=True)]
    for wall in (*scene["walls"], *expected):
        del wall["_id"]
    assert scene["walls"] == expected
    first, second = scene["lights"]
    assert (first["rotation"], first["config"]["angle"]) == (90, 60)
    assert first["config"]["dim"] / scene["grid"]["distance"] == 4
    assert (second["hidden"], second["config"]["color"]) == (True, "#ff0000")
    assert "2 tiles of the other table's file: not written" in messages("foundry", battlemap)


def test_fixtures_stay_in_their_file_as_they_are_until_they_move() -> None:
    battlemap = opened(CASTLE)
    battlemap.layers[0].properties["title"] = "Keep"
    document = written("uvtt", battlemap)
    assert {name: document[name] for name in CASTLE} == CASTLE
    mirror = turn_map(battlemap, left_right(battlemap.grid.layout))
    mirror.edit.apply(battlemap)
    document = written("uvtt", battlemap)
    mirrored = [(6 - x, y, 6 - to_x, to_y) for x, y, to_x, to_y in segments(CASTLE)]
    assert list(segments(document)) == near(mirrored)
    (light,) = document["lights"]
    assert light["position"] == {"x": 6, "y": 3}
    mirror.edit.inverse().apply(battlemap)
    document = written("uvtt", battlemap)
    assert {name: document[name] for name in CASTLE} == CASTLE


@pytest.mark.parametrize("name", ["tmx", "tmj", "project", "cells"])
def test_other_formats_say_how_many_they_lose(name: str) -> None:
    battlemap = opened(CASTLE)
    loss = " ".join(messages(name, battlemap))
    if name == "project":
        again = read_project(write_project(battlemap)).battlemap
        assert again is not None
        assert fixtures_of(again.records) == fixtures_of(battlemap.records)
        assert written("foundry", again)["lights"]
        assert loss == ""
        return
    for count in ("5 walls", "1 door", "1 light"):
        assert count in loss


def test_lights_and_one_way_walls_turn_with_the_map() -> None:
    battlemap = free_map(SQUARE, 4, 4)
    light = Light(0.5, 0.5, dim=2, angle=90, turn=90)
    record, left_out = record_of(
        Fixtures((Wall((0, 0, 1, 0), way=BlockedWay.FROM_LEFT),), (light,))
    )
    assert left_out == 0
    assert record is not None
    battlemap.records[RECORD] = record
    turn_map(battlemap, left_right(SQUARE)).edit.apply(battlemap)
    walls, lights, _others = fixtures_of(battlemap.records)
    assert walls == (Wall((3, 0, 2, 0), way=BlockedWay.FROM_RIGHT),)
    assert lights == (light._replace(x=2.5, turn=270),)


def test_players_get_no_secret_doors_and_no_hidden_lights() -> None:
    secret_door = Wall((0, 0, 1, 0), door=Door.SECRET, state=DoorState.LOCKED, freestanding=True)
    walls = (secret_door, Wall((0, 0, 1, 0), door=Door.DOOR))
    lights = (Light(0, 0, hidden=True), Light(1, 1))
    view = for_players(Fixtures(walls, lights, (("token", 3),)))
    assert view == Fixtures((Wall((0, 0, 1, 0)), walls[1]), lights[1:])


@pytest.mark.deep
def test_more_walls_than_a_map_can_hold_stay_in_the_file_and_are_counted() -> None:
    many = [{"c": [n, n, n + 1, n + 2]} for n in range(60_000)]
    data = json.dumps({**HALL, "walls": many}).encode()
    result = read_checked(format_named("foundry"), data)
    assert result.battlemap is not None
    assert len(result.battlemap.records[RECORD].text) < LARGEST_DATA
    present = len(fixtures_of(result.battlemap.records).walls)
    lost = 60_000 + 2 - present
    assert [problem.message for problem in result.problems] == [
        f"{lost:,} walls, doors and lights are too many for a map: they stay in this file only"
    ]
    assert write_checked(format_named("foundry"), result.battlemap) == data


@pytest.mark.parametrize("value", [None, 7, "a", [], {}, [None], {"x": "1"}, True, 1e300])
def test_values_of_the_wrong_type_are_counted_and_never_raise(value: object) -> None:
    for name in ("line_of_sight", "objects_line_of_sight", "portals", "lights"):
        for changed in (value, [value], [[value]], [{"position": value, "bounds": value}]):
            data = json.dumps({**CASTLE, name: changed}).encode()
            result = read_checked(format_named("uvtt"), data)
            assert result.battlemap is not None
            assert write_checked(format_named("uvtt"), result.battlemap) == data
            write_checked(format_named("foundry"), result.battlemap)
    for name in ("walls", "lights", "notes", "tiles", "flags"):
        for changed in (value, [value], [{"c": value, "x": value, "config": value, "y": 2}]):
            data = json.dumps({**HALL, name: changed}).encode()
            result = read_checked(format_named("foundry"), data)
            assert result.battlemap is not None
            assert write_checked(format_named("foundry"), result.battlemap) == data
            write_checked(format_named("uvtt"), result.battlemap)
    data = json.dumps({**CASTLE, "lights": [{"position": {"x": "left", "y": 1}}]}).encode()
    (problem,) = read_checked(format_named("uvtt"), data).problems
    assert "1 wall, door or light cannot be read" in problem.message


def test_a_record_that_was_forged_gives_only_what_is_sound() -> None:
    sound = {"line": [0, 0, 1, 1]}
    entries = [
        sound,
        {"line": [0, 0]},
        {"line": "x"},
        {**sound, "sight": "?"},
        {**sound, "way": 9},
        7,
    ]
    lights = [{"x": 1, "y": 2}, {"x": 1}, {"x": 1, "y": 2, "colour": "red"}, None]
    text = json.dumps({"walls": entries, "lights": lights, "others": {"a": -1, "b": "c", "d": 2}})
    fixtures = fixtures_of({RECORD: MapRecord(text, is_json=True)})
    assert fixtures == Fixtures((Wall((0, 0, 1, 1)),), (Light(1, 2),), (("d", 2),))
    for text in ("7", "[]", '{"walls": 3}'):
        assert fixtures_of({RECORD: MapRecord(text, is_json=True)}) == Fixtures()


def test_a_map_of_another_system_in_a_scene_says_what_its_files_lose() -> None:
    battlemap = free_map(FLAT, 4, 3)
    battlemap.layers.append(Layer(2, "More"))
    scene = written("foundry", battlemap)
    scene["walls"].append({"c": [0, 0, 50, 50], "door": 1})
    again = opened(scene)
    assert any("1 door" in message for message in messages("wesnoth", again))
    assert fixtures_of(again.records).counts_by_noun() == {"door": 1}


def test_a_file_of_one_table_is_converted_for_the_other(tmp_path, capfd) -> None:
    path = tmp_path / "castle.uvtt"
    path.write_text(json.dumps(CASTLE))
    target = tmp_path / "castle.json"
    assert main(["convert", str(path), str(target), "--to", "foundry"]) == 0
    assert "5 walls, 1 door and 1 light are in the file" in capfd.readouterr().err
    assert len(json.loads(target.read_text())["walls"]) == 6
