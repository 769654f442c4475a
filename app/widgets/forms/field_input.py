"""Input in fields of all kinds: the wheel, texts that are still being typed, keys of texts.

Three things of Qt's fields do not suit the desk, and are mended here. The wheel over a field
changes its value (``pass_wheel_on``). What is typed is only reported when the field is left, which
a shortcut does not do (``commit_typed_value``). Ctrl+Delete in a text is a shortcut of the window
before it is a key of the field (``is_text_key``).
"""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

from app.qt_guard import guarded
from app.widgets.forms.long_text import LongText

AnyField = TypeVar("AnyField", bound=QWidget)


def pass_wheel_on(field: AnyField) -> AnyField:
    """Let the wheel over a field scroll the form that the field is in; return the field.

    Qt changes a choice or a number by the wheel, and whoever scrolls a form does not look at the
    field that happens to be below the pointer. It is so also while the field has the keyboard.
    """
    field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # the wheel does not give it the keyboard
    field.installEventFilter(_WheelFilter(field))
    return field


class _WheelFilter(QObject):
    """Passes the wheel events of a field on to its parent."""

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Wheel:
            event.ignore()  # Qt gives an ignored event to the parent
            return True
        return super().eventFilter(watched, event)


def is_field(widget: QWidget) -> bool:
    """Return whether a widget is a field of a form into which one types."""
    if isinstance(widget, QComboBox):
        return widget.isEditable()
    return isinstance(widget, QLineEdit | QAbstractSpinBox | LongText)


def commit_typed_value() -> None:
    """Make the field that has the keyboard report what was typed, as if it were left.

    A shortcut and a click on a tab or a tool bar leave the keyboard in the field.
    """
    field = QApplication.focusWidget()
    if isinstance(field, QComboBox):
        field = field.lineEdit()  # it has the text of the box; None if no text can be typed
    if isinstance(field, QAbstractSpinBox):
        field.interpretText()
    elif isinstance(field, QLineEdit) and field.isModified():
        field.editingFinished.emit()
        field.setModified(False)  # so that it is not reported again before the form shows it
    elif isinstance(field, LongText):
        field.commit()


_DELETING_KEYS = (
    QKeySequence.StandardKey.DeleteEndOfWord,
    QKeySequence.StandardKey.DeleteStartOfWord,
    QKeySequence.StandardKey.DeleteCompleteLine,
    QKeySequence.StandardKey.DeleteEndOfLine,
)
"""The keys that delete a word or the rest of a line."""


def is_text_key(widget: QWidget | None, event: QEvent) -> bool:
    """Return whether a key event deletes a word or the rest of a line in the text field ``widget``.

    Qt's fields take most of their keys before shortcuts do, but not these.
    """
    if not isinstance(widget, (QLineEdit, QPlainTextEdit, QTextEdit)) or widget.isReadOnly():
        return False
    if not isinstance(event, QKeyEvent):
        return False
    return any(event.matches(key) for key in _DELETING_KEYS)
