"""Connects the panel *Fairness* with the computed reports and with the colours of the map.

Three objects work together: ``FairMaps`` computes reports on the current map, ``FairnessPanel``
shows them and lets the user choose a picture, and the desk's *heat* lays that picture over the map
as colours (``HeatOwner``). Several panels can lay colours, so there are four calls::

    claim      the user chose a picture: this panel colours the current map, and no other does
    show       the picture has other values
    drop       the user chose none: the current map has no colours of this panel
    release    the view was closed: no map has
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.desk.desk import Desk
from app.features.fairness.fair_maps import FairMaps
from app.features.fairness.panel import FairnessPanel
from app.features.fairness.picture_choice import NO_PICTURE
from app.qt_guard import connect

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.features.fairness.balance_dialog import BalanceDialog
    from app.features.fairness.fight_dialog import FightDialog
    from randomizer.batches.batch import Measure
    from randomizer.batches.fairness import FairnessModel

NAME = "fairness"
"""The name of the view, and of this feature among the owners of the heat."""


class FairnessController(QObject):
    """Connects the panel with document, heat and reports; it lives as long as its panel."""

    def __init__(self, desk: Desk) -> None:
        self.panel = FairnessPanel(desk.document)
        super().__init__(self.panel)  # as its child, this object lives as long as the panel
        self._desk = desk
        self._document = desk.document
        self._heat_owner = desk.heat
        self._last_chosen_picture = NO_PICTURE
        """The picture that the user has chosen last, shown again on each map that has its colours.
        """
        self.maps = FairMaps(desk.document, desk.rolling, self.panel.above, self)
        self.fight_dialog: FightDialog | None = None
        """The dialog of battles, once it was opened."""
        self.balance_dialog: BalanceDialog | None = None
        """The dialog that looks for fairer maps, once it was opened."""
        self._model_of_dialogs: FairnessModel | None = None
        """The model with which both dialogs were made; None before the first."""

        view = desk.docks.view(NAME)
        connect(view.open_changed, self._on_open_changed)
        connect(self.panel.armies_chosen, self.maps.report.choose_armies)
        connect(self.panel.picture_choice.changed, self._show_heat)
        connect(self.panel.picture_choice.chosen, self._on_picture_chosen)
        connect(desk.heat.changed, self._update_picture_choice)
        connect(self.maps.report.model_changed, self._show_model)
        connect(self.maps.report.changed, self._show_reports)
        connect(self.maps.comparison.changed, self._show_reports)
        connect(self.maps.message_changed, self._show_message)
        connect(self.maps.battles.changed, self._show_battles)
        connect(self.panel.fight_button.clicked, self._open_fight)
        connect(self.panel.balance_button.clicked, self._open_balance)
        self._show_message()
        self._show_model()
        if view.is_open:
            self._on_open_changed(is_open=True)

    def _open_fight(self) -> None:
        """Open the dialog of battles; it is the same one each time, with what was typed."""
        # The dialogs are imported when they are opened, so that the program starts sooner.
        from app.features.fairness.fight_dialog import FightDialog

        model = self._model_for_dialog()
        if self.fight_dialog is None:
            self.fight_dialog = FightDialog(self._desk, model)
            connect(self.fight_dialog.fought, self.panel.show_fight)
        self.fight_dialog.check_answers()
        self.fight_dialog.show()
        self.fight_dialog.raise_()
        self.fight_dialog.activateWindow()

    def _open_balance(self) -> None:
        """Open the dialog of balance; it is the same one each time, with its proposals."""
        from app.features.fairness.balance_dialog import BalanceDialog

        model = self._model_for_dialog()
        if self.balance_dialog is None:
            self.balance_dialog = BalanceDialog(self._desk, model)
        self.balance_dialog.show()
        self.balance_dialog.raise_()
        self.balance_dialog.activateWindow()

    def _model_for_dialog(self) -> FairnessModel:
        """Return the model of the current map; drop dialogs that were made for another one."""
        model = self.maps.report.model
        assert model is not None, "the buttons are hidden without a model"
        if model is not self._model_of_dialogs:
            for dialog in (self.fight_dialog, self.balance_dialog):
                if dialog is not None:
                    dialog.close()
                    dialog.deleteLater()
            self.fight_dialog = None
            self.balance_dialog = None
            self._model_of_dialogs = model
        return model

    def _on_open_changed(self, is_open: bool) -> None:
        """Compute reports while the view is open, even if another hides it.

        The map has colours only once the user has chosen a picture.
        """
        self.maps.watch(is_open)
        if not is_open:
            self._heat_owner.release(NAME)

    def _on_picture_chosen(self) -> None:
        """Show the picture that the user has chosen on the map, or none."""
        name = self.panel.picture_choice.name
        if name == NO_PICTURE:
            self._heat_owner.drop(NAME)
            return
        self._last_chosen_picture = name
        self._heat_owner.claim(NAME)
        self._show_heat()

    def _update_picture_choice(self) -> None:
        """Let the panel name the picture that is on the map; none if another panel has the heat."""
        if self._heat_owner.is_on(NAME):
            self.panel.picture_choice.choose(self._last_chosen_picture)
        else:
            self.panel.picture_choice.choose(NO_PICTURE)

    def _show_model(self) -> None:
        """Show the controls for maps of the current system."""
        report = self.maps.report
        kind_of_map = ""
        if report.is_model_loaded:
            kind_of_map = self._document.battlemap.system.noun
        self.panel.set_model(report.model, kind_of_map)
        self._show_reports()

    def _show_reports(self) -> None:
        """Show the report and the comparison."""
        maps = self.maps
        measures: Sequence[Measure] = ()
        if maps.report.model is not None:
            measures = maps.report.model.measures
        self.panel.show_report(measures, maps.report.report, maps.comparison.distribution)

    def _show_message(self) -> None:
        """Show what the map is compared with, or why a value is missing."""
        self.panel.compared.setText(self.maps.message)

    def _show_battles(self) -> None:
        """Show the results of simulated battles."""
        self.panel.show_battles(self.maps.battles.results)

    def _show_heat(self) -> None:
        """Lay the chosen picture over the map, with a text that says what it is."""
        choice = self.panel.picture_choice
        text = f"Fairness: {choice.name}"
        if choice.shows_leads:
            text += " (A: attacker first, D: defender first, by so much)"
        heat = choice.heat(self._document.battlemap.grid)
        # This has no effect while another panel has the heat.
        self._heat_owner.show(NAME, heat, text)


def make(desk: Desk) -> FairnessPanel:
    """Return the panel, wired to the desk."""
    return FairnessController(desk).panel
