"""Docks at the right that are put aside and brought back, and that come and go meanwhile."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow

from app.desk.right_docks import RightDocks

RIGHT = Qt.DockWidgetArea.RightDockWidgetArea


@pytest.fixture
def right_docks(qtbot) -> RightDocks:
    frame = QMainWindow()
    qtbot.addWidget(frame)
    docks = {}
    for name in ("script", "layers"):
        docks[name] = QDockWidget(name, frame)
        frame.addDockWidget(RIGHT, docks[name])
    frame.tabifyDockWidget(docks["script"], docks["layers"])
    frame.show()
    qtbot.waitExposed(frame)
    docks["layers"].raise_()
    found = RightDocks(frame, docks, frame)
    qtbot.waitUntil(lambda: found.current_name() == "layers")
    return found


def test_a_dock_that_is_closed_while_it_is_aside_is_the_current_one_no_more(right_docks):
    right_docks.put_aside()
    assert right_docks.current_name() == "layers"
    right_docks.close("layers")
    assert right_docks.current_name() == ""
    right_docks.bring_back()
    assert right_docks.is_open("script")
    assert not right_docks.is_open("layers")


def test_what_qt_has_shown_anew_is_told_to_be_aside_no_more(right_docks):
    right_docks.put_aside()
    changes: list[bool] = []
    right_docks.aside_changed.connect(lambda: changes.append(right_docks.is_aside))
    right_docks.forget_aside()
    right_docks.forget_aside()
    assert changes == [False]


def test_a_dock_that_is_aside_and_shown_again_is_closed_by_one_close(right_docks):
    right_docks.put_aside()
    right_docks.show("layers")
    right_docks.close("layers")
    assert not right_docks.is_open("layers")
