"""Too many units on one hex, or in one unit: the list of problems mends that, in one step."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.end_to_end.worlds import open_scenario, scenario_text

SCENARIO = scenario_text("A crowd", ("9+",) * 9, ("m * 4,4 0",) * 3)
"""Three men on one hex, on a map of one terrain."""


@pytest.fixture
def problems(window, qtbot, tmp_path):
    problems = open_scenario(qtbot, window, tmp_path, SCENARIO)
    qtbot.waitUntil(lambda: bool(crowds(problems)))
    return problems


def crowds(listed):
    return [problem for problem in listed.problems if problem.code == "advice-capacity"]


def cells(document):
    grid = document.battlemap.grid
    return {grid.cell_at(thing.x, thing.y) for thing in document.battlemap.visible_things()}


def test_the_surplus_goes_to_the_nearest_free_hexes(window, problems, qtbot):
    document = window.desk.document
    (crowd,) = crowds(problems)
    problems.choose(crowd)
    assert problems.fix_button.toolTip() == "Apply: move 2 men to the nearest free hexes"
    QTest.mouseClick(problems.fix_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not crowds(problems))
    assert len(cells(document)) == 3
    assert len(document.history.steps) == 1
    document.undo()
    assert len(cells(document)) == 1


@pytest.mark.deep
def test_the_surplus_can_be_removed(window, problems, qtbot):
    document = window.desk.document
    (crowd,) = crowds(problems)
    problems.choose(crowd)
    menu = problems.fix_button.menu()
    remove = next(action for action in menu.actions() if action.text() == "Remove 2 men")
    remove.trigger()
    qtbot.waitUntil(lambda: not crowds(problems))
    assert len(list(document.battlemap.visible_things())) == 1
    assert len(document.history.steps) == 1
