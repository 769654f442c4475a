"""A newcomer exports to the game: what a game directory is, and what is wrong with this one."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.features.game.export_dialog import ExportDialog
from app.features.help.manual_dialog import ManualDialog

DRIVEN_DIALOGS = (ExportDialog, ManualDialog)

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def dialog(window, qtbot) -> ExportDialog:
    window.desk.commands.run("file.export-to-game")
    (dialog,) = window.findChildren(ExportDialog)
    qtbot.waitUntil(dialog.isVisible)
    return dialog


def test_the_first_hint_says_what_a_game_directory_holds_and_opens_its_page(dialog, qtbot):
    chooser = dialog.chooser
    assert chooser.status.text == (
        "Choose where Colossus is: the directory that Colossus is started from, or its jar; "
        "that directory holds Colossus.jar, or a folder such as Default with DefaultVar.xml in it."
    )
    QTest.mouseClick(chooser.manual_button, LEFT)
    qtbot.waitUntil(lambda: bool(dialog.findChildren(ManualDialog)))
    (manual,) = dialog.findChildren(ManualDialog)
    qtbot.waitUntil(manual.isVisible)
    assert manual.pages.source().fileName() == "game-directory.md"
    assert "DefaultVar.xml" in manual.pages.toPlainText()
    manual.close()
    dialog.reject()


def test_an_empty_var_file_is_told(dialog, qtbot, tmp_path):
    folder = tmp_path / "Colossus" / "variants" / "Default"
    folder.mkdir(parents=True)
    (folder / "DefaultVar.xml").touch()
    chooser = dialog.chooser
    chooser.line.setFocus()
    QTest.keyClicks(chooser.line, str(tmp_path / "Colossus"))
    QTest.keyClick(chooser.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "is empty" in chooser.status.text)
    assert chooser.status.text.startswith("DefaultVar.xml in the folder Default is empty: ")
    assert not chooser.manual_button.isVisible()
    dialog.reject()
