"""A fault at any step of a question about a script or a mapfile is told once; afterwards the same
action, saving and quitting work.
"""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from app.document.map_files import new_map
from randomizer.systems.colossus.system import SYSTEM as BATTLELAND
from randomizer.systems.xconq.system import SYSTEM as WORLD
from tests.daily import deep_but_last
from tests.end_to_end.test_faults_while_saving import FAULT, wait_for_fault

pytestmark = pytest.mark.usefixtures("told_faults")

FILES = "app.scripts.script_files"
UNSAVED_SCRIPT = "Unsaved script"
SAVE_SCRIPT = "Save script"
OPEN_SCRIPT = "Open script"
SECTIONS = "What is saved"

STEPS_OF_SAVING = {
    f"{FILES}.ask": (),
    f"{FILES}.ScriptFiles._save": (UNSAVED_SCRIPT,),
    f"{FILES}.choose_file_to_write": (UNSAVED_SCRIPT,),
    f"{FILES}.ScriptFiles._save_to": (UNSAVED_SCRIPT, SAVE_SCRIPT),
    f"{FILES}.save_script": (UNSAVED_SCRIPT, SAVE_SCRIPT),
    "app.settings.Settings.add_recent": (UNSAVED_SCRIPT, SAVE_SCRIPT),
}
"""The steps of saving a script that another one, or nothing, follows, with the dialogs before."""

STEPS_OF_QUITTING = {
    "app.desk.questions.Questions.may_close": (),
    "app.scripts.unsaved_scripts.UnsavedScripts._ask_before_leaving": (),
    "app.rolling.rolling.Rolling.cancel": (),
    **STEPS_OF_SAVING,
}
STEPS_OF_OPENING = {
    "app.scripts.script_opening.ScriptOpening.ask_open": (),
    f"{FILES}.choose_file": (),
    f"{FILES}.read_script_file": (OPEN_SCRIPT,),
    "app.scripts.unsaved_scripts.UnsavedScripts.ask_before_replacing": (OPEN_SCRIPT,),
    "app.scripts.shown_script.ShownScript.show_script": (OPEN_SCRIPT, UNSAVED_SCRIPT, SAVE_SCRIPT),
    **{step: (OPEN_SCRIPT, *titles) for step, titles in STEPS_OF_SAVING.items()},
}
STEPS_OF_CLOSING = {
    "app.scripts.unsaved_scripts.UnsavedScripts.ask_before_closing": (),
    "app.document.document.MapDocument.close_map": (UNSAVED_SCRIPT, SAVE_SCRIPT),
    **STEPS_OF_SAVING,
}


@pytest.fixture
def scripts(window):
    """The scripts of the window, the current one with edits that are in no file.

    The map does not follow them: it would be changed, too, and asked about.
    """
    window.desk.scripts.follower.set_enabled(False)
    window.desk.scripts.text.replace("TOWER\n")
    window.desk.scripts.text.setModified(True)
    assert window.desk.scripts.current.unsaved
    return window.desk.scripts


@pytest.fixture
def bog(tmp_path):
    path = tmp_path / "Bog.rnd"
    path.write_text("AREA (inside) HAZARDS Bog\n")
    return path


def expect(hand, titles, *, saved, opened=None) -> None:
    """Expect the dialogs with these titles: the script is saved as ``saved``."""
    for title in titles:
        dialog = hand.expect(title)
        if title == UNSAVED_SCRIPT:
            dialog.press("Save")
        else:
            dialog.type_path(saved if title == SAVE_SCRIPT else opened)


def titles_left(scripts) -> tuple[str, ...]:
    """The questions that come again: none about a script that the fault came too late for."""
    return (UNSAVED_SCRIPT, SAVE_SCRIPT) if scripts.current.unsaved else ()


def quit_program(qtbot, window) -> None:
    window.close()
    qtbot.waitUntil(lambda: not window.isVisible())


@pytest.mark.parametrize("step", deep_but_last(STEPS_OF_QUITTING))
def test_after_a_fault_while_quitting_with_an_unsaved_script_it_is_saved_and_left(
    window, qtbot, hand, break_once, tmp_path, scripts, step
):
    expect(hand, STEPS_OF_QUITTING[step], saved=tmp_path / "Mine.rnd")
    told = hand.expect(FAULT).press("Close")
    break_once(step)
    window.close()
    wait_for_fault(qtbot, window, told)
    assert window.isVisible()
    expected = titles_left(scripts)
    expect(hand, expected, saved=tmp_path / "Again.rnd")
    quit_program(qtbot, window)
    assert (tmp_path / ("Again.rnd" if expected else "Mine.rnd")).read_text() == "TOWER\n"


@pytest.mark.deep
@pytest.mark.parametrize("step", deep_but_last(STEPS_OF_OPENING))
def test_after_a_fault_while_a_script_is_opened_over_edits_it_opens(
    window, qtbot, hand, break_once, tmp_path, scripts, bog, step
):
    window.desk.docks.show("randomize")
    expect(hand, STEPS_OF_OPENING[step], saved=tmp_path / "Mine.rnd", opened=bog)
    told = hand.expect(FAULT).press("Close")
    break_once(step)
    window.desk.commands.run("script.open")
    wait_for_fault(qtbot, window, told)
    assert scripts.text.text() == "TOWER\n"
    titles = (OPEN_SCRIPT, *titles_left(scripts))
    expect(hand, titles, saved=tmp_path / "Again.rnd", opened=bog)
    window.desk.commands.run("script.open")
    qtbot.waitUntil(lambda: scripts.script.path == bog)
    quit_program(qtbot, window)


@pytest.mark.parametrize("step", deep_but_last(STEPS_OF_CLOSING))
def test_after_a_fault_while_a_map_with_an_unsaved_script_is_closed_it_closes(
    window, qtbot, hand, break_once, tmp_path, scripts, bog, step
):
    document = window.desk.document
    first = document.current_map
    document.open_map(new_map(WORLD))  # shows another script
    document.make_current(first)
    expect(hand, STEPS_OF_CLOSING[step], saved=tmp_path / "Mine.rnd")
    told = hand.expect(FAULT).press("Close")
    break_once(step)
    window.desk.commands.run("file.close-map")
    wait_for_fault(qtbot, window, told)
    assert first in document.maps
    expect(hand, titles_left(scripts), saved=tmp_path / "Again.rnd")
    window.desk.commands.run("file.close-map")
    qtbot.waitUntil(lambda: first not in document.maps)
    quit_program(qtbot, window)


@pytest.mark.deep
@pytest.mark.parametrize("step", deep_but_last(["SaveDialog", "answer", "details_of"]))
def test_after_a_fault_in_the_question_about_sections_mapfiles_are_saved(
    window, qtbot, hand, break_once, tmp_path, step
):
    window.desk.document.replace_map(new_map(WORLD))
    path = tmp_path / "a.map"
    hand.expect("Save map as").type_path(path, "Xconq")
    told = hand.expect(FAULT).press("Close")
    break_once(f"app.systems.xconq.map.save_dialog.{step}")
    window.desk.commands.run("file.save-as")
    wait_for_fault(qtbot, window, told)
    assert not path.exists()
    hand.expect("Save map as").type_path(path, "Xconq")
    hand.expect(SECTIONS).press("Save")
    window.desk.commands.run("file.save-as")
    qtbot.waitUntil(lambda: window.desk.document.path == path)
    quit_program(qtbot, window)


@pytest.mark.deep
def test_a_script_that_was_asked_about_comes_into_its_own_map(
    window, qtbot, hand, tmp_path, scripts, bog
):
    """Another map becomes current while the question is shown."""
    document = window.desk.document
    first = document.current_map
    window.desk.docks.show("randomize")
    hand.expect(OPEN_SCRIPT).type_path(bog)
    question = hand.expect(UNSAVED_SCRIPT)
    question.do(lambda _dialog: document.open_map(new_map(WORLD))).press("Discard")
    window.desk.commands.run("script.open")
    qtbot.waitUntil(lambda: scripts.script.path == bog)
    assert document.current_map is first
    assert document.battlemap.system is BATTLELAND
    quit_program(qtbot, window)


@pytest.mark.parametrize("button", [pytest.param("Save", marks=pytest.mark.deep), "Discard"])
def test_nothing_is_saved_or_opened_for_a_map_that_is_closed_during_the_question(
    window, qtbot, hand, tmp_path, scripts, bog, button
):
    document = window.desk.document
    first = document.current_map
    document.open_map(new_map(WORLD))
    document.make_current(first)
    window.desk.docks.show("randomize")
    hand.expect(OPEN_SCRIPT).type_path(bog)
    question = hand.expect(UNSAVED_SCRIPT)
    question.do(lambda _dialog: document.close_map(first)).press(button)
    window.desk.commands.run("script.open")
    qtbot.waitUntil(lambda: question.has_come and QApplication.activeModalWidget() is None)
    qtbot.wait(50)
    assert len(document.maps) == 1
    assert scripts.script.path is None
    quit_program(qtbot, window)
