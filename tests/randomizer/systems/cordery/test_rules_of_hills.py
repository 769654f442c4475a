"""Part 1 of the page, rule by rule, with entered dice."""

from __future__ import annotations

from typing import Any

import pytest

from randomizer.model.problems import ProblemError
from randomizer.systems.cordery.parts.hills import add_hills
from randomizer.systems.cordery.parts.vegetation import add_trees
from randomizer.systems.cordery.parts.water import add_water
from randomizer.systems.cordery.table.features import MOUNTAIN
from tests.randomizer.systems.cordery.built_tables import add_part, area, base_of, names, started


def hills(kind: str = "square", width: int = 8, relief: str = "open", **fixed: Any) -> Any:
    by_name = {name.replace("_", " "): value for name, value in fixed.items()}
    builder = started(base_of(kind, width, 8), relief=relief, fixed=by_name)
    return add_part(add_hills, builder)


@pytest.mark.parametrize(
    ("relief", "number"), [("open", 3), ("undulating", 5), ("hilly", 7), ("mountainous", 9)]
)
def test_1_1_the_number_of_hills_is_a_die_and_what_the_relief_adds(
    relief: str, number: int
) -> None:
    builder = hills(relief=relief, hills_die=3)
    high = len(builder.table.contours)
    high += sum(what == MOUNTAIN for what in builder.table.ground.values())
    assert high == number


@pytest.mark.parametrize(
    ("relief", "score", "height"),
    [
        ("open", 6, 1),
        ("undulating", 4, 1),
        ("undulating", 5, 2),
        ("hilly", 4, 1),
        ("hilly", 6, 2),
        ("mountainous", 2, 1),
        ("mountainous", 3, 2),
        ("mountainous", 4, 2),
        ("mountainous", 5, 0),
    ],
)
def test_1_1_a_hills_own_die_raises_it(relief: str, score: int, height: int) -> None:
    builder = hills(relief=relief, hills=1, hill_1_height_die=score)
    (cell,) = builder.table.contours or builder.table.ground
    assert builder.table.contours.get(cell, 0) == height
    assert (builder.table.ground.get(cell) == MOUNTAIN) == (height == 0)


@pytest.mark.parametrize(("height", "contours"), [("1", 1), ("2", 2), ("mountain", 0)])
def test_1_1_in_open_country_a_hand_raises_a_hill_and_no_die_does(
    height: str, contours: int
) -> None:
    builder = hills(hills=2, hill_2_height=height)
    line = builder.throws.log[-1]
    (cell,) = line.cells
    assert builder.table.contours.get(cell, 0) == contours
    assert (builder.table.ground.get(cell) == MOUNTAIN) == (not contours)
    assert [decision.name for decision in line.decisions] == ["hill 2 at", "hill 2 height"]
    assert "as decided" in line.words
    assert builder.throws.unused() == ()
    assert not any("height" in name for name in builder.throws.scores)
    assert [line.words for line in hills(hills=2).throws.log[:2]] == [
        line.words for line in builder.throws.log[:2]
    ], "the other hill stays where its dice put it"


def test_1_1_in_undulating_country_a_hill_is_raised_as_it_is_placed_else_when_all_are() -> None:
    for relief, at_once in (("undulating", True), ("hilly", False)):
        steps = [line.step for line in hills(relief=relief, hills=2).throws.log]
        assert (steps == ["1.1", "1.2", "1.1", "1.3", "1.1"]) == at_once


def test_1_2_the_first_hill_is_counted_from_the_left_edge_of_the_row_of_the_die() -> None:
    builder = hills(hills=1, hill_1_row=3, hill_1_steps="4+3+4")
    assert names(builder, builder.table.contours) == ["0304"], (
        "11 areas from row 3: row 4, column 3"
    )


def test_1_2_on_hexes_nine_areas_make_a_row() -> None:
    builder = hills("hex", 9, hills=1, hill_1_row=3, hill_1_steps="4+3+4")
    assert names(builder, builder.table.contours) == ["0204"]


def test_1_2_the_next_hill_is_counted_from_the_one_before() -> None:
    builder = hills(
        hills=2,
        hill_1_row=1,
        hill_1_steps="1+1+1",
        hill_2_chain=3,
        hill_2_steps="1+2+1",
    )
    assert names(builder, builder.table.contours) == ["0301", "0701"]


def test_1_2_past_the_bottom_right_the_count_goes_on_at_the_top_left() -> None:
    builder = hills(hills=2, hill_1_at="0708", hill_2_chain=1, hill_2_steps="1+1+1")
    assert names(builder, builder.table.contours) == ["0708", "0201"]


def test_1_2_an_occupied_area_gives_way_to_the_next_free_one() -> None:
    builder = hills(
        hills=3,
        hill_1_at="0401",
        hill_2_at="0301",
        hill_3_chain=2,
        hill_3_steps="6+6+6",
    )
    # 18 on from 0301 is 0503; back at 0401 the count would meet a hill.
    assert names(builder, builder.table.contours)[-1] == "0503"
    blocked = hills(hills=2, hill_1_at="0301", hill_2_row=1, hill_2_chain=1, hill_2_steps="1+1+1")
    assert names(blocked, blocked.table.contours)[-1] == "0601"


def test_1_2_a_row_beyond_a_small_table_is_thrown_again() -> None:
    builder = started(base_of("square", 8, 3), fixed={"hills": 1, "hill 1 row": 5})
    add_part(add_hills, builder)
    thrown = [name for line in builder.throws.log for name in line.throws]
    assert "hill 1 row again 1" in thrown
    assert "(D6 = 5, " in builder.throws.log[1].words, "the die that does not count is told"


@pytest.mark.parametrize(
    ("kind", "score", "beside"),
    [
        ("square", 1, "0403"),
        ("square", 2, "0504"),
        ("square", 3, "0405"),
        ("square", 4, "0304"),
        ("hex", 1, "0503"),
        ("hex", 2, "0504"),
        ("hex", 3, "0505"),
        ("hex", 4, "0405"),
        ("hex", 5, "0304"),
        ("hex", 6, "0403"),
    ],
)
def test_1_3_the_direction_die_goes_clockwise(kind: str, score: int, beside: str) -> None:
    width = 8 if kind == "square" else 9
    builder = hills(kind, width, hills=2, hill_1_at="0404", hill_2_chain=4, hill_2_direction=score)
    assert names(builder, builder.table.contours) == ["0404", beside]


def test_1_3_on_squares_a_five_or_six_is_thrown_again() -> None:
    builder = hills(hills=2, hill_1_at="0404", hill_2_chain=4, hill_2_direction=6)
    thrown = [name for line in builder.throws.log for name in line.throws]
    assert "hill 2 direction again 1" in thrown
    line = next(line for line in builder.throws.log if "hill 2 direction" in line.throws)
    assert "D6 = 6, " in line.words, "the die that does not count is told"
    assert ", thrown again: " in line.words


def test_1_3_off_the_table_the_next_free_area_clockwise_takes_the_hill() -> None:
    builder = hills(hills=2, hill_1_at="0101", hill_2_chain=5, hill_2_direction=4)
    assert names(builder, builder.table.contours) == ["0101", "0201"]


def test_1_3_with_no_free_area_beside_it_the_next_hill_is_counted() -> None:
    builder = hills(
        hills=4,
        hill_1_at="0201",
        hill_2_at="0102",
        hill_3_at="0101",
        hill_4_chain=6,
        hill_4_steps="1+1+1",
    )
    assert names(builder, builder.table.contours)[-1] == "0401"


def test_a_full_table_says_that_there_is_no_room() -> None:
    builder = started(base_of("square", 2, 2), fixed={"hills": 6})
    add_part(add_hills, builder)
    assert len(builder.table.contours) == 4
    assert [problem.code for problem in builder.table.problems] == ["no-room"]
    assert "hill 5 chain" not in builder.throws.scores, "this die would decide nothing"


@pytest.mark.parametrize(
    "fixed",
    [
        {"hills": "many"},
        {"hills die": "7"},
        {"hills": 1, "hill 1 steps": "3+4"},
        {"hills": 1, "hill 1 at": "9999"},
        {"hills": 2, "hill 1 at": "0101", "hill 2 at": "0101"},
    ],
)
def test_what_cannot_be_decided_is_refused_in_words(fixed: dict[str, object]) -> None:
    with pytest.raises(ProblemError):
        add_part(add_hills, started(fixed=fixed))


def test_the_two_contours_of_a_hill_can_be_decided() -> None:
    builder = hills(relief="open", hills=1, hill_1_at="0505")
    assert builder.table.contours == {area(builder, "0505"): 1}


@pytest.mark.parametrize("part", [add_hills, add_trees, add_water])
def test_1_3_chains_are_for_players_who_wish_them(part: Any) -> None:
    for seed in range(10):
        builder = started(base_of(), seed, relief="hilly", lakes=True, rivers=0, chains=False)
        add_part(part, builder)
        assert not [name for name in builder.throws.scores if "chain" in name]
        assert not [line for line in builder.throws.log if "adjacent" in line.words]
