"""The panel *Scenario* of maps of Xconq: pages of sides, units, conditions and the game.

All pages read and write the map through one ``ScenarioRecords``, which tells them of changes.
"""

from __future__ import annotations

from PySide6.QtWidgets import QTabWidget, QVBoxLayout, QWidget

from app.desk.desk import Desk
from app.qt_guard import connect
from app.systems.xconq.scenario.conditions_page import ConditionsPage
from app.systems.xconq.scenario.game_page import GamePage
from app.systems.xconq.scenario.scenario_records import ScenarioRecords
from app.systems.xconq.scenario.side_view import SideView
from app.systems.xconq.scenario.sides_page import SidesPage
from app.systems.xconq.scenario.units_page import UnitsPage
from app.widgets.layout.builders import described, lay_out


class ScenarioPanel(QWidget):
    """The pages of a scenario in tabs."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.records = ScenarioRecords(desk.document, self)
        self.view = SideView(self.records, desk.heat)
        self.sides = SidesPage(desk, self.records, self.view)
        self.conditions = ConditionsPage(self.records, desk.canvas)
        self.game = GamePage(self.records)
        self.units = UnitsPage(desk, self.records)
        self.tabs = described(QTabWidget(), "Pages of the scenario")
        self.tabs.setDocumentMode(True)
        pages: tuple[tuple[QWidget, str], ...] = (
            (self.sides, "S&ides"),
            (self.units, "Units"),
            (self.conditions, "&Conditions"),
            (self.game, "&Game"),
        )
        for page, title in pages:
            self.tabs.addTab(page, title)
        lay_out(QVBoxLayout(self), self.tabs, margins=0)
        connect(self.records.replaced, self._suit_map)
        self._suit_map()

    def _suit_map(self) -> None:
        """Enable the pages for maps of Xconq only."""
        self.tabs.setEnabled(self.records.are_offered)


def make(desk: Desk) -> ScenarioPanel:
    """Return the panel for the desk's maps."""
    return ScenarioPanel(desk)
