"""A mistake that the check finds and a roll meets is one problem: the same place, words and fix."""

from __future__ import annotations

import pytest

from randomizer.catalog.scripts import check_script
from randomizer.generator_run import run
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem, ProblemError
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.roll_base import Base
from randomizer.systems.colossus.generator import from_text
from randomizer.systems.colossus.system import SYSTEM

NAME = "mine.rnd"

MISTAKES = {
    "a hexside by its name": "PAIR (Plains,0)(Plains,0) HEXSIDES Wall,80.\n",
    "an unknown hazard": "AREA (inside) HAZARDS Trees\n",
    "an unknown hazard in quotes": 'AREA (inside) HAZARDS "Trees"\n',
    "no statement": "AERA (inside) HAZARDS Tree\n",
    "a list that grows": "LABEL aa=(anywhere)\n" + "LABEL aa=(aa)(aa)\n" * 40 + "STARTLIST (aa)\n",
}


def problems_of_roll(text: str) -> tuple[Problem, ...]:
    base = Base.under(BattleMap.new(SYSTEM), 0)
    with pytest.raises(ProblemError) as refused:
        run(from_text(text, NAME, NAME), {}, DrawKey(1, 0), base)
    return refused.value.problems


@pytest.mark.parametrize("text", MISTAKES.values(), ids=MISTAKES)
def test_a_roll_fails_with_problems_of_the_check(text: str) -> None:
    problems_of_check = check_script(text, NAME, path=NAME)
    for problem in problems_of_roll(text):
        assert problems_of_check.count(problem) == 1
