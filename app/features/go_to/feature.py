"""The command that finds a place on the map."""

from __future__ import annotations

from app.commands.commands import Command
from app.desk.desk import Desk


def make(desk: Desk) -> None:
    """Add the command."""

    def show() -> None:
        from app.features.go_to.dialog import GoToDialog

        GoToDialog(desk).show()

    desk.commands.add(
        [
            Command(
                "edit.go-to",
                "&Go to...",
                show,
                "Find a name, a note or a {cell} of the map and show it",
                "Ctrl+L",
                "zoom-fit",
                words="search find place cell note name coordinates jump locate",
            )
        ]
    )
