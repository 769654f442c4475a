"""Keys that edit text in a field and are shortcuts of menus elsewhere."""

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
    """Whether a key event deletes a word or the rest of a line in the text field ``widget``.

    Qt's fields override shortcuts by most of their keys, but not by these.
    """
    writes = isinstance(widget, (QLineEdit, QPlainTextEdit, QTextEdit)) and not widget.isReadOnly()
    return writes and isinstance(event, QKeyEvent) and any(event.matches(key) for key in _WORDS)
