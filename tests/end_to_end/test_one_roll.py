"""One Roll: what Ctrl+R replaces, the other ways to roll, the map that follows what is typed."""

from __future__ import annotations

import json
from itertools import count

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QToolBar

from app.canvas.hover_text import explain_cell
from app.document.map_files import new_map
from app.scripts.text_follower import FOLLOW_DELAY_MS
from randomizer.catalog.systems import system_named
from randomizer.model.basics.plurals import listed
from randomizer.model.edits.stack_edits import LayerField
from randomizer.model.edits.value_edits import set_locks, set_values
from randomizer.model.rolls.touch_ups import TOUCH_UPS
from randomizer.storage.files.project import write_project
from randomizer.systems.colossus.system import SYSTEM
from tests.app.conftest import complete_form
from tests.app.saves import finished
from tests.daily import deep_but
from tests.end_to_end.test_battleland_form import BATTLELAND
from tests.end_to_end.test_random_map_authors import LIBRARY, METADATA, SCRIPT
from tests.end_to_end.test_settings_of_tabs import GENERATORS, rolled_map
from tests.randomizer.systems.zeroad.given_places import find_games_only_in

CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
ALT = Qt.KeyboardModifier.AltModifier

LAKE = "AREA (anywhere) HAZARDS Lake Lake Lake\n"
BOG = "AREA (anywhere) HAZARDS Bog Bog Bog\n"


class Roller:
    """A person at the window who rolls by keys and buttons."""

    def __init__(self, qtbot, window) -> None:
        self.qtbot = qtbot
        self.window = window
        self.desk = window.desk
        self.document = window.desk.document
        window.desk.rolling.key_choice.choose_seed = count(101).__next__
        window.desk.docks.show("randomize")
        self.panel = window.desk.docks.panel("randomize")
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)

    def press(self, key: Qt.Key, held=CTRL) -> None:
        """Press a key on the map and wait for the roll."""
        self.desk.canvas.setFocus()
        self.press_here(key, held)

    def press_here(self, key: Qt.Key, held=CTRL) -> None:
        """Press a key where the keyboard is, and wait for the roll."""
        with self.qtbot.waitSignal(self.desk.rolling.finished):
            QTest.keyClick(QApplication.focusWidget(), key, held)
        self.qtbot.waitUntil(lambda: not self.desk.rolling.busy)

    def write(self, text: str) -> None:
        """Type a script over the one in the panel."""
        self.panel.editor.setFocus()
        self.panel.editor.selectAll()
        for number, line in enumerate(text.splitlines()):
            if number > 0:
                QTest.keyClick(self.panel.editor, Qt.Key.Key_Return)
            QTest.keyClicks(self.panel.editor, line)

    def said(self) -> str:
        return self.window.statusBar().currentMessage()

    def rolls(self) -> list[tuple[str, int, int]]:
        """Script, seed and number of the rolled layers from below."""
        rolls = (layer.roll for layer in self.document.battlemap.layers)
        return [
            (roll.script_name or roll.generator, roll.seed, roll.number) for roll in rolls if roll
        ]

    def bar(self):
        """The roll bar of the panel for the current map."""
        name = "dice" if self.document.battlemap.system.name == "cordery" else "randomize"
        self.desk.docks.show(name)
        return self.desk.docks.panel(name).roll_bar

    def enter(self, field, number: int) -> None:
        """Type a number into a field of the roll bar, without Enter."""
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, str(number))


@pytest.fixture
def roller(qtbot, window) -> Roller:
    return Roller(qtbot, window)


@pytest.fixture
def lakes(roller, tmp_path):
    """The file of a script that is shown and rolled, on an empty map."""
    path = tmp_path / "Lakes.rnd"
    path.write_text(LAKE, "utf-8")
    roller.document.open_map(new_map(system_named("colossus")))
    assert finished(roller.desk.scripts.opening.open(path))
    roller.press(Qt.Key.Key_R)
    return path


def test_ctrl_r_replaces_the_roll_that_shows_and_says_so(roller, lakes):
    roller.press(Qt.Key.Key_R)
    roller.press(Qt.Key.Key_R)
    assert roller.rolls() == [("Lakes.rnd", 103, 0)]
    assert roller.said() == "Rolled Lakes, seed 103 no. 0 in place of seed 102 no. 0"
    assert roller.document.history.next_undo.text == "Roll Lakes, seed 103 no. 0"


def test_a_new_roll_takes_the_place_of_those_that_were_stepped_back_from(roller, lakes):
    roller.press(Qt.Key.Key_R)
    roller.press(Qt.Key.Key_R)
    for _step in range(2):
        roller.press(Qt.Key.Key_Left, ALT)
    assert roller.rolls() == [("Lakes.rnd", 101, 0)]
    roller.press(Qt.Key.Key_R)
    roller.press(Qt.Key.Key_Right, ALT)
    assert roller.rolls() == [("Lakes.rnd", 104, 1)], "the next map of the new roll"
    for _step in range(2):
        roller.press(Qt.Key.Key_Left, ALT)
    assert roller.rolls() == [("Lakes.rnd", 101, 0)]


@pytest.mark.deep
def test_with_touch_ups_active_the_roll_below_is_replaced(roller, lakes):
    document = roller.document
    roller.desk.tools.choose("terrain")
    canvas = roller.desk.canvas
    x, y = document.battlemap.grid.centre(document.battlemap.grid.cell(3, 3))
    where = canvas.viewport.to_screen(x, y).toPoint()
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=QPoint(where))
    roller.press(Qt.Key.Key_R)
    assert "Kept: 1 change by hand (Touch-ups)" in roller.said()
    (touch_ups,) = (layer for layer in document.battlemap.layers if layer.name == TOUCH_UPS)
    document.set_active_layer(touch_ups.id)
    roller.press(Qt.Key.Key_R)
    assert roller.rolls() == [("Lakes.rnd", 103, 0)]
    assert document.battlemap.layers[-1] is document.battlemap.layer(touch_ups.id)


def test_another_script_takes_the_place_of_the_roll(roller, lakes):
    roller.desk.commands.fill("randomize.roll-with.script.*")
    with roller.qtbot.waitSignal(roller.desk.rolling.rolled):
        roller.desk.commands.run("randomize.roll-with.script.swamp")
    assert roller.rolls() == [("Swamp.rnd", 102, 0)]
    assert roller.said() == "Rolled Swamp, seed 102 no. 0 in place of Lakes, seed 101 no. 0"


@pytest.mark.deep
def test_a_script_that_was_refused_is_said_not_to_be_rolled(roller, lakes, qtbot):
    """The panel shows the new script, the map is still the old one."""
    battlemap = roller.document.battlemap
    lake = SYSTEM.terrain_set.terrain_code("Lake")
    terrains = roller.document.composite.planes["terrain"].ravel()
    roller.document.push(set_locks(battlemap, np.flatnonzero(terrains == lake), True), "Lock")
    roller.desk.commands.fill("randomize.roll-with.script.*")
    with qtbot.waitSignal(roller.desk.rolling.failed):
        roller.desk.commands.run("randomize.roll-with.script.desert")
    assert roller.rolls() == [("Lakes.rnd", 101, 0)]
    assert roller.panel.head.title.text() == "Desert.rnd"
    banner = roller.panel.notices.layer_banner
    assert (
        banner.label.text() == "Desert.rnd is not rolled yet: the active layer is from Lakes.rnd."
    )
    QTest.mouseClick(banner.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: roller.panel.head.title.text() == "Lakes.rnd")
    assert not banner.isVisible()


def test_a_roll_onto_a_new_layer_lies_above_the_active_one(roller, lakes):
    roller.press(Qt.Key.Key_R, CTRL | SHIFT)
    assert roller.rolls() == [("Lakes.rnd", 101, 0), ("Lakes.rnd", 102, 0)]
    told = "Rolled Lakes, seed 102 no. 0 as a new layer above Lakes, seed 101 no. 0"
    assert roller.said() == told


def test_without_a_new_seed_roll_takes_the_next_number_and_steps_go_through_numbers(roller, lakes):
    QTest.mouseClick(roller.bar().new_seed, Qt.MouseButton.LeftButton)
    roller.press(Qt.Key.Key_R)
    assert roller.rolls() == [("Lakes.rnd", 101, 1)]
    roller.press(Qt.Key.Key_Right, ALT)
    assert roller.rolls() == [("Lakes.rnd", 101, 2)]
    roller.press(Qt.Key.Key_Left, ALT)
    roller.press(Qt.Key.Key_Left, ALT)
    assert roller.rolls() == [("Lakes.rnd", 101, 0)]


def lock_roll(roller) -> None:
    """Lock the layer that was rolled, and try to roll it."""
    layer = roller.document.active_layer
    roller.document.push(LayerField(layer.id, "locked", False, True), "Lock")
    QTest.keyClick(roller.desk.canvas, Qt.Key.Key_R, CTRL)
    text = f"The layer {layer.name} is locked: unlock it, or roll onto a new layer."
    assert roller.said() == text
    assert roller.panel.notices.locked_layer_banner.isVisible()
    assert roller.panel.notices.locked_layer_banner.label.text() == text


def test_a_locked_layer_can_be_unlocked_and_rolled_where_that_is_said(roller, lakes):
    lock_roll(roller)
    banner = roller.panel.notices.locked_layer_banner
    with roller.qtbot.waitSignal(roller.desk.rolling.rolled):
        QTest.mouseClick(banner.button, Qt.MouseButton.LeftButton)
    assert len(roller.rolls()) == 1
    assert roller.said().endswith("in place of seed 101 no. 0")
    assert not banner.isVisible()


@pytest.mark.deep
def test_a_locked_layer_stays_below_a_roll_onto_a_new_layer(roller, lakes):
    lock_roll(roller)
    with roller.qtbot.waitSignal(roller.desk.rolling.rolled):
        QTest.mouseClick(
            roller.panel.notices.locked_layer_banner.onto_new_layer, Qt.MouseButton.LeftButton
        )
    assert [name for name, _seed, _number in roller.rolls()] == ["Lakes.rnd", "Lakes.rnd"]
    assert not roller.panel.notices.locked_layer_banner.isVisible()


@pytest.mark.deep
def test_a_whole_map_is_never_rolled_above_another(roller, window, tmp_path, qtbot):
    open_map_of(roller, "Fantasy", tmp_path)
    action = window.desk.commands.action("script.new-layer")
    assert not action.isEnabled()
    assert window.desk.commands.action("script.roll").isEnabled()


# --- seed and number ------------------------------------------------------------------------------


def open_map_of(roller, name: str, tmp_path):
    """Open a map that a generator has rolled, with seed 3, and show what rolls it."""
    path = tmp_path / "rolled.battlemap"
    path.write_bytes(write_project(rolled_map(name, GENERATORS[name][2])))
    roller.desk.files.open_paths([path])
    roller.qtbot.waitUntil(lambda: roller.document.path == path)
    roller.qtbot.waitUntil(lambda: roller.desk.rolling.key_choice.key == (3, 0))


@pytest.mark.parametrize("name", deep_but(GENERATORS, "Swamp"))
def test_enter_in_seed_or_number_rolls_that_map(roller, tmp_path, name):
    open_map_of(roller, name, tmp_path)
    bar = roller.bar()
    roller.enter(bar.seed, 12)
    roller.press_here(Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier)
    assert {roll[1:] for roll in roller.rolls()} == {(12, 0)}
    assert (bar.seed.text(), bar.number.text()) == ("12", "0")
    roller.enter(bar.number, 4)
    roller.press_here(Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier)
    assert {roll[1:] for roll in roller.rolls()} == {(12, 4)}
    assert bar.new_seed.isChecked(), "typing changes no option"
    roller.enter(bar.seed, 99)
    QTest.keyClick(bar.seed, Qt.Key.Key_Tab)
    assert bar.number.hasFocus()
    assert (bar.seed.text(), bar.number.text()) == ("12", "4"), "what is displayed"
    roller.document.undo()
    assert (bar.seed.text(), bar.number.text()) == ("12", "0")


@pytest.mark.parametrize("name", deep_but(GENERATORS, "Swamp"))
def test_ctrl_enter_rolls_the_same_map_with_what_is_chosen_now(roller, tmp_path, name):
    open_map_of(roller, name, tmp_path)
    before = roller.rolls()
    roller.press(Qt.Key.Key_Return)
    assert roller.rolls() == before
    assert roller.said().startswith(("Rolled", "The "))


@pytest.mark.deep
def test_ctrl_enter_lays_the_same_table_by_the_choices_of_now(roller, tmp_path):
    open_map_of(roller, "Cordery", tmp_path)
    roller.desk.docks.show("dice")
    rivers = roller.desk.docks.panel("dice").form.field("rivers")
    rivers.setFocus()
    rivers.selectAll()
    QTest.keyClicks(rivers, "1")

    def choices() -> list[int]:
        """How many rivers each layer of the table was laid with."""
        rolls = [layer.roll for layer in roller.document.battlemap.layers if layer.roll]
        return [roll.settings["rivers"] for roll in rolls]

    # The choice is followed from the water on: the hills do not depend on it.
    roller.qtbot.waitUntil(lambda: set(choices()[1:]) == {1} and not roller.desk.rolling.busy)
    assert choices()[0] == 3
    roller.press_here(Qt.Key.Key_Return)
    assert set(choices()) == {1}, "the whole table is laid again"
    assert {roll[1:] for roll in roller.rolls()} == {(3, 0)}


# --- the text that is typed -----------------------------------------------------------------------


def terrain_names(roller) -> set[str]:
    document = roller.document
    terrains = document.battlemap.terrain_set.terrains
    return {terrains[code].name for code in document.composite.planes["terrain"].flat}


def test_ctrl_enter_in_the_text_rolls_the_same_map_from_it(roller, lakes):
    roller.panel.follow_action.setChecked(False)
    roller.write(BOG)
    roller.press_here(Qt.Key.Key_Return)
    assert roller.rolls() == [("Lakes.rnd", 101, 0)]
    assert "Bog" in terrain_names(roller)
    assert roller.panel.editor.text() == BOG.rstrip("\n"), "no line was added"


@pytest.mark.deep
def test_an_edit_that_changes_nothing_of_the_map_is_told(roller, lakes):
    roller.panel.follow_action.setChecked(False)
    roller.write(f"{LAKE}\n# a remark")
    roller.press_here(Qt.Key.Key_Return)
    assert "the edited script makes the same map" in roller.said()
    roller.press_here(Qt.Key.Key_Return)
    said = "Rolled Lakes, seed 101 no. 0 again: the map showed this text already"
    assert roller.said() == said, "the text is as it was rolled"
    roller.write(BOG)
    roller.press_here(Qt.Key.Key_Return)
    assert "the edited script" not in roller.said()


@pytest.mark.deep
def test_a_map_that_follows_the_text_has_nothing_new_for_ctrl_enter(roller, lakes, qtbot):
    roller.write(BOG)
    qtbot.waitUntil(lambda: "Bog" in terrain_names(roller) and not roller.desk.rolling.busy)
    roller.press_here(Qt.Key.Key_Return)
    assert roller.said() == (
        "Rolled Lakes, seed 101 no. 0 again: the map showed this text already "
        "(Follow the text is on)"
    )


@pytest.mark.deep
def test_a_script_with_errors_is_not_rolled_to_a_map_without_them(roller, tmp_path, qtbot):
    # "Bogg" is placed in half of the maps; a roll under locks goes on to one that keeps them.
    good_text = "AREA D4 HAZARDS Tree\nAREA A1 A2 A3 HAZARDS Bog,50.\n"
    path = tmp_path / "Bogs.rnd"
    path.write_text(good_text, "utf-8")
    roller.document.open_map(new_map(system_named("colossus")))
    assert finished(roller.desk.scripts.opening.open(path))
    roller.press(Qt.Key.Key_R)
    name = roller.rolls()[0][0]
    battlemap = roller.document.battlemap
    tree_cell = battlemap.system.cell_of_name(battlemap.grid, "D4")
    roller.document.push(set_locks(battlemap, [tree_cell], True), "Lock")
    steps = len(roller.document.history.steps)
    for keys in (Qt.Key.Key_Return, Qt.Key.Key_R):
        roller.write(good_text.replace("Bog", "Bogg"))
        with qtbot.waitSignal(roller.desk.rolling.failed):
            QTest.keyClick(roller.panel.editor, keys, CTRL)
        assert roller.said().startswith("Not rolled: The game has no hazard “Bogg”")
        assert roller.rolls() == [(name, 101, 0)]
        assert len(roller.document.history.steps) == steps
    roller.write(good_text)
    roller.press_here(Qt.Key.Key_Return)
    assert roller.rolls() == [(name, 101, 0)]


def test_why_nothing_was_rolled_goes_with_the_text(roller, lakes, qtbot):
    editor = roller.panel.editor
    editor.setFocus()
    QTest.keyClick(editor, Qt.Key.Key_Home, CTRL)
    QTest.keyClick(editor, Qt.Key.Key_X)
    with qtbot.waitSignal(roller.desk.rolling.failed):
        QTest.keyClick(editor, Qt.Key.Key_Return, CTRL)
    assert roller.said().startswith("Not rolled: ")
    QTest.keyClick(editor, Qt.Key.Key_Z, CTRL)
    assert editor.text() == LAKE
    assert roller.said() == ""


def test_the_map_follows_the_keys_and_ctrl_z_is_that_of_the_text(roller, lakes, qtbot):
    steps = len(roller.document.history.steps)
    roller.write(BOG)
    qtbot.waitUntil(lambda: "Bog" in terrain_names(roller))
    roller.write(BOG + LAKE)
    qtbot.waitUntil(lambda: {"Bog", "Lake"} <= terrain_names(roller))
    assert roller.rolls() == [("Lakes.rnd", 101, 0)]
    assert len(roller.document.history.steps) == steps + 1
    for _ in range(20):
        if roller.panel.editor.text() == LAKE:
            break
        QTest.keyClick(roller.panel.editor, Qt.Key.Key_Z, CTRL)
    assert roller.panel.editor.text() == LAKE
    qtbot.waitUntil(lambda: "Bog" not in terrain_names(roller))
    assert len(roller.document.history.steps) == steps, "nothing is left to undo"


def test_save_rolls_what_was_typed(roller, lakes, qtbot):
    roller.write(BOG)
    QTest.keyClick(roller.panel.editor, Qt.Key.Key_S, CTRL)
    qtbot.waitUntil(lambda: "Bog" in terrain_names(roller))
    assert lakes.read_text("utf-8") == BOG.rstrip("\n")
    assert roller.rolls() == [("Lakes.rnd", 101, 0)]


@pytest.mark.deep
def test_the_settings_of_a_landscape_are_followed_but_for_its_size(roller, tmp_path, qtbot):
    open_map_of(roller, "Landscape", tmp_path)
    form = complete_form(roller.panel)
    form.field("land").setValue(100)
    qtbot.waitUntil(lambda: roller.document.battlemap.layers[-1].roll.settings.get("land") == 100)
    assert {roll[1:] for roll in roller.rolls()} == {(3, 0)}
    grid = roller.document.battlemap.grid
    field = form.field("width")
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "20")
    QTest.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "Size and shape of the map wait" in roller.said())
    assert roller.document.battlemap.grid is grid


@pytest.fixture
def bay(roller, tmp_path, monkeypatch):
    """A map script of 0 A.D. in a file, rolled by Ctrl+R onto a map of 0 A.D."""
    pytest.importorskip("py_mini_racer")
    find_games_only_in(tmp_path / "none", monkeypatch)
    folder = tmp_path / "maps" / "random"
    (folder / "bay").mkdir(parents=True)
    (folder / "bay" / "library.js").write_text(LIBRARY, "utf-8")
    (folder / "bay.json").write_text(json.dumps({"settings": METADATA}), "utf-8")
    path = folder / "bay.js"
    path.write_text(SCRIPT, "utf-8")
    roller.document.open_map(new_map(system_named("zeroad")))
    assert finished(roller.desk.scripts.opening.open(path))
    roller.desk.rolling.key_choice.choose_seed = lambda: 21
    roller.press(Qt.Key.Key_R)
    return roller


def test_a_map_script_is_rolled_by_ctrl_enter_and_save_but_not_while_it_is_typed(bay, qtbot):
    roller = bay
    notice = roller.panel.notices.text_banner
    assert "Ctrl+Enter" in roller.panel.follow_action.toolTip()
    assert notice.isHidden()
    editor = roller.panel.editor
    editor.setFocus()
    QTest.keyClicks(editor, "/*1*/")
    qtbot.wait(2 * FOLLOW_DELAY_MS)
    assert roller.document.active_layer.roll.script == SCRIPT
    assert notice.isVisible()
    assert notice.label.text() == "Text changed: Ctrl+Enter rolls it."
    roller.press_here(Qt.Key.Key_Return)
    assert roller.document.active_layer.roll.script == f"/*1*/{SCRIPT}"
    assert notice.isHidden()
    QTest.keyClicks(editor, "/*2*/")
    assert notice.isVisible()
    with qtbot.waitSignal(roller.desk.rolling.finished):
        QTest.keyClick(editor, Qt.Key.Key_S, CTRL)
    assert roller.document.active_layer.roll.script == f"/*1*//*2*/{SCRIPT}"
    assert notice.isHidden()
    assert roller.rolls() == [("bay.js", 21, 0)]


@pytest.mark.deep
def test_a_chosen_setting_rolls_a_map_script_again_if_that_is_quick(bay, qtbot):
    roller = bay
    follower = roller.desk.scripts.follower
    form = complete_form(roller.panel)
    notice = roller.panel.notices.text_banner
    form.set_unfolded(is_unfolded=True)
    follower.quick_roll_s = 1000.0
    told: list[str] = []
    roller.desk.rolling.started.connect(lambda _request: told.append(roller.said()))
    with qtbot.waitSignal(roller.desk.rolling.finished):
        form.field("Nomad").click()
        assert notice.isHidden()
    assert told[0].endswith("The map is rolled again with it.")
    assert roller.document.active_layer.roll.settings["Nomad"] is True
    assert roller.rolls() == [("bay.js", 21, 0)]
    assert notice.isHidden()

    follower.quick_roll_s = 0.0
    form.field("Nomad").click()
    assert roller.said().endswith("the map stays as it is until then.")
    assert notice.label.text() == "Settings changed: Ctrl+Enter rolls the map with them."
    with qtbot.waitSignal(roller.desk.rolling.finished):
        notice.button.click()
    assert not roller.document.active_layer.roll.settings["Nomad"]
    assert notice.isHidden()


@pytest.mark.usefixtures("lakes")
def test_undo_brings_the_settings_of_the_roll_back(roller, qtbot):
    form = complete_form(roller.panel)
    field = form.field("BaseHeight")
    height = field.value()
    field.setValue(2)
    layers = roller.document.battlemap.layers
    qtbot.waitUntil(lambda: layers[-1].roll.settings.get("BaseHeight") == 2)
    qtbot.waitUntil(lambda: not roller.desk.rolling.busy)
    roller.desk.commands.run("edit.undo")
    assert layers[-1].roll.settings.get("BaseHeight") != 2
    assert form.field("BaseHeight").value() == height
    roller.desk.commands.run("edit.redo")
    assert form.field("BaseHeight").value() == 2


# --- what a roll onto a new layer leaves of what is below ----------------------------------------


@pytest.mark.deep
def test_hexsides_that_show_through_a_roll_onto_a_new_layer_are_told(roller):
    """A battleland's roll merges, as the game's does: where no PAIR hits, hexsides stay."""
    document = roller.document
    document.open_map(new_map(system_named("colossus")))
    hexside = document.battlemap.system.hexside
    cell = document.battlemap.grid.cell(3, 3)
    edit = set_values(document.battlemap, 1, hexside.name, [cell * 6], 2)
    assert document.push(edit, "A cliff")
    roller.panel.editor.setFocus()
    roller.write("AREA (anywhere) HAZARDS " + "Lake " * 27)
    roller.press(Qt.Key.Key_R, CTRL | SHIFT)
    assert "Hexsides of the layers below still show where the roll sets none" in roller.said()
    roller.press(Qt.Key.Key_R)
    assert "below still show" not in roller.said()


@pytest.mark.deep
def test_a_landscape_on_a_new_layer_hides_the_one_below_with_its_names(roller, qtbot):
    document = roller.document
    document.open_map(new_map(system_named("free")))
    roller.desk.commands.fill("randomize.roll-with.script.*")
    with qtbot.waitSignal(roller.desk.rolling.rolled):
        roller.desk.commands.run("randomize.roll-with.script.landscape")
    lower = document.active_layer
    assert len(lower.things)
    roller.press(Qt.Key.Key_R, CTRL | SHIFT)
    upper = document.active_layer
    assert upper is not lower
    assert f"{lower.name} is hidden, with its things" in roller.said()
    names = {thing.id for thing in document.battlemap.visible_things()}
    assert names == set(upper.things)
    document.undo()
    assert document.battlemap.layer(lower.id).visible


@pytest.mark.deep
def test_ways_that_a_hand_painted_stay_above_a_landscape(roller, qtbot):
    document = roller.document
    document.open_map(new_map(system_named("free")))
    battlemap = document.battlemap
    way_names = [way.name for way in battlemap.terrain_set.ways]
    rivers = battlemap.system.ways[way_names.index("River")].name
    edit = set_values(battlemap, 1, rivers, battlemap.grid.cells, 0x41)
    assert document.push(edit, "Rivers everywhere")
    roller.desk.commands.fill("randomize.roll-with.script.*")
    with qtbot.waitSignal(roller.desk.rolling.rolled):
        roller.desk.commands.run("randomize.roll-with.script.landscape")
    (rolled, touch_ups) = document.battlemap.layers[-2:]
    assert (rolled.planes[rivers] == 0).any(), "where it has no river it has none, explicitly"
    assert touch_ups.name == "Touch-ups"
    assert (document.composite.planes[rivers] == 0x41).all()


def test_the_arrow_of_the_button_has_all_ways_to_roll(roller, window):
    action = window.desk.commands.action("script.roll")
    bar = next(bar for bar in window.findChildren(QToolBar) if bar.objectName() == "main")
    menu = bar.widgetForAction(action).menu()
    menu.aboutToShow.emit()
    texts = [row.text().replace("&", "") for row in menu.actions()]
    assert texts[:5] == [
        "Roll",
        "Roll with",
        "Roll with a file...",
        "Roll the same map",
        "Roll onto a new layer",
    ]
    assert texts[5:] == ["Previous roll", "Next roll"]
    scripts = next(row.menu() for row in menu.actions() if row.menu() is not None)
    scripts.aboutToShow.emit()
    assert "Swamp" in [row.text() for row in scripts.actions()]


# --- a setting is changed -------------------------------------------------------------------------


@pytest.mark.deep
def test_a_changed_setting_says_from_when_on_it_holds(roller, qtbot):
    document = roller.document
    document.open_map(new_map(system_named("free")))
    roller.desk.commands.fill("randomize.roll-with.script.*")
    with qtbot.waitSignal(roller.desk.rolling.rolled):
        roller.desk.commands.run("randomize.roll-with.script.landscape")
    form = complete_form(roller.panel)
    setting = next(each for each in form.settings if each.choices and not each.group)
    box = form.field(setting.name)

    def choose_next() -> str:
        box.setCurrentIndex((box.currentIndex() + 1) % box.count())
        box.activated.emit(box.currentIndex())
        return f"{setting.title}: {box.currentText()}"

    with qtbot.waitSignal(roller.desk.rolling.finished):
        chosen = choose_next()
        assert roller.said() == f"{chosen}. The map is rolled again with it."
    roller.panel.follow_action.trigger()
    chosen = choose_next()
    told = f"{chosen}. The next roll has it; the map stays as it is until then."
    assert roller.said() == told


@pytest.mark.deep
def test_a_scale_that_is_no_width_is_refused_and_the_former_one_stays(roller, qtbot):
    roller.document.open_map(new_map(system_named("free")))
    roller.desk.commands.fill("randomize.roll-with.script.*")
    with qtbot.waitSignal(roller.desk.rolling.rolled):
        roller.desk.commands.run("randomize.roll-with.script.landscape")
    line = complete_form(roller.panel).field("scale")
    for typed, said in (
        ("5 miles", "Scale per cell: 5 miles. The map is rolled again with it."),
        ("about six", "Scale per cell cannot be “about six” (expected: like 6 miles)"),
    ):
        line.setFocus()
        line.selectAll()
        qtbot.keyClicks(line, typed)
        qtbot.keyClick(line, Qt.Key.Key_Return)
        assert roller.said() == said
    assert roller.desk.scripts.settings.values["scale"] == "5 miles"
    complete_form(roller.panel).field("width").setFocus()
    assert line.text() == "5 miles"


@pytest.mark.deep
def test_it_is_said_before_a_roll_that_what_is_locked_keeps_its_ground(roller, qtbot):
    document = roller.document
    document.open_map(new_map(system_named("free")))
    roller.desk.commands.fill("randomize.roll-with.script.*")
    with qtbot.waitSignal(roller.desk.rolling.rolled):
        roller.desk.commands.run("randomize.roll-with.script.landscape")
    note = roller.panel.settings_form.locks_note
    assert note.isHidden()
    document.select(document.battlemap.grid.cells[100:120])
    roller.desk.commands.run("select.lock")
    assert note.isVisible()
    assert note.text().startswith("Locked hexes keep their ground")
    form = complete_form(roller.panel)
    box = form.field(next(setting.name for setting in form.settings if setting.group == "Climate"))
    with qtbot.waitSignal(roller.desk.rolling.finished):
        box.setCurrentIndex((box.currentIndex() + 1) % box.count())
        box.activated.emit(box.currentIndex())
        assert note.text() in roller.said()
    roller.desk.commands.run("select.unlock-everything")
    assert note.isHidden()


# --- what the line below the map says of paint ----------------------------------------------------


def paint(roller, label: str) -> int:
    """Paint a hex with the brush by a click, and return its cell."""
    battlemap = roller.document.battlemap
    cell = battlemap.system.cell_of_name(battlemap.grid, label)
    roller.desk.tools.choose("terrain")
    canvas = roller.desk.canvas
    centre = canvas.viewport.to_screen(*battlemap.grid.centre(cell)).toPoint()
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=centre)
    return cell


def source_of(roller, cell: int) -> str:
    """Where the terrain of a cell comes from, as the line below the map tells it."""
    return explain_cell(roller.document, cell).partition(" - ")[2]


def owner_of(roller, cell: int):
    """The layer whose terrain shows in a cell, and that terrain."""
    battlemap = roller.document.battlemap
    layer = battlemap.owner("terrain", cell)
    assert layer is not None
    return layer.name, int(roller.document.composite.planes["terrain"].flat[cell])


def test_paint_in_a_roll_is_said_to_move_and_moves_once(roller, lakes):
    cell = paint(roller, "D4")
    (_name, terrain) = owner_of(roller, cell)
    assert source_of(roller, cell) == "by hand (the next roll keeps it, in Touch-ups)"
    for _ in range(2):
        roller.press(Qt.Key.Key_R)
        assert owner_of(roller, cell) == (TOUCH_UPS, terrain)
        assert source_of(roller, cell) == "by hand, layer Touch-ups (the next roll keeps it)"


def test_the_line_below_the_map_shows_what_becomes_of_paint(roller, lakes):
    cell = paint(roller, "D4")
    canvas = roller.desk.canvas
    centre = canvas.viewport.to_screen(*roller.document.battlemap.grid.centre(cell)).toPoint()
    for point in (QPoint(3, 3), centre):
        QTest.mouseMove(canvas, point)
    place = roller.window.statusBar().findChild(QLabel, "place")
    roller.qtbot.waitUntil(lambda: place.text().endswith("(the next roll keeps it, in Touch-ups)"))


@pytest.mark.deep
def test_paint_in_a_layer_above_the_roll_is_said_to_stay_and_stays(roller, lakes):
    roller.desk.commands.run("layer.new-layer")
    cell = paint(roller, "D4")
    owner = owner_of(roller, cell)
    assert source_of(roller, cell) == f"by hand, layer {owner[0]} (the next roll keeps it)"
    roller.press(Qt.Key.Key_R)
    assert owner_of(roller, cell) == owner


@pytest.mark.deep
def test_of_paint_below_the_roll_no_roll_is_told(roller, lakes):
    document = roller.document
    below = document.battlemap.layers[0]
    (rolled,) = (layer for layer in document.battlemap.layers if layer.roll)
    cell = document.battlemap.system.cell_of_name(document.battlemap.grid, "D4")
    edit = set_values(document.battlemap, below.id, "terrain", [cell], 4)
    assert document.push(edit, "Paint below")
    document.set_active_layer(rolled.id)
    assert owner_of(roller, cell)[0] == below.name, "the script left this hex as it was"
    assert source_of(roller, cell) == f"by hand, layer {below.name}"


@pytest.mark.deep
def test_the_layer_is_named_into_which_paint_moves(roller, lakes):
    cell = paint(roller, "D4")
    roller.press(Qt.Key.Key_R)
    document = roller.document
    (touch_ups,) = (layer for layer in document.battlemap.layers if layer.name == TOUCH_UPS)
    assert document.push(LayerField(touch_ups.id, "name", TOUCH_UPS, "My hills"), "Rename")
    document.set_active_layer(roller.desk.rolling.target().id)
    other = paint(roller, "B2")
    assert source_of(roller, cell) == "by hand, layer My hills (the next roll keeps it)"
    assert source_of(roller, other).endswith("(the next roll keeps it, in My hills)")
    roller.press(Qt.Key.Key_R)
    assert owner_of(roller, other)[0] == "My hills"


@pytest.mark.deep
def test_paint_in_a_locked_hex_or_layer_is_not_said_to_move(roller, lakes):
    cell = paint(roller, "D4")
    document = roller.document
    (rolled,) = (layer for layer in document.battlemap.layers if layer.roll)
    assert document.push(set_locks(document.battlemap, [cell], True), "Lock")
    assert source_of(roller, cell) == f"by hand, layer {rolled.name}"
    document.undo()
    assert document.push(LayerField(rolled.id, "locked", False, True), "Lock the layer")
    assert source_of(roller, cell) == f"by hand, layer {rolled.name}"


@pytest.mark.deep
def test_what_came_with_a_file_is_not_said_to_be_painted(roller, tmp_path):
    path = tmp_path / "Hills.xml"
    path.write_bytes(BATTLELAND)
    roller.desk.files.open_path(path)
    roller.qtbot.waitUntil(lambda: roller.document.path == path)
    cell = roller.document.battlemap.system.cell_of_name(roller.document.battlemap.grid, "D4")
    (layer,) = roller.document.battlemap.layers
    assert source_of(roller, cell) == f"layer {layer.name}, opened from a file"


PLATEAU = "AREA (anywhere) HAZARDS" + " Plains,2" * 27 + "\n"


@pytest.mark.deep
def test_an_elevation_that_nobody_painted_is_said_to_be_rolled(roller, tmp_path):
    path = tmp_path / "Plateau.rnd"
    path.write_text(PLATEAU, "utf-8")
    roller.document.open_map(new_map(system_named("colossus")))
    assert finished(roller.desk.scripts.opening.open(path))
    roller.press(Qt.Key.Key_R)
    cell = paint(roller, "D4")
    by_hand, _comma, elevation = source_of(roller, cell).partition(", elevation ")
    assert by_hand.endswith("(the next roll keeps it, in Touch-ups)")
    assert elevation.startswith("Plateau.rnd line 1")
    assert elevation.endswith("(the next roll may change it)")

    roller.press(Qt.Key.Key_R)
    assert "Kept: 1 change by hand (Touch-ups)" in roller.said()
    by_hand, _comma, elevation = source_of(roller, cell).partition(", elevation ")
    assert by_hand.endswith("(the next roll keeps it)")
    assert elevation.endswith("(the next roll may change it)")

    roller.document.select([cell])
    roller.desk.commands.run("select.lock")
    assert "the next roll may change it" not in source_of(roller, cell), "now it stays as it is"


def lake_cells(roller) -> list[int]:
    """The hexes of the current map that show a lake."""
    lake = roller.document.battlemap.system.terrain_set.terrain_code("Lake")
    terrain = roller.document.composite.planes["terrain"].ravel()
    return [cell for cell in range(len(terrain)) if terrain[cell] == lake]


@pytest.mark.deep
def test_an_edit_below_paint_names_the_hexes_that_cannot_be_seen(roller, lakes):
    document = roller.document
    roller.panel.follow_action.setChecked(False)
    cells = lake_cells(roller)
    sand = document.battlemap.system.terrain_set.terrain_code("Sand")
    layer_id = document.active_layer_id
    document.push(set_values(document.battlemap, layer_id, "terrain", cells, sand), "Paint")
    names = [document.battlemap.system.cell_name(document.battlemap.grid, cell) for cell in cells]
    roller.write(f"{LAKE}# a remark")
    roller.press_here(Qt.Key.Key_Return)  # the paint moves into Touch-ups
    assert document.battlemap.layers[-1].name == TOUCH_UPS
    assert "the edit changes" not in roller.said(), "a remark changes nothing"

    roller.write(BOG)
    roller.press_here(Qt.Key.Key_Return)
    assert f"the edit changes {listed(names)}, which {TOUCH_UPS} covers" in roller.said()

    # What the roll had made below paint is not known.
    document.push(set_values(document.battlemap, layer_id, "terrain", cells[:1], sand), "Paint")
    roller.write(LAKE)
    roller.press_here(Qt.Key.Key_Return)
    assert f"the edit changes at most {listed(names)}, which {TOUCH_UPS} covers" in roller.said()
    roller.write(BOG)
    roller.press_here(Qt.Key.Key_Return)

    # While the map follows the text, too.
    roller.panel.follow_action.setChecked(True)
    roller.write(LAKE)
    roller.qtbot.waitUntil(lambda: roller.said().startswith(f"The edit changes {names[0]}"))


@pytest.mark.deep
def test_the_same_map_that_an_edit_makes_break_the_locks_is_said_to_be_passed_over(roller, lakes):
    document = roller.document
    roller.panel.follow_action.setChecked(False)
    document.push(set_locks(document.battlemap, lake_cells(roller)[:1], True), "Lock")
    roller.write(BOG + LAKE)
    roller.press_here(Qt.Key.Key_Return)
    number = roller.rolls()[0][2]
    assert number > 0
    text = f"No. 0 does not keep the locks any more: no. {number} is the next that does"
    assert roller.said().endswith(text)


@pytest.mark.deep
def test_undo_in_the_text_says_that_the_map_stays_that_of_the_later_text(roller, lakes):
    roller.panel.follow_action.setChecked(False)
    roller.panel.editor.setFocus()
    QTest.keyClick(roller.panel.editor, Qt.Key.Key_Home, CTRL)
    QTest.keyClicks(roller.panel.editor, "# ")
    roller.press_here(Qt.Key.Key_Return)
    QTest.keyClick(roller.panel.editor, Qt.Key.Key_Z, CTRL)
    assert roller.said().startswith("Undone in the script: the map is still that of the later text")

    # The map that follows the text has nothing to say.
    roller.press_here(Qt.Key.Key_Return)
    roller.panel.follow_action.setChecked(True)
    QTest.keyClicks(roller.panel.editor, "# ")
    QTest.keyClick(roller.panel.editor, Qt.Key.Key_Z, CTRL)
    assert "Undone in the script" not in roller.said()


@pytest.mark.deep
def test_letters_in_the_field_of_the_seed_are_refused_with_a_reason(roller, lakes):
    field = roller.panel.roll_bar.seed
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "abc")
    QTest.keyClick(field, Qt.Key.Key_Tab)
    roller.qtbot.waitUntil(lambda: roller.said() == "Seed: 0 to 4,294,967,295")
    assert field.text() == "101"
