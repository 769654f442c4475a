"""A window that closes waits until its maps are in their files, and asks about new work."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.app.features.files.test_loading_meanwhile import WAYS, Desk, end

QUESTION = "Unsaved changes"


@pytest.fixture
def journals(tmp_path) -> Path:
    return tmp_path / "journals"


@pytest.fixture
def desk(qtbot, window, tmp_path, monkeypatch) -> Desk:
    return Desk(qtbot, window, tmp_path, monkeypatch)


@pytest.mark.parametrize("way", WAYS)
def test_the_window_closes_when_the_map_is_in_its_file_and_not_before(desk, hand, way):
    hand.expect(QUESTION).press("Save")
    desk.window.close()
    desk.qtbot.waitUntil(lambda: desk.writes == 1)
    assert desk.window.isVisible()
    desk.bring(way)
    if way == "recovery":  # a recovered map is work
        hand.expect(QUESTION).press("Discard")
    desk.gate.set()
    desk.qtbot.waitUntil(lambda: not desk.window.isVisible())
    assert desk.written(desk.a) == ("colossus", True)
    assert desk.written(desk.b) == ("free", False)


@pytest.mark.parametrize("answer", ["Save", pytest.param("Discard", marks=pytest.mark.deep)])
def test_unsaved_work_that_comes_while_the_window_closes_is_asked_about(desk, hand, answer):
    """B comes while the question about A is shown, and is not saved anywhere either."""
    first = hand.expect(QUESTION).do(lambda _dialog: desk.bring("recovery")).press(answer)
    second = hand.expect(QUESTION).press("Cancel")
    desk.gate.set()
    desk.window.close()
    desk.qtbot.waitUntil(lambda: second.has_come)
    end(desk)
    assert "A.battlemap" in first.text
    assert "A.battlemap" not in second.text
    assert desk.window.isVisible()
    assert len(desk.document.maps) == 2
    assert desk.written(desk.a) == ("colossus", answer == "Save")


@pytest.mark.deep
def test_what_is_painted_on_another_map_while_the_window_closes_is_asked_about(desk, hand):
    desk.open()
    desk.qtbot.waitUntil(lambda: desk.document.path == desk.b)
    theirs = desk.document.current_map
    questions = [hand.expect(QUESTION).press("Save"), hand.expect(QUESTION).press("Cancel")]
    desk.window.close()
    desk.qtbot.waitUntil(lambda: desk.writes == 1)
    desk.document.make_current(theirs)
    desk.paint()
    end(desk)
    desk.qtbot.waitUntil(lambda: questions[1].has_come)
    assert [question.text.split()[0] for question in questions] == ["A.battlemap", "B.battlemap"]
    assert desk.window.isVisible()
    assert theirs.unsaved


@pytest.mark.deep
def test_saving_all_goes_on_with_the_map_that_was_asked_about(desk, hand):
    """B, C are opened and painted; another map comes while A is being written."""
    desk.open()
    desk.qtbot.waitUntil(lambda: desk.document.path == desk.b)
    desk.paint()
    hand.expect(QUESTION).press("Save All")
    desk.window.close()
    desk.game()
    end(desk)
    desk.qtbot.waitUntil(lambda: not desk.window.isVisible())
    assert desk.written(desk.a) == ("colossus", True)
    assert desk.written(desk.b) == ("free", True)
