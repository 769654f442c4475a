"""A period with one slip: its first cause is told first, and *Fix all* mends that and no more."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.features.new_map.dialog import NewMapDialog
from app.features.problems.problems_bar import ProblemsBar
from app.widgets.lists.problem_delegate import PROBLEM
from randomizer.systems.xconq.period.packaged_periods import packaged_text
from tests.end_to_end.test_map_script_desk import settle, type_at
from tests.end_to_end.test_new_scripts import NEW_PERIOD, find
from tests.end_to_end.worlds import new_world, script_panel, wait_for_world

DRIVEN_DIALOGS = (NewMapDialog,)

MODERN = packaged_text("modern.per")
TANKS = '"tanks" "fast and strong in open country" '
TANKS_NAME = 'tanks" "fast'
"""The name of a unit type, with its closing quote and what follows."""

PLAINS = '"+" "plains" "#a8c46c" ttype\n'
FOREST = '"," "forest" "dark green" ttype\n'
INFANTRY = '"infantry" "walks anywhere and takes towns'


@pytest.fixture
def panel(window, qtbot):
    """The script panel of a new world of the period *Modern times*."""
    new_world(qtbot, window, "Modern")
    return script_panel(qtbot, window)


def write(panel, text, qtbot):
    """Paste a text over the period, and wait for its problems."""
    QGuiApplication.clipboard().setText(text)
    panel.editor.setFocus()
    QTest.keyClick(panel.editor, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(panel.editor, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: panel.scripts.checker.fresh and bool(panel.problem_list.problems))


def listed(panel):
    """The problems that have a row."""
    rows = panel.problem_list.rows
    return [rows.item(row).data(PROBLEM) for row in range(rows.count())]


@pytest.mark.deep
def test_of_several_slips_each_is_listed_and_what_follows_from_them_is_counted(
    window, panel, qtbot
):
    text = MODERN.replace(f"{TANKS}utype", f"{TANKS}utipe")
    text = text.replace("true [ e * @ ] maker", "true [ e * @ ] makker")
    text = text.replace("3 ground / repair", "3 ground / repaire")
    write(panel, text, qtbot)
    fixes = [problem.fix.title for problem in listed(panel)]
    assert fixes == ["Write “utype”", "Write “maker”", "Write “repair”"]
    count = len(panel.problem_list.problems)
    # For the type that is lost no map is rolled: that is an error, of which the script panel tells.
    summary = f"1 error, 2 warnings and {count - 3} that follow"
    assert panel.problem_list.summary == summary
    bar = window.findChild(ProblemsBar)
    assert bar.message.text().startswith(f"Script: {summary} - ")
    assert len(panel.editor.extraSelections()) >= 3
    QTest.mouseClick(panel.problem_list.fix_all_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: panel.editor.text() == MODERN)
    settle(qtbot, window)


def test_the_list_and_the_panel_agree_that_a_lost_type_is_an_error(qtbot, panel):
    write(panel, MODERN.replace(f"{TANKS}utype", f"{TANKS}utipe"), qtbot)
    count = len(panel.problem_list.problems)
    assert panel.problem_list.summary == f"1 error and {count - 1} that follow"
    qtbot.waitUntil(lambda: panel.notices.text_banner.isVisible())
    assert panel.notices.text_banner.label.text().startswith("This text has errors")


@pytest.mark.deep
def test_a_new_terrain_between_two_others_gets_values_by_fixes(window, qtbot):
    find(qtbot, window, "new period", NEW_PERIOD)
    wait_for_world(qtbot, window)
    settle(qtbot, window)
    panel = script_panel(qtbot, window)
    text = panel.editor.text()
    assert PLAINS in text
    write(panel, text.replace(PLAINS, f"{PLAINS}{FOREST}"), qtbot)
    assert [problem.message.partition(":")[0] for problem in listed(panel)] == [
        "“min-alt” got 4 values for 5 types",
        "“max-alt” got 4 values for 5 types",
    ]
    fixes = [problem.fix.title for problem in listed(panel)]
    assert fixes == [
        "Write 60 for forest, as for plains",
        "Write 90 for forest, as for plains",
    ]
    # After the first fix the second count is still told first, and no swap of its values.
    QTest.mouseClick(panel.problem_list.fix_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "[ 0 60 60 90 0 ] t* min-alt" in panel.editor.text())
    qtbot.waitUntil(lambda: panel.scripts.checker.fresh)
    assert listed(panel)[0].message.startswith("“max-alt” got 4 values for 5 types")
    assert not [problem for problem in listed(panel) if "is above" in problem.message]
    QTest.mouseClick(panel.problem_list.fix_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "[ 60 90 90 100 0 ] t* max-alt" in panel.editor.text())
    qtbot.waitUntil(lambda: panel.scripts.checker.fresh)
    # With the values of plains a forest has no room of its own: that is a hint, and no slip.
    problems = [problem for problem in panel.problem_list.problems if problem.line]
    assert [problem.message.partition(":")[0] for problem in problems] == ["forest appears nowhere"]
    settle(qtbot, window)


def test_fix_all_mends_the_slip_and_leaves_what_only_follows_from_it(window, panel, qtbot):
    write(panel, MODERN.replace(f"{TANKS}utype", f"{TANKS}utipe"), qtbot)
    bar = window.findChild(ProblemsBar)
    assert bar.message.text().endswith("- " + panel.problem_list.problems[0].message)
    assert [problem.fix.title for problem in listed(panel)] == ["Write “utype”"]
    QTest.mouseClick(panel.problem_list.fix_all_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: panel.editor.text() == MODERN)
    settle(qtbot, window)


@pytest.mark.deep
def test_a_missing_closing_quote_is_told_first_and_closed(window, panel, qtbot):
    write(panel, MODERN.replace(f'{INFANTRY}" utype', f"{INFANTRY} utype"), qtbot)
    problem = panel.problem_list.problems[0]
    line = MODERN[: MODERN.index(INFANTRY)].count("\n") + 1
    assert problem.message == f"The text that begins on line {line} has no closing quote."
    assert problem.line == line
    assert listed(panel) == [problem]
    panel.problem_list.choose(problem)
    QTest.mouseClick(panel.problem_list.fix_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: panel.editor.text() == MODERN)
    settle(qtbot, window)


def test_a_missing_opening_quote_is_one_problem_with_a_fix(window, panel, qtbot):
    write(panel, MODERN.replace(f'"{TANKS_NAME}', TANKS_NAME), qtbot)
    (problem,) = listed(panel)
    assert problem.line == MODERN[: MODERN.index(TANKS_NAME)].count("\n") + 1
    panel.problem_list.choose(problem)
    assert panel.problem_list.fix_button.toolTip() == 'Apply: Write "tanks"'
    QTest.mouseClick(panel.problem_list.fix_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: panel.editor.text() == MODERN)
    settle(qtbot, window)


@pytest.mark.deep
def test_a_mistake_that_is_being_typed_moves_neither_the_text_nor_the_map(window, panel, qtbot):
    canvas = window.desk.canvas
    size = canvas.size()
    position = panel.editor.pos()
    type_at(panel.editor, "x", 'mend towns" ')  # utype becomes xutype
    settle(qtbot, window)
    qtbot.waitUntil(lambda: panel.notices.text_banner.isVisible())
    assert panel.problem_list.problems
    QApplication.processEvents()
    assert panel.editor.pos() == position
    assert canvas.size() == size


@pytest.mark.deep
def test_the_list_keeps_the_keyboard_after_a_click_and_a_fix(window, panel, qtbot):
    text = MODERN.replace(f"{TANKS}utype", f"{TANKS}utipe")
    write(panel, text.replace("3 ground / repair", "3 ground / repaire"), qtbot)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    bar = window.findChild(ProblemsBar)
    QTest.mouseClick(bar.button, Qt.MouseButton.LeftButton)
    problems = panel.problem_list
    qtbot.waitUntil(problems.rows.isVisible)
    point = problems.rows.visualItemRect(problems.rows.item(0)).center()
    QTest.mouseClick(problems.rows.viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert panel.editor.textCursor().selectedText() == "utipe"
    assert problems.fix_button.menu() is None, "there is one fix: no arrow"

    QTest.mouseClick(problems.fix_button, Qt.MouseButton.LeftButton)
    fixed_text = panel.editor.text()
    assert f"{TANKS}utype" in fixed_text
    qtbot.waitUntil(lambda: len(listed(panel)) == 1)
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Down)
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    assert panel.editor.text() == fixed_text

    # Enter goes to the text, which has the keyboard then.
    assert QApplication.focusWidget() is panel.editor
    QTest.mouseClick(problems.fix_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not listed(panel))
    assert panel.editor.text() == MODERN
