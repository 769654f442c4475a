"""What is typed into fields and what the wheel does there: keys, values that count, scrolling."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

from app.qt_guard import guarded

AnyField = TypeVar("AnyField", bound=QWidget)


def pass_wheel_on(field: AnyField) -> AnyField:
    """Let the wheel over a field scroll what the field stands in; return the field.

    Qt changes a choice or a number by the wheel, and whoever scrolls a form does not look at the
    field that happens to be below the pointer. It stays so while the field has the keyboard.
    """
    field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # the wheel does not give it the keyboard
    field.installEventFilter(_WheelFilter(field))
    return field


class _WheelFilter(QObject):
    """Passes the wheel events of a field on to its parent."""

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Wheel:
            event.ignore()
            return True
        return super().eventFilter(watched, event)


def commit_typed_value() -> None:
    """Make the field that has the keyboard report what was typed, as if it were left.

    A shortcut and a click on a tab or a tool bar leave the keyboard in the field.
    """
    field = QApplication.focusWidget()
    if isinstance(field, QAbstractSpinBox):
        field.interpretText()
    elif isinstance(field, QLineEdit) and field.isModified():
        field.editingFinished.emit()
        field.setModified(False)  # once: what shows it may follow a moment later


_WORDS = (
    QKeySequence.StandardKey.DeleteEndOfWord,
    QKeySequence.StandardKey.DeleteStartOfWord,
    QKeySequence.StandardKey.DeleteCompleteLine,
    QKeySequence.StandardKey.DeleteEndOfLine,
)


def is_text_key(widget: QWidget | None, event: QEvent) -> bool:
    """Return whether a key event deletes a word or the rest of a line in the text field ``widget``.

    Qt's fields override shortcuts by most of their keys, but not by these.
    """
    writes = isinstance(widget, (QLineEdit, QPlainTextEdit, QTextEdit)) and not widget.isReadOnly()
    return writes and isinstance(event, QKeyEvent) and any(event.matches(key) for key in _WORDS)
