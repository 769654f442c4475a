"""A type that gets another name where it is defined: the words that it leaves behind have a fix."""

from __future__ import annotations

import pytest

from randomizer.model.problems import Problem, apply_fix
from randomizer.systems.xconq.period.packaged_periods import MODERN, packaged_text
from randomizer.systems.xconq.period.reading import read_period, reading_of

OWN = """Xconq 0 -+---- test
Period 0
"w" "walker" "walks" utype
"." "brine" "blue" ttype
"+" "turf" "green" ttype
1 w speed
[ brine turf ] "all" define
0 all w moves  brine default-terrain
end
"""


def undefined(text: str) -> list[Problem]:
    problems = read_period(text).problems
    return [problem for problem in problems if problem.code == "period-undefined-word"]


def fixed(text: str) -> str:
    """Return the text after the likeliest fix of its first undefined word."""
    fix = undefined(text)[0].fix
    assert fix is not None
    return apply_fix(text, fix)


def test_a_renamed_terrain_of_a_packaged_period_is_renamed_everywhere() -> None:
    text = packaged_text(MODERN)
    renamed = text.replace('"sea"', '"ocean"')
    assert [fix.title for fix in undefined(renamed)[0].fixes] == ["Write “ocean” for each “sea”"]
    period = read_period(fixed(renamed)).period
    assert period is not None
    assert period.terrains[0].name == "ocean"
    assert period.type_number_of("default-terrain") == 0


@pytest.mark.parametrize("name", ["slush", "deep-water"])
def test_a_renamed_terrain_of_an_own_period_is_renamed_everywhere(name: str) -> None:
    assert undefined(OWN) == []
    text = fixed(OWN.replace('"brine"', f'"{name}"'))
    assert text == OWN.replace("brine", name)


def test_words_that_a_definition_has_lost_and_used_types_are_not_offered() -> None:
    renamed = packaged_text(MODERN).replace('"sea"', '"ocean"')
    for problem in undefined(renamed):
        titles = [fix.title for fix in problem.fixes]
        assert not any("void" in title or "world" in title for title in titles), titles
    assert undefined(OWN.replace("0 all w", "0 nowhere w"))[0].fixes == ()


def test_a_name_of_several_words_is_not_offered() -> None:
    problems = reading_of(OWN.replace('"brine"', '"salt lake"')).problems
    undefined_words = [each for each in problems if each.code == "period-undefined-word"]
    assert undefined_words
    assert all("salt" not in fix.title for each in undefined_words for fix in each.fixes)
