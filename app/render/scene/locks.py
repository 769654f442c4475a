"""Shows which cells and sides are locked: rolls do not change them.

A *locked area* is a connected set of locked cells. It has a band along its border, and one padlock
beside its middle; a single locked side outside of such areas has a small padlock. Scenes draw
``batches``: the bands, and the padlocks of sides. The padlock of an area depends on cells that may
be far outside of the view, so that ``area_locks`` finds those of the whole map::

    locks = cache.of(battlemap)                          # AreaLocks, until a lock changes
    for batch in locks.band_and_side_batches(scale, area_in_view, theme): ...
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
from app.render.scene.border_bands import Areas, border_bands
from app.render.scene.icons import MIN_SIGN_PX, SIGN_RADIUS, SIGN_SIZE, Sign
from app.render.scene.part import ScenePart
from app.render.scene.pieces import Pieces
from app.render.theme import Theme
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.planes import is_blank

MIN_BAND = 0.09
"""The least width of the band, in map units."""

MIN_BAND_PX = 1.5
"""The least width of the band, in pixels."""

WIDEST_BAND = 0.3
"""The greatest width of the band, in map units; it goes before both least widths.

A wider one would hide small cells.
"""

PADLOCK_ASIDE = 0.58
"""How far a padlock lies to the right of a cell's centre, as a share of half the cell's width.

So what stands in the middle of the cell is seen.
"""

PADLOCK_LOWERED = 0.02
"""How far a padlock lies below the centre of a cell, in map units."""

PADLOCK_GROWTH = 0.4
"""The padlock of an area grows by this share of ``SIGN_SIZE`` each time the area is doubled."""

LARGEST_PADLOCK = 1.1
"""The largest padlock, in map units: larger ones would look like symbols of the map."""

MIN_PADLOCK_PX = 12
"""The least size of the padlock of an area on a screen, in logical pixels."""

LARGEST_PADLOCK_PX = 26
"""The largest size of the padlock of an area on a screen, in logical pixels."""

ICON_MARGIN = 4.0
"""Room for the soft edge of a padlock, in logical pixels."""

_REACH = 2 * SIGN_RADIUS / SIGN_SIZE
"""The width of the disc of a padlock in widths of its picture (``IconBatch.reach``)."""

_LOCKED = 1
"""The value of locked cells where booleans are read as numbers."""


def band_and_side_batches(pieces: Pieces, part: ScenePart) -> Iterator[AnyBatch]:
    """Yield the bands along the borders of locked areas, then the padlocks on single locked sides.

    The padlocks of areas are not among them (``AreaLocks``).
    """
    locked = flat(part.battlemap.locked_cells)
    (locked_rows,) = locked[part.cells].nonzero()
    if len(locked_rows):
        width = min(WIDEST_BAND, max(MIN_BAND, MIN_BAND_PX * pieces.pixel))
        # Areas have numbers: that of locked cells is 1.
        areas = Areas(locked.astype(np.uint8), {_LOCKED: pieces.theme.lock.name()})
        batch = pieces.batch(border_bands(pieces, part, areas, locked_rows, width))
        if batch is not None:
            yield batch
    if not is_blank(part.battlemap.locked_sides):
        yield from _padlocks_of_sides(pieces, part)


def _padlocks_of_sides(pieces: Pieces, part: ScenePart) -> Iterator[IconBatch]:
    """Yield a padlock in the middle of each locked side between two cells that are not locked."""
    locked = flat(part.battlemap.locked_cells)
    locked_sides = flat(part.battlemap.locked_sides)[part.cells]
    points_of_sides = []
    for side in range(pieces.layout.degree):
        beyond = part.neighbour_cells[side]  # -1 for none
        is_at_area = locked[part.cells] | ((beyond >= 0) & locked[beyond])
        middle = side_middle(pieces.layout, side).toTuple()
        points_of_sides.append(part.centres[locked_sides[:, side] & ~is_at_area] + middle)
    points = np.concatenate(points_of_sides)
    if len(points):
        yield _padlocks(pieces.theme, points, SIGN_SIZE, smallest_px=MIN_SIGN_PX)


class AreaLocks(NamedTuple):
    """The padlocks of the n locked areas of a map; all is in map units."""

    points: NDArray[np.float64]
    """The middles of the padlocks, (n, 2)."""

    sizes: NDArray[np.float64]
    """The widths of the pictures of padlocks, (n,)."""

    extents: NDArray[np.float64]
    """How large the areas are: the sides of squares with as many cells, (n,)."""

    def by_place(self) -> set[tuple[float, float, float]]:
        """Return x, y and size of each padlock, so that two sets can be compared."""
        rows = zip(self.points.tolist(), self.sizes.tolist(), strict=True)
        return {(x, y, size) for (x, y), size in rows}

    def batches(self, scale: float, area: QRectF, theme: Theme) -> Iterator[IconBatch]:
        """Yield the padlocks that may reach into ``area`` (map units), the smallest first.

        ``scale`` is the number of logical pixels in a map unit. An area that is smaller on the
        screen than a padlock has none.
        """
        if not len(self.points):
            return
        reach = padlock_reach(LARGEST_PADLOCK, scale) / scale
        near = area.adjusted(-reach, -reach, reach, reach)
        first = near.topLeft().toTuple()
        last = near.bottomRight().toTuple()
        is_near = ((self.points >= first) & (self.points <= last)).all(axis=1)
        is_near &= self.extents * scale >= MIN_PADLOCK_PX
        sizes = np.minimum(self.sizes, LARGEST_PADLOCK_PX / scale)
        for size in sorted(set(sizes[is_near].tolist())):  # np.unique loads numpy.ma at the start
            points = self.points[is_near & (sizes == size)]
            yield _padlocks(theme, points, size, smallest_px=MIN_PADLOCK_PX)


NO_AREA_LOCKS = AreaLocks(np.zeros((0, 2)), np.zeros(0), np.zeros(0))
"""The padlocks of a map without locked cells."""


def area_locks(battlemap: BattleMap) -> AreaLocks:
    """Return the padlocks of the locked areas of a map.

    A padlock lies beside the centre of that cell of its area which is nearest to the area's middle:
    the middle itself may lie outside, as that of a ring.
    """
    if is_blank(battlemap.locked_cells):
        return NO_AREA_LOCKS
    grid = battlemap.grid
    locked = battlemap.locked_cells
    if grid.mask is not None:
        locked = locked & grid.mask
    if not locked.any():
        return NO_AREA_LOCKS
    from randomizer.geometry.flood import number_areas  # the start of the program has no locks

    cells, area_of_cell = number_areas(grid, locked)
    cell_counts = np.bincount(area_of_cell)
    centres = grid.centres_of(cells)
    middle_rows = _rows_nearest_to_middles(centres, area_of_cell, cell_counts)

    aside = (PADLOCK_ASIDE * cell_box(grid.layout).right(), PADLOCK_LOWERED)
    points = centres[middle_rows] + aside
    doublings = np.floor(np.log2(cell_counts))  # whole ones: each size has a sprite of its own
    sizes = np.minimum(SIGN_SIZE * (1 + PADLOCK_GROWTH * doublings), LARGEST_PADLOCK)
    return AreaLocks(points, sizes, grid.layout.neighbour_distance * np.sqrt(cell_counts))


def _rows_nearest_to_middles(
    centres: NDArray[np.float64],
    area_of_cell: NDArray[np.intp],
    cell_counts: NDArray[np.intp],
) -> NDArray[np.intp]:
    """Return for each of m areas the index of the cell nearest to its middle, (m,).

    ``centres`` (n, 2) are those of the cells of all areas, ``area_of_cell`` (n,) the numbers of
    their areas, and ``cell_counts`` (m,) how many cells each area has. Of equally near cells the
    first is returned. Nothing is sorted, since a map may be locked as a whole.
    """
    # The square of the distance of each cell from the middle of its area, axis by axis.
    squares = np.zeros(len(centres))
    for axis_centres in centres.T:
        middles = np.bincount(area_of_cell, axis_centres) / cell_counts
        squares += (axis_centres - middles[area_of_cell]) ** 2
    least_squares = np.full(len(cell_counts), np.inf)
    np.minimum.at(least_squares, area_of_cell, squares)

    # Of several nearest cells in an area the first one counts.
    nearest_rows = np.flatnonzero(squares == least_squares[area_of_cell])
    row_of_area = np.full(len(cell_counts), len(centres), np.intp)
    np.minimum.at(row_of_area, area_of_cell[nearest_rows], nearest_rows)
    return row_of_area


class AreaLocksCache:
    """Keeps the ``area_locks`` of the map that was asked for last, until ``forget``."""

    def __init__(self) -> None:
        self.latest = NO_AREA_LOCKS
        """The padlocks that were placed last; ``forget`` leaves them, as the screen shows them."""
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
    """Return how far a padlock of an area reaches from its middle at a scale, in logical pixels.

    ``size`` is one of ``AreaLocks.sizes``.
    """
    pixels = min(max(size * scale, MIN_PADLOCK_PX), LARGEST_PADLOCK_PX)
    return pixels * _REACH / 2 + ICON_MARGIN


def _padlocks(
    theme: Theme, points: NDArray[np.float64], size: float, *, smallest_px: int
) -> IconBatch:
    """Return padlocks of one size at ``points`` (n, 2), in map units."""
    sign = Sign("lock", theme.lock.rgba(), theme.label_halo.rgba())
    return IconBatch(
        icons=[sign],
        icon_of=np.zeros(len(points), np.intp),
        points=points,
        size=size,
        reach=_REACH,
        smallest_px=smallest_px,
    )
