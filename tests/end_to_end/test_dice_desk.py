"""The panel Dice among the other panels: it comes with a table, and keys and menus know of it."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QToolTip

from app.commands.commands import WHY
from app.document.document import MapDocument
from app.document.sample import sample_map
from app.features.start.feature import EmptyMap
from app.window import MainWindow
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.systems.cordery.page_parts import PARTS
from randomizer.systems.cordery.system import SYSTEM, table_grid
from randomizer.systems.free.system import free_map
from tests.app.systems.cordery.conftest import Wargamer


@pytest.fixture
def player(qtbot, window) -> Wargamer:
    return Wargamer(qtbot, window)


def test_the_dice_come_with_a_table_and_go_with_a_battleland(player, qtbot):
    dock = player.window.desk.docks["dice"]
    assert not dock.isHidden()
    player.document.open_map(sample_map())
    qtbot.waitUntil(dock.isHidden)
    assert player.rolling.setup().text


@pytest.mark.deep
def test_an_empty_table_says_how_to_begin_and_the_dice_have_room(player, qtbot):
    window = player.window
    card = window.findChild(EmptyMap)
    assert card.isVisible()
    assert "press Throw" in card.message.text()
    assert "Bob Cordery's dice" in card.message.text()
    qtbot.waitUntil(lambda: window.desk.docks["dice"].height() > window.height() * 3 // 4)
    window.desk.document.show_map(sample_map())
    window.desk.document.show_map(free_map(FLAT, 8, 8))
    assert card.isVisible()
    qtbot.waitUntil(lambda: "Throw" not in card.message.text())


@pytest.mark.deep
def test_dice_that_were_left_open_behind_another_panel_come_forward_with_a_table(
    window, qtbot, settings
):
    docks = window.desk.docks
    docks["dice"].show()
    docks["randomize"].raise_()
    window.close()
    table = BattleMap.new(SYSTEM, table_grid("hex", 9, 8), [Layer(1, "Table")])
    again = MainWindow(MapDocument(table), settings)
    qtbot.addWidget(again)
    again.show()
    docks = again.desk.docks
    qtbot.waitUntil(lambda: docks.find_panel("dice") is not None)
    qtbot.waitUntil(docks.find_panel("dice").isVisible)
    qtbot.waitUntil(again.desk.commands.action("script.roll").isEnabled)


def test_the_keys_that_roll_scripts_throw_the_dice(player):
    player.throw()
    before = player.log()
    assert player.window.desk.docks.panel("randomize").roll_action.isEnabled()
    player.rolling.key_choice.choose_seed = lambda: 18
    player.window.desk.docks.panel("randomize").roll_action.trigger()
    player.wait()
    assert player.log() != before
    assert len([layer for layer in player.document.battlemap.layers if layer.roll]) == len(PARTS)
    player.window.desk.docks.panel("randomize").previous_action.trigger()
    player.wait()
    assert player.log() == before


@pytest.mark.deep
def test_digits_that_are_no_score_are_no_orders_for_the_map(player, qtbot):
    player.desk.throwing.map_choices.choose(dice="typed")
    player.desk.actions.throw.trigger()
    qtbot.waitUntil(player.panel.strip.isVisible)
    tool = player.window.desk.tools.name
    for key in (Qt.Key.Key_0, Qt.Key.Key_7, Qt.Key.Key_9):
        qtbot.keyClick(player.panel.strip, key)
    assert player.window.desk.tools.name == tool
    assert player.panel.strip.label.text() == "1.1 Hills: throw a D6"
    assert not player.desk.entry.dice.count


@pytest.mark.deep
def test_what_is_said_of_an_area_is_true_of_the_table_so_far(player, qtbot):
    player.throw(relief="hilly")
    canvas = player.window.desk.canvas
    window = player.window
    hill = int(np.flatnonzero(player.document.composite.planes["elevation"])[0])
    player.panel.tabs.setCurrentIndex(1)
    player.panel.player.show_line(0)
    qtbot.mouseMove(canvas, player.point(hill))
    # The name of a cell that the seed put a hill on.
    name = SYSTEM.cell_name(player.document.battlemap.grid, hill)
    qtbot.waitUntil(lambda: window.findChild(QLabel, "place").text() == f"{name} Open - so far")
    canvas.menu_requested.emit(canvas.hit_at(player.point(hill).toPointF()), QPoint())
    assert QApplication.activePopupWidget() is None
    assert "stop playing" in window.statusBar().currentMessage()


@pytest.mark.deep
def test_an_area_is_wanted_no_more_when_the_map_is_another(player, qtbot):
    player.throw(relief="hilly")
    player.read("1.2 Hill 1")
    form = player.panel.fix_form
    window = player.window
    form.pick_button.click()
    assert window.statusBar().currentMessage().startswith("Click its area")
    before = player.desk.throwing.map_choices.choices
    window.desk.document.show_map(sample_map())
    assert not window.statusBar().currentMessage()
    assert not form.pick_button.isChecked()
    steps = len(window.desk.document.history.steps)
    qtbot.mouseClick(window.desk.canvas, Qt.MouseButton.LeftButton, pos=player.point(13))
    assert len(window.desk.document.history.steps) == steps + 1, "the click paints"
    assert player.desk.throwing.map_choices.choices.fixed == before.fixed


def test_a_road_is_dragged_over_the_table_from_rim_to_rim(player, qtbot):
    desk = player.window.desk
    document = player.document
    desk.tools.choose("route")
    desk.tools.options.choose(route=1)
    grid = document.battlemap.grid
    y = int(player.point(grid.cell(0, 2)).y())
    left = QPoint(player.point(grid.cell(0, 2)).x() - 60, y)
    right = player.point(grid.cell(7, 2))
    assert desk.canvas.hit_at(left.toPointF()) is None
    qtbot.mousePress(desk.canvas, Qt.MouseButton.LeftButton, pos=left)
    qtbot.mouseMove(desk.canvas, player.point(grid.cell(3, 2)))
    qtbot.mouseRelease(desk.canvas, Qt.MouseButton.LeftButton, pos=right + QPoint(60, 0))
    road = document.composite.planes["road"][2]
    assert len(set(road.tolist())) == 1, "it enters and leaves the table"
    assert road[0] > 0
    assert len(document.history.steps) == 1


def test_a_table_is_chosen_from_many(player, qtbot):
    player.throw(relief="hilly")
    player.window.desk.docks.show("gallery")
    gallery = player.window.desk.docks.panel("gallery")
    qtbot.waitUntil(lambda: len(gallery.maps.model.unpinned) > 3)
    gallery.maps.view.choose(gallery.maps.model.unpinned[3])
    gallery.maps.map_actions.take.trigger()
    player.wait()
    assert {layer.roll.number for layer in player.document.battlemap.layers if layer.roll} == {3}
    assert len([layer for layer in player.document.battlemap.layers if layer.roll]) == len(PARTS)
    assert player.desk.throwing.map_choices.choices.relief == "hilly"


def test_nothing_is_thrown_while_dice_are_entered_and_the_reason_is_said(player, qtbot):
    throw = player.desk.actions.throw
    player.enter_dice_by_hand()
    throw.trigger()
    qtbot.waitUntil(player.panel.strip.isVisible)
    randomize = player.window.desk.docks.panel("randomize")
    for action in (throw, randomize.roll_action, randomize.new_layer_action):
        assert not action.isEnabled()
        assert "stop entering" in action.property(WHY)
    player.panel.strip.end_button.click()
    assert throw.isEnabled()
    assert randomize.roll_action.isEnabled()
    randomize.roll_action.trigger()
    qtbot.waitUntil(player.panel.strip.isVisible)


def texts_of(form) -> list[str]:
    return [label.text() for label in form.findChildren(QLabel) if label.isVisible()]


def test_a_wrong_value_in_the_form_of_a_line_stays_there_with_the_reason_above_it(player, qtbot):
    player.throw()
    log = player.log()
    player.read("2.1 River 1 entry")
    form = player.panel.fix_form
    line = form.fields["river 1 entry at"].widget.findChild(QLineEdit)
    QTest.keyClicks(line, "x")
    assert QToolTip.text() == "An area by its name, column and row: 0304"
    QTest.keyClicks(line, "0404")
    position = line.mapTo(player.window, QPoint(0, 0))
    qtbot.mouseClick(form.lay_button, Qt.MouseButton.LeftButton)
    reason = "River 1 entry at 0404: "
    qtbot.waitUntil(lambda: any(text.startswith(reason) for text in texts_of(form)))
    assert line.text() == "0404"
    assert player.log() == log
    assert not player.desk.throwing.map_choices.fixed
    message = next(w for w in form.findChildren(QLabel) if w.text().startswith(reason))
    gap = line.parentWidget().geometry().top() - message.geometry().bottom()
    assert 0 <= gap < line.height()
    jump = line.mapTo(player.window, QPoint(0, 0)) - position
    assert jump.manhattanLength() < line.height() / 2, "the field stays under the mouse"

    type_over(line, "0104")
    QTest.keyClick(line, Qt.Key.Key_Return)
    qtbot.waitUntil(form.isHidden)
    player.wait()
    assert player.desk.throwing.map_choices.fixed == {"river 1 entry at": "0104"}
    assert player.log() != log


@pytest.mark.deep
def test_it_is_told_which_features_a_decision_about_another_one_moves(player, qtbot):
    player.throw(area="urban")
    player.desk.throwing.map_choices.fix({"inhabited areas": "4"})
    player.throw()
    places = [line.rpartition(": ")[2] for line in player.log() if "5.2 Inhabited area" in line]
    player.read("5.2 Inhabited area 1")
    form = player.panel.fix_form
    line = form.fields["inhabited area 1 at"].widget.findChild(QLineEdit)
    type_over(line, "0101")
    qtbot.mouseClick(form.lay_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "moved, too" in player.window.statusBar().currentMessage())
    assert (
        player.window.statusBar()
        .currentMessage()
        .startswith("3 inhabited areas and 3 fields moved, too; roads run anew.")
    )
    new_places = [line.rpartition(": ")[2] for line in player.log() if "5.2 Inhabited area" in line]
    assert all(new != old for new, old in zip(new_places, places, strict=True))


def type_over(line, text: str) -> None:
    """Type a text in place of what a line shows."""
    QTest.keyClick(line, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(line, text)
