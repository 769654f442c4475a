"""What a side has seen of the world, shown over the map as a heat map of one colour."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject

from app.qt_guard import connect
from app.render.cell_values.heat import Heat
from randomizer.systems.xconq.scenario.views import read_view

if TYPE_CHECKING:
    from app.canvas.heat_owner import HeatOwner
    from app.systems.xconq.scenario_records import ScenarioRecords

NAME = "a side's view"
"""By which the canvas knows whose heat map it shows."""


class SideView(QObject):
    """``side`` is the number of the side whose view is shown, None for none."""

    def __init__(self, records: ScenarioRecords, heat: HeatOwner) -> None:
        super().__init__(records)
        self._records, self._heat = records, heat
        self.side: int | None = None
        connect(records.changed, self._show)

    def show_side(self, side: int | None) -> None:
        """Show what a side has seen; None: the whole map."""
        if side == self.side:
            return
        if side is None:
            self._heat.release(NAME)
        elif self.side is None:
            self._heat.claim(NAME)
        self.side = side
        self._show()

    def _show(self) -> None:
        if self.side is None:
            return
        sides = self._records.sides.sides if self._records.offered else ()
        if self.side >= len(sides) or not sides[self.side].view:
            self.show_side(None)
            return
        view = read_view(sides[self.side].view, self._records.battlemap.grid, len(sides))
        assert view is not None, "it has rows"
        texts = {
            unit.cell: unit.char + (f"\n{sides[unit.side].name}" if unit.side >= 0 else "")
            for unit in view.units
        }
        values = np.where(view.unseen, 0.0, np.nan)
        seen = f"Seen by {sides[self.side].name}"
        self._heat.show(NAME, Heat(values, (0.0, 1.0), texts=texts), seen)
