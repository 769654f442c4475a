"""The palette of commands: a few letters find any of them, Enter runs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QHeaderView,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
)

from app.commands.commands import WHY, Command, commands, keys_in_words
from app.widgets.builders import described, lay_out

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMainWindow

    from app.settings import Settings

ROWS = 14
"""How many commands are seen at once."""

_MOVES = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
_COMMAND = Qt.ItemDataRole.UserRole


def closeness(letters: str, words: str) -> float | None:
    """How well ``letters`` stand for ``words``, None if not at all; more is better.

    They must occur in this order. Letters that begin a word count most, then runs of letters.
    """
    words, score, at = words.lower(), 0.0, -1
    for letter in letters.lower().replace(" ", ""):
        starts = (
            place
            for place in range(at + 1, len(words))
            if words[place] == letter and (place == 0 or not words[place - 1].isalnum())
        )
        after = words.find(letter, at + 1)
        if after < 0:
            return None
        start = after if after == at + 1 and at >= 0 else next(starts, after)
        score += 3 if start == at + 1 else 2 if start != after or start == 0 else 1
        at = start
    return score - len(words) / 100


class CommandPalette(QDialog):
    """All commands of a window, those run last on top; disabled ones are greyed and say why."""

    def __init__(self, window: QMainWindow, settings: Settings) -> None:
        super().__init__(window, Qt.WindowType.Dialog | Qt.WindowType.FramelessWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Find a command")
        self._settings = settings
        recent = settings.recent_commands
        found = [c for c in commands(window, fill=True) if c.name != "edit.find-a-command"]
        self._commands = sorted(
            found, key=lambda c: recent.index(c.name) if c.name in recent else len(recent)
        )
        self.line = described(QLineEdit(), "Letters of a command")
        self.line.setPlaceholderText("Type a few letters of a command")
        self.line.textChanged.connect(self._fill)
        self.line.installEventFilter(self)
        self.list = described(QTreeWidget(), "Commands")
        self.list.setHeaderHidden(True)
        self.list.setColumnCount(2)
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        header = self.list.header()
        header.setAccessibleName("Command and keys")
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.list.itemClicked.connect(lambda _item: self.run())
        lay_out(QVBoxLayout(self), self.line, self.list)
        self._fill("")
        row = max(self.list.sizeHintForRow(0), self.fontMetrics().height())
        width = min(620, window.width())
        self.resize(width, (ROWS + 3) * row)
        self.move(window.mapToGlobal(window.rect().topLeft()))
        self.move(self.x() + (window.width() - width) // 2, self.y() + window.height() // 10)

    def _fill(self, letters: str) -> None:
        scored = [(closeness(letters, command.path), command) for command in self._commands]
        fitting = [(score, command) for score, command in scored if score is not None]
        if letters:
            fitting.sort(key=lambda each: -each[0])
        self.list.clear()
        items = [self._item(command) for _, command in fitting]
        self.list.addTopLevelItems(items)
        for item in items:
            if not item.isDisabled():
                self.list.setCurrentItem(item)
                return

    def _item(self, command: Command) -> QTreeWidgetItem:
        action, words = command.action, command.path
        if action.isCheckable() and action.isChecked():
            words += " (on)"
        if not action.isEnabled():
            words += f" - {action.property(WHY) or 'Not possible now.'}"
        item = QTreeWidgetItem([words, keys_in_words(action)])
        item.setData(0, _COMMAND, command)
        item.setToolTip(0, action.statusTip())
        item.setSizeHint(0, QSize(0, self.fontMetrics().height() + 8))
        item.setDisabled(not action.isEnabled())
        spoken = ", ".join(part for part in (words, keys_in_words(action)) if part)
        item.setData(0, Qt.ItemDataRole.AccessibleTextRole, spoken)
        return item

    @property
    def chosen(self) -> Command | None:
        """The command that Enter would run."""
        item = self.list.currentItem()
        return None if item is None else item.data(0, _COMMAND)

    def run(self) -> None:
        """Close, and run the chosen command when the window has the keyboard again."""
        command = self.chosen
        if command is not None and command.action.isEnabled():
            self._settings.add_recent_command(command.name)
            self.accept()
            QTimer.singleShot(0, command.action, command.action.trigger)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Up and down move in the list while the letters are written; Enter runs."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() in _MOVES:
                self.list.keyPressEvent(event)
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self.run()
                return True
        return super().eventFilter(watched, event)

    def changeEvent(self, event: QEvent) -> None:
        """A click elsewhere closes the palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and not self.isActiveWindow():
            self.reject()
