"""Marks the hexsides of thousands of maps at once: the second half of ``roll_many``.

Begin with ``SideRules`` and ``mark_sides``. A PAIR of the script marks the side of a hex with a
certain state (terrain and elevation) towards a neighbour with another state. For each of the two
the states that all PAIRs treat alike form a group. Both groups together, and the draw, are the
index of the plane value in a small table (``SideRules``). Only hexsides that a PAIR can hit are
processed, and where a hex rarely has a PAIR, only the maps in which it has: keyed draws that are
not used change nothing.

A draw is a *lane*, a number below 2**16; four lanes are a word of 64 bits. The lanes of the
hexsides follow one another, six a hex, so that every two hexes begin a new word.
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
from randomizer.model.basics.dice import steps, streams, words_at
from randomizer.systems.colossus.board import HEX_COUNT, NEIGHBOURS
from randomizer.systems.colossus.rolling.program import Choices, PairTable, Program
from randomizer.systems.colossus.rolling.roller import HexBase

LANE_VALUES = 1 << 16
BYTE_VALUES = 1 << 8
SIDES = 6
LANES_OF_WORD = 4
WORDS_OF_TWO_HEXES = 3
"""Two hexes have 12 sides, and so 12 lanes."""

FEW_LIMITS = 16
"""Up to this many comparisons are faster than a search."""

HEXES_AT_ONCE = 4
"""The number of hexes whose sides are marked at once; even, so that they begin a new word.

With more of them the arrays leave the processor's cache, with fewer numpy is called more often.
"""

DENSE = 0.1
"""From this share of maps on, processing all maps is faster than selecting those that matter."""

Table = NDArray[np.uint8] | NDArray[np.uint32]
"""Numbers that are looked up, or what to look up: bytes if these are enough."""
Row = NDArray[np.uint8]
"""A value of each map, (n,), or of each hexside and map."""


class _Outcome(NamedTuple):
    """What PAIRs can do to a hexside: code i comes if the lane is below limit i, else the next.

    After the last limit nothing comes, 0. A single code without a limit is certain.
    """

    codes: tuple[int, ...]
    limits: tuple[int, ...]

    def code_at(self, lane: int) -> int:
        """Return the plane value that a draw gives, 0 for none."""
        choice = bisect_right(self.limits, lane)
        if choice < len(self.codes):
            return self.codes[choice]
        return 0


_NO_PAIR = _Outcome((0,), ())


@dataclass(frozen=True, eq=False)
class SideRules:
    """The PAIRs of a script as tables.

    The outcomes of PAIRs stand in a grid: its rows are the groups of states of the hex whose side
    is marked, its columns those of the hex beyond. With ``PAIR (Tree,1)(Plains,0) HEXSIDES s`` and
    ``PAIR (Tree,2)(Plains,0) HEXSIDES s`` alone it is::

                                all other states   (Plains,0)
        all other states               -               -
        (Tree,1) and (Tree,2)          -               s

    Row and column 0 have no PAIR. Row and column are added up to one number, and so is the
    *bucket* of the draw, which is the number of ``limits`` that its lane reaches. In most scripts
    that sum is the index of the plane value in ``codes``. Where such a table would be too large,
    row and column are first looked up in ``outcomes``. All tables are of bytes if that is enough.
    """

    groups: Table
    """By state: its row, multiplied by a power of 2, plus its column, multiplied to stay below."""
    column_bits: int
    """The bits of ``groups`` that are the column; the others are the row."""
    outcomes: Table | None
    """By the sum of row and column: the index in ``codes`` of bucket 0.

    None if the sum itself is that index.
    """
    codes: Table
    """The plane values; those of the buckets of one outcome follow one another."""
    limits: tuple[int, ...]
    """The limits of all PAIRs, ascending, that divide the lanes into buckets."""
    first_drawn: int
    """The least number that needs a draw: of rows, or, where there are ``outcomes``, of these."""


@registered(bytes_each=50 * KB)
@lru_cache(16)
def side_rules(program: Program) -> SideRules:
    """Return the tables of a program's PAIRs."""
    grid = _outcome_grid(program.pairs)
    limits = _limits_inside(grid)
    bucket_count = len(limits) + 1
    row_width = _power_of_two(len(grid.rows[0]) * bucket_count)
    if len(grid.rows) * row_width <= BYTE_VALUES:
        return _direct_rules(grid, limits, row_width)
    return _rules_by_outcome(grid, limits)


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
    states = range(len(pairs))
    no_pairs = (_NO_PAIR,) * len(states)
    row_by_state = []
    for choices_by_neighbour in pairs:
        if choices_by_neighbour:
            row = tuple(_outcome(choices_by_neighbour.get(state)) for state in states)
            row_by_state.append(row)
        else:
            row_by_state.append(no_pairs)
    # The sort keeps the order of equals, so the row without a PAIR stays at the front.
    rows = sorted(dict.fromkeys([no_pairs, *row_by_state]), key=_has_draws)
    column_by_state = list(zip(*rows, strict=True))
    columns = list(dict.fromkeys([(_NO_PAIR,) * len(rows), *column_by_state]))
    return _OutcomeGrid(
        list(zip(*columns, strict=True)),
        [rows.index(row) for row in row_by_state],
        [columns.index(column) for column in column_by_state],
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


def _direct_rules(grid: _OutcomeGrid, limits: tuple[int, ...], row_width: int) -> SideRules:
    """Return rules whose ``codes`` are found without a look at ``outcomes``: all in one table."""
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


def _rules_by_outcome(grid: _OutcomeGrid, limits: tuple[int, ...]) -> SideRules:
    """Return rules with two tables: the outcome by row and column, then the code by its bucket."""
    lowest_lanes = (0, *limits)
    bucket_count = len(lowest_lanes)
    # Those that are certain have no limits and come first, and of them the one without PAIR.
    different_outcomes = sorted(
        set(chain.from_iterable(grid.rows)), key=lambda outcome: (outcome.limits, outcome.codes)
    )
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


def _groups(grid: _OutcomeGrid, row_width: int, column_step: int) -> list[int]:
    """Return the sum of row and column by state."""
    return [
        row * row_width + column * column_step
        for row, column in zip(grid.row_of_state, grid.column_of_state, strict=True)
    ]


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


# --- marking ------------------------------------------------------------------------------------


def mark_sides(
    program: Program,
    seed: int,
    numbers: NDArray[np.uint64],
    states: Row,
    hexside: Row,
    base: HexBase,
) -> None:
    """Fill ``hexside`` (27, 6, n) for maps ``numbers`` (n,) whose ``states`` are (27, n).

    Where no PAIR gives a value the hexsides of ``base`` stay.
    """
    below = np.array(base.hexside, np.uint8)
    if not any(program.pairs):
        hexside[:] = below[:, :, None]
        return
    rules = side_rules(program)
    groups = _look_up(rules.groups, states)
    columns = groups & rules.groups.dtype.type(rules.column_bits)
    words_of_hexsides = program.sites[program.edge_words :]
    marking = _Marking(
        rules,
        rows=groups - columns,
        columns=columns,
        starts=streams(seed, words_of_hexsides),
        steps=steps(numbers),
        below=below,
    )
    shares = np.array([np.count_nonzero(row) for row in marking.rows]) / numbers.size
    is_dense = _is_dense(shares)
    marking.mark_in_all_maps(hexside, is_dense & (shares > 0))
    marking.mark_where_needed(hexside, np.flatnonzero(~is_dense & (shares > 0)))


def _is_dense(shares: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return for each hex, (27,), whether its sides are marked in all maps.

    ``shares`` (27,) are the shares of maps in which the hexes have a PAIR. Every two hexes draw
    from the same words, so they are treated alike; the last hex has no partner.
    """
    shares_of_twos = np.append(shares, 0).reshape(-1, 2)
    return np.repeat(shares_of_twos.max(axis=1) >= DENSE, 2)[:HEX_COUNT]


_NEIGHBOURS = np.array(NEIGHBOURS)
"""(27, 6): the hex beyond each side, -1 outside the board."""
_OWNERS, _SIDES = np.nonzero(_NEIGHBOURS >= 0)
"""For every directed hexside inside the board its hex and its side, in the order of the hexes."""
_BEYOND = _NEIGHBOURS[_OWNERS, _SIDES]
"""For every directed hexside inside the board the hex beyond."""


@dataclass(frozen=True, eq=False)
class _Marking:
    """The hexsides of a chunk of n maps while they are marked."""

    rules: SideRules
    rows: Table
    """(27, n): the rows of the states, which count for the sides of the hexes themselves."""
    columns: Table
    """(27, n): the columns of the states, which count for the sides of their neighbours."""
    starts: NDArray[np.uint64]
    """The starts of the streams of the hexsides' words (randomizer/model/basics/dice.py)."""
    steps: NDArray[np.uint64]
    """(n,): the steps of the maps in each stream."""
    below: Row
    """(27, 6): the hexsides of the base."""

    def mark_in_all_maps(self, hexside: Row, hexes: NDArray[np.bool_]) -> None:
        """Mark the sides of ``hexes`` (27) that a PAIR can hit; all others show the base."""
        neighbour_has_pair = self.columns.max(1) > 0
        can_hit = np.flatnonzero(hexes[_OWNERS] & neighbour_has_pair[_BEYOND])
        shows_base = np.ones((HEX_COUNT, SIDES), np.bool_)
        shows_base[_OWNERS[can_hit], _SIDES[can_hit]] = False
        hexside[shows_base] = self.below[shows_base][:, None]

        # The others are marked some hexes at a time: see HEXES_AT_ONCE.
        first_hexes = range(HEXES_AT_ONCE, HEX_COUNT, HEXES_AT_ONCE)
        for edges in np.split(can_hit, np.searchsorted(_OWNERS[can_hit], first_hexes)):
            if edges.size:
                self._mark_edges(hexside, edges)

    def _mark_edges(self, hexside: Row, edges: NDArray[np.intp]) -> None:
        """Mark some directed hexsides, given as indices of ``_OWNERS``, in all maps."""
        owners = _OWNERS[edges]
        sides = _SIDES[edges]
        code_indices, needs_draw = self._code_indices(
            self.rows[owners], self.columns[_BEYOND[edges]]
        )
        if needs_draw:
            first_word = int(owners[0]) // 2 * WORDS_OF_TWO_HEXES
            end_word = (int(owners[-1]) // 2 + 1) * WORDS_OF_TWO_HEXES
            bits = words_at(self.starts[first_word:end_word, None], self.steps)
            lanes = owners * SIDES + sides - first_word * LANES_OF_WORD
            code_indices += _by_lane(_buckets(self.rules, bits))[lanes]
        hexside[owners, sides] = self._codes(code_indices, self.below[owners, sides, None])

    def mark_where_needed(self, hexside: Row, hexes: NDArray[np.intp]) -> None:
        """Mark the sides of ``hexes`` (ids) in the maps where the hex has a PAIR.

        ``hexside`` must show the base there, which ``mark_in_all_maps`` has written.
        """
        if not hexes.size:
            return
        map_count = self.steps.size
        # The m pairs of a hex and a map that have a PAIR.
        hex_indices, maps = np.divmod(np.flatnonzero(self.rows[hexes] != 0), map_count)
        owners = hexes[hex_indices]
        neighbours = _NEIGHBOURS[owners]
        # Outside the board the neighbour is -1, whatever stands there: row 0 has no PAIR.
        is_on_board = neighbours >= 0
        rows = self.rows[owners, maps][:, None] * is_on_board
        columns = self.columns.take(neighbours * map_count + maps[:, None])
        code_indices, needs_draw = self._code_indices(rows, columns)
        if needs_draw:
            # The 6 lanes of a hex lie in 2 words, from their first or their third lane on.
            words, first_lanes = np.divmod(owners * SIDES, LANES_OF_WORD)
            bits = words_at(self.starts[words[:, None] + [0, 1]], self.steps[maps, None])
            buckets = _buckets(self.rules, bits).reshape(-1, 2 * LANES_OF_WORD)
            lanes = first_lanes[:, None] + np.arange(SIDES)
            code_indices += buckets[np.arange(maps.size)[:, None], lanes]
        hexside.transpose(0, 2, 1)[owners, maps] = self._codes(code_indices, self.below[owners])

    def _code_indices(self, rows: Table, columns: Table) -> tuple[Table, bool]:
        """Return indices into ``rules.codes`` of bucket 0, and whether some need a draw.

        ``rows`` is overwritten: a new array would cost more than the sum.
        """
        rules = self.rules
        if rules.outcomes is None:
            needs_draw = bool(rows.max() >= rules.first_drawn)
            rows += columns
            return rows, needs_draw
        outcomes = _look_up(rules.outcomes, rows + columns).copy()
        return outcomes, bool(outcomes.max() >= rules.first_drawn)

    def _codes(self, code_indices: Table, below: Row) -> Row:
        """Return the plane values; where these are 0, those of the base ``below``."""
        codes: Row = _look_up(self.rules.codes, code_indices).astype(np.uint8, copy=False)
        if below.any():
            return np.where(codes == 0, below, codes)
        return codes


def _buckets(rules: SideRules, bits: NDArray[np.uint64]) -> Table:
    """Return how many limits each lane of the words ``bits`` (i, j) reaches, (i, j, 4)."""
    lanes = bits.astype("<u8", copy=False).view("<u2").reshape(*bits.shape, LANES_OF_WORD)
    if len(rules.limits) > FEW_LIMITS:
        bucket: Any = np.searchsorted(rules.limits, lanes, "right")
        return bucket.astype(rules.codes.dtype)  # type: ignore[no-any-return]
    reached = np.full(lanes.shape, len(rules.limits), np.uint8)
    for limit in rules.limits:  # "less" is faster than "greater or equal"
        reached -= (lanes < limit).view(np.uint8)
    return reached


def _by_lane(buckets: Table) -> Table:
    """Return the buckets (i, j, 4) of i words in j maps as 4 * i rows of j, one for each lane."""
    if buckets.dtype != np.uint8:
        return buckets.transpose(0, 2, 1).reshape(-1, buckets.shape[1])
    # The four bytes of a word are read as one number: shifting it is twice as fast as taking every
    # fourth byte. Storing into bytes cuts off all but the lowest.
    four_buckets = buckets.view("<u4")[:, :, 0]
    rows = np.empty((len(four_buckets), LANES_OF_WORD, four_buckets.shape[1]), np.uint8)
    for lane in range(LANES_OF_WORD):
        rows[:, lane] = four_buckets >> np.uint32(8 * lane)
    return rows.reshape(-1, four_buckets.shape[1])


def _look_up(table: Table, indices: Table) -> Table:
    """Return the entries of a table at ``indices``, in their shape; it may be read-only."""
    if table.dtype == np.uint8 and indices.dtype == np.uint8:
        # The fastest of the variants measured: bytes.translate is one loop over bytes.
        entries = indices.tobytes().translate(table.tobytes())
        return np.frombuffer(entries, np.uint8).reshape(indices.shape)
    return table.take(indices)
