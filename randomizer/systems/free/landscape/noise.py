"""Gradient noise at the cells of a grid, seamless where the grid wraps.

After Perlin, "Improving Noise" (2002), with keyed draws for the gradients. Only sums, products and
square roots are used, which IEEE 754 rounds alike everywhere: the numbers are the same on every
machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from randomizer.generator import DrawKey
from randomizer.model.basics.dice import streams, words_of_streams
from randomizer.model.grid.grid import Grid

Field = NDArray[np.float64]
"""One number a cell, shape (cells,)."""

_HALF_DIAGONAL = 0.7071067811865476
"""The root of 1/2, so that all gradients are equally long."""

_GRADIENTS = np.array(
    [
        (1, 0),
        (_HALF_DIAGONAL, _HALF_DIAGONAL),
        (0, 1),
        (-_HALF_DIAGONAL, _HALF_DIAGONAL),
        (-1, 0),
        (-_HALF_DIAGONAL, -_HALF_DIAGONAL),
        (0, -1),
        (_HALF_DIAGONAL, -_HALF_DIAGONAL),
    ],
    np.float64,
)
"""(8, 2): the gradients that a node can have, in eight directions."""

_LEAST_SPACING = 1.8
"""The least distance of the nodes of a lattice, in cells: finer noise differs from cell to cell."""


@dataclass(frozen=True, eq=False)
class _LatticePositions:
    """The positions of cells on a lattice of ``columns`` x ``rows`` nodes with gradients."""

    left: NDArray[np.int64]
    """(cells,): the column of the nodes to the left of each cell, from 0."""

    right: NDArray[np.int64]
    """(cells,): the column of those to the right; on a lattice that goes round it can be lower."""

    top: NDArray[np.int64]
    """(cells,): the row of the nodes above each cell, from 0."""

    across: Field
    """(cells,): how far each cell is to the right of its left nodes, from 0 to 1."""

    down: Field
    """(cells,): how far each cell is below its upper nodes, from 0 to 1."""

    right_share: Field
    """(cells,): ``across`` eased: how much of a value is that of the right nodes."""

    lower_share: Field
    """(cells,): ``down`` eased: how much of a value is that of the lower nodes."""

    first_column: int
    """The number of the leftmost column: nodes draw by the numbers of their column and row."""

    first_row: int
    """The number of the topmost row."""

    columns: int
    rows: int


class Noise:
    """Noise fields of one map.

    The idea of Perlin's noise: a lattice of nodes lies over the map, each with a slope in a random
    direction. A cell has the heights of the slopes of the four nodes around it, blended by how near
    these are. ``spacing`` is the distance of nodes in cells, about a bump and a dip wide; ``site``
    keeps the dice of one field apart from those of others.

    ``shift`` moves all fields by so many columns to the right, which on a grid that wraps is the
    same world with its seam elsewhere (an even number on columns that are shifted).
    """

    def __init__(self, grid: Grid, key: DrawKey, shift: int = 0) -> None:
        self._key = key
        column_width = grid.layout.basis[0][0]
        self._unit = 1.6
        """The size of a cell in the units of ``Grid.centres``: hexes are 1.5 and 1.73 apart."""
        if grid.degree == 4:
            self._unit = column_width
        centres = grid.centres()
        self._x = centres[:, 0] - shift * column_width
        self._y = centres[:, 1] - centres[:, 1].min()
        if not grid.wrap:
            self._x -= self._x.min()
        self._period = grid.period
        """The width of the map where it goes round, else 0."""

    def plain(self, site: int, spacing: float, warp: tuple[Field, Field] | None = None) -> Field:
        """Return noise of one spacing, an octave, about -1 to 1.

        ``warp`` (x, y) displaces each cell, in cells, before its value is looked up.
        """
        x = self._x
        y = self._y
        if warp is not None:
            x = x + warp[0] * self._unit
            y = y + warp[1] * self._unit
        positions = self._positions(x, y, spacing * self._unit)
        lattice = self._lattice(site, positions)
        upper_row = positions.top * positions.columns
        lower_row = upper_row + positions.columns
        upper = _slope_along_row(lattice, upper_row, positions, positions.down)
        lower = _slope_along_row(lattice, lower_row, positions, positions.down - 1)
        # At most about 0.7 in two dimensions, which becomes about 1.
        result: Field = 1.5 * (upper + positions.lower_share * (lower - upper))
        return result

    def _positions(self, x: Field, y: Field, size: float) -> _LatticePositions:
        """Return where points are on a lattice with nodes about ``size`` apart.

        On a grid that wraps a whole number of columns fits its width, and the last one leads on to
        the first.
        """
        v = y / size
        if self._period:
            round_columns = max(1, round(self._period / size))
            u = x * (round_columns / self._period)
        else:
            round_columns = 0
            u = x / size
        floor_u = np.floor(u)
        floor_v = np.floor(v)
        column = floor_u.astype(np.int64)
        row = floor_v.astype(np.int64)
        across = u - floor_u
        down = v - floor_v
        first_row = int(row.min())
        if round_columns:
            first_column = 0
            columns = round_columns
            left = column % columns
            right = (column + 1) % columns
        else:
            first_column = int(column.min())
            columns = int(column.max()) - first_column + 2
            left = column - first_column
            right = left + 1
        return _LatticePositions(
            left,
            right,
            top=row - first_row,
            across=across,
            down=down,
            right_share=_eased(across),
            lower_share=_eased(down),
            first_column=first_column,
            first_row=first_row,
            columns=columns,
            rows=int(row.max()) - first_row + 2,
        )

    def _lattice(self, site: int, positions: _LatticePositions) -> NDArray[np.intp]:
        """Return the gradient of each node, (rows * columns,), as an index of ``_GRADIENTS``."""
        x = np.arange(positions.columns, dtype=np.int64) + positions.first_column
        y = np.arange(positions.rows, dtype=np.int64) + positions.first_row
        # Column and row get 16 bits each, of which half are for numbers below 0.
        nodes = ((y[:, None] + (1 << 15)) * (1 << 16) + x + (1 << 15)).reshape(-1)
        sites = nodes.astype(np.uint64) + np.uint64(site << 32)
        words = words_of_streams(streams(self._key.seed, sites), self._key.number)
        # The highest three of 64 bits choose one of eight gradients.
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


def _slope_along_row(
    lattice: NDArray[np.intp], row: NDArray[np.int64], positions: _LatticePositions, down: Field
) -> Field:
    """Return the slopes (cells,) at two neighbouring nodes of a row, blended.

    ``row`` is the index of the first node of the row, ``down`` how far each cell is below it.
    """
    left_gradient = lattice[row + positions.left]
    right_gradient = lattice[row + positions.right]
    across = positions.across
    left = _GRADIENTS[left_gradient, 0] * across + _GRADIENTS[left_gradient, 1] * down
    right = _GRADIENTS[right_gradient, 0] * (across - 1) + _GRADIENTS[right_gradient, 1] * down
    return np.asarray(left + positions.right_share * (right - left))


def _octaves(spacing: float) -> Iterator[float]:
    """Yield the spacings of the octaves, each half of the one before."""
    while spacing >= _LEAST_SPACING:
        yield spacing
        spacing /= 2


def _eased(share: Field) -> Field:
    """Return Perlin's fade curve of a share: 0 to 1, with no slope at both ends."""
    return share * share * share * (share * (share * 6 - 15) + 10)
