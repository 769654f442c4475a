"""The hexsides of thousands of maps at once: the second half of ``roll_many``.

A PAIR of a script says which hexsides a hex of one state gets towards a neighbour of another one,
with which chances. The state of the side's own hex is called *high* here, that of the hex beyond it
*low*, since PAIRs are mostly about steps.

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
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.caches import KB, registered
from randomizer.model.basics.dice import steps, streams, words_at
from randomizer.systems.colossus.board import HEX_COUNT, NEIGHBOURS
from randomizer.systems.colossus.rolling.program import Choices, Program
from randomizer.systems.colossus.rolling.roller import HexBase

LANE_VALUES = 1 << 16
"""A draw takes a lane of a random word: 16 bits, a number below this."""

BYTE_VALUES = 1 << 8

FEW_LIMITS = 16
"""Up to this many comparisons are faster than a search."""

HEXES_AT_ONCE = 4
"""The number of hexes whose sides are marked at once; even, since two hexes share a word of dice.

With more of them the arrays leave the processor's cache.
"""

DENSE = 0.1
"""From this share on, processing all maps is faster than selecting those that matter."""

Table = NDArray[np.uint8] | NDArray[np.uint32]
Row = NDArray[np.uint8]
_Kind = tuple[tuple[int, ...], tuple[int, ...]]
"""Codes and limits of PAIRs with the same effect; one code without a limit is certain."""
_NO_PAIR: _Kind = ((0,), ())
"""The code 0, none, for certain."""


@dataclass(frozen=True, eq=False)
class SideRules:
    """The PAIRs of a script as tables; all are of bytes if that is enough.

    The value of a hexside is ``codes[group_high + group_low + bucket]``; only where that table
    would be too large ``codes[kinds[group_high + group_low] + bucket]``.
    """

    groups: Table
    """By state the sum of two numbers, for the hex of a side (high) and for that beyond it (low).

    0: no PAIR. The low number has the bits of ``low_bits``, the high one the other bits.
    """

    low_bits: int

    kinds: Table | None
    """By the sum of a high and a low number where the codes begin; None: at that sum itself."""

    codes: Table
    """The values of hexsides, one for each bucket of a draw."""

    limits: tuple[int, ...]
    """The limits of all PAIRs, ascending: the bucket of a draw is how many its lane reaches."""

    first_drawn: int
    """From this number on a high number, or one of ``kinds``, needs a draw."""


class _Groups(NamedTuple):
    """The states of a program in groups of those that PAIRs treat alike."""

    rows: list[tuple[_Kind, ...]]
    """The groups of high states: for each low state the kind of PAIR. Those without draws first,
    and of those the one without a PAIR.
    """

    columns: list[tuple[_Kind, ...]]
    """The groups of low states: for each of ``rows`` the kind of PAIR. The first is without one."""

    row_of_states: list[int]
    column_of_states: list[int]

    def kinds_of_row(self, row: int) -> list[_Kind]:
        """Return the kind of PAIR of a row with each of the columns."""
        return [column[row] for column in self.columns]


@registered(bytes_each=50 * KB)
@lru_cache(16)
def side_rules(program: Program) -> SideRules:
    """Return the tables of a program's PAIRs."""
    groups = _groups(program)
    kinds = {_NO_PAIR}
    for row in groups.rows:
        kinds.update(row)
    limits = set[int]()
    for _codes, limits_of_kind in kinds:
        limits.update(limits_of_kind)
    all_limits = tuple(sorted(limits - {0, LANE_VALUES}))
    width = _power_of_2(len(groups.columns) * (len(all_limits) + 1))
    if len(groups.rows) * width <= BYTE_VALUES:
        return _direct_rules(groups, all_limits, width)
    # Certain kinds have no limits: sorted by these they come first.
    return _rules_by_kind(groups, all_limits, sorted(kinds, key=lambda kind: (kind[1], kind[0])))


def _groups(program: Program) -> _Groups:
    """Return the groups of the states of a program."""
    states = range(len(program.pairs))
    no_pairs = (_NO_PAIR,) * len(states)
    kinds_of_highs = []
    for choices_by_low in program.pairs:
        if choices_by_low:
            kinds_of_highs.append(tuple(_kind(choices_by_low.get(low)) for low in states))
        else:
            kinds_of_highs.append(no_pairs)
    rows = sorted({no_pairs, *kinds_of_highs}, key=lambda row: (_needs_draw(row), row != no_pairs))
    kinds_of_lows = list(zip(*rows, strict=True))
    columns = list(dict.fromkeys([(_NO_PAIR,) * len(rows), *kinds_of_lows]))
    return _Groups(
        rows,
        columns,
        [rows.index(row) for row in kinds_of_highs],
        [columns.index(column) for column in kinds_of_lows],
    )


def _direct_rules(groups: _Groups, limits: tuple[int, ...], width: int) -> SideRules:
    """Return tables in which the sum of a high and a low number is where the codes begin.

    Each row of groups has ``width`` codes: one for each column and bucket, and then none.
    """
    bucket_count = len(limits) + 1
    codes = []
    for row in range(len(groups.rows)):
        codes_of_row = []
        for kind in groups.kinds_of_row(row):
            codes_of_row += _codes_of_kind(kind, limits)
        codes += codes_of_row + [0] * (width - len(codes_of_row))
    numbers = [
        row * width + column * bucket_count
        for row, column in zip(groups.row_of_states, groups.column_of_states, strict=True)
    ]
    rows_without_draw = sum(not _needs_draw(row) for row in groups.rows)
    return SideRules(
        groups=_table(numbers, small=True),
        low_bits=width - 1,
        kinds=None,
        codes=_table(codes, small=True),
        limits=limits,
        first_drawn=rows_without_draw * width,
    )


def _rules_by_kind(groups: _Groups, limits: tuple[int, ...], kinds: Sequence[_Kind]) -> SideRules:
    """Return tables in which the sum of a high and a low number leads to the kind of PAIR first.

    ``kinds`` are all of them, those without draws first: each has a code for each bucket.
    """
    bucket_count = len(limits) + 1
    width = _power_of_2(len(groups.columns))
    starts = []
    for row in range(len(groups.rows)):
        kinds_of_row = groups.kinds_of_row(row)
        kinds_of_row += [_NO_PAIR] * (width - len(kinds_of_row))
        starts += [kinds.index(kind) * bucket_count for kind in kinds_of_row]
    codes = []
    for kind in kinds:
        codes += _codes_of_kind(kind, limits)
    numbers = [
        row * width + column
        for row, column in zip(groups.row_of_states, groups.column_of_states, strict=True)
    ]
    certain_kinds = sum(not limits_of_kind for _codes, limits_of_kind in kinds)
    small = max(len(starts), len(codes)) <= BYTE_VALUES
    return SideRules(
        groups=_table(numbers, small=small),
        low_bits=width - 1,
        kinds=_table(starts, small=small),
        codes=_table(codes, small=small),
        limits=limits,
        first_drawn=certain_kinds * bucket_count,
    )


def _power_of_2(number: int) -> int:
    """Return the least power of 2 that is not less: then a number's bits tell row and column."""
    return 1 << (number - 1).bit_length()


def _needs_draw(kinds: tuple[_Kind, ...]) -> bool:
    return any(limits for _codes, limits in kinds)


def _codes_of_kind(kind: _Kind, all_limits: tuple[int, ...]) -> list[int]:
    """Return the plane value for each bucket of a draw, 0 (none) beyond the last limit."""
    codes, limits = kind
    codes_with_none = (*codes, 0)
    # The lane of a bucket has reached its limit, and none of the next ones.
    return [codes_with_none[bisect_right(limits, reached)] for reached in (0, *all_limits)]


def _kind(choices: Choices | None) -> _Kind:
    """Return the codes and limits of a PAIR, as short as they can be."""
    if choices is None or not any(choices.limits):
        return _NO_PAIR
    if choices.limits[0] == LANE_VALUES:
        return choices.codes[:1], ()
    return choices.codes, choices.limits


def _table(values: Sequence[int], *, small: bool) -> Table:
    """Return values as a table of bytes if ``small``, of at least 256 entries.

    So many ``bytes.translate`` needs (``_looked_up``).
    """
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
    hexsides_below = np.array(base.hexside, np.uint8)
    if not any(program.pairs):
        hexside[:] = hexsides_below[:, :, None]
        return
    rules = side_rules(program)
    groups = _looked_up(rules.groups, states)
    lows = groups & rules.groups.dtype.type(rules.low_bits)
    marking = _Marking(
        rules,
        highs=groups - lows,
        lows=lows,
        starts=streams(seed, program.sites[program.edge_words :]),
        steps=steps(numbers),
        below=hexsides_below,
    )
    # Hexes 0 and 1, 2 and 3 ... share their words of dice, so that both are done in one way.
    shares = np.array([np.count_nonzero(row) for row in marking.highs]) / numbers.size
    shares_of_first = shares[::2]
    shares_of_second = np.append(shares[1::2], 0)  # the 27th hex has no partner
    is_dense_pair = np.maximum(shares_of_first, shares_of_second) >= DENSE
    is_dense = np.repeat(is_dense_pair, 2)[:HEX_COUNT]
    marking.mark_in_all_maps(hexside, is_dense & (shares > 0))
    marking.mark_where_needed(hexside, np.flatnonzero(~is_dense & (shares > 0)))


_NEIGHBOURS = np.array(NEIGHBOURS)
_OWNERS, _SIDES = np.nonzero(_NEIGHBOURS >= 0)
_OTHERS = _NEIGHBOURS[_OWNERS, _SIDES]
"""For every directed hexside inside the board its hex, its side and the hex beyond."""


@dataclass(frozen=True, eq=False)
class _Marking:
    """The hexsides of a chunk of n maps while they are marked."""

    rules: SideRules

    highs: Table
    """The high numbers of the hexes (``SideRules.groups``), (27, n)."""

    lows: Table
    """Their low numbers, (27, n)."""

    starts: NDArray[np.uint64]
    """The streams of the words of the hexsides (randomizer/model/basics/dice.py)."""

    steps: NDArray[np.uint64]
    """The steps of the maps in these streams, (n,)."""

    below: Row
    """The hexsides of the base, (27, 6)."""

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
            code_indices, needs_draw = self._code_indices(
                self.highs[owners], self.lows[_OTHERS[edges]]
            )
            if needs_draw:
                bits = words_at(self.starts[word:end, None], self.steps)
                code_indices += _by_lane(_buckets(self.rules, bits))[owners * 6 + sides - word * 4]
            hexside[owners, sides] = self._codes(code_indices, self.below[owners, sides, None])

    def mark_where_needed(self, hexside: Row, hexes: NDArray[np.intp]) -> None:
        """Mark the sides of ``hexes`` (ids) in the maps where the hex has a PAIR."""
        if not hexes.size:
            return
        map_count = self.steps.size
        hex_numbers, maps = np.divmod(np.flatnonzero(self.highs[hexes] != 0), map_count)
        owners = hexes[hex_numbers]
        neighbours = _NEIGHBOURS[owners]
        is_on_board = neighbours >= 0
        # Towards the rim the number is 0: no PAIR.
        highs = self.highs[owners, maps][:, None] * is_on_board
        lows = self.lows.take(neighbours * map_count + maps[:, None])
        code_indices, needs_draw = self._code_indices(highs, lows)
        if needs_draw:
            # The six lanes of a hex lie in two words, from lane 0 or 2 of the first one on.
            words, lanes = np.divmod(owners * 6, 4)
            bits = words_at(self.starts[words[:, None] + [0, 1]], self.steps[maps, None])
            buckets = _buckets(self.rules, bits).reshape(-1, 8)
            rows = np.arange(maps.size)[:, None]
            code_indices += buckets[rows, lanes[:, None] + np.arange(6)]
        hexside.transpose(0, 2, 1)[owners, maps] = self._codes(code_indices, self.below[owners])

    def _code_indices(self, highs: Table, lows: Table) -> tuple[Table, bool]:
        """Return indices into ``rules.codes`` for sides before a draw, and whether one is needed.

        ``highs`` is overwritten.
        """
        rules = self.rules
        if rules.kinds is None:
            needs_draw = bool(highs.max() >= rules.first_drawn)
            highs += lows
            return highs, needs_draw
        starts = _looked_up(rules.kinds, highs + lows).copy()
        return starts, bool(starts.max() >= rules.first_drawn)

    def _codes(self, code_indices: Table, below: Row) -> Row:
        """Return the values of hexsides; where no PAIR sets one, that of the base shows."""
        codes: Row = _looked_up(self.rules.codes, code_indices).astype(np.uint8, copy=False)
        if below.any():
            return np.where(codes == 0, below, codes)
        return codes


def _buckets(rules: SideRules, bits: NDArray[np.uint64]) -> Table:
    """Return how many limits each lane of ``bits`` (i, j) reaches, (i, j, 4)."""
    # A word of 64 bits has four lanes; little-endian, so that they are the same on every machine.
    lanes = bits.astype("<u8", copy=False).view("<u2").reshape(*bits.shape, 4)
    if len(rules.limits) > FEW_LIMITS:
        bucket: Any = np.searchsorted(rules.limits, lanes, "right")
        return bucket.astype(rules.codes.dtype)  # type: ignore[no-any-return]
    reached = np.full(lanes.shape, len(rules.limits), np.uint8)
    for limit in rules.limits:  # "less" is faster than "greater or equal"
        reached -= (lanes < limit).view(np.uint8)
    return reached


def _by_lane(buckets: Table) -> Table:
    """Return buckets (i, j, 4) with the lanes of each word as rows: (4 * i, j)."""
    if buckets.dtype != np.uint8:
        return buckets.transpose(0, 2, 1).reshape(-1, buckets.shape[1])
    # Shifting 4-byte words is twice as fast as taking every fourth byte.
    fours = buckets.view("<u4")[:, :, 0]
    rows = np.empty((len(fours), 4, fours.shape[1]), np.uint8)
    for lane in range(4):
        rows[:, lane] = fours >> np.uint32(8 * lane)
    return rows.reshape(-1, fours.shape[1])


def _looked_up(table: Table, indices: Table) -> Table:
    """Return the entries of a table at these indices, in their shape; it may be read-only."""
    if table.dtype == np.uint8 and indices.dtype == np.uint8:
        # Bytes are translated as a text: the fastest of the variants measured.
        entries = indices.tobytes().translate(table.tobytes())
        return np.frombuffer(entries, np.uint8).reshape(indices.shape)
    return table.take(indices)
