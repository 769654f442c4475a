"""Which maps worlds of Tiled and scenarios of Wesnoth name, and what is said of others."""

from __future__ import annotations

import os

import pytest

from randomizer.model.problems import ProblemError
from randomizer.systems.interchange.map_lists import MAX_MAPS, maps_named_by
from tests.randomizer.systems.interchange.samples import WESNOTH


def named(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return maps_named_by(path, text.encode())


def touch(*paths):
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(WESNOTH)


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ("~add-ons/Isle/maps/a.map", "add-ons/Isle/maps/a.map"),
        ('"~add-ons/Isle/maps/a.map"', "add-ons/Isle/maps/a.map"),
        ("~add-ons/Isle/maps/a.map # the isle", "add-ons/Isle/maps/a.map"),
        ("~add-ons/Other/maps/a.map", "add-ons/Other/maps/a.map"),
        ("a.map", "add-ons/Isle/maps/a.map"),
        ("maps/a.map", "add-ons/Isle/maps/a.map"),
        ("./a.map", "add-ons/Isle/scenarios/a.map"),
    ],
)
def test_where_a_scenario_has_its_map(tmp_path, value, place):
    touch(tmp_path / place)
    scenario = tmp_path / "add-ons" / "Isle" / "scenarios" / "1.cfg"
    assert named(scenario, f"[scenario]\n\tmap_file={value}\n").paths == (tmp_path / place,)


def test_an_add_on_in_a_folder_of_another_name_has_its_own_map(tmp_path):
    touch(tmp_path / "isle-main" / "maps" / "a.map")
    scenario = tmp_path / "isle-main" / "scenarios" / "1.cfg"
    text = 'map_data="{~add-ons/Isle_of_Mist/maps/a.map}"\n'
    assert named(scenario, text).paths == (tmp_path / "isle-main" / "maps" / "a.map",)


@pytest.mark.parametrize(
    "name", ["../../../../../../../../a.map", "/a.map", "a.png", "gone.map", ""]
)
def test_a_map_that_is_not_there_is_told_with_its_place(tmp_path, name):
    touch(tmp_path / "a.png")
    with pytest.raises(ProblemError) as raised:
        named(tmp_path / "1.cfg", f"[scenario]\n  map_file={name}\n")
    (problem,) = raised.value.problems
    assert (problem.line, problem.column) == (2, 12)
    assert "open the map itself" in problem.message


@pytest.mark.skipif(os.name == "nt", reason="links")
def test_a_link_out_of_the_folders_is_not_followed(tmp_path):
    world = tmp_path / "a" / "b" / "c" / "w.world"
    touch(tmp_path / "out.tmx")
    world.parent.mkdir(parents=True)
    (world.parent / "a.tmx").symlink_to(tmp_path / "out.tmx")
    with pytest.raises(ProblemError):
        named(world, '{"maps": [{"fileName": "a.tmx"}]}')


def test_other_configurations_name_no_maps(tmp_path):
    assert named(tmp_path / "a.cfg", "[units]\n# map_file=a.map\n[/units]\n") is None


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "[" * 100_000, '{"maps": 3, "patterns": [4]}', "{}"]
)
def test_a_damaged_world_is_refused_in_words(tmp_path, text):
    with pytest.raises(ProblemError):
        named(tmp_path / "a.world", text)


def test_a_pattern_that_is_not_known_is_told_with_its_line(tmp_path):
    touch(tmp_path / "a.tmx")
    text = '{"maps": [{"fileName": "a.tmx"}],\n"patterns": [{"regexp": "(?=a)"}]}'
    (problem,) = named(tmp_path / "w.world", text).problems
    assert problem.line == 2
    assert "this pattern is not used" in problem.message


def test_of_very_many_maps_the_first_are_opened(tmp_path):
    touch(*(tmp_path / f"m{number:03}.tmx" for number in range(MAX_MAPS + 5)))
    world = named(tmp_path / "w.world", '{"patterns": [{"regexp": "m.*"}]}')
    assert [path.name for path in world.paths[:2]] == ["m000.tmx", "m001.tmx"]
    assert len(world.paths) == MAX_MAPS
    assert "the first 64 are opened" in world.problems[0].message
