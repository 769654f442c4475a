"""Draws of random numbers for Python generators, and smooth noise made of them.

    draws = Draws(key)
    draws.number(2, 5)              # from 2 to below 5
    noise(draws, size, feature=14)  # (size, size), about -1 to 1

The numbers are *words* of 64 bits of a keyed die (``dice.word``): the word of a seed, of the number
of a map and of a *site*, here the count of the draw, is always the same.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.dice import stream, streams, word, words_of_streams
from randomizer.model.rolls.draw_key import DrawKey

Field = NDArray[np.float64]
"""A number for each tile or corner, or for those of a part of the map."""

_FLOAT_BITS = 53
"""The significant bits of a float: more of a word of 64 would round some numbers up to 1."""

_SPARE_BITS = 64 - _FLOAT_BITS
"""The bits of a word that are left out."""

_NOISE_STRETCH = 1.6
"""The factor by which noise reaches about -1 and 1.

Octaves seldom have their extremes in one place: without the factor it would be too flat.
"""


class Draws:
    """Draws of one map, so that the same key gives the same draws in the same order."""

    def __init__(self, key: DrawKey) -> None:
        self._key = key
        self._site = 0
        """The number of draws so far."""

    def number(self, low: float = 0.0, high: float = 1.0) -> float:
        """Return a number from ``low`` to below ``high``; rounded, it can be ``high`` itself."""
        self._site += 1
        drawn = word(self._key.seed, self._key.number, self._site) >> _SPARE_BITS
        return low + (high - low) * drawn / 2.0**_FLOAT_BITS

    def index(self, count: int) -> int:
        """Return a whole number from 0 to below ``count``."""
        return min(count - 1, int(self.number(0, count)))

    def shuffled(self, numbers: Sequence[int]) -> list[int]:
        """Return numbers in a drawn order."""
        draws = [self.number() for _number in numbers]
        order = sorted(range(len(numbers)), key=draws.__getitem__)
        return [numbers[position] for position in order]

    def field(self, *shape: int) -> Field:
        """Return an array of this shape of numbers from 0 to below 1."""
        self._site += 1
        # As ``word`` does for one site, for many: those of the array's positions.
        positions = np.arange(math.prod(shape), dtype=np.uint64)
        starts = streams(self._key.seed, positions + np.uint64(stream(0, self._site)))
        drawn = words_of_streams(starts, self._key.number) >> np.uint64(_SPARE_BITS)
        return (drawn.astype(np.float64) / 2.0**_FLOAT_BITS).reshape(shape)


def noise(draws: Draws, size: int, feature: float, octaves: int = 3) -> Field:
    """Return smooth noise (size, size), about -1 to 1: hills some ``feature`` tiles wide.

    It is value noise: numbers drawn at the nodes of a lattice, with smooth changes in between; each
    octave is half as wide and half as high as the one before.
    """
    total = np.zeros((size, size))
    width = feature
    weight = 1.0
    weight_sum = 0.0
    for _octave in range(octaves):
        # Each tile lies between a node of the lattice and the next one, at a share of the way.
        positions = np.arange(size) / max(width, 1.0)
        nodes = positions.astype(np.int64)
        share = smooth(positions - nodes)
        node_count = nodes[-1] + 2
        lattice = draws.field(node_count, node_count) * 2 - 1
        # First along z, then along x.
        rows = lattice[nodes] * (1 - share[:, None]) + lattice[nodes + 1] * share[:, None]
        total += weight * (rows[:, nodes] * (1 - share) + rows[:, nodes + 1] * share)
        weight_sum += weight
        weight /= 2
        width /= 2
    return total / weight_sum * _NOISE_STRETCH


def smooth(share: Any) -> Any:
    """Return 0 for shares up to 0, 1 from 1 on, and in between a curve without corners."""
    share = np.clip(share, 0.0, 1.0)
    return share * share * (3 - 2 * share)
