"""Several panels share the canvas' heat."""

from __future__ import annotations

import numpy as np

from app.canvas.heat_owner import HeatOwner
from app.render.cell_values.heat import Heat


def test_only_the_panel_that_claimed_the_map_last_is_seen(driver):
    owner = HeatOwner(driver.canvas)
    seen = driver.canvas.renderer
    size = driver.document.battlemap.grid.size
    odds = Heat(np.zeros(size))
    fairness = Heat(np.ones(size))
    told: list[str] = []
    owner.changed.connect(told.append)
    owner.show("odds", odds)
    assert seen.heat is None  # nobody asked for it
    owner.claim("odds")
    owner.show("odds", odds)
    assert seen.heat is odds.cells
    owner.claim("fairness")
    assert seen.heat is None  # it has not said yet what it shows
    owner.show("fairness", fairness)
    other = Heat(np.full(size, 0.5))
    owner.show("odds", other)
    assert seen.heat is fairness.cells
    owner.release("fairness")
    assert seen.heat is None, "nobody asked for the other one again"
    owner.claim("odds")
    assert seen.heat is other.cells
    owner.release("odds")
    assert seen.heat is None
    assert told == ["odds", "fairness", "", "odds", ""]
