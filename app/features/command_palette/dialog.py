"""The palette of commands: a word finds any of them, Enter runs it.

Its base class ``QuickList`` has the line to type in and the list. It calls ``items`` for the rows
that match what is typed, and ``run`` when Enter is pressed. A command is known by its id, such as
"layer.new-layer", which code and settings call its name.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QTreeWidgetItem, QWidget

from app.commands.commands import WHY, keys_in_words
from app.commands.quick_list import QuickList
from app.qt_guard import later
from app.settings import Settings
from app.widgets.layout.builders import plain_text

if TYPE_CHECKING:
    from app.commands.commands import Commands

NO_MATCH_TEXT = "Nothing is called so: try another word, or look it up in the manual (F1)"
"""The only row of the list when no command matches."""

NAME_ROLE = Qt.ItemDataRole.UserRole
"""The role of the name of the command of a row."""

ROW_MARGINS = 8
"""The space above and below the text of a row together, in logical pixels."""


class CommandPalette(QuickList):
    """Lists the commands of the desk; those that were run from it last come first.

    Disabled commands are greyed, and say why they are disabled.
    """

    def __init__(
        self, commands: Commands, settings: Settings, parent: QWidget, *, without: str
    ) -> None:
        """List all commands but the one named ``without``, which opens the palette itself."""
        super().__init__(
            parent,
            title="Find a command",
            hint="A word for what you want: pdf, fight, title, swamp ...",
            line="Words for a command",
            rows="Commands",
        )
        self._settings = settings
        self._commands = commands
        # Menus such as Open recent make their commands when they open: ``fill`` makes them now.
        names = [name for name in commands.offered(fill=True) if name != without]
        recent_names = [name for name in settings.recent_commands if name in names]
        other_names = [name for name in names if name not in recent_names]
        self._names = [*recent_names, *other_names]
        """The names of the commands in the order of the list."""
        self.list.header().setAccessibleName("Command and keys")
        self.place()  # last, as it fills the list

    def items(self, letters: str) -> list[QTreeWidgetItem]:
        """Return the rows of the commands that match ``letters``, the best match first.

        Without letters all commands are listed, the recent ones first. If no command matches, the
        only row says so.
        """
        commands = self._commands
        scores: dict[str, float] = {}
        for name in self._names:
            score = commands.match_score(name, letters)
            if score is not None and commands.action(name).isVisible():
                scores[name] = score
        names = list(scores)
        has_letters = letters.strip() != ""
        if has_letters:
            names.sort(key=scores.__getitem__, reverse=True)
        if not names:
            return [_no_match_item()]
        return [self._item(name) for name in names]

    def _item(self, name: str) -> QTreeWidgetItem:
        """Return the row of a command: its path in the menus, its state, and its keys."""
        action = self._commands.action(name)
        text = self._commands.path(name)
        if action.isCheckable() and action.isChecked():
            text += " (on)"
        if not action.isEnabled():
            reason = action.property(WHY)
            if not reason:
                reason = "Not possible now."
            text += f" - {reason}"
        keys = keys_in_words(action)
        item = QTreeWidgetItem([text, keys])
        item.setData(0, NAME_ROLE, name)
        item.setToolTip(0, plain_text(action.statusTip()))
        item.setSizeHint(0, QSize(0, self.fontMetrics().height() + ROW_MARGINS))
        item.setDisabled(not action.isEnabled())
        spoken_text = text
        if keys:
            spoken_text += f", {keys}"
        item.setData(0, Qt.ItemDataRole.AccessibleTextRole, spoken_text)
        return item

    @property
    def chosen(self) -> str | None:
        """The name of the command in the current row; None if there is no such command."""
        item = self.list.currentItem()
        if item is None:
            return None
        name: str | None = item.data(0, NAME_ROLE)
        return name

    def run(self) -> None:
        """Close, and run the chosen command when the window has the keyboard again.

        Nothing happens if no command is chosen, or a disabled one.
        """
        name = self.chosen
        if name is None:
            return
        action = self._commands.action(name)
        if action.isEnabled():
            self._settings.add_recent_command(name)
            self.accept()
            # The window has the keyboard again only after this event.
            later(action, partial(self._commands.run_found, name))


def _no_match_item() -> QTreeWidgetItem:
    """Return the row that says that no command matches."""
    item = QTreeWidgetItem([NO_MATCH_TEXT, ""])
    item.setDisabled(True)
    return item
