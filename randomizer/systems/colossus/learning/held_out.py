"""The bits of a map that a script was not learned from: does the script describe other maps, too?

    held_out_bits(program, states, learned_from, seed)     # of one map, with the script's odds
    hex_bits_without_script(states, learned_from)          # for comparison

Leave-one-out (``learner``) learns a script without one of the maps, and asks how many bits that map
costs with the odds of the script. A script that only repeats its maps does badly here. States and
marginals are those of ``fit``.

A state that the script never makes would cost infinitely many bits. So the odds are *smoothed*: to
the n maps that the script was learned from, one is added whose hexes are drawn from all hexes of
these maps, wherever they lie.
"""

from __future__ import annotations

import numpy as np

from randomizer.systems.colossus.learning.fit import (
    EDGES,
    MAPS_TO_JUDGE,
    PAIR_WEIGHT,
    Floats,
    States,
    marginals_of,
    rolled_states,
)
from randomizer.systems.colossus.rolling.program import Program

_PSEUDO_COUNT = 0.5
"""The hexes that are added for each state, so that a state that no hex has gets odds, too.

If it is larger, states that are new to the script cost fewer bits.
"""

_NO_STATE = 255
"""A value that no hex has: it stands for all states that no map of the two kinds has."""


def held_out_bits(
    program: Program, states: States, learned_from: States, seed: int, *, with_pairs: bool = True
) -> float:
    """Return the bits of a map that the script was not learned from, by the script's odds.

    ``states`` (27,) are that map's, ``learned_from`` (27, n) those of the maps that the script was
    learned from. The result is the bits of the hexes and, ``with_pairs``, those of the pairs times
    ``PAIR_WEIGHT``.
    """
    codes = _codes(states, learned_from)
    rolled = marginals_of(rolled_states(program, seed, MAPS_TO_JUDGE), codes)
    bits = _hex_bits(rolled.hex_shares, states, learned_from)
    if not with_pairs:
        return bits

    # Pairs are smoothed like hexes: to the n maps that the script was learned from, one is added in
    # which the two hexes of a pair are independent.
    hexes = _smoothed(rolled.hex_shares, states, learned_from)
    first, second = EDGES
    independent = hexes[first][:, :, None] * hexes[second][:, None, :]
    maps = learned_from.shape[1]
    odds = (maps * rolled.pair_shares + independent) / (maps + 1)
    ranks = np.searchsorted(codes, states)
    pair_bits = -np.log2(odds[np.arange(len(first)), ranks[first], ranks[second]]).sum()
    return float(bits + PAIR_WEIGHT * pair_bits)


def hex_bits_without_script(states: States, learned_from: States) -> float:
    """Return the bits of a map's hexes by the shares of states in ``learned_from`` alone.

    A script that has learned something needs fewer bits.
    """
    shares = marginals_of(learned_from, _codes(states, learned_from)).hex_shares
    return _hex_bits(shares, states, learned_from)


def _hex_bits(hex_odds: Floats, states: States, learned_from: States) -> float:
    """Return the bits of a map's hexes by odds (27, S)."""
    codes = _codes(states, learned_from)
    odds = _smoothed(hex_odds, states, learned_from)
    ranks = np.searchsorted(codes, states)
    return -float(np.log2(odds[np.arange(len(ranks)), ranks]).sum())


def _smoothed(hex_odds: Floats, states: States, learned_from: States) -> Floats:
    """Return odds (27, S) smoothed, so that no state is impossible."""
    codes = (*_codes(states, learned_from), _NO_STATE)
    hex_counts = np.array([(learned_from == code).sum() + _PSEUDO_COUNT for code in codes])
    odds_anywhere = hex_counts / hex_counts.sum()
    maps = learned_from.shape[1]
    odds: Floats = (maps * hex_odds + odds_anywhere) / (maps + 1)
    return odds


def _codes(states: States, learned_from: States) -> tuple[int, ...]:
    """Return the states of the map and of the maps that the script was learned from, ascending."""
    return tuple(int(code) for code in np.unique(np.append(learned_from, states)))
