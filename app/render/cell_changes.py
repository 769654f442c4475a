"""Finds the cells that have to be drawn again after a change of a map.

They are not just the cells that were changed. The look of a cell depends on its neighbours, so
``spread`` adds the cells around. And when a terrain is defined anew, such as in another colour, all
cells of the map count as changed: ``redefined_cells`` finds those that have this terrain.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.render.overlay_options import Overlays
from app.render.style import Style
from randomizer.model.edits.edit import Region
from randomizer.model.grid.indices import ascending
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.terrain.terrain import TerrainSet


def spread(
    battlemap: BattleMap, region: Region, style: Style, overlays: Overlays
) -> NDArray[np.intp]:
    """Return the cells (n,), ascending, that look different after a change of ``region``.

    They are the changed cells, their neighbours, the neighbours of these and so on: as many steps
    as the look of a cell depends on other cells in this style and with these overlays.
    """
    grid = battlemap.grid
    steps = style.redraw_distance(battlemap, region.planes, overlays.shows_relief(battlemap.system))
    if steps is None:
        return grid.cells
    if region.locks:
        steps = max(steps, 1)  # the border of a locked area
    if overlays.passability:
        # A cell across a corner of a square is two steps over sides away.
        steps = max(steps, 2 * battlemap.system.passability_reach)
    cells = region.cells
    for _ in range(steps):
        neighbours = grid.all_neighbours_of(cells)
        existing = neighbours[neighbours >= 0]  # -1 stands for none, beyond the map's edge
        cells = ascending(np.concatenate([cells, existing]))
    return cells


def redefined_cells(
    battlemap: BattleMap, region: Region, former: TerrainSet | None
) -> Region | None:
    """Return the region of the cells whose terrain is defined anew, if nothing else has changed.

    ``region`` is the change as it was reported, ``former`` the terrain set with which the map was
    drawn last. None if more has changed than definitions of terrains, or if that may change the
    look of all cells: then ``region`` is to be drawn as it is.
    """
    spec = battlemap.system.terrain
    changes_more = any(
        (
            region.planes,
            region.records,
            region.structure,
            region.locks,
            region.things,
            region.reshaped,
        )
    )
    if spec is None or not region.terrain_set or changes_more:
        return None
    codes = _redefined_terrains(former, battlemap.terrain_set)
    if codes is None:
        return None

    # A cell counts if any layer has such a terrain there, be it seen or not.
    is_redefined = np.zeros(battlemap.grid.size, np.bool_)
    for layer in battlemap.layers:
        values = layer.planes.get(spec.name)
        if values is not None and len(codes):
            is_redefined |= np.isin(values.reshape(-1), codes)
    return Region(np.flatnonzero(is_redefined), planes=frozenset([spec.name]))


def _redefined_terrains(former: TerrainSet | None, current: TerrainSet) -> NDArray[np.intp] | None:
    """Return the codes (n,) of the terrains that differ between two terrain sets.

    None if all cells may look different: if there is no former set, or if other things than single
    terrains differ.
    """
    if former is None:
        return None
    if former.elevations != current.elevations or former.tactical != current.tactical:
        return None  # the shades of all heights, or the style of the map, may be others
    # Hexsides and ways may be in any cell.
    redefined_hexsides = _redefined_codes(former.hexsides, current.hexsides)
    redefined_ways = _redefined_codes(former.ways, current.ways)
    if redefined_hexsides or redefined_ways:
        return None
    codes = _redefined_codes(former.terrains, current.terrains)
    if 0 in codes:  # cells in which no layer sets a terrain show the terrain 0
        return None
    return np.array(codes, np.intp)


def _redefined_codes(former_entries: Sequence[object], entries: Sequence[object]) -> list[int]:
    """Return the codes (indices) at which two sequences have different entries.

    Entries at the end that only the longer sequence has are left out: no cell of a map that was
    drawn with both sets has such a code.
    """
    pairs = zip(former_entries, entries, strict=False)
    return [code for code, (former, entry) in enumerate(pairs) if former != entry]
