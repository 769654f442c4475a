"""The keyboard is where one can see it: no hidden panel has it, and Escape leads to the map.

All keys and clicks are events of the window; what they reach is what a hand would reach.
"""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDockWidget, QTabBar, QWidget

from app.background.jobs import Job
from app.features.new_map.dialog import NewMapDialog
from app.widgets.forms.language_field import LanguageField
from tests.app.conftest import new_map_dialog
from tests.daily import deep_but
from tests.randomizer.systems.colossus.few_battles import fight_few

DRIVEN_DIALOGS = (NewMapDialog,)
"""Dialogs that these tests drive themselves."""

KINDS = (
    "Colossus battleland",
    "Landscape or free map",
    "Wargame table",
    "Xconq world",
    "0 A.D. map",
)


def press(window: QWidget, key: Qt.Key, held=Qt.KeyboardModifier.NoModifier) -> None:
    """Press a key in a window, wherever its focus is."""
    QTest.keyClick(window.windowHandle(), key, held)


def type_text(window: QWidget, text: str) -> None:
    """Type small letters, signs and spaces in a window, wherever its focus is."""
    for letter in text:
        QTest.keyClick(window.windowHandle(), Qt.Key(ord(letter.upper())))


def dock_of(widget: QWidget | None) -> QDockWidget | None:
    while widget is not None and not isinstance(widget, QDockWidget):
        widget = widget.parentWidget()
    return widget


def name_of(widget: QWidget | None) -> str:
    dock = dock_of(widget)
    place = "the window" if dock is None else dock.windowTitle()
    name = "" if widget is None else widget.accessibleName()
    return f"{type(widget).__name__} {name!r} in {place}"


def panel_with_focus() -> str:
    """Return the title of the dock that has the focus, empty for none."""
    dock = dock_of(QApplication.focusWidget())
    return "" if dock is None else dock.windowTitle()


def is_seen(widget: QWidget) -> bool:
    """Whether a part of a widget is on the screen, now that it has been scrolled into view."""
    QApplication.processEvents()
    part = widget
    seen = widget.rect()
    while not part.isWindow():
        seen = seen.translated(part.pos())
        part = part.parentWidget()
        seen = seen.intersected(part.rect())
    return widget.isVisible() and not seen.isEmpty()


def click_tab(window, title: str) -> None:
    """Click the tab of a panel."""
    for tabs in window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
        titles = [tabs.tabText(index) for index in range(tabs.count())]
        if is_seen(tabs) and title in titles:
            place: QPoint = tabs.tabRect(titles.index(title)).center()
            QTest.mouseClick(tabs, Qt.MouseButton.LeftButton, pos=place)
            return
    raise AssertionError(f"no tab is called {title}")


def wait_for_panels(window, qtbot) -> None:
    """Wait until every panel that is seen is made."""
    docks = window.desk.docks

    def are_made() -> bool:
        seen = [dock.objectName() for dock in docks.all() if is_seen(dock)]
        return all(docks.find_panel(name) is not None for name in seen)

    qtbot.waitUntil(are_made)
    qtbot.waitUntil(lambda: not window.desk.rolling.busy)


@pytest.fixture(autouse=True)
def _few_battles(monkeypatch):
    fight_few(monkeypatch)


@pytest.fixture
def active(active):
    """The window with History and Map open, too, behind the script."""
    for name in ("history", "properties", "randomize"):
        active.desk.docks.show(name)
    return active


@pytest.fixture
def desk(active):
    return active.desk


def make_map(window, qtbot, kind: str) -> None:
    """Make a map of a kind by the dialog, as Enter there does."""
    before = window.desk.document.battlemap
    dialog = new_map_dialog(window, kind)
    qtbot.waitUntil(dialog.isActiveWindow)
    QTest.mouseClick(dialog.make_button, Qt.MouseButton.LeftButton)
    document = window.desk.document
    qtbot.waitUntil(lambda: document.battlemap is not before and not window.desk.rolling.busy)
    window.activateWindow()  # as a window manager does when a dialog has gone
    qtbot.waitUntil(window.isActiveWindow)


def walk(window, *, forward: bool = True) -> list[QWidget]:
    """Go round by the Tab key from the map to the map; return the stops, the map not among them."""
    canvas = window.desk.canvas
    assert QApplication.focusWidget() is canvas
    stops: list[QWidget] = []
    for _ in range(300):
        press(window, Qt.Key.Key_Tab if forward else Qt.Key.Key_Backtab)
        stop = QApplication.focusWidget()
        if stop is canvas:
            return stops
        assert stop not in stops, f"Tab goes round without the map, from {name_of(stop)}"
        assert is_seen(stop), f"{name_of(stop)} is hidden"
        stops.append(stop)
    raise AssertionError("Tab never comes back to the map")


def leave(window, stop: QWidget) -> None:
    """Press Escape at a stop; the filter of the gallery leads to the gallery first."""
    stop.setFocus(Qt.FocusReason.TabFocusReason)
    press(window, Qt.Key.Key_Escape)
    if isinstance(stop, LanguageField):
        assert dock_of(QApplication.focusWidget()) is dock_of(stop)
        press(window, Qt.Key.Key_Escape)
    assert QApplication.focusWidget() is window.desk.canvas, name_of(stop)


def test_the_map_has_the_focus_after_the_start(desk):
    assert QApplication.focusWidget() is desk.canvas


def open_all(window, qtbot) -> None:
    for dock in window.desk.docks.all():
        if dock.toggleViewAction().isVisible():
            dock.show()


def open_odds_and_views(window, qtbot) -> None:
    """Open the odds below the script, and the views behind the map, where the map has them."""
    docks = window.desk.docks
    for name in ("odds", "gallery", "fairness"):
        if docks.suits_map(name):
            docks.show(name)
    docks.views.show_map()


def float_layers(window, qtbot) -> None:
    window.desk.docks["layers"].setFloating(True)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)


def put_aside(window, qtbot) -> None:
    press(window, Qt.Key.Key_F9)


def tabs_at_the_left(window, qtbot) -> None:
    docks = window.desk.docks
    docks.show("overview")
    window.tabifyDockWidget(docks["palette"], docks["overview"])
    window.tabifyDockWidget(docks["palette"], docks["history"])


ARRANGEMENTS = (open_all, open_odds_and_views, float_layers, put_aside, tabs_at_the_left)


@pytest.mark.parametrize("kind", deep_but(KINDS, "Xconq world"))
def test_after_new_map_the_map_has_the_focus_and_tab_stops_where_one_sees_it(active, qtbot, kind):
    active.desk.docks.panel("randomize").editor.setFocus()
    make_map(active, qtbot, kind)
    wait_for_panels(active, qtbot)
    assert QApplication.focusWidget() is active.desk.canvas
    stops = walk(active)
    assert {type(stop).__name__ for stop in stops} >= {"Palette", "QTabBar"}
    assert walk(active, forward=False) == stops[::-1]
    for stop in stops:
        leave(active, stop)


@pytest.mark.deep  # some seconds each
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("arrange", ARRANGEMENTS)
def test_tab_and_escape_in_each_arrangement_of_panels(active, qtbot, kind, arrange):
    make_map(active, qtbot, kind)
    arrange(active, qtbot)
    wait_for_panels(active, qtbot)
    press(active, Qt.Key.Key_Escape)
    stops = walk(active)
    for stop in stops:
        leave(active, stop)


@pytest.mark.deep  # some seconds each
@pytest.mark.parametrize("kind", KINDS)
def test_a_click_on_a_tab_brings_the_focus_into_its_panel(active, qtbot, kind):
    make_map(active, qtbot, kind)
    wait_for_panels(active, qtbot)
    docks = active.desk.docks
    together = [docks["layers"], *active.tabifiedDockWidgets(docks["layers"])]
    titles = [dock.windowTitle() for dock in together if not dock.isHidden()]
    assert len(titles) > 2
    for title in [*titles, *titles[::-1]]:
        click_tab(active, title)
        qtbot.waitUntil(lambda title=title: panel_with_focus() == title)
        qtbot.waitUntil(lambda: is_seen(QApplication.focusWidget()))  # some panels are made now
        first = QApplication.focusWidget()
        press(active, Qt.Key.Key_Tab)
        assert QApplication.focusWidget() is not first
        assert is_seen(QApplication.focusWidget())


def test_a_panel_that_is_made_after_its_dock_was_entered_gets_the_keyboard(active, qtbot):
    wait_for_panels(active, qtbot)
    docks = active.desk.docks
    stand_in = docks["odds"].widget()
    assert docks.find_panel("odds") is None
    docks.show("odds")
    stand_in.setFocus()
    # Without more, Qt would hand the focus of the stand-in to the map.
    QWidget.setTabOrder(stand_in, active.desk.canvas)
    panel = docks.panel("odds")
    qtbot.waitUntil(lambda: panel_with_focus() == "Odds")
    assert panel.isAncestorOf(QApplication.focusWidget())


@pytest.mark.parametrize("title", [pytest.param("Layers", marks=pytest.mark.deep), "History"])
def test_undo_after_a_click_on_another_tab_leaves_the_script_alone(active, qtbot, title):
    desk = active.desk
    editor = desk.docks.panel("randomize").editor
    click_tab(active, "Script")
    QTest.mouseClick(editor.viewport(), Qt.MouseButton.LeftButton)
    assert QApplication.focusWidget() is editor
    press(active, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    type_text(active, "# mine")
    assert editor.text().startswith("# mine")
    click_tab(active, title)
    qtbot.waitUntil(lambda: panel_with_focus() == title)
    press(active, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    press(active, Qt.Key.Key_E)
    assert editor.text().startswith("# mine")
    editor.document().setModified(False)


@pytest.mark.deep
def test_letters_after_the_tab_of_another_panel_do_not_rename_the_map(active, qtbot):
    desk = active.desk
    click_tab(active, "Map")
    qtbot.waitUntil(lambda: desk.docks.find_panel("properties") is not None)
    title = desk.docks.panel("properties").rows["title"].editor
    name = title.text()
    for other in ("Layers", "History", "Script"):
        click_tab(active, "Map")
        qtbot.waitUntil(lambda: panel_with_focus() == "Map")
        assert QApplication.focusWidget() is not title, "no click on a tab leads into a field"
        QTest.mouseClick(title, Qt.MouseButton.LeftButton)
        assert QApplication.focusWidget() is title
        click_tab(active, other)
        type_text(active, "x")  # at once, in the same turn
        assert title.text() == name


def test_undo_after_tabs_of_panels_undoes_on_the_map(active, qtbot):
    """Ground was raised, two tabs were clicked; a box of numbers had the keyboard once."""
    make_map(active, qtbot, "0 A.D. map")
    desk = active.desk
    click_tab(active, "Script")
    qtbot.waitUntil(lambda: panel_with_focus() == "Script")
    form = desk.docks.panel("randomize").settings_form
    form.set_unfolded(is_unfolded=True)
    size = form.field("Size")
    QTest.mouseClick(size.lineEdit(), Qt.MouseButton.LeftButton)
    desk.commands.run("tool.height")
    desk.canvas.setFocus()
    for _stroke in range(2):
        press(active, Qt.Key.Key_Up)
        press(active, Qt.Key.Key_Return)
    assert desk.document.history.next_undo is not None
    click_tab(active, "Layers")
    qtbot.waitUntil(lambda: panel_with_focus() == "Layers")
    click_tab(active, "Script")
    qtbot.waitUntil(lambda: panel_with_focus() == "Script")
    press(active, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    QTest.mouseClick(size.lineEdit(), Qt.MouseButton.LeftButton)
    assert QApplication.focusWidget() is size
    press(active, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert desk.document.history.next_undo is None, "the second stroke, and then the first"


def test_a_panel_that_goes_gives_the_focus_to_the_map(active, qtbot):
    """A panel is closed, put aside, put behind another, or is not for the next map."""
    desk = active.desk
    docks = desk.docks
    canvas = desk.canvas
    editor = docks.panel("randomize").editor
    ways = (
        docks["randomize"].close,
        docks.room.put_aside,
        lambda: docks.show("history"),
        lambda: make_map(active, qtbot, "Wargame table"),
    )
    for go in ways:
        docks.room.bring_back()
        docks.show("randomize")
        editor.setFocus()
        assert QApplication.focusWidget() is editor
        go()
        assert QApplication.focusWidget() is canvas


def test_escape_leads_from_a_floating_panel_to_the_map(active, qtbot):
    docks = active.desk.docks
    docks["layers"].setFloating(True)
    layers = docks.panel("layers").list
    docks["layers"].activateWindow()
    layers.setFocus()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is layers)
    press(docks["layers"], Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: QApplication.focusWidget() is active.desk.canvas)


def test_escape_does_first_what_a_field_has_it_for(active, qtbot):
    """It closes the line that searches the script, and then leads from the script to the map."""
    desk = active.desk
    panel = desk.docks.panel("randomize")
    click_tab(active, "Script")
    panel.editor.setFocus()
    press(active, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    field = QApplication.focusWidget()
    assert field is not panel.editor
    press(active, Qt.Key.Key_Escape)
    assert not field.isVisible()
    assert QApplication.focusWidget() is panel.editor
    press(active, Qt.Key.Key_Escape)
    assert QApplication.focusWidget() is desk.canvas


def looks(widget: QWidget) -> QImage:
    """Return the picture of the place of a widget in its window: a frame may lie around it."""
    QApplication.processEvents()
    window = widget.window()
    corner = widget.mapTo(window, QPoint(0, 0)) - QPoint(4, 4)
    place = QRect(corner, widget.size() + QSize(8, 8)).intersected(window.rect())
    return window.grab(place).toImage()


STOPS = (
    (KINDS[0], ("gallery",)),
    (KINDS[0], ("odds", "fairness", "gallery")),
    *((kind, ()) for kind in KINDS[1:]),
)
"""Kinds of maps, each with panels that are opened one after the other."""


@pytest.mark.parametrize(("kind", "names"), deep_but(STOPS, STOPS[0]))
def test_the_focus_can_be_seen_at_every_stop(active, qtbot, kind, names):
    docks = active.desk.docks
    active.resize(1280, 860)
    make_map(active, qtbot, kind)
    for name in names:
        docks.show(name)
    wait_for_panels(active, qtbot)
    for name in ("", *names):
        docks.views.show_map()
        if name:
            docks.show(name)
        docks.keys.enter_middle()
        qtbot.waitUntil(lambda: not Job.any_running())
        start = QApplication.focusWidget()
        for _ in range(100):
            press(active, Qt.Key.Key_Tab)
            stop = QApplication.focusWidget()
            if stop is start:
                break
            focused = looks(stop)
            assert QApplication.focusWidget() is stop
            active.setFocus()
            plain = looks(stop)
            assert QApplication.focusWidget() is active
            assert plain != focused, f"{name_of(stop)} looks the same without the focus"
            stop.setFocus(Qt.FocusReason.TabFocusReason)
