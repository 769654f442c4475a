"""What is typed into fields and what the wheel does there: keys, values that count, scrolling."""

from __future__ import annotations

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


class WheelFilter(QObject):
    """Passes wheel events of a field on to its parent, unless the field has the focus."""

    def watch(self, field: QWidget) -> None:
        """Filter this field; the wheel does not give it the focus either."""
        field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        field.installEventFilter(self)

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        wheel = event.type() == QEvent.Type.Wheel
        if wheel and isinstance(watched, QWidget) and not watched.hasFocus():
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
