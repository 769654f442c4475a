"""A vector with fewer values than there are types: the new types get those of their neighbours."""

from __future__ import annotations

import pytest

from randomizer.model.problems import Problem, apply_fix
from randomizer.systems.xconq.period.reading import read_period

PERIOD = """Xconq 0 -+---- test
Period 0
"w" "walker" "walks" utype
"." "brine" "blue" ttype
"+" "turf" "green" ttype
"^" "rock" "grey" ttype
1 w speed
0 {used} w moves
{vector} t* min-alt
end
"""


def short(text: str) -> list[Problem]:
    problems = read_period(text).problems
    return [problem for problem in problems if problem.code == "period-values-short"]


@pytest.mark.parametrize(
    ("used", "vector", "title", "result"),
    [
        ("[ brine rock ]", "[ 10 -20 ]", "Write 10 for turf, as for brine", "[ 10 10 -20 ]"),
        ("[ turf rock ]", "[ 10 20 ]", "Write 10 for brine, as for turf", "[ 10 10 20 ]"),
        ("[ brine turf ]", "[ 10 20 ]", "Write 20 for rock, as for turf", "[ 10 20 20 ]"),
        (
            "brine",
            "[ 10 ]",
            "Write values for turf and rock, as for those beside them",
            "[ 10 10 10 ]",
        ),
        (
            "rock",
            "[ 30 ]",
            "Write values for brine and turf, as for those beside them",
            "[ 30 30 30 ]",
        ),
    ],
)
def test_types_that_nothing_uses_yet_get_the_value_before(used, vector, title, result) -> None:
    text = PERIOD.format(used=used, vector=vector)
    (problem,) = short(text)
    assert problem.fix is not None
    assert problem.fix.title == title
    assert apply_fix(text, problem.fix) == PERIOD.format(used=used, vector=result)


def test_without_a_sign_it_is_the_last_type_and_the_others_are_offered() -> None:
    (problem,) = short(PERIOD.format(used="t*", vector="[ 10 20 ]"))
    assert [fix.title for fix in problem.fixes] == [
        "Write 20 for rock, as for turf",
        "Write 10 for brine, as for turf",
        "Write 10 for turf, as for brine",
    ]


@pytest.mark.parametrize("vector", ["[ 1 2 3 4 ]", "[ ]"])
def test_too_many_values_and_none_have_no_fix(vector) -> None:
    (problem,) = short(PERIOD.format(used="t*", vector=vector))
    assert problem.fixes == ()


def test_numbers_that_are_written_elsewhere_have_no_fix() -> None:
    text = PERIOD.format(used="t*", vector="heights")
    (problem,) = short(text.replace("1 w speed", '[ 10 20 ] "heights" define\n1 w speed'))
    assert problem.fixes == ()


def test_a_table_gets_its_missing_values_too() -> None:
    text = PERIOD.format(used="[ brine rock ]", vector="[ 10 10 20 ]")
    text = text.replace("end\n", "[ 5 7 ] t* w productivity\nend\n")
    (problem,) = read_period(text).problems
    assert problem.code == "period-vector-lengths"
    assert problem.fix is not None
    assert problem.fix.title == "Write 5 for turf, as for brine"
    mended = apply_fix(text, problem.fix)
    assert "[ 5 5 7 ] t* w productivity" in mended
    assert not read_period(mended).problems
