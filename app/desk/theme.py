"""The theme of the desk: light or dark, the colours of maps, icons in the palette's colour."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal
from PySide6.QtGui import QAction, QPalette
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from app.canvas.canvas import MapCanvas
from app.qt_guard import connect, later
from app.render.theme import Theme, theme
from app.settings import Settings

# What the first picture does not need is imported where it is used.


ICONS_MS = 8
"""How long to draw icons before the event loop gets its turn."""


def wanted_theme(settings: Settings, palette: QPalette) -> Theme:
    """Return colours of the map that the settings, and where they leave it the system, ask for."""
    chosen = settings.theme
    colour_set = settings.colour_set
    if chosen == "system":
        if palette.window().color().lightness() < 128:
            chosen = "dark"
        else:
            chosen = "light"
    return theme(chosen, colour_set)


class DeskTheme(QObject):
    """Draws the desk again when its settings or the system ask for other colours.

    ``changed()``: maps have other colours, and everything has been drawn again.
    """

    changed = Signal()

    def __init__(self, frame: QWidget, settings: Settings, canvas: MapCanvas) -> None:
        super().__init__(frame)
        self._frame = frame
        self._settings = settings
        self._canvas = canvas
        self._icons: list[tuple[QAction, str]] = []
        self._icons_to_draw: list[tuple[QAction, str]] = []
        self._draws: list[Callable[[], object]] = [self._draw_icons]
        self._to_redraw: list[Callable[[], object]] = []
        # The map is not drawn again in the same turn as all the panels.
        self._timer = QTimer(self, singleShot=True, interval=0)
        connect(self._timer.timeout, self.refresh)

    def _wanted(self) -> Theme:
        return wanted_theme(self._settings, self._frame.palette())

    def set_colour_set(self, name: str) -> None:
        """Draw maps with this colour set (``app.render.theme.COLOUR_SETS``)."""
        self._settings.colour_set = name
        self.refresh()

    def set_theme(self, name: str) -> None:
        """Use the colours ``light``, ``dark`` or ``system`` for the whole desk."""
        from app.appearance.scheme import apply_scheme

        self._settings.theme = name
        apply_scheme(name)
        self._timer.start()

    def follow_palette(self) -> None:
        """The system's colours may have changed."""
        if self._wanted() is not self._canvas.renderer.theme:
            self._timer.start()

    # --- drawing again ----------------------------------------------------------------------

    def keep_up(self, draw: Callable[[], object]) -> None:
        """Call ``draw`` whenever colours or pictures have changed."""
        self._draws.append(draw)

    def refresh(self) -> None:
        """Draw canvas, icons and pictures again: the colours or the picture source changed."""
        renderer = self._canvas.renderer
        renderer.set_theme(self._wanted(), renderer.pictures)
        self._canvas.update()
        self._to_redraw = [*self._draws, self.changed.emit]
        later(self, self._redraw_next)

    def _redraw_next(self) -> None:
        """Draw one more of the panels again: not all in one turn of the event loop."""
        if self._to_redraw:
            self._to_redraw.pop(0)()
            later(self, self._redraw_next)

    # --- icons ------------------------------------------------------------------------------

    def add_icon(self, action: QAction, picture: str) -> None:
        """Give an action an icon that follows the palette's colour; it is drawn soon."""
        self._icons.append((action, picture))
        self._icons_to_draw.append((action, picture))
        if len(self._icons_to_draw) == 1:
            later(self, self._draw_some_icons)

    def _draw_icons(self) -> None:
        """Draw the icons in the palette's colour, a few in each turn of the event loop."""
        self._icons = [icon for icon in self._icons if isValid(icon[0])]  # commands come and go
        self._icons_to_draw = list(self._icons)
        self._draw_some_icons()

    def _draw_some_icons(self) -> None:
        from app.appearance.icons import icon

        clock = QElapsedTimer()
        clock.start()
        while self._icons_to_draw and clock.elapsed() < ICONS_MS:
            action, picture = self._icons_to_draw.pop(0)
            if isValid(action):
                action.setIcon(icon(picture))
        if self._icons_to_draw:
            later(self, self._draw_some_icons)
