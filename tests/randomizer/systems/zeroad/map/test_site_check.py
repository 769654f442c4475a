"""Things of 0 A.D. outside of a round map, and buildings on slopes."""

from __future__ import annotations

import json

import numpy as np
import pytest

from randomizer.model.edits.thing_edits import add_things
from randomizer.model.edits.thing_fixes import fix_all_things
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.records.map_records import MapRecord
from randomizer.model.things.things import Thing
from randomizer.systems.zeroad.map.coordinates import UNITS_PER_METRE
from randomizer.systems.zeroad.map.records import SETTINGS
from randomizer.systems.zeroad.map.site_check import (
    MAX_SITES,
    OUTSIDE_CIRCLE,
    STEEP,
    with_site_warning,
)
from randomizer.systems.zeroad.system import SYSTEM

SIZE = 64
HOUSE = "structures/athen/house"


def round_map(*things: Thing, rise: float = 0.0) -> BattleMap:
    """A round map, 5 m above the water; its right half is ``rise`` metres higher."""
    metres = np.full((SIZE + 1, SIZE + 1), 25.0)
    metres[:, SIZE // 2 :] += rise
    battlemap = BattleMap.new(SYSTEM, Grid(SQUARE, SIZE, SIZE), [Layer(1, "Land")])
    battlemap.layers[0].planes["height"] = np.rint(metres * UNITS_PER_METRE).astype("u4")
    battlemap.records[SETTINGS] = MapRecord(json.dumps({"CircularMap": True}))
    add_things(battlemap, 1, things).apply(battlemap)
    return battlemap


def problems_of(battlemap: BattleMap):
    return SYSTEM.check(battlemap, battlemap.composite())


@pytest.mark.parametrize(
    ("template", "x", "code"),
    [
        (HOUSE, 3.0, OUTSIDE_CIRCLE),
        ("gaia/tree/oak", 3.0, OUTSIDE_CIRCLE),
        ("actor|props/flora/bush.xml", 3.0, ""),
        (HOUSE, 20.0, ""),
        (HOUSE, SIZE / 2 - 1, STEEP),
        ("gaia/tree/oak", SIZE / 2 - 1, ""),
    ],
)
def test_a_thing_that_stands_badly_is_told_before_and_after_it_is_placed(template, x, code) -> None:
    thing = Thing(0, template, x, 5.0 if code == OUTSIDE_CIRCLE else 20.0)
    battlemap = round_map(thing, rise=6.0)
    assert [problem.code for problem in problems_of(battlemap)] == ([code] if code else [])
    assert bool(with_site_warning(battlemap, [thing]).words) is bool(code)


def test_a_slope_that_units_climb_can_be_built_on() -> None:
    thing = Thing(0, HOUSE, SIZE / 2 - 1, 20.0)
    assert problems_of(round_map(thing, rise=3.9)) == ()
    assert len(problems_of(round_map(thing, rise=4.1))) == 1


@pytest.mark.parametrize("tiles_to_slope", [-3, -2, -1, 0, 1, 2, 3])
def test_a_building_about_to_be_placed_is_judged_as_one_that_stands(tiles_to_slope) -> None:
    # The steep tile has the column before the middle of the map.
    thing = Thing(0, HOUSE, SIZE / 2 - 1 + tiles_to_slope, 20.0)
    battlemap = round_map(thing, rise=6.0)
    has_warning = bool(with_site_warning(battlemap, [thing]).words)
    assert has_warning is bool(problems_of(battlemap))
    assert has_warning is (abs(tiles_to_slope) <= 1)


def test_no_fix_moves_a_building_from_one_slope_to_another() -> None:
    battlemap = round_map(Thing(0, HOUSE, 20.0, 20.0))
    rows, columns = np.indices((SIZE + 1, SIZE + 1))
    heights = 2000 + 600 * ((rows + columns) % 2)  # steep everywhere
    battlemap.layers[0].planes["height"] = heights.astype("u4")
    (problem,) = problems_of(battlemap)
    assert problem.code == STEEP
    assert problem.fix is None


def test_the_fixes_put_all_on_free_level_ground_within_the_circle() -> None:
    houses = [Thing(0, HOUSE, x, y) for x, y in ((3.0, 3.0), (3.0, 4.0), (SIZE / 2, 20.0))]
    battlemap = round_map(*houses, rise=6.0)
    assert len(problems_of(battlemap)) == 3
    fixed = fix_all_things(battlemap)
    assert not fixed.removed
    assert len({(thing.x, thing.y) for thing in fixed.changed}) == 3
    assert problems_of(battlemap) == ()


def test_many_things_outside_are_counted() -> None:
    trees = [Thing(0, "gaia/tree/oak", 1.0 + x, 1.0) for x in range(MAX_SITES + 4)]
    houses = [Thing(0, HOUSE, 2.0, 3.0, owner=1)]
    problems = problems_of(round_map(*trees, *houses))
    assert problems[0].message.startswith("House (Athenians)"), "what is a player's comes first"
    assert len(problems) == MAX_SITES + 1
    assert problems[-1].message.startswith("5 more things stand outside")
