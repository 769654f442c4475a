"""The hexsides of thousands of maps at once: the second half of ``roll_many``.

States that PAIRs treat alike form a group, so what applies to a hexside and what its draw makes of
that is one look into a small table. Only maps whose hex has a PAIR at all are looked at: a draw
that nobody asks for changes nothing.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from randomizer.colossus.board import HEX_COUNT, NEIGHBOURS
from randomizer.colossus.rolling.program import Choices, Program
from randomizer.colossus.rolling.roller import Base
from randomizer.dice import steps, streams, words_at

LANE_VALUES = 1 << 16
BYTE_VALUES = 1 << 8
FEW_LIMITS = 16
"""So many comparisons are quicker than a search."""
DENSE = 0.5
"""From this share on, taking all maps is quicker than picking out those that matter."""

Table = NDArray[np.uint8] | NDArray[np.uint32]
Row = NDArray[np.uint8]
_Kind = tuple[tuple[int, ...], tuple[int, ...]]
"""Codes and limits of PAIRs with the same effect; one code without a limit is certain."""
_NO_PAIR: _Kind = ((0,), ())


@dataclass(frozen=True, eq=False)
class SideRules:
    """The PAIRs of a script as tables.

    ``high`` and ``low`` (by state) hold the groups; 0 in ``high``: no PAIR. Their sum plus the
    draw's bucket is looked up in ``codes``; only where those would be too many is the sum looked up
    in ``kinds`` first, of which there are few. From ``first_drawn`` on, ``high`` (or what ``kinds``
    says) needs a draw; its bucket is how many of the ``limits`` of all PAIRs its lane reaches. All
    are bytes if that is enough.
    """

    high: Table
    low: Table
    kinds: Table | None
    codes: Table
    limits: tuple[int, ...]
    first_drawn: int


@lru_cache(16)
def side_rules(program: Program) -> SideRules:
    """What ``mark_sides`` needs to know of the PAIRs."""
    pairs = program.pairs
    states = range(len(pairs))
    empty = (_NO_PAIR,) * len(states)
    highs = [tuple(_kind(row.get(low)) for low in states) if row else empty for row in pairs]
    # Rows without draws come first, and of those the row without a PAIR: 0.
    rows = sorted({empty, *highs}, key=lambda row: (any(limits for _, limits in row), row != empty))
    lows = list(zip(*rows, strict=True))
    columns = list(dict.fromkeys(lows))
    # The certain kinds come first: they have no limits.
    kinds = sorted({kind for row in rows for kind in row} | {_NO_PAIR}, key=lambda kind: kind[::-1])
    limits = sorted({limit for _, limits in kinds for limit in limits} - {0, LANE_VALUES})
    size = len(limits) + 1
    cells = [column[at] for at in range(len(rows)) for column in columns]
    direct = len(cells) * size <= BYTE_VALUES
    looked_up = cells if direct else kinds
    codes = [
        [*kind_codes, 0][bisect_right(kind_limits, bucket)]
        for kind_codes, kind_limits in looked_up
        for bucket in (0, *limits)
    ]
    small = direct or max(len(cells), len(codes)) <= BYTE_VALUES
    step = size if direct else 1
    drawn = (
        [any(limits for _, limits in row) for row in rows]
        if direct
        else [bool(k[1]) for k in kinds]
    )
    return SideRules(
        _table([rows.index(row) * len(columns) * step for row in highs], small),
        _table([columns.index(column) * step for column in lows], small),
        None if direct else _table([kinds.index(cell) * size for cell in cells], small),
        _table(codes, small),
        tuple(limits),
        (len(drawn) - sum(drawn)) * (len(columns) * step if direct else size),
    )


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
    base: Base,
) -> None:
    """Mark ``hexside`` (27, 6, n), which shows ``base``, of maps whose ``states`` are (27, n)."""
    rules = side_rules(program)
    lows, highs = _looked_up(rules.low, states), _looked_up(rules.high, states)
    steps_of_maps = steps(numbers)
    below = np.array(base.hexside, np.uint8)
    any_below = below.any()
    starts = streams(seed, program.sites[program.edge_words :])[:, None]
    for words, hexes, owners, sides, others, lanes in _TWO_BY_TWO:
        high = highs[hexes]
        has_pair = np.bitwise_or.reduce(high, 0) != 0
        share = np.count_nonzero(has_pair) / numbers.size
        if not share:
            continue
        those: slice | NDArray[np.intp] = slice(None)
        low, their_steps = lows[others], steps_of_maps
        if share < DENSE:
            those = np.flatnonzero(has_pair)
            high, low, their_steps = high.take(those, 1), low.take(those, 1), steps_of_maps[those]
        low += high[owners - hexes.start]
        places, drawn = low, high
        if rules.kinds is not None:
            places = drawn = _looked_up(rules.kinds, low).copy()
        if drawn.max() >= rules.first_drawn:
            bits = words_at(starts[words], their_steps).astype("<u8", copy=False)
            by_lane = bits.view("<u2").reshape(len(bits), -1, 4).transpose(0, 2, 1)
            places += _buckets(rules, by_lane[lanes])
        codes = _looked_up(rules.codes, places)
        if any_below:
            codes = np.where(codes == 0, below[owners, sides, None], codes)
        for number, side, row in zip(owners, sides, codes, strict=True):
            hexside[number, side][those] = row


def _two_by_two() -> Iterator[tuple[Any, ...]]:
    """For two hexes at a time, as their 12 sides have the lanes of 3 words: those words, the hexes,
    and for every side that is not on the rim its hex, the side, the hex beyond and (word, lane).
    """
    for first in range(0, HEX_COUNT, 2):
        hexes = slice(first, first + 2)
        rows, sides = np.nonzero(np.array(NEIGHBOURS[hexes]) >= 0)
        owners = rows + first
        words = slice(first * 6 // 4, first * 6 // 4 + 3)
        others = np.array(NEIGHBOURS)[owners, sides]
        yield words, hexes, owners, sides, others, np.divmod(rows * 6 + sides, 4)


_TWO_BY_TWO = tuple(_two_by_two())


def _buckets(rules: SideRules, lanes: NDArray[np.uint16]) -> Table:
    """How many limits each lane reaches, in the shape of ``lanes``."""
    if len(rules.limits) > FEW_LIMITS:
        found: Any = np.searchsorted(rules.limits, lanes, "right")
        return found.astype(rules.codes.dtype)  # type: ignore[no-any-return]
    reached = np.zeros(lanes.shape, np.uint8)
    for limit in rules.limits:
        reached += (lanes >= limit).view(np.uint8)
    return reached


def _looked_up(table: Table, places: Table) -> Table:
    if table.dtype == np.uint8 and places.dtype == np.uint8:  # the quickest way there is
        found = places.tobytes().translate(table.tobytes())
        return np.frombuffer(found, np.uint8).reshape(places.shape)
    return table.take(places)
