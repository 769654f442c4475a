"""A message across a panel, with buttons for what can be done about it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLayout,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.appearance.quotes import with_quotes
from app.qt_guard import connect
from app.widgets.layout.builders import lay_out, plain_label, tool_button
from app.widgets.layout.wrapping_row import WrappingRow


class Banner(QFrame):
    """A text with buttons, hidden until ``say`` gives it a text."""

    accepted = Signal()
    """The first button was pressed."""

    def __init__(
        self, button: str, tip: str, parent: QWidget | None = None, *, below: bool = False
    ) -> None:
        """Make a hidden banner.

        ``button`` and ``tip`` are the text and the tool tip of the first button. With ``below`` the
        buttons stand below the text, in several lines where one is too long.
        """
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAutoFillBackground(True)
        self.setBackgroundRole(QPalette.ColorRole.AlternateBase)
        self.label = plain_label(wordWrap=True)
        self.label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        if below:
            self._line: QLayout = WrappingRow()
            lay_out(QVBoxLayout(self), self.label, self._line, margins=(6, 3, 3, 3), spacing=3)
        else:
            self._line = lay_out(QHBoxLayout(self), (self.label, 1), margins=(6, 3, 3, 3))
        self.button = self.add_button(button, tip)
        connect(self.button.clicked, self.accepted)
        self.hide()

    def add_button(self, text: str, tip: str) -> QToolButton:
        """Add a button behind the others."""
        button = tool_button(text, tip, text)
        self._line.addWidget(button)
        return button

    def say(self, text: str) -> None:
        """Show a text; "" hides the banner."""
        self.label.setText(with_quotes(text))
        self.setVisible(bool(text))
