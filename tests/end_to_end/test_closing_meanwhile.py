"""A window that closes waits until its maps are in their files, and asks about new work."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QMessageBox

from tests.app.features.files.test_loading_meanwhile import WAYS, Answer, Desk, end


@pytest.fixture
def journals(tmp_path) -> Path:
    return tmp_path / "journals"


@pytest.fixture
def desk(qtbot, window, tmp_path, monkeypatch) -> Desk:
    return Desk(qtbot, window, tmp_path, monkeypatch)


@pytest.mark.parametrize("way", WAYS)
def test_the_window_closes_when_the_map_is_in_its_file_and_not_before(desk, way):
    desk.window.close()
    assert desk.window.isVisible()
    desk.bring(way)
    desk.answer = Answer.Discard  # a recovered map is asked about
    end(desk)
    desk.qtbot.waitUntil(lambda: not desk.window.isVisible())
    assert desk.written(desk.a) == ("colossus", True)
    assert desk.written(desk.b) == ("free", False)


@pytest.mark.parametrize("asked", [Answer.Save, Answer.Discard])
def test_unsaved_work_that_comes_while_the_window_closes_is_asked_about(desk, monkeypatch, asked):
    """B comes while the question about A is shown, and is not saved anywhere either."""
    answers, questions = [asked, Answer.Cancel], []

    def ask(_parent, _title, text, *_buttons):
        if not questions:
            desk.bring("recovery")
            assert desk.document.current_map.unsaved
        questions.append(text)
        return answers[len(questions) - 1]

    monkeypatch.setattr(QMessageBox, "question", ask)
    desk.gate.set()
    desk.window.close()
    desk.qtbot.waitUntil(lambda: len(questions) == 2)
    assert "A.battlemap" in questions[0]
    assert "A.battlemap" not in questions[1]
    assert desk.window.isVisible()
    assert len(desk.document.maps) == 2
    assert desk.written(desk.a) == ("colossus", asked == Answer.Save)


def test_what_is_painted_on_another_map_while_the_window_closes_is_asked_about(desk, monkeypatch):
    desk.open()
    desk.qtbot.waitUntil(lambda: desk.document.path == desk.b)
    theirs, questions = desk.document.current_map, []

    def ask(_parent, _title, text, *_buttons):
        questions.append(text)
        return Answer.Save if len(questions) == 1 else Answer.Cancel

    monkeypatch.setattr(QMessageBox, "question", ask)
    desk.window.close()
    desk.document.make_current(theirs)
    desk.paint()
    end(desk)
    assert [text.split()[0] for text in questions] == ["A.battlemap", "B.battlemap"]
    assert desk.window.isVisible()
    assert theirs.unsaved


def test_saving_all_goes_on_with_the_map_that_was_asked_about(desk):
    """B, C are opened and painted; another map comes while A is being written."""
    desk.open()
    desk.qtbot.waitUntil(lambda: desk.document.path == desk.b)
    desk.paint()
    desk.answer = Answer.SaveAll
    desk.window.close()
    desk.game()
    end(desk)
    desk.qtbot.waitUntil(lambda: not desk.window.isVisible())
    assert desk.written(desk.a) == ("colossus", True)
    assert desk.written(desk.b) == ("free", True)
