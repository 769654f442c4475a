"""Hidden first hexes: which of a terrain's hexes was placed first, so that others stand round it.

``find_seeds`` is called by ``list_search`` for the split of a list by a seed. A list of hexes is
explained by one of its hexes, the *seed*, drawn from a part of the list; the hexes beside it
(*near*) and those apart from it (*far*) then have counts of their own. The maps do not tell which
hex it is. Expectation maximisation finds the probability of each candidate: the odds of the script
are fitted to the present probabilities (``odds_of``), these are worked out again from the odds
(``shares_by``), and so on.
"""

from __future__ import annotations

from dataclasses import dataclass

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
"""(27,): the set of neighbours of each hex."""

ALWAYS = 0.995
"""The share of maps with a seed from which on it is taken to be certain."""

RAREST = 0.001
"""The least chance of a seed that is not in all maps, and the least chance that a map has none.

At a chance of 0 or 1 the next rounds could not change it any more.
"""

_LOG_OF_NEVER = -40.0
"""Where a seed is certain, the logarithm of the chance that there is none.

It is finite, so that a map without a seed takes many bits, but not infinitely many.
"""


@dataclass(frozen=True, eq=False)
class Seeds:
    """The seeds of n maps as they explain the hits of a list: m candidates with probabilities."""

    maps: NDArray[np.intp]
    """(m,): the map of each candidate, ascending."""

    hexes: NDArray[np.intp]
    """(m,): the hex id of each candidate."""

    shares: Floats
    """(m,): the probability that this candidate is the seed of its map.

    Those of one map sum to the probability that it has a seed, which can be less than 1.
    """

    chance: float
    """The chance of a seed on the maps that have hexes for it; 1.0 if it is certain."""

    near: tuple[float, ...]
    """The chances of the hazards of the AREA for the neighbours of the seed."""

    far: tuple[float, ...]
    """The chances of the hazards of the AREA for the remaining hexes."""

    bits: float
    """The length of the description of all maps, by these chances and shares."""

    def draw(self, dice: np.random.Generator, count: int) -> Masks:
        """Draw the seed of each of ``count`` maps by its probability.

        Returns (count,) sets of one hex, or of none where the map has no seed.
        """
        # A candidate covers the part of [0, 1) between the sums of the shares of its map before it
        # and with it; the seed is the candidate whose part has the random number.
        sums = np.cumsum(self.shares)
        sums_before_candidate = np.concatenate(([0.0], sums))
        first_candidates = np.searchsorted(self.maps, np.arange(count))
        sums_in_map = sums - sums_before_candidate[first_candidates][self.maps]
        is_above = sums_in_map >= dice.random(count)[self.maps]
        # The seed is the first one above; in reverse order it is the last one to be written.
        candidates = np.flatnonzero(is_above)[::-1]
        seeds = np.zeros(count, np.int32)
        seeds[self.maps[candidates]] = single_hexes(self.hexes[candidates])
        return seeds


def find_seeds(
    lists: Masks,
    hits: Masks,
    seed_lists: Masks,
    levels: Masks,
    rounds: int,
    fewest_candidates: int,
    *,
    alone: bool,
) -> Seeds | None:
    """Explain ``hits`` (n,), which are hexes of ``lists`` (n,), by a seed on each map.

    A seed is a hit of ``seed_lists`` (n,); it can have another elevation than the other hits:
    ``levels`` (e, n) are the hexes of each elevation. With ``alone`` the other hits do not depend
    on where the seed is: all of them are far. More ``rounds`` come closer to the best explanation.
    Returns None if there are fewer than ``fewest_candidates`` hits that can be seeds.
    """
    maps, hexes = np.nonzero(flags_of(hits & seed_lists))
    if maps.size < fewest_candidates:
        return None
    candidates = _candidates(
        maps=maps,
        hexes=hexes,
        lists=lists,
        hits=hits,
        seed_lists=seed_lists,
        levels=levels,
        alone=alone,
    )

    # Begin with a guess of the shares; each round fits the odds to them, and them to the odds.
    shares = candidates.first_shares()
    chance = candidates.chance_of_seed(shares)
    if chance > ALWAYS:
        chance = 1.0
    for _ in range(rounds):
        odds = candidates.odds_of(shares)
        shares, bits = candidates.shares_by(odds, chance)
        if chance < 1.0:
            chance = min(max(candidates.chance_of_seed(shares), RAREST), 1 - RAREST)
    return Seeds(maps, hexes, shares, chance, odds.near, odds.far, bits)


@dataclass(frozen=True, eq=False)
class _Odds:
    """The odds of the script, fitted to the shares of the candidates (the maximisation step).

    The bits of counts are (28 * 28,), by ``count_keys``.
    """

    near: tuple[float, ...]
    near_bits: Floats
    far: tuple[float, ...]
    far_bits: Floats
    seed_level_bits: Floats
    """(e,): the bits of each elevation of a seed."""
    level_bits: Floats
    """(e,): the bits of each elevation of another hit."""


@dataclass(frozen=True, eq=False)
class _Candidates:
    """The m hits on n maps that can be seeds, and how each divides the list of its map.

    The counts of hits in parts of a list are kept as one number each (``count_keys``).
    """

    maps: NDArray[np.intp]
    """(m,): the map of each candidate, ascending."""

    maps_with_candidates: NDArray[np.intp]
    first_candidates: NDArray[np.intp]
    """The first candidate of each of ``maps_with_candidates``."""

    maps_with_seed_list: NDArray[np.intp]
    """The maps on which the list of seeds has hexes, hit or not."""

    hits_near: NDArray[np.int8]
    """(m,): the number of hits beside the candidate."""

    near_keys: NDArray[np.intp]
    """(m,): the count beside the candidate."""

    far_keys: NDArray[np.intp]
    """(m,): the count of the remaining hexes, the candidate itself left out."""

    keys_without_seed: NDArray[np.intp]
    """(n,): the count of the whole list, which is all far if the map has no seed."""

    logs_of_draw: Floats
    """(m,): the logarithm of the chance that the seed is drawn on just this hex of the list."""

    levels: NDArray[np.intp]
    """(m,): the elevation of each candidate, as an index of ``hits_of_levels``."""

    hits_of_levels: Floats
    """(e,): the number of hits of each elevation on all maps."""

    def first_shares(self) -> Floats:
        """Guess the shares for the first round; those of each map sum to 1.

        A seed is the likelier the more hits are beside it, and the rarer its elevation is.
        """
        # The small summand leaves a candidate without any hit beside it in the race.
        weights = 0.25 + self.hits_near.astype(float) ** 2
        weights /= np.sqrt(self.hits_of_levels[self.levels])
        weights /= np.bincount(self.maps, weights, self._map_count)[self.maps]
        return weights

    def chance_of_seed(self, shares: Floats) -> float:
        """Return the share of the maps with a seed among those that have hexes for it."""
        return float(self._seeds_of_maps(shares)[self.maps_with_seed_list].mean())

    def odds_of(self, shares: Floats) -> _Odds:
        """Return the odds that explain the maps best if the seeds are shared out like this."""
        near = quick_chances(histogram_of_keys(self.near_keys, shares))
        # On a map without a seed all hexes are far.
        seedless_shares = 1.0 - self._seeds_of_maps(shares)
        far_histogram = histogram_of_keys(self.far_keys, shares)
        far_histogram += histogram_of_keys(self.keys_without_seed, seedless_shares)
        far = quick_chances(far_histogram)
        level_count = len(self.hits_of_levels)
        seeds_of_levels = np.bincount(self.levels, shares, level_count).astype(float)
        return _Odds(
            near=near.chances,
            near_bits=bits_of_counts(near.chances_of_sum).ravel(),
            far=far.chances,
            far_bits=bits_of_counts(far.chances_of_sum).ravel(),
            seed_level_bits=_level_bits(seeds_of_levels),
            level_bits=_level_bits(self.hits_of_levels - seeds_of_levels),
        )

    def shares_by(self, odds: _Odds, chance: float) -> tuple[Floats, float]:
        """Return the shares (m,) of the candidates by these odds, and the bits of all maps.

        This is the expectation step: the probability of a map is summed over all its candidates
        and over the case that it has no seed, and each candidate gets its part of the sum.
        """
        # The logarithm of the probability of a map, if the seed is this candidate, (m,): that of
        # the draw, of the hits near and far, and of its elevation. All hits are counted at the end
        # as hits that are no seeds; here is only what a seed takes more.
        extra_level_bits = odds.seed_level_bits - odds.level_bits
        logs = (
            self.logs_of_draw
            - odds.near_bits[self.near_keys]
            - odds.far_bits[self.far_keys]
            - extra_level_bits[self.levels]
        )

        # The same if the map has no seed, (n,).
        logs_without_seed = -odds.far_bits[self.keys_without_seed]
        if chance == 1.0:
            logs_without_seed[self.maps_with_seed_list] += _LOG_OF_NEVER
        else:
            logs += np.log2(chance)
            logs_without_seed[self.maps_with_seed_list] += np.log2(1 - chance)

        # Bayes: the share of a candidate is its part of the sum over all cases of its map. The
        # greatest logarithm of each map is subtracted first, so that no power becomes 0.
        greatest = logs_without_seed.copy()
        greatest_of_candidates = np.maximum.reduceat(logs, self.first_candidates)
        greatest[self.maps_with_candidates] = np.maximum(
            greatest[self.maps_with_candidates], greatest_of_candidates
        )
        parts = np.exp2(logs - greatest[self.maps])
        sums = np.bincount(self.maps, parts, self._map_count)
        sums += np.exp2(logs_without_seed - greatest)
        shares = parts / sums[self.maps]
        bits_of_levels = float(self.hits_of_levels @ odds.level_bits)
        bits = -float((np.log2(sums) + greatest).sum()) + bits_of_levels
        return shares, bits

    @property
    def _map_count(self) -> int:
        """The number of maps, n."""
        return len(self.keys_without_seed)

    def _seeds_of_maps(self, shares: Floats) -> Floats:
        """Return (n,): the probability that each map has a seed."""
        return np.bincount(self.maps, shares, self._map_count).astype(float)


def _candidates(
    *,
    maps: NDArray[np.intp],
    hexes: NDArray[np.intp],
    lists: Masks,
    hits: Masks,
    seed_lists: Masks,
    levels: Masks,
    alone: bool,
) -> _Candidates:
    """Return the candidates on these ``hexes`` (m,) of these ``maps`` (m,).

    The further arguments are those of ``find_seeds``.
    """
    maps_with_candidates, first_candidates = np.unique(maps, return_index=True)

    # The list of each candidate's map, divided into what is near and what is far, (m,) each.
    list_of_map = lists[maps]
    hits_of_map = hits[maps]
    if alone:
        near = np.zeros_like(list_of_map)
    else:
        near = list_of_map & _AROUND[hexes]
    far = list_of_map & ~near & ~single_hexes(hexes)

    hits_near = size(near & hits_of_map)
    hits_of_levels = [int(size(hits & level).sum()) for level in levels]
    return _Candidates(
        maps=maps,
        maps_with_candidates=maps_with_candidates,
        first_candidates=first_candidates,
        maps_with_seed_list=np.flatnonzero(seed_lists),
        hits_near=hits_near,
        near_keys=count_keys(hits_near, size(near)),
        far_keys=count_keys(size(far & hits_of_map), size(far)),
        keys_without_seed=count_keys(size(hits), size(lists)),
        logs_of_draw=-np.log2(size(seed_lists)[maps]),
        levels=np.argmax(levels[:, maps] >> hexes & 1, 0),
        hits_of_levels=np.array(hits_of_levels, float),
    )


def _level_bits(numbers: Floats) -> Floats:
    """Return the bits of naming each elevation, (e,), where they come ``numbers`` (e,) times."""
    numbers = np.maximum(numbers, 1e-3)  # an elevation that never comes takes many bits
    bits: Floats = -np.log2(numbers / numbers.sum())
    return bits
