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

from app.document.document import MapDocument
from app.document.sample import sample_map
from app.features.recovery.controller import Recovery
from app.features.recovery.dialog import RecoveryDialog
from app.settings import Settings
from app.window import MainWindow
from randomizer.storage.drafts import DRAFTS, Draft, DraftFile, leftover_drafts

TYPED = "AREA (middle) HAZARDS Bog ☃\n"

TYPING = """
import os, sys, time
from pathlib import Path
from PySide6.QtCore import QSettings
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication
from app.document.document import MapDocument
from app.document.sample import sample_map
from app.settings import Settings
from app.window import MainWindow
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
scripts.open(folder / "Bog.rnd")
cursor = QTextCursor(scripts.text)
for letter in sys.argv[2]:
    cursor.insertText(letter)
    application.processEvents()
os.write(1, b"typed")
end = time.monotonic() + 60
while time.monotonic() < end:
    application.processEvents()
    time.sleep(0.001)
"""


def drafted(drafts):
    """The texts in the drafts on the disk now."""
    return [json.loads(file.read_bytes())["text"] for file in drafts.glob("*/script.json")]


@pytest.fixture
def killed(tmp_path):
    """A desk was killed (SIGKILL) when what was typed was on the disk."""
    (tmp_path / "Bog.rnd").write_text("TITLE Bog\n", "utf-8")
    command = [sys.executable, "-c", TYPING, str(tmp_path), TYPED]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as desk:
        assert desk.stdout.read(5) == b"typed"
        for _ in range(600):
            if any(TYPED in typed for typed in drafted(tmp_path / "journals" / DRAFTS)):
                break
            time.sleep(0.1)
        desk.send_signal(signal.SIGKILL)
    return tmp_path


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL there")
def test_what_was_typed_survives_a_kill(killed, qtbot):
    settings = Settings(QSettings(str(killed / "set.ini"), QSettings.Format.IniFormat))
    window = MainWindow(MapDocument(sample_map()), settings, killed / "journals")
    scripts = window.desk.scripts
    qtbot.addWidget(window, before_close_func=lambda _: scripts.text.setModified(False))
    with qtbot.waitSignal(window.desk.ready):
        window.show()
    qtbot.waitUntil(lambda: window.findChild(Recovery)._job is None)
    dialog = window.findChild(RecoveryDialog)
    rows = [dialog.maps.topLevelItem(row) for row in range(dialog.maps.topLevelItemCount())]
    (row,) = (each for each in rows if "(script)" in each.text(0))
    assert (row.text(0), row.text(3)) == ("Bog.rnd (script)", str(killed / "Bog.rnd"))
    qtbot.waitUntil(dialog.restore_button.isEnabled)
    dialog.restore_button.click()
    assert scripts.text.text() == TYPED + "TITLE Bog\n"
    assert (scripts.script.name, scripts.script.path) == ("Bog.rnd", killed / "Bog.rnd")
    assert scripts.files.unsaved
    scripts.text.undo()
    assert scripts.text.text() == "TITLE Bog\n"
    drafts = killed / "journals" / DRAFTS
    assert leftover_drafts(drafts) == ([], [])  # this session goes on writing it
    scripts.text.setModified(False)
    qtbot.waitUntil(lambda: list(drafts.iterdir()) == [])


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
