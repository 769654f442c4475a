"""Light or dark: the whole program's colours."""

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
_DIMMED = (
    QPalette.ColorRole.WindowText,
    QPalette.ColorRole.Text,
    QPalette.ColorRole.ButtonText,
)


TICKED = ("QCheckBox", "QListWidget")
"""Widgets that have boxes to tick, and never fill anything in the colour of windows."""


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
    for kind in TICKED:
        QApplication.setPalette(QPalette(), kind)  # type: ignore[arg-type]  # the stub says bytes
    dark = QApplication.palette().color(QPalette.ColorRole.Window).lightness() < 128
    if name == "dark" and not dark:
        QApplication.setStyle("Fusion")
        palette = _dark_palette()
        QApplication.setPalette(palette)
        # Fusion draws the box of a tick a little darker than this: not to be seen in the dark.
        palette.setColor(QPalette.ColorRole.Window, QColor("#b8bcc4"))
        for kind in TICKED:
            QApplication.setPalette(palette, kind)  # type: ignore[arg-type]


def _dark_palette() -> QPalette:
    palette = QPalette()
    for role, colour in _DARK.items():
        palette.setColor(role, QColor(colour))
    for role in _DIMMED:
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor("#80807c"))
    return palette
