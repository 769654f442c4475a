"""The names of players and sides can be read whole, in a small window, too."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSize
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLineEdit, QScrollArea

from app.document.map_files import new_map
from app.features.new_map.dialog import NewMapDialog
from randomizer.catalog.systems import system_named
from tests.app.conftest import new_map_dialog
from tests.daily import deep_but

DRIVEN_DIALOGS = (NewMapDialog,)

NAME = "Alexander of Macedon"
SMALL = QSize(800, 500)


def is_whole(field: QLineEdit | QComboBox) -> bool:
    """Whether the text of a field is seen from its beginning to its end."""
    if isinstance(field, QComboBox):
        text = field.currentText()
    else:
        text = field.text()
    return field.fontMetrics().horizontalAdvance(text) + 8 <= field.width()


@pytest.fixture
def small_window(window, qtbot):
    window.resize(SMALL)
    qtbot.waitUntil(lambda: window.size() == SMALL)
    return window


def test_the_table_of_players_shows_names_whole_and_scrolls(small_window, qtbot):
    dialog = new_map_dialog(small_window, "0 A.D. map", "Open country")
    qtbot.waitUntil(dialog.make_button.isEnabled)
    dialog.resize(720, 450)
    table = dialog.form.field("PlayerData")
    name = table.cellWidget(0, 0)
    civilisation = table.cellWidget(0, 1)
    name.setFocus()
    QTest.keyClicks(name, NAME)
    civilisation.setCurrentIndex(civilisation.count() - 1)
    qtbot.waitUntil(lambda: is_whole(name) and is_whole(civilisation))
    header = table.horizontalHeader()
    for column in range(table.columnCount()):
        assert header.sectionSize(column) >= header.sectionSizeHint(column)
    last = table.cellWidget(0, table.columnCount() - 1)
    last.setFocus()
    qtbot.waitUntil(lambda: table.viewport().rect().contains(last.geometry()))


@pytest.mark.deep
def test_a_wide_table_uses_all_of_its_width(window, qtbot):
    dialog = new_map_dialog(window, "0 A.D. map", "Open country")
    qtbot.waitUntil(dialog.make_button.isEnabled)
    dialog.resize(1100, 700)
    table = dialog.form.field("PlayerData")
    qtbot.waitUntil(lambda: 0 <= table.viewport().width() - table.horizontalHeader().length() < 8)


@pytest.mark.parametrize(
    ("kind", "dock"),
    deep_but([("zeroad", "setup"), ("xconq", "scenario")], ("zeroad", "setup")),
)
def test_a_name_in_a_panel_is_seen_whole(small_window, qtbot, kind, dock):
    desk = small_window.desk
    desk.document.show_map(new_map(system_named(kind)))
    desk.docks.show(dock)
    qtbot.waitUntil(lambda: desk.docks.find_panel(dock) is not None)
    panel = desk.docks.panel(dock)
    page = panel.players if kind == "zeroad" else panel.sides
    if not page.model.all_entries:
        page.add()
        page.refresh()
    code = page.model.all_entries[0].code
    name = "Name" if kind == "zeroad" else "name"
    assert page.change(code, name, NAME)
    page.refresh()
    page.choose(code)
    field = page.form.field(page.form.settings[0].name)
    qtbot.waitUntil(lambda: field.isVisible() and field.text() == NAME and is_whole(field))
    area = next(area for area in panel.findChildren(QScrollArea) if area.isAncestorOf(field))
    assert area.horizontalScrollBar().maximum() == 0, "nothing is pushed out of the panel"
