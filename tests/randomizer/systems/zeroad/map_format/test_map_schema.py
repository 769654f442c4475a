"""What a script returned is checked: every rule that fails is named, with its place."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.model.problems import Problem, Severity, has_errors
from randomizer.systems.zeroad.map_format.map_schema import read_map_data
from randomizer.systems.zeroad.map_format.value_problems import MAX_PROBLEMS
from tests.randomizer.systems.zeroad.map_strategies import maps, plain_data, raw_map, same


def _put(raw: Any, path: str, value: Any) -> Any:
    """``raw`` with another value at a path like ``entities.0.position.x``; ... removes it."""
    *way, last = (int(each) if each.isdigit() else each for each in path.split("."))
    holder = raw
    for each in way:
        holder = holder[each]
    if value is ...:
        del holder[last]
    else:
        holder[last] = value
    return raw


def _messages(problems: tuple[Problem, ...], severity: Severity = Severity.ERROR) -> list[str]:
    return [problem.message for problem in problems if problem.severity is severity]


def test_a_sound_map_has_no_problems():
    data, problems = read_map_data(raw_map())
    assert problems == ()
    assert data is not None
    assert data.heights.shape == (17, 17)
    assert data.heights[0, 1] == raw_map()["height"][1]


@settings(max_examples=20)
@given(data=maps())
def test_lists_and_arrays_of_any_kind_are_read_alike(data):
    raw = plain_data(data)
    for dtype in (None, np.uint16, np.float64, np.int32):
        if dtype is not None:
            raw["height"] = np.array(raw["height"], dtype)
            raw["tileData"]["index"] = np.array(raw["tileData"]["index"], dtype)
        found, problems = read_map_data(raw)
        assert problems == ()
        assert found is not None
        assert same(found, data)


MUTANTS = [
    ("size", ..., "size is missing, expected a multiple of 16"),
    ("size", 0, "size is 0, expected"),
    ("size", 20, "size is 20, expected"),
    ("size", 1040, "size is 1040, expected"),
    ("size", 16.5, "size is 16.5, expected"),
    ("size", True, "size is true, expected"),
    ("size", 10**400, "size is 1000"),
    ("size", 32, "height has 289 values, expected 33 x 33 = 1,089"),
    ("height", ..., "height is missing, expected a list of numbers"),
    ("height", "x", "height is “x”, expected a list of numbers"),
    ("height", [1], "height has 1 value, expected 17 x 17 = 289"),
    ("height", np.zeros((17, 17)), "height is an array of float64 (17, 17)"),
    ("height.7", float("nan"), "height[7] is nan, expected a finite number"),
    ("height.7", float("inf"), "height[7] is inf, expected a finite number"),
    ("height.7", 3.5, "height[7] is 3.5, expected a whole number"),
    ("height.7", -1, "height[7] is -1, expected 0 to 65535"),
    ("height.7", 65536, "height[7] is 65536, expected 0 to 65535"),
    ("height.7", 10**400, "height[7] is 1000"),
    ("height.7", "5", "height[7] is “5”, expected a whole number"),
    ("height.7", True, "height[7] is true, expected a whole number"),
    ("height.7", None, "height[7] is null, expected a whole number"),
    ("textureNames", ..., "textureNames is missing"),
    ("textureNames", {}, "textureNames is an object, expected a list of texts"),
    ("textureNames", [], "textureNames has 0 names, expected 1 to 16,000"),
    ("textureNames.2", 5, "textureNames[2] is 5, expected the name of a texture"),
    ("textureNames.2", "", "textureNames[2] is an empty text"),
    ("textureNames.2", "a\x00", "textureNames[2] is “a\ufffd”"),
    ("textureNames.2", "a" * 101, "textureNames[2] has 101 letters, 100 are the most"),
    ("textureNames.2", "temp_road", "textureNames[3] is “temp_road”, which is textureNames[2]"),
    ("textureNames", ["one"], "expected an index of the 1 texture"),
    ("tileData", ..., "tileData is missing, expected an object"),
    ("tileData", [], "tileData is a list, expected an object"),
    ("tileData.index", ..., "tileData.index is missing"),
    ("tileData.index.3", 5, "tileData.index[3] is 5, expected an index of the 5 textures"),
    ("tileData.index.3", -1, "tileData.index[3] is -1, expected 0 to 65535"),
    ("tileData.priority.3", 70000, "tileData.priority[3] is 70000, expected 0 to 65535"),
    ("tileData.priority", [0], "tileData.priority has 1 value, expected 16 x 16 = 256"),
    ("entities", ..., "entities is missing, expected a list of objects"),
    ("entities", {}, "entities is an object"),
    ("entities.1", None, "entities[1] is null, expected an object"),
    ("entities.1.id", ..., "entities[1].id is missing, expected a whole number of 0 to 65535"),
    ("entities.1.id", 65536, "entities[1].id is 65536"),
    ("entities.1.id", 150, "entities[1].id is 150, the id of entities[0]"),
    ("entities.1.templateName", ..., "entities[1].templateName is missing"),
    ("entities.1.templateName", "", "entities[1].templateName is an empty text"),
    ("entities.1.player", -1, "entities[1].player is -1"),
    ("entities.1.player", "1", "entities[1].player is “1”"),
    ("entities.1.position", ..., "entities[1].position is missing, expected an object"),
    ("entities.1.position.x", float("nan"), "entities[1].position.x is nan"),
    ("entities.1.position.z", ..., "entities[1].position.z is missing"),
    ("entities.1.position.z", 1e300, "entities[1].position.z is 1e+300"),
    ("entities.1.rotation", 5, "entities[1].rotation is 5"),
    ("entities.1.rotation.y", float("inf"), "entities[1].rotation.y is inf"),
    ("Camera", float("nan"), "Camera has nan"),
    ("Environment", {"a": "x" * 2**21}, "Environment is larger than"),
    ("seaLevel", "deep", "seaLevel is “deep”, expected a finite number"),
]


@pytest.mark.parametrize(("path", "value", "message"), MUTANTS)
def test_each_rule_that_fails_is_named_with_its_place(path, value, message):
    data, problems = read_map_data(_put(raw_map(), path, value), "map.json")
    assert data is None
    assert has_errors(problems)
    assert {problem.path for problem in problems} == {"map.json"}
    assert any(each.startswith(message) or message in each for each in _messages(problems)), (
        problems
    )


@pytest.mark.parametrize(
    ("path", "value", "severity", "message"),
    [
        ("seaLevel", ..., Severity.HINT, "seaLevel is missing: 20 is used"),
        ("Seed", 5, Severity.HINT, "Seed is not read by the game"),
        ("tileData.hue", 5, Severity.HINT, "tileData.hue is not read by the game"),
        ("entities.1.hue", 5, Severity.HINT, "entities[1].hue is not read by the game"),
        ("entities.1.player", ..., Severity.WARNING, "entities[1].player is missing: 0 (Gaia)"),
        ("entities.1.position.x", 17, Severity.WARNING, "entities[1] is outside the map"),
        ("Camera", [3], Severity.WARNING, "Camera is a list, expected an object: it is left out"),
        (
            "Environment",
            {"Water": {"WaterBody": {"Height": "deep"}}},
            Severity.WARNING,
            "Environment.Water.WaterBody.Height is “deep”, expected a finite number",
        ),
    ],
)
def test_what_the_game_does_not_mind_is_no_error(path, value, severity, message):
    data, problems = read_map_data(_put(raw_map(), path, value))
    assert data is not None
    assert [each.startswith(message) for each in _messages(problems, severity)] == [True]
    assert len(problems) == 1


def test_priorities_may_be_missing_and_indices_called_indexes():
    raw = raw_map()
    raw["tileData"] = {"indexes": raw["tileData"]["index"]}
    data, problems = read_map_data(raw)
    assert problems == ()
    assert data is not None
    assert not data.priorities.any()


def test_one_rule_is_told_once_with_the_number_of_the_others():
    raw = raw_map()
    raw["height"][3:6] = [0.5, 1.5, 2.5]
    for entity in raw["entities"]:
        del entity["rotation"]
    assert _messages(read_map_data(raw)[1]) == [
        "height[3] is 0.5, expected a whole number (and 2 more)",
        "entities[0].rotation is missing, expected an object with x, y and z (and 1 more)",
    ]


def test_an_entity_without_a_position_is_told_as_one():
    for path in ("position", "position.z"):
        _, problems = read_map_data(_put(raw_map(), f"entities.0.{path}", ...))
        (message,) = _messages(problems)
        assert message.startswith(f"entities[0].{path} is missing, expected ")
        assert "more" not in message


def test_many_problems_are_cut_but_no_error_for_a_hint():
    raw = {**raw_map(), **{f"key{number:03}": 0 for number in range(200)}}
    raw["textureNames"] = list(range(5))
    problems = read_map_data(raw)[1]
    assert len(problems) == MAX_PROBLEMS + 1
    assert len(_messages(problems)) == 5
    assert problems[-1].message == "185 more problems are not shown"


@settings(max_examples=40)
@given(data=st.data())
def test_anything_at_any_place_is_read_or_refused(data):
    raw = json.loads(json.dumps(raw_map()))
    paths = sorted({path for path, _value, _message in MUTANTS})
    anything = st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
        lambda each: st.lists(each, max_size=3) | st.dictionaries(st.text(max_size=3), each),
        max_leaves=5,
    )
    path = data.draw(st.sampled_from(paths))
    value = data.draw(anything)
    found, problems = read_map_data(_put(raw, path, value))
    assert (found is None) == has_errors(problems)


@pytest.mark.parametrize("raw", [None, [], "map", 5])
def test_what_is_no_object_is_no_map(raw):
    data, problems = read_map_data(raw)
    assert data is None
    assert len(problems) == 1
