"""A session that was killed after the user had typed into the script of a map."""

from __future__ import annotations

import subprocess
import sys

import pytest

from app.document.autosave import Autosave
from app.features.recovery.dialog import RecoveryDialog
from tests.test_system.installing import environment
from tests.test_system.recorded import DOWNS, SCRIPT

SESSION = """
import os, sys
from pathlib import Path
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication
from app.document.autosave import Autosave
from app.document.document import MapDocument
from app.document.map_files import new_map
from app.rolling.rolling import Rolling
from app.scripts.scripts import Scripts
from app.settings import Settings
from randomizer.catalog import system_named
from tests.test_system.recorded import DOWNS, packaged
application = QApplication([])
document = MapDocument(new_map(system_named("recsys")))
autosave = Autosave(document, Path(sys.argv[1]))
rolling = Rolling(document, choose_seed=lambda: 3)
scripts = Scripts(document, rolling, Settings(QSettings(sys.argv[2], QSettings.Format.IniFormat)))
def settle():
    while rolling.busy or scripts.map_script.pending:
        application.processEvents()
scripts.roll_new(new_map(system_named("recsys")), packaged()[0])
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


def test_what_was_typed_and_rolled_survives_a_kill(qtbot, window):
    qtbot.waitUntil(lambda: window.findChild(RecoveryDialog) is not None)
    dialog = window.findChild(RecoveryDialog)
    qtbot.waitUntil(lambda: not dialog._unread)
    dialog.restore()
    document = window.desk.document
    panel = window.desk.docks.panel("randomize")
    qtbot.waitUntil(lambda: document.battlemap.system.name == "recsys")
    script, rolling = window.desk.scripts.map_script, window.desk.rolling
    qtbot.waitUntil(lambda: not script.pending and not rolling.busy)
    assert "Pool 23" in panel.editor.text()
    assert document.battlemap.records[SCRIPT].text == panel.editor.text()
    assert len(document.history.steps) == 1
    assert not window.desk.scripts.map_script.behind
    assert isinstance(document.recorder, Autosave)
    document.undo()
    assert panel.editor.text() == DOWNS
