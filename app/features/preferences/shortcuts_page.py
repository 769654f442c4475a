"""The page of the preferences on which the user gives commands other keys.

``Shortcuts`` holds the keys of all commands and knows which of them have the same keys; this page
shows and changes them. Begin with ``_on_keys_typed``, which follows the keys that are pressed.
"""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QSignalBlocker, Qt
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

from app.commands.shortcuts import KeySequences, Shortcuts
from app.qt_guard import connect
from app.widgets.layout.builders import described, lay_out, plain_label, plain_text

NAME_ROLE = Qt.ItemDataRole.UserRole
"""The role of the name of the command of a row."""

COMMAND_COLUMN = 0
"""The column of the table with the paths of the commands in the menus."""

KEYS_COLUMN = 1
"""The column of the table with the keys of the commands."""


class ShortcutsPage(QWidget):
    """A table of all commands with a search, and a field for new keys of the chosen command.

    The field shows the first keys of a command; keys that are pressed there replace all that it
    has. Keys that no command has take effect at once. For keys of another command a message names
    that command, and a button takes them from it.
    """

    def __init__(self, shortcuts: Shortcuts) -> None:
        super().__init__()
        self._shortcuts = shortcuts
        self._keys_at_opening = shortcuts.all_keys()
        """The keys of all commands when the page was opened, for ``restore``."""
        self.items: list[QTreeWidgetItem] = []
        """The rows of the table."""
        self._make_search()
        self._make_table()
        self._make_key_field()
        self._make_buttons()
        self._lay_out()
        self._add_rows()
        self._connect()

    def _make_search(self) -> None:
        """Make the field in which letters of commands or keys are typed."""
        self.search = described(QLineEdit(), "Search for a command or a key")
        self.search.setPlaceholderText("Search for a command or a key")
        self.search.setClearButtonEnabled(True)

    def _make_table(self) -> None:
        """Make the table, without rows yet."""
        self.table = described(QTreeWidget(), "Commands and their keys")
        self.table.setHeaderLabels(["Command", "Keys"])
        self.table.setRootIsDecorated(False)
        self.table.setUniformRowHeights(True)
        header = self.table.header()
        header.setAccessibleName("Command and keys")
        header.setStretchLastSection(False)
        header.setSectionResizeMode(COMMAND_COLUMN, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(KEYS_COLUMN, QHeaderView.ResizeMode.ResizeToContents)

    def _make_key_field(self) -> None:
        """Make the field in which new keys are pressed, and the message about them."""
        self.key_field = QKeySequenceEdit()
        self.key_field.setAccessibleName("New keys of the chosen command")
        self.key_field.setToolTip("Click here and press the new keys")
        self.key_field.setMaximumSequenceLength(1)  # one chord such as Ctrl+S, not several in a row
        self.message = described(plain_label(wordWrap=True), "Whose keys these are")

    def _make_buttons(self) -> None:
        """Make the buttons that change the keys of the chosen command."""
        self.take_over_button = _button("&Take them", "Give these keys to the chosen command")
        self.take_over_button.hide()  # until keys are pressed that another command has
        self.clear_button = _button("N&one", "This command has no keys")
        self.default_button = _button("&Default", "The keys that this command came with")

    def _lay_out(self) -> None:
        """Put the search, the table, the field with the buttons, and the message in a column."""
        label = plain_label("&New keys:")
        label.setBuddy(self.key_field)
        key_row = QHBoxLayout()
        key_row.addWidget(label)
        key_row.addWidget(self.key_field, 1)
        key_row.addWidget(self.take_over_button)
        key_row.addWidget(self.clear_button)
        key_row.addWidget(self.default_button)
        lay_out(QVBoxLayout(self), self.search, (self.table, 1), key_row, self.message)

    def _connect(self) -> None:
        """Follow the search, the table, the field, the buttons and the keys of the commands."""
        connect(self.search.textChanged, self._filter)
        connect(self.table.currentItemChanged, self._show_chosen_command)
        connect(self.key_field.editingFinished, self._on_keys_typed)
        connect(self.take_over_button.clicked, self._give_typed_keys)
        connect(self.clear_button.clicked, self._clear_chosen)
        connect(self.default_button.clicked, self._reset_chosen)
        connect(self._shortcuts.changed, self._show_keys)

    def _add_rows(self) -> None:
        """Make a row for every command, and choose the first one."""
        commands = self._shortcuts.commands
        for name in commands.offered():
            item = QTreeWidgetItem([commands.path(name), ""])
            self.items.append(item)
            item.setData(COMMAND_COLUMN, NAME_ROLE, name)
            item.setToolTip(COMMAND_COLUMN, plain_text(commands.action(name).statusTip()))
            self.table.addTopLevelItem(item)
        self.table.setCurrentItem(self.items[0])
        self._show_keys()

    def _show_keys(self) -> None:
        """Show the keys of all commands, those that differ from the default in bold letters."""
        for item in self.items:
            name = item.data(COMMAND_COLUMN, NAME_ROLE)
            keys = self._shortcuts.keys(name)
            item.setText(KEYS_COLUMN, _keys_text(keys))
            font = item.font(COMMAND_COLUMN)
            font.setBold(keys != self._shortcuts.default_keys(name))
            item.setFont(COMMAND_COLUMN, font)
            item.setFont(KEYS_COLUMN, font)
        self._show_chosen_command()

    def _filter(self, letters: str) -> None:
        """Show only the commands whose words or keys match the typed letters.

        If the chosen command is none of them, the first one that is shown is chosen.
        """
        commands = self._shortcuts.commands
        for item in self.items:
            has_words = (
                commands.match_score(item.data(COMMAND_COLUMN, NAME_ROLE), letters) is not None
            )
            has_keys = letters.lower() in item.text(KEYS_COLUMN).lower()
            item.setHidden(not has_words and not has_keys)
        current_item = self.table.currentItem()
        if current_item is None or current_item.isHidden():
            shown_items = [item for item in self.items if not item.isHidden()]
            if shown_items:
                self.table.setCurrentItem(shown_items[0])
            else:
                self.table.setCurrentIndex(QModelIndex())  # no command is chosen
                self._show_chosen_command()

    def choose_command(self, name: str) -> None:
        """Make a command the chosen one."""
        for item in self.items:
            if item.data(COMMAND_COLUMN, NAME_ROLE) == name:
                self.table.setCurrentItem(item)

    @property
    def chosen_command(self) -> str | None:
        """The name of the chosen command, None if none is chosen."""
        item = self.table.currentItem()
        if item is None:
            return None
        return str(item.data(COMMAND_COLUMN, NAME_ROLE))

    def _show_chosen_command(self) -> None:
        """Show the first keys of the chosen command, and its default; enable the buttons for it."""
        name = self.chosen_command
        self.key_field.setEnabled(name is not None)
        if name is None:
            self.take_over_button.hide()
            self.clear_button.setEnabled(False)
            self.default_button.setEnabled(False)
            self.message.setText("")
            return
        keys = self._shortcuts.keys(name)
        default = self._shortcuts.default_keys(name)
        first_keys = QKeySequence()
        if keys:
            first_keys = keys[0]
        with QSignalBlocker(self.key_field):  # nobody has pressed them
            self.key_field.setKeySequence(first_keys)
        self.take_over_button.hide()
        self.clear_button.setEnabled(bool(keys))
        self.default_button.setEnabled(keys != default)

        message = ""
        if keys != default:
            default_text = _keys_text(default)
            if not default_text:
                default_text = "no keys"
            message = f"It came with {default_text}."
        self.message.setText(message)

    def _on_keys_typed(self) -> None:
        """Give the keys that were pressed to the chosen command, unless another one has them."""
        name = self.chosen_command
        key = self.key_field.keySequence()
        if name is None or key.isEmpty():
            return
        keys = (key,)
        conflict = self._shortcuts.conflict(keys, name)
        if conflict:
            self.message.setText(conflict)
            # Keys of the map itself belong to no command, and cannot be taken.
            self.take_over_button.setVisible(bool(self._shortcuts.owners(keys, name)))
        else:
            self._shortcuts.set_keys(name, keys)

    def _give_typed_keys(self) -> None:
        """Give the keys in the field to the chosen command, and take them from any other one."""
        if self.chosen_command is not None:
            self._shortcuts.set_keys(self.chosen_command, (self.key_field.keySequence(),))

    def _clear_chosen(self) -> None:
        """Take all keys from the chosen command."""
        if self.chosen_command is not None:
            self._shortcuts.set_keys(self.chosen_command, ())

    def _reset_chosen(self) -> None:
        """Give the chosen command the keys that it came with."""
        if self.chosen_command is not None:
            self._shortcuts.reset(self.chosen_command)

    def reset_all(self) -> None:
        """Give all commands their default keys."""
        self._shortcuts.reset_all()

    def restore(self) -> None:
        """Give all commands the keys that they had when the page was opened."""
        if self._shortcuts.all_keys() != self._keys_at_opening:
            self._shortcuts.restore(self._keys_at_opening)


def _button(text: str, tip: str) -> QPushButton:
    """Return a button that Enter does not press while another widget has the keyboard."""
    button = described(QPushButton(text), tip=tip)
    button.setAutoDefault(False)
    return button


def _keys_text(keys: KeySequences) -> str:
    """Return keys as the system writes them: "Ctrl+S"; "" for none."""
    return QKeySequence.listToString(keys, QKeySequence.SequenceFormat.NativeText)
