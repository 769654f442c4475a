"""The choice of the picture that the panel *Fairness* lays over the map, with its legend.

A *picture* has a number for each cell, such as what coming there costs (map_pictures.py). Which
ones are offered follows from what was computed: a report brings costs and leads, battles bring
deaths. The choice itself colours nothing; whoever shows it asks for ``heat`` at each ``changed``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.canvas.heat_legend import HeatLegend
from app.document.cell_texts import CellTexts
from app.features.fairness.map_pictures import (
    CHEAPEST,
    DEAREST,
    DEATHS,
    DEATHS_OF_BOTH_IN_FIGHT,
    FIGHT_DEATHS,
    NO_WAY,
    Deaths,
    MapPictures,
    PictureKind,
)
from app.features.fairness.name_combos import name_combo, offer_names
from app.qt_guard import connect
from app.render.cell_values.heat import Heat
from app.widgets.layout.builders import plain_label
from randomizer.model.grid.grid import Grid

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from randomizer.batches.fairness import FairnessReport

NO_PICTURE = "Nothing"
"""The name of the choice that lays no picture over the map."""


class PictureChoice(QObject):
    """A list of pictures, a legend for each kind of them, and a text for all of them.

    The widgets are laid out by the panel, which is the parent.
    """

    changed = Signal()
    """The map shall show another picture, or other values of the same one."""

    chosen = Signal()
    """The user has chosen a picture, or has fought battles in order to see theirs."""

    def __init__(self, document: MapDocument, parent: QWidget) -> None:
        super().__init__(parent)
        self.combo = name_combo("On the map")
        """The list of pictures; its first entry is ``NO_PICTURE``."""
        self.legends = {
            PictureKind.COST: HeatLegend(str(CHEAPEST), f"{DEAREST} or more;  {NO_WAY} no way"),
            PictureKind.LEAD: HeatLegend(
                "D: defender first by so much", "A: attacker first by so much"
            ),
            PictureKind.DEATHS: HeatLegend("nobody dies", "most die, in 100 battles"),
        }
        """Only the legend of the chosen picture is visible."""
        offer_names(self.combo, [NO_PICTURE])
        self.explanation = plain_label(
            "Shown on the map, in its own tab, until this tab is closed.", wordWrap=True
        )
        """Visible while a picture is chosen."""
        self._pictures = MapPictures()

        # The text says hexes or squares, as the map has them.
        CellTexts(document, self).keep_filled(
            self.combo.setToolTip,
            "What the colours and numbers on the {cells} say: what coming there from a side costs, "
            "who comes there first and by how much, or how many die there in 100 battles",
        )
        connect(self.combo.currentIndexChanged, self._update_legend_and_emit)
        connect(self.combo.activated, lambda _row: self.chosen.emit())

    @property
    def name(self) -> str:
        """The name of the chosen picture; ``NO_PICTURE`` if none is."""
        return self.combo.currentText()

    @property
    def shows_leads(self) -> bool:
        """True if the numbers on the map say which army comes to a cell first, and by how much."""
        return self._pictures.kind_of(self.name) is PictureKind.LEAD

    def heat(self, grid: Grid) -> Heat | None:
        """Return the chosen picture as colours and texts of the cells; None if there is none."""
        return self._pictures.heat(self.name, grid)

    def choose(self, name: str) -> None:
        """Choose a picture for the user; ``NO_PICTURE`` if there is none of that name."""
        self.combo.setCurrentIndex(max(0, self.combo.findText(name)))

    # --- what was computed ------------------------------------------------------------------

    def show_report(self, report: FairnessReport | None, *, with_battles: bool) -> None:
        """Offer the pictures of a report in place of those of the last one.

        None: a report is being computed. ``with_battles``: a simulator fights battles by itself.
        """
        self._pictures.replace_report(report, with_battles=with_battles)
        if report is not None:
            # Not without a report: the chosen picture would be lost while the next one comes.
            offer_names(self.combo, [NO_PICTURE, *self._pictures.names])
        self._update_legend_and_emit()

    def show_battles(self, deaths: Deaths | None) -> None:
        """Show the pictures of the simulated battles so far; None: none has been fought yet."""
        self._pictures.set_simulated_deaths(deaths)
        if self.name in DEATHS:
            self._update_legend_and_emit()

    def show_fight(self, deaths: Deaths | None) -> None:
        """Offer the pictures of battles that the user asked for; None: offer them no longer.

        The first ones are chosen at once, since they were asked for to be seen.
        """
        is_first_fight = deaths is not None and not self._pictures.has_fight()
        self._pictures.set_fight_deaths(deaths)
        showed_fight = self.name in FIGHT_DEATHS
        # The other pictures stay in the list, also while the next report is computed.
        present_names = [self.combo.itemText(row) for row in range(self.combo.count())]
        other_names = [name for name in present_names if name not in FIGHT_DEATHS]
        fight_names = [name for name in self._pictures.names if name in FIGHT_DEATHS]
        offer_names(self.combo, [*other_names, *fight_names])
        if showed_fight:
            self._update_legend_and_emit()
        if is_first_fight:
            self.choose(DEATHS_OF_BOTH_IN_FIGHT)
            self.chosen.emit()

    # --- telling ----------------------------------------------------------------------------

    def _update_legend_and_emit(self) -> None:
        """Show the legend of the chosen picture, and tell that the map shall show that picture."""
        chosen_kind = self._pictures.kind_of(self.name)
        for kind, legend in self.legends.items():
            legend.setVisible(kind is chosen_kind)
        self.explanation.setVisible(chosen_kind is not None)
        self.changed.emit()
