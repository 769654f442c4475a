"""A walk along the focus chain leaves every widget alive."""

from __future__ import annotations

import gc

import pytest
from PySide6.QtWidgets import QLineEdit, QScrollArea, QVBoxLayout, QWidget
from shiboken6 import delete, isValid

from app.widgets.layout.focus_chain import next_in_focus_chain
from tests.conftest import ROOT


@pytest.fixture
def window(qtbot):
    window = QWidget()
    layout = QVBoxLayout(window)
    for _ in range(3):
        layout.addWidget(QLineEdit())
    qtbot.addWidget(window)
    return window


def walk(window, *, forward):
    widgets = [window]
    while (neighbour := next_in_focus_chain(widgets[-1], forward=forward)) is not window:
        widgets.append(neighbour)
    return widgets


def test_the_chain_leads_through_all_widgets_and_back(window):
    fields = window.findChildren(QLineEdit)
    assert walk(window, forward=True) == [window, *fields]
    assert walk(window, forward=False) == [window, *reversed(fields)]


@pytest.mark.parametrize("forward", [True, False])
def test_a_deleted_widget_takes_no_other_one_with_it(window, forward):
    first, *others = window.findChildren(QLineEdit)
    walk(window, forward=forward)
    walk(window, forward=forward)
    delete(first)
    assert [isValid(widget) for widget in (window, *others)] == [True, True, True]


@pytest.mark.deep
def test_bars_that_qt_has_made_stay_alive_while_they_are_looked_at(window):
    area = QScrollArea()
    window.layout().addWidget(area)
    for forward in (True, False):
        widgets = walk(window, forward=forward)
        gc.collect()
        assert area.verticalScrollBar() in widgets
        assert all(isValid(widget) for widget in widgets)


def test_nobody_asks_qt_for_the_chain_itself():
    sources = {path.name: path.read_text("utf-8") for path in (ROOT / "app").rglob("*.py")}
    users = {name for name, source in sources.items() if "InFocusChain(" in source}
    assert users == {"focus_chain.py"}
