"""A newcomer lays tables: commands lead somewhere, and what was not thrown again stays."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTreeView

from app.features.command_palette.dialog import CommandPalette
from app.features.files.open_dialog import OpenDialog
from app.systems.cordery.table_messages import MAX_NAMED, NO_PAINT
from tests.app.conftest import opened
from tests.app.cordery_tables import bare_table
from tests.app.systems.cordery.conftest import Wargamer

DRIVEN_DIALOGS = (CommandPalette, OpenDialog)

CONTROL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def player(qtbot, window) -> Wargamer:
    player = Wargamer(qtbot, window)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return player


def find_command(player, query: str) -> None:
    """Press Ctrl+Shift+P on the map, type what is looked for, and press Enter."""
    player.window.activateWindow()
    player.qtbot.waitUntil(player.window.isActiveWindow)
    canvas = player.window.desk.canvas
    canvas.setFocus()
    QTest.keyClick(canvas, Qt.Key.Key_P, CONTROL_SHIFT)
    palette = opened(player.window, player.qtbot, CommandPalette)
    QTest.keyClicks(palette.line, query)
    QTest.keyClick(palette.line, Qt.Key.Key_Return)
    player.qtbot.waitUntil(lambda: not player.window.findChildren(CommandPalette))


@pytest.mark.deep
def test_campaign_square_leads_to_save_as_until_one_is_saved(player, hand):
    find_command(player, "campaign square")
    player.qtbot.waitUntil(lambda: player.window.focusWidget() is player.panel.squares.save_button)
    assert player.panel.squares.save_button.isVisible()

    hand.expect("Save campaign square").fill("Name of the campaign square", "Vale").press("Save")
    QTest.keyClick(player.panel.squares.save_button, Qt.Key.Key_Space)
    player.qtbot.waitUntil(lambda: player.panel.squares.list.findText("Vale") >= 0)
    find_command(player, "campaign square")
    player.qtbot.waitUntil(lambda: player.window.focusWidget() is player.panel.squares.list)


def press_dice_of(player, part: str) -> None:
    """Press the dice beside the heading of a part, and wait for the table."""
    player.panel.tabs.setCurrentIndex(0)
    button = player.panel.form.throw_buttons[part]
    player.qtbot.waitUntil(button.isEnabled)
    player.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    player.wait()


def area_in(line: str) -> str:
    """The area at the end of a line of the log."""
    return re.findall(r"\d{4}", line.split(", on a hill")[0])[-1]


def features_in(log: list[str], step: str) -> dict[str, str]:
    """The areas of the features that a step has located, by the features' names."""
    names = re.compile(rf"{re.escape(step)} (\D+ \d+): ")
    matches = {line: names.match(line) for line in log}
    return {match[1]: area_in(line) for line, match in matches.items() if match}


def features_after_roads(log: list[str]) -> dict[str, str]:
    """The areas of trees, inhabited areas and fields, in the order of the log."""
    return features_in(log, "4.2") | features_in(log, "5.2") | features_in(log, "7.2")


def status(player) -> str:
    return player.window.statusBar().currentMessage()


def test_what_was_laid_after_a_part_stays_when_it_is_thrown_again_unless_its_area_is_taken(player):
    displaced_count = 0
    place_count = 0
    player.throw(relief="hilly", railways=1)
    for _throw in range(3):
        old_log = player.log()
        places = features_after_roads(old_log)
        press_dice_of(player, "roads")
        log = player.log()
        new_places = features_after_roads(log)
        assert new_places.keys() == places.keys()
        displaced = [name for name in places if places[name] != new_places[name]]
        stays = [line for line in log if ": as before: " in line]
        assert len(stays) == len(places) - len(displaced)
        names_with_reason = [line for line in log if "is taken; " in line]
        if displaced:
            if len(displaced) <= MAX_NAMED:
                assert f" {displaced[0]}" in status(player)
            assert re.search("as its area is taken|as their areas are taken", status(player))
        assert len(names_with_reason) <= len(displaced)
        displaced_count += len(displaced)
        place_count += len(places)
        assert status(player).startswith("Thrown again: roads and tracks.")
    assert displaced_count < place_count / 3


@pytest.mark.deep
def test_a_step_back_brings_the_table_with_all_that_was_thrown_again_or_fixed(player):
    document = player.window.desk.document

    def planes() -> dict[str, bytes]:
        return {name: plane.tobytes() for name, plane in document.composite.planes.items()}

    player.throw(relief="hilly", railways=1)
    as_thrown = planes()
    press_dice_of(player, "roads")
    press_dice_of(player, "trees")
    as_left = planes()
    assert as_left != as_thrown
    player.desk.actions.forth.trigger()
    player.wait()
    next_table = planes()
    assert next_table != as_left

    player.desk.actions.back.trigger()
    player.wait()
    assert planes() == as_left
    player.desk.actions.forth.trigger()
    player.wait()
    assert planes() == next_table


@pytest.mark.deep
def test_open_tells_how_many_dice_a_table_has_that_is_not_laid(player, tmp_path, hand):
    player.enter_dice_by_hand()
    player.panel.enter_button.click()
    player.enter(3, 4, 2, 5)
    path = tmp_path / "vale.battlemap"
    hand.expect("Save map as").type_path(path)
    player.window.desk.commands.run("file.save-as")
    player.qtbot.waitUntil(lambda: path.exists() and not player.document.modified)

    player.window.desk.settings.last_directory = str(tmp_path)
    player.window.desk.commands.run("file.open")
    dialog = opened(player.window, player.qtbot, OpenDialog)
    table = dialog.findChild(QTreeView)
    player.qtbot.waitUntil(lambda: table.model().rowCount(table.rootIndex()) == 1)
    row = table.visualRect(table.model().index(0, 0, table.rootIndex()))
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=row.center())
    player.qtbot.waitUntil(lambda: "dice entered" in dialog.status.text)
    assert re.search(r"64 cells, 4 of about \d+ dice entered", dialog.status.text)
    dialog.reject()


def scroll_log(player, row: int) -> int:
    """Scroll the log by its bar, with a line at the top that is not the first one."""
    player.panel.tabs.setCurrentIndex(1)
    log = player.panel.log
    player.qtbot.waitUntil(lambda: log.verticalScrollBar().maximum() > 0)
    log.verticalScrollBar().setValue(log.verticalScrollBar().maximum() * row // log.count())
    return log.verticalScrollBar().value()


def press_key(player, standard_key: QKeySequence.StandardKey) -> None:
    QTest.keySequence(player.window.windowHandle(), standard_key)
    player.wait()


@pytest.mark.deep
def test_the_log_comes_back_where_it_was_by_undo_redo_and_stop_entering(player):
    player.window.resize(1280, 600)
    player.throw(relief="mountainous", railways=1)
    log = player.log()
    position = scroll_log(player, 12)
    assert position > 0
    press_key(player, QKeySequence.StandardKey.Undo)
    assert player.log() != log
    press_key(player, QKeySequence.StandardKey.Redo)
    player.qtbot.waitUntil(lambda: player.log() == log)
    assert player.panel.log.verticalScrollBar().value() == position

    player.enter_dice_by_hand()
    press_dice_of(player, "hills")
    player.enter(6, 5)
    QTest.keyClick(player.panel.strip, Qt.Key.Key_Escape)
    player.qtbot.waitUntil(lambda: player.log() == log)
    player.panel.tabs.setCurrentIndex(1)
    player.qtbot.waitUntil(lambda: player.panel.log.verticalScrollBar().value() == position)


@pytest.mark.deep
def test_the_choices_of_each_map_are_scrolled_by_themselves(player):
    player.window.resize(1280, 560)
    first_map = player.document.current_map
    scroll_bar = player.panel.choices_page.verticalScrollBar()
    player.qtbot.waitUntil(lambda: scroll_bar.maximum() > 40)
    scroll_bar.setValue(40)
    player.document.open_map(bare_table("hex", 9, 8))
    assert scroll_bar.value() == 0
    player.document.make_current(first_map)
    assert scroll_bar.value() == 40


@pytest.mark.deep
def test_the_dice_for_an_entry_say_for_which_area_and_where_the_quarter_is(player):
    player.enter_dice_by_hand()
    player.desk.throwing.map_choices.choose(hills=False)
    player.panel.enter_button.click()
    player.enter(4)
    strip = player.panel.strip
    assert strip.label.text() == "2.1 River 1 entry: throw a D6 for area 0701"
    assert strip.meaning.text().startswith(
        "It decides whether it enters at 0701: the area with the highest die counts."
    )
    player.enter(3, 3)
    assert strip.label.text() == "2.1 River 1 entry: throw again for 0701"
    assert strip.meaning.text().startswith("0701 and 0801 both threw 3: the highest die counts")
    player.enter(5, 2)
    assert player.log()[0].startswith(
        "2.1 River 1 entry: D6 = 4, quarter 4 of 16, the last of the top edge, the highest die of "
    )
    player.enter(6)
    assert strip.label.text() == "2.1 River 1 exit: throw a D6 for area 0608"
    player.enter(3, 2)
    exit_line = player.log()[1]
    assert "quarter 10 of 16 (4 + 6 clockwise), the second of the bottom edge" in exit_line


@pytest.mark.deep
def test_the_tool_bar_says_what_a_click_does_while_dice_are_asked_for(player):
    tools = player.window.desk.tools
    tools.choose("terrain")
    assert tools.bar.tip.text().startswith("Paint the chosen terrain")
    player.enter_dice_by_hand()
    player.panel.enter_button.click()
    player.enter(3)
    assert tools.bar.tip.text() == NO_PAINT
    tools.choose("eyedropper")
    assert tools.bar.tip.text() != NO_PAINT, "it paints nothing"
    tools.choose("terrain")
    player.panel.strip.end_button.click()
    assert tools.bar.tip.text().startswith("Paint the chosen terrain")
