"""The colours of odds and fairness belong to their map, are named below it, and go as they came."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.document.sample import sample_map

LEFT = Qt.MouseButton.LeftButton
WORDS = {"odds": "Odds: Likeliest hazard", "fairness": "Fairness: Ways from Bottom"}


@pytest.fixture(params=WORDS)
def name(request) -> str:
    return request.param


@pytest.fixture
def desk(window, qtbot, name):
    """The desk whose panel of this name was opened by its command."""
    window.desk.commands.run(f"randomize.{name}")
    qtbot.waitUntil(lambda: window.desk.renderer.heat is not None)
    return window.desk


def test_a_line_below_the_map_says_what_the_colours_are_and_takes_them_off(desk, qtbot, name):
    line = desk.heat.line
    desk.docks.views.show_map()
    qtbot.waitUntil(lambda: line.label.text() == WORDS[name])
    assert line.isVisible()
    assert not desk.canvas.geometry().intersects(line.geometry()), "it hides no hex"
    QTest.mouseClick(line.button, LEFT)
    assert desk.renderer.heat is None
    assert not line.isVisible()
    desk.docks.show(name)
    panel = desk.docks.panel(name)
    if name == "odds":
        assert not panel.on_map_box.isChecked()
        panel.on_map_box.click()
    else:
        assert panel.on_map.currentIndex() == 0
        panel.on_map.setCurrentIndex(1)
        panel.on_map.activated.emit(1)
    qtbot.waitUntil(lambda: desk.renderer.heat is not None)
    desk.docks.views.show_map()
    assert line.isVisible()


def test_another_map_has_no_colours_and_the_first_has_them_again(desk, qtbot):
    document = desk.document
    first = document.current_map
    document.open_map(sample_map())
    assert desk.renderer.heat is None
    assert not desk.heat.line.isVisible()
    document.make_current(first)
    qtbot.waitUntil(lambda: desk.renderer.heat is not None)
    assert desk.heat.line.isVisible()


def test_the_command_that_opened_the_panel_closes_it_and_shows_what_was_there(desk, qtbot, name):
    assert desk.docks.panel(name).isVisible()
    desk.commands.run(f"randomize.{name}")
    assert not desk.docks.is_in_front(name)
    qtbot.waitUntil(lambda: desk.renderer.heat is None)
    assert not desk.heat.line.isVisible()
    qtbot.waitUntil(desk.docks.panel("randomize").isVisible)
