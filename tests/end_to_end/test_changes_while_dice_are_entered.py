"""What becomes of one's own dice is told: they wait, they are not used, they move what was laid."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QSpinBox, QToolTip

from app.systems.cordery.box_dialog import HAVE, NO_NUMBER, BoxDialog
from tests.app.cordery_tables import bare_table
from tests.app.systems.cordery.conftest import Wargamer

DRIVEN_DIALOGS = (BoxDialog,)


@pytest.fixture
def player(qtbot, window) -> Wargamer:
    return Wargamer(qtbot, window)


def status(player) -> str:
    return player.window.statusBar().currentMessage()


def question(player) -> str:
    return player.panel.strip.label.text()


def begin(player, **choices: object) -> None:
    """Begin to enter the dice of a new table."""
    player.enter_dice_by_hand()
    player.desk.throwing.map_choices.choose(**choices)
    player.panel.enter_button.click()
    player.qtbot.waitUntil(player.panel.strip.isVisible)
    player.qtbot.waitUntil(lambda: not player.desk.entry.busy)


def enter_until(player, start: str) -> None:
    """Enter dice until one is asked for whose question begins so."""
    score = 0
    while not question(player).startswith(start):
        player.enter(1 + score % 6)
        score += 1


def choose_number(player, name: str, number: int) -> None:
    player.panel.tabs.setCurrentIndex(0)
    field = player.panel.form.field(name)
    assert isinstance(field, QSpinBox)
    field.setFocus()
    while field.value() != number:
        key = Qt.Key.Key_Up if field.value() < number else Qt.Key.Key_Down
        QTest.keyClick(field, key)
    player.qtbot.waitUntil(lambda: not player.desk.entry.busy)


@pytest.mark.deep
def test_dice_of_later_parts_come_back_after_those_of_a_river_that_is_added(player):
    begin(player, hills=False)
    enter_until(player, "5.")
    choose_number(player, "rivers", 2)
    assert question(player).startswith("2.1 River 2 entry")
    assert status(player) == (
        "Rivers: 2. Your dice for roads and trees come back after those for water."
    )
    enter_until(player, "5.")
    assert any(line.startswith("3.1 Road 1 entry") for line in player.log())


def test_dice_that_are_not_used_any_more_are_named_with_the_reason(player):
    begin(player, hills=False, rivers=0, roads=2)
    enter_until(player, "4.")
    choose_number(player, "roads", 1)
    assert re.fullmatch(
        "Roads: 1. Not used any more: road 2 entry and [0-9]+ more dice[.]", status(player)
    )


@pytest.mark.deep  # six tables are thrown
def test_parts_thrown_again_by_hand_tell_what_they_move(player):
    displaced_count = 0
    for first_score in range(1, 7):
        player.throw(dice="thrown", relief="hilly", fixed="")
        player.enter_dice_by_hand()
        player.qtbot.waitUntil(player.panel.form.throw_buttons["roads"].isEnabled)
        player.panel.form.throw_buttons["roads"].click()
        player.qtbot.waitUntil(player.panel.strip.isVisible)
        score = first_score
        while player.panel.strip.isVisible():
            player.enter(1 + score % 6)
            score += 1
        player.wait()
        if any("is taken; " in line for line in player.log()):
            displaced_count += 1
            assert re.search("moved, as (its area is|their areas are) taken", status(player))
    assert displaced_count > 0


@pytest.mark.deep
def test_a_wide_river_is_told_in_the_status_line(player):
    player.throw(hills=False, rivers=0, fixed="river 1 width = 2")
    player.panel.form.add_buttons["rivers"].click()
    player.wait()
    assert "2.2 River 1 is two areas wide (as decided)" in player.log()
    assert "River 1 is two areas wide." in status(player)


@pytest.mark.deep
def test_the_terrain_box_says_what_a_number_of_pieces_is(player):
    player.throw()
    player.qtbot.mouseClick(player.panel.edit_box, Qt.MouseButton.LeftButton)
    dialog = player.window.findChild(BoxDialog)
    table = dialog.table
    for text in ("x", "5000"):
        table.setCurrentCell(0, HAVE)
        table.editItem(table.item(0, HAVE))
        editor = table.findChild(QLineEdit)
        QTest.keyClicks(editor, text)
        QTest.keyClick(editor, Qt.Key.Key_Return)
        assert table.item(0, HAVE).text() == ""
        player.qtbot.waitUntil(lambda: QToolTip.text() == NO_NUMBER)
        QToolTip.hideText()
        player.qtbot.waitUntil(lambda: not table.findChildren(QLineEdit))  # the editor is gone
    dialog.reject()


def test_the_row_that_a_die_chose_is_named_and_marked_on_the_map(player):
    begin(player)
    player.enter(1, 3)
    assert question(player) == "1.2 Hill 1 steps: throw 3 D6"
    assert "along the rows: their sum (from row 3)" in player.panel.strip.meaning.text()
    grid = player.document.battlemap.grid
    marked_cells = player.window.desk.canvas.overlays.marked
    assert marked_cells == set(range(2 * grid.width, 3 * grid.width))


@pytest.mark.deep
def test_a_die_for_a_fork_that_the_road_does_not_come_to_any_more_is_named(player):
    player.document.show_map(bare_table("hex", 9, 8))
    begin(player)
    player.enter(1, 3)
    enter_until(player, "5.")
    choose_number(player, "rivers", 2)
    score = 3  # with these dice the second river lies in the way of the road
    while not question(player).startswith("5."):
        player.enter(1 + score % 6)
        score += 2
    assert re.fullmatch(
        "Not used any more: road 1 fork at [0-9]{4}, as the way is another now[.]", status(player)
    )
