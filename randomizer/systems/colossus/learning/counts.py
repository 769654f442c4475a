"""How many hexes of a list get something: the hazards of an AREA that explain it best.

An AREA of a script has a list of n hexes and *hazards*, each of which comes with its own chance and
takes one hex of the list. So the number S of hazards that come on a map is a sum of independent
draws, and they take k = min(S, n) hexes. A map on which the list is *full* (k = n) only tells that
S was at least n. From the numbers k on given maps this module finds the chances.

Maps are given as a histogram: how many of them have k of n hexes. For instance, where 60 maps have
2 of 7 hexes and 40 have 3 of 7, ``best_chances`` gives (1.0, 1.0, 0.4): two hazards that always
come and one on 40 % of the maps.
"""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.colossus.board import HEX_COUNT

Floats = NDArray[np.float64]
"""Chances, bits or weights of maps."""

SIZE = HEX_COUNT + 1
"""The number of counts of hexes: 0 to 27."""

_COMB = np.array([[comb(n, k) for k in range(SIZE)] for n in range(SIZE)], float)
"""(28, 28), by n and k: the number of sets of k of n hexes."""

# Contiguous by k, since ``_diagonal`` takes views of tables that are computed from it.
POSITION_BITS = np.ascontiguousarray(np.log2(np.maximum(_COMB.T, 1)))
"""(28, 28), by k and n: the bits that tell which k of n hexes it is."""

_TINY = 1e-9
"""Stands for a chance of 0, so that its logarithm is finite."""

_NUMBERS = np.arange(SIZE, dtype=float)
"""(28,): the counts themselves, to compute means."""

_ROUNDS_IF_FULL = 3
"""The rounds of ``quick_chances`` where some lists are full: each improves the chance."""

_LEAST_QUICK_CHANCE = 0.001
_GREATEST_QUICK_CHANCE = 0.999
"""The bounds of the one chance of loose hazards, within which no count of them is impossible."""

_SPREAD = 0.2
"""The largest distance of the first guesses of loose chances from their mean."""

_LEAST_FIRST_CHANCE = 0.02
_GREATEST_FIRST_CHANCE = 0.98
"""The bounds of these first guesses."""


def histogram(k: NDArray[np.int8], n: NDArray[np.int8]) -> Floats:
    """Return the number of maps that have k of n hexes, (28, 28) by k and n.

    ``k`` and ``n`` have a value for each map.
    """
    bins = k.astype(np.intp) * SIZE + n
    return np.bincount(bins.ravel(), minlength=SIZE * SIZE).reshape(SIZE, SIZE).astype(float)


def count_chances(chances: tuple[float, ...]) -> Floats:
    """Return the chances of each sum S of independent draws with these chances, (28,)."""
    result = np.zeros(SIZE)
    result[0] = 1.0
    for chance in chances:
        result[1:] = result[1:] * (1 - chance) + result[:-1] * chance
        result[0] *= 1 - chance
    return result


def count_table(sums: Floats) -> Floats:
    """Return the bits of a message that tells how many of n hexes are hit, and which.

    They are (28, 28), by the number k that is told, and n. ``sums`` (28,) are the chances of S.
    """
    log_exact, log_at_least = _logarithms(sums)
    bits: Floats = POSITION_BITS - log_exact[:, None]
    _diagonal(bits)[:] = -log_at_least  # full lists, of which all hexes are hit
    return bits


def _diagonal(table: Floats) -> Floats:
    """Return the entries of a table with k = n, where the list is full, (28,).

    It is a view: changing it changes the table.
    """
    return table.reshape(-1)[:: SIZE + 1]


def count_bits(maps: Floats, sums: Floats) -> float:
    """Return the bits of all maps of a histogram."""
    log_exact, log_at_least = _logarithms(sums)
    full = _diagonal(maps)
    exact = maps.sum(1) - full
    return float((maps * POSITION_BITS).sum() - exact @ log_exact - full @ log_at_least)


def _logarithms(sums: Floats) -> tuple[Floats, Floats]:
    """Return the logarithms of the chances that S is k, and that it is at least k."""
    tails = sums[::-1].cumsum()[::-1]
    tails[0] = 1.0
    return np.log2(np.maximum(sums, _TINY)), np.log2(np.maximum(tails, _TINY))


def _split(maps: Floats) -> tuple[Floats, Floats]:
    """Return the weights of the maps that tell that S = k, and of those that S >= k, (28,) by k.

    Maps on which the list has no hexes at all tell nothing, and are in neither.
    """
    full = _diagonal(maps).copy()
    exact = maps.sum(1) - full
    full[0] = 0.0
    return exact, full


def quick_chances(maps: Floats) -> tuple[tuple[float, ...], Floats]:
    """Return chances near the best ones, and the chances of their sum, (28,).

    Some hazards are certain, and all others have one chance. The number of certain ones is the
    least number that comes on a map, the number of all hazards the largest. So the sum is the
    certain ones and a binomial number of the others, whose chance follows from the mean.
    """
    exact, full = _split(maps)
    sums = np.zeros(SIZE)

    # The numbers of hazards: of all (``highest``), of certain and of loose ones.
    numbers_seen = np.flatnonzero(exact + full > _TINY)
    if not numbers_seen.size or numbers_seen[-1] == 0:
        sums[0] = 1.0
        return (), sums
    highest = int(numbers_seen[-1])
    certain = highest
    exact_numbers = np.flatnonzero(exact > _TINY)
    if exact_numbers.size:
        certain = min(int(exact_numbers[0]), highest)
    loose = highest - certain
    if not loose:
        sums[certain] = 1.0
        return (1.0,) * certain, sums

    # The one chance of all loose hazards, from the mean of the numbers on the maps.
    total = exact.sum() + full.sum()
    chance = (((exact + full) @ _NUMBERS) / total - certain) / loose
    powers = _NUMBERS[: loose + 1]
    has_full_lists = full.any()
    rounds = 1
    if has_full_lists:
        rounds = _ROUNDS_IF_FULL
    for round_number in range(rounds):
        chance = min(max(chance, _LEAST_QUICK_CHANCE), _GREATEST_QUICK_CHANCE)
        # The binomial distribution of the loose hazards, on top of the certain ones.
        sums[certain : highest + 1] = (
            _COMB[loose, : loose + 1] * chance**powers * (1 - chance) ** (loose - powers)
        )
        if round_number == rounds - 1:
            break
        # A full list counts as the mean of all sums that are possible for it, not as its number.
        tail = sums[::-1].cumsum()[::-1]
        tail_mean = (sums * _NUMBERS)[::-1].cumsum()[::-1] / np.maximum(tail, _TINY)
        mean = (exact @ _NUMBERS + full @ np.maximum(tail_mean, _NUMBERS)) / total
        chance = (mean - certain) / loose
    return (1.0,) * certain + (chance,) * loose, sums


def best_chances(maps: Floats, sweeps: int = 60) -> tuple[float, ...]:
    """Return the chances, the highest first, that explain the counts best.

    This is expectation maximisation. On each map it is unknown which hazards came, only their
    number. So the probability that a hazard came on a map is computed by the present chances of all
    hazards, and the mean of these probabilities is its new chance. All hazards are improved one
    after the other, ``sweeps`` times. Hazards that come on all maps are certain from the beginning
    and stay so; the others are called *loose*.
    """
    start, _ = quick_chances(maps)
    exact, full = _split(maps)
    certain = start.count(1.0)
    loose = np.array(start[certain:])
    if not loose.size:
        return start
    # Equal chances would stay equal for ever.
    loose = loose + np.linspace(_SPREAD, -_SPREAD, loose.size)
    loose = np.clip(loose, _LEAST_FIRST_CHANCE, _GREATEST_FIRST_CHANCE)

    # Counts of loose hazards alone: the certain ones are subtracted.
    loose_maps = _LooseCounts(
        exact=exact[certain:], full=full[certain:], silent=float(full[:certain].sum())
    )
    for _ in range(sweeps):
        sums = count_chances(tuple(loose))
        for index, old_chance in enumerate(loose):
            sums_without = _without(sums, old_chance)
            new_chance = loose_maps.chance_after(old_chance, sums, sums_without)
            loose[index] = min(max(new_chance, 0.0), 1.0)
            # Put the hazard back with its new chance: a step of ``count_chances``.
            sums = sums_without * (1 - new_chance)
            sums[1:] += sums_without[:-1] * new_chance
    return start[:certain] + tuple(sorted(loose.tolist(), reverse=True))


class _LooseCounts(NamedTuple):
    """What the maps tell about the loose hazards, those that are not certain.

    S is the number of loose hazards that come on a map.
    """

    exact: Floats
    """By number k, the weight of the maps that tell that S = k."""

    full: Floats
    """By number k, the weight of the maps that tell that S >= k."""

    silent: float
    """The weight of the maps whose list the certain hazards fill: they tell nothing of S."""

    def chance_after(self, chance: float, sums: Floats, sums_without: Floats) -> float:
        """Return the share of the maps on which a hazard came, judged by the present chances.

        ``chance`` is its present chance, ``sums`` are the chances of S, ``sums_without`` those of
        the sum of all other loose hazards. A map with S = k has the hazard with the probability
        ``chance * sums_without[k - 1] / sums[k]``, since the others then sum to k - 1.
        """
        numbers = self.exact.size
        # For each S the weight of the maps on which it is possible, each divided by the chance of
        # what the map tells.
        shares = self.exact / np.maximum(sums[:numbers], _TINY)
        if self.full.any():
            tail = sums[::-1].cumsum()[::-1]
            shares = shares + (self.full / np.maximum(tail[:numbers], _TINY)).cumsum()
        shares_of_hits = float(shares[1:] @ sums_without[: numbers - 1])
        shares_of_misses = float(shares @ sums_without[:numbers])
        hits = chance * shares_of_hits + chance * self.silent
        misses = (1 - chance) * shares_of_misses + (1 - chance) * self.silent
        return hits / max(hits + misses, _TINY)


def _without(sums: Floats, chance: float) -> Floats:
    """Return the chances of the sum without one draw, which comes with ``chance``."""
    # This undoes a step of ``count_chances``,
    #     sums[k] = without[k] * (1 - chance) + without[k - 1] * chance.
    # It can be solved from the lowest k upwards, dividing by 1 - chance, or from the highest k
    # downwards, dividing by chance. Dividing by the larger of both keeps errors of rounding small.
    sums_without = np.zeros_like(sums)
    previous = 0.0
    if chance < 0.5:
        for index, value in enumerate(sums.tolist()):
            previous = max((value - previous * chance) / (1 - chance), 0.0)
            sums_without[index] = previous
    else:
        for index in range(len(sums) - 2, -1, -1):
            previous = max((sums[index + 1] - previous * (1 - chance)) / chance, 0.0)
            sums_without[index] = previous
    return sums_without


def rounded(chance: float) -> float:
    """Return a chance as a person writes it: in steps of 5 %, near 0 and 100 % in steps of 1 %."""
    percent = 100 * chance
    if 4 < percent < 96:
        steps_of_5_percent = round(percent / 5)
        return steps_of_5_percent / 20
    return round(percent) / 100
