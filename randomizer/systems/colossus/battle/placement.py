"""The search for the hexes of a whole legion that together have the highest score.

Creatures are placed one after the other, the most important first, and the best placements so far
go on each time (a beam search).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.colossus.battle.many_battles import HEX_BITS
from randomizer.systems.colossus.battle.rule_tables import Flags, Indices, Numbers
from randomizer.systems.colossus.board import NEIGHBOURS

NEVER = -1e9

WIDTH = 24
"""How many placements of a part of a legion are looked into further."""

MOST = 12
"""The most hexes that a creature chooses among."""

FRIEND = 100
"""For each neighbouring friend."""

SHARED_TARGET = 50
"""For each target that a friend strikes, too."""

_ONES = np.array([value.bit_count() for value in range(1 << 16)], np.float32)
"""The number of bits of a value."""

_NEAR = np.array(
    [*(sum(1 << number for number in around if number >= 0) for around in NEIGHBOURS), 0], np.uint32
)
"""(SIZE,): the neighbours of each hex, as a set of hexes."""


def place(
    scores: NDArray[np.float64],
    mobile: Flags,
    stays: Flags,
    start: Indices,
    targets: Sequence[Flags],
    guards: Sequence[Numbers],
) -> Indices:
    """Return the hex of every creature, (slots, n); those that are not ``mobile`` stay.

    ``scores`` (slots, n, SIZE) are NEVER where a creature cannot go. ``stays`` (slots, n) says who
    is there and cannot move, ``start`` where everybody is. ``targets`` holds for every slot the
    enemies that it can strike from each hex, (enemies, n, SIZE), ``guards`` what it gets for being
    beside the creature of the first slot, if that is a Titan, (n,).
    """
    slots, count = start.shape
    which = np.arange(count)[:, None]
    ranks = mobile.cumsum(axis=0)  # 1 is the most important creature that can move
    more = np.select([ranks[-1] >= 7, ranks[-1] == 6, ranks[-1] == 5], [1, 3, 8], 16)
    most = np.minimum(ranks + more, MOST) * mobile
    bits = [_as_bits(target) for target in targets]
    # A placement: who stands where, whom one friend strikes, whom several do, and its score.
    occupied = np.zeros((count, 1), np.uint32)
    once, twice = np.zeros((2, count, 1), np.uint8)
    total = np.zeros((count, 1))
    goals = start.T[:, None]
    for row in range(slots):
        struck = (bits[row][which[:, 0], start[row]] * stays[row])[:, None]
        occupied = occupied | (HEX_BITS[start[row]] * stays[row])[:, None]
        twice = twice | (once & struck)
        once = once | struck
    unmoved = occupied[:, :, None]
    struck_by_unmoved = once[:, :, None]
    for row in np.flatnonzero(most.any(axis=1)).tolist():
        moving = mobile[row][:, None]
        width = int(most[row].max())
        hexes = np.argsort(-scores[row], axis=1)[:, :width]
        score = np.take_along_axis(scores[row], hexes, axis=1)
        score[np.arange(width) >= np.maximum(most[row], 1)[:, None]] = NEVER
        score[~mobile[row], 0] = 0
        hexes = np.where(moving, hexes, start[row][:, None])
        struck = bits[row][which, hexes] * moving
        near = _NEAR[hexes] * moving
        taken_bits = HEX_BITS[hexes] * moving
        # Both gain from being neighbours and from a shared target, if both are being placed.
        gain = total[:, :, None] + score[:, None]
        gain += FRIEND * _ones(near & unmoved[:, 0])[:, None]
        gain += 2 * FRIEND * _ones(near[:, None] & occupied[:, :, None] & ~unmoved)
        if guards[row].any():
            titan = HEX_BITS[goals[:, :, 0]][:, :, None]
            gain += guards[row][:, None, None] * ((near[:, None] & titan) != 0)
        shared = struck[:, None] & once[:, :, None]
        gain += SHARED_TARGET * _ONES[shared]
        gain += SHARED_TARGET * _ONES[shared & ~(twice[:, :, None] | struck_by_unmoved)]
        gain[(taken_bits[:, None] & occupied[:, :, None]) != 0] = NEVER
        gain = gain.reshape(count, -1)
        best = np.argpartition(gain, -min(WIDTH, gain.shape[1]), axis=1)[:, -WIDTH:]
        total = np.take_along_axis(gain, best, axis=1)
        parent = best // width
        choice = best % width
        struck = struck[which, choice]
        once = once[which, parent]
        twice = twice[which, parent]
        twice = twice | (once & struck)
        once = once | struck
        occupied = occupied[which, parent] | taken_bits[which, choice]
        goals = goals[which, parent]
        goals[:, :, row] = hexes[which, choice]
    return np.asarray(goals[which[:, 0], total.argmax(axis=1)].T)


def _as_bits(flags: Flags) -> NDArray[np.uint8]:
    """(n, SIZE): sets of enemies, of whom there are 8 at most, from (enemies, n, SIZE)."""
    values = (1 << np.arange(len(flags), dtype=np.uint8))[:, None, None]
    return np.asarray((flags * values).sum(axis=0, dtype=np.uint8))


def _ones(bits: NDArray[np.uint32]) -> NDArray[np.float32]:
    return np.asarray(_ONES[bits & 0xFFFF] + _ONES[bits >> 16])
