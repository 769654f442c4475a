"""Things of 0 A.D. on one spot: towns of two players, and copies of the same thing."""

from __future__ import annotations

import json

import pytest

from randomizer.model.edits.thing_edits import add_things
from randomizer.model.edits.thing_fixes import fix_all_things
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.records.map_records import MapRecord
from randomizer.model.things.things import Thing
from randomizer.systems.zeroad.map.records import SETTINGS
from randomizer.systems.zeroad.map.shared_spots import MAX_SPOTS, SHARED_SPOT, check_shared_spots
from randomizer.systems.zeroad.system import SYSTEM

CENTRE = "structures/{}/civil_centre"
OAK = "gaia/tree/oak"


def map_with(*things: Thing) -> BattleMap:
    """A map of two players."""
    battlemap = BattleMap.new(SYSTEM, Grid(SQUARE, 64, 64), [Layer(1, "Land")])
    players = [{"Name": "Gaia"}, {"Name": "Red"}, {"Name": "Blue"}]
    battlemap.records[SETTINGS] = MapRecord(json.dumps({"PlayerData": players}))
    add_things(battlemap, 1, things).apply(battlemap)
    return battlemap


def test_towns_of_two_players_on_one_spot_are_told_with_their_place() -> None:
    first = Thing(0, CENTRE.format("athen"), 20.0, 20.0, owner=1)
    second = Thing(0, CENTRE.format("gaul"), 22.0, 21.0, owner=2)
    battlemap = map_with(first, second)
    (problem,) = check_shared_spots(battlemap)
    assert problem.message.endswith(": those of Red and Blue stand on one spot")
    assert problem.code == SHARED_SPOT
    assert problem.cell == battlemap.grid.cell(20, 20)
    assert problem.fixes == ()
    assert problem in SYSTEM.check(battlemap, battlemap.composite())


@pytest.mark.parametrize("distance", [10.0, 30.0])
def test_towns_beside_each_other_are_no_problem(distance) -> None:
    first = Thing(0, CENTRE.format("athen"), 10.0, 20.0, owner=1)
    second = Thing(0, CENTRE.format("athen"), 10.0 + distance, 20.0, owner=2)
    assert not list(check_shared_spots(map_with(first, second)))


def test_copies_of_a_thing_at_one_point_are_told_and_all_but_one_can_go() -> None:
    oak = Thing(0, OAK, 20.0, 20.0)
    battlemap = map_with(oak, oak, oak, Thing(0, OAK, 20.5, 20.0))
    (problem,) = check_shared_spots(battlemap)
    assert problem.message == "Oak: 3 of them stand on one spot"
    assert len(fix_all_things(battlemap).removed) == 2
    assert not list(check_shared_spots(battlemap))


def test_fix_all_takes_no_copy_away_from_a_player() -> None:
    house = Thing(0, "structures/athen/house", 20.0, 20.0, owner=1)
    (problem,) = check_shared_spots(map_with(house, house))
    assert problem.fix is None
    assert [fix.title for fix in problem.fixes] == ["keep one of them"]


@pytest.mark.parametrize(
    "template", ["units/athen/infantry_spearman_b", "actor|props/flora/bush.xml"]
)
def test_units_and_decorations_may_share_a_spot(template) -> None:
    thing = Thing(0, template, 20.0, 20.0, owner=1)
    assert not list(check_shared_spots(map_with(thing, thing)))


def test_of_many_spots_the_further_ones_are_counted() -> None:
    oaks = [Thing(0, OAK, 2.0 * x, 5.0) for x in range(MAX_SPOTS + 2)]
    problems = list(check_shared_spots(map_with(*oaks, *oaks)))
    assert len(problems) == MAX_SPOTS + 1
    assert problems[-1].message == "2 more spots have several things"
    assert problems[-1].cell is not None
