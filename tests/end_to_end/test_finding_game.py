"""The directory of the game is chosen in the real window, not quite where it is."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.features.game.game_chooser import GameChooser
from tests.app.made_up_game import make_game
from tests.randomizer.systems.colossus.game_on_disk import make_files, var


def chooser_of(qtbot, window) -> GameChooser:
    window.desk.commands.run("file.open-from-game")
    qtbot.waitUntil(lambda: window.findChild(GameChooser) is not None)
    return window.findChild(GameChooser)


def choose(chooser: GameChooser, path) -> None:
    chooser.line.setFocus()
    chooser.line.clear()
    QTest.keyClicks(chooser.line, str(path))
    QTest.keyClick(chooser.line, Qt.Key.Key_Return)


def test_the_folder_that_contains_the_variants_is_good_enough(qtbot, window, tmp_path):
    make_files(tmp_path / "colossus", {"variants/Mine/MineVar.xml": var("Mine"), "readme.txt": ""})
    chooser = chooser_of(qtbot, window)
    choose(chooser, tmp_path / "colossus")
    qtbot.waitUntil(lambda: "Colossus is there, with 2 variants." in chooser.status.text)
    assert chooser.line.text() == str(tmp_path / "colossus" / "variants")


def test_where_the_game_is_not_the_dialog_says_what_to_choose(qtbot, window, tmp_path):
    (tmp_path / "a" / "b" / "c" / "d").mkdir(parents=True)
    chooser = chooser_of(qtbot, window)
    choose(chooser, tmp_path / "a" / "b" / "c" / "d")
    qtbot.waitUntil(lambda: "Choose the directory that holds Colossus.jar" in chooser.status.text)
    choose(chooser, make_game(tmp_path / "game") / "Default")
    qtbot.waitUntil(lambda: "Colossus is there, with 3 variants." in chooser.status.text)
