"""The PAIRs of a script as tables, to look up the hexsides of thousands of maps at once.

    PAIR (Tree,1)(Plains,0) HEXSIDES s,25.
    PAIR (Tree,2)(Plains,0) HEXSIDES s,25.

A PAIR marks the side of a hex with a certain *state* (terrain and elevation) towards a neighbour
with another state. What it does is an *outcome*: a hexside by chance, decided by a *lane*, a random
number below 2**16. The outcomes stand in a grid, whose rows are the states of the hex whose side is
marked, and whose columns those of the hex beyond. States that all PAIRs treat alike share a row or
a column, so the grid of these two PAIRs is only::

                            all other states   (Plains,0)
    all other states               -               -
    (Tree,1) and (Tree,2)          -            s, 25 %

Row and column 0 are those without a PAIR. The limits of all outcomes (here 25 % of 2**16, 16384)
divide the lanes into *buckets*: here 0 for the lanes below 16384, and 1 for the others. Row, column
and bucket together give the hexside. ``SideRules`` has the tables; ``batch_sides`` looks them up.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.caches import KB, registered
from randomizer.systems.colossus.rolling.program import Choices, PairTable, Program

LANE_VALUES = 1 << 16
"""The number of values of a lane."""

BYTE_VALUES = 1 << 8
"""The number of values of a byte."""

LANES_OF_WORD = 4
"""A word of 64 random bits has four lanes."""

FEW_LIMITS = 16
"""Up to this many comparisons are faster than a search."""

Table = NDArray[np.uint8] | NDArray[np.uint32]
"""Numbers that are looked up, or what to look up: bytes if these are enough."""


class CodeIndices(NamedTuple):
    """The lookup of the plane values of some hexsides."""

    of_bucket_0: Table
    """The index in ``SideRules.codes`` if the lane is in bucket 0; the other buckets follow it."""

    needs_draw: bool
    """True if the bucket matters for some of the hexsides: a draw decides them."""


@dataclass(frozen=True, eq=False)
class SideRules:
    """The PAIRs of a script as tables, of bytes if these are enough.

    The plane value of a hexside is found by adding three numbers. In most scripts their sum is the
    index in ``codes``. With 2 buckets and 2 columns, as in the example above::

        index in codes   =   row 1 * 4   +   column 1 * 2   +   bucket 0   =   6
                             (bit 2 and above)    (bits 0 and 1, with the bucket)

    A row takes a power of 2, so that rows and columns have bits of their own. Where such a table
    would be too large, columns are 1 apart, and row + column is looked up in ``outcomes`` first::

        index in codes   =   outcomes[row 1 * 2 + column 1]   +   bucket 0
    """

    groups: Table
    """By state: its row plus its column."""

    column_bits: int
    """The bits of ``groups`` that are the column; the others are the row."""

    outcomes: Table | None
    """By row + column: the index in ``codes`` of bucket 0. None if the sum itself is that index."""

    codes: Table
    """The plane values; those of the buckets of one outcome follow one another."""

    limits: tuple[int, ...]
    """The limits of all PAIRs, ascending, that divide the lanes into buckets."""

    first_drawn: int
    """The index in ``codes`` from which on a draw can be needed: certain outcomes come first."""

    def rows_and_columns(self, states: NDArray[np.uint8]) -> tuple[Table, Table]:
        """Return the rows and the columns of states, both in the shape of ``states``."""
        groups = _look_up(self.groups, states)
        columns = groups & self.groups.dtype.type(self.column_bits)
        return groups - columns, columns

    def code_indices(self, rows: Table, columns: Table) -> CodeIndices:
        """Return where the values of hexsides with these rows and columns are looked up.

        The array ``rows`` can be used for the result, since a new one would cost more than the sum:
        its values are lost. The result is the caller's, who may change it.
        """
        rows += columns
        indices = rows
        if self.outcomes is not None:
            indices = _look_up(self.outcomes, rows).copy()
        return CodeIndices(indices, bool(indices.max() >= self.first_drawn))

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


def _look_up(table: Table, indices: Table) -> Table:
    """Return the entries of a table at ``indices``, in their shape; it may be read-only."""
    if table.dtype == np.uint8 and indices.dtype == np.uint8:
        # The fastest of the variants measured: bytes.translate is one loop over bytes.
        entries = indices.tobytes().translate(table.tobytes())
        return np.frombuffer(entries, np.uint8).reshape(indices.shape)
    return table.take(indices)


# --- making the tables ------------------------------------------------------------------------


@registered(bytes_each=50 * KB)
@lru_cache(16)
def side_rules(program: Program) -> SideRules:
    """Return the tables of a program's PAIRs."""
    grid = _outcome_grid(program.pairs)
    limits = _limits_inside(grid)
    bucket_count = len(limits) + 1
    row_width = _power_of_two(len(grid.rows[0]) * bucket_count)
    if len(grid.rows) * row_width <= BYTE_VALUES:
        return _rules_in_one_table(grid, limits, row_width)
    return _rules_in_two_tables(grid, limits)


class _Outcome(NamedTuple):
    """What PAIRs can do to a hexside: the first code comes whose limit is above the lane.

    Without limits the single code is certain.
    """

    codes: tuple[int, ...]
    """Plane values."""

    limits: tuple[int, ...]
    """Ascending, one for each code; behind the last one nothing comes, 0."""

    def code_at(self, lane: int) -> int:
        """Return the plane value that a draw gives, 0 for none."""
        choice = bisect_right(self.limits, lane)
        if choice < len(self.codes):
            return self.codes[choice]
        return 0


_NO_PAIR = _Outcome((0,), ())
"""The outcome where there is no PAIR: certainly no hexside."""


class _OutcomeGrid(NamedTuple):
    """The outcomes of a script, without equal rows and columns; row 0 and column 0 have no PAIR."""

    rows: list[tuple[_Outcome, ...]]
    """Those without a draw come first."""
    row_of_state: list[int]
    """By the state of the hex whose side is marked."""
    column_of_state: list[int]
    """By the state of the hex beyond."""


def _outcome_grid(pairs: PairTable) -> _OutcomeGrid:
    """Return the grid of a table of PAIRs: states that all PAIRs treat alike share a row."""
    # The row of each state, as the outcomes with all states of the hex beyond.
    states = range(len(pairs))
    row_without_pair = (_NO_PAIR,) * len(states)
    row_of_state = []
    for choices_by_neighbour in pairs:
        row = row_without_pair
        if choices_by_neighbour:
            row = tuple(_outcome(choices_by_neighbour.get(state)) for state in states)
        row_of_state.append(row)

    # Equal rows become one. The sort keeps the order of equals, so the row without a PAIR stays at
    # the front.
    rows = sorted(dict.fromkeys([row_without_pair, *row_of_state]), key=_has_draws)

    # Equal columns become one: those of the grid turned on its side.
    column_of_state = list(zip(*rows, strict=True))
    column_without_pair = (_NO_PAIR,) * len(rows)
    columns = list(dict.fromkeys([column_without_pair, *column_of_state]))
    return _OutcomeGrid(
        rows=list(zip(*columns, strict=True)),
        row_of_state=[rows.index(row) for row in row_of_state],
        column_of_state=[columns.index(column) for column in column_of_state],
    )


def _outcome(choices: Choices | None) -> _Outcome:
    """Return what a PAIR can do, in the one form that equal outcomes share."""
    if choices is None or not any(choices.limits):
        return _NO_PAIR
    is_certain = choices.limits[0] == LANE_VALUES
    if is_certain:
        return _Outcome(choices.codes[:1], ())
    return _Outcome(choices.codes, choices.limits)


def _has_draws(row: Sequence[_Outcome]) -> bool:
    """Return whether a draw decides any outcome of a row."""
    return any(outcome.limits for outcome in row)


def _limits_inside(grid: _OutcomeGrid) -> tuple[int, ...]:
    """Return the limits of all outcomes but 0 and LANE_VALUES, which divide no lanes."""
    limits: set[int] = set()
    for row in grid.rows:
        for outcome in row:
            limits.update(outcome.limits)
    return tuple(sorted(limits - {0, LANE_VALUES}))


def _power_of_two(least: int) -> int:
    """Return the first power of 2 that is not below ``least``."""
    return 1 << (least - 1).bit_length()


def _rules_in_one_table(grid: _OutcomeGrid, limits: tuple[int, ...], row_width: int) -> SideRules:
    """Return rules with one table of codes, by row + column + bucket.

    A row takes ``row_width`` entries, a power of 2.
    """
    lowest_lanes = (0, *limits)
    bucket_count = len(lowest_lanes)
    codes = [0] * (len(grid.rows) * row_width)
    for row_number, row in enumerate(grid.rows):
        for column, outcome in enumerate(row):
            first = row_number * row_width + column * bucket_count
            for bucket, lane in enumerate(lowest_lanes):
                codes[first + bucket] = outcome.code_at(lane)
    certain_rows = sum(not _has_draws(row) for row in grid.rows)
    return SideRules(
        groups=_table(_groups(grid, row_width, bucket_count), small=True),
        column_bits=row_width - 1,
        outcomes=None,
        codes=_table(codes, small=True),
        limits=limits,
        first_drawn=certain_rows * row_width,
    )


def _rules_in_two_tables(grid: _OutcomeGrid, limits: tuple[int, ...]) -> SideRules:
    """Return rules with two tables: the outcome by row + column, then the code by its bucket."""
    lowest_lanes = (0, *limits)
    bucket_count = len(lowest_lanes)
    # Certain ones have no limits and come first, and of them the one without a PAIR.
    different_outcomes = sorted(set(chain.from_iterable(grid.rows)), key=_limits_and_codes)
    certain_outcomes = sum(not outcome.limits for outcome in different_outcomes)
    codes = []
    for outcome in different_outcomes:
        codes += [outcome.code_at(lane) for lane in lowest_lanes]
    row_width = _power_of_two(len(grid.rows[0]))
    outcomes = [0] * (len(grid.rows) * row_width)
    for row_number, row in enumerate(grid.rows):
        for column, outcome in enumerate(row):
            index = different_outcomes.index(outcome)
            outcomes[row_number * row_width + column] = index * bucket_count
    small = max(len(outcomes), len(codes)) <= BYTE_VALUES
    return SideRules(
        groups=_table(_groups(grid, row_width, column_step=1), small),
        column_bits=row_width - 1,
        outcomes=_table(outcomes, small),
        codes=_table(codes, small),
        limits=limits,
        first_drawn=certain_outcomes * bucket_count,
    )


def _limits_and_codes(outcome: _Outcome) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the order of outcomes: certain ones, without limits, come before all others."""
    return outcome.limits, outcome.codes


def _groups(grid: _OutcomeGrid, row_width: int, column_step: int) -> list[int]:
    """Return row + column by state, where columns are ``column_step`` apart."""
    groups = []
    for row, column in zip(grid.row_of_state, grid.column_of_state, strict=True):
        groups.append(row * row_width + column * column_step)
    return groups


def _table(values: Sequence[int], small: bool) -> Table:
    """Return the values as an array of bytes or of 4 bytes each.

    It is padded to 256 entries, which ``bytes.translate`` asks for.
    """
    size = max(BYTE_VALUES, len(values))
    table: Table = np.zeros(size, np.uint32)
    if small:
        table = np.zeros(size, np.uint8)
    table[: len(values)] = values
    return table
