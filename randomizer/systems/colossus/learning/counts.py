"""The hazards of an AREA that explain best how many hexes of a list get a hazard.

An AREA of a script has a list of n hexes and *hazards*. Each hazard comes with its own chance and
then takes one hex of the list, as long as there are any. The words of this module:

- a *hit* is a hex of the list that a hazard takes; a *count* is k hits in n hexes;
- the *arrivals* of a map are the number of hazards that come on it, whether there is a hex for them
  or not. If 5 come and the list has 3 hexes, there are 3 hits, and the list is *full*. So a full
  list of n hexes tells only that there were n arrivals or more; any other list tells the number;
- a *certain* hazard comes on every map, a *loose* one only on some.

From the counts of given maps this module finds the chances of the hazards. The maps are given as a
histogram of counts, an array (28, 28) by k and n. For instance, where 60 maps have 2 hits in 7
hexes and 40 maps have 3 hits in 7:

    histogram[2, 7] = 60
    histogram[3, 7] = 40
    best_chances(histogram)       # (1.0, 1.0, 0.4): two certain hazards, one on 40 % of the maps
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
"""How many numbers of hexes there are, 0 to 27."""

_HIT_COUNTS = np.arange(SIZE, dtype=float)
"""(28,): these numbers of hits, as floats, to compute means."""

_COMBINATIONS = np.array([[comb(n, k) for k in range(SIZE)] for n in range(SIZE)], float)
"""(28, 28), by n and k: the number of sets of k of n hexes; 0 where k is more than n."""

# Contiguous, as histograms are, so that products of both are fast.
_POSITION_BITS = np.ascontiguousarray(np.log2(np.maximum(_COMBINATIONS.T, 1)))
"""(28, 28), by k and n: the bits that tell which k of n hexes are hit."""

_TINY = 1e-9
"""Stands for a chance of 0, so that its logarithm is finite."""


def count_histogram(hits: NDArray[np.int8], hexes: NDArray[np.int8]) -> Floats:
    """Return the histogram of counts, (28, 28) by k and n.

    ``hits`` and ``hexes`` are k and n of each map, in arrays of one shape.
    """
    return histogram_of_keys(count_keys(hits, hexes).ravel())


def count_keys(hits: NDArray[np.int8], hexes: NDArray[np.int8]) -> NDArray[np.intp]:
    """Return each count of ``hits`` in ``hexes`` as one number: the flat index in a histogram."""
    return hits.astype(np.intp) * SIZE + hexes


def histogram_of_keys(keys: NDArray[np.intp], weights: Floats | None = None) -> Floats:
    """Return the histogram of counts with these ``count_keys`` (m,).

    Each has the weight of 1 or its entry in ``weights`` (m,).
    """
    sums = np.bincount(keys, weights, minlength=SIZE * SIZE)
    return sums.reshape(SIZE, SIZE).astype(float)


def poisson_binomial(chances: tuple[float, ...]) -> Floats:
    """Return the chance of each number of arrivals, (28,), by the chances of the hazards.

    Two hazards of 50 % give (0.25, 0.5, 0.25, 0, ...). The distribution of such a sum of draws with
    different chances is called Poisson binomial.
    """
    result = np.zeros(SIZE)
    result[0] = 1.0
    for chance in chances:
        # One hazard more: k arrive if k did and this one fails, or k - 1 did and this one comes.
        result[1:] = result[1:] * (1 - chance) + result[:-1] * chance
        result[0] *= 1 - chance
    return result


# --- the length of counts ---------------------------------------------------------------------


def count_bits(histogram: Floats, chances_of_arrivals: Floats) -> float:
    """Return the bits that tell how many and which hexes are hit, on all maps of a histogram.

    ``chances_of_arrivals`` (28,) are those of each number of arrivals. The result is the sum of
    ``bits_of_counts`` over the maps, without that table, because the search asks for it most of
    all.
    """
    # A map takes the bits of its number of hits, which is that of the arrivals (where the list is
    # full, of so many or more), and those of their positions, for which all hexes are alike.
    logs = _logarithms(chances_of_arrivals)
    full = _entries_of_full_lists(histogram)
    exact = histogram.sum(1) - full
    bits_of_positions = (histogram * _POSITION_BITS).sum()
    return float(bits_of_positions - exact @ logs.exact - full @ logs.at_least)


def bits_of_counts(chances_of_arrivals: Floats) -> Floats:
    """Return the bits that tell how many and which hexes are hit, (28, 28) by k and n.

    ``chances_of_arrivals`` (28,) are those of each number of arrivals.
    """
    logs = _logarithms(chances_of_arrivals)
    bits: Floats = _POSITION_BITS - logs.exact[:, None]
    # Of a full list all hexes are hit, and the arrivals are at least as many.
    np.fill_diagonal(bits, -logs.at_least)
    return bits


class _Logarithms(NamedTuple):
    """Logarithms of chances to the base 2, (28,) each, by the number k."""

    exact: Floats
    """Of the chance of k arrivals."""

    at_least: Floats
    """Of the chance of k arrivals or more."""


def _logarithms(chances_of_arrivals: Floats) -> _Logarithms:
    """Return the logarithms of the chances of arrivals (28,)."""
    chances_of_least = _sums_from(chances_of_arrivals)
    chances_of_least[0] = 1.0  # without errors of rounding
    exact = np.log2(np.maximum(chances_of_arrivals, _TINY))
    at_least = np.log2(np.maximum(chances_of_least, _TINY))
    return _Logarithms(exact, at_least)


def _sums_from(values: Floats) -> Floats:
    """Return for each index the sum of the values from there to the end."""
    sums: Floats = values[::-1].cumsum()[::-1]
    return sums


def _entries_of_full_lists(table: Floats) -> Floats:
    """Return the entries (28,) of a table (28, 28) with k = n, where the list is full."""
    return table.diagonal()


class _Evidence(NamedTuple):
    """What maps tell about arrivals, as weights of maps: (28,) each, by the number k."""

    exact: Floats
    """The maps which tell of k arrivals: those with k hits and a list that is not full."""

    at_least: Floats
    """The maps which tell of k arrivals or more: those with a full list of k hexes.

    It is 0 for k = 0, since maps on which the list has no hexes tell nothing.
    """


def _evidence(histogram: Floats) -> _Evidence:
    """Return what the maps of a histogram tell about arrivals."""
    at_least = _entries_of_full_lists(histogram).copy()
    exact = histogram.sum(1) - at_least
    at_least[0] = 0.0
    return _Evidence(exact, at_least)


# --- quick chances ----------------------------------------------------------------------------


_ROUNDS_FOR_FULL_LISTS = 2
"""How often ``quick_chances`` improves its chance where some lists are full.

If it is larger, the chance is nearer to the best one, and learning slower.
"""

_MIN_QUICK_CHANCE = 0.001
_MAX_QUICK_CHANCE = 0.999
"""The bounds of the one chance of loose hazards, within which no count of them is impossible.

At 0 or 1 a single map that shows otherwise would make a list worthless. Nearer to 1/2 hazards that
come nearly always would be told with too many bits.
"""


class QuickChances(NamedTuple):
    """Chances that explain counts well, though others may be better."""

    chances: tuple[float, ...]
    """The chance of each hazard: 1.0 for certain ones, then the same chance for all loose ones."""

    chances_of_arrivals: Floats
    """(28,): the chance of each number of arrivals by these chances."""


def quick_chances(histogram: Floats) -> QuickChances:
    """Return chances near the best ones, where all loose hazards have the same chance.

    The arrivals are then the certain hazards and a binomial number of the loose ones, whose chance
    follows from the mean of the arrivals on the maps.
    """
    evidence = _evidence(histogram)
    hazards = _hazard_numbers(evidence)
    if not hazards.loose:
        chances_of_arrivals = np.zeros(SIZE)
        chances_of_arrivals[hazards.certain] = 1.0
        return QuickChances((1.0,) * hazards.certain, chances_of_arrivals)

    # At first a full list counts as if just as many had arrived as it has hexes.
    weight_of_maps = evidence.exact.sum() + evidence.at_least.sum()
    mean = ((evidence.exact + evidence.at_least) @ _HIT_COUNTS) / weight_of_maps
    chance = hazards.loose_chance(mean)
    chances_of_arrivals = hazards.chances_of_arrivals(chance)
    if evidence.at_least.any():
        sum_of_exact = evidence.exact @ _HIT_COUNTS
        for _ in range(_ROUNDS_FOR_FULL_LISTS):
            # Now a full list counts as the mean of all arrivals that are possible for it.
            chances_of_least = _sums_from(chances_of_arrivals)
            means_of_full = _sums_from(chances_of_arrivals * _HIT_COUNTS)
            means_of_full /= np.maximum(chances_of_least, _TINY)
            sum_of_full = evidence.at_least @ np.maximum(means_of_full, _HIT_COUNTS)
            mean = (sum_of_exact + sum_of_full) / weight_of_maps
            chance = hazards.loose_chance(mean)
            chances_of_arrivals = hazards.chances_of_arrivals(chance)
    return QuickChances((1.0,) * hazards.certain + (chance,) * hazards.loose, chances_of_arrivals)


class _HazardNumbers(NamedTuple):
    """The number of hazards that an AREA has."""

    certain: int

    loose: int

    def loose_chance(self, mean: float) -> float:
        """Return the chance of the loose hazards by which the arrivals have this mean."""
        chance = (mean - self.certain) / self.loose
        return min(max(chance, _MIN_QUICK_CHANCE), _MAX_QUICK_CHANCE)

    def chances_of_arrivals(self, loose_chance: float) -> Floats:
        """Return the chances of arrivals, (28,), if all loose hazards have this chance."""
        # The binomial distribution of the loose hazards, on top of the certain ones.
        loose_numbers = _HIT_COUNTS[: self.loose + 1]
        binomial = (
            _COMBINATIONS[self.loose, : self.loose + 1]
            * loose_chance**loose_numbers
            * (1 - loose_chance) ** (self.loose - loose_numbers)
        )
        result = np.zeros(SIZE)
        result[self.certain : self.certain + self.loose + 1] = binomial
        return result


def _hazard_numbers(evidence: _Evidence) -> _HazardNumbers:
    """Return the numbers of hazards: as many as ever come, certain those that come on every map."""
    numbers_seen = np.flatnonzero(evidence.exact + evidence.at_least > _TINY)
    if not numbers_seen.size:
        return _HazardNumbers(0, 0)
    highest = int(numbers_seen[-1])
    # A full list does not tell that a hazard is missing. So if all lists are full, all hazards
    # are certain.
    certain = highest
    exact_numbers = np.flatnonzero(evidence.exact > _TINY)
    if exact_numbers.size:
        certain = min(int(exact_numbers[0]), highest)
    return _HazardNumbers(certain, highest - certain)


# --- best chances -----------------------------------------------------------------------------


SWEEPS = 60
"""How often ``best_chances`` improves each chance; more find them better and take longer."""

_SPREAD = 0.2
"""The largest distance of the first guesses of loose chances from their mean.

If it is larger, hazards of equal chances need more sweeps to become equal again.
"""

_MIN_FIRST_CHANCE = 0.02
_MAX_FIRST_CHANCE = 0.98
"""The bounds of these first guesses; a chance of 0 or 1 would never change in a sweep."""


def best_chances(histogram: Floats, sweeps: int = SWEEPS) -> tuple[float, ...]:
    """Return the chances of the hazards, the highest first, that explain the counts best.

    This is expectation maximisation. On each map it is unknown which hazards came, only their
    number. So the probability that a hazard came on a map is computed by the present chances of all
    hazards, and the mean of these probabilities is its new chance. All hazards are improved one
    after the other, ``sweeps`` times. Certain hazards stay certain.
    """
    first_chances = quick_chances(histogram).chances
    certain = first_chances.count(1.0)  # loose ones are ``_MAX_QUICK_CHANCE`` at most
    loose = np.array(first_chances[certain:])
    if not loose.size:
        return first_chances
    # The quick chances of loose hazards are all equal. So each would be improved alike, and they
    # would stay equal for ever: they begin a little apart.
    loose = loose + np.linspace(_SPREAD, -_SPREAD, loose.size)
    loose = np.clip(loose, _MIN_FIRST_CHANCE, _MAX_FIRST_CHANCE)

    evidence = _loose_evidence(_evidence(histogram), certain)
    for _ in range(sweeps):
        chances_of_arrivals = poisson_binomial(tuple(loose))
        for index, old_chance in enumerate(loose):
            chances_of_others = _without_hazard(chances_of_arrivals, old_chance)
            new_chance = evidence.improved_chance(
                old_chance, chances_of_arrivals, chances_of_others
            )
            new_chance = min(max(new_chance, 0.0), 1.0)  # it can be off by rounding
            loose[index] = new_chance
            # Put the hazard back with its new chance: a step of ``poisson_binomial``.
            chances_of_arrivals = chances_of_others * (1 - new_chance)
            chances_of_arrivals[1:] += chances_of_others[:-1] * new_chance
    return first_chances[:certain] + tuple(sorted(loose.tolist(), reverse=True))


class _LooseEvidence(NamedTuple):
    """What the maps tell about the arrivals of loose hazards, without the certain ones."""

    exact: Floats
    """By number k, the weight of the maps which tell of k arrivals."""

    at_least: Floats
    """By number k, the weight of the maps which tell of k arrivals or more."""

    silent: float
    """The weight of the maps whose list the certain hazards fill: they tell nothing here."""

    def improved_chance(
        self, chance: float, chances_of_arrivals: Floats, chances_of_others: Floats
    ) -> float:
        """Return the share of the maps on which a hazard came, judged by the present chances.

        ``chance`` is its present chance, ``chances_of_arrivals`` are those of all loose hazards,
        ``chances_of_others`` those of all but this one.
        """
        # On a map with k arrivals the hazard is among them with the probability
        #     chance * chances_of_others[k - 1] / chances_of_arrivals[k],
        # since k - 1 others then arrived. On a map with a full list there can be any number of
        # arrivals from k on, so its weight is shared out among them.
        numbers = self.exact.size
        weights = self.exact / np.maximum(chances_of_arrivals[:numbers], _TINY)
        if self.at_least.any():
            chances_of_least = _sums_from(chances_of_arrivals)[:numbers]
            weights = weights + (self.at_least / np.maximum(chances_of_least, _TINY)).cumsum()
        weight_of_hits = float(weights[1:] @ chances_of_others[: numbers - 1])
        weight_of_misses = float(weights @ chances_of_others[:numbers])
        hits = chance * weight_of_hits + chance * self.silent
        misses = (1 - chance) * weight_of_misses + (1 - chance) * self.silent
        return hits / max(hits + misses, _TINY)


def _loose_evidence(evidence: _Evidence, certain: int) -> _LooseEvidence:
    """Return what is told about the loose hazards, where so many others are certain."""
    return _LooseEvidence(
        exact=evidence.exact[certain:],
        at_least=evidence.at_least[certain:],
        silent=float(evidence.at_least[:certain].sum()),
    )


def _without_hazard(chances_of_arrivals: Floats, chance: float) -> Floats:
    """Return the chances of arrivals without one hazard, which comes with ``chance``."""
    # This undoes a step of ``poisson_binomial``,
    #     arrivals[k] = others[k] * (1 - chance) + others[k - 1] * chance.
    # It can be solved from the lowest k upwards, dividing by 1 - chance, or from the highest k
    # downwards, dividing by chance. Dividing by the larger of both keeps errors of rounding small.
    chances_of_others = np.zeros_like(chances_of_arrivals)
    previous = 0.0
    if chance < 0.5:
        for index, value in enumerate(chances_of_arrivals.tolist()):
            previous = max((value - previous * chance) / (1 - chance), 0.0)
            chances_of_others[index] = previous
    else:
        for index in range(len(chances_of_arrivals) - 2, -1, -1):
            value = chances_of_arrivals[index + 1]
            previous = max((value - previous * (1 - chance)) / chance, 0.0)
            chances_of_others[index] = previous
    return chances_of_others


# --- as it is written -------------------------------------------------------------------------


def rounded(chance: float) -> float:
    """Return a chance as a person writes it: in steps of 5 %, near 0 and 100 % in steps of 1 %."""
    percent = 100 * chance
    if 4 < percent < 96:
        steps_of_5_percent = round(percent / 5)
        return steps_of_5_percent / 20
    return round(percent) / 100
