"""Metadata files: what 0 A.D.'s form says, and every mistake in one at its place."""

from __future__ import annotations

import json

import pytest

from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.model.settings.metadata import Metadata, check_metadata, read_metadata

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
    assert problem.message == "a number, a nesting or the size of this file is beyond all sense"


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


def checked(**settings: object) -> list[tuple[str, Severity, str]]:
    """The message, severity and marked text of every problem of a file."""
    needed = {"Name": "Islands", "Script": "islands.js", "Description": "Islands."}
    text = json.dumps({"settings": {**needed, **settings}}, indent=1)
    metadata, found = check_metadata(text)
    assert metadata is not None
    rows = text.split("\n")
    marked = []
    for each in found:
        assert each.line is not None
        assert each.column is not None
        assert each.end_column is not None
        row = rows[each.line - 1]
        end = len(row) if each.end_line != each.line else each.end_column - 1
        marked.append((each.message, each.severity, row[each.column - 1 : end]))
    return marked


def test_a_missing_description_is_a_warning_and_a_missing_ground_nothing() -> None:
    assert checked() == []
    (problem,) = checked(Description=" ")
    assert problem == ('"Description" is missing', Severity.WARNING, '"Description"')
    assert checked(BaseTerrain=None, BaseHeight=None, CircularMap=None) == []


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("Keywords", "naval", '"Keywords" is a list of names, not a single one'),
        ("Size", "128", '"Size" is a whole number, not "128"'),
        ("Size", True, '"Size" is a whole number, not true'),
        ("LockTeams", 0, '"LockTeams" is true or false, not 0'),
        ("RevealMap", "yes", '"RevealMap" is true or false, not "yes"'),
        ("VictoryConditions", "conquest", '"VictoryConditions" is a list of names, not "conquest"'),
        (
            "SupportedBiomes",
            3,
            '"SupportedBiomes" is a list of names, or a text with which names begin, not 3',
        ),
        ("TriggerScripts", [1], '"TriggerScripts" is a list of names, not [1]'),
        ("Landscapes", ["x"], '"Landscapes" is a list of objects, not ["x"]'),
        ("PlayerData", {}, '"PlayerData" is a list of objects, not {}'),
        ("PlayerData", [3], '"PlayerData" is a list of objects, not [3]'),
        ("circularmap", True, '"circularmap" is written "CircularMap"'),
    ],
)
def test_settings_that_are_kept_are_named_where_they_are_wrong(
    name: str, value: object, message: str
) -> None:
    assert checked(**{name: value}) == [(message, Severity.WARNING, f'"{name}"')]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Own", {"any": [1]}),
        ("Daytime", "day"),
        ("SupportedBiomes", "generic/"),
        ("SupportedBiomes", ["generic/alpine"]),
        ("PlayerData", [None, {"AI": False, "Civ": "rome", "Diplomacy": [1, 2], "Own": 1}]),
        ("PlayerData", [{"Color": {"r": 0, "g": 10, "b": 255}}]),
        ("Size", 64),
    ],
)
def test_right_and_unknown_settings_are_kept_without_a_word(name: str, value: object) -> None:
    assert checked(**{name: value}) == []
    assert read(**{name: value}).others == {name: value}


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("AI", 3, '"AI" is a text, not 3'),
        ("Civ", ["rome"], '"Civ" is a text, not ["rome"]'),
        ("Name", 3, '"Name" is a text, not 3'),
        ("Color", "red", '"Color" is an object like {"r": 21, "g": 55, "b": 149}, not "red"'),
        (
            "Color",
            {"r": 256},
            '"Color" is an object like {"r": 21, "g": 55, "b": 149}, not {"r": 256}',
        ),
        (
            "Color",
            {"r": 1, "g": 2, "b": 256},
            '"Color" is an object like {"r": 21, "g": 55, "b": 149}, '
            'not {"r": 1, "g": 2, "b": 256}',
        ),
        ("Team", "1", '"Team" is a whole number, not "1"'),
        ("Diplomacy", [1, "2"], '"Diplomacy" is a list of whole numbers, not [1, "2"]'),
    ],
)
def test_a_player_s_wrong_values_are_named_in_the_player_s_own_row(
    name: str, value: object, message: str
) -> None:
    players = [{"Civ": "rome", "Team": 1}, {name: value, "Own": 2}]
    assert checked(PlayerData=players) == [(message, Severity.WARNING, f'"{name}"')]
    text = json.dumps({"settings": {"Name": "x", "Script": "x", "PlayerData": players}}, indent=1)
    problem = next(each for each in check_metadata(text)[1] if each.message == message)
    assert problem.line == next(
        number for number, row in enumerate(text.split("\n"), 1) if '"Own"' in row
    ) - (len(json.dumps(value, indent=1).split("\n")))


def test_the_document_s_colour_gets_a_hint() -> None:
    (problem,) = checked(PlayerData=[{"Colour": {"r": 1, "g": 2, "b": 3}}])
    assert problem[1:] == (Severity.HINT, '"Colour"')
    assert '"Color"' in problem[0]


def test_a_problem_is_marked_in_the_settings_and_nowhere_else() -> None:
    text = (
        '{"Size": "x", "settings": {"Own": {"Size": 1}, "Name": "Size", "Script": "s", "Size": []}}'
    )
    problem = next(each for each in check_metadata(text)[1] if "Size" in each.message)
    assert problem.column == text.rindex('"Size"') + 1


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ('"\\ud800"', "half a character"),
        ("NaN", "which is no number"),
        (str(10**300), "more than 64 bits"),
        ("[" * 60 + "]" * 60, "nested"),
    ],
)
def test_what_no_project_can_keep_is_an_error(value: str, words: str) -> None:
    text = f'{{"settings": {{"Name": "Islands", "Script": "islands.js", "Own": {value}}}}}'
    [problem] = problems(text)
    assert problem.code == "metadata-json"
    assert words in problem.message
