"""In the real window: copy and paste between maps, stamps, transforms, options, other systems."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox

from app.commands.commands import WHY
from randomizer.geometry.auto_edges import fitting_edges
from randomizer.geometry.shapes import disc
from randomizer.geometry.stamp import cut
from randomizer.geometry.stamp_text import MIME, decode
from randomizer.geometry.transform import turned_map
from randomizer.model.edit import LayerField
from randomizer.model.edit_making import set_values
from randomizer.model.layouts import FLAT, SQUARE
from randomizer.systems.free.system import free_map
from tests.app.conftest import mouse
from tests.randomizer.map_strategies import TOY, contents
from tests.systems import system_like
from tests.ui_work import UiWork

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
BOG, SAND = 5, 6


@pytest.fixture
def free(window):
    """The window with a free map in front."""
    window.desk.document.open_map(free_map(FLAT, 16, 12))
    window.desk.canvas.fit()
    return window


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
    free.desk.document.open_map(free_map(FLAT, 20, 20))
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
    canvas, document = free.desk.canvas, free.desk.document
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
    assert work.most_calls < 100_000, "nothing is done for each hex"


def test_cut_delete_fill_and_lock_are_one_step_each(free):
    document = free.desk.document
    grid = document.battlemap.grid
    cells = disc(grid, grid.cell(4, 4), 1)
    document.select(cells)
    free.desk.tools.options.choose(terrain=BOG)
    run(free, "select.fill-with-terrain")
    run(free, "edit.cut")
    assert not terrain(free).any()
    document.undo_stack.undo()
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


def test_six_turns_of_the_map_are_none_and_undo_brings_everything_back(free):
    document = free.desk.document
    rng = np.random.default_rng(5)
    size = document.battlemap.grid.size
    paint(free, "terrain", np.arange(size), rng.integers(0, 9, size))
    paint(free, "hexside", np.arange(size * 6), rng.integers(0, 3, size * 6))
    before, picture = contents(document.battlemap), document.composite.copy()
    for _ in range(6):
        run(free, "map.turn-right")
    assert document.composite.same_as(picture)
    run(free, "map.flip-horizontally")
    run(free, "map.turn-left")
    document.undo_stack.setIndex(2)
    assert contents(document.battlemap) == before
    QTest.mouseMove(free.desk.canvas, at(free, 3, 3))
    free.desk.canvas.grab()


def test_what_a_resize_would_lose_is_asked_for(free, qtbot, monkeypatch):
    from app.features.map.transform_dialogs import ResizeDialog, ShiftDialog

    document = free.desk.document
    paint(free, "terrain", [document.battlemap.grid.cell(15, 5)], BOG)
    asked = []
    answers = iter([QMessageBox.StandardButton.Cancel, QMessageBox.StandardButton.Yes])

    def question(_parent, _title, text, *_more):
        asked.append(text)
        return next(answers)

    monkeypatch.setattr(QMessageBox, "question", question)
    for width in (16, 10):
        run(free, "map.resize")
        dialog = free.findChildren(ResizeDialog)[-1]
        dialog.fields[0].setValue(10)
        dialog.accept()
        assert document.battlemap.grid.width == width
    assert "1 hex off the board" in asked[0]
    document.undo_stack.undo()
    assert document.battlemap.grid.width == 16
    run(free, "map.shift")
    dialog = free.findChildren(ShiftDialog)[-1]
    dialog.fields[0].setValue(2)
    dialog.accept()
    assert terrain(free)[5, 1] == BOG
    assert len(asked) == 2


def test_edges_are_filled_where_selected(free):
    document = free.desk.document
    grid = document.battlemap.grid
    paint(free, "elevation", [grid.cell(4, 4), grid.cell(10, 6)], 1)
    document.select(disc(grid, grid.cell(4, 4), 1))
    run(free, "map.fill-low-edges-with-slope")
    hexside = np.array(document.composite.planes["hexside"]).reshape(-1, 6)
    assert (hexside[grid.cell(4, 4)] == 3).all()
    assert not hexside[grid.cell(10, 6)].any()


def test_the_bar_shows_the_options_of_the_tool_in_hand(free, qtbot):
    bar = free.desk.tools.bar
    free.desk.tools.choose("terrain")
    assert bar.field("radius").isVisible()
    assert not bar.field("height_mode").isVisible()
    bar.field("radius").setValue(2)
    run(free, "edit.wider-brush")
    assert free.desk.tools.options.radius == bar.field("radius").value() == 3
    free.desk.tools.choose("elevation")
    qtbot.waitUntil(bar.field("height_mode").isVisible)
    free.desk.tools.choose("pan")
    qtbot.waitUntil(lambda: not bar.field("radius").isVisible())
    bar.symmetry.setCurrentIndex(1)
    bar.symmetry.activated.emit(1)
    assert free.desk.tools.options.symmetry_kind == "turn2"


def test_a_terrain_of_the_palette_stays_with_the_tool_in_hand(free):
    free.desk.tools.choose("line")
    free.desk.docks.panel("palette").ground._terrains._group.button(SAND).click()
    assert (free.desk.tools.options.terrain, free.desk.canvas.tool.name) == (SAND, "line")
    free.desk.tools.choose("wand")
    free.desk.docks.panel("palette").ground._terrains._group.button(BOG).click()
    assert free.desk.canvas.tool.name == "terrain"


def test_another_system_brings_its_own_palette_and_disables_what_it_lacks(free):

    from randomizer.model.battlemap import BattleMap
    from randomizer.model.grid import Grid
    from randomizer.model.layer import Layer

    bare = system_like(TOY, planes=(TOY.terrain,), height=None, hexside=None)
    free.desk.tools.choose("hexside")
    free.desk.tools.options.choose(terrain=11)
    free.desk.document.open_map(BattleMap.new(bare, Grid(SQUARE, 6, 5), [Layer(1, "Ground")]))
    hexside = free.desk.commands.action("tool.hexside")
    assert not hexside.isEnabled()
    assert "no hexsides" in hexside.property(WHY)
    assert free.desk.canvas.tool.name == "terrain"
    assert not free.desk.docks.panel("palette").ground._hexsides.isVisible()
    texts = {button.text() for button in free.desk.docks.panel("palette").ground._terrains._buttons}
    assert texts == {terrain.name for terrain in TOY.terrain_set.terrains}
    last = len(texts) - 1
    assert free.desk.tools.options.terrain == last, "the last that the map knows"
    QTest.mouseClick(free.desk.canvas, LEFT, pos=at(free, 2, 2))
    assert terrain(free)[2, 2] == last
    mouse(free.desk.canvas, "MouseMove", at(free, 3, 3), NONE, NONE)
    QTest.keyClick(free.desk.canvas, Qt.Key.Key_Right)
    assert free.desk.canvas.accessibleDescription() == "3.3, Grass"
    free.desk.document.bring_to_front(free.desk.document.maps[0])
    assert hexside.isEnabled()


def test_a_large_map_is_turned_off_the_ui_thread_unless_it_changes_meanwhile(window, qtbot):
    document = window.desk.document
    document.open_map(free_map(FLAT, 240, 160))
    paint(window, "terrain", [7], BOG)
    with UiWork() as work:
        run(window, "map.turn-right")
        assert document.battlemap.grid.width == 240
        qtbot.waitUntil(lambda: document.undo_stack.count() == 2)
        assert document.battlemap.grid.width > 240
        assert (terrain(window) == BOG).sum() == 1
        run(window, "map.turn-left")
        paint(window, "terrain", [document.battlemap.grid.cells[0]], SAND)
        qtbot.waitUntil(lambda: "changed meanwhile" in window.statusBar().currentMessage())
        assert document.undo_stack.undoText() == "Paint"
        run(window, "map.fill-low-edges-with-slope")
        qtbot.waitUntil(lambda: "no such edge" in window.statusBar().currentMessage())
    assert work.where(turned_map) == {"job"}
    assert work.where(fitting_edges) == {"job"}


def test_what_was_worked_out_during_a_stroke_is_dropped_even_if_the_stroke_is_taken_back(
    window, qtbot
):
    document = window.desk.document
    document.open_map(free_map(FLAT, 240, 160))
    document.begin_stroke("Paint")
    paint_edit = set_values(document.battlemap, document.active_layer_id, "terrain", [7], BOG)
    run(window, "map.turn-right")
    document.stroke(paint_edit)
    document.cancel_stroke()
    qtbot.waitUntil(lambda: "changed meanwhile" in window.statusBar().currentMessage())
    assert document.undo_stack.count() == 0
    assert document.battlemap.grid.width == 240
