"""Odds and script are seen at once, in the usual layout of a real window."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.features.odds.feature import OddsController
from app.widgets.layout.dock_visibility import can_be_seen


def uncovered(window, name: str) -> bool:
    """Whether a panel is seen, and not too low to work in."""
    panel = window.desk.docks.panel(name)
    return can_be_seen(window.desk.docks[name]) and panel.isVisible() and panel.height() >= 240


@pytest.fixture
def desk(window, qtbot):
    window.resize(1280, 860)
    qtbot.waitUntil(lambda: window.size().width() == 1280)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window, Qt.Key.Key_H, CTRL_SHIFT)
    qtbot.waitUntil(lambda: window.desk.docks.find_panel("odds") is not None)
    live = window.desk.docks.panel("odds").findChild(OddsController).live
    qtbot.waitUntil(lambda: live.is_settled)
    return window.desk


CTRL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


@pytest.mark.deep
def test_script_and_odds_stand_one_above_the_other_and_the_map_has_most_of_the_window(
    desk, window, qtbot
):
    qtbot.waitUntil(lambda: uncovered(window, "odds") and uncovered(window, "randomize"))
    script = desk.docks["randomize"].geometry()
    odds = desk.docks["odds"].geometry()
    assert script.bottom() < odds.top()
    canvas = desk.canvas
    assert canvas.width() >= window.width() / 2
    assert canvas.height() >= window.height() * 3 / 4


@pytest.mark.deep
def test_the_colours_stay_and_follow_while_one_types_into_the_script(desk, window, qtbot):
    live = desk.docks.panel("odds").findChild(OddsController).live
    editor = desk.docks.panel("randomize").editor
    QTest.mouseClick(editor.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(40, 20))
    assert desk.heat.owner == "odds"
    before = desk.renderer.heat.copy()
    editor.selectAll()
    QTest.keyClicks(editor, "AREA D4 HAZARDS Bog,25.")
    qtbot.waitUntil(lambda: live.is_settled and not np.array_equal(desk.renderer.heat, before))
    assert desk.heat.owner == "odds"
    assert desk.renderer.heat_map.texts
    editor.document().setModified(False)


@pytest.mark.deep
@pytest.mark.parametrize("name", ["odds", "fairness"])
def test_other_tabs_beside_the_script_leave_the_colours_on_the_map(desk, qtbot, name):
    desk.docks.open(name)
    qtbot.waitUntil(lambda: desk.docks.find_panel(name) is not None)
    if name == "fairness":
        combo = desk.docks.panel(name).picture_choice.combo
        qtbot.waitUntil(lambda: combo.count() > 1)
        combo.setFocus()
        QTest.keyClick(combo, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: desk.heat.owner == name)
    for tab in ("layers", "history", "randomize"):
        desk.docks.show(tab)
        qtbot.waitUntil(lambda tab=tab: can_be_seen(desk.docks[tab]))
        qtbot.wait(20)
        assert desk.heat.owner == name


@pytest.mark.deep
def test_closing_the_odds_leaves_the_tab_that_is_current_above_them(desk, qtbot):
    desk.docks.show("layers")
    qtbot.waitUntil(lambda: can_be_seen(desk.docks["layers"]))
    desk.docks.run_opener("odds")
    qtbot.waitUntil(lambda: desk.docks["odds"].isHidden())
    qtbot.wait(20)
    assert can_be_seen(desk.docks["layers"])
