"""The inspector: every word of a period with its meaning and its values.

Words stand in a tree with a search above it, the values of the chosen one in a table with its help.
In a small panel there is room for one of the two: see ``Inspector._show_words_or_values``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QEvent, QModelIndex, Qt, Signal
from PySide6.QtGui import QBrush, QKeyEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLineEdit,
    QSplitter,
    QTableView,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.qt_guard import connect, guarded
from app.systems.xconq.period.inspector_model import (
    WordValues,
    describe_expected,
    describe_slot,
    shown_value,
)
from app.widgets.layout.builders import (
    described,
    lay_out,
    plain_label,
    plain_text,
    tool_button,
)
from app.widgets.layout.wrapping_row import WrappingRow
from randomizer.systems.xconq.period.period import value_words
from randomizer.systems.xconq.period.slots import Slot, setter, value_of
from randomizer.systems.xconq.period.value_edits import why_not_plain
from randomizer.systems.xconq.period.words import Shape, Word, words

if TYPE_CHECKING:
    from randomizer.systems.xconq.period.period import Period

LEAST_WIDTH_BESIDE = 560
"""From this width on, in logical pixels, the values stand beside the words."""

LEAST_HEIGHT_BELOW = 460
"""From this height on they stand below the words; in smaller panels there is one of both."""

WORD = Qt.ItemDataRole.UserRole
"""The role of the ``Word`` of an item of the tree."""

COMMANDS = (
    Qt.KeyboardModifier.ControlModifier
    | Qt.KeyboardModifier.AltModifier
    | Qt.KeyboardModifier.MetaModifier
)
"""With these a letter is a command."""


class ValueTable(QTableView):
    """A table whose cells are typed over; letters and digits are no shortcuts there."""

    @guarded(default=False)
    def event(self, event: QEvent) -> bool:
        """Claim what is typed before the menus do."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            text = event.text()
            commands = event.modifiers() & COMMANDS
            if text.isprintable() and text and not commands:
                event.accept()
                return True
        return super().event(event)


class Inspector(QWidget):
    """Shows a period; it changes nothing."""

    typed = Signal(object, object)
    """(Slot, value): a value is to be changed where it is set."""

    own_line_wanted = Signal(object, object)
    """(Slot, value): a new line is to set a value."""

    line_wanted = Signal(object)
    """(Slot): the line that sets a value is to be shown."""

    refused = Signal(str)
    """(message): what was typed is no value."""

    def __init__(self) -> None:
        super().__init__()
        self._period: Period | None = None
        self._make_words()
        self._make_values()
        self._lay_out()
        self._fill_words()
        self._connect()
        self._show_word()

    def _make_words(self) -> None:
        """Make the tree of words, and the search above it."""
        self.search = described(QLineEdit(), "Search the words", "Parts of a word or its meaning")
        self.search.setPlaceholderText("Search")
        self.search.setClearButtonEnabled(True)
        self.words = described(QTreeWidget(), "Words of the period")
        self.words.setColumnCount(2)
        self.words.setHeaderLabels(["Word", "Value"])
        self.words.setRootIsDecorated(True)
        self.words.setUniformRowHeights(True)
        self.words.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.words.header().setStretchLastSection(True)
        self.words.header().setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)

    def _make_values(self) -> None:
        """Make the table of the chosen word's values, and what stands around it."""
        self.title = plain_label(wordWrap=True)
        self.help = plain_label(wordWrap=True)
        self.values = WordValues()
        self.table = described(ValueTable(), "Values of the word")
        self.table.setTabKeyNavigation(False)
        self.table.setModel(self.values)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.table.horizontalHeader().setMinimumSectionSize(24)
        self.table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.table.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.EditKeyPressed
            | QAbstractItemView.EditTrigger.AnyKeyPressed
        )
        # It has room for its text before a value is chosen: the table keeps its height.
        self.where = plain_label(wordWrap=True)
        self.where.setMinimumHeight(2 * self.where.fontMetrics().lineSpacing())
        self.to_line = tool_button("Go to line", "Show where the value is set")
        self.own_line = tool_button(
            "Set here", "Append a line to the period that sets this value alone"
        )

    def _connect(self) -> None:
        connect(self.search.textChanged, self._filter)
        connect(self.words.currentItemChanged, lambda *_items: self._show_word())
        connect(self.values.typed, self.typed)
        connect(self.values.refused, self.refused)
        connect(self.table.selectionModel().currentChanged, lambda *_indices: self._show_where())
        connect(self.table.doubleClicked, self._on_double_click)
        connect(self.to_line.clicked, self._want_line)
        connect(self.own_line.clicked, self._want_own_line)
        connect(self.words.itemClicked, lambda _item: self._show_words_or_values(values=True))
        connect(self.words.itemActivated, lambda _item: self._show_words_or_values(values=True))
        connect(self.search.returnPressed, lambda: self._show_words_or_values(values=True))
        connect(self.back.clicked, lambda: self._show_words_or_values(values=False))

    def _lay_out(self) -> None:
        font = self.title.font()
        font.setBold(True)
        self.title.setFont(font)
        self.words_part = QWidget()
        self.values_part = QWidget()
        self.back = tool_button("Words", "Back to all words of the period")
        self.back.setArrowType(Qt.ArrowType.LeftArrow)
        self.back.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        lay_out(QVBoxLayout(self.words_part), self.search, (self.words, 1), margins=0, spacing=4)
        for button in (self.to_line, self.own_line):
            policy = button.sizePolicy()
            policy.setRetainSizeWhenHidden(True)
            button.setSizePolicy(policy)
        buttons = WrappingRow(self.back, self.to_line, self.own_line)
        lay_out(
            QVBoxLayout(self.values_part),
            self.title,
            self.help,
            (self.table, 1),
            self.where,
            buttons,
            margins=0,
            spacing=4,
        )
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.setChildrenCollapsible(False)
        for part in (self.words_part, self.values_part):
            self.splitter.addWidget(part)
            self.splitter.setStretchFactor(self.splitter.count() - 1, 1)
        lay_out(QVBoxLayout(self), self.splitter, margins=(6, 6, 6, 6))

    # --- the words --------------------------------------------------------------------------

    def _fill_words(self) -> None:
        """Add all words to the tree, by their groups."""
        self.groups: dict[str, QTreeWidgetItem] = {}
        self._items: dict[Word, QTreeWidgetItem] = {}
        for word in value_words():
            if word.group not in self.groups:
                group = self.groups[word.group] = QTreeWidgetItem(self.words, [word.group])
                group.setFlags(Qt.ItemFlag.ItemIsEnabled)
                group.setFirstColumnSpanned(True)
                group.setExpanded(True)
            item = self._items[word] = QTreeWidgetItem(self.groups[word.group], [word.name])
            item.setData(0, WORD, word)
            item.setToolTip(0, plain_text(f"{word.title}: {word.help}"))

    def _filter(self, search: str) -> None:
        """Show the words that have all parts of the search; choose the first if need be."""
        parts = search.lower().split()
        matches: list[Word] = []
        for word, item in self._items.items():
            text = f"{word.name} {word.title} {word.help} {word.group}".lower()
            is_match = all(part in text for part in parts)
            item.setHidden(not is_match)
            if is_match:
                matches.append(word)
        groups = {word.group for word in matches}
        for name, group in self.groups.items():
            group.setHidden(name not in groups)
        if matches and parts and self.word not in matches:
            self.words.setCurrentItem(self._items[matches[0]])

    @property
    def word(self) -> Word | None:
        """The word whose values are shown."""
        item = self.words.currentItem()
        if item is None:
            return None
        word: Word | None = item.data(0, WORD)
        return word

    def choose(self, name: str) -> None:
        """Show the values of a word."""
        self.words.setCurrentItem(self._items[words()[name]])

    # --- the period -------------------------------------------------------------------------

    def show_period(self, period: Period | None) -> None:
        """Show the values of a period; the word and the cell of the table stay."""
        self._period = period
        self._show_summaries()
        # The position, since the index is not valid any more once the model was reset.
        index = self.table.currentIndex()
        has_current_cell = index.isValid()
        row = index.row()
        column = index.column()
        self.values.show_word(period, self.word)
        if has_current_cell:
            self.table.setCurrentIndex(self.values.index(row, column))
        self._show_where()

    def _show_summaries(self) -> None:
        """Show beside each word what the period says of it; defaults are dimmed."""
        dimmed = QBrush(self.palette().color(QPalette.ColorRole.PlaceholderText))
        usual = QBrush(self.palette().color(QPalette.ColorRole.Text))
        for word, item in self._items.items():
            summary, is_set = _summary(self._period, word)
            item.setText(1, summary)
            item.setForeground(1, usual if is_set else dimmed)

    def _show_word(self) -> None:
        """Show the help and the values of the chosen word."""
        word = self.word
        self.values.show_word(self._period, word)
        if word is None:
            self.title.setText("")
            self.help.setText("Choose a word to see its values.")
        else:
            self.title.setText(f"{word.title} ({word.usage})")
            self.help.setText(_help(word))
        self.table.setVisible(word is not None)
        if word is not None and self.values.rowCount():
            self.table.setCurrentIndex(self.values.index(0, 0))
        self._show_where()

    # --- one value --------------------------------------------------------------------------

    def _slot(self) -> Slot | None:
        """Return the value of the current cell."""
        index = self.table.currentIndex()
        if index.isValid() and self.word is not None:
            return self.values.slot(index)
        return None

    def _show_where(self) -> None:
        """Tell where the value of the current cell is set, and offer its line, or a new one."""
        period = self._period
        slot = self._slot()
        self.to_line.setVisible(period is not None and slot is not None)
        self.own_line.setVisible(False)
        if period is None or slot is None:
            self.where.setText("")
            return
        self.where.setText(describe_slot(period, slot))
        self.to_line.setEnabled(setter(period, slot) is not None)
        self.own_line.setVisible(why_not_plain(period, slot) is not None)

    def _on_double_click(self, index: QModelIndex) -> None:
        """Show the line of a value that cannot be typed over."""
        period = self._period
        slot = self.values.slot(index)
        if period is not None and why_not_plain(period, slot) is not None:
            self.line_wanted.emit(slot)

    def _want_line(self) -> None:
        slot = self._slot()
        if slot is not None:
            self.line_wanted.emit(slot)

    def _want_own_line(self) -> None:
        slot = self._slot()
        if slot is not None and self._period is not None:
            self.own_line_wanted.emit(slot, value_of(self._period, slot))

    # --- events -----------------------------------------------------------------------------

    def _show_words_or_values(self, *, values: bool) -> None:
        """Show the values, or the words, where there is no room for both.

        A table of two kinds of types takes the whole of a narrow panel.
        """
        shows_values = values and self.word is not None
        shows_table = shows_values and self.word is not None and self.word.shape is Shape.TABLE
        is_narrow = self.width() < LEAST_WIDTH_BESIDE
        is_low = self.height() < LEAST_HEIGHT_BELOW
        has_room_for_one = is_narrow and (is_low or shows_table)
        self.back.setVisible(has_room_for_one)
        self.values_part.setVisible(not has_room_for_one or shows_values)
        self.words_part.setVisible(not has_room_for_one or not shows_values)

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put words and values below each other in a narrow panel, beside each other in others."""
        super().resizeEvent(event)
        is_wide = event.size().width() >= LEAST_WIDTH_BESIDE
        orientation = Qt.Orientation.Horizontal if is_wide else Qt.Orientation.Vertical
        if self.splitter.orientation() != orientation:
            self.splitter.setOrientation(orientation)
        self._show_words_or_values(values=self.words_part.isHidden())

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        """Dim the defaults in the colours of another palette."""
        super().changeEvent(event)
        # Qt sends palettes before the last widget, ``own_line``, is made.
        if event.type() == QEvent.Type.PaletteChange and "own_line" in vars(self):
            self._show_summaries()


def _summary(period: Period | None, word: Word) -> tuple[str, bool]:
    """Return the values of a word in short, and whether any is not its default."""
    if period is None:
        return "", False
    if word.shape is Shape.NUMBER:
        number = period.number(word.name)
        return shown_value(period, word, number), number != word.default_number
    if word.shape is Shape.TEXT:
        text = period.text(word.name)
        return text, text != word.default
    if word.shape is Shape.TEXTS:
        count = sum((text or "") != word.default for text in period.texts(word.name))
    elif word.shape is Shape.ROW:
        count = int(np.count_nonzero(period.row(word.name) != word.default_number))
    else:
        count = int(np.count_nonzero(period.table(word.name) != word.default_number))
    if count == 0:
        return "default", False
    return f"{count:,} set", True


def _help(word: Word) -> str:
    """Return the help of a word: its meaning, its default, and whether it has an effect."""
    sentences = [word.help]
    default = word.default or "empty"
    if word.arguments[0] == "bool":
        default = "no" if word.default == "0" else "yes"
    elif word.default == "-1" and describe_expected(word).startswith("the name"):
        default = "none"
    sentences.append(f"Default: {default}.")
    if word.not_implemented:
        sentences.append("The original program does nothing with it.")
    elif word.not_simulated:
        sentences.append("Kept in the file; nothing here depends on it.")
    return " ".join(sentences)
