"""A newcomer enters dice: what is thrown so far is seen, and no stray hand changes the table."""

from __future__ import annotations

import re

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QDialogButtonBox, QInputDialog, QLineEdit, QToolTip

from app.document.sample import sample_map
from app.features.start.feature import EmptyMap
from app.systems.cordery.box_dialog import BoxDialog
from app.systems.cordery.dice_entry_strip import WRONG_SCORE
from app.systems.cordery.dice_faces import GAP, SIDE
from app.systems.cordery.log_controller import area_name
from randomizer.systems.cordery.entered_dice import RECORD
from tests.app.cordery_tables import bare_table
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
    button = player.panel.form.throw_buttons[part]
    player.qtbot.waitUntil(button.isEnabled)
    player.panel.form.throw_buttons[part].click()
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


@pytest.mark.parametrize("size", [pytest.param((1280, 800), marks=pytest.mark.deep), (800, 500)])
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


@pytest.mark.deep
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


@pytest.mark.deep
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


@pytest.mark.deep
def test_choosing_to_join_villages_says_where_there_is_none(player):
    player.throw(area="wild", relief="open", join=False)
    player.panel.tabs.setCurrentIndex(0)
    player.panel.form.field("join").click()
    player.wait()
    message = "There is no village or town to join to a road."
    player.qtbot.waitUntil(lambda: status(player) == message)


@pytest.mark.deep
def test_villages_are_numbered_as_they_are_counted(player):
    """A settlement of one area has no number: "village 3" was the third place of any size."""
    player.throw(area="urban")
    titles = [line.split(" together are ")[1] for line in player.log() if " together " in line]
    assert titles
    for kind in ("village", "town", "city"):
        numbers = [title.split()[1] for title in titles if title.startswith(kind)]
        assert numbers == [str(number) for number in range(1, len(numbers) + 1)]
    joined = [line for line in player.log() if line.startswith("3.4 Road to ")]
    for line in joined:
        assert any(line.startswith(f"3.4 Road to {title} ") for title in titles), line


@pytest.mark.deep
def test_roads_and_rivers_that_run_anew_are_told_with_the_features_that_move(player):
    player.throw(relief="hilly")
    planes = player.document.composite.planes
    before = {plane: planes[plane].copy() for plane in ("river", "road")}
    hills = [line for line in player.log() if re.match(r"1\.[23] Hill \d", line)]
    places = {line.rpartition(": ")[2] for line in hills}
    # On the way of the river, so that it has to run anew.
    river = np.flatnonzero(before["river"].ravel())
    names = [area_name(player.window.desk, cell) for cell in river]
    area = next(name for name in names[1:-1] if name not in places)
    player.read("1.2 Hill 1")
    form = player.panel.fix_form
    line = form.fields["hill 1 at"].widget.findChild(QLineEdit)
    QTest.keyClick(line, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(line, area)
    player.qtbot.mouseClick(form.lay_button, Qt.MouseButton.LeftButton)
    player.qtbot.waitUntil(lambda: "run anew" in status(player))
    message = status(player)
    planes = player.document.composite.planes
    for plane, noun in (("river", "rivers"), ("road", "roads")):
        has_changed = not np.array_equal(planes[plane], before[plane])
        assert (noun in message.lower().split("run anew")[0]) == has_changed


def test_questions_tell_what_the_scores_mean(player):
    begin(player)
    meanings = []
    for score in (3, 4, 2, 5, 3, 4, 5, 2):
        meanings.append(player.panel.strip.meaning.text())
        type_dice(player, score)
    text = " ".join(meanings)
    assert "how many hills there are (what it shows + 2)" in text
    assert "the row from which it is counted (1: the top row)" in text
    assert "how high it is (1 to 4: one contour, 5 or 6: two contours)" in text
    assert "(4 to 6: beside it, 1 to 3: farther on)" in text
    assert "the direction in which it lies (1: north, clockwise to 4: west)" in text


@pytest.mark.deep
def test_what_is_told_of_a_wrong_digit_goes_with_the_next_die(player):
    begin(player)
    strip = player.panel.strip
    QTest.keyClick(strip, Qt.Key.Key_8)
    assert status(player) == WRONG_SCORE
    player.qtbot.waitUntil(QToolTip.isVisible)
    assert QToolTip.text() == WRONG_SCORE
    type_dice(player, 3)
    assert status(player) == ""
    player.qtbot.waitUntil(lambda: not QToolTip.isVisible())


@pytest.mark.deep
def test_the_estimate_comes_back_with_a_die_that_is_taken_back(player):
    begin(player)
    strip = player.panel.strip
    texts = []
    for score in (6, 6, 6, 6, 6, 6, 6, 6):
        texts.append(strip.progress.text())
        type_dice(player, score)
    for text in reversed(texts):
        QTest.keyClick(strip, Qt.Key.Key_Backspace)
        player.qtbot.waitUntil(lambda: not player.desk.entry.busy)
        assert strip.progress.text() == text


@pytest.mark.deep
def test_no_area_stays_outlined_when_the_log_is_left_by_a_key(player):
    player.throw(relief="hilly")
    player.panel.tabs.setCurrentIndex(1)
    log = player.panel.log
    overlays = player.window.desk.canvas.overlays
    item = log.item(player.row("1.2 Hill 1"))
    QTest.mouseMove(log.viewport(), log.visualItemRect(item).center())
    player.qtbot.waitUntil(lambda: bool(overlays.marked))
    player.panel.tabs.setCurrentIndex(0)
    assert not overlays.marked


def is_at_end(log) -> bool:
    """Return whether the last line is in view."""
    last_line = log.visualItemRect(log.item(log.count() - 1))
    return log.viewport().rect().contains(last_line)


@pytest.mark.deep
def test_the_log_stays_at_its_newest_line_after_reopening_and_after_the_last_die(player):
    player.window.resize(1000, 620)
    begin(player)
    type_dice(player, 6, 4, 2, 5, 3, 5, 3, 1, 2, 4, 3, 2, 6, 1)
    table = player.document.current_map
    log = player.panel.log
    assert is_at_end(log)
    player.document.open_map(sample_map())
    player.document.make_current(table)
    await_question(player)
    player.qtbot.waitUntil(lambda: is_at_end(log))
    player.panel.strip.end_button.click()
    player.qtbot.waitUntil(lambda: is_at_end(log))
    player.panel.waiting.button.click()
    await_question(player)
    player.panel.strip.rest_button.click()
    player.qtbot.waitUntil(player.panel.strip.isHidden)
    player.wait()
    assert player.log()[-1].startswith("7")
    assert is_at_end(log)

    choose_by_program(player)
    player.throw()
    assert log.verticalScrollBar().value() == 0, "a table of the program begins at the top"


def choose_by_program(player) -> None:
    player.panel.tabs.setCurrentIndex(0)
    dice = player.panel.dice_form.field("dice")
    dice.setFocus()
    QTest.keyClick(dice, Qt.Key.Key_Home)
    player.panel.tabs.setCurrentIndex(1)


@pytest.mark.deep
def test_the_hint_of_an_empty_table_covers_no_hex_beside_a_second_tab(player):
    player.window.resize(1280, 800)
    for _tab in range(2):
        player.document.open_map(bare_table("hex", 9, 8))
    desk = player.window.desk
    cards = [card for card in player.window.findChildren(EmptyMap) if card.isVisible()]
    (card,) = cards
    player.qtbot.waitUntil(lambda: card.height() > 0)
    canvas = desk.canvas
    top_of_card = canvas.mapFrom(card.parentWidget(), card.pos()).y()
    lowest_y = player.document.battlemap.grid.bounds[3]
    player.qtbot.waitUntil(lambda: canvas.viewport.to_screen(0, lowest_y).y() <= top_of_card)


def test_a_square_of_a_name_that_exists_is_replaced_by_a_button_that_says_so(player):
    player.panel.tabs.setCurrentIndex(0)
    for name, text in (("Ford", "Save"), ("Hills", "Save"), ("Ford", "Replace")):
        player.qtbot.mouseClick(player.panel.squares.save_button, Qt.MouseButton.LeftButton)
        dialog = player.panel.findChildren(QInputDialog)[-1]
        line = dialog.findChild(QLineEdit)
        QTest.keyClick(line, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClicks(line, name)
        button = dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Ok)
        assert button.text().replace("&", "") == text
        player.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        player.qtbot.waitUntil(lambda: not player.panel.findChildren(QInputDialog))


def open_box_dialog(player) -> BoxDialog:
    player.qtbot.mouseClick(player.panel.edit_box, Qt.MouseButton.LeftButton)
    return player.window.findChildren(BoxDialog)[-1]


def test_a_box_of_a_name_that_exists_is_replaced_by_a_button_that_says_so(player):
    player.panel.tabs.setCurrentIndex(0)
    player.window.desk.settings.set_saved_texts("boxes", {"Attic": "hill = 3"})
    dialog = open_box_dialog(player)
    dialog.table.item(0, 2).setText("4")
    assert dialog.use_button.text() == "&Save and use"
    QTest.keyClick(dialog.name, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(dialog.name, "Attic")
    assert dialog.use_button.text() == "&Replace and use"
    dialog.reject()


@pytest.mark.deep
def test_the_log_tells_for_how_many_areas_a_river_is_two_areas_wide(player):
    """Elsewhere it narrows at once, and looked like a lake."""
    player.desk.throwing.map_choices.fix({"river 1 width": "2"})
    player.throw()
    line = next(line for line in player.log() if line.startswith("2.2 The second row of river 1"))
    assert re.search(r", for \d+ areas$", line)


def test_a_saved_table_is_unsaved_by_the_first_die_only(player, tmp_path, hand):
    player.throw(relief="open")
    hand.expect("Save map as").type_path(tmp_path / "Table.battlemap")
    player.window.desk.commands.run("file.save-as")
    player.qtbot.waitUntil(lambda: not player.document.modified)
    player.window.activateWindow()  # as a window manager does when a dialog has gone
    player.qtbot.waitUntil(player.window.isActiveWindow)
    choose_own_dice(player)
    player.window.desk.canvas.setFocus()
    QTest.keyClick(player.window.desk.canvas, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    await_question(player)
    assert not player.document.modified
    type_dice(player, 3)
    assert player.document.modified
    undo(player)
    assert not player.document.modified
    undo(player)
    assert not player.document.modified
    player.document.redo()
    player.document.redo()
    assert player.document.modified
    undo(player)

    # It closes without a question.
    player.window.desk.commands.run("file.close-map")
    player.qtbot.waitUntil(lambda: player.document.path is None)
