"""The hexsides of thousands of maps at once: the second half of ``roll_many``.

States that PAIRs treat alike form a group, so whether a PAIR applies to a hexside, and the result
of its draw, is one look-up in a small table. Only hexsides that a PAIR can hit are processed, and
where a hex rarely has a PAIR, only the maps in which it has: keyed draws that are not used change
nothing.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.caches import KB, registered
from randomizer.model.basics.dice import steps, streams, words_at
from randomizer.systems.colossus.board import HEX_COUNT, NEIGHBOURS
from randomizer.systems.colossus.rolling.program import Choices, Program
from randomizer.systems.colossus.rolling.roller import HexBase

LANE_VALUES = 1 << 16
BYTE_VALUES = 1 << 8
FEW_LIMITS = 16
"""Up to this many comparisons are faster than a search."""
HEXES_AT_ONCE = 4
"""The number of hexes whose sides are marked at once; even."""
DENSE = 0.1
"""From this share on, processing all maps is faster than selecting those that matter."""

Table = NDArray[np.uint8] | NDArray[np.uint32]
Row = NDArray[np.uint8]
_Kind = tuple[tuple[int, ...], tuple[int, ...]]
"""Codes and limits of PAIRs with the same effect; one code without a limit is certain."""
_NO_PAIR: _Kind = ((0,), ())


@dataclass(frozen=True, eq=False)
class SideRules:
    """The PAIRs of a script as tables.

    ``groups`` (by state) hold two numbers: the bits of ``low_bits`` for the hex beyond the side,
    the other bits for the side's own hex; 0: no PAIR. Their sum plus the draw's bucket is the index
    into ``codes``; only where that table would be too large is the sum looked up in ``kinds``
    first. From ``first_drawn`` on, the own hex's number (or that from ``kinds``) needs a draw; its
    bucket is how many of the ``limits`` of all PAIRs its lane reaches. All tables are of bytes if
    that is enough.
    """

    groups: Table
    low_bits: int
    kinds: Table | None
    codes: Table
    limits: tuple[int, ...]
    first_drawn: int


@registered(bytes_each=50 * KB)
@lru_cache(16)
def side_rules(program: Program) -> SideRules:
    """Return the tables of a program's PAIRs."""
    pairs = program.pairs
    states = range(len(pairs))
    empty = (_NO_PAIR,) * len(states)
    highs = [tuple(_kind(row.get(low)) for low in states) if row else empty for row in pairs]
    # Rows without draws come first, and of those the row without a PAIR: 0.
    rows = sorted({empty, *highs}, key=lambda row: (any(limits for _, limits in row), row != empty))
    lows = list(zip(*rows, strict=True))
    columns = list(dict.fromkeys([(_NO_PAIR,) * len(rows), *lows]))
    # The certain kinds come first: they have no limits.
    kinds = sorted({kind for row in rows for kind in row} | {_NO_PAIR}, key=lambda kind: kind[::-1])
    limits = sorted({limit for _, limits in kinds for limit in limits} - {0, LANE_VALUES})
    size = len(limits) + 1
    # A row has a power of 2 entries in the table, padded with entries without PAIR.
    width = 1 << (len(columns) * size - 1).bit_length()
    direct = len(rows) * width <= BYTE_VALUES
    step = size if direct else 1
    if not direct:
        width = 1 << (len(columns) - 1).bit_length()
    fill = [_NO_PAIR] * (-(-width // step) - len(columns))
    cells = [[*(column[at] for column in columns), *fill] for at in range(len(rows))]
    codes = [
        [_code(kind, bucket) for kind in row for bucket in (0, *limits)][:width] for row in cells
    ]
    if not direct:
        codes = [[_code(kind, bucket) for bucket in (0, *limits)] for kind in kinds]
    drawn = sum(any(limits for _, limits in row) for row in rows)
    small = direct or max(len(rows) * width, len(kinds) * size) <= BYTE_VALUES
    return SideRules(
        _table(
            [
                rows.index(row) * width + columns.index(column) * step
                for row, column in zip(highs, lows, strict=True)
            ],
            small,
        ),
        width - 1,
        None
        if direct
        else _table([kinds.index(kind) * size for row in cells for kind in row], small),
        _table(list(chain.from_iterable(codes)), small),
        tuple(limits),
        (len(rows) - drawn) * width
        if direct
        else sum(not kind_limits for _, kind_limits in kinds) * size,
    )


def _code(kind: _Kind, bucket: int) -> int:
    """Return the plane value for a draw whose lane has reached the limit ``bucket``."""
    codes, limits = kind
    return (*codes, 0)[bisect_right(limits, bucket)]


def _kind(choices: Choices | None) -> _Kind:
    if choices is None or not any(choices.limits):
        return _NO_PAIR
    if choices.limits[0] == LANE_VALUES:
        return choices.codes[:1], ()
    return choices.codes, choices.limits


def _table(values: Sequence[int], small: bool) -> Table:
    size = max(BYTE_VALUES, len(values))
    table: Table = np.zeros(size, np.uint8) if small else np.zeros(size, np.uint32)
    table[: len(values)] = values
    return table


def mark_sides(
    program: Program,
    seed: int,
    numbers: NDArray[np.uint64],
    states: Row,
    hexside: Row,
    base: HexBase,
) -> None:
    """Fill ``hexside`` (27, 6, n) for maps whose ``states`` are (27, n)."""
    below = np.array(base.hexside, np.uint8)
    if not any(program.pairs):
        hexside[:] = below[:, :, None]
        return
    rules = side_rules(program)
    groups = _looked_up(rules.groups, states)
    lows = groups & rules.groups.dtype.type(rules.low_bits)
    marking = _Marking(
        rules,
        groups - lows,
        lows,
        streams(seed, program.sites[program.edge_words :]),
        steps(numbers),
        below,
    )
    shares = np.array([np.count_nonzero(row) for row in marking.highs]) / numbers.size
    crowded = np.repeat(np.maximum(shares[::2], [*shares[1::2], 0]) >= DENSE, 2)[:HEX_COUNT]
    marking.mark_in_all_maps(hexside, crowded & (shares > 0))
    marking.mark_where_needed(hexside, np.flatnonzero(~crowded & (shares > 0)))


_AROUND = np.array(NEIGHBOURS)
_OWNERS, _SIDES = np.nonzero(_AROUND >= 0)
_OTHERS = _AROUND[_OWNERS, _SIDES]
"""For every directed hexside inside the board its hex, its side and the hex beyond."""


@dataclass(frozen=True, eq=False)
class _Marking:
    """The hexsides of a chunk while they are marked.

    ``highs`` and ``lows`` (27, n) are the groups of the hexes; ``below`` (27, 6) the hexsides of
    the base; ``starts`` and ``steps`` belong to the words of the hexsides
    (randomizer/model/basics/dice.py).
    """

    rules: SideRules
    highs: Table
    lows: Table
    starts: NDArray[np.uint64]
    steps: NDArray[np.uint64]
    below: Row

    def mark_in_all_maps(self, hexside: Row, hexes: NDArray[np.bool_]) -> None:
        """Mark the sides of ``hexes`` (27) that a PAIR can hit; all others show the base."""
        can_hit = np.flatnonzero(hexes[_OWNERS] & (self.lows.max(1) > 0)[_OTHERS])
        shows_base = np.ones((HEX_COUNT, 6), np.bool_)
        shows_base[_OWNERS[can_hit], _SIDES[can_hit]] = False
        hexside[shows_base] = self.below[shows_base][:, None]
        firsts = range(HEXES_AT_ONCE, HEX_COUNT, HEXES_AT_ONCE)
        for edges in np.split(can_hit, np.searchsorted(_OWNERS[can_hit], firsts)):
            if not edges.size:
                continue
            owners = _OWNERS[edges]
            sides = _SIDES[edges]
            # Two hexes have the lanes of 3 words for their 12 sides.
            word = int(owners[0]) // 2 * 3
            end = int(owners[-1]) // 2 * 3 + 3
            code_indices, drawn = self._code_indices(self.highs[owners], self.lows[_OTHERS[edges]])
            if drawn:
                bits = words_at(self.starts[word:end, None], self.steps)
                code_indices += _by_lane(_buckets(self.rules, bits))[owners * 6 + sides - word * 4]
            hexside[owners, sides] = self._codes(code_indices, self.below[owners, sides, None])

    def mark_where_needed(self, hexside: Row, hexes: NDArray[np.intp]) -> None:
        """Mark the sides of ``hexes`` (ids) in the maps where the hex has a PAIR."""
        if not hexes.size:
            return
        maps = self.steps.size
        at, those = np.divmod(np.flatnonzero(self.highs[hexes] != 0), maps)
        owners = hexes[at]
        neighbours = _AROUND[owners]
        is_on_board = neighbours >= 0
        highs = self.highs[owners, those][:, None] * is_on_board  # beyond it 0: no PAIR
        code_indices, drawn = self._code_indices(
            highs, self.lows.take(neighbours * maps + those[:, None])
        )
        if drawn:
            words, lanes = np.divmod(owners * 6, 4)
            bits = words_at(self.starts[words[:, None] + [0, 1]], self.steps[those, None])
            eight = _buckets(self.rules, bits).reshape(-1, 8)
            code_indices += eight[np.arange(those.size)[:, None], lanes[:, None] + np.arange(6)]
        hexside.transpose(0, 2, 1)[owners, those] = self._codes(code_indices, self.below[owners])

    def _code_indices(self, highs: Table, lows: Table) -> tuple[Table, bool]:
        """Return indices into ``rules.codes`` for sides before a draw, and whether one is needed.

        ``highs`` is overwritten.
        """
        rules = self.rules
        if rules.kinds is None:
            drawn = bool(highs.max() >= rules.first_drawn)
            highs += lows
            return highs, drawn
        kinds = _looked_up(rules.kinds, highs + lows).copy()
        return kinds, bool(kinds.max() >= rules.first_drawn)

    def _codes(self, code_indices: Table, below: Row) -> Row:
        codes: Row = _looked_up(self.rules.codes, code_indices).astype(np.uint8, copy=False)
        if below.any():
            return np.where(codes == 0, below, codes)
        return codes


def _buckets(rules: SideRules, bits: NDArray[np.uint64]) -> Table:
    """Return how many limits each lane of ``bits`` (i, j) reaches, (i, j, 4)."""
    lanes = bits.astype("<u8", copy=False).view("<u2").reshape(*bits.shape, 4)
    if len(rules.limits) > FEW_LIMITS:
        bucket: Any = np.searchsorted(rules.limits, lanes, "right")
        return bucket.astype(rules.codes.dtype)  # type: ignore[no-any-return]
    reached = np.full(lanes.shape, len(rules.limits), np.uint8)
    for limit in rules.limits:  # "less" is faster than "greater or equal"
        reached -= (lanes < limit).view(np.uint8)
    return reached


def _by_lane(buckets: Table) -> Table:
    """(i, j, 4) as 4 * i rows of j."""
    if buckets.dtype != np.uint8:
        return buckets.transpose(0, 2, 1).reshape(-1, buckets.shape[1])
    # Shifting 4-byte words is twice as fast as taking every fourth byte.
    fours = buckets.view("<u4")[:, :, 0]
    rows = np.empty((len(fours), 4, fours.shape[1]), np.uint8)
    for lane in range(4):
        rows[:, lane] = fours >> np.uint32(8 * lane)
    return rows.reshape(-1, fours.shape[1])


def _looked_up(table: Table, code_indices: Table) -> Table:
    if table.dtype == np.uint8 and code_indices.dtype == np.uint8:
        # The fastest of the variants measured.
        looked_up = code_indices.tobytes().translate(table.tobytes())
        return np.frombuffer(looked_up, np.uint8).reshape(code_indices.shape)
    return table.take(code_indices)
