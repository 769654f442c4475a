"""Advice about the terrain of a map: the rows at its poles, and the seam where it goes round.

The first and the last row of a map of Xconq are its *poles*, where no unit can stand. If the map
goes round the world, its last column lies beside its first one; between them is the *seam*::

    pole    # # # # # #
          | ~ ~ ^ . . ~ |
    seam  | ~ . . . ^ ~ |  seam: the hexes on both sides of it are neighbours
          | ~ ~ . ~ ~ ~ |
    pole    # # # # # #

A pole should have a terrain that is rare elsewhere, so that players see where the world ends. At
the seam landforms should go on as they do anywhere else.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid.grid import Grid
from randomizer.model.problems import Problem, Severity
from randomizer.model.terrain.terrain import TerrainSet

Codes = NDArray[np.uint8]
"""The terrain codes of a map, (h, w)."""

MAX_OF_INNER_ROWS = 0.25
"""The terrain of a pole is common elsewhere if it has a larger share of the inner rows than this.

If it is larger, fewer maps get the hint.
"""

MIN_ROUGH_SHARE = 0.2
"""A seam at which a smaller share of hexes differ from their neighbours across is never rough.

If it is larger, fewer maps get the hint.
"""

ROUGH_SEAM_FACTOR = 1.3
"""The seam is rough if so many times as many hexes differ there as from column to column elsewhere.

Of rolled worlds of 60 x 30 one in sixty is rougher there by chance. If it is larger, fewer maps get
the hint.
"""

COMPARED_COLUMNS_PERCENT = 90
"""The percentage of columns that are compared with the seam; the roughest ones do not count."""

MIN_COLUMNS = 3
"""Narrower maps have no columns with which their seam could be compared."""


def terrain_advice(codes: Codes, terrain_set: TerrainSet, grid: Grid) -> Iterator[Problem]:
    """Yield the problems of the terrain of a map; none if it is all of one terrain."""
    if (codes == codes[0, 0]).all():
        return
    yield from _check_poles(codes, terrain_set, grid)
    if grid.wrap:
        yield from _check_seam(codes, grid)


def _check_poles(codes: Codes, terrain_set: TerrainSet, grid: Grid) -> Iterator[Problem]:
    """Yield a hint if a pole has no terrain of its own, by which players would know it."""
    height = len(codes)
    if height <= 2:
        return
    inner = codes[1:-1]
    fault_by_row: dict[int, str] = {}
    for y in (height - 1, 0):  # a problem of both is shown at the last one noted: row 0
        row = codes[y]
        terrain = row[0]
        if (row != terrain).any():
            fault_by_row[y] = "is of several terrains"
        elif np.count_nonzero(inner == terrain) > MAX_OF_INNER_ROWS * inner.size:
            fault_by_row[y] = f"is {terrain_set.terrains[terrain].name}, common elsewhere, too"
    if fault_by_row:
        faults = ", ".join(f"y = {y} {fault}" for y, fault in fault_by_row.items())
        message = (
            "The rows at the poles, where no unit can stand, should have a terrain of their own "
            f"(edge-terrain): {faults}"
        )
        first_faulty_row = next(iter(fault_by_row))
        yield Problem(Severity.HINT, "advice-poles", message, cell=first_faulty_row * grid.width)


def _check_seam(codes: Codes, grid: Grid) -> Iterator[Problem]:
    """Yield a hint if more hexes differ from their eastern neighbours there than elsewhere."""
    if grid.width < MIN_COLUMNS:
        return
    # The rows at the poles do not count, if there are others.
    first_row = 0
    if len(codes) > 2:
        first_row = 1
    inner = codes[first_row : len(codes) - first_row]

    # A column of one terrain beside the seam is a wall, and meant.
    for column in (inner[:, 0], inner[:, -1]):
        is_wall = (column == column[0]).all()
        if is_wall:
            return

    differs = _differs_from_eastern(inner)
    # Adding narrow numbers is many times as fast as the mean of truth values.
    share_by_column = np.add.reduce(differs, axis=0, dtype=np.uint32) / len(inner)
    share_at_seam = share_by_column[-1]
    usual_share = np.percentile(share_by_column[:-1], COMPARED_COLUMNS_PERCENT)
    if share_at_seam <= max(MIN_ROUGH_SHARE, ROUGH_SEAM_FACTOR * usual_share):
        return

    # The problem is shown at the first hex of the last column that differs.
    row = first_row + int(differs[:, -1].argmax())
    cell = row * grid.width + grid.width - 1
    message = (
        f"Landforms do not match where the map goes round: {share_at_seam:.0%} of the hexes of the "
        f"last column (x = {grid.width - 1}) differ from their neighbours in the first. A stripe "
        "of a terrain that nobody can enter would be a wall there"
    )
    yield Problem(Severity.HINT, "advice-seam", message, cell=cell)


def _differs_from_eastern(codes: Codes) -> NDArray[np.bool_]:
    """Return whether each hex has another terrain than its eastern neighbour, (h, w).

    That of a hex in the last column is in the first one, across the seam.
    """
    differs = np.empty(codes.shape, np.bool_)
    np.not_equal(codes[:, :-1], codes[:, 1:], out=differs[:, :-1])
    np.not_equal(codes[:, -1], codes[:, 0], out=differs[:, -1])
    return differs
