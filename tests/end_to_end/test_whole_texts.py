"""What the window says is read whole: tips of tools, messages, labels that are cut."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QToolTip

from app.document.map_files import new_map
from randomizer.catalog.systems import system_named
from tests.daily import deep_but
from tests.end_to_end.test_walking_desk import at, paint

KINDS = ("colossus", "free", "cordery", "xconq", "zeroad")

LONG = "Rolled Landscape, seed 17 no. 0 in place of Landscape, seed 16 no. 0. " * 3


@pytest.mark.deep
@pytest.mark.parametrize("kind", deep_but(KINDS, "free"))
def test_the_tip_of_each_tool_is_read_whole_beside_its_options(window, qtbot, kind):
    window.resize(1280, 760)
    window.desk.document.open_map(new_map(system_named(kind)))
    tools = window.desk.tools
    cut = []
    for name in tools.tools:
        if tools.suits(name) and not tools.why_not(name):
            tools.choose(name)
            QApplication.processEvents()
            if tools.bar.tip.is_cut and not tools.bar.tip.toolTip():
                cut.append((name, tools.bar.tip.text()))
    assert cut == []


def test_a_message_that_the_status_bar_cuts_is_elided_and_whole_as_its_tool_tip(window, qtbot):
    window.resize(1000, 700)
    label = window.findChild(QLabel, "whole-message")
    window.desk.say("Rolled.")
    assert label.isHidden()
    window.desk.say(LONG)
    assert label.isVisible()
    assert label.is_cut
    bar = window.statusBar()
    assert label.parent() is bar
    assert bar.rect().contains(label.geometry()), "it covers neither map nor tabs"
    middle = label.rect().center()
    event = QHelpEvent(QEvent.Type.ToolTip, middle, label.mapToGlobal(middle))
    QApplication.sendEvent(label, event)
    qtbot.waitUntil(lambda: QToolTip.text() == LONG)
    window.resize(800, 500)
    qtbot.waitUntil(lambda: label.width() <= 800)
    assert label.isVisible()
    window.desk.say("Rolled.")
    assert label.isHidden()


def test_a_label_that_is_cut_says_the_whole_as_its_tool_tip(window, qtbot):
    window.desk.docks.show("randomize")
    title = window.desk.docks.panel("randomize").head.title
    title.setToolTip("")
    title.setText(LONG)
    assert title.is_cut
    middle = QPoint(20, 5)
    event = QHelpEvent(QEvent.Type.ToolTip, middle, title.mapToGlobal(middle))
    QApplication.sendEvent(title, event)
    qtbot.waitUntil(lambda: QToolTip.text() == LONG)


def test_the_note_of_a_tool_is_read_in_a_small_window(window, qtbot):
    commands = window.desk.commands
    commands.run("layer.new-layer")
    paint(window, "terrain", "D4")
    commands.run("layer.lock-layer")
    commands.run("layer.choose-layer-below")
    place = window.findChild(QLabel, "place")
    window.resize(800, 500)
    qtbot.wait(50)  # the map is laid out anew, and the mouse is to move on it
    QTest.mouseMove(window.desk.canvas, at(window, "D3"))
    qtbot.waitUntil(lambda: "D3" in place.text())
    QTest.mouseMove(window.desk.canvas, at(window, "D4"))
    qtbot.waitUntil(lambda: "is locked" in place.text())
    assert place.is_cut, "what is told of the hex is longer than the bar"
    (line,) = place.shown_lines
    assert line.startswith("The layer Layer 1 is locked: what it sets is left out")
