"""A newcomer lays tables: commands lead somewhere, and what was not thrown again stays."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.features.command_palette.dialog import CommandPalette
from tests.app.conftest import opened
from tests.app.systems.cordery.conftest import Wargamer

DRIVEN_DIALOGS = (CommandPalette,)

CONTROL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def player(qtbot, window) -> Wargamer:
    player = Wargamer(qtbot, window)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return player


def find_command(player, query: str) -> None:
    """Press Ctrl+Shift+P on the map, type what is looked for, and press Enter."""
    player.window.activateWindow()
    player.qtbot.waitUntil(player.window.isActiveWindow)
    canvas = player.window.desk.canvas
    canvas.setFocus()
    QTest.keyClick(canvas, Qt.Key.Key_P, CONTROL_SHIFT)
    palette = opened(player.window, player.qtbot, CommandPalette)
    QTest.keyClicks(palette.line, query)
    QTest.keyClick(palette.line, Qt.Key.Key_Return)
    player.qtbot.waitUntil(lambda: not player.window.findChildren(CommandPalette))


def test_campaign_square_leads_to_save_as_until_one_is_saved(player, hand):
    find_command(player, "campaign square")
    player.qtbot.waitUntil(lambda: player.window.focusWidget() is player.panel.save_square)
    assert player.panel.save_square.isVisible()

    hand.expect("Save campaign square").fill("Name of the campaign square", "Vale").press("Save")
    QTest.keyClick(player.panel.save_square, Qt.Key.Key_Space)
    player.qtbot.waitUntil(lambda: player.panel.squares.findText("Vale") >= 0)
    find_command(player, "campaign square")
    player.qtbot.waitUntil(lambda: player.window.focusWidget() is player.panel.squares)
