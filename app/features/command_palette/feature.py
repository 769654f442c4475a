"""The palette of all commands."""

from __future__ import annotations

from app.commands.commands import Command
from app.desk.desk import Desk

FIND = "edit.find-a-command"


def make(desk: Desk) -> None:
    """Add the command that opens the palette."""

    def show() -> None:
        from app.features.command_palette.dialog import CommandPalette

        desk.commands.refresh()  # panels come to the front unnoticed
        CommandPalette(desk.commands, desk.settings, desk.frame, without=FIND).show()

    desk.commands.add(
        [
            Command(
                FIND,
                "Find a &command...",
                show,
                "Type a word for what you want to do or to paint with, Enter does it",
                "Ctrl+Shift+P",
                "zoom-fit",
                words="palette search lookup menu anything",
            )
        ]
    )
