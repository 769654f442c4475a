"""A new terrain of a period, made like another: what is said of it, and how it gets its place."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from app.features.command_palette.dialog import CommandPalette
from app.widgets.forms.form_dialog import FormDialog
from tests.end_to_end.test_map_script_desk import settle
from tests.end_to_end.test_new_scripts import NEW_PERIOD, find
from tests.end_to_end.worlds import wait_for_world

DRIVEN_DIALOGS = (CommandPalette, FormDialog)

PLAINS = 1
"""The number of the terrain type in a new period; one line sets the moisture of all its types."""

JUNGLE = 4
"""The number of a terrain type that is added to that period."""


@pytest.fixture
def panel(window, qtbot):
    """The panel of a new period, to which the terrain *jungle* is added."""
    find(qtbot, window, "new period", NEW_PERIOD)
    wait_for_world(qtbot, window)
    settle(qtbot, window)
    window.desk.docks.show("period")
    panel = window.desk.docks.panel("period")
    qtbot.waitUntil(lambda: len(panel.chart_page.chart.boxes) == JUNGLE)
    dialog = open_new_terrain(panel)
    name = dialog.form.field("name")
    name.selectAll()
    QTest.keyClicks(name, "jungle")
    QTest.mouseClick(dialog.ok_button, Qt.MouseButton.LeftButton)
    settle(qtbot, window)
    qtbot.waitUntil(lambda: len(panel.chart_page.chart.boxes) == JUNGLE + 1)
    return panel


def open_new_terrain(panel) -> FormDialog:
    """Open the dialog for a new terrain like plains."""
    panel.tabs.setCurrentWidget(panel.terrains)
    panel.terrains.choose(PLAINS)
    QTest.mouseClick(panel.terrains.buttons["New like this..."], Qt.MouseButton.LeftButton)
    (dialog,) = [each for each in panel.terrains.findChildren(FormDialog) if each.isVisible()]
    return dialog


def hints(window) -> list[str]:
    problems = [each for source in window.desk.problems.all for each in source.problems.problems]
    return [problem.message for problem in problems if problem.code == "advice-taken"]


def drag(chart, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Drag in a chart from one pair of percentages to another."""
    points = []
    for percents in (start, end):
        scene_point = chart.getViewBox().mapViewToScene(QPointF(*percents))
        points.append(chart.mapFromScene(scene_point))
    QTest.mousePress(chart.viewport(), Qt.MouseButton.LeftButton, pos=points[0])
    QTest.mouseMove(chart.viewport(), points[1])
    QTest.mouseRelease(chart.viewport(), Qt.MouseButton.LeftButton, pos=points[1])


@pytest.mark.deep
def test_a_terrain_that_no_world_would_have_is_told(window, panel, qtbot):
    window.desk.commands.run("view.problems")
    qtbot.waitUntil(lambda: bool(hints(window)))
    assert hints(window) == [
        "jungle appears nowhere: plains, defined before it, covers it in the chart"
    ]


@pytest.mark.deep
def test_an_edge_that_is_set_with_others_gets_the_value_that_was_dragged(window, panel, qtbot):
    panel.tabs.setCurrentWidget(panel.chart_page)
    chart = panel.chart_page.chart
    chart.choose(PLAINS)
    assert chart.boxes[PLAINS].max_wet == 100
    drag(chart, (75, 101), (75, 60))
    qtbot.waitUntil(lambda: not panel.banner.isHidden())
    text = panel.banner.label.text()
    assert text.startswith("Give plains a max-wet of its own: "), text
    value = int(text.split(": ")[1].split("?")[0])
    assert 58 <= value <= 60, "where the edge was let go"
    (set_here,) = [
        button
        for button in panel.banner.findChildren(type(panel.banner.button))
        if button.text() == "Set here"
    ]
    QTest.mouseClick(set_here, Qt.MouseButton.LeftButton)
    settle(qtbot, window)
    qtbot.waitUntil(lambda: chart.boxes[PLAINS].max_wet == value)
    assert panel.banner.isHidden()


def test_the_colour_of_a_terrain_is_seen_and_chosen(window, panel, qtbot, hand):
    terrains = panel.terrains
    terrains.choose(JUNGLE)
    field = terrains.form.field("third")
    (swatch,) = field.actions()
    assert swatch.toolTip() == "Choose a colour"
    hand.expect("Select Color").press("OK")
    swatch.trigger()
    settle(qtbot, window)
    field.selectAll()
    QTest.keyClicks(field, "dark green")
    assert swatch.icon().pixmap(8, 8).toImage().pixelColor(4, 4).name() == "#006400"


@pytest.mark.deep
def test_a_new_terrain_needs_a_colour(window, panel, qtbot):
    dialog = open_new_terrain(panel)
    field = dialog.form.field("third")
    field.selectAll()
    QTest.keyClicks(field, "notacolour")
    assert dialog.status.text == "“notacolour” is no colour: write a name like green, or #a8c46c."
    assert not dialog.ok_button.isEnabled()
    field.selectAll()
    QTest.keyClicks(field, "green")
    assert dialog.status.isHidden()
    assert dialog.ok_button.isEnabled()
    dialog.reject()
