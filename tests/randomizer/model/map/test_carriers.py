"""Things that carry others: the link counts while both stand together, and copies keep it."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from randomizer.geometry.stamp_cutting import cut_things
from randomizer.geometry.stamp_placing import place
from randomizer.geometry.stamp_text import decode, encode
from randomizer.model.edits.layer_edits import duplicate, from_cells
from randomizer.model.edits.thing_copies import layers_with_ids
from randomizer.model.edits.thing_edits import add_things, remove_things
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.carriers import carried_by, carriers, carriers_first, carriers_on, link_of
from randomizer.model.map.layer import Layer
from randomizer.model.things.thing_rules import ThingRules
from randomizer.model.things.things import Thing, Things
from tests.systems import system_like
from tests.test_system.system import SYSTEM

HERDS = system_like(SYSTEM, name="herds", title="Herds", thing_rules=ThingRules(carrier="on"))


def thing(number: int, x: float, y: float, on: int | None = None) -> Thing:
    return Thing(number, "sheep", x, y, state={} if on is None else {"on": on})


def herd(*things: Thing) -> BattleMap:
    return BattleMap.new(HERDS, layers=[Layer(1, "Ground", things=Things(things))])


A_CART = thing(1, 2, 2), thing(2, 2, 2, 1), thing(3, 2, 2, 2), thing(4, 5, 5)


@st.composite
def crowds(draw) -> list[Thing]:
    count = draw(st.integers(1, 8))
    column = st.integers(0, 1)
    link = st.none() | st.integers(1, count + 2)
    return [thing(number, draw(column), 0, draw(link)) for number in range(1, count + 1)]


def test_a_link_counts_while_both_stand_on_one_cell():
    assert carriers_on(herd(*A_CART)) == {2: 1, 3: 2}
    assert carriers_on(herd(thing(1, 2, 2), thing(2, 3, 2, 1))) == {}, "on another cell"
    assert carriers_on(herd(thing(2, 3, 2, 1))) == {}, "its carrier is gone"


def test_what_is_carried_in_turn_is_carried_too():
    battlemap = herd(*A_CART)
    assert sorted(carried_by(battlemap, [1])) == [2, 3]
    assert carried_by(battlemap, [2]) == [3]
    assert sorted(carried_by(battlemap, [1, 2])) == [3]
    assert carried_by(battlemap, [4]) == []


@given(crowds())
def test_no_thing_carries_itself_and_carriers_come_first(crowd):
    grid = herd().grid
    order = carriers_first(grid, "on", crowd)
    links = carriers(grid, "on", crowd)
    assert sorted(each.id for each in order) == [each.id for each in crowd]
    place_of = {each.id: number for number, each in enumerate(order)}
    assert all(place_of[above] < place_of[carried] for carried, above in links.items())


@given(crowds())
def test_copies_of_all_things_are_carried_as_these_are(crowd):
    battlemap = herd(*crowd)
    links = carriers_on(battlemap)
    later = len(crowd)
    edit = add_things(battlemap, 1, [replace(each, x=each.x + 4) for each in crowd])
    assert edit is not None
    edit.apply(battlemap)
    copied = {carried + later: above + later for carried, above in links.items()}
    assert carriers_on(battlemap) == links | copied


def test_a_copy_without_its_carrier_is_carried_by_nothing():
    battlemap = herd(*A_CART)
    edit = add_things(battlemap, 1, [replace(A_CART[1], x=7.0)])
    assert edit is not None
    edit.apply(battlemap)
    assert link_of(battlemap.thing(5), "on") is None


def test_a_stamp_keeps_who_carries_whom_through_the_clipboard():
    battlemap = herd(*A_CART)
    stamp = decode(encode(cut_things(battlemap, A_CART[:3])))
    edit = place(battlemap, stamp, battlemap.grid.cell(8, 8), 1)
    assert edit is not None
    edit.apply(battlemap)
    assert carriers_on(battlemap) == {2: 1, 3: 2, 6: 5, 7: 6}
    another = replace(A_CART[1], label="Dolly")  # an equal one would not be laid down
    alone = decode(encode(cut_things(battlemap, [another])))
    edit = place(battlemap, alone, battlemap.grid.cell(2, 2), 1)
    assert edit is not None
    edit.apply(battlemap)
    assert 8 not in carriers_on(battlemap), "its carrier was not copied"


def test_what_is_laid_beside_its_carrier_alone_is_carried_by_that_one():
    battlemap = herd(*A_CART)
    stamp = cut_things(battlemap, A_CART[:3])
    cell = battlemap.grid.cell(2, 2)
    assert place(battlemap, stamp, cell, 1) is None, "all stand there already"
    removal = remove_things(battlemap, [3])
    assert removal is not None
    removal.apply(battlemap)
    edit = place(battlemap, stamp, cell, 1)
    assert edit is not None
    edit.apply(battlemap)
    assert carriers_on(battlemap) == {2: 1, 5: 2}


def test_units_that_are_pasted_alone_onto_equal_ones_become_a_stack():
    rules = ThingRules(in_cells=True)
    troops = system_like(SYSTEM, name="troops", title="Troops", thing_rules=rules)
    battlemap = BattleMap.new(troops, layers=[Layer(1, "Ground", things=Things([A_CART[0]]))])
    cell = battlemap.grid.cell_at(A_CART[0].x, A_CART[0].y)
    edit = place(battlemap, cut_things(battlemap, [A_CART[0]]), cell, 1)
    assert edit is not None
    edit.apply(battlemap)
    assert len(list(battlemap.visible_things())) == 2


def test_copied_layers_keep_who_carries_whom():
    battlemap = herd(*A_CART)
    step = duplicate(battlemap, 1)
    step.edit.apply(battlemap)
    assert carriers_on(battlemap) == {2: 1, 3: 2, 6: 5, 7: 6}
    (merged,) = layers_with_ids(herd(*A_CART).layers, battlemap)
    assert carriers(battlemap.grid, "on", merged.things.values()) == {10: 9, 11: 10}
    part = from_cells(battlemap, 1, battlemap.grid.cells)
    assert part is not None
    part.edit.apply(battlemap)
    assert carriers_on(battlemap) == {2: 1, 3: 2, 6: 5, 7: 6, 10: 9, 11: 10}


def test_what_a_deleted_thing_carried_stays_and_is_carried_again_after_undo():
    battlemap = herd(*A_CART)
    edit = remove_things(battlemap, [1])
    assert edit is not None
    edit.apply(battlemap)
    assert carriers_on(battlemap) == {3: 2}
    edit.inverse().apply(battlemap)
    assert carriers_on(battlemap) == {2: 1, 3: 2}


def test_things_off_the_map_stand_on_no_cell_together():
    assert carriers_on(herd(thing(1, -50, 0), thing(2, 900, 0, 1))) == {}
