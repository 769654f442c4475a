"""The inspector: every word of a period with its meaning and its values.

It puts two widgets together: ``WordTree``, the tree in which a word is chosen, and ``WordView``,
the values of the chosen word. A wide or high panel shows both; in a small one there is room for one
of them (``ShownParts``).
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from app.qt_guard import connect, guarded
from app.systems.xconq.period.word_tree import WordTree
from app.systems.xconq.period.word_view import WordView
from app.widgets.layout.builders import lay_out
from randomizer.systems.xconq.period.words import Shape, Word

if TYPE_CHECKING:
    from randomizer.systems.xconq.period.period import Period

MIN_WIDTH_BESIDE = 560
"""From this width on, in logical pixels, the values stand beside the words."""

MIN_HEIGHT_BELOW = 460
"""From this height on they stand below the words; in smaller panels there is one of both."""


class ShownParts(Enum):
    """The parts of the inspector that are shown."""

    BOTH = auto()

    WORDS = auto()
    """Only the tree, because the panel is small."""

    VALUES = auto()
    """Only the values, because the panel is small; a button leads back to the words."""


class Inspector(QWidget):
    """Shows a period; it changes nothing. Its signals are those of ``WordView``."""

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
        self._shown_parts = ShownParts.BOTH
        self.word_tree = WordTree()
        self.word_view = WordView()
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.setChildrenCollapsible(False)
        for index, part in enumerate((self.word_tree, self.word_view)):
            self.splitter.addWidget(part)
            self.splitter.setStretchFactor(index, 1)
        lay_out(QVBoxLayout(self), self.splitter, margins=(6, 6, 6, 6))
        connect(self.word_tree.word_changed, self._show_word)
        connect(self.word_tree.word_opened, self._open_word)
        connect(self.word_view.back_wanted, self._show_words)
        connect(self.word_view.typed, self.typed)
        connect(self.word_view.own_line_wanted, self.own_line_wanted)
        connect(self.word_view.line_wanted, self.line_wanted)
        connect(self.word_view.refused, self.refused)

    @property
    def word(self) -> Word | None:
        """The word whose values are shown, None for none."""
        return self.word_tree.word

    def choose(self, name: str) -> None:
        """Choose the word of this name; where there is room for its values, they are shown."""
        self.word_tree.choose(name)

    def show_period(self, period: Period | None) -> None:
        """Show the values of a period; the word and the cell of the table stay."""
        self.word_tree.show_period(period)
        self.word_view.show_period(period)

    def _show_word(self) -> None:
        """Show the values of the word that is chosen now."""
        self.word_view.show_word(self.word_tree.word)

    # --- the room for both parts ------------------------------------------------------------

    def _open_word(self) -> None:
        """Show the values of the chosen word, if need be in place of the words."""
        self._show_parts(prefer_values=self.word is not None)

    def _show_words(self) -> None:
        """Show the words again, with the values if there is room for both."""
        self._show_parts(prefer_values=False)

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put words and values below each other in a narrow panel, beside each other in others."""
        super().resizeEvent(event)
        orientation = Qt.Orientation.Vertical
        if event.size().width() >= MIN_WIDTH_BESIDE:
            orientation = Qt.Orientation.Horizontal
        if self.splitter.orientation() != orientation:
            self.splitter.setOrientation(orientation)
        shows_values_alone = self._shown_parts is ShownParts.VALUES
        self._show_parts(prefer_values=shows_values_alone and self.word is not None)

    def _show_parts(self, *, prefer_values: bool) -> None:
        """Show both parts, or where there is no room for both the preferred one."""
        if self._has_room_for_both(prefer_values=prefer_values):
            self._shown_parts = ShownParts.BOTH
        elif prefer_values:
            self._shown_parts = ShownParts.VALUES
        else:
            self._shown_parts = ShownParts.WORDS
        self.word_tree.setVisible(self._shown_parts is not ShownParts.VALUES)
        self.word_view.setVisible(self._shown_parts is not ShownParts.WORDS)
        self.word_view.back_button.setVisible(self._shown_parts is not ShownParts.BOTH)

    def _has_room_for_both(self, *, prefer_values: bool) -> bool:
        """Return whether the panel has room for the words and the values.

        In a narrow panel a table with a column for each type counts as needing all of the room if
        its values are preferred, that is once it is opened.
        """
        if self.width() >= MIN_WIDTH_BESIDE:
            return True
        word = self.word
        is_table_opened = prefer_values and word is not None and word.shape is Shape.TABLE
        return self.height() >= MIN_HEIGHT_BELOW and not is_table_opened
