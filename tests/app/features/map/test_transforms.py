"""The whole map is turned, resized and shifted, and its edges are filled."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtWidgets import QDialogButtonBox, QWidget

from app.features.map.transform_dialogs import ResizeDialog
from app.widgets.forms.form_dialog import FormDialog
from randomizer.geometry.auto_edges import fitting_edges
from randomizer.geometry.shapes import disc
from randomizer.geometry.transform import turn_map
from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.systems.free.system import free_map
from randomizer.systems.zeroad.system import SYSTEM
from tests.app.buttons import press_ok
from tests.app.conftest import wait_for_actions
from tests.randomizer.map_strategies import contents
from tests.ui_work import UiWork

BOG = 5
SAND = 6


@pytest.fixture
def features() -> tuple[str, ...]:
    return ("map",)


def run(window, name: str) -> None:
    window.desk.commands.action(name).trigger()


def paint(window, plane: str, cells, values) -> None:
    document = window.desk.document
    edit = set_values(document.battlemap, document.active_layer_id, plane, cells, values)
    document.push(edit, "Paint")


def terrain(window):
    return window.desk.document.composite.planes["terrain"]


def test_six_turns_of_the_map_are_none_and_undo_brings_everything_back(free):
    document = free.desk.document
    rng = np.random.default_rng(5)
    size = document.battlemap.grid.size
    paint(free, "terrain", np.arange(size), rng.integers(0, 9, size))
    paint(free, "hexside", np.arange(size * 6), rng.integers(0, 3, size * 6))
    before = contents(document.battlemap)
    picture = document.composite.copy()
    for _ in range(6):
        run(free, "map.turn-right")
    assert document.composite.same_as(picture)
    run(free, "map.flip-horizontally")
    run(free, "map.turn-left")
    document.go_to(2)
    assert contents(document.battlemap) == before
    free.desk.canvas.grab()


def test_what_a_resize_would_lose_is_asked_for(free, qtbot, hand):
    from app.features.map.transform_dialogs import ResizeDialog, ShiftDialog

    document = free.desk.document
    paint(free, "terrain", [document.battlemap.grid.cell(15, 5)], BOG)
    hand.hold(ResizeDialog, ShiftDialog)
    for answer, width in (("Cancel", 16), ("Resize", 10)):
        question = hand.expect("Resize").press(answer)
        run(free, "map.resize")
        dialog = free.findChildren(ResizeDialog)[-1]
        dialog.fields[0].setValue(10)
        dialog.accept()
        wait_for_actions(qtbot)
        assert document.battlemap.grid.width == width
        assert "1 hex off the board" in question.text
    document.undo()
    assert document.battlemap.grid.width == 16
    run(free, "map.shift")
    dialog = free.findChildren(ShiftDialog)[-1]
    dialog.fields[0].setValue(2)
    dialog.accept()
    assert terrain(free)[5, 1] == BOG


def test_edges_are_filled_where_selected(free):
    document = free.desk.document
    grid = document.battlemap.grid
    paint(free, "elevation", [grid.cell(4, 4), grid.cell(10, 6)], 1)
    document.select(disc(grid, grid.cell(4, 4), 1))
    run(free, "map.fill-low-edges-with-slope")
    hexside = np.array(document.composite.planes["hexside"]).reshape(-1, 6)
    slope = document.battlemap.terrain_set.hexside_code("s")
    assert (hexside[grid.cell(4, 4)] == slope).all()
    assert not hexside[grid.cell(10, 6)].any()


def test_a_large_map_is_turned_off_the_ui_thread_unless_it_changes_meanwhile(window, qtbot):
    document = window.desk.document
    document.open_map(free_map(FLAT, 240, 160))
    paint(window, "terrain", [7], BOG)
    with UiWork() as work:
        run(window, "map.turn-right")
        assert document.battlemap.grid.width == 240
        qtbot.waitUntil(lambda: len(document.history.steps) == 2)
        assert document.battlemap.grid.width > 240
        assert (terrain(window) == BOG).sum() == 1
        run(window, "map.turn-left")
        paint(window, "terrain", [document.battlemap.grid.cells[0]], SAND)
        qtbot.waitUntil(lambda: "changed meanwhile" in window.statusBar().currentMessage())
        assert document.history.next_undo.text == "Paint"
        run(window, "map.fill-low-edges-with-slope")
        qtbot.waitUntil(lambda: "no such edge" in window.statusBar().currentMessage())
    assert work.where(turn_map) == {"job"}
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
    assert len(document.history.steps) == 0
    assert document.battlemap.grid.width == 240


def test_a_size_that_the_game_does_not_have_cannot_be_chosen(qtbot):
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = ResizeDialog(SYSTEM, SYSTEM.new_grid(), parent)
    ok = dialog.buttons.button(QDialogButtonBox.StandardButton.Ok)
    assert ok.isEnabled()
    dialog.fields[0].setValue(144)
    assert not ok.isEnabled()
    assert "144 x 128 is not possible" in dialog.status_label.text()
    dialog.fields[1].setValue(144)
    assert ok.isEnabled()


def accept(window, **values) -> None:
    """Choose these values in the form that is open, and press OK."""
    (dialog,) = (each for each in window.findChildren(FormDialog) if each.isVisible())
    dialog.form.show_values(dialog.form.values() | values)
    press_ok(dialog)


def test_cells_become_finer_and_undo_makes_them_coarse_again(free):
    document = free.desk.document
    grid = document.battlemap.grid
    paint(free, "terrain", [0], BOG)
    run(free, "map.finer-cells")
    accept(free, factor=3)
    assert (document.battlemap.grid.width, document.battlemap.grid.height) == (
        3 * grid.width,
        3 * grid.height,
    )
    assert 4 <= (terrain(free) == BOG).sum() <= 12
    free.desk.canvas.grab()
    document.undo()
    assert document.battlemap.grid.same_as(grid)


def test_a_map_becomes_symmetric(free):
    document = free.desk.document
    paint(free, "terrain", [0, 1], BOG)
    run(free, "map.make-symmetric")
    accept(free, kind="turn2")
    before = (terrain(free) == BOG).sum()
    assert before == 4
    run(free, "map.make-symmetric")
    accept(free, kind="turn2")
    assert "symmetric already" in free.statusBar().currentMessage()
    document.undo()
    assert (terrain(free) == BOG).sum() == 2


def test_maps_with_starts_are_not_made_symmetric(free):
    free.desk.document.open_map(BattleMap.new(SYSTEM, None, [Layer(1, "Ground")]))
    action = free.desk.commands.action("map.make-symmetric")
    assert not action.isEnabled()
    assert "has starts" in free.desk.commands.row("map.make-symmetric").why_not()


def test_a_map_of_another_system_has_the_commands_to_fill_its_edges(window):
    document = window.desk.document
    document.open_map(BattleMap.new(SYSTEM, layers=[Layer(1, "Ground")]))
    commands = window.desk.commands
    document.open_map(free_map(FLAT, 8, 6))
    assert "map.fill-low-edges-with-slope" in commands.offered()
    document.open_map(BattleMap.new(SYSTEM, layers=[Layer(1, "Ground")]))
    assert "map.fill-low-edges-with-slope" not in commands.offered()
