"""The desk after a crash: the maps are offered, restored with their steps, deleted or left."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from hashlib import sha256

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QApplication, QLabel

from app.background.actions import run
from app.desk.fault_dialogs import Faults
from app.document.autosave import Autosave
from app.document.document import MapDocument
from app.document.sample import sample_map
from app.fault_log import LOG
from app.features.files.controller import FilesController
from app.features.recovery.dialog import DAMAGED_WORDS, THUMBNAIL, RecoveryDialog
from app.features.recovery.feature import Recovery
from app.render.thumbnails.map_thumbnails import MapThumbnails
from app.settings import Settings
from app.widgets.dialogs.problem_dialog import ProblemDialog
from app.window import MainWindow
from randomizer.catalog.catalog import SYSTEMS
from randomizer.model.edits.value_edits import set_values
from randomizer.model.problems import error
from randomizer.storage.journal.journal import Journal
from randomizer.storage.journal.journal_database import STEPS
from randomizer.storage.journal.quarantine import QUARANTINE
from randomizer.storage.journal.recoverable_journals import leftovers
from tests.app.conftest import opened, wait_for_actions
from tests.daily import deep_but, deep_but_last
from tests.randomizer.map_strategies import contents
from tests.ui_work import UiWork

DRIVEN_DIALOGS = (ProblemDialog, RecoveryDialog)

CRASHING = """
import os, sys
from pathlib import Path
from PySide6.QtWidgets import QApplication
from app.document.document import MapDocument
from app.document.autosave import Autosave
from app.document.sample import sample_map
from randomizer.model.edits.value_edits import set_values
application = QApplication([])
document = MapDocument(sample_map())
autosave = Autosave(document, Path(sys.argv[1]))
for number in range(2):
    for cell in (15, 16, 17):
        edit = set_values(document.battlemap, 2, "terrain", [cell], 3 + number)
        assert document.push(edit, f"Paint {cell}")
    document.undo()
    document.open_map(sample_map())
os.write(1, b"done")
if sys.argv[2] == "crash":
    os._exit(1)
sys.stdin.read()
"""


ALL_SYSTEMS = """
import os, sys
from pathlib import Path
from PySide6.QtWidgets import QApplication
from app.document.autosave import Autosave
from app.document.document import MapDocument
from app.document.map_files import new_map
from app.document.sample import sample_map
from randomizer.catalog.catalog import SYSTEMS
from randomizer.catalog.systems import system_named
from randomizer.model.edits.stack_edits import LayerField, LayerInsert
from randomizer.model.edits.value_edits import set_values
from randomizer.model.map.layer import Layer
application = QApplication([])
document = MapDocument(sample_map())
autosave = Autosave(document, Path(sys.argv[1]))
for entry in SYSTEMS:
    battlemap = new_map(system_named(entry.split(".")[2]))
    document.open_map(battlemap)
    cells = range(battlemap.grid.size)
    name = battlemap.system.terrain.name
    document.push(LayerInsert(len(battlemap.layers), Layer(77, "Top")), "Add a layer")
    document.push(set_values(battlemap, 77, name, cells, 1), "Fill")
    document.push(set_values(battlemap, 77, name, cells[::2], 2), "Paint")
    document.push(LayerField(77, "visible", True, False), "Hide")
    document.undo()
    document.undo()
os.write(1, b"done")
os._exit(1)
"""


def session(folder, end, program=CRASHING):
    """Another desk; that of CRASHING has two maps, two steps done and one undone in each."""
    return subprocess.Popen(
        [sys.executable, "-c", program, str(folder), end],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )


@pytest.fixture
def journals(tmp_path):
    return tmp_path / "journals"


@pytest.fixture
def crashed(journals):
    with session(journals, "crash") as other:
        assert other.communicate()[0] == b"done"


@pytest.fixture
def start(qtbot, tmp_path, journals):
    """Starts the desk as ``battlelands`` does; the window when all its panels are there."""

    def started():
        settings = Settings(QSettings(str(tmp_path / "set.ini"), QSettings.Format.IniFormat))
        window = MainWindow(MapDocument(sample_map()), settings, journals)
        qtbot.addWidget(window, before_close_func=discard_all)
        with qtbot.waitSignal(window.desk.ready):
            window.show()
        qtbot.waitUntil(lambda: not window.desk.rolling.busy)
        qtbot.waitUntil(lambda: not window.findChild(Recovery).busy)
        return window

    return started


def discard_all(window):
    for open_map in window.desk.document.maps:
        open_map.history.mark_clean()
        open_map.rolled = False


def offered(window):
    return window.findChild(RecoveryDialog)


def read(qtbot, dialog):
    qtbot.waitUntil(lambda: not dialog.busy)
    return dialog


def rows(dialog):
    return [dialog.maps.topLevelItem(row) for row in range(dialog.maps.topLevelItemCount())]


def test_after_a_crash_the_maps_come_back_with_their_steps_and_closed_they_are_not_offered_again(
    qtbot, crashed, start, journals
):
    with UiWork() as work:
        window = start()
        dialog = read(qtbot, offered(window))
    assert work.where(Journal.restore_map) == {"job"}
    assert [row.text(2) for row in rows(dialog)] == ["3", "3"]
    dialog.restore_button.click()
    assert len(window.desk.document.maps) == 2  # the untouched sample made way
    document = window.desk.document
    history = document.history
    assert (history.index, len(history.steps)) == (2, 3)
    assert window.desk.document.modified
    assert window.isWindowModified()
    document.go_to(0)
    assert contents(window.desk.document.battlemap) == contents(sample_map())
    document.go_to(3)
    assert window.desk.document.composite.planes["terrain"].flat[17] == 4
    discard_all(window)
    window.close()
    assert list(journals.iterdir()) == []


SAVING = """
import os, sys
from pathlib import Path
from PySide6.QtWidgets import QApplication
from PySide6.QtCore import QSettings
from app.background.actions import run
from app.document.document import MapDocument
from app.document.sample import sample_map
from app.features.files.saving import Saving
from app.settings import Settings
from app.window import MainWindow
from randomizer.model.edits.value_edits import set_values
folder = Path(sys.argv[1])
application = QApplication(["battlelands", "-platform", "offscreen"])
settings = Settings(QSettings(str(folder / "other.ini"), QSettings.Format.IniFormat))
window = MainWindow(MapDocument(sample_map()), settings, folder)
document = window.desk.document

def paint(count):
    for cell in range(10, 10 + count):
        edit = set_values(document.battlemap, 2, "terrain", [cell], 3 + count)
        assert document.push(edit, "Paint")

async def save_and_die():
    paint(2)
    await window.findChild(Saving).save_to(folder.parent / "campaign.battlemap")
    paint(int(sys.argv[2]))
    os.write(1, b"done")
    os._exit(1)

window.desk.ready.connect(lambda: run(save_and_die()))
window.show()
application.exec()
"""


@pytest.mark.deep  # a window in another process
@pytest.mark.parametrize(
    ("count", "message", "again"),
    [
        (0, "Restored campaign.battlemap as saved.", "campaign.battlemap is open already."),
        (
            3,
            "Restored campaign.battlemap with 3 changes that were not saved; Undo takes them back.",
            "campaign.battlemap is open already, with changes that are not saved.",
        ),
    ],
)
def test_it_is_said_which_changes_of_a_killed_session_were_restored(
    qtbot, start, journals, tmp_path, count, message, again
):
    with session(journals, str(count), SAVING) as other:
        assert other.communicate()[0] == b"done"
    window = start()
    document = window.desk.document
    read(qtbot, offered(window)).restore_button.click()
    assert window.statusBar().currentMessage() == message
    assert window.isWindowModified() == (count > 0)
    window.findChild(FilesController).open_path(tmp_path / "campaign.battlemap")
    qtbot.waitUntil(lambda: window.statusBar().currentMessage() == again)
    for _ in range(count):
        document.undo()
    assert not window.isWindowModified(), "it is as in the file again"


@pytest.mark.deep
@pytest.mark.parametrize("answer", ["restore_button", "later_button"])
def test_the_map_has_the_focus_after_the_question(qtbot, crashed, start, answer):
    window = start()
    dialog = read(qtbot, offered(window))
    getattr(dialog, answer).click()
    qtbot.waitUntil(lambda: offered(window) is None)
    window.activateWindow()  # as a window manager does when a dialog has gone
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.waitUntil(lambda: QApplication.focusWidget() is window.desk.canvas)


def pictures(window, maps):
    """Thumbnails of maps, drawn as the dialog draws its own."""
    renderer = window.desk.renderer
    drawn = MapThumbnails(THUMBNAIL, renderer)
    for number, each in enumerate(maps):
        drawn.request(number, each)
    while drawn.waiting:
        drawn.draw_some()
    return [drawn.cached(number).toImage() for number in range(len(maps))]


@pytest.mark.deep
def test_the_pictures_are_those_of_what_is_restored(qtbot, start, journals):
    with session(journals, "crash", ALL_SYSTEMS) as other:
        assert other.communicate()[0] == b"done"
    window = start()
    dialog = read(qtbot, offered(window))
    cached = dialog.thumbnails.cached
    names = [row.journal.folder.name for row in dialog.map_rows]
    qtbot.waitUntil(lambda: all(cached(name) is not None for name in names))
    shown = [cached(name).toImage() for name in names]
    assert len(shown) == len(SYSTEMS)
    after_all_steps = pictures(window, [row.battlemap for row in dialog.map_rows])
    dialog.restore_button.click()
    maps = [each.battlemap for each in reversed(window.desk.document.maps)]
    assert len(maps) == len(SYSTEMS)
    assert shown == pictures(window, maps)
    assert all(one != all_ for one, all_ in zip(shown, after_all_steps, strict=True))


def test_later_is_later(qtbot, crashed, start):
    window = start()
    dialog = read(qtbot, offered(window))
    dialog.later_button.click()
    dialog.wait_for_readers()
    qtbot.waitUntil(lambda: offered(window) is None)
    assert len(window.desk.document.maps) == 1
    assert window.desk.commands.path("file.recover-maps") == "File > Bring back > Recover maps"
    window.desk.commands.run("file.recover-maps")
    qtbot.waitUntil(lambda: offered(window) is not None)
    assert len(rows(read(qtbot, offered(window)))) == 2
    offered(window).reject()


@pytest.mark.deep
@pytest.mark.parametrize("way", ["Escape", "cross"])
def test_who_gives_no_answer_is_asked_again_later(qtbot, crashed, start, way):
    window = start()
    dialog = read(qtbot, offered(window))
    if way == "Escape":
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    else:
        dialog.close()
    # The pictures of what is offered are drawn, so that nothing waits.
    dialog.wait_for_readers()
    qtbot.waitUntil(lambda: offered(window) is None)
    assert len(window.desk.document.maps) == 1
    window.desk.commands.run("file.recover-maps")
    qtbot.waitUntil(lambda: offered(window) is not None)
    assert len(rows(read(qtbot, offered(window)))) == 2
    offered(window).reject()


@pytest.mark.deep
def test_one_is_restored_and_the_other_stays(qtbot, crashed, start):
    window = start()
    dialog = read(qtbot, offered(window))
    rows(dialog)[0].setSelected(False)
    dialog.restore_button.click()
    assert len(window.desk.document.maps) == 1
    dialog.wait_for_readers()
    run(window.findChild(Recovery).look_on_request())
    qtbot.waitUntil(
        lambda: any(each.isVisible() for each in window.findChildren(RecoveryDialog)),
    )
    again = [each for each in window.findChildren(RecoveryDialog) if each.isVisible()][-1]
    assert len(rows(read(qtbot, again))) == 1
    again.reject()


@pytest.mark.parametrize("answer", deep_but(["Yes", "Cancel"], "Yes"))
def test_deleting_is_asked(qtbot, crashed, start, journals, hand, answer):
    window = start()
    dialog = read(qtbot, offered(window))
    question = hand.expect("Delete for good").press(answer)
    rows(dialog)[1].setSelected(False)
    dialog.delete_button.click()
    deleted = answer == "Yes"
    qtbot.waitUntil(lambda: question.has_come and QApplication.activeModalWidget() is dialog)
    qtbot.waitUntil(lambda: len(rows(dialog)) == 2 - deleted)
    dialog.reject()
    dialog.wait_for_readers()
    left, problems = leftovers(journals)
    assert (len(left), problems) == (2 - deleted, [])
    for journal in left:
        journal.close()


def test_nothing_left_over_is_said_only_if_it_was_asked(qtbot, start):
    window = start()
    assert offered(window) is None
    assert window.statusBar().currentMessage() == ""
    run(window.findChild(Recovery).look_on_request())
    qtbot.waitUntil(lambda: "nothing to recover" in window.statusBar().currentMessage())


@pytest.mark.deep
def test_a_damaged_map_is_told_and_the_other_can_be_restored(qtbot, crashed, start, journals):
    base = min(journals.glob("*/base-*"))
    data = base.read_bytes()[:-5]
    base.write_bytes(data)
    with closing(sqlite3.connect(base.with_name(STEPS), isolation_level=None)) as database:
        database.execute("UPDATE base SET digest = ?", (sha256(data).digest(),))
    window = start()
    dialog = read(qtbot, offered(window))
    assert "damaged" in dialog.status.text
    assert sum(row.isDisabled() for row in rows(dialog)) == 1
    assert len(list((journals / QUARANTINE).iterdir())) == 1
    dialog.restore_button.click()
    assert len(window.desk.document.history.steps) == 3


def test_a_desk_that_runs_is_not_robbed(qtbot, start, journals):
    with session(journals, "wait") as other:
        assert other.stdout.read(4) == b"done"
        window = start()
        assert offered(window) is None
        run(window.findChild(Recovery).look_on_request())
        qtbot.waitUntil(lambda: "nothing to recover" in window.statusBar().currentMessage())
        other.kill()
        other.communicate()
    run(window.findChild(Recovery).look_on_request())
    qtbot.waitUntil(lambda: offered(window) is not None)
    read(qtbot, offered(window)).reject()


def test_two_desks_in_one_program_do_not_rob_each_other(qtbot, start, qapp, journals):
    document = MapDocument(sample_map())
    autosave = Autosave(document, journals)
    document.push(set_values(document.battlemap, 2, "terrain", [15], 3), "Paint")
    assert offered(start()) is None
    autosave.end()


def no_second_step(folder):
    with closing(sqlite3.connect(folder / STEPS)) as database:
        database.execute("DELETE FROM steps WHERE number = 2")
        database.commit()


def no_steps(folder):
    (folder / "steps.sqlite").unlink()


def flip_log(folder, bit):
    log = folder / f"{STEPS}-wal"
    data = bytearray(log.read_bytes())
    data[bit // 8] ^= 1 << bit % 8
    log.write_bytes(data)


def flipped_log_header(folder):
    flip_log(folder, 8 * 17)


def flipped_frame(folder):
    flip_log(folder, 8 * (32 + 4120 + 24 + 4000))


def shortened_log(folder):
    log = folder / f"{STEPS}-wal"
    log.write_bytes(log.read_bytes()[: 32 + 4120])


@pytest.mark.parametrize(
    ("harm", "words", "steps"),
    deep_but(
        [
            (flipped_log_header, "all its changes are whole, a file of it is not", 3),
            (flipped_frame, "all its changes are whole, a file of it is not", 3),
            (shortened_log, "the last 3 changes, undoing and redoing counted, are lost", 1),
            (no_second_step, "its changes from number 2 of 3 on", 1),
            (no_steps, "its changes cannot be read", 0),
        ],
        (no_second_step, "its changes from number 2 of 3 on", 1),
    ),
)
def test_what_a_damaged_journal_has_lost_is_said_and_the_rest_comes_back_with_the_others(
    qtbot, crashed, start, journals, harm, words, steps
):
    folder = min(journals.iterdir())
    harm(folder)
    window = start()
    (told,) = window.findChildren(ProblemDialog)
    assert words in told.text.toPlainText()
    assert str(journals / QUARANTINE / folder.name) in told.text.toPlainText()
    told.reject()
    dialog = read(qtbot, offered(window))
    assert sorted(row.text(2) for row in rows(dialog)) == sorted([str(steps), "3"])
    assert [row.text(0).endswith("(damaged)") for row in rows(dialog)].count(True) == 1
    assert dialog.findChildren(QLabel)[0].text() == DAMAGED_WORDS
    dialog.restore_button.click()
    maps = window.desk.document.maps
    assert sorted(len(each.history.steps) for each in maps) == sorted([steps, 3])
    assert not any(each.history.is_clean for each in maps)
    assert (journals / QUARANTINE / folder.name / "lock").exists()


@pytest.mark.deep
def test_one_map_that_cannot_be_restored_keeps_no_other_from_it(qtbot, crashed, start, monkeypatch):
    window = start()
    dialog = read(qtbot, offered(window))
    steps = Journal.steps_without_edits
    refused = []

    def failing(journal):
        if not refused:
            refused.append(journal)
            raise error("damaged-journal", "this journal is damaged: it has gone")
        return steps(journal)

    # A forced fault: one of two journals is unreadable.
    monkeypatch.setattr(Journal, "steps_without_edits", failing)
    dialog.restore_button.click()
    assert len(rows(dialog)) == 1
    assert "it has gone" in dialog.status.text
    assert len(window.desk.document.history.steps) == 3
    dialog.restore_button.click()
    assert len(window.desk.document.maps) == 2


STEPS_OF_RECOVERING = {
    "app.features.recovery.feature.Job": "look",
    "app.features.recovery.feature.Recovery._offer": "look",
    "app.document.autosave.Autosave.restore": "restore",
    "app.features.recovery.dialog.ask": "delete",
    "randomizer.storage.journal.journal.Journal.delete": "delete",
}
"""The steps of offering, restoring and deleting maps, with the action that each belongs to."""


@pytest.mark.deep
@pytest.mark.parametrize("step", deep_but_last(STEPS_OF_RECOVERING))
def test_after_a_fault_while_maps_are_recovered_they_are_restored_saved_and_left(
    qtbot, crashed, start, hand, break_once, tmp_path, step
):
    window = start()
    LOG.clear()
    faults = Faults(window, window.desk.say)
    faults.install()
    hand.hold(ProblemDialog)
    act = STEPS_OF_RECOVERING[step]
    dialog = read(qtbot, offered(window))
    if act == "look":
        dialog.reject()
        qtbot.waitUntil(lambda: offered(window) is None)
        break_once(step)
        window.desk.commands.run("file.recover-maps")
    else:
        rows(dialog)[1].setSelected(False)
        break_once(step)
        if act == "restore":
            dialog.restore_button.click()
        else:
            if not step.endswith(".ask"):
                hand.expect("Delete for good").press("Yes")
            dialog.delete_button.click()
    told = opened(window, qtbot, ProblemDialog)
    wait_for_actions(qtbot)
    assert told.text.toPlainText().count("ForcedError") == 1
    told.reject()
    if act != "look":
        dialog.reject()
        dialog.wait_for_readers()  # what is left over is closed there
    qtbot.waitUntil(lambda: offered(window) is None)
    faults.remove()
    LOG.clear()
    restore_and_leave(window, qtbot, hand, tmp_path)


def restore_and_leave(window, qtbot, hand, folder) -> None:
    """Restore what is offered, save all of it, and close the window."""
    document = window.desk.document
    maps = len(document.maps)
    window.desk.commands.run("file.recover-maps")
    qtbot.waitUntil(lambda: offered(window) is not None)
    read(qtbot, offered(window)).restore_button.click()
    qtbot.waitUntil(lambda: len(document.maps) > maps)
    for number, open_map in enumerate(document.maps):
        if open_map.unsaved:
            document.make_current(open_map)
            path = folder / f"{number}.battlemap"
            hand.expect("Save map as").type_path(path)
            window.desk.commands.run("file.save-as")
            qtbot.waitUntil(lambda path=path: document.path == path)
    window.close()
    qtbot.waitUntil(lambda: not window.isVisible())
