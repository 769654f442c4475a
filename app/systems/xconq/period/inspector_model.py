"""The values of one word of a period as a table, and how values are shown and typed.

A *word* of a period, such as ``speed``, has a value for each type, for each pair of types, or a
single one. A ``Slot`` is one such value: the word and its indices. The inspector shows the values
in a table view whose model is ``WordValues``; the functions around it turn values into texts
(``shown_value``) and texts into values (``typed_value``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QBrush, QPalette
from PySide6.QtWidgets import QApplication

from app.qt_guard import guarded
from app.widgets.layout.builders import plain_text
from randomizer.systems.xconq.period.slots import Slot, names_of, setter, value_of
from randomizer.systems.xconq.period.value_edits import why_not_plain
from randomizer.systems.xconq.period.words import (
    NOTHING,
    TERRAINS,
    UNITS,
    Shape,
    Word,
)

if TYPE_CHECKING:
    from randomizer.systems.xconq.period.period import Period

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole

MOST_DIGITS = 5
"""No number of a period has more digits; one that is too large all the same is refused later."""

YES_NO = {"yes": 1, "true": 1, "1": 1, "no": 0, "false": 0, "0": 0}
"""The texts that can be typed for a word that is true or false, and their values."""

NO_TYPE = {UNITS: "nothing", TERRAINS: "none"}
"""The text of "no type", by the kind of types that a word has as its value."""


def shown_value(period: Period, word: Word, value: int | str | None) -> str:
    """Return the text of a value: "yes" or "no", the name of a type, a number, or itself.

    "" for None, which is no value.
    """
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    kind = word.arguments[0]
    if kind == "bool" and value == 1:
        return "yes"
    if kind == "bool" and value == 0:
        return "no"
    if kind in NO_TYPE:
        types = period.types(kind)
        if 0 <= value < len(types):
            return types[value].name
        return NO_TYPE[kind]
    return str(value)


def typed_value(period: Period, word: Word, text: str) -> int | str | None:
    """Return the value of a typed text; None if the word cannot have it.

    A type is typed by its name or its character; a percent sign behind a number is ignored.
    """
    kind = word.arguments[0]
    if word.shape in (Shape.TEXT, Shape.TEXTS):
        return text
    text = text.strip().removesuffix("%").strip()
    if kind == "bool" and text.lower() in YES_NO:
        return YES_NO[text.lower()]
    if kind in NO_TYPE:
        return _typed_type(period, kind, text)
    digits = text.removeprefix("-")
    if digits.isdecimal() and digits.isascii() and len(digits) <= MOST_DIGITS:
        return int(text)
    return None


def _typed_type(period: Period, kind: str, text: str) -> int | None:
    """Return the number of the type with this name or character; None if there is none.

    A text that fits several types means none of them.
    """
    types = period.types(kind)
    names = [entry.name for entry in types]
    if names.count(text) == 1:
        return names.index(text)
    chars = [entry.char for entry in types]
    if chars.count(text) == 1:
        return chars.index(text)
    if kind == UNITS and text == NO_TYPE[kind]:
        return NOTHING
    return None


class WordValues(QAbstractTableModel):
    """A table with a row for each type of the word's last index, a column for each of the first.

    A number or text without an index is a table of one cell. A value that is the default is dimmed.
    A value can be typed over if nothing sets it yet, or one plain value in the text does. The model
    changes nothing itself: its owner does so when a value was typed.
    """

    typed = Signal(object, object)
    """Another value was typed: its ``Slot``, and the int or str."""

    refused = Signal(str)
    """A text was typed that is no value of the word; this message says so."""

    def __init__(self) -> None:
        super().__init__()
        self._period: Period | None = None
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
        """Return the text of a value, dimmed if it is the default; a tool tip says what sets it."""
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
        """Emit the value that was typed, or why it is none."""
        period = self._period
        word = self._word
        if role != Role.EditRole or period is None or word is None:
            return False
        slot = self.slot(index)
        new_value = typed_value(period, word, str(value))
        if new_value is None:
            self.refused.emit(f"“{value}” is not {describe_expected(word)}.")
        elif new_value != value_of(period, slot):
            self.typed.emit(slot, new_value)
        # False, since the value is not set yet: the period is read again when its text has changed.
        return False


def describe_expected(word: Word) -> str:
    """Return a text on what can be typed for a word, such as "yes or no"."""
    kind = word.arguments[0]
    if kind == "bool":
        return "yes or no"
    if kind in NO_TYPE:
        return f"the name of a {kind} type"
    return "a whole number"


def is_default(period: Period, word: Word, slot: Slot) -> bool:
    """Return whether a value equals that of a period which does not set it."""
    value = value_of(period, slot)
    if word.shape in (Shape.TEXT, Shape.TEXTS):
        return (value or "") == word.default
    return value == word.default_number


def describe_slot(period: Period, slot: Slot) -> str:
    """Return the types of a value, if it has any, and where it is set, as sentences."""
    names = names_of(period, slot)
    if not names:
        return where_set(period, slot)
    return f"{', '.join(names)}. {where_set(period, slot)}"


def where_set(period: Period, slot: Slot) -> str:
    """Return a text that tells where a value is set, and whether it can be changed there."""
    assignment = setter(period, slot)
    if assignment is None:
        return "Not set: this is the default."
    obstacle = why_not_plain(period, slot)
    if obstacle is not None:
        return obstacle.why
    return f"Set in line {assignment.place.line}."
