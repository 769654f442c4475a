"""The colour scheme of the whole program: light, dark, or what the system has.

The desk calls ``apply_scheme`` at its start and when a person chooses another one.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

_DARK = {
    QPalette.ColorRole.Window: "#2b2e33",
    QPalette.ColorRole.WindowText: "#e6e3dc",
    QPalette.ColorRole.Base: "#202226",
    QPalette.ColorRole.AlternateBase: "#282b30",
    QPalette.ColorRole.Text: "#e6e3dc",
    QPalette.ColorRole.PlaceholderText: "#9a978f",
    QPalette.ColorRole.Button: "#35393f",
    QPalette.ColorRole.ButtonText: "#e6e3dc",
    QPalette.ColorRole.BrightText: "#ffffff",
    QPalette.ColorRole.ToolTipBase: "#3b4047",
    QPalette.ColorRole.ToolTipText: "#f0ede6",
    QPalette.ColorRole.Highlight: "#2f7fd1",
    QPalette.ColorRole.HighlightedText: "#ffffff",
    QPalette.ColorRole.Link: "#6fb1f2",
    QPalette.ColorRole.Light: "#4a4f57",
    QPalette.ColorRole.Midlight: "#40454c",
    QPalette.ColorRole.Mid: "#26292d",
    QPalette.ColorRole.Dark: "#1b1d20",
    QPalette.ColorRole.Shadow: "#0f1011",
}
"""The colours of the dark scheme where the platform has none."""

_DIMMED = (
    QPalette.ColorRole.WindowText,
    QPalette.ColorRole.Text,
    QPalette.ColorRole.ButtonText,
)
"""The roles that are dimmed in disabled widgets."""

_DIMMED_COLOUR = "#80807c"
"""Their colour in the dark scheme."""

_OUTLINE_BASE = "#b8bcc4"
"""The colour of windows of which Fusion makes outlines that are seen in the dark."""

TICKED = ("QCheckBox", "QListWidget")
"""Widgets that have boxes to tick, and never fill anything in the colour of windows."""

FRAMED = ("QLineEdit", "QAbstractSpinBox", "QComboBox", "QPushButton", "QToolButton")
"""Widgets whose frame is lost on black, and that never fill anything in the colour of windows."""

DARK = 128
"""Windows of less lightness (of 255) are dark."""

BLACK = 24
"""Windows of less lightness (of 255) are those of strong contrast."""


def apply_scheme(name: str) -> None:
    """Use the colour scheme ``light``, ``dark`` or ``system`` (what the system has).

    Where the platform cannot switch by itself, the colours are set by hand.
    """
    schemes = {
        "light": Qt.ColorScheme.Light,
        "dark": Qt.ColorScheme.Dark,
        "system": Qt.ColorScheme.Unknown,
    }
    QGuiApplication.styleHints().setColorScheme(schemes[name])
    QApplication.setPalette(QPalette())
    if name == "dark" and _lightness() >= DARK:
        if QApplication.style().name() != "fusion":  # a new style is put onto every widget
            QApplication.setStyle("Fusion")
        QApplication.setPalette(_dark_palette())
    show_outlines()


def show_outlines() -> None:
    """Let frames and boxes to tick be seen in the present palette, whoever made it dark.

    Fusion draws them a little darker than the window, which cannot be seen in the dark. So these
    kinds of widgets get a palette with a lighter window, which they use for their outlines alone.
    """
    lightness = _lightness()
    palette_for_outlines = QApplication.palette()
    palette_for_outlines.setColor(QPalette.ColorRole.Window, QColor(_OUTLINE_BASE))
    for kinds, limit in ((TICKED, DARK), (FRAMED, BLACK)):
        palette = QPalette()  # that of the program
        if lightness < limit:
            palette = palette_for_outlines
        for kind in kinds:
            QApplication.setPalette(palette, kind)  # type: ignore[arg-type]  # the stub says bytes


def _lightness() -> int:
    """Return the lightness of windows in the present palette, 0 to 255."""
    return QApplication.palette().color(QPalette.ColorRole.Window).lightness()


def _dark_palette() -> QPalette:
    """Return the palette of the dark scheme."""
    palette = QPalette()
    for role, colour in _DARK.items():
        palette.setColor(role, QColor(colour))
    for role in _DIMMED:
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(_DIMMED_COLOUR))
    return palette
