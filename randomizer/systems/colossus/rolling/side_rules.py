"""The PAIRs of a script as tables, to look up the hexsides of thousands of maps at once.

A PAIR statement gives a hexside, by chance, to the sides of hexes of one *state* (terrain and
elevation) towards neighbours of another::

    PAIR (Tree,1)(Plains,0) HEXSIDES s,25.          # slopes on a quarter of such sides
    PAIR (Tree,2)(Plains,0) HEXSIDES s,25.

What a PAIR does is an *outcome*. All outcomes stand in a grid (``outcome_grid``)::

                            all other states   (Plains,0)
    all other states               -               -           row 0
    (Tree,1) and (Tree,2)          -            s, 25 %        row 1

                               column 0         column 1

The state of the hex gives the row, that of the neighbour the column. A random number below 2**16, a
*lane*, decides what comes: the limits of all outcomes (here 25 % of 2**16, 16384) divide the lanes
into *buckets*, here 0 for the lanes below 16384, and 1 for the others. The table of *codes*, plane
values of hexsides, has those of every outcome, one for each bucket::

    index      0  1    2  3    4  5    6  7
    codes      -  -    -  -    -  -    s  -
    row        0       0       1       1
    column     0       1       0       1

So a hexside is looked up in three steps, as ``HexsideDraws`` does::

    rules.offsets(states)                        # row 1 has the offset 4, column 1 has 2
    indices = rules.first_code_indices(4, 2)     # 6, the index in bucket 0; really whole arrays
    indices = indices + rules.buckets(words)     # only if ``needs_draw(indices)``
    rules.codes_at(indices)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.caches import KB, registered
from randomizer.systems.colossus.rolling.byte_masks import as_bytes
from randomizer.systems.colossus.rolling.outcome_grid import Outcome, OutcomeGrid, outcome_grid
from randomizer.systems.colossus.rolling.program import Program

BYTE_VALUES = 1 << 8
"""The number of values of a byte."""

LANES_OF_WORD = 4
"""A word of 64 random bits has four lanes."""

FEW_LIMITS = 16
"""Up to this many comparisons are faster than a search."""

Table = NDArray[np.uint8] | NDArray[np.uint32]
"""A table to look numbers up in: bytes if these are enough."""

Indices = NDArray[np.uint8] | NDArray[np.uint32]
"""Offsets, buckets and indices of tables, of the type of the script's tables."""


class Offsets(NamedTuple):
    """What the rows and columns of states add to an index: both in the shape of the states."""

    rows: Indices
    """Those for hexes whose sides are marked; 0 for states without a PAIR."""

    columns: Indices
    """Those for hexes beyond such a side; 0 for states that no PAIR names there."""


class PackedOffsets(NamedTuple):
    """Both offsets of each state in one number: one look-up takes half the time of two.

    Rows are as wide as a power of 2, so that the offset of the row and that of the column have bits
    of their own. With rows of width 8 and columns of width 2, for row 1 and column 2::

        0b1000 (row)  +  0b0100 (column)  =  0b1100 (packed)          column_bits: 0b0111
    """

    packed: Table
    """By state: the sum of both offsets."""

    column_bits: int
    """The bits of the sum that are the offset of the column; all others are that of the row."""

    @classmethod
    def of_grid(
        cls,
        grid: OutcomeGrid,
        row_width: int,
        column_width: int,
        number_type: type[np.uint8 | np.uint32],
    ) -> PackedOffsets:
        """Return the offsets of a grid whose rows and columns are so wide."""
        sums = []
        for row, column in zip(grid.row_of_state, grid.column_of_state, strict=True):
            sums.append(row * row_width + column * column_width)
        return cls(_table(sums, number_type), row_width - 1)

    def of_states(self, states: NDArray[np.uint8]) -> Offsets:
        """Return the offsets of states of any shape."""
        sums = _look_up(self.packed, states)
        columns = sums & self.packed.dtype.type(self.column_bits)
        return Offsets(sums - columns, columns)


@dataclass(frozen=True, eq=False)
class SideRules:
    """The PAIRs of a script as tables."""

    packed_offsets: PackedOffsets

    codes: Table
    """The plane values, 0 for no hexside; those of the buckets of one outcome follow one another.

    Certain outcomes, which come whatever the bucket is, are the first ones.
    """

    outcome_starts: Table | None
    """By offset of the row + offset of the column: the index of the outcome's first code.

    None for most scripts: then that sum itself is the index, as in the example of the module. With
    many PAIRs the indices would not be bytes, since the grid has a lot of equal outcomes: then each
    different outcome has its codes only once, and this table tells where.
    """

    limits: tuple[int, ...]
    """The limits of all PAIRs, ascending, that divide the lanes into buckets."""

    first_uncertain_index: int
    """The index in ``codes`` of the first outcome that is not certain."""

    def offsets(self, states: NDArray[np.uint8]) -> Offsets:
        """Return the offsets of states of any shape."""
        return self.packed_offsets.of_states(states)

    def first_code_indices(self, row_offsets: Indices, column_offsets: Indices) -> Indices:
        """Return the indices in ``codes`` of hexsides in bucket 0; the other buckets follow."""
        sums = row_offsets + column_offsets
        if self.outcome_starts is None:
            return sums
        return _look_up(self.outcome_starts, sums)

    def needs_draw(self, first_code_indices: Indices) -> bool:
        """Return whether the bucket matters for some of the hexsides: a draw decides them."""
        return bool(first_code_indices.max() >= self.first_uncertain_index)

    def buckets(self, words: NDArray[np.uint64]) -> Indices:
        """Return the bucket of each lane of random ``words`` (i, j), (i, j, 4).

        It is the number of limits that the lane reaches.
        """
        lanes = words.astype("<u8", copy=False).view("<u2").reshape(*words.shape, LANES_OF_WORD)
        if len(self.limits) > FEW_LIMITS:
            buckets: Any = np.searchsorted(self.limits, lanes, "right")
            return buckets.astype(self.codes.dtype)  # type: ignore[no-any-return]
        # From all limits those above the lane are subtracted ("less" is faster than "greater or
        # equal").
        reached = np.full(lanes.shape, len(self.limits), np.uint8)
        for limit in self.limits:
            reached -= as_bytes(lanes < limit)
        return reached

    def codes_at(self, indices: Indices) -> NDArray[np.uint8]:
        """Return the plane values at indices of ``codes``; the array may be read-only."""
        codes: NDArray[np.uint8] = _look_up(self.codes, indices).astype(np.uint8, copy=False)
        return codes


@registered(bytes_each=50 * KB)
@lru_cache(16)
def side_rules(program: Program) -> SideRules:
    """Return the tables of a program's PAIRs."""
    grid = outcome_grid(program.pairs)
    limits = grid.limits()
    lowest_lanes = (0, *limits)  # of the buckets
    column_width = len(lowest_lanes)
    code_count = len(grid.rows) * _row_width(grid, column_width)
    if code_count <= BYTE_VALUES:
        return _rules_of_one_table(grid, limits, lowest_lanes)
    return _rules_of_two_tables(grid, limits, lowest_lanes)


def _rules_of_one_table(
    grid: OutcomeGrid, limits: tuple[int, ...], lowest_lanes: tuple[int, ...]
) -> SideRules:
    """Return rules with a code for each bucket of each place in the grid, row after row."""
    column_width = len(lowest_lanes)
    row_width = _row_width(grid, column_width)
    codes = [0] * (len(grid.rows) * row_width)
    for row_number, row in enumerate(grid.rows):
        for column, outcome in enumerate(row):
            first = row_number * row_width + column * column_width
            for bucket, lane in enumerate(lowest_lanes):
                codes[first + bucket] = outcome.code_at(lane)
    return SideRules(
        packed_offsets=PackedOffsets.of_grid(grid, row_width, column_width, np.uint8),
        codes=_table(codes, np.uint8),
        outcome_starts=None,
        limits=limits,
        first_uncertain_index=grid.certain_rows * row_width,
    )


def _rules_of_two_tables(
    grid: OutcomeGrid, limits: tuple[int, ...], lowest_lanes: tuple[int, ...]
) -> SideRules:
    """Return rules with codes for each different outcome, and a table that tells where these are.

    The grid, and so the sum of the offsets, has a single number for each place.
    """
    different_outcomes = sorted(set(chain.from_iterable(grid.rows)), key=_limits_and_codes)
    certain_count = sum(outcome.is_certain for outcome in different_outcomes)
    codes = []
    for outcome in different_outcomes:
        codes += [outcome.code_at(lane) for lane in lowest_lanes]

    row_width = _row_width(grid, column_width=1)
    outcome_starts = [0] * (len(grid.rows) * row_width)
    for row_number, row in enumerate(grid.rows):
        for column, outcome in enumerate(row):
            start = different_outcomes.index(outcome) * len(lowest_lanes)
            outcome_starts[row_number * row_width + column] = start

    number_type: type[np.uint8 | np.uint32] = np.uint32
    if max(len(outcome_starts), len(codes)) <= BYTE_VALUES:
        number_type = np.uint8
    return SideRules(
        packed_offsets=PackedOffsets.of_grid(grid, row_width, 1, number_type),
        codes=_table(codes, number_type),
        outcome_starts=_table(outcome_starts, number_type),
        limits=limits,
        first_uncertain_index=certain_count * len(lowest_lanes),
    )


def _row_width(grid: OutcomeGrid, column_width: int) -> int:
    """Return the offset from one row to the next: a power of 2, with room for all columns.

    With 3 columns of width 2 it is 8: a row takes the numbers 0 to 5, and 6 and 7 are left over.
    """
    needed_width = len(grid.rows[0]) * column_width
    return 1 << (needed_width - 1).bit_length()


def _limits_and_codes(outcome: Outcome) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the order of outcomes: certain ones, without limits, come before all others."""
    return outcome.limits, outcome.codes


def _table(values: Sequence[int], number_type: type[np.uint8 | np.uint32]) -> Table:
    """Return the values as an array, padded to 256 entries, which ``bytes.translate`` asks for."""
    size = max(BYTE_VALUES, len(values))
    table: Table = np.zeros(size, np.uint32)
    if number_type is np.uint8:
        table = np.zeros(size, np.uint8)
    table[: len(values)] = values
    return table


def _look_up(table: Table, indices: Indices) -> Table:
    """Return the entries of a table at ``indices``, in their shape; it may be read-only."""
    if table.dtype == np.uint8 and indices.dtype == np.uint8:
        # The fastest of the variants measured: bytes.translate is one loop over bytes.
        entries = indices.tobytes().translate(table.tobytes())
        return np.frombuffer(entries, np.uint8).reshape(indices.shape)
    return table.take(indices)
