"""Leaves the keys of Undo and Redo to the desk while nothing was typed into a field."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QLineEdit, QWidget

from app.qt_guard import guarded
from app.widgets.forms.long_text import LongText


def leave_undo_to_desk(field: QWidget) -> None:
    """Let the keys of Undo and Redo reach the desk's commands from this field.

    A field for text takes these keys even where it has nothing to undo. While a text is being typed
    they are its own. What was committed, or set by the arrows of a number, is a step of the desk.
    ``field`` is one of ``is_field``.
    """
    field.installEventFilter(_UndoFilter(field))


class _UndoFilter(QObject):
    """Ignores the override of the keys, which makes them those of commands."""

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the keys from a field in which nothing was typed since its text was set."""
        if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return super().eventFilter(watched, event)
        is_undo = event.matches(QKeySequence.StandardKey.Undo)
        is_redo = event.matches(QKeySequence.StandardKey.Redo)
        if (is_undo or is_redo) and not _is_typed_in(watched):
            event.ignore()
            return True
        return super().eventFilter(watched, event)


def _is_typed_in(field: QObject) -> bool:
    """Return whether something was typed into a field since its text was set."""
    if isinstance(field, LongText):
        return field.is_modified()
    if isinstance(field, QAbstractSpinBox):
        return field.lineEdit().isModified()
    if isinstance(field, QComboBox):
        line = field.lineEdit()
        return line is not None and line.isModified()
    assert isinstance(field, QLineEdit), "other fields have no filter"
    return field.isModified()
