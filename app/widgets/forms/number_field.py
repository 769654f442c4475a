"""A field for whole numbers that are too large for a QSpinBox: seeds, and the numbers of maps::

field = NumberField(2**32)          # from 0 to 4294967295
connect(field.typed, set_seed)
field.show_value(7)
"""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QFocusEvent, QValidator
from PySide6.QtWidgets import QLineEdit, QWidget

from app.qt_guard import connect, guarded
from app.widgets.forms.number_limits import TEMPORARY_REASONS, NumberLimits
from app.widgets.forms.undo_keys import leave_undo_to_desk


class _DigitsBelow(QValidator):
    """Accepts digits that make a number below a limit.

    A text with other characters can be typed, but is no number. If only the digits of it could be
    typed, "abc-5" would become 5, which nobody meant.
    """

    def __init__(self, limit: int, max_digits: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._limit = limit
        self._max_digits = max_digits

    @guarded(default=QValidator.State.Intermediate)
    def validate(self, text: str, position: int) -> QValidator.State:
        """Return whether a text can stay: Qt refuses keys that would make it Invalid.

        Intermediate can stay, but is no number: such as the empty text.
        """
        # A text that is too long is refused as a whole: of one that is cut off, as by a greatest
        # length of the field, a number would be left that nobody meant.
        if len(text) > self._max_digits:
            return QValidator.State.Invalid
        # ``isdigit`` alone takes digits of all scripts.
        has_digits_alone = text.isascii() and text.isdigit()
        if not has_digits_alone:
            return QValidator.State.Intermediate
        if int(text) < self._limit:
            return QValidator.State.Acceptable
        return QValidator.State.Invalid


class NumberField(QLineEdit):
    """A field for a whole number from 0 to ``limit`` - 1."""

    typed = Signal(object)
    """The user has changed the number, to this int: an object, as a Signal(int) has 32 bits."""

    left = Signal()
    """The field has lost the keyboard, not only for a while."""

    def __init__(self, limit: int, parent: QWidget | None = None) -> None:
        super().__init__("0", parent)
        self._number: int | None = 0
        """The number that was shown or typed last; None if there is none (``show_none``).

        While the user types the text may be another one, or no number.
        """
        self.max_digits = len(str(limit - 1))
        """The number of digits of the largest number."""
        self.setValidator(_DigitsBelow(limit, self.max_digits, self))
        NumberLimits(self, 0, limit - 1)  # a child of the field: it lives as long
        leave_undo_to_desk(self)
        connect(self.textEdited, self._on_text_edited)
        connect(self.returnPressed, self._forget_edits)

    @property
    def value(self) -> int:
        """The number that was shown or typed last; 0 after ``show_none``."""
        return self._number or 0

    def show_value(self, value: int) -> None:
        """Show a number without emitting ``typed``."""
        self._number = value
        if self.text() != str(value):
            self.setText(str(value))
            self.setCursorPosition(0)  # a field that is too narrow shows how the number begins

    def show_none(self) -> None:
        """Show that there is no number: the field is empty until one is typed or shown."""
        self._number = None
        self.clear()

    @guarded
    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Show the last number again in a field without one, if there is a last one."""
        super().focusOutEvent(event)
        if event.reason() in TEMPORARY_REASONS:
            return
        if self._number is None:
            self.show_none()
        else:
            self.show_value(self._number)
        self.left.emit()

    def _forget_edits(self) -> None:
        """Let Undo be that of the map again after Enter: what was typed has had its effect.

        Undo belongs to the field as long as that has edits to take back.
        """
        position = self.cursorPosition()
        self.setText(self.text())  # Qt forgets the edits of a text that is set anew
        self.setCursorPosition(position)

    def _on_text_edited(self, text: str) -> None:
        """Note the number that was typed, and emit it; without a number the last one holds."""
        if self.hasAcceptableInput() and int(text) != self._number:
            self._number = int(text)
            self.typed.emit(self._number)
