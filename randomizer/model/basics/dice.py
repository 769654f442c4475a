"""Keyed draws: (seed, map number, site) -> 64 random bits, for one map or a million at once.

    bits = word(seed=7, number=4711, site=12)        # of one map
    words(7, np.arange(10_000, dtype=np.uint64), 12)[4711] == bits

A *site* is a fixed position in a script or table (docs/adr/0003), so a draw does not depend on how
many draws came before it, and map 4711 of a seed is the same rolled alone or in a batch of 10,000.
Every generator draws from here; golden maps in the tests fix the numbers for ever.

A seed and a site give the start of a *stream*, and the map number is a step along it; each is mixed
by the finalizer of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
generators", 2014).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

MASK = 0xFFFF_FFFF_FFFF_FFFF
"""The 64 bits to which Python's unbounded numbers are cut."""

GOLDEN = 0x9E37_79B9_7F4A_7C15
"""SplitMix64's increment: 2**64 divided by the golden ratio, so that multiples of it spread out."""

_FIRST_FACTOR = 0xBF58_476D_1CE4_E5B9
_SECOND_FACTOR = 0x94D0_49BB_1331_11EB
"""The multipliers of SplitMix64's finalizer. The shifts by 30, 27 and 31 bits are its own, too."""

SEED_LIMIT = 1 << 32
"""Seeds are 0 .. SEED_LIMIT - 1."""

NUMBER_LIMIT = 1 << 53
"""Map numbers are 0 .. NUMBER_LIMIT - 1 (they survive JSON in every language)."""


def mix64(value: int) -> int:
    """Return a bijection of 64-bit words in which every input bit moves about half of the output
    bits.
    """
    value &= MASK
    value = ((value ^ (value >> 30)) * _FIRST_FACTOR) & MASK
    value = ((value ^ (value >> 27)) * _SECOND_FACTOR) & MASK
    return value ^ (value >> 31)


def stream(seed: int, site: int) -> int:
    """Return the start of the stream of ``site`` (0 .. 2**64 - 1) under ``seed``."""
    return mix64(mix64(seed + GOLDEN) + site * GOLDEN)


def word(seed: int, number: int, site: int) -> int:
    """Return the 64 bits that map ``number`` draws at ``site``."""
    return mix64(stream(seed, site) + (number + 1) * GOLDEN)


def words(seed: int, numbers: NDArray[np.uint64], site: int) -> NDArray[np.uint64]:
    """Return the words that many maps draw at one site; ``numbers`` and the result are (N,)."""
    return words_at(np.uint64(stream(seed, site)), steps(numbers))


def streams(seed: int, sites: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the starts of the streams of many sites; ``sites`` and the result are (S,)."""
    value = sites * np.uint64(GOLDEN)
    value += np.uint64(mix64(seed + GOLDEN))
    return _mix_in_place(value)


def words_of_streams(starts: NDArray[np.uint64], number: int) -> NDArray[np.uint64]:
    """Return the words that map ``number`` draws at many sites, (S,); ``starts`` as ``streams``."""
    return _mix_in_place(starts + np.uint64(((number + 1) * GOLDEN) & MASK))


def steps(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return how far along a stream each map number lies, for ``words_at``; (N,) in and out."""
    return (numbers + np.uint64(1)) * np.uint64(GOLDEN)


def words_at(
    starts: NDArray[np.uint64] | np.uint64, steps: NDArray[np.uint64]
) -> NDArray[np.uint64]:
    """Return the words that many maps draw at one site, (N,), or at many, (S, N).

    ``starts`` is from ``stream`` or ``streams``, one value or (S, 1); ``steps`` (N,) is from the
    function of that name.
    """
    return _mix_in_place(starts + steps)


def _mix_in_place(value: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Replace every element by its ``mix64``, and return the array.

    Step by step in two arrays: as one expression it would allocate a new one for each operator.
    """
    shifted = value >> np.uint64(30)
    value ^= shifted
    value *= np.uint64(_FIRST_FACTOR)
    np.right_shift(value, np.uint64(27), out=shifted)
    value ^= shifted
    value *= np.uint64(_SECOND_FACTOR)
    np.right_shift(value, np.uint64(31), out=shifted)
    value ^= shifted
    return value


def lane16(bits: int, lane: int) -> int:
    """Return 16 of the 64 bits: lane 0 .. 3, 0 the lowest, as ``view('<u2')`` numbers them."""
    return (bits >> (16 * lane)) & 0xFFFF


def lane32(bits: int, lane: int) -> int:
    """Return 32 of the 64 bits: lane 0 or 1, 0 the lowest, as ``view('<u4')`` numbers them."""
    return (bits >> (32 * lane)) & 0xFFFF_FFFF


def threshold(percent: float, bits: int) -> int:
    """Return the limit below which random ``bits`` are a hit with a chance of ``percent``.

    It is 0 (never) to 2**bits (always). A chance between 0 and 100 % stays possible and uncertain,
    however near it is to either.
    """
    value_count = 1 << bits
    if percent <= 0:
        return 0
    if percent >= 100:
        return value_count
    return min(max(round(percent / 100 * value_count), 1), value_count - 1)


def fresh_seed(below: int = SEED_LIMIT) -> int:
    """Return a random seed below a limit, from the system's entropy."""
    import secrets

    return secrets.randbelow(below)
