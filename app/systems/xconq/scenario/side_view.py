"""What a side has seen of the map, shown on the canvas.

A mapfile can hold for each side which hexes it has seen, and which units there (``Side.view``).
``SideView`` shows that as a *heat map*, a layer of colours over the map: hexes that the side has
not seen are dark, the others are as they are, and the units that it knows of are named.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject

from app.qt_guard import connect
from app.render.cell_values.heat import Heat
from randomizer.systems.xconq.scenario.views import read_view

if TYPE_CHECKING:
    from app.canvas.heat_owner import HeatOwner
    from app.systems.xconq.scenario.scenario_records import ScenarioRecords
    from randomizer.systems.xconq.records import Side


VIEW = "a side's view"
"""The name by which the canvas knows this heat map among those of others."""


DARK = 0.0
"""The value of cells that the side has not seen: the dark end of the colours of a heat map."""


class SideView(QObject):
    """Shows on the canvas what one of the sides has seen, as a heat map."""

    def __init__(self, records: ScenarioRecords, heat: HeatOwner) -> None:
        super().__init__(records)
        self._records = records
        self._heat = heat
        self.side: int | None = None
        """The number of the side whose view is shown, from 0; None for none."""
        connect(records.changed, self._show)
        connect(records.replaced, self._show)

    def show_side(self, side: int | None) -> None:
        """Show what a side has seen; None: the whole map."""
        if side == self.side:
            return
        if side is None:
            self._heat.release(VIEW)
        elif self.side is None:
            self._heat.claim(VIEW)
        self.side = side
        self._show()

    def _show(self) -> None:
        """Show the view as it is now; end it if the side is gone or has no view any more."""
        if self.side is None:
            return
        sides: tuple[Side, ...] = ()
        if self._records.are_offered:
            sides = self._records.sides.sides
        if self.side >= len(sides) or not sides[self.side].view:
            self.show_side(None)
            return
        view = read_view(sides[self.side].view, self._records.battlemap.grid, len(sides))
        assert view is not None, "a view that is not empty has rows"
        texts = {}
        for unit in view.units:
            texts[unit.cell] = unit.char
            if unit.side >= 0:
                texts[unit.cell] += f"\n{sides[unit.side].name}"
        # Cells without a value (nan) are shown as they are.
        values = np.where(view.unseen, DARK, np.nan)
        title = f"Seen by {sides[self.side].name}"
        self._heat.show(VIEW, Heat(values, ends=(0.0, 1.0), texts=texts), title)
