"""The log of the dice is read, copied, printed and played, and its lines are decided by hand."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from app.systems.cordery.box_dialog import BoxDialog
from app.systems.cordery.dice_log import DiceLog
from app.systems.cordery.player import NO_LINE
from randomizer.model.edits.value_edits import set_values
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.systems.cordery.system import SYSTEM, table_grid


def test_a_part_is_hidden_and_its_lines_with_it(player):
    player.throw()
    player.panel.form.show_buttons["hills"].click()
    player.wait()
    assert not player.part("hills").visible
    assert not any(line.startswith("1.") for line in player.log())
    player.panel.form.show_buttons["hills"].click()
    player.wait()
    assert player.log()[0].startswith("1.1")


def test_a_line_lights_up_its_areas_and_an_area_its_lines(player):
    player.throw(relief="hilly")
    panel = player.panel
    canvas = player.window.desk.canvas
    panel.tabs.setCurrentIndex(1)
    row = player.row("1.2 Hill 1")
    (hill,) = player.desk.throwing.table.log[row].line.cells
    panel.log.pointed.emit(row)
    assert canvas.overlays.marked == {hill}
    panel.log.pointed.emit(-1)
    assert not canvas.overlays.marked
    canvas.hovered.emit(
        player.document.battlemap.grid.hit(*player.document.battlemap.grid.centre(hill))
    )
    coloured = [
        line
        for line in range(panel.log.count())
        if panel.log.item(line).background().style() != Qt.BrushStyle.NoBrush
    ]
    assert row in coloured
    assert all(hill in player.desk.throwing.table.log[line].line.cells for line in coloured)


def test_a_log_that_grows_stays_where_it_was_read(qtbot):
    log = DiceLog()
    qtbot.addWidget(log)
    log.resize(200, 120)
    log.show()
    lines = [f"4.2 Trees {number}: 0101" for number in range(1, 60)]
    log.set_lines(lines)
    log.scrollToBottom()
    log.set_lines([*lines, "5.1 Rural: one farm"])
    assert log.verticalScrollBar().value() == log.verticalScrollBar().maximum() > 0
    log.verticalScrollBar().setValue(40)
    log.set_lines(lines)
    assert log.verticalScrollBar().value() == 40
    log.set_lines(["1.1 Open country: no hills", *lines])
    assert log.verticalScrollBar().value() == 0, "another table is read from its beginning"


def test_the_log_is_copied_whole_or_in_lines(player, qtbot):
    player.throw()
    player.panel.log_page.copy_button.click()
    assert QGuiApplication.clipboard().text().split("\n") == player.log()
    player.read("1.1")
    qtbot.keyClick(player.panel.log, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == player.log()[0]


def test_the_log_is_saved_as_text(player, qtbot, hand, tmp_path):
    player.throw()
    file = tmp_path / "dice.txt"
    hand.expect("Save the dice log").type_path(file)
    player.panel.log_page.save_button.click()
    qtbot.waitUntil(file.exists)
    assert file.read_text("utf-8").splitlines() == player.log()


def test_a_count_is_decided_by_hand_and_freed_again(player):
    player.throw(relief="hilly")
    by_dice = player.log()
    player.read("1.1 Hilly country")
    form = player.panel.fix_form
    assert list(form.fields) == ["hills", "hills die"]
    form.fields["hills"].widget.setValue(3)
    form.lay_button.click()
    player.wait()
    assert player.log()[0] == "1.1 Hilly country: as decided, 3 hills"
    assert np.count_nonzero(player.document.composite.planes["elevation"]) == 3
    assert player.panel.fixed_list.title.text() == "Fixed by hand"
    assert player.desk.throwing.map_choices.fixed == {"hills": "3"}
    # The row of a value that was fixed, which has no name.
    row = player.panel.fixed_list.rows.itemAt(0).widget()
    row.layout().itemAt(1).widget().click()
    player.wait()
    assert player.log() == by_dice


def test_a_hill_is_put_where_the_map_is_clicked(player, qtbot):
    player.throw(relief="hilly")
    steps = len(player.document.history.steps)
    player.read("1.2 Hill 1")
    form = player.panel.fix_form
    form.pick_button.click()
    cell = player.document.battlemap.grid.cell(6, 6)
    qtbot.mouseClick(player.window.desk.canvas, Qt.MouseButton.LeftButton, pos=player.point(cell))
    assert not form.pick_button.isChecked()
    assert len(player.document.history.steps) == steps
    form.lay_button.click()
    player.wait()
    assert player.log()[player.row("1.2 Hill 1")] == "1.2 Hill 1: put there by hand: 0707"


def test_a_die_is_set(player):
    player.throw(relief="hilly")
    player.read("1.2 Hill 1")
    spins = player.panel.fix_form.fields["hill 1 steps"].widget.findChildren(object, "")
    spins = [spin for spin in spins if hasattr(spin, "setValue") and hasattr(spin, "lineEdit")]
    for spin in spins:
        spin.setValue(1)
    told: list[str] = []
    player.rolling.rolled.connect(told.append)
    player.panel.fix_form.lay_button.click()
    player.wait()
    key = player.rolling.key_choice.key
    sentence = "The wargame table is laid again, with the same dice"
    assert told == [f"{sentence} (seed {key.seed} no. {key.number})"]
    assert "3D6 = 1+1+1 = 3 along" in player.log()[player.row("1.2 Hill 1")]


def test_what_finds_no_place_is_said(player):
    player.rolling.key_choice.choose_seed = lambda: 4
    player.throw(relief="mountainous", rivers=4, roads=4, railways=4, lakes=True, marshes=True)
    missing = [line for line in player.log() if "left out" in line or "No area is free" in line]
    assert missing, "a table this full leaves something out"
    said = player.window.statusBar().currentMessage()
    assert " notes: see the dice log." in said


def test_what_cannot_be_is_said_and_changes_nothing(player):
    player.throw(relief="hilly")
    before = player.log()
    player.read("1.2 Hill 1")
    player.panel.fix_form.set_area("9999")
    player.panel.fix_form.lay_button.click()
    player.wait()
    assert player.log() == before
    assert "9999" in player.window.statusBar().currentMessage()


def test_the_player_shows_the_table_growing_and_changes_nothing(player):
    player.throw(relief="hilly")
    canvas = player.window.desk.canvas
    play = player.panel.player
    steps = len(player.document.history.steps)
    whole = player.document.composite.copy()
    player.panel.tabs.setCurrentIndex(1)
    play.play_button.click()
    assert play.line == 0
    hills = []
    for _ in range(4):
        hills.append(int(np.count_nonzero(canvas.composite.planes["elevation"])))
        play.forth_button.click()
    assert hills == [0, 1, 2, 3]
    assert play.faces.scores
    assert player.panel.log.currentRow() == play.line
    play.slider.setValue(play.slider.maximum())
    assert canvas.composite.same_as(whole)
    play.stop_button.click()
    assert canvas.composite is player.document.composite
    assert len(player.document.history.steps) == steps


def test_dice_on_a_ground_that_has_changed_can_only_be_read_and_say_so(player):
    player.throw(relief="hilly")
    play = player.panel.player.play_button
    assert "how the table was laid" in play.toolTip()
    battlemap = player.document.battlemap
    player.document.push(set_values(battlemap, 1, "elevation", np.arange(64), 1), "Hills")
    player.wait()
    assert not play.isEnabled()
    assert "only be read" in play.toolTip()
    player.read("1.2 Hill 1")
    assert player.panel.fix_form.isHidden()
    assert "only be read" in player.window.statusBar().currentMessage()
    player.document.undo()
    player.wait()
    assert "how the table was laid" in play.toolTip()


def test_playing_ends_when_the_table_is_another(player):
    player.throw()
    player.panel.player.show_line(3)
    player.throw_again()
    assert player.panel.player.line == NO_LINE
    assert player.window.desk.canvas.composite is player.document.composite


def test_playing_ends_at_once_when_another_table_becomes_current(player):
    small = BattleMap.new(SYSTEM, table_grid("hex", 6, 6), [Layer(1, "Table")])
    player.throw()
    large = player.document.current_map
    player.document.open_map(small)
    player.throw()
    player.document.make_current(large)
    player.wait()
    player.panel.tabs.setCurrentIndex(1)
    play = player.panel.player
    play.show_line(3)
    play.play_or_pause()
    player.document.make_current(player.document.maps[-1])
    # Nothing public tells that no throw is to follow.
    assert not play._timer.isActive()
    assert not play.forth_button.isEnabled()
    assert player.window.desk.canvas.instead is None
    assert player.log() == [], "lines of the large table name areas that the small one lacks"
    player.wait()
    assert play.play_button.isEnabled()
    assert player.log()


def test_playing_ends_with_its_page_so_that_the_map_is_never_half_a_table(player):
    player.throw()
    player.panel.tabs.setCurrentIndex(1)
    player.panel.player.play_button.click()
    player.panel.tabs.setCurrentIndex(0)
    assert player.panel.player.line == NO_LINE
    assert player.window.desk.canvas.composite is player.document.composite


def test_escape_leaves_the_place_to_the_dice(player, qtbot):
    player.throw(relief="hilly")
    player.read("1.2 Hill 1")
    form = player.panel.fix_form
    form.pick_button.click()
    qtbot.keyClick(player.window.desk.canvas, Qt.Key.Key_Escape)
    assert not form.pick_button.isChecked()
    assert form.changed_values() == {}


def test_the_log_and_the_pieces_are_printed(player, monkeypatch, tmp_path):
    from PySide6.QtPrintSupport import QPrinter

    printed = []

    def on_paper(name, _parent, chosen):
        printer = QPrinter()
        printer.setOutputFileName(str(tmp_path / f"{name}.pdf"))
        chosen(printer)
        printed.append(name)

    # The dialog of the printer is in a loop of its own.
    monkeypatch.setattr("app.paper.printing.ask_for_printer", on_paper)
    player.throw()
    player.panel.log_page.print_button.click()
    player.panel.edit_box.click()
    player.window.findChild(BoxDialog).print_wanted.emit("Pieces")
    assert printed == ["Dice log", "Pieces"]
    assert (tmp_path / "Dice log.pdf").stat().st_size > 1000
