"""The pictures that the panel *Fairness* can lay over the map: costs, leads and deaths.

A *picture* is an array with a value for each cell, such as what coming there costs; the map shows
it as colours and numbers (``Heat``). Pictures are chosen by their names, which a report gives::

    pictures = MapPictures()
    pictures.replace_report(report, with_battles=True)
    pictures.names              # ["Cost from the left side", ..., "Deaths of attackers", ...]
    pictures.heat(name, grid)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum, auto
from math import isnan
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from app.render.cell_values.heat import Heat
from randomizer.model.grid.grid import Grid

if TYPE_CHECKING:
    from randomizer.batches.fairness import FairnessReport

CHEAPEST = 1
"""The cost that has the first colour, the same on every map."""

DEAREST = 10
"""The cost that has the last colour, as have all higher ones.

With a larger one, the costs of ordinary ground are harder to tell apart.
"""

LARGEST_LEAD = 5
"""A lead of so much, the attacker's or the defender's, has the last or the first colour."""

MIN_DEATHS_OF_LAST_COLOUR = 1
"""At least so many deaths in 100 battles have the last colour, so that few do not look like many.
"""

DEATHS = ("Deaths of attackers", "Deaths of defenders", "Deaths of both")
"""The names of pictures that tell who dies where, in 100 battles."""

FIGHT_DEATHS = tuple(f"{name} in the fight" for name in DEATHS)
"""The same in the battles that were asked for (the dialog *Fight*)."""

NO_WAY = "\N{MULTIPLICATION SIGN}"
"""The text of a cell that cannot be reached."""

DEATHS_OF_BOTH_IN_FIGHT = FIGHT_DEATHS[-1]
"""The picture that is shown when battles that were asked for have been fought."""

Deaths = tuple[NDArray[np.float64], NDArray[np.float64]]
"""The deaths of attackers and of defenders on each cell, as in ``BattleResults.deaths``."""


class PictureKind(Enum):
    """The kind of a picture on the map, by which it gets its colours, texts and legend."""

    COST = auto()
    """The cost of coming to each cell from a side."""

    LEAD = auto()
    """The lead of the army that comes to each cell first: above 0 the attacker's."""

    DEATHS = auto()
    """The number of creatures that die on each cell in 100 battles."""


class MapPictures:
    """The pictures that are offered, by name, and the values of those that were computed."""

    def __init__(self) -> None:
        self._kinds: dict[str, PictureKind] = {}
        """The kinds of the pictures that are offered, in order.

        Those of battles are offered before the first battle has been fought.
        """
        self._values: dict[str, NDArray[np.float64]] = {}
        """The values of the cells (height, width) of each picture that was computed."""

    @property
    def names(self) -> list[str]:
        """The names of the pictures that are offered, in order."""
        return list(self._kinds)

    def kind_of(self, name: str) -> PictureKind | None:
        """Return the kind of a picture, None if it is not offered."""
        return self._kinds.get(name)

    def has_fight(self) -> bool:
        """Return whether there are pictures of battles that were asked for."""
        return DEATHS_OF_BOTH_IN_FIGHT in self._values

    # --- what is offered --------------------------------------------------------------------

    def replace_report(self, report: FairnessReport | None, *, with_battles: bool) -> None:
        """Offer the pictures of a report in place of those of the last one; None has none.

        - The values of deaths stay: battles are no part of a report.
        - Deaths in battles that a simulator fights without being asked are offered if it does so,
          ``with_battles``; those in battles that were asked for as before.
        """
        values: dict[str, NDArray[np.float64]] = {}
        kinds: dict[str, PictureKind] = {}
        if report is not None:
            for name, costs in report.travel_costs:
                values[name] = costs
                kinds[name] = PictureKind.COST
            for name, leads in report.leads:
                values[name] = leads
                kinds[name] = PictureKind.LEAD
        names_of_deaths = [name for name in FIGHT_DEATHS if name in self._kinds]
        if with_battles:
            names_of_deaths = [*DEATHS, *names_of_deaths]
        for name in names_of_deaths:
            kinds[name] = PictureKind.DEATHS
            if name in self._values:
                values[name] = self._values[name]
        self._values = values
        self._kinds = kinds

    def set_simulated_deaths(self, deaths: Deaths | None) -> None:
        """Set the values of battles fought without being asked; None: there are none any more."""
        self._set_deaths(DEATHS, deaths)

    def set_fight_deaths(self, deaths: Deaths | None) -> None:
        """Offer the pictures of battles that were asked for, as the last ones; None: no longer."""
        self._set_deaths(FIGHT_DEATHS, deaths)
        for name in FIGHT_DEATHS:
            self._kinds.pop(name, None)  # a name that is set anew becomes the last one
            if deaths is not None:
                self._kinds[name] = PictureKind.DEATHS

    def _set_deaths(self, names: Sequence[str], deaths: Deaths | None) -> None:
        """Set the values of the pictures ``names``: of attackers, of defenders, of both."""
        for name in names:
            self._values.pop(name, None)
        if deaths is not None:
            of_attackers, of_defenders = deaths
            values = (of_attackers, of_defenders, of_attackers + of_defenders)
            self._values |= zip(names, values, strict=True)

    # --- as colours -------------------------------------------------------------------------

    def heat(self, name: str, grid: Grid) -> Heat | None:
        """Return a picture as colours and texts of the cells of ``grid``.

        None if it has no values, or only those of a map of another size: those of this map follow.
        """
        values = self._values.get(name)
        if values is None or values.shape != (grid.height, grid.width):
            return None
        text_of: Callable[[float], str]
        ends: tuple[float, float]  # the values of the first and the last colour
        kind = self._kinds[name]
        if kind is PictureKind.COST:
            ends = (CHEAPEST, DEAREST)
            text_of = _number_text
        elif kind is PictureKind.LEAD:
            ends = (-LARGEST_LEAD, LARGEST_LEAD)
            text_of = _lead_text
        else:
            ends = (0.0, float(np.nanmax(values, initial=MIN_DEATHS_OF_LAST_COLOUR)))
            text_of = _number_text
        flat_values = values.ravel()
        texts = {cell: text_of(float(flat_values[cell])) for cell in grid.cells.tolist()}
        return Heat(values, ends, texts=texts)


def _number_text(value: float) -> str:
    """Return the cost of coming to a cell, or a number of deaths, as text."""
    if isnan(value):
        return NO_WAY
    return f"{value:.0f}"


def _lead_text(lead: float) -> str:
    """Return the army that comes to a cell first, and by how much it leads: "A 3", "D 2"."""
    if isnan(lead):
        return NO_WAY
    if round(lead) == 0:
        return "0"
    if lead > 0:
        return f"A {lead:.0f}"
    return f"D {-lead:.0f}"
