"""Marks the hexsides of thousands of maps at once: the last step of rolling them.

A PAIR of a script gives a hexside, by chance, to the sides of hexes of one *state* (terrain and
elevation) towards neighbours of another. ``mark_sides`` is the way in. ``side_rules`` has the PAIRs
as tables: each state has the *offset* of a row, for the hex whose side is marked, and that of a
column, for the hex beyond. An offset of 0 means that no PAIR is about the state. ``HexsideDraws``
looks up and draws the *codes* of hexsides, their plane values.

Most hexes of most scripts have no PAIR in most maps, so a hex is marked in one of two ways:

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
from randomizer.systems.colossus.rolling.side_rules import Indices, Offsets, side_rules

HEXES_AT_ONCE = 4
"""The number of hexes whose sides are marked at once.

It is even, since two hexes share random words: their 12 sides take 3 words of 4 random numbers.
With more hexes the arrays leave the processor's cache, with fewer numpy is called more often.
"""

DENSE = 0.1
"""From this share of maps on, processing all maps is faster than selecting those that matter."""

Bytes = NDArray[np.uint8]
"""Small numbers, in the shape that each use tells."""

_NEIGHBOURS = np.array(NEIGHBOURS)
"""(27, 6): the hex beyond each side, -1 outside the board."""

_IS_ON_BOARD = _NEIGHBOURS >= 0
"""(27, 6): True if there is a hex beyond the side."""

_NEIGHBOURS_OR_ANY = np.where(_IS_ON_BOARD, _NEIGHBOURS, 0)
"""(27, 6): the hex beyond each side; any hex, for the sides at the rim."""

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
        row_offsets=offsets.rows,
        column_offsets=offsets.columns,
        has_pair=offsets.rows != 0,
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

    row_offsets: Indices
    """(27, n): for the sides of each hex itself."""

    column_offsets: Indices
    """(27, n): for the sides of its neighbours towards each hex."""

    has_pair: NDArray[np.bool_]
    """(27, n): True if some PAIR is about the sides of the hex."""

    draws: HexsideDraws

    def mark(self) -> None:
        """Mark all hexsides."""
        map_count = self.has_pair.shape[1]
        # Row by row, which is many times as fast as ``count_nonzero`` with an axis.
        maps_with_pair = np.array([np.count_nonzero(row) for row in self.has_pair])  # (27,)
        has_pair_in_some_map = maps_with_pair > 0
        is_dense = has_pair_in_some_map & _is_dense(maps_with_pair / map_count)
        is_rare = has_pair_in_some_map & ~is_dense

        # First the edges of dense hexes, but for those towards hexes that no PAIR names in any map.
        is_named_beyond = self.column_offsets.max(1) > 0
        dense_edges = np.flatnonzero(is_dense[_OWNERS] & is_named_beyond[_BEYOND])
        owners_of_dense_edges = _OWNERS[dense_edges]
        for first_hex in range(0, HEX_COUNT, HEXES_AT_ONCE):
            is_of_hexes = owners_of_dense_edges // HEXES_AT_ONCE == first_hex // HEXES_AT_ONCE
            if is_of_hexes.any():
                self._mark_in_all_maps(dense_edges[is_of_hexes])

        # All other hexsides get those of the base. Then the rare hexes are marked in the maps where
        # they have a PAIR.
        self._write_base_except(dense_edges)
        rare_hexes = np.flatnonzero(is_rare)
        if rare_hexes.size:
            self._mark_where_needed(rare_hexes)

    def _write_base_except(self, edges: NDArray[np.intp]) -> None:
        """Give all hexsides but some edges (e,) the values of the base in all maps."""
        shows_base = np.ones((HEX_COUNT, SIDES), np.bool_)
        shows_base[_OWNERS[edges], _SIDES[edges]] = False
        self.hexside[shows_base] = self.base_codes[shows_base][:, None]

    def _mark_in_all_maps(self, edges: NDArray[np.intp]) -> None:
        """Mark some edges (e,) in all maps."""
        owners = _OWNERS[edges]
        sides = _SIDES[edges]
        offsets = Offsets(self.row_offsets[owners], self.column_offsets[_BEYOND[edges]])  # (e, n)
        codes = self.draws.codes_in_all_maps(owners, sides, offsets)
        base_codes = self.base_codes[owners, sides, None]  # (e, 1)
        self.hexside[owners, sides] = _codes_or_base(codes, base_codes)

    def _mark_where_needed(self, hexes: NDArray[np.intp]) -> None:
        """Mark the sides of ``hexes`` (ids) in the maps where the hex has a PAIR."""
        # The m cases of a hex and a map that have a PAIR: ``owners`` and ``maps`` are (m,).
        hex_indices, maps = np.nonzero(self.has_pair[hexes])
        owners = hexes[hex_indices]
        # Of sides at the rim the offset of the row becomes 0, with which any column means no PAIR.
        rows = self.row_offsets[owners, maps][:, None] * _IS_ON_BOARD[owners]  # (m, 6)
        columns = self.column_offsets[_NEIGHBOURS_OR_ANY[owners], maps[:, None]]  # (m, 6)
        codes = self.draws.codes_of_hexes(owners, maps, Offsets(rows, columns))  # (m, 6)
        codes = _codes_or_base(codes, self.base_codes[owners])
        self.hexside.transpose(0, 2, 1)[owners, maps] = codes


def _codes_or_base(codes: Bytes, base_codes: Bytes) -> Bytes:
    """Return the codes; where they are 0, no hexside, those of the base."""
    if base_codes.any():
        return np.where(codes == 0, base_codes, codes)
    return codes


def _is_dense(shares: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return for each hex, (27,), whether it is to be marked in all maps if it has PAIRs.

    ``shares`` (27,) are the shares of maps in which the hexes have a PAIR. Every two hexes share
    random words, so they are treated alike; the last hex has no partner.
    """
    shares_of_twos = np.append(shares, 0).reshape(-1, 2)
    return np.repeat(shares_of_twos.max(axis=1) >= DENSE, 2)[:HEX_COUNT]
