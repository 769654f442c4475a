"""A newcomer enters dice: what is thrown so far is seen, and no stray hand changes the table."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox

from app.systems.cordery.dice_faces import GAP, SIDE
from randomizer.systems.cordery.entered_dice import RECORD
from tests.app.systems.cordery.conftest import Wargamer


@pytest.fixture
def player(qtbot, window) -> Wargamer:
    player = Wargamer(qtbot, window)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return player


def choose_own_dice(player) -> None:
    player.panel.tabs.setCurrentIndex(0)
    dice = player.panel.dice_form.field("dice")
    assert isinstance(dice, QComboBox)
    dice.setFocus()
    QTest.keyClick(dice, Qt.Key.Key_Home)
    while dice.currentText() != "Entered by hand":
        QTest.keyClick(dice, Qt.Key.Key_Down)


def await_question(player) -> None:
    player.qtbot.waitUntil(player.panel.strip.isVisible)
    player.qtbot.waitUntil(lambda: not player.desk.entry.busy)


def begin(player) -> None:
    choose_own_dice(player)
    player.qtbot.mouseClick(player.panel.enter_button, Qt.MouseButton.LeftButton)
    await_question(player)


def throw_again(player, part: str) -> None:
    """Press the dice beside a part of a table that the program has thrown."""
    player.panel.tabs.setCurrentIndex(0)
    button = player.panel.form.again[part]
    player.qtbot.waitUntil(button.isEnabled)
    player.panel.form.again[part].click()
    await_question(player)


def type_dice(player, *scores: int) -> None:
    for score in scores:
        QTest.keyClick(player.panel.strip, Qt.Key.Key_0 + score)
        player.qtbot.waitUntil(lambda: not player.desk.entry.busy)


def click_map(player, cell: int) -> None:
    canvas = player.window.desk.canvas
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=player.point(cell))


def undo(player) -> None:
    QTest.keySequence(player.window.windowHandle(), QKeySequence.StandardKey.Undo)
    player.qtbot.waitUntil(lambda: not player.desk.entry.busy)


def status(player) -> str:
    return player.window.statusBar().currentMessage()


def arm_brush(player, terrain: str) -> None:
    desk = player.window.desk
    desk.tools.choose("terrain")
    code = player.document.battlemap.system.terrain_set.terrain_code(terrain)
    desk.tools.options.choose(terrain=code)


@pytest.mark.parametrize("size", [(1280, 800), (800, 500)])
def test_the_dice_of_a_throw_so_far_all_have_room(player, size):
    player.window.resize(*size)
    begin(player)
    type_dice(player, 3, 4, 2, 5)
    strip = player.panel.strip
    assert "die 3 of 3" in strip.meaning.text()
    assert strip.faces.scores == (2, 5)
    assert strip.faces.width() >= 2 * SIDE + GAP
    picture = strip.faces.grab().toImage()
    middle_of_second_die = SIDE + GAP + SIDE // 2
    assert picture.pixel(middle_of_second_die, SIDE // 2) != picture.pixel(SIDE + GAP // 2, 1)


def test_paint_that_was_undone_is_not_told_of(player):
    arm_brush(player, "Deciduous trees")
    click_map(player, 20)
    undo(player)
    player.throw(relief="hilly")
    assert "painted" not in status(player)
    choose_own_dice(player)
    throw_again(player, "roads")
    type_dice(player, 3)
    player.panel.strip.rest_button.click()
    player.qtbot.waitUntil(player.panel.strip.isHidden)
    player.wait()
    assert status(player).startswith("The program has thrown")
    assert "painted" not in status(player)


def test_a_stray_click_on_the_map_paints_nothing_while_dice_are_asked_for(player):
    arm_brush(player, "Deciduous trees")
    begin(player)
    type_dice(player, 3, 4, 2, 5, 3)
    log = player.log()
    steps = len(player.document.history.steps)
    click_map(player, 20)
    assert status(player) == (
        "While dice are asked for, nothing is painted: press Stop entering first."
    )
    assert len(player.document.history.steps) == steps
    assert player.log() == log
    assert player.panel.strip.isVisible()

    player.panel.strip.end_button.click()
    click_map(player, 20)
    assert len(player.document.history.steps) == steps + 1
    player.panel.waiting.button.click()
    await_question(player)
    assert player.desk.entry.dice.count == 5


def test_stopping_to_throw_a_part_again_tells_how_many_dice_it_drops(player):
    player.throw(relief="hilly")
    choose_own_dice(player)
    throw_again(player, "roads")
    strip = player.panel.strip
    assert "drop" in strip.end_button.toolTip()
    type_dice(player, 3, 2)
    QTest.keyClick(strip, Qt.Key.Key_Escape)
    assert strip.isHidden()
    assert status(player) == ("The table stays as it was; 2 dice dropped (Undo brings them back).")
    assert RECORD not in player.document.battlemap.records
    undo(player)
    player.qtbot.waitUntil(player.panel.waiting.isVisible)
    player.panel.waiting.button.click()
    await_question(player)
    assert player.desk.entry.dice.count == 2
