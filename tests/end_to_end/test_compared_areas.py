"""Two maps that differ over a whole area: it is one line of the list, seen and taken as one."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.features.compare.window import CompareWindow
from randomizer.geometry.shapes import disc
from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.layouts import FLAT
from randomizer.systems.free.system import free_map

DRIVEN_DIALOGS = (CompareWindow,)

PLAINS = 3
WOODS = 5


@pytest.fixture
def window(shared_window):
    return shared_window


def painted_map(*areas):
    battlemap = free_map(FLAT, 20, 14)
    set_values(battlemap, 1, "terrain", battlemap.grid.cells, PLAINS).apply(battlemap)
    for cells in areas:
        set_values(battlemap, 1, "terrain", cells, WOODS).apply(battlemap)
    return battlemap


@pytest.fixture
def compared(window, qtbot):
    """The window that compares plains with plains on which a wood and a single tree grow."""
    ours = painted_map()
    grid = ours.grid
    wood = disc(grid, grid.cell(5, 5), 2)
    theirs = painted_map(wood, [grid.cell(15, 10)])
    window.desk.document.show_map(ours)
    opened = window.desk.compare.show(theirs, "the woods")
    qtbot.waitUntil(lambda: opened.comparison is not None and not opened.busy)
    return opened


def rows(compared) -> list[str]:
    return [compared.list.item(row).text() for row in range(compared.list.count())]


def test_an_area_is_one_line(compared):
    grid = compared.left.document.battlemap.grid
    system = compared.left.document.battlemap.system
    names = [terrain.name for terrain in compared.left.document.battlemap.terrain_set.terrains]
    middle = system.cell_name(grid, grid.cell(5, 5))
    assert rows(compared)[0] == (f"19 hexes around {middle}: {names[PLAINS]} | {names[WOODS]}")
    assert rows(compared)[1].startswith(system.cell_name(grid, grid.cell(15, 10)))
    assert compared.message.text() == "20 differences"


def test_the_chosen_line_outlines_its_cells_in_both_maps(compared):
    grid = compared.left.document.battlemap.grid
    wood = disc(grid, grid.cell(5, 5), 2).tolist()
    compared.list.setCurrentRow(0)
    for canvas in (compared.left, compared.right):
        assert canvas.document.selection.cells.tolist() == wood
        assert canvas.overlays.flash.cell == grid.cell(5, 5)
    QTest.keyClick(compared, Qt.Key.Key_F7)
    for canvas in (compared.left, compared.right):
        assert not len(canvas.document.selection)
        assert canvas.overlays.flash.cell == grid.cell(15, 10)


def test_an_area_is_taken_over_in_one_step(compared, window, qtbot):
    document = window.desk.document
    compared.list.setCurrentRow(0)
    QTest.keyClick(compared, Qt.Key.Key_F8)
    qtbot.waitUntil(lambda: len(rows(compared)) == 1)
    grid = document.battlemap.grid
    woods = np.flatnonzero(document.composite.planes["terrain"] == WOODS)
    assert woods.tolist() == disc(grid, grid.cell(5, 5), 2).tolist()
    assert document.history.next_undo.text.startswith("Take over 19 hexes around")
    assert len(document.history.steps) == 1
    document.undo()
    qtbot.waitUntil(lambda: len(rows(compared)) == 2)
