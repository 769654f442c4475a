"""Colours of text that mean something: how bad a problem is, what a word of a script is."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QColor, QPalette

from randomizer.model.problems import Severity


@dataclass(frozen=True)
class Inks:
    """One set of text colours; each is readable on the background it was made for."""

    error: QColor
    warning: QColor
    hint: QColor
    keyword: QColor
    comment: QColor
    quoted: QColor
    number: QColor
    current_line: QColor
    hit: QColor

    def severity(self, severity: Severity) -> QColor:
        """Return the colour of problems that are so bad."""
        return {
            Severity.ERROR: self.error,
            Severity.WARNING: self.warning,
            Severity.HINT: self.hint,
        }[severity]


# At least 4.5 to 1 on white, and on the dark grey of dark palettes.
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
    """Return the colours for text on ``palette``'s background of text fields and lists."""
    dark = palette.color(QPalette.ColorRole.Base).lightness() < 128
    return _ON_DARK if dark else _ON_LIGHT
