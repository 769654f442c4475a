"""A fault at any step of rolling a new map, or of bringing a script into its map, is told once;
afterwards the same is done, and the map is saved and left.
"""

from __future__ import annotations

import pytest
from PySide6.QtTest import QTest

from app.background.actions import any_running
from app.document.map_files import new_map
from app.features.new_map.dialog import NewMapDialog
from tests.app.conftest import opened
from tests.daily import deep_but_last
from tests.end_to_end.test_faults_while_opening import save_and_quit
from tests.end_to_end.test_faults_while_saving import FAULT, wait_for_fault
from tests.end_to_end.test_map_script_desk import settle, type_at
from tests.end_to_end.test_roll_while_loading import roll_with
from tests.test_system.recorded import DOWNS, SCRIPT, WOLDS

DRIVEN_DIALOGS = (NewMapDialog,)

pytestmark = pytest.mark.usefixtures("told_faults")

ROLLING = "app.rolling.rolling.Rolling"
RUNNER = "app.rolling.roll_runner.RollRunner"
MAP_SCRIPT = "app.scripts.map_script.MapScript"

STEPS_OF_ROLLING = (
    "app.rolling.roll_runner.Job",
    f"{RUNNER}._wait_for_stroke",
    f"{RUNNER}._ask_about_size",
    "app.rolling.roll_placement.RollPlacement.apply",
)
STEPS_OF_A_NEW_MAP = (
    "app.scripts.script_opening.ScriptOpening.roll_new",
    f"{ROLLING}.request_new_map",
    f"{RUNNER}.carry_out",
    *STEPS_OF_ROLLING,
    "app.document.document.MapDocument.show_map",
    "app.scripts.script_document.ScriptDocument.note_origin",
)
STEPS_OF_LOADING = (
    f"{MAP_SCRIPT}._will_hold",
    f"{MAP_SCRIPT}._set_script",
    f"{ROLLING}.request_change",
    *STEPS_OF_ROLLING,
    "app.document.document.MapDocument.push_on",
    f"{MAP_SCRIPT}._wait_until_held",
    "app.scripts.script_document.ScriptDocument.note_origin",
)
STEPS_OF_TYPING = (
    f"{MAP_SCRIPT}.type_text",
    f"{MAP_SCRIPT}.change_text",
    f"{ROLLING}.request_change",
    *STEPS_OF_ROLLING,
    "app.document.document.MapDocument.push_on",
)
STEPS_OF_TYPING_WITHOUT_A_ROLL = (
    f"{ROLLING}.request_change",
    "app.scripts.change_rolls.Job",
    "app.scripts.change_rolls.change_terrain_set",
    "app.document.document.MapDocument.push_on",
)


@pytest.fixture
def window(recsys, window):
    """The desk, started when the package was installed already."""
    return window


def wait_until_idle(qtbot, window) -> None:
    settle(qtbot, window)
    qtbot.waitUntil(lambda: not any_running())
    QTest.qWait(0)


def ask_for_new_map(qtbot, window) -> None:
    window.desk.commands.fill("file.new.*")
    window.desk.commands.run("file.new.recsys")
    dialog = opened(window, qtbot, NewMapDialog)
    qtbot.waitUntil(dialog.make_button.isEnabled)
    dialog.make_button.click()


def make_map(qtbot, window) -> None:
    ask_for_new_map(qtbot, window)
    qtbot.waitUntil(lambda: window.desk.document.battlemap.system.name == "recsys")
    wait_until_idle(qtbot, window)
    assert window.desk.document.battlemap.source_layer is not None


def roll_again(qtbot, window) -> None:
    steps = len(window.desk.document.history.steps)
    window.desk.commands.run("script.roll")
    qtbot.waitUntil(lambda: len(window.desk.document.history.steps) > steps)


@pytest.mark.deep
@pytest.mark.parametrize("step", deep_but_last(STEPS_OF_A_NEW_MAP))
def test_after_a_fault_while_a_new_map_is_rolled_one_is_rolled_saved_and_left(
    window, qtbot, hand, break_once, tmp_path, step
):
    window.desk.docks.show("randomize")
    told = hand.expect(FAULT).press("Close")
    break_once(step)
    ask_for_new_map(qtbot, window)
    wait_for_fault(qtbot, window, told)
    wait_until_idle(qtbot, window)
    assert not window.desk.rolling.busy
    assert not window.desk.rolling.loading
    make_map(qtbot, window)
    roll_again(qtbot, window)
    save_and_quit(qtbot, window, hand, tmp_path / "saved.battlemap")


@pytest.mark.deep
@pytest.mark.parametrize("step", deep_but_last(STEPS_OF_LOADING))
def test_after_a_fault_while_a_script_is_loaded_it_is_loaded_saved_and_left(
    window, qtbot, hand, break_once, tmp_path, step
):
    window.desk.docks.show("randomize")
    make_map(qtbot, window)
    told = hand.expect(FAULT).press("Close")
    break_once(step)
    roll_with(window, "wolds")
    wait_for_fault(qtbot, window, told)
    wait_until_idle(qtbot, window)
    assert not window.desk.scripts.map_script.pending
    roll_with(window, "wolds")
    qtbot.waitUntil(lambda: window.desk.scripts.script.name == "wolds.rec")
    wait_until_idle(qtbot, window)
    document = window.desk.document
    assert document.battlemap.records[SCRIPT].text == WOLDS
    assert document.battlemap.source_layer.roll.script_name == "wolds.rec"
    save_and_quit(qtbot, window, hand, tmp_path / "saved.battlemap")


def type_in_editor(window, text: str, behind: str) -> None:
    panel = window.desk.docks.panel("randomize")
    type_at(panel.editor, text, behind=behind)


@pytest.mark.parametrize("step", deep_but_last(STEPS_OF_TYPING))
def test_after_a_fault_while_a_typed_text_comes_the_next_one_is_rolled_saved_and_left(
    window, qtbot, hand, break_once, tmp_path, step
):
    window.desk.docks.show("randomize")
    make_map(qtbot, window)
    told = hand.expect(FAULT).press("Close")
    break_once(step)
    type_in_editor(window, "5", behind="scatter Pool 2")
    wait_for_fault(qtbot, window, told)
    wait_until_idle(qtbot, window)
    type_in_editor(window, "4", behind="things sheep ")
    wait_until_idle(qtbot, window)
    text = DOWNS.replace("Pool 2", "Pool 25").replace("sheep ", "sheep 4")
    document = window.desk.document
    assert document.battlemap.records[SCRIPT].text == text
    assert document.battlemap.source_layer.roll.script == text
    save_and_quit(qtbot, window, hand, tmp_path / "saved.battlemap")


@pytest.mark.deep
@pytest.mark.parametrize("step", deep_but_last(STEPS_OF_TYPING_WITHOUT_A_ROLL))
def test_after_a_fault_on_a_map_that_was_not_rolled_its_terrains_follow_the_next_text(
    window, qtbot, hand, break_once, tmp_path, recsys, step
):
    window.desk.docks.show("randomize")
    document = window.desk.document
    document.open_map(new_map(recsys))
    told = hand.expect(FAULT).press("Close")
    break_once(step)
    type_in_editor(window, "s", behind="Downs")
    wait_for_fault(qtbot, window, told)
    wait_until_idle(qtbot, window)
    type_in_editor(window, "s", behind="ponds")
    wait_until_idle(qtbot, window)
    assert document.battlemap.records[SCRIPT].text == DOWNS.replace(
        "Downs with ponds", "Downss with pondss"
    )
    assert document.battlemap.terrain_set.has_terrain("Chalk")
    save_and_quit(qtbot, window, hand, tmp_path / "saved.battlemap")
