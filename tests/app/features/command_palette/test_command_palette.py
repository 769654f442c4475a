"""The palette of commands: a few letters find a command."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.features.command_palette.dialog import CommandPalette
from tests.app.conftest import opened

CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def features() -> tuple[str, ...]:
    return ("command_palette", "view", "script", "history", "game")


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
    assert palette.chosen == "randomize.roll-with.script.swamp"
    path = window.desk.commands.path(palette.chosen)
    assert path == "Randomize > Roll with > Swamp"
    before = window.desk.document.history.index
    QTest.keyClick(palette.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.desk.document.history.index > before)
    qtbot.waitUntil(lambda: not window.desk.rolling.busy)
