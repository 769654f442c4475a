"""The theme of the desk: light or dark, the colours of maps, icons in the palette's colour.

The desk has a ``DeskTheme``. Features tell it by ``keep_up`` what they have to draw again when
colours change, and by ``add_icon`` which actions have icons. All drawing is spread over turns of
the event loop, so that the window answers meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal
from PySide6.QtGui import QAction, QPalette
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from app.canvas.canvas import MapCanvas
from app.qt_guard import connect, later
from app.render.theme import Theme, theme
from app.settings import Settings

# ``app.appearance`` is imported where it is used: the first picture does not need it.

ICONS_MS = 8
"""The milliseconds for which icons are drawn before the event loop gets its turn.

That is half a frame of a screen; with more the window would answer late while icons are drawn.
"""

DARK_BELOW = 128
"""A window whose background has less lightness than this, on a scale to 255, is dark."""


def wanted_theme(settings: Settings, palette: QPalette) -> Theme:
    """Return the theme that the settings name; for "system" the one that suits the palette."""
    name = settings.theme
    if name == "system":
        name = "light"
        if palette.window().color().lightness() < DARK_BELOW:
            name = "dark"
    return theme(name, settings.colour_set)


class _ActionIcon(NamedTuple):
    """An icon that follows the palette's colour."""

    action: QAction

    picture: str
    """The name of the picture, see ``app.appearance.icons``."""


class DeskTheme(QObject):
    """Draws the desk again when its settings or the system ask for other colours."""

    changed = Signal()
    """Maps have other colours, and everything has been drawn again."""

    def __init__(self, frame: QWidget, settings: Settings, canvas: MapCanvas) -> None:
        super().__init__(frame)
        self._frame = frame
        self._settings = settings
        self._canvas = canvas
        self._icons: list[_ActionIcon] = []
        """All icons that follow the palette."""
        self._pending_icons: list[_ActionIcon] = []
        """The icons that are still to be drawn."""
        self._redraw_functions: list[Callable[[], object]] = [self._draw_icons]
        """The functions that draw a part of the desk again."""
        self._pending_redraws: list[Callable[[], object]] = []
        """Those of them that are still to be called after a change of colours."""
        self._timer = QTimer(self, singleShot=True, interval=0)
        """Calls ``refresh`` in the next turn: in this one Qt gives all panels the palette."""
        connect(self._timer.timeout, self.refresh)

    def _current_theme(self) -> Theme:
        """Return the theme for the settings and the palette as they are now."""
        return wanted_theme(self._settings, self._frame.palette())

    def set_colour_set(self, name: str) -> None:
        """Draw maps with this colour set (``app.render.theme.COLOUR_SETS``)."""
        self._settings.colour_set = name
        self.refresh()  # at once: the palette of the desk stays the same

    def set_theme(self, name: str) -> None:
        """Use the colours ``light``, ``dark`` or ``system`` for the whole desk."""
        from app.appearance.scheme import apply_scheme

        self._settings.theme = name
        apply_scheme(name)
        self._timer.start()  # in the next turn: Qt is giving all panels the palette

    def follow_palette(self) -> None:
        """Draw again if the palette of the system, which may have changed, suits another theme."""
        from app.appearance.scheme import show_outlines

        # In the next turn: Qt is giving all widgets the new palette, and drops the palettes of
        # single kinds of widgets at the end of that. ``show_outlines`` sets such palettes.
        later(self, show_outlines)
        if self._current_theme() is not self._canvas.renderer.theme:
            self._timer.start()

    # --- drawing again ----------------------------------------------------------------------

    def keep_up(self, draw: Callable[[], object]) -> None:
        """Call ``draw``, which draws a part of the desk again, whenever colours have changed."""
        self._redraw_functions.append(draw)

    def refresh(self) -> None:
        """Draw canvas, icons and pictures again: the colours or the picture source changed."""
        renderer = self._canvas.renderer
        renderer.set_theme(self._current_theme(), renderer.pictures)
        self._canvas.update()
        self._pending_redraws = [*self._redraw_functions, self.changed.emit]
        later(self, self._redraw_next)

    def _redraw_next(self) -> None:
        """Draw one more part of the desk again: not all in one turn of the event loop."""
        if self._pending_redraws:
            later(self, self._redraw_next)  # first: a fault in one part must not stop the others
            self._pending_redraws.pop(0)()

    # --- icons ------------------------------------------------------------------------------

    def add_icon(self, action: QAction, picture: str) -> None:
        """Give an action an icon that follows the palette's colour; it is drawn soon."""
        action_icon = _ActionIcon(action, picture)
        self._icons.append(action_icon)
        self._pending_icons.append(action_icon)
        if len(self._pending_icons) == 1:
            later(self, self._draw_some_icons)

    def _draw_icons(self) -> None:
        """Draw the icons in the palette's colour, a few in each turn of the event loop."""
        # Commands come and go, and their actions with them.
        self._icons = [icon for icon in self._icons if isValid(icon.action)]
        self._pending_icons = list(self._icons)
        self._draw_some_icons()

    def _draw_some_icons(self) -> None:
        """Draw icons for ``ICONS_MS``, and go on in a later turn if more are left."""
        from app.appearance.icons import icon

        clock = QElapsedTimer()
        clock.start()
        try:
            while self._pending_icons and clock.elapsed() < ICONS_MS:
                next_icon = self._pending_icons.pop(0)
                if isValid(next_icon.action):
                    next_icon.action.setIcon(icon(next_icon.picture))
        finally:  # a fault in one icon must not stop the others
            if self._pending_icons:
                later(self, self._draw_some_icons)
