"""A field for whole numbers too large for a QSpinBox: seeds, map numbers."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QValidator
from PySide6.QtWidgets import QLineEdit, QWidget

from app.qt_guard import connect, guarded
from app.widgets.layout.builders import say_below


class _Range(QValidator):
    """Accepts digits that make a number below a limit."""

    def __init__(self, limit: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._limit = limit

    @guarded(default=QValidator.State.Intermediate)
    def validate(self, text: str, position: int) -> QValidator.State:
        """Intermediate for "", Acceptable for a number below the limit, else Invalid."""
        if not text:
            return QValidator.State.Intermediate
        fits = text.isascii() and text.isdigit() and int(text) < self._limit
        return QValidator.State.Acceptable if fits else QValidator.State.Invalid


COMES_BACK = (
    Qt.FocusReason.PopupFocusReason,
    Qt.FocusReason.MenuBarFocusReason,
    Qt.FocusReason.ActiveWindowFocusReason,
)
"""Reasons to lose the keyboard for a while: a menu, another window."""


class NumberField(QLineEdit):
    """A whole number from 0 to ``limit`` - 1. ``typed(int)``: the user has changed it.

    ``left()``: the keyboard is with something else now.
    """

    typed = Signal(object)
    left = Signal()

    def __init__(self, limit: int, parent: QWidget | None = None) -> None:
        super().__init__("0", parent)
        self._value = 0
        self._is_blank = False
        self.setValidator(_Range(limit, self))
        self.setMaxLength(len(str(limit - 1)))
        self._limit = limit
        connect(self.textEdited, self._read)
        connect(self.inputRejected, self._say_what_fits)

    @property
    def value(self) -> int:
        """The number; while the field is empty, the last one."""
        return self._value

    def show_value(self, value: int) -> None:
        """Show a number without emitting ``typed``."""
        self._value = value
        self._is_blank = False
        if self.text() != str(value):
            self.setText(str(value))
            self.setCursorPosition(0)  # a field that is too narrow shows how the number begins

    def show_none(self) -> None:
        """Show that there is no number: the field is empty until one is typed or shown."""
        self._value = 0
        self._is_blank = True
        self.clear()

    @guarded
    def focusOutEvent(self, event: QFocusEvent) -> None:
        """An empty field shows the number again, if there is one."""
        super().focusOutEvent(event)
        if event.reason() not in COMES_BACK:
            if self._is_blank:
                self.show_none()
            else:
                self.show_value(self._value)
            self.left.emit()

    def _say_what_fits(self) -> None:
        """Say below the field what can be typed, when a key was refused."""
        say_below(self, f"A whole number from 0 to {self._limit - 1:,}")

    def _read(self, text: str) -> None:
        if text and (self._is_blank or int(text) != self._value):
            self._is_blank = False
            self._value = int(text)
            self.typed.emit(self._value)
