"""The preferences: each is used at once, and taken back by Cancel."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QDialogButtonBox

from app.features.preferences.dialog import SettingsDialog
from tests.app.conftest import opened

CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def features() -> tuple[str, ...]:
    return ("preferences", "tools", "files", "view", "command_palette")


def test_a_key_is_rebound_by_pressing_it_and_works_at_once(active, qtbot, settings):
    window = active
    QTest.keyClick(window.desk.canvas, Qt.Key.Key_Comma, CTRL)
    dialog = opened(window, qtbot, SettingsDialog)
    page = dialog.shortcuts
    dialog.pages.setCurrentWidget(page)
    page.choose_command("tool.eraser")
    QTest.keyClick(page.key_field, Qt.Key.Key_F6)
    qtbot.waitUntil(lambda: settings.shortcuts == {"tool.eraser": "F6"})
    # A key that another command has is told, and taken only when that is wanted.
    page.choose_command("tool.lock")
    QTest.keyClick(page.key_field, Qt.Key.Key_S, CTRL)
    qtbot.waitUntil(lambda: page.message.text() == "Ctrl+S belongs to File > Save.")
    assert window.desk.shortcuts.keys("tool.lock") == window.desk.shortcuts.default_keys(
        "tool.lock"
    )
    page.take_over_button.click()
    assert window.desk.shortcuts.keys("file.save") == ()
    page.default_button.click()
    page.choose_command("file.save")
    page.default_button.click()
    dialog.accept()
    assert settings.shortcuts == {"tool.eraser": "F6"}
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.desk.canvas.setFocus()
    QTest.keyClick(window.desk.canvas, Qt.Key.Key_F6)
    assert window.desk.canvas.tool.name == "eraser"
    assert "(F6)" in window.desk.commands.action("tool.eraser").toolTip()


def test_the_search_finds_commands_and_keys(window):
    dialog = SettingsDialog(window.desk)
    page = dialog.shortcuts
    page.search.setText("Ctrl+Shift+P")
    assert [i.text(0) for i in page.items if not i.isHidden()] == ["Edit > Find a command"]
    page.search.setText("fit m")
    assert "View > Fit map" in [i.text(0) for i in page.items if not i.isHidden()]
    dialog.reject()


def choose(box: QComboBox, value: object) -> None:
    box.setCurrentIndex(box.findData(value))


def test_cancel_takes_everything_back_and_defaults_belong_to_their_page(window, settings, qtbot):
    window.desk.shortcuts.set_keys("file.save", (QKeySequence("Ctrl+Alt+F9"),))
    settings.wheel = window.desk.canvas.wheel.mouse = "scroll"
    dialog = SettingsDialog(window.desk)
    try:
        choose(dialog.appearance.field("theme"), "dark")
        choose(dialog.canvas.field("wheel"), "zoom")
        choose(dialog.appearance.field("scale"), 200)
        dialog.shortcuts.choose_command("file.open")
        dialog.shortcuts.clear_button.click()
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
        dialog.reset_page()
        assert settings.shortcuts == {}
        assert settings.theme == "dark"
        dialog.pages.setCurrentIndex(0)
        dialog.reset_page()
        assert settings.theme == "system"
        dialog.accept()
    finally:
        window.desk.theme.set_theme("system")


def test_a_command_that_the_search_hides_keeps_its_keys(window):
    dialog = SettingsDialog(window.desk)
    page = dialog.shortcuts
    page.choose_command("tool.eraser")
    page.search.setText("Ctrl+Shift+P")
    assert page.chosen_command == "edit.find-a-command"
    page.search.setText("no such command")
    assert page.chosen_command is None
    assert not page.clear_button.isEnabled()
    page.search.clear()
    assert page.chosen_command is not None


def test_the_page_of_folders_has_no_defaults_to_restore(window):
    dialog = SettingsDialog(window.desk)
    button = dialog.buttons.button(QDialogButtonBox.StandardButton.RestoreDefaults)
    enabled = []
    for index in range(dialog.pages.count()):
        dialog.pages.setCurrentIndex(index)
        enabled.append(button.isEnabled())
    assert enabled == [True, True, False, True]
