"""While dice are entered, Undo takes back what was done last: a die, a choice, the beginning."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox

from randomizer.systems.cordery.entered_dice import RECORD
from tests.app.systems.cordery.conftest import Wargamer
from tests.daily import deep_but


@pytest.fixture
def player(qtbot, window) -> Wargamer:
    player = Wargamer(qtbot, window)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return player


def choose_own_dice(player) -> None:
    dice = player.panel.dice_form.field("dice")
    assert isinstance(dice, QComboBox)
    dice.setCurrentIndex(dice.findText("Entered by hand"))
    dice.activated.emit(dice.currentIndex())


def begin(player) -> None:
    """Choose dice that are entered by hand, and press the button that asks for them."""
    choose_own_dice(player)
    player.qtbot.mouseClick(player.panel.enter_button, Qt.MouseButton.LeftButton)
    player.qtbot.waitUntil(player.panel.strip.isVisible)


def type_dice(player, *scores: int) -> None:
    """Type scores where the keyboard is, each once it is asked for."""
    for score in scores:
        QTest.keyClick(player.window.focusWidget(), Qt.Key.Key_0 + score)
        player.qtbot.waitUntil(lambda: not player.desk.entry.busy)


def press(player, keys: QKeySequence.StandardKey) -> None:
    """Press keys of the window, and wait until the next die is asked for."""
    QTest.keySequence(player.window.windowHandle(), keys)
    player.qtbot.waitUntil(lambda: not player.desk.entry.busy)


def question(player) -> str:
    return player.panel.strip.label.text()


def change_rivers(player):
    """Turn to the choices and add a river with the keyboard; the field."""
    player.panel.tabs.setCurrentIndex(0)
    rivers = player.panel.form.field("rivers")
    rivers.setFocus()
    QTest.keyClick(rivers, Qt.Key.Key_Up)
    player.qtbot.waitUntil(lambda: not player.desk.entry.busy)
    return rivers


@pytest.mark.parametrize(
    "count", deep_but([0, 2], 2), ids=["before the first die", "after two dice"]
)
def test_undo_takes_back_a_choice_and_the_field_keeps_the_keyboard(player, count):
    begin(player)
    type_dice(player, *(3, 4)[:count])
    rivers = change_rivers(player)
    assert rivers.value() == 2
    assert player.document.history.next_undo.text == "Rivers: 2"
    assert player.window.focusWidget() is rivers
    assert player.panel.tabs.currentIndex() == 0

    press(player, QKeySequence.StandardKey.Undo)
    assert rivers.value() == 1
    assert player.desk.entry.dice.count == count
    assert player.window.focusWidget() is rivers
    press(player, QKeySequence.StandardKey.Redo)
    assert rivers.value() == 2
    assert player.desk.entry.dice.choices["rivers"] == 2

    QTest.keyClick(rivers, Qt.Key.Key_Tab)
    assert player.panel.form.isAncestorOf(player.window.focusWidget())


@pytest.mark.deep
def test_undo_takes_back_a_choice_for_dice_that_wait(player):
    begin(player)
    type_dice(player, 3, 4)
    player.panel.strip.end_button.click()
    rivers = change_rivers(player)
    press(player, QKeySequence.StandardKey.Undo)
    assert rivers.value() == 1
    press(player, QKeySequence.StandardKey.Redo)
    assert rivers.value() == 2
    player.panel.waiting.button.click()
    player.qtbot.waitUntil(player.panel.strip.isVisible)
    assert player.desk.entry.dice.choices["rivers"] == 2


@pytest.mark.deep
def test_a_throw_of_three_dice_is_undone_and_redone_die_by_die(player):
    begin(player)
    type_dice(player, 3, 4, 1, 2, 5)
    assert question(player).startswith("1.1 Hill 1 height")
    strip = player.panel.strip
    press(player, QKeySequence.StandardKey.Undo)
    assert question(player) == "1.2 Hill 1 steps: throw 3 D6"
    assert strip.faces.scores == (1, 2)
    assert "die 3 of 3" in strip.meaning.text()
    press(player, QKeySequence.StandardKey.Redo)
    assert question(player).startswith("1.1 Hill 1 height")

    for _die in range(3):
        QTest.keyClick(strip, Qt.Key.Key_Backspace)
        player.qtbot.waitUntil(lambda: not player.desk.entry.busy)
    assert strip.faces.scores == ()
    for scores in ((1,), (1, 2)):
        press(player, QKeySequence.StandardKey.Redo)
        assert strip.faces.scores == scores
    press(player, QKeySequence.StandardKey.Redo)
    assert question(player).startswith("1.1 Hill 1 height")
    assert player.desk.entry.dice.throws["hill 1 steps"] == (1, 2, 5)


@pytest.mark.deep
def test_the_last_die_of_three_is_taken_back_alone_and_its_throw_is_asked_for_again(player):
    begin(player)
    type_dice(player, 3, 4, 2, 5, 3)
    assert question(player).startswith("1.1 Hill 1 height")
    strip = player.panel.strip
    strip.setFocus()
    QTest.keyClick(strip, Qt.Key.Key_Backspace)
    player.qtbot.waitUntil(lambda: question(player) == "1.2 Hill 1 steps: throw 3 D6")
    assert strip.faces.scores == (2, 5)
    assert "die 3 of 3" in strip.meaning.text()
    assert not any("Hill 1 at" in line for line in player.log())
    type_dice(player, 1)
    assert question(player).startswith("1.1 Hill 1 height")
    assert player.desk.entry.dice.throws["hill 1 steps"] == (2, 5, 1)
    QTest.keyClick(strip, Qt.Key.Key_Backspace)
    player.qtbot.waitUntil(lambda: strip.faces.scores == (2, 5))
    QTest.keyClick(strip, Qt.Key.Key_Backspace)
    player.qtbot.waitUntil(lambda: strip.faces.scores == (2,))
    assert question(player) == "1.2 Hill 1 steps: throw 3 D6"


@pytest.mark.deep
def test_digits_are_scores_after_a_choice_too_but_not_in_a_field_for_numbers(player):
    begin(player)
    type_dice(player, 3, 4)
    player.panel.tabs.setCurrentIndex(0)
    kind = player.panel.form.field("climate")
    assert isinstance(kind, QComboBox)
    kind.setFocus()
    count = player.desk.entry.dice.count
    type_dice(player, 2)
    assert player.desk.entry.dice.count == count + 1
    tab_bar = player.panel.tabs.tabBar()
    QTest.mouseClick(tab_bar, Qt.MouseButton.LeftButton, pos=tab_bar.tabRect(1).center())
    type_dice(player, 5)
    assert player.desk.entry.dice.count == count + 2

    player.panel.tabs.setCurrentIndex(0)
    rivers = player.panel.form.field("rivers")
    rivers.setFocus()
    rivers.selectAll()
    type_dice(player, 2)
    assert rivers.value() == 2
    assert player.desk.entry.dice.count == count + 2


def test_undo_at_the_first_question_ends_the_entry_and_leaves_the_table(player):
    player.throw()
    log = player.log()
    steps = player.document.history.index
    begin(player)
    press(player, QKeySequence.StandardKey.Undo)
    assert player.panel.strip.isHidden()
    player.wait()
    assert player.log() == log
    assert player.document.history.index == steps


@pytest.mark.deep  # some 40 dice
def test_undo_takes_back_the_choice_for_which_dice_are_asked(player):
    begin(player)
    score = 0
    while player.panel.strip.isVisible():
        score = score % 6 + 1
        type_dice(player, score)
    player.wait()
    log = player.log()
    rivers = change_rivers(player)
    player.qtbot.waitUntil(player.panel.strip.isVisible)
    press(player, QKeySequence.StandardKey.Undo)
    assert player.panel.strip.isHidden()
    assert rivers.value() == 1
    player.wait()
    assert player.log() == log

    press(player, QKeySequence.StandardKey.Redo)
    player.qtbot.waitUntil(player.panel.strip.isVisible)
    assert rivers.value() == 2
    assert question(player) == "2.1 River 2 entry: throw a D6"


@pytest.mark.deep
def test_an_entry_without_dice_leaves_no_trace(player):
    steps = player.document.history.index
    begin(player)
    player.panel.strip.end_button.click()
    assert RECORD not in player.document.battlemap.records
    assert player.document.history.index == steps
    assert player.panel.enter_button.isEnabled()


@pytest.mark.deep
def test_the_expected_number_of_dice_seldom_changes(player):
    begin(player)
    numbers = []
    for score in (3, 4, 1, 2, 5, 2, 6, 2, 3, 1, 1, 4, 3, 6, 2, 2, 1, 5, 3, 4):
        text = player.panel.strip.progress.text()
        numbers.append(int(re.fullmatch(r"\d+ of about (\d+) dice", text)[1]))
        type_dice(player, score)
    changes = [pair for pair in pairwise(numbers) if len(set(pair)) > 1]
    assert len(changes) <= 3
