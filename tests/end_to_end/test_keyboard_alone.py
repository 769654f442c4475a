"""The whole of a battleland by the keyboard alone: new, painted, rolled, locked, exported.

Every key is pressed in the window that has the focus, as a keyboard does; no widget is touched.
"""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from app.features.command_palette.dialog import CommandPalette
from app.features.game.export_dialog import ExportDialog
from app.features.new_map.dialog import NewMapDialog
from randomizer.systems.colossus.system import SYSTEM
from tests.app.made_up_game import make_game

DRIVEN_DIALOGS = (NewMapDialog, CommandPalette, ExportDialog)
"""Dialogs that these tests drive themselves, by keys."""

CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
ALT = Qt.KeyboardModifier.AltModifier
NONE = Qt.KeyboardModifier.NoModifier
TREE = SYSTEM.terrain_set.terrain_code("Tree")


def press(key: Qt.Key, held: Qt.KeyboardModifier = NONE) -> None:
    """Press a key in the window that has the focus."""
    QTest.keyClick(QGuiApplication.focusWindow(), key, held)


def type_text(text: str) -> None:
    for letter in text:
        press(Qt.Key(ord(letter.upper())))


def wait_for_dialog(qtbot, kind: type[QWidget]) -> None:
    """Wait until a dialog of this kind has the keyboard."""
    qtbot.waitUntil(lambda: isinstance(QApplication.activeWindow(), kind))
    qtbot.waitUntil(lambda: QApplication.focusWidget() is not None)


def wait_for_map(window: QWidget, qtbot) -> None:
    """Wait until the map has the keyboard, now that a dialog has gone."""
    window.activateWindow()  # as a window manager does then
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.waitUntil(window.desk.canvas.hasFocus)


def tab_to(name: str) -> None:
    """Press Tab until the field or button with this name, or this text, has the focus."""
    for _ in range(80):
        focus = QApplication.focusWidget()
        text = focus.text().replace("&", "") if hasattr(focus, "text") else ""
        if name in (focus.accessibleName(), text):
            return
        press(Qt.Key.Key_Tab)
    raise AssertionError(f"Tab does not lead to {name}")


@pytest.fixture
def settings(settings, tmp_path):
    settings.set_game_dir("colossus", make_game(tmp_path / "game"))
    return settings


def test_a_battleland_is_made_painted_rolled_locked_and_exported(active, qtbot, tmp_path):
    desk = active.desk
    document = desk.document
    before = document.current_map
    press(Qt.Key.Key_N, CTRL)
    wait_for_dialog(qtbot, NewMapDialog)
    press(Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: document.current_map is not before)
    wait_for_map(active, qtbot)

    press(Qt.Key.Key_P, CTRL | SHIFT)
    wait_for_dialog(qtbot, CommandPalette)
    type_text("tree")
    press(Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: desk.tools.options.terrain == TREE)
    wait_for_map(active, qtbot)
    press(Qt.Key.Key_Return)
    first = desk.canvas.keyboard_cursor.cell
    press(Qt.Key.Key_Down)
    press(Qt.Key.Key_Return)
    second = desk.canvas.keyboard_cursor.cell
    assert first != second
    shown = document.composite.planes["terrain"]
    assert [int(shown.flat[painted]) for painted in (first, second)] == [TREE, TREE]
    name = SYSTEM.cell_name(document.battlemap.grid, second)
    assert document.history.next_undo.text == f"Tree, 1 hex, {name}"

    press(Qt.Key.Key_R, CTRL)
    qtbot.waitUntil(lambda: desk.rolling.target() is not None and not desk.rolling.busy)

    press(Qt.Key.Key_K)
    press(Qt.Key.Key_Return)
    assert document.battlemap.locked_cells.flat[second]
    assert desk.canvas.hasFocus()
    kept = int(document.composite.planes["terrain"].flat[second])
    steps = len(document.history.steps)
    press(Qt.Key.Key_R, CTRL)
    qtbot.waitUntil(lambda: len(document.history.steps) > steps and not desk.rolling.busy)
    assert int(document.composite.planes["terrain"].flat[second]) == kept

    press(Qt.Key.Key_E, CTRL | SHIFT)
    wait_for_dialog(qtbot, ExportDialog)
    dialog = QApplication.activeWindow()
    qtbot.waitUntil(lambda: dialog.export_button.isEnabled())
    tab_to("Export")
    press(Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: dialog.game_export.receipt is not None)
    (file,) = dialog.game_export.receipt.files
    exported = (tmp_path / "game" / file.place).read_text("utf-8")
    assert SYSTEM.terrain_set.terrains[kept].name in exported
    press(Qt.Key.Key_Escape)
    wait_for_map(active, qtbot)
