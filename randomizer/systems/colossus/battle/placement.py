"""The search for the hexes of a whole legion that together have the highest score.

The simulator's opponent (``opponent``) calls ``place`` before a side moves. Each creature has a
score for each hex that it can move to, and scores more beside friends, or where a friend can strike
the same enemy. So the best hexes of a legion are not the best hexes of its creatures.

The score of a legion is the sum over its creatures that move. Two of them that become neighbours
score twice, once each; a creature beside a friend that cannot move scores once.

The idea is a beam search. The creatures are placed one after the other, the most important first.
After each of them only the ``BEAM_WIDTH`` best placements of the creatures so far are looked into
further: the beam. With 24 placements and a creature that has 10 hexes to choose among, 240
placements are scored, and the best 24 of them are the beam for the next creature.

The game's simple AI tries shuffled placements until its time is up instead ("Move" in section 4 of
the project's fact sheet on battles of Titan).

Arrays hold n battles at once. A creature is named by its slot, the index of its row; slot 0 is the
most important creature of its side, which is the Titan if the legion has one. Sets are bits of
whole numbers: of hexes in 32 bits (bit i is the hex with the id i), of enemies in 8 bits (bit i is
the enemy in the i-th slot of its side).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.colossus.battle.many_battles import HEX_BITS
from randomizer.systems.colossus.battle.rules_by_land import SIZE, Flags, Indices, Numbers
from randomizer.systems.colossus.board import NEIGHBOURS

NEVER = -1e9
"""The score of a hex where a creature cannot stand."""

BEAM_WIDTH = 24
"""The number of placements of a part of a legion that are looked into further.

With more the legion stands better now and then, and every turn of every battle takes longer.
"""

MAX_HEXES = 12
"""The most hexes that a creature chooses among; more make it slower, as with ``BEAM_WIDTH``."""

TITAN_SLOT = 0
"""The slot of the Titan, in a legion that has one."""

FRIEND = 100
"""The game's score for each neighbouring friend."""

SHARED_TARGET = 50
"""The game's score for each target that a friend strikes, too."""

_BIT_COUNTS = np.array([value.bit_count() for value in range(1 << 16)], np.float32)
"""The number of bits of each value of 16 bits."""


def _neighbour_bits() -> NDArray[np.uint32]:
    """Return the neighbours of each hex as a set of hexes, none for OUTSIDE: (SIZE,)."""
    sets = np.zeros(SIZE, np.uint32)
    for hex_id, neighbours in enumerate(NEIGHBOURS):
        for neighbour in neighbours:
            if neighbour >= 0:
                sets[hex_id] |= HEX_BITS[neighbour]
    return sets


_NEIGHBOURS = _neighbour_bits()
"""(SIZE,): the neighbours of each hex as a set of hexes."""


class Legion(NamedTuple):
    """The creatures of one side before their move, in n battles; all fields are by slot."""

    start: Indices
    """The hex of each creature before the move, (slots, n)."""

    mobile: Flags
    """Whether each creature can move, (slots, n); all others keep their hex."""

    stays: Flags
    """Whether each creature is on the board and cannot move, (slots, n)."""

    scores: NDArray[np.float64]
    """The score of each hex for each creature alone, (slots, n, SIZE).

    It is NEVER where the creature cannot go.
    """

    targets: Sequence[Flags]
    """For each slot the enemies that its creature can strike from each hex, (enemies, n, SIZE)."""

    guards: Sequence[Numbers]
    """For each slot the score of its creature for being beside its Titan, (n,).

    It is 0 where there is no Titan.
    """


def place(legion: Legion) -> Indices:
    """Return the hex of every creature after the move, (slots, n)."""
    choice_counts = _choice_counts(legion.mobile)
    targets_of_slots = [_as_bits(targets_of_slot) for targets_of_slot in legion.targets]
    unmoved = _unmoved(legion.start, legion.stays, targets_of_slots)
    beam = unmoved
    for slot in np.flatnonzero(choice_counts.any(axis=1)).tolist():
        options = _options(
            scores=legion.scores[slot],
            mobile=legion.mobile[slot],
            start=legion.start[slot],
            choice_counts=choice_counts[slot],
            targets=targets_of_slots[slot],
        )
        totals = _totals(beam, unmoved, options, legion.guards[slot])
        beam = _best(beam, options, totals, slot)
    battles = np.arange(legion.start.shape[1])
    best_placement = beam.totals.argmax(axis=1)
    return np.asarray(beam.goals[battles, best_placement].T)


class _Beam(NamedTuple):
    """The best placements of the creatures so far, w of them in each of n battles."""

    goals: Indices
    """The hex of each creature, (n, w, slots)."""

    totals: NDArray[np.float64]
    """The score of each placement, (n, w)."""

    occupied: NDArray[np.uint32]
    """The set of hexes of the creatures that have been placed or cannot move, (n, w)."""

    struck_once: NDArray[np.uint8]
    """The set of enemies that one or more of these creatures can strike, (n, w)."""

    struck_twice: NDArray[np.uint8]
    """The set of enemies that two or more of these creatures can strike, (n, w)."""


class _Options(NamedTuple):
    """The best hexes of one creature, k of them in each of n battles.

    A creature that does not move in some battle has its present hex there, with the score 0 and
    empty sets, so that it changes no total. Surplus options have the score NEVER.
    """

    hexes: Indices
    """The hexes, (n, k), the best first; the creature's present hex where it does not move."""

    scores: NDArray[np.float64]
    """The score of each hex for the creature alone, (n, k)."""

    bits: NDArray[np.uint32]
    """Each hex as a set of one hex, (n, k).

    The set is empty where the creature does not move: its hex is in ``_Beam.occupied`` already.
    """

    neighbours: NDArray[np.uint32]
    """The set of neighbours of each hex, (n, k)."""

    struck: NDArray[np.uint8]
    """The set of enemies that the creature can strike from each hex, (n, k)."""


def _choice_counts(mobile: Flags) -> NDArray[np.intp]:
    """Return how many hexes each creature chooses among, (slots, n); 0 where it cannot move.

    As in the game the i-th creature that can move has i + 1 choices if seven or more can move,
    i + 3 if six can, i + 8 if five can, and i + 16 if fewer can; here it has MAX_HEXES at most.
    """
    ranks = mobile.cumsum(axis=0)  # 1 is the most important creature that can move
    mobile_count = ranks[-1]
    added = np.select([mobile_count >= 7, mobile_count == 6, mobile_count == 5], [1, 3, 8], 16)
    return np.asarray(np.minimum(ranks + added, MAX_HEXES) * mobile)


def _unmoved(start: Indices, stays: Flags, targets_of_slots: Sequence[NDArray[np.uint8]]) -> _Beam:
    """Return a beam of one placement (w = 1), which holds only the creatures that cannot move.

    ``targets_of_slots`` are the sets of enemies that each slot can strike from each hex, (n, SIZE).
    """
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
    """Return the best hexes of one creature.

    ``scores`` and ``targets`` are those of the creature for each hex, (n, SIZE); ``mobile``,
    ``start`` and ``choice_counts`` are (n,). All battles have as many options as the one with the
    most choices; the surplus options have the score NEVER.
    """
    battles = np.arange(len(start))[:, None]
    moves = mobile[:, None]
    width = int(choice_counts.max())
    hexes = np.argsort(-scores, axis=1)[:, :width]
    scores_of_hexes = np.take_along_axis(scores, hexes, axis=1)
    is_surplus = np.arange(width) >= np.maximum(choice_counts, 1)[:, None]
    scores_of_hexes[is_surplus] = NEVER
    # A creature that does not move has one option, its present hex, which changes no total.
    scores_of_hexes[~mobile, 0] = 0
    hexes = np.where(moves, hexes, start[:, None])
    return _Options(
        hexes=hexes,
        scores=scores_of_hexes,
        bits=HEX_BITS[hexes] * moves,
        neighbours=_NEIGHBOURS[hexes] * moves,
        struck=targets[battles, hexes] * moves,
    )


def _totals(beam: _Beam, unmoved: _Beam, options: _Options, guard: Numbers) -> NDArray[np.float64]:
    """Return the score of each placement of the beam with each option added: (n, w, k).

    ``unmoved`` is the placement of those that cannot move, ``guard`` (n,) the score of the creature
    for being beside its Titan.

    The score of a legion is the sum over its creatures that move. So two creatures that are both
    being placed score twice for being neighbours, and twice for striking the same enemy. A creature
    whose friend cannot move scores once, since that friend has no score.
    """
    totals = beam.totals[:, :, None] + options.scores[:, None]
    totals += _scores_beside_friends(beam, unmoved, options)
    if guard.any():
        titan_hex = HEX_BITS[beam.goals[:, :, TITAN_SLOT]][:, :, None]
        is_beside_titan = (options.neighbours[:, None] & titan_hex) != 0
        totals += guard[:, None, None] * is_beside_titan
    totals += _scores_of_shared_targets(beam, unmoved, options)

    # Two creatures cannot stand in one hex.
    is_occupied = (options.bits[:, None] & beam.occupied[:, :, None]) != 0
    totals[is_occupied] = NEVER
    return totals


def _scores_beside_friends(beam: _Beam, unmoved: _Beam, options: _Options) -> NDArray[np.floating]:
    """Return what the friends beside each option add to the score of the legion, (n, w, k)."""
    # A friend that cannot move has no score, so that only this creature scores.
    beside_unmoved = options.neighbours & unmoved.occupied
    scores_beside_unmoved = FRIEND * _count_bits(beside_unmoved)[:, None]
    placed = beam.occupied[:, :, None] & ~unmoved.occupied[:, :, None]
    beside_placed = options.neighbours[:, None] & placed
    return scores_beside_unmoved + 2 * FRIEND * _count_bits(beside_placed)


def _scores_of_shared_targets(
    beam: _Beam, unmoved: _Beam, options: _Options
) -> NDArray[np.floating]:
    """Return what enemies that a friend can strike, too, add to the score, (n, w, k)."""
    # This creature scores for each of them.
    shared = options.struck[:, None] & beam.struck_once[:, :, None]
    scores = SHARED_TARGET * _BIT_COUNTS[shared]
    # The friend scores now, unless it already shared the enemy with another one, or cannot move.
    counted_already = beam.struck_twice[:, :, None] | unmoved.struck_once[:, :, None]
    return np.asarray(scores + SHARED_TARGET * _BIT_COUNTS[shared & ~counted_already])


def _best(beam: _Beam, options: _Options, totals: NDArray[np.float64], slot: int) -> _Beam:
    """Return the best placements with the creature of a slot, ``BEAM_WIDTH`` of them at most.

    ``totals`` (n, w, k) are the scores of the placements of ``beam`` with each option.
    """
    count, _, option_count = totals.shape
    battles = np.arange(count)[:, None]
    # Index j of a flat row is placement j // k with option j % k.
    flat_totals = totals.reshape(count, -1)
    best_count = min(BEAM_WIDTH, flat_totals.shape[1])
    best = np.argpartition(flat_totals, -best_count, axis=1)[:, -best_count:]
    placement = best // option_count
    option = best % option_count
    struck = options.struck[battles, option]
    struck_once = beam.struck_once[battles, placement]
    struck_twice = beam.struck_twice[battles, placement] | (struck_once & struck)
    goals = beam.goals[battles, placement]  # a copy, so that the old beam does not change
    goals[:, :, slot] = options.hexes[battles, option]
    return _Beam(
        goals=goals,
        totals=np.take_along_axis(flat_totals, best, axis=1),
        occupied=beam.occupied[battles, placement] | options.bits[battles, option],
        struck_once=struck_once | struck,
        struck_twice=struck_twice,
    )


def _as_bits(flags: Flags) -> NDArray[np.uint8]:
    """Return sets of enemies, of whom there are 8 at most: (enemies, n, SIZE) to (n, SIZE)."""
    assert len(flags) <= 8, "a set of enemies has 8 bits"
    values = (1 << np.arange(len(flags), dtype=np.uint8))[:, None, None]
    return np.asarray((flags * values).sum(axis=0, dtype=np.uint8))


def _count_bits(bits: NDArray[np.uint32]) -> NDArray[np.float32]:
    """Return the number of bits of each value."""
    return np.asarray(_BIT_COUNTS[bits & 0xFFFF] + _BIT_COUNTS[bits >> 16])
