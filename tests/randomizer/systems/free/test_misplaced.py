"""Rivers without a mouth: whose they are, and what their fixes do."""

from __future__ import annotations

from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem
from randomizer.systems.free.misplaced import rivers_without_mouth
from randomizer.systems.free.packaged_sets import LANDSCAPE, packaged_set
from randomizer.systems.free.system import free_map

RIVER_PLANE = "way4"


def land_with_rivers(*starts: tuple[int, int]) -> BattleMap:
    """Return grassland with a river of two cells from each cell, to the one below it."""
    battlemap = free_map(FLAT, 12, 9, terrain_set=packaged_set(LANDSCAPE))
    grid = battlemap.grid
    grass = battlemap.terrain_set.terrain_code("Grassland")
    set_values(battlemap, 1, "terrain", grid.cells, grass).apply(battlemap)
    for column, row in starts:
        cell = grid.cell(column, row)
        cell_below = grid.cell(column, row + 1)
        side = grid.neighbour_table[cell].tolist().index(cell_below)
        for end, side_of_end in ((cell, side), (cell_below, grid.opposite(side))):
            set_values(battlemap, 1, RIVER_PLANE, [end], 0x40 | 1 << side_of_end).apply(battlemap)
    return battlemap


def problems_of(battlemap: BattleMap) -> tuple[Problem, ...]:
    """Return the rivers without a mouth that a map shows."""
    return rivers_without_mouth(battlemap, battlemap.composite())


def test_on_a_map_without_water_the_fix_takes_the_river_away() -> None:
    battlemap = land_with_rivers((5, 3))
    (problem,) = problems_of(battlemap)
    assert problem.message.startswith("Your river ends on dry land at ")
    assert problem.fix is not None
    assert problem.fix.title.startswith("take away the river between ")
    for change in problem.fix.values:
        set_values(battlemap, 1, change.plane, [change.index], change.value).apply(battlemap)
    assert not problems_of(battlemap)
    assert not (battlemap.composite().planes[RIVER_PLANE] & 0x3F).any()


def test_two_fixes_do_not_change_one_cell() -> None:
    battlemap = land_with_rivers((5, 3), (7, 3))
    sea = battlemap.terrain_set.terrain_code("Sea")
    lake = battlemap.grid.cell(6, 8)
    set_values(battlemap, 1, "terrain", [lake], sea).apply(battlemap)
    problems = problems_of(battlemap)
    fixes = [problem.fix for problem in problems if problem.fix is not None]
    assert len(problems) == 2
    cells = [change.index for fix in fixes for change in fix.values]
    assert len(cells) == len(set(cells))
    while problems_of(battlemap):
        fix = problems_of(battlemap)[0].fix
        assert fix is not None
        for change in fix.values:
            set_values(battlemap, 1, change.plane, [change.index], change.value).apply(battlemap)
