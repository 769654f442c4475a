"""The names that the setting ``fixed`` takes: told by the program, listed in the manual."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from randomizer.generator import DrawKey, run
from randomizer.model.problems import ProblemError
from randomizer.systems.cordery.generator import CorderyGenerator
from randomizer.systems.cordery.throws import names_of_page
from tests.randomizer.systems.cordery.built_tables import base_of, built

MANUAL = Path(__file__).resolve().parents[4] / "docs" / "manual" / "wargame-tables.md"


def names_in_the_manual() -> set[str]:
    """The names in the section of the manual, its "road" standing for tracks as well."""
    section = MANUAL.read_text("utf-8").split("## Names of dice and decisions")[1].split("\n## ")[0]
    return set(re.findall(r"`([^`]+)`", section))


@pytest.mark.parametrize("kind", ["square", "hex"])
def test_every_name_that_a_table_asks_for_stands_in_the_manual(kind: str) -> None:
    listed = names_in_the_manual()
    for seed in range(12):
        chosen = {"lakes": True, "marshes": True, "railways": 2, "rivers": 2, "roads": 2}
        builder = built(
            base_of(kind, 9, 8), seed, **chosen, area="urban", detour=True, planted="orchard"
        )
        asked = {
            re.sub(r"village|town|city", "PLACE", name) for name in names_of_page(builder.throws)
        }
        assert asked <= listed


def test_a_question_mark_tells_the_names() -> None:
    with pytest.raises(ProblemError, match="hill N at = an area\n") as told:
        run(CorderyGenerator(), {"fixed": "?"}, DrawKey(1, 0), base_of())
    assert "hill N steps = 3 scores from 1 to 6" in str(told.value)


def test_a_name_that_nothing_asks_for_is_told_the_one_that_was_meant() -> None:
    made = run(CorderyGenerator(), {"fixed": "hil 2 at = 0303"}, DrawKey(1, 0), base_of())
    assert made is not None
    assert "did you mean hill 2 at?" in made.notes[-1].message
