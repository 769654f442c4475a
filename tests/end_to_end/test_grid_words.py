"""What the desk calls the cells of the current map."""

from __future__ import annotations

import re

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from app.commands.commands import WHY
from app.document.sample import sample_map
from app.features.cell_menu.hex_menu import cell_menu
from app.features.map.transform_dialogs import ResizeDialog
from randomizer.model.edits.terrain_entries import EntryList
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.systems.cordery.system import MAX_AREAS_ALONG, SYSTEM, table_grid
from randomizer.systems.free.system import free_map

DRIVEN_DIALOGS = (ResizeDialog,)

WORDS = (
    *(WHY, "text", "title", "statusTip", "toolTip", "windowTitle", "placeholderText"),
    *("accessibleName", "accessibleDescription"),
)
"""The properties of widgets and actions that hold texts."""
OF_HEXES = re.compile(r"(?i)\b(?<!no )hex(es|agon|sides?)?\b|[{}]")
"""Words of hexes (that a map has no hexsides may be said of squares), and places left unfilled."""


def said_of_hexes(window) -> list[str]:
    """Every word of the window that speaks of hexes."""
    found = []
    for each in (window, *window.findChildren(QWidget), *window.findChildren(QAction)):
        words = [each.property(name) for name in WORDS]
        found += [it for it in words if isinstance(it, str) and OF_HEXES.search(it)]
    return found


def test_on_squares_nothing_speaks_of_hexes_and_on_hexes_all_does_again(qtbot, window):
    window.desk.document.show_map(free_map(SQUARE, 6, 5))
    qtbot.waitUntil(lambda: window.desk.docks.find_panel("terrains") is not None)  # it has words
    window.desk.document.show_map(sample_map())
    # The rows of a script's settings follow the map in a turn of their own.
    qtbot.waitUntil(lambda: "What lies on the sides of hexes" in said_of_hexes(window))
    before = sorted(said_of_hexes(window))
    assert any("Lock hexes" in words for words in before)
    window.desk.document.show_map(free_map(SQUARE, 6, 5))
    qtbot.waitUntil(lambda: not said_of_hexes(window))
    lock = window.desk.commands.action("tool.lock")
    assert "Lock squares" in lock.toolTip()
    tabs = window.desk.docks.panel("terrains").tabs
    assert [tabs.tabText(at) for at in range(3)] == ["Terrains", "Sides", "Routes"]
    window.desk.docks.panel("terrains").lists[EntryList.HEXSIDES].buttons["Add"].click()
    assert window.desk.document.history.steps[-1].text == "Add side"
    assert window.desk.document.battlemap.terrain_set.hexsides[-1].name == "New side"
    window.desk.document.show_map(sample_map())
    qtbot.waitUntil(lambda: sorted(said_of_hexes(window)) == before)


@pytest.mark.deep
def test_panels_that_are_made_later_suit_the_current_map(qtbot, window):
    window.desk.document.show_map(free_map(SQUARE, 6, 5))
    for dock in window.desk.docks.all():
        if dock.toggleViewAction().isVisible():  # else it is for maps of a system with hexes only
            window.desk.docks.panel(dock.objectName())
    qtbot.waitUntil(lambda: not said_of_hexes(window))
    window.desk.document.show_map(sample_map())
    window.desk.document.show_map(free_map(SQUARE, 6, 5))
    qtbot.waitUntil(lambda: not said_of_hexes(window))


@pytest.mark.deep
def test_names_of_files_may_have_braces(window, tmp_path):
    path = tmp_path / "{cell} {}.xml"
    window.desk.settings.add_recent("maps", path)
    window.desk.commands.fill("file.open-recent.*")
    names = window.desk.commands.ids_at("file.open-recent.*")
    assert [window.desk.commands.action(name).text() for name in names] == [path.name]


@pytest.mark.deep
def test_the_menu_of_a_square_and_its_steps_speak_of_sides(qtbot, window):
    window.desk.document.show_map(free_map(SQUARE, 6, 5))
    menu = cell_menu(window.desk.document, 7, window, window.desk.renderer)
    titles = [action.text() for action in menu.actions()]
    assert "Clear my sides" not in titles, "it has none"
    assert not any("hex" in title.lower() for title in titles)


def test_a_table_is_not_made_larger_than_tables_are_and_the_dialog_says_so(qtbot, window):
    table = BattleMap.new(SYSTEM, table_grid("square", 8, 10), [Layer(1, "Table")])
    dialog = ResizeDialog(table.system, table.grid, window)
    for field in dialog.fields:
        field.setValue(1000)
        assert field.value() == MAX_AREAS_ALONG
    assert dialog.status_label.text() == (
        "3,600 squares. A wargame table has at most 60 columns and rows."
    )
    free = free_map(SQUARE, 1, 1)
    dialog = ResizeDialog(free.system, free.grid, window)
    assert dialog.status_label.text() == "1 square"
    dialog.fields[0].setValue(10**6)
    dialog.fields[1].setValue(2)
    assert dialog.status_label.text() == "At most 1,000,000 squares are possible"
