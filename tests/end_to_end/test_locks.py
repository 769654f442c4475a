"""Locks on a real window: keep hexes, hear how many maps that took, force what no roll makes."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.rolling.roll_request import RollRequest
from randomizer.catalog.generators import generator_named
from randomizer.geometry.shapes import disc
from randomizer.model.grid.layouts import FLAT
from randomizer.model.rolls.touch_ups import TOUCH_UPS
from randomizer.systems.free.system import free_map
from tests.app.conftest import cell
from tests.app.saves import finished
from tests.end_to_end.test_painting_what_is_seen import Painter
from tests.end_to_end.test_walking_desk import at, paint, press, settled, value
from tests.ui_work import UiWork

LEFT = Qt.MouseButton.LeftButton
PLANES = ("terrain", "elevation")


def test_locked_hexes_are_kept_and_it_is_said_after_how_many_maps(qtbot, window):
    panel = window.desk.docks.panel("randomize")
    document = window.desk.document
    finished(panel.scripts.opening.open_generator(generator_named("Mountains")))
    press(qtbot, window, panel.roll_action)
    locked = ("C3", "D3", "D4")
    for label in locked:
        paint(window, "lock", label)
    kept = [value(document.composite, plane, label) for plane in PLANES for label in locked]
    panel.roll_bar.new_seed.click()
    press(qtbot, window, panel.roll_action)
    words = window.statusBar().currentMessage()
    assert re.search(r"Tried \d+ maps until one kept the locks$", words), words
    now = [value(document.composite, plane, label) for plane in PLANES for label in locked]
    assert now == kept


def test_what_no_roll_makes_is_forced_in_one_step(qtbot, window, tmp_path):
    panel = window.desk.docks.panel("randomize")
    document = window.desk.document
    script = tmp_path / "Tarn.rnd"
    script.write_text("AREA A1 HAZARDS Lake\n", "utf-8")
    finished(window.desk.scripts.opening.open(script))
    press(qtbot, window, panel.roll_action)
    paint(window, "lock", "A1")
    finished(panel.scripts.opening.open_generator(generator_named("Mountains")))
    settled(qtbot, window)
    count = len(document.history.steps)
    with UiWork() as work:
        panel.roll_action.trigger()
        settled(qtbot, window)
        assert len(document.history.steps) == count
        assert panel.notices.lock_banner.label.text().startswith("This script never makes A1 Lake")
        QTest.mouseClick(panel.notices.lock_banner.button, LEFT)
        settled(qtbot, window)
    assert work.where(RollRequest.roll) == {"job"}
    assert len(document.history.steps) == count + 1
    assert document.history.next_undo.text.startswith("Force Mountains, seed ")
    lake = document.battlemap.system.terrain_set.terrain_code("Lake")
    assert value(document.composite, "terrain", "A1") == lake
    assert panel.problem_list.problems[0].message.startswith("This script never makes A1 Lake")
    assert not document.battlemap.layers[-1].name.startswith(TOUCH_UPS)

    document.undo()  # also the script: the panel has Tarn.rnd again
    finished(panel.scripts.opening.open_generator(generator_named("Mountains")))
    panel.roll_action.trigger()
    settled(qtbot, window)
    assert window.statusBar().currentMessage().startswith("Not rolled: ")
    QTest.mouseClick(panel.notices.lock_banner.unlock, LEFT)
    assert window.statusBar().currentMessage() == ""
    document.undo()  # the lock is back
    QTest.mouseClick(window.desk.canvas, LEFT, pos=at(window, "A1"))  # unlocked by hand
    assert window.statusBar().currentMessage() == "Unlocked A1"
    assert not document.battlemap.locked_cells.flat[cell("A1")]


def test_a_painted_hex_that_is_locked_stays_and_the_script_rolls_beneath(qtbot, window, tmp_path):
    """Newcomers painted hexes, locked them so that they stay, and then no roll was made."""
    panel = window.desk.docks.panel("randomize")
    document = window.desk.document
    script = tmp_path / "Rare.rnd"
    script.write_text("AREA (anywhere) HAZARDS Bog,50. Sand\n", "utf-8")
    finished(window.desk.scripts.opening.open(script))
    press(qtbot, window, panel.roll_action)
    panel.roll_bar.new_seed.click()
    painter = Painter(qtbot, window)
    for label in ("A1", "C3"):
        painter.paint("Volcano", label)
        paint(window, "lock", label)
    for _ in range(2):
        previous_roll = document.active_layer.roll
        press(qtbot, window, panel.roll_action)
        assert document.active_layer.roll != previous_roll
        assert panel.notices.lock_banner.isHidden()
        volcano = document.battlemap.system.terrain_set.terrain_code("Volcano")
        assert value(document.composite, "terrain", "A1") == volcano
        assert value(document.composite, "terrain", "C3") == volcano
    paint(window, "eraser", "A1")
    assert value(document.composite, "terrain", "A1") != volcano


@pytest.mark.deep
def test_a_click_with_the_lock_says_what_it_locked_while_the_map_shows_odds(window, qtbot):
    window.desk.docks.show("odds")
    paint(window, "lock", "D4")
    assert window.statusBar().currentMessage() == "Locked D4: rolls keep it"
    paint(window, "lock", "D4")
    assert window.statusBar().currentMessage() == "Unlocked D4"


def test_what_is_selected_comes_back_from_the_roll_before_and_is_locked(window, qtbot):
    document = window.desk.document
    panel = window.desk.docks.panel("randomize")
    action = window.desk.commands.action("select.lock-as-in-the-roll-before")
    planes = document.composite.planes
    half = document.battlemap.grid.cells[:13]
    rest = document.battlemap.grid.cells[13:]
    document.select(half)
    action.trigger()
    assert "no roll before" in window.statusBar().currentMessage()
    before = {name: planes[name].ravel().copy() for name in ("terrain", "elevation")}
    panel.roll_action.trigger()
    qtbot.waitUntil(lambda: not panel.rolling.busy)
    document.select(half)
    planes = document.composite.planes
    rolled_again = {name: planes[name].ravel().copy() for name in before}
    assert any((rolled_again[name][half] != before[name][half]).any() for name in before)
    steps = len(document.history.steps)
    action.trigger()
    qtbot.waitUntil(lambda: len(document.history.steps) == steps + 1)
    planes = document.composite.planes
    for name, values in before.items():
        assert (planes[name].ravel()[half] == values[half]).all()
        assert (planes[name].ravel()[rest] == rolled_again[name][rest]).all()
    assert document.battlemap.locked_cells.ravel().nonzero()[0].tolist() == sorted(half)
    document.undo()
    assert not document.battlemap.locked_cells.any()
    assert (document.composite.planes["terrain"].ravel() == rolled_again["terrain"]).all()


@pytest.mark.deep
def test_what_was_locked_and_unlocked_leaves_no_trace_on_a_landscape(window, qtbot):
    """A whole map is seen at a scale at which no padlock was drawn at all."""
    window.resize(1400, 900)
    canvas = window.desk.canvas
    qtbot.waitUntil(lambda: canvas.width() > 600)
    window.desk.document.show_map(free_map(FLAT, 60, 40))
    qtbot.waitUntil(lambda: canvas.is_sharp)
    plain = canvas.grab().toImage()
    grid = window.desk.document.battlemap.grid
    window.desk.document.select(disc(grid, grid.cell(30, 20), 3))
    window.desk.commands.run("select.lock")
    window.desk.commands.run("select.nothing")
    qtbot.waitUntil(lambda: canvas.is_sharp)
    locked = canvas.grab().toImage()
    assert locked != plain
    window.desk.commands.run("select.unlock-everything")
    qtbot.waitUntil(lambda: canvas.is_sharp)
    assert canvas.grab().toImage() == plain
