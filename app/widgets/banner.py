"""A message across a panel, with buttons for what can be done about it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QToolButton, QWidget


class Banner(QFrame):
    """Hidden until ``say`` gives it a text. ``accepted()``: its first button was pressed."""

    accepted = Signal()

    def __init__(self, button: str, tip: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAutoFillBackground(True)
        self.setBackgroundRole(QPalette.ColorRole.AlternateBase)
        self.label = QLabel()
        self.label.setWordWrap(True)
        self.label.setTextFormat(Qt.TextFormat.PlainText)
        self.label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._line = QHBoxLayout(self)
        self._line.setContentsMargins(6, 3, 3, 3)
        self._line.addWidget(self.label, 1)
        self.button = self.add_button(button, tip)
        self.button.clicked.connect(self.accepted)
        self.hide()

    def add_button(self, text: str, tip: str) -> QToolButton:
        """Add a button at the right end."""
        button = QToolButton()
        button.setText(text)
        button.setToolTip(tip)
        button.setAccessibleName(text)
        self._line.addWidget(button)
        return button

    def say(self, words: str) -> None:
        """Show a text; "" hides the banner."""
        self.label.setText(words)
        self.setVisible(bool(words))
