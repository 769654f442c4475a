"""New map shows what was chosen for the last map of its kind; Defaults shows what is usual."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip

from app.document.sample import sample_map
from app.features.new_map.dialog import NewMapDialog
from tests.app.conftest import new_map_dialog, opened

DRIVEN_DIALOGS = (NewMapDialog,)


def fields(dialog: NewMapDialog, *names: str) -> list[object]:
    values = dialog.form.values()
    return [values[name] for name in names]


def asked_again(window, qtbot, kind: str) -> NewMapDialog:
    """The dialog as it opens the next time, of one kind of map."""
    window.desk.commands.run("file.new-map")
    dialog = opened(window, qtbot, NewMapDialog)
    (item,) = [
        dialog.kinds.item(row)
        for row in range(dialog.kinds.count())
        if dialog.kinds.item(row).text() == kind
    ]
    dialog.kinds.setCurrentItem(item)
    qtbot.waitUntil(dialog.make_button.isEnabled)
    return dialog


def make(window, qtbot, dialog: NewMapDialog) -> None:
    former_map = window.desk.document.current_map
    dialog.make_button.click()
    qtbot.waitUntil(lambda: window.desk.document.current_map is not former_map)
    qtbot.waitUntil(lambda: not window.desk.rolling.busy)


@pytest.fixture
def land(window, qtbot) -> NewMapDialog:
    """The dialog after a landscape of another size and climate than usual."""
    dialog = new_map_dialog(window, "Landscape or free map", "Landscape")
    qtbot.waitUntil(dialog.make_button.isEnabled)
    dialog.usual = fields(dialog, "width", "height", "climate")
    dialog.form.field("width").setValue(31)
    dialog.form.field("height").setValue(22)
    climate = dialog.form.field("climate")
    climate.setCurrentIndex(climate.count() - 1)
    return dialog


def test_size_script_and_settings_are_remembered_by_kind(window, qtbot, land):
    chosen = fields(land, "width", "height", "climate")
    make(window, qtbot, land)
    table = asked_again(window, qtbot, "Wargame table")
    assert table.form.values().get("width") != 31
    make(window, qtbot, table)
    again = asked_again(window, qtbot, "Landscape or free map")
    assert again.entry.metadata.name == "Landscape"
    assert fields(again, "width", "height", "climate") == chosen


@pytest.mark.deep
def test_a_cancelled_dialog_is_not_remembered(window, qtbot, land):
    usual = land.usual
    land.reject()
    again = asked_again(window, qtbot, "Landscape or free map")
    again.choose("Landscape")
    assert fields(again, "width", "height", "climate") == usual


@pytest.mark.deep
def test_the_defaults_come_back_and_stay(window, qtbot, land):
    usual = land.usual
    make(window, qtbot, land)
    again = asked_again(window, qtbot, "Landscape or free map")
    again.defaults_button.click()
    again.choose("Landscape")
    assert fields(again, "width", "height", "climate") == usual
    make(window, qtbot, again)
    third = asked_again(window, qtbot, "Landscape or free map")
    assert fields(third, "width", "height", "climate") == usual


@pytest.mark.deep
def test_the_kind_of_the_last_map_comes_first_where_the_current_map_says_nothing(
    window, qtbot, land
):
    make(window, qtbot, land)
    window.desk.document.show_map(sample_map())
    window.desk.commands.run("file.new-map")
    dialog = opened(window, qtbot, NewMapDialog)
    assert dialog.kinds.currentItem().text() == "Landscape or free map"


@pytest.mark.deep
def test_a_size_that_is_too_large_says_the_limits(window, qtbot):
    dialog = new_map_dialog(window, "Landscape or free map", "Landscape")
    columns = dialog.form.field("width")
    columns.setFocus()
    columns.selectAll()
    QTest.keyClicks(columns, "9999999999")
    assert QToolTip.text() == f"{columns.minimum():,} to {columns.maximum():,}"
    QToolTip.hideText()


def hide_tooltip() -> bool:
    """Ask for the end of the tooltip, which may have come meanwhile; return whether it is gone.

    The text of one that is hidden with its field is there for ten seconds more.
    """
    QToolTip.hideText()
    return not QToolTip.isVisible()


def test_a_size_that_became_another_is_said_when_the_field_is_left(window, qtbot):
    dialog = new_map_dialog(window, "Xconq world", "Modern")
    dialog.activateWindow()
    qtbot.waitUntil(dialog.isActiveWindow)
    columns = dialog.form.field("width")
    columns.setFocus()
    columns.selectAll()
    QTest.keyClicks(columns, "5000")
    QTest.keyClick(columns, Qt.Key.Key_Tab)
    assert columns.value() == 500
    qtbot.waitUntil(lambda: QToolTip.text() == "9 to 1,024")
    QToolTip.hideText()

    # A number that fits leaves no word behind.
    columns.setFocus()
    columns.selectAll()
    QTest.keyClicks(columns, "5000")
    QTest.keyClick(columns, Qt.Key.Key_Backspace)
    qtbot.waitUntil(hide_tooltip)
    QTest.keyClick(columns, Qt.Key.Key_Tab)
    QApplication.processEvents()
    assert not QToolTip.isVisible()
