"""The whole main job on a real window: roll, paint, lock, undo, save, export, read back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from app.document.map_files import read_map
from app.features.game.export_dialog import ExportDialog
from app.features.pictures.picture_dialog import PictureDialog
from randomizer.model.planes.composite import Composite
from randomizer.model.rolls.touch_ups import TOUCH_UPS
from randomizer.systems.colossus.board import LABELS
from tests.app.conftest import cell
from tests.app.saves import finished, saved

DRIVEN_DIALOGS = (ExportDialog, PictureDialog)

LEFT = Qt.MouseButton.LeftButton
SCRIPT = """\
# A small marsh for the test.
TITLE Testmarsh
LABEL middle = C3 D3 D4
AREA (middle) HAZARDS Bog Bog,50. Plains,1
AREA SURROUNDINGSOF((middle)) HAZARDS Tree Tree,50.,1 Lake,50. Sand,50.
PAIR (Plains,1)(Plains,0) HEXSIDES s,80.
PAIR (Sand,*)(Plains,*) HEXSIDES d,50.
"""
STONE = 9


def at(window, label: str) -> QPoint:
    x, y = window.desk.document.battlemap.grid.centre(cell(label))
    return window.desk.canvas.viewport.to_screen(x, y).toPoint()


def paint(window, tool: str, label: str) -> None:
    window.desk.tools.choose(tool)
    QTest.mouseClick(window.desk.canvas, LEFT, pos=at(window, label))


def settled(qtbot, window) -> None:
    qtbot.waitUntil(lambda: not window.desk.rolling.busy)


def press(qtbot, window, action) -> None:
    """Trigger a roll action and wait until its undo step is there."""
    count = window.desk.document.history.index
    action.trigger()
    qtbot.waitUntil(lambda: window.desk.document.history.index != count)
    settled(qtbot, window)


def value(composite: Composite, plane: str, label: str) -> int:
    return int(composite.planes[plane].flat[cell(label)])


@pytest.fixture
def script(tmp_path) -> Path:
    path = tmp_path / "Testmarsh.rnd"
    path.write_text(SCRIPT, "utf-8")
    return path


@pytest.fixture
def game(tmp_path) -> Path:
    """A made-up game directory with one variant."""
    folder = tmp_path / "game" / "Default"
    (folder / "Battlelands").mkdir(parents=True)
    (folder / "DefaultVar.xml").write_text(
        '<?xml version="1.0"?><variant name="Default"><creatures filename="DefaultCre.xml"/>'
        '<hint classname="Default.DefaultHint"/></variant>',
        "utf-8",
    )
    (folder / "Battlelands" / "Marsh.xml").write_text(
        '<?xml version="1.0"?><battlemap terrain="Marsh" tower="False"/>', "utf-8"
    )
    return tmp_path / "game"


def test_open_roll_paint_roll_lock_undo_redo_save_export(
    qtbot, window, script, game, tmp_path, settings
):
    document = window.desk.document
    panel = window.desk.docks.panel("randomize")
    history = document.history
    opened = document.composite.copy()

    # Open a script: its text stands in the panel.
    assert finished(panel.scripts.opening.open(script))
    assert panel.editor.toPlainText() == SCRIPT
    assert settings.recent("scripts") == [script]

    # Roll: a layer of its own, named after script and seed, above the sample.
    press(qtbot, window, panel.roll_action)
    first = document.composite.copy()
    rolled = document.active_layer
    assert rolled.roll is not None
    assert rolled.roll.script == SCRIPT
    assert rolled.name == f"Testmarsh, seed {rolled.roll.seed} no. 0"
    assert document.composite.properties.get("title") == "Testmarsh"

    # Paint into the roll.
    window.desk.tools.options.choose(terrain=STONE)
    paint(window, "terrain", "A1")
    paint(window, "terrain", "D4")
    assert value(document.composite, "terrain", "D4") == STONE

    # Roll the next of its maps: the touch-ups survive in a layer of their own.
    panel.roll_bar.new_seed.click()
    press(qtbot, window, panel.roll_action)
    assert value(document.composite, "terrain", "D4") == STONE
    assert value(document.composite, "terrain", "A1") == STONE
    assert TOUCH_UPS in [layer.name for layer in document.battlemap.layers]
    assert document.battlemap.layer(rolled.id).roll.number == 1
    assert history.next_undo.text.startswith("Roll")

    # Lock a hazard that the roll made, roll: it stays, and is found again in other maps.
    made = document.battlemap.layer(rolled.id).planes["origin"]
    hazard = next(
        label
        for label in LABELS
        if made.flat[cell(label)] >= 0
        and value(document.composite, "terrain", label) not in (0, STONE)
    )
    kept = (
        value(document.composite, "terrain", hazard),
        value(document.composite, "elevation", hazard),
    )
    window.desk.docks.panel("layers").list.setCurrentRow(
        len(document.battlemap.layers) - 1 - document.battlemap.index_of(rolled.id)
    )
    paint(window, "lock", hazard)
    for _ in range(3):
        press(qtbot, window, panel.roll_action)
        shown = document.composite.copy()
        assert (value(shown, "terrain", hazard), value(shown, "elevation", hazard)) == kept
    last = document.composite.copy()
    steps = history.index

    # Undo all the way back to the first state; redo all the way to the last.
    while history.next_undo:
        document.undo()
    assert document.composite.same_as(opened)
    assert not document.battlemap.locked_cells.any()
    assert not document.modified
    document.redo()
    assert document.composite.same_as(first)
    while history.next_redo:
        document.redo()
    assert document.composite.same_as(last)
    assert history.index == steps

    # Save: the file holds what is shown; the layers stay in the window.
    path = tmp_path / "marsh.xml"
    assert saved(window.desk.files.saving.save_to, path)
    assert window.windowTitle() == "marsh.xml[*] - Battlelands Builder"
    assert not document.modified
    read = read_map(path)
    assert read.battlemap is not None
    assert not read.problems
    again = read.battlemap.composite()
    for plane in ("terrain", "elevation", "hexside"):
        assert np.array_equal(again.planes[plane], last.planes[plane])

    # Export into the game over an existing battleland, and take it back.
    settings.set_game_dir("colossus", game)
    window.desk.games.export()
    dialog = window.desk.games.dialog
    qtbot.waitUntil(lambda: dialog.form.group_choice.box.count() > 1)
    dialog.form.group_choice.box.setCurrentText("Default")
    dialog.form.slot_choice.box.setCurrentText("Marsh")
    qtbot.waitUntil(dialog.export_button.isEnabled)
    target = game / "Default" / "Battlelands" / "Marsh.xml"
    before = target.read_bytes()
    dialog.export_button.click()
    qtbot.waitUntil(lambda: target.read_bytes() != before)
    exported = read_map(target)
    assert exported.battlemap is not None
    for plane in ("terrain", "elevation", "hexside"):
        assert np.array_equal(exported.battlemap.composite().planes[plane], last.planes[plane])
    assert b"<!DOCTYPE" not in target.read_bytes()
    qtbot.waitUntil(dialog.take_back_button.isEnabled)
    dialog.take_back_button.click()
    qtbot.waitUntil(lambda: target.read_bytes() == before)
    dialog.close()


def test_the_desk_opens_on_a_map_with_its_script_and_seed(window):
    layer = window.desk.document.active_layer
    assert layer.roll is not None
    assert window.desk.docks.panel("randomize").editor.toPlainText() == layer.roll.script
    assert np.any(window.desk.document.composite.planes["terrain"])
    assert not window.desk.document.modified


def test_roll_with_rolls_a_packaged_script(qtbot, window):
    window.desk.commands.fill("randomize.roll-with.script.*")
    press(qtbot, window, window.desk.commands.action("randomize.roll-with.script.swamp"))
    document = window.desk.document
    assert document.active_layer.roll.generator == "Swamp"
    assert document.active_layer.name.startswith("Swamp, seed")
    # It takes the place of the Mountains: no volcano shows through, and Undo brings them back.
    assert document.battlemap.layers[0].name == "Ground"
    assert len(document.battlemap.layers) == 2
    volcano = document.battlemap.system.terrain_set.terrain_code("Volcano")
    assert volcano not in document.composite.planes["terrain"]
    document.undo()
    assert volcano in document.composite.planes["terrain"]


def test_leaving_unsaved_work_is_asked_for(qtbot, window, hand):
    paint(window, "terrain", "B2")
    before = window.desk.document.composite.copy()
    question = hand.expect("Unsaved changes").press("Cancel")
    window.close()
    qtbot.waitUntil(lambda: question.has_come)
    assert window.isVisible()
    assert window.desk.document.composite.same_as(before)
    hand.expect("Unsaved changes").press("Discard")
    window.close()
    qtbot.waitUntil(lambda: not window.isVisible())


@pytest.mark.deep
def test_the_map_is_printed_from_the_file_menu(qtbot, window, tmp_path):
    from PySide6.QtGui import QPdfWriter

    window.desk.commands.run("file.print")
    (dialog,) = window.findChildren(PictureDialog)
    writer = QPdfWriter(str(tmp_path / "map.pdf"))
    with qtbot.waitSignal(dialog.reported):
        dialog.print_on(writer)
    del writer
    assert (tmp_path / "map.pdf").stat().st_size > 20_000


def test_the_status_bar_says_why_a_hex_is_as_it_is(window):
    document = window.desk.document
    origin = document.active_layer.planes["origin"]
    label = next(label for label in LABELS if origin.flat[cell(label)] >= 0)
    QTest.mouseMove(window.desk.canvas, at(window, label))
    window.desk.canvas.input.point_at_hit(window.desk.canvas.hit_at(at(window, label).toPointF()))
    assert "Mountains.rnd line" in window.findChild(QLabel, "place").text()
