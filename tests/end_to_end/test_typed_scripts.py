"""What was typed into a script is there after the desk was killed, and offered with the maps."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings

from app.document.autosave import Autosave
from app.document.document import MapDocument
from app.document.sample import sample_map
from app.features.recovery.dialog import RecoveryDialog
from app.features.recovery.feature import Recovery
from app.settings import Settings
from app.window import MainWindow
from randomizer.catalog.generators import generators_of
from randomizer.catalog.systems import system_named
from randomizer.storage.journal.drafts import DRAFTS, Draft, DraftFile, leftover_drafts
from randomizer.storage.journal.recoverable_journals import leftovers
from tests.test_system.installing import environment
from tests.test_system.recorded import DOWNS, SCRIPT

DRIVEN_DIALOGS = (RecoveryDialog,)

PACKAGED = next(each for each in generators_of(system_named("colossus")) if each.text).text
"""A copy of a packaged script, as a user would begin one."""

TYPED = "AREA (middle) HAZARDS Bog ☃\n"

TYPING = """
import os, sys, time
from pathlib import Path
from PySide6.QtCore import QSettings, QSize
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication
from app.desk import dock_room
from app.document.document import MapDocument
from app.background.actions import run
from app.document.map_files import new_map
from app.document.sample import sample_map
from app.settings import Settings
from app.window import MainWindow
from tests.app.saves import finished
from randomizer.catalog.generators import generators_of
from randomizer.catalog.systems import system_named
dock_room.ROOMY = QSize(0, 0)  # panels stand beside the map on the small screen of the tests, too
folder = Path(sys.argv[1])
application = QApplication([])
settings = Settings(QSettings(str(folder / "killed.ini"), QSettings.Format.IniFormat))
window = MainWindow(MapDocument(sample_map()), settings, folder / "journals")
ready = []
window.desk.ready.connect(lambda: ready.append(1))
window.show()
while not ready or window.desk.rolling.busy:
    application.processEvents()
scripts = window.desk.scripts
if sys.argv[3] == "opened":
    finished(scripts.opening.open(folder / "Bog.rnd"))
else:
    finished(scripts.opening.open(folder / "Bog.rnd", roll=True))
while window.desk.rolling.busy:
    application.processEvents()
cursor = QTextCursor(scripts.text)
for letter in sys.argv[2]:
    cursor.insertText(letter)
    application.processEvents()
if sys.argv[3] == "table":
    cordery = system_named("cordery")
    run(scripts.opening.roll_new(new_map(cordery), generators_of(cordery)[0]))
    while window.desk.rolling.busy or window.desk.docks.find_panel("dice") is None:
        application.processEvents()
    window.desk.rolling.roll()
    while window.desk.rolling.busy:
        application.processEvents()
    assert len(window.desk.document.history.steps) == 1
os.write(1, b"typed")
end = time.monotonic() + 60
while time.monotonic() < end:
    application.processEvents()
    time.sleep(0.001)
"""


def drafted(drafts):
    """The texts in the drafts on the disk now."""
    return [json.loads(file.read_bytes())["text"] for file in drafts.glob("*/script.json")]


def kill_after_typing(folder, session, text):
    """A desk was killed (SIGKILL) when what was typed before ``text`` was on the disk."""
    (folder / "Bog.rnd").write_text(text, "utf-8")
    command = [sys.executable, "-c", TYPING, str(folder), TYPED, session]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as desk:
        assert desk.stdout.read(5) == b"typed"
        for _ in range(600):
            if any(TYPED in typed for typed in drafted(folder / "journals" / DRAFTS)):
                break
            time.sleep(0.1)
        desk.send_signal(signal.SIGKILL)


def started(qtbot, folder):
    """The window of the next session."""
    settings = Settings(QSettings(str(folder / "set.ini"), QSettings.Format.IniFormat))
    window = MainWindow(MapDocument(sample_map()), settings, folder / "journals")
    qtbot.addWidget(window, before_close_func=discard_all)
    with qtbot.waitSignal(window.desk.ready):
        window.show()
    qtbot.waitUntil(lambda: not window.findChild(Recovery).busy)
    return window


def discard_all(window):
    if window.isHidden():
        return  # its drafts are ended
    for document in window.desk.scripts.documents:
        document.text.setModified(False)
    for open_map in window.desk.document.maps:
        open_map.history.mark_clean()


@pytest.mark.deep
@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL there")
def test_what_was_typed_survives_a_kill(tmp_path, qtbot):
    kill_after_typing(tmp_path, "opened", "TITLE Bog\n")
    window = started(qtbot, tmp_path)
    scripts = window.desk.scripts
    dialog = window.findChild(RecoveryDialog)
    rows = [dialog.maps.topLevelItem(row) for row in range(dialog.maps.topLevelItemCount())]
    (row,) = (each for each in rows if "(script)" in each.text(0))
    assert (row.text(0), row.text(3)) == ("Bog.rnd (script)", str(tmp_path / "Bog.rnd"))
    qtbot.waitUntil(dialog.restore_button.isEnabled)
    dialog.restore_button.click()
    assert scripts.text.text() == TYPED + "TITLE Bog\n"
    assert (scripts.script.name, scripts.script.path) == ("Bog.rnd", tmp_path / "Bog.rnd")
    assert scripts.current.unsaved
    scripts.text.undo()
    assert scripts.text.text() == "TITLE Bog\n"
    drafts = tmp_path / "journals" / DRAFTS
    assert leftover_drafts(drafts) == ([], [])  # this session goes on writing it
    scripts.text.setModified(False)
    qtbot.waitUntil(lambda: list(drafts.iterdir()) == [])


@pytest.mark.deep  # a window in another process
@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL there")
@pytest.mark.parametrize("text", ["TITLE Bog\n", PACKAGED])
def test_what_was_typed_comes_back_to_its_map_behind_a_table(tmp_path, qtbot, hand, text):
    kill_after_typing(tmp_path, "table", text)
    window = started(qtbot, tmp_path)
    scripts = window.desk.scripts
    document = window.desk.document
    dialog = window.findChild(RecoveryDialog)
    qtbot.waitUntil(dialog.restore_button.isEnabled)
    dialog.restore_button.click()
    assert [each.battlemap.system.name for each in document.maps] == ["colossus", "cordery"]
    document.make_current(document.maps[0])
    assert scripts.text.text() == TYPED + text
    assert scripts.script.path == tmp_path / "Bog.rnd"
    assert scripts.current.unsaved
    scripts.text.replace(text + "AREA D4 HAZARDS Lake\n")
    window.desk.docks.panel("randomize").roll_action.trigger()
    qtbot.waitUntil(lambda: not window.desk.rolling.busy)
    assert window.desk.rolling.target().roll.script == scripts.text.text()
    hand.expect("Unsaved changes").press("Discard")
    window.close()
    qtbot.waitUntil(lambda: not window.isVisible())
    assert leftover_drafts(tmp_path / "journals" / DRAFTS) == ([], [])
    assert leftovers(tmp_path / "journals") == ([], [])


def test_all_scripts_come_back_each_with_a_map_and_are_not_offered_again(tmp_path, qtbot, hand):
    drafts = tmp_path / "journals" / DRAFTS
    for name in ("a.rnd", "b.rnd", "c.js", "d.per"):
        file = DraftFile.begin(drafts)
        file.write(Draft(name, "", f"# {name}", "", "", {}))
        file.close()
    window = started(qtbot, tmp_path)
    scripts = window.desk.scripts
    document = window.desk.document
    window.findChild(RecoveryDialog).restore_button.click()
    shown = {}
    for each in document.maps:
        document.make_current(each)
        shown[scripts.text.text()] = document.battlemap.system.name
    systems = {"a.rnd": "colossus", "b.rnd": "colossus", "c.js": "zeroad", "d.per": "xconq"}
    assert shown.items() >= {f"# {name}": system for name, system in systems.items()}.items()
    hand.expect("Unsaved changes").press("Discard")
    for _script in range(3):
        hand.expect("Unsaved script").press("Discard")
    window.close()
    qtbot.waitUntil(lambda: not window.isVisible())
    assert leftover_drafts(drafts) == ([], [])


def draft(text):
    return Draft("Bog.rnd", "", text, "", "", {"BaseHeight": 1}, {"a.inc": "x"}, 5.0)


def test_a_draft_of_a_program_that_runs_is_not_offered(tmp_path):
    file = DraftFile.begin(tmp_path)
    file.write(draft("one"))
    file.write(draft("two"))
    assert leftover_drafts(tmp_path) == ([], [])
    file.close()
    ((found, kept),), problems = leftover_drafts(tmp_path)
    assert (kept, problems) == (draft("two"), [])
    found.delete()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "content",
    [b"", b"{}", b"[]", b"[" * 100_000, b"\xff", b'{"version": 1, "name": "a", "text": 1}'],
)
def test_a_damaged_draft_is_told_and_set_aside(tmp_path, content):
    file = DraftFile.begin(tmp_path / "scripts")
    file.write(draft("one"))
    (file.folder / "script.json").write_bytes(content)
    file.close()
    found, (problem,) = leftover_drafts(tmp_path / "scripts")
    assert found == []
    assert problem.message.startswith("the kept edits of a script are damaged")
    assert Path(problem.path, "script.json").read_bytes() == content


SESSION = """
import os, sys
from pathlib import Path
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication
from app.document.autosave import Autosave
from app.document.document import MapDocument
from app.background.actions import run
from app.document.map_files import new_map
from app.rolling.rolling import Rolling
from app.scripts.scripts import Scripts
from app.settings import Settings
from randomizer.catalog.systems import system_named
from tests.test_system.recorded import DOWNS, packaged
application = QApplication([])
document = MapDocument(new_map(system_named("recsys")))
autosave = Autosave(document, Path(sys.argv[1]))
rolling = Rolling(document, choose_seed=lambda: 3)
scripts = Scripts(document, rolling, Settings(QSettings(sys.argv[2], QSettings.Format.IniFormat)))
def settle():
    while rolling.busy or scripts.map_script.pending:
        application.processEvents()
run(scripts.opening.roll_new(new_map(system_named("recsys")), packaged()[0]))
settle()
scripts.map_script.clock = lambda: 0.0
for percent in ("21", "22", "23"):
    scripts.text.replace(DOWNS.replace("Pool 20", f"Pool {percent}"))
    settle()
os.write(1, b"done")
os._exit(1)
"""


@pytest.fixture
def journals(tmp_path, recsys):
    """What a session left that was killed after it had typed."""
    folder = tmp_path / "journals"
    done = subprocess.run(
        [sys.executable, "-c", SESSION, str(folder), str(tmp_path / "their.ini")],
        env=environment(tmp_path / "recorded"),
        capture_output=True,
        check=False,
    )
    assert done.stdout == b"done", done.stderr.decode()
    return folder


@pytest.mark.deep
def test_what_was_typed_and_rolled_survives_a_kill(qtbot, window):
    qtbot.waitUntil(lambda: window.findChild(RecoveryDialog) is not None)
    dialog = window.findChild(RecoveryDialog)
    qtbot.waitUntil(lambda: not dialog.busy)
    dialog.restore_button.click()
    document = window.desk.document
    panel = window.desk.docks.panel("randomize")
    qtbot.waitUntil(lambda: document.battlemap.system.name == "recsys")
    script = window.desk.scripts.map_script
    rolling = window.desk.rolling
    qtbot.waitUntil(lambda: not script.pending and not rolling.busy)
    assert "Pool 23" in panel.editor.text()
    assert document.battlemap.records[SCRIPT].text == panel.editor.text()
    assert len(document.history.steps) == 1
    assert not window.desk.scripts.map_script.is_outdated
    assert isinstance(document.recorder, Autosave)
    document.undo()
    assert panel.editor.text() == DOWNS
