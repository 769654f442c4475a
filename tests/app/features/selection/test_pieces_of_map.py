"""Pieces of maps are copied, cut and pasted, and what is selected is filled and locked."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from randomizer.geometry.shapes import disc
from randomizer.geometry.stamp_cutting import cut
from randomizer.geometry.stamp_text import MIME, decode
from randomizer.geometry.transform import resize_map
from randomizer.model.edits.stack_edits import LayerField
from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.layouts import FLAT
from randomizer.systems.free.system import free_map
from tests.app.conftest import mouse
from tests.ui_work import UiWork

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.MouseButton.NoButton
BOG = 5
SAND = 6


@pytest.fixture
def features() -> tuple[str, ...]:
    return ("selection", "tools")


def run(window, name: str) -> None:
    window.desk.commands.action(name).trigger()


def at(window, x: int, y: int):
    grid = window.desk.document.battlemap.grid
    return window.desk.canvas.viewport.to_screen(*grid.centre(grid.cell(x, y))).toPoint()


def paint(window, plane: str, cells, values) -> None:
    document = window.desk.document
    edit = set_values(document.battlemap, document.active_layer_id, plane, cells, values)
    document.push(edit, "Paint")


def terrain(window):
    return np.array(window.desk.document.composite.planes["terrain"])


def test_a_piece_goes_by_clipboard_into_another_map(free):
    grid = free.desk.document.battlemap.grid
    cells = disc(grid, grid.cell(4, 4), 1)
    paint(free, "terrain", cells, [BOG, SAND, BOG, SAND, BOG, SAND, BOG])
    free.desk.document.select(cells)
    run(free, "edit.copy")
    assert QGuiApplication.clipboard().text().startswith("0404 0504")
    known = free.desk.document.battlemap.terrain_set
    free.desk.document.open_map(free_map(FLAT, 20, 20, terrain_set=known))
    run(free, "edit.paste")
    assert free.desk.canvas.tool.name == "stamp"
    QTest.mouseClick(free.desk.canvas, LEFT, pos=at(free, 10, 10))
    assert (terrain(free) == BOG).sum() == 4
    run(free, "edit.turn-stamp-right")
    run(free, "edit.flip")
    QTest.mouseClick(free.desk.canvas, LEFT, pos=at(free, 4, 10))
    assert (terrain(free) == BOG).sum() == 8
    QTest.keyClick(free.desk.canvas, Qt.Key.Key_Escape)
    assert free.desk.canvas.tool.name == "terrain"


def test_a_piece_that_is_pasted_beside_its_place_is_laid_down_whole(free):
    canvas = free.desk.canvas
    document = free.desk.document
    grid = document.battlemap.grid
    paint(free, "terrain", grid.cells, BOG)
    canvas.setFocus()
    QTest.keyClick(canvas, Qt.Key.Key_R)
    QTest.mousePress(canvas, LEFT, pos=at(free, 3, 3))
    mouse(canvas, "MouseMove", at(free, 5, 5), NONE, LEFT)
    QTest.mouseRelease(canvas, LEFT, pos=at(free, 5, 5))
    copied = document.selection.cells
    assert len(copied) == 9
    run(free, "edit.copy")
    paint(free, "terrain", grid.cells, SAND)
    run(free, "edit.paste")
    QTest.mouseClick(canvas, LEFT, pos=at(free, 12, 8))
    assert (terrain(free) == BOG).sum() == 9
    QTest.mouseClick(canvas, LEFT, pos=at(free, 5, 6))
    assert (terrain(free) == BOG).sum() == 18, "beside, or half over, where it was copied"
    run(free, "select.again")
    assert (document.selection.cells == copied).all()


def test_cells_of_another_grid_are_not_selected_again(free):
    document = free.desk.document
    cells = [40, 41]
    document.select(cells)
    grid = document.battlemap.grid
    document.push(resize_map(document.battlemap, grid.width - 1, grid.height).edit, "Resize")
    run(free, "select.again")
    assert len(document.selection) == 0
    assert "other cells" in free.statusBar().currentMessage()
    document.undo()
    run(free, "select.again")
    assert document.selection.cells.tolist() == cells


def test_another_program_gets_a_piece_as_bytes_when_it_asks(free):
    free.desk.document.select([40, 41])
    run(free, "edit.copy")
    data = QGuiApplication.clipboard().mimeData()
    assert data.hasFormat(MIME)
    assert data.hasText()
    stamp = decode(data.data(MIME).data())
    assert len(stamp.offsets) == 2


def test_a_million_hexes_are_copied_and_pasted_without_holding_the_window(free, qtbot):
    free.desk.document.open_map(free_map(FLAT, 1000, 1000))
    run(free, "select.all")
    with UiWork() as work:
        run(free, "edit.copy")
        qtbot.waitUntil(lambda: "hexes copied" in free.statusBar().currentMessage())
        run(free, "edit.paste")
        free.desk.canvas.repaint()
    assert free.desk.canvas.tool.name == "stamp"
    assert work.where(cut) == {"job"}
    assert work.max_calls < 100_000, "nothing is done for each hex"


def test_a_road_that_nothing_leads_to_says_so_on_a_large_map_too(window, qtbot):
    document = window.desk.document
    canvas = window.desk.canvas
    document.open_map(free_map(FLAT, 160, 140))
    canvas.fit()
    grid = document.battlemap.grid
    sea = document.battlemap.terrain_set.terrain_code("Sea")
    paint(window, "terrain", [grid.cell(80, y) for y in range(140)], sea)
    window.desk.tools.choose("route")
    for x in (20, 140):
        QTest.mouseClick(canvas, LEFT, pos=at(window, x, 70))
    qtbot.waitUntil(lambda: "No way leads there" in window.statusBar().currentMessage())


def test_cut_delete_fill_and_lock_are_one_step_each(free):
    document = free.desk.document
    grid = document.battlemap.grid
    cells = disc(grid, grid.cell(4, 4), 1)
    document.select(cells)
    free.desk.tools.options.choose(terrain=BOG)
    run(free, "select.fill-with-terrain")
    run(free, "edit.cut")
    assert not terrain(free).any()
    document.undo()
    assert (terrain(free) == BOG).sum() == 7
    run(free, "select.grow")
    assert len(document.selection) == 19
    run(free, "select.shrink")
    run(free, "edit.delete")
    assert not terrain(free).any()
    run(free, "select.lock")
    assert document.battlemap.locked_cells.sum() == 7
    run(free, "select.unlock")
    assert not document.battlemap.locked_sides.any()
    run(free, "select.invert")
    assert len(document.selection) == grid.size - 7
    run(free, "select.nothing")
    run(free, "select.again")
    assert len(document.selection) == grid.size - 7
    run(free, "select.all")
    assert len(document.selection) == grid.size


def test_a_locked_layer_is_not_cut(free):
    document = free.desk.document
    paint(free, "terrain", [40], BOG)
    document.push(LayerField(document.active_layer_id, "locked", False, True), "Lock")
    document.select([40])
    QGuiApplication.clipboard().setText("before")
    run(free, "edit.cut")
    assert terrain(free).flat[40] == BOG
    assert QGuiApplication.clipboard().text() == "before"


def test_pasting_something_else_says_so(free):
    QGuiApplication.clipboard().setText("words")
    run(free, "edit.paste")
    assert free.statusBar().currentMessage() == "No piece of a map was copied."
