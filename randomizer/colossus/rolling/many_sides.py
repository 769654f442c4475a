"""The hexsides of thousands of maps at once: the second half of ``roll_many``.

States that PAIRs treat alike form a group, so what applies to a hexside is one look into a small
table, and what its draw makes of that is another. Only maps whose hex has a PAIR at all are looked
at: a draw that nobody asks for changes nothing.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from randomizer.colossus.board import NEIGHBOURS
from randomizer.colossus.rolling.program import Choices, PairTable, Program
from randomizer.colossus.rolling.roller import Base
from randomizer.dice import words

LANE_VALUES = 1 << 16
DENSE = 0.5
"""From this share on, taking all maps is quicker than picking out those that matter."""

Table = NDArray[np.uint8] | NDArray[np.uint16]
Row = NDArray[np.uint8]
_Kind = tuple[tuple[int, ...], tuple[int, ...]]
"""Codes and limits of PAIRs with the same effect; one code without a limit is certain."""
_NO_PAIR: _Kind = ((0,), ())


@dataclass(frozen=True, eq=False)
class SideRules:
    """The PAIRs of a script as tables.

    ``high`` and ``low`` (by state) hold the groups; 0 in ``high``: no PAIR. ``kinds`` is looked up
    with their sum, ``codes`` with what it says plus the draw's bucket. ``buckets`` (by lane) counts
    the limits, of all PAIRs, that the lane reaches; from ``first_drawn`` on a kind needs it. All
    but ``buckets`` are bytes if that is enough.
    """

    high: Table
    low: Table
    kinds: Table
    codes: Table
    buckets: Table
    first_drawn: int


def side_rules(pairs: PairTable) -> SideRules:
    """What ``mark_sides`` needs to know of the PAIRs."""
    states = range(len(pairs))
    empty = (_NO_PAIR,) * len(states)
    highs = [tuple(_kind(row.get(low)) for low in states) if row else empty for row in pairs]
    rows = list(dict.fromkeys([empty, *highs]))
    lows = list(zip(*rows, strict=True))
    columns = list(dict.fromkeys(lows))
    # The certain kinds come first: they have no limits.
    kinds = sorted({kind for row in rows for kind in row} | {_NO_PAIR}, key=lambda kind: kind[::-1])
    limits = sorted({limit for _, limits in kinds for limit in limits} - {0, LANE_VALUES})
    buckets = [0, *limits]
    codes = [
        ([*kind_codes, 0][bisect_right(kind_limits, bucket)])
        for kind_codes, kind_limits in kinds
        for bucket in buckets
    ]
    places = {kind: place * len(buckets) for place, kind in enumerate(kinds)}
    small = max(len(rows) * len(columns), len(codes)) <= 256
    widths = np.diff([*buckets, LANE_VALUES])
    return SideRules(
        _table([rows.index(row) * len(columns) for row in highs], small),
        _table([columns.index(column) for column in lows], small),
        _table([places[column[at]] for at in range(len(rows)) for column in columns], small),
        _table(codes, small),
        _table(np.repeat(np.arange(len(buckets)), widths), small),
        sum(not kind_limits for _, kind_limits in kinds) * len(buckets),
    )


def _kind(choices: Choices | None) -> _Kind:
    if choices is None or not any(choices.limits):
        return _NO_PAIR
    if choices.limits[0] == LANE_VALUES:
        return choices.codes[:1], ()
    return choices.codes, choices.limits


def _table(values: Sequence[int] | NDArray[np.intp], small: bool) -> Table:
    size = max(256, len(values))
    table: Table = np.zeros(size, np.uint8) if small else np.zeros(size, np.uint16)
    table[: len(values)] = values
    return table


def mark_sides(
    program: Program,
    rules: SideRules,
    seed: int,
    numbers: NDArray[np.uint64],
    states: Row,
    hexside: Row,
    base: Base,
) -> None:
    """Mark ``hexside`` (27, 6, n), which shows ``base``, of maps whose ``states`` are (27, n)."""
    lows, highs = _looked_up(rules.low, states), _looked_up(rules.high, states)
    sites = program.sites[program.edge_words :]
    for number, (sides, others) in enumerate(_INNER_SIDES):
        high, low = highs[number], lows[others]
        share = np.count_nonzero(high) / numbers.size
        if not share:
            continue
        those: slice | NDArray[np.intp] = slice(None)
        their_numbers = numbers
        if share < DENSE:
            those = np.flatnonzero(high)
            high, low, their_numbers = high[those], low.take(those, 1), numbers[those]
        kinds = _looked_up(rules.kinds, high + low)
        if kinds.max() >= rules.first_drawn:
            kinds = kinds + _buckets(rules, seed, sites, their_numbers, number * 6 + sides)
        codes = _looked_up(rules.codes, kinds)
        below = np.array(base.hexside[number], np.uint8)[sides]
        if below.any():
            codes = np.where(codes == 0, below[:, None], codes)
        for side, row in zip(sides, codes, strict=True):
            hexside[number, side, those] = row


_INNER_SIDES = [
    (np.flatnonzero(np.array(row) >= 0), np.array([other for other in row if other >= 0]))
    for row in NEIGHBOURS
]
"""For every hex id its sides that are not on the rim, and the hexes beyond."""


def _buckets(
    rules: SideRules,
    seed: int,
    sites: NDArray[np.uint64],
    numbers: NDArray[np.uint64],
    edges: NDArray[np.intp],
) -> Table:
    """What the draws for ``edges``, of which four share a word, come to: (edges, n)."""
    drawn = np.empty((len(edges), numbers.size), rules.buckets.dtype)
    word = -1
    for row, edge in zip(drawn, edges.tolist(), strict=True):
        if word != edge >> 2:
            word = edge >> 2
            bits = words(seed, numbers, int(sites[word]))
            lanes = bits.astype("<u8", copy=False).view("<u2")
        row[:] = rules.buckets.take(lanes[edge & 3 :: 4])
    return drawn


def _looked_up(table: Table, places: Table) -> Table:
    if table.dtype == np.uint8 and places.dtype == np.uint8:  # the quickest way there is
        found = places.tobytes().translate(table.tobytes())
        return np.frombuffer(found, np.uint8).reshape(places.shape)
    return table.take(places)
