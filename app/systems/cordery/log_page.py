"""The page *Dice log* of the panel: the log, the player that goes through it, and its buttons."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.qt_guard import connect
from app.systems.cordery.dice_log import DiceLog
from app.systems.cordery.fix_form import FixForm
from app.systems.cordery.player import DicePlayer
from app.widgets.layout.builders import STRETCH, lay_out, tool_button


class LogPage(QWidget):
    """Lays out the log with what belongs to it; ``LogController`` fills it."""

    save_wanted = Signal()
    """The log is to be written into a file."""

    print_wanted = Signal()
    """The log is to be printed."""

    def __init__(self, player: DicePlayer, log: DiceLog, fix_form: FixForm) -> None:
        """``fix_form`` stands below the log while a line of it is to be changed."""
        super().__init__()
        self.copy_button = tool_button("Copy all", "Put the whole log on the clipboard")
        self.save_button = tool_button("Save...", "Write the log into a text file", "Save")
        self.print_button = tool_button("Print...", "Print the log", "Print")
        connect(self.copy_button.clicked, log.copy_all)
        connect(self.save_button.clicked, self.save_wanted)
        connect(self.print_button.clicked, self.print_wanted)
        buttons = lay_out(
            QHBoxLayout(),
            self.copy_button,
            self.save_button,
            self.print_button,
            STRETCH,
            spacing=2,
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        lay_out(column, player, (log, 1), fix_form, buttons, spacing=3)

    def enable_buttons(self, *, has_lines: bool) -> None:
        """Enable the buttons if the log has lines."""
        for button in (self.copy_button, self.save_button, self.print_button):
            button.setEnabled(has_lines)
