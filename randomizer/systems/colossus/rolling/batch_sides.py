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
from randomizer.systems.colossus.board import HEX_COUNT, NEIGHBOURS
from randomizer.systems.colossus.rolling.program import Program
from randomizer.systems.colossus.rolling.roller import HexBase
from randomizer.systems.colossus.rolling.side_rules import (
    LANES_OF_WORD,
    SideRules,
    Table,
    side_rules,
)

SIDES = 6
"""The sides of a hex."""

WORDS_OF_TWO_HEXES = 3
"""Two hexes have 12 sides, and so 12 lanes."""

HEXES_AT_ONCE = 4
"""The number of hexes whose sides are marked at once; even, so that they begin a new word.

With more of them the arrays leave the processor's cache, with fewer numpy is called more often.
"""

DENSE = 0.1
"""From this share of maps on, processing all maps is faster than selecting those that matter."""

Row = NDArray[np.uint8]
"""A value of each map, (n,), or of each hexside and map."""

_NEIGHBOURS = np.array(NEIGHBOURS)
"""(27, 6): the hex beyond each side, -1 outside the board."""

# The directed hexsides inside the board, in the order of the hexes; an *edge* is an index of them.
_OWNERS, _SIDES = np.nonzero(_NEIGHBOURS >= 0)
"""By edge: its hex, and its side of that hex."""
_BEYOND = _NEIGHBOURS[_OWNERS, _SIDES]
"""By edge: the hex beyond."""


def mark_sides(
    hexside: Row,
    *,
    program: Program,
    seed: int,
    numbers: NDArray[np.uint64],
    states: Row,
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
    words_of_hexsides = program.sites[program.edge_words :]
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

    hexside: Row
    """(27, 6, n): the plane values, which are written here."""

    base_codes: Row
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

        # Which edges are marked in all maps? The others show the base, if only at first.
        neighbour_has_pair = self.columns.max(1) > 0
        is_marked_in_all = (is_dense & has_pair)[_OWNERS] & neighbour_has_pair[_BEYOND]
        edges = np.flatnonzero(is_marked_in_all)
        shows_base = np.ones((HEX_COUNT, SIDES), np.bool_)
        shows_base[_OWNERS[edges], _SIDES[edges]] = False
        self.hexside[shows_base] = self.base_codes[shows_base][:, None]

        # They are marked some hexes at a time: see HEXES_AT_ONCE.
        first_hexes = range(HEXES_AT_ONCE, HEX_COUNT, HEXES_AT_ONCE)
        for edges_of_hexes in np.split(edges, np.searchsorted(_OWNERS[edges], first_hexes)):
            if edges_of_hexes.size:
                self._mark_in_all_maps(edges_of_hexes)

        rare_hexes = np.flatnonzero(has_pair & ~is_dense)
        if rare_hexes.size:
            self._mark_where_needed(rare_hexes)

    def _mark_in_all_maps(self, edges: NDArray[np.intp]) -> None:
        """Mark some edges in all maps."""
        owners = _OWNERS[edges]
        sides = _SIDES[edges]
        code_indices, needs_draw = self.rules.code_indices(
            self.rows[owners], self.columns[_BEYOND[edges]]
        )
        if needs_draw:
            # Draw all words from that of the first hex to that of the last one.
            first_word = int(owners[0]) // 2 * WORDS_OF_TWO_HEXES
            end_word = (int(owners[-1]) // 2 + 1) * WORDS_OF_TWO_HEXES
            words = words_at(self.starts[first_word:end_word, None], self.steps)
            lanes = owners * SIDES + sides - first_word * LANES_OF_WORD
            code_indices += _by_lane(self.rules.buckets(words))[lanes]
        base_codes = self.base_codes[owners, sides, None]
        self.hexside[owners, sides] = self._codes(code_indices, base_codes)

    def _mark_where_needed(self, hexes: NDArray[np.intp]) -> None:
        """Mark the sides of ``hexes`` (ids) in the maps where the hex has a PAIR."""
        map_count = self.steps.size
        # The m pairs of a hex and a map that have a PAIR.
        hex_indices, maps = np.divmod(np.flatnonzero(self.rows[hexes] != 0), map_count)
        owners = hexes[hex_indices]
        neighbours = _NEIGHBOURS[owners]
        # Outside the board the neighbour is -1, whatever stands there: row 0 has no PAIR.
        is_on_board = neighbours >= 0
        rows = self.rows[owners, maps][:, None] * is_on_board
        columns = self.columns.take(neighbours * map_count + maps[:, None])
        code_indices, needs_draw = self.rules.code_indices(rows, columns)
        if needs_draw:
            # The 6 lanes of a hex lie in 2 words, from their first or their third lane on.
            first_words, first_lanes = np.divmod(owners * SIDES, LANES_OF_WORD)
            words = words_at(self.starts[first_words[:, None] + [0, 1]], self.steps[maps, None])
            buckets = self.rules.buckets(words).reshape(-1, 2 * LANES_OF_WORD)
            lanes = first_lanes[:, None] + np.arange(SIDES)
            code_indices += buckets[np.arange(maps.size)[:, None], lanes]
        codes = self._codes(code_indices, self.base_codes[owners])
        self.hexside.transpose(0, 2, 1)[owners, maps] = codes

    def _codes(self, code_indices: Table, base_codes: Row) -> Row:
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
