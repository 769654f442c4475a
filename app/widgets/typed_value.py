"""What is typed into a field counts when the field is left; sometimes it has to count before."""

from __future__ import annotations

from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QLineEdit


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
