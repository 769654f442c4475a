"""A fault at any step of rolling a new map, or of loading a script into its map, is told once;
afterwards the same is done, and the map is saved and left.
"""

from __future__ import annotations

import pytest
from PySide6.QtTest import QTest

from app.background.actions import any_running
from tests.end_to_end.test_faults_while_opening import save_and_quit
from tests.end_to_end.test_faults_while_saving import FAULT, wait_for_fault
from tests.end_to_end.test_map_script_desk import settle
from tests.end_to_end.test_roll_while_loading import roll_with
from tests.test_system.recorded import SCRIPT, WOLDS

pytestmark = pytest.mark.usefixtures("told_faults")

ROLLING = "app.rolling.rolling.Rolling"
MAP_SCRIPT = "app.scripts.map_script.MapScript"

STEPS_OF_ROLLING = (
    "app.rolling.rolling.Job",
    f"{ROLLING}._wait_for_stroke",
    f"{ROLLING}._ask_about_size",
    "app.rolling.roll_request.Destination.put",
)
STEPS_OF_A_NEW_MAP = (
    "app.scripts.scripts.Scripts.roll_new",
    f"{ROLLING}.request_new_map",
    f"{ROLLING}.carry_out",
    *STEPS_OF_ROLLING,
    "app.document.document.MapDocument.show_map",
    "app.scripts.script_document.ScriptDocument.note_origin",
)
STEPS_OF_LOADING = (
    f"{MAP_SCRIPT}.holds",
    f"{MAP_SCRIPT}.set_script",
    f"{ROLLING}.roll_change",
    *STEPS_OF_ROLLING,
    "app.document.document.MapDocument.push_on",
    f"{MAP_SCRIPT}.arrival",
    "app.scripts.script_document.ScriptDocument.note_origin",
)


@pytest.fixture
def window(recsys, window):
    """The desk, started when the package was installed already."""
    return window


def wait_until_idle(qtbot, window) -> None:
    settle(qtbot, window)
    qtbot.waitUntil(lambda: not any_running())
    QTest.qWait(0)


def ask_for_new_map(window) -> None:
    window.desk.commands.fill("file.new.*")
    window.desk.commands.run("file.new.recsys")


def make_map(qtbot, window) -> None:
    ask_for_new_map(window)
    qtbot.waitUntil(lambda: window.desk.document.battlemap.system.name == "recsys")
    wait_until_idle(qtbot, window)
    assert window.desk.document.battlemap.source_layer is not None


def roll_again(qtbot, window) -> None:
    steps = len(window.desk.document.history.steps)
    window.desk.commands.run("script.roll")
    qtbot.waitUntil(lambda: len(window.desk.document.history.steps) > steps)


@pytest.mark.parametrize("step", STEPS_OF_A_NEW_MAP)
def test_after_a_fault_while_a_new_map_is_rolled_one_is_rolled_saved_and_left(
    window, qtbot, hand, break_once, tmp_path, step
):
    window.desk.docks.show("randomize")
    told = hand.expect(FAULT).press("Close")
    break_once(step)
    ask_for_new_map(window)
    wait_for_fault(qtbot, window, told)
    wait_until_idle(qtbot, window)
    assert not window.desk.rolling.busy
    assert not window.desk.rolling.loading
    make_map(qtbot, window)
    roll_again(qtbot, window)
    save_and_quit(qtbot, window, hand, tmp_path / "saved.battlemap")


@pytest.mark.parametrize("step", STEPS_OF_LOADING)
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
