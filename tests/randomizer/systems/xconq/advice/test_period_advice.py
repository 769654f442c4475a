"""Each check of a period: one with the fault, and the same without."""

from __future__ import annotations

from importlib import resources

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.languages.language import SourceText
from randomizer.model.problems import Problem, Severity, apply_fix
from randomizer.systems.xconq.advice.countries import distance_problem
from randomizer.systems.xconq.advice.period_advice import period_advice
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.period.reading import read_period
from randomizer.systems.xconq.script_host import HOST
from tests.randomizer.systems.xconq.period.texts import corpus_texts, needs_recordings

GOOD = """Period 0
"i" "infantry" "walks" utype
"b" "boat" "carries" utype
"@" "city" "stays" utype
"F" "fuel" "burns" rtype
"." "sea" "blue" ttype
"+" "land" "green" ttype
"_" "ice" "white" ttype
49 sea max-alt  50 land min-alt  98 land max-alt  99 ice min-alt
ice edge-terrain
1 [ i b ] speed
0 land i moves  0 sea b moves
5 [ i b ] @ make  true @ maker
4 i b capacity  9 i @ capacity  9 b @ capacity  1 [ i b ] @ repair
@ first-unit  1 @ in-country  2 i in-country
100 land @ favored  100 land i favored
"""


def period_of(text: str) -> Period:
    result = read_period(f"{text}end\n")
    assert result.period is not None, result.problems
    return result.period


def advice(text: str) -> tuple[Problem, ...]:
    return period_advice(period_of(text))


def test_nothing_is_said_of_a_good_period() -> None:
    assert advice(GOOD) == ()


CASES = [
    ("advice-not-implemented", "1 i jump-move", "0 i see-range", "jump-move"),
    ("advice-percentage", "101 i retreat", "100 i retreat", "retreat"),
    ("advice-percentage", "10001 land i attrition", "10000 land i attrition", "attrition"),
    ("advice-percentage", "-1 spy-chance", "0 spy-chance", "spy-chance"),
    ("advice-percentage", "[ 200 90 ] [ i b ] i hit", "[ 100 90 ] [ i b ] i hit", "hit"),
    ("advice-percentage", "101 ice max-alt", "100 ice max-alt", "max-alt"),
    ("advice-percentage", "130 alt-roughness", "100 alt-roughness", "alt-roughness"),
    (
        "advice-side-names",
        'clear-side-names "Us" sname "Them" sname',
        " ".join(["clear-side-names", *(f'"{name}" sname' for name in "ABCDEFG")]),
        "",
    ),
    (
        "advice-unit-names",
        "clear-unit-names 1 @ named",
        'clear-unit-names 1 @ named "York" uname',
        "",
    ),
    (
        "advice-characters",
        '"_" "raft" "drifts" utype 1 3 @ make 9 3 @ capacity',
        '"r" "raft" "drifts" utype 1 3 @ make 9 3 @ capacity',
        "",
    ),
    *(
        (
            "advice-special-character",
            f'"{letter}" "raft" "drifts" utype 1 3 @ make 9 3 @ capacity',
            '"r" "raft" "drifts" utype 1 3 @ make 9 3 @ capacity',
            "",
        )
        for letter in " -7"
    ),
    (
        "advice-limits",
        "60 land max-wet 61 land min-wet",
        "60 land max-wet 60 land min-wet",
        "min-wet",
    ),
    ("advice-gap", "51 land min-alt", "48 land min-alt", "min-alt"),
    ("advice-poles", "land edge-terrain", "ice edge-terrain", "edge-terrain"),
    (
        "advice-unmakeable",
        '"r" "raft" "drifts" utype',
        '"r" "raft" "drifts" utype 2 3 density 100 land 3 favored',
        "",
    ),
    ("advice-immobile", "-1 sea b moves", "0 ice b moves", "speed"),
    ("advice-repair", "1 b @ repair 0 b @ make 0 b @ capacity", "1 b @ repair", "repair"),
    ("advice-repair", "0 b @ make 0 b @ capacity 1 [ b ] @ repair", "1 u* @ repair", "repair"),
    ("advice-no-movers", "0 i in-country false @ maker", "1 i in-country false @ maker", ""),
]


@pytest.mark.parametrize(("code", "faulty", "good", "word"), CASES)
def test_a_fault_is_named_at_its_word(code: str, faulty: str, good: str, word: str) -> None:
    found = [problem for problem in advice(f"{GOOD}{faulty}\n") if problem.code == code]
    assert len(found) == 1
    assert found[0].severity is not Severity.ERROR
    assert found[0].path is None
    if word:
        line = f"{GOOD}{faulty}".splitlines()[(found[0].line or 0) - 1]
        assert found[0].column is not None
        assert found[0].end_column is not None
        assert line[found[0].column - 1 : found[0].end_column - 1] == word
        assert word in found[0].message
    assert code not in {problem.code for problem in advice(f"{GOOD}{good}\n")}


def test_favored_terrain_that_no_world_has() -> None:
    void = '":" "void" "black" ttype 0 void max-alt\n'
    faulty = f"{GOOD}{void}0 land i favored 50 void i favored\n"
    (problem,) = advice(faulty)
    assert problem.code == "advice-favored"
    assert "New worlds put infantry on void only (favored)" in problem.message
    assert advice(f"{GOOD}{void}50 void i favored\n") == ()


def test_the_most_favored_terrain_should_not_be_scarce() -> None:
    assert [each.code for each in advice(f"{GOOD}99 land i favored 100 ice i favored\n")] == [
        "advice-favored-scarce"
    ]
    assert advice(f"{GOOD}100 land i favored 99 ice i favored\n") == ()


def test_what_has_no_favored_terrain_needs_a_carrier() -> None:
    (problem,) = advice(f"{GOOD}0 land i favored 0 i @ make 0 i @ capacity 0 i @ repair\n")
    assert problem.code == "advice-no-place"
    assert "infantry" in problem.message
    assert advice(f"{GOOD}0 land i favored\n") == ()  # the city carries it


def test_a_country_needs_room_for_its_units() -> None:
    crowded = f"{GOOD}1 country-size 7 i in-country\n"
    (problem,) = advice(crowded)
    assert problem.code == "advice-crowded"
    assert "has 7 hexes, but 8 units" in problem.message
    assert problem.fix is not None
    assert advice(apply_fix(crowded, problem.fix)) == ()
    assert advice(f"{GOOD}1 country-size 6 i in-country\n") == ()


def test_distances_of_countries_need_some_play() -> None:
    text = f"{GOOD}9 country-min-distance 9 country-max-distance\n"
    (problem,) = advice(text)
    assert problem.code == "advice-distances"
    assert problem.fix is not None
    assert advice(apply_fix(text, problem.fix)) == ()


def test_distances_that_no_world_of_this_size_has() -> None:
    period = period_of(f"{GOOD}40 country-min-distance 3 country-size\n")
    small = distance_problem(period, 30, 20)
    low = distance_problem(period, 90, 7)
    assert small is not None
    assert "the most is 27" in small.message
    assert low is not None
    assert "need 8 rows" in low.message
    assert distance_problem(period, 60, 30) is None


def test_countries_of_one_hex_have_no_centres_at_the_poles() -> None:
    period = period_of(f"{GOOD}4 country-min-distance 0 country-size\n")
    problem = distance_problem(period, 8, 2)
    assert problem is not None
    assert "need 3 rows" in problem.message


def test_limits_that_are_crossed_are_swapped() -> None:
    text = f"{GOOD}70 land min-wet 30 land max-wet\n"
    problem = next(each for each in advice(text) if each.code == "advice-limits")
    assert problem.fix is not None
    mended = apply_fix(text, problem.fix)
    assert "30 land min-wet 70 land max-wet" in mended
    assert "advice-limits" not in {each.code for each in advice(mended)}


def test_a_fix_changes_the_one_number_that_was_wrong() -> None:
    text = f"{GOOD}[ 20 130 ] [ i b ] retreat\n"
    (problem,) = advice(text)
    assert "(boat) is above 100" in problem.message
    assert problem.fix is not None
    assert "[ 20 100 ] [ i b ] retreat" in apply_fix(text, problem.fix)


def test_more_than_always_can_be_meant_where_something_is_subtracted() -> None:
    (problem,) = advice(f"{GOOD}200 b i hit\n")
    assert problem.fix is None


def test_problems_of_included_files_name_them() -> None:
    own = "Xconq 1 -+---- mine\nbase.per\nPeriod 1\n5 country-size\nend\n"
    base = f"Xconq 0 -+---- base\n{GOOD}120 i retreat\nend\n"
    result = read_period(own, None, {"base.per": base})
    assert result.period is not None
    (problem,) = period_advice(result.period)
    assert problem.path == "base.per"
    assert problem.fix is None  # fixes are of the text itself


def test_scripts_are_checked_with_it_in_the_order_of_the_text() -> None:
    text = f"{GOOD}120 i retreat\n1 i undefined-word\nend\n"
    found = HOST.language.check(SourceText(text, path="mine.per"))
    assert [problem.code for problem in found] == ["advice-percentage", "period-undefined-word"]
    assert {problem.path for problem in found} == {"mine.per"}
    broken = HOST.language.check(SourceText(f"{GOOD}120 i retreat\n0 i hp\nend\n"))
    assert [problem.code for problem in broken] == ["period-hp"]


def test_an_included_period_is_changed_not_replaced() -> None:
    base = {"base.per": f"Xconq 0 -+---- base\n{GOOD}end\n"}
    own = f"Xconq 1 -+---- mine\nbase.per\n{GOOD}end\n"
    replacing = read_period(own, None, base).period
    assert replacing is not None
    (problem,) = period_advice(replacing)
    assert problem.code == "advice-replaced"
    assert "base.per" in problem.message
    assert problem.line == 3
    assert problem.fix is not None
    assert apply_fix(own, problem.fix).splitlines()[2] == "Period 1"
    changing = read_period("Xconq 1 -+---- mine\nbase.per\nPeriod 1\nend\n", None, base).period
    assert changing is not None
    assert period_advice(changing) == ()


@pytest.mark.parametrize("name", ["modern", "fantasy"])
def test_the_packaged_periods_follow_the_advice(name: str) -> None:
    script = resources.files("randomizer.systems.xconq.scripts") / f"{name}.per"
    period = read_period(script.read_text("latin-1")).period
    assert period is not None
    assert [problem.message for problem in period_advice(period)] == []


@needs_recordings
def test_real_periods_get_few_warnings() -> None:
    warned = {}
    for name, text in corpus_texts().items():
        period = read_period(text, None, corpus_texts()).period
        if period is not None and "/" not in name and name.endswith(".per"):
            found = period_advice(period)
            assert all(problem.severity is not Severity.ERROR for problem in found)
            warned[name] = [each.code for each in found if each.severity is Severity.WARNING]
    assert len(warned) > 15
    assert {name: codes for name, codes in warned.items() if codes} == {
        "autest.per": ["advice-immobile"]
    }


NUMBERS = st.sampled_from(["-1", "0", "1", "49", "100", "101", "300", "-32768", "32767"])
WORDS = [
    "i$ speed",
    "i$ in-country",
    "t$ i$ favored",
    "i$ i$ capacity",
    "i$ i$ repair",
    "i$ i$ make",
    "t$ min-alt",
    "t$ max-wet",
    "country-size",
    "country-min-distance",
    "country-max-distance",
    "i$ density",
    "alt-roughness",
    "t$ i$ moves",
    "i$ i$ hit",
]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(NUMBERS, st.sampled_from(WORDS)), max_size=8))
def test_any_values_are_checked(lines) -> None:
    text = GOOD
    for place, (number, word) in enumerate(lines):
        unit = "ib@"[place % 3]
        terrain = ("sea", "land", "ice")[place // 2 % 3]
        other = word.replace("i$", "b", 1) if word.count("i$") == 2 else word
        text += f"{number} {other.replace('i$', unit).replace('t$', terrain)}\n"
    result = read_period(f"{text}end\n")
    if result.period is not None:
        for problem in period_advice(result.period):
            assert problem.severity is not Severity.ERROR
            if problem.fix is not None:
                assert apply_fix(text, problem.fix) != text


@pytest.mark.parametrize(
    ("old", "new", "titles"),
    [
        (
            "50 land min-alt",
            "60 land min-alt",
            ["Write 50 for min-alt of land", "Write 59 for max-alt of sea"],
        ),
        (
            "50 land min-alt",
            "50 land min-alt  9 sea min-wet",
            ["Write 0 for min-wet of sea"],
        ),
    ],
)
def test_a_gap_has_the_fixes_that_move_one_limit(old: str, new: str, titles: list[str]) -> None:
    text = f"{GOOD.replace(old, new)}end\n"
    (problem,) = advice(GOOD.replace(old, new))
    assert [fix.title for fix in problem.fixes] == titles
    for fix in problem.fixes:
        period = read_period(apply_fix(text, fix)).period
        assert period is not None
        assert period_advice(period) == ()
