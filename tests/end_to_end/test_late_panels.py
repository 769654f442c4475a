"""Panels that are made when they are first shown: code, panel and layout in a turn of their own."""

from __future__ import annotations


def test_a_panel_is_made_when_its_dock_is_shown(window, qtbot):
    late = window.late_panels
    assert late.made("fairness") is None
    window.show_dock("fairness")
    qtbot.waitUntil(lambda: late.made("fairness") is not None)
    assert window.docks["fairness"].widget() is late.made("fairness")
    assert late.made("fairness").isVisible()


def test_a_panel_without_a_place_is_no_window_of_its_own(window, qtbot):
    late = window.late_panels
    late._make("fairness")
    assert late.made("fairness") is None
    waiting = late._unplaced["fairness"]
    assert waiting.window() is window, "it goes when the window goes"
    assert not waiting.isVisible()
    assert late.panel("fairness") is waiting
    assert window.docks["fairness"].widget() is waiting
    late._place("fairness")
    assert window.docks["fairness"].widget() is waiting


def test_a_dock_that_is_closed_meanwhile_stays_empty(window, qtbot):
    window.show_dock("fairness")
    window.docks["fairness"].hide()
    qtbot.waitUntil(lambda: not window.late_panels._loading)
    assert window.late_panels.made("fairness") is None
    window.show_dock("fairness")
    qtbot.waitUntil(lambda: window.late_panels.made("fairness") is not None)
