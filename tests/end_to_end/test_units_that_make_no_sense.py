"""A scenario with units that make no sense: the Problems panel says so, and mends them."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from tests.end_to_end.worlds import open_scenario, scenario_text
from tests.randomizer.systems.xconq.tiny_period import TEXT

ROWS = ("9+", "9+", "9+", "9+", "3.6+", "3.6+", "9+", "9+", "9+")
UNITS = ("@ * 6,6 0", "m * 5,6 -1", "m * 1,4 1", "b * 7,2 1")
SCENARIO = scenario_text("Some odd units", ROWS, UNITS)
"""Men that are neutral, men of Bob in the sea, and his boat on land, near no other sea."""


@pytest.fixture
def problems(window, qtbot, tmp_path):
    problems = open_scenario(qtbot, window, tmp_path, SCENARIO)
    qtbot.waitUntil(lambda: len(codes(problems)) == 3)
    return problems


def codes(listed):
    codes = (problem.code for problem in listed.problems)
    return [code for code in codes if code in ("advice-neutral", "advice-stranded")]


def press(button):
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


@pytest.mark.deep
def test_one_fix_is_one_step(window, problems, qtbot):
    row = [problem.code for problem in problems.problems].index("advice-neutral")
    problems.rows.setCurrentRow(row)
    assert problems.fix_button.toolTip() == "Apply: give it to Ann"
    press(problems.fix_button)
    qtbot.waitUntil(lambda: codes(problems) == ["advice-stranded"] * 2)
    assert [step.text for step in window.desk.document.history.steps] == ["Give it to Ann"]


def test_fix_all_mends_all_in_one_step(window, problems, qtbot):
    press(problems.fix_all_button)
    qtbot.waitUntil(lambda: codes(problems) == [])
    document = window.desk.document
    assert [step.text for step in document.history.steps] == ["Fix all problems"]
    window.desk.commands.run("edit.undo")
    qtbot.waitUntil(lambda: len(codes(problems)) == 3)


@pytest.mark.deep
def test_a_city_in_the_sea_is_named_and_moved_ashore(window, qtbot, tmp_path):
    # A roll would put towns on land alone. That on 5,5 is a port: land is beside it.
    rows = ("9+", "9+", "9+", "6.3+", "6.3+", "6.3+", "6.3+", "9+", "9+")
    units = ("@ * 7,6 0", "@ * 3,4 1", "@ * 5,5 0")
    text = scenario_text("Towns", rows, units).replace("tiny.per", "favored.per")
    (tmp_path / "favored.per").write_text(TEXT.replace("end\n", "100 land @ favored\nend\n"))
    problems = open_scenario(qtbot, window, tmp_path, text)
    message = "town on 3,4 stands on sea: new worlds have none there, nor on a hex beside it"
    qtbot.waitUntil(lambda: message in [problem.message for problem in problems.problems])
    assert codes(problems) == ["advice-stranded"]
    row = [problem.message for problem in problems.problems].index(message)
    problems.rows.setCurrentRow(row)
    # A click shows the hex that the message names, and the status line names it alike.
    point = problems.rows.visualItemRect(problems.rows.item(row)).center()
    QTest.mouseClick(problems.rows.viewport(), Qt.MouseButton.LeftButton, pos=point)
    canvas = window.desk.canvas
    grid = window.desk.document.battlemap.grid
    assert canvas.overlays.flash == (grid.cell(3, 4), None)
    QTest.mouseMove(canvas, canvas.viewport.to_screen(*grid.centre(grid.cell(3, 4))).toPoint())
    labels = window.statusBar().findChildren(QLabel)
    qtbot.waitUntil(lambda: any("3,4 sea" in label.text() for label in labels))
    press(problems.fix_button)
    qtbot.waitUntil(lambda: message not in [problem.message for problem in problems.problems])
    document = window.desk.document
    codes_of_terrain = document.composite.planes["terrain"].ravel()
    things = document.battlemap.visible_things()
    (town,) = [thing for thing in things if thing.kind == "town" and thing.owner == 2]
    cell = document.battlemap.grid.cell_at(town.x, town.y)
    assert codes_of_terrain[cell] == document.battlemap.terrain_set.terrain_code("land")
