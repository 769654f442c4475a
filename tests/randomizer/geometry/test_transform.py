"""Whole maps turned, flipped, resized and shifted: cells stay connected, losses are counted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.geometry.cell_moves import Transformed
from randomizer.geometry.transform import MAX_CELLS, resize_map, shift_map, turn_map
from randomizer.geometry.turn import Turn, left_right, reflection, rotation, top_bottom
from randomizer.model.edits.edit import ThingsEdit
from randomizer.model.edits.value_edits import set_locks, set_property, set_values
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, LAYOUTS, OBLIQUE, POINTY, SQUARE, Layout
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.planes.planes import is_blank
from randomizer.model.problems import ProblemError
from randomizer.model.things.things import Thing, Things
from randomizer.systems.colossus.board import CELL_OF_HEX
from randomizer.systems.free.system import free_map
from tests.randomizer.map_strategies import battlemaps, contents, things, toy
from tests.randomizer.systems.colossus.battleland_strategies import plain_map, set_hex
from tests.systems import LISTED

every_layout = pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)


def shape_of(grid: Grid) -> tuple[object, ...]:
    mask = None if grid.mask is None else grid.mask.tolist()
    return grid.layout, grid.width, grid.height, mask, grid.wrap, grid.lean


def put(battlemap: BattleMap, *placed: Thing) -> None:
    """Place things in the topmost layer."""
    ThingsEdit(battlemap.layers[-1].id, (), placed).apply(battlemap)


def without_things(battlemap: BattleMap) -> tuple[object, ...]:
    layers = [replace(layer, things=Things()) for layer in battlemap.layers]
    return *contents(replace(battlemap, layers=layers)), shape_of(battlemap.grid)


def do(battlemap: BattleMap, step: Transformed) -> int:
    step.edit.apply(battlemap)
    return step.lost


def numbered(grid: Grid) -> BattleMap:
    """A map on which every cell and every side has a number of its own."""
    planes = {
        "terrain": np.arange(grid.size, dtype="u2").reshape(grid.height, grid.width),
        "hexside": (np.arange(grid.size * grid.degree) % 251)
        .astype("u1")
        .reshape(grid.height, grid.width, grid.degree),
    }
    return BattleMap.new(toy(grid), grid, [Layer(1, "Ground", True, planes)])


def places(battlemap: BattleMap) -> dict[int, int]:
    """Which number stands where."""
    grid = battlemap.grid
    terrain = battlemap.layers[0].planes["terrain"]
    numbers = {int(terrain.flat[cell]): cell for cell in grid.cells.tolist()}
    numbers.pop(0xFFFF, None)
    return numbers


def check_nothing_tore(before: Grid, battlemap: BattleMap, turn: Turn, seam: int = 0) -> None:
    """Neighbours are still neighbours, across the side that turned along, but for ``seam``."""
    now = places(battlemap)
    torn = 0
    hexside = battlemap.layers[0].planes["hexside"].reshape(-1, before.degree)
    for cell, image in now.items():
        for side in range(before.degree):
            to = turn.side(side)
            assert hexside[image, to] == (cell * before.degree + side) % 251
            other = before.neighbour(cell, side)
            if other in now and battlemap.grid.neighbour(image, to) != now[other]:
                torn += 1
    assert torn <= seam


def turns(layout: Layout) -> st.SearchStrategy[Turn]:
    return st.builds(Turn, st.just(layout), st.integers(0, layout.degree - 1), st.booleans())


@st.composite
def steps(draw: st.DrawFn, battlemap: BattleMap) -> Transformed:
    """Any transformation that the map can have."""
    grid = battlemap.grid
    by = st.integers(-9, 9)
    kind = draw(st.sampled_from(["turn", "turn", "shift", "resize"]))
    if kind == "shift":
        return shift_map(battlemap, draw(by), draw(by))
    anchor = st.sampled_from([0.0, 0.5, 1.0])
    try:
        if kind == "resize":
            sizes = st.integers(1, 9)
            return resize_map(battlemap, draw(sizes), draw(sizes), (draw(anchor), draw(anchor)))
        return turn_map(battlemap, draw(turns(grid.layout)), keep_board=draw(st.booleans()))
    except ProblemError:
        return shift_map(battlemap, 0, 0)


@given(battlemaps(), st.data())
def test_undo_restores_the_map_bit_for_bit(battlemap: BattleMap, data: st.DataObject) -> None:
    before = contents(battlemap)
    grid = battlemap.grid
    step = data.draw(steps(battlemap))
    do(battlemap, step)
    after = contents(battlemap)
    new_grid = battlemap.grid
    back = step.edit.inverse()
    back.apply(battlemap)
    assert battlemap.grid is grid
    assert contents(battlemap) == before
    back.inverse().apply(battlemap)
    assert battlemap.grid is new_grid
    assert contents(battlemap) == after
    assert back.region(battlemap).reshaped


@given(battlemaps(), st.data())
def test_turning_all_the_way_round_changes_nothing(
    battlemap: BattleMap, data: st.DataObject
) -> None:
    if battlemap.grid.wrap:
        battlemap.grid = replace(battlemap.grid, wrap=False)
    layout = battlemap.grid.layout
    put(battlemap, data.draw(things(battlemap.next_thing_id)))
    turn = data.draw(turns(layout))
    do(battlemap, turn_map(battlemap, turn))  # rims without cells and rolls' records go here
    before = without_things(battlemap)
    thing = tuple(battlemap.layers[-1].things.values())
    for _ in range(2 if turn.mirrors else layout.degree):
        assert do(battlemap, turn_map(battlemap, turn)) == 0
    assert without_things(battlemap) == before
    for was, now in zip(thing, battlemap.layers[-1].things.values(), strict=True):
        assert (now.x, now.y) == pytest.approx((was.x, was.y), abs=1e-6)
        assert abs((now.angle - was.angle + 180) % 360 - 180) < 1e-6


@every_layout
def test_a_rectangle_turned_six_times_is_the_same_from_the_start(layout: Layout) -> None:
    battlemap = numbered(Grid(layout, 5, 4))
    before = without_things(battlemap)
    for _ in range(layout.degree):
        assert do(battlemap, turn_map(battlemap, rotation(layout, 1))) == 0
        assert len(battlemap.grid.cells) == 20
    assert without_things(battlemap) == before


@every_layout
@given(data=st.data())
def test_neighbours_stay_neighbours_however_a_map_is_turned(
    layout: Layout, data: st.DataObject
) -> None:
    width = data.draw(st.integers(1, 6))
    height = data.draw(st.integers(1, 6))
    grid = Grid(layout, width, height)
    turn = data.draw(turns(layout))
    battlemap = numbered(grid)
    do(battlemap, turn_map(battlemap, turn))
    assert len(places(battlemap)) == grid.size
    check_nothing_tore(grid, battlemap, turn)
    battlemap = numbered(grid)
    lost = do(battlemap, turn_map(battlemap, turn, keep_board=True))
    assert battlemap.grid is grid
    assert len(places(battlemap)) == grid.size - lost
    check_nothing_tore(grid, battlemap, turn)


@every_layout
@pytest.mark.parametrize("height", [4, 5])
def test_a_world_that_wraps_keeps_its_seam_and_every_cell(layout: Layout, height: int) -> None:
    grid = Grid(layout, 6, height, None, True)
    for turn in (left_right(layout), top_bottom(layout), rotation(layout, layout.degree // 2)):
        battlemap = numbered(grid)
        assert do(battlemap, turn_map(battlemap, turn)) == 0
        assert shape_of(battlemap.grid) == shape_of(grid)
        assert len(places(battlemap)) == grid.size
        check_nothing_tore(grid, battlemap, turn)
        assert do(battlemap, turn_map(battlemap, turn)) == 0
        if turn != top_bottom(layout):
            assert without_things(battlemap) == without_things(numbered(grid))


def test_a_world_that_wraps_cannot_turn_by_sixty_degrees() -> None:
    battlemap = numbered(Grid(OBLIQUE, 6, 4, None, True))
    with pytest.raises(ProblemError, match="wraps from east to west"):
        turn_map(battlemap, rotation(OBLIQUE, 1))


def test_the_battleland_stays_on_its_board() -> None:
    battlemap = plain_map()
    set_hex(battlemap, "A1", "Bog", 2, "s")
    thirds = turn_map(battlemap, rotation(FLAT, 2))
    assert thirds.lost == 0
    assert turn_map(battlemap, rotation(FLAT, 3)).lost == 0  # nothing is set on what leaves
    battlemap.layers[0].planes["terrain"][:] = 0
    set_hex(battlemap, "A1", "Bog", 2, "s")
    assert turn_map(battlemap, rotation(FLAT, 3)).lost == 3
    do(battlemap, thirds)
    assert len(battlemap.grid.cells) == len(CELL_OF_HEX)
    bog = battlemap.system.terrain_set.terrain_code("Bog")
    (place,) = np.flatnonzero(battlemap.composite().planes["terrain"] == bog).tolist()
    assert len(battlemap.grid.neighbours(place)) == 3  # a corner of the board again
    assert battlemap.composite().planes["hexside"].reshape(-1, 6)[place].tolist() == [
        0,
        0,
        3,
        0,
        0,
        0,
    ]
    for _ in range(2):
        assert do(battlemap, turn_map(battlemap, rotation(FLAT, 2))) == 0
    fresh = plain_map()
    fresh.layers[0].planes["terrain"][:] = 0
    set_hex(fresh, "A1", "Bog", 2, "s")
    assert battlemap.composite().same_as(fresh.composite())
    with pytest.raises(ProblemError, match="one size"):
        resize_map(battlemap, 9, 9)


def test_start_lists_locks_and_things_go_along() -> None:
    battlemap = free_map(SQUARE, 4, 3)
    battlemap.system = LISTED
    town = Thing(1, "town", 0.25, 0.0, 90.0, 2, "Ys")
    for edit in (
        set_property(battlemap, 1, "first", ("0101", "?", "0403", "0101")),
        set_locks(battlemap, [0], True),
        set_locks(battlemap, [1], True, sides=True),
        ThingsEdit(1, (), (town, Thing(2, "town", -9.0, 0.0))),
    ):
        assert edit is not None
        edit.apply(battlemap)
    assert do(battlemap, turn_map(battlemap, rotation(SQUARE, 1))) == 1  # the town off the map
    grid = battlemap.grid
    assert (grid.width, grid.height) == (3, 4)
    assert battlemap.layers[0].properties.get("first") == ("0301", "?", "0104", "0301")
    assert np.flatnonzero(battlemap.locked_cells).tolist() == [grid.cell(2, 0)]
    assert np.flatnonzero(battlemap.locked_sides).tolist() == [grid.cell(2, 0) * 4 + 2]
    (thing,) = battlemap.layers[0].things.values()
    assert (thing.x, thing.y) == pytest.approx((2.0, 0.25))
    assert (thing.id, thing.angle, thing.owner, thing.label) == (1, 180.0, 2, "Ys")
    assert do(battlemap, resize_map(battlemap, 2, 4)) == 2  # the locked cell and the town
    assert battlemap.layers[0].properties.get("first") == ("?", "0104")


@every_layout
def test_a_thing_on_the_rim_stays_on_the_map(layout: Layout) -> None:
    battlemap = free_map(layout, 3, 3)
    grid = battlemap.grid
    corners = [grid.corner(cell, index) for cell in range(9) for index in range(grid.degree)]
    on = [at for at in corners if grid.cell_at(*at) >= 0]
    placed = tuple(Thing(number, "town", *at) for number, at in enumerate(on))
    put(battlemap, *placed)
    for _ in range(layout.degree):
        assert do(battlemap, turn_map(battlemap, rotation(layout, 1))) == 0


def test_what_no_layer_uses_takes_no_memory_afterwards() -> None:
    battlemap = free_map(FLAT, 9, 8)
    do(battlemap, turn_map(battlemap, rotation(FLAT, 1)))
    assert is_blank(battlemap.locked_sides)
    assert battlemap.layers[0].planes == {}


@given(battlemaps())
def test_a_turned_roll_is_hand_work(battlemap: BattleMap) -> None:
    do(battlemap, turn_map(battlemap, Turn(battlemap.grid.layout, 0)))
    for layer in battlemap.layers:
        assert layer.roll is None
        assert layer.touched_properties == frozenset()
        assert all(battlemap.system.plane(name).shown for name in layer.planes)


# --- size -----------------------------------------------------------------------------------------


@every_layout
@pytest.mark.parametrize("anchor", [(0.0, 0.0), (0.5, 0.5), (1.0, 1.0), (0.0, 1.0)])
def test_a_larger_map_holds_the_smaller_one_untorn(
    layout: Layout, anchor: tuple[float, float]
) -> None:
    grid = Grid(layout, 4, 5)
    battlemap = numbered(grid)
    assert do(battlemap, resize_map(battlemap, 9, 8, anchor)) == 0
    assert len(places(battlemap)) == 20
    check_nothing_tore(grid, battlemap, Turn(layout, 0))
    back = resize_map(battlemap, 4, 5, anchor)
    if layout in (OBLIQUE, SQUARE) or anchor != (0.5, 0.5):
        assert do(battlemap, back) == 0
        assert without_things(battlemap) == without_things(numbered(grid))


def test_the_anchor_is_where_the_screen_shows_it() -> None:
    for layout in (OBLIQUE, SQUARE):
        battlemap = numbered(Grid(layout, 2, 2))
        top = min(places(battlemap).items(), key=lambda at: battlemap.grid.centre(at[1])[1])[0]
        do(battlemap, resize_map(battlemap, 2, 5, (0.0, 0.0)))
        highest = min(battlemap.grid.centre(cell)[1] for cell in battlemap.grid.cells.tolist())
        assert battlemap.grid.centre(places(battlemap)[top])[1] == highest


def test_holes_stay_and_new_cells_exist() -> None:
    mask = np.array([[True, False], [True, True]])
    battlemap = numbered(Grid(SQUARE, 2, 2, mask))
    do(battlemap, resize_map(battlemap, 3, 3, (1.0, 1.0)))
    assert battlemap.grid.mask is not None
    assert np.argwhere(~battlemap.grid.mask).tolist() == [[1, 2]]
    do(battlemap, resize_map(battlemap, 2, 3))
    assert battlemap.grid.mask is None
    battlemap = numbered(Grid(SQUARE, 2, 1, mask[:1]))
    with pytest.raises(ProblemError, match="every cell"):
        resize_map(battlemap, 1, 1, (1.0, 1.0))


@pytest.mark.parametrize(
    ("layout", "width", "height", "wrap"),
    [(SQUARE, 0, 3, False), (SQUARE, MAX_CELLS, 2, False), (FLAT, 5, 5, True)],
)
def test_sizes_that_no_map_can_have_are_refused(
    layout: Layout, width: int, height: int, wrap: bool
) -> None:
    battlemap = numbered(Grid(layout, 4, 4, None, wrap))
    with pytest.raises(ProblemError):
        resize_map(battlemap, width, height)


# --- shift ----------------------------------------------------------------------------------------


@every_layout
@given(data=st.data())
def test_shifting_there_and_back_changes_nothing(layout: Layout, data: st.DataObject) -> None:
    width = data.draw(st.integers(1, 7))
    height = data.draw(st.integers(1, 7))
    wrap = data.draw(st.booleans())
    if wrap and layout is FLAT:
        width += width % 2
    grid = Grid(layout, width, height, None, wrap)
    battlemap = numbered(grid)
    dx = data.draw(st.integers(-20, 20))
    dy = data.draw(st.integers(-20, 20))
    assert do(battlemap, shift_map(battlemap, dx, dy)) == 0
    assert len(places(battlemap)) == grid.size
    assert do(battlemap, shift_map(battlemap, -dx, -dy)) == 0
    assert without_things(battlemap) == without_things(numbered(grid))


@every_layout
@pytest.mark.parametrize(("dx", "dy"), [(1, 0), (3, 2), (0, 1), (-2, 3)])
def test_a_shift_tears_only_at_the_seams(layout: Layout, dx: int, dy: int) -> None:
    for wrap in (False, True):
        grid = Grid(layout, 8, 8, None, wrap)
        battlemap = numbered(grid)
        do(battlemap, shift_map(battlemap, dx, dy))
        seams = 2 * 3 * ((8 if not wrap else 0) + 8)  # from both sides, up to three edges a cell
        check_nothing_tore(grid, battlemap, Turn(layout, 0), seams)
        if wrap and layout is POINTY and dy == 0:
            check_nothing_tore(grid, battlemap, Turn(layout, 0))


def test_a_world_shifted_round_keeps_all_its_neighbours() -> None:
    for layout in LAYOUTS:
        grid = Grid(layout, 8, 6, None, True)
        battlemap = numbered(grid)
        do(battlemap, shift_map(battlemap, 2, 0))
        check_nothing_tore(grid, battlemap, Turn(layout, 0))
        assert places(battlemap)[0] == grid.cell(2, 0)


def test_mirrors_of_the_battleland_stay_what_they_were_after_the_second() -> None:
    battlemap = plain_map()
    set_hex(battlemap, "D4", "Sand", 1, "d")
    before = battlemap.composite()
    for axis in (1, 3, 5):
        for _ in range(2):
            assert do(battlemap, turn_map(battlemap, reflection(FLAT, axis))) == 0
        assert battlemap.composite().same_as(before)


def test_only_cells_that_hold_something_count_as_lost() -> None:
    battlemap = free_map(SQUARE, 3, 3)
    edit = set_values(battlemap, 1, "terrain", [2], 1)
    assert edit is not None
    edit.apply(battlemap)
    assert resize_map(battlemap, 2, 3).lost == 1
    assert resize_map(battlemap, 2, 3, (1.0, 0.0)).lost == 0
