"""Commands by keys and by the palette, preferences, the tour, the overview: on the real window."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QKeySequence, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QTabBar,
    QToolBar,
    QWidget,
)

from app.commands.closeness import closeness
from app.commands.commands import WHY
from app.features.command_palette.dialog import CommandPalette
from app.features.help.help_dialogs import mouse_and_keys
from app.features.help.tour import STEPS, Tour
from app.features.new_map.dialog import NewMapDialog
from app.features.preferences.dialog import SettingsDialog
from app.features.start.controller import EmptyMap
from randomizer.model.battlemap import BattleMap
from randomizer.model.layer import Layer
from randomizer.model.layouts import FLAT
from randomizer.systems.cordery.system import SYSTEM as WARGAMES
from randomizer.systems.cordery.system import new_grid
from randomizer.systems.free.system import free_map
from tests.end_to_end.test_walking_desk import paint

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
KINDS = (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
)


@pytest.fixture
def active(window, qtbot):
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.desk.canvas.setFocus()
    return window


def opened(window, qtbot, kind):
    """The dialog of a kind that is open now."""
    qtbot.waitUntil(lambda: any(each.isVisible() for each in window.findChildren(kind)))
    return next(each for each in window.findChildren(kind) if each.isVisible())


def action(window, name: str):
    window.desk.commands.ids(fill=True)
    return window.desk.commands.action(name)


# --- every command ----------------------------------------------------------------------------


def test_every_command_has_a_name_of_its_own_a_tooltip_and_a_status_tip(window):
    commands = window.desk.commands
    names = commands.ids()
    assert len(names) == len(set(names)) > 50
    assert all("." in name and " " not in name for name in names)
    assert {"file.save", "edit.undo", "tool.eraser", "panel.layers", "script.reroll"} <= set(names)
    wordless = [
        commands.path(name)
        for name in names
        if not commands.action(name).statusTip() or not commands.action(name).toolTip()
    ]
    assert wordless == []


def actions_of(menu):
    for each in menu.actions():
        if each.menu() is not None:
            yield from actions_of(each.menu())
        elif not each.isSeparator():
            yield each


def test_what_stands_in_menus_and_bars_are_the_commands_and_only_those(window):
    commands = window.desk.commands
    names = set(commands.ids())
    in_menus = {action.objectName() for action in actions_of(window.menuBar())}
    only_in_panels = {name for name in names if name.startswith("script.")}
    assert in_menus <= names
    assert names - in_menus <= only_in_panels
    for bar in ("tools", "main"):
        actions = actions_of(window.findChild(QToolBar, bar))
        assert {action.objectName() for action in actions} <= names
    palette = CommandPalette(commands, window.desk.settings, window, "")
    offered = {
        palette.list.topLevelItem(row).text(0) for row in range(palette.list.topLevelItemCount())
    }
    palette.close()
    assert all(
        any(commands.path(name) in words for words in offered) for name in commands.offered()
    )


@pytest.mark.parametrize("kind", ["battleland", "world", "table"])
def test_every_command_that_cannot_be_used_says_why(window, kind):
    if kind == "world":
        window.desk.document.show_map(free_map(FLAT, 6, 5))
    elif kind == "table":
        window.desk.document.show_map(
            BattleMap.new(WARGAMES, new_grid("hex", 9, 8), [Layer(1, "Table")])
        )
    commands = window.desk.commands
    actions = {name: commands.action(name) for name in commands.offered(fill=True)}
    off = {name: action.property(WHY) for name, action in actions.items() if not action.isEnabled()}
    assert off
    assert [name for name, why in off.items() if not why] == []


def test_the_tabs_of_docks_that_are_hidden_stand_nowhere(window):
    shown = [dock.windowTitle() for dock in window.desk.docks.all() if not dock.isHidden()]
    for tabs in window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
        if tabs.isVisible() and tabs.geometry().intersects(window.rect()):
            titles = [tabs.tabText(index) for index in range(tabs.count())]
            assert set(titles) <= set(shown)


def test_no_two_commands_have_the_same_keys_and_none_those_of_the_map(window):
    shortcuts = window.desk.shortcuts
    clashes = [
        name
        for name in shortcuts.commands.ids()
        if (words := shortcuts.conflict(shortcuts.default(name), name)) and f"{name}: {words}"
    ]
    assert clashes == []


def test_the_tool_bars_say_what_how_and_with_which_key(window):
    for bar in (window.findChild(QToolBar, "tools"), window.findChild(QToolBar, "main")):
        for each in bar.actions():
            if each.isSeparator():
                continue
            keys = each.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            assert len(each.toolTip().split()) > 4
            assert not keys or f"({keys})" in each.toolTip()


def nameless(widget: QWidget) -> list[QWidget]:
    return [
        each
        for kind in KINDS
        for each in widget.findChildren(kind)
        if not (each.accessibleName() or getattr(each, "text", str)() or each.toolTip())
        and not each.objectName().startswith("qt_")
        and not isinstance(each.parentWidget(), QAbstractSpinBox | QComboBox | QTabBar | QLineEdit)
        and not each.parentWidget().inherits("QComboBoxPrivateContainer")
    ]


def test_every_widget_of_the_new_dialogs_has_a_name(window, qtbot, settings):
    dialogs = [NewMapDialog(settings, window), SettingsDialog(window.desk), Tour(window.desk)]
    dialogs.append(CommandPalette(window.desk.commands, settings, window, ""))
    for dialog in dialogs:
        qtbot.addWidget(dialog)
        assert nameless(dialog) == []
    assert window.desk.docks.panel("overview").accessibleName()


def test_the_table_of_mouse_and_keys_has_the_keys_as_they_are_now(window):
    window.desk.shortcuts.give("file.save", (QKeySequence("Ctrl+Alt+F9"),))
    table = mouse_and_keys(window.desk.commands)
    assert "<b>Ctrl+Alt+F9</b>" in table
    assert "File &gt; Save. Write the map" in table
    assert "<b>Ctrl+S</b>" not in table
    for name in filter(window.desk.tools.suits, window.desk.tools.tools):
        assert action(window, f"tool.{name}").statusTip().split(".")[0][:20] in table


# --- the palette of commands ------------------------------------------------------------------


def test_letters_find_a_command_and_enter_runs_it(active, qtbot, settings):
    window = active
    QTest.keyClick(window.desk.canvas, Qt.Key.Key_P, CTRL | SHIFT)
    palette = opened(window, qtbot, CommandPalette)
    QTest.keyClicks(palette.line, "hexlab")
    assert palette.chosen == "view.hex-labels"
    QTest.keyClick(palette.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not window.desk.renderer.overlays.labels)
    assert settings.recent_commands == ["view.hex-labels"]
    # What was run last comes first, and tells that it is off now.
    window.desk.commands.run("edit.find-a-command")
    palette = opened(window, qtbot, CommandPalette)
    assert palette.chosen == "view.hex-labels"
    QTest.keyClick(palette.line, Qt.Key.Key_Down)
    assert palette.chosen != "view.hex-labels"
    QTest.keyClick(palette.line, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not window.findChildren(CommandPalette))
    assert settings.recent_commands == ["view.hex-labels"]


def test_a_disabled_command_says_why_and_does_not_run(active, qtbot):
    window = active
    window.desk.commands.run("edit.find-a-command")
    palette = opened(window, qtbot, CommandPalette)
    QTest.keyClicks(palette.line, "edit undo")
    item = palette.list.topLevelItem(0)
    assert item.text(0) == "Edit > Undo - There is nothing to undo."
    assert item.isDisabled()
    assert palette.chosen is None or palette.chosen != "edit.undo"
    palette.close()


def test_scripts_of_the_catalogue_are_commands_too(active, qtbot):
    window = active
    window.desk.commands.run("edit.find-a-command")
    palette = opened(window, qtbot, CommandPalette)
    QTest.keyClicks(palette.line, "swamp")
    assert palette.chosen == "randomize.randomize-as.script.swamp"
    path = window.desk.commands.path(palette.chosen)
    assert path == "Randomize > Randomize as > Swamp"
    before = window.desk.document.history.index
    QTest.keyClick(palette.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.desk.document.history.index > before)
    qtbot.waitUntil(lambda: not window.desk.rolling.busy)


def test_letters_that_begin_words_count_most():
    names = ("File > Save as", "File > Take back an export", "View > Start list", "Edit > Undo")
    assert closeness("xyz", names[0]) is None
    assert max(names, key=lambda name: closeness("fsa", name) or -1) == names[0]
    assert max(names, key=lambda name: closeness("export", name) or -1) == names[1]
    for one, other in combinations(names, 2):
        assert closeness("", one) != closeness("", other)  # shorter ones first


# --- preferences ------------------------------------------------------------------------------


def test_a_key_is_rebound_by_pressing_it_and_works_at_once(active, qtbot, settings):
    window = active
    QTest.keyClick(window.desk.canvas, Qt.Key.Key_Comma, CTRL)
    dialog = opened(window, qtbot, SettingsDialog)
    page = dialog.shortcuts
    dialog.pages.setCurrentWidget(page)
    page.choose("tool.eraser")
    QTest.keyClick(page.keys, Qt.Key.Key_F6)
    qtbot.waitUntil(lambda: settings.shortcuts == {"tool.eraser": "F6"})
    # A key that another command has is told, and taken only when that is wanted.
    page.choose("tool.lock")
    QTest.keyClick(page.keys, Qt.Key.Key_S, CTRL)
    qtbot.waitUntil(lambda: page.words.text() == "Ctrl+S belongs to File > Save.")
    assert window.desk.shortcuts.keys("tool.lock") == window.desk.shortcuts.default("tool.lock")
    page.take_button.click()
    assert window.desk.shortcuts.keys("file.save") == ()
    page.default_button.click()
    page.choose("file.save")
    page.default_button.click()
    dialog.accept()
    assert settings.shortcuts == {"tool.eraser": "F6"}
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.desk.canvas.setFocus()
    QTest.keyClick(window.desk.canvas, Qt.Key.Key_F6)
    assert window.desk.canvas.tool.name == "eraser"
    assert "(F6)" in action(window, "tool.eraser").toolTip()


def test_the_search_finds_commands_and_keys(window):
    dialog = SettingsDialog(window.desk)
    page = dialog.shortcuts
    page.search.setText("Ctrl+Shift+P")
    assert [i.text(0) for i in page._items if not i.isHidden()] == ["Edit > Find a command"]
    page.search.setText("fit m")
    assert "View > Fit map" in [i.text(0) for i in page._items if not i.isHidden()]
    dialog.reject()


def choose(box: QComboBox, value: object) -> None:
    box.setCurrentIndex(box.findData(value))


def test_cancel_takes_everything_back_and_defaults_belong_to_their_page(window, settings, qtbot):
    window.desk.shortcuts.give("file.save", (QKeySequence("Ctrl+Alt+F9"),))
    settings.wheel = window.desk.canvas.wheel.mouse = "scroll"
    dialog = SettingsDialog(window.desk)
    try:
        choose(dialog.appearance.field("theme"), "dark")
        choose(dialog.canvas.field("wheel"), "zoom")
        choose(dialog.appearance.field("scale"), 200)
        dialog.shortcuts.choose("file.open")
        dialog.shortcuts.none_button.click()
        assert (settings.theme, settings.wheel, settings.scale) == ("dark", "zoom", 200)
        qtbot.waitUntil(lambda: window.desk.renderer.theme.name == "dark")
        assert window.desk.canvas.wheel.mouse == "zoom"
        dialog.reject()
        assert (settings.theme, settings.wheel, settings.scale) == ("system", "scroll", 0)
        assert window.desk.canvas.wheel.mouse == "scroll"
        assert settings.shortcuts == {"file.save": "Ctrl+Alt+F9"}
        dialog = SettingsDialog(window.desk)
        choose(dialog.appearance.field("theme"), "dark")
        dialog.pages.setCurrentWidget(dialog.shortcuts)
        dialog._reset_page()
        assert settings.shortcuts == {}
        assert settings.theme == "dark"
        dialog.pages.setCurrentIndex(0)
        dialog._reset_page()
        assert settings.theme == "system"
        dialog.accept()
    finally:
        window.desk.theme.set_theme("system")


def wheel(canvas, *, pixels=(0, 0), modifiers=None) -> None:
    middle = QPointF(canvas.rect().center())
    event = QWheelEvent(
        middle,
        canvas.mapToGlobal(middle),
        QPoint(*pixels),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        modifiers or Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(canvas, event)


def test_wheel_and_touchpad_do_what_was_chosen(window):
    canvas = window.desk.canvas
    scale = canvas.viewport.scale
    wheel(canvas)
    assert canvas.viewport.scale > scale
    canvas.wheel.mouse, scale, dy = "scroll", canvas.viewport.scale, canvas.viewport.dy
    wheel(canvas)
    assert (canvas.viewport.scale, canvas.viewport.dy) == (scale, dy + 96)
    wheel(canvas, modifiers=SHIFT)
    assert canvas.viewport.dy == dy + 96
    wheel(canvas, modifiers=CTRL)
    assert canvas.viewport.scale > scale
    scale, dx = canvas.viewport.scale, canvas.viewport.dx
    wheel(canvas, pixels=(7, 0))
    assert (canvas.viewport.scale, canvas.viewport.dx) == (scale, dx + 7)
    canvas.wheel.touchpad = "zoom"
    wheel(canvas, pixels=(7, 9))
    assert canvas.viewport.scale > scale


def test_a_double_tap_with_two_fingers_goes_near_and_shows_the_whole_map_again(window):
    from PySide6.QtGui import QNativeGestureEvent, QPointingDevice

    canvas = window.desk.canvas
    at = QPointF(200, 200)

    def tap() -> None:
        event = QNativeGestureEvent(
            Qt.NativeGestureType.SmartZoomNativeGesture,
            QPointingDevice.primaryPointingDevice(),
            2,
            at,
            at,
            canvas.mapToGlobal(at),
            0.0,
            QPointF(),
        )
        QApplication.sendEvent(canvas, event)

    fitted, under = canvas.viewport, canvas.viewport.to_map(at)
    tap()
    assert canvas.viewport.scale >= 2 * fitted.scale
    assert canvas.viewport.to_map(at) == pytest.approx(under)
    tap()
    assert canvas.viewport == fitted


# --- new maps and the overview ----------------------------------------------------------------


def test_a_new_battleland_is_two_keys_away_and_says_how_to_begin(active, qtbot):
    window = active
    hint = window.findChild(EmptyMap)
    assert not hint.isVisible()
    QTest.keyClick(window.desk.canvas, Qt.Key.Key_N, CTRL)
    dialog = opened(window, qtbot, NewMapDialog)
    QTest.keyClick(dialog.kinds, Qt.Key.Key_Return)
    assert len(window.desk.document.battlemap.layers) == 1
    assert not np.any(window.desk.document.composite.planes["terrain"])
    assert hint.isVisible()
    paint(window, "terrain", "D4")
    assert not hint.isVisible()


def test_what_makes_no_sense_on_a_free_map_is_not_offered_and_says_why(active, qtbot):
    window = active
    of_games = ("script.roll", "script.reroll", "file.export-to-game", "tool.cell-list")
    overlays = ("view.cell-list", "view.entry-sides")
    qtbot.waitUntil(lambda: window.desk.games._game_loaded)
    panel = window.desk.docks.panel("properties")
    window.desk.document.open_map(free_map(FLAT, 24, 18))
    action(window, "file.show-as-text").trigger()
    assert "save it as a project" in window.statusBar().currentMessage()
    for name in of_games:
        assert not action(window, name).isEnabled(), name
        assert action(window, name).property(WHY), name
    assert not any(action(window, name).isVisible() for name in (*overlays, "view.seam"))
    assert "makes a Colossus battleland" in action(window, "script.roll").toolTip()
    hint = window.findChild(EmptyMap)
    assert hint.isVisible()
    assert "roll" not in hint._label.text()
    window.desk.docks.show("properties")
    qtbot.waitUntil(panel.rows["title"].isVisible)
    assert list(panel.rows) == ["title", "subtitle"]
    assert window.desk.commands.at("map.property.*") == []
    window.desk.document.bring_to_front(window.desk.document.maps[0])
    for name in of_games:
        assert action(window, name).isEnabled(), name
    assert all(action(window, name).isVisible() for name in overlays)
    qtbot.waitUntil(panel.rows["tower"].isVisible)
    assert len(window.desk.commands.at("map.property.*")) == 2
    assert "one size" in action(window, "map.resize").toolTip()


def test_several_layers_are_seen_at_once_in_a_window_of_moderate_size(window):
    window.resize(1280, 800)
    layers = window.desk.docks.panel("layers")
    window.desk.docks.show("layers")
    rows = layers.list.viewport().height() // layers.list.sizeHintForRow(0)
    assert rows >= 4
    together = window.tabifiedDockWidgets(window.desk.docks["layers"])
    shown = {dock.objectName() for dock in together if not dock.isHidden()}
    assert shown == {"randomize", "history", "properties"}


def test_a_large_map_brings_the_overview_until_it_is_closed(window, qtbot, settings):
    dock = window.desk.docks["overview"]
    assert not dock.isVisible()
    window.desk.document.open_map(free_map(FLAT, 1000, 1000))
    assert dock.isVisible()
    window.desk.document.bring_to_front(window.desk.document.maps[0])
    assert not dock.isVisible()
    window.desk.document.bring_to_front(window.desk.document.maps[1])
    dock.close()
    window.desk.document.bring_to_front(window.desk.document.maps[0])
    window.desk.document.bring_to_front(window.desk.document.maps[1])
    assert not dock.isVisible()
    assert not settings.overview
    action(window, "panel.overview").trigger()
    assert dock.isVisible()
    assert settings.overview


# --- the tour ---------------------------------------------------------------------------------


def test_the_tour_points_at_real_widgets_and_ends_after_its_last_step(active, qtbot, settings):
    window = active
    assert window.findChild(Tour) is None  # never by itself but in the program
    action(window, "help.tour").trigger()
    assert settings.tour_seen
    tour = window.findChild(Tour)
    seen = []
    before = window.desk.document.history.index
    while len(seen) < len(STEPS):
        seen.append(tour.step)
        assert tour._hole().width() > 20
        assert "{" not in tour.words.text()
        assert tour.rect().contains(tour.card.geometry())
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Right)
    assert tuple(seen) == STEPS
    qtbot.waitUntil(lambda: window.findChild(Tour) is None)
    assert window.desk.document.history.index == before
    assert window.desk.canvas.hasFocus()


def test_the_tour_stays_in_front_of_panels_that_come_with_a_table(active, qtbot):
    window = active
    window.desk.commands.run("help.tour")
    tour = window.findChild(Tour)
    table = BattleMap.new(WARGAMES, new_grid("square", 8, 8), [Layer(1, "Table")])
    window.desk.document.show_map(table)
    qtbot.waitUntil(lambda: not window.desk.docks["dice"].isHidden())
    qtbot.waitUntil(lambda: window.desk.docks.made("dice") is not None)
    for part in (window.desk.docks["dice"], window.desk.canvas):
        qtbot.waitUntil(
            lambda part=part: (
                window.childAt(part.mapTo(window, part.rect().center()))
                in (tour, *tour.findChildren(QWidget))
            )
        )
    tour.close()


def test_the_tour_can_go_back_and_be_skipped_and_no_tool_hears_its_keys(active, qtbot):
    window = active
    window.desk.commands.run("help.tour")
    tour = window.findChild(Tour)
    tour.next_button.click()
    tour.next_button.click()
    tour.back_button.click()
    assert tour.step == STEPS[1]
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_E)
    assert window.desk.canvas.tool.name == "terrain"
    window.resize(window.width() - 40, window.height())
    assert tour.size() == window.size()
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: window.findChild(Tour) is None)


def test_a_step_about_a_closed_panel_is_left_out(window):
    window.desk.docks["palette"].hide()
    window.desk.commands.run("help.tour")
    tour = window.findChild(Tour)
    assert "palette" not in [step.widget for step, _ in tour._steps]
    tour.close()
