"""Fairness on the desk: the panel and the map's colours, wired to the computed reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.desk.desk import Desk
from app.features.fairness.fair_maps import FairMaps
from app.features.fairness.panel import NOTHING, USUAL, FairnessPanel
from app.qt_guard import connect

if TYPE_CHECKING:
    from app.features.fairness.balance_dialog import BalanceDialog
    from app.features.fairness.fight_dialog import FightDialog


NAME = "fairness"
"""Whose heat it is."""


class FairnessController(QObject):
    """Connects the panel to document, heat map and reports; a child of its panel."""

    def __init__(self, desk: Desk) -> None:
        self.panel = FairnessPanel(desk.document)
        super().__init__(self.panel)
        self._document = desk.document
        self._heat_owner = desk.heat
        self._picture = USUAL
        self.maps = FairMaps(desk.document, desk.rolling, self.panel.above, self)
        view = desk.docks.view(NAME)
        connect(view.open_changed, self._on_open)
        connect(view.visible_changed, self._on_visible)
        connect(self.panel.chosen, self.maps.choose)
        connect(self.panel.heat_changed, self._show_heat)
        connect(self.panel.on_map.activated, lambda _index: self._on_map_wanted())
        connect(desk.heat.changed, self._show_whether_on_map)
        connect(self.maps.model_changed, self._show_model)
        connect(self.maps.reported, self._show)
        connect(self.maps.compared, self._show)
        connect(self.maps.fought, lambda: self.panel.show_battles(self.maps.battles))
        connect(self.panel.fight_button.clicked, self._open_fight)
        self._desk = desk
        self.fight: FightDialog | None = None
        connect(self.panel.balance_button.clicked, self._open_balance)
        self.balance: BalanceDialog | None = None
        self._show_model()
        if view.is_open:
            self._on_open(is_open=True)

    def _open_fight(self) -> None:
        from app.features.fairness.fight_dialog import FightDialog  # the first time

        assert self.maps.model is not None, "without one there is no button"
        if self.fight is None:
            self.fight = FightDialog(self._desk, self.maps.model)
            connect(self.fight.fought, self.panel.show_fight)
        self.fight.check()
        self.fight.show()
        self.fight.raise_()
        self.fight.activateWindow()

    def _open_balance(self) -> None:
        from app.features.fairness.balance_dialog import BalanceDialog  # the first time

        assert self.maps.model is not None, "without one there is no button"
        if self.balance is None:
            self.balance = BalanceDialog(self._desk, self.maps.model)
        self.balance.show()
        self.balance.raise_()
        self.balance.activateWindow()

    def _on_open(self, is_open: bool) -> None:
        """Judge the map while the view is open, in front or not: the map shows its colours."""
        self.maps.watch(is_open)
        if is_open:
            self._heat_owner.claim(NAME)
        else:
            self._heat_owner.release(NAME)

    def _on_visible(self, is_visible: bool) -> None:
        """Take the colours over from another panel; a map that has none keeps none."""
        if is_visible and self._heat_owner.owner not in ("", NAME):
            self._heat_owner.claim(NAME)

    def _on_map_wanted(self) -> None:
        """The current map is to have another picture, or none."""
        if self.panel.on_map.currentIndex() > 0:
            self._picture = self.panel.on_map.currentText()
            self._heat_owner.claim(NAME)
            self._show_heat()
        else:
            self._heat_owner.drop(NAME)

    def _show_whether_on_map(self) -> None:
        on = self._heat_owner.is_on(NAME)
        self.panel.choose_picture(self._picture if on else NOTHING)

    def _show_model(self) -> None:
        system = self._document.battlemap.system
        self.panel.set_model(self.maps.model, system.noun if self.maps.system is system else "")
        self._show()

    def _show(self) -> None:
        maps = self.maps
        measures = maps.model.measures if maps.model else ()
        # First of all: a fault in showing the rest must not leave the message of a wait.
        self.panel.compared.setText(maps.message)
        self.panel.show_report(measures, maps.report, maps.distribution)

    def _show_heat(self) -> None:
        text = f"Fairness: {self.panel.on_map.currentText()}"
        if self.panel.shows_leads:
            text += " (A: attacker first, D: defender first, by so much)"
        self._heat_owner.show(NAME, self.panel.heat(self._document.battlemap.grid), text)


def make(desk: Desk) -> FairnessPanel:
    """Return the panel, wired to the desk."""
    return FairnessController(desk).panel
