"""What a field for a number does not take is said after the field was left, too."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QSpinBox, QToolTip

from app.features.map.transform_dialogs import ShiftDialog
from tests.app.systems.cordery.conftest import Wargamer

DRIVEN_DIALOGS = (ShiftDialog,)
"""Dialogs that these tests drive themselves."""


@pytest.fixture
def player(qtbot, window) -> Wargamer:
    return Wargamer(qtbot, window)


def type_over(field, text: str) -> None:
    """Type a text in place of what a field shows."""
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(field, text)


def status(player) -> str:
    return player.window.statusBar().currentMessage()


@pytest.mark.deep
def test_a_number_of_rivers_that_is_refused_is_told_after_tab(player):
    player.throw()
    log = player.log()
    rivers = player.panel.form.field("rivers")
    type_over(rivers, "99")
    QTest.keyClick(rivers, Qt.Key.Key_Tab)
    assert rivers.value() == 1
    player.qtbot.waitUntil(lambda: status(player) == "Rivers: 0 to 4")
    assert player.log() == log


@pytest.mark.deep
def test_a_number_that_is_corrected_before_the_field_is_left_is_not_talked_about(player):
    player.throw()
    rivers = player.panel.form.field("rivers")
    type_over(rivers, "9")
    QTest.keyClicks(rivers, "2")
    QTest.keyClick(rivers, Qt.Key.Key_Tab)
    player.wait()
    assert rivers.value() == 2
    assert "Rivers: 2. Laid again with the same dice" in status(player)
    assert "Rivers: 0 to 4" not in status(player)


@pytest.mark.deep
def test_the_score_of_a_die_that_no_die_shows_is_told_after_tab(player):
    player.throw(relief="hilly")
    player.read("1.2 Hill 1")
    die = player.panel.fix_form.fields["hill 1 row"].widget.findChild(QSpinBox)
    type_over(die, "99")
    QTest.keyClick(die, Qt.Key.Key_Tab)
    player.qtbot.waitUntil(lambda: status(player) == "Die: 1 to 6")


def test_a_seed_with_letters_rolls_nothing_and_is_told_after_enter_and_tab(player):
    player.throw()
    log = player.log()
    roll_bar = player.panel.roll_bar
    seed = roll_bar.seed.value
    type_over(roll_bar.seed, "abc-5")
    QToolTip.hideText()
    QTest.keyClick(roll_bar.seed, Qt.Key.Key_Return)
    assert not player.rolling.busy
    player.qtbot.waitUntil(lambda: QToolTip.text() == "0 to 4,294,967,295")
    QTest.keyClick(roll_bar.seed, Qt.Key.Key_Tab)
    player.qtbot.waitUntil(lambda: status(player) == "Seed: 0 to 4,294,967,295")
    assert roll_bar.seed.text() == str(seed)
    assert player.log() == log


@pytest.mark.deep
def test_a_good_seed_takes_the_limits_away(player):
    player.throw()
    seed = player.panel.roll_bar.seed
    type_over(seed, "abc-5")
    player.qtbot.waitUntil(lambda: QToolTip.text() == "0 to 4,294,967,295")
    type_over(seed, "77")
    player.qtbot.waitUntil(lambda: not QToolTip.isVisible())


def test_a_dialog_says_below_its_field_what_was_refused(player, qtbot):
    player.throw()
    player.window.desk.commands.run("map.shift")
    qtbot.waitUntil(lambda: player.window.findChild(ShiftDialog) is not None)
    dialog = player.window.findChild(ShiftDialog)
    dialog.activateWindow()
    qtbot.waitUntil(dialog.isActiveWindow)
    columns = dialog.fields[0]
    type_over(columns, "99")
    assert QToolTip.text() == "-7 to 7"
    QTest.keyClick(columns, Qt.Key.Key_Tab)
    qtbot.waitUntil(lambda: QToolTip.text() == "Columns to the right: -7 to 7")
    QToolTip.hideText()
    dialog.reject()
