"""Colours of text that mean something, such as the severity of a problem.

    painter.setPen(inks(widget.palette()).error)

``inks`` returns the set of colours that suits the palette, for a light or a dark background.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QColor, QPalette

from randomizer.model.problems import Severity

_DARK_BELOW = 128
"""A background of less lightness, of 255, is dark."""


@dataclass(frozen=True)
class Inks:
    """One set of colours of text, readable on the background that it was made for."""

    error: QColor
    """The colour of an error."""

    warning: QColor
    """The colour of a warning, and of what a person should look at."""

    hint: QColor
    """The colour of a hint."""

    keyword: QColor
    """The colour of keywords of a script."""

    comment: QColor
    """The colour of comments of a script."""

    quoted: QColor
    """The colour of texts in quotes in a script."""

    number: QColor
    """The colour of numbers of a script."""

    current_line: QColor
    """The background of the line of the cursor, nearly transparent."""

    hit: QColor
    """The background of what was searched for, half transparent."""

    def of_severity(self, severity: Severity) -> QColor:
        """Return the colour of problems of a severity."""
        return {
            Severity.ERROR: self.error,
            Severity.WARNING: self.warning,
            Severity.HINT: self.hint,
        }[severity]


# Colours of text have a contrast of at least 4.5 to 1: to white, and to the grey of dark palettes.
_ON_LIGHT = Inks(
    error=QColor("#c62828"),
    warning=QColor("#9a5b00"),
    hint=QColor("#1d66b8"),
    keyword=QColor("#7b2fa0"),
    comment=QColor("#687078"),
    quoted=QColor("#2b7a33"),
    number=QColor("#0b6a8f"),
    current_line=QColor(0, 0, 0, 10),
    hit=QColor(255, 193, 7, 120),
)
_ON_DARK = Inks(
    error=QColor("#ff8a80"),
    warning=QColor("#e8b54a"),
    hint=QColor("#86bdff"),
    keyword=QColor("#d3a6ff"),
    comment=QColor("#9aa3ab"),
    quoted=QColor("#93d694"),
    number=QColor("#7fd0ee"),
    current_line=QColor(255, 255, 255, 14),
    hit=QColor(255, 193, 7, 90),
)


def inks(palette: QPalette) -> Inks:
    """Return the colours for text on the background that text fields and lists have."""
    background = palette.color(QPalette.ColorRole.Base)
    if background.lightness() < _DARK_BELOW:
        return _ON_DARK
    return _ON_LIGHT
