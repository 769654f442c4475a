"""The log alone is enough: a person can set up the same table from its words."""

from __future__ import annotations

import re

import pytest

from randomizer.model.problems import ProblemError
from randomizer.systems.cordery.dice.decisions import Decision, DecisionKind
from randomizer.systems.cordery.parts.roads import add_railways
from randomizer.systems.cordery.parts.water import add_water
from randomizer.systems.cordery.table.features import RAIL, RIVER
from randomizer.systems.cordery.table.table_builder import TableBuilder
from randomizer.systems.cordery.table.table_words import crossings_in_area
from randomizer.systems.cordery.table_layers import planes_of_table
from tests.randomizer.systems.cordery.built_tables import (
    add_part,
    area,
    base_of,
    built,
    names,
    started,
)

WRONG = re.compile(
    r"(?<![-+=] )(?<!\d)1 (?:hill|lake|marshe|group|inhabited area|field)s\b"
    r"|(?<!\d)(?:0|[2-9]|\d\d) (?:hill|lake|marsh|group|inhabited area|field)\b"
)
CORNERS = {"river 1 entry at": "0101", "river 1 exit at": "0808", "river 1 width": "1"}


def words(builder: TableBuilder, step: str) -> list[str]:
    return [line.words for line in builder.throws.log if line.step == step]


def test_every_count_has_its_noun():
    seen = set()
    for number in range(60):
        grid = base_of("square", 4, 4) if number % 3 else base_of("hex", 9, 8)
        chosen = {"area": "urban", "lakes": True, "marshes": True, "relief": "mountainous"}
        for line in built(grid, 3, number, **chosen).throws.log:
            assert not WRONG.search(line.words), line.words
            seen |= set(re.findall(r"\b1 (?:lake|marsh|field|inhabited area)\b", line.words))
    assert len(seen) == 4  # so that what is looked for does occur


@pytest.mark.parametrize(("count", "said"), [(1, "As decided, 1 lake"), (2, "As decided, 2 lakes")])
def test_2_3_a_decided_number_of_lakes(count, said):
    builder = add_part(add_water, started(rivers=0, lakes=True, fixed={"lakes": count}), 2)
    assert words(builder, "2.3")[0] == said


def test_1_2_features_without_room_are_counted_in_words():
    builder = built(base_of("square", 2, 2), fixed={"hills": 5}, rivers=0, roads=0)
    assert "No area is free any more for 1 hill." in words(builder, "1.3")


def test_2_1_the_die_of_every_fork_of_a_way_is_told():
    builder = add_part(add_water, started(fixed=CORNERS), 2)
    line = next(line for line in builder.throws.log if "runs through" in line.words)
    told = re.findall(r"(\d{4})(?: \([^)]*\))?, (?=(\d{4}) \(D6 = (\d), not (\d{4})\))", line.words)
    forks = {re.sub(r" again \d+", "", name) for name in line.throws if " fork at " in name}
    assert len(told) == len(forks) > 1
    for before, taken, score, left in told:
        options = sorted((taken, left), key=lambda name: name[2:])  # clockwise: east, then south
        assert options[int(score) > 3] == taken
        assert builder.throws.scores[f"river 1 fork at {before}"] == (int(score),)


def test_2_1_a_fork_that_is_fixed_turns_the_way_there():
    free = add_part(add_water, started(fixed=CORNERS), 2)
    way = next(line for line in free.throws.log if "runs through" in line.words)
    fork = next(name for name in way.throws if " fork at " in name)
    (score,) = free.throws.scores[fork]
    turned = add_part(add_water, started(fixed={**CORNERS, fork: 7 - score}), 2)
    before, after = (names(each, each.table.routes[RIVER].links) for each in (free, turned))
    assert before != after
    at = before.index(fork[-4:])
    assert before[: at + 1] == after[: at + 1]


def test_2_1_ties_are_told_with_what_was_thrown_again():
    dice = {"river 1 entry": 3, "river 1 entry area 0501": 5, "river 1 entry area 0601": 5}
    dice |= {"river 1 entry area 0501 again 1": 2, "river 1 entry area 0601 again 1": 4}
    builder = add_part(add_water, started(fixed=dice), 2)
    assert "the highest die of 0501 (5 then 2), 0601 (5 then 4): 0601" in words(builder, "2.1")[0]


def test_2_1_a_hand_leads_a_river_through_an_area():
    led = add_part(add_water, started(fixed={**CORNERS, "river 1 through": "0406"}), 2)
    assert area(led, "0406") in led.table.routes[RIVER].links
    blocked = started(fixed={**CORNERS, "river 1 through": "0406"})
    blocked.table.ground[area(blocked, "0406")] = "Mountain"
    with pytest.raises(ProblemError, match="river 1 through 0406: there is no way"):
        add_part(add_water, blocked, 2)


def test_6_1_a_railway_that_is_led_aside_does_not_go_back_the_way_it_came():
    dice = {"railway 1 entry at": "0401", "railway 1 exit at": "0408", "railway 1 through": "0705"}
    builder = add_part(add_railways, started(railways=1, fixed=dice), 6)
    links = builder.table.routes[RAIL].links
    assert area(builder, "0705") in links
    assert all(sides.bit_count() == 2 for sides in links.values())


def test_7_2_the_dice_of_the_places_are_told():
    builder = built(seed=3, area="cultivated", fixed={"inhabited areas": 6, "fields": 8})
    told = [text for text in words(builder, "7.2") if text.startswith("The highest die first")]
    assert told
    for text in told:
        scores = [int(score) for score in re.findall(r"D6 = (\d)", text)]
        assert len(scores) > 1
        assert scores == sorted(scores, reverse=True)


def test_7_2_a_field_beside_a_place_can_be_put_elsewhere_by_hand():
    chosen = {"inhabited areas": 3, "fields": 3, "field 2 at": "0808"}
    builder = built(area="cultivated", relief="open", fixed=chosen)
    assert builder.table.ground[area(builder, "0808")] == "Field"


def test_a_decision_knows_what_it_is_about():
    about = {
        "hill 2 height": "hill 2",
        "road to village 3 crossing 1": "road to village 3",
        "inhabited area 12 at": "inhabited area 12",
        "hills": "",
    }
    for name, thing in about.items():
        assert Decision(name, DecisionKind.AREA).feature == thing
    for kind in DecisionKind:
        decision = Decision("hill 2 at", kind)
        assert decision.is_area == (kind in (DecisionKind.AREA, DecisionKind.EDGE_AREA))


@pytest.mark.parametrize("kind", ["square", "hex"])
def test_6_2_and_6_3_the_crossings_that_the_log_tells_are_those_of_the_areas(kind):
    for seed in range(20):
        base = base_of(kind, 9, 8)
        builder = built(base, seed, relief="hilly", railways=1)
        planes = planes_of_table(builder, base)
        told = "\n".join(line.words for line in builder.throws.log)
        there = [
            crossing
            for cell in range(72)
            for crossing in crossings_in_area(base.grid, planes, cell)
        ]
        assert there.count("level crossing") == told.count("a level crossing at")
        assert there.count("railway bridge") == told.count("a bridge over the river at")
