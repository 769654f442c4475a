"""Tells how small the canvas may become, which depends on the screen."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QGuiApplication

# All sizes are in logical pixels.

USUAL_WIDTH = 320
"""The least width of the canvas on a screen of some size."""

MIN_SHARE = 6
"""On a small screen the least width is this part of the screen's: a sixth."""

MIN_WIDTH = 120
"""The least width on the smallest screens."""

USUAL_HEIGHT = 320
"""The least height on a screen of some size: an open gallery and list of problems have room."""

BARS = 140
"""On a small screen the least height is half of the screen's less this, which bars take."""

MIN_HEIGHT = 120
"""The least height on the smallest screens."""


def min_canvas_size() -> QSize:
    """Return the least size of the canvas on the primary screen, in logical pixels.

    A narrow window narrows its panels first; on a small screen it has to narrow the map.
    """
    # Not the screen() of the widget: the wrapper that PySide makes of it is destroyed with the
    # widget, and destroys the screen.
    screen = QGuiApplication.primaryScreen().availableSize()
    width = max(MIN_WIDTH, min(screen.width() // MIN_SHARE, USUAL_WIDTH))
    height = max(MIN_HEIGHT, min(screen.height() // 2 - BARS, USUAL_HEIGHT))
    return QSize(width, height)
