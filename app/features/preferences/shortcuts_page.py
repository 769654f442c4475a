"""The page of the settings with the keys of all commands."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QKeySequenceEdit,
    QLineEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.commands.shortcuts import Keys, Shortcuts
from app.qt_guard import connect
from app.widgets.layout.builders import described, lay_out, plain_label, plain_text

NAME = Qt.ItemDataRole.UserRole


class ShortcutsPage(QWidget):
    """A table to search in, and the keys of the chosen command to change.

    Keys that nobody has take effect when they are pressed. Those of another command are named in
    words, and taken from it with a button.
    """

    def __init__(self, shortcuts: Shortcuts) -> None:
        super().__init__()
        self._shortcuts = shortcuts
        self._before = shortcuts.all_keys()
        self.search = described(QLineEdit(), "Search for a command or a key")
        self.search.setPlaceholderText("Search for a command or a key")
        self.search.setClearButtonEnabled(True)
        connect(self.search.textChanged, self._filter)
        self.table = described(QTreeWidget(), "Commands and their keys")
        self.table.setHeaderLabels(["Command", "Keys"])
        self.table.setRootIsDecorated(False)
        self.table.setUniformRowHeights(True)
        header = self.table.header()
        header.setAccessibleName("Command and keys")
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        connect(self.table.currentItemChanged, lambda _item: self._show_chosen())
        self.keys = QKeySequenceEdit()
        self.keys.setAccessibleName("New keys of the chosen command")
        self.keys.setToolTip("Click here and press the new keys")
        self.keys.setMaximumSequenceLength(1)
        connect(self.keys.editingFinished, self._pressed)
        self.message = described(plain_label(wordWrap=True), "Whose keys these are")
        self.take_button = self._button("&Take them", "Give these keys to the chosen command", True)
        connect(self.take_button.clicked, self._take)
        self.none_button = self._button("N&one", "This command has no keys")
        connect(self.none_button.clicked, self._clear)
        self.default_button = self._button("&Default", "The keys that this command came with")
        connect(self.default_button.clicked, self._reset)
        label = plain_label("&New keys:")
        label.setBuddy(self.keys)
        line = QHBoxLayout()
        line.addWidget(label)
        line.addWidget(self.keys, 1)
        line.addWidget(self.take_button)
        line.addWidget(self.none_button)
        line.addWidget(self.default_button)
        lay_out(QVBoxLayout(self), self.search, (self.table, 1), line, self.message)
        self._fill()
        connect(shortcuts.changed, self._show_keys)

    @staticmethod
    def _button(text: str, tip: str, hidden: bool = False) -> QPushButton:
        button = described(QPushButton(text), tip=tip)
        button.setAutoDefault(False)
        button.setHidden(hidden)
        return button

    def _fill(self) -> None:
        self.items: list[QTreeWidgetItem] = []
        commands = self._shortcuts.commands
        for name in commands.offered():
            item = QTreeWidgetItem([commands.path(name), ""])
            self.items.append(item)
            item.setData(0, NAME, name)
            item.setToolTip(0, plain_text(commands.action(name).statusTip()))
            self.table.addTopLevelItem(item)
        self._show_keys()
        self.table.setCurrentItem(self.items[0])

    def _show_keys(self) -> None:
        for item in self.items:
            name = item.data(0, NAME)
            keys = self._shortcuts.keys(name)
            item.setText(1, _words(keys))
            font = item.font(0)
            font.setBold(keys != self._shortcuts.default(name))
            for column in (0, 1):
                item.setFont(column, font)
        self._show_chosen()

    def _filter(self, letters: str) -> None:
        commands = self._shortcuts.commands
        for item in self.items:
            fits = commands.match_score(item.data(0, NAME), letters) is not None
            item.setHidden(not fits and letters.lower() not in item.text(1).lower())

    def choose(self, name: str) -> None:
        """Make a command the chosen one."""
        for item in self.items:
            if item.data(0, NAME) == name:
                self.table.setCurrentItem(item)

    @property
    def chosen(self) -> str | None:
        """The name of the chosen command."""
        item = self.table.currentItem()
        if item is None:
            return None
        return str(item.data(0, NAME))

    def _show_chosen(self) -> None:
        name = self.chosen
        self.keys.setEnabled(name is not None)
        if name is None:
            return
        keys = self._shortcuts.keys(name)
        default = self._shortcuts.default(name)
        self.keys.blockSignals(True)
        self.keys.setKeySequence(keys[0] if keys else QKeySequence())
        self.keys.blockSignals(False)
        self.take_button.hide()
        self.none_button.setEnabled(bool(keys))
        self.default_button.setEnabled(keys != default)
        if keys != default:
            changed = f"It came with {_words(default) or 'no keys'}."
        else:
            changed = ""
        self.message.setText(changed)

    def _pressed(self) -> None:
        name = self.chosen
        key = self.keys.keySequence()
        if name is None or key.isEmpty():
            return
        keys = (key,)
        conflict = self._shortcuts.conflict(keys, name)
        if conflict:
            self.message.setText(conflict)
            self.take_button.setVisible(bool(self._shortcuts.owners(keys, name)))
        else:
            self._shortcuts.give(name, keys)

    def _take(self) -> None:
        if self.chosen is not None:
            self._shortcuts.give(self.chosen, (self.keys.keySequence(),))

    def _clear(self) -> None:
        if self.chosen is not None:
            self._shortcuts.give(self.chosen, ())

    def _reset(self) -> None:
        if self.chosen is not None:
            self._shortcuts.reset(self.chosen)

    def reset(self) -> None:
        """Give all commands their default keys."""
        self._shortcuts.reset_all()

    def restore(self) -> None:
        """Give all commands the keys they had when the page was opened."""
        if self._shortcuts.all_keys() != self._before:
            self._shortcuts.restore(self._before)


def _words(keys: Keys) -> str:
    return QKeySequence.listToString(keys, QKeySequence.SequenceFormat.NativeText)
