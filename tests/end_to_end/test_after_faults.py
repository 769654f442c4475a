"""A fault while a file is opened, replaced or written, or while the window closes, is told once,
and afterwards the program works on. (Each step of saving: ``test_faults_while_saving``.)
"""

from __future__ import annotations

import pytest

from app.background.actions import run
from app.fault_log import LOG
from randomizer.model.edits.record_edits import change_record
from randomizer.model.grid.layouts import FLAT
from randomizer.storage.files.project import PROJECT
from randomizer.systems.free.system import free_map
from randomizer.systems.xconq.records import PERIOD
from tests.app.saves import finished
from tests.end_to_end.test_answers import PERIOD_TEXT
from tests.end_to_end.test_faults_while_saving import FAULT, save_and_quit, wait_for_fault
from tests.end_to_end.test_loss_question import QUESTION, open_map  # noqa: F401 - a fixture

pytestmark = pytest.mark.usefixtures("told_faults")

WRITER = "app.features.files.map_writer"


@pytest.fixture
def journals(tmp_path):
    return tmp_path / "journals"


@pytest.fixture
def projects(tmp_path):
    """Four files of maps."""
    paths = [tmp_path / f"{name}.battlemap" for name in "abcd"]
    for path in paths:
        path.write_bytes(PROJECT.write(free_map(FLAT, 3, 3)))
    return paths


def wait_until_idle(window, qtbot) -> None:
    """Wait until no file is being written."""
    finished(window.desk.files.saving.idle())


@pytest.mark.deep  # test_faults_while_opening has one of them
@pytest.mark.parametrize(
    "step",
    [
        "app.features.files.map_reader.MapReader.read",
        "app.document.document.MapDocument.show_map",
    ],
)
def test_a_fault_while_a_file_opens_keeps_no_other_from_opening(
    window, qtbot, hand, break_once, projects, step
):
    document = window.desk.document
    told = hand.expect(FAULT).press("Close")
    break_once(step)
    window.desk.files.open_paths(projects[:2])
    qtbot.waitUntil(lambda: document.path == projects[1])
    qtbot.waitUntil(lambda: told.has_come)
    assert [fault.count for fault in LOG.faults] == [1]
    assert told.text.count("ForcedError") == 1
    for path in (projects[0], projects[2]):
        window.desk.files.open_path(path)
        qtbot.waitUntil(lambda path=path: document.path == path)


@pytest.mark.usefixtures("open_map")
def test_a_file_that_fails_to_be_written_is_told_as_one_problem(
    window, qtbot, hand, break_once, tmp_path
):
    hand.expect("Save map as").type_path(tmp_path / "x.map")
    told = hand.expect(FAULT).press("Close")
    break_once(f"{WRITER}.write_map")
    window.desk.commands.run("file.save-as")
    qtbot.waitUntil(lambda: told.has_come)
    wait_until_idle(window, qtbot)
    assert told.text.startswith("Cannot save x.map\n")
    assert told.text.count("ForcedError") == 1
    save_and_quit(qtbot, window, hand, tmp_path / "y.map")


@pytest.mark.deep
@pytest.mark.usefixtures("open_map")
def test_a_fault_in_telling_why_nothing_was_written_keeps_nobody_from_saving(
    window, qtbot, hand, break_once, tmp_path
):
    path = tmp_path / "x.map"
    window.desk.document.set_path(path)
    path.mkdir()
    hand.expect(QUESTION).press("Write x.map")
    told = hand.expect(FAULT).press("Close")
    break_once(f"{WRITER}.show_problems")
    run(window.desk.files.saving.save_to(path))
    wait_for_fault(qtbot, window, told)
    save_and_quit(qtbot, window, hand, tmp_path / "y.map")


@pytest.mark.deep
def test_a_fault_in_the_question_about_a_file_beside_the_map_keeps_nobody_from_saving(
    window, qtbot, hand, break_once, tmp_path
):
    beside = tmp_path / "p.per"
    beside.write_text(PERIOD_TEXT)
    path = tmp_path / "a.map"
    path.write_text("Xconq 1 --+--- m\np.per\nMap 3 3 0 1 0\n3.\n3.\n3.\n")
    document = window.desk.document
    window.desk.files.open_path(path)
    qtbot.waitUntil(lambda: document.path == path)
    document.current_map.flat = True
    mine = f"{PERIOD_TEXT}; mine\n"
    document.push(change_record(document.battlemap, PERIOD, mine), "Change")
    told = hand.expect(FAULT).press("Close")
    break_once(f"{WRITER}.choose")
    window.desk.commands.run("file.save")
    wait_for_fault(qtbot, window, told)
    assert beside.read_text() == PERIOD_TEXT
    hand.expect("Replace what is beside the map?").press("Replace it")
    window.desk.commands.run("file.save")
    wait_until_idle(window, qtbot)
    assert beside.read_text() == mine
    window.close()
    qtbot.waitUntil(lambda: not window.isVisible())


@pytest.mark.parametrize(
    "step",
    [
        "app.document.autosave.Autosave.end",
        pytest.param("app.scripts.script_drafts.ScriptDrafts.end", marks=pytest.mark.deep),
        pytest.param("app.desk.dock_room.DockRoom.bring_back", marks=pytest.mark.deep),
        pytest.param("app.settings.Settings.mark_places_restored", marks=pytest.mark.deep),
    ],
)
def test_a_fault_while_the_window_closes_does_not_keep_it_open(
    window, qtbot, hand, break_once, step
):
    told = hand.expect(FAULT).press("Close")
    break_once(step)
    assert window.close()
    qtbot.waitUntil(lambda: told.has_come)
    assert not window.isVisible()
    assert told.text.count("ForcedError") == 1
