"""Presses the buttons of dialogs, as a hand does."""

from __future__ import annotations

from PySide6.QtWidgets import QAbstractButton, QDialog, QDialogButtonBox


def ok_button(dialog: QDialog) -> QAbstractButton:
    """Return the button of a dialog that says OK."""
    box = dialog.findChild(QDialogButtonBox)
    assert isinstance(box, QDialogButtonBox)
    return box.button(QDialogButtonBox.StandardButton.Ok)


def press_ok(dialog: QDialog) -> None:
    """Press OK, which must be enabled."""
    button = ok_button(dialog)
    assert button.isEnabled()
    button.click()
