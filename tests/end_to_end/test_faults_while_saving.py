"""A fault at any step of saving or quitting is told, and afterwards saving and quitting work."""

from __future__ import annotations

import pytest

from app.background.actions import run
from app.fault_log import LOG
from tests.app.saves import finished
from tests.daily import deep_but_last
from tests.end_to_end.test_loss_question import QUESTION, open_map  # noqa: F401 - a fixture

SAVING = "app.features.files.saving"
TARGET = "app.features.files.target_choice.TargetChoice"
WRITER = "app.features.files.map_writer"
FAULT = "Battlelands Builder"
PATH_DIALOG = "Save map as"

STEPS = {
    f"{SAVING}.Saving._save_as": (),
    f"{TARGET}._ask_path": (),
    "app.settings.Settings.add_recent": (PATH_DIALOG, QUESTION),
    "app.desk.questions.Questions.may_write": (PATH_DIALOG,),
    f"{SAVING}.Saving._save_to": (PATH_DIALOG,),
    "app.scripts.map_script.MapScript.commit": (PATH_DIALOG,),
    "app.document.document.MapDocument.cancel_stroke": (PATH_DIALOG,),
    "app.document.undo_history.UndoHistory.end_merging": (PATH_DIALOG,),
    f"{WRITER}.stored_viewport": (PATH_DIALOG,),
    f"{WRITER}.Job": (PATH_DIALOG,),
    f"{WRITER}.MapWriter._ask_about_losses": (PATH_DIALOG,),
    f"{WRITER}.choose_with_check_box": (PATH_DIALOG,),
    "app.document.document.MapDocument.set_path": (PATH_DIALOG, QUESTION),
}
"""The steps of saving a map that loses something, with the dialogs that come before each."""

STEPS_BEFORE_QUITTING = (
    "app.features.files.closing.Closing._commit_typing_and_cancel_stroke",
    "app.features.files.closing.commit_typed_value",
    "app.scripts.map_script.MapScript.commit",
    "app.document.document.MapDocument.cancel_stroke",
)
"""The steps that quitting takes before it asks anything."""


def answer(hand, titles, path) -> None:
    for title in titles:
        dialog = hand.expect(title)
        if title == PATH_DIALOG:
            dialog.type_path(path)
        else:
            dialog.press(f"Write {path.name}")


def wait_for_fault(qtbot, window, told) -> None:
    """Wait until a fault is told, and nothing is being written."""
    qtbot.waitUntil(lambda: told.has_come)
    finished(window.desk.files.saving.idle())
    assert [fault.count for fault in LOG.faults] == [1]


def save_and_quit(qtbot, window, hand, path) -> None:
    """Save the map to a new file and quit, by the commands of the program."""
    answer(hand, (PATH_DIALOG, QUESTION), path)
    window.desk.commands.action("file.save-as").trigger()
    qtbot.waitUntil(lambda: not window.desk.document.modified and path.exists())
    window.close()
    qtbot.waitUntil(lambda: not window.isVisible())


@pytest.mark.usefixtures("open_map", "told_faults")
@pytest.mark.parametrize("step", deep_but_last(STEPS))
def test_after_a_fault_while_saving_maps_are_saved_and_left(
    window, qtbot, hand, break_once, tmp_path, step
):
    answer(hand, STEPS[step], tmp_path / "x.map")
    told = hand.expect(FAULT).press("Close")
    break_once(step)
    window.desk.commands.action("file.save-as").trigger()
    wait_for_fault(qtbot, window, told)
    save_and_quit(qtbot, window, hand, tmp_path / "y.map")


@pytest.mark.deep
@pytest.mark.usefixtures("open_map", "told_faults")
@pytest.mark.parametrize("step", deep_but_last([*STEPS_BEFORE_QUITTING, *STEPS]))
def test_after_a_fault_while_quitting_maps_are_saved_and_left(
    window, qtbot, hand, break_once, tmp_path, step
):
    if step not in STEPS_BEFORE_QUITTING:
        hand.expect("Unsaved changes").press("Save")
        answer(hand, STEPS[step], tmp_path / "x.map")
    told = hand.expect(FAULT).press("Close")
    break_once(step)
    window.close()
    wait_for_fault(qtbot, window, told)
    assert window.isVisible()
    save_and_quit(qtbot, window, hand, tmp_path / "y.map")


@pytest.mark.usefixtures("told_faults")
def test_a_fault_while_the_window_is_remembered_does_not_keep_it_open(
    window, qtbot, hand, break_once
):
    hand.expect(FAULT).press("Close")
    break_once("app.window_positions.WindowPositions.store")
    window.close()
    qtbot.waitUntil(lambda: not window.isVisible())
    assert len(LOG.faults) == 1


@pytest.mark.deep
@pytest.mark.usefixtures("open_map", "told_faults")
def test_what_waits_for_a_file_has_its_turn_though_others_fail(window, qtbot, hand, tmp_path):
    path = tmp_path / "x.map"
    answer(hand, (QUESTION,), path)
    told = hand.expect(FAULT).press("Close")
    saving = window.desk.files.saving
    calls: list[str] = []

    async def save_and_fail() -> None:
        await saving.save_to(path)
        calls.append("saved")
        raise RuntimeError

    async def wait_and_fail() -> None:
        await saving.idle()
        calls.append("waited")
        raise RuntimeError

    async def wait() -> None:
        await saving.idle()
        calls.append("last")

    for action in (save_and_fail, wait_and_fail, wait):
        run(action())
    qtbot.waitUntil(lambda: len(calls) == 3)
    assert calls == ["saved", "waited", "last"]
    qtbot.waitUntil(lambda: told.has_come)
    save_and_quit(qtbot, window, hand, tmp_path / "y.map")
