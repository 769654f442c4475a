"""What comes and goes around the map: no hex moves under the mouse, and panels give way again."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.document.map_files import new_map
from app.document.map_names import title_of
from app.features.problems.problems_bar import ProblemsBar
from app.widgets.layout.dock_visibility import can_be_seen
from randomizer.catalog.systems import system_named
from tests.end_to_end.test_walking_desk import at, paint, value

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def desk(active, qtbot):
    active.resize(1280, 800)
    qtbot.waitUntil(lambda: active.desk.canvas.width() > 300)
    return active.desk


def test_opening_the_problems_moves_no_hex_and_the_next_click_hits_the_same_one(
    active, desk, qtbot
):
    document = desk.document
    document.open_map(new_map(system_named("colossus")))
    terrains = document.battlemap.system.terrain_set
    volcano = terrains.terrain_code("Volcano")
    desk.tools.options.choose(terrain=volcano)
    for label in ("D6", "E5", "F4"):
        paint(active, "terrain", label)
    desk.tools.options.choose(terrain=terrains.terrain_code("Tree"))
    bar = active.findChild(ProblemsBar)
    qtbot.waitUntil(lambda: bool(bar.sources_with_problems))
    point = at(active, "C3")
    height = desk.canvas.height()
    QTest.mouseClick(bar.line, LEFT)
    qtbot.waitUntil(lambda: desk.canvas.height() < height)
    assert at(active, "C3") == point
    QTest.mouseClick(desk.canvas, LEFT, pos=point)
    assert value(document.composite, "terrain", "C3") == terrains.terrain_code("Tree")
    QTest.mouseClick(bar.line, LEFT)
    qtbot.waitUntil(lambda: desk.canvas.height() == height)
    assert at(active, "C3") == point
    active.resize(1000, 700)
    qtbot.waitUntil(lambda: desk.canvas.height() < height)
    assert at(active, "C3") != point, "the whole map follows the size of the window"


def test_the_panel_that_the_title_has_covered_comes_back_after_enter(active, desk, qtbot):
    script = desk.docks["randomize"]
    desk.docks.show("randomize")
    qtbot.waitUntil(lambda: can_be_seen(script))
    desk.commands.run("map.property.title")
    properties = desk.docks["properties"]
    qtbot.waitUntil(lambda: can_be_seen(properties))
    title = desk.docks.panel("properties").rows["title"].editor
    qtbot.waitUntil(lambda: QApplication.focusWidget() is title)
    title.selectAll()
    QTest.keyClicks(title, "Fort")
    QTest.keyClick(title, Qt.Key.Key_Return)
    assert title_of(desk.document.current_map) == "Fort"
    assert active.statusBar().currentMessage() == "Title: Fort"
    qtbot.waitUntil(lambda: can_be_seen(script))
    assert QApplication.focusWidget() is desk.canvas


def test_the_panel_of_the_title_stays_where_a_person_has_opened_it(active, desk, qtbot):
    desk.docks.show("properties")
    properties = desk.docks["properties"]
    qtbot.waitUntil(lambda: can_be_seen(properties))
    desk.commands.run("map.property.title")
    title = desk.docks.panel("properties").rows["title"].editor
    qtbot.waitUntil(lambda: QApplication.focusWidget() is title)
    QTest.keyClicks(title, "Fort")
    QTest.keyClick(title, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: QApplication.focusWidget() is desk.canvas)
    assert can_be_seen(properties)
