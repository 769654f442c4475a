"""The button at the end of a line for a colour: it shows the colour, and chooses another."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QColor, QIcon, QPalette, QPixmap
from PySide6.QtWidgets import QLineEdit

from app.appearance.painting import painting
from app.qt_guard import connect
from app.widgets.dialogs.files import choose_colour

SWATCH = 14
"""The width and height of the colour in the line, in logical pixels."""


class ColourButton(QAction):
    """A button at the end of a line whose text is a colour such as ``#4080ff``."""

    def __init__(self, line: QLineEdit, colour_of: Callable[[str], str | None]) -> None:
        picture = QPixmap(SWATCH, SWATCH)
        super().__init__(QIcon(picture), "", line)  # not made by ``addAction``: see ``add_to_bar``
        self._line = line
        self._colour_of = colour_of
        """Returns ``#rrggbb`` for a text, None for a text that means no colour."""
        self._picture = picture
        self.setToolTip("Choose a colour")
        line.addAction(self, QLineEdit.ActionPosition.TrailingPosition)
        connect(line.textChanged, self.show_colour)
        connect(self.triggered, self._choose)

    def show_colour(self, text: str) -> None:
        """Show the colour of a text such as ``#4080ff``; an empty frame for any other text."""
        picture = self._picture
        colour = self._colour_of(text)
        if colour is not None:
            picture.fill(QColor(colour))
        else:
            picture.fill(Qt.GlobalColor.transparent)
        # The frame shows where to click, also where no colour is set.
        with painting(picture) as painter:
            painter.setPen(self._line.palette().color(QPalette.ColorRole.PlaceholderText))
            painter.drawRect(picture.rect().adjusted(0, 0, -1, -1))
        self.setIcon(QIcon(picture))

    async def _choose(self) -> None:
        """Let the user choose a colour, and put it into the line as if it had been typed."""
        line = self._line
        colour = await choose_colour(line, QColor(self._colour_of(line.text()) or ""))
        if colour is not None:
            line.setText(colour.name())
            line.editingFinished.emit()
