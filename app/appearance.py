"""Light or dark: the whole program's colours."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

SCHEMES = {
    "light": Qt.ColorScheme.Light,
    "dark": Qt.ColorScheme.Dark,
    "system": Qt.ColorScheme.Unknown,
}


def apply_scheme(name: str) -> None:
    """Ask Qt for the colour scheme ``light``, ``dark`` or ``system`` (what the system has)."""
    QGuiApplication.styleHints().setColorScheme(SCHEMES[name])
