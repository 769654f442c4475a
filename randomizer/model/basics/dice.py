"""Keyed draws: (seed, map number, site) -> 64 bits, the same for one map or a million at once.

A *site* is a fixed position in a script or table (docs/adr/0003), so a draw does not depend on how
many draws came before it, and map 4711 of a seed is the same rolled alone or in a batch of 10,000.
Golden maps in the tests fix the numbers for ever. The mixing function is the finalizer of
SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

MASK = 0xFFFF_FFFF_FFFF_FFFF
GOLDEN = 0x9E37_79B9_7F4A_7C15
SEED_LIMIT = 1 << 32
"""Seeds are 0 .. SEED_LIMIT - 1."""
NUMBER_LIMIT = 1 << 53
"""Map numbers are 0 .. NUMBER_LIMIT - 1 (they survive JSON in every language)."""


def mix64(value: int) -> int:
    """Return a bijection of 64-bit words in which every input bit moves about half of the output
    bits.
    """
    value &= MASK
    value = ((value ^ (value >> 30)) * 0xBF58_476D_1CE4_E5B9) & MASK
    value = ((value ^ (value >> 27)) * 0x94D0_49BB_1331_11EB) & MASK
    return value ^ (value >> 31)


def stream(seed: int, site: int) -> int:
    """Return the start of the stream of ``site`` (0 .. 2**64 - 1) under ``seed``."""
    return mix64(mix64(seed + GOLDEN) + site * GOLDEN)


def word(seed: int, number: int, site: int) -> int:
    """Return the 64 bits that map ``number`` draws at ``site``."""
    return mix64(stream(seed, site) + (number + 1) * GOLDEN)


def words(seed: int, numbers: NDArray[np.uint64], site: int) -> NDArray[np.uint64]:
    """``word`` for many map numbers at once. ``numbers`` and the result have shape (N,), uint64."""
    return words_at(np.uint64(stream(seed, site)), steps(numbers))


def streams(seed: int, sites: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """``stream`` for many sites at once. ``sites`` and the result have shape (S,), uint64."""
    value = sites * np.uint64(GOLDEN)
    value += np.uint64(mix64(seed + GOLDEN))
    return _mix_in_place(value)


def words_of_streams(starts: NDArray[np.uint64], number: int) -> NDArray[np.uint64]:
    """``word`` of one map at many sites: (S,) uint64 in (from ``streams``) and out."""
    return _mix_in_place(starts + np.uint64(((number + 1) * GOLDEN) & MASK))


def steps(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the argument of ``words_at`` for map numbers, (N,) in and out."""
    return (numbers + np.uint64(1)) * np.uint64(GOLDEN)


def words_at(
    starts: NDArray[np.uint64] | np.uint64, steps: NDArray[np.uint64]
) -> NDArray[np.uint64]:
    """``word`` of many maps at one site or many.

    ``starts`` is from ``streams``, one value or (S, 1); ``steps`` has shape (N,). The result is
    (N,) or (S, N).
    """
    return _mix_in_place(starts + steps)


def _mix_in_place(value: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """``mix64`` of every element, written over ``value``."""
    shifted = value >> np.uint64(30)
    value ^= shifted
    value *= np.uint64(0xBF58_476D_1CE4_E5B9)
    np.right_shift(value, np.uint64(27), out=shifted)
    value ^= shifted
    value *= np.uint64(0x94D0_49BB_1331_11EB)
    np.right_shift(value, np.uint64(31), out=shifted)
    value ^= shifted
    return value


def lane16(bits: int, lane: int) -> int:
    """Lane 0 .. 3 of a word: 16 bits, lane 0 the lowest (as ``view('<u2')`` sees them)."""
    return (bits >> (16 * lane)) & 0xFFFF


def lane32(bits: int, lane: int) -> int:
    """Lane 0 or 1 of a word: 32 bits, lane 0 the lowest (as ``view('<u4')`` sees them)."""
    return (bits >> (32 * lane)) & 0xFFFF_FFFF


def threshold(percent: float, bits: int) -> int:
    """Return how many of the 2**bits values of a lane are a hit at ``percent``.

    Clamped to 0 .. 2**bits: 100 % always hits, 0 % never. A chance between 0 and 100 stays possible
    and uncertain, however near it is to either.
    """
    full = 1 << bits
    if percent <= 0:
        return 0
    if percent >= 100:
        return full
    return min(max(round(percent / 100 * full), 1), full - 1)


def fresh_seed(below: int = SEED_LIMIT) -> int:
    """Return a random seed below a limit, from the system's entropy."""
    import secrets

    return secrets.randbelow(below)
