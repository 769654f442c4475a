"""The panel Dice: a wargamer lays a table, reads its dice, decides, plays and enters real ones."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QGuiApplication, QWheelEvent
from PySide6.QtWidgets import QApplication, QInputDialog, QLabel, QMenu

from app.commands.commands import WHY
from app.document.document import MapDocument
from app.document.sample import sample_map
from app.features.start.controller import EmptyMap
from app.rolling.roll_work import roll
from app.systems.cordery.box_dialog import HAVE, LACKS, BoxDialog
from app.systems.cordery.controller import DiceController
from app.window import MainWindow
from randomizer.model.battlemap import BattleMap
from randomizer.model.edit_making import set_values
from randomizer.model.layer import Layer
from randomizer.model.layering import remove
from randomizer.model.layouts import FLAT
from randomizer.systems.cordery.choices import PARTS
from randomizer.systems.cordery.dice_log import log_entries
from randomizer.systems.cordery.pieces import PIECES
from randomizer.systems.cordery.system import SYSTEM, new_grid
from randomizer.systems.cordery.table_words import area_words
from randomizer.systems.free.system import free_map
from tests.ui_work import UiWork


class Wargamer:
    """Someone at the desk with a bare table of 8 x 8 squares."""

    def __init__(self, qtbot, window) -> None:
        self.qtbot, self.window, self.document = qtbot, window, window.desk.document
        window.desk.document.show_map(
            BattleMap.new(SYSTEM, new_grid("square", 8, 8), [Layer(1, "Table")])
        )
        qtbot.waitUntil(lambda: window.desk.docks.made("dice") is not None)
        self.panel = window.desk.docks.made("dice")
        self.desk = self.panel.findChild(DiceController)
        self.rolling = window.desk.rolling

    def wait(self) -> None:
        """Until the table is laid and its log is there."""
        self.qtbot.waitUntil(lambda: not self.rolling.busy)
        words = [
            line
            for layer in self.document.battlemap.layers
            if layer.roll and layer.visible
            for line in layer.roll.origins
        ]
        self.qtbot.waitUntil(lambda: bool(self.log()) or not words)
        self.qtbot.waitUntil(lambda: self.desk.throwing._log_value.fresh)

    def throw(self, **chosen: object) -> None:
        self.desk.throwing.choose(**chosen)
        self.desk._actions[0].trigger()
        self.wait()

    def enter_dice_by_hand(self) -> None:
        dice = self.panel.dice_form.field("dice")
        dice.setCurrentIndex(dice.findData("typed"))

    def log(self) -> list[str]:
        return self.panel.log.lines()

    def row(self, start: str) -> int:
        return next(row for row, line in enumerate(self.log()) if line.startswith(start))

    def part(self, kind: str) -> Layer:
        layers = self.document.battlemap.layers
        return next(each for each in reversed(layers) if each.roll and each.roll.part == kind)

    def read(self, start: str) -> None:
        """Click a line of the log."""
        self.panel.tabs.setCurrentIndex(1)
        item = self.panel.log.item(self.row(start))
        self.panel.log.scrollToItem(item)
        middle = self.panel.log.visualItemRect(item).center()
        self.qtbot.mouseClick(self.panel.log.viewport(), Qt.MouseButton.LeftButton, pos=middle)

    def point(self, cell: int) -> QPoint:
        canvas = self.window.desk.canvas
        return canvas.viewport.to_screen(*self.document.battlemap.grid.centre(cell)).toPoint()


@pytest.fixture
def player(qtbot, window) -> Wargamer:
    return Wargamer(qtbot, window)


def same(a: Layer, b: Layer) -> bool:
    return a.planes.keys() == b.planes.keys() and all(
        np.array_equal(plane, b.planes[name]) for name, plane in a.planes.items()
    )


def test_the_dice_come_with_a_table_and_go_with_a_battleland(player, qtbot):
    dock = player.window.desk.docks["dice"]
    assert not dock.isHidden()
    player.document.open_map(sample_map())
    qtbot.waitUntil(dock.isHidden)
    assert player.rolling.recipe().text


def test_an_empty_table_says_how_to_begin_and_the_dice_have_room(player, qtbot):
    window = player.window
    card = window.findChild(EmptyMap)
    assert card.isVisible()
    assert "press Throw" in card._label.text()
    qtbot.waitUntil(lambda: window.desk.docks["dice"].height() > window.height() * 3 // 4)
    window.desk.document.show_map(sample_map())
    window.desk.document.show_map(free_map(FLAT, 8, 8))
    assert card.isVisible()
    qtbot.waitUntil(lambda: "Throw" not in card._label.text())


def test_dice_that_were_left_open_behind_another_panel_come_forward_with_a_table(
    window, qtbot, settings
):
    docks = window.desk.docks
    docks["dice"].show()
    docks["randomize"].raise_()
    window.close()
    table = BattleMap.new(SYSTEM, new_grid("hex", 9, 8), [Layer(1, "Table")])
    again = MainWindow(MapDocument(table), settings)
    qtbot.addWidget(again)
    again.show()
    docks = again.desk.docks
    qtbot.waitUntil(lambda: docks.made("dice") is not None)
    qtbot.waitUntil(docks.made("dice").isVisible)
    qtbot.waitUntil(again.desk.commands.action("script.roll").isEnabled)


def test_the_country_says_what_it_is_where_none_is_chosen(player):
    country, cover = (player.panel.form.field(name) for name in ("relief", "cover"))
    assert country.currentText() == "Usual: undulating"
    cover.setCurrentIndex(cover.findData("desert"))
    cover.activated.emit(cover.currentIndex())
    assert country.currentText() == "Usual for a desert: flat"
    player.throw()
    assert player.log()[0].startswith("1.1 Open")


def test_the_wheel_scrolls_the_form_and_changes_what_has_the_keyboard_only(player, qtbot):
    form = player.panel.form
    rivers, kind = form.field("rivers"), form.field("road")
    before = player.desk.throwing.choices
    for field in (rivers, kind, player.panel.dice_form.field("dice")):
        _turn_the_wheel_over(field)
    assert player.desk.throwing.choices == before
    rivers.setFocus()
    qtbot.waitUntil(rivers.hasFocus)
    _turn_the_wheel_over(rivers)
    assert player.desk.throwing.choices.rivers == before.rivers - 1


def _turn_the_wheel_over(field) -> None:
    middle = QPointF(field.rect().center())
    down = QPoint(0, -120)
    none, still = Qt.MouseButton.NoButton, Qt.ScrollPhase.NoScrollPhase
    on_screen = QPointF(field.mapToGlobal(middle))
    keys = Qt.KeyboardModifier.NoModifier
    event = QWheelEvent(middle, on_screen, QPoint(), down, none, keys, still, False)
    QApplication.sendEvent(field, event)


def test_a_panel_that_stays_open_beside_a_battleland_offers_nothing(player):
    player.document.open_map(sample_map())
    player.window.desk.docks["dice"].show()
    assert not player.panel.edit_box.isEnabled()
    player.document.bring_to_front(player.document.maps[0])
    assert player.panel.edit_box.isEnabled()


def test_a_throw_lays_every_part_of_the_page_in_a_layer_of_its_own(player):
    player.throw(relief="hilly")
    parts = [layer.roll.part for layer in player.document.battlemap.layers if layer.roll]
    assert parts == list(PARTS)
    assert player.log()[0].startswith("1.1 Hilly country: D6 = ")
    player.document.undo()
    player.wait()
    assert player.log() == []


def test_a_second_throw_lays_another_table_and_not_one_on_top_of_the_first(player):
    player.throw(relief="hilly")
    first = player.log()
    player.rolling._choose_seed = lambda: 18
    player.throw()
    assert player.log() != first
    layers = player.document.battlemap.layers
    assert [layer.roll.part for layer in layers if layer.roll] == list(PARTS)
    assert any(line.startswith("1.2 Hill 1") for line in player.log())
    player.desk._actions[1].trigger()
    player.wait()
    assert player.log() == first


def test_one_more_river_before_the_first_throw_only_counts(player):
    player.panel.form.more["rivers"].click()
    player.wait()
    assert player.desk.throwing.choices.rivers == 2
    assert not len(player.document.history.steps)
    assert not player.log()


def test_the_keys_that_roll_scripts_throw_the_dice(player):
    player.throw()
    before = player.log()
    assert player.window.desk.docks.panel("randomize").reroll_action.isEnabled()
    player.window.desk.docks.panel("randomize").reroll_action.trigger()
    player.wait()
    assert player.log() != before
    assert len([layer for layer in player.document.battlemap.layers if layer.roll]) == len(PARTS)
    player.window.desk.docks.panel("randomize").previous_action.trigger()
    player.wait()
    assert player.log() == before


def test_the_form_says_what_the_square_says_and_shows_what_a_table_was_thrown_for(player, qtbot):
    form = player.panel.form
    country = form.field("relief")
    country.setCurrentText("Mountainous")
    country.activated.emit(country.currentIndex())
    qtbot.mouseClick(form.field("fields"), Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
    player.throw()
    assert player.log()[0].startswith("1.1 Mountainous country")
    assert not any(line.startswith("7.") for line in player.log())
    player.desk.throwing.take_choices({})
    assert form.field("relief").currentText() == "Usual: undulating"
    player.document.undo()
    player.document.redo()
    assert form.field("relief").currentText() == "Mountainous"


def test_one_part_is_thrown_again_and_those_after_it_follow(player):
    player.throw(relief="hilly", lakes=True)
    kept = [player.part(kind).copy() for kind in ("hills", "water", "roads")]
    trees = player.part("trees").copy()
    player.panel.form.again["trees"].click()
    player.wait()
    assert not same(trees, player.part("trees"))
    assert all(same(layer, player.part(layer.roll.part)) for layer in kept)
    assert player.document.history.next_undo.text.startswith("Trees of ")
    log = player.log()
    assert sum(line.startswith("4.1") for line in log) == 1
    assert [line[0] for line in log if line[0] in "12"] == sorted(
        line[0] for line in log if line[0] in "12"
    )
    player.window.desk.docks.panel("randomize").reroll_action.trigger()
    player.wait()
    assert len([layer for layer in player.document.battlemap.layers if layer.roll]) == len(PARTS)
    assert not same(kept[0], player.part("hills"))


def test_another_river_is_one_more_by_the_same_rules(player):
    player.throw()
    first = [line for line in player.log() if line.startswith("2.1 River 1")]
    player.panel.form.more["rivers"].click()
    player.wait()
    assert [line for line in player.log() if line.startswith("2.1 River 1")] == first
    assert any(line.startswith("2.1 River 2 entry") for line in player.log())
    assert player.panel.form.field("rivers").value() == 2


def test_a_part_is_hidden_and_its_lines_with_it(player):
    player.throw()
    player.panel.form.eyes["hills"].click()
    player.wait()
    assert not player.part("hills").visible
    assert not any(line.startswith("1.") for line in player.log())
    player.panel.form.eyes["hills"].click()
    player.wait()
    assert player.log()[0].startswith("1.1")


def test_a_line_lights_up_its_areas_and_an_area_its_lines(player):
    player.throw(relief="hilly")
    panel, canvas = player.panel, player.window.desk.canvas
    panel.tabs.setCurrentIndex(1)
    row = player.row("1.2 Hill 1")
    (hill,) = player.desk.throwing.log[row].line.cells
    panel.log.pointed.emit(row)
    assert canvas.overlays._marked == {hill}
    panel.log.pointed.emit(-1)
    assert not canvas.overlays._marked
    canvas.hovered.emit(
        player.document.battlemap.grid.hit(*player.document.battlemap.grid.centre(hill))
    )
    coloured = [
        line
        for line in range(panel.log.count())
        if panel.log.item(line).background().style() != Qt.BrushStyle.NoBrush
    ]
    assert row in coloured
    assert all(hill in player.desk.throwing.log[line].line.cells for line in coloured)


def test_the_log_is_copied_whole_or_in_lines(player, qtbot):
    player.throw()
    player.panel.copy_button.click()
    assert QGuiApplication.clipboard().text().split("\n") == player.log()
    player.read("1.1")
    qtbot.keyClick(player.panel.log, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == player.log()[0]


def test_the_log_is_saved_as_text(player, tmp_path, monkeypatch):
    player.throw()
    file = tmp_path / "dice.txt"
    monkeypatch.setattr(
        "app.systems.cordery.controller.QFileDialog.getSaveFileName",
        lambda *_arguments: (str(file), ""),
    )
    player.panel.save_button.click()
    assert file.read_text("utf-8").splitlines() == player.log()


def test_a_count_is_decided_by_hand_and_freed_again(player):
    player.throw(relief="hilly")
    by_dice = player.log()
    player.read("1.1 Hilly country")
    form = player.panel.fix_form
    assert list(form.fields) == ["hills", "hills die"]
    form.fields["hills"].setValue(3)
    form.lay_button.click()
    player.wait()
    assert player.log()[0] == "1.1 Hilly country: as decided, 3 hills"
    assert np.count_nonzero(player.document.composite.planes["elevation"]) == 3
    assert player.panel.fixed_title.text() == "Fixed by hand"
    assert player.desk.throwing.fixed == {"hills": "3"}
    row = player.panel._fixed.itemAt(0).widget()
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
    spins = player.panel.fix_form.fields["hill 1 steps"].findChildren(object, "")
    spins = [spin for spin in spins if hasattr(spin, "setValue") and hasattr(spin, "lineEdit")]
    for spin in spins:
        spin.setValue(1)
    player.panel.fix_form.lay_button.click()
    player.wait()
    assert "3D6 = 1+1+1 = 3 along" in player.log()[player.row("1.2 Hill 1")]


def test_what_finds_no_place_is_said(player):
    player.rolling._choose_seed = lambda: 4
    player.throw(relief="mountainous", rivers=4, roads=4, railways=4, lakes=True, marshes=True)
    missing = [line for line in player.log() if "left out" in line or "No area is free" in line]
    assert missing, "a table this full leaves something out"
    said = player.window.statusBar().currentMessage()
    assert missing[0].split(" ", 1)[1] in said


def test_what_cannot_be_is_said_and_changes_nothing(player):
    player.throw(relief="hilly")
    before = player.log()
    player.read("1.2 Hill 1")
    player.panel.fix_form.put_area("9999")
    player.panel.fix_form.lay_button.click()
    player.wait()
    assert player.log() == before
    assert "9999" in player.window.statusBar().currentMessage()


def test_the_player_shows_the_table_growing_and_changes_nothing(player):
    player.throw(relief="hilly")
    canvas, play = player.window.desk.canvas, player.panel.player
    steps, whole = len(player.document.history.steps), player.document.composite.copy()
    player.panel.tabs.setCurrentIndex(1)
    play.play_button.click()
    assert play.shown == 0
    hills = []
    for _ in range(4):
        hills.append(int(np.count_nonzero(canvas._composite.planes["elevation"])))
        play.forth_button.click()
    assert hills == [0, 1, 2, 3]
    assert play.faces.scores
    assert player.panel.log.currentRow() == play.shown
    play.slider.setValue(play.slider.maximum())
    assert canvas._composite.same_as(whole)
    play.stop_button.click()
    assert canvas._composite is player.document.composite
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
    player.window.desk.docks.panel("randomize").reroll_action.trigger()
    player.wait()
    assert player.panel.player.shown == -1
    assert player.window.desk.canvas._composite is player.document.composite


def test_playing_ends_at_once_when_another_table_comes_to_the_front(player):
    small = BattleMap.new(SYSTEM, new_grid("hex", 6, 6), [Layer(1, "Table")])
    player.throw()
    large = player.document.front
    player.document.open_map(small)
    player.throw()
    player.document.bring_to_front(large)
    player.wait()
    player.panel.tabs.setCurrentIndex(1)
    play = player.panel.player
    play.show_line(3)
    play.play_or_pause()
    player.document.bring_to_front(player.document.maps[-1])
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
    assert player.panel.player.shown == -1
    assert player.window.desk.canvas._composite is player.document.composite


def test_real_dice_are_entered_one_after_the_other_and_taken_back(player, qtbot):
    panel, entry = player.panel, player.desk.entry
    sparse = {"rivers": 0, "roads": 0, "trees": False, "habitation": False, "fields": False}
    player.desk.throwing.choose(relief="open", **sparse)
    player.enter_dice_by_hand()
    assert not player.window.desk.docks.panel("randomize").roll_action.isEnabled()
    player.desk._actions[0].trigger()
    qtbot.waitUntil(panel.strip.isVisible)
    assert panel.strip.label.text() == "1.1 Hills: throw a D6"

    def press(key: Qt.Key, asked: str) -> None:
        qtbot.waitUntil(lambda: not entry._layer.busy)
        qtbot.keyClick(panel.strip, key)
        qtbot.waitUntil(lambda: asked in panel.strip.label.text() and not entry._layer.busy)

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


def test_undo_takes_back_the_last_die_while_dice_are_entered(player, qtbot):
    player.throw(relief="hilly")
    steps, strip = player.document.history.index, player.panel.strip
    player.enter_dice_by_hand()
    player.desk._actions[2].trigger()
    enter(player, qtbot, 3, 4)
    qtbot.waitUntil(strip.hasFocus)
    qtbot.keyClick(strip, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: strip.label.text() == "1.2 Hill 1 row: throw a D6")
    assert player.document.history.index == steps
    assert player.desk.throwing.fixed == {"hills die": "3"}


def test_dice_that_an_undo_took_along_are_not_there_to_be_taken_back(player, qtbot):
    player.throw(relief="hilly")
    player.enter_dice_by_hand()
    player.desk._actions[2].trigger()
    enter(player, qtbot, 3, 4)
    player.document.undo()
    player.document.redo()
    player.wait()
    assert player.desk.throwing.choices.dice == "thrown"
    player.enter_dice_by_hand()
    player.desk._actions[0].trigger()
    enter(player, qtbot)
    assert player.panel.strip.label.text() == "1.1 Hills: throw a D6"
    assert not player.panel.strip.back_button.isEnabled()


def test_entering_dice_can_be_given_up(player, qtbot):
    player.throw()
    before = player.document.composite.copy()
    player.enter_dice_by_hand()
    player.desk._actions[0].trigger()
    qtbot.waitUntil(player.panel.strip.isVisible)
    qtbot.keyClick(player.panel.strip, Qt.Key.Key_Escape)
    assert player.panel.strip.isHidden()
    assert player.document.composite.same_as(before)
    assert player.window.desk.canvas._composite is player.document.composite


def test_a_campaign_square_is_saved_chosen_and_forgotten(player, qtbot):
    player.desk.throwing.choose(relief="mountainous", lakes=True)
    player.panel.save_square.click()
    dialog = player.panel.findChild(QInputDialog)
    dialog.setTextValue("The pass")
    dialog.accept()
    player.desk.throwing.take_choices({})
    squares = player.panel.squares
    assert squares.currentText() == "The pass"
    squares.activated.emit(squares.currentIndex())
    assert player.desk.throwing.choices.relief == "mountainous"
    assert player.panel.form.field("lakes").isChecked()
    player.panel.delete_square.click()
    assert squares.count() == 1
    assert player.window.desk.settings.saved_texts("squares") == {}


def test_the_dice_respect_the_terrain_box_and_the_dialog_says_what_is_missing(player):
    player.throw(relief="hilly")
    player.panel.edit_box.click()
    dialog = player.window.findChild(BoxDialog)
    hills = PIECES.index("hill")
    dialog.name.setText("Attic")
    dialog.table.item(hills, HAVE).setText("1")
    dialog.table.item(PIECES.index("two-contour hill"), HAVE).setText("0")
    assert int(dialog.table.item(hills, LACKS).text()) > 0
    assert "Missing for this table" in dialog.words.text()
    assert "x hill  (missing: " in dialog.text()
    dialog.use_button.click()
    assert player.panel.dice_form.field("box").currentText() == "Attic"
    player.window.desk.docks.panel("randomize").reroll_action.trigger()
    player.wait()
    assert np.count_nonzero(player.document.composite.planes["elevation"]) == 1
    assert "the box holds 1" in player.log()[0]


def test_a_deleted_part_comes_back_when_one_more_is_wanted(player):
    player.throw()
    roads = player.part("roads")
    battlemap = player.document.battlemap
    player.document.push(remove(battlemap, roads.id), "Delete")
    player.wait()
    assert not player.panel.form.again["roads"].isEnabled()
    player.panel.form.more["roads"].click()
    player.wait()
    assert [layer.roll.part for layer in battlemap.layers if layer.roll] == list(PARTS)
    assert any(line.startswith("3.1 Road 2") for line in player.log())


def test_another_table_is_not_decided_by_what_was_decided_for_this_one(player):
    player.throw(relief="hilly")
    player.desk.throwing.fix({"hills": "3"})
    bare = BattleMap.new(SYSTEM, new_grid("hex", 9, 8), [Layer(1, "Table")])
    player.document.open_map(bare)
    assert player.desk.throwing.fixed == {}
    assert player.desk.throwing.choices.relief == "hilly"


def test_a_new_table_begins_with_the_choices_and_a_thrown_one_keeps_its_page(player):
    player.throw(relief="hilly")
    player.panel.tabs.setCurrentIndex(1)
    document = player.document
    document.open_map(BattleMap.new(SYSTEM, new_grid("hex", 9, 8), [Layer(1, "Table")]))
    assert player.panel.tabs.currentIndex() == 0
    player.panel.tabs.setCurrentIndex(1)
    document.bring_to_front(document.maps[0])
    assert player.panel.tabs.currentIndex() == 1


def test_a_map_that_is_edited_meanwhile_ends_the_entering(player, qtbot):
    player.enter_dice_by_hand()
    player.desk._actions[0].trigger()
    qtbot.waitUntil(player.panel.strip.isVisible)
    battlemap = player.document.battlemap
    player.document.push(set_values(battlemap, 1, "elevation", np.array([3]), 1), "Hill")
    assert player.panel.strip.isHidden()


def test_dice_entered_are_asked_for_again_with_the_next_throw(player, qtbot):
    sparse = {"rivers": 0, "roads": 0, "trees": False, "habitation": False, "fields": False}
    player.desk.throwing.choose(relief="open", dice="typed", **sparse)
    for _ in range(2):
        player.desk._actions[0].trigger()
        qtbot.waitUntil(player.panel.strip.isVisible)
        assert player.panel.strip.label.text() == "1.1 Hills: throw a D6"
        for score in (1, 2, 3, 3, 3):
            qtbot.waitUntil(lambda: not player.desk.entry._layer.busy)
            player.panel.strip.buttons[score - 1].click()
        qtbot.waitUntil(player.panel.strip.isHidden)
        player.wait()
        assert len(player.log()) == 2


def test_entering_goes_on_where_it_was_stopped_or_begins_again(player, qtbot):
    throw, again = player.desk._actions[0], player.desk._actions[2]
    player.desk.throwing.choose(relief="open", dice="typed")
    throw.trigger()
    enter(player, qtbot, 2, 3)
    assert player.panel.strip.label.text() == "1.2 Hill 1 steps: throw 3 D6"
    player.panel.strip.end_button.click()
    throw.trigger()
    qtbot.waitUntil(player.panel.strip.isVisible)
    assert player.panel.strip.label.text() == "1.2 Hill 1 steps: throw 3 D6"
    enter(player, qtbot, 1, 1, 1)
    assert len(player.log()) == 2
    player.panel.strip.end_button.click()
    again.trigger()
    qtbot.waitUntil(player.panel.strip.isVisible)
    assert player.panel.strip.label.text() == "1.1 Hills: throw a D6"
    assert not player.panel.strip.back_button.isEnabled()


def test_what_is_chosen_or_freed_while_dice_are_entered_is_asked_for_at_once(player, qtbot):
    strip, form = player.panel.strip, player.panel.form
    player.desk.throwing.choose(dice="typed")
    player.desk._actions[0].trigger()
    enter(player, qtbot, 2)
    country = form.field("relief")
    country.setCurrentIndex(country.findData("hilly"))
    country.activated.emit(country.currentIndex())
    qtbot.waitUntil(lambda: player.log()[:1] == ["1.1 Hilly country: D6 = 2 + 4: 6 hills"])
    player.panel._fixed.itemAt(0).widget().layout().itemAt(1).widget().click()
    qtbot.waitUntil(lambda: strip.label.text() == "1.1 Hills: throw a D6")
    assert not strip.back_button.isEnabled()


def test_digits_that_are_no_score_are_no_orders_for_the_map(player, qtbot):
    player.desk.throwing.choose(dice="typed")
    player.desk._actions[0].trigger()
    qtbot.waitUntil(player.panel.strip.isVisible)
    tool = player.window.desk.tools._name
    for key in (Qt.Key.Key_0, Qt.Key.Key_7, Qt.Key.Key_9):
        qtbot.keyClick(player.panel.strip, key)
    assert player.window.desk.tools._name == tool
    assert player.panel.strip.label.text() == "1.1 Hills: throw a D6"
    assert not player.desk.entry.together


def test_what_is_said_of_an_area_is_true_of_the_table_so_far(player, qtbot):
    player.throw(relief="hilly")
    canvas, window = player.window.desk.canvas, player.window
    hill = int(np.flatnonzero(player.document.composite.planes["elevation"])[0])
    player.panel.tabs.setCurrentIndex(1)
    player.panel.player.show_line(0)
    qtbot.mouseMove(canvas, player.point(hill))
    name = player.desk._name_of(hill)
    qtbot.waitUntil(lambda: window.findChild(QLabel, "place").text() == f"{name} Open - so far")
    canvas.menu_requested.emit(canvas.hit_at(player.point(hill).toPointF()), QPoint())
    assert QApplication.activePopupWidget() is None
    assert "stop playing" in window.statusBar().currentMessage()


def enter(player: Wargamer, qtbot, *scores: int) -> None:
    """Real dice, thrown as they are asked for."""
    qtbot.waitUntil(player.panel.strip.isVisible)
    for score in scores:
        qtbot.waitUntil(lambda: not player.desk.entry._layer.busy)
        player.panel.strip.buttons[score - 1].click()
    qtbot.waitUntil(lambda: not player.desk.entry._layer.busy)


def test_escape_leaves_the_place_to_the_dice(player, qtbot):
    player.throw(relief="hilly")
    player.read("1.2 Hill 1")
    form = player.panel.fix_form
    form.pick_button.click()
    qtbot.keyClick(player.window.desk.canvas, Qt.Key.Key_Escape)
    assert not form.pick_button.isChecked()
    assert form.values() == {}


def test_an_area_is_wanted_no_more_when_the_map_is_another(player, qtbot):
    player.throw(relief="hilly")
    player.read("1.2 Hill 1")
    form, window = player.panel.fix_form, player.window
    form.pick_button.click()
    assert window.statusBar().currentMessage().startswith("Click its area")
    before = player.desk.throwing.choices
    window.desk.document.show_map(sample_map())
    assert not window.statusBar().currentMessage()
    assert not form.pick_button.isChecked()
    steps = len(window.desk.document.history.steps)
    qtbot.mouseClick(window.desk.canvas, Qt.MouseButton.LeftButton, pos=player.point(13))
    assert len(window.desk.document.history.steps) == steps + 1, "the click paints"
    assert player.desk.throwing.choices.fixed == before.fixed


def test_the_log_and_the_pieces_are_printed(player, monkeypatch, tmp_path):
    from PySide6.QtPrintSupport import QPrinter

    printed = []

    def on_paper(name, _parent, chosen):
        printer = QPrinter()
        printer.setOutputFileName(str(tmp_path / f"{name}.pdf"))
        chosen(printer)
        printed.append(name)

    monkeypatch.setattr("app.paper.printing.ask_for_printer", on_paper)
    player.throw()
    player.panel.print_button.click()
    player.panel.edit_box.click()
    player.window.findChild(BoxDialog).print_wanted.emit("Pieces")
    assert printed == ["Dice log", "Pieces"]
    assert (tmp_path / "Dice log.pdf").stat().st_size > 1000


def test_a_box_that_is_not_saved_here_is_not_called_no_end_of_pieces(player):
    player.desk.throwing.choose(box="hill = 1")
    assert player.panel.dice_form.field("box").currentText() == "A box that is not saved"
    player.panel.dice_form.field("box").setCurrentIndex(0)
    assert player.desk.throwing.choices.box == ""


def test_a_box_is_forgotten(player):
    player.desk.saved._save_box("Attic", "hill = 1")
    assert player.panel.dice_form.field("box").currentText() == "Attic"
    player.panel.edit_box.click()
    player.window.findChild(BoxDialog).delete_button.click()
    assert player.panel.dice_form.field("box").count() == 1
    assert player.desk.throwing.choices.box == ""


def test_a_table_is_chosen_from_many(player, qtbot):
    player.throw(relief="hilly")
    player.window.desk.docks.show("gallery")
    gallery = player.window.desk.docks.panel("gallery")
    qtbot.waitUntil(lambda: len(gallery.model.found) > 3)
    gallery.taken.emit(gallery.model.found[3])
    player.wait()
    assert {layer.roll.number for layer in player.document.battlemap.layers if layer.roll} == {3}
    assert len([layer for layer in player.document.battlemap.layers if layer.roll]) == len(PARTS)
    assert player.desk.throwing.choices.relief == "hilly"


def test_tables_are_thrown_and_told_off_the_ui_thread(player):
    with UiWork() as work:
        player.throw(relief="mountainous", railways=2, lakes=True)
        for part in PARTS:
            player.panel.form.again[part].click()
            player.wait()
        player.panel.player.show_line(5)
        player.panel.player.stop()
    assert work.where(roll) == {"job"}
    assert work.where(log_entries) == {"job"}


def menu_at(player, name: str) -> dict[str, QAction]:
    """The menu of an area as a right click on it shows it: paths of titles -> actions."""
    battlemap = player.document.battlemap
    cell = battlemap.system.cell_of_name(battlemap.grid, name)
    made: list[QMenu] = []
    player.window.desk.cell_menu_made.connect(lambda menu, _cell: made.append(menu))
    point = player.point(cell)
    canvas = player.window.desk.canvas
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, point, canvas.mapToGlobal(point))
    QApplication.sendEvent(canvas, event)
    found: dict[str, QAction] = {}

    def walk(menu: QMenu, path: str) -> None:
        for action in menu.actions():
            if action.menu() is not None:
                walk(action.menu(), f"{path}{action.text()} > ")
            else:
                found[path + action.text()] = action

    walk(made[-1], "")
    made[-1].hide()
    return found


def area_of(player, start: str) -> str:
    """The area that a line of the log is about."""
    (cell,) = player.desk.throwing.log[player.row(start)].line.cells
    return player.document.battlemap.system.cell_name(player.document.battlemap.grid, cell)


def bare_area(player, *, rim: bool = False) -> str:
    """The last area (of the rim) on which nothing lies."""
    battlemap = player.document.battlemap
    bare = [
        c
        for c in battlemap.grid.cells
        if not area_words(battlemap.grid, player.document.composite.planes, int(c))
        and (not rim or len(battlemap.grid.neighbours(int(c))) < battlemap.grid.degree)
    ]
    return battlemap.system.cell_name(battlemap.grid, int(bare[-1]))


def test_1_2_a_hill_is_fixed_where_it_stands_and_freed_from_the_menu_of_its_area(player):
    player.throw(relief="hilly")
    before, steps = player.log(), len(player.document.history.steps)
    place = area_of(player, "1.3 Hill 2")
    menu_at(player, place)["Hill 2 > Here"].trigger()
    player.wait()
    assert player.desk.throwing.fixed == {"hill 2 at": place}
    assert len(player.document.history.steps) == steps + 1
    again = menu_at(player, place)
    assert again["Hill 2 > Here"].isChecked()
    again["Hill 2 > Let the dice decide again"].trigger()
    player.wait()
    assert player.log() == before
    player.document.undo()
    assert player.desk.throwing.fixed == {"hill 2 at": place}


def test_1_2_a_hill_is_put_elsewhere_with_the_arrow_keys(player, qtbot):
    player.throw(relief="hilly")
    there = bare_area(player)
    menu_at(player, area_of(player, "1.3 Hill 2"))["Hill 2 > Elsewhere..."].trigger()
    assert "Hill 2 at: click its area" in player.window.statusBar().currentMessage()
    canvas, battlemap = player.window.desk.canvas, player.document.battlemap
    canvas.keyboard_cursor.cell = battlemap.system.cell_of_name(battlemap.grid, there) - 1
    qtbot.keyClick(canvas, Qt.Key.Key_Right)
    steps = len(player.document.history.steps)
    qtbot.keyClick(canvas, Qt.Key.Key_Return)
    player.wait()
    assert player.log()[player.row("1.3 Hill 2")] == f"1.3 Hill 2: put there by hand: {there}"
    assert len(player.document.history.steps) == steps + 1
    menu_at(player, there)["Hill 2 > Elsewhere..."].trigger()
    qtbot.keyClick(canvas, Qt.Key.Key_Escape)
    assert len(player.document.history.steps) == steps + 1


@pytest.mark.parametrize("relief", ["hilly", "open"])
def test_1_1_one_more_hill_stands_where_the_menu_was_opened_and_has_the_height_chosen(
    player, relief
):
    player.throw(relief=relief)
    hills = np.count_nonzero(player.document.composite.planes["elevation"])
    there = bare_area(player)
    menu_at(player, there)["One more here > Hill"].trigger()
    player.wait()
    assert np.count_nonzero(player.document.composite.planes["elevation"]) == hills + 1
    menu_at(player, there)[f"Hill {hills + 1} > Height > 2"].trigger()
    player.wait()
    battlemap = player.document.battlemap
    cell = battlemap.system.cell_of_name(battlemap.grid, there)
    assert player.document.composite.planes["elevation"].flat[cell] == 2
    assert menu_at(player, there)[f"Hill {hills + 1} > Height > 2"].isChecked()


def test_2_1_the_river_enters_and_runs_where_the_menu_was_opened(player):
    player.throw(relief="open")
    inside = menu_at(player, "0404")
    assert not any("entry" in path for path in inside if path.startswith("Put here"))
    entry = next(each for each in ("0101", "0108", "0801") if f"at {each}" not in str(player.log()))
    path = next(
        p for p in menu_at(player, entry) if p.startswith("Put here > River > River 1 entry")
    )
    menu_at(player, entry)[path].trigger()
    player.wait()
    assert (
        player.log()[player.row("2.1 River 1 entry")] == f"2.1 River 1 entry: {entry}, as decided"
    )
    through = bare_area(player)
    menu_at(player, through)["Put here > River > River 1 through"].trigger()
    player.wait()
    assert through in player.log()[player.row("2.1 River 1 runs")]
    menu_at(player, entry)["River 1 > Width > 2"].trigger()
    player.wait()
    assert player.desk.throwing.fixed["river 1 width"] == "2"


@pytest.mark.parametrize(
    ("words", "setting", "entry"),
    [
        ("Another river enters here", "rivers", "2.1 River 2 entry"),
        ("Another road enters here", "roads", "3.1 Road 2 entry"),
        ("A railway enters here", "railways", "6.1 Railway 1 entry"),
    ],
)
def test_one_more_route_enters_where_the_menu_was_opened(player, words, setting, entry):
    player.throw(relief="open")
    before, count = player.log(), getattr(player.desk.throwing.choices, setting)
    place = bare_area(player, rim=True)
    assert words not in menu_at(player, "0404")
    steps = len(player.document.history.steps)
    menu_at(player, place)[words].trigger()
    player.wait()
    assert player.log()[player.row(entry)] == f"{entry}: {place}, as decided"
    assert getattr(player.desk.throwing.choices, setting) == count + 1
    assert len(player.document.history.steps) == steps + 1
    player.document.undo()
    player.wait()
    assert player.log() == before
    assert getattr(player.desk.throwing.choices, setting) == count


def test_a_route_that_cannot_enter_there_is_not_chosen_either(player):
    player.throw(relief="hilly")
    grid = player.document.battlemap.grid
    high = player.document.composite.planes["elevation"].ravel() > 0
    rim = next(c for c in np.flatnonzero(high).tolist() if len(grid.neighbours(c)) < 4)
    before = player.log()
    menu_at(player, player.document.battlemap.system.cell_name(grid, rim))[
        "Another road enters here"
    ].trigger()
    player.wait()
    assert player.log() == before
    assert player.desk.throwing.choices.roads == 1
    assert player.desk.throwing.fixed == {}
    assert player.window.statusBar().currentMessage()


def test_what_cannot_stand_in_an_area_is_not_fixed_there(player):
    player.throw(relief="hilly")
    first = area_of(player, "1.2 Hill 1")
    path = next(p for p in menu_at(player, first) if p.startswith("Put here > Hill > Hill 2 "))
    before = player.log()
    menu_at(player, first)[path].trigger()
    player.wait()
    assert "not free" in player.window.statusBar().currentMessage()
    assert player.log() == before
    assert player.desk.throwing.fixed == {}


def test_a_map_without_dice_has_no_dice_in_its_menus(player):
    assert not any("here" in path for path in menu_at(player, "0404"))


def test_moving_a_feature_of_a_table_asks_for_no_die_that_is_known(player, qtbot):
    player.throw(relief="hilly")
    before = player.log()
    player.enter_dice_by_hand()
    there = bare_area(player)
    menu_at(player, area_of(player, "1.3 Hill 2"))["Hill 2 > Elsewhere..."].trigger()
    battlemap, canvas = player.document.battlemap, player.window.desk.canvas
    cell = battlemap.system.cell_of_name(battlemap.grid, there)
    qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=player.point(cell))
    qtbot.waitUntil(lambda: not player.desk.entry._layer.busy)
    player.wait()
    assert canvas.instead is None, "the table stays in sight"
    if player.panel.strip.isVisible():  # what follows may need a die that was never thrown
        asked = player.panel.strip.label.text()
        assert not any(name in asked for name in ("Hills:", "Hill 1", "Hill 2"))
        return
    assert player.log()[player.row("1.3 Hill 2")] == f"1.3 Hill 2: put there by hand: {there}"
    assert player.log()[:2] == before[:2]


def test_one_more_hill_asks_for_its_own_dice_only_and_keeps_the_table_in_sight(player, qtbot):
    player.throw(relief="hilly", trees=False, habitation=False, fields=False, rivers=0, roads=0)
    player.enter_dice_by_hand()
    canvas, strip = player.window.desk.canvas, player.panel.strip
    hills = np.count_nonzero(player.document.composite.planes["elevation"])
    log = player.log()
    menu_at(player, bare_area(player))["One more here > Hill"].trigger()
    qtbot.waitUntil(strip.isVisible)
    assert strip.label.text() == f"1.1 Hill {hills + 1} height: throw a D6"
    assert canvas.instead is None, "the table stays in sight"
    assert canvas._composite is player.document.composite
    strip.end_button.click()
    assert player.desk.throwing.fixed == {}, "a stopped entry fixes nothing"
    assert not player.panel.fixed_title.isVisible()
    assert player.log() == log
    menu_at(player, bare_area(player))["One more here > Hill"].trigger()
    enter(player, qtbot, 6)
    player.wait()
    assert strip.isHidden()
    assert np.count_nonzero(player.document.composite.planes["elevation"]) == hills + 1
    assert player.log()[-1].endswith("D6 = 6: two contours")


def test_a_stopped_entry_of_a_new_table_leaves_nothing_fixed_and_goes_on(player, qtbot):
    throw = player.desk._actions[0]
    player.desk.throwing.choose(relief="open", dice="typed")
    player.desk.throwing.fix({"river 1 width": "1"})
    throw.trigger()
    enter(player, qtbot, 2, 3)
    assert len(player.desk.throwing.fixed) == 3
    player.panel.strip.end_button.click()
    assert player.desk.throwing.fixed == {"river 1 width": "1"}
    throw.trigger()
    qtbot.waitUntil(player.panel.strip.isVisible)
    assert player.panel.strip.label.text() == "1.2 Hill 1 steps: throw 3 D6"


def test_nothing_is_thrown_while_dice_are_entered_and_the_reason_is_said(player, qtbot):
    throw, _back, again, _forth = player.desk._actions
    player.enter_dice_by_hand()
    throw.trigger()
    qtbot.waitUntil(player.panel.strip.isVisible)
    randomize = player.window.desk.docks.panel("randomize")
    for action in (throw, again, randomize.roll_action, randomize.reroll_action):
        assert not action.isEnabled()
        assert "stop entering" in action.property(WHY)
    player.panel.strip.end_button.click()
    assert throw.isEnabled()
    assert again.isEnabled()
    assert "by hand" in randomize.roll_action.property(WHY)
