"""Rules for editing scenarios: units and transports, sides, conditions, brush, walls, shuffling."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.model.map.carriers import carriers_on
from randomizer.model.map.layer import Layer
from randomizer.systems.xconq.mapfile.details import SaveDetails, detail_losses
from randomizer.systems.xconq.mapfile.reader import read_with
from randomizer.systems.xconq.mapfile.writer import write_mapfile
from randomizer.systems.xconq.records import (
    Condition,
    ConditionKind,
    Globals,
    Side,
    Sides,
    globals_of,
    sides_of,
)
from randomizer.systems.xconq.scenario import conditions as cond
from randomizer.systems.xconq.scenario.areas import bar_cells, edge_cells, hexagon_cells, seam_cells
from randomizer.systems.xconq.scenario.boarding import carriers_for, load, unload
from randomizer.systems.xconq.scenario.condition_words import describe_condition
from randomizer.systems.xconq.scenario.conditions import (
    Names,
    only_type,
    with_only_type,
)
from randomizer.systems.xconq.scenario.shuffle import shuffle_units
from randomizer.systems.xconq.scenario.side_edits import (
    ALLY,
    add_side,
    change_side,
    change_value,
    new_name,
    remove_side,
    set_attitude,
    why_not_name,
)
from randomizer.systems.xconq.scenario.unit_rules import CargoRules, settle_units_in, why_not_on
from randomizer.systems.xconq.scenario.views import read_view, unseen_view, view_without_side
from tests.randomizer.systems.xconq.tiny_period import LAND, SEA, TEXT, period, unit, world

SHARED = Path(__file__).parents[5].parent / "shared"
STEPPES = SHARED / "corpus/xconq/steppes.map"
SAVED = next(iter((SHARED / "reference/xconq/saves").glob("paint_*")), Path("nowhere"))

NAMES = Names(("Ann", "Bob", "Cas"), ("men", "boat", "town"), ("food",))
FEW = 40


def done(battlemap, edit):
    assert edit is not None
    edit.apply(battlemap)
    return battlemap


# --- units ---------------------------------------------------------------------------------------


def test_no_unit_stands_in_the_edge_rows():
    battlemap = world(5, 4)
    refused = [bool(why_not_on(battlemap, cell)) for cell in range(20)]
    assert refused == [True] * 5 + [False] * 10 + [True] * 5


def test_capacity_and_volume_are_told():
    holds = CargoRules(period())
    assert holds.why_not("boat", ["men"], "men") == ""
    assert holds.why_not("boat", ["men", "men"], "men") == "Boat carries at most 2 men"
    assert holds.why_not("men", [], "boat") == "Men cannot carry boat"
    assert holds.why_not("town", ["boat", "boat"], "boat").startswith("Town has no room")
    assert not holds.can_carry("town", "dragon")


def test_a_unit_that_comes_onto_a_transport_is_loaded_even_if_that_is_full():
    boat = unit(1, "boat", 3, 3)
    men = [unit(n, "men", 5, 3) for n in (2, 3, 4)]
    battlemap = world(12, 8, boat, *men)
    holds = CargoRules(period())
    there = [replace(each, x=boat.x, y=boat.y) for each in men]
    found = settle_units_in(battlemap, there, holds)
    assert [thing.state["transport"] for thing in found.things] == [1, 1, 1]
    assert found.words == "Boat carries at most 2 men"
    away = settle_units_in(battlemap, [replace(thing, x=men[0].x) for thing in found.things], holds)
    assert all("transport" not in thing.state for thing in away.things)
    beside = settle_units_in(world(12, 8, unit(9, "men", 3, 3)), there[:1], holds)
    assert beside.words == "Two units on one hex: Men cannot carry men"


def test_units_are_loaded_by_command_with_what_they_carry():
    town = unit(1, "town", 3, 3)
    boat = unit(2, "boat", 6, 4)
    men = unit(3, "men", 6, 4, transport=2)
    battlemap = world(12, 8, town, boat, men)
    holds = CargoRules(period())
    assert carriers_for(battlemap, [boat], holds) == [town]
    edit, words = load(battlemap, [boat], town, holds)
    assert words == ""
    done(battlemap, edit)
    assert carriers_on(battlemap) == {2: 1, 3: 2}
    assert (
        len({(visible_thing.x, visible_thing.y) for visible_thing in battlemap.visible_things()})
        == 1
    )
    done(battlemap, unload(battlemap, [battlemap.thing(2)]))
    assert carriers_on(battlemap) == {3: 2}


# --- sides and conditions ------------------------------------------------------------------------

SIDES = Sides(tuple(Side(name) for name in NAMES.sides))


def game(*units):
    battlemap = world(12, 8, *units)
    done(battlemap, change_value(battlemap, "sides", SIDES))
    return battlemap


@given(st.lists(st.integers(-1, 2), max_size=6), st.integers(0, 2), st.lists(st.integers(0, 3)))
def test_removing_a_side_leaves_the_others_what_is_theirs(of_sides, gone, owners):
    units = [unit(n, "men", n % 12, 3, owner) for n, owner in enumerate(owners, 1)]
    battlemap = game(*units)
    done(battlemap, set_attitude(battlemap, 0, 2, ALLY))
    conditions = tuple(
        Condition(True, ConditionKind.TERRITORY, 0, 9, side, (side + 1,)) for side in of_sides
    )
    done(battlemap, change_value(battlemap, "globals", Globals(conditions=conditions)))
    before = battlemap.snapshot()
    edit = remove_side(battlemap, gone)
    done(battlemap, edit)
    left = [name for number, name in enumerate(NAMES.sides) if number != gone]
    assert [side.name for side in sides_of(battlemap).sides] == left
    was = {1 + n: name for n, name in enumerate(NAMES.sides)}
    now = {1 + n: name for n, name in enumerate(left)}
    for each in units:
        name = was.get(each.owner)
        assert now.get(battlemap.thing(each.id).owner) == (name if name in left else None)
    kept = [condition for condition in conditions if condition.side != gone]
    found = globals_of(battlemap).conditions
    assert [each.numbers for each in found] == [each.numbers for each in kept]
    assert [now.get(each.side + 1) for each in found] == [was.get(each.side + 1) for each in kept]
    allies = [side.attitudes.count(ALLY) for side in sides_of(battlemap).sides]
    assert sum(allies) == (gone == 1), "Ann and Cas were the allies"
    edit.inverse().apply(battlemap)
    assert battlemap.records == before.records


def test_a_new_side_has_won_and_lost_nothing_yet():
    battlemap = game()
    done(battlemap, change_side(battlemap, 0, player="1 * 1 90", statistics=("7 7",)))
    done(battlemap, add_side(battlemap, "Dan"))
    new = sides_of(battlemap).sides[-1]
    assert (new.player, new.statistics) == ("", ())


def test_a_new_side_knows_what_the_others_know():
    battlemap = game()
    done(battlemap, set_attitude(battlemap, 0, 1, ALLY))
    done(battlemap, change_side(battlemap, 0, view=unseen_view(battlemap.grid), counters=(4, 4, 4)))
    done(battlemap, add_side(battlemap, "Dan"))
    *_others, new = sides_of(battlemap).sides
    assert (new.name, new.attitudes, new.counters) == ("Dan", (0, 0, 0, 0), (1, 1, 1))
    assert len(new.view) == 8
    assert [len(side.attitudes) for side in sides_of(battlemap).sides] == [4] * 4
    assert new_name(SIDES, ("Ann", "Eve")) == "Eve"
    assert new_name(SIDES, ()) == "Side 1"
    assert all(why_not_name(name) for name in ("a*b", " ", "Łódź"))
    assert not why_not_name("Gödel of Zürich")


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        (
            Condition(True, ConditionKind.TERRITORY, 0, 1000, 0, (30,)),
            "Ann wins from turn 0 to 1,000 when it holds 30 or more territory",
        ),
        (
            Condition(False, ConditionKind.UNITS, 1, 20, -1, (0, 0, 0)),
            "Any side loses from turn 1 to 20 when it has no units left",
        ),
        (
            Condition(False, ConditionKind.UNITS, 0, 9, 1, (1000, 3, 1000)),
            "Bob loses from turn 0 to 9 when it has at most 3 boat",
        ),
        (
            Condition(False, ConditionKind.UNITS, 0, 9, 1, (0, 1000, 0)),
            "Bob loses from turn 0 to 9 when it has no men or town left",
        ),
        (
            Condition(True, ConditionKind.UNITS, 0, 9, 1, (2, 0, 1)),
            "Bob wins from turn 0 to 9 when it has at least 2 men and 1 town",
        ),
        (
            Condition(True, ConditionKind.PLACE, 0, 9, 2, (4, 5, 2)),
            "Cas wins from turn 0 to 9 when it has town on the hex 4,5",
        ),
        (
            Condition(False, ConditionKind.PLACE, 0, 9, 7, (4, 5, -1)),
            "Side 7, which is missing, loses from turn 0 to 9 when it has no unit on the hex 4,5",
        ),
    ],
)
def test_a_condition_says_what_it_means(condition, said):
    assert describe_condition(condition, NAMES) == said


@given(st.booleans(), st.integers(0, 2), st.integers(1, 900))
def test_only_one_type_counts_and_still_does_when_losing_becomes_winning(wins, index, number):
    condition = with_only_type(Condition(wins, ConditionKind.UNITS, 0, 9, 0, ()), index, number, 3)
    assert only_type(condition) == index
    assert only_type(cond.with_opposite_outcome(condition)) == index
    others = [each for at, each in enumerate(condition.numbers) if at != index]
    assert others == [cond.IDLE_TO_WIN if wins else cond.IDLE_TO_LOSE] * 2


@pytest.mark.parametrize("kind", ConditionKind)
@pytest.mark.parametrize("wins", [True, False])
def test_a_condition_has_the_numbers_of_its_kind(kind, wins):
    begun = Condition(wins, ConditionKind.TERRITORY, 0, 9, 0, (5,))
    made = cond.change_kind(begun, kind, NAMES)
    assert len(made.numbers) == cond.count_numbers(kind, NAMES)
    assert cond.with_number_for_each_type(made, NAMES) == made
    assert len(cond.with_number_for_each_type(replace(made, numbers=()), NAMES).numbers) == len(
        made.numbers
    )
    more = replace(made, numbers=(*made.numbers, 7))
    assert cond.with_number_for_each_type(more, NAMES) == made
    assert cond.with_number_for_each_type(more, NAMES._replace(provisional=True)) == more


# --- a side's view -------------------------------------------------------------------------------


def test_a_view_is_read_from_the_south_up():
    battlemap = world(6, 4)
    view = read_view(("?6", ".2m0?3", "mO.5", "bx?5"), battlemap.grid, 2)
    assert view is not None
    assert view.unseen.sum(axis=1).tolist() == [6, 3, 0, 5]
    assert [(each.cell, each.char, each.side) for each in view.units] == [
        (8, "m", 0),
        (12, "m", -1),
        (18, "b", -1),
    ]
    assert read_view((), battlemap.grid, 2) is None


def test_the_sides_in_a_view_move_up():
    assert view_without_side((".3m0b1", "mO?4", "m2.1"), 1) == (".3m0bO", "mO?4", "m1.1")


# --- terrain -------------------------------------------------------------------------------------


@given(st.integers(1, 9), st.integers(1, 7), st.integers(0, 5), st.data())
def test_the_brush_is_a_hexagon(width, height, radius, data):
    battlemap = world(width, height)
    grid = battlemap.grid
    cell = data.draw(st.integers(0, grid.size - 1))
    x, y = grid.xy(cell)
    reach = min(radius, width)
    wanted = {
        grid.cell((x + dx) % width, y + dy)
        for dy in range(-reach, reach + 1)
        for dx in range(-reach, reach + 1)
        if abs(dx + dy) <= reach and 0 <= y + dy < height
    }
    assert hexagon_cells(grid, cell, radius).tolist() == sorted(wanted)


def test_a_bar_goes_east_and_999_floods():
    grid = world(6, 4).grid
    assert bar_cells(grid, grid.cell(4, 2), 3).tolist() == [12, 16, 17]
    assert bar_cells(grid, grid.cell(4, 2), 99).tolist() == list(range(12, 18))
    assert len(hexagon_cells(world(60, 30).grid, 700, 999)) == 1800


def ways_round(grid, walls):
    """Whether a way leads round the world and back to the same cell, crossing no wall."""
    start = next(cell for cell in range(grid.size) if cell not in walls)
    reached = {start: 0}
    rim = [start]
    while rim:
        cell = rim.pop()
        for to in grid.neighbours(cell):
            step = grid.xy(to)[0] - grid.xy(cell)[0]
            turns = reached[cell] + (step < -1) - (step > 1)
            if to in walls:
                continue
            if to not in reached:
                reached[to] = turns
                rim.append(to)
            elif reached[to] != turns:
                return True
    return False


@pytest.mark.parametrize("upright", [True, False])
def test_a_wall_at_the_seam_leaves_no_way_round(upright):
    grid = replace(world(8, 6).grid, lean=not upright)
    walls = set(seam_cells(grid).tolist())
    assert len(walls) == 6
    assert ways_round(grid, set())
    assert not ways_round(grid, walls)
    assert ways_round(grid, walls - {sorted(walls)[2]})
    assert len(seam_cells(grid, 2)) == 12
    assert edge_cells(grid).tolist() == [*range(8), *range(40, 48)]


# --- shuffling -----------------------------------------------------------------------------------


@given(st.integers(0, 2**32 - 1), st.integers(0, 4), st.data())
def test_shuffled_units_stay_near_on_what_they_can_move_on(seed, most, data):
    places = st.tuples(st.integers(0, 7), st.integers(1, 5))
    at = data.draw(st.lists(places, min_size=1, max_size=8, unique=True))
    kinds = data.draw(st.lists(st.sampled_from(["men", "boat", "town"]), min_size=8, max_size=8))
    units = [
        unit(n, kind, *place) for n, (place, kind) in enumerate(zip(at, kinds, strict=False), 1)
    ]
    battlemap = world(8, 7, *units)
    plane = battlemap.layers[0].planes["terrain"]
    plane[:, 4:] = SEA
    grid = battlemap.grid
    before = {each.id: each for each in units}
    edit = shuffle_units(battlemap, battlemap.composite(), period(), before, most, seed)
    if edit is not None:
        edit.apply(battlemap)
    now = {visible_thing.id: visible_thing for visible_thing in battlemap.visible_things()}
    cells = [grid.cell_at(each.x, each.y) for each in now.values()]
    assert len(set(cells)) == len(cells), "one to a hex"
    for number, thing in now.items():
        cell, old = (grid.cell_at(t.x, t.y) for t in (thing, before[number]))
        if cell == old:
            continue
        assert thing.kind != "town"
        assert not why_not_on(battlemap, cell)
        assert plane.flat[cell] == {"men": LAND, "boat": SEA}[thing.kind]
        assert cell in hexagon_cells(grid, old, most)
    again = world(8, 7, *units)
    again.layers[0].planes["terrain"][:] = plane
    assert shuffle_units(again, again.composite(), period(), before, most, seed) == edit


def test_what_a_unit_carries_is_shuffled_with_it():
    boat = unit(1, "boat", 3, 3)
    men = unit(2, "men", 3, 3, transport=1)
    battlemap = world(8, 7, boat, men, terrain=SEA)
    for seed in range(4):
        edit = shuffle_units(battlemap, battlemap.composite(), period(), (1, 2), 2, seed)
        if edit is not None:
            edit.apply(battlemap)
        assert carriers_on(battlemap) == {2: 1}
    locked = battlemap.layers[0]
    battlemap.layers[0] = Layer(1, "World", planes=locked.planes, things=locked.things, locked=True)
    assert shuffle_units(battlemap, battlemap.composite(), period(), (1, 2), 2, 5) is None


# --- files ---------------------------------------------------------------------------------------

FILE = """Xconq 1 --+--+ A town with a boat in it
tiny.per
Map 5 4 100 1 0
5.
5+
5+
5.
Units 3 1 0
@ York 2,1 -1
b * 2,1 -1
m * 3,1 -1
"""


def test_units_on_one_hex_of_a_file_are_loaded_into_the_first():
    battlemap = read_with(FILE.encode(), None, {"tiny.per": TEXT.encode()}).battlemap
    assert battlemap is not None
    assert carriers_on(battlemap) == {2: 1}
    assert write_mapfile(battlemap).data.decode().endswith(FILE[FILE.index("Units") :])


def test_what_a_detail_leaves_out_is_said():
    units = unit(1, "men", 3, 3, 1, hp=0), unit(2, "men", 4, 3, 1, more={"orders": ("x",)})
    battlemap = game(*units)

    def lost(text):
        found = detail_losses(battlemap, SaveDetails.parse(text))
        return [each.message.split(": ")[1] for each in found]

    assert lost("ms1u1") == [
        "hit points, quality, supplies or transport of 1 unit",
        "orders of 1 unit",
    ]
    done(battlemap, set_attitude(battlemap, 0, 1, ALLY))
    assert lost("ms1u2") == ["attitudes of the sides", "orders of 1 unit"]
    assert lost("ms2u3") == []
    assert lost("m") == []


@pytest.mark.skipif(not SAVED.is_file(), reason="the recorded files are not beside the checkout")
def test_the_brush_paints_what_the_real_program_painted():
    before, after = (read_with(path.read_bytes()).battlemap for path in (STEPPES, SAVED))
    grid = before.grid
    plane = before.composite().planes["terrain"].copy()
    names = [terrain.letters for terrain in before.terrain_set.terrains]
    at = grid.cell(10, 13)
    plane.flat[hexagon_cells(grid, at, 3)] = names.index(".")
    plane.flat[bar_cells(grid, at, 7)] = names.index("^")
    assert np.array_equal(plane, after.composite().planes["terrain"])


@pytest.mark.skipif(not SAVED.is_file(), reason="the recorded files are not beside the checkout")
def test_the_views_of_a_saved_game_show_its_units():
    battlemap = read_with((SAVED.parent / "gms3u3.scn").read_bytes()).battlemap
    sides = sides_of(battlemap).sides
    standing = {
        battlemap.grid.cell_at(thing.x, thing.y): thing.owner
        for thing in battlemap.visible_things()
    }
    for side in sides:
        view = read_view(side.view, battlemap.grid, len(sides))
        assert not view.unseen.any(), "they know the map"
        assert {unit.cell: unit.side + 1 for unit in view.units} == standing
