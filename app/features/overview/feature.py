"""The overview, which a map larger than the view brings along."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.desk.desk import Desk
from app.features.overview.panel import Minimap
from app.qt_guard import connect

if TYPE_CHECKING:
    from app.features.overview.panel import Minimap


class OverviewController(QObject):
    """Offers the overview, unless the user has closed it. Lives as long as its panel."""

    def __init__(self, desk: Desk) -> None:
        self.panel = Minimap(desk.canvas)
        super().__init__(self.panel)
        self._settings = desk.settings
        self._docks = desk.docks
        self._dock = desk.docks["overview"]
        self._offered = False
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
        self._settings.overview = not self._dock.isHidden()

    def _offer(self) -> None:
        if self._offered and self._dock.isHidden():
            self._settings.overview = False
        is_wanted = self.panel.worth_showing and self._settings.overview
        self._offered = is_wanted and not self._docks.room.narrow  # there the palette has the room
        self._dock.setVisible(self._offered)


def make(desk: Desk) -> Minimap:
    """Return the panel, wired to the desk."""
    return OverviewController(desk).panel
