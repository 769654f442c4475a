"""The preview of a stamp: the cells, hexsides and things that it would set on the map.

``stamp_preview`` makes it for a stamp with its anchor on a cell. Of a large stamp only a part of
the hexsides and things is shown, since a preview is made at each move of the mouse.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from app.tools.painting import mark_left_out
from app.tools.pointer import CellSide
from app.tools.preview import Preview
from randomizer.geometry.stamp import Stamp
from randomizer.geometry.stamp_placing import cells_at, left_out_of_placing, stamp_things
from randomizer.model.basics.plurals import counted, many
from randomizer.model.grid.indices import is_ascending
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.planes import PlaneRole

if TYPE_CHECKING:
    from app.document.document import MapDocument

CellOrder = NDArray[np.intp] | slice
"""An index that takes cells of a stamp in ascending order."""

NO_HEXSIDE = 0
"""The code of the hexside "none"."""

MAX_PREVIEWED_SIDES = 300
"""A preview has at most so many hexsides; with more of them the mouse would jerk."""

MAX_PREVIEWED_THINGS = 200
"""A preview has at most so many things; with more of them the mouse would jerk."""


def stamp_preview(document: MapDocument, stamp: Stamp, cell: int) -> Preview:
    """Return the preview of a stamp with its anchor on a cell."""
    battlemap = document.battlemap
    cells_of_stamp = cells_at(battlemap.grid, stamp, cell)
    order = _ascending_order(cells_of_stamp)
    cells = cells_of_stamp[order]

    texts = []
    off_board = len(cells_of_stamp) - len(cells)
    if off_board:
        total = counted(len(cells_of_stamp), "cell")
        texts.append(f"{off_board:,} of {total} {many(off_board, 'lies', 'lie')} off the board")
    placed_things = stamp_things(battlemap, stamp, cell)
    if placed_things.words:
        texts.append(placed_things.words)

    preview = Preview(
        cells,
        _preview_terrains(document, stamp, order),
        _preview_sides(battlemap, stamp, cells_of_stamp),
        things=tuple(placed_things.things[:MAX_PREVIEWED_THINGS]),
        note=" - ".join(texts),
    )
    barred = left_out_of_placing(battlemap, stamp, cell, document.active_layer_id)
    return mark_left_out(document, preview, barred)


def _ascending_order(cells: NDArray[np.intp]) -> CellOrder:
    """Return the index that takes from ``cells`` (n,) those on the map (not -1), ascending.

    For [7, -1, 4] it is [2, 0], by which numpy takes [4, 7]. It is an array of positions (m,), or a
    slice if these are all positions in their order.
    """
    on_map = cells >= 0
    # Most stamps lie on the map and are in order: a slice copies nothing.
    order: CellOrder = slice(None)
    if not on_map.all():
        order = np.flatnonzero(on_map)
    cells_on_map = cells[order]
    if is_ascending(cells_on_map):
        return order
    # Those off the map are -1, and so sorted before all others.
    cells_off_map = len(cells) - len(cells_on_map)
    return np.argsort(cells, kind="stable")[cells_off_map:]


def _preview_terrains(
    document: MapDocument, stamp: Stamp, order: CellOrder
) -> NDArray[np.int64] | None:
    """Return the terrain codes (m,) of the stamp's cells that the index ``order`` takes.

    They are codes of the map, -1 where the stamp sets no terrain or one that the map does not have.
    None if the stamp has no terrains.
    """
    terrain_plane = stamp.plane(PlaneRole.TERRAIN)
    if terrain_plane is None or terrain_plane.values.ndim != 1:
        return None
    # Values that are not set are taken from the end of the table, where -1 stands for them.
    codes = np.append(_terrain_codes(document, stamp), -1)
    values = terrain_plane.values[order]
    return codes[np.where(values == terrain_plane.unset, len(codes) - 1, values)]


def _preview_sides(
    battlemap: BattleMap, stamp: Stamp, cells: NDArray[np.intp]
) -> tuple[tuple[CellSide, int | None], ...]:
    """Return the first hexsides of a stamp that lie on the map, with their codes.

    ``cells`` (n,) are where the cells of the stamp lie, -1 off the map. A stamp whose codes mean
    other hexsides than those of the map shows none.
    """
    side_plane = stamp.plane(PlaneRole.HEXSIDE)
    map_hexsides = tuple(hexside.name for hexside in battlemap.terrain_set.hexsides)
    if side_plane is None or side_plane.values.ndim != 2 or stamp.hexsides != map_hexsides:
        return ()
    is_set = (side_plane.values != side_plane.unset) & (side_plane.values != NO_HEXSIDE)
    rows, sides = np.nonzero(is_set)
    first = np.flatnonzero(cells[rows] >= 0)[:MAX_PREVIEWED_SIDES]
    result: list[tuple[CellSide, int | None]] = []
    for row, side in zip(rows[first].tolist(), sides[first].tolist(), strict=True):
        result.append((CellSide(int(cells[row]), side), int(side_plane.values[row, side])))
    return tuple(result)


def _terrain_codes(document: MapDocument, stamp: Stamp) -> NDArray[np.int64]:
    """Return the codes (n,) that a stamp's terrains have on this map; -1 for one that it lacks."""
    terrain_set = document.battlemap.terrain_set
    codes = []
    for name in stamp.terrains:
        code = -1
        if terrain_set.has_terrain(name):
            code = terrain_set.terrain_code(name)
        codes.append(code)
    return np.array(codes, np.int64)  # also for a stamp without terrains
