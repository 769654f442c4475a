"""The dice of an annealing: random numbers that depend on the seed, the step and their use alone.

word = stream_of_step(seed, 12, DiceUse.KIND)
one_share(word)                                 # a number from 0 to below 1
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.dice import stream


class DiceUse(IntEnum):
    """The uses of the dice of a step; each has a stream of its own.

    The numbers are part of the streams: if they change, every seed makes other variations.
    """

    ACCEPTANCE = 0
    """To accept or refuse each move (``Annealing``)."""

    KIND = 1
    """To choose the kind of all moves."""

    SIZE = 2
    """To choose the radius of their discs."""

    CELLS = 3
    """To choose the cells and the motion of each move."""


def stream_of_step(seed: int, step: int, use: DiceUse) -> int:
    """Return the start of the stream of dice (``dice.stream``) of one step for one use."""
    return stream(seed, len(DiceUse) * step + use)


_FLOAT_BITS = 53
"""The bits of a whole number that a float holds exactly."""

_DROPPED_BITS = 64 - _FLOAT_BITS
"""The lowest bits of a word of dice, which a share leaves out."""


def one_share(word: int) -> float:
    """Return a word of dice (64 bits) as a number from 0 to below 1."""
    return float((word >> _DROPPED_BITS) * 2.0**-_FLOAT_BITS)


def shares(words: NDArray[np.uint64]) -> NDArray[np.float64]:
    """Return words of dice as numbers from 0 to below 1, in the same shape."""
    return np.asarray((words >> np.uint64(_DROPPED_BITS)) * 2.0**-_FLOAT_BITS)
