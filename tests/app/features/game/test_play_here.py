"""File > Play here: asked for, started in a scratch folder, and why not where there is no game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtWidgets import QMessageBox

from app.commands.commands import WHY
from app.document.map_files import new_map
from app.widgets.dialogs.problem_dialog import ProblemDialog
from randomizer.catalog.systems import system_named
from tests.app.conftest import opened, wait_for_actions
from tests.app.made_up_game import settings_in
from tests.randomizer.systems.colossus.stand_in_java import put_java


@pytest.fixture
def told(tmp_path: Path, temporary_folder: Path, monkeypatch) -> Path:
    """What a stand-in for Java on the path was given; it ends when ``end`` lies beside."""
    path = tmp_path / "told"
    wait = f"while not pathlib.Path({str(tmp_path / 'end')!r}).exists(): time.sleep(0.01)"
    put_java(tmp_path / "bin", path, wait)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("DISPLAY", ":0")
    return path


def asked(window, qtbot) -> QMessageBox:
    """The question, when the command was chosen."""
    games = window.desk.games
    action = window.desk.commands.action("file.play-here")
    qtbot.waitUntil(lambda: games.ready)
    assert action.isEnabled(), action.property(WHY)
    action.trigger()
    return opened(window, qtbot, QMessageBox)


def press(qtbot, box: QMessageBox, text: str) -> None:
    next(button for button in box.buttons() if button.text() == text).click()
    wait_for_actions(qtbot)


def problems_shown(window) -> str:
    return "".join(each.text.toPlainText() for each in window.findChildren(ProblemDialog))


def test_a_battleland_is_played_after_asking(
    told: Path, window, game: Path, tmp_path: Path, qtbot
) -> None:
    before = {path: path.stat().st_mtime_ns for path in game.rglob("*")}
    box = asked(window, qtbot)
    (scratch,) = (tmp_path / "temporary").iterdir()
    for text in (str(tmp_path / "bin" / "java"), str(scratch), "Nothing of yours", "you attack"):
        assert text in box.informativeText()
    assert not told.exists()
    press(qtbot, box, "&Start")
    qtbot.waitUntil(lambda: told.exists() and told.read_text().endswith("\n"))
    assert "Colossus was started" in window.statusBar().currentMessage()
    _arguments, files, board, folder = json.loads(told.read_text())
    assert folder == str(scratch)
    assert "battle.xml" in files
    assert "battlemap" in board
    (tmp_path / "end").touch()
    qtbot.waitUntil(lambda: not window.desk.games.play_here.runs)
    assert not scratch.exists()
    assert {path: path.stat().st_mtime_ns for path in game.rglob("*")} == before


def test_closing_the_desk_leaves_the_game_alone(told: Path, window, tmp_path: Path, qtbot) -> None:
    press(qtbot, asked(window, qtbot), "&Start")
    (run,) = window.desk.games.play_here.runs
    qtbot.waitUntil(lambda: told.exists())
    window.close()
    shiboken6.delete(window.desk.games)
    assert run.poll()
    (tmp_path / "end").touch()
    run.process.wait()
    assert not run.poll()


def test_who_says_no_starts_nothing(told: Path, window, tmp_path: Path, qtbot) -> None:
    asked(window, qtbot).reject()
    wait_for_actions(qtbot)
    assert list((tmp_path / "temporary").iterdir()) == []
    assert not told.exists()


def test_what_is_wrong_with_the_game_is_said(
    told: Path, window, game: Path, tmp_path: Path, qtbot
) -> None:
    put_java(tmp_path / "bin", told, "sys.exit('java.awt.HeadlessException: no display')")
    press(qtbot, asked(window, qtbot), "&Start")
    qtbot.waitUntil(lambda: "HeadlessException" in problems_shown(window))
    assert list((tmp_path / "temporary").iterdir()) == []
    (game / "Colossus.jar").unlink()
    window.desk.commands.run("file.play-here")
    qtbot.waitUntil(lambda: "no jar" in problems_shown(window))
    assert list((tmp_path / "temporary").iterdir()) == []


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("colossus", "Choose the directory of Colossus first"),
        ("zeroad", "0 A.D. is not installed"),
        ("xconq", "Xconq is not installed"),
        ("free", "No game is known"),
    ],
)
def test_the_entry_says_why_it_cannot_be_used(
    told: Path, windows, tmp_path: Path, qtbot, kind: str, reason: str
) -> None:
    window = windows(settings_in(tmp_path, None))
    qtbot.waitUntil(lambda: window.desk.games.ready)
    window.desk.document.open_map(new_map(system_named(kind)))
    action = window.desk.commands.action("file.play-here")
    assert not action.isEnabled()
    assert reason in action.property(WHY)


def test_it_can_be_used_as_soon_as_the_game_is_chosen(
    told: Path, windows, game: Path, tmp_path: Path, qtbot
) -> None:
    window = windows(settings_in(tmp_path, None))
    games = window.desk.games
    action = window.desk.commands.action("file.play-here")
    qtbot.waitUntil(lambda: games.ready)
    assert not action.isEnabled()
    games.game_folder().choose(game)
    qtbot.waitUntil(action.isEnabled)
