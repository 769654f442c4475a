"""Tabs by keys: from one to the next, closed, and opened again."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.document.sample import sample_map
from app.features.files.tab_bar import MapTabs
from randomizer.catalog.map_formats import formats
from randomizer.model.edits.value_edits import set_values
from randomizer.systems.colossus.system import SYSTEM
from tests.app.conftest import cell

CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
TREE = SYSTEM.terrain_set.terrain_code("Tree")


@pytest.fixture
def features() -> tuple[str, ...]:
    return ("files",)


def file_of(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(formats()[0].write(sample_map()))
    return path


def paint(document, label, value=TREE):
    edit = set_values(document.battlemap, document.active_layer_id, "terrain", [cell(label)], value)
    assert document.push(edit, "Paint terrain")


def come_back(window, qtbot) -> None:
    """Make the window the active one after a dialog, which a window manager does elsewhere."""
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)


def test_tabs_by_keys(active, qtbot, tmp_path, hand):
    window = active
    document = active.desk.document
    assert window.findChild(MapTabs).isHidden()
    for name in ("Moor.xml", "Fen.xml"):
        window.desk.files.open_path(file_of(tmp_path, name))
        qtbot.waitUntil(lambda name=name: document.display_name == name)
    moor, fen = document.maps[-2:]
    assert window.findChild(MapTabs).isVisible()
    QTest.keyClick(window.desk.canvas, Qt.Key.Key_Backtab, CTRL | SHIFT)
    qtbot.waitUntil(lambda: document.current_map is moor)
    QTest.keyClick(window.desk.canvas, Qt.Key.Key_Tab, CTRL)
    qtbot.waitUntil(lambda: document.current_map is fen)
    # Unsaved work is asked; Cancel keeps the map, Discard lets it go.
    paint(document, "D4")
    question = hand.expect("Unsaved changes").press("Cancel")
    QTest.keyClick(window.desk.canvas, Qt.Key.Key_W, CTRL)
    qtbot.waitUntil(lambda: question.has_come)
    assert question.text == "Fen.xml has changes that are not saved."
    assert document.current_map is fen
    come_back(window, qtbot)
    hand.expect("Unsaved changes").press("Discard")
    QTest.keyClick(window.desk.canvas, Qt.Key.Key_W, CTRL)
    qtbot.waitUntil(lambda: fen not in document.maps)
    come_back(window, qtbot)
    # What was closed last comes back as its file has it.
    QTest.keyClick(window.desk.canvas, Qt.Key.Key_T, CTRL | SHIFT)
    qtbot.waitUntil(lambda: document.display_name == "Fen.xml")
    stored = sample_map().composite()
    stored.properties["tower"] = False  # a file says so
    assert document.composite.same_as(stored)


def test_the_last_map_makes_way_for_an_empty_one(active, qtbot):
    window = active
    document = active.desk.document
    QTest.keyClick(window.desk.canvas, Qt.Key.Key_W, CTRL)
    assert [layer.name for layer in document.battlemap.layers] == ["Ground"]
    assert document.maps == (document.current_map,)
    QTest.keyClick(window.desk.canvas, Qt.Key.Key_T, CTRL | SHIFT)  # it had no file
    assert "No map" in window.statusBar().currentMessage()


# --- compare --------------------------------------------------------------------------------------
