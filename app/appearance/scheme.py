"""The colour scheme of the whole program: light, dark, or that of the system.

The desk calls ``apply_scheme`` at its start and when a person chooses another one. If the scheme
is the system's, it calls ``show_outlines`` instead, at its start and when the system changes its
colours. *Fusion* is Qt's own style of widgets, which looks the same on all systems.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

_DARK_COLOURS = {
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
"""The colours of the dark scheme, for platforms that have no dark scheme of their own."""

_DIMMED = (
    QPalette.ColorRole.WindowText,
    QPalette.ColorRole.Text,
    QPalette.ColorRole.ButtonText,
)
"""The roles that are dimmed in disabled widgets."""

_DIMMED_COLOUR = "#80807c"
"""The colour of the roles ``_DIMMED`` in the dark scheme."""

_LIGHT_WINDOW = "#b8bcc4"
"""A light colour of windows, from which Fusion derives outlines that can be seen in the dark.

Fusion draws outlines a little darker than the palette's colour of windows; from this one it gets a
grey that is visible on black.
"""

# The classes of widgets that use the colour of windows for their outlines alone. So these classes
# can be given another colour of windows, which changes nothing else.

_WIDGETS_WITH_TICKS = ("QCheckBox", "QListWidget")
"""They have boxes to tick, whose outline is lost in any dark scheme."""

_WIDGETS_WITH_FRAMES = (
    "QLineEdit",
    "QAbstractSpinBox",
    "QComboBox",
    "QPushButton",
    "QToolButton",
)
"""They are filled in a colour of their own; their frame is lost only if that is black, too."""

_DARK_BELOW = 128
"""Windows of less lightness (of 255) are dark."""

_BLACK_BELOW = 24
"""Windows of less lightness (of 255) are black, as in the systems' schemes of strong contrast."""


def apply_scheme(name: str) -> None:
    """Use the colour scheme ``light``, ``dark`` or ``system`` (what the system has).

    Where the platform has no dark scheme, the program gets one of its own, drawn by Fusion. It
    keeps that style for the rest of the session: each change of style goes through every widget.
    """
    schemes = {
        "light": Qt.ColorScheme.Light,
        "dark": Qt.ColorScheme.Dark,
        "system": Qt.ColorScheme.Unknown,
    }
    QGuiApplication.styleHints().setColorScheme(schemes[name])
    # The palette of the platform, in place of an earlier one of ours: its lightness is read next.
    QApplication.setPalette(QPalette())
    platform_stays_light = _window_lightness() >= _DARK_BELOW
    if name == "dark" and platform_stays_light:
        if QApplication.style().name() != "fusion":
            QApplication.setStyle("Fusion")
        QApplication.setPalette(_dark_palette())
    # The colours of outlines follow from the palette, which is set by now.
    show_outlines()


def show_outlines() -> None:
    """Let frames and boxes to tick be seen in the present palette, whoever made it dark.

    Fusion draws them a little darker than the window, which cannot be seen in the dark. So these
    kinds of widgets get a palette with a lighter window, which they use for their outlines alone.
    """
    lightness = _window_lightness()
    _set_outlines_of(_WIDGETS_WITH_TICKS, lightened=lightness < _DARK_BELOW)
    _set_outlines_of(_WIDGETS_WITH_FRAMES, lightened=lightness < _BLACK_BELOW)


def _set_outlines_of(class_names: Sequence[str], *, lightened: bool) -> None:
    """Lighten the outlines of classes of widgets, or give them the program's palette again."""
    palette = QPalette()  # an empty one: the widgets then have that of the program
    if lightened:
        palette = QApplication.palette()
        palette.setColor(QPalette.ColorRole.Window, QColor(_LIGHT_WINDOW))
    for class_name in class_names:
        QApplication.setPalette(palette, class_name)  # type: ignore[arg-type]  # the stub says bytes


def _window_lightness() -> int:
    """Return the lightness of windows in the present palette, 0 to 255."""
    return QApplication.palette().color(QPalette.ColorRole.Window).lightness()


def _dark_palette() -> QPalette:
    """Return the palette of the dark scheme."""
    palette = QPalette()
    for role, colour in _DARK_COLOURS.items():
        palette.setColor(role, QColor(colour))
    for role in _DIMMED:
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(_DIMMED_COLOUR))
    return palette
