"""The levels of painted water, area by area."""

from __future__ import annotations

import numpy as np

from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.layouts import FLAT
from randomizer.systems.free.system import SYSTEM, free_map

TERRAIN = SYSTEM.terrain.name
HEIGHT = SYSTEM.height.name


def test_each_area_has_a_level_of_its_own():
    battlemap = free_map(FLAT, 20, 9)
    grid = battlemap.grid
    heights = np.where(grid.cells % grid.width < 10, 1, 5)
    edit = set_values(battlemap, battlemap.layers[0].id, HEIGHT, grid.cells, heights)
    assert edit is not None
    edit.apply(battlemap)
    one = [grid.cell(3, 3), grid.cell(3, 4), grid.cell(4, 4), grid.cell(5, 4), grid.cell(3, 5)]
    two = [grid.cell(15, 4), grid.cell(16, 4)]
    dry = [grid.cell(18, 1)]
    cells = np.array([*two, *dry, *one])
    sea = battlemap.terrain_set.terrain_code("Sea")
    wood = battlemap.terrain_set.terrain_code("Wood")
    values = np.array([sea, sea, wood, *[sea] * len(one)])
    painted = SYSTEM.accompanying_changes(grid, battlemap.composite(), TERRAIN, cells, values)
    assert painted[HEIGHT].tolist() == [5, 5, 5, 1, 1, 1, 1, 1]


def test_other_planes_and_land_bring_nothing_along():
    battlemap = free_map(FLAT, 5, 5)
    shown = battlemap.composite()
    cells = np.array([3, 4])
    wood = battlemap.terrain_set.terrain_code("Wood")
    changes = SYSTEM.accompanying_changes
    assert changes(battlemap.grid, shown, HEIGHT, cells, np.array([1, 1])) == {}
    assert changes(battlemap.grid, shown, TERRAIN, cells, np.full(2, wood)) == {}
