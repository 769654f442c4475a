"""The search for the hexes of a whole legion that together have the highest score.

Creatures are placed one after the other, the most important first, and the best placements so far
go on each time (a beam search).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.colossus.battle.line_of_sight import steps_between
from randomizer.systems.colossus.battle.many_battles import HEX_BITS
from randomizer.systems.colossus.battle.rule_tables import Flags, Indices
from randomizer.systems.colossus.board import HEX_COUNT

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
    [
        *(
            sum((steps_between(start, end) == 1) << end for end in range(HEX_COUNT))
            for start in range(HEX_COUNT)
        ),
        0,
    ],
    np.uint32,
)
"""(SIZE,): the neighbours of each hex, as a set of hexes."""


class Candidates:
    """The best hexes of each creature, (slots, n, MOST): as many as the game's AI keeps.

    ``scores`` are NEVER for those beyond; ``counts`` (slots,) say how many of MOST any battle has.
    """

    def __init__(self, scores: NDArray[np.float64], mobile: Flags) -> None:
        ranks = mobile.cumsum(axis=0)  # 1 is the most important creature that can move
        more = np.select([ranks[-1] >= 7, ranks[-1] == 6, ranks[-1] == 5], [1, 3, 8], 16)
        most = np.minimum(ranks + more, MOST)
        self.mobile = mobile
        self.hexes = np.argsort(-scores, axis=2)[:, :, :MOST]
        self.scores = np.take_along_axis(scores, self.hexes, axis=2)
        self.scores[np.arange(MOST) >= most[:, :, None]] = NEVER
        self.counts = (most * mobile).max(axis=1)


def place(candidates: Candidates, start: Indices, gone: Flags, targets: Sequence[Flags]) -> Indices:
    """Return the hex of every creature, (slots, n); those that cannot move stay.

    ``start`` and ``gone`` have the shape (slots, n). ``targets`` holds for every slot the enemies
    that it can strike from each hex, (enemies, n, SIZE).
    """
    slots, count = start.shape
    which = np.arange(count)[:, None]
    bits = [_as_bits(each) for each in targets]
    # A placement: who stands where, whom one friend strikes, whom several do, and its score.
    occupied = np.zeros((count, 1), np.uint32)
    once, twice = np.zeros((2, count, 1), np.uint8)
    total = np.zeros((count, 1))
    goals = np.repeat(start.T[:, None], 1, axis=1)
    for row in range(slots):
        stays = (~candidates.mobile[row] & ~gone[row])[:, None]
        struck = bits[row][which, start[row][:, None]] * stays
        occupied |= HEX_BITS[start[row]][:, None] * stays
        twice |= once & struck
        once |= struck
    unmoved, struck_by_unmoved = occupied[:, :, None], once[:, :, None]
    for row in np.flatnonzero(candidates.counts).tolist():
        moving = candidates.mobile[row][:, None]
        most = int(candidates.counts[row])
        hexes = np.where(moving, candidates.hexes[row, :, :most], start[row][:, None])
        scores = np.where(moving, candidates.scores[row, :, :most], NEVER)
        scores[~moving[:, 0], 0] = 0
        struck = bits[row][which, hexes] * moving
        near, here = _NEAR[hexes] * moving, HEX_BITS[hexes] * moving
        # Both gain from being neighbours and from a shared target, if both are being placed.
        gain = total[:, :, None] + scores[:, None]
        gain += FRIEND * _ones(near & unmoved[:, 0])[:, None]
        gain += 2 * FRIEND * _ones(near[:, None] & occupied[:, :, None] & ~unmoved)
        shared = struck[:, None] & once[:, :, None]
        gain += SHARED_TARGET * _ONES[shared]
        gain += SHARED_TARGET * _ONES[shared & ~(twice[:, :, None] | struck_by_unmoved)]
        gain[(here[:, None] & occupied[:, :, None]) != 0] = NEVER
        gain = gain.reshape(count, -1)
        best = np.argpartition(gain, -min(WIDTH, gain.shape[1]), axis=1)[:, -WIDTH:]
        total = np.take_along_axis(gain, best, axis=1)
        parent, choice = best // most, best % most
        struck = struck[which, choice]
        occupied = occupied[which, parent] | here[which, choice]
        twice = twice[which, parent] | (once[which, parent] & struck)
        once = once[which, parent] | struck
        goals = goals[which, parent]
        goals[:, :, row] = hexes[which, choice]
    return np.asarray(goals[which[:, 0], total.argmax(axis=1)].T)


def _as_bits(flags: Flags) -> NDArray[np.uint8]:
    """(n, SIZE): sets of enemies, of whom there are 8 at most, from (enemies, n, SIZE)."""
    values = (1 << np.arange(len(flags), dtype=np.uint8))[:, None, None]
    return np.asarray((flags * values).sum(axis=0, dtype=np.uint8))


def _ones(bits: NDArray[np.uint32]) -> NDArray[np.float32]:
    return np.asarray(_ONES[bits & 0xFFFF] + _ONES[bits >> 16])
