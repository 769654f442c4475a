"""The palette of commands: a word finds any of them, Enter runs it."""

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

NOTHING_FITS = "Nothing is called so: try another word, or look it up in the manual (F1)"

_NAME = Qt.ItemDataRole.UserRole


class CommandPalette(QuickList):
    """All commands but ``without``, those run last on top; disabled ones are greyed and say why."""

    def __init__(
        self, commands: Commands, settings: Settings, parent: QWidget, without: str
    ) -> None:
        hint = "A word for what you want: pdf, fight, title, swamp ..."
        super().__init__(parent, "Find a command", hint, "Words for a command", "Commands")
        self._settings = settings
        self._commands = commands
        recent = settings.recent_commands
        names = [name for name in commands.offered(fill=True) if name != without]
        self._names = sorted(
            names, key=lambda name: recent.index(name) if name in recent else len(recent)
        )
        self.list.header().setAccessibleName("Command and keys")
        self.place()

    def items(self, letters: str) -> list[QTreeWidgetItem]:
        """Return the rows of the commands that fit, or one that says that none does."""
        commands = self._commands
        scores: dict[str, float] = {}
        for name in self._names:
            score = commands.match_score(name, letters)
            if score is not None and commands.action(name).isVisible():
                scores[name] = score
        names = list(scores)
        if letters.strip():
            names.sort(key=lambda name: -scores[name])
        return [self._item(name) for name in names] or [_nothing()]

    def _item(self, name: str) -> QTreeWidgetItem:
        action = self._commands.action(name)
        text = self._commands.path(name)
        if action.isCheckable() and action.isChecked():
            text += " (on)"
        if not action.isEnabled():
            text += f" - {action.property(WHY) or 'Not possible now.'}"
        item = QTreeWidgetItem([text, keys_in_words(action)])
        item.setData(0, _NAME, name)
        item.setToolTip(0, plain_text(action.statusTip()))
        item.setSizeHint(0, QSize(0, self.fontMetrics().height() + 8))
        item.setDisabled(not action.isEnabled())
        spoken = ", ".join(part for part in (text, keys_in_words(action)) if part)
        item.setData(0, Qt.ItemDataRole.AccessibleTextRole, spoken)
        return item

    @property
    def chosen(self) -> str | None:
        """The id of the command that Enter would run."""
        item = self.list.currentItem()
        return None if item is None else item.data(0, _NAME)

    def run(self) -> None:
        """Close, and run the chosen command when the window has the keyboard again."""
        name = self.chosen
        if name is not None and self._commands.action(name).isEnabled():
            self._settings.add_recent_command(name)
            self.accept()
            action = self._commands.action(name)
            later(action, partial(self._commands.run_found, name))


def _nothing() -> QTreeWidgetItem:
    item = QTreeWidgetItem([NOTHING_FITS, ""])
    item.setDisabled(True)
    return item
