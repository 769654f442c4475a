"""What a person with dice at a real table sees: quarters, eyes, a log without empty lines."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QToolButton

from app.document.sample import sample_map
from tests.app.systems.cordery.conftest import Wargamer


@pytest.fixture
def player(qtbot, window) -> Wargamer:
    return Wargamer(qtbot, window)


def begin(player) -> None:
    """Choose dice that are entered by hand, and press the button that asks for them."""
    choose_dice(player, "Entered by hand")
    player.qtbot.mouseClick(player.panel.enter_button, Qt.MouseButton.LeftButton)
    player.qtbot.waitUntil(player.panel.strip.isVisible)
    player.qtbot.waitUntil(lambda: not player.desk.entry.busy)


def choose_dice(player, way: str) -> None:
    """Choose who throws the dice, with the keyboard."""
    dice = player.panel.dice_form.field("dice")
    assert isinstance(dice, QComboBox)
    dice.setFocus()
    QTest.keyClick(dice, Qt.Key.Key_Home)
    while dice.currentText() != way:
        QTest.keyClick(dice, Qt.Key.Key_Down)


def type_dice(player, *scores: int) -> None:
    """Type scores into the panel, each once it is asked for."""
    for score in scores:
        QTest.keyClick(player.panel.strip, Qt.Key.Key_0 + score)
        player.qtbot.waitUntil(lambda: not player.desk.entry.busy)


def type_dice_until(player, question: str) -> None:
    """Type dice until a question begins so."""
    scores = itertools.cycle((3, 5, 2, 6, 4, 1, 3, 3))
    for _die in range(100):
        if player.panel.strip.label.text().startswith(question):
            return
        type_dice(player, next(scores))
    raise AssertionError(question)


def status(player) -> str:
    return player.window.statusBar().currentMessage()


def captions(player) -> list[str]:
    """The captions on the map."""
    return [caption.text for caption in player.window.desk.canvas.overlays.captions]


@pytest.mark.deep
def test_the_quarters_that_a_die_chooses_from_are_numbered_at_the_rim(player):
    begin(player)
    assert captions(player) == []
    type_dice_until(player, "2.1 River 1 entry: throw")
    assert captions(player) == ["1", "2", "3", "4", "5", "6"]
    assert "(1 to 6, clockwise from the top left corner)" in player.panel.strip.meaning.text()
    first, *_others, last = player.window.desk.canvas.overlays.captions
    left, top, right, bottom = player.document.battlemap.grid.bounds
    assert first.y == pytest.approx(top)
    assert left < first.x < (left + right) / 2
    assert last.x == pytest.approx(right)
    assert top < last.y < (top + bottom) / 2

    type_dice(player, 6)
    assert captions(player) == [], "now an area of the quarter is asked for"
    type_dice_until(player, "2.1 River 1 exit: throw")
    assert captions(player) == ["7", "8", "9", "10", "11", "12"]
    assert "where it leaves (6 + what it shows)" in player.panel.strip.meaning.text()
    player.panel.strip.end_button.click()
    assert captions(player) == []


@pytest.mark.deep
def test_the_eye_of_a_part_that_is_not_laid_is_not_crossed_out(player):
    eye = player.panel.form.show_buttons["hills"]
    assert eye.isChecked()
    assert not eye.isEnabled()
    assert eye.toolTip() == "Not on the table yet"
    begin(player)
    type_dice(player, 3, 4)
    assert eye.isChecked(), "its hills are in sight"
    player.panel.strip.end_button.click()
    choose_dice(player, "Thrown by the program")
    player.throw()
    player.panel.tabs.setCurrentIndex(0)
    player.qtbot.mouseClick(eye, Qt.MouseButton.LeftButton)
    assert not eye.isChecked(), "it is hidden"


def has_ink(picture, band: QRect) -> bool:
    """Return whether a band of a picture has pixels much darker or lighter than its corner."""
    background = QColor(picture.pixel(band.topLeft())).lightness()
    for x in range(band.left(), band.right()):
        for y in range(band.top(), band.bottom()):
            if abs(QColor(picture.pixel(x, y)).lightness() - background) > 60:
                return True
    return False


@pytest.mark.deep
def test_no_line_of_the_log_has_an_empty_line_below_its_text(player, qtbot):
    player.desk.throwing.map_choices.choose(relief="hilly")
    player.throw(rivers=2, roads=2)
    player.panel.tabs.setCurrentIndex(1)
    log = player.panel.log
    dock = player.window.desk.docks["dice"]
    dock.setFloating(True)
    heights = set()
    for width in range(400, 440):
        dock.resize(width, 2400)
        QTest.qWait(1)
        picture = log.viewport().grab().toImage()
        assert picture.devicePixelRatio() == 1
        for row in range(log.count()):
            rect = log.visualItemRect(log.item(row))
            heights.add(rect.height())
            last_line = QRect(rect.left() + 4, 0, rect.width() - 8, log.fontMetrics().ascent())
            last_line.moveBottom(rect.bottom() - 2)
            if log.viewport().rect().contains(last_line):
                assert has_ink(picture, last_line), (width, log.item(row).text())
    assert len(heights) > 2


@pytest.mark.deep
def test_the_log_says_why_no_road_to_a_village_is_added(player):
    player.throw(area="wild", relief="open")
    assert "3.4 There is no village or town to join to a road" in player.log()
    player.throw(area="urban", roads=4)
    places = [line for line in player.log() if " together are " in line]
    for line in places:
        title = line.rpartition(" together are ")[2]
        is_passed = any(
            line.startswith(f"3.4 {title.capitalize()} at ") and line.endswith("a road passes it")
            for line in player.log()
        )
        is_joined = any(line.startswith(f"3.4 Road to {title} runs") for line in player.log())
        assert is_passed != is_joined, title
    assert places
    player.panel.form.field("join").click()
    player.wait()
    assert not any(line.startswith("3.4") for line in player.log())


BY_PROGRAM = "(thrown by the program"


def throw_rest(player) -> None:
    """Press the button by which the program throws the dice still to come."""
    player.qtbot.mouseClick(player.panel.strip.rest_button, Qt.MouseButton.LeftButton)
    player.qtbot.waitUntil(player.panel.strip.isHidden)
    player.wait()


def test_the_program_throws_the_rest_as_one_undo_step_and_the_log_tells_which(player):
    player.desk.throwing.map_choices.choose(relief="hilly")
    begin(player)
    type_dice(player, 3, 4, 1, 2)
    assert player.panel.strip.faces.scores == (1, 2), "one of three dice is still to come"
    steps = player.document.history.index
    throw_rest(player)
    assert player.document.history.index == steps + 1
    assert player.document.history.next_undo.text == "Throw the rest of the dice"
    assert "The program has thrown " in status(player)
    log = player.log()
    assert log[0] == "1.1 Hilly country: D6 = 3 + 4: 7 hills"
    assert log[1].startswith("1.2 Hill 1: 3D6 = 1+2+")
    assert log[1].endswith("(thrown by the program: areas along)"), "its row was entered"
    assert log[2].endswith(f"{BY_PROGRAM})")
    assert player.desk.throwing.map_choices.choices.dice == "typed"

    player.document.undo()
    player.qtbot.waitUntil(player.panel.strip.isVisible)
    assert player.desk.entry.dice.count == 4, "it asks on where it was"
    assert player.panel.strip.faces.scores == (1, 2)
    player.document.redo()
    player.wait()
    assert player.panel.strip.isHidden()
    assert player.log() == log


@pytest.mark.deep
def test_a_change_of_such_a_table_keeps_the_marks_but_for_dice_that_are_entered(player):
    player.desk.throwing.map_choices.choose(
        relief="hilly", habitation=False, fields=False, trees=False
    )
    begin(player)
    type_dice(player, 1, 4)
    throw_rest(player)
    hills = [line for line in player.log() if line.startswith("1")]
    player.panel.tabs.setCurrentIndex(0)
    player.qtbot.mouseClick(player.panel.form.throw_buttons["roads"], Qt.MouseButton.LeftButton)
    player.qtbot.waitUntil(player.panel.strip.isVisible)
    player.qtbot.waitUntil(lambda: not player.desk.entry.busy)
    type_dice(player, 6)
    throw_rest(player)
    assert [line for line in player.log() if line.startswith("1")] == hills
    entry = next(line for line in player.log() if line.startswith("3.1 Road 1 entry"))
    assert entry.startswith("3.1 Road 1 entry: D6 = 6, quarter 6")
    assert not entry.endswith(f"{BY_PROGRAM})"), "not all of its dice"
    way_out = next(line for line in player.log() if line.startswith("3.1 Road 1 exit"))
    assert way_out.endswith(f"{BY_PROGRAM})")


@pytest.mark.deep
def test_only_the_dice_that_the_program_threw_just_now_are_told(player):
    player.desk.throwing.map_choices.choose(
        relief="hilly", habitation=False, fields=False, trees=False
    )
    begin(player)
    type_dice(player, 1, 4)
    throw_rest(player)
    player.panel.tabs.setCurrentIndex(0)
    player.qtbot.mouseClick(player.panel.form.throw_buttons["roads"], Qt.MouseButton.LeftButton)
    player.qtbot.waitUntil(player.panel.strip.isVisible)
    player.qtbot.waitUntil(lambda: not player.desk.entry.busy)
    type_dice(player, 6)
    throw_rest(player)
    entries = player.desk.throwing.table.log
    throws = [throw for entry in entries if entry.part == "roads" for throw in entry.scores]
    dice_count = sum(len(scores) for _name, scores in throws)
    assert status(player).startswith(f"The program has thrown {dice_count - 1} dice for you")


@pytest.mark.deep
def test_a_choice_that_needs_no_die_is_one_undo_step_and_no_table_waits_for_it(player):
    player.desk.throwing.map_choices.choose(relief="hilly", habitation=False, fields=False)
    begin(player)
    type_dice(player, 1, 4)
    throw_rest(player)
    log = player.log()
    steps = player.document.history.index
    player.panel.tabs.setCurrentIndex(0)
    form = player.panel.form
    form.field("trees").click()
    player.qtbot.waitUntil(lambda: not player.desk.entry.busy)
    player.wait()
    assert player.panel.strip.isHidden()
    assert player.document.history.index == steps + 1
    assert player.document.history.next_undo.text == "Change the table"
    assert not player.panel.waiting.isVisible()

    player.window.desk.commands.run("edit.undo")
    player.wait()
    player.qtbot.waitUntil(lambda: not player.desk.entry.busy)
    assert player.log() == log
    assert not player.panel.waiting.isVisible()
    assert player.document.history.index == steps

    player.window.desk.commands.run("edit.redo")
    player.wait()
    assert player.document.history.index == steps + 1
    assert not player.panel.waiting.isVisible()


@pytest.mark.deep
def test_the_cross_at_ones_own_dice_tells_that_the_table_stays(player):
    player.desk.throwing.map_choices.choose(
        relief="hilly", habitation=False, fields=False, trees=False
    )
    begin(player)
    type_dice(player, 1, 4)
    throw_rest(player)
    log = player.log()
    player.panel.tabs.setCurrentIndex(0)
    crosses = [
        button
        for button in player.panel.findChildren(QToolButton)
        if button.toolTip() == "Let the dice decide again" and button.isVisible()
    ]
    assert len(crosses) == 1
    player.qtbot.mouseClick(crosses[0], Qt.MouseButton.LeftButton)
    assert status(player).startswith("The map stays as it is; the dice decide again")
    assert player.panel.fixed_list.isHidden()
    assert player.log() == log


@pytest.mark.deep
def test_the_rest_of_another_table_is_thrown_otherwise(player):
    logs = []
    for seed in (5, 18):
        player.rolling.key_choice.choose_seed = lambda seed=seed: seed
        begin(player)
        type_dice(player, 3)
        throw_rest(player)
        logs.append(player.log())
    assert logs[0][0] == logs[1][0]
    assert logs[0] != logs[1]


def hills_in_sight(player) -> int:
    """The number of areas on which the canvas shows hills."""
    canvas = player.window.desk.canvas
    composite = canvas.instead
    if composite is None:
        composite = player.document.composite
    return int(np.count_nonzero(composite.planes["elevation"]))


def begin_hills(player) -> None:
    """Enter the dice of two hills, and begin with a third one."""
    begin(player)
    type_dice(player, 3, 5, 2, 6, 4, 1, 3, 3, 3, 6, 2)
    assert hills_in_sight(player) == 2


def test_a_table_whose_dice_wait_stays_in_sight_with_its_log(player, qtbot):
    begin_hills(player)
    log = player.log()
    assert len(log) > 3
    strip = player.panel.strip
    QTest.keyClick(strip, Qt.Key.Key_Escape)
    assert hills_in_sight(player) == 2, "at once"
    assert player.log() == log
    qtbot.waitUntil(lambda: not player.desk.entry.busy)
    assert hills_in_sight(player) == 2
    assert player.log() == log
    assert player.panel.waiting.button.hasFocus()
    assert status(player).endswith("Go on entering asks for the rest.")
    assert not player.window.desk.canvas.overlays.marked

    player.window.desk.commands.run("edit.undo")
    qtbot.waitUntil(lambda: not player.desk.entry.busy)
    assert hills_in_sight(player) == 2, "that was the first die of three"
    while player.desk.entry.waiting_dice is not None:
        player.window.desk.commands.run("edit.undo")
    assert hills_in_sight(player) == 0
    assert player.log() == []
    for _step in range(9):
        player.window.desk.commands.run("edit.redo")
    qtbot.waitUntil(lambda: hills_in_sight(player) > 0)

    QTest.keyClick(player.panel.waiting.button, Qt.Key.Key_Space)
    qtbot.waitUntil(strip.isVisible)
    player.panel.strip.end_button.click()
    player.panel.drop_button.click()
    assert hills_in_sight(player) == 0
    assert player.log() == []


@pytest.mark.deep
def test_paint_and_choices_show_on_a_table_whose_dice_wait(player, qtbot):
    begin_hills(player)
    player.panel.strip.end_button.click()
    desk = player.window.desk
    desk.tools.choose("height")
    QTest.mouseClick(desk.canvas, Qt.MouseButton.LeftButton, pos=player.point(0))
    player.panel.tabs.setCurrentIndex(0)
    country = player.panel.form.field("relief")
    country.setFocus()
    QTest.keyClick(country, Qt.Key.Key_End)  # mountainous: more hills than the old die said
    qtbot.waitUntil(lambda: "Mountainous country" in player.log()[0])
    assert hills_in_sight(player) >= 2


@pytest.mark.deep
def test_a_table_that_lies_stays_in_sight_while_the_dice_of_the_next_one_wait(player, qtbot):
    player.throw(relief="mountainous")
    hills = hills_in_sight(player)
    log = player.log()
    begin(player)
    type_dice(player, 3, 5, 2, 6, 4)
    assert hills_in_sight(player) != hills
    player.panel.strip.end_button.click()
    player.wait()
    assert hills_in_sight(player) == hills
    assert player.log() == log


@pytest.mark.deep
def test_dice_are_asked_for_again_where_another_map_came_between(player, qtbot):
    begin_hills(player)
    question = player.panel.strip.label.text()
    document = player.document
    table = document.current_map
    steps = document.history.index
    document.open_map(sample_map())
    assert player.panel.strip.isHidden()
    document.make_current(table)
    qtbot.waitUntil(player.panel.strip.isVisible)
    qtbot.waitUntil(lambda: not player.desk.entry.busy)
    assert player.panel.strip.label.text() == question
    assert hills_in_sight(player) == 2
    assert document.history.index == steps
    tool = player.window.desk.tools.name
    player.window.activateWindow()
    qtbot.waitUntil(player.window.isActiveWindow)
    player.window.desk.canvas.setFocus()
    QTest.keyClick(player.window.desk.canvas, Qt.Key.Key_4)
    assert player.desk.entry.dice.count == 12
    assert player.window.desk.tools.name == tool

    player.panel.strip.end_button.click()
    document.open_map(sample_map())
    document.make_current(table)
    qtbot.waitUntil(lambda: not player.desk.entry.busy)
    assert player.panel.strip.isHidden(), "the user has stopped entering"
    assert player.panel.waiting.isVisible()
    assert hills_in_sight(player) == 2


@pytest.mark.deep
def test_an_opened_file_asks_for_its_next_die_and_shows_its_table(player, qtbot, tmp_path, hand):
    begin_hills(player)
    save_and_open(player, tmp_path / "table.battlemap", hand)
    qtbot.waitUntil(player.panel.strip.isVisible)
    qtbot.waitUntil(lambda: not player.desk.entry.busy)
    assert hills_in_sight(player) == 2
    assert not player.document.modified


def save_and_open(player, path, hand) -> None:
    """Save the map, close it, and open its file."""
    hand.expect("Save map as").type_path(path)
    player.window.desk.commands.run("file.save-as")
    player.qtbot.waitUntil(lambda: player.document.path == path and not player.document.modified)
    player.document.open_map(sample_map())
    player.document.close_map(player.document.maps[0])
    player.window.desk.files.open_path(path)
    player.qtbot.waitUntil(lambda: player.document.path == path)
    player.qtbot.waitUntil(lambda: not player.desk.entry.busy)


@pytest.mark.deep
def test_a_table_in_a_file_stays_in_sight_though_dice_of_the_next_one_wait(player, tmp_path, hand):
    player.throw(relief="mountainous")
    hills = hills_in_sight(player)
    begin(player)
    type_dice(player, 3, 5, 2, 6, 4)
    player.panel.strip.end_button.click()
    save_and_open(player, tmp_path / "table.battlemap", hand)
    assert player.panel.waiting.isVisible()
    assert player.panel.strip.isHidden()
    assert hills_in_sight(player) == hills


@pytest.mark.deep
def test_a_table_whose_laying_was_undone_is_not_laid_by_coming_back_to_it(player, qtbot):
    player.desk.throwing.map_choices.choose(
        relief="open", trees=False, habitation=False, fields=False, rivers=0, roads=0
    )
    begin(player)
    type_dice(player, 1, 2, 3, 3, 3)
    qtbot.waitUntil(player.panel.strip.isHidden)
    player.wait()
    document = player.document
    document.undo()
    table = document.current_map
    document.open_map(sample_map())
    document.make_current(table)
    qtbot.waitUntil(lambda: not player.desk.entry.busy)
    assert player.panel.waiting.button.text() == "Lay it (5 dice)"
    assert not player.desk.throwing.table.parts()
    assert hills_in_sight(player) == 0
