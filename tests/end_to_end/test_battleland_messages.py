"""What the desk says of a battleland: its tower, who can load it, what a click on odds does."""

from __future__ import annotations

import pytest
from PySide6.QtTest import QTest

from app.features.problems.problems_bar import ProblemsBar
from randomizer.model.grid.layouts import FLAT
from randomizer.systems.free.system import free_map
from tests.end_to_end.test_walking_desk import LEFT, at


def test_switching_the_tower_says_what_the_map_is_now(window):
    bar = window.statusBar()
    window.desk.commands.run("map.property.tower")
    assert bar.currentMessage() == "Tower: yes"
    window.desk.commands.run("map.property.tower")
    assert bar.currentMessage() == "Tower: no"


def test_no_problems_says_who_can_load_the_map(window, qtbot):
    message = window.findChild(ProblemsBar).message
    qtbot.waitUntil(lambda: message.text() == "No problems: Colossus can load this map")
    window.desk.document.open_map(free_map(FLAT, 8, 6))
    qtbot.waitUntil(lambda: message.text() == "No problems")


@pytest.mark.deep
def test_a_click_on_the_odds_paints_and_the_panel_says_so_before(window, qtbot):
    window.desk.docks.show("odds")
    panel = window.desk.docks.panel("odds")
    qtbot.waitUntil(lambda: panel.no_hex.text() != "")
    assert panel.no_hex.text().endswith("A click still uses the tool.")
    step_count = len(window.desk.document.history.steps)
    window.desk.tools.choose("terrain")
    QTest.mouseClick(window.desk.canvas, LEFT, pos=at(window, "D1"))
    assert len(window.desk.document.history.steps) == step_count + 1
