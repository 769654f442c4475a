"""Parts 4, 5 and 7 of the page: trees, habitation and fields, with entered dice."""

from __future__ import annotations

from typing import Any

import pytest

from randomizer.systems.cordery.parts.habitation import add_habitation
from randomizer.systems.cordery.parts.vegetation import add_fields, add_trees
from randomizer.systems.cordery.table.feature_places import Feature
from randomizer.systems.cordery.table.features import LAKE
from randomizer.systems.cordery.table.table_builder import TableBuilder
from tests.randomizer.systems.cordery.built_tables import add_part, area, started


def fixed(**values: Any) -> dict[str, Any]:
    return {name.replace("_", " "): value for name, value in values.items()}


def ground(builder: TableBuilder) -> dict[str, str]:
    return {builder.name_of(cell): what for cell, what in builder.table.ground.items()}


@pytest.mark.parametrize(
    ("climate", "kind"),
    [("deciduous", "Deciduous"), ("coniferous", "Coniferous"), ("palm", "Palm")],
)
def test_4_the_climate_says_which_trees_grow(climate: str, kind: str) -> None:
    builder = add_part(add_trees, started(climate=climate, fixed=fixed(trees=1)), 4)
    assert list(ground(builder).values()) == [f"{kind} trees"]


def test_4_2_trees_stand_on_hills_but_on_no_other_feature() -> None:
    dice = fixed(trees=2, trees_1_row=1, trees_1_steps="1+1+1")
    dice |= fixed(trees_2_chain=1, trees_2_steps="1+1+1")
    builder = started(fixed=dice)
    builder.table.contours[area(builder, "0301")] = 1
    builder.table.ground[area(builder, "0601")] = LAKE
    add_part(add_trees, builder, 4)
    assert {name for name, what in ground(builder).items() if what != LAKE} == {"0301", "0701"}


@pytest.mark.parametrize(
    ("areas", "kind"),
    [(1, "Settlement"), (2, "Village"), (3, "Town"), (4, "Town"), (5, "City"), (7, "City")],
)
def test_5_areas_that_are_chained_form_one_place(areas: int, kind: str) -> None:
    dice = {"inhabited areas": areas, "inhabited area 1 at": "0101"}
    dice |= {f"inhabited area {number} chain": 4 for number in range(2, areas + 1)}
    dice |= {f"inhabited area {number} direction": 2 for number in range(2, areas + 1)}
    builder = add_part(add_habitation, started(fixed=dice), 5)
    assert list(ground(builder).values()) == [kind] * areas
    assert len(builder.table.places) == 1


def test_5_places_that_touch_by_chance_stay_separate() -> None:
    dice = {"inhabited areas": 2, "inhabited area 1 at": "0101", "inhabited area 2 at": "0201"}
    builder = add_part(add_habitation, started(fixed=dice), 5)
    assert list(ground(builder).values()) == ["Settlement", "Settlement"]


def test_5_2_a_place_begun_on_a_hill_stays_a_settlement() -> None:
    builder = started(fixed={"inhabited areas": 3, "inhabited area 1 at": "0303"})
    builder.table.contours[area(builder, "0303")] = 1
    add_part(add_habitation, builder, 5)
    assert builder.table.places[0] == [area(builder, "0303")]
    thrown = [name for line in builder.throws.log for name in line.throws]
    assert "inhabited area 2 chain" not in thrown
    assert "inhabited area 3 chain" in thrown


def test_5_2_a_settlement_that_a_hill_rose_under_gets_no_area_that_was_chained_to_it() -> None:
    builder = started(
        fixed={"inhabited areas": 2},
        previous_areas="inhabited area 1 = 0303; inhabited area 2 = 0304 beside",
    )
    builder.table.contours[area(builder, "0303")] = 1
    add_part(add_habitation, builder, 5)
    assert ground(builder) == {"0303": "Settlement", "0304": "Settlement"}


def test_5_2_a_village_does_not_grow_onto_a_hill() -> None:
    dice = {"inhabited areas": 2, "inhabited area 1 at": "0303", "inhabited area 2 chain": 6}
    builder = started(fixed={**dice, "inhabited area 2 direction": 1})
    builder.table.contours[area(builder, "0302")] = 1
    add_part(add_habitation, builder, 5)
    assert ground(builder) == {"0303": "Village", "0403": "Village"}


def test_5_2_a_place_that_is_on_the_table_stays_what_it_is() -> None:
    builder = settled([["0303"], ["0606", "0706"]], fixed={"inhabited areas": 4})
    builder.table.ground[area(builder, "0303")] = "City"
    before = ground(builder)
    add_part(add_habitation, builder, 5)
    assert ground(builder).items() >= before.items()
    assert len(ground(builder)) == 4


def test_5_2_nobody_settles_on_a_hill_with_trees() -> None:
    dice = {"inhabited areas": 1, "inhabited area 1 row": 1, "inhabited area 1 steps": "1+1+1"}
    builder = started(fixed=dice)
    builder.table.contours[area(builder, "0301")] = 1
    builder.table.ground[area(builder, "0301")] = "Palm trees"
    add_part(add_habitation, builder, 5)
    assert ground(builder)["0401"] == "Settlement"


def settled(places: list[list[str]], **dice: Any) -> TableBuilder:
    builder = started(fixed=dice.pop("fixed"), **dice)
    for place in places:
        cells = [area(builder, name) for name in place]
        kind = {1: "Settlement", 2: "Village", 3: "Town"}[len(cells)]
        builder.table.places.append(cells)
        builder.table.ground.update(dict.fromkeys(cells, kind))
    return builder


def fields(builder: TableBuilder) -> set[str]:
    add_part(add_fields, builder, 7)
    return {name for name, what in ground(builder).items() if what == "Field"}


def test_7_2_each_settlement_and_village_gets_a_field_beside_it() -> None:
    dice = {"fields": 2, "field 1 direction": 1, "field 2 area": 1, "field 2 direction": 3}
    builder = settled([["0202"], ["0606", "0706"], ["0308", "0408", "0508"]], fixed=dice)
    assert fields(builder) == {"0201", "0607"}


def test_7_2_short_of_fields_the_highest_die_comes_first() -> None:
    dice = {"fields": 1, "field place 1 0202": 2, "field place 1 0606": 5, "field 1 direction": 1}
    assert fields(settled([["0202"], ["0606"]], fixed=dice)) == {"0605"}


def test_7_2_ties_are_thrown_again() -> None:
    dice = {"fields": 1, "field place 1 0202": 5, "field place 1 0606": 5}
    dice |= {"field place 1 0202 again 1": 6, "field place 1 0606 again 1": 1}
    assert fields(settled([["0202"], ["0606"]], fixed={**dice, "field 1 direction": 1})) == {"0201"}


def test_7_2_fields_beyond_one_each_are_allotted_by_dice() -> None:
    dice = {"fields": 3, "field place 2 0202": 1, "field place 2 0606": 6}
    builder = settled([["0202"], ["0606"]], fixed=dice)
    found = fields(builder)
    assert len(found) == 3
    beside = {builder.name_of(c) for c in builder.table.grid.neighbours(area(builder, "0606"))}
    assert len(found & beside) == 2


def test_7_2_without_a_settlement_fields_are_located_as_hills_are() -> None:
    dice = {"fields": 1, "field 1 row": 1, "field 1 steps": "1+1+1"}
    assert fields(settled([], fixed=dice)) == {"0301"}


def test_7_2_fields_are_counted_where_no_place_has_room() -> None:
    builder = settled([["0101"]], fixed={"fields": 3})
    assert len(fields(builder)) == 3


@pytest.mark.parametrize(("score", "kind"), [(3, "Field"), (4, "Olive grove")])
def test_7_3_a_die_says_what_grows_in_a_field(score: int, kind: str) -> None:
    dice = {"fields": 1, "field 1 planted die": score}
    builder = started(planted="olive grove", fixed=dice)
    add_part(add_fields, builder, 7)
    assert list(ground(builder).values()) == [kind]


def test_7_1_wild_country_has_no_fields() -> None:
    builder = add_part(add_fields, started(area="wild"), 7)
    assert not builder.table.ground


def test_7_2_a_place_without_room_leaves_its_field_to_a_place_that_has_some() -> None:
    dice = {"fields": 1, "field place 1 0101": 6, "field place 1 0606": 1, "field 1 direction": 1}
    builder = settled([["0101"], ["0606"]], fixed=dice)
    builder.table.ground[area(builder, "0102")] = LAKE
    builder.table.ground[area(builder, "0201")] = LAKE
    assert fields(builder) == {"0605"}


def test_7_2_a_hand_may_say_where_a_field_lies() -> None:
    dice = {"fields": 2, "field 1 at": "0808", "field 2 direction": 1}
    builder = settled([["0202"], ["0606"]], fixed=dice)
    assert fields(builder) == {"0808", "0605"}
    assert not builder.throws.unused()


def test_7_2_a_die_says_from_which_area_of_a_village_its_field_is_located() -> None:
    for score, row in ((2, "0607"), (5, "0707")):
        dice = {"fields": 1, "field 1 area": score, "field 1 direction": 3}
        assert fields(settled([["0606", "0706"]], fixed=dice)) == {row}


def test_7_2_an_area_of_a_village_without_room_throws_no_die() -> None:
    builder = settled([["0101", "0201"]], fixed={"fields": 1})
    builder.table.ground[area(builder, "0102")] = LAKE
    assert fields(builder) <= {"0202", "0301"}
    assert "field 1 area" not in builder.throws.scores


def test_1_3_no_die_tells_whether_a_feature_is_chained_that_can_stand_nowhere() -> None:
    builder = started(fixed={"inhabited area 1 at": "0101"})
    locator = builder.locator()
    locator.locate_next(Feature("inhabited area 1", builder.table.is_empty))
    far_area = area(builder, "0606")
    feature = Feature(
        "inhabited area 2",
        can_stand=lambda _area: False,
        can_stand_if_chained=lambda area: area == far_area,
    )
    spot = locator.locate_next(feature)
    assert spot is None
    assert "inhabited area 2 chain" not in builder.throws.scores
