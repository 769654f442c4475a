"""Parts 4, 5 and 7 of the page: trees, habitation and fields, with dice laid by hand."""

from __future__ import annotations

from typing import Any

import pytest

from randomizer.systems.cordery.features import LAKE
from randomizer.systems.cordery.fields import lay_fields
from randomizer.systems.cordery.habitation import lay_habitation
from randomizer.systems.cordery.table_builder import Laying
from randomizer.systems.cordery.trees import lay_trees
from tests.randomizer.systems.cordery.laid_tables import area, lay, started


def fixed(**values: Any) -> dict[str, Any]:
    return {name.replace("_", " "): value for name, value in values.items()}


def ground(laying: Laying) -> dict[str, str]:
    return {laying.name(cell): what for cell, what in laying.table.ground.items()}


@pytest.mark.parametrize(
    ("climate", "kind"),
    [("deciduous", "Deciduous"), ("coniferous", "Coniferous"), ("palm", "Palm")],
)
def test_4_the_climate_says_which_trees_grow(climate: str, kind: str) -> None:
    laying = lay(lay_trees, started(climate=climate, fixed=fixed(trees=1)), 4)
    assert list(ground(laying).values()) == [f"{kind} trees"]


def test_4_2_trees_stand_on_hills_but_on_no_other_feature() -> None:
    dice = fixed(trees=2, trees_1_row=1, trees_1_steps="1+1+1")
    dice |= fixed(trees_2_chain=1, trees_2_steps="1+1+1")
    laying = started(fixed=dice)
    laying.table.contours[area(laying, "0301")] = 1
    laying.table.ground[area(laying, "0601")] = LAKE
    lay(lay_trees, laying, 4)
    assert {name for name, what in ground(laying).items() if what != LAKE} == {"0301", "0701"}


@pytest.mark.parametrize(
    ("areas", "kind"),
    [(1, "Settlement"), (2, "Village"), (3, "Town"), (4, "Town"), (5, "City"), (7, "City")],
)
def test_5_areas_that_are_chained_form_one_place(areas: int, kind: str) -> None:
    dice = {"inhabited areas": areas, "inhabited area 1 at": "0101"}
    dice |= {f"inhabited area {number} chain": 4 for number in range(2, areas + 1)}
    dice |= {f"inhabited area {number} direction": 2 for number in range(2, areas + 1)}
    laying = lay(lay_habitation, started(fixed=dice), 5)
    assert list(ground(laying).values()) == [kind] * areas
    assert len(laying.table.places) == 1


def test_5_places_that_touch_by_chance_stay_separate() -> None:
    dice = {"inhabited areas": 2, "inhabited area 1 at": "0101", "inhabited area 2 at": "0201"}
    laying = lay(lay_habitation, started(fixed=dice), 5)
    assert list(ground(laying).values()) == ["Settlement", "Settlement"]


def test_5_2_a_place_begun_on_a_hill_stays_a_settlement() -> None:
    laying = started(fixed={"inhabited areas": 3, "inhabited area 1 at": "0303"})
    laying.table.contours[area(laying, "0303")] = 1
    lay(lay_habitation, laying, 5)
    assert laying.table.places[0] == [area(laying, "0303")]
    thrown = [name for line in laying.throws.log for name in line.throws]
    assert "inhabited area 2 chain" not in thrown
    assert "inhabited area 3 chain" in thrown


def test_5_2_a_village_does_not_grow_onto_a_hill() -> None:
    dice = {"inhabited areas": 2, "inhabited area 1 at": "0303", "inhabited area 2 chain": 6}
    laying = started(fixed={**dice, "inhabited area 2 direction": 1})
    laying.table.contours[area(laying, "0302")] = 1
    lay(lay_habitation, laying, 5)
    assert ground(laying) == {"0303": "Village", "0403": "Village"}


def test_5_2_a_place_that_is_on_the_table_stays_what_it_is() -> None:
    laying = settled([["0303"], ["0606", "0706"]], fixed={"inhabited areas": 4})
    laying.table.ground[area(laying, "0303")] = "City"
    before = ground(laying)
    lay(lay_habitation, laying, 5)
    assert ground(laying).items() >= before.items()
    assert len(ground(laying)) == 4


def test_5_2_nobody_settles_on_a_hill_with_trees() -> None:
    dice = {"inhabited areas": 1, "inhabited area 1 row": 1, "inhabited area 1 steps": "1+1+1"}
    laying = started(fixed=dice)
    laying.table.contours[area(laying, "0301")] = 1
    laying.table.ground[area(laying, "0301")] = "Palm trees"
    lay(lay_habitation, laying, 5)
    assert ground(laying)["0401"] == "Settlement"


def settled(places: list[list[str]], **dice: Any) -> Laying:
    laying = started(fixed=dice.pop("fixed"), **dice)
    for place in places:
        cells = [area(laying, name) for name in place]
        kind = {1: "Settlement", 2: "Village", 3: "Town"}[len(cells)]
        laying.table.places.append(cells)
        laying.table.ground.update(dict.fromkeys(cells, kind))
    return laying


def fields(laying: Laying) -> set[str]:
    lay(lay_fields, laying, 7)
    return {name for name, what in ground(laying).items() if what == "Field"}


def test_7_2_each_settlement_and_village_gets_a_field_beside_it() -> None:
    dice = {"fields": 2, "field 1 direction": 1, "field 2 direction": 3}
    laying = settled([["0202"], ["0606", "0706"], ["0308", "0408", "0508"]], fixed=dice)
    assert fields(laying) == {"0201", "0607"}


def test_7_2_short_of_fields_the_highest_die_comes_first() -> None:
    dice = {"fields": 1, "field place 1 0202": 2, "field place 1 0606": 5, "field 1 direction": 1}
    assert fields(settled([["0202"], ["0606"]], fixed=dice)) == {"0605"}


def test_7_2_ties_are_thrown_again() -> None:
    dice = {"fields": 1, "field place 1 0202": 5, "field place 1 0606": 5}
    dice |= {"field place 1 0202 again 1": 6, "field place 1 0606 again 1": 1}
    assert fields(settled([["0202"], ["0606"]], fixed={**dice, "field 1 direction": 1})) == {"0201"}


def test_7_2_fields_beyond_one_each_are_allotted_by_dice() -> None:
    dice = {"fields": 3, "field place 2 0202": 1, "field place 2 0606": 6}
    laying = settled([["0202"], ["0606"]], fixed=dice)
    found = fields(laying)
    assert len(found) == 3
    beside = {laying.name(c) for c in laying.table.grid.neighbours(area(laying, "0606"))}
    assert len(found & beside) == 2


def test_7_2_without_a_settlement_fields_are_located_as_hills_are() -> None:
    dice = {"fields": 1, "field 1 row": 1, "field 1 steps": "1+1+1"}
    assert fields(settled([], fixed=dice)) == {"0301"}


def test_7_2_fields_are_counted_where_no_place_has_room() -> None:
    laying = settled([["0101"]], fixed={"fields": 3})
    assert len(fields(laying)) == 3


@pytest.mark.parametrize(("score", "kind"), [(3, "Field"), (4, "Olive grove")])
def test_7_3_a_die_says_what_grows_in_a_field(score: int, kind: str) -> None:
    dice = {"fields": 1, "field 1 planted die": score}
    laying = started(planted="olive grove", fixed=dice)
    lay(lay_fields, laying, 7)
    assert list(ground(laying).values()) == [kind]


def test_7_1_wild_country_has_no_fields() -> None:
    laying = lay(lay_fields, started(area="wild"), 7)
    assert not laying.table.ground


def test_7_2_a_place_without_room_leaves_its_field_to_a_place_that_has_some() -> None:
    dice = {"fields": 1, "field place 1 0101": 6, "field place 1 0606": 1, "field 1 direction": 1}
    laying = settled([["0101"], ["0606"]], fixed=dice)
    laying.table.ground[area(laying, "0102")] = LAKE
    laying.table.ground[area(laying, "0201")] = LAKE
    assert fields(laying) == {"0605"}


def test_7_2_a_hand_may_say_where_a_field_lies() -> None:
    dice = {"fields": 2, "field 1 at": "0808", "field 2 direction": 1}
    laying = settled([["0202"], ["0606"]], fixed=dice)
    assert fields(laying) == {"0808", "0605"}
    assert not laying.throws.unused()
