"""The inspector: every word of a period with its meaning and its values."""

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
    shown_value,
    where_set,
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
from randomizer.systems.xconq.period.value_edits import Slot, setter, value_of, why_not_plain
from randomizer.systems.xconq.period.words import Shape, Word, words

if TYPE_CHECKING:
    from randomizer.systems.xconq.period.period import Period

BESIDE = 560
BELOW = 460
"""From this width on, in logical pixels, the values stand beside the words, from this height on
below them; in smaller panels there are either the words or the values, and so where the values
are a table of two kinds of types."""

WORD = Qt.ItemDataRole.UserRole

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
    """Shows a period; it changes nothing.

    ``typed(Slot, value)``: a value is to be changed where it is set. ``own_line_wanted(Slot,
    value)``: a new line is to set it. ``line_wanted(Slot)``: its line is to be shown.
    ``refused(str)``: what was typed is no value, as the words say.
    """

    typed = Signal(object, object)
    own_line_wanted = Signal(object, object)
    line_wanted = Signal(object)
    refused = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._period: Period | None = None
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
        self.where = plain_label(wordWrap=True)
        self.to_line = tool_button("Go to line", "Show where the value is set")
        self.own_line = tool_button(
            "Set here", "Append a line to the period that sets this value alone"
        )
        self._lay_out()
        self._fill_words()
        connect(self.search.textChanged, self._filter)
        connect(self.words.currentItemChanged, lambda *_items: self._show_word())
        connect(self.values.typed, self.typed)
        connect(self.values.refused, self.refused)
        connect(self.table.selectionModel().currentChanged, lambda *_at: self._show_where())
        connect(self.table.doubleClicked, self._on_double_click)
        connect(self.to_line.clicked, self._want_line)
        connect(self.own_line.clicked, self._want_own_line)
        connect(self.words.itemClicked, lambda _item: self._show_part(values=True))
        connect(self.words.itemActivated, lambda _item: self._show_part(values=True))
        connect(self.search.returnPressed, lambda: self._show_part(values=True))
        connect(self.back.clicked, lambda: self._show_part(values=False))
        self._show_word()

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
        parts = search.lower().split()
        matches: list[Word] = []
        for word, item in self._items.items():
            text = f"{word.name} {word.title} {word.help} {word.group}".lower()
            fits = all(part in text for part in parts)
            item.setHidden(not fits)
            matches += [word] if fits else []
        groups = {word.group for word in matches}
        for name, group in self.groups.items():
            group.setHidden(name not in groups)
        if matches and parts and self.word not in matches:
            self.words.setCurrentItem(self._items[matches[0]])

    @property
    def word(self) -> Word | None:
        """The word whose values are shown."""
        item = self.words.currentItem()
        result: Word | None = None if item is None else item.data(0, WORD)
        return result

    def choose(self, name: str) -> None:
        """Show the values of a word."""
        self.words.setCurrentItem(self._items[words()[name]])

    # --- the period -------------------------------------------------------------------------

    def show_period(self, period: Period | None) -> None:
        """Show the values of a period; the word and the cell of the table stay."""
        self._period = period
        self._show_summaries()
        at = self.table.currentIndex()
        row_and_column = (at.row(), at.column())
        self.values.show_word(period, self.word)
        if at.isValid():
            self.table.setCurrentIndex(self.values.index(*row_and_column))
        self._show_where()

    def _show_summaries(self) -> None:
        dimmed = QBrush(self.palette().color(QPalette.ColorRole.PlaceholderText))
        usual = QBrush(self.palette().color(QPalette.ColorRole.Text))
        for word, item in self._items.items():
            summary, is_set = _summary(self._period, word)
            item.setText(1, summary)
            item.setForeground(1, usual if is_set else dimmed)

    def _show_word(self) -> None:
        word = self.word
        self.values.show_word(self._period, word)
        self.title.setText("" if word is None else f"{word.title} ({word.usage})")
        self.help.setText("Choose a word to see its values." if word is None else _help(word))
        self.table.setVisible(word is not None)
        if word is not None and self.values.rowCount():
            self.table.setCurrentIndex(self.values.index(0, 0))
        self._show_where()

    # --- one value --------------------------------------------------------------------------

    def _slot(self) -> Slot | None:
        index = self.table.currentIndex()
        if index.isValid() and self.word is not None:
            return self.values.slot(index)
        return None

    def _show_where(self) -> None:
        period = self._period
        slot = self._slot()
        self.to_line.setVisible(period is not None and slot is not None)
        self.own_line.setVisible(False)
        if period is None or slot is None:
            self.where.setText("")
            return
        span = self.values.place(self.table.currentIndex())
        self.where.setText(f"{span}. {where_set(period, slot)}".removeprefix(". "))
        self.to_line.setEnabled(setter(period, slot) is not None)
        self.own_line.setVisible(why_not_plain(period, slot) is not None)

    def _on_double_click(self, index: QModelIndex) -> None:
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

    def _show_part(self, *, values: bool) -> None:
        """Show the values, or the words, where there is no room for both."""
        table = values and self.word is not None and self.word.shape is Shape.TABLE
        low = self.width() < BESIDE and (table or self.height() < BELOW)
        self.back.setVisible(low)
        self.values_part.setVisible(not low or (values and self.word is not None))
        self.words_part.setVisible(not low or self.values_part.isHidden())

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Words and values below each other in a narrow panel, one of them in a small one."""
        super().resizeEvent(event)
        wide = event.size().width() >= BESIDE
        way = Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical
        if self.splitter.orientation() != way:
            self.splitter.setOrientation(way)
        self._show_part(values=self.words_part.isHidden())

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        """Other colours."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and "own_line" in vars(self):
            self._show_summaries()


def _summary(period: Period | None, word: Word) -> tuple[str, bool]:
    """Return what a word says of a period in short, and whether anything is not its default."""
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
    else:
        values = period.row if word.shape is Shape.ROW else period.table
        count = int(np.count_nonzero(values(word.name) != word.default_number))
    return (f"{count:,} set" if count else "default"), bool(count)


def _help(word: Word) -> str:
    """Return what a word means, and what is not known from its name."""
    parts = [word.help]
    default = word.default or "empty"
    if word.arguments[0] == "bool":
        default = "no" if word.default == "0" else "yes"
    elif word.default == "-1" and describe_expected(word).startswith("the name"):
        default = "none"
    parts.append(f"Default: {default}.")
    if word.not_implemented:
        parts.append("The original program does nothing with it.")
    elif word.not_simulated:
        parts.append("Kept in the file; nothing here depends on it.")
    return " ".join(parts)
