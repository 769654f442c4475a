"""The words of a period in a tree, by groups, with a search above it.

Beside each word the tree shows in short what the period says of it: its value, or how many of its
values are set.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QBrush, QPalette
from PySide6.QtWidgets import (
    QHeaderView,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.qt_guard import connect, guarded
from app.systems.xconq.period.value_texts import shown_value
from app.widgets.layout.builders import described, lay_out, plain_text
from randomizer.systems.xconq.period.period import value_words
from randomizer.systems.xconq.period.words import Shape, Word, words

if TYPE_CHECKING:
    from randomizer.systems.xconq.period.period import Period

WORD = Qt.ItemDataRole.UserRole
"""The role of the ``Word`` of an item of the tree; groups have none."""


class WordTree(QWidget):
    """The tree, in which one word can be chosen, and its search."""

    word_changed = Signal()
    """``word`` is another one now, or None."""

    word_opened = Signal()
    """The user wants to see the values of the word: it was clicked, or Enter was pressed."""

    def __init__(self) -> None:
        super().__init__()
        self._period: Period | None = None
        self.groups: dict[str, QTreeWidgetItem] = {}
        """The items of the groups, by their names."""
        self._items: dict[Word, QTreeWidgetItem] = {}
        """The items of the words."""
        self.search = self._make_search()
        self.tree = self._make_tree()
        self._fill_tree()
        lay_out(QVBoxLayout(self), self.search, (self.tree, 1), margins=0, spacing=4)
        connect(self.search.textChanged, self._filter)
        connect(self.search.returnPressed, self.word_opened)
        connect(self.tree.currentItemChanged, lambda *_items: self.word_changed.emit())
        connect(self.tree.itemClicked, lambda *_item: self.word_opened.emit())
        connect(self.tree.itemActivated, lambda *_item: self.word_opened.emit())

    @property
    def word(self) -> Word | None:
        """The chosen word, None for none."""
        item = self.tree.currentItem()
        if item is None:
            return None
        word: Word | None = item.data(0, WORD)
        return word

    def choose(self, name: str) -> None:
        """Choose the word of this name."""
        self.tree.setCurrentItem(self._items[words()[name]])

    def show_period(self, period: Period | None) -> None:
        """Show beside each word what a period says of it; the chosen word stays."""
        self._period = period
        self._show_summaries()

    # --- construction -----------------------------------------------------------------------

    def _make_search(self) -> QLineEdit:
        search = described(QLineEdit(), "Search the words", "Parts of a word or its meaning")
        search.setPlaceholderText("Search")
        search.setClearButtonEnabled(True)
        return search

    def _make_tree(self) -> QTreeWidget:
        tree = described(QTreeWidget(), "Words of the period")
        tree.setColumnCount(2)
        tree.setHeaderLabels(["Word", "Value"])
        tree.setRootIsDecorated(True)
        tree.setUniformRowHeights(True)
        tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        tree.header().setStretchLastSection(True)
        tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        return tree

    def _fill_tree(self) -> None:
        """Add all words to the tree, by their groups."""
        for word in value_words():
            if word.group not in self.groups:
                self.groups[word.group] = self._make_group(word.group)
            item = QTreeWidgetItem(self.groups[word.group], [word.name])
            item.setData(0, WORD, word)
            item.setToolTip(0, plain_text(f"{word.title}: {word.help}"))
            self._items[word] = item

    def _make_group(self, name: str) -> QTreeWidgetItem:
        """Return the item of a group, which is open and cannot be chosen."""
        group = QTreeWidgetItem(self.tree, [name])
        group.setFlags(Qt.ItemFlag.ItemIsEnabled)
        group.setFirstColumnSpanned(True)
        group.setExpanded(True)
        return group

    # --- the search -------------------------------------------------------------------------

    def _filter(self, search: str) -> None:
        """Show the words that have all parts of the search in their texts, and hide the others.

        If the chosen word is hidden by that, the first one that is shown is chosen.
        """
        parts = search.lower().split()
        matches: list[Word] = []
        for word, item in self._items.items():
            text = f"{word.name} {word.title} {word.help} {word.group}".lower()
            is_match = all(part in text for part in parts)
            item.setHidden(not is_match)
            if is_match:
                matches.append(word)
        groups_of_matches = {word.group for word in matches}
        for name, group in self.groups.items():
            group.setHidden(name not in groups_of_matches)
        if matches and parts and self.word not in matches:
            self.tree.setCurrentItem(self._items[matches[0]])

    # --- the summaries ----------------------------------------------------------------------

    def _show_summaries(self) -> None:
        """Show the summaries of all words; those of defaults are dimmed."""
        dimmed = QBrush(self.palette().color(QPalette.ColorRole.PlaceholderText))
        usual = QBrush(self.palette().color(QPalette.ColorRole.Text))
        for word, item in self._items.items():
            summary = summary_of(self._period, word)
            item.setText(1, summary.text)
            if summary.is_set:
                item.setForeground(1, usual)
            else:
                item.setForeground(1, dimmed)

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        """Dim the defaults in the colours of another palette."""
        super().changeEvent(event)
        # Qt sends the first palette within the constructor, before there are words.
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_items"):
            self._show_summaries()


class Summary(NamedTuple):
    """The values of a word in short."""

    text: str
    """The only value of a word, or the number of values that are set ("12 set")."""

    is_set: bool
    """True if any value is not the default of the word."""


def summary_of(period: Period | None, word: Word) -> Summary:
    """Return what a period says of a word; an empty summary without a period."""
    if period is None:
        return Summary("", is_set=False)
    if word.shape is Shape.NUMBER:
        number = period.number(word.name)
        return Summary(shown_value(period, word, number), number != word.default_number)
    if word.shape is Shape.TEXT:
        text = period.text(word.name)
        return Summary(text, text != word.default)
    count = _count_set(period, word)
    if count == 0:
        return Summary("default", is_set=False)
    return Summary(f"{count:,} set", is_set=True)


def _count_set(period: Period, word: Word) -> int:
    """Return how many values of a word with a value for each type are not its default."""
    if word.shape is Shape.TEXTS:
        return sum((text or "") != word.default for text in period.texts(word.name))
    if word.shape is Shape.ROW:
        return int(np.count_nonzero(period.row(word.name) != word.default_number))
    return int(np.count_nonzero(period.table(word.name) != word.default_number))
