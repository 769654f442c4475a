"""The search for the hexes of a whole legion that together have the highest score.

It is a beam search: creatures are placed one after the other, the most important first, and only
the best placements so far go on each time. The game's simple AI tries shuffled placements until its
time is up instead ("Move" in section 4 of the project's fact sheet on battles of Titan).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.colossus.battle.many_battles import HEX_BITS
from randomizer.systems.colossus.battle.rule_tables import SIZE, Flags, Indices, Numbers
from randomizer.systems.colossus.board import NEIGHBOURS

NEVER = -1e9
"""The score of a hex where a creature cannot stand."""

WIDTH = 24
"""How many placements of a part of a legion are looked into further.

With more the legion stands better now and then, and every turn of every battle takes longer.
"""

MOST = 12
"""The most hexes that a creature chooses among; with more it is slower, as with ``WIDTH``."""

FRIEND = 100
"""The game's score for each neighbouring friend."""

SHARED_TARGET = 50
"""The game's score for each target that a friend strikes, too."""

_BIT_COUNTS = np.array([value.bit_count() for value in range(1 << 16)], np.float32)
"""The number of bits of each value of 16 bits."""


def _neighbour_bits() -> NDArray[np.uint32]:
    """Return the neighbours of each hex as a set of hexes, none for OUTSIDE: (SIZE,)."""
    sets = np.zeros(SIZE, np.uint32)
    for number, neighbours in enumerate(NEIGHBOURS):
        for neighbour in neighbours:
            if neighbour >= 0:
                sets[number] |= HEX_BITS[neighbour]
    return sets


_NEIGHBOURS = _neighbour_bits()


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
    choice_counts = _choice_counts(mobile)
    targets_of_slots = [_as_bits(targets_of_slot) for targets_of_slot in targets]
    beam = _unmoved(start, stays, targets_of_slots)
    unmoved = beam
    for row in np.flatnonzero(choice_counts.any(axis=1)).tolist():
        options = _options(
            scores[row], mobile[row], start[row], choice_counts[row], targets_of_slots[row]
        )
        gains = _gains(beam, unmoved, options, guards[row])
        beam = _best(beam, options, gains, row)
    battles = np.arange(start.shape[1])
    return np.asarray(beam.goals[battles, beam.totals.argmax(axis=1)].T)


class _Beam(NamedTuple):
    """The best placements so far, w of them in each of n battles.

    Sets of hexes and of enemies are bits.
    """

    goals: Indices
    """The hex of each creature, (n, w, slots)."""

    totals: NDArray[np.float64]
    """The score of each placement, (n, w)."""

    occupied: NDArray[np.uint32]
    """The hexes on which somebody stands who has been placed or cannot move, (n, w)."""

    struck_once: NDArray[np.uint8]
    """The enemies that these can strike, (n, w)."""

    struck_twice: NDArray[np.uint8]
    """The enemies that two of them or more can strike, (n, w)."""


class _Options(NamedTuple):
    """The best hexes of one creature, k of them in each of n battles."""

    hexes: Indices
    """(n, k), the best first; its own hex where it does not move."""

    scores: NDArray[np.float64]
    """The score of each hex for the creature alone, (n, k)."""

    bits: NDArray[np.uint32]
    """Each hex as a set, (n, k); no hex where it does not move: it is in ``occupied`` already."""

    neighbours: NDArray[np.uint32]
    """The neighbours of each hex, (n, k)."""

    struck: NDArray[np.uint8]
    """The enemies that it can strike from there, (n, k)."""


def _choice_counts(mobile: Flags) -> NDArray[np.intp]:
    """Return how many hexes each creature chooses among, (slots, n); 0 where it stays.

    As in the game the i-th creature that can move has i + 1 choices if seven can, i + 3 of six,
    i + 8 of five and i + 16 of fewer.
    """
    ranks = mobile.cumsum(axis=0)  # 1 is the most important creature that can move
    mobile_count = ranks[-1]
    added = np.select([mobile_count >= 7, mobile_count == 6, mobile_count == 5], [1, 3, 8], 16)
    return np.asarray(np.minimum(ranks + added, MOST) * mobile)


def _unmoved(start: Indices, stays: Flags, targets_of_slots: Sequence[NDArray[np.uint8]]) -> _Beam:
    """Return the one placement in which only those stand who cannot move."""
    count = start.shape[1]
    battles = np.arange(count)
    occupied = np.zeros((count, 1), np.uint32)
    struck_once = np.zeros((count, 1), np.uint8)
    struck_twice = np.zeros((count, 1), np.uint8)
    for row, targets in enumerate(targets_of_slots):
        struck = (targets[battles, start[row]] * stays[row])[:, None]
        occupied = occupied | (HEX_BITS[start[row]] * stays[row])[:, None]
        struck_twice = struck_twice | (struck_once & struck)
        struck_once = struck_once | struck
    return _Beam(start.T[:, None], np.zeros((count, 1)), occupied, struck_once, struck_twice)


def _options(
    scores: NDArray[np.float64],
    mobile: Flags,
    start: Indices,
    choice_counts: NDArray[np.intp],
    targets: NDArray[np.uint8],
) -> _Options:
    """Return the best hexes of a creature, from its ``scores`` (n, SIZE) and ``targets`` (n, SIZE).

    ``mobile``, ``start`` and ``choice_counts`` are those of the creature, (n,). There are as many
    options as in the battle with most choices; the surplus ones have the score NEVER.
    """
    battles = np.arange(len(start))[:, None]
    moves = mobile[:, None]
    width = int(choice_counts.max())
    hexes = np.argsort(-scores, axis=1)[:, :width]
    scores_of_hexes = np.take_along_axis(scores, hexes, axis=1)
    is_surplus = np.arange(width) >= np.maximum(choice_counts, 1)[:, None]
    scores_of_hexes[is_surplus] = NEVER
    # Who does not move has one option, which changes nothing.
    scores_of_hexes[~mobile, 0] = 0
    hexes = np.where(moves, hexes, start[:, None])
    return _Options(
        hexes,
        scores_of_hexes,
        HEX_BITS[hexes] * moves,
        _NEIGHBOURS[hexes] * moves,
        targets[battles, hexes] * moves,
    )


def _gains(beam: _Beam, unmoved: _Beam, options: _Options, guard: Numbers) -> NDArray[np.float64]:
    """Return the score of each placement with each option of the next creature: (n, w, k).

    ``unmoved`` is the placement of those who cannot move, ``guard`` (n,) what the creature gets for
    being beside its Titan.
    """
    # The score of a legion is the sum over its creatures. So being neighbours, or striking one
    # target, counts for both creatures if both are being placed; whose friend cannot move gets it
    # alone, since that friend is not scored.
    neighbours = options.neighbours[:, None]
    gains = beam.totals[:, :, None] + options.scores[:, None]
    gains += FRIEND * _count_bits(options.neighbours & unmoved.occupied)[:, None]
    placed = beam.occupied[:, :, None] & ~unmoved.occupied[:, :, None]
    gains += 2 * FRIEND * _count_bits(neighbours & placed)
    if guard.any():
        titan = HEX_BITS[beam.goals[:, :, 0]][:, :, None]
        gains += guard[:, None, None] * ((neighbours & titan) != 0)
    shared = options.struck[:, None] & beam.struck_once[:, :, None]
    gains += SHARED_TARGET * _BIT_COUNTS[shared]
    # The friend who strikes it, too, gets the score now if it is the only one, and is placed.
    counted_already = beam.struck_twice[:, :, None] | unmoved.struck_once[:, :, None]
    gains += SHARED_TARGET * _BIT_COUNTS[shared & ~counted_already]
    is_occupied = (options.bits[:, None] & beam.occupied[:, :, None]) != 0
    gains[is_occupied] = NEVER
    return gains


def _best(beam: _Beam, options: _Options, gains: NDArray[np.float64], row: int) -> _Beam:
    """Return the best placements with the creature of slot ``row``, WIDTH of them at most."""
    count, _, option_count = gains.shape
    battles = np.arange(count)[:, None]
    flat_gains = gains.reshape(count, -1)
    kept_count = min(WIDTH, flat_gains.shape[1])
    best = np.argpartition(flat_gains, -kept_count, axis=1)[:, -WIDTH:]
    placement = best // option_count
    option = best % option_count
    struck = options.struck[battles, option]
    struck_once = beam.struck_once[battles, placement]
    struck_twice = beam.struck_twice[battles, placement] | (struck_once & struck)
    goals = beam.goals[battles, placement]
    goals[:, :, row] = options.hexes[battles, option]
    return _Beam(
        goals,
        np.take_along_axis(flat_gains, best, axis=1),
        beam.occupied[battles, placement] | options.bits[battles, option],
        struck_once | struck,
        struck_twice,
    )


def _as_bits(flags: Flags) -> NDArray[np.uint8]:
    """Return sets of enemies, of whom there are 8 at most: (enemies, n, SIZE) to (n, SIZE)."""
    values = (1 << np.arange(len(flags), dtype=np.uint8))[:, None, None]
    return np.asarray((flags * values).sum(axis=0, dtype=np.uint8))


def _count_bits(bits: NDArray[np.uint32]) -> NDArray[np.float32]:
    """Return the number of bits of each value."""
    return np.asarray(_BIT_COUNTS[bits & 0xFFFF] + _BIT_COUNTS[bits >> 16])
