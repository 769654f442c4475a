"""Locked areas have a border and one padlock each."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QRectF

from app.render.scene.locks import area_locks
from app.render.theme import theme
from randomizer.geometry.flood import number_areas
from randomizer.geometry.shapes import disc
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, LAYOUTS, OBLIQUE
from randomizer.systems.free.system import free_map
from tests.app.render.drawing import NOTHING, picture


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_each_connected_area_has_one_padlock_and_larger_ones_larger(layout):
    battlemap = free_map(layout, 20, 12)
    grid = battlemap.grid
    battlemap.locked_cells = np.zeros((grid.height, grid.width), np.bool_)
    locked = battlemap.locked_cells.reshape(-1)
    large = disc(grid, grid.cell(5, 5), 2)
    small = np.array([grid.cell(15, 6)])
    locked[large] = True
    locked[small] = True
    placed = area_locks(battlemap)
    assert len(placed.points) == 2
    cells = grid.cells_at(placed.points)
    sizes = dict(zip(cells.tolist(), placed.sizes.tolist(), strict=True))
    (in_large,) = set(sizes) & set(large.tolist())
    assert sizes[in_large] > sizes[grid.cell(15, 6)]


def test_an_area_across_the_seam_of_a_world_is_one():
    grid = Grid(OBLIQUE, 12, 6, wrap=True)
    marks = np.zeros((6, 12), np.bool_)
    marks[2, [11, 0]] = True
    marks[5, 6] = True
    cells, areas = number_areas(grid, marks)
    assert cells.tolist() == [24, 35, 66]
    assert areas.tolist() == [0, 0, 1]


def test_small_areas_have_no_padlock_where_it_would_hide_them(qapp):
    battlemap = free_map(FLAT, 20, 12)
    battlemap.locked_cells = np.zeros((12, 20), np.bool_)
    battlemap.locked_cells[3, 4] = True
    everywhere = QRectF(-100, -100, 400, 400)
    placed = area_locks(battlemap)
    assert list(placed.batches(12.0, everywhere, theme("light")))
    assert not list(placed.batches(6.0, everywhere, theme("light")))
    assert not list(placed.batches(12.0, QRectF(20, 10, 9, 9), theme("light")))


@pytest.mark.parametrize("scale", [1.5, 5.0, 12.0, 14.0, 24.0, 60.0])
def test_locks_are_seen_at_every_scale(qapp, scale):
    battlemap = free_map(FLAT, 24, 18)
    grid = battlemap.grid
    battlemap.locked_cells = np.zeros((grid.height, grid.width), np.bool_)
    battlemap.locked_cells.reshape(-1)[disc(grid, grid.cell(12, 9), 2)] = True
    on = replace(NOTHING, locks=True)
    assert picture(battlemap, on, scale) != picture(battlemap, NOTHING, scale)
