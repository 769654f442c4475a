"""Advice about the terrain of a map: its poles, and the seam where it goes round."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid import Grid
from randomizer.model.problems import Problem, Severity
from randomizer.model.terrain import TerrainSet

PLENTIFUL = 0.25
"""Terrain with a greater share of the inner rows does not tell the poles from the rest."""

LEAST_SEAM = 0.2
"""So many of the hexes beside the seam must differ from their neighbours, as a share."""

MORE, MOST_COLUMNS = 1.3, 90
"""At the seam so many times more differ than at most from column to column, not counting the
roughest tenth. Of rolled worlds of 60 x 30 one in sixty is rougher there by chance."""

Codes = NDArray[np.uint8]


def terrain_advice(codes: Codes, terrain_set: TerrainSet, grid: Grid) -> Iterator[Problem]:
    """The problems of the terrain codes (h, w) of a map; none of one that is all of one terrain."""
    if (codes == codes[0, 0]).all():
        return
    yield from _poles(codes, terrain_set, grid)
    if grid.wrap:
        yield from _seam(codes, grid)


def _poles(codes: Codes, terrain_set: TerrainSet, grid: Grid) -> Iterator[Problem]:
    height = len(codes)
    if height < 3:
        return
    faults = []
    for y in (height - 1, 0):
        row = codes[y]
        if (row != row[0]).any():
            faults.append((y, "is of several terrains"))
        elif np.count_nonzero(codes[1:-1] == row[0]) > PLENTIFUL * codes[1:-1].size:
            faults.append((y, f"is {terrain_set.terrains[row[0]].name}, common elsewhere, too"))
    if faults:
        words = ", ".join(f"y = {y} {fault}" for y, fault in faults)
        message = (
            "The rows at the poles, where no unit can stand, should have a terrain of their own "
            f"(edge-terrain): {words}"
        )
        cell = faults[0][0] * grid.width
        yield Problem(Severity.HINT, "advice-poles", message, cell=cell)


def _seam(codes: Codes, grid: Grid) -> Iterator[Problem]:
    """Whether more hexes differ from their eastern neighbours at the seam than elsewhere.

    A stripe of one terrain beside the seam is a wall, and meant.
    """
    first = 1 if len(codes) > 2 else 0
    inner = codes[first : len(codes) - first]
    if grid.width < 3 or any((column == column[0]).all() for column in (inner[:, 0], inner[:, -1])):
        return
    differs = np.empty(inner.shape, np.bool_)
    np.not_equal(inner[:, :-1], inner[:, 1:], out=differs[:, :-1])
    np.not_equal(inner[:, -1], inner[:, 0], out=differs[:, -1])
    # Adding narrow numbers is many times as fast as the mean of truth values.
    shares = np.add.reduce(differs, axis=0, dtype=np.uint32) / len(inner)
    if shares[-1] <= max(LEAST_SEAM, MORE * np.percentile(shares[:-1], MOST_COLUMNS)):
        return
    cell = (int(differs[:, -1].argmax()) + first) * grid.width + grid.width - 1
    message = (
        f"Landforms do not match where the map goes round: {shares[-1]:.0%} of the hexes of the "
        f"last column (x = {grid.width - 1}) differ from their neighbours in the first. A stripe "
        "of a terrain that nobody can enter would be a wall there"
    )
    yield Problem(Severity.HINT, "advice-seam", message, cell=cell)
