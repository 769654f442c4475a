"""Opening files in the real window: what a failed opening leaves as it was, and Redo by any key."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QFileDialog

from app.widgets.problem_dialog import ProblemDialog
from randomizer.catalog import format_named
from randomizer.model.battlemap import BattleMap
from randomizer.model.edits.value_edits import set_values
from randomizer.systems.colossus.system import SYSTEM


@pytest.fixture
def chosen(monkeypatch):
    """The file that the next dialog for opening files gives."""
    paths: list[Path] = []
    monkeypatch.setattr(
        QFileDialog, "getOpenFileName", lambda *_words, **_more: (str(paths[-1]), "")
    )
    return paths


def open_by_dialog(qtbot, window, chosen, path):
    chosen.append(path)
    window.desk.files.open()


@pytest.mark.parametrize("name", ["DefaultVar.xml", "Broken.rnd"])
def test_a_failed_opening_does_not_change_the_save_folder(qtbot, window, chosen, tmp_path, name):
    before = window.desk.settings.last_directory
    path = tmp_path / "elsewhere" / name
    path.parent.mkdir()
    if path.suffix == ".xml":
        path.write_text('<variant name="Default"/>')
    open_by_dialog(qtbot, window, chosen, path)
    if path.suffix == ".xml":
        qtbot.waitUntil(lambda: window.findChild(ProblemDialog) is not None)
        dialog = window.findChild(ProblemDialog)
        assert "This is a variant file, not a map" in dialog.text.toPlainText()
        dialog.close()
    assert window.desk.settings.last_directory == before


def test_an_opened_map_changes_the_save_folder(qtbot, window, chosen, tmp_path):
    path = tmp_path / "Moor.xml"
    path.write_bytes(format_named("xml").write(BattleMap.new(SYSTEM)))
    open_by_dialog(qtbot, window, chosen, path)
    qtbot.waitUntil(lambda: window.desk.document.path == path)
    assert window.desk.settings.last_directory == str(tmp_path)


@pytest.fixture
def platform_with_one_key(monkeypatch):
    """A platform like most of Linux, where only Ctrl+Shift+Z is a key of Redo."""
    usual = QKeySequence.keyBindings

    def bindings(standard):
        if standard == QKeySequence.StandardKey.Redo:
            return [QKeySequence("Ctrl+Shift+Z")]
        return usual(standard)

    monkeypatch.setattr(QKeySequence, "keyBindings", bindings)


@pytest.mark.parametrize(
    ("key", "shift"), [(Qt.Key.Key_Y, False), (Qt.Key.Key_Z, True)], ids=["Ctrl+Y", "Ctrl+Shift+Z"]
)
def test_both_usual_keys_redo(qtbot, platform_with_one_key, window, key, shift):
    document = window.desk.document
    edit = set_values(document.battlemap, document.active_layer_id, "terrain", [15], 3)
    assert document.push(edit, "Paint")
    held = Qt.KeyboardModifier.ControlModifier
    qtbot.keyClick(window.desk.canvas, Qt.Key.Key_Z, held)
    assert document.current_map.history.next_redo is not None
    qtbot.keyClick(
        window.desk.canvas, key, held | Qt.KeyboardModifier.ShiftModifier if shift else held
    )
    assert document.current_map.history.next_redo is None
    assert document.composite.planes["terrain"].flat[15] == 3
