"""Finds the hidden first hex of each map, around which the other hexes of a terrain were placed.

A script can place one hex first and others beside it. Here it placed a first bog, 1, then with a
high chance bogs on the hexes beside it, and with a low chance one anywhere else::

       .   B   B   .
         .   1   B   .           B and 1: bogs
       .   .   B   .             1: the first one, which looks like all others on a given map
         .   .   .   B

Learning a script is easy once the first hex is known, but the maps do not show which one it was.
``find_seeds`` finds how probable each hex is. The words of this module:

- the *list* of a map is the set of hexes on which the terrain may be placed, and a *hit* is a hex
  of it that has the terrain;
- the *seed* is the hit that was placed first; a map has one at most;
- a *candidate* is a hit that can be the seed, since it is also a hex of the *seed list*, on which
  the script places the seed;
- the other hexes of a list are *near* (beside the seed) or *far*. The script has an AREA for each
  of both, with *hazards*: each comes with its own chance, and then makes one hex a hit.

The algorithm is expectation maximisation. From the present probabilities of the candidates it
computes the chances of a script that fits them best; by these chances it computes how probable each
candidate is; and so on, round by round.

A set of hexes is a bit mask (``hex_masks``), so that the lists of n maps are an array (n,). Lengths
are in bits: the fewer bits describe the maps, the better a script explains them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.colossus.learning.counts import (
    Floats,
    bits_of_counts,
    count_keys,
    histogram_of_keys,
    quick_chances,
)
from randomizer.systems.colossus.learning.hex_masks import (
    AROUND,
    Masks,
    flags_of,
    single_hexes,
    size,
)

_AROUND = np.array(AROUND, np.int32)
"""(27,): by hex id, the set of the hexes beside it."""

_CERTAIN_FROM = 0.995
"""The share of maps with a candidate from which on every map is taken to have a seed.

If it is larger, a few maps without a candidate are enough for a script with a chance of the seed.
"""

_MIN_CHANCE = 0.001
"""The least chance of a seed that is not certain, and the least chance that a map has none.

At a chance of 0 or 1 the next rounds could not change it any more.
"""

_LOG2_OF_IMPOSSIBLE = -40.0
"""The logarithm of the chance that a map has no seed, where a seed is certain.

It is finite, so that a map without a candidate takes many bits, but not infinitely many.
"""

_WEIGHT_WITHOUT_NEIGHBOURS = 0.25
"""The first weight of a candidate with no hit beside it; with k hits beside it this is added to k².

If it is larger, candidates with few hits beside them are more probable in the first round.
"""

_MIN_HITS = 1e-3
"""The number of hits of an elevation that has none: it takes many bits, but not infinitely many."""


class OtherHits(Enum):
    """The placing of those hits of a list that are not the seed."""

    NEAR_AND_FAR = auto()
    """By two AREAs: one for the hexes beside the seed, and one for the remaining hexes."""

    ANYWHERE = auto()
    """By one AREA, which does not depend on the seed: all remaining hexes count as far."""


@dataclass(frozen=True, eq=False)
class SeededLists:
    """What n maps show of a list of hexes that is to be explained by a seed."""

    lists: Masks
    """(n,): the hexes on which the terrain may be placed."""

    hits: Masks
    """(n,): those that have the terrain."""

    seed_lists: Masks
    """(n,): the hexes on which the seed may be placed."""

    elevation_masks: Masks
    """(e, n): the hexes of the terrain at each of its e elevations.

    The script has odds for the elevation of the seed, and other odds for that of the other hits.
    """

    other_hits: OtherHits


@dataclass(frozen=True, eq=False)
class Seeds:
    """The probable seeds of n maps: m candidates, and the chances of the script they belong to."""

    maps: NDArray[np.intp]
    """(m,): the map of each candidate, ascending."""

    hexes: NDArray[np.intp]
    """(m,): the hex id of each candidate."""

    probabilities: Floats
    """(m,): how probable it is that this candidate is the seed of its map.

    Those of one map sum to the probability that it has a seed, which can be less than 1.
    """

    chance: float
    """The chance that a seed is placed, on maps whose seed list has hexes; 1.0 if it is certain."""

    near_chances: tuple[float, ...]
    """The chances of the hazards near the seed; none for ``OtherHits.ANYWHERE``."""

    far_chances: tuple[float, ...]
    """The chances of the hazards on the far hexes."""

    bits: float
    """The bits that describe the hits of all maps by these chances and probabilities."""

    def draw(self, dice: np.random.Generator, count: int) -> Masks:
        """Draw the seed of each of ``count`` maps by the probabilities of its candidates.

        Returns (count,) sets of one hex, or of none where the map has no seed.
        """
        # The candidates of a map lie side by side on the line from 0 to 1, each as wide as its
        # probability: with 0.5, 0.3 and 0.1 they end at 0.5, 0.8 and 0.9. The seed is the one that
        # a random number falls on, which is the first one that ends at or behind the number.
        sums = np.cumsum(self.probabilities)
        sums_before_candidate = np.concatenate(([0.0], sums))
        first_candidates = np.searchsorted(self.maps, np.arange(count))
        ends = sums - sums_before_candidate[first_candidates][self.maps]
        is_behind = ends >= dice.random(count)[self.maps]
        # Backwards, so that of the candidates behind the number the first one stays.
        candidates = np.flatnonzero(is_behind)[::-1]
        seeds = np.zeros(count, np.int32)
        seeds[self.maps[candidates]] = single_hexes(self.hexes[candidates])
        return seeds


def find_seeds(lists: SeededLists, *, rounds: int, fewest_candidates: int) -> Seeds | None:
    """Return how probable each candidate for the seed is, and the chances of the script.

    With more ``rounds`` (at least 1) the result comes closer to the best explanation of the hits.
    Returns None if all maps together have fewer than ``fewest_candidates`` candidates.
    """
    maps, hexes = np.nonzero(flags_of(lists.hits & lists.seed_lists))
    if maps.size < fewest_candidates:
        return None
    candidates = _candidates_on(maps, hexes, lists)
    probabilities = candidates.first_guess()
    chance = candidates.share_of_maps_with_seed(probabilities)
    if chance > _CERTAIN_FROM:
        chance = 1.0
    seeds = candidates.improved_seeds(probabilities, chance)
    for _ in range(rounds - 1):
        seeds = candidates.improved_seeds(seeds.probabilities, seeds.chance)
    return seeds


@dataclass(frozen=True, eq=False)
class _FittedScript:
    """The chances of the script that fits the present probabilities of the candidates best."""

    near_chances: tuple[float, ...]
    """The chances of the hazards near the seed."""

    near_bits: Floats
    """(28 * 28,): the bits of each number of hits among the near hexes, by ``count_keys``."""

    far_chances: tuple[float, ...]
    """The chances of the hazards on the far hexes."""

    far_bits: Floats
    """(28 * 28,): the bits of each number of hits among the far hexes, by ``count_keys``."""

    seed_elevation_bits: Floats
    """(e,): the bits that tell that a seed has this elevation."""

    elevation_bits: Floats
    """(e,): the bits that tell that another hit has this elevation."""


@dataclass(frozen=True, eq=False)
class _Candidates:
    """The m hits on n maps that can be the seed, and how each divides the list of its map.

    A *count key* is the number of hits in a part of a list and the number of hexes of this part, as
    one index of a table of all such pairs (``count_keys``).
    """

    # By candidate, (m,) each: item i of all of them belongs to candidate i.

    maps: NDArray[np.intp]
    """The map of each candidate, ascending."""

    hexes: NDArray[np.intp]
    """Its hex id."""

    elevations: NDArray[np.intp]
    """Its elevation, as an index from 0 to e - 1."""

    logs_of_place: Floats
    """The logarithm of the chance that a seed comes on this hex of all in the seed list."""

    near_hit_counts: NDArray[np.int8]
    """The number of hits near the candidate."""

    near_keys: NDArray[np.intp]
    """The count key of the hexes near the candidate."""

    far_keys: NDArray[np.intp]
    """The count key of the far hexes, without the candidate itself."""

    # By map, whether it has candidates or not.

    keys_without_seed: NDArray[np.intp]
    """(n,): the count key of the whole list of a map, which is far if the map has no seed."""

    maps_with_seed_list: NDArray[np.intp]
    """The maps whose seed list has hexes, with or without candidates among them."""

    # By map with candidates.

    maps_with_candidates: NDArray[np.intp]
    """These maps, ascending."""

    first_candidates: NDArray[np.intp]
    """The index of the first candidate of each of them; the others of the map follow it."""

    # By elevation.

    hits_of_elevations: Floats
    """(e,): the number of hits of each elevation, candidates or not, on all maps."""

    def first_guess(self) -> Floats:
        """Return probabilities (m,) to begin with; those of each map sum to 1.

        A candidate is more probable the more hits are near it, and the rarer its elevation is.
        """
        weights = _WEIGHT_WITHOUT_NEIGHBOURS + self.near_hit_counts.astype(float) ** 2
        weights /= np.sqrt(self.hits_of_elevations[self.elevations])
        weights /= np.bincount(self.maps, weights, self._map_count)[self.maps]
        return weights

    def share_of_maps_with_seed(self, probabilities: Floats) -> float:
        """Return the share of maps that have a seed, among those whose seed list has hexes."""
        return float(self._seeds_of_maps(probabilities)[self.maps_with_seed_list].mean())

    def improved_seeds(self, probabilities: Floats, chance: float) -> Seeds:
        """Return the seeds after one round of expectation maximisation.

        ``probabilities`` (m,) and the ``chance`` of a seed are those of the round before. A certain
        seed stays certain.
        """
        script = self._fitted_script(probabilities)
        improved_probabilities, bits = self._probabilities_by(script, chance)
        improved_chance = chance
        if chance < 1.0:
            improved_chance = self.share_of_maps_with_seed(improved_probabilities)
            improved_chance = min(max(improved_chance, _MIN_CHANCE), 1 - _MIN_CHANCE)
        return Seeds(
            maps=self.maps,
            hexes=self.hexes,
            probabilities=improved_probabilities,
            chance=improved_chance,
            near_chances=script.near_chances,
            far_chances=script.far_chances,
            bits=bits,
        )

    def _fitted_script(self, probabilities: Floats) -> _FittedScript:
        """Return the script that fits these probabilities (m,) best: the maximisation step.

        Each candidate counts as a seed with the weight of its probability.
        """
        near = quick_chances(histogram_of_keys(self.near_keys, probabilities))

        # On a map without a seed all hexes are far.
        seedless_probabilities = 1.0 - self._seeds_of_maps(probabilities)
        far_histogram = histogram_of_keys(self.far_keys, probabilities)
        far_histogram += histogram_of_keys(self.keys_without_seed, seedless_probabilities)
        far = quick_chances(far_histogram)

        elevation_count = len(self.hits_of_elevations)
        seeds_of_elevations: Floats = np.bincount(
            self.elevations, probabilities, elevation_count
        ).astype(float)
        others_of_elevations = self.hits_of_elevations - seeds_of_elevations
        return _FittedScript(
            near_chances=near.chances,
            near_bits=bits_of_counts(near.chances_of_arrivals).ravel(),
            far_chances=far.chances,
            far_bits=bits_of_counts(far.chances_of_arrivals).ravel(),
            seed_elevation_bits=_bits_of_elevations(seeds_of_elevations),
            elevation_bits=_bits_of_elevations(others_of_elevations),
        )

    def _probabilities_by(self, script: _FittedScript, chance: float) -> tuple[Floats, float]:
        """Return the probability (m,) of each candidate, and the bits that describe all maps.

        This is the expectation step. A map has several explanations: each of its candidates is the
        seed, or it has no seed. How probable the map is by the script, is the sum over them.
        """
        logs = self._logs_with_seed(script, chance)
        logs_without_seed = self._logs_without_seed(script, chance)

        # The sum over all explanations of each map, (n,). Their logarithms are first reduced by the
        # greatest of the map, as 2 to the power of a very negative number would be rounded to 0.
        greatest = logs_without_seed.copy()
        greatest_of_candidates = np.maximum.reduceat(logs, self.first_candidates)
        greatest[self.maps_with_candidates] = np.maximum(
            greatest[self.maps_with_candidates], greatest_of_candidates
        )
        weights = np.exp2(logs - greatest[self.maps])
        sums = np.bincount(self.maps, weights, self._map_count)
        sums += np.exp2(logs_without_seed - greatest)

        # Bayes: the probability of a candidate is its part of the sum.
        probabilities = weights / sums[self.maps]
        bits_of_elevations = float(self.hits_of_elevations @ script.elevation_bits)
        bits = -float((np.log2(sums) + greatest).sum()) + bits_of_elevations
        return probabilities, bits

    def _logs_with_seed(self, script: _FittedScript, chance: float) -> Floats:
        """Return (m,): how probable a map is together with this candidate as its seed.

        It is the logarithm of a product: of the chances of a seed, of its place, of the hits near
        and far from it, and of its elevation.
        """
        # The elevations of all hits, seeds too, are added for all maps at once, as those of other
        # hits; so a seed adds only the difference here.
        extra_elevation_bits = script.seed_elevation_bits - script.elevation_bits
        logs: Floats = (
            self.logs_of_place
            - script.near_bits[self.near_keys]
            - script.far_bits[self.far_keys]
            - extra_elevation_bits[self.elevations]
        )
        logs += np.log2(chance)
        return logs

    def _logs_without_seed(self, script: _FittedScript, chance: float) -> Floats:
        """Return (n,): the logarithm of how probable a map is together with no seed on it."""
        logs: Floats = -script.far_bits[self.keys_without_seed]
        # Where the seed list has no hexes there cannot be a seed, so its absence takes no bits.
        log_of_no_seed = _LOG2_OF_IMPOSSIBLE
        if chance < 1.0:
            log_of_no_seed = np.log2(1 - chance)
        logs[self.maps_with_seed_list] += log_of_no_seed
        return logs

    @property
    def _map_count(self) -> int:
        """The number of maps, n."""
        return len(self.keys_without_seed)

    def _seeds_of_maps(self, probabilities: Floats) -> Floats:
        """Return (n,): the probability that each map has a seed."""
        return np.bincount(self.maps, probabilities, self._map_count).astype(float)


def _candidates_on(
    maps: NDArray[np.intp], hexes: NDArray[np.intp], lists: SeededLists
) -> _Candidates:
    """Return the candidates on these hexes (m,) of these maps (m,), which are ascending."""
    maps_with_candidates, first_candidates = np.unique(maps, return_index=True)

    # The list of each candidate's map, divided into near and far hexes, (m,) each.
    list_of_map = lists.lists[maps]
    hits_of_map = lists.hits[maps]
    if lists.other_hits is OtherHits.NEAR_AND_FAR:
        near = list_of_map & _AROUND[hexes]
    else:
        near = np.zeros_like(list_of_map)
    far = list_of_map & ~near & ~single_hexes(hexes)
    near_hit_counts = size(near & hits_of_map)
    far_hit_counts = size(far & hits_of_map)

    # Each candidate is in the mask of just one elevation, where this table (e, m) has a 1.
    is_of_elevation = lists.elevation_masks[:, maps] >> hexes & 1
    hits_of_elevations = [int(size(lists.hits & mask).sum()) for mask in lists.elevation_masks]
    return _Candidates(
        maps=maps,
        hexes=hexes,
        maps_with_candidates=maps_with_candidates,
        first_candidates=first_candidates,
        maps_with_seed_list=np.flatnonzero(lists.seed_lists),
        near_hit_counts=near_hit_counts,
        near_keys=count_keys(near_hit_counts, size(near)),
        far_keys=count_keys(far_hit_counts, size(far)),
        keys_without_seed=count_keys(size(lists.hits), size(lists.lists)),
        logs_of_place=-np.log2(size(lists.seed_lists)[maps]),
        elevations=np.argmax(is_of_elevation, 0),
        hits_of_elevations=np.array(hits_of_elevations, float),
    )


def _bits_of_elevations(hits: Floats) -> Floats:
    """Return the bits (e,) that tell each elevation of a hit, where ``hits`` (e,) have it."""
    numbers = np.maximum(hits, _MIN_HITS)
    bits: Floats = -np.log2(numbers / numbers.sum())
    return bits
