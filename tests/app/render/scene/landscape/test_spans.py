"""Cells that share one picture: every cell is drawn once, and edits far away change nothing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from app.render.cell_values.opacity_passes import SINGLE_PASS
from app.render.overlay_options import Overlays
from app.render.scene.landscape.spans import division_of, river_cells, spans_at
from app.render.scene.part import ScenePart
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, LAYOUTS, POINTY, SQUARE, Layout
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.systems.free.system import SYSTEM, free_map

SPANNING = np.array([False, True, True, *[False] * 9])


def spans(grid: Grid, terrain: NDArray[np.int64]) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    layer = Layer(1, "Ground")
    layer.planes["terrain"] = terrain.reshape(grid.height, grid.width).astype("u2")
    battlemap = BattleMap.new(SYSTEM, grid, [layer])
    part = ScenePart(battlemap, battlemap.composite(), Overlays(), grid.cells, SINGLE_PASS[0])
    return spans_at(part, SPANNING, river_cells(part))


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: str(layout.name))
def test_in_a_large_area_many_cells_share_pictures(layout: Layout) -> None:
    grid = Grid(layout, 48, 48)
    drawn, hidden = spans(grid, np.ones(grid.size, np.int64))
    assert 0.15 < hidden.mean() < 0.65
    assert not (hidden & (drawn >= 0)).any()
    kinds = division_of(layout).kinds
    covered = sum(len(kinds[kind].sides) for kind in drawn[drawn >= 0])
    assert covered == hidden.sum()


@given(
    layout=st.sampled_from([FLAT, POINTY, SQUARE]),
    wrap=st.booleans(),
    seed=st.integers(0, 2**32 - 1),
)
@settings(max_examples=30, deadline=None)
def test_a_cell_is_hidden_only_where_a_like_cell_draws_over_it(
    layout: Layout, wrap: bool, seed: int
) -> None:
    grid = Grid(layout, 14, 11, wrap=wrap)
    terrain = np.random.default_rng(seed).choice([0, 1, 1, 1, 2], grid.size)
    drawn, hidden = spans(grid, terrain)
    kinds = division_of(layout).kinds
    covered = np.zeros(grid.size, np.int64)
    for cell in np.flatnonzero(drawn >= 0).tolist():
        for side in kinds[drawn[cell]].sides:
            other = grid.neighbour(cell, side)
            assert terrain[other] == terrain[cell]
            assert SPANNING[terrain[cell]]
            covered[other] += 1
    assert (covered == hidden).all()


def test_no_picture_stands_on_two_cells_if_a_river_runs_through_one() -> None:
    grid = Grid(FLAT, 14, 11)
    battlemap = free_map(FLAT, 14, 11)
    (river,) = [
        route for route in SYSTEM.routes_of(battlemap.terrain_set) if route.style == "water"
    ]
    layer = battlemap.layers[0]
    layer.planes["terrain"] = np.ones((11, 14), "u2")
    layer.planes[river.plane] = np.zeros((11, 14), "u1")
    layer.planes[river.plane][5] = river.mark
    part = ScenePart(battlemap, battlemap.composite(), Overlays(), grid.cells, SINGLE_PASS[0])
    kinds, is_hidden = spans_at(part, SPANNING, river_cells(part))
    has_river = np.zeros(grid.size, np.bool_)
    has_river[5 * 14 : 6 * 14] = True
    assert not (has_river & (is_hidden | (kinds >= 0))).any()
    assert (is_hidden & ~has_river).any()


@given(seed=st.integers(0, 2**32 - 1), cell=st.integers(0, 153), code=st.integers(0, 2))
@settings(max_examples=30, deadline=None)
def test_an_edit_changes_only_cells_within_two_steps(seed: int, cell: int, code: int) -> None:
    grid = Grid(FLAT, 14, 11)
    terrain = np.random.default_rng(seed).choice([0, 1, 1, 1, 2], grid.size)
    before = spans(grid, terrain)
    terrain[cell] = code
    after = spans(grid, terrain)
    changed = np.flatnonzero((before[0] != after[0]) | (before[1] != after[1]))
    near = {cell}
    for _ in range(2):
        near |= {neighbour for each in near for neighbour in grid.neighbours(each)}
    assert set(changed.tolist()) <= near
