"""The list of problems: what it says, and what a click, Enter and the fix button do."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from app.widgets.lists.problem_list import LISTED, ProblemList, place_in_text, summary
from randomizer.model.problems import Fix, Problem, Severity
from tests.counting import calls_of

WRONG = Problem(
    Severity.ERROR, "e", "There is no hazard `Lkae`.", "x.rnd", 3, 7, 3, 11, Fix("Lake")
)
ODD = Problem(Severity.WARNING, "w", "A long sentence that goes on " * 6, "x.rnd", 9)
BARE = Problem(Severity.HINT, "h", "No place at all.")


@pytest.fixture
def listed(qtbot) -> ProblemList:
    widget = ProblemList()
    qtbot.addWidget(widget)
    widget.resize(320, 240)
    widget.show()
    qtbot.waitExposed(widget)
    widget.set_problems([WRONG, ODD, BARE])
    return widget


def middle(listed, row) -> QPoint:
    return listed.rows.visualItemRect(listed.rows.item(row)).center()


def test_numbers_and_places_in_words():
    assert summary([]) == "No problems"
    assert summary([ODD, WRONG, WRONG]) == "2 errors, 1 warning"
    assert [place_in_text(problem) for problem in (WRONG, ODD, BARE)] == [
        "line 3, column 7",
        "line 9",
        "",
    ]


def test_rows_say_severity_message_and_place_but_no_code(listed):
    assert listed.summary == "1 error, 1 warning, 1 hint"
    words = [listed.rows.item(row).text() for row in range(3)]
    assert words[0] == "error, There is no hazard “Lkae”., line 3, column 7"
    assert words[2] == "hint, No place at all."
    assert listed.rows.accessibleName() == "Problems"
    assert "Way out: Lake" in listed.rows.item(0).toolTip()


def test_a_click_goes_to_the_place(listed, qtbot):
    with qtbot.waitSignal(listed.activated) as shown:
        QTest.mouseClick(listed.rows.viewport(), Qt.MouseButton.LeftButton, pos=middle(listed, 1))
    assert shown.args == [ODD]


def test_enter_goes_to_the_place_of_the_current_row(listed, qtbot):
    listed.choose(WRONG)
    listed.rows.setFocus()
    QTest.keyClick(listed.rows, Qt.Key.Key_Down)
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
        with qtbot.waitSignal(listed.activated) as shown:
            QTest.keyClick(listed.rows, key)
        assert shown.args == [ODD]


def test_the_button_asks_for_the_fix_of_the_current_row(listed, qtbot):
    assert listed.chosen == WRONG, "it is chosen when the list opens"
    with qtbot.waitSignal(listed.fix_requested) as asked:
        listed.fix_button.click()
    assert asked.args == [WRONG, WRONG.fix]
    listed.set_problems([WRONG, replace(WRONG, line=9), ODD])
    listed.choose(ODD)
    assert not listed.fix_button.isEnabled()
    listed.choose(WRONG)
    assert listed.fix_button.toolTip() == "Apply: Lake"
    with qtbot.waitSignal(listed.fix_requested) as asked:
        listed.fix_button.click()
    assert asked.args == [WRONG, WRONG.fix]
    listed.set_problems([ODD])
    assert not listed.fix_button.isVisible()


def test_the_menu_of_a_row_shows_fixes_and_copies(listed, qtbot):
    listed.rows.customContextMenuRequested.emit(middle(listed, 0))
    (menu,) = [menu for menu in listed.findChildren(QMenu) if menu.isVisible()]
    actions = {action.text(): action for action in menu.actions()}
    with qtbot.waitSignal(listed.fix_requested):
        actions["Apply fix: Lake"].trigger()
    with qtbot.waitSignal(listed.activated):
        actions["Show the place"].trigger()
    actions["Copy the message"].trigger()
    assert QGuiApplication.clipboard().text() == "There is no hazard “Lkae”."
    menu.close()
    assert "Apply fix" not in "".join(action.text() for action in listed.menu_of(ODD).actions())
    listed.rows.customContextMenuRequested.emit(QPoint(10, 10_000))


def test_the_menu_shows_the_ampersand_of_a_fix(listed):
    problem = replace(WRONG, fix=Fix("Write R&D"))
    (text,) = [a.text() for a in listed.menu_of(problem).actions() if "fix" in a.text()]
    assert text == "Apply fix: Write R&&D", "one & alone would underline the D"


def test_the_chosen_problem_stays_chosen_when_others_come(listed):
    listed.choose(ODD)
    listed.set_problems([BARE, ODD])
    assert listed.chosen == ODD
    listed.set_problems([WRONG, replace(WRONG, line=9)])
    assert listed.chosen == replace(WRONG, line=9), "it is in the row of the one that has gone"
    listed.set_problems([BARE])
    assert listed.chosen == BARE
    listed.set_problems([])
    assert listed.chosen is None
    assert listed.summary == "No problems"


def test_long_messages_wrap_where_there_is_little_room(listed, qtbot):
    def height() -> int:
        return listed.rows.visualItemRect(listed.rows.item(1)).height()

    narrow = height()
    assert listed.rows.visualItemRect(listed.rows.item(1)).width() <= listed.rows.width()
    listed.resize(900, 240)
    qtbot.waitUntil(lambda: height() < narrow)


def test_it_is_drawn_in_light_and_dark_selected_or_not(listed):
    images = []
    for base in ("#ffffff", "#202020"):
        palette = listed.palette()
        palette.setColor(QPalette.ColorRole.Base, QColor(base))
        listed.setPalette(palette)
        listed.update_colours()
        images.append(listed.grab().toImage())
        listed.choose(WRONG)
    assert images[0] != images[1]


def test_places_can_be_said_in_other_words(qtbot):
    widget = ProblemList(place_of=lambda problem: f"hex {problem.cell}")
    qtbot.addWidget(widget)
    widget.set_problems([Problem(Severity.WARNING, "c", "Odd.", cell=4)])
    assert widget.rows.item(0).text() == "warning, Odd., hex 4"


def test_of_thousands_of_problems_the_first_have_rows_and_all_are_counted(qtbot):
    listed = ProblemList()
    qtbot.addWidget(listed)
    problems = tuple(
        Problem(Severity.ERROR, "made-up", f"Mistake {line}", "a.rnd", line, 1)
        for line in range(1, 5_001)
    )
    listed.show()
    few = calls_of(lambda: (listed.set_problems(problems[:LISTED]), listed.grab()))
    assert calls_of(lambda: (listed.set_problems(problems), listed.grab())) < 4 * few
    assert listed.summary == f"5,000 errors; the first {LISTED} are listed"
    assert listed.rows.count() == LISTED
    listed.choose(problems[-1])
    assert listed.chosen == problems[0], "the last one has no row"
    listed.choose(problems[3])
    assert listed.chosen == problems[3]
