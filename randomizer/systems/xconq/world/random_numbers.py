"""The random numbers of a world: the original program's sequence, or keyed dice.

Both are one sequence of draws, of which any number can be taken at once.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from randomizer.generator import DrawKey
from randomizer.model.basics.caches import MB, registered
from randomizer.model.basics.dice import streams, words_of_streams

MODULUS = 134_456
FACTOR = 8_121
INCREMENT = 28_411
"""The original's sequence is s' = (FACTOR s + INCREMENT) mod MODULUS; it meets every number."""
ORIGINAL_SEEDS = MODULUS
"""Seeds below this, with map number 0, give the original program's worlds."""
SITE = 0x5863_6F6E_0000_0000
"""Draw i of a world with keyed dice has the site (randomizer/model/basics/dice.py) SITE + i."""
AHEAD = 4096
"""How many keyed words are worked out at once for draws that are taken one by one."""

Numbers = NDArray[np.int64]


class OriginalDraws:
    """The original program's sequence, started at ``seed`` (0 .. ORIGINAL_SEEDS - 1)."""

    def __init__(self, seed: int) -> None:
        self._states, positions = _original_sequence()
        self._next = positions[seed] + 1

    def below(self, limit: int) -> int:
        """Return the next draw: a number in 0 .. limit - 1."""
        state = self._states[self._next]
        self._next = (self._next + 1) % MODULUS
        return limit * state // MODULUS

    def many_below(self, limit: int, count: int) -> Numbers:
        """Return the next ``count`` draws below ``limit``, (count,); not to be written to."""
        table = _original_draws(limit)
        start = self._next
        self._next = (start + count) % MODULUS
        if start + count <= MODULUS:
            return table[start : start + count]
        return table.take(np.arange(start, start + count) % MODULUS)

    def rows_below(self, limits: Sequence[int], count: int) -> Numbers:
        """Return the next draws by rows: (count, len(limits)), column i below ``limits[i]``."""
        positions = np.arange(self._next, self._next + count * len(limits)) % MODULUS
        self._next = (self._next + positions.size) % MODULUS
        states = _state_array()[positions].reshape(count, len(limits))
        return states * np.array(limits, np.int64) // MODULUS


class KeyedDraws:
    """Keyed dice: the high 32 bits of the word at site ``site`` + i are draw i."""

    def __init__(self, key: DrawKey, site: int = SITE) -> None:
        self._key = key
        self._site = site
        self._next = 0
        self._known = np.zeros(0, np.int64)
        self._listed: list[int] = []
        self._known_from = 0

    def below(self, limit: int) -> int:
        """See ``OriginalDraws``."""
        if self._next >= self._known_from + len(self._listed):
            self._know(AHEAD)
            self._listed = self._known.tolist()
        drawn = self._listed[self._next - self._known_from]
        self._next += 1
        return limit * drawn >> 32

    def many_below(self, limit: int, count: int) -> Numbers:
        """See ``OriginalDraws``."""
        return self._words(count) * limit >> 32

    def rows_below(self, limits: Sequence[int], count: int) -> Numbers:
        """See ``OriginalDraws``."""
        words = self._words(count * len(limits)).reshape(count, len(limits))
        return words * np.array(limits, np.int64) >> 32

    def _words(self, count: int) -> Numbers:
        """Return the next ``count`` words of 32 bits, drawn."""
        if self._next + count > self._known_from + self._known.size:
            self._know(max(count, AHEAD))
            self._listed = []
        start = self._next - self._known_from
        self._next += count
        return self._known[start : start + count]

    def _know(self, count: int) -> None:
        """Work out the next ``count`` words."""
        first = np.uint64(self._site + self._next)
        sites = first + np.arange(count, dtype=np.uint64)
        words = words_of_streams(streams(self._key.seed, sites), self._key.number)
        self._known = (words >> np.uint64(32)).astype(np.int64)
        self._known_from = self._next


Draws = OriginalDraws | KeyedDraws
"""A sequence of draws. A limit is at least 0; one of 0 or 1 gives 0 and is a draw too."""


def draws_of(key: DrawKey) -> Draws:
    """Return the draws of a world: the original's for number 0 of seeds below ORIGINAL_SEEDS."""
    if key.number == 0 and key.seed < ORIGINAL_SEEDS:
        return OriginalDraws(key.seed)
    return KeyedDraws(key)


@registered(count=1, bytes_each=1.1 * MB)
@cache
def _state_array() -> Numbers:
    """Return the sequence from state 0 on, (MODULUS,): it comes back to 0 after MODULUS steps."""
    states = np.zeros(MODULUS, np.int64)
    filled = 1
    factor = FACTOR
    increment = INCREMENT
    while filled < MODULUS:  # a jump of ``known`` steps is factor * s + increment, too
        more = min(filled, MODULUS - filled)
        states[filled : filled + more] = (factor * states[:more] + increment) % MODULUS
        increment = (factor * increment + increment) % MODULUS
        factor = factor * factor % MODULUS
        filled += more
    return states


@registered(count=1, bytes_each=1.1 * MB)
@cache
def _original_sequence() -> tuple[array[int], array[int]]:
    """Return the sequence from state 0 on, its first state once more at its end; the place of a
    state.
    """
    states = _state_array()
    positions = np.empty(MODULUS, np.intc)
    positions[states] = np.arange(MODULUS)
    return array("i", [*states.tolist(), 0]), array("i", positions.tobytes())


@registered(bytes_each=1.1 * MB)
@lru_cache(maxsize=4)
def _original_draws(limit: int) -> Numbers:
    """``limit * state // MODULUS`` of the whole sequence, (MODULUS,)."""
    draws = _state_array() * limit // MODULUS
    draws.flags.writeable = False
    return draws
