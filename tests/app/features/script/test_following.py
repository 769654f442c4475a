"""A script that is open here is saved by another program: real files, a real roll."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QThreadPool
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from randomizer.systems.colossus.board import CELL_OF_HEX
from randomizer.systems.colossus.terrain_set import COLOSSUS
from tests.app.conftest import complete_form
from tests.app.saves import finished

LAKE = "AREA (anywhere) HAZARDS Lake Lake Lake\n"
BOG = "AREA (anywhere) HAZARDS Bog Bog Bog Tree\n"


@pytest.fixture
def features() -> tuple[str, ...]:
    return ("script",)


@pytest.fixture
def script(tmp_path) -> Path:
    path = tmp_path / "Land.rnd"
    path.write_text(LAKE, "utf-8")
    return path


@pytest.fixture
def panel(window, script, qtbot):
    """The panel with the script opened, rolled, and at rest."""
    panel = window.desk.docks.panel("randomize")
    assert finished(panel.scripts.opening.open(script))
    panel.rolling.roll()
    qtbot.waitUntil(lambda: not panel.rolling.busy and panel.scripts.checker.fresh)
    yield panel
    QThreadPool.globalInstance().waitForDone(5000)


def shown(panel) -> list[str]:
    """The hazards on the map."""
    terrain = panel.document.composite.planes["terrain"].flat[list(CELL_OF_HEX)]
    names = [COLOSSUS.terrains[code].name for code in terrain]
    return sorted(name for name in names if name != "Plains")


def in_place(path: Path, text: str) -> None:
    path.write_text(text, "utf-8")


def renamed_over(path: Path, text: str) -> None:
    other = path.with_suffix(".tmp")
    other.write_text(text, "utf-8")
    other.replace(path)


def taken_away_first(path: Path, text: str) -> None:
    path.rename(path.with_suffix(".bak"))
    path.write_text(text, "utf-8")


def in_pieces(path: Path, text: str) -> None:
    with path.open("w", encoding="utf-8") as file:
        for start in range(0, len(text), 20):
            file.write(text[start : start + 20])
            file.flush()
            QApplication.processEvents()  # the change of the file is seen here


@pytest.mark.parametrize("save", [in_place, renamed_over, taken_away_first, in_pieces])
def test_a_save_elsewhere_is_read_checked_and_rolled_again_at_once(panel, script, qtbot, save):
    before = panel.rolling.target().roll
    assert shown(panel) == ["Lake"] * 3
    for text, hazards in ((BOG, ["Bog"] * 3 + ["Tree"]), (LAKE, ["Lake"] * 3)):
        save(script, text)
        qtbot.waitUntil(lambda wanted=hazards: shown(panel) == wanted)
        assert panel.editor.text() == text
        assert not panel.scripts.current.unsaved
        after = panel.rolling.target().roll
        assert (after.seed, after.number) == (before.seed, before.number)
        qtbot.waitUntil(lambda: panel.scripts.checker.fresh)
    assert not panel.notices.file_banner.isVisible()


def test_a_text_with_errors_keeps_the_map_and_lists_them(panel, script, qtbot):
    in_place(script, "AERA (anywhere) HAZARDS Bog\n")
    qtbot.waitUntil(lambda: bool(panel.problem_list.problems))
    qtbot.waitUntil(lambda: not panel.rolling.busy and panel.scripts.checker.fresh)
    assert [problem.code for problem in panel.problem_list.problems] == ["misspelt-keyword"]
    assert shown(panel) == ["Lake"] * 3
    in_place(script, BOG)
    qtbot.waitUntil(lambda: "Bog" in shown(panel))


def test_the_map_and_the_text_have_an_undo_of_their_own(panel, script, qtbot, window):
    in_place(script, BOG)
    qtbot.waitUntil(lambda: "Bog" in shown(panel))
    window.desk.document.undo()
    assert shown(panel) == ["Lake"] * 3
    assert panel.editor.text() == BOG
    panel.editor.undo()
    assert panel.editor.text() == LAKE
    assert panel.scripts.current.unsaved
    panel.editor.document().setModified(False)  # else closing asks


def test_unsaved_edits_are_asked_about_and_nothing_is_lost(panel, script, qtbot):
    panel.editor.insertPlainText("# mine\n")
    in_place(script, BOG)
    banner = panel.notices.file_banner
    qtbot.waitUntil(banner.isVisible)
    assert banner.label.text() == "Another program has changed Land.rnd."
    assert shown(panel) == ["Lake"] * 3
    banner.button.click()
    qtbot.waitUntil(lambda: "Bog" in shown(panel))
    assert not banner.isVisible()
    panel.editor.undo()
    assert panel.editor.text() == "# mine\n" + LAKE
    panel.editor.document().setModified(False)


def test_whoever_does_not_follow_is_asked(panel, script, qtbot, settings):
    panel.follow_action.setChecked(False)
    assert not settings.follow_script
    in_place(script, BOG)
    qtbot.waitUntil(panel.notices.file_banner.isVisible)
    assert panel.editor.text() == LAKE
    panel.follow_action.setChecked(True)
    qtbot.waitUntil(lambda: "Bog" in shown(panel))


def test_nothing_is_rolled_where_nothing_of_the_script_was(window, panel, tmp_path, qtbot):
    other = tmp_path / "Other.rnd"
    in_place(other, "TOWER\n")
    assert finished(panel.scripts.opening.open(other))
    said: list[str] = []
    panel.scripts.message.connect(said.append)
    renamed_over(other, BOG)
    qtbot.waitUntil(lambda: panel.editor.text() == BOG)
    assert said == ["Other.rnd was read again: nothing was rolled from it"]
    assert shown(panel) == ["Lake"] * 3


def test_our_own_save_is_no_news_but_rolled(panel, script, qtbot):
    panel.editor.selectAll()
    panel.editor.insertPlainText(BOG)
    assert finished(panel.scripts.files.save())
    qtbot.waitUntil(lambda: "Bog" in shown(panel))
    steps = len(panel.document.history.steps)
    assert finished(panel.scripts.files.save())
    QTest.qWait(400)
    assert len(panel.document.history.steps) == steps
    assert not panel.notices.file_banner.isVisible()


def test_no_map_follows_a_script_that_is_saved_while_the_desk_is_left(panel, script, hand):
    steps = len(panel.document.history.steps)
    panel.editor.selectAll()
    panel.editor.insertPlainText(BOG)
    hand.expect("Unsaved script").press("Save")
    assert finished(panel.scripts.unsaved.ask_before_quitting())
    assert script.read_text("utf-8") == BOG
    QTest.qWait(400)  # the pause after which a map follows what is typed is over
    assert len(panel.document.history.steps) == steps


def type_text(panel, text: str) -> None:
    panel.editor.selectAll()
    panel.editor.insertPlainText(text)


def test_the_map_follows_what_is_typed_in_one_step(panel, qtbot, window):
    before = panel.rolling.target().roll
    steps = len(panel.document.history.steps)
    for text, hazards in ((BOG, ["Bog"] * 3 + ["Tree"]), (f"{LAKE}# more\n", ["Lake"] * 3)):
        type_text(panel, text)
        qtbot.waitUntil(lambda wanted=text: panel.rolling.target().roll.script == wanted)
        assert shown(panel) == hazards
    after = panel.rolling.target().roll
    assert (after.seed, after.number) == (before.seed, before.number)
    assert len(panel.document.history.steps) == steps + 1
    panel.editor.undo()
    qtbot.waitUntil(lambda: "Bog" in shown(panel))
    window.desk.document.undo()
    assert shown(panel) == ["Lake"] * 3
    assert panel.editor.text() == BOG
    panel.editor.document().setModified(False)


def test_a_half_typed_text_keeps_the_map(panel, qtbot):
    steps = len(panel.document.history.steps)
    type_text(panel, "AERA (anywhere) HAZARDS Bog\n")
    qtbot.waitUntil(lambda: bool(panel.problem_list.problems))
    QTest.qWait(600)
    assert len(panel.document.history.steps) == steps
    type_text(panel, BOG)
    qtbot.waitUntil(lambda: "Bog" in shown(panel))
    panel.editor.document().setModified(False)


def test_settings_are_followed_too(panel, qtbot):
    complete_form(panel).field("BaseTerrain").setCurrentText("Tower")
    qtbot.waitUntil(lambda: "Tower" in shown(panel))
    assert panel.rolling.target().roll.settings == {"BaseTerrain": "Tower"}


def test_whoever_does_not_follow_rolls_the_same_map_by_a_key(panel, qtbot):
    before = panel.rolling.target().roll
    panel.follow_action.setChecked(False)
    type_text(panel, BOG)
    qtbot.waitUntil(lambda: panel.scripts.checker.fresh)
    QTest.qWait(400)
    assert shown(panel) == ["Lake"] * 3
    panel.again_action.trigger()
    qtbot.waitUntil(lambda: "Bog" in shown(panel))
    after = panel.rolling.target().roll
    assert (after.seed, after.number) == (before.seed, before.number)
    panel.editor.document().setModified(False)


def test_a_script_saved_under_another_name_is_followed_still(panel, qtbot, hand, tmp_path):
    hand.expect("Save script").type_path(tmp_path / "Mine.rnd")
    panel.save_as_action.trigger()
    type_text(panel, BOG)
    qtbot.waitUntil(lambda: "Bog" in shown(panel))
    assert panel.rolling.target().roll.script_name == "Mine.rnd"
    panel.editor.document().setModified(False)


def test_a_file_that_goes_is_told_and_may_come_back(panel, script, qtbot):
    script.unlink()
    banner = panel.notices.file_banner
    qtbot.waitUntil(banner.isVisible)
    assert "Land.rnd is not there any more" in banner.label.text()
    assert not banner.button.isVisible()
    in_place(script, BOG)
    qtbot.waitUntil(lambda: "Bog" in shown(panel))
    assert not banner.isVisible()
