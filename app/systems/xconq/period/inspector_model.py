"""The values of one word of a period as the model of a table view.

A *word* of a period, such as ``speed``, has a value for each type, for each pair of types, or a
single one. A ``Slot`` is one such value: the word and its types. ``moves`` has one for each pair of
a unit type and a terrain type::

                 sea    land        the columns: the first index of the word
    infantry     -1     0
    ship          0     -1          the cell "ship", "land" is Slot("moves", 1, 1)

``value_texts`` turns values into texts and back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QBrush, QPalette
from PySide6.QtWidgets import QApplication

from app.qt_guard import guarded
from app.systems.xconq.period.value_texts import (
    describe_expected,
    describe_slot,
    is_default,
    shown_value,
    typed_value,
)
from app.widgets.layout.builders import plain_text
from randomizer.systems.xconq.period.slots import Slot, value_of
from randomizer.systems.xconq.period.value_edits import why_not_plain
from randomizer.systems.xconq.period.words import Shape, Word

if TYPE_CHECKING:
    from randomizer.systems.xconq.period.period import Period

Index = QModelIndex | QPersistentModelIndex
"""The index of a cell: Qt passes either to a model."""

Role = Qt.ItemDataRole


class WordValues(QAbstractTableModel):
    """A table with a row for each type of the word's last index, a column for each of the first.

    A number or text without an index is a table of one cell. A value that is the default is dimmed.
    A cell can be edited if no line of the text sets its value yet, or if one plain value in the
    text does. The model changes nothing itself: its owner changes the text on ``typed``.
    """

    typed = Signal(object, object)
    """Another value was typed: its ``Slot``, and the int or str."""

    refused = Signal(str)
    """A text was typed that is no value of the word; the argument is a message about it."""

    def __init__(self) -> None:
        super().__init__()
        self._period: Period | None = None
        """The period of the values; None for an empty table."""
        self._word: Word | None = None
        """The word whose values are shown; None for an empty table."""

    def show_word(self, period: Period | None, word: Word | None) -> None:
        """Show the values of a word."""
        self.beginResetModel()
        self._period = period
        self._word = word
        self.endResetModel()

    def slot(self, index: Index) -> Slot:
        """Return the value at a cell."""
        assert self._word is not None
        shape = self._word.shape
        if shape in (Shape.NUMBER, Shape.TEXT):
            return Slot(self._word.name)
        if shape is Shape.TABLE:
            return Slot(self._word.name, index.row(), index.column())
        return Slot(self._word.name, index.row())

    @guarded(default=0)
    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """Return the number of types of the last index; 1 without an index."""
        if parent.isValid() or self._period is None or self._word is None:
            return 0
        indices = self._word.indices
        if indices:
            return len(self._period.types(indices[-1]))
        return 1

    @guarded(default=0)
    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Return the number of types of the first of two indices; 1 with fewer."""
        if parent.isValid() or self._period is None or self._word is None:
            return 0
        indices = self._word.indices
        if len(indices) > 1:
            return len(self._period.types(indices[0]))
        return 1

    @guarded(default=None)
    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole
    ) -> object:
        """Return the name of the type of a row or column; "Value" above a single column."""
        if self._period is None or self._word is None:
            return None
        indices = self._word.indices
        is_vertical = orientation == Qt.Orientation.Vertical
        if not indices and is_vertical:
            return None
        if len(indices) < 2 and not is_vertical:
            if role == Role.DisplayRole:
                return "Value"
            return None
        kind = indices[0]
        if is_vertical:
            kind = indices[-1]
        entry = self._period.types(kind)[section]
        if role == Role.DisplayRole:
            return entry.name
        if role == Role.ToolTipRole:
            return plain_text(f"{entry.char}  {entry.name}")
        return None

    @guarded(default=None)
    def data(self, index: Index, role: int = Role.DisplayRole) -> object:
        """Return the text of a value, its colour, its alignment, or a tool tip with its line."""
        period = self._period
        word = self._word
        if period is None or word is None or not index.isValid():
            return None
        slot = self.slot(index)
        if role in (Role.DisplayRole, Role.EditRole):
            return shown_value(period, word, value_of(period, slot))
        if role == Role.ForegroundRole and is_default(period, word, slot):
            return QBrush(QApplication.palette().color(QPalette.ColorRole.PlaceholderText))
        if role == Role.TextAlignmentRole and word.shape not in (Shape.TEXT, Shape.TEXTS):
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role == Role.ToolTipRole:
            return plain_text(describe_slot(period, slot))
        return None

    @guarded(default=Qt.ItemFlag.NoItemFlags)
    def flags(self, index: Index) -> Qt.ItemFlag:
        """Return that a cell can be selected, and edited if its value can be typed over."""
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if self._period is not None and why_not_plain(self._period, self.slot(index)) is None:
            flags |= Qt.ItemFlag.ItemIsEditable
        return flags

    @guarded(default=False)
    def setData(self, index: Index, value: object, role: int = Role.EditRole) -> bool:
        """Emit the value that was typed, or a message if the text is no value.

        The value changes only later, when the changed text has been read: so False is returned.
        """
        period = self._period
        word = self._word
        if role != Role.EditRole or period is None or word is None:
            return False
        slot = self.slot(index)
        old_value = value_of(period, slot)
        if value == shown_value(period, word, old_value):
            return False  # such as "none", which is shown for no terrain type but cannot be set
        new_value = typed_value(period, word, str(value))
        if new_value is None:
            self.refused.emit(f"“{value}” is not {describe_expected(word)}.")
        elif new_value != old_value:
            self.typed.emit(slot, new_value)
        return False
