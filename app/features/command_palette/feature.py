"""Adds the command that opens the palette of all commands (``dialog.py``)."""

from __future__ import annotations

from app.commands.commands import Command
from app.desk.desk import Desk

FIND = "edit.find-a-command"
"""The id of the command that opens the palette: the palette itself does not list it."""


def make(desk: Desk) -> None:
    """Add the command that opens the palette."""

    def show() -> None:
        from app.features.command_palette.dialog import CommandPalette

        # A panel that came to the front has told nobody, but commands of panels depend on it.
        desk.commands.refresh()
        CommandPalette(desk.commands, desk.settings, desk.frame, without=FIND).show()

    desk.commands.add(
        [
            Command(
                FIND,
                "Find a &command...",
                show,
                tip="Type a word for what you want to do or to paint with, Enter does it",
                keys="Ctrl+Shift+P",
                icon="zoom-fit",
                words="palette search lookup menu anything",
            )
        ]
    )
