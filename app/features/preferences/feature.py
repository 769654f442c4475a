"""Adds the command that opens the dialog of the preferences (``dialog.py``)."""

from __future__ import annotations

from PySide6.QtGui import QAction

from app.commands.commands import Command
from app.desk.desk import Desk


def make(desk: Desk) -> None:
    """Add the command that opens the dialog."""

    def show() -> None:
        from app.features.preferences.dialog import SettingsDialog

        SettingsDialog(desk).open()

    desk.commands.add(
        [
            Command(
                "edit.preferences",
                "Pre&ferences...",
                show,
                tip="Colours, keys, files and how the wheel works",
                keys="Ctrl+,",
                icon="settings",
                role=QAction.MenuRole.PreferencesRole,
                words="settings options configure shortcuts keys theme wheel",
            )
        ]
    )
