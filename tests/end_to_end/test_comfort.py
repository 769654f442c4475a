"""Every command has its words and keys, every widget its name; what makes no sense says why."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QTabBar,
    QToolBar,
    QWidget,
)

from app.commands.commands import WHY
from app.commands.word_match import words_of
from app.features.command_palette.dialog import CommandPalette
from app.features.help.help_dialogs import mouse_and_keys_html
from app.features.help.tour import Tour
from app.features.new_map.dialog import NewMapDialog
from app.features.preferences.dialog import SettingsDialog
from app.features.start.feature import EmptyMap
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.systems.cordery.system import SYSTEM as WARGAMES
from randomizer.systems.cordery.system import table_grid
from randomizer.systems.free.system import free_map

DRIVEN_DIALOGS = (NewMapDialog, SettingsDialog)

KINDS = (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
)


def action(window, name: str):
    window.desk.commands.ids(fill=True)
    return window.desk.commands.action(name)


# --- every command ----------------------------------------------------------------------------


def test_every_command_has_a_name_of_its_own_a_tooltip_and_a_status_tip(window):
    commands = window.desk.commands
    names = commands.ids()
    assert len(names) == len(set(names)) > 50
    assert all("." in name and " " not in name for name in names)
    assert {"file.save", "edit.undo", "tool.eraser", "panel.layers", "script.roll"} <= set(names)
    wordless = [
        commands.path(name)
        for name in names
        if not commands.action(name).statusTip() or not commands.action(name).toolTip()
    ]
    assert wordless == []


def test_every_command_has_words_by_which_it_is_found(window):
    """Words that its own text lacks; what another package or a file brings has its name alone."""
    commands = window.desk.commands
    lacking = []
    for name in commands.ids():
        words = set(words_of(commands.row(name).words))
        if not words or words <= set(words_of(commands.path(name))):
            lacking.append(name)
    assert lacking == []


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
    panel_prefixes = ("script.", "layers.", "odds.", "fairness.", "gallery.", "dice.")
    panel_prefixes += ("scenario.", "setup.")
    only_in_panels = {name for name in names if name.startswith(panel_prefixes)}
    assert in_menus <= names
    assert names - in_menus <= only_in_panels
    for bar in ("tools", "main"):
        actions = actions_of(window.findChild(QToolBar, bar))
        assert {action.objectName() for action in actions} <= names
    palette = CommandPalette(commands, window.desk.settings, window, without="")
    offered = {
        palette.list.topLevelItem(row).text(0) for row in range(palette.list.topLevelItemCount())
    }
    palette.close()
    assert all(
        any(commands.path(name) in words for words in offered) for name in commands.offered()
    )


@pytest.mark.parametrize(
    "kind", ["battleland", "world", pytest.param("table", marks=pytest.mark.deep)]
)
def test_every_command_that_cannot_be_used_says_why(window, kind):
    if kind == "world":
        window.desk.document.show_map(free_map(FLAT, 6, 5))
    elif kind == "table":
        window.desk.document.show_map(
            BattleMap.new(WARGAMES, table_grid("hex", 9, 8), [Layer(1, "Table")])
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
        if (words := shortcuts.conflict(shortcuts.default_keys(name), name)) and f"{name}: {words}"
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


def test_every_widget_of_window_and_dialogs_has_a_name(window, qtbot, settings):
    assert [each for each in nameless(window) if each.isVisible()] == []
    dialogs = [NewMapDialog(settings, window), SettingsDialog(window.desk), Tour(window.desk)]
    dialogs.append(CommandPalette(window.desk.commands, settings, window, without=""))
    for dialog in dialogs:
        qtbot.addWidget(dialog)
        assert nameless(dialog) == []
    assert window.desk.docks.panel("overview").accessibleName()


def test_the_table_of_mouse_and_keys_has_the_keys_as_they_are_now(window):
    window.desk.shortcuts.set_keys("file.save", (QKeySequence("Ctrl+Alt+F9"),))
    table = mouse_and_keys_html(window.desk.commands)
    assert "<b>Ctrl+Alt+F9</b>" in table
    assert "File &gt; Save. Write the map" in table
    assert "<b>Ctrl+S</b>" not in table
    for name in filter(window.desk.tools.suits, window.desk.tools.tools):
        assert action(window, f"tool.{name}").statusTip().split(".")[0][:20] in table


def test_what_makes_no_sense_on_a_free_map_is_not_offered_and_says_why(active, qtbot):
    window = active
    of_games = ("file.export-to-game", "tool.cell-list")
    overlays = ("view.start-list", "view.entry-sides")
    qtbot.waitUntil(lambda: window.desk.games.ready)
    panel = window.desk.docks.panel("properties")
    window.desk.document.open_map(free_map(FLAT, 24, 18))
    for name in (*of_games, "file.show-as-text"):
        assert not action(window, name).isEnabled(), name
        assert action(window, name).property(WHY), name
    assert not any(action(window, name).isVisible() for name in (*overlays, "view.seam"))
    hint = window.findChild(EmptyMap)
    assert hint.isVisible()
    window.desk.docks.show("properties")
    qtbot.waitUntil(panel.rows["title"].isVisible)
    assert list(panel.rows) == ["title", "subtitle", "scale"]
    titles = ["map.property.title", "map.property.subtitle", "map.property.scale"]
    assert window.desk.commands.ids_at("map.property.*") == titles
    window.desk.document.make_current(window.desk.document.maps[0])
    for name in of_games:
        assert action(window, name).isEnabled(), name
    assert all(action(window, name).isVisible() for name in overlays)
    qtbot.waitUntil(panel.rows["tower"].isVisible)
    assert "map.property.startlist" in window.desk.commands.ids_at("map.property.*")
    assert "one size" in action(window, "map.resize").toolTip()


def test_several_layers_are_seen_at_once_in_a_window_of_moderate_size(window):
    window.resize(1280, 800)
    layers = window.desk.docks.panel("layers")
    window.desk.docks.show("layers")
    rows = layers.list.viewport().height() // layers.list.sizeHintForRow(0)
    assert rows >= 4
    together = window.tabifiedDockWidgets(window.desk.docks["layers"])
    shown = {dock.objectName() for dock in together if not dock.isHidden()}
    assert shown == {"randomize"}
