"""The table of rules says what the fact sheet says, row by row."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from randomizer.systems.colossus.rules import HAZARDS, HEXSIDES, Entry, HazardRule, StrikeBonus
from randomizer.systems.colossus.terrain_set import COLOSSUS

FACTS = Path(__file__).resolve().parents[5] / "shared" / "facts" / "colossus.md"

GROUND = {
    "free": Entry.FREE,
    "slows non-natives": Entry.SLOWS_OTHERS,
    "slows all": Entry.SLOWS_ALL,
    "natives only": Entry.NATIVES,
    "natives (Lake: water dwellers) only": Entry.NATIVES,
}

# The points (skill and power) of a strike: native at native, native at other, other at native,
# other at other.
HIDDEN = (0, 0, -1, 0)
NOTHING = (0, 0, 0, 0)
STRUCK_THERE = {"Brambles": HIDDEN, "Tree": HIDDEN, "Stone": HIDDEN}
STRIKING_FROM = {"Brambles": (0, 0, -1, -1), "Volcano": (2, 2, 0, 0)}
DOWN = {"Slope": (1, 1, 0, 0), "Dune": (2, 2, 0, 0)}
UP = {"Slope": (0, 0, -1, -1), "Dune": (0, 0, -1, -1), "Wall": (-1, -1, -1, -1)}


def points(bonus: StrikeBonus) -> tuple[int, ...]:
    found = []
    for by in (True, False):
        for at in (True, False):
            found.append(bonus.points(striker_native=by, target_native=at))
    return tuple(found)


def rows_of_facts() -> dict[str, list[str]]:
    if not FACTS.is_file():
        pytest.skip("the fact sheet is not here")
    text = FACTS.read_text("utf-8").split("## Movement, strikes and entry sides")[1]
    rows = {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and not re.match(r"-+$|terrain|hexside", cells[0]):
            for name in cells[0].split(","):
                rows[name.strip()] = cells[1:]
    return rows


def test_there_is_a_row_for_everything_that_a_battleland_can_have():
    assert set(HAZARDS) == {t.name for t in COLOSSUS.terrains}
    assert set(HEXSIDES) == {h.name for h in COLOSSUS.hexsides}
    rows = rows_of_facts()
    assert set(rows) == set(HAZARDS) | set(HEXSIDES)


@pytest.mark.parametrize("name", HAZARDS)
def test_who_may_enter_a_hazard_is_as_the_fact_sheet_has_it(name):
    ground, fliers, struck, striking, through, also = rows_of_facts()[name]
    rule = HAZARDS[name]
    assert (rule.entry_on_foot, rule.entry_of_fliers) == (GROUND[ground], GROUND[fliers])
    assert (rule.struck == StrikeBonus()) == (struck == "-")
    assert (rule.striking == StrikeBonus()) == (striking == "-")
    assert (rule.skill_through is None) == ("blocked" in through)
    assert (rule.skill_through == -1) == ("-1 skill each hex" in through)
    assert (rule.healing != 0) == ("a turn" in also)
    assert rule.lingers == ("stay slowed" in also)


@pytest.mark.parametrize("name", HEXSIDES)
def test_who_may_cross_a_hexside_is_as_the_fact_sheet_has_it(name):
    movement, strikes = rows_of_facts()[name]
    rule = HEXSIDES[name]
    assert rule.only_uphill == ("uphill" in movement)
    expected = next((entry for words, entry in GROUND.items() if words in movement), Entry.NOBODY)
    assert rule.entry_on_foot is expected
    assert rule.allows_strikes == ("no strikes" not in strikes)
    assert rule.limits_rangestrikes == ("rangestrike" in strikes)


@pytest.mark.parametrize("name", HAZARDS)
def test_strikes_in_a_hazard(name):
    assert points(HAZARDS[name].struck) == STRUCK_THERE.get(name, NOTHING)
    assert points(HAZARDS[name].striking) == STRIKING_FROM.get(name, NOTHING)


@pytest.mark.parametrize("name", HEXSIDES)
def test_strikes_across_a_hexside(name):
    assert points(HEXSIDES[name].striking_down) == DOWN.get(name, NOTHING)
    assert points(HEXSIDES[name].striking_up) == UP.get(name, NOTHING)


def test_natives_of_a_volcano_strike_hard_from_afar_and_are_hard_to_hit():
    volcano = HAZARDS["Volcano"]
    assert points(volcano.rangestriking) == (2, 2, 0, 0)
    assert points(volcano.rangestruck) == (-1, 0, -1, 0)
    assert volcano.skill_through == 0


def test_drift_wounds_non_natives_sand_water_dwellers_and_a_spring_heals():
    wounds = {
        name: (rule.healing, rule.healing_affects) for name, rule in HAZARDS.items() if rule.healing
    }
    assert wounds == {
        "Drift": (-1, "non-natives"),
        "Sand": (-1, "water dwellers"),
        "Spring": (1, "all"),
    }


def test_passability_on_the_map_comes_from_the_same_table():
    assert {t.name: t.hinders for t in COLOSSUS.terrains} == {
        "Plains": "",
        "Tower": "",
        "Tree": "ground",
        "Bog": "ground",
        "Lake": "ground",
        "Volcano": "all",
        "Stone": "all",
        "Brambles": "slows",
        "Drift": "slows",
        "Sand": "slows",
        "Spring": "slows",
        "TarPit": "slows",
    }
    assert HazardRule().hinders == ""
