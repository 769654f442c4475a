"""The colours of odds and fairness belong to their map, are named below it, and go as they came."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.document.sample import sample_map
from tests.daily import deep_but

LEFT = Qt.MouseButton.LeftButton
TEXTS = {"odds": "Odds: Likeliest hazard", "fairness": "Fairness: Ways from Bottom"}


@pytest.fixture(params=deep_but(TEXTS, "odds"))
def name(request) -> str:
    return request.param


@pytest.fixture
def desk(window, qtbot, name):
    """The desk whose panel of this name was opened by its command."""
    open_with_colours(window.desk, qtbot, name)
    return window.desk


def open_with_colours(desk, qtbot, name: str) -> None:
    """Open a panel by its command, and wait for its colours; Fairness has to be asked for them."""
    desk.commands.run(f"randomize.{name}")
    if name == "fairness":
        panel = desk.docks.panel(name)
        qtbot.waitUntil(lambda: panel.picture_choice.combo.count() > 1)
        assert desk.renderer.heat is None
        assert panel.picture_choice.combo.currentText() == "Nothing"
        panel.picture_choice.combo.setFocus()
        while panel.picture_choice.combo.currentText() != "Ways from Bottom":
            QTest.keyClick(panel.picture_choice.combo, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: desk.renderer.heat is not None and desk.heat.owner == name)


def test_a_line_below_the_map_says_what_the_colours_are_and_takes_them_off(desk, qtbot, name):
    line = desk.heat.line
    desk.docks.views.show_map()
    qtbot.waitUntil(lambda: line.label.text() == TEXTS[name])
    assert line.isVisible()
    assert not desk.canvas.geometry().intersects(line.geometry()), "it hides no hex"
    QTest.mouseClick(line.button, LEFT)
    assert desk.renderer.heat is None
    assert not line.isVisible()
    desk.docks.show(name)
    panel = desk.docks.panel(name)
    if name == "odds":
        assert not panel.map_box.isChecked()
        panel.map_box.click()
    else:
        assert panel.picture_choice.combo.currentIndex() == 0
        panel.picture_choice.combo.setCurrentIndex(1)
        panel.picture_choice.combo.activated.emit(1)
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


@pytest.mark.deep
def test_the_odds_show_the_map_that_they_colour(window, qtbot):
    desk = window.desk
    desk.commands.run("randomize.fairness")
    qtbot.waitUntil(desk.docks.panel("fairness").isVisible)
    desk.commands.run("randomize.odds")
    assert desk.canvas.isVisible()
    qtbot.waitUntil(lambda: desk.renderer.heat is not None)
    box = desk.docks.panel("odds").map_box
    assert box.isChecked()
    box.click()
    desk.docks.show("fairness")
    box.click()
    assert desk.canvas.isVisible(), "who has asked for colours on the map sees the map"
    assert desk.docks.view("fairness").is_open


@pytest.mark.deep
def test_there_are_no_colours_below_those_that_are_seen(window, qtbot):
    desk = window.desk
    open_with_colours(desk, qtbot, "fairness")
    open_with_colours(desk, qtbot, "odds")
    qtbot.waitUntil(lambda: desk.heat.line.label.text() == TEXTS["odds"])
    assert desk.docks.panel("fairness").picture_choice.combo.currentText() == "Nothing"
    QTest.mouseClick(desk.heat.line.button, LEFT)
    assert desk.renderer.heat is None
    assert not desk.heat.line.isVisible()
