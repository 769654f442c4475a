"""A newcomer lays a table by dice of his own, and changes it afterwards."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QFormLayout, QLabel, QLineEdit, QSpinBox

from tests.app.systems.cordery.conftest import Wargamer


@pytest.fixture
def player(qtbot, window) -> Wargamer:
    player = Wargamer(qtbot, window)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return player


def choose_dice(player, text: str) -> None:
    """Choose in the form who throws the dice."""
    player.panel.tabs.setCurrentIndex(0)
    dice = player.panel.dice_form.field("dice")
    assert isinstance(dice, QComboBox)
    dice.setFocus()
    QTest.keyClick(dice, Qt.Key.Key_Home)
    while dice.currentText() != text:
        QTest.keyClick(dice, Qt.Key.Key_Down)


def lay_by_hand(player) -> None:
    """Enter a few dice of a new table, and let the program throw the rest."""
    choose_dice(player, "Entered by hand")
    player.qtbot.mouseClick(player.panel.enter_button, Qt.MouseButton.LeftButton)
    player.enter(5, 5, 2, 5, 3, 4, 5, 2)
    player.qtbot.mouseClick(player.panel.strip.rest_button, Qt.MouseButton.LeftButton)
    player.qtbot.waitUntil(lambda: player.desk.entry.waiting_dice is None)
    player.qtbot.waitUntil(lambda: any(layer.roll for layer in player.document.battlemap.layers))
    player.wait()


def undo(player) -> None:
    QTest.keySequence(player.window.windowHandle(), QKeySequence.StandardKey.Undo)
    player.qtbot.waitUntil(lambda: not player.desk.entry.busy)
    player.wait()


def status(player) -> str:
    return player.window.statusBar().currentMessage()


def positions(player) -> dict[str, int]:
    areas = player.desk.throwing.table.areas_of_features()
    return {feature: area.cell for feature, area in areas.items()}


def move_hill(player, area: str) -> None:
    """Put the first hill into another area, by the form of its line in the log."""
    player.read("1.2 Hill 1")
    form = player.panel.fix_form
    line = form.fields["hill 1 at"].widget.findChild(QLineEdit)
    QTest.keyClick(line, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(line, area)
    player.qtbot.mouseClick(form.lay_button, Qt.MouseButton.LeftButton)


def test_a_hill_that_is_moved_tells_what_else_has_moved(player):
    lay_by_hand(player)
    before = positions(player)
    move_hill(player, "0707")
    # Elsewhere it takes dice that were not thrown yet.
    player.qtbot.waitUntil(player.panel.strip.isVisible)
    player.qtbot.waitUntil(lambda: not player.desk.entry.busy)
    player.qtbot.mouseClick(player.panel.strip.rest_button, Qt.MouseButton.LeftButton)
    player.qtbot.waitUntil(lambda: positions(player).get("hill 1") != before["hill 1"])
    player.wait()
    after = positions(player)
    others = {name for name in before if name != "hill 1" and name in after}
    assert any(before[name] != after[name] for name in others)
    player.qtbot.waitUntil(lambda: "moved, too" in status(player))


@pytest.mark.deep
def test_who_throws_the_dice_stays_as_chosen_when_a_change_is_undone(player):
    lay_by_hand(player)
    before = positions(player)
    choose_dice(player, "Thrown by the program")
    move_hill(player, "0707")
    player.qtbot.waitUntil(lambda: positions(player).get("hill 1") != before["hill 1"])
    player.wait()
    undo(player)
    assert positions(player)["hill 1"] == before["hill 1"]
    assert player.panel.dice_form.field("dice").currentText() == "Thrown by the program"


def test_a_die_that_is_fixed_is_told_in_the_words_of_the_log(player):
    player.throw(relief="hilly")
    player.read("1.1 Hill 1 at")
    form = player.panel.fix_form
    label = form.findChild(QFormLayout).labelForField(form.fields["hill 1 height die"].widget)
    assert label.toolTip() == "Dice: how high it is"
    box = form.fields["hill 1 height die"].widget.findChild(QSpinBox)
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(box, "6")
    player.qtbot.mouseClick(form.lay_button, Qt.MouseButton.LeftButton)
    player.wait()
    rows = [label.text() for label in player.panel.fixed_list.findChildren(QLabel)]
    assert "Hill 1 height: D6 = 6" in rows
    assert player.log()[player.row("1.1 Hill 1 at")].endswith("two contours (fixed by hand)")
