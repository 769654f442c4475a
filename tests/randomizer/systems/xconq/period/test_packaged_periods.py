"""The packaged periods: read without a problem, complete, and such that their worlds are good."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from randomizer.systems.xconq.advice.countries import distance_problem
from randomizer.systems.xconq.advice.period_advice import period_advice
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.period.reading import read_period
from randomizer.systems.xconq.period.words import words
from randomizer.systems.xconq.rolling.generator import packaged
from randomizer.systems.xconq.system import MODERN, USUAL_SIZE
from randomizer.systems.xconq.terrain.terrain_meaning import PATTERNS, looks_of
from randomizer.systems.xconq.terrain.terrain_set import terrain_set_of
from randomizer.systems.xconq.units.unit_kinds import kind_names
from tests.randomizer.systems.xconq.worlds import rolled, units_of

FOLDER = Path(str(files("randomizer.systems.xconq"))) / "scripts"
NAMES = ("modern", "fantasy")


def period(name: str) -> Period:
    read = read_period((FOLDER / f"{name}.per").read_text("latin-1")).period
    assert read is not None
    return read


@pytest.mark.parametrize("name", NAMES)
def test_a_packaged_period_is_read_without_a_problem_or_advice(name: str) -> None:
    text = (FOLDER / f"{name}.per").read_text("latin-1")
    assert read_period(text).problems == ()
    assert text.isascii()
    assert period_advice(period(name)) == ()
    assert distance_problem(period(name), *USUAL_SIZE) is None


@pytest.mark.parametrize("name", NAMES)
def test_each_place_of_the_chart_belongs_to_one_terrain(name: str) -> None:
    """But the driest and lowest, which the terrain that is only painted shares with the first."""
    known = period(name)
    chart = np.zeros((101, 101), int)
    for low, high, dry, wet in zip(
        *(known.row(word).tolist() for word in ("min-alt", "max-alt", "min-wet", "max-wet")),
        strict=True,
    ):
        chart[low : high + 1, dry : wet + 1] += 1
    assert chart[0, 0] == 2
    chart[0, 0] = 1
    assert (chart == 1).all()


@pytest.mark.parametrize("name", NAMES)
def test_a_packaged_period_has_all_kinds_of_values(name: str) -> None:
    known = period(name)
    assert 10 <= len(known.units) <= 14
    assert 1 <= len(known.resources) <= 3
    assert len(known.notes) > 20
    assigned = {assignment.word for assignment in known.assignments}
    for word in ("moves", "capacity", "hit", "favored", "make", "storage", "in-country", "conceal"):
        assert word in assigned


def test_words_that_only_one_program_knows_are_not_used() -> None:
    both = {name for name, word in words().items() if word.since == "ds"}
    for name in NAMES:
        assert {assignment.word for assignment in period(name).assignments} <= both


@pytest.mark.parametrize("name", NAMES)
def test_all_terrains_have_pictures_of_what_they_are(name: str) -> None:
    pictures = [look.picture for look in looks_of(period(name).terrains)]
    assert len(set(pictures)) == len(pictures)
    assert not set(pictures) & set(PATTERNS)


def test_the_terrain_set_of_the_system_is_that_of_modern_times() -> None:
    known = period("modern")
    assert terrain_set_of(known) == MODERN
    assert "".join(terrain.char for terrain in known.terrains) == ".,=~+%^_:"


@pytest.mark.parametrize("name", NAMES)
def test_two_countries_find_their_places(name: str) -> None:
    """200 of 200 seeds did; a few are tried here."""
    generator = next(each for each in packaged() if each.metadata.script == f"{name}.per")
    for seed in (0, 7, 4321, 134_455, 134_456):
        made = rolled(generator, seed, grid_size=(60, 30))
        assert made.notes == ()
        assert {unit.owner for unit in units_of(made)} == {0, 1, 2}
        assert not {unit.kind for unit in units_of(made)} - set(kind_names(period(name)))
