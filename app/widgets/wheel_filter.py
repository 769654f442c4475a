"""An event filter for fields in a scroll area, so that the wheel scrolls and changes no field."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QWidget

from app.qt_guard import guarded


class WheelFilter(QObject):
    """Passes wheel events of a field on to its parent, unless the field has the focus."""

    def watch(self, field: QWidget) -> None:
        """Filter this field; the wheel does not give it the focus either."""
        field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        field.installEventFilter(self)

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Ignore wheel events of fields without the focus."""
        wheel = event.type() == QEvent.Type.Wheel
        if wheel and isinstance(watched, QWidget) and not watched.hasFocus():
            event.ignore()
            return True
        return super().eventFilter(watched, event)
