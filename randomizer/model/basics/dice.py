"""Random numbers by a key: (seed, map number, site) -> 64 random bits, a *word*.

    word(seed=7, number=4711, site=12)         # one map, one site

    start = np.uint64(stream(7, 12))           # many maps, one site:
    words_at(start, steps(numbers))            # word(7, number, 12) of each number

    starts = streams(7, sites)                 # one map, many sites:
    words_of_streams(starts, 4711)             # word(7, 4711, site) of each site

A *site* is a fixed position in a script or table (docs/adr/0003), so a draw does not depend on how
many draws came before it, and map 4711 of a seed is the same rolled alone or in a batch of 10,000.
Every generator draws from here; golden maps in the tests fix the numbers for ever.

The idea: SplitMix64 is a generator that adds ``GOLDEN`` to a counter again and again, and mixes the
bits of the counter for each output. So its outputs can be computed in any order::

    output n of the generator that starts at s  =  mix64(s + (n + 1) * GOLDEN)

Each seed and site have a generator of their own, a *stream*, which is named by its start ``s``; map
``n`` draws output ``n`` of it. Source: Steele, Lea and Flood, "Fast splittable pseudorandom number
generators", 2014.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

MASK = 0xFFFF_FFFF_FFFF_FFFF
"""The 64 bits to which Python's unbounded numbers are cut."""

GOLDEN = 0x9E37_79B9_7F4A_7C15
"""SplitMix64's increment: 2**64 divided by the golden ratio, so that multiples of it spread out."""

# The constants of ``mix64``, which are those of SplitMix64. Bits are mixed upwards by the products,
# and downwards by the shifts between them.
_FIRST_SHIFT = 30
_FIRST_FACTOR = 0xBF58_476D_1CE4_E5B9
_SECOND_SHIFT = 27
_SECOND_FACTOR = 0x94D0_49BB_1331_11EB
_LAST_SHIFT = 31

SEED_LIMIT = 1 << 32
"""Seeds are 0 .. SEED_LIMIT - 1."""

NUMBER_LIMIT = 1 << 53
"""Map numbers are 0 .. NUMBER_LIMIT - 1 (they survive JSON in every language)."""


def mix64(value: int) -> int:
    """Return a number of 64 bits mixed: each bit of ``value`` changes about half of the others.

    No two numbers of 64 bits have the same result.
    """
    value &= MASK
    value ^= value >> _FIRST_SHIFT
    value = (value * _FIRST_FACTOR) & MASK
    value ^= value >> _SECOND_SHIFT
    value = (value * _SECOND_FACTOR) & MASK
    return value ^ (value >> _LAST_SHIFT)


def stream(seed: int, site: int) -> int:
    """Return the start of the stream of ``site`` (0 .. 2**64 - 1) under ``seed``."""
    return mix64(mix64(seed + GOLDEN) + site * GOLDEN)


def word(seed: int, number: int, site: int) -> int:
    """Return the 64 bits that map ``number`` draws at ``site``."""
    return mix64(stream(seed, site) + (number + 1) * GOLDEN)


def streams(seed: int, sites: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return ``stream`` of many sites; ``sites`` and the result are (S,)."""
    value = sites * np.uint64(GOLDEN)
    value += np.uint64(mix64(seed + GOLDEN))
    return _mix_in_place(value)


def words_of_streams(starts: NDArray[np.uint64], number: int) -> NDArray[np.uint64]:
    """Return the words that map ``number`` draws at many sites, (S,), from their ``streams``."""
    return _mix_in_place(starts + np.uint64(((number + 1) * GOLDEN) & MASK))


def steps(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return how far along every stream the outputs of maps are, for ``words_at``: (N,)."""
    return (numbers + np.uint64(1)) * np.uint64(GOLDEN)


def words_at(
    starts: NDArray[np.uint64] | np.uint64, steps: NDArray[np.uint64]
) -> NDArray[np.uint64]:
    """Return the words that many maps draw at one site, (N,), or at many, (S, N).

    ``starts`` is one value of ``stream``, or ``streams`` of shape (S, 1). ``steps`` (N,) is what
    the function ``steps`` returns for the numbers of the maps.
    """
    return _mix_in_place(starts + steps)


def _mix_in_place(value: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Replace every element by its ``mix64``, in place, and return the array.

    Callers pass an array that they have just made.
    """
    # Two arrays are enough: as one expression it would allocate a new one for each operator.
    shifted = value >> np.uint64(_FIRST_SHIFT)
    value ^= shifted
    value *= np.uint64(_FIRST_FACTOR)
    np.right_shift(value, np.uint64(_SECOND_SHIFT), out=shifted)
    value ^= shifted
    value *= np.uint64(_SECOND_FACTOR)
    np.right_shift(value, np.uint64(_LAST_SHIFT), out=shifted)
    value ^= shifted
    return value


def lane16(bits: int, lane: int) -> int:
    """Return 16 of the 64 bits: lane 0 .. 3, 0 the lowest, as ``view('<u2')`` numbers them.

    Example: lane 1 of 0xDDDD_CCCC_BBBB_AAAA is 0xBBBB.
    """
    return (bits >> (16 * lane)) & 0xFFFF


def lane32(bits: int, lane: int) -> int:
    """Return 32 of the 64 bits: lane 0 or 1, 0 the lowest, as ``view('<u4')`` numbers them.

    Example: lane 1 of 0xBBBB_BBBB_AAAA_AAAA is 0xBBBB_BBBB.
    """
    return (bits >> (32 * lane)) & 0xFFFF_FFFF


def threshold(percent: float, bits: int) -> int:
    """Return the limit below which a random number of so many bits is with this probability.

    Example: ``lane16(bits, 0) < threshold(25, 16)``, which is 16384, is true of a quarter of words.
    The limit is 0 (never) to 2**bits (always). A probability between 0 and 100 % stays possible and
    uncertain, however near it is to either.
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
