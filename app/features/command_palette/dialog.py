"""The palette of commands: a few letters find any of them, Enter runs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QHeaderView,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
)

from app.commands.commands import WHY, keys_in_words
from app.commands.fuzzy_match import match_score
from app.qt_guard import connect, guarded, later
from app.widgets.builders import described, lay_out

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from app.commands.commands import Commands
    from app.settings import Settings

ROWS = 14
"""How many commands are seen at once."""

_MOVES = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
_NAME = Qt.ItemDataRole.UserRole


class CommandPalette(QDialog):
    """All commands but ``without``, those run last on top; disabled ones are greyed and say why."""

    def __init__(
        self, commands: Commands, settings: Settings, parent: QWidget, without: str
    ) -> None:
        super().__init__(parent, Qt.WindowType.Dialog | Qt.WindowType.FramelessWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Find a command")
        self._settings = settings
        self._commands = commands
        recent = settings.recent_commands
        names = [name for name in commands.offered(fill=True) if name != without]
        self._names = sorted(
            names, key=lambda name: recent.index(name) if name in recent else len(recent)
        )
        self.line = described(QLineEdit(), "Letters of a command")
        self.line.setPlaceholderText("Type a few letters of a command")
        connect(self.line.textChanged, self._fill)
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
        connect(self.list.itemClicked, lambda _item: self.run())
        lay_out(QVBoxLayout(self), self.line, self.list)
        self._fill("")
        row = max(self.list.sizeHintForRow(0), self.fontMetrics().height())
        width = min(620, parent.width())
        self.resize(width, (ROWS + 3) * row)
        self.move(parent.mapToGlobal(parent.rect().topLeft()))
        self.move(self.x() + (parent.width() - width) // 2, self.y() + parent.height() // 10)

    def _fill(self, letters: str) -> None:
        offered = [name for name in self._names if self._commands.action(name).isVisible()]
        scored = [(match_score(letters, self._commands.path(name)), name) for name in offered]
        fitting = [(score, name) for score, name in scored if score is not None]
        if letters:
            fitting.sort(key=lambda each: -each[0])
        self.list.clear()
        items = [self._item(name) for _, name in fitting]
        self.list.addTopLevelItems(items)
        for item in items:
            if not item.isDisabled():
                self.list.setCurrentItem(item)
                return

    def _item(self, name: str) -> QTreeWidgetItem:
        action, text = self._commands.action(name), self._commands.path(name)
        if action.isCheckable() and action.isChecked():
            text += " (on)"
        if not action.isEnabled():
            text += f" - {action.property(WHY) or 'Not possible now.'}"
        item = QTreeWidgetItem([text, keys_in_words(action)])
        item.setData(0, _NAME, name)
        item.setToolTip(0, action.statusTip())
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
            later(action, action.trigger)

    @guarded(default=False)
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

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        """A click elsewhere closes the palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and not self.isActiveWindow():
            self.reject()
