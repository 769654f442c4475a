"""Everything can be reached in a small window: no tool is hidden, no name of a tab is cut off."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QTabBar, QToolBar, QToolButton

from app.document.map_files import new_map
from randomizer.catalog import system_named

SIZES = [QSize(1100, 700), QSize(960, 540), QSize(800, 500)]
"""The second and the third are 1920 x 1080 and 1600 x 1000 at 200 %."""

LATE = ("odds", "fairness")


def seen(window, widget) -> bool:
    """Whether all of a widget lies in the window."""
    corner = widget.mapTo(window, QPoint(0, 0))
    ends = corner + QPoint(widget.width() - 1, widget.height() - 1)
    return widget.isVisible() and window.rect().contains(corner) and window.rect().contains(ends)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size.width()}x{size.height()}")
@pytest.mark.parametrize("kind", ["colossus", "free", "cordery", "xconq"])
def test_every_tool_and_every_tab_is_there_in_a_small_window(window, qtbot, size, kind):
    window.desk.document.show_map(new_map(system_named(kind)))
    docks = window.desk.docks
    for name in LATE:
        if docks._suits_map(name):
            docks.show(name)
    window.resize(size)
    qtbot.waitUntil(lambda: window.size() == size)

    def tools() -> list[QAction]:
        bar = window.findChild(QToolBar, "tools")
        return [action for action in bar.actions() if action.isVisible()]

    def buttons(name):
        bar = window.findChild(QToolBar, name)
        found = bar.findChildren(QToolButton, options=Qt.FindChildOption.FindDirectChildrenOnly)
        return [button for button in found if button.defaultAction() in bar.actions()]

    qtbot.waitUntil(
        lambda: sum(seen(window, each) for each in buttons("tools")) == len(tools()) > 15
    )
    main = window.findChild(QToolBar, "main")
    entries = [each for each in main.actions() if each.isVisible() and not each.isSeparator()]
    qtbot.waitUntil(lambda: sum(seen(window, each) for each in buttons("main")) == len(entries))
    bars = window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
    for bar in (each for each in bars if each.isVisible() and each.count() > 1):
        assert bar.elideMode() == Qt.TextElideMode.ElideNone
        assert not bar.usesScrollButtons()
        qtbot.waitUntil(lambda bar=bar: seen(window, bar) and bar.width() >= bar.sizeHint().width())
    assert window.desk.canvas.width() >= 120
