"""Fairness on the desk: the panel and the map's colours, wired to the computed reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.features.fairness.fair_maps import FairMaps
from app.features.fairness.panel import FairnessPanel
from app.qt_guard import connect
from app.widgets.dock_visibility import DockVisibility

if TYPE_CHECKING:
    from app.desk.desk import Desk

NAME = "fairness"
"""Whose heat it is."""


class FairnessController(QObject):
    """Connects the panel to document, heat map and reports; a child of its panel."""

    def __init__(self, desk: Desk) -> None:
        self.panel = FairnessPanel(desk.document)
        super().__init__(self.panel)
        self._document = desk.document
        self._heat_owner = desk.heat
        self.maps = FairMaps(desk.document, desk.rolling, self)
        visibility = DockVisibility(self.panel, desk.docks[NAME])
        connect(visibility.changed, self._on_seen)
        connect(self.panel.chosen, self.maps.choose)
        connect(self.panel.heat_changed, self._show_heat)
        connect(self.maps.model_changed, self._show_model)
        connect(self.maps.reported, self._show)
        connect(self.maps.compared, self._show)
        self._show_model()

    def _on_seen(self, seen: bool) -> None:
        self.maps.watch(seen)
        if seen:
            self._heat_owner.claim(NAME)
        else:
            self._heat_owner.release(NAME)

    def _show_model(self) -> None:
        system = self._document.battlemap.system
        self.panel.set_model(self.maps.model, system.title if self.maps.sought is system else "")
        self._show()

    def _show(self) -> None:
        maps = self.maps
        measures = maps.model.measures if maps.model else ()
        self.panel.show_report(measures, maps.report, maps.distribution)
        self.panel.compared.setText(maps.words)

    def _show_heat(self) -> None:
        self._heat_owner.show(NAME, self.panel.heat(self._document.battlemap.grid))
