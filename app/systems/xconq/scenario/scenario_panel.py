"""The panel of a scenario: its sides, their units, the game as a whole, and who wins when."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea, QTabWidget, QVBoxLayout, QWidget

from app.desk.desk import Desk
from app.qt_guard import connect
from app.systems.xconq.scenario.conditions_page import ConditionsPage
from app.systems.xconq.scenario.game_page import GamePage
from app.systems.xconq.scenario.scenario_records import ScenarioRecords
from app.systems.xconq.scenario.sides_page import SidesPage, SideView
from app.systems.xconq.scenario.units_page import UnitsPage
from app.widgets.layout.builders import lay_out


class ScenarioPanel(QWidget):
    """A tab for each page."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.records = ScenarioRecords(desk.document, self)
        self.view = SideView(self.records, desk.heat)
        self.sides = SidesPage(self.records, self.view)
        self.conditions = ConditionsPage(self.records, desk.canvas)
        self.game = GamePage(self.records)
        self.units = UnitsPage(desk, self.records)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.setAccessibleName("Pages of the scenario")
        pages: tuple[tuple[QWidget, str], ...] = (
            (self.sides, "S&ides"),
            (self.conditions, "&Conditions"),
            (self.game, "&Game"),
        )
        for page, title in pages:
            area = QScrollArea()
            area.setWidget(page)
            area.setWidgetResizable(True)
            area.setFrameShape(QScrollArea.Shape.NoFrame)
            area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            self.tabs.addTab(area, title)
        lay_out(QVBoxLayout(self), self.tabs, margins=0)
        connect(self.records.changed, self._suit_map)
        self.tabs.insertTab(1, self.units, "Units")
        self._suit_map()

    def _suit_map(self) -> None:
        """The forms are for maps of Xconq alone."""
        self.tabs.setEnabled(self.records.offered)


def make(desk: Desk) -> ScenarioPanel:
    """Return the panel."""
    return ScenarioPanel(desk)
