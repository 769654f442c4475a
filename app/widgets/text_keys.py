"""Keys that mean something in a text field and something else in the menus."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QTextEdit, QWidget

_WORDS = (
    QKeySequence.StandardKey.DeleteEndOfWord,
    QKeySequence.StandardKey.DeleteStartOfWord,
    QKeySequence.StandardKey.DeleteCompleteLine,
    QKeySequence.StandardKey.DeleteEndOfLine,
)


def is_text_key(widget: QWidget | None, event: QEvent) -> bool:
    """Whether a key that goes to ``widget`` deletes words of the text written there.

    Qt's fields claim most of their keys from the menus by themselves, but not these.
    """
    writes = isinstance(widget, (QLineEdit, QPlainTextEdit, QTextEdit)) and not widget.isReadOnly()
    return writes and isinstance(event, QKeyEvent) and any(event.matches(key) for key in _WORDS)
