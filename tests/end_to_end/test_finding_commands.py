"""Find a command: what a person types leads to what they mean, in the real window."""

from __future__ import annotations

from operator import attrgetter

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QWidget

from app.document.map_files import new_map
from app.feature_list import FEATURES
from app.features.command_palette.dialog import NO_MATCH_TEXT, CommandPalette
from app.features.fairness.balance_dialog import BalanceDialog
from app.features.fairness.fight_dialog import FightDialog
from randomizer.catalog.systems import system_named
from tests.app.conftest import opened
from tests.daily import deep_but

DRIVEN_DIALOGS = (CommandPalette, FightDialog, BalanceDialog)

CONTROL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


def find(window, qtbot, query: str) -> CommandPalette:
    """Press Ctrl+Shift+P on the map, and type."""
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.desk.canvas.setFocus()
    QTest.keyClick(window.desk.canvas, Qt.Key.Key_P, CONTROL_SHIFT)
    palette = opened(window, qtbot, CommandPalette)
    QTest.keyClicks(palette.line, query)
    return palette


def rows(palette: CommandPalette) -> list[str]:
    return [palette.list.topLevelItem(n).text(0) for n in range(palette.list.topLevelItemCount())]


def take(window, qtbot, query: str) -> None:
    """Find and press Enter."""
    palette = find(window, qtbot, query)
    QTest.keyClick(palette.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not window.findChildren(CommandPalette))


MEANT = {
    "pdf": "File > Export picture",
    "export to pdf": "File > Export picture",
    "title": "Map > Title",
    "fight": "Panels > Fairness > Fight",
    "balance": "Panels > Fairness > Balance",
    "filter": "Panels > Gallery > Filter",
    "odds": "Randomize > Odds",
    "fsa": "File > Save as",
    "hexlab": "View > Hex labels",
    "cliff": "Panels > Palette > Hexside > Cliff",
    "bog": "Panels > Palette > Terrain > Bog",
    "swamp": "Randomize > Roll with > Swamp",
    "hotkeys": "Help > Mouse and keys",
    "dark": "View > Colours > Dark",
}
"""What is meant by what is typed."""


def test_words_find_what_is_meant(window, qtbot):
    palette = find(window, qtbot, "")
    for query, path in MEANT.items():
        palette.line.selectAll()
        QTest.keyClicks(palette.line, query)
        assert rows(palette)[0].removesuffix(" (on)") == path, query


def test_loose_letters_find_nothing(window, qtbot):
    palette = find(window, qtbot, "xqz")
    assert rows(palette) == [NO_MATCH_TEXT]
    assert palette.chosen is None
    QTest.keyClick(palette.line, Qt.Key.Key_Return)
    assert palette.isVisible()
    palette.close()


def test_enter_takes_up_a_terrain_and_a_hexside(window, qtbot):
    terrain_set = window.desk.document.battlemap.terrain_set
    options = window.desk.tools.options
    take(window, qtbot, "volcano")
    qtbot.waitUntil(lambda: terrain_set.terrains[options.terrain].name == "Volcano")
    assert window.desk.tools.name == "terrain"
    take(window, qtbot, "cliff")
    qtbot.waitUntil(lambda: window.desk.tools.name == "hexside")
    assert terrain_set.hexsides[options.hexside - 1].name == "Cliff"


def test_enter_opens_a_panel_and_uses_its_part(window, qtbot):
    take(window, qtbot, "fight")
    dialog = opened(window, qtbot, FightDialog)
    dialog.close()
    assert window.desk.docks.is_in_front("fairness")
    take(window, qtbot, "filter")
    gallery = window.desk.docks.panel("gallery")
    qtbot.waitUntil(lambda: window.focusWidget() is gallery.form.filter.field)
    take(window, qtbot, "title")
    title = window.desk.docks.panel("properties").rows["title"].editor
    qtbot.waitUntil(lambda: window.focusWidget() is title)
    assert window.desk.docks["properties"].isVisible()


@pytest.mark.deep
def test_the_menu_map_leads_to_the_title(window, qtbot):
    window.activateWindow()
    menu = next(each for each in window.menuBar().actions() if each.text() == "&Map").menu()
    menu.aboutToShow.emit()
    texts = {action.text().replace("&", ""): action for action in menu.actions()}
    texts["Title..."].trigger()
    title = window.desk.docks.panel("properties").rows["title"].editor
    qtbot.waitUntil(lambda: window.focusWidget() is title)
    QTest.keyClicks(title, "The pass")
    QTest.keyClick(title, Qt.Key.Key_Return)
    assert window.desk.document.composite.properties["title"] == "The pass"
    assert {"Subtitle...", "Tower"} <= texts.keys()


@pytest.mark.parametrize(
    "kind", deep_but(["colossus", "free", "cordery", "xconq", "zeroad"], "colossus", "xconq")
)
def test_every_part_of_a_panel_is_reached(window, qtbot, kind):
    """A button is there to be pressed; what is filled in or looked at gets the keyboard."""
    desk = window.desk
    desk.document.open_map(new_map(system_named(kind)))
    reached = []
    for feature in FEATURES:
        dock = feature.dock
        if dock is None or not (dock.only_for is None or dock.only_for(system_named(kind))):
            continue
        for part in dock.parts:
            widget = attrgetter(part.widget)(desk.docks.panel(dock.name))
            if isinstance(widget, QAbstractButton):
                continue
            desk.commands.run(part.id)
            qtbot.waitUntil(lambda widget=widget: has_keyboard(window, widget))
            assert desk.docks.is_in_front(dock.name)
            reached.append(part.id)
    assert reached


def has_keyboard(window, widget: QWidget) -> bool:
    focus = window.focusWidget()
    return focus is not None and (focus is widget or widget.isAncestorOf(focus))


@pytest.mark.deep
def test_terrains_of_another_kind_of_map_are_found_there(window, qtbot):
    window.desk.document.open_map(new_map(system_named("free")))
    palette = find(window, qtbot, "deep sea")
    assert rows(palette)[0].startswith("Panels > Palette > Terrain > Deep")
    palette.line.setText("bog")
    assert "Panels > Palette > Terrain > Bog" not in rows(palette)
    palette.close()
