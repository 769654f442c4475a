"""A line for whole numbers that may be larger than a spin box can hold: seeds, map numbers."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QValidator
from PySide6.QtWidgets import QLineEdit, QWidget


class _Range(QValidator):
    """Digits that make a number below a limit."""

    def __init__(self, limit: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._limit = limit

    def validate(self, text: str, position: int) -> QValidator.State:
        """Nothing may become a number; anything but digits, or too large a number, may not."""
        if not text:
            return QValidator.State.Intermediate
        fits = text.isascii() and text.isdigit() and int(text) < self._limit
        return QValidator.State.Acceptable if fits else QValidator.State.Invalid


class NumberField(QLineEdit):
    """A whole number from 0 to ``limit`` - 1. ``typed(int)``: the user made it another one."""

    typed = Signal(object)

    def __init__(self, limit: int, parent: QWidget | None = None) -> None:
        super().__init__("0", parent)
        self._value = 0
        self.setValidator(_Range(limit, self))
        self.setMaxLength(len(str(limit - 1)))
        self.textEdited.connect(self._read)
        self.editingFinished.connect(lambda: self.show_value(self._value))

    @property
    def value(self) -> int:
        """The number; what was there before while the line is empty."""
        return self._value

    def show_value(self, value: int) -> None:
        """Show another number."""
        self._value = value
        if self.text() != str(value):
            self.setText(str(value))

    def _read(self, text: str) -> None:
        if text and int(text) != self._value:
            self._value = int(text)
            self.typed.emit(self._value)
