"""Real dice are entered one after the other, taken back and given up."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton, QToolTip

from app.document.sample import sample_map
from randomizer.model.edits.record_edits import set_record
from randomizer.model.edits.value_edits import set_values
from randomizer.model.records.map_records import MapRecord


def test_real_dice_are_entered_one_after_the_other_and_taken_back(player, qtbot):
    panel = player.panel
    entry = player.desk.entry
    sparse = {"rivers": 0, "roads": 0, "trees": False, "habitation": False, "fields": False}
    player.desk.throwing.map_choices.choose(relief="open", **sparse)
    player.enter_dice_by_hand()
    player.desk.actions.throw.trigger()
    qtbot.waitUntil(panel.strip.isVisible)
    assert panel.strip.label.text() == "1.1 Hills: throw a D6"

    def press(key: Qt.Key, asked: str) -> None:
        qtbot.waitUntil(lambda: not entry.busy)
        qtbot.keyClick(panel.strip, key)
        qtbot.waitUntil(lambda: asked in panel.strip.label.text() and not entry.busy)

    press(Qt.Key.Key_2, "Hill 1 row")
    assert player.log() == ["1.1 Open country: D6 = 2: 2 hills"]
    press(Qt.Key.Key_Backspace, "Hills:")
    press(Qt.Key.Key_1, "Hill 1 row: throw a D6")
    press(Qt.Key.Key_4, "Hill 1 steps: throw 3 D6")
    press(Qt.Key.Key_1, "Hill 1 steps")
    press(Qt.Key.Key_2, "Hill 1 steps")
    assert panel.strip.faces.scores == (1, 2)
    qtbot.keyClick(panel.strip, Qt.Key.Key_3)
    qtbot.waitUntil(panel.strip.isHidden)
    player.wait()
    assert player.log()[-1] == "1.2 Hill 1: 3D6 = 1+2+3 = 6 along from row 4: 0604"
    grid = player.document.battlemap.grid
    assert player.document.composite.planes["elevation"].flat[grid.cell(5, 3)] == 1


def test_backspace_takes_back_the_last_die(player, qtbot):
    player.throw(relief="hilly")
    steps = player.document.history.index
    strip = player.panel.strip
    player.enter_dice_by_hand()
    player.desk.actions.throw.trigger()
    player.enter(3, 4)
    qtbot.waitUntil(strip.hasFocus)
    qtbot.keyClick(strip, Qt.Key.Key_Backspace)
    qtbot.waitUntil(lambda: strip.label.text() == "1.2 Hill 1 row: throw a D6")
    assert player.document.history.index == steps + 2, "the beginning, and a die"
    assert player.desk.entry.dice.throws == {"hills die": (3,)}
    assert player.desk.throwing.map_choices.fixed == {}


@pytest.mark.deep
def test_a_note_that_was_added_after_the_first_die_stays_when_the_die_is_taken_back(player):
    player.enter_dice_by_hand()
    player.desk.actions.throw.trigger()
    player.enter(3)
    document = player.document
    document.push(set_record(document.battlemap, "notes", MapRecord("A note")), "Add a note")
    player.enter()
    player.desk.entry.take_back_die()
    player.enter()
    assert player.desk.entry.dice.count == 0
    assert "notes" in document.battlemap.records


def test_a_wrong_score_is_told_beside_the_dice_and_take_back_leaves_the_keys_with_them(
    player, qtbot
):
    player.throw(relief="hilly")
    strip = player.panel.strip
    player.enter_dice_by_hand()
    player.desk.actions.throw.trigger()
    player.enter(3, 4)
    qtbot.keyClick(strip, Qt.Key.Key_7)
    assert QToolTip.text() == "A die shows 1 to 6."
    strip.back_button.setFocus()
    qtbot.mouseClick(strip.back_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(strip.hasFocus)
    qtbot.waitUntil(lambda: strip.label.text() == "1.2 Hill 1 row: throw a D6")


def test_undo_and_redo_on_the_map_take_dice_and_give_them_back(player, qtbot):
    player.throw(relief="hilly")
    player.enter_dice_by_hand()
    player.desk.actions.throw.trigger()
    player.enter(3, 4)
    strip = player.panel.strip
    assert player.document.history.next_undo.text == "Enter Hill 1 row: 4"
    player.document.undo()
    qtbot.waitUntil(lambda: strip.label.text() == "1.2 Hill 1 row: throw a D6")
    player.document.undo()
    qtbot.waitUntil(lambda: strip.label.text() == "1.1 Hills: throw a D6")
    assert not strip.back_button.isEnabled()
    player.document.redo()
    player.document.redo()
    qtbot.waitUntil(lambda: strip.label.text() == "1.2 Hill 1 steps: throw 3 D6")
    assert player.desk.throwing.map_choices.choices.dice == "typed"
    player.document.undo()
    player.document.undo()
    player.document.undo()
    assert strip.isHidden(), "the beginning is undone"
    assert player.desk.throwing.table.parts(), "the table lies still"


def test_entering_dice_can_be_given_up(player, qtbot):
    player.throw()
    before = player.document.composite.copy()
    player.enter_dice_by_hand()
    player.desk.actions.throw.trigger()
    qtbot.waitUntil(player.panel.strip.isVisible)
    qtbot.keyClick(player.panel.strip, Qt.Key.Key_Escape)
    assert player.panel.strip.isHidden()
    assert player.document.composite.same_as(before)
    assert player.window.desk.canvas.composite is player.document.composite


def test_a_map_that_is_edited_meanwhile_keeps_asking(player, qtbot):
    player.enter_dice_by_hand()
    player.desk.actions.throw.trigger()
    qtbot.waitUntil(player.panel.strip.isVisible)
    battlemap = player.document.battlemap
    player.document.push(set_values(battlemap, 1, "elevation", np.array([3]), 1), "Hill")
    assert player.panel.strip.isVisible()
    player.document.open_map(sample_map())
    assert player.panel.strip.isHidden()


def test_dice_entered_are_asked_for_again_with_the_next_throw(player, qtbot):
    sparse = {"rivers": 0, "roads": 0, "trees": False, "habitation": False, "fields": False}
    player.desk.throwing.map_choices.choose(relief="open", dice="typed", **sparse)
    for _ in range(2):
        player.desk.actions.throw.trigger()
        qtbot.waitUntil(player.panel.strip.isVisible)
        assert player.panel.strip.label.text() == "1.1 Hills: throw a D6"
        for score in (1, 2, 3, 3, 3):
            qtbot.waitUntil(lambda: not player.desk.entry.busy)
            player.panel.strip.buttons[score - 1].click()
        qtbot.waitUntil(player.panel.strip.isHidden)
        player.wait()
        assert len(player.log()) == 2


def test_entering_goes_on_where_it_was_stopped_or_begins_again(player, qtbot):
    throw = player.desk.actions.throw
    player.desk.throwing.map_choices.choose(relief="open", dice="typed")
    throw.trigger()
    player.enter(2, 3)
    assert player.panel.strip.label.text() == "1.2 Hill 1 steps: throw 3 D6"
    player.panel.strip.end_button.click()
    throw.trigger()
    qtbot.waitUntil(player.panel.strip.isVisible)
    assert player.panel.strip.label.text() == "1.2 Hill 1 steps: throw 3 D6"
    player.enter(1, 1, 1)
    assert len(player.log()) == 2
    player.panel.strip.end_button.click()
    player.panel.drop_button.click()
    throw.trigger()
    qtbot.waitUntil(player.panel.strip.isVisible)
    assert player.panel.strip.label.text() == "1.1 Hills: throw a D6"
    assert not player.panel.strip.back_button.isEnabled()


def test_what_is_chosen_while_dice_are_entered_counts_at_once(player, qtbot):
    strip = player.panel.strip
    form = player.panel.form
    player.desk.throwing.map_choices.choose(dice="typed")
    player.desk.actions.throw.trigger()
    player.enter(2)
    country = form.field("relief")
    country.setCurrentIndex(country.findData("hilly"))
    country.activated.emit(country.currentIndex())
    qtbot.waitUntil(lambda: player.log()[:1] == ["1.1 Hilly country: D6 = 2 + 4: 6 hills"])
    assert strip.label.text() == "1.2 Hill 1 row: throw a D6"


def test_a_stopped_entry_of_a_new_table_leaves_nothing_fixed_and_goes_on(player, qtbot):
    throw = player.desk.actions.throw
    player.desk.throwing.map_choices.choose(relief="open", dice="typed")
    player.desk.throwing.map_choices.fix({"river 1 width": "1"})
    throw.trigger()
    player.enter(2, 3)
    player.panel.strip.end_button.click()
    assert player.desk.throwing.map_choices.fixed == {"river 1 width": "1"}
    throw.trigger()
    qtbot.waitUntil(player.panel.strip.isVisible)
    assert player.panel.strip.label.text() == "1.2 Hill 1 steps: throw 3 D6"


@pytest.mark.deep
def test_a_die_of_a_fork_says_which_score_goes_where(player, qtbot):
    player.desk.throwing.map_choices.choose(
        relief="hilly", trees=False, habitation=False, fields=False
    )
    player.enter_dice_by_hand()
    player.desk.actions.throw.trigger()
    strip = player.panel.strip
    qtbot.waitUntil(strip.isVisible)
    scores = itertools.cycle((3, 5, 1, 6, 2, 4, 4))
    for _ in range(60):
        if " fork at " in strip.label.text():
            break
        player.enter(next(scores))
    assert " fork at " in strip.label.text()
    assert re.search(r"are as good \(1 to 3: \d{4}, 4 to 6: \d{4}\)\.", strip.meaning.text())


def test_what_is_freed_while_dice_wait_is_free_when_the_entry_goes_on(player, qtbot):
    throw = player.desk.actions.throw
    map_choices = player.desk.throwing.map_choices
    map_choices.choose(relief="open", dice="typed")
    map_choices.fix({"river 1 width": "1"})
    throw.trigger()
    player.enter(2, 3)
    player.panel.strip.end_button.click()
    free = player.panel.fixed_list.rows.itemAt(0).widget().findChild(QToolButton)
    free.click()
    assert map_choices.fixed == {}
    throw.trigger()
    qtbot.waitUntil(player.panel.strip.isVisible)
    assert map_choices.fixed == {}
