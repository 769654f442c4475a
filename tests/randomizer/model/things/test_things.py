"""Placed things: exchanged by edits, never half."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.model.edits.edit import ThingsEdit
from randomizer.model.grid.box import Box
from randomizer.model.things.thing_index import ThingIndex
from randomizer.model.things.things import Thing, Things
from tests.counting import calls_of
from tests.systems import tile_map

TENT = Thing(1, "tent", 0.5, 0.25)
TREE = Thing(2, "tree", 2.0, 2.0, angle=90.0, owner=1, label="Old oak")


def test_things_go_and_come_and_come_back():
    battlemap = tile_map(4)
    put = ThingsEdit(1, (), (TREE, TENT))
    put.apply(battlemap)
    assert list(battlemap.layers[0].things.values()) == [TENT, TREE]
    moved = ThingsEdit(1, (TENT,), (Thing(1, "tent", 3.0, 3.0),))
    moved.apply(battlemap)
    assert battlemap.layers[0].things[1].x == 3.0
    for edit in (moved, put):
        edit.inverse().apply(battlemap)
    assert dict(battlemap.layers[0].things) == {}


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


def test_no_things_are_arrays_too():
    assert Things().arrays().points.shape == (0, 2)


numbers = st.floats(-40, 40, allow_nan=False) | st.integers(-10, 10).map(float)
kept = st.builds(
    Thing,
    st.integers(1, 12),
    st.sampled_from(["tent", "tree", "hut"]),
    numbers,
    numbers,
    st.sampled_from([0.0, 90.0]),
    st.integers(0, 2),
)
steps = st.lists(st.tuples(st.lists(kept, max_size=4), st.booleans()), max_size=12)


@settings(max_examples=40, deadline=None)
@given(
    steps=steps, corner=st.tuples(numbers, numbers), size=st.sampled_from([0.0, 2.0, 30.0, 500.0])
)
def test_things_that_are_patched_are_as_things_made_of_the_same(steps, corner, size):
    """Arrays, order, kinds and what lies where do not depend on how the things came to be."""
    patched = Things()
    undo = []
    patched.arrays()
    for drawn, back in steps:
        if back and undo:
            before, after = undo.pop()
        else:
            after = tuple({thing.id: thing for thing in drawn}.values())
            before = tuple(patched[thing.id] for thing in after if thing.id in patched)
            after = after[: len(after) // 2 + 1]
            undo.append((after, before))
        patched.exchange(before, after)
    made = Things(reversed(list(patched.values())))
    for things in (patched, patched.copy()):
        assert list(things) == list(things.keys()) == sorted(made)
        assert list(things.values()) == list(made.values())
        assert things.kinds == made.kinds
        _same_arrays(things.arrays(), made.arrays())
        box = Box(*corner, corner[0] + size, corner[1] + size)
        _same_arrays(things.within(box), made.within(box))
        inside = [
            thing.id
            for thing in made.values()
            if box[0] <= thing.x <= box[2] and box[1] <= thing.y <= box[3]
        ]
        assert things.within(box).ids.tolist() == inside


def _same_arrays(ours, theirs):
    for name in ("ids", "points", "angles", "owners"):
        assert getattr(ours, name).tolist() == getattr(theirs, name).tolist(), name
    assert [ours.kind_names[kind] for kind in ours.kinds] == [
        theirs.kind_names[kind] for kind in theirs.kinds
    ]


@pytest.mark.parametrize(
    "odd",
    [
        Thing(3, "tent", math.nan, 0.0),
        Thing(3, "tent", 0.0, math.inf),
        Thing(2**63, "tent", 0.0, 0.0),
        Thing(3, "tent", 0.0, 0.0, owner=2**63),
    ],
)
def test_numbers_that_arrays_cannot_hold_change_nothing(odd):
    things = Things([TENT])
    things.arrays()
    with pytest.raises(ValueError, match=r"64 bits|position"):
        things.exchange((TENT,), (TREE, odd))
    assert list(things.values()) == [TENT]
    assert things.arrays().ids.tolist() == [1]


def test_moving_one_costs_the_same_among_few_and_among_many():
    def calls(number):
        things = tile_map(64, things=number).layers[0].things
        things.arrays()
        one = things[7]
        return calls_of(lambda: things.exchange((one,), (Thing(7, one.kind, 3.0, 3.0),)))

    assert calls(3000) == calls(30) < 100


def test_rows_of_removed_things_are_used_again():
    things = [Thing(number, "tent", number, 0.0) for number in range(1, 101)]
    index = ThingIndex(things)
    rows = index.row_count
    for _ in range(5):
        index.replace(things[::2], ())
        index.replace((), things[::2])
    assert index.row_count == rows
    assert index.all().ids.tolist() == list(range(1, 101))
