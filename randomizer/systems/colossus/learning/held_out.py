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
from numpy.typing import NDArray

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
    known_states = _known_states(states, learned_from)
    rolled = marginals_of(rolled_states(program, seed, MAPS_TO_JUDGE), known_states)
    maps = learned_from.shape[1]
    hex_odds = _with_one_more_map(
        rolled.hex_shares, maps, _odds_anywhere(learned_from, known_states)
    )
    ranks = np.searchsorted(known_states, states)
    hex_bits = _hex_bits(hex_odds, ranks)
    if not with_pairs:
        return hex_bits

    # On the map that is added the two hexes of a pair are independent.
    first, second = EDGES
    independent_odds = hex_odds[first][:, :, None] * hex_odds[second][:, None, :]
    pair_odds = _with_one_more_map(rolled.pair_shares, maps, independent_odds)
    odds_of_pairs = pair_odds[np.arange(len(first)), ranks[first], ranks[second]]
    pair_bits = -np.log2(odds_of_pairs).sum()
    return float(hex_bits + PAIR_WEIGHT * pair_bits)


def hex_bits_without_script(states: States, learned_from: States) -> float:
    """Return the bits of a map's hexes by the shares of states in ``learned_from`` alone.

    A script that has learned something needs fewer bits.
    """
    known_states = _known_states(states, learned_from)
    shares = marginals_of(learned_from, known_states).hex_shares
    maps = learned_from.shape[1]
    hex_odds = _with_one_more_map(shares, maps, _odds_anywhere(learned_from, known_states))
    return _hex_bits(hex_odds, np.searchsorted(known_states, states))


def _known_states(states: States, learned_from: States) -> tuple[int, ...]:
    """Return the states of the map and of the maps that the script was learned from, ascending.

    The S columns of odds are for these states, and the last one for all others.
    """
    return tuple(int(state) for state in np.unique(np.append(learned_from, states)))


def _odds_anywhere(learned_from: States, known_states: tuple[int, ...]) -> Floats:
    """Return (S,): the odds of each state on a hex of which one does not know where it lies."""
    columns = (*known_states, _NO_STATE)
    hex_counts = np.array([(learned_from == state).sum() + _PSEUDO_COUNT for state in columns])
    odds: Floats = hex_counts / hex_counts.sum()
    return odds


def _with_one_more_map(shares: Floats, maps: int, odds_of_map: Floats) -> Floats:
    """Return shares of so many maps smoothed, so that no value is impossible.

    One map more is added to them, which has each value with the chance ``odds_of_map``.
    """
    odds: Floats = (maps * shares + odds_of_map) / (maps + 1)
    return odds


def _hex_bits(hex_odds: Floats, ranks: NDArray[np.intp]) -> float:
    """Return the bits of a map's hexes by odds (27, S); ``ranks`` (27,) are their columns."""
    odds_of_hexes = hex_odds[np.arange(len(ranks)), ranks]
    return -float(np.log2(odds_of_hexes).sum())
