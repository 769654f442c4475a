"""Land that is raised by hand is seen: contour lines come with the tools that shape it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from app.desk.map_overlays import LENT_CONTOUR_STEP
from app.document.map_files import new_map
from randomizer.catalog.systems import system_named

LEFT = Qt.MouseButton.LeftButton


def press(canvas, key: Qt.Key) -> None:
    canvas.setFocus()
    QTest.keyClick(canvas, key)


def test_a_raised_hill_has_contour_lines_while_the_height_brush_is_chosen(active, qtbot):
    desk = active.desk
    desk.document.open_map(new_map(system_named("zeroad")))
    canvas = desk.canvas
    overlays = desk.renderer.overlays
    assert not overlays.contour_step
    press(canvas, Qt.Key.Key_A)
    assert desk.renderer.overlays.contour_step
    qtbot.waitUntil(lambda: not canvas.drafted)
    level_ground = canvas.grab().toImage()
    middle = canvas.rect().center()
    QTest.mousePress(canvas, LEFT, pos=middle)
    QTest.mouseRelease(canvas, LEFT, pos=middle)
    QTest.mouseMove(canvas, middle / 4)
    assert desk.document.history.next_undo is not None
    with_lines = canvas.grab().toImage()
    assert with_lines != level_ground
    desk.commands.run("tool.terrain")
    assert desk.renderer.overlays == overlays, "they go with the tool"
    assert canvas.grab().toImage() != with_lines


@pytest.mark.deep
def test_the_status_line_has_the_height_of_a_corner_only_for_tools_that_shape_it(active, qtbot):
    desk = active.desk
    desk.document.open_map(new_map(system_named("zeroad")))
    place = active.statusBar().findChild(QLabel, "place")
    middle = desk.canvas.rect().center()
    for tool, has_corner in (("terrain", False), ("height", True), ("things", False)):
        desk.commands.run(f"tool.{tool}")
        QTest.mouseMove(desk.canvas, middle / 2)
        QTest.mouseMove(desk.canvas, middle)
        qtbot.waitUntil(lambda: "height" in place.text())
        qtbot.waitUntil(lambda has=has_corner: ("; corner" in place.text()) is has)


def test_the_lent_lines_stay_when_they_are_chosen(active):
    desk = active.desk
    desk.document.open_map(new_map(system_named("zeroad")))
    desk.tools.choose("height")
    assert desk.renderer.overlays.contour_step == LENT_CONTOUR_STEP
    desk.commands.run(f"view.contour-lines.{LENT_CONTOUR_STEP}")
    desk.tools.choose("things")
    assert desk.renderer.overlays.contour_step == LENT_CONTOUR_STEP


@pytest.mark.deep
def test_the_lines_of_the_tool_are_not_remembered_and_can_be_hidden(active):
    desk = active.desk
    desk.document.open_map(new_map(system_named("zeroad")))
    desk.tools.choose("slope")
    had_locks = desk.renderer.overlays.locks
    desk.drawing.show_overlay("locks", not had_locks)
    assert desk.renderer.overlays.contour_step, "another overlay was switched"
    desk.commands.run("view.contour-lines.none")
    assert not desk.renderer.overlays.contour_step
    desk.tools.choose("height")
    assert desk.renderer.overlays.contour_step
    desk.commands.run("view.contour-lines.10")
    desk.tools.choose("things")
    assert desk.renderer.overlays.contour_step == 10, "the user has chosen them"
    desk.tools.choose("height")
    desk.commands.run("view.contour-lines.2")
    desk.tools.choose("things")
    assert desk.renderer.overlays.contour_step == 2, "these were chosen, too, though lent ones are"
    assert desk.renderer.overlays.locks is not had_locks
