"""Metadata files: what 0 A.D.'s form says, and every mistake in one at its place."""

from __future__ import annotations

import json

import pytest

from randomizer.model.metadata import Metadata, read_metadata
from randomizer.model.problems import Problem, ProblemError

ISLANDS = {
    "Name": "Islands",
    "Script": "islands.rnd",
    "Description": "Small islands, many of them.",
    "BaseTerrain": ["Sand", "Lake"],
    "BaseHeight": -5,
    "Preview": "islands.png",
    "CircularMap": True,
    "Keywords": ["naval"],
    "LockTeams": False,
    "Size": 128,
}


def read(**settings: object) -> Metadata:
    needed = {"Name": "Islands", "Script": "islands.rnd"}
    return read_metadata(json.dumps({"settings": {**needed, **settings}}))


def problems(text: str | bytes) -> tuple[Problem, ...]:
    with pytest.raises(ProblemError) as caught:
        read_metadata(text, "Islands.json")
    for problem in caught.value.problems:
        assert problem.path == "Islands.json"
    return caught.value.problems


def test_all_settings_are_read_and_the_others_kept() -> None:
    assert read_metadata(json.dumps({"settings": ISLANDS, "more": 1})) == Metadata(
        "Islands",
        "islands.rnd",
        "Small islands, many of them.",
        ("Sand", "Lake"),
        -5,
        "islands.png",
        True,
        ("naval",),
        {"LockTeams": False, "Size": 128},
    )


def test_a_name_and_a_script_are_enough() -> None:
    assert read() == Metadata("Islands", "islands.rnd", "")
    absent = dict.fromkeys(["Description", "BaseTerrain", "BaseHeight", "Preview", "Keywords"])
    assert read(**absent) == read()


def test_a_single_name_will_do_for_a_list() -> None:
    assert read(BaseTerrain="Sand", Keywords="naval").base_terrain == ("Sand",)
    assert read(BaseTerrain=[]).base_terrain == ()


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_bytes_are_utf_8_with_or_without_a_mark(mark: str) -> None:
    text = mark + '{"settings": {"Name": "Dünen", "Script": "d.rnd"}}'
    assert read_metadata(text).name == "Dünen"
    assert read_metadata(text.encode()).name == "Dünen"
    (problem,) = problems(text.encode("latin-1", "replace"))
    assert problem.message == "a metadata file is UTF-8 text"


def test_what_is_not_json_is_said_at_its_place() -> None:
    (problem,) = problems('{"settings":\r\n {"Name" "x"}}')
    assert problem.message.startswith("this is not JSON: ")
    assert (problem.line, problem.column) == (2, 10)
    (problem,) = problems("")
    assert (problem.line, problem.column) == (1, 1)


@pytest.mark.parametrize("text", ["[" * 100_000, '{"settings": ' + "9" * 10_000 + "}"])
def test_json_beyond_all_sense_is_refused(text: str) -> None:
    (problem,) = problems(text)
    assert problem.message == "a number or a nesting in this file is beyond all sense"


@pytest.mark.parametrize("text", ["[]", "3", "{}", '{"settings": []}', '{"Name": "x"}'])
def test_a_file_has_settings(text: str) -> None:
    (problem,) = problems(text)
    assert (problem.message, problem.line) == ('a metadata file is {"settings": {...}}', 1)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("Name", 3, '"Name" is a text, not 3'),
        ("Script", ["x.rnd"], '"Script" is a text, not ["x.rnd"]'),
        ("Description", {}, '"Description" is a text, not {}'),
        ("BaseHeight", 1.5, '"BaseHeight" is a whole number, not 1.5'),
        ("BaseHeight", "3", '"BaseHeight" is a whole number, not "3"'),
        ("BaseHeight", True, '"BaseHeight" is a whole number, not true'),
        ("CircularMap", 1, '"CircularMap" is true or false, not 1'),
        ("BaseTerrain", 7, '"BaseTerrain" is a list of names, and 7 is none'),
        ("Keywords", ["a", None], '"Keywords" is a list of names, and null is none'),
        ("Preview", ["x" * 60], '"Preview" is a text, not ["' + "x" * 38 + "..."),
    ],
)
def test_a_setting_of_another_kind_is_said_at_its_name(
    name: str, value: object, message: str
) -> None:
    settings = {"Name": "Islands", "Script": "islands.rnd", name: value}
    text = json.dumps({"settings": settings}, indent=1)
    (problem,) = problems(text)
    assert problem.message == message
    rows = [row.strip().startswith(f'"{name}"') for row in text.split("\n")]
    assert (problem.line, problem.column) == (rows.index(True) + 1, 3)
    assert problem.end_column == 3 + len(f'"{name}"')


def test_every_mistake_of_a_file_is_told() -> None:
    found = problems('{"more": 1, "settings": {"Name": 3, "Script": " ", "BaseHeight": "x"}}')
    assert [(problem.code, problem.column) for problem in found] == [
        ("metadata-kind", 26),
        ("metadata-missing", 37),
        ("metadata-kind", 52),
    ]


def test_what_is_missing_is_said_of_the_settings() -> None:
    first, second = problems('{\n  "settings": {}\n}')
    assert (first.message, second.message) == ('"Name" is missing', '"Script" is missing')
    assert (first.line, first.column, first.end_column) == (2, 3, 13)
