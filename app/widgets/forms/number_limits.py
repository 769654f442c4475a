"""Tells the user which numbers a field takes, when the user types one that it does not take.

    NumberLimits(field, 0, 4)  # below the field: "0 to 4"; once it is left: "Rivers: 0 to 4"

The first message is a tool tip below the field, which disappears when the field loses the keyboard
focus. So a second one follows then, in the status line of the window or, in a dialog, below the
field.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QDoubleSpinBox,
    QLineEdit,
    QMainWindow,
    QSpinBox,
    QWidget,
)

from app.qt_guard import connect, guarded, later
from app.widgets.layout.builders import MESSAGE_MS, say_below, stop_saying

TEMPORARY_REASONS = (
    Qt.FocusReason.PopupFocusReason,
    Qt.FocusReason.MenuBarFocusReason,
    Qt.FocusReason.ActiveWindowFocusReason,
)
"""The reasons for which a field loses the focus and gets it back: a menu, another window."""


class NumberLimits(QObject):
    """Tells the limits of a field when a key is refused or the typed number is out of range.

    It is a child of the field and needs no reference.
    """

    def __init__(
        self, field: QLineEdit | QSpinBox | QDoubleSpinBox, minimum: float, maximum: float
    ) -> None:
        super().__init__(field)
        self._field = field
        self._text = f"{minimum:,} to {maximum:,}"
        self._is_refused = False
        """True from a key or text that was refused until the limits were told again, when the field
        is left."""
        if isinstance(field, QLineEdit):
            line = field
        else:
            line = field.lineEdit()
        connect(line.textEdited, self._on_edited)
        connect(line.inputRejected, self._show_limits)  # Qt refuses a digit that makes it too large
        connect(line.returnPressed, self._show_limits_again)
        field.installEventFilter(self)

    def _on_edited(self, _text: str) -> None:
        """Tell the limits as soon as the text is no number that the field takes."""
        if self._field.hasAcceptableInput():
            self._is_refused = False
            stop_saying(self._text)
        else:
            self._show_limits()

    def _show_limits(self) -> None:
        """Tell the limits below the field, and once more when it is left."""
        self._is_refused = True
        say_below(self._field, self._text)

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Tell the limits again when the field loses the focus, unless that is for a while only.

        In a line with a wrong number Enter is refused, too: the window would use the last number.
        """
        if _is_enter(event) and self._has_wrong_text():
            self._show_limits()
            return True
        if event.type() == QEvent.Type.FocusOut:
            assert isinstance(event, QFocusEvent)
            if event.reason() not in TEMPORARY_REASONS:
                self._show_limits_again()
        return super().eventFilter(watched, event)

    def _has_wrong_text(self) -> bool:
        """Return whether the field is a line with a text that is no number that it takes."""
        if not isinstance(self._field, QLineEdit):
            return False
        return bool(self._field.text()) and not self._field.hasAcceptableInput()

    def _show_limits_again(self) -> None:
        """Tell the limits a second time, if the last text was refused."""
        if not self._is_refused:
            return
        self._is_refused = False
        say_after_typing(self._field, self._text)


def _is_enter(event: QEvent) -> bool:
    """Return whether an event is a press of Enter, on the keypad or not."""
    if event.type() != QEvent.Type.KeyPress:
        return False
    assert isinstance(event, QKeyEvent)
    return event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)


def say_after_typing(field: QWidget, text: str) -> None:
    """Show a text about a field that was left: in the status line, or in a dialog below the field.

    It is shown later, from the event loop: other slots of the same event would hide a tool tip.
    """
    name = field.accessibleName()
    named_text = text
    if name:
        named_text = f"{name[:1].upper()}{name[1:]}: {text}"
    later(field, lambda: _say_for_field(field, named_text))


def _say_for_field(field: QWidget, text: str) -> None:
    """Show a text in the status line of the window of a field; below the field if it has none."""
    window: QWidget | None = field
    while window is not None and not isinstance(window, QDialog | QMainWindow):
        window = window.parentWidget()
    if isinstance(window, QMainWindow):
        window.statusBar().showMessage(text, MESSAGE_MS)
    elif field.isVisible():
        say_below(field, text)
