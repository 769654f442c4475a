"""Fields in a list that scrolls: the wheel scrolls the list, and changes only the one in use."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QWidget


class WheelRest(QObject):
    """Lets the wheel over a field go on to what scrolls, unless the field has the keyboard."""

    def watch(self, field: QWidget) -> None:
        """Let this field alone, too; the wheel does not bring it the keyboard either."""
        field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        field.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Wheels over fields that are not in use."""
        wheel = event.type() == QEvent.Type.Wheel
        if wheel and isinstance(watched, QWidget) and not watched.hasFocus():
            event.ignore()
            return True
        return super().eventFilter(watched, event)
