"""Makes gradient noise at the cells of a grid, without a seam where the grid wraps.

    noise = Noise(grid, key)
    noise.plain(BEACHES, spacing=7)         # (cells,), about -1 to 1: bumps some 7 cells wide
    noise.fractal(LANDS, spacing=30)        # the same with finer bumps on the bumps
    noise.ridges(RIDGES, spacing=15)        # (cells,), 0 to about 1: crests

The idea of Perlin's noise: a lattice of *nodes* lies over the map, each with a slope in a random
direction, its *gradient*. A cell has the heights of the slopes of the four nodes around it, blended
by how near these are::

    o-----------o      o  nodes, ``spacing`` cells apart
    |   across  |      x  a cell; ``across`` and ``down`` are 0 to 1 of that distance
    | - - - x   |
    |  down |   |
    o-----------o

*Octaves* are fields of plain noise, each on a lattice half as wide as the one before.

After Perlin, "Improving Noise" (2002), with keyed draws for the gradients. Only the four basic
operations, square roots and roundings are used, which IEEE 754 defines to the last bit: the numbers
are the same on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.dice import streams, words_of_streams
from randomizer.model.grid.grid import Grid
from randomizer.model.rolls.draw_key import DrawKey

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

_MIN_SPACING = 1.8
"""The least distance of the nodes of a lattice, in cells: finer noise differs from cell to cell."""

_HEX_SIZE = 1.6
"""The distance of hexes in the units of ``Grid.centres``.

Columns are 1.5 apart there and the hexes of a column 1.73: this lies between the two.
"""

_GAIN = 1.5
"""The factor of noise: in two dimensions it is at most about 0.7, and becomes about 1."""

_CREST_SLOPE = 1.7
"""The slope of crests; where the noise is larger than the inverse of it, there is no crest."""

_FIRST_CREST = 0.6
"""The height of the crests of the first octave: those of all octaves are about 1 together."""

_FINER_CREST = 0.55
"""The height of the crests of an octave, as a share of those of the octave before."""

_CREST_SUPPORT = 1.5
"""Finer crests have their full height on a crest that is higher than the inverse of this."""


@dataclass(frozen=True, eq=False)
class _LatticePositions:
    """The positions of cells on a lattice of ``columns`` x ``rows`` nodes with gradients."""

    left_column: NDArray[np.int64]
    """(cells,): the column of the nodes to the left of each cell, from 0."""

    right_column: NDArray[np.int64]
    """(cells,): the column of those to the right; on a lattice that goes round it can be lower."""

    upper_row: NDArray[np.int64]
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
    """The number of columns of nodes."""

    rows: int
    """The number of rows of nodes."""


class Warp(NamedTuple):
    """The displacement of noise at each cell, in cells, so that its forms are not round."""

    x: Field
    """The displacement to the right, (cells,)."""

    y: Field
    """The displacement downwards, (cells,)."""


class Noise:
    """Noise fields of one map.

    Each method takes a ``site``, which keeps the dice of one field apart from those of others: a
    field of n octaves uses this site and the n - 1 that follow. It also takes the ``spacing``, the
    distance of nodes in cells, about a bump and a dip wide. A ``warp`` displaces each cell before
    its value is looked up.
    """

    def __init__(self, grid: Grid, key: DrawKey, shift: int = 0) -> None:
        """Prepare noise for the cells of a grid, with the dice of a key.

        On a grid that wraps ``shift`` moves all fields by so many columns to the right: that is the
        same world with its seam elsewhere. For hexes in columns it is an even number. On other
        grids it changes nothing.
        """
        self._key = key
        column_width = grid.layout.column_distance
        cell_size = _HEX_SIZE
        if grid.degree == 4:
            cell_size = column_width
        self._cell_size = cell_size
        """The distance of cells in the units of ``Grid.centres``."""
        centres = grid.centres()
        self._x = centres[:, 0] - shift * column_width
        """(cells,): how far each cell is to the right."""
        if not grid.wrap:
            self._x -= self._x.min()  # from 0 on, whatever the shift
        self._y = centres[:, 1] - centres[:, 1].min()
        """(cells,): how far each cell is below the highest one."""
        self._period = grid.period
        """The width of the map where it goes round, else 0."""

    def plain(self, site: int, spacing: float, warp: Warp | None = None) -> Field:
        """Return noise of one spacing, (cells,): about -1 to 1."""
        x = self._x
        y = self._y
        if warp is not None:
            x = x + warp.x * self._cell_size
            y = y + warp.y * self._cell_size
        positions = self._positions(x, y, spacing * self._cell_size)
        lattice = self._lattice(site, positions)

        # Between the two nodes above each cell, between those below, and then between both rows.
        upper_nodes = positions.upper_row * positions.columns
        lower_nodes = upper_nodes + positions.columns
        upper = _heights_along_row(lattice, upper_nodes, positions, positions.down)
        lower = _heights_along_row(lattice, lower_nodes, positions, positions.down - 1)
        noise: Field = _GAIN * (upper + positions.lower_share * (lower - upper))
        return noise

    def _positions(self, x: Field, y: Field, size: float) -> _LatticePositions:
        """Return where points are on a lattice with nodes about ``size`` apart.

        On a grid that wraps a whole number of columns fits its width, and the last one leads on to
        the first.
        """
        # Columns: u counts them, from the left.
        if self._period:
            columns = max(1, round(self._period / size))
            u = x * (columns / self._period)
            floor_u = np.floor(u)
            column = floor_u.astype(np.int64)
            first_column = 0
            left_column = column % columns
            right_column = (column + 1) % columns
        else:
            u = x / size
            floor_u = np.floor(u)
            column = floor_u.astype(np.int64)
            first_column = int(column.min())
            # The last cells have nodes to the right of them, too.
            columns = int(column.max()) - first_column + 2
            left_column = column - first_column
            right_column = left_column + 1
        across = u - floor_u

        # Rows: v counts them, from the top. No grid goes round from top to bottom.
        v = y / size
        floor_v = np.floor(v)
        row = floor_v.astype(np.int64)
        first_row = int(row.min())
        down = v - floor_v
        return _LatticePositions(
            left_column=left_column,
            right_column=right_column,
            upper_row=row - first_row,
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
        # The dice of a node: 16 bits for its column, above them 16 for its row (of both, half of
        # the numbers are below 0), and the site of the field above these.
        half = 1 << 15
        nodes = ((y[:, None] + half) * (1 << 16) + x + half).reshape(-1)
        sites = nodes.astype(np.uint64) + np.uint64(site << 32)
        words = words_of_streams(streams(self._key.seed, sites), self._key.number)
        # The highest three of 64 bits choose one of eight gradients.
        return (words >> np.uint64(61)).astype(np.intp)

    def fractal(
        self, site: int, spacing: float, warp: Warp | None = None, height_ratio: float = 0.5
    ) -> Field:
        """Return the sum of octaves, (cells,): the first one is about -1 to 1.

        Each has half the spacing of the one before, and is ``height_ratio`` times as high. The sum
        is 0 everywhere if ``spacing`` is below ``_MIN_SPACING``.
        """
        total = np.zeros(len(self._x))
        height = 1.0
        for index, size in enumerate(_octaves(spacing)):
            total += height * self.plain(site + index, size, warp)
            height *= height_ratio
        return total

    def ridges(self, site: int, spacing: float, warp: Warp | None = None) -> Field:
        """Return ridged noise, (cells,), 0 to about 1: crests where an octave passes through zero.

        Finer crests stand on coarse ones only (Musgrave's ridged multifractal).
        """
        total = np.zeros(len(self._x))
        height = _FIRST_CREST
        weight = np.ones(len(self._x))
        for index, size in enumerate(_octaves(spacing)):
            octave = self.plain(site + index, size, warp)
            crest = np.maximum(1 - _CREST_SLOPE * np.abs(octave), 0)
            crest = crest * crest * weight
            total += height * crest
            weight = np.minimum(_CREST_SUPPORT * crest, 1)
            height *= _FINER_CREST
        return total


def _heights_along_row(
    lattice: NDArray[np.intp], row: NDArray[np.int64], positions: _LatticePositions, down: Field
) -> Field:
    """Return the heights (cells,) of the slopes of the two nearest nodes of a row, blended.

    ``row`` is the index of the first node of the row that each cell looks at, ``down`` how far the
    cell is below that row. The height of a slope is the product of gradient and offset.
    """
    left_gradient = lattice[row + positions.left_column]
    right_gradient = lattice[row + positions.right_column]
    across = positions.across
    # One component at a time: gathering pairs (cells, 2) takes half as long again.
    left_height = _GRADIENTS[left_gradient, 0] * across + _GRADIENTS[left_gradient, 1] * down
    right_height = (
        _GRADIENTS[right_gradient, 0] * (across - 1) + _GRADIENTS[right_gradient, 1] * down
    )
    return np.asarray(left_height + positions.right_share * (right_height - left_height))


def _octaves(spacing: float) -> Iterator[float]:
    """Yield the spacings of the octaves, each half of the one before."""
    while spacing >= _MIN_SPACING:
        yield spacing
        spacing /= 2


def _eased(share: Field) -> Field:
    """Return Perlin's fade curve of a share: 0 to 1, with no slope at both ends."""
    return share * share * share * (share * (share * 6 - 15) + 10)
