"""Panels that are made when they are first shown: code, panel and layout in a turn of their own."""

from __future__ import annotations


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
    late._make("fairness")
    assert late.find_panel("fairness") is None
    # The moment between two steps of the start.
    waiting = late._panels["fairness"].widget
    assert waiting.window() is window, "it goes when the window goes"
    assert not waiting.isVisible()
    assert late.panel("fairness") is waiting
    assert window.desk.docks.view("fairness").widget() is waiting
    # The moment between two steps of the start.
    late._place("fairness")
    assert window.desk.docks.view("fairness").widget() is waiting


def test_a_view_that_is_closed_meanwhile_stays_empty(window, qtbot):
    window.desk.docks.show("fairness")
    window.desk.docks.close("fairness")
    # When the code of a panel is loaded nobody is told.
    panel = window.desk.docks._panels["fairness"]
    qtbot.waitUntil(lambda: panel.stage.name == "ABSENT")
    assert window.desk.docks.find_panel("fairness") is None
    window.desk.docks.show("fairness")
    qtbot.waitUntil(lambda: window.desk.docks.find_panel("fairness") is not None)
