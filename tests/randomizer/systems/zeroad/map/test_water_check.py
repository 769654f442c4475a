"""What the game would mind of a map: things of the land in deep water, with their ways out."""

from __future__ import annotations

import numpy as np
import pytest

from randomizer.model.edits.thing_edits import add_things, change_things
from randomizer.model.edits.thing_fixes import fix_all_things, fix_things
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.hand.targets import paint_fixes
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.things.things import Thing
from randomizer.systems.zeroad.map.coordinates import UNITS_PER_METRE
from randomizer.systems.zeroad.map.water_check import IN_WATER, MAX_IN_WATER
from randomizer.systems.zeroad.system import SYSTEM

SIZE = 32
SHORE = 16
"""West of this corner the sea is 12 m deep, east of it the land lies 5 m above the water."""


def coast(*things: tuple[str, float, float]) -> BattleMap:
    """A map with a sea in the west, with things (template, x, y)."""
    metres = np.full((SIZE + 1, SIZE + 1), 25.0)
    metres[:, :SHORE] = 8.0
    battlemap = BattleMap.new(SYSTEM, Grid(SQUARE, SIZE, SIZE), [Layer(1, "Land")])
    battlemap.layers[0].planes["height"] = np.rint(metres * UNITS_PER_METRE).astype("u4")
    placed = [Thing(0, template, x, y) for template, x, y in things]
    add_things(battlemap, 1, placed).apply(battlemap)
    return battlemap


def problems_of(battlemap: BattleMap):
    problems = SYSTEM.check(battlemap, battlemap.composite())
    return [problem for problem in problems if problem.code == IN_WATER]


def test_a_tree_in_the_deep_sea_is_told_with_its_place_and_put_on_land_by_its_fix() -> None:
    battlemap = coast(("gaia/tree/oak", 8.0, 10.0), ("gaia/tree/oak", 24.0, 10.0))
    (problem,) = problems_of(battlemap)
    assert problem.cell == battlemap.grid.cell(8, 10)
    assert problem.message == "Oak: it stands 12.0 m deep in water, where no unit goes"
    assert [fix.title for fix in problem.fixes] == ["put it on the nearest land", "remove it"]
    fix_things(battlemap, [problem.fix]).apply(battlemap)
    assert problems_of(battlemap) == []
    moved = battlemap.layers[0].things[1]
    assert (moved.x, moved.y) == (SHORE, 10), "the first tile that is dry"


def test_the_other_fix_takes_it_away() -> None:
    battlemap = coast(("structures/athen/house", 8.0, 10.0))
    (problem,) = problems_of(battlemap)
    assert problem.other_fixes[-1].title == "remove it"
    fix_things(battlemap, problem.other_fixes).apply(battlemap)
    assert not battlemap.layers[0].things
    assert problems_of(battlemap) == []


@pytest.mark.parametrize(
    "template",
    [
        "gaia/fish/generic",
        "structures/athen/dock",
        "units/athen/ship_fishing",
        "gaia/treasure/shipwreck",
        "actor|props/flora/grass_tuft.xml",
        "my_mod/whatever",
    ],
)
def test_what_belongs_into_the_sea_and_what_is_not_known_is_no_problem(template: str) -> None:
    assert problems_of(coast((template, 8.0, 10.0))) == []


def test_a_ford_and_the_land_are_no_problem_and_hidden_layers_do_not_count() -> None:
    battlemap = coast(("gaia/tree/oak", 15.45, 10.0), ("gaia/tree/oak", 15.0, 10.0))
    assert [problem.cell for problem in problems_of(battlemap)] == [battlemap.grid.cell(15, 10)]
    battlemap.layers[0].visible = False
    assert problems_of(battlemap) == []


def test_a_building_in_water_in_which_units_wade_is_told() -> None:
    battlemap = coast(("structures/athen/house", 20.0, 10.0), ("gaia/tree/oak", 20.0, 12.0))
    battlemap.layers[0].planes["height"][:] = round(19.0 * UNITS_PER_METRE)  # 1 m under water
    (problem,) = problems_of(battlemap)
    assert (
        problem.message
        == "House (Athenians): it stands 1.0 m deep in water, where nobody can build"
    )
    battlemap.layers[0].planes["height"][:] = round(19.6 * UNITS_PER_METRE)
    assert problems_of(battlemap) == []


def test_a_map_without_land_offers_only_to_remove() -> None:
    battlemap = coast(("gaia/tree/oak", 8.0, 10.0))
    battlemap.layers[0].planes["height"][:] = 0
    (problem,) = problems_of(battlemap)
    assert [fix.title for fix in problem.fixes] == ["remove it"]


def test_the_ground_is_raised_below_buildings_and_fix_all_removes_nothing_of_a_player() -> None:
    battlemap = coast(("structures/athen/house", 8.0, 10.0), ("structures/athen/house", 18.0, 10.0))
    battlemap.layers[0].planes["height"][:] = 0
    soldier = Thing(0, "units/athen/infantry_spearman_b", 30.0, 30.0, owner=1)
    add_things(battlemap, 1, [soldier]).apply(battlemap)
    first, second, unit = problems_of(battlemap)
    titles = ["raise the ground under it", "remove it"]
    assert [fix.title for fix in first.fixes] == titles
    assert first.fix.title == titles[0]
    assert unit.fix is None
    assert [fix.title for fix in unit.fixes] == titles[1:]
    paint_fixes(battlemap, 1, [first.fix, second.fix]).apply(battlemap)
    (problem,) = problems_of(battlemap)
    assert problem.cell == unit.cell
    assert len(battlemap.layers[0].things) == 3


def test_of_a_sunken_wood_the_first_trees_are_listed_and_all_are_mended_together() -> None:
    trees = [("gaia/tree/oak", 2.0 + number % 6, 4.0 + number // 6) for number in range(40)]
    battlemap = coast(*trees)
    *listed, rest = problems_of(battlemap)
    assert len(listed) == MAX_IN_WATER
    assert rest.message == "30 more things stand in deep water"
    assert rest.fix is None
    mended = fix_all_things(battlemap.snapshot())
    assert not mended.removed
    change_things(battlemap, *mended).apply(battlemap)
    assert problems_of(battlemap) == []
    things = battlemap.layers[0].things.values()
    assert len({(thing.x, thing.y) for thing in things}) == len(trees), "each on a tile of its own"


def test_the_others_of_a_sunken_wood_are_removed_by_their_own_fix() -> None:
    battlemap = coast(*(("gaia/tree/oak", 3.0, 4.0 + number) for number in range(15)))
    rest = problems_of(battlemap)[-1]
    fix_things(battlemap, rest.other_fixes).apply(battlemap)
    assert len(battlemap.layers[0].things) == MAX_IN_WATER
