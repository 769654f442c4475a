"""Which cells look different after a change of a map: more than changed, or fewer.

``spread`` adds the cells around, whose look depends on the changed ones. ``redefined_cells`` finds
the few cells of a map that a change of its terrain set concerns.
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
    """Return cells (n,), ascending, that are drawn differently after a change of ``region``.

    These are the changed cells with their neighbours, and the neighbours of those, as far as the
    look of a cell in a style and with overlays depends on others.
    """
    grid = battlemap.grid
    steps = style.spread(battlemap, region.planes, overlays.shows_relief(battlemap.system))
    if steps is None:
        return grid.cells
    if region.locks:
        steps = max(steps, 1)  # the border of a locked area
    if overlays.passability:
        # Squares meet at corners: these are two steps away.
        steps = max(steps, 2 * battlemap.system.passability_reach)
    cells = region.cells
    for _ in range(steps):
        neighbours = grid.all_neighbours_of(cells)
        cells = ascending(np.concatenate([cells, neighbours[neighbours >= 0]]))
    return cells


def redefined_cells(
    battlemap: BattleMap, region: Region, former: TerrainSet | None
) -> Region | None:
    """Return what changed if that is only how terrains are defined: the cells of these.

    ``former`` is the terrain set with which the map was drawn last. None where more changed than
    definitions of terrains, or the look of perhaps all cells.
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
    is_redefined = np.zeros(battlemap.grid.size, np.bool_)
    for layer in battlemap.layers:
        values = layer.planes.get(spec.name)
        if values is not None and len(codes):
            is_redefined |= np.isin(values.reshape(-1), codes)
    return Region(np.flatnonzero(is_redefined), planes=frozenset([spec.name]))


def _redefined_terrains(former: TerrainSet | None, now: TerrainSet) -> NDArray[np.intp] | None:
    """Return the codes (n,) of terrains that another terrain set with the same codes redefines.

    Those that only one of the sets has are on no map that both fit. None if all cells may look
    different: the first terrain is what unset cells show, hexsides and ways may be anywhere.
    """
    if former is None:
        return None
    if _redefined_codes(former.hexsides, now.hexsides) or _redefined_codes(former.ways, now.ways):
        return None
    codes = _redefined_codes(former.terrains, now.terrains)
    if 0 in codes:
        return None
    return np.array(codes, np.intp)


def _redefined_codes(former_entries: Sequence[object], entries: Sequence[object]) -> list[int]:
    """Return the codes at which both sequences have an entry, but not the same."""
    pairs = zip(former_entries, entries, strict=False)
    return [code for code, (former, entry) in enumerate(pairs) if former != entry]
