"""A map whose script was edited comes back after a crash, and the edits with it."""

from __future__ import annotations

import shutil

import pytest
from PySide6.QtCore import Qt

from app.document.document import MapDocument
from app.document.map_files import new_map
from app.document.sample import sample_map
from app.features.recovery.dialog import RecoveryDialog
from app.window import MainWindow
from randomizer.catalog.systems import system_named
from randomizer.storage.journal.drafts import DRAFTS
from tests.app.saves import finished
from tests.end_to_end.conftest import close_without_asking, show_until_ready
from tests.end_to_end.test_one_roll import LAKE, Roller

DRIVEN_DIALOGS = (RecoveryDialog,)


@pytest.fixture
def journals(tmp_path):
    return tmp_path / "journals"


def has_draft(folder) -> bool:
    """Return whether the edits are on the disk."""
    files = folder.glob("*/*")
    return any(b"Bog Bog Bog Bog" in path.read_bytes() for path in files if path.is_file())


def test_a_map_of_the_edited_text_is_not_said_to_be_of_another(
    qtbot, window, journals, tmp_path, settings, sprites_file
):
    roller = Roller(qtbot, window)
    desk = roller.desk
    script_file = tmp_path / "Lakes.rnd"
    script_file.write_text(LAKE, "utf-8")
    desk.document.open_map(new_map(system_named("colossus")))
    assert finished(desk.scripts.opening.open(script_file))
    roller.press(Qt.Key.Key_R)
    roller.write("AREA (anywhere) HAZARDS Bog Bog Bog Bog")
    qtbot.waitUntil(lambda: "Bog" in desk.rolling.target().roll.script)
    qtbot.waitUntil(lambda: has_draft(journals / DRAFTS))

    # What a kill would leave on the disk.
    shutil.copytree(journals, tmp_path / "left")
    later_window = MainWindow(MapDocument(sample_map()), settings, tmp_path / "left")
    qtbot.addWidget(later_window, before_close_func=close_without_asking)
    show_until_ready(later_window, qtbot, sprites_file)
    qtbot.waitUntil(lambda: later_window.findChild(RecoveryDialog) is not None)
    dialog = later_window.findChild(RecoveryDialog)
    qtbot.waitUntil(lambda: not dialog.busy)
    dialog.restore_button.click()
    later_desk = later_window.desk
    qtbot.waitUntil(lambda: "Bog" in later_desk.scripts.text.text())
    assert "Bog" in later_desk.rolling.target().roll.script
    later_desk.docks.show("randomize")
    notices = later_desk.docks.panel("randomize").notices
    assert notices.layer_banner.isHidden()
    assert notices.text_banner.isHidden()
