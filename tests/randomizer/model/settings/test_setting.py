"""What a person chooses: read from text, held to its kind and range, and said in words."""

from __future__ import annotations

import pytest

from randomizer.model.problems import ProblemError
from randomizer.model.settings.setting import Setting, checked_settings, table_rows

SETTINGS = (
    Setting("Ground", str, "What lies below.", choices=(("Sand", "Sand"), ("Bog", "A bog"))),
    Setting("Title", str, "Any text."),
    Setting("Rows", int, "How many.", minimum=1, maximum=5),
    Setting("Lowest", int, "A height.", minimum=-2),
    Setting("Highest", int, "A height.", maximum=9),
    Setting("Share", float, "A share.", minimum=0, maximum=1),
    Setting("Slope", float, "Any number."),
    Setting("Round", bool, "Whether it is round."),
)


@pytest.mark.parametrize(
    ("name", "value", "taken"),
    [
        ("Ground", "Bog", "Bog"),
        ("Title", "12", "12"),
        ("Rows", 5, 5),
        ("Rows", " 3 ", 3),
        ("Lowest", "-2", -2),
        ("Highest", -50, -50),
        ("Share", "0.25", 0.25),
        ("Share", 1, 1.0),
        ("Slope", "-1e3", -1000.0),
        ("Round", True, True),
        ("Round", "No", False),
        ("Round", " yes", True),
        ("Round", "0", False),
    ],
)
def test_a_setting_is_read_as_its_kind(name: str, value: object, taken: object) -> None:
    found = checked_settings(SETTINGS, {name: value})
    assert found == {name: taken}
    assert type(found[name]) is type(taken)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("Ground", "bog", "Ground cannot be bog (expected: Sand, Bog)"),
        ("Ground", 3, "Ground is a text, not 3"),
        ("Ground", None, "Ground is a text, not None"),
        ("Rows", 0, "Rows cannot be 0 (expected: 1 to 5)"),
        ("Rows", "6", "Rows cannot be 6 (expected: 1 to 5)"),
        ("Rows", "many", "Rows is a whole number, not many"),
        ("Rows", "2.5", "Rows is a whole number, not 2.5"),
        ("Rows", 2.0, "Rows is a whole number, not 2.0"),
        ("Rows", True, "Rows is a whole number, not True"),
        ("Lowest", -3, "Lowest cannot be -3 (expected: at least -2)"),
        ("Highest", 10, "Highest cannot be 10 (expected: at most 9)"),
        ("Share", "1.5", "Share cannot be 1.5 (expected: 0 to 1)"),
        ("Share", "nan", "Share is a number, not nan"),
        ("Slope", "inf", "Slope is a number, not inf"),
        ("Slope", False, "Slope is a number, not False"),
        ("Round", "maybe", "Round is yes or no, not maybe"),
        ("Round", 1, "Round is yes or no, not 1"),
    ],
)
def test_a_setting_that_does_not_fit_is_refused(name: str, value: object, message: str) -> None:
    with pytest.raises(ProblemError) as caught:
        checked_settings(SETTINGS, {name: value})
    assert [problem.message for problem in caught.value.problems] == [message]


def test_an_unknown_setting_is_refused_and_the_known_ones_named() -> None:
    with pytest.raises(
        ProblemError, match=r"no setting rows here \(there are: Ground, Title, Rows"
    ):
        checked_settings(SETTINGS, {"rows": 1})
    with pytest.raises(ProblemError, match=r"there are: none"):
        checked_settings((), {"rows": 1})


def test_what_a_setting_expects_is_said_in_words() -> None:
    assert [setting.expected for setting in SETTINGS] == [
        "Sand, Bog",
        "a text",
        "1 to 5",
        "at least -2",
        "at most 9",
        "0 to 1",
        "a number",
        "yes or no",
    ]


def test_a_yes_or_no_titled_as_its_group_switches_it() -> None:
    trees = Setting("trees", bool, "Whether there are trees.", title="Trees", group="Trees")
    old = Setting("old", bool, "Whether they are old.", title="Old ones", group="Trees")
    assert trees.is_switch
    assert not old.is_switch
    assert not Setting("round", bool, "Whether it is round.").is_switch


PLAYERS = Setting(
    "Players",
    str,
    "The players.",
    "",
    columns=(
        Setting("Civ", str, "Who.", choices=(("gaul", "Gauls"), ("hele", "Greeks"))),
        Setting("Name", str, "A name."),
        Setting("Team", int, "A team.", minimum=-1, maximum=3),
        Setting("Diplomacy", str, "Numbers."),
    ),
)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '[{"Civ": "gaul", "Team": -1}, null, {"Diplomacy": [1, 2], "Own": {"a": 1}, "Name": ""}]',
        ' [\n {"Civ": null} ] ',
    ],
)
def test_a_table_is_a_list_of_rows_and_its_text_stays(text: str) -> None:
    assert checked_settings([PLAYERS], {"Players": text}) == {"Players": text}
    assert all(isinstance(row, dict) for row in table_rows(PLAYERS, text))


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("[", (1, 2), "not JSON"),
        ('{"Civ": "gaul"}', (1, 1), "not a JSON list"),
        ('[{"Civ": "gaul"},\n  7]', (2, 3), "row 2 is not an object"),
        ('[{},\n\n {"Civ": "mars"}]', (3, 2), "row 2: Civ cannot be mars"),
        ('[{"Team": 9}]', (1, 2), "row 1: Team cannot be 9"),
        ('[{"Team": true}]', (1, 2), "row 1: Team is a whole number"),
        ('[{"Civ": ["gaul"]}]', (1, 2), "row 1: Civ is a text"),
        ("[" * 100_000, (1, 1), "cannot be read"),
    ],
)
def test_a_wrong_table_is_a_problem_with_its_place(
    text: str, place: tuple[int, int], words: str
) -> None:
    with pytest.raises(ProblemError) as raised:
        checked_settings([PLAYERS], {"Players": text})
    (problem,) = raised.value.problems
    assert (problem.line, problem.column) == place
    assert words in problem.message


@pytest.mark.parametrize("value", ['"\\ud800"', '"\\u0000"', "1e999", "9" * 30])
def test_a_row_that_no_project_can_keep_is_named(value: str) -> None:
    with pytest.raises(ProblemError, match="row 2 has "):
        table_rows(PLAYERS, f'[null,\n {{"Own": {value}}}]')


def test_words_for_a_number_have_no_unit() -> None:
    limit = Setting("Limit", int, "How much.", title="Limit", unit="%", zero="unlimited")
    assert limit.text_of(0) == "Limit: unlimited"
    assert limit.text_of(5) == "Limit: 5 %"


def test_a_whole_number_too_large_for_a_fraction_is_refused() -> None:
    with pytest.raises(ProblemError, match="Slope is a number"):
        checked_settings(SETTINGS, {"Slope": 10**400})
