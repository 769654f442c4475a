"""The panel of a period: chart and inspector change text and world at once."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from app.document.map_files import new_map
from randomizer.catalog.systems import system_named
from randomizer.generator_run import run
from randomizer.geometry.transform import turn_map
from randomizer.geometry.turn import rotation
from randomizer.model.grid.grid import Hit
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.put_roll import new_map as map_of_roll
from randomizer.roll_base import Base
from randomizer.systems.xconq.period.reading import read_period
from randomizer.systems.xconq.period.slots import Slot, value_of
from randomizer.systems.xconq.records import PERIOD
from randomizer.systems.xconq.rolling.generator import packaged
from randomizer.systems.xconq.world.shared_edges import Edge

SEA = 0
SHALLOWS = 1
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def features() -> tuple[str, ...]:
    return ("xconq", "script", "tools", "view")


def rolled_world():
    system = system_named("xconq")
    empty = new_map(system)
    base = Base.under(empty, len(empty.layers))
    made = run(packaged()[0], {}, DrawKey(7, 0), base)
    return map_of_roll(system, base.grid, base.terrain_set, made)


@pytest.fixture
def panel(qtbot, window):
    """The panel, with a rolled world as the current map."""
    desk = window.desk
    desk.document.open_map(rolled_world())
    desk.docks.open("period")
    qtbot.waitUntil(lambda: desk.docks.find_panel("period") is not None)
    panel = desk.docks.find_panel("period")
    qtbot.waitUntil(lambda: panel.chart_page.density is not None)
    return panel


def text(window) -> str:
    return window.desk.document.battlemap.records[PERIOD].text


def period(window):
    return read_period(text(window)).period


def share(window, terrain) -> float:
    return float((window.desk.document.composite.planes["terrain"] == terrain).mean())


def settle(qtbot, window):
    qtbot.waitUntil(
        lambda: not window.desk.scripts.map_script.pending and not window.desk.rolling.busy
    )


def mouse(chart, kind, alt, wet, modifiers=Qt.KeyboardModifier.NoModifier):
    at = chart.mapFromScene(chart.getViewBox().mapViewToScene(QPointF(alt, wet)))
    moves = kind == QEvent.Type.MouseMove
    event = QMouseEvent(
        kind,
        QPointF(at),
        QPointF(chart.viewport().mapToGlobal(at)),
        Qt.MouseButton.NoButton if moves else LEFT,
        Qt.MouseButton.NoButton if kind == QEvent.Type.MouseButtonRelease else LEFT,
        modifiers,
    )
    QApplication.sendEvent(chart.viewport(), event)


def test_a_dragged_edge_changes_text_and_world_in_one_undo_step(qtbot, window, panel):
    document = window.desk.document
    chart = panel.chart_page.chart
    before = text(window)
    steps = len(document.history.steps)
    terrain = document.composite.planes["terrain"].copy()
    edge = period(window).row("max-alt")[SEA] + 1
    chart.choose(SEA)
    mouse(chart, QEvent.Type.MouseButtonPress, edge, 50)
    mouse(chart, QEvent.Type.MouseMove, edge - 20, 50)
    qtbot.waitUntil(lambda: share(window, SEA) < 0.55)
    assert text(window) == before  # only the map shows what it would be
    mouse(chart, QEvent.Type.MouseButtonRelease, edge - 25, 50)
    settle(qtbot, window)
    assert period(window).row("max-alt")[SEA] == edge - 26
    assert period(window).row("min-alt")[SHALLOWS] == edge - 25
    assert len(text(window)) == len(before)
    assert share(window, SEA) < 0.45
    assert len(document.history.steps) == steps + 1
    qtbot.waitUntil(lambda: chart.boxes[SEA].max_alt == edge - 26)
    document.undo()
    assert text(window) == before
    assert np.array_equal(document.composite.planes["terrain"], terrain)
    qtbot.waitUntil(lambda: chart.boxes[SEA].max_alt == edge - 1)


def test_a_drag_that_is_given_up_leaves_map_and_text(qtbot, window, panel):
    document = window.desk.document
    chart = panel.chart_page.chart
    terrain = document.composite.planes["terrain"].copy()
    edge = period(window).row("max-alt")[SEA] + 1
    mouse(chart, QEvent.Type.MouseButtonPress, edge, 50)
    mouse(chart, QEvent.Type.MouseMove, edge - 20, 50)
    qtbot.waitUntil(lambda: share(window, SEA) < 0.55)
    QTest.keyClick(chart, Qt.Key.Key_Escape)
    assert np.array_equal(document.composite.planes["terrain"], terrain)
    assert len(document.history.steps) == 0


def test_the_chart_keeps_its_size_while_a_gap_is_dragged_into_it(panel):
    chart = panel.chart_page.chart
    page = panel.chart_page
    edge = chart.boxes[SEA].max_alt + 1
    size = chart.size()
    assert not page.faults.text()
    chart.choose(SEA)
    mouse(chart, QEvent.Type.MouseButtonPress, edge, 50)
    shift = Qt.KeyboardModifier.ShiftModifier
    mouse(chart, QEvent.Type.MouseMove, edge - 20, 50, shift)
    QApplication.processEvents()
    assert "fits no type" in page.faults.text()
    assert page.faults.isVisible()
    assert chart.size() == size
    QTest.keyClick(chart, Qt.Key.Key_Escape)
    QApplication.processEvents()
    assert chart.size() == size


def test_arrow_keys_in_quick_succession_are_one_step(qtbot, window, panel):
    document = window.desk.document
    chart = panel.chart_page.chart
    edge = Edge(SEA, 1)
    chart.choose(SEA, edge)
    before = period(window).row("max-alt")[SEA]
    for _ in range(3):
        QTest.keyClick(chart, Qt.Key.Key_Left)
    settle(qtbot, window)
    assert period(window).row("max-alt")[SEA] == before - 3
    assert len(document.history.steps) == 1


def test_a_value_typed_in_the_inspector_changes_the_text(qtbot, window, panel):
    panel.inspector.choose("alt-roughness")
    model = panel.inspector.word_view.model
    model.setData(model.index(0, 0), "20")
    settle(qtbot, window)
    assert value_of(period(window), Slot("alt-roughness")) == 20
    qtbot.waitUntil(lambda: model.index(0, 0).data() == "20")
    qtbot.waitUntil(lambda: window.desk.scripts.text.text() == text(window))


def test_an_edge_that_is_set_with_others_can_get_a_line_of_its_own(qtbot, window, panel):
    chart = panel.chart_page.chart
    window.desk.scripts.map_script.change_text(
        text(window).replace("\nend", "\n7 [ sea shallows ] min-wet\nend"), "a test"
    )
    settle(qtbot, window)
    qtbot.waitUntil(lambda: chart.boxes[SEA].min_wet == 7)
    chart.choose(SEA, Edge(SEA, 2))
    QTest.keyClick(chart, Qt.Key.Key_Up)
    qtbot.waitUntil(lambda: not panel.banner.isHidden())
    assert panel.banner.label.text().startswith("Give sea a min-wet of its own: 8? Line ")
    assert chart.boxes[SEA].min_wet == 7, "the text does not say otherwise yet"
    panel.own_line_wanted.emit()
    settle(qtbot, window)
    assert "\n8 sea min-wet\nend" in text(window)
    qtbot.waitUntil(lambda: chart.can_move_along(Edge(SEA, 2)))
    assert panel.banner.isHidden()


def test_digits_typed_into_a_table_are_no_shortcuts(qtbot, window, panel):
    window.activateWindow()
    panel.tabs.setCurrentIndex(1)
    panel.inspector.choose("country-size")
    # As a click on the other part, whose tab is out of sight.
    panel.inspector.word_tree.word_opened.emit()
    table = panel.inspector.word_view.table
    table.setFocus()
    qtbot.waitUntil(table.hasFocus)
    tool = window.desk.canvas.tool
    QTest.keyClick(table, Qt.Key.Key_5)
    editor = table.focusWidget()
    assert isinstance(editor, QLineEdit)
    QTest.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: period(window).number("country-size") == 5)
    assert window.desk.canvas.tool is tool


def test_the_command_gives_the_chart_the_keyboard(qtbot, window, panel):
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.desk.canvas.setFocus()
    window.desk.commands.action("map.period").trigger()
    chart = panel.chart_page.chart
    qtbot.waitUntil(chart.hasFocus)
    qtbot.waitUntil(lambda: chart.chosen is not None)
    QTest.keyClick(chart, Qt.Key.Key_Escape)
    qtbot.waitUntil(window.desk.canvas.hasFocus)


def test_errors_are_said_and_the_last_good_period_stays(qtbot, window, panel):
    boxes = panel.chart_page.chart.boxes
    good = text(window)
    window.desk.scripts.map_script.change_text(
        good.replace("Period 0", "Period 0\nt* min-alt"), "x"
    )
    settle(qtbot, window)
    qtbot.waitUntil(lambda: "errors" in panel.banner.label.text())
    assert not panel.tabs.isEnabled()
    assert panel.chart_page.chart.boxes == boxes
    window.desk.document.undo()
    qtbot.waitUntil(panel.tabs.isEnabled)
    assert panel.banner.isHidden()


def test_pointing_at_the_map_shows_the_place_in_the_chart(qtbot, window, panel):
    canvas = window.desk.canvas
    chart = panel.chart_page.chart
    grid = window.desk.document.battlemap.grid
    canvas.hovered.emit(Hit(grid.cell(30, 15), 0, 0.0))
    pointed = chart.picture.point
    assert pointed is not None
    canvas.hovered.emit(None)
    assert chart.picture.point is None
    middle = canvas.viewport.to_screen(*grid.centre(grid.cell(30, 15))).toPoint()
    QTest.mouseMove(canvas, middle)
    QTest.mouseClick(canvas, LEFT, pos=middle)
    canvas.hovered.emit(None)
    assert chart.picture.point == pointed


def test_a_click_in_the_chart_outlines_the_cells_there(qtbot, window, panel):
    chart = panel.chart_page.chart
    overlays = window.desk.canvas.overlays
    chart.clicked.emit((30, 50))
    assert overlays.marked
    qtbot.waitUntil(lambda: not overlays.marked)


def test_a_map_that_was_not_rolled_says_so(qtbot, window, panel):
    window.desk.document.open_map(new_map(system_named("xconq")))
    qtbot.waitUntil(lambda: "not rolled" in panel.chart_page.faults.text())
    assert panel.chart_page.density is None


def test_a_map_turned_after_its_roll_does_not_say_that_it_was_never_rolled(qtbot, window, panel):
    document = window.desk.document
    turn = turn_map(document.battlemap, rotation(document.battlemap.grid.layout, 3))
    document.push(turn.edit, "Turn round")
    qtbot.waitUntil(lambda: panel.chart_page.density is None)
    assert "or was changed since" in panel.chart_page.faults.text()


def test_other_maps_have_no_such_panel(qtbot, window, panel):
    desk = window.desk
    desk.document.make_current(desk.document.maps[0])
    qtbot.waitUntil(lambda: desk.docks["period"].isHidden())
