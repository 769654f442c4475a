"""The panel "Roll with a file": from a file to a rolled layer and back."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QThreadPool, QUrl
from PySide6.QtGui import QColor, QDragEnterEvent, QDropEvent, QKeySequence, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from app.document.document import MapDocument
from app.features.script.panel import ScriptPanel
from app.rolling.rolling import Rolling
from app.scripts.scripts import Scripts
from randomizer.catalog.generators import generators
from randomizer.model.edits.value_edits import set_locks, set_values
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.touch_ups import TOUCH_UPS
from randomizer.systems.colossus.generator import RndGenerator
from tests.app.conftest import cell, complete_form
from tests.app.saves import finished

LAKES = "# water\nAREA (anywhere) HAZARDS Lake Lake Lake Lake Lake Lake Lake Lake\n"
BOG = "AREA (inside) HAZARDS Bog Sand,50.\n"


@pytest.fixture
def make_panel(qtbot, document, settings):
    def make() -> ScriptPanel:
        rolling = Rolling(document, choose_seed=count(1001).__next__)
        panel = ScriptPanel(document, rolling, Scripts(document, rolling, settings))
        qtbot.addWidget(panel)
        panel.resize(340, 640)
        panel.show()
        qtbot.waitExposed(panel)
        panel.scripts.checker.start()
        return panel

    yield make
    QThreadPool.globalInstance().waitForDone(5000)


@pytest.fixture
def panel(make_panel) -> ScriptPanel:
    return make_panel()


@pytest.fixture
def lakes(tmp_path) -> Path:
    path = tmp_path / "Lakes.rnd"
    path.write_bytes(LAKES.encode())
    return path


@pytest.fixture
def bog(tmp_path) -> Path:
    path = tmp_path / "Bog.rnd"
    path.write_bytes(BOG.encode())
    return path


@pytest.fixture
def said(panel) -> list[str]:
    words: list[str] = []
    for source in (panel, panel.scripts, panel.rolling):
        source.message.connect(words.append)
    return words


@pytest.fixture
def wait(qtbot, panel):
    """Trigger an action and wait for its roll."""

    def wait(action) -> None:
        assert action.isEnabled()
        action.trigger()
        qtbot.waitUntil(lambda: not panel.rolling.busy)

    return wait


UNSAVED = "Unsaved script"


def type_at(panel, line: int, text: str) -> None:
    panel.editor.go_to(line)
    panel.editor.insertPlainText(text)


def checked(qtbot, panel) -> None:
    qtbot.waitUntil(lambda: panel.scripts.checker.fresh)


# --- showing and checking ---------------------------------------------------------------------


def test_a_script_is_opened_shown_and_remembered(panel, lakes, settings, qtbot):
    with qtbot.waitSignal(panel.scripts.script_changed):
        assert finished(panel.scripts.opening.open(lakes))
    assert panel.editor.text() == LAKES
    assert panel.head.title.text() == "Lakes.rnd"
    assert settings.recent("scripts") == [lakes]
    assert settings.last_directory == str(lakes.parent)
    assert not panel.scripts.current.unsaved


def test_nothing_is_rolled_without_a_script(panel):
    assert not panel.roll_action.isEnabled()
    type_at(panel, 1, "TOWER")
    assert panel.roll_action.isEnabled()
    assert not panel.next_action.isEnabled()


def test_the_tip_of_roll_says_what_becomes_of_the_map(panel, lakes, document, wait):
    assert "as a new layer above the active one" in panel.roll_action.statusTip()
    finished(panel.scripts.opening.open(lakes))
    wait(panel.roll_action)
    assert "in place of the roll that the map shows" in panel.roll_action.statusTip()
    document.undo()
    assert "as a new layer above the active one" in panel.roll_action.statusTip()


def test_what_is_no_script_is_refused_in_words(panel, lakes, tmp_path, settings, said):
    finished(panel.scripts.opening.open(lakes))
    binary = tmp_path / "Picture.rnd"
    binary.write_bytes(b"\x89PNG\0\0")
    other = tmp_path / "Other.txt"
    other.write_text("AREA")
    settings.add_recent("scripts", tmp_path / "gone.rnd")
    for path in (binary, other, tmp_path / "gone.rnd"):
        assert not finished(panel.scripts.opening.open(path))
    assert [words.split(":")[0] for words in said] == ["Not opened"] * 3
    assert panel.editor.text() == LAKES
    assert settings.recent("scripts") == [lakes]


def test_mistakes_are_listed_and_underlined_a_moment_after_the_last_key(panel, lakes, qtbot):
    finished(panel.scripts.opening.open(lakes))
    checked(qtbot, panel)
    assert panel.problem_list.summary == "No problems"
    height = panel.editor.height()
    panel.editor.go_to(2, 25, 2, 29)
    QTest.keyClicks(panel.editor, "Lkae")
    assert not panel.scripts.checker.fresh
    checked(qtbot, panel)
    (problem,) = panel.problem_list.problems
    assert (problem.line, problem.column) == (2, 25)
    assert [found.message for found in panel.editor.overlays.problems_at(34)] == [problem.message]
    panel.editor.go_to(1)
    panel.problem_list.choose(problem)
    QTest.keyClick(panel.problem_list.rows, Qt.Key.Key_Return)
    assert panel.editor.textCursor().selectedText() == "Lkae"
    assert panel.editor.height() == height  # no jumping about while one writes
    panel.editor.undo()
    checked(qtbot, panel)
    assert panel.problem_list.problems == ()


def test_a_fix_is_applied_as_one_step_of_the_texts_undo(panel, lakes, qtbot, said):
    finished(panel.scripts.opening.open(lakes))
    panel.editor.go_to(2, 25, 2, 29)
    QTest.keyClicks(panel.editor, "Lkae")
    checked(qtbot, panel)
    (problem,) = panel.problem_list.problems
    panel.problem_list.choose(problem)
    panel.problem_list.fix_button.click()
    assert panel.editor.text() == LAKES
    panel.problems.fix(problem, problem.fix)  # said of a text that is not there any more
    assert panel.editor.text() == LAKES
    assert said == ["The text has changed since; its problems are being looked for"]
    panel.editor.undo()
    assert "Lkae" in panel.editor.text()
    assert not len(panel.document.history.steps)


def test_nothing_is_checked_before_the_window_was_painted(tmp_path):
    program = """
import os, sys
os.environ["QT_QPA_PLATFORM"] = "offscreen"
from pathlib import Path
from PySide6.QtCore import QSettings, QThreadPool
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from app.document.document import MapDocument
from app.settings import Settings
from app.features.script.panel import ScriptPanel
from app.rolling.rolling import Rolling
from app.scripts.scripts import Scripts
from randomizer.model.map.battlemap import BattleMap, Layer
from randomizer.systems.colossus.system import SYSTEM
app = QApplication([])
store = QSettings(sys.argv[1], QSettings.Format.IniFormat)
document = MapDocument(BattleMap.new(SYSTEM, layers=[Layer(1, "")]))
rolling = Rolling(document)
panel = ScriptPanel(document, rolling, Scripts(document, rolling, Settings(store)))
panel.show()
panel.editor.setPlainText("TOWER\\n")
QTest.qWait(200)
assert "lark" not in sys.modules
panel.scripts.checker.start()
while not panel.scripts.checker.fresh:
    QTest.qWait(10)
assert "lark" in sys.modules
QThreadPool.globalInstance().waitForDone()
"""
    folder = Path(__file__).resolve().parents[4]
    run = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "settings.ini")],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert run.returncode == 0, run.stderr


def test_a_text_checked_while_it_changes_is_checked_again(panel, qtbot):
    # That a check begins nobody is told.
    with qtbot.waitSignal(panel.scripts.checker._value.started):
        panel.editor.setPlainText("AREA (inside) HAZARDS Bog\n")
    panel.editor.setPlainText("AREA (inside) HAZARDS Bgo\n")
    checked(qtbot, panel)
    assert [problem.code for problem in panel.problem_list.problems] == ["unknown-hazard"]


# --- files ------------------------------------------------------------------------------------


def test_saving_keeps_the_line_ends_of_the_file(panel, tmp_path, said, qtbot):
    path = tmp_path / "Old.rnd"
    path.write_bytes(b"# one\r\nTOWER\r\nTITLE Old\n# end\r")
    finished(panel.scripts.opening.open(path))
    type_at(panel, 2, "# new\n")
    assert panel.head.title.text() == "Old.rnd *"
    with qtbot.waitSignal(panel.scripts.script_changed):
        panel.save_action.trigger()
    assert path.read_bytes() == b"# one\r\n# new\r\nTOWER\r\nTITLE Old\n# end\r"
    assert said == ["Saved the script Old.rnd"]
    assert panel.head.title.text() == "Old.rnd"
    assert not panel.save_action.isEnabled()


def test_a_script_in_latin_1_is_saved_as_utf_8_and_then_has_no_warning(panel, tmp_path, qtbot):
    path = tmp_path / "Wald.rnd"
    path.write_bytes("# Bäume\nTOWER\n".encode("latin-1"))
    finished(panel.scripts.opening.open(path))
    checked(qtbot, panel)
    assert [problem.code for problem in panel.problem_list.problems] == ["file-is-latin-1"]
    assert finished(panel.scripts.files.save())
    checked(qtbot, panel)
    assert path.read_bytes() == "# Bäume\nTOWER\n".encode()
    assert panel.problem_list.problems == ()


def test_a_packaged_script_is_saved_in_a_new_file(panel, tmp_path, hand, settings):
    target = tmp_path / "Mine"
    hand.expect("Save script").type_path(target)
    generator = generators()[0]
    assert finished(panel.scripts.opening.open_generator(generator))
    assert panel.scripts.script.path is None
    assert panel.save_action.isEnabled()
    assert finished(panel.scripts.files.save())
    assert panel.scripts.script.path == tmp_path / "Mine.rnd"
    assert panel.scripts.script.path.read_text() == generator.text
    assert settings.recent("scripts") == [tmp_path / "Mine.rnd"]
    hand.expect("Save script").escape()
    assert not finished(panel.scripts.files.save_as())


def test_a_failed_save_says_why_and_keeps_the_edits(panel, lakes, monkeypatch, said):
    finished(panel.scripts.opening.open(lakes))
    type_at(panel, 1, "#")
    lakes.unlink()
    lakes.mkdir()
    assert not finished(panel.scripts.files.save())
    assert said[0].startswith("Not saved: Lakes.rnd could not be written")
    assert panel.scripts.current.unsaved


def test_unsaved_edits_are_asked_about(panel, lakes, bog, hand):
    finished(panel.scripts.opening.open(lakes))
    assert finished(panel.scripts.unsaved.ask_before_quitting())
    type_at(panel, 1, "#")
    questions = [hand.expect(UNSAVED).press("Cancel") for _ in range(3)]
    assert not finished(panel.scripts.opening.open(bog))
    assert not finished(panel.scripts.opening.open_generator(generators()[0]))
    assert not finished(panel.scripts.unsaved.ask_before_quitting())
    assert {question.text for question in questions} == {"Save the edits of Lakes.rnd?"}
    assert panel.editor.text() == "#" + LAKES
    hand.expect(UNSAVED).press("Save")
    assert finished(panel.scripts.opening.open(bog))
    assert lakes.read_text() == "#" + LAKES
    type_at(panel, 1, "#")
    hand.expect(UNSAVED).press("Discard")
    assert finished(panel.scripts.opening.open(lakes))
    assert bog.read_text() == BOG


def test_a_script_is_chosen_in_a_dialog(panel, lakes, hand, qtbot):
    hand.expect("Open script").type_path(lakes)
    panel.open_action.trigger()
    qtbot.waitUntil(lambda: panel.editor.text() == LAKES)
    dialog = hand.expect("Open script").escape()
    panel.open_action.trigger()
    qtbot.waitUntil(lambda: dialog.has_come and QApplication.activeModalWidget() is None)
    assert panel.editor.text() == LAKES


def test_a_script_can_be_dropped_on_the_panel_other_files_not(panel, lakes, tmp_path):
    for path, taken in ((tmp_path / "map.xml", False), (lakes, True)):
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(path))])
        kind = (Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton)
        enter = QDragEnterEvent(QPoint(5, 5), *kind, Qt.KeyboardModifier.NoModifier)
        enter.ignore()
        panel.dragEnterEvent(enter)
        assert enter.isAccepted() == taken
        drop = QDropEvent(QPoint(5, 5), *kind, Qt.KeyboardModifier.NoModifier)
        panel.dropEvent(drop)
    assert panel.editor.text() == LAKES


# --- rolling ----------------------------------------------------------------------------------


def test_the_text_as_shown_is_rolled_and_everything_is_undone(panel, lakes, document, wait):
    start = document.composite.copy()
    finished(panel.scripts.opening.open(lakes))
    panel.roll_bar.seed.setText("")
    QTest.keyClicks(panel.roll_bar.seed, "17")
    type_at(panel, 1, "# mine\n")
    wait(panel.roll_action)
    assert document.active_layer.roll.script == "# mine\n" + LAKES
    assert document.active_layer.name == "Lakes, seed 17 no. 0"
    first = document.composite.copy()
    panel.roll_bar.new_seed.click()
    wait(panel.roll_action)
    assert panel.roll_bar.number.text() == "1"
    wait(panel.previous_action)
    assert document.composite.same_as(first)
    assert panel.roll_bar.number.text() == "0"
    assert not panel.previous_action.isEnabled()
    wait(panel.next_action)
    assert panel.roll_bar.number.text() == "1"
    assert len(document.history.steps) == 4
    while document.history.next_undo:
        document.undo()
    assert document.composite.same_as(start)
    assert (panel.roll_bar.seed.text(), panel.roll_bar.number.text()) == ("0", "0")
    document.redo()
    document.redo()
    assert panel.roll_bar.number.text() == "1"


def test_ctrl_r_rolls_and_ctrl_z_in_the_editor_undoes_text(panel, lakes, document, wait, qtbot):
    finished(panel.scripts.opening.open(lakes))
    wait(panel.roll_action)
    panel.activateWindow()
    panel.editor.setFocus()
    QTest.keyClicks(panel.editor, "x")
    count = len(document.history.steps)
    QTest.keySequence(panel.editor, QKeySequence(QKeySequence.StandardKey.Undo))
    assert panel.editor.text() == LAKES
    assert len(document.history.steps) == document.history.index == count
    QTest.keySequence(panel, QKeySequence("Ctrl+R"))
    qtbot.waitUntil(lambda: not panel.rolling.busy and panel.rolling.key_choice.key.seed == 1002)


def test_locks_and_touch_ups_are_told(panel, lakes, document, wait, said):
    finished(panel.scripts.opening.open(lakes))
    wait(panel.roll_action)
    terrain = document.composite.planes["terrain"].ravel()
    lake = document.battlemap.system.terrain_set.terrain_code("Lake")
    wet = [place for place in range(len(terrain)) if terrain[place] == lake]
    assert cell("D4") not in wet[:2]
    document.push(set_locks(document.battlemap, wet[:2], True), "Lock")
    layer = document.active_layer_id
    document.push(set_values(document.battlemap, layer, "terrain", [cell("D4")], 7), "Paint")
    wait(panel.roll_action)
    assert "kept the locks" in said[-1]
    assert f"Kept: 1 change by hand ({TOUCH_UPS})" in said[-1]
    shown = document.composite.planes["terrain"].ravel()
    assert [shown[place] == lake for place in wet[:2]] == [True, True]


def test_a_failed_roll_is_listed_and_a_click_goes_to_its_place(panel, lakes, document, wait):
    finished(panel.scripts.opening.open(lakes))
    panel.editor.go_to(2, 25, 2, 29)
    QTest.keyClicks(panel.editor, "Lkae")
    wait(panel.roll_action)
    problem = panel.problem_list.chosen
    assert "Lkae" in problem.message
    rows = panel.problem_list.rows
    place = rows.visualItemRect(rows.currentItem()).center()
    QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert panel.editor.textCursor().selectedText() == "Lkae"
    assert not len(document.history.steps)
    QTest.keyClicks(panel.editor, "Lake")
    # That the problems of the roll are gone, among those of the text.
    assert panel.problems._last_roll.problems == ()


def test_a_long_search_shows_its_progress_and_can_be_cancelled(panel, lakes, document, wait, qtbot):
    lakes.write_text(LAKES.replace("Lake", "Lake " * 2))  # 1 map in thirteen million
    finished(panel.scripts.opening.open(lakes))
    panel.rolling.key_choice.choose_seed = iter(
        (17, 21)
    ).__next__  # of seed 21 it is none of the first maps
    wait(panel.roll_action)
    terrain = document.composite.planes["terrain"].ravel()
    lake = document.battlemap.system.terrain_set.terrain_code("Lake")
    document.push(
        set_locks(document.battlemap, [i for i, t in enumerate(terrain) if t == lake], True), "Lock"
    )
    state = panel.rolling.key_choice.key
    panel.roll_action.trigger()
    qtbot.waitUntil(lambda: panel.rolling.slow)
    assert not panel.roll_action.isEnabled()
    qtbot.waitUntil(lambda: panel.roll_bar.progress.value() > 0)
    panel.roll_bar.cancel_button.click()
    assert not panel.rolling.slow
    assert panel.roll_action.isEnabled()
    assert panel.rolling.key_choice.key == state


def test_the_ground_form_is_made_of_the_generators_settings(panel, lakes, document, wait):
    finished(panel.scripts.opening.open(lakes))
    assert complete_form(panel).fold_button.text() == "Settings: as the map is"
    assert not complete_form(panel).field("BaseTerrain").isVisible()
    complete_form(panel).fold_button.click()
    complete_form(panel).field("BaseTerrain").setCurrentText("Tower")
    complete_form(panel).field("BaseHeight").setValue(1)
    fold = complete_form(panel).fold_button
    assert fold.accessibleName() == "Settings: Base terrain Tower, Base height 1"
    wait(panel.roll_action)
    assert document.active_layer.roll.settings == {"BaseTerrain": "Tower", "BaseHeight": 1}
    complete_form(panel).fold_button.click()
    assert not complete_form(panel).field("BaseTerrain").isVisible()


def test_a_packaged_script_rolls_as_itself_until_it_is_edited(panel, document, wait):
    swamp = generators()[0]
    metadata = replace(swamp.metadata, base_terrain=("Tower",), base_height=1)
    generator = RndGenerator(swamp.name, metadata, swamp.text)
    finished(panel.scripts.opening.open_generator(generator))
    assert complete_form(panel).values() == {"BaseTerrain": "Tower", "BaseHeight": 1}
    wait(panel.roll_action)
    assert document.active_layer.roll.generator == generator.name
    type_at(panel, 1, "# mine\n")
    wait(panel.roll_action)
    assert document.active_layer.roll.generator == ""
    assert document.active_layer.roll.settings["BaseTerrain"] == "Tower"


# --- layers -----------------------------------------------------------------------------------


def test_choosing_a_rolled_layer_shows_its_script_seed_and_number(
    panel, lakes, bog, document, wait
):
    finished(panel.scripts.opening.open(lakes))
    complete_form(panel).field("BaseHeight").setValue(2)
    wait(panel.roll_action)
    wait(panel.roll_action)
    below = document.active_layer_id
    state = panel.rolling.key_choice.key
    finished(panel.scripts.opening.open(bog))
    wait(panel.new_layer_action)
    above = document.active_layer_id
    document.set_active_layer(below)
    assert panel.editor.text() == LAKES
    assert panel.scripts.script.path == lakes  # it is known where it lives
    assert complete_form(panel).values() == {"BaseHeight": 2}
    assert panel.rolling.key_choice.key == state
    document.set_active_layer(1)
    assert panel.editor.text() == LAKES
    document.set_active_layer(above)
    assert panel.editor.text() == BOG
    assert panel.notices.layer_banner.isHidden()


def test_rolling_the_text_takes_the_banner_away(panel, lakes, bog, document, wait):
    finished(panel.scripts.opening.open(lakes))
    wait(panel.roll_action)
    finished(panel.scripts.opening.open(bog))
    words = "Bog.rnd is not rolled yet: the active layer is from Lakes.rnd."
    assert panel.notices.layer_banner.label.text() == words
    wait(panel.roll_action)
    assert panel.notices.layer_banner.isHidden()
    finished(panel.scripts.opening.open(lakes))
    wait(panel.roll_action)
    assert panel.notices.layer_banner.isHidden()


def test_with_unsaved_edits_a_banner_offers_the_layers_script(
    panel, lakes, bog, document, wait, hand, qtbot
):
    finished(panel.scripts.opening.open(lakes))
    wait(panel.roll_action)
    below = document.active_layer_id
    finished(panel.scripts.opening.open(bog))
    wait(panel.new_layer_action)
    type_at(panel, 1, "#")
    document.set_active_layer(below)
    assert panel.editor.text() == "#" + BOG
    assert panel.notices.layer_banner.label.text() == "The active layer was rolled from Lakes.rnd."
    question = hand.expect(UNSAVED).press("Cancel")
    panel.notices.layer_banner.button.click()
    qtbot.waitUntil(lambda: question.has_come and QApplication.activeModalWidget() is None)
    assert panel.editor.text() == "#" + BOG
    hand.expect(UNSAVED).press("Discard")
    panel.notices.layer_banner.button.click()
    qtbot.waitUntil(lambda: panel.editor.text() == LAKES)
    assert panel.notices.layer_banner.isHidden()


def test_undoing_a_roll_of_an_edited_text_says_that_the_text_is_another(
    panel, lakes, document, wait
):
    finished(panel.scripts.opening.open(lakes))
    wait(panel.roll_action)
    type_at(panel, 1, "# more\n")
    wait(panel.roll_action)
    assert panel.notices.layer_banner.isHidden()
    document.undo()
    words = "The active layer was rolled from another text of Lakes.rnd."
    assert panel.notices.layer_banner.label.text() == words
    document.redo()
    assert panel.notices.layer_banner.isHidden()


def test_a_panel_on_a_rolled_map_begins_with_its_script(make_panel, panel, lakes, wait, document):
    finished(panel.scripts.opening.open(lakes))
    wait(panel.roll_action)
    document.set_active_layer(1)
    other = make_panel()
    assert other.editor.text() == LAKES
    assert other.rolling.key_choice.key == panel.rolling.key_choice.key
    layer = document.battlemap.layers[0]
    other.scripts.layers.show_layer(layer)
    assert other.editor.text() == LAKES, "nothing is shown of a layer that was not rolled"


def test_seed_and_number_take_only_what_they_can_be(panel):
    seed = panel.roll_bar.seed
    number = panel.roll_bar.number
    seed.selectAll()
    QTest.keyClicks(seed, "4294967296")
    assert seed.text() == "429496729"
    seed.selectAll()
    QTest.keyClicks(seed, "4294967295")
    assert panel.rolling.key_choice.key == DrawKey(4294967295, 0)
    number.selectAll()
    QTest.keyClicks(number, "x7")
    assert panel.rolling.key_choice.key == DrawKey(4294967295, 0), "7 was not typed alone"
    number.selectAll()
    QTest.keyClicks(number, "7")
    assert panel.rolling.key_choice.key == DrawKey(4294967295, 7)
    panel.activateWindow()
    number.setFocus()
    number.clear()
    seed.setFocus()
    assert number.text() == "", "nothing was rolled"


def test_the_cells_that_the_cursors_place_is_about_are_told(panel, lakes, qtbot):
    heard: list[frozenset[int]] = []
    panel.cells_pointed.connect(lambda cells, _set_cells: heard.append(cells))
    finished(panel.scripts.opening.open(lakes))
    panel.editor.setFocus()
    panel.editor.insertPlainText("AREA D4 (inside) HAZARDS Bog\n")
    panel.editor.go_to(1, 6)
    assert heard == []
    checked(qtbot, panel)
    assert heard == [frozenset({cell("D4")})]
    panel.editor.go_to(1, 20)
    assert len(heard[-1]) == 12
    panel.roll_bar.seed.setFocus()
    assert heard[-1] == frozenset()


def test_a_roll_of_another_edition_of_the_catalogue_keeps_its_own_text(panel, document, wait):
    generator = generators()[0]
    finished(
        panel.scripts.opening.open_generator(
            RndGenerator(generator.name, generator.metadata, "TOWER\n")
        )
    )
    wait(panel.roll_action)
    roll = document.active_layer.roll
    assert (roll.generator, roll.script) == (generator.name, "TOWER\n")
    finished(panel.scripts.opening.open_generator(generator))
    panel.scripts.layers.show_layer(document.active_layer)
    assert panel.editor.text() == "TOWER\n"
    assert panel.scripts.script.packaged is None


# --- looks ------------------------------------------------------------------------------------


def test_every_control_has_a_name_and_says_what_it_does(panel):
    for control in panel.findChildren(QWidget):
        if control.focusPolicy() & Qt.FocusPolicy.TabFocus and control.isVisibleTo(panel):
            name = control.accessibleName() or getattr(control, "text", str)()
            assert name, control
            if control not in (panel.editor,):
                assert control.toolTip(), name


def test_it_fits_into_a_narrow_dock_in_any_colours(panel, lakes):
    finished(panel.scripts.opening.open(lakes))
    complete_form(panel).set_unfolded(is_unfolded=True)
    assert panel.minimumSizeHint().width() <= 320
    images = []
    for base in ("#ffffff", "#202020"):
        palette = panel.palette()
        palette.setColor(QPalette.ColorRole.Base, QColor(base))
        panel.setPalette(palette)
        panel.set_colours()
        images.append(panel.grab().toImage())
    assert images[0] != images[1]


def test_a_panel_that_goes_while_it_checks_and_rolls_leaves_no_trace(
    qtbot, settings, lakes, document
):
    battlemap = BattleMap.new(document.battlemap.system, layers=document.battlemap.layers)
    other = MapDocument(battlemap)
    rolling = Rolling(other)
    panel = ScriptPanel(other, rolling, Scripts(other, rolling, settings))
    panel.scripts.checker.start()
    finished(panel.scripts.opening.open(lakes))
    panel.rolling.roll()
    panel.deleteLater()
    del panel
    QThreadPool.globalInstance().waitForDone(5000)
    qtbot.wait(20)


# --- hexes of the map -------------------------------------------------------------------------


def cells(*labels: str) -> set[int]:
    return {cell(label) for label in labels}


def test_a_selected_piece_of_text_points_at_the_hexes_of_all_of_it(panel, tmp_path, qtbot):
    path = tmp_path / "List.rnd"
    path.write_text("AREA A1 SUBSTRACT(D4 D5,D5) C3 HAZARDS Bog\n", "utf-8")
    finished(panel.scripts.opening.open(path))
    checked(qtbot, panel)
    pointed: list[frozenset[int]] = []
    panel.cells_pointed.connect(lambda cells, _set_cells: pointed.append(cells))
    panel.editor.go_to(1, 9, 1, 31)  # from the function to C3
    assert pointed[-1] == cells("D4", "C3")
    panel.editor.go_to(1, 19, 1, 24)  # both hexes in the function
    assert pointed[-1] == cells("D4", "D5")
    panel.editor.go_to(1, 20, 1, 20)
    assert pointed[-1] == cells("D4")
    panel.editor.go_to(1, 37, 1, 40)  # nothing whole is selected: the statement
    assert pointed[-1] == cells("A1", "D4", "C3")


def test_selected_hexes_are_written_into_the_script(panel, lakes, document):
    finished(panel.scripts.opening.open(lakes))
    assert not panel.insert_action.isEnabled()
    assert panel.insert_action.property("why_disabled") == "Select hexes on the map first."
    document.select(cells("A1", "A2", "A3", "D4"))
    panel.editor.go_to(2, 6, 2, 16)
    panel.insert_action.trigger()
    assert panel.editor.text() == LAKES.replace("(anywhere)", "(0,2-4) D4")
    panel.editor.undo()
    assert panel.editor.text() == LAKES


def test_hovering_over_a_list_names_its_hexes(panel, lakes, qtbot):
    finished(panel.scripts.opening.open(lakes))
    type_at(panel, 2, "LABEL two = D4 A1\nAREA (two) HAZARDS Bog\n")
    checked(qtbot, panel)
    position = panel.editor.script_text.selection(3, 8).position()
    assert panel.editor.help_at(position) == (
        "<p>LABEL two = D4 A1, line 2</p><p>Hexes that can be meant: D4 A1</p>"
    )
    panel.editor.document().setModified(False)


def test_a_second_way_out_is_applied_too(panel, tmp_path, qtbot):
    path = tmp_path / "Pairs.rnd"
    path.write_text("PAIR (Bog,1)(Bog,0) HEXSIDES s\nPAIR (Bog,1)(Bog,0) HEXSIDES c\n", "utf-8")
    finished(panel.scripts.opening.open(path))
    checked(qtbot, panel)
    (problem,) = [p for p in panel.problem_list.problems if p.code == "pair-repeated"]
    (moved,) = [
        action
        for action in panel.problem_list.menu_of(problem).actions()
        if "Move it to line 2" in action.text()
    ]
    moved.trigger()
    assert panel.editor.text() == "\nPAIR (Bog,1)(Bog,0) HEXSIDES s\n"
    panel.editor.document().setModified(False)
