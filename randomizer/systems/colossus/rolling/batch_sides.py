"""Marks the hexsides of thousands of maps at once: the second half of ``roll_many``.

``mark_sides`` is the way in. Which hexside a PAIR gives is looked up in tables (``side_rules``), by
the *row* of the hex whose side is marked, the *column* of the hex beyond, and a draw
(``hexside_draws``); 0 is the row or column of a hex that no PAIR is about. Most hexes of most
scripts have no PAIR, so a hex is marked in one of two ways:

- a *dense* hex, which has a PAIR in many maps, is marked in all maps, as whole rows of numbers;
- a *rare* hex is marked only in the maps where it has a PAIR.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.colossus.board import HEX_COUNT, NEIGHBOURS, SIDES
from randomizer.systems.colossus.rolling.hexside_draws import HexsideDraws
from randomizer.systems.colossus.rolling.program import Program
from randomizer.systems.colossus.rolling.roller import HexBase
from randomizer.systems.colossus.rolling.side_rules import SideRules, Table, side_rules

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

_IS_ON_BOARD = _NEIGHBOURS >= 0
"""(27, 6): True if there is a hex beyond the side."""

# The directed hexsides inside the board, in the order of the hexes; an *edge* is an index of them.
_OWNERS, _SIDES = np.nonzero(_IS_ON_BOARD)
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

    n is at least 1. Where no PAIR gives a value the hexsides of ``base`` stay.
    """
    base_codes = np.array(base.hexside, np.uint8)
    if not any(program.pairs):
        hexside[:] = base_codes[:, :, None]
        return
    rules = side_rules(program)
    offsets = rules.offsets(states)
    marking = _Marking(
        hexside=hexside,
        base_codes=base_codes,
        rules=rules,
        rows=offsets.rows,
        columns=offsets.columns,
        draws=HexsideDraws(program, rules, seed, numbers),
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
    """(27, n): the offset of each hex's row, by which its own sides are looked up."""

    columns: Table
    """(27, n): the offset of each hex's column, by which its neighbours' sides are looked up."""

    draws: HexsideDraws

    def mark(self) -> None:
        """Mark all hexsides."""
        map_count = self.rows.shape[1]
        maps_with_pair = np.array([np.count_nonzero(row) for row in self.rows])  # (27,)
        has_pair = maps_with_pair > 0
        is_dense = _is_dense(maps_with_pair / map_count)
        is_named_beyond = self.columns.max(1) > 0  # some PAIR names a state of it as the neighbour

        # The edges of dense hexes, but for those towards hexes that no PAIR names in any map.
        edge_is_dense = (is_dense & has_pair)[_OWNERS] & is_named_beyond[_BEYOND]
        dense_edges = np.flatnonzero(edge_is_dense)
        for first_hex in range(0, HEX_COUNT, HEXES_AT_ONCE):
            owners = _OWNERS[dense_edges]
            is_of_hexes = (owners >= first_hex) & (owners < first_hex + HEXES_AT_ONCE)
            if is_of_hexes.any():
                self._mark_in_all_maps(dense_edges[is_of_hexes])

        # All other hexsides show the base, and then those of rare hexes a PAIR in some maps.
        self._show_base_except(dense_edges)
        rare_hexes = np.flatnonzero(has_pair & ~is_dense)
        if rare_hexes.size:
            self._mark_where_needed(rare_hexes)

    def _show_base_except(self, edges: NDArray[np.intp]) -> None:
        """Give all hexsides but some edges (e,) the values of the base in all maps."""
        shows_base = np.ones((HEX_COUNT, SIDES), np.bool_)
        shows_base[_OWNERS[edges], _SIDES[edges]] = False
        self.hexside[shows_base] = self.base_codes[shows_base][:, None]

    def _mark_in_all_maps(self, edges: NDArray[np.intp]) -> None:
        """Mark some edges (e,) in all maps."""
        owners = _OWNERS[edges]
        sides = _SIDES[edges]
        columns_beyond = self.columns[_BEYOND[edges]]
        code_indices = self.rules.code_indices(self.rows[owners], columns_beyond)  # (e, n)
        if self.rules.needs_draw(code_indices):
            code_indices += self.draws.buckets_in_all_maps(owners, sides)
        base_codes = self.base_codes[owners, sides, None]
        self.hexside[owners, sides] = self._codes(code_indices, base_codes)

    def _mark_where_needed(self, hexes: NDArray[np.intp]) -> None:
        """Mark the sides of ``hexes`` (ids) in the maps where the hex has a PAIR."""
        map_count = self.rows.shape[1]
        # The m pairs of a hex and a map that have a PAIR: ``owners`` and ``maps`` are (m,).
        hex_indices, maps = np.divmod(np.flatnonzero(self.rows[hexes] != 0), map_count)
        owners = hexes[hex_indices]
        # Beyond the board there is no PAIR. The side gets row 0, with which the column of any hex
        # means no PAIR: that of the last hex is taken, whose index is -1, too.
        rows = self.rows[owners, maps][:, None] * _IS_ON_BOARD[owners]  # (m, 6)
        columns = self.columns[_NEIGHBOURS[owners], maps[:, None]]  # (m, 6)
        code_indices = self.rules.code_indices(rows, columns)
        if self.rules.needs_draw(code_indices):
            code_indices += self.draws.buckets_of_hexes(owners, maps)
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
