"""Marks the hexsides of thousands of maps at once: the second half of ``roll_many``.

``mark_sides`` is the way in. Which hexside a PAIR gives is looked up in tables (``side_rules``), by
the *row* of the hex whose side is marked, the *column* of the hex beyond, and a draw; 0 is the row
or column of a hex that no PAIR is about. Only the draws that matter are made: keyed draws that are
not used change nothing. So the hexes are marked in one of two ways:

- a hex that has a PAIR in many maps is marked in all maps, as whole rows of numbers;
- a hex that rarely has one is marked only in the maps where it has.

A draw is a *lane*, a number below 2**16; four lanes are a word of 64 bits. The lanes of the
hexsides follow one another, six a hex, so that every two hexes begin a new word::

    word     0               1               2               3
    lane     0   1   2   3   4   5   6   7   8   9  10  11   12 ...
    hex      0   0   0   0   0   0   1   1   1   1   1   1   2 ...
    side     0   1   2   3   4   5   0   1   2   3   4   5   0 ...
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.dice import steps, streams, words_at
from randomizer.systems.colossus.board import HEX_COUNT, NEIGHBOURS, SIDES
from randomizer.systems.colossus.rolling.program import Program
from randomizer.systems.colossus.rolling.roller import HexBase
from randomizer.systems.colossus.rolling.side_rules import (
    LANES_OF_WORD,
    SideRules,
    Table,
    side_rules,
)

WORDS_OF_TWO_HEXES = 3
"""Two hexes have 12 sides, and so 12 lanes."""

HEXES_AT_ONCE = 4
"""The number of hexes whose sides are marked at once; even, so that they begin a new word.

With more of them the arrays leave the processor's cache, with fewer numpy is called more often.
"""

DENSE = 0.1
"""From this share of maps on, processing all maps is faster than selecting those that matter."""

Bytes = NDArray[np.uint8]
"""Small numbers, in the shape that each use tells."""

_NEIGHBOURS = np.array(NEIGHBOURS)
"""(27, 6): the hex beyond each side, -1 outside the board."""

# The directed hexsides inside the board, in the order of the hexes; an *edge* is an index of them.
_OWNERS, _SIDES = np.nonzero(_NEIGHBOURS >= 0)
"""By edge: its hex, and its side of that hex."""
_BEYOND = _NEIGHBOURS[_OWNERS, _SIDES]
"""By edge: the hex beyond."""


def mark_sides(
    hexside: Bytes,
    *,
    program: Program,
    seed: int,
    numbers: NDArray[np.uint64],
    states: Bytes,
    base: HexBase,
) -> None:
    """Fill ``hexside`` (27, 6, n) for maps ``numbers`` (n,) whose ``states`` are (27, n).

    Where no PAIR gives a value the hexsides of ``base`` stay.
    """
    base_codes = np.array(base.hexside, np.uint8)
    if not any(program.pairs):
        hexside[:] = base_codes[:, :, None]
        return
    rules = side_rules(program)
    rows, columns = rules.rows_and_columns(states)
    words_of_hexsides = program.sites[program.first_edge_word :]
    marking = _Marking(
        hexside=hexside,
        base_codes=base_codes,
        rules=rules,
        rows=rows,
        columns=columns,
        starts=streams(seed, words_of_hexsides),
        steps=steps(numbers),
    )
    marking.mark()


@dataclass(frozen=True, eq=False)
class _Marking:
    """The hexsides of a chunk of n maps while they are marked."""

    hexside: Bytes
    """(27, 6, n): the plane values, which are written here."""

    base_codes: Bytes
    """(27, 6): the hexsides of the base."""

    rules: SideRules

    rows: Table
    """(27, n): the rows of the states, which count for the sides of the hexes themselves."""

    columns: Table
    """(27, n): the columns of the states, which count for the sides of their neighbours."""

    starts: NDArray[np.uint64]
    """The starts of the streams of the hexsides' words (randomizer/model/basics/dice.py)."""

    steps: NDArray[np.uint64]
    """(n,): the steps of the maps in each stream."""

    def mark(self) -> None:
        """Mark all hexsides."""
        # In which share of the maps has each hex a PAIR, (27,)?
        shares = np.array([np.count_nonzero(row) for row in self.rows]) / self.steps.size
        has_pair = shares > 0
        is_dense = _is_dense(shares)

        # There are three passes, each of which overwrites the one before:
        # 1. Edges that no later pass marks in all maps show the base.
        # 2. The edges of dense hexes are marked in all maps.
        # 3. Those of rare hexes are marked in the maps where the hex has a PAIR.
        neighbour_has_pair = self.columns.max(1) > 0
        is_marked_in_all = (is_dense & has_pair)[_OWNERS] & neighbour_has_pair[_BEYOND]
        edges = np.flatnonzero(is_marked_in_all)
        shows_base = np.ones((HEX_COUNT, SIDES), np.bool_)
        shows_base[_OWNERS[edges], _SIDES[edges]] = False
        self.hexside[shows_base] = self.base_codes[shows_base][:, None]

        for first_hex in range(0, HEX_COUNT, HEXES_AT_ONCE):
            owners = _OWNERS[edges]
            is_of_hexes = (owners >= first_hex) & (owners < first_hex + HEXES_AT_ONCE)
            if is_of_hexes.any():
                self._mark_in_all_maps(edges[is_of_hexes])

        rare_hexes = np.flatnonzero(has_pair & ~is_dense)
        if rare_hexes.size:
            self._mark_where_needed(rare_hexes)

    def _mark_in_all_maps(self, edges: NDArray[np.intp]) -> None:
        """Mark some edges (e,) in all maps."""
        owners = _OWNERS[edges]
        sides = _SIDES[edges]
        # (e, n), new arrays: ``code_indices`` may use them for its result.
        code_indices, needs_draw = self.rules.code_indices(
            self.rows[owners], self.columns[_BEYOND[edges]]
        )
        if needs_draw:
            # Draw all words from that of the first hex to that of the last one.
            first_word = int(owners[0]) // 2 * WORDS_OF_TWO_HEXES
            end_word = (int(owners[-1]) // 2 + 1) * WORDS_OF_TWO_HEXES
            words = words_at(self.starts[first_word:end_word, None], self.steps)  # (words, n)
            lanes = owners * SIDES + sides - first_word * LANES_OF_WORD
            code_indices += _by_lane(self.rules.buckets(words))[lanes]
        base_codes = self.base_codes[owners, sides, None]
        self.hexside[owners, sides] = self._codes(code_indices, base_codes)

    def _mark_where_needed(self, hexes: NDArray[np.intp]) -> None:
        """Mark the sides of ``hexes`` (ids) in the maps where the hex has a PAIR."""
        map_count = self.steps.size
        # The m pairs of a hex and a map that have a PAIR: ``owners`` and ``maps`` are (m,).
        hex_indices, maps = np.divmod(np.flatnonzero(self.rows[hexes] != 0), map_count)
        owners = hexes[hex_indices]
        neighbours = _NEIGHBOURS[owners]  # (m, 6)
        # Outside the board the neighbour is -1, which takes the column of some hex or other; that
        # does no harm, as row 0 never has a PAIR.
        is_on_board = neighbours >= 0
        rows = self.rows[owners, maps][:, None] * is_on_board
        columns = self.columns.take(neighbours * map_count + maps[:, None])
        code_indices, needs_draw = self.rules.code_indices(rows, columns)
        if needs_draw:
            # The 6 lanes of a hex lie in 2 words, from their first or their third lane on.
            first_words, first_lanes = np.divmod(owners * SIDES, LANES_OF_WORD)
            starts = self.starts[first_words[:, None] + [0, 1]]  # (m, 2)
            words = words_at(starts, self.steps[maps, None])  # (m, 2), by the step of each map
            buckets = self.rules.buckets(words).reshape(-1, 2 * LANES_OF_WORD)  # (m, 8)
            lanes = first_lanes[:, None] + np.arange(SIDES)  # (m, 6)
            code_indices += buckets[np.arange(maps.size)[:, None], lanes]
        codes = self._codes(code_indices, self.base_codes[owners])  # (m, 6)
        self.hexside.transpose(0, 2, 1)[owners, maps] = codes

    def _codes(self, code_indices: Table, base_codes: Bytes) -> Bytes:
        """Return the plane values; where no hexside comes, those of the base."""
        codes = self.rules.codes_at(code_indices)
        if base_codes.any():
            return np.where(codes == 0, base_codes, codes)
        return codes


def _is_dense(shares: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return for each hex, (27,), whether its sides are marked in all maps.

    ``shares`` (27,) are the shares of maps in which the hexes have a PAIR. Every two hexes draw
    from the same words, so they are treated alike; the last hex has no partner.
    """
    shares_of_twos = np.append(shares, 0).reshape(-1, 2)
    return np.repeat(shares_of_twos.max(axis=1) >= DENSE, 2)[:HEX_COUNT]


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
