"""The percentile chart: edges of terrain types moved with the mouse and the keys."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.systems.xconq.period.chart import PercentileChart
from app.systems.xconq.period.chart_picture import ChartType
from randomizer.systems.xconq.world.coverage import Box
from randomizer.systems.xconq.world.shared_edges import Edge

SEA, PLAINS, HILLS, FOREST = range(4)
TYPES = tuple(
    ChartType(name, colour)
    for name, colour in (
        ("sea", "#3060c0"),
        ("plains", "#60c040"),
        ("hills", "#a08040"),
        ("forest", "#206020"),
    )
)
BOXES = (Box(0, 49, 0, 100), Box(50, 79, 0, 59), Box(80, 100, 0, 100), Box(50, 79, 60, 100))
LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier


class Chart(PercentileChart):
    """The chart, driven in percentages; notes what it wants."""

    def __init__(self):
        super().__init__()
        self.resize(600, 500)
        self.previews = []
        self.changes = []
        self.clicks = []
        self.ended = 0
        self.preview_wanted.connect(self.previews.append)
        self.change_wanted.connect(
            lambda edges, boxes, _by_key: self.changes.append((set(edges), boxes))
        )
        self.clicked.connect(self.clicks.append)
        self.preview_ended.connect(self._note_end)
        self.show_types(TYPES, BOXES)

    def _note_change(self, edges, boxes, _by_key):
        self.changes.append((set(edges), boxes))

    def _note_end(self):
        self.ended += 1

    def mouse(self, kind, alt, wet, buttons=LEFT, modifiers=NONE):
        at = self.mapFromScene(self.getViewBox().mapViewToScene(QPointF(alt, wet)))
        button = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseMove else LEFT
        position = QPointF(at)
        to = QPointF(self.viewport().mapToGlobal(at))
        event = QMouseEvent(kind, position, to, button, buttons, modifiers)
        QApplication.sendEvent(self.viewport(), event)

    def point(self, alt, wet):
        self.mouse(QEvent.Type.MouseMove, alt, wet, Qt.MouseButton.NoButton)

    def drag(self, start, *stops, modifiers=NONE, release=True):
        self.mouse(QEvent.Type.MouseButtonPress, *start, modifiers=modifiers)
        for stop in stops:
            self.mouse(QEvent.Type.MouseMove, *stop, modifiers=modifiers)
        if release:
            self.mouse(
                QEvent.Type.MouseButtonRelease,
                *stops[-1],
                buttons=Qt.MouseButton.NoButton,
                modifiers=modifiers,
            )


@pytest.fixture
def chart(qtbot):
    chart = Chart()
    qtbot.addWidget(chart)
    chart.show()
    qtbot.waitExposed(chart)
    return chart


def test_a_dragged_edge_takes_its_neighbours_along(chart):
    chart.drag((50, 30), (55, 30), (60.2, 30))
    edges, boxes = chart.changes[0]
    assert edges == {Edge(SEA, 1), Edge(PLAINS, 0), Edge(FOREST, 0)}
    assert boxes == (
        Box(0, 59, 0, 100),
        Box(60, 79, 0, 59),
        BOXES[HILLS],
        Box(60, 79, 60, 100),
    )
    assert [boxes[SEA].max_alt for boxes in chart.previews] == [54, 59]


def test_the_chart_shows_what_is_wanted_until_it_is_told_otherwise(chart):
    chart.drag((50, 30), (60, 30))
    assert chart.boxes == chart.changes[0][1]
    assert chart.ended == 0
    chart.show_types(TYPES, BOXES)
    assert chart.boxes == BOXES


@pytest.mark.parametrize(
    "modifier", [Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.AltModifier]
)
def test_with_shift_or_alt_an_edge_moves_alone(chart, modifier):
    chart.choose(SEA)
    chart.drag((50, 30), (60, 30), modifiers=modifier)
    edges, boxes = chart.changes[0]
    assert edges == {Edge(SEA, 1)}
    assert boxes[SEA].max_alt == 59
    assert boxes[PLAINS:] == BOXES[PLAINS:]


def test_a_corner_moves_both_ways(chart):
    chart.choose(PLAINS)
    chart.drag((80, 60), (75, 50))
    _, boxes = chart.changes[0]
    assert boxes[PLAINS] == Box(50, 74, 0, 49)
    assert boxes[FOREST] == Box(50, 74, 50, 100)
    assert boxes[HILLS].min_alt == 75


def test_a_drag_back_to_where_it_began_changes_nothing(chart):
    chart.drag((50, 30), (60, 30), (50, 30))
    assert not chart.changes
    assert chart.ended == 1
    assert chart.boxes == BOXES


def test_escape_takes_a_drag_back(chart):
    chart.drag((50, 30), (60, 30), release=False)
    QTest.keyClick(chart, Qt.Key.Key_Escape)
    chart.mouse(QEvent.Type.MouseButtonRelease, 60, 30)
    assert chart.boxes == BOXES
    assert (chart.changes, chart.ended, chart.clicks) == ([], 1, [])


def test_edges_stay_within_the_chart_and_their_own_type(chart):
    chart.drag((80, 30), (20, 30))
    assert chart.changes[0][1][PLAINS] == Box(50, 50, 0, 59)
    chart.show_types(TYPES, BOXES)
    chart.drag((50, 30), (0.1, 30))
    assert chart.changes[1][1][SEA] == Box(0, 0, 0, 100)


def test_an_edge_that_is_set_with_others_moves_by_itself_only(chart):
    chart.can_move_along = lambda edge: edge != Edge(FOREST, 0)
    chart.drag((50, 30), (60, 30))
    assert chart.changes[0][0] == {Edge(SEA, 1), Edge(PLAINS, 0)}
    chart.show_types(TYPES, BOXES)
    chart.choose(FOREST)
    chart.drag((50, 80), (60, 80))
    assert Edge(FOREST, 0) in chart.changes[1][0]


def test_the_cursor_says_what_can_be_dragged(chart):
    chart.choose(PLAINS)
    shapes = {}
    for name, place in {
        "edge": (50, 30),
        "top": (65, 60),
        "corner": (80, 60),
        "in": (65, 30),
    }.items():
        chart.point(*place)
        shapes[name] = chart.viewport().cursor().shape()
    assert shapes == {
        "edge": Qt.CursorShape.SizeHorCursor,
        "top": Qt.CursorShape.SizeVerCursor,
        "corner": Qt.CursorShape.SizeBDiagCursor,
        "in": Qt.CursorShape.CrossCursor,
    }


def test_a_click_chooses_the_type_and_tells_its_percentages(chart):
    chart.mouse(QEvent.Type.MouseButtonPress, 65.5, 30.5)
    chart.mouse(QEvent.Type.MouseButtonRelease, 65.5, 30.5)
    assert chart.chosen == PLAINS
    assert chart.clicks == [(65, 30)]


def test_pointing_tells_the_percentages(chart, qtbot):
    with qtbot.waitSignal(chart.pointed) as pointed:
        chart.point(65.5, 30.5)
    assert pointed.args == [(65, 30)]


def test_the_keys_choose_a_type_and_move_its_edges(chart):
    QTest.keyClick(chart, Qt.Key.Key_Space)
    QTest.keyClick(chart, Qt.Key.Key_Space)
    assert chart.chosen == PLAINS
    QTest.keyClick(chart, Qt.Key.Key_Right)
    assert chart.edge == Edge(PLAINS, 1)
    assert not chart.changes
    QTest.keyClick(chart, Qt.Key.Key_Left)
    edges, boxes = chart.changes[0]
    assert edges == {Edge(PLAINS, 1), Edge(FOREST, 1), Edge(HILLS, 0)}
    assert boxes[PLAINS].max_alt == 78
    QTest.keyClick(chart, Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    assert chart.changes[1][1][PLAINS].max_alt == 83
    QTest.keyClick(chart, Qt.Key.Key_Up)
    QTest.keyClick(chart, Qt.Key.Key_Up, Qt.KeyboardModifier.ShiftModifier)
    assert chart.changes[2][0] == {Edge(PLAINS, 3)}


def test_fewer_types_forget_the_choice(chart):
    chart.choose(FOREST, Edge(FOREST, 0))
    chart.show_types(TYPES[:2], BOXES[:2])
    assert chart.chosen is None
    assert chart.edge is None


def test_everything_is_painted(chart, qtbot):
    """Gaps, overlaps, density, point and marks; a fault while painting would fail the test."""
    chart.show_density(np.ones((101, 101), np.int64))
    chart.show_types(TYPES[1:], (Box(10, 40, 10, 60), Box(30, 70, 20, 80), Box(60, 20, 0, 100)))
    chart.show_point((20, 20))
    chart.choose(0, Edge(0, 1))
    picture = chart.grab().toImage()
    inside = picture.pixelColor(
        chart.mapFromScene(chart.getViewBox().mapViewToScene(QPointF(15, 50)))
    )
    beside = picture.pixelColor(
        chart.mapFromScene(chart.getViewBox().mapViewToScene(QPointF(90, 95)))
    )
    assert inside != beside
