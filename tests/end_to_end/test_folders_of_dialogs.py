"""File dialogs begin where the last one ended; at first, and if that is gone, in the documents."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog

SAVE = "Save map as"


@pytest.fixture
def documents(tmp_path, monkeypatch) -> Path:
    """The documents of a user who is at home in a folder of the test."""
    home = tmp_path / "home"
    folder = home / "Documents"
    folder.mkdir(parents=True)
    # The user's home.
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / ".config"))
    return folder


def folder_of_dialog(window, qtbot, hand, command: str, title: str) -> Path:
    """The folder in which the dialog of a command begins; it is cancelled."""
    folders: list[Path] = []

    def look(dialog: QDialog) -> None:
        assert isinstance(dialog, QFileDialog)
        folders.append(Path(dialog.directory().absolutePath()))

    hand.expect(title).do(look).escape()
    window.desk.commands.run(command)
    qtbot.waitUntil(lambda: bool(folders) and QApplication.activeModalWidget() is None)
    return folders[0]


@pytest.mark.parametrize(
    ("command", "title"),
    [
        ("file.save", SAVE),
        pytest.param("file.export-as", "Export map as", marks=pytest.mark.deep),
        ("file.open", "Open"),
    ],
)
def test_at_first_a_dialog_begins_in_the_documents(window, qtbot, hand, documents, command, title):
    assert folder_of_dialog(window, qtbot, hand, command, title) == documents


def test_then_it_begins_where_the_last_one_ended(window, qtbot, hand, documents, tmp_path):
    desk = window.desk
    maps = tmp_path / "maps"
    maps.mkdir()
    hand.expect(SAVE).type_path(maps / "Moor.battlemap")
    desk.commands.run("file.save")
    qtbot.waitUntil(lambda: desk.document.current_map.path is not None)
    assert folder_of_dialog(window, qtbot, hand, "file.open", "Open") == maps
    shutil.rmtree(maps)
    assert folder_of_dialog(window, qtbot, hand, "file.open", "Open") == documents


def test_a_user_without_documents_begins_at_home(window, qtbot, hand, documents):
    documents.rmdir()
    assert folder_of_dialog(window, qtbot, hand, "file.save", SAVE) == documents.parent
