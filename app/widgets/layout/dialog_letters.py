"""The letters of Alt for the buttons of a dialog: Qt gives its own (Save, Discard) none.

Call ``give_letters`` before a dialog is shown::

    box = QMessageBox(...)
    give_letters(box)
"""

from __future__ import annotations

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QAbstractButton,
    QDialog,
    QDialogButtonBox,
    QGroupBox,
    QLabel,
    QTabBar,
    QWidget,
)


def give_letters(dialog: QDialog) -> None:
    """Mark a letter of each button at the foot that has none: its first letter that is free."""
    keys: set[str] = set()
    for widget in dialog.findChildren(QWidget):
        for text in _texts_of(widget):
            keys.add(_key_of(text))
    for box in dialog.findChildren(QDialogButtonBox):
        for button in box.buttons():
            text = button.text()
            if _key_of(text):
                continue
            marked = _marked(text, keys)
            keys.add(_key_of(marked))
            button.setText(marked)


def _marked(text: str, keys: set[str]) -> str:
    """Return the text with a mark at its first letter whose key is free, or as it is."""
    for index, letter in enumerate(text):
        if not letter.isalnum():
            continue
        marked = f"{text[:index]}&{text[index:]}"
        if _key_of(marked) not in keys:
            return marked
    return text


def _key_of(text: str) -> str:
    """Return the key that a text is chosen by, such as ``Alt+S``; "" for none."""
    return QKeySequence.mnemonic(text).toString()


def _texts_of(widget: QWidget) -> list[str]:
    """Return the texts of a widget whose letters Alt chooses."""
    if isinstance(widget, QTabBar):
        return [widget.tabText(index) for index in range(widget.count())]
    if isinstance(widget, QAbstractButton):
        return [widget.text()]
    if isinstance(widget, QLabel) and widget.buddy() is not None:
        return [widget.text()]
    if isinstance(widget, QGroupBox):
        return [widget.title()]
    return []
