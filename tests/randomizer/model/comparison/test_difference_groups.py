"""Groups of differences: connected cells that differ alike, as a plain walk finds them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.model.comparison.comparison import DifferenceKind, ShownMap, compare
from randomizer.model.comparison.difference_groups import difference_groups
from randomizer.model.comparison.difference_texts import group_text
from randomizer.model.edits.value_edits import set_locks, set_values
from randomizer.model.grid.layouts import FLAT, LAYOUTS
from randomizer.model.map.battlemap import BattleMap
from randomizer.systems.free.system import free_map

WIDTH = 8
HEIGHT = 6


def walked_groups(battlemap: BattleMap, values: list[int]) -> set[tuple[int, ...]]:
    """The areas of cells that are not 0, found from neighbour to neighbour."""
    left = {cell for cell, value in enumerate(values) if value}
    groups = set()
    while left:
        waiting = [min(left)]
        group = {waiting[0]}
        while waiting:
            cell = waiting.pop()
            for neighbour in battlemap.grid.neighbours(cell):
                if neighbour not in group and values[neighbour] == values[cell]:
                    group.add(neighbour)
                    waiting.append(neighbour)
        left -= group
        groups.add(tuple(sorted(group)))
    return groups


@pytest.mark.parametrize("layout", LAYOUTS)
@given(data=st.data())
def test_groups_are_connected_areas_of_one_difference(layout, data):
    size = WIDTH * HEIGHT
    values = data.draw(st.lists(st.integers(0, 2), min_size=size, max_size=size))
    ours = free_map(layout, WIDTH, HEIGHT)
    theirs = free_map(layout, WIDTH, HEIGHT)
    set_values(ours, 1, "terrain", np.arange(size), 3).apply(ours)
    set_values(theirs, 1, "terrain", np.arange(size), np.array(values) + 3).apply(theirs)
    comparison = compare(ShownMap.of(ours), ShownMap.of(theirs))
    groups = difference_groups(comparison)
    assert {tuple(group.indices.tolist()) for group in groups} == walked_groups(theirs, values)
    first_cells = [int(group.indices[0]) for group in groups]
    assert first_cells == sorted(first_cells)
    assert all(group.middle.index in group.indices for group in groups)
    assert len(difference_groups(comparison, 2)) == min(2, len(groups))


def test_cells_differ_alike_whatever_they_have_in_common():
    ours = free_map(FLAT, WIDTH, HEIGHT)
    theirs = free_map(FLAT, WIDTH, HEIGHT)
    for battlemap in (ours, theirs):
        set_values(battlemap, 1, "terrain", np.arange(48), 3).apply(battlemap)
        set_values(battlemap, 1, "elevation", np.arange(24), 2).apply(battlemap)
    set_values(theirs, 1, "terrain", np.arange(16, 32), 5).apply(theirs)
    set_locks(theirs, np.arange(8), locked=True).apply(theirs)
    comparison = compare(ShownMap.of(ours), ShownMap.of(theirs))
    groups = difference_groups(comparison)
    assert [group.kind for group in groups] == [DifferenceKind.CELL, DifferenceKind.CELL_LOCK]
    names = [terrain.name for terrain in ours.terrain_set.terrains]
    texts = [group_text(comparison, group).partition(": ")[2] for group in groups]
    assert texts == [f"{names[3]} | {names[5]}", "not locked | locked"]
    assert group_text(comparison, groups[0]).startswith("16 hexes around ")
