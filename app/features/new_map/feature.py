"""A new, empty map."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QKeySequence

from app.commands.commands import Command
from app.qt_guard import connect
from randomizer.installed import problems

if TYPE_CHECKING:
    from app.desk.desk import Desk


def make(desk: Desk) -> None:
    """The command that asks which kind of map, and opens an empty one."""

    def ask() -> None:
        from app.features.new_map.dialog import NewMapDialog

        dialog = NewMapDialog(desk.settings, desk.frame)
        if problems():  # of other packages, whose kinds of maps are missing in the list
            desk.say(problems()[0].message)
        connect(dialog.chosen, desk.document.show_map)
        connect(
            dialog.roll_chosen, lambda battlemap, script: desk.scripts.roll_new(battlemap, script)
        )
        dialog.open()

    desk.commands.add(
        [
            Command(
                "file.new-map",
                "&New map...",
                ask,
                "Start an empty map: which kind is asked",
                QKeySequence.StandardKey.New,
                "new",
            )
        ]
    )
