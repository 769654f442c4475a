"""The PAIRs of a script as tables, to look up the hexsides of thousands of maps at once.

The outcomes of all PAIRs stand in a grid (``outcome_grid``)::

                            all other states   (Plains,0)
    all other states               -               -           row 0
    (Tree,1) and (Tree,2)          -            s, 25 %        row 1

                               column 0         column 1

A random number below 2**16, a *lane*, decides what comes. The limits of all outcomes (here 25 % of
2**16, 16384) divide the lanes into *buckets*: here 0 for the lanes below 16384, and 1 for the
others. Row, column and bucket together give the plane value of a hexside::

    rules = side_rules(program)
    offsets = rules.offsets(states)                         # of the rows and columns
    indices = rules.code_indices(offsets.rows, offsets.columns[beyond])      # of bucket 0
    indices += rules.buckets(words)
    rules.codes_at(indices)

The buckets need not be added if ``needs_draw(indices)`` is False: then all outcomes are certain.
``batch_sides`` does that.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.caches import KB, registered
from randomizer.systems.colossus.rolling.outcome_grid import Outcome, OutcomeGrid, outcome_grid
from randomizer.systems.colossus.rolling.program import Program

BYTE_VALUES = 1 << 8
"""The number of values of a byte."""

LANES_OF_WORD = 4
"""A word of 64 random bits has four lanes."""

FEW_LIMITS = 16
"""Up to this many comparisons are faster than a search."""

Table = NDArray[np.uint8] | NDArray[np.uint32]
"""Numbers that are looked up, or what to look up: bytes if these are enough."""


class Offsets(NamedTuple):
    """What the rows and columns of states add to an index: both in the shape of the states.

    With 2 columns and 2 buckets, as in the example above, row 1 has the offset 4 and column 1 the
    offset 2.
    """

    rows: Table
    """Those for hexes whose sides are marked; 0 for states without a PAIR."""

    columns: Table
    """Those for hexes beyond such a side; 0 for states that no PAIR names there."""


@dataclass(frozen=True, eq=False)
class SideRules(ABC):
    """The PAIRs of a script as tables."""

    row_plus_column: Table
    """By state: the offset of its row plus that of its column, as ``_row_plus_column`` adds them.

    Looking both up in one table takes half the time of two.
    """

    column_bits: int
    """The bits of this sum that are the offset of the column; all others are that of the row."""

    codes: Table
    """The plane values; those of the buckets of one outcome follow one another."""

    limits: tuple[int, ...]
    """The limits of all PAIRs, ascending, that divide the lanes into buckets."""

    certain_codes_end: int
    """The index in ``codes`` from which on the bucket can matter: certain outcomes come first."""

    def offsets(self, states: NDArray[np.uint8]) -> Offsets:
        """Return the offsets of states."""
        sums = _look_up(self.row_plus_column, states)
        columns = sums & self.row_plus_column.dtype.type(self.column_bits)
        return Offsets(sums - columns, columns)

    @abstractmethod
    def code_indices(self, row_offsets: Table, column_offsets: Table) -> Table:
        """Return the indices in ``codes`` of hexsides if their lanes are in bucket 0.

        The other buckets follow. The result is a new array.
        """

    def needs_draw(self, code_indices: Table) -> bool:
        """Return whether the bucket matters for some of the hexsides: a draw decides them."""
        return bool(code_indices.max() >= self.certain_codes_end)

    def buckets(self, words: NDArray[np.uint64]) -> Table:
        """Return how many limits each lane of random ``words`` (i, j) reaches, (i, j, 4)."""
        lanes = words.astype("<u8", copy=False).view("<u2").reshape(*words.shape, LANES_OF_WORD)
        if len(self.limits) > FEW_LIMITS:
            buckets: Any = np.searchsorted(self.limits, lanes, "right")
            return buckets.astype(self.codes.dtype)  # type: ignore[no-any-return]
        # From all limits those above the lane are subtracted ("less" is faster than "greater or
        # equal").
        reached = np.full(lanes.shape, len(self.limits), np.uint8)
        for limit in self.limits:
            reached -= (lanes < limit).view(np.uint8)
        return reached

    def codes_at(self, code_indices: Table) -> NDArray[np.uint8]:
        """Return the plane values at indices of ``codes``; 0 where no hexside comes."""
        codes: NDArray[np.uint8] = _look_up(self.codes, code_indices).astype(np.uint8, copy=False)
        return codes


class OneTableRules(SideRules):
    """Rules whose offsets add up to the index in ``codes``: those of most scripts.

    index in codes   =   offset of the row   +   offset of the column   +   bucket
          6          =          4            +            2             +     0
    """

    @classmethod
    def of(cls, grid: OutcomeGrid) -> OneTableRules:
        """Return the rules of a grid; ``fits`` tells that it is small enough."""
        limits = grid.limits()
        lowest_lanes = (0, *limits)  # of the buckets
        bucket_count = len(lowest_lanes)
        row_width = _row_width(grid, bucket_count)
        codes = [0] * (len(grid.rows) * row_width)
        for row_number, row in enumerate(grid.rows):
            for column, outcome in enumerate(row):
                first = row_number * row_width + column * bucket_count
                for bucket, lane in enumerate(lowest_lanes):
                    codes[first + bucket] = outcome.code_at(lane)
        return cls(
            row_plus_column=_table(_row_plus_column(grid, row_width, bucket_count), np.uint8),
            column_bits=row_width - 1,
            codes=_table(codes, np.uint8),
            limits=limits,
            certain_codes_end=grid.certain_rows * row_width,
        )

    @staticmethod
    def fits(grid: OutcomeGrid) -> bool:
        """Return whether the indices of the codes of a grid are bytes."""
        bucket_count = len(grid.limits()) + 1
        return len(grid.rows) * _row_width(grid, bucket_count) <= BYTE_VALUES

    def code_indices(self, row_offsets: Table, column_offsets: Table) -> Table:
        """Return the indices in ``codes`` of hexsides if their lanes are in bucket 0."""
        return row_offsets + column_offsets


@dataclass(frozen=True, eq=False)
class TwoTableRules(SideRules):
    """Rules for scripts with many PAIRs, whose codes in one table would be too many.

    The offsets add up to the index of an outcome, and each different outcome has codes only once::

        index in codes   =   outcomes[offset of the row + offset of the column]   +   bucket
    """

    outcomes: Table
    """By the sum of the offsets: the index in ``codes`` of bucket 0."""

    @classmethod
    def of(cls, grid: OutcomeGrid) -> TwoTableRules:
        """Return the rules of a grid."""
        limits = grid.limits()
        lowest_lanes = (0, *limits)  # of the buckets
        bucket_count = len(lowest_lanes)

        # Those that are certain have no limits and come first.
        different_outcomes = sorted(set(chain.from_iterable(grid.rows)), key=_limits_and_codes)
        certain_outcomes = sum(not outcome.limits for outcome in different_outcomes)
        codes = []
        for outcome in different_outcomes:
            codes += [outcome.code_at(lane) for lane in lowest_lanes]

        row_width = _row_width(grid, column_width=1)
        outcomes = [0] * (len(grid.rows) * row_width)
        for row_number, row in enumerate(grid.rows):
            for column, outcome in enumerate(row):
                index = different_outcomes.index(outcome) * bucket_count
                outcomes[row_number * row_width + column] = index

        # The sum of two offsets is an index of ``outcomes``, and index + bucket one of ``codes``.
        number_type: type[np.uint8 | np.uint32] = np.uint32
        if max(len(outcomes), len(codes)) <= BYTE_VALUES:
            number_type = np.uint8
        return cls(
            row_plus_column=_table(_row_plus_column(grid, row_width, column_width=1), number_type),
            column_bits=row_width - 1,
            codes=_table(codes, number_type),
            limits=limits,
            certain_codes_end=certain_outcomes * bucket_count,
            outcomes=_table(outcomes, number_type),
        )

    def code_indices(self, row_offsets: Table, column_offsets: Table) -> Table:
        """Return the indices in ``codes`` of hexsides if their lanes are in bucket 0."""
        # A copy: what is looked up may be read-only.
        return _look_up(self.outcomes, row_offsets + column_offsets).copy()


@registered(bytes_each=50 * KB)
@lru_cache(16)
def side_rules(program: Program) -> SideRules:
    """Return the tables of a program's PAIRs."""
    grid = outcome_grid(program.pairs)
    if OneTableRules.fits(grid):
        return OneTableRules.of(grid)
    return TwoTableRules.of(grid)


def _row_width(grid: OutcomeGrid, column_width: int) -> int:
    """Return the offset from one row to the next: a power of 2, with room for all columns.

    With 3 columns of width 2 it is 8: a row takes the numbers 0 to 5, and 6 and 7 are left over.
    """
    needed_width = len(grid.rows[0]) * column_width
    return 1 << (needed_width - 1).bit_length()


def _row_plus_column(grid: OutcomeGrid, row_width: int, column_width: int) -> list[int]:
    """Return the sum of the offsets of row and column by state.

    Since a row is as wide as a power of 2, the two have bits of their own: with rows of width 8 and
    columns of width 2 the sum for row 1 and column 2 is 0b1100, whose lowest three bits are those
    of the column, 0b100.
    """
    sums = []
    for row, column in zip(grid.row_of_state, grid.column_of_state, strict=True):
        sums.append(row * row_width + column * column_width)
    return sums


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


def _look_up(table: Table, indices: Table) -> Table:
    """Return the entries of a table at ``indices``, in their shape; it may be read-only."""
    if table.dtype == np.uint8 and indices.dtype == np.uint8:
        # The fastest of the variants measured: bytes.translate is one loop over bytes.
        entries = indices.tobytes().translate(table.tobytes())
        return np.frombuffer(entries, np.uint8).reshape(indices.shape)
    return table.take(indices)
