"""Panels at the sides leave the map its half, keep the width that the user gave, and fit into it.

All clicks and keys are events of the window.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTabBar, QToolButton, QWidget

from app.desk import dock_room
from app.document.map_files import new_map
from app.widgets.layout.dock_visibility import can_be_seen
from app.window import MainWindow
from randomizer.catalog.systems import system_named
from tests.daily import deep_but

SMALL = QSize(800, 500)
"""1600 x 1000 pixels at 200 %."""

USUAL = QSize(1280, 860)

KINDS = ["colossus", "free", "cordery", "xconq", "zeroad"]

ROOMY = dock_room.ROOMY


@pytest.fixture(autouse=True)
def _as_for_users(monkeypatch):
    """Windows as narrow as the others of these tests put their panels aside."""
    # The small windows of users.
    monkeypatch.setattr(dock_room, "ROOMY", ROOMY)


@pytest.fixture
def small(window, qtbot) -> MainWindow:
    """A window that was made small by hand."""
    resize(window, qtbot, USUAL)
    resize(window, qtbot, SMALL)
    return window


def resize(window: MainWindow, qtbot, size: QSize) -> None:
    window.resize(size)
    qtbot.waitUntil(lambda: window.size() == size)
    qtbot.wait(50)  # the sides get their widths in the turn that follows


def open_map(window: MainWindow, kind: str) -> None:
    window.desk.document.open_map(new_map(system_named(kind)))


def panels_at_the_right(window: MainWindow) -> Iterator[str]:
    """Bring each panel at the right that the map has to the front, with its content."""
    all_docks = window.desk.docks
    for dock in all_docks.all():
        name = dock.objectName()
        area = window.dockWidgetArea(dock)
        if area != Qt.DockWidgetArea.RightDockWidgetArea or not all_docks.suits_map(name):
            continue
        all_docks.show(name)
        yield name


def width_at(window: MainWindow, area: Qt.DockWidgetArea) -> int:
    """Return the width of the panel that is seen at a side."""
    docks_in_area = []
    for dock in window.desk.docks.all():
        if window.dockWidgetArea(dock) == area and can_be_seen(dock):
            docks_in_area.append(dock)
    return docks_in_area[0].width()


def width_at_the_right(window: MainWindow) -> int:
    return width_at(window, Qt.DockWidgetArea.RightDockWidgetArea)


def click(widget: QWidget) -> None:
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton)


@pytest.mark.deep
@pytest.mark.parametrize("kind", deep_but(KINDS, "xconq"))
def test_the_map_keeps_half_beside_the_panels_at_both_sides(small, qtbot, kind):
    open_map(small, kind)
    small.desk.commands.run("view.side-panels")
    canvas = small.desk.canvas

    def has_half() -> bool:
        return 2 * canvas.width() >= small.width() and 2 * canvas.height() >= small.height()

    qtbot.waitUntil(has_half)
    for name in panels_at_the_right(small):
        qtbot.waitUntil(lambda name=name: small.desk.docks.find_panel(name) is not None)
        qtbot.wait(20)
        assert has_half(), name
    if small.desk.tools.suits("things"):
        small.desk.tools.choose("things")
        qtbot.wait(20)
        assert has_half()


@pytest.mark.deep
@pytest.mark.parametrize("kind", deep_but(KINDS, "xconq"))
def test_a_tab_at_the_right_never_changes_the_width(window, qtbot, kind):
    resize(window, qtbot, USUAL)
    open_map(window, kind)
    qtbot.waitUntil(lambda: window.desk.docks.room.right_docks.current_name() != "")
    first = window.desk.docks.room.right_docks.current_name()
    window.resizeDocks([window.desk.docks[first]], [240], Qt.Orientation.Horizontal)
    qtbot.waitUntil(lambda: width_at_the_right(window) == 240)
    for name in panels_at_the_right(window):
        qtbot.waitUntil(lambda name=name: window.desk.docks.find_panel(name) is not None)
        qtbot.wait(20)
        assert width_at_the_right(window) == 240, name
    tabs = [
        bar
        for bar in window.findChildren(QTabBar)
        if bar.parent() is window and bar.isVisible() and bar.x() > window.width() / 2
    ]
    (bar,) = tabs
    for index in range(bar.count()):
        bar.setCurrentIndex(index)
        qtbot.wait(20)
        assert width_at_the_right(window) == 240, bar.tabText(index)


@pytest.mark.parametrize("size", deep_but([QSize(1272, 760), USUAL], USUAL), ids=["low", "usual"])
def test_opening_and_closing_the_odds_leaves_the_right_side_its_width(window, qtbot, size):
    resize(window, qtbot, size)
    desk = window.desk
    desk.docks.show("layers")
    qtbot.waitUntil(lambda: desk.docks.is_in_front("layers"))
    qtbot.wait(50)
    width = width_at_the_right(window)
    assert width >= 300
    desk.commands.run("randomize.odds")
    qtbot.waitUntil(lambda: desk.docks.find_panel("odds") is not None)
    odds = desk.docks["odds"]
    qtbot.waitUntil(lambda: odds.width() == width)  # the width is restored in a later turn
    assert odds.width() >= odds.widget().minimumSizeHint().width(), "nothing of it is cut"
    is_tab = not desk.docks.is_in_front("layers")
    assert is_tab == (size.height() < ROOMY.height())
    desk.commands.run("randomize.odds")
    qtbot.waitUntil(lambda: odds.isHidden())
    qtbot.waitUntil(lambda: desk.docks.is_in_front("layers"))
    qtbot.waitUntil(lambda: width_at_the_right(window) == width)


@pytest.mark.deep
def test_the_odds_stand_below_again_in_a_window_that_becomes_high(window, qtbot):
    resize(window, qtbot, QSize(1272, 760))
    desk = window.desk
    desk.commands.run("randomize.odds")
    qtbot.waitUntil(lambda: desk.docks.is_in_front("odds"))
    assert not desk.docks.is_in_front("randomize")
    resize(window, qtbot, USUAL)
    qtbot.waitUntil(lambda: desk.docks.is_in_front("randomize") and desk.docks.is_in_front("odds"))


def test_widths_of_a_large_window_come_back_after_a_small_one(window, qtbot):
    resize(window, qtbot, USUAL)
    desk = window.desk
    pair = [desk.docks["palette"], desk.docks["randomize"]]
    window.resizeDocks(pair, [270, 333], Qt.Orientation.Horizontal)
    qtbot.waitUntil(lambda: width_at_the_right(window) == 333)
    resize(window, qtbot, SMALL)
    desk.commands.run("view.side-panels")
    qtbot.waitUntil(lambda: width_at_the_right(window) < 333)
    resize(window, qtbot, USUAL)
    qtbot.waitUntil(lambda: width_at_the_right(window) == 333)
    assert desk.docks["palette"].width() == 270


def test_panels_below_each_other_are_tabs_in_a_small_window(window, qtbot):
    resize(window, qtbot, USUAL)
    desk = window.desk
    desk.commands.run("randomize.odds")
    qtbot.waitUntil(lambda: desk.docks.is_in_front("odds"))
    assert desk.docks.is_in_front("randomize")
    resize(window, qtbot, SMALL)
    desk.commands.run("view.side-panels")
    qtbot.waitUntil(lambda: desk.docks.is_in_front("randomize") != desk.docks.is_in_front("odds"))
    resize(window, qtbot, USUAL)
    qtbot.waitUntil(lambda: desk.docks.is_in_front("randomize") and desk.docks.is_in_front("odds"))
    assert desk.docks["odds"].y() > desk.docks["randomize"].y()


def chosen_buttons(window: MainWindow) -> list[str]:
    """Return the names of the buttons of the palette that look pressed."""
    palette = window.desk.docks.panel("palette").ground
    return [
        button.accessibleName()
        for button in palette.findChildren(QToolButton)
        if button.isVisible() and button.isChecked()
    ]


def button(window: MainWindow, name: str) -> QToolButton:
    palette = window.desk.docks.panel("palette").ground
    (match,) = [each for each in palette.findChildren(QToolButton) if each.accessibleName() == name]
    return match


def test_one_button_of_the_palette_looks_chosen_whatever_is_in_hand(window, qtbot):
    resize(window, qtbot, USUAL)
    desk = window.desk
    assert chosen_buttons(window) == ["Terrain Tree"]
    click(button(window, "Elevation 2"))
    assert chosen_buttons(window) == ["Elevation 2"]
    click(button(window, "Elevation 2"))
    assert chosen_buttons(window) == ["Elevation 2"], "a second click does not take it away"
    click(button(window, "Hexside Cliff"))
    assert chosen_buttons(window) == ["Hexside Cliff"]
    desk.commands.run("tool.rectangle")
    assert chosen_buttons(window) == ["Terrain Tree"], "it is painted by rectangles, too"
    desk.commands.run("tool.select")
    assert chosen_buttons(window) == ["Terrain Tree"]
    click(button(window, "Terrain Bog"))
    assert chosen_buttons(window) == ["Terrain Bog"]


@pytest.mark.parametrize("kind", deep_but(["free", "xconq", "zeroad"], "zeroad"))
def test_name_and_owner_of_a_thing_stand_above_the_fold_in_a_small_window(small, qtbot, kind):
    open_map(small, kind)
    small.desk.tools.choose("things")
    page = small.desk.docks.panel("palette").things
    qtbot.waitUntil(lambda: page.isVisible() and page.kinds.count() > 2)
    rows = [page.kinds.item(row) for row in range(page.kinds.count())]
    first_kind = next(row for row in rows if row.toolTip() and row.text() != "Pick only")
    place = page.kinds.visualItemRect(first_kind).center()
    QTest.mouseClick(page.kinds.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.waitUntil(page.form.isVisible)
    names = ["label"]
    if kind != "free":  # places of a landscape belong to nobody
        names.append("owner")
    fields = [page.form.form.field(name) for name in names]

    def are_visible() -> bool:
        heights = [field.visibleRegion().boundingRect().height() for field in fields]
        return heights == [field.height() for field in fields]

    qtbot.waitUntil(are_visible)
    qtbot.wait(50)
    assert are_visible()
    row_height = page.kinds.sizeHintForRow(0)
    assert page.kinds.viewport().height() >= 2 * row_height
