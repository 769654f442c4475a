"""No unit comes to the edge rows by a change of the whole map or by a piece that is laid down."""

from __future__ import annotations

import numpy as np
import pytest

from randomizer.geometry.stamp_cutting import cut
from randomizer.geometry.stamp_placing import carry_things, stamp_things
from randomizer.geometry.transform import resize_map, shift_map, turn_map
from randomizer.geometry.turn import top_bottom
from randomizer.systems.xconq.scenario.areas import is_edge
from tests.randomizer.systems.xconq.tiny_period import unit, world


def rows_of_units(battlemap) -> dict[int, int]:
    grid = battlemap.grid
    things = battlemap.visible_things()
    return {thing.id: grid.xy(grid.cell_at(thing.x, thing.y))[1] for thing in things}


@pytest.fixture
def battlemap():
    return world(12, 8, *(unit(row, "men", 4, row, 1) for row in range(1, 7)))


@pytest.mark.parametrize("by", [1, -1, 3])
def test_a_shift_takes_units_off_that_come_to_an_edge_row(battlemap, by):
    done = shift_map(battlemap, 0, by)
    done.edit.apply(battlemap)
    rows = rows_of_units(battlemap)
    assert not {0, 7} & set(rows.values())
    assert done.lost >= 6 - len(rows) > 0


def test_a_smaller_map_takes_units_off_its_new_edge_rows(battlemap):
    done = resize_map(battlemap, 12, 6)
    done.edit.apply(battlemap)
    rows = rows_of_units(battlemap)
    assert rows
    assert not {0, 5} & set(rows.values())


def test_a_flip_loses_nothing_not_even_what_stood_in_an_edge_row():
    battlemap = world(12, 8, unit(1, "men", 4, 0, 1), unit(2, "men", 4, 1, 1))
    done = turn_map(battlemap, top_bottom(battlemap.grid.layout))
    done.edit.apply(battlemap)
    assert len(rows_of_units(battlemap)) == 2
    assert not done.lost


def test_a_piece_that_is_moved_leaves_units_behind_that_could_not_stand_there(battlemap):
    grid = battlemap.grid
    cells = np.array([grid.cell(4, 5), grid.cell(4, 6)])
    things = [battlemap.thing(5), battlemap.thing(6)]
    stamp = cut(battlemap, cells, battlemap.composite().planes, things)
    target = grid.cell(4, 6)
    settled = stamp_things(battlemap, stamp, target)
    assert len(settled.things) == 1
    assert "No unit can stand in the edge rows" in settled.words
    edit = carry_things(battlemap, stamp, target, things)
    assert edit is not None
    edit.apply(battlemap)
    assert not any(is_edge(grid, grid.cell_at(t.x, t.y)) for t in battlemap.visible_things())
    assert len(rows_of_units(battlemap)) == 6
