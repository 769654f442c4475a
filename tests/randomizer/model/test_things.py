"""Placed things: exchanged by edits, never half."""

import pytest

from randomizer.model.edit import ThingsEdit
from randomizer.model.things import Thing, Things
from tests.systems import tile_map

TENT = Thing(1, "tent", 0.5, 0.25)
TREE = Thing(2, "tree", 2.0, 2.0, angle=90.0, owner=1, label="Old oak")


def test_things_go_and_come_and_come_back():
    battlemap = tile_map(4)
    put = ThingsEdit((), (TREE, TENT))
    put.apply(battlemap)
    assert list(battlemap.things.values()) == [TENT, TREE]
    moved = ThingsEdit((TENT,), (Thing(1, "tent", 3.0, 3.0),))
    moved.apply(battlemap)
    assert battlemap.things[1].x == 3.0
    for edit in (moved, put):
        edit.inverse().apply(battlemap)
    assert dict(battlemap.things) == {}


def test_what_is_not_there_cannot_go_and_nothing_changes():
    things = Things([TENT])
    for before, after in (((TREE,), ()), ((), (TENT,)), ((Thing(1, "hut", 0, 0),), (TREE,))):
        with pytest.raises(KeyError):
            things.exchange(before, after)
        assert list(things.values()) == [TENT]


def test_arrays_follow_the_things():
    things = Things([TENT])
    assert things.arrays().kind_names == ("tent",)
    assert things.arrays() is things.arrays()
    things.exchange((), (TREE,))
    arrays = things.arrays()
    assert arrays.points.tolist() == [[0.5, 0.25], [2.0, 2.0]]
    assert [arrays.kind_names[kind] for kind in arrays.kinds] == ["tent", "tree"]
    assert arrays.owners.tolist() == [0, 1]
    assert things.free_id() == 3


def test_no_things_are_arrays_too():
    assert Things().arrays().points.shape == (0, 2)


def test_the_region_is_the_cells_they_lie_on():
    battlemap = tile_map(4)
    region = ThingsEdit((), (TENT, TREE, Thing(3, "lost", 99.0, 99.0))).region(battlemap)
    assert region.things
    assert region.cells.tolist() == [battlemap.grid.cell_at(0.5, 0.25), battlemap.grid.cell(2, 2)]
