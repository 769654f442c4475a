"""A choice for a wargame table that lies acts at once and is told; one's own dice lay a table."""

from __future__ import annotations

import re

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QComboBox,
    QDialogButtonBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QPushButton,
    QSpinBox,
    QStyleOptionViewItem,
)

from app.features.new_map.dialog import NewMapDialog
from app.features.start.feature import EmptyMap
from app.systems.cordery.box_dialog import HAVE, BoxDialog
from app.window import MainWindow
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.systems.cordery.page_parts import PARTS
from randomizer.systems.cordery.system import SYSTEM, table_grid
from randomizer.systems.cordery.table.pieces import PIECES
from tests.app.systems.cordery.conftest import Wargamer

DRIVEN_DIALOGS = (NewMapDialog, BoxDialog)
"""Dialogs that these tests drive themselves."""


@pytest.fixture
def player(qtbot, window) -> Wargamer:
    return Wargamer(qtbot, window)


def choose_in(box, text: str) -> None:
    """Choose a row of a combo box by the keyboard, as a person does."""
    assert isinstance(box, QComboBox)
    assert box.findText(text) >= 0, [box.itemText(row) for row in range(box.count())]
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Home)
    while box.currentText() != text:
        QTest.keyClick(box, Qt.Key.Key_Down)


def choose(player, name: str, text: str) -> None:
    """Choose a row of the form of choices."""
    choose_in(player.panel.form.field(name), text)
    player.wait()


def status(player) -> str:
    return player.window.statusBar().currentMessage()


def lines_of(player, steps: str) -> list[str]:
    """The lines of the log whose step begins with one of these digits."""
    return [line for line in player.log() if line[0] in steps]


def test_a_choice_lays_its_part_and_what_follows_again_with_the_same_dice_and_says_so(player):
    player.throw()
    hills = lines_of(player, "1")
    first_river = [line for line in player.log() if "River 1" in line]
    rivers = player.panel.form.field("rivers")
    rivers.setFocus()
    QTest.keyClick(rivers, Qt.Key.Key_Up)
    player.wait()
    assert any(line.startswith("2.1 River 2 entry") for line in player.log())
    assert [line for line in player.log() if "River 1" in line] == first_river
    assert lines_of(player, "1") == hills
    news = "Rivers: 2. Laid again with the same dice: rivers and water, and what follows."
    assert news in status(player)
    # By the key, with the cursor in the number.
    QTest.keySequence(player.window.windowHandle(), QKeySequence.StandardKey.Undo)
    player.wait()
    assert rivers.value() == 1
    assert not any("River 2" in line for line in player.log())


@pytest.mark.deep
def test_choices_made_faster_than_the_table_is_laid_all_act(player, qtbot):
    player.throw()
    rivers = player.panel.form.field("rivers")
    rivers.setFocus()
    for _ in range(3):
        QTest.keyClick(rivers, Qt.Key.Key_Up)
    trees = player.panel.form.field("trees")
    qtbot.mouseClick(trees, Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
    qtbot.waitUntil(lambda: any("River 4 entry" in line for line in player.log()))
    player.wait()
    assert rivers.value() == 4
    assert not trees.isChecked()
    assert status(player).startswith("Trees: no. Laid again with the same dice: trees, and what")
    assert not lines_of(player, "4")


@pytest.mark.deep
def test_a_part_that_was_thrown_again_keeps_its_dice_when_an_earlier_one_is_chosen_otherwise(
    player,
):
    player.throw(rivers=0, roads=0)
    first = lines_of(player, "4")
    player.panel.form.throw_buttons["trees"].click()
    player.wait()
    second = lines_of(player, "4")
    assert second != first
    choose(player, "road", "Tracks (of earth)")
    assert lines_of(player, "4") == second


@pytest.mark.deep
def test_a_cover_from_which_the_country_follows_lays_the_hills_again_too(player):
    player.throw()
    choose(player, "cover", "Desert")
    assert player.log()[0].startswith("1.1 Open")
    assert status(player).startswith("Cover: Desert. The whole table is laid again with the same")


def test_a_campaign_square_and_a_box_act_at_once_too(player, hand):
    choose(player, "relief", "Mountainous")
    hand.expect("Save campaign square").fill("Name of the campaign square", "The pass").press(
        "Save"
    )
    player.panel.squares.save_button.click()
    player.qtbot.waitUntil(lambda: player.panel.squares.list.findText("The pass") >= 0)
    player.desk.throwing.map_choices.replace({})
    player.throw()
    assert player.log()[0].startswith("1.1 Undulating")
    assert not chosen_square(player)
    choose_in(player.panel.squares.list, "The pass")
    player.wait()
    assert player.log()[0].startswith("1.1 Mountainous")


def chosen_square(player) -> str:
    """The campaign square that the list shows; "" for none, which the list says in grey."""
    assert player.panel.squares.list.placeholderText() == "No campaign square"
    return player.panel.squares.list.currentText()


def open_bare_table(player) -> None:
    table = BattleMap.new(SYSTEM, table_grid("square", 8, 8), [Layer(1, "Table")])
    player.document.show_map(table)


def save_square(player, hand, name: str) -> None:
    hand.expect("Save campaign square").fill("Name of the campaign square", name).press("Save")
    player.panel.squares.save_button.click()
    player.qtbot.waitUntil(lambda: player.panel.squares.list.findText(name) >= 0)


@pytest.mark.deep
def test_a_table_shows_the_campaign_square_whose_choices_it_has(player, hand, tmp_path):
    assert not player.panel.squares.list.isEnabled(), "none is saved yet"
    choose(player, "relief", "Mountainous")
    save_square(player, hand, "North vale")
    player.throw()
    assert chosen_square(player) == "North vale"
    path = tmp_path / "vale.battlemap"
    hand.expect("Save map as").type_path(path)
    player.window.desk.commands.run("file.save-as")
    player.qtbot.waitUntil(path.exists)

    open_bare_table(player)
    player.qtbot.waitUntil(lambda: not chosen_square(player))
    assert not player.panel.squares.delete_button.isEnabled()
    choose_in(player.panel.squares.list, "North vale")
    assert player.panel.form.field("relief").currentText() == "Mountainous"
    player.panel.form.field("rivers").setValue(3)
    player.qtbot.waitUntil(lambda: not chosen_square(player))
    player.panel.form.field("rivers").setValue(1)
    player.qtbot.waitUntil(lambda: chosen_square(player) == "North vale")

    choose(player, "relief", "Hilly")
    player.document.make_current(player.document.maps[0])
    assert chosen_square(player) == "North vale"
    player.document.close_map(player.document.current_map)
    assert not chosen_square(player)
    player.window.desk.files.open_path(path)
    player.qtbot.waitUntil(lambda: chosen_square(player) == "North vale")


@pytest.mark.deep
def test_a_campaign_square_that_was_changed_is_saved_under_its_name_again(player, hand):
    choose(player, "relief", "Mountainous")
    save_square(player, hand, "North vale")
    choose(player, "relief", "Hilly")
    hand.expect("Save campaign square").press("Replace")
    player.panel.squares.save_button.click()
    player.qtbot.waitUntil(lambda: chosen_square(player) == "North vale")
    assert "relief=hilly" in player.window.desk.settings.saved_texts("squares")["North vale"]


def type_a_blank_name_first(dialog) -> None:
    """Try to save a campaign square without a name, and with a blank one, then as The pass."""
    ok_button = dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Ok)
    line = dialog.findChild(QLineEdit)
    assert not ok_button.isEnabled()
    QTest.keyClicks(line, "  ")
    assert not ok_button.isEnabled()
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert dialog.isVisible()
    QTest.keyClicks(line, "The pass")
    QTest.keyClick(line, Qt.Key.Key_Return)


@pytest.mark.deep
def test_a_campaign_square_without_a_name_cannot_be_saved(player, hand):
    choose(player, "relief", "Mountainous")
    hand.expect("Save campaign square").do(type_a_blank_name_first)
    player.panel.squares.save_button.click()
    player.qtbot.waitUntil(lambda: chosen_square(player) == "The pass")


def test_a_box_of_pieces_without_a_name_or_a_number_cannot_be_saved(player):
    dialog = open_box(player)
    assert dialog.name.text() == "My box"
    assert not dialog.use_button.isEnabled()
    dialog.table.item(0, HAVE).setText("3")
    assert dialog.use_button.isEnabled()
    dialog.name.clear()
    assert not dialog.use_button.isEnabled()
    QTest.keyClicks(dialog.name, "Attic")
    dialog.use_button.click()
    assert player.panel.dice_form.field("box").currentText() == "Attic"


@pytest.mark.deep
def test_a_new_box_of_pieces_is_offered_a_name_that_no_box_has(player):
    for name in ("My box", "My box 2"):
        dialog = open_box(player)
        assert dialog.name.text() == name
        dialog.table.item(0, HAVE).setText("3")
        dialog.use_button.click()
        player.qtbot.waitUntil(lambda: player.window.findChild(BoxDialog) is None)
        choose_in(player.panel.dice_form.field("box"), "No end of pieces")


def test_a_choice_that_makes_no_table_is_not_chosen_and_the_reason_is_told(player):
    player.desk.throwing.map_choices.fix({"river 2 entry at": "0404"})  # that is not on the rim
    player.throw()
    before = player.log()
    player.panel.form.field("rivers").setValue(2)
    player.wait()
    player.qtbot.waitUntil(lambda: player.panel.form.field("rivers").value() == 1)
    assert player.log() == before
    assert status(player).startswith("Not rolled: ")


def open_box(player) -> BoxDialog:
    """Open the dialog of the box of pieces."""
    player.qtbot.mouseClick(player.panel.edit_box, Qt.MouseButton.LeftButton)
    dialog = player.window.findChild(BoxDialog)
    player.qtbot.waitUntil(dialog.isVisible)
    return dialog


def counts_in(dialog, *pieces: str) -> list[str]:
    return [dialog.table.item(PIECES.index(piece), HAVE).text() for piece in pieces]


@pytest.mark.deep
def test_the_dialog_of_the_box_shows_which_pieces_a_number_of_hills_leaves_none_of(player):
    dialog = open_box(player)
    higher = ("two-contour hill", "mountain")
    hills = dialog.table.item(PIECES.index("hill"), HAVE)
    assert counts_in(dialog, *higher) == ["", ""]
    hills.setText("1")
    assert counts_in(dialog, *higher) == ["0", "0"]
    hills.setText("")
    assert counts_in(dialog, *higher) == ["", ""]
    hills.setText("1")
    dialog.table.item(PIECES.index("mountain"), HAVE).setText("2")
    assert counts_in(dialog, *higher) == ["0", "2"]
    hills.setText("")
    assert counts_in(dialog, *higher) == ["", "2"], "what the user has typed stays"
    dialog.table.item(PIECES.index("settlement"), HAVE).setText("3")
    assert counts_in(dialog, "village", "town", "city") == ["0", "0", "0"]
    hills.setText("4")
    dialog.use_button.click()
    player.throw(relief="mountainous")
    assert "the box holds 6" in player.log()[0]


def test_the_dialog_of_the_box_says_beforehand_that_it_lays_the_table_again(player):
    dialog = open_box(player)
    dialog.table.item(0, HAVE).setText("3")
    assert dialog.use_button.text() == "&Save and use", "nothing lies yet"
    dialog.use_button.click()
    player.throw(relief="hilly")
    before = player.log()
    dialog = open_box(player)
    assert dialog.use_button.text() == "&Save and use", "the table was laid with this box"
    dialog.table.item(0, HAVE).setText("1")
    assert dialog.use_button.text() == "&Save and lay the table again"
    dialog.use_button.click()
    player.wait()
    assert player.log() != before


@pytest.mark.deep
def test_a_river_two_areas_wide_says_so_where_it_is_pointed_at(player):
    player.desk.throwing.map_choices.fix({"river 1 width": "2"})
    player.throw(relief="open", hills=False)
    river = np.flatnonzero(plane_of(player, "river")).tolist()
    texts = set()
    for cell in river:
        player.qtbot.mouseMove(player.window.desk.canvas, player.point(cell))
        player.qtbot.waitUntil(lambda: " river " in place(player))
        texts.add(place(player).split(" - Cordery's dice ")[1])
    assert len(texts) == 2
    assert any(text.startswith("2.2 River 1 is two areas wide") for text in texts)
    assert any(text.startswith("2.2 The second row of river 1") for text in texts)


def place(player) -> str:
    """What the status line says of the area under the mouse."""
    return player.window.findChild(QLabel, "place").text()


@pytest.mark.deep
def test_what_the_log_explains_at_length_is_counted_in_the_status_line(player):
    player.desk.throwing.map_choices.fix({"hills": "45"})
    player.throw(relief="hilly", rivers=4)
    assert re.match("[0-9] notes: see the dice log[.]", status(player))
    player.panel.form.field("rivers").setValue(3)
    player.wait()
    assert status(player).startswith("Rivers: 3. Laid again with the same dice: ")
    assert re.search("[.] [0-9] notes: see the dice log[.]$", status(player))


def test_the_usual_country_says_that_it_follows_the_cover(player):
    country = player.panel.form.field("relief")
    assert country.itemText(0) == "Usual for the cover (undulating)"
    choose(player, "cover", "Desert")
    assert country.itemText(0) == "Usual for a desert (flat)"
    choose(player, "relief", "Undulating")
    assert country.itemText(0) == "Usual for a desert (flat)"
    choose(player, "cover", "Forested")
    assert country.itemText(0) == "Usual for a forest (undulating)"


def test_choices_before_the_first_throw_and_for_ones_own_next_dice_lay_nothing(player):
    choose(player, "relief", "Hilly")
    assert not player.log()
    assert status(player) == (
        "Country: Hilly. It counts for the next throw; until then it is no step of Undo."
    )
    assert not player.document.history.steps
    player.throw()
    before = player.log()
    choose_in(player.panel.dice_form.field("dice"), "Entered by hand")
    choose(player, "relief", "Mountainous")
    assert player.log() == before
    assert status(player) == "Country: Mountainous. It counts for the table of your own dice."


def choose_row(dialog, text: str) -> None:
    """Choose the row with this text, in whichever list of the dialog it stands."""
    for rows in dialog.findChildren(QListWidget):
        items = rows.findItems(text, Qt.MatchFlag.MatchExactly)
        if items:
            rows.setCurrentItem(items[0])
            return
    raise AssertionError(text)


def boxes_with(dialog, text: str) -> list[QComboBox]:
    """The visible combo boxes in which this can be chosen."""
    boxes = [box for box in dialog.findChildren(QComboBox) if box.isVisible()]
    return [box for box in boxes if box.findText(text) >= 0]


def enter_table(player) -> int:
    """Enter every die that is asked for with the keys; the number of dice."""
    count = 0
    player.qtbot.waitUntil(player.panel.strip.isVisible)
    while player.panel.strip.isVisible():
        QTest.keyClick(player.panel.strip, Qt.Key.Key_1 + count % 6)
        count += 1
        player.qtbot.waitUntil(lambda: not player.desk.entry.busy)
    player.wait()
    return count


def make_table_of_own_dice(window: MainWindow, qtbot) -> None:
    """Make a new table whose dice are entered by hand, in the dialog *New map*."""
    window.desk.commands.run("file.new-map")
    qtbot.waitUntil(lambda: window.findChild(NewMapDialog) is not None)
    dialog = window.findChild(NewMapDialog)
    choose_row(dialog, "Wargame table")
    choose_row(dialog, "Cordery")
    qtbot.waitUntil(lambda: bool(boxes_with(dialog, "Entered by hand")))
    choose_in(boxes_with(dialog, "Entered by hand")[0], "Entered by hand")
    # Few dice: each that is entered lays the table anew.
    for name in ("rivers", "roads"):
        dialog.form.field(name).setValue(0)
    for name in ("trees", "habitation", "fields"):
        dialog.form.field(name).setChecked(False)
    make = next(b for b in dialog.findChildren(QPushButton) if b.text() == "&Make the map")
    make.click()


@pytest.fixture
def window_without_dice(window) -> MainWindow:
    """A window whose panel Dice was closed in an earlier session, and never made in this one."""
    window.desk.docks.for_maps.set_waiting_docks("")
    assert window.desk.docks["dice"].isHidden()
    return window


@pytest.mark.deep
def test_own_dice_are_asked_for_though_the_panel_was_closed(window_without_dice, qtbot):
    docks = window_without_dice.desk.docks
    make_table_of_own_dice(window_without_dice, qtbot)
    qtbot.waitUntil(lambda: docks.find_panel("dice") is not None)
    panel = docks.panel("dice")
    qtbot.waitUntil(panel.strip.isVisible)
    assert panel.strip.label.text() == "1.1 Hills: throw a D6"
    card = window_without_dice.findChild(EmptyMap)
    assert card.message.text() == "Enter your dice in the panel Dice: they lay the table here."


@pytest.mark.deep
def test_a_table_is_thrown_by_ctrl_r_though_the_panel_dice_was_closed(window_without_dice, qtbot):
    window = window_without_dice
    docks = window.desk.docks
    table = BattleMap.new(SYSTEM, table_grid("square", 8, 8), [Layer(1, "Table")])
    window.desk.document.show_map(table)
    qtbot.waitUntil(lambda: docks.find_panel("dice") is not None)
    assert docks["dice"].isHidden(), "what was closed stays closed"
    assert "or press Ctrl+R to have it thrown" in window.findChild(EmptyMap).message.text()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    with qtbot.waitSignal(window.desk.rolling.finished):
        QTest.keyClick(window.desk.canvas, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    layers = window.desk.document.battlemap.layers
    assert [layer.roll.part for layer in layers if layer.roll] == list(PARTS)


def test_a_table_is_thrown_by_ones_own_dice_from_new_map_on(player, qtbot):
    window: MainWindow = player.window
    make_table_of_own_dice(window, qtbot)
    qtbot.waitUntil(player.panel.strip.isVisible)
    assert player.panel.strip.label.text() == "1.1 Hills: throw a D6"
    assert "how many hills there are" in player.panel.strip.meaning.text()
    assert "press 1 to 6" in player.panel.strip.meaning.text()
    assert not status(player).startswith("Not rolled")
    assert not player.panel.roll_bar.isVisible()
    card = window.findChild(EmptyMap)
    assert card.message.text() == "Enter your dice in the panel Dice: they lay the table here."
    player.panel.strip.end_button.click()
    assert not player.panel.waiting.isVisible(), "no die waits for others"
    player.panel.enter_button.click()
    count = enter_table(player)
    parts = [layer.roll.part for layer in player.document.battlemap.layers if layer.roll]
    assert parts == list(PARTS)
    assert status(player).startswith(f"All your {count} dice are there: the table is laid.")
    assert player.panel.enter_button.isVisible()
    player.panel.enter_button.click()
    qtbot.waitUntil(player.panel.strip.isVisible)
    QTest.keyClick(player.panel.strip, Qt.Key.Key_3)
    qtbot.waitUntil(lambda: "Hill 1 row" in player.panel.strip.label.text())
    assert "the row from which it is counted" in player.panel.strip.meaning.text()
    player.panel.strip.end_button.click()
    assert status(player).endswith("Go on entering asks for the rest.")
    player.panel.drop_button.click()
    assert status(player) == "The dice that you entered are dropped; Undo brings them back."
    assert player.panel.enter_button.isEnabled()


@pytest.mark.deep
def test_a_choice_for_a_table_of_ones_own_dice_asks_for_the_dice_that_it_lacks(player):
    choose_in(player.panel.dice_form.field("dice"), "Entered by hand")
    player.panel.enter_button.click()
    enter_table(player)
    before = player.log()
    rivers = player.panel.form.field("rivers")
    rivers.setFocus()
    QTest.keyClick(rivers, Qt.Key.Key_Up)
    player.qtbot.waitUntil(player.panel.strip.isVisible)
    assert player.panel.strip.label.text() == "2.1 River 2 entry: throw a D6"
    assert status(player) == (
        "Rivers: 2. That takes dice which this table does not have: enter them, or stop entering "
        "to leave the table as it is."
    )
    player.panel.strip.end_button.click()
    assert rivers.value() == 1
    player.wait()
    assert player.log() == before
    fields = player.panel.form.field("fields")
    player.qtbot.mouseClick(fields, Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
    player.qtbot.waitUntil(lambda: lines_of(player, "7") == [])
    player.wait()
    assert status(player) == "Fields: no. Laid again with the same dice: fields."


def heights_of(log) -> list[int]:
    return [log.visualItemRect(log.item(row)).height() for row in range(log.count())]


def heights_of_hints(log) -> list[int]:
    """The heights that the lines need at the present width."""
    indexes = [log.model().index(row, 0) for row in range(log.count())]
    hint = log.itemDelegate().sizeHint
    return [hint(QStyleOptionViewItem(), index).height() for index in indexes]


def test_the_log_has_a_heading_for_each_part_and_lines_as_high_as_the_panel_needs(player, qtbot):
    player.throw()
    player.panel.tabs.setCurrentIndex(1)
    log = player.panel.log
    first_rows = [player.row(step) for step in ("1.1", "2.1", "3.1", "4.1", "5.1", "7.1")]
    heights = heights_of(log)
    assert all(heights[row] > min(heights) for row in first_rows), "each has a heading above it"
    window = player.window
    window.resize(1440, 900)
    dock = window.desk.docks["dice"]
    for width in (500, 300):
        window.resizeDocks([dock], [width], Qt.Orientation.Horizontal)
        qtbot.waitUntil(lambda width=width: abs(dock.width() - width) < 100)
        qtbot.waitUntil(lambda: heights_of(log) == heights_of_hints(log))


def lay_by_own_dice(player) -> None:
    """Lay a table by dice that are entered, then let the program throw what comes next."""
    choose_in(player.panel.dice_form.field("dice"), "Entered by hand")
    player.panel.enter_button.click()
    enter_table(player)
    choose_in(player.panel.dice_form.field("dice"), "Thrown by the program")


def throw_part_again(player, part: str) -> None:
    """Click the dice beside the heading of a part."""
    player.panel.tabs.setCurrentIndex(0)
    player.panel.form.throw_buttons[part].click()
    player.wait()


@pytest.mark.deep
def test_the_program_throws_a_part_of_ones_own_table_again_and_drops_its_dice(player):
    lay_by_own_dice(player)
    assert player.panel.form.throw_buttons["water"].toolTip() == (
        "Throw the dice for rivers and water again. What was laid after it stays, unless its area "
        "is taken. Your own dice for this part are dropped then."
    )
    hills = lines_of(player, "1")
    rivers = lines_of(player, "2")
    own_dice = dict(player.desk.throwing.map_choices.fixed)
    throw_part_again(player, "water")
    assert lines_of(player, "2") != rivers
    assert lines_of(player, "1") == hills
    assert not any("fixed by hand" in line for line in lines_of(player, "2"))
    assert any(": as before: " in line for line in lines_of(player, "4"))
    dropped_dice = own_dice.keys() - player.desk.throwing.map_choices.fixed.keys()
    assert dropped_dice
    assert all(name.startswith("river") for name in dropped_dice)
    assert (
        "Thrown again: rivers and water. Your own dice for this part are dropped; Undo brings them "
        "back."
    ) in status(player)
    assert "throws no dice for" not in status(player)
    player.document.undo()
    player.wait()
    assert lines_of(player, "2") == rivers
    assert player.desk.throwing.map_choices.fixed == own_dice

    choose_in(player.panel.dice_form.field("dice"), "Thrown by the program")
    throw_part_again(player, "hills")
    assert not any(name.startswith("hill") for name in player.desk.throwing.map_choices.fixed)
    assert any("fixed by hand" in line for line in player.log())
    assert "throws no dice for" not in status(player)


def test_a_part_that_is_thrown_again_is_named_and_its_decisions_stay(player):
    player.desk.throwing.map_choices.fix({"hills": "3", "river 1 width": "2"})
    player.throw(relief="hilly")
    player.read("1.2 Hill 1")
    row = player.panel.fix_form.fields["hill 1 row"].widget.findChild(QSpinBox)
    row.setValue(2)
    player.panel.fix_form.lay_button.click()
    player.wait()
    throw_part_again(player, "trees")
    assert status(player).startswith("Thrown again: trees.")
    assert player.desk.throwing.map_choices.fixed["hill 1 row"] == "2"
    throw_part_again(player, "hills")
    assert status(player).startswith(
        "Thrown again: hills and mountains. Your own dice for this part are dropped; Undo brings "
        "them back."
    )
    assert player.desk.throwing.map_choices.fixed == {"hills": "3", "river 1 width": "2"}


@pytest.mark.deep
def test_own_dice_that_a_choice_leaves_without_use_are_told_in_one_sentence(player):
    lay_by_own_dice(player)
    choose(player, "area", "Wild: few live here")
    player.panel.form.field("rivers").setValue(0)
    player.wait()
    player.panel.form.field("trees").click()
    player.wait()
    choose(player, "relief", "Open or flat")
    assert "did you mean" not in status(player)
    assert status(player).count("his table has no use for") == 1
    assert "more in the dice log" not in status(player)


@pytest.mark.deep
def test_the_log_says_why_no_village_is_joined_where_no_road_crosses_the_table(player):
    said = "3.4 No road crosses this table: villages and towns are joined to none"
    player.throw(roads=1, area="urban")
    assert any("Village" in line or "Town" in line or "adjacent" in line for line in player.log())
    assert said not in player.log()
    player.panel.form.field("roads").setValue(0)
    player.wait()
    assert said in player.log()
    player.panel.form.field("join").click()
    player.wait()
    assert said not in player.log()


def choose_own_dice(player) -> None:
    choose_in(player.panel.dice_form.field("dice"), "Entered by hand")


def click_again(player, part: str) -> None:
    """Click the dice beside the heading of a part."""
    player.panel.tabs.setCurrentIndex(0)
    player.qtbot.mouseClick(player.panel.form.throw_buttons[part], Qt.MouseButton.LeftButton)


@pytest.mark.deep  # some 40 dice
def test_a_part_is_thrown_again_by_ones_own_dice_and_undo_brings_all_back(player):
    choose_own_dice(player)
    player.panel.enter_button.click()
    enter_table(player)
    log = player.log()
    later = lines_of(player, "4567")
    steps = len(player.document.history.steps)
    again = player.panel.form.throw_buttons["roads"]
    assert again.isEnabled()
    assert again.toolTip() == (
        "Enter new dice for roads and tracks. What was laid after it stays, unless its area is "
        "taken."
    )

    click_again(player, "roads")
    player.qtbot.waitUntil(player.panel.strip.isVisible)
    assert player.panel.strip.label.text() == "3.1 Road 1 entry: throw a D6"
    assert status(player).startswith(
        "Your own dice for roads and tracks: what was laid after it stays, unless its area is taken"
    )
    assert not again.isEnabled(), "dice are asked for"
    scores = (6, 6)
    for score in scores:
        QTest.keyClick(player.panel.strip, Qt.Key.Key_0 + score)
        player.qtbot.waitUntil(lambda: not player.desk.entry.busy)
    enter_rest(player)
    assert any(line.startswith("3.1 Road 1 entry: D6 = 6") for line in player.log())
    assert lines_of(player, "12") == [line for line in log if line[0] in "12"]
    assert lines_of(player, "4")[0] in later, "trees are counted by the die that they had"
    assert any(": as before: " in line for line in lines_of(player, "4"))
    assert status(player).startswith("All your ")
    assert "dice are there: the table is laid." in status(player)
    table = player.log()
    player.window.desk.commands.run("edit.undo")
    player.wait()
    assert player.log() == log
    assert player.panel.waiting.label.text().startswith("A change of the table is not laid; its ")
    player.panel.waiting.button.click()
    player.wait()
    player.qtbot.waitUntil(lambda: player.log() == table)
    while player.document.history.index > steps:
        player.document.undo()
    player.wait()
    assert player.log() == log
    assert player.panel.waiting.isHidden()


def enter_rest(player) -> None:
    """Enter what is still asked for, with the keys."""
    score = 0
    while player.panel.strip.isVisible():
        QTest.keyClick(player.panel.strip, Qt.Key.Key_1 + score % 6)
        score += 1
        player.qtbot.waitUntil(lambda: not player.desk.entry.busy)
    player.wait()


def plane_of(player, name: str):
    """The values of a plane that the map shows."""
    return player.window.desk.canvas.composite.planes[name]


@pytest.mark.deep
def test_the_map_shows_the_dice_of_a_part_that_is_thrown_again_as_the_log_does(player):
    player.throw(relief="hilly", join=False)
    trees = plane_of(player, "terrain").copy()
    roads = plane_of(player, "road").copy()
    choose_own_dice(player)
    click_again(player, "roads")
    player.qtbot.waitUntil(player.panel.strip.isVisible)
    assert (plane_of(player, "road") == roads).all(), "the table stays until the first die"
    QTest.keyClick(player.panel.strip, Qt.Key.Key_6)
    player.qtbot.waitUntil(lambda: not player.desk.entry.busy)
    assert not plane_of(player, "road").any(), "the old road is gone, the new one not there yet"
    assert (plane_of(player, "terrain") == trees).all(), "what comes later stays in sight"
    player.panel.strip.end_button.click()
    assert (plane_of(player, "road") == roads).all()


def test_a_part_of_a_thrown_table_is_thrown_again_by_ones_own_dice_or_left(player):
    player.throw(relief="hilly")
    log = player.log()
    choose_own_dice(player)
    click_again(player, "trees")
    player.qtbot.waitUntil(player.panel.strip.isVisible)
    assert player.panel.strip.label.text() == "4.1 Trees: throw a D6"
    QTest.keyClick(player.panel.strip, Qt.Key.Key_3)
    player.qtbot.waitUntil(lambda: not player.desk.entry.busy)
    player.panel.strip.end_button.click()
    assert status(player) == "The table stays as it was; 1 die dropped (Undo brings them back)."
    assert player.panel.waiting.isHidden()
    player.wait()
    assert player.log() == log

    click_again(player, "trees")
    player.qtbot.waitUntil(player.panel.strip.isVisible)
    enter_rest(player)
    assert lines_of(player, "123") == [line for line in log if line[0] in "123"]
    assert lines_of(player, "4") != [line for line in log if line[0] == "4"]
    assert player.desk.throwing.table.is_laid_by_hand


@pytest.mark.deep
def test_ones_own_dice_throw_no_part_again_while_a_table_waits_for_its_dice(player):
    player.throw()
    choose_own_dice(player)
    player.panel.enter_button.click()
    player.qtbot.waitUntil(player.panel.strip.isVisible)
    QTest.keyClick(player.panel.strip, Qt.Key.Key_3)
    player.qtbot.waitUntil(lambda: player.desk.entry.dice.count == 1)
    player.qtbot.waitUntil(lambda: not player.desk.entry.busy)
    player.panel.strip.end_button.click()
    again = player.panel.form.throw_buttons["trees"]
    assert not again.isEnabled()
    assert again.toolTip().startswith("A table waits for its dice")
    player.read("1.2 Hill 1")
    player.panel.fix_form.fields["hill 1 row"].widget.findChild(QSpinBox).setValue(2)
    player.panel.fix_form.lay_button.click()
    assert status(player).startswith("A table waits for its dice")
    assert player.desk.entry.waiting_dice.count == 1, "the die that was entered is kept"
    player.panel.tabs.setCurrentIndex(0)
    player.panel.drop_button.click()
    assert again.isEnabled()


@pytest.mark.deep
def test_a_part_without_dice_says_so_instead_of_being_thrown_again(player):
    player.throw(roads=0)
    steps = len(player.document.history.steps)
    for way in ("Thrown by the program", "Entered by hand"):
        choose_in(player.panel.dice_form.field("dice"), way)
        click_again(player, "roads")
        assert status(player) == (
            "Roads and tracks: no dice are thrown for this part of the table."
        )
        assert player.panel.strip.isHidden()
    assert len(player.document.history.steps) == steps


@pytest.mark.deep
def test_digits_after_the_last_die_do_nothing_until_the_hand_leaves_the_dice(player, qtbot):
    # Few dice: each that is entered lays the table anew.
    player.desk.throwing.map_choices.choose(
        rivers=0, roads=0, trees=False, habitation=False, fields=False
    )
    choose_own_dice(player)
    player.panel.enter_button.click()
    window = player.window
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    enter_table(player)
    tool = window.desk.tools.name
    choices = dict(player.desk.throwing.map_choices.values)
    steps = len(player.document.history.steps)
    for key in (Qt.Key.Key_2, Qt.Key.Key_4, Qt.Key.Key_9):
        QTest.keyClick(window.focusWidget(), key)
    assert window.desk.tools.name == tool
    assert dict(player.desk.throwing.map_choices.values) == choices, "no field got the digits"
    assert len(player.document.history.steps) == steps
    assert status(player).startswith("No more dice are asked for. Digits do nothing until you")

    canvas = window.desk.canvas
    QTest.mouseClick(canvas, Qt.MouseButton.RightButton, pos=QPoint(3, 3))
    canvas.setFocus()
    QTest.keyClick(canvas, Qt.Key.Key_2)
    assert window.desk.tools.name != tool, "the hand has left the dice"


@pytest.mark.deep
@pytest.mark.parametrize("field_name", ["seed", "number"])
def test_enter_in_an_unchanged_seed_or_number_leaves_the_table_as_it_is(player, field_name):
    player.throw()
    throw_part_again(player, "trees")
    log = player.log()
    steps = player.document.history.index
    field = getattr(player.panel.roll_bar, field_name)
    field.setFocus()
    text = field.text()
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert not player.rolling.busy
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)
    player.wait()
    assert field.text() == text
    assert player.document.history.index == steps
    assert player.log() == log

    player.window.desk.commands.run("script.again")
    player.wait()
    assert player.log() == log, "the same table, with the part that was thrown again"
