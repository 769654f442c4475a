"""The hits of strikes, expected and drawn, by the number of dice and the strike number.

    SIXTHS[5, 3] / 6                   # 5 dice that hit from 3 on: 3.33 hits are expected
    hits_at(chance, dice, number)      # the hits of many strikes, drawn by random numbers

Each die that shows at least the strike number is a hit (``strikes``).
"""

from __future__ import annotations

from math import comb

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.colossus.battle.rules_by_land import Whole

MAX_DICE = 20 + 2
"""The most dice of a strike: a Serpent's 18 and what terrain adds, with some to spare.

A Titan's power does not grow here.
"""

_STRIKE_NUMBERS = np.arange(7)
"""The strike numbers 0 to 6."""

_HITTING_FACES = 7 - np.maximum(_STRIKE_NUMBERS, 1)
"""(7,): the number of faces of a die that hit, by strike number.

At 0 every die hits, as it does at 1.
"""

SIXTHS = np.arange(MAX_DICE + 1, dtype=np.int16)[:, None] * _HITTING_FACES
"""(dice, strike number 0 .. 6): the expected hits in sixths, which add up without rounding."""


def hits_at(chance: NDArray[np.float64], dice: Whole, number: Whole) -> Whole:
    """Return the hits of n strikes, (n,), drawn by random numbers ``chance`` (n,) from 0 to 1.

    ``dice`` and the strike ``number`` are (n,).
    """
    # The idea is inversion: a strike has more than k hits if its random number is not below the
    # probability of at most k hits. So its hits are the number of such k.
    return np.asarray((chance[:, None] >= _CUMULATIVE[dice, number]).sum(axis=1), np.int8)


def _at_most(hits: int, dice: int, chance: float) -> float:
    """Return the probability of at most so many hits of dice that each hit with ``chance``."""
    if hits >= dice:
        return 1.0
    return sum(comb(dice, k) * chance**k * (1 - chance) ** (dice - k) for k in range(hits + 1))


def _cumulative(dice: int) -> list[list[float]]:
    """Return the probabilities of at most 0, 1, 2 ... hits for each strike number 0 .. 6."""
    probabilities = []
    for chance in _HITTING_FACES / 6:
        probabilities.append([_at_most(hits, dice, chance) for hits in range(MAX_DICE)])
    return probabilities


_CUMULATIVE = np.array([_cumulative(dice) for dice in range(MAX_DICE + 1)])
"""(dice, strike number 0 .. 6, k): the probability of at most k hits."""
