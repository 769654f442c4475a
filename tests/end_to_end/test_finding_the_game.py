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


def enter_path(dialog, folder) -> None:
    dialog.chooser.line.setFocus()
    QTest.keyClicks(dialog.chooser.line, str(folder))
    QTest.keyClick(dialog.chooser.line, Qt.Key.Key_Return)


def offered_variants(dialog) -> list[str]:
    box = dialog.form.group_choice.box
    return [box.itemText(row) for row in range(box.count()) if box.itemText(row)]


def test_a_variant_whose_var_file_is_empty_is_not_offered(dialog, qtbot, tmp_path):
    """It was told to be no variant, and the map could be exported into it all the same."""
    variants = tmp_path / "Colossus" / "variants"
    for name in ("Default", "Badlands", "Moor"):
        (variants / name).mkdir(parents=True)
        (variants / name / f"{name}Var.xml").write_text(f'<variant name="{name}"/>')
    (variants / "Default" / "DefaultVar.xml").write_text("")
    (variants / "Moor" / "MoorVar.xml").write_text("")
    enter_path(dialog, tmp_path / "Colossus")
    qtbot.waitUntil(dialog.export_button.isEnabled)
    assert offered_variants(dialog) == ["Badlands", "New variant..."]

    # Nor is a new one made of such a folder.
    form = dialog.form
    form.group_choice.box.setCurrentText("New variant...")
    form.group_choice.name.selectAll()
    QTest.keyClicks(form.group_choice.name, "Moor")
    why_not = (
        "MoorVar.xml in the folder Moor is empty: Colossus reads no variant from it. "
        "Put the game's own file there, or remove the empty one."
    )
    problem_list = dialog.problem_list
    qtbot.waitUntil(lambda: why_not in [problem.message for problem in problem_list.problems])
    assert not dialog.export_button.isEnabled()
    dialog.reject()


def test_a_game_whose_only_variant_is_empty_gets_no_map(dialog, qtbot, tmp_path):
    folder = tmp_path / "Colossus" / "variants" / "Default"
    folder.mkdir(parents=True)
    (folder / "DefaultVar.xml").touch()
    enter_path(dialog, tmp_path / "Colossus")
    qtbot.waitUntil(lambda: "is empty" in dialog.chooser.status.text)
    assert offered_variants(dialog) == ["New variant..."]
    assert not dialog.export_button.isEnabled()
    (folder / "DefaultVar.xml").unlink()
    dialog.game_folder.refresh()
    qtbot.waitUntil(dialog.export_button.isEnabled)
    assert offered_variants(dialog) == ["Default", "New variant..."]
    dialog.reject()


def test_the_variant_whose_folder_is_named_gets_the_map(dialog, qtbot, tmp_path):
    """The variant Default was chosen without a word, whichever folder was named."""
    variants = tmp_path / "Colossus" / "variants"
    for name in ("Default", "Badlands"):
        (variants / name / "Battlelands").mkdir(parents=True)
        (variants / name / f"{name}Var.xml").write_text(f'<variant name="{name}"/>')
    (variants / "Moor").mkdir()
    enter_path(dialog, variants / "Badlands" / "Battlelands")
    qtbot.waitUntil(dialog.export_button.isEnabled)
    assert dialog.form.group_choice.title == "Badlands"
    dialog.chooser.line.selectAll()
    enter_path(dialog, variants / "Moor")
    qtbot.waitUntil(dialog.export_button.isEnabled)
    assert dialog.form.group_choice.title == "Default"
    assert dialog.chooser.status.text == (
        "The folder “Moor” is no variant: it has no file MoorVar.xml."
    )
    dialog.reject()
