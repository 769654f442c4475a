"""The problems of script and map, in one place below the map."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.document.map_files import new_map
from app.features.problems.problems_bar import CLOSE_MS, HEIGHT_DIVISOR, ProblemsBar
from app.widgets.lists.problem_list import ProblemList
from randomizer.catalog.systems import system_named
from randomizer.model.edits.value_edits import set_values
from randomizer.model.problems import Problem, Severity
from randomizer.systems.colossus.map_checks import check_battleland
from randomizer.systems.colossus.system import SYSTEM
from tests.app.conftest import cell
from tests.ui_work import UiWork


@pytest.fixture
def features() -> tuple[str, ...]:
    return ("problems", "script", "layers")


@pytest.fixture
def place(window) -> ProblemsBar:
    (found,) = window.findChildren(ProblemsBar)
    return found


def source(window, title):
    return next(each.problems for each in window.desk.problems.all if each.title == title)


def spoil_the_map(window, qtbot):
    document = window.desk.document
    document.replace_map(new_map(document.battlemap.system))
    document.push(
        set_values(document.battlemap, document.active_layer_id, "hexside", [cell("D4") * 6], 3),
        "Slope",
    )
    qtbot.waitUntil(lambda: len(source(window, "Map").problems) == 1)


def test_problems_are_one_line_that_opens_when_there_are_some(window, qtbot, place):
    assert place.message.text() == "No problems: Colossus can load this map"
    line = place.height()
    assert line < 2 * window.fontMetrics().height() + 8
    QTest.mouseClick(place.line, Qt.MouseButton.LeftButton)
    assert not place.is_open
    spoil_the_map(window, qtbot)
    assert place.height() == line, "nothing moves under the mouse while one paints"
    assert place.message.text().startswith("Map: 1 warning - ")
    QTest.mouseClick(place.line, Qt.MouseButton.LeftButton)
    assert place.is_open
    qtbot.waitUntil(source(window, "Map").rows.isVisible)
    qtbot.waitUntil(lambda: place.height() == line + place.area.height() > 2 * line)
    height = place.height()
    scale = window.desk.canvas.viewport.scale
    window.desk.document.undo()
    qtbot.waitUntil(lambda: place.message.text().startswith("No problems"))
    assert place.height() == height, "it was opened by hand: the map keeps its size"
    assert window.desk.canvas.viewport.scale == scale
    QTest.mouseClick(place.line, Qt.MouseButton.LeftButton)
    assert not place.is_open
    qtbot.waitUntil(lambda: place.height() == line)


def test_a_slope_on_level_ground_is_mended_from_the_list(window, qtbot, place):
    document = window.desk.document
    heights = [cell("D4"), cell("D5")]
    document.replace_map(new_map(document.battlemap.system))
    layer = document.active_layer_id
    document.push(set_values(document.battlemap, layer, "elevation", heights, 1), "Hills")
    slope = SYSTEM.terrain_set.hexside_code("s")
    document.push(
        set_values(document.battlemap, layer, "hexside", [cell("D4") * 6], slope), "Slope"
    )
    problems = source(window, "Map")
    qtbot.waitUntil(lambda: len(problems.problems) == 1)
    QTest.mouseClick(place.line, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(problems.fix_button.isVisible)
    assert problems.fix_button.toolTip() == "Apply: Raise D4 to 2"
    QTest.mouseClick(problems.fix_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not problems.problems)
    assert document.composite.planes["elevation"].flat[cell("D4")] == 2
    assert document.history.next_undo.text == "Raise D4 to 2"

    document.undo()
    qtbot.waitUntil(lambda: len(problems.problems) == 1)
    problems.all_fixes_requested.emit()
    qtbot.waitUntil(lambda: not problems.problems)
    document.undo()
    qtbot.waitUntil(lambda: len(problems.problems) == 1)
    (problem,) = problems.problems
    problems.fix_requested.emit(problem, problem.other_fixes[0])
    assert not document.composite.planes["hexside"].any()


def test_the_command_opens_the_lists_as_soon_as_there_are_problems(window, qtbot, place):
    command = window.desk.commands.action("view.problems")
    assert not command.isEnabled()
    spoil_the_map(window, qtbot)
    assert command.isEnabled()
    command.trigger()
    assert place.is_open
    command.trigger()
    window.desk.document.undo()
    qtbot.waitUntil(lambda: not command.isEnabled())


def test_problems_of_script_and_map_stand_in_one_place_and_never_contradict(window, qtbot, place):
    spoil_the_map(window, qtbot)
    window.desk.scripts.text.replace("AREA D4 HAZARDS Lkae\n")
    qtbot.waitUntil(lambda: len(source(window, "Script").problems) == 1)
    assert [title for title, _problems in place.sources_with_problems] == ["Script", "Map"]
    assert place.message.text().startswith("Script: 1 error; Map: 1 warning - ")
    window.desk.commands.run("view.problems")
    for title in ("Script", "Map"):
        qtbot.waitUntil(source(window, title).rows.isVisible)
    panel = window.desk.docks.panel("randomize")
    assert not panel.isAncestorOf(source(window, "Script"))
    assert QApplication.focusWidget() is not source(window, "Script").rows


def test_a_roll_that_fails_opens_the_problems_and_a_click_goes_to_the_line(window, qtbot, place):
    window.desk.scripts.text.replace("AREA D4 HAZARDS Lkae\n")
    window.desk.docks.show("layers")
    panel = window.desk.docks.panel("randomize")
    qtbot.waitUntil(lambda: window.desk.scripts.checker.fresh)
    window.desk.rolling.reported.emit(source(window, "Script").problems)
    assert place.is_open
    qtbot.waitUntil(lambda: place.height() == place.line.height() + place.area.height())
    height = place.height()
    window.desk.rolling.reported.emit(())  # the next roll begins
    window.desk.scripts.text.replace("PLAINS\n")
    window.desk.rolling.reported.emit((Problem(Severity.HINT, "roll-hint", "a hint"),))
    assert place.height() == height, "lists that opened by themselves stay for the next roll"
    place.close_lists()
    window.desk.rolling.reported.emit((Problem(Severity.HINT, "roll-hint", "a hint"),))
    assert not place.is_open, "hints open nothing"
    window.desk.scripts.text.replace("AREA D4 HAZARDS Lkae\n")
    qtbot.waitUntil(lambda: len(source(window, "Script").problems) == 1)
    window.desk.rolling.reported.emit(source(window, "Script").problems)
    source(window, "Script").activated.emit(source(window, "Script").problems[0])
    qtbot.waitUntil(panel.editor.isVisible)
    assert panel.editor.textCursor().selectedText() == "Lkae"


def test_open_lists_follow_the_window_and_no_roll_changes_the_size_of_the_map(window, qtbot, place):
    canvas = window.desk.canvas
    spoil_the_map(window, qtbot)
    window.desk.commands.run("view.problems")
    for height in (900, 640, 780):
        window.resize(1280, height)
        qtbot.waitUntil(lambda height=height: window.height() == height)
        qtbot.wait(50)
        # The lists get their new height in a later turn of the event loop than the column.
        qtbot.waitUntil(
            lambda: place.area.height() == place.parentWidget().height() // HEIGHT_DIVISOR
        )
        qtbot.wait(50)
        size = canvas.size()
        for problems in ((), (Problem(Severity.HINT, "roll-hint", "a hint"),)):
            window.desk.rolling.reported.emit(problems)
            qtbot.wait(20)
            assert canvas.size() == size


def test_lists_that_a_failed_roll_opened_stay_while_the_next_one_is_rolled(
    window, qtbot, place, monkeypatch
):
    qtbot.waitUntil(lambda: window.desk.scripts.checker.fresh)
    window.desk.rolling.reported.emit((Problem(Severity.ERROR, "roll", "it failed while it ran"),))
    assert place.is_open
    # A roll that goes on for as long as the test wants.
    monkeypatch.setattr(type(window.desk.rolling), "busy", True)
    window.desk.rolling.reported.emit(())
    # The pause is over, before the list closes.
    place._close_timer.timeout.emit()
    assert place.is_open, "the roll may fail again"
    monkeypatch.undo()
    # The pause is over, and the roll as well.
    place._close_timer.timeout.emit()
    assert not place.is_open


def test_problems_of_the_map_before_are_gone_as_soon_as_another_one_is_shown(window, qtbot, place):
    document = window.desk.document
    spoil_the_map(window, qtbot)
    window.desk.rolling.reported.emit((Problem(Severity.ERROR, "roll", "it failed while it ran"),))
    document.open_map(new_map(document.battlemap.system))
    assert place.sources_with_problems == []
    document.make_current(document.maps[0])
    qtbot.waitUntil(lambda: [title for title, _problems in place.sources_with_problems] == ["Map"])


def test_on_a_map_without_scripts_no_problem_of_a_script_is_listed(window, qtbot, place):
    window.desk.scripts.text.replace("AREA D4 HAZARDS Lkae\n")
    qtbot.waitUntil(lambda: len(source(window, "Script").problems) == 1)
    window.desk.document.show_map(new_map(system_named("cordery")))
    assert place.sources_with_problems == []


def test_a_warning_appears_while_painting_and_a_click_shows_its_hex(qtbot, window):
    with UiWork() as work:
        spoil_the_map(window, qtbot)
    assert work.where(check_battleland) == {"job"}
    problems = source(window, "Map")
    (problem,) = problems.problems
    assert problem.cell == cell("D4")
    assert "D4" in problem.message
    problems.activated.emit(problem)
    assert window.desk.canvas.overlays.flash == (cell("D4"), 0)


def test_a_failed_roll_opens_the_list_low_and_a_click_gives_it_its_share(window, qtbot, place):
    window.resize(1280, 800)
    panel = window.desk.docks.panel("randomize")
    panel.follow_action.setChecked(False)
    panel.editor.setFocus()
    panel.editor.selectAll()
    for _line in range(6):
        QTest.keyClicks(panel.editor, "AREA A1 HAZARDS Nonsense")
        QTest.keyClick(panel.editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: len(source(window, "Script").problems) >= 6)
    panel.roll_action.trigger()
    qtbot.waitUntil(lambda: place.is_open)
    low_height = place.area.height()
    assert place.message.toolTip().startswith(place.message.text())
    QTest.mouseClick(place.line, Qt.MouseButton.LeftButton)
    QTest.mouseClick(place.line, Qt.MouseButton.LeftButton)
    assert place.is_open
    assert place.area.height() > low_height


@pytest.mark.deep
def test_a_list_that_a_failed_roll_opened_closes_once_no_error_is_left(window, qtbot, place):
    spoil_the_map(window, qtbot)
    panel = window.desk.docks.panel("randomize")
    panel.follow_action.setChecked(False)
    panel.editor.setFocus()
    QTest.keyClick(panel.editor, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(panel.editor, "AREA A1 HAZARDS Nonsense")
    QTest.keyClick(panel.editor, Qt.Key.Key_Return)
    panel.roll_action.trigger()
    qtbot.waitUntil(lambda: place.is_open)
    while panel.editor.document().isUndoAvailable():
        QTest.keyClick(panel.editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: not place.is_open)
    assert place.message.text().startswith("Map: 1 warning"), "which is no error"
    window.desk.commands.run("view.problems")
    qtbot.wait(2 * CLOSE_MS)
    assert place.is_open, "it was opened by hand"


def test_only_the_left_button_opens_the_list(window, qtbot, place):
    spoil_the_map(window, qtbot)
    QTest.mouseClick(place.line, Qt.MouseButton.RightButton)
    assert not place.is_open


def test_a_source_without_problems_is_hidden_also_beside_one_of_its_name(window, qtbot, place):
    other_list = ProblemList()
    window.desk.problems.add("Map", other_list)
    spoil_the_map(window, qtbot)
    place.open()
    assert source(window, "Map").isVisibleTo(place.area)
    assert not other_list.isVisibleTo(place.area)


def test_lists_are_not_closed_by_the_time_of_an_earlier_gap(window, qtbot, place):
    spoil_the_map(window, qtbot)
    place.open()
    window.desk.document.undo()
    qtbot.waitUntil(lambda: not place.sources_with_problems)
    window.desk.document.redo()
    qtbot.waitUntil(lambda: bool(place.sources_with_problems))
    qtbot.wait(CLOSE_MS + 100)
    assert place.is_open
    assert place.area.isVisible()
