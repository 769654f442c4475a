"""Panels that are made when they are first shown: code, panel and layout in a turn of their own."""

from __future__ import annotations

import pytest


def test_a_panel_is_made_when_its_dock_is_shown(window, qtbot):
    late = window.desk.docks
    assert late.find_panel("fairness") is None
    window.desk.docks.show("fairness")
    qtbot.waitUntil(lambda: late.find_panel("fairness") is not None)
    assert window.desk.docks.view("fairness").widget() is late.find_panel("fairness")
    assert late.find_panel("fairness").isVisible()


def test_a_panel_without_a_place_is_no_window_of_its_own(window, qtbot):
    late = window.desk.docks
    # The moment between two steps of the start.
    place = late._places["fairness"]
    waiting = place._make_once()
    assert late.find_panel("fairness") is None
    assert waiting.window() is window, "it goes when the window goes"
    assert not waiting.isVisible()
    assert late.panel("fairness") is waiting
    assert window.desk.docks.view("fairness").widget() is waiting
    # The moment between two steps of the start.
    place._place_once()
    assert window.desk.docks.view("fairness").widget() is waiting


@pytest.mark.deep
def test_a_view_that_is_closed_meanwhile_stays_empty(window, qtbot):
    window.desk.docks.show("fairness")
    window.desk.docks.close("fairness")
    # When the code of a panel is loaded nobody is told.
    place = window.desk.docks._places["fairness"]
    qtbot.waitUntil(lambda: not place._is_loading)
    assert window.desk.docks.find_panel("fairness") is None
    window.desk.docks.show("fairness")
    qtbot.waitUntil(lambda: window.desk.docks.find_panel("fairness") is not None)
