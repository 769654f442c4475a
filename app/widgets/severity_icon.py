"""A small picture of the severity of a problem."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel

from app.appearance.icons import icon_pixmap
from app.appearance.text_colours import inks
from randomizer.model.problems import Severity

ICON = 16
"""In logical pixels."""


class SeverityIcon(QLabel):
    """The icon of a severity, hidden while there is none."""

    def __init__(self) -> None:
        super().__init__()
        self.hide()

    def show_severity(self, severity: Severity | None) -> None:
        """Show the icon of a severity in the palette's colours of now; None: hide it."""
        self.setVisible(severity is not None)
        if severity is not None:
            colour = inks(self.palette()).severity(severity)
            self.setPixmap(icon_pixmap(severity.value, ICON, self.devicePixelRatioF(), colour))
            self.setAccessibleName(severity.value)
