"""Gradient noise at the cells of a grid, seamless where the grid wraps.

After Perlin, "Improving Noise" (2002), with keyed draws for the gradients. Only sums, products and
square roots are used, which IEEE 754 rounds alike everywhere: the numbers are the same on every
machine.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from randomizer.generator import DrawKey
from randomizer.model.basics.dice import streams, words_of_streams
from randomizer.model.grid.grid import Grid

Field = NDArray[np.float64]
"""One number a cell, shape (cells,)."""

_HALF = 0.7071067811865476
_GRADIENTS = np.array(
    [
        (1, 0),
        (_HALF, _HALF),
        (0, 1),
        (-_HALF, _HALF),
        (-1, 0),
        (-_HALF, -_HALF),
        (0, -1),
        (_HALF, -_HALF),
    ],
    np.float64,
)
_LEAST_SPACING = 1.8
"""Of a lattice, in cells: finer noise would be chance from cell to cell."""


class Noise:
    """Noise fields of one map. ``spacing`` of a lattice is in cells, about a bump and a dip wide.

    ``shift`` moves all fields by so many columns to the right, which on a grid that wraps is the
    same world with its seam elsewhere (an even number on columns that are shifted).
    """

    def __init__(self, grid: Grid, key: DrawKey, shift: int = 0) -> None:
        self._key = key
        across = grid.layout.basis[0][0]
        self._unit = across if grid.degree == 4 else 1.6
        centres = grid.centres()
        self._x = centres[:, 0] - shift * across
        self._y = centres[:, 1] - centres[:, 1].min()
        self._x -= 0.0 if grid.wrap else self._x.min()
        self._period = grid.period

    def plain(self, site: int, spacing: float, warp: tuple[Field, Field] | None = None) -> Field:
        """Return one octave, about -1 to 1; ``warp`` moves the places of cells, in cells."""
        size = spacing * self._unit
        x = self._x
        y = self._y
        if warp is not None:
            x = x + warp[0] * self._unit
            y = y + warp[1] * self._unit
        if self._period:
            columns = max(1, round(self._period / size))
        else:
            columns = 0
        u = x * (columns / self._period) if columns else x / size
        v = y / size
        left = np.floor(u)
        top = np.floor(v)
        u = u - left
        v = v - top
        column = left.astype(np.int64)
        row = top.astype(np.int64)
        first_row = int(row.min())
        if columns:
            first = 0
            wide = columns
        else:
            first = int(column.min())
            wide = int(column.max()) - first + 2
        lattice = self._lattice(site, first, wide, first_row, int(row.max()) - first_row + 2)
        column = column - first
        row = (row - first_row) * wide
        first_column, end = (
            (column, column + 1) if not columns else (column % wide, (column + 1) % wide)
        )
        ease_u = _eased(u)
        ease_v = _eased(v)
        rows = []
        for at, down in ((row, v), (row + wide, v - 1)):
            ends = []
            for node, along in ((first_column, u), (end, u - 1)):
                index = lattice[at + node]
                ends.append(_GRADIENTS[index, 0] * along + _GRADIENTS[index, 1] * down)
            rows.append(ends[0] + ease_u * (ends[1] - ends[0]))
        result: Field = 1.5 * (rows[0] + ease_v * (rows[1] - rows[0]))
        return result

    def _lattice(self, site: int, left: int, wide: int, top: int, high: int) -> NDArray[np.intp]:
        """Return the gradient of each node of a lattice, (high * wide,), as an index."""
        x = np.arange(left, left + wide, dtype=np.int64) + (1 << 15)
        y = np.arange(top, top + high, dtype=np.int64) + (1 << 15)
        nodes = (y[:, None] * (1 << 16) + x).reshape(-1).astype(np.uint64)
        words = words_of_streams(
            streams(self._key.seed, nodes + np.uint64(site << 32)), self._key.number
        )
        return (words >> np.uint64(61)).astype(np.intp)

    def fractal(
        self, site: int, spacing: float, warp: tuple[Field, Field] | None = None, rough: float = 0.5
    ) -> Field:
        """Return octaves of halved spacing, each ``rough`` times as high; about -1 to 1."""
        total = np.zeros(len(self._x))
        height = 1.0
        for number, size in enumerate(_octaves(spacing)):
            total += height * self.plain(site + number, size, warp)
            height *= rough
        return total

    def ridges(self, site: int, spacing: float, warp: tuple[Field, Field] | None = None) -> Field:
        """Return ridged noise, 0 to about 1: crests where an octave passes through zero.

        Finer crests stand on coarse ones only (Musgrave's ridged multifractal).
        """
        total = np.zeros(len(self._x))
        height = 0.6
        weight = np.ones(len(self._x))
        for number, size in enumerate(_octaves(spacing)):
            crest = np.maximum(1 - 1.7 * np.abs(self.plain(site + number, size, warp)), 0)
            crest = crest * crest * weight
            total += height * crest
            weight = np.minimum(1.5 * crest, 1)
            height *= 0.55
        return total


def _octaves(spacing: float) -> Iterator[float]:
    while spacing >= _LEAST_SPACING:
        yield spacing
        spacing /= 2


def _eased(share: Field) -> Field:
    """Perlin's fade curve."""
    return share * share * share * (share * (share * 6 - 15) + 10)
