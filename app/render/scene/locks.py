"""Locks: a band along the border of each locked area, and one padlock for it.

Scenes draw ``batches``, bands and the padlocks of single sides; the padlocks of areas depend on the
whole map (``area_locks``) and are drawn at each scale by the ``AreaLocks``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF

from app.render.cell_geometry import cell_box, side_middle
from app.render.cell_values.opacity_passes import flat
from app.render.scene.batch import AnyBatch, IconBatch
from app.render.scene.icons import LEAST_SIGN, SIGN_RADIUS, SIGN_SIZE, Sign
from app.render.scene.part import ScenePart
from app.render.scene.pieces import Pieces
from app.render.scene.regions import border_bands
from app.render.theme import Theme
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.planes import is_blank

BAND = 0.09
"""The least width of the band, in map units."""

BAND_PIXELS = 1.5
"""The least width of the band, in pixels: a wider one hides small cells, ..."""

MOST_BAND = 0.3
"""... and so it is never wider than this, in map units."""

ASIDE = 0.58
"""How far a padlock is beside the centre of a cell, as a share of half its width, so that what
stands in the middle of the cell is seen."""

LOWERED = 0.02
"""How far it is below the centre, in map units."""

GROWTH = 0.4
"""By how much of its size a padlock grows where its area has twice as many cells."""

LARGEST = 1.1
"""The largest padlock, in map units: larger ones would look like symbols of the map."""

LEAST_OF_AREA = 12
"""The least size of the padlock of an area on a screen, in logical pixels."""

MOST_OF_AREA = 26
"""The largest size of it."""

ICON_MARGIN = 4.0
"""Room for the soft edge of a padlock, in logical pixels."""

_REACH = 2 * SIGN_RADIUS / SIGN_SIZE
"""How far the disc of a sign reaches, of the size of its picture."""


def batches(pieces: Pieces, part: ScenePart) -> Iterator[AnyBatch]:
    """Yield the bands within the borders of locked areas, and a padlock on each other locked side.

    The padlocks of areas are ``AreaLocks``: they depend on the whole area.
    """
    battlemap = part.battlemap
    locked = flat(battlemap.locked_cells)
    locked_rows = np.flatnonzero(locked[part.cells])
    if len(locked_rows):
        is_locked = locked.view(np.uint8)
        width = min(MOST_BAND, max(BAND, BAND_PIXELS * pieces.pixel))
        colours = {1: pieces.theme.lock.name()}
        batch = pieces.batch(border_bands(pieces, part, is_locked, locked_rows, colours, width))
        if batch is not None:
            yield batch
    if is_blank(battlemap.locked_sides):
        return
    sides = flat(battlemap.locked_sides)[part.cells]
    points = []
    for side in range(pieces.layout.degree):
        beyond = part.neighbours(side)
        is_in_area = locked[part.cells] | ((beyond >= 0) & locked[beyond])
        middle = side_middle(pieces.layout, side).toTuple()
        points.append(part.centres[sides[:, side] & ~is_in_area] + middle)
    all_points = np.concatenate(points)
    if len(all_points):
        icon_of = np.zeros(len(all_points), np.intp)
        sign = _padlock(pieces.theme)
        yield IconBatch([sign], icon_of, all_points, SIGN_SIZE, _REACH, LEAST_SIGN)


class AreaLocks(NamedTuple):
    """The padlocks of the n connected locked areas of a map; all is in map units."""

    points: NDArray[np.float64]
    """Their middles, (n, 2)."""

    sizes: NDArray[np.float64]
    """The sizes of their pictures, (n,)."""

    extents: NDArray[np.float64]
    """The sides of squares as large as the areas, (n,)."""

    def by_place(self) -> set[tuple[float, float, float]]:
        """Return x, y and size of each padlock."""
        rows = zip(self.points.tolist(), self.sizes.tolist(), strict=True)
        return {(x, y, size) for (x, y), size in rows}

    def batches(self, scale: float, area: QRectF, theme: Theme) -> Iterator[IconBatch]:
        """Yield the padlocks that may reach into ``area`` (map units), large ones of large areas.

        ``scale`` is in pixels a map unit. An area that is smaller than a padlock has none.
        """
        reach = padlock_reach(LARGEST, scale) / scale
        near = area.adjusted(-reach, -reach, reach, reach)
        first = near.topLeft().toTuple()
        last = near.bottomRight().toTuple()
        is_near = ((self.points >= first) & (self.points <= last)).all(axis=1)
        is_near &= self.extents * scale >= LEAST_OF_AREA
        sizes = np.minimum(self.sizes, MOST_OF_AREA / scale)
        for size in sorted(set(sizes[is_near].tolist())):  # np.unique loads numpy.ma at the start
            points = self.points[is_near & (sizes == size)]
            icon_of = np.zeros(len(points), np.intp)
            yield IconBatch([_padlock(theme)], icon_of, points, size, _REACH, LEAST_OF_AREA)


NO_AREA_LOCKS = AreaLocks(np.zeros((0, 2)), np.zeros(0), np.zeros(0))


def area_locks(battlemap: BattleMap) -> AreaLocks:
    """Return the padlocks of a map, each beside the middle of a cell amid its area."""
    if is_blank(battlemap.locked_cells):
        return NO_AREA_LOCKS
    grid = battlemap.grid
    locked = battlemap.locked_cells
    if grid.mask is not None:
        locked = locked & grid.mask
    if not locked.any():
        return NO_AREA_LOCKS
    from randomizer.geometry.flood import number_areas  # the start of the program has no locks

    # The cell nearest to the middle of each area, the first of several. Axis by axis, and without
    # sorting: a map may be locked as a whole.
    cells, area_of_cell = number_areas(grid, locked)
    cell_counts = np.bincount(area_of_cell)
    centres = grid.centres_of(cells)
    squares = np.zeros(len(cells))
    for axis_centres in centres.T:
        middles = np.bincount(area_of_cell, axis_centres) / cell_counts
        squares += (axis_centres - middles[area_of_cell]) ** 2
    least_squares = np.full(len(cell_counts), np.inf)
    np.minimum.at(least_squares, area_of_cell, squares)
    nearest_rows = np.flatnonzero(squares == least_squares[area_of_cell])[::-1]
    row_of_area = np.empty(len(cell_counts), np.intp)
    row_of_area[area_of_cell[nearest_rows]] = nearest_rows  # the first one is written last

    aside = (ASIDE * cell_box(grid.layout).right(), LOWERED)
    points = centres[row_of_area] + aside
    doublings = np.floor(np.log2(cell_counts))  # so few sizes are sprites of their own
    sizes = np.minimum(SIGN_SIZE * (1 + GROWTH * doublings), LARGEST)
    return AreaLocks(points, sizes, grid.layout.cell_width * np.sqrt(cell_counts))


class AreaLocksCache:
    """``area_locks`` of the map asked for last, until ``forget``."""

    def __init__(self) -> None:
        self.latest = NO_AREA_LOCKS
        """The padlocks that were placed last; ``forget`` leaves them."""
        self._battlemap: BattleMap | None = None
        """The map of ``latest``; None if they are to be placed anew."""

    def of(self, battlemap: BattleMap) -> AreaLocks:
        """Return the padlocks of a map: one object until ``forget``, or another map."""
        if self._battlemap is not battlemap:
            self.latest = area_locks(battlemap)
            self._battlemap = battlemap
        return self.latest

    def forget(self) -> None:
        """Place the padlocks anew when they are asked for: a lock has changed."""
        self._battlemap = None


def padlock_reach(size: float, scale: float) -> float:
    """Return how far a padlock of an area reaches at a scale, in logical pixels."""
    pixels = min(max(size * scale, LEAST_OF_AREA), MOST_OF_AREA)
    return pixels * _REACH / 2 + ICON_MARGIN


def _padlock(theme: Theme) -> Sign:
    return Sign("lock", theme.lock.rgba(), theme.label_halo.rgba())
