"""Each check of a map: one with the fault, and the same without."""

from __future__ import annotations

import numpy as np
import pytest

from randomizer.model.edits.thing_edits import change_things
from randomizer.model.edits.thing_fixes import fix_all_things, fix_things
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import OBLIQUE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.problems import Problem, Severity
from randomizer.model.records.map_records import MapRecord
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.things.things import Thing, Things
from randomizer.systems.xconq.period.packaged_periods import packaged_text
from randomizer.systems.xconq.records import (
    PERIOD,
    Condition,
    ConditionKind,
    Globals,
    Header,
    MapFacts,
    Side,
    Sides,
    as_record,
)
from randomizer.systems.xconq.system import MODERN, SYSTEM
from randomizer.systems.xconq.world.classification import Limits, classify
from randomizer.systems.xconq.world.relief import WorldSettings, relief_of

PERIOD_TEXT = """Xconq 0 -+---- test
Period 0
"i" "infantry" "walks" utype
"b" "boat" "carries" utype
"@" "city" "stays" utype
"F" "fuel" "burns" rtype
"." "sea" "blue" ttype
"+" "land" "green" ttype
"_" "ice" "white" ttype
1 [ i b ] speed  0 land i moves  0 sea b moves
5 [ i b ] @ make
2 i b capacity  9 i @ capacity  9 b @ capacity
1 i volume  3 b volume  9 @ hold-volume
1 @ territory
7 country-min-distance  3 country-size
end
"""
SEA, LAND, ICE = range(3)
WIDTH = 20
HEIGHT = 12
GRID = Grid(OBLIQUE, WIDTH, HEIGHT, wrap=True)


def codes_of(*land: tuple[int, int]) -> np.ndarray:
    """Ice at the poles, land at these hexes, else sea."""
    codes = np.full((HEIGHT, WIDTH), SEA, np.uint8)
    codes[0] = codes[-1] = ICE
    for x, y in land:
        codes[y, x] = LAND
    return codes


def unit(number: int, kind: str, x: int, y: int, owner: int = 1, **state: object) -> Thing:
    at_x, at_y = GRID.centre(y * WIDTH + x)
    return Thing(number, kind, at_x, at_y, owner=owner, state=state)


def map_of(
    *units: Thing,
    codes: np.ndarray | None = None,
    text: str = PERIOD_TEXT,
    grid: Grid = GRID,
    **records: MapRecord,
) -> BattleMap:
    planes = {"terrain": codes_of((5, 5), (6, 5)) if codes is None else codes}
    battlemap = BattleMap.new(
        SYSTEM, grid, [Layer(1, "Ground", planes=planes, things=Things(units))]
    )
    battlemap.records[PERIOD] = MapRecord(text)
    battlemap.records["sides"] = as_record(Sides((Side("Red"), Side("Blue"))))
    battlemap.records.update(records)
    return battlemap


def advice(battlemap: BattleMap) -> tuple[Problem, ...]:
    return SYSTEM.check(battlemap, battlemap.composite())


def codes(battlemap: BattleMap) -> list[str]:
    return [problem.code for problem in advice(battlemap)]


CITY = unit(1, "city", 5, 5)
GOOD = (CITY, unit(2, "infantry", 5, 5, transport=1), unit(3, "boat", 8, 8, owner=2))


def test_nothing_is_said_of_a_good_map() -> None:
    assert advice(map_of(*GOOD)) == ()


UNIT_FAULTS = [
    ("advice-unknown-unit", unit(4, "hoverboat", 9, 9), "no unit type hoverboat"),
    ("advice-edge-unit", unit(4, "boat", 9, 0), "boat on 9,0"),
    ("advice-edge-unit", unit(4, "boat", 9, 11), "boat on 9,11"),
    ("advice-owner", unit(4, "boat", 9, 9, owner=3), "there are 2 sides"),
    ("advice-stack", unit(4, "infantry", 8, 8), "boat and infantry on one hex"),
    ("advice-transport", unit(4, "infantry", 6, 5, transport=1), "is on another hex"),
    ("advice-transport", unit(4, "infantry", 6, 5, transport=99), "is gone"),
    ("advice-neutral", unit(4, "boat", 9, 9, owner=0), "is neutral, which its type cannot be"),
    ("advice-strangers", unit(4, "infantry", 8, 8, transport=3), "belongs to Red, but boat"),
    ("advice-stranded", unit(4, "infantry", 9, 9), "stands on sea, where it cannot move"),
]


@pytest.mark.parametrize(("code", "fault", "words"), UNIT_FAULTS)
def test_units_that_cannot_be_so_are_named(code: str, fault: Thing, words: str) -> None:
    (problem,) = advice(map_of(*GOOD, fault))
    assert problem.code == code
    assert words in problem.message
    assert problem.cell is not None


def test_sides_are_numbered_as_in_files() -> None:
    battlemap = map_of(unit(4, "boat", 9, 9, owner=3))
    (problem,) = [each for each in advice(battlemap) if each.code == "advice-owner"]
    assert "side 2" in problem.message, "the third side is number 2 in a file"
    battlemap.records["sides"] = as_record(Sides())
    (problem,) = advice(battlemap)
    assert "side 2" in problem.message
    assert "Xconq makes them up" in problem.message


WAYS_OUT = [
    (unit(4, "boat", 9, 9, owner=3), "make it neutral", (0, (9, 9))),
    (unit(4, "boat", 9, 9, owner=0), "give it to Blue", (2, (9, 9))),
    (unit(4, "infantry", 8, 8, transport=3), "give it to Blue", (2, (8, 8))),
    (unit(4, "infantry", 7, 6), "move it to 6,5", (1, (6, 5))),
    (unit(4, "boat", 9, 0), "move it to 8,1", (1, (8, 1))),
]


@pytest.mark.parametrize(("fault", "title", "result"), WAYS_OUT)
def test_a_fix_gives_a_unit_a_place_or_side_where_it_makes_sense(
    fault: Thing, title: str, result: tuple[int, tuple[int, int]]
) -> None:
    battlemap = map_of(*GOOD, fault)
    (problem,) = advice(battlemap)
    assert problem.fix is not None
    assert problem.fix.title == title
    edit = fix_things(battlemap, [problem.fix])
    assert edit is not None
    edit.apply(battlemap)
    after = battlemap.thing(4)
    assert (after.owner, GRID.xy(GRID.cell_at(after.x, after.y))) == result


def test_a_unit_off_the_map_is_moved_to_the_hex_that_is_nearest_to_it() -> None:
    x, y = GRID.centre(5 * WIDTH + 5)
    boat = Thing(4, "boat", x, y - 100.0, owner=1)
    assert GRID.cell_at(boat.x, boat.y) == -1
    (problem,) = advice(map_of(*GOOD, boat))
    assert problem.message.startswith("boat off the map")
    assert problem.fix is not None
    (change,) = problem.fix.things
    assert change.position is not None
    new_x, new_y = GRID.xy(GRID.cell_at(*change.position))
    row = range(WIDTH)
    nearest_x = min(row, key=lambda column: abs(GRID.centre(new_y * WIDTH + column)[0] - x))
    assert new_y in (1, HEIGHT - 2)
    assert new_x == nearest_x


def test_a_unit_is_given_to_no_side_by_a_unit_off_the_map() -> None:
    x, y = GRID.centre(WIDTH - 1)
    lost_boat = Thing(5, "boat", x, y - 100.0, owner=2)
    neutral_boat = unit(4, "boat", WIDTH - 1, 1, owner=0)
    problems = advice(map_of(*GOOD, lost_boat, neutral_boat))
    (problem,) = (problem for problem in problems if problem.code == "advice-neutral")
    assert problem.fix is not None
    assert problem.fix.title == "give it to Red"


def test_what_a_stranded_unit_carries_is_moved_with_it() -> None:
    boat = unit(4, "boat", 6, 5)
    infantry = unit(5, "infantry", 6, 5, transport=4)
    battlemap = map_of(*GOOD, boat, infantry)
    things = {thing.id: thing for thing in fix_all_things(battlemap.snapshot()).changed}
    assert (things[4].x, things[4].y) == (things[5].x, things[5].y)
    assert (things[4].x, things[4].y) != (boat.x, boat.y)
    assert advice(battlemap)[0].code == "advice-stranded"


def test_all_fixes_leave_nothing_to_fix_however_many_units_are_wrong() -> None:
    boats = [unit(10 * y + x, "boat", x, y, owner=0) for y in (3, 9) for x in range(0, 20, 3)]
    battlemap = map_of(*GOOD, *boats)
    edit = change_things(battlemap, *fix_all_things(battlemap.snapshot()))
    assert edit is not None
    edit.apply(battlemap)
    assert advice(battlemap) == ()


def test_units_on_hidden_layers_are_not_looked_at() -> None:
    battlemap = map_of(*GOOD)
    hidden = Layer(2, "Away", things=Things([unit(9, "boat", 9, 0)]), visible=False)
    battlemap.layers.append(hidden)
    assert advice(battlemap) == ()


def test_what_a_unit_carries_fits_its_capacity_and_its_volume() -> None:
    crew = [unit(number, "infantry", 8, 8, owner=2, transport=3) for number in (4, 5, 6)]
    assert advice(map_of(*GOOD, *crew[:2])) == ()
    (problem,) = advice(map_of(*GOOD, *crew))
    assert problem.code == "advice-capacity"
    assert "carries 3 infantry, but can carry 2 (capacity)" in problem.message
    fleet = [unit(number, "boat", 5, 5, transport=1) for number in (4, 5, 6)]
    assert advice(map_of(*GOOD, *fleet[:2])) == ()
    (problem,) = advice(map_of(*GOOD, *fleet))
    assert "volume of 10, but has room for 9 (hold-volume)" in problem.message


def test_a_side_needs_a_unit_that_can_act() -> None:
    slow = PERIOD_TEXT.replace("1 [ i b ] speed", "1 i speed")
    (problem,) = advice(map_of(*GOOD, text=slow))
    assert problem.code == "advice-no-movers"
    assert problem.message.startswith("Blue has no unit")


def test_many_faults_of_one_sort_are_counted() -> None:
    lost = [unit(number, "boat", number % WIDTH, 0) for number in range(4, 24)]
    found = advice(map_of(*GOOD, *lost))
    assert len(found) == 11
    assert "10 more problems" in found[-1].message


CONDITIONS = [
    (Condition(True, ConditionKind.TERRITORY, 5, 4, -1, (1,)), "so never"),
    (Condition(True, ConditionKind.TERRITORY, 1001, 2000, -1, (1,)), "game ends on turn 1000"),
    (Condition(True, ConditionKind.TERRITORY, 0, 9, 2, (1,)), "side 2, but there are 2 sides"),
    (Condition(True, ConditionKind.UNITS, 0, 9, -1, (1, 0)), "2 numbers, but the period has 3"),
    (Condition(True, ConditionKind.RESOURCES, 0, 9, -1, (1, 0)), "1 resource type"),
    (Condition(True, ConditionKind.PLACE, 0, 9, -1, (20, 5, -1)), "20,5, which is not on the map"),
    (Condition(True, ConditionKind.PLACE, 0, 9, -1, (2, 0, -1)), "2,0 at a pole"),
    (Condition(True, ConditionKind.PLACE, 0, 9, -1, (2, 5, 3)), "unit type 3"),
]


@pytest.mark.parametrize(("condition", "words"), CONDITIONS)
def test_conditions_that_cannot_come_true_are_named(condition: Condition, words: str) -> None:
    good = Condition(True, ConditionKind.PLACE, 0, 9, 1, (2, 5, -1))
    said = Globals(conditions=(good, condition))
    (problem,) = advice(map_of(*GOOD, globals=as_record(said)))
    assert problem.code == "advice-condition"
    assert problem.message.startswith("Condition 2 ")
    assert words in problem.message
    assert advice(map_of(*GOOD, globals=as_record(Globals(conditions=(good,))))) == ()


def test_territory_counts_only_if_some_unit_has_any() -> None:
    said = Globals(conditions=(Condition(True, ConditionKind.TERRITORY, 0, 9, -1, (5,)),))
    poor = PERIOD_TEXT.replace("1 @ territory", "")
    assert codes(map_of(*GOOD, globals=as_record(said))) == []
    assert codes(map_of(*GOOD, globals=as_record(said), text=poor)) == ["advice-condition"]


def test_map_and_period_have_one_scale() -> None:
    scaled = PERIOD_TEXT.replace("end\n", "50 scale\nend\n")
    facts = as_record(MapFacts(30))
    assert codes(map_of(*GOOD, map=facts, text=scaled)) == ["advice-scale"]
    assert codes(map_of(*GOOD, map=facts)) == []
    assert codes(map_of(*GOOD, map=as_record(MapFacts(50)), text=scaled)) == []
    assert codes(map_of(*GOOD, map=as_record(MapFacts(0)), text=scaled)) == []


def test_sides_have_names_of_their_own() -> None:
    twins = as_record(Sides((Side("Red"), Side("Red"))))
    assert codes(map_of(*GOOD, sides=twins)) == ["advice-side-names"]


def test_countries_fit_on_the_map_unless_it_has_units() -> None:
    far = PERIOD_TEXT.replace("7 country-min-distance", "90 country-min-distance")
    assert codes(map_of(text=far)) == ["advice-world-size"]
    battlemap = map_of(text=far)
    (hint,) = SYSTEM.check(battlemap, battlemap.composite())
    assert (hint.path, hint.line) == (None, None), "no line of the period under the map's name"
    assert codes(map_of(*GOOD, text=far)) == []
    assert codes(map_of()) == []


def test_without_its_period_only_the_terrain_is_looked_at() -> None:
    unknown = unit(4, "hoverboat", 9, 9, owner=0)
    assert codes(map_of(unknown)) == ["advice-unknown-unit"]
    assert codes(map_of(unknown, header=as_record(Header(period_place="missing")))) == []


def test_records_that_cannot_be_read_are_said() -> None:
    battlemap = map_of(*GOOD, globals=MapRecord("{", is_json=True))
    assert [problem.severity for problem in advice(battlemap)] == [Severity.ERROR]


# --- terrain --------------------------------------------------------------------------------------


def test_poles_have_a_terrain_of_their_own() -> None:
    several = codes_of((5, 5))
    several[0, 3] = SEA
    common = codes_of((5, 5))
    common[-1] = SEA
    for bad, words in ((several, "y = 0 is of several"), (common, "y = 11 is sea, common")):
        (problem,) = advice(map_of(*GOOD, codes=bad))
        assert problem.code == "advice-poles"
        assert words in problem.message
        assert problem.cell is not None


def test_an_empty_map_has_no_poles_to_tell() -> None:
    assert advice(map_of(codes=np.zeros((HEIGHT, WIDTH), np.uint8))) == ()


def test_a_seam_that_does_not_match_is_found_and_a_wall_is_none() -> None:
    bounds = ([0, 61, 99], [60, 98, 100], [0, 0, 0], [100, 100, 100])
    limits = Limits(*(np.array(row) for row in bounds))
    relief = relief_of(WorldSettings(90, 60, 80, 70), DrawKey(3, 0))
    world = classify(relief, limits, edge=ICE).codes
    cut = world[:, :60].copy()
    walled = cut.copy()
    walled[:, -1] = ICE
    for terrain, expected in ((world, []), (cut, ["advice-seam"]), (walled, [])):
        grid = Grid(OBLIQUE, terrain.shape[1], 60, wrap=True)
        assert codes(map_of(codes=terrain.copy(), grid=grid)) == expected
    flat = Grid(OBLIQUE, 60, 60)
    assert codes(map_of(codes=cut, grid=flat)) == []


def test_a_new_map_is_fine() -> None:
    battlemap = BattleMap.new(SYSTEM)
    assert battlemap.terrain_set == MODERN
    assert advice(battlemap) == ()


def test_units_of_a_type_of_the_packaged_period_follow_its_new_name() -> None:
    text = packaged_text("modern.per").replace('"infantry"', '"footmen"')
    battlemap = map_of(unit(2, "infantry", 5, 5), text=text)
    (problem,) = [each for each in advice(battlemap) if each.code == "advice-unknown-unit"]
    assert problem.fix is not None
    assert problem.fix.title == "rename the units on the map to footmen, too"


def test_units_whose_type_is_gone_are_offered_the_names_that_no_unit_has() -> None:
    text = PERIOD_TEXT.replace('"infantry"', '"rifles"')
    battlemap = map_of(CITY, unit(2, "infantry", 5, 5, transport=1), text=text)
    (problem,) = [each for each in advice(battlemap) if each.code == "advice-unknown-unit"]
    assert problem.fix is None, "none of the names is like the former one"
    titles = [fix.title for fix in problem.other_fixes]
    assert "rename the units on the map to rifles, too" in titles
    assert "rename the units on the map to city, too" not in titles
    edit = fix_things(battlemap, [problem.other_fixes[titles.index(titles[0])]])
    assert edit is not None
    edit.apply(battlemap)
    assert "advice-unknown-unit" not in codes(battlemap)


def fixed(battlemap: BattleMap, number: int = 0) -> tuple[BattleMap, str]:
    """Return the map after a fix of its only problem, and the title of the fix."""
    (problem,) = advice(battlemap)
    fix = problem.fixes[number]
    edit = fix_things(battlemap, [fix])
    assert edit is not None
    edit.apply(battlemap)
    return battlemap, fix.title


def test_of_units_on_one_hex_one_takes_the_others_in() -> None:
    battlemap, title = fixed(map_of(*GOOD, unit(4, "infantry", 8, 8, owner=2)))
    assert title == "put infantry into boat"
    assert battlemap.thing(4).state["transport"] == 3
    assert advice(battlemap) == ()


@pytest.mark.parametrize(
    ("number", "title", "remaining"),
    [(0, "move infantry to 6,5", True), (1, "remove infantry", False)],
)
def test_units_on_one_hex_that_carry_none_part_or_the_surplus_goes(
    number: int, title: str, remaining: bool
) -> None:
    battlemap, actual_title = fixed(map_of(*GOOD, unit(4, "infantry", 8, 8, owner=1)), number)
    assert actual_title == title
    assert any(thing.id == 4 for thing in battlemap.visible_things()) == remaining
    assert advice(battlemap) == ()


def test_the_city_stays_where_it_is_and_each_other_unit_gets_a_hex_of_its_own() -> None:
    land = codes_of((5, 5), (6, 5), (7, 5), (8, 5))
    units = [unit(4, "infantry", 5, 5, owner=2), unit(5, "infantry", 5, 5, owner=2)]
    battlemap, title = fixed(map_of(CITY, *units, unit(3, "boat", 8, 8, owner=2), codes=land))
    assert title == "move 2 infantry to the nearest free hexes"
    cells = [GRID.xy(GRID.cell_at(thing.x, thing.y)) for thing in battlemap.visible_things()]
    assert sorted(cells) == [(5, 5), (6, 5), (7, 5), (8, 8)]
    assert advice(battlemap) == ()


def test_what_a_unit_cannot_carry_leaves_it() -> None:
    land = codes_of((5, 5), (6, 5), (7, 5))
    crew = [unit(number, "infantry", 8, 8, owner=2, transport=3) for number in (4, 5, 6)]
    battlemap, title = fixed(map_of(*GOOD, *crew, codes=land))
    assert title == "move infantry to 7,5"
    assert "transport" not in battlemap.thing(6).state
    assert advice(battlemap) == ()
    battlemap, title = fixed(map_of(*GOOD, *crew, codes=land), 1)
    assert title == "remove infantry"
    assert advice(battlemap) == ()


def test_units_leave_a_full_hold_until_the_others_have_room() -> None:
    fleet = [unit(number, "boat", 5, 5, transport=1) for number in (4, 5, 6)]
    battlemap, title = fixed(map_of(*GOOD, *fleet))
    assert title.startswith("move boat to ")
    assert advice(battlemap) == ()


def test_units_of_a_file_without_a_map_may_stand_anywhere() -> None:
    infantry = unit(4, "infantry", 9, 9)
    header = as_record(Header(sections="su"))
    assert "advice-stranded" in codes(map_of(*GOOD, infantry))
    assert "advice-stranded" not in codes(map_of(*GOOD, infantry, header=header))
    with_map = map_of(*GOOD, infantry, header=header, map=as_record(MapFacts()))
    assert "advice-stranded" in codes(with_map)
