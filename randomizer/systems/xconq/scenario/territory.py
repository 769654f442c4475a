"""The countries of a world as its sides hold them: the hexes around their first units."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from randomizer.systems.xconq.map_period import period_of
from randomizer.systems.xconq.scenario.areas import hexagon_cells
from randomizer.systems.xconq.units.unit_kinds import kind_names
from randomizer.systems.xconq.world.hexes import distances

if TYPE_CHECKING:
    from randomizer.geometry.areas import Cells
    from randomizer.model.map.battlemap import BattleMap

MAX_CENTRES = 500
"""So many units of sides count at most, where a period has no first unit."""


def countries_of(battlemap: BattleMap) -> dict[int, Cells]:
    """Return the hexes of each side's country, ascending, by the number of the side (from 1).

    They are as far around its first units as the period makes countries wide; around all its units
    if none of the map is of that type. A hex is in the country whose unit is nearest.
    """
    period = period_of(battlemap)
    radius = max(0, period.number("country-size"))
    first_unit = period.type_number_of("first-unit")
    centres = []
    for layer in battlemap.layers:
        if layer.visible:
            centres += [thing for thing in layer.things.values() if thing.owner]
    if first_unit is not None:
        name = kind_names(period)[first_unit]
        first_units = [thing for thing in centres if thing.kind == name]
        centres = first_units or centres

    grid = battlemap.grid
    nearest = np.full(grid.size, radius + 1, np.int64)
    owners = np.zeros(grid.size, np.int64)
    for thing in centres[:MAX_CENTRES]:
        centre = grid.cell_at(thing.x, thing.y)
        if centre < 0:
            continue
        cells = hexagon_cells(grid, centre, radius)
        y, x = np.divmod(cells, grid.width)
        distance = distances(grid.width, x, y, *grid.xy(centre))
        is_nearer = distance < nearest[cells]
        nearest[cells[is_nearer]] = distance[is_nearer]
        owners[cells[is_nearer]] = thing.owner
    countries = {}
    for owner in np.unique(owners[owners > 0]).tolist():
        countries[owner] = np.flatnonzero(owners == owner)
    return countries
