"""The random numbers of a world: the sequence of the original program Xconq, or keyed dice.

``draws_of`` chooses one of the two classes, which are used in the same way::

    draws = draws_of(key)
    draws.below(6)                      # 0 .. 5
    draws.many_below(6, count=100)      # an array (100,)
    draws.rows_below((6, 100), 20)      # an array (20, 2), column 1 below 100

A *draw* takes one state of a sequence and scales it to its limit, ``limit * state // states``. So
every draw moves the sequence on by exactly one state, whatever its limit is. Limits are at least 0;
a draw below 0 or 1 gives 0 and counts as a draw, too.

- ``OriginalDraws``: a linear congruential sequence, s' = (FACTOR s + INCREMENT) mod MODULUS. It
  meets all 134,456 states and begins again, so that it is made once, as a table.
- ``KeyedDraws``: the words of keyed dice (randomizer/model/basics/dice.py), of 32 bits each: the
  states are 0 .. 2 ** 32 - 1, and dividing by their number is ``>> 32``.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.caches import MB, registered
from randomizer.model.basics.dice import streams, words_of_streams
from randomizer.model.rolls.draw_key import DrawKey

MODULUS = 134_456
"""The number of states of the original's sequence, which meets each of them."""

FACTOR = 8_121
"""The factor of the original's sequence."""

INCREMENT = 28_411
"""The summand of the original's sequence."""

ORIGINAL_SEEDS = MODULUS
"""Seeds below this, with map number 0, give the original program's worlds."""

SITE = 0x5863_6F6E_0000_0000
"""Draw i of a world with keyed dice has the site (randomizer/model/basics/dice.py) SITE + i."""

BUFFER_WORDS = 4096
"""How many keyed words are worked out at once, at least: more take memory that few draws need."""

Numbers = NDArray[np.int64]


class OriginalDraws:
    """The original program's sequence, started at ``seed`` (0 .. ORIGINAL_SEEDS - 1)."""

    def __init__(self, seed: int) -> None:
        sequence = _original_sequence()
        self._states = sequence.states
        self._next = (sequence.positions[seed] + 1) % MODULUS
        """The index in ``_states`` of the next draw: that of the state behind the seed at first."""

    def below(self, limit: int) -> int:
        """Return the next draw: a number in 0 .. limit - 1."""
        state = self._states[self._next]
        self._next = (self._next + 1) % MODULUS
        return limit * state // MODULUS

    def many_below(self, limit: int, count: int) -> Numbers:
        """Return the next ``count`` draws below ``limit``, shape (count,).

        The caller must not write to it: it can be a part of a shared table.
        """
        # Callers draw many numbers below the same limit, so the products are a table as well.
        table = _original_draws(limit)
        start = self._next
        self._next = (start + count) % MODULUS
        if start + count <= MODULUS:
            return table[start : start + count]
        return table.take(np.arange(start, start + count) % MODULUS)

    def rows_below(self, limits: Sequence[int], count: int) -> Numbers:
        """Return the next draws in rows, shape (count, len(limits)): column i below ``limits[i]``.

        They are taken row by row: all of the first row come before those of the second.
        """
        positions = np.arange(self._next, self._next + count * len(limits)) % MODULUS
        self._next = (self._next + positions.size) % MODULUS
        states = _state_array()[positions].reshape(count, len(limits))
        return states * np.array(limits, np.int64) // MODULUS


@dataclass(eq=False)
class _KeyedWords:
    """Keyed words that were worked out at once."""

    first_draw: int
    """The number of the draw that the first word is for."""

    words: Numbers
    """The words, of 32 bits, (n,)."""

    @cached_property
    def as_list(self) -> list[int]:
        """The same words as a list, whose single numbers are read faster."""
        numbers: list[int] = self.words.tolist()
        return numbers


NO_WORDS = _KeyedWords(0, np.zeros(0, np.int64))


class KeyedDraws:
    """Keyed dice: the high 32 bits of the word at site ``site`` + i are draw i."""

    def __init__(self, key: DrawKey, site: int = SITE) -> None:
        self._key = key
        self._site = site
        self._next = 0
        """The number of the next draw."""
        self._buffer = NO_WORDS
        """Words for the next draws. When it has too few, the next ones take its place."""

    def below(self, limit: int) -> int:
        """See ``OriginalDraws``."""
        index = self._next - self._buffer.first_draw
        if index >= self._buffer.words.size:
            self._buffer = self._words_from_next(BUFFER_WORDS)
            index = 0
        self._next += 1
        return (limit * self._buffer.as_list[index]) >> 32

    def many_below(self, limit: int, count: int) -> Numbers:
        """See ``OriginalDraws``."""
        return (self._advance(count) * limit) >> 32

    def rows_below(self, limits: Sequence[int], count: int) -> Numbers:
        """See ``OriginalDraws``."""
        words = self._advance(count * len(limits)).reshape(count, len(limits))
        return (words * np.array(limits, np.int64)) >> 32

    def _advance(self, count: int) -> Numbers:
        """Return the words of the next ``count`` draws, and go on behind them."""
        start = self._next - self._buffer.first_draw
        if start + count > self._buffer.words.size:
            self._buffer = self._words_from_next(max(count, BUFFER_WORDS))
            start = 0
        self._next += count
        return self._buffer.words[start : start + count]

    def _words_from_next(self, count: int) -> _KeyedWords:
        """Return the words of the next ``count`` draws; they stay the next ones."""
        first_site = np.uint64(self._site + self._next)
        sites = first_site + np.arange(count, dtype=np.uint64)
        words = words_of_streams(streams(self._key.seed, sites), self._key.number)
        return _KeyedWords(self._next, (words >> np.uint64(32)).astype(np.int64))


Draws = OriginalDraws | KeyedDraws
"""A sequence of draws. Each method takes the next ones of it."""


def draws_of(key: DrawKey) -> Draws:
    """Return the draws of a world: the original's for number 0 of seeds below ORIGINAL_SEEDS."""
    if key.number == 0 and key.seed < ORIGINAL_SEEDS:
        return OriginalDraws(key.seed)
    return KeyedDraws(key)


@registered(count=1, bytes_each=1.1 * MB)
@cache
def _state_array() -> Numbers:
    """Return all states of the original's sequence in their order from state 0 on, (MODULUS,).

    The table is filled by doubling. One step is ``factor * s + increment``, and so is a jump of n
    steps, with another factor and increment. A jump of n steps applied to the first n states gives
    the next n at once.
    """
    states = np.zeros(MODULUS, np.int64)
    filled = 1
    factor = FACTOR
    increment = INCREMENT
    while filled < MODULUS:
        count = min(filled, MODULUS - filled)
        states[filled : filled + count] = (factor * states[:count] + increment) % MODULUS
        # Two jumps, one after the other, are a jump of twice the length:
        # f (f s + i) + i = f f s + (f i + i).
        increment = (factor * increment + increment) % MODULUS
        factor = factor * factor % MODULUS
        filled += count
    return states


class _OriginalSequence(NamedTuple):
    """The original's sequence in arrays of Python, whose single numbers are read faster."""

    states: array[int]
    """The states of ``_state_array``, (MODULUS,)."""

    positions: array[int]
    """The index of each state in ``states``, (MODULUS,)."""


@registered(count=1, bytes_each=1.1 * MB)
@cache
def _original_sequence() -> _OriginalSequence:
    """Return the original's sequence for draws that are taken one by one."""
    states = _state_array()
    positions = np.empty(MODULUS, np.intc)
    positions[states] = np.arange(MODULUS)
    return _OriginalSequence(array("i", states.tolist()), array("i", positions.tobytes()))


@registered(bytes_each=1.1 * MB)
@lru_cache(maxsize=4)
def _original_draws(limit: int) -> Numbers:
    """Return the draws below a limit of the whole sequence, (MODULUS,), read-only."""
    draws = _state_array() * limit // MODULUS
    draws.flags.writeable = False
    return draws
