"""Edits: undone bit for bit, with the right region, and invalid ones rejected."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.model.edits import layer_edits
from randomizer.model.edits.edit import Compound, Edit, LockEdit, PlaneEdit, PropertyEdit, Region
from randomizer.model.edits.merged_edits import squash
from randomizer.model.edits.stack_edits import (
    LayerField,
    LayerInsert,
    LayerMove,
    LayerRemove,
    LayerReplace,
)
from randomizer.model.edits.value_edits import compound, set_locks, set_property, set_values
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, Roll
from randomizer.model.planes.planes import TOUCHED, Element, Plane
from randomizer.model.system.property import UNSET as NOT_SET
from tests.randomizer.map_strategies import TOY, TOY_HEXES, battlemaps, contents, edits

UNSET = TOY.plane("terrain").unset
A_ROLL = Roll("", "Toy.rnd", "", {}, 1, 0)


def toy_map(*layers: Layer) -> BattleMap:
    """3 x 2 squares: cells 0 1 2 above 3 4 5."""
    return BattleMap.new(TOY, Grid(SQUARE, 3, 2), layers or [Layer(1, "Ground")])


def done(battlemap: BattleMap, edit: Edit | None) -> Edit:
    """The edit, applied."""
    assert edit is not None
    edit.apply(battlemap)
    return edit


def terrain(battlemap: BattleMap, layer_id: int = 1) -> list[int]:
    found: list[int] = battlemap.layer(layer_id).planes["terrain"].ravel().tolist()
    return found


# --- any edits, in any order ----------------------------------------------------------------------


@given(battlemaps(), st.data())
def test_inverses_backwards_restore_every_state_on_the_way(
    battlemap: BattleMap, data: st.DataObject
) -> None:
    states = [contents(battlemap)]
    undo = []
    for _ in range(data.draw(st.integers(1, 6), "steps")):
        edit = data.draw(edits(battlemap))
        if edit is not None:
            edit.apply(battlemap)
            states.append(contents(battlemap))
            undo.append(edit)
    for edit in reversed(undo):
        assert contents(battlemap) == states.pop()
        edit.inverse().apply(battlemap)
    assert contents(battlemap) == states.pop()


@given(battlemaps(), st.data())
def test_many_edits_squashed_are_the_same_as_one_by_one(
    battlemap: BattleMap, data: st.DataObject
) -> None:
    first = contents(battlemap)
    all_edits = []
    for _ in range(data.draw(st.integers(1, 6), "steps")):
        edit = data.draw(edits(battlemap))
        if edit is not None:
            edit.apply(battlemap)
            all_edits.append(edit)
    last = contents(battlemap)
    for edit in reversed(all_edits):
        edit.inverse().apply(battlemap)
    squashed = squash(all_edits)
    if squashed is None:
        assert first == last
        return
    squashed.apply(battlemap)
    assert contents(battlemap) == last
    squashed.inverse().apply(battlemap)
    assert contents(battlemap) == first


def changed_cells(grid: Grid, element: Element, before: Plane, after: Plane) -> set[int]:
    found = set()
    for where in np.argwhere(before != after).tolist():
        y, x = where[:2]
        if element is Element.CORNER:
            around = {(y + dy, x + dx) for dy in (-1, 0) for dx in (-1, 0)}
            found |= {(row, column) for row, column in around if grid.cell(column, row) >= 0}
        else:
            found.add((y, x))
    return {y * grid.width + x for y, x in found if 0 <= x < grid.width and 0 <= y < grid.height}


@given(battlemaps(least=2), st.data())
def test_the_region_covers_whatever_looks_different(
    battlemap: BattleMap, data: st.DataObject
) -> None:
    for _ in range(4):
        edit = data.draw(edits(battlemap))
        if edit is not None:
            check_region(battlemap, edit)


def check_region(battlemap: BattleMap, edit: Edit) -> None:
    shown = battlemap.composite()
    stack = contents(battlemap)[:-2]
    locks = battlemap.locked_cells.copy(), battlemap.locked_sides.any(axis=2)
    about = [(layer.id, layer.name, layer.visible) for layer in battlemap.layers]
    edit.apply(battlemap)
    region = edit.region(battlemap)
    now = battlemap.composite()
    different: set[int] = set()
    for spec in battlemap.system.shown_planes:
        before = shown.planes[spec.name]
        after = now.planes[spec.name]
        different |= changed_cells(battlemap.grid, spec.element, before, after)
    assert region.everything or different <= set(region.cells.tolist())
    if shown.properties.get("startlist") != now.properties.get("startlist"):
        assert region.everything
    if about != [(layer.id, layer.name, layer.visible) for layer in battlemap.layers]:
        assert region.structure
    locked = (locks[0] != battlemap.locked_cells) | (locks[1] != battlemap.locked_sides.any(axis=2))
    assert set(np.flatnonzero(locked).tolist()) <= set(region.cells.tolist())
    if locked.any():
        assert region.locks
        assert contents(battlemap)[:-2] == stack


# --- values ---------------------------------------------------------------------------------------


def test_only_places_that_change_are_in_the_edit() -> None:
    battlemap = toy_map()
    done(battlemap, set_values(battlemap, 1, "terrain", [4, 1], [7, 8]))
    edit = set_values(battlemap, 1, "terrain", [5, 4, 1, 4], [7, 7, 9, 7])
    assert isinstance(edit, PlaneEdit)
    assert edit.index.tolist() == [1, 5]
    assert (edit.old_values.tolist(), edit.new_values.tolist()) == ([8, UNSET], [9, 7])
    assert set_values(battlemap, 1, "terrain", [1, 4], [8, 7]) is None
    assert set_values(battlemap, 1, "terrain", [], 3) is None
    assert set_values(battlemap, 1, "terrain", [], []) is None
    assert set_values(battlemap, 1, "elevation", [0, 1], TOY.plane("elevation").unset) is None


def test_a_plane_that_a_layer_lacks_is_made_when_it_is_needed() -> None:
    battlemap = toy_map()
    edit = set_values(battlemap, 1, "hexside", [7, 8], 2)
    assert battlemap.layer(1).planes == {}
    done(battlemap, edit)
    plane = battlemap.layer(1).planes["hexside"]
    assert (plane.dtype, plane.shape) == (np.uint8, (2, 3, 4))
    assert plane[0, 1].tolist() == [0xFF, 0xFF, 0xFF, 2]
    assert plane[0, 2].tolist() == [2, 0xFF, 0xFF, 0xFF]


def test_places_can_be_given_as_an_array_and_each_with_its_value() -> None:
    battlemap = toy_map()
    done(battlemap, set_values(battlemap, 1, "elevation", np.array([5, 0]), np.array([-2, 3])))
    assert battlemap.layer(1).planes["elevation"].flat[[0, 5]].tolist() == [3, -2]


@pytest.mark.parametrize(
    ("plane", "value"),
    [
        ("terrain", 0x1_0000),
        ("terrain", -1),
        ("hexside", 256),
        ("elevation", 40_000),
        ("elevation", -40_000),
        ("height", 2**31),
        ("height", 2**70),
        ("terrain", 1.5),
        ("terrain", "Bog"),
        ("terrain", None),
        ("terrain", [1, 70_000]),
        ("elevation", np.array([1, 40_000])),
        ("elevation", np.array([1, 2**63], np.uint64)),
    ],
)
def test_a_value_that_the_plane_cannot_hold_is_refused(plane: str, value: object) -> None:
    battlemap = toy_map()
    with pytest.raises(ValueError, match="the values of a plane are whole numbers from"):
        set_values(battlemap, 1, plane, [0, 1], value)
    assert battlemap.layer(1).planes == {}


def test_an_edit_made_by_hand_is_held_to_the_plane_too() -> None:
    battlemap = toy_map()
    done(battlemap, set_values(battlemap, 1, "terrain", [0], 5))
    wrong = PlaneEdit(1, "terrain", np.array([0]), np.array([5]), np.array([70_000]))
    with pytest.raises(ValueError, match="from 0 to 65535"):
        wrong.apply(battlemap)
    assert terrain(battlemap)[0] == 5
    done(battlemap, PlaneEdit(1, "terrain", np.array([0]), np.array([5]), np.array([6])))
    assert terrain(battlemap)[0] == 6


def test_places_off_the_plane_are_refused() -> None:
    battlemap = toy_map()
    for index in ([-1], [6], [0, 99]):
        with pytest.raises(IndexError, match="elements are 0 to 5"):
            set_values(battlemap, 1, "terrain", index, 1)
        with pytest.raises(IndexError, match="elements are 0 to 5"):
            set_locks(battlemap, index, True)
    with pytest.raises(IndexError, match="elements are 0 to 23"):
        set_locks(battlemap, [24], True, sides=True)
    with pytest.raises(IndexError, match="elements are 0 to 11"):
        set_values(battlemap, 1, "height", [12], 1)


def test_values_that_do_not_go_with_the_places_are_refused() -> None:
    battlemap = toy_map()
    with pytest.raises(ValueError, match="broadcast"):
        set_values(battlemap, 1, "terrain", [0, 1, 2], [1, 2])
    with pytest.raises(ValueError, match="one place cannot have two values"):
        set_values(battlemap, 1, "terrain", [0, 1, 0], [1, 2, 3])


def test_a_layer_or_plane_that_is_not_there_is_refused() -> None:
    battlemap = toy_map()
    with pytest.raises(KeyError):
        set_values(battlemap, 2, "terrain", [0], 1)
    with pytest.raises(KeyError):
        set_values(battlemap, 1, "weather", [0], 1)
    edit = set_values(battlemap, 1, "terrain", [0], 1)
    assert edit is not None
    with pytest.raises(KeyError):
        edit.apply(toy_map(Layer(2, "Other")))


def test_a_rolled_layer_is_marked_where_a_hand_painted() -> None:
    """Where the hand gave the value that was there, too: that value is now meant."""
    battlemap = toy_map(Layer(1, "Toy", roll=A_ROLL))
    battlemap.layers[0].planes["terrain"] = np.full((2, 3), 4, np.uint16)
    edit = done(battlemap, set_values(battlemap, 1, "terrain", [1, 2], [4, 5]))
    assert terrain(battlemap) == [4, 4, 5, 4, 4, 4]
    marks = battlemap.layers[0].planes[TOUCHED + "terrain"]
    assert marks.ravel().tolist() == [0, 1, 1, 0, 0, 0]
    assert set_values(battlemap, 1, "terrain", [1, 2], [4, 5]) is None
    edit.inverse().apply(battlemap)
    assert not marks.any()
    done(battlemap, set_values(battlemap, 1, "origin", [1], 2))
    assert TOUCHED + "origin" not in battlemap.layers[0].planes


# --- properties, locks ----------------------------------------------------------------------------


def test_a_property_is_set_once_and_marked_in_a_rolled_layer() -> None:
    battlemap = toy_map(Layer(1, "Ground"), Layer(2, "Toy", roll=A_ROLL))
    done(battlemap, set_property(battlemap, 1, "title", "Moor"))
    assert battlemap.composite().properties.get("title") == "Moor"
    assert set_property(battlemap, 1, "title", "Moor") is None
    assert battlemap.layer(1).touched_properties == frozenset()
    first = done(battlemap, set_property(battlemap, 2, "tower", True))
    done(battlemap, set_property(battlemap, 2, "tower", False))
    assert battlemap.layer(2).touched_properties == {"tower"}
    done(battlemap, set_property(battlemap, 2, "tower", True))
    first.inverse().apply(battlemap)
    assert battlemap.layer(2).touched_properties == frozenset()


@pytest.mark.parametrize("name", ["name", "planes", "touched_properties", "colour"])
def test_only_properties_are_properties(name: str) -> None:
    with pytest.raises(KeyError, match=name):
        set_property(toy_map(), 1, name, "x")


def test_a_field_that_layers_have_not_is_refused() -> None:
    battlemap = toy_map()
    with pytest.raises(AttributeError):
        LayerField(1, "colour", None, "red").apply(battlemap)
    assert not hasattr(battlemap.layer(1), "colour")


def test_locks_change_only_where_they_differ() -> None:
    battlemap = toy_map()
    done(battlemap, set_locks(battlemap, [4, 1, 4], True))
    assert np.flatnonzero(battlemap.locked_cells).tolist() == [1, 4]
    edit = set_locks(battlemap, [1, 2], True)
    assert isinstance(edit, LockEdit)
    assert edit.index.tolist() == [2]
    assert set_locks(battlemap, [0, 3], False) is None
    assert set_locks(battlemap, [], True) is None
    done(battlemap, set_locks(battlemap, [17], True, sides=True))
    assert battlemap.locked_sides[1, 1].tolist() == [False, True, False, False]


# --- the stack ------------------------------------------------------------------------------------


def test_a_layer_comes_where_it_is_put() -> None:
    battlemap = toy_map()
    done(battlemap, LayerInsert(0, Layer(2, "Below")))
    done(battlemap, LayerInsert(2, Layer(3, "Above")))
    assert [layer.id for layer in battlemap.layers] == [2, 1, 3]
    done(battlemap, LayerMove(0, 2))
    assert [layer.id for layer in battlemap.layers] == [1, 3, 2]


def test_the_stack_is_guarded_against_edits_of_another_map() -> None:
    battlemap = toy_map(Layer(1, "Ground"), Layer(2, "Top"))
    before = contents(battlemap)
    with pytest.raises(ValueError, match="has a layer 2 already"):
        LayerInsert(0, Layer(2, "Again")).apply(battlemap)
    for position in (-1, 3):
        with pytest.raises(IndexError, match="no position"):
            LayerInsert(position, Layer(3, "New")).apply(battlemap)
    for move in (LayerMove(0, 2), LayerMove(2, 0), LayerMove(-1, 0), LayerMove(0, -1)):
        with pytest.raises(IndexError, match="no position"):
            move.apply(battlemap)
    for edit in (
        LayerRemove(0, battlemap.layers[1]),
        LayerRemove(0, Layer(9, "Foreign")),
        LayerReplace(1, Layer(1, "Ground"), Layer(1, "Ground")),
    ):
        with pytest.raises(KeyError):
            edit.apply(battlemap)
    assert contents(battlemap) == before


# --- several as one -------------------------------------------------------------------------------


def test_several_edits_are_flattened_into_one() -> None:
    one = LayerMove(0, 1)
    two = LayerMove(1, 0)
    assert compound([]) is None
    assert compound([None, None]) is None
    assert compound([None, one]) is one
    both = compound([one, None, Compound((two, one))])
    assert isinstance(both, Compound)
    assert both.edits == (one, two, one)


def test_a_compound_that_fails_changes_nothing() -> None:
    battlemap = toy_map()
    before = contents(battlemap)
    paint = set_values(battlemap, 1, "terrain", [0], 1)
    title = set_property(battlemap, 1, "title", "Moor")
    missing = LayerField(7, "name", "a", "b")
    failing = compound([paint, title, missing])
    assert failing is not None
    with pytest.raises(KeyError):
        failing.apply(battlemap)
    assert contents(battlemap) == before


def test_a_stroke_becomes_one_edit_for_each_plane() -> None:
    battlemap = toy_map()
    stroke = [
        done(battlemap, set_values(battlemap, 1, plane, [cell], value))
        for plane, cell, value in (
            ("terrain", 3, 1),
            ("elevation", 3, 2),
            ("terrain", 1, 1),
            ("terrain", 3, 5),
        )
    ]
    lock = done(battlemap, set_locks(battlemap, [0], True))
    unlock = done(battlemap, set_locks(battlemap, [0, 1], False))
    squashed = squash([Compound((stroke[0], stroke[1])), *stroke[2:], lock, unlock])
    assert isinstance(squashed, Compound)
    ground, heights = squashed.edits
    assert isinstance(ground, PlaneEdit)
    assert isinstance(heights, PlaneEdit)
    assert (ground.index.tolist(), ground.new_values.tolist()) == ([1, 3], [1, 5])
    assert ground.old_values.tolist() == [UNSET, UNSET]
    assert heights.index.tolist() == [3]


def test_a_stroke_that_ends_as_it_began_is_nothing() -> None:
    battlemap = toy_map()
    there = done(battlemap, set_values(battlemap, 1, "terrain", [2], 1))
    back = done(battlemap, set_values(battlemap, 1, "terrain", [2], UNSET))
    assert squash([there, back]) is None
    assert squash([]) is None


def test_an_edit_of_the_stack_parts_a_stroke() -> None:
    """The planes of a layer that comes and goes are not mixed with what was before."""
    battlemap = toy_map()
    paint = done(battlemap, set_values(battlemap, 1, "terrain", [2], 1))
    new = done(battlemap, LayerInsert(1, Layer(2, "New")))
    again = done(battlemap, set_values(battlemap, 1, "terrain", [2], 3))
    squashed = squash([paint, new, again])
    assert isinstance(squashed, Compound)
    assert squashed.edits == (paint, new, again)


# --- regions --------------------------------------------------------------------------------------


def test_a_corner_touches_the_four_cells_around_it() -> None:
    battlemap = toy_map()

    def cells_of(corner: int) -> list[int]:
        edit = set_values(battlemap, 1, "height", [corner], 9)
        assert edit is not None
        cells: list[int] = edit.region(battlemap).cells.tolist()
        return cells

    assert cells_of(0) == [0]
    assert cells_of(3) == [2]
    assert cells_of(5) == [0, 1, 3, 4]
    assert cells_of(11) == [5]


def test_a_hexside_touches_the_cell_that_owns_it() -> None:
    battlemap = BattleMap.new(TOY_HEXES, Grid(FLAT, 3, 2), [Layer(1, "Ground")])
    edit = set_values(battlemap, 1, "hexside", [0, 13, 14, 35], 1)
    assert edit is not None
    assert edit.region(battlemap).cells.tolist() == [0, 2, 5]


def test_a_lock_touches_its_cell() -> None:
    battlemap = toy_map()
    edit = compound(
        [set_locks(battlemap, [5], True), set_locks(battlemap, [3, 4], True, sides=True)]
    )
    assert edit is not None
    region = edit.region(battlemap)
    assert (region.cells.tolist(), region.locks, region.everything) == ([0, 1, 5], True, False)


def test_regions_add_up() -> None:
    both = Region(np.array([3, 5]), structure=True).union(Region(np.array([1, 3]), locks=True))
    assert both.cells.tolist() == [1, 3, 5]
    assert (both.everything, both.structure, both.locks) == (False, True, True)
    assert Region.of([]).cells.tolist() == []
    assert Region.of([Region(everything=True)]).everything


@pytest.mark.parametrize(
    ("name", "everything"), [("title", False), ("tower", False), ("startlist", True)]
)
def test_a_property_repaints_only_if_it_is_drawn(name: str, everything: bool) -> None:
    region = PropertyEdit(1, name, NOT_SET, TOY.property_named(name).none).region(toy_map())
    assert (region.everything, region.structure) == (everything, True)


def test_hiding_a_layer_repaints_everything() -> None:
    battlemap = toy_map()
    edit = layer_edits.set_visible(battlemap, 1, visible=False)
    assert edit is not None
    assert edit.region(battlemap).everything


def test_whatever_happens_to_the_stack_repaints_everything() -> None:
    battlemap = toy_map(Layer(1, "Ground"), Layer(2, "Top"))
    ground, top = battlemap.layers
    for edit in (
        LayerInsert(2, Layer(3, "New")),
        LayerRemove(1, top),
        LayerReplace(0, ground, Layer(1, "Other")),
        LayerMove(0, 1),
    ):
        region = edit.region(battlemap)
        assert (region.everything, region.structure, region.locks) == (True, True, False)


def test_an_edit_of_places_off_the_plane_is_refused_and_changes_nothing() -> None:
    battlemap = BattleMap.new(TOY, Grid(SQUARE, 4, 3), [Layer(1, "Ground")])
    spec = TOY.plane("terrain")
    battlemap.layers[0].planes["terrain"] = spec.allocate(battlemap.grid)
    before = contents(battlemap)
    for first in (-1, 10, 12):
        index = np.arange(first, first + 3)
        values = np.zeros(3, spec.dtype)
        with pytest.raises(IndexError):
            PlaneEdit(1, "terrain", index, values, values).apply(battlemap)
        assert contents(battlemap) == before


class _Broken(PlaneEdit):
    """An edit whose inverse cannot be applied."""

    def inverse(self) -> PlaneEdit:
        raise RuntimeError("broken")


def test_where_one_part_cannot_be_taken_back_the_others_are() -> None:
    battlemap = BattleMap.new(TOY, Grid(SQUARE, 4, 3), [Layer(1, "Ground")])
    name = LayerField(1, "name", "Ground", "Other")
    none = np.empty(0, np.intp)
    broken = _Broken(1, "terrain", none, none, none)
    with pytest.raises(RuntimeError, match="broken"):
        Compound((name, broken, LayerField(9, "name", "", ""))).apply(battlemap)
    assert battlemap.layers[0].name == "Ground"
