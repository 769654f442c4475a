"""Frames and boxes are seen in every palette; short lists say what to do."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QStringListModel
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication, QCheckBox, QLineEdit, QListView

from app.appearance.scheme import apply_scheme, show_outlines
from app.widgets.lists.empty_state import EmptyState

WINDOW = QPalette.ColorRole.Window


@pytest.fixture
def palette(qapp):
    """A palette to try; the usual one comes back afterwards."""

    def use(window: str) -> None:
        tried = QPalette()
        tried.setColor(WINDOW, QColor(window))
        QApplication.setPalette(tried)
        show_outlines()

    yield use
    apply_scheme("system")


def outline(kind, qtbot) -> int:
    """How light Fusion draws the frame of a widget: a little darker than its window."""
    widget = kind()
    qtbot.addWidget(widget)
    widget.ensurePolished()  # it hears only now what kind of widget it is
    return widget.palette().color(WINDOW).darker(140).lightness()


def test_boxes_are_seen_on_dark_windows_and_frames_on_black_ones(palette, qtbot):
    palette("#efefef")
    assert outline(QCheckBox, qtbot) < 200
    palette("#2b2e33")
    assert outline(QCheckBox, qtbot) > 100
    assert outline(QLineEdit, qtbot) < 60
    palette("#000000")
    assert outline(QCheckBox, qtbot) > 100
    assert outline(QLineEdit, qtbot) > 100


@pytest.fixture
def features() -> tuple[str, ...]:
    return ()


def test_boxes_are_seen_when_the_system_turns_dark_while_the_desk_is_open(window, qtbot):
    dark = QPalette()
    dark.setColor(WINDOW, QColor("#2b2e33"))
    try:
        QApplication.setPalette(dark)  # as Qt does then
        window.desk.theme.follow_palette()  # as the main window does, which hears of it
        qtbot.waitUntil(lambda: outline(QCheckBox, qtbot) > 100)
    finally:
        apply_scheme("system")


def test_a_short_list_says_what_to_do_and_a_longer_one_does_not(qtbot):
    view = QListView()
    model = QStringListModel(["Ground"])
    qtbot.addWidget(view)
    view.setModel(model)
    words = EmptyState(view, "Roll a map", rows=1)
    view.resize(200, 200)
    view.show()
    assert words.isVisible()
    assert words.y() > view.visualRect(model.index(0, 0)).bottom()
    assert view.accessibleDescription() == "Roll a map"
    model.insertRow(1)
    assert not words.isVisible()
    assert view.accessibleDescription() == ""
    model.setStringList([])
    assert words.isVisible()
