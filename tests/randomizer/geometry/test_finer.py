"""Finer cells: every old cell is cut into smaller ones, and nothing is torn apart."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.geometry.finer import FACTORS, finer_map
from randomizer.model.edits.edit import ThingsEdit
from randomizer.model.edits.value_edits import set_locks, set_values
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, LAYOUTS, POINTY, SQUARE, Layout
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.planes.routes import SIDES
from randomizer.model.problems import ProblemError
from randomizer.model.things.things import Thing, Things
from randomizer.systems.colossus.board import GRID
from randomizer.systems.colossus.system import SYSTEM as COLOSSUS
from randomizer.systems.free.system import SYSTEM, free_map
from randomizer.systems.zeroad.system import SYSTEM as ZEROAD
from tests.randomizer.geometry.test_symmetrize import KNOWN, painted
from tests.randomizer.map_strategies import battlemaps, contents


def links_of(battlemap: BattleMap) -> np.ndarray:
    """Which sides of each cell a road leaves by, (size, degree)."""
    values = battlemap.layer(1).planes["way1"].reshape(-1, 1)
    return (values & SIDES & -(values != 0x80).astype(int)) >> np.arange(battlemap.grid.degree) & 1


def joined(battlemap: BattleMap) -> list[int]:
    """The number of the network of roads that each cell is on."""
    grid = battlemap.grid
    links = links_of(battlemap)
    group = list(range(grid.size))
    for _round in range(grid.size):
        before = list(group)
        for cell, side in np.argwhere(links).tolist():
            other = grid.neighbour(cell, side)
            if other >= 0:
                group[cell] = group[other] = min(group[cell], group[other])
        if group == before:
            break
    return group


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
@settings(max_examples=6)
@given(seed=st.integers(0, 99), factor=st.sampled_from(FACTORS))
def test_terrain_sides_and_roads_stay_together(layout: object, seed: int, factor: int) -> None:
    old = painted(Grid(layout, 5, 4), seed)  # type: ignore[arg-type]
    new = painted(old.grid, seed)
    finer_map(new, factor).edit.apply(new)
    grid = new.grid
    was = old.grid
    assert (grid.width, grid.height) == (5 * factor, 4 * factor)
    terrain = [battlemap.layer(1).planes["terrain"].reshape(-1) for battlemap in (old, new)]
    share = np.bincount(terrain[1], minlength=12) / np.bincount(terrain[0], minlength=12).clip(1)
    assert (share[np.unique(terrain[0])] >= 1).all()
    centre = [np.mean(each.centres(), axis=0) for each in (was, grid)]
    for cell in was.cells.tolist():
        at = (np.array(was.centre(cell)) - centre[0]) * factor + centre[1]
        near = grid.cell_at(*(at + 1e-6))
        assert terrain[1][near] == terrain[0][cell]
    links = links_of(new)
    for side in range(grid.degree):
        other = grid.neighbour_table[:, side]
        there = other >= 0
        assert (links[there, side] == links[other[there], grid.opposite(side)]).all()
    groups = joined(new)
    before = joined(old)
    middles = [
        grid.cell_at(*((np.array(was.centre(c)) - centre[0]) * factor + centre[1] + 1e-6))
        for c in range(was.size)
    ]
    for cell, side in np.argwhere(links_of(old)).tolist():
        other = was.neighbour(cell, side)
        if other >= 0:
            assert before[cell] == before[other]
            assert groups[middles[cell]] == groups[middles[other]]


def test_a_wall_stays_a_wall() -> None:
    battlemap = BattleMap.new(SYSTEM, Grid(SQUARE, 3, 2), [Layer(1, "Ground")], KNOWN)
    edit = set_values(battlemap, 1, "hexside", [0 * 4 + 1, 0 * 4 + 0], 2)  # east and north of 0
    assert edit is not None
    edit.apply(battlemap)
    finer_map(battlemap, 3).edit.apply(battlemap)
    plane = battlemap.layer(1).planes["hexside"]
    assert np.argwhere(plane == 2).tolist() == [
        [0, 0, 0],
        [0, 1, 0],
        [0, 2, 0],
        [0, 2, 1],
        [1, 2, 1],
        [2, 2, 1],
    ]


@pytest.mark.parametrize("layout", [SQUARE, POINTY, FLAT], ids=lambda layout: layout.name)
def test_a_wall_stands_on_one_side_where_both_neighbours_are_one_cell(layout: Layout) -> None:
    """The east and the west neighbour are the same cell on a wrapped map of two columns."""
    east = next(side for side, (q, _r) in enumerate(layout.steps) if q > 0)
    wall_counts = []
    for width in (2, 4):
        grid = Grid(layout, width, 3, wrap=True)
        battlemap = BattleMap.new(SYSTEM, grid, [Layer(1, "Ground")], KNOWN)
        edit = set_values(battlemap, 1, "hexside", [grid.cell(0, 1) * grid.degree + east], 2)
        assert edit is not None
        edit.apply(battlemap)
        finer_map(battlemap, 2).edit.apply(battlemap)
        wall_counts.append(np.count_nonzero(battlemap.layer(1).planes["hexside"] == 2))
    assert wall_counts[0] == wall_counts[1] > 0


def test_heights_of_corners_rise_evenly() -> None:
    battlemap = BattleMap.new(ZEROAD, Grid(SQUARE, 16, 16), [Layer(1, "Ground")])
    spec = ZEROAD.corner_heights
    assert spec is not None
    heights = np.add.outer(np.arange(17) * 20, np.arange(17) * 40)
    edit = set_values(battlemap, 1, spec.name, range(17 * 17), heights.reshape(-1))
    assert edit is not None
    edit.apply(battlemap)
    finer_map(battlemap, 2).edit.apply(battlemap)
    even = np.add.outer(np.arange(33) * 10, np.arange(33) * 20)
    assert (battlemap.layer(1).planes[spec.name] == even).all()


def test_things_and_locks_stay_on_their_ground() -> None:
    battlemap = BattleMap.new(SYSTEM, Grid(FLAT, 4, 3), [Layer(1, "Ground")], KNOWN)
    edit = set_values(battlemap, 1, "terrain", [5], 3)
    assert edit is not None
    edit.apply(battlemap)
    lock = set_locks(battlemap, [5], True)
    assert lock is not None
    lock.apply(battlemap)
    ThingsEdit(1, (), (Thing(1, "town", *battlemap.grid.centre(5)),)).apply(battlemap)
    finer_map(battlemap, 3).edit.apply(battlemap)
    locked = np.flatnonzero(battlemap.locked_cells)
    assert (battlemap.layer(1).planes["terrain"].reshape(-1)[locked] == 3).all()
    thing = battlemap.thing(1)
    assert battlemap.grid.cell_at(thing.x, thing.y) in locked


def test_a_board_of_one_size_and_a_map_too_large_are_refused() -> None:
    with pytest.raises(ProblemError, match="one size"):
        finer_map(BattleMap.new(COLOSSUS, GRID, [Layer(1, "Ground")]), 2)
    with pytest.raises(ProblemError, match="too large"):
        finer_map(BattleMap.new(SYSTEM, Grid(SQUARE, 1000, 1000), [Layer(1, "Ground")]), 3)


@settings(max_examples=20)
@given(battlemaps(), st.sampled_from(FACTORS))
def test_undo_brings_everything_back(battlemap: BattleMap, factor: int) -> None:
    before = contents(battlemap)
    try:
        edit = finer_map(battlemap, factor).edit
    except ProblemError:
        return
    edit.apply(battlemap)
    edit.inverse().apply(battlemap)
    assert contents(battlemap) == before


def test_water_flows_on_the_same_way_through_the_finer_cells() -> None:
    battlemap = BattleMap.new(SYSTEM, Grid(SQUARE, 4, 3), [Layer(1, "Ground")], KNOWN)
    east = 0x40 | 1 << 1
    west = 0x40 | 1 << 3
    rows = {"way1": [east, east | west, east | west, west], "flow": [east, east, east, 0x80]}
    for name, row in rows.items():
        plane = SYSTEM.plane(name).allocate(battlemap.grid)
        plane[1] = row
        battlemap.layers[0].planes[name] = plane
    finer_map(battlemap, 3).edit.apply(battlemap)
    flow, way = (battlemap.values(name) for name in ("flow", "way1"))
    assert set(flow[flow > 0].tolist()) == {east}
    assert [tuple(place) for place in np.argwhere(flow)] == [
        (int(y), int(x)) for y, x in np.argwhere(way & 1 << 1)
    ]


@pytest.mark.parametrize("layout", [FLAT, POINTY], ids=lambda layout: layout.name)
def test_things_at_the_jagged_rim_stay_on_the_map(layout: Layout) -> None:
    battlemap = free_map(layout, 4, 3)
    grid = battlemap.grid
    points = []
    for cell in grid.cells.tolist():
        x, y = grid.centre(cell)
        points += [(x + 0.97 * (cx - x), y + 0.97 * (cy - y)) for cx, cy in grid.outline(cell)]
    things = [Thing(number, "sheep", x, y) for number, (x, y) in enumerate(points, 1)]
    battlemap.layers[0].things = Things(things)
    finer = finer_map(battlemap, 2)
    finer.edit.apply(battlemap)
    moved = battlemap.layers[0].things.values()
    assert all(battlemap.grid.cell_at(thing.x, thing.y) >= 0 for thing in moved)
