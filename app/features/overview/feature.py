"""The overview on a desk: its panel, and when its dock is shown.

``make`` is called once, when the panel is first needed. A map that is too large for the canvas
brings the overview along, unless the user has closed it; a smaller map hides it.
"""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.desk.desk import Desk
from app.features.overview.panel import Minimap
from app.qt_guard import connect


class OverviewController(QObject):
    """Shows and hides the dock of the overview. Lives as long as its panel.

    ``Settings.overview`` remembers whether the user wants it: to close the dock is to say no, and
    the command of the panel says yes or no.
    """

    def __init__(self, desk: Desk) -> None:
        self.panel = Minimap(desk.canvas)
        super().__init__(self.panel)
        self._settings = desk.settings
        self._docks = desk.docks
        self._dock = desk.docks["overview"]
        self._was_shown = False
        """True if ``_offer`` has shown the dock: hidden all the same, the user has closed it."""
        desk.theme.keep_up(self.panel.refresh)
        connect(desk.overlays_changed, self.panel.refresh)
        connect(desk.commands.action("panel.overview").triggered, self._remember)
        connect(desk.document.map_replaced, self._offer)
        connect(desk.docks.filled, self._on_filled)

    def _on_filled(self, panel: QWidget) -> None:
        """Offer the overview when it is in its dock, which then has the height that it needs."""
        if panel is self.panel:
            self._offer()

    def _remember(self) -> None:
        """Remember whether the command of the panel has shown the dock or hidden it."""
        self._settings.overview = not self._dock.isHidden()

    def _offer(self) -> None:
        """Show the dock if the current map is worth it, and there is room; else hide it."""
        if self._was_shown and self._dock.isHidden():
            self._settings.overview = False
        is_wanted = self.panel.is_worth_showing and self._settings.overview
        has_room = not self._docks.room.is_narrow  # in a narrow window the palette needs the room
        self._was_shown = is_wanted and has_room
        self._dock.setVisible(self._was_shown)


def make(desk: Desk) -> Minimap:
    """Return the panel, wired to the desk."""
    return OverviewController(desk).panel
