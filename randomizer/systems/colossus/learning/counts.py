"""How many hexes of a list get something: the hazards of an AREA that explain it best.

The hazards of an AREA with chances q place min(S, n) of n hexes, S a sum of independent draws; so a
map in which the list is full (k = n) only tells that S was at least n.
"""

from __future__ import annotations

from math import comb

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.colossus.board import HEX_COUNT

Floats = NDArray[np.float64]
SIZE = HEX_COUNT + 1
"""Numbers of hexes: 0 to 27."""

POSITION_BITS = np.array([[np.log2(max(comb(n, k), 1)) for n in range(SIZE)] for k in range(SIZE)])
"""(28, 28): by k and n, the bits that tell which k of n hexes."""
_COMB = np.array([[comb(n, k) for k in range(SIZE)] for n in range(SIZE)], float)
_TINY = 1e-9
_NUMBERS = np.arange(SIZE, dtype=float)


def histogram(k: NDArray[np.int8], n: NDArray[np.int8]) -> Floats:
    """Return (28, 28): how many maps have k of n hexes."""
    bins = k.astype(np.intp) * SIZE + n
    return np.bincount(bins.ravel(), minlength=SIZE * SIZE).reshape(SIZE, SIZE).astype(float)


def count_chances(chances: tuple[float, ...]) -> Floats:
    """Return (28,): the chance of each sum of independent draws."""
    result = np.zeros(SIZE)
    result[0] = 1.0
    for chance in chances:
        result[1:] = result[1:] * (1 - chance) + result[:-1] * chance
        result[0] *= 1 - chance
    return result


def count_table(sums: Floats) -> Floats:
    """Return (28, 28): bits of the message that k of n hexes are hit, and which.

    ``sums`` (28) are the chances of S.
    """
    exact, at_least = _logarithms(sums)
    bits: Floats = POSITION_BITS - exact[:, None]
    bits.ravel()[:: SIZE + 1] = -at_least
    return bits


def count_bits(maps: Floats, sums: Floats) -> float:
    """Return the bits of all maps of a histogram."""
    log_exact, log_at_least = _logarithms(sums)
    full = maps.ravel()[:: SIZE + 1]
    exact = maps.sum(1) - full
    return float((maps * POSITION_BITS).sum() - exact @ log_exact - full @ log_at_least)


def _logarithms(sums: Floats) -> tuple[Floats, Floats]:
    """Return the logarithms of the chances that S is k, and that it is at least k."""
    tails = sums[::-1].cumsum()[::-1]
    tails[0] = 1.0
    return np.log2(np.maximum(sums, _TINY)), np.log2(np.maximum(tails, _TINY))


def _split(maps: Floats) -> tuple[Floats, Floats]:
    """Return the weights of maps that tell S, and of those that tell S >= k; empty lists tell
    nothing.
    """
    full = maps.ravel()[:: SIZE + 1].copy()
    exact = maps.sum(1) - full
    full[0] = 0.0
    return exact, full


def quick_chances(maps: Floats) -> tuple[tuple[float, ...], Floats]:
    """Return chances near the best ones, some certain, the rest alike; and those of their sum."""
    exact, full = _split(maps)
    sums = np.zeros(SIZE)
    either = np.flatnonzero(exact + full > _TINY)
    most = int(either[-1]) if either.size else 0
    if not most:
        sums[0] = 1.0
        return (), sums
    exact_numbers = np.flatnonzero(exact > _TINY)
    certain = min(int(exact_numbers[0]), most) if exact_numbers.size else most
    open_count = most - certain
    if not open_count:
        sums[certain] = 1.0
        return (1.0,) * certain, sums
    total = exact.sum() + full.sum()
    chance = (((exact + full) @ _NUMBERS) / total - certain) / open_count
    powers = _NUMBERS[: open_count + 1]
    has_full = full.any()
    for turn in range(3 if has_full else 1):
        chance = min(max(chance, 0.001), 0.999)
        sums[certain : most + 1] = (
            _COMB[open_count, : open_count + 1]
            * chance**powers
            * (1 - chance) ** (open_count - powers)
        )
        if not has_full or turn == 2:
            break
        tail = sums[::-1].cumsum()[::-1]
        tail_mean = (sums * _NUMBERS)[::-1].cumsum()[::-1] / np.maximum(tail, _TINY)
        mean = (exact @ _NUMBERS + full @ np.maximum(tail_mean, _NUMBERS)) / total
        chance = (mean - certain) / open_count
    return (1.0,) * certain + (chance,) * open_count, sums


def best_chances(maps: Floats, sweeps: int = 60) -> tuple[float, ...]:
    """Return the chances, the highest first, that explain the counts best (EM, one at a time)."""
    start, _ = quick_chances(maps)
    exact, full = _split(maps)
    certain = start.count(1.0)
    free = np.array(start[certain:])
    if not free.size:
        return start
    free = np.clip(free + np.linspace(0.2, -0.2, free.size), 0.02, 0.98)
    weight = exact[certain:].copy()
    full_weight = full[certain:]
    below = full[:certain].sum()
    for _ in range(sweeps):
        sums = count_chances(tuple(free))
        for index, chance in enumerate(free):
            without_this = _without(sums, chance)
            shares = weight / np.maximum(sums[: weight.size], _TINY)
            if full_weight.any():
                tail = sums[::-1].cumsum()[::-1]
                shares = shares + (full_weight / np.maximum(tail[: weight.size], _TINY)).cumsum()
            hits = chance * (shares[1:] @ without_this[: weight.size - 1]) + chance * below
            misses = (1 - chance) * (shares @ without_this[: weight.size]) + (1 - chance) * below
            chance = hits / max(hits + misses, _TINY)
            free[index] = min(max(chance, 0.0), 1.0)
            sums = without_this * (1 - chance)
            sums[1:] += without_this[:-1] * chance
    return start[:certain] + tuple(sorted(free.tolist(), reverse=True))


def _without(sums: Floats, chance: float) -> Floats:
    """Return the chances of the sum without one draw."""
    without_this = np.zeros_like(sums)
    if chance < 0.5:
        carry = 0.0
        for index, value in enumerate(sums.tolist()):
            carry = max((value - carry * chance) / (1 - chance), 0.0)
            without_this[index] = carry
    else:
        carry = 0.0
        for index in range(len(sums) - 2, -1, -1):
            carry = max((sums[index + 1] - carry * (1 - chance)) / chance, 0.0)
            without_this[index] = carry
    return without_this


def rounded(chance: float) -> float:
    """Return a chance as a person writes it: 5 % steps, 1 % below 5 % and above 95 %."""
    percent = 100 * chance
    if 4 < percent < 96:
        return round(percent / 5) / 20
    return round(percent) / 100
