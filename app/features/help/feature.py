"""Help: the manual, the table of mouse and keys, the tour."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.commands.commands import Command
from app.features.help.help_dialogs import show_about, show_manual, show_mouse_and_keys

if TYPE_CHECKING:
    from app.desk.desk import Desk


def make(desk: Desk) -> None:
    """The commands of the menu Help."""

    def start_tour() -> None:
        from app.features.help.tour import Tour

        desk.settings.tour_seen = True
        Tour(desk).start()

    desk.commands.add(
        (
            Command(
                "help.manual",
                "Man&ual",
                lambda: show_manual(desk.frame),
                "Pages about everything",
                "F1",
                "text",
            ),
            Command(
                "help.mouse-and-keys",
                "&Mouse and keys",
                lambda: show_mouse_and_keys(desk.commands, desk.frame),
                "What mouse and keys do, in one table",
                "Shift+F1",
                "hint",
            ),
            Command("help.tour", "&Tour", start_tour, "Around the desk in one minute", icon="hint"),
            Command(
                "help.about-battlelands-builder",
                "&About Battlelands Builder",
                lambda: show_about(desk.frame),
                "Which version this is",
            ),
        )
    )
