"""Hidden first hexes: which of a terrain's hexes was placed first, so that others stand round it.

A list of hexes is explained by one of its hexes, the *seed*, drawn from a part of the list; the
hexes beside it and those apart from it then have counts of their own. Which hex it is, is not
known: expectation maximisation gives the probability of each.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.colossus.board import HEX_COUNT
from randomizer.systems.colossus.learning.counts import SIZE, Floats, count_table, quick_chances
from randomizer.systems.colossus.learning.hex_masks import AROUND, Masks, size

_BITS = np.arange(HEX_COUNT, dtype=np.int32)
_AROUND = np.array(AROUND, np.int32)
ALWAYS = 0.995
"""From this share of maps on, a seed stands in all of them."""


@dataclass(frozen=True, eq=False)
class Seeds:
    """The seeds of n maps: ``maps`` and ``hexes`` (m) with their probabilities ``shares`` (m).

    In ``chance`` of the maps there is one. ``near`` and ``far`` are the chances of the hazards
    beside it and apart from it; ``bits`` is the length of all maps.
    """

    maps: NDArray[np.intp]
    hexes: NDArray[np.intp]
    shares: Floats
    chance: float
    near: tuple[float, ...]
    far: tuple[float, ...]
    bits: float

    def draw(self, dice: np.random.Generator, count: int) -> Masks:
        """Return the seed of each of ``count`` maps, drawn by its probability; or no hex."""
        seeds = np.zeros(count, np.int32)
        upto = np.cumsum(self.shares)
        starts = np.searchsorted(self.maps, np.arange(count))
        within = upto - np.concatenate(([0.0], upto))[starts][self.maps]
        chosen = np.flatnonzero(within >= dice.random(count)[self.maps])[::-1]
        # The first of a map's hexes is written last.
        seeds[self.maps[chosen]] = np.int32(1) << self.hexes[chosen].astype(np.int32)
        return seeds


def find_seeds(
    lists: Masks,
    hits: Masks,
    ground: Masks,
    levels: Masks,
    rounds: int,
    enough: int,
    *,
    alone: bool,
) -> Seeds | None:
    """Explain ``hits`` (n) of ``lists`` (n) by seeds on ``ground`` (n); None if not ``enough``.

    ``levels`` (e, n) are the hexes of each elevation; a seed can have other ones than the rest.
    Of a seed that is ``alone`` the others do not care how far they are: all of them are far.
    """
    count = len(hits)
    maps, hexes = np.nonzero((hits & ground)[:, None] >> _BITS & 1)
    if maps.size < enough:
        return None
    can = np.flatnonzero(ground)
    some, firsts = np.unique(maps, return_index=True)
    list_of = lists[maps]
    hits_of = hits[maps]
    if not alone:
        near = list_of & _AROUND[hexes]
    else:
        near = np.zeros_like(list_of)
    far = list_of & ~near & ~(np.int32(1) << hexes.astype(np.int32))
    near_hits = size(near & hits_of)
    near_key = near_hits.astype(np.intp) * SIZE + size(near)
    far_key = size(far & hits_of).astype(np.intp) * SIZE + size(far)
    none_key = size(hits).astype(np.intp) * SIZE + size(lists)
    choice = -np.log2(size(ground)[maps])
    level = np.argmax(levels[:, maps] >> hexes & 1, 0)
    of_level = np.array([int(size(hits & level).sum()) for level in levels], float)
    # Start: a seed is the likelier the more hexes around it are hit, and the rarer its elevation.
    shares = (0.25 + near_hits.astype(float) ** 2) / np.sqrt(of_level[level])
    shares /= np.bincount(maps, shares, count)[maps]
    with_seed = np.bincount(maps, shares, count)
    chance = float(with_seed[can].mean())
    always = chance > ALWAYS
    for _ in range(rounds):
        without_seed = np.bincount(none_key, 1.0 - with_seed, SIZE * SIZE)
        near_chances, sums = quick_chances(_histogram(near_key, shares))
        near_bits = count_table(sums).ravel()
        far_chances, sums = quick_chances(
            _histogram(far_key, shares) + without_seed.reshape(SIZE, SIZE)
        )
        far_bits = count_table(sums).ravel()
        seed_levels = np.bincount(level, shares, len(levels)).astype(float)
        other_bits = _level_bits(of_level - seed_levels)
        level_bits = _level_bits(seed_levels) - other_bits
        log = choice - near_bits[near_key] - far_bits[far_key] - level_bits[level]
        log += 0.0 if always else np.log2(chance)
        missing = -far_bits[none_key]
        missing[can] += -40.0 if always else np.log2(1 - chance)
        top = missing.copy()
        top[some] = np.maximum(top[some], np.maximum.reduceat(log, firsts))
        parts = np.exp2(log - top[maps])
        sums = np.bincount(maps, parts, count) + np.exp2(missing - top)
        bits = -float((np.log2(sums) + top).sum()) + float(of_level @ other_bits)
        shares = parts / sums[maps]
        with_seed = np.bincount(maps, shares, count)
        if not always:
            chance = float(np.clip(with_seed[can].mean(), 0.001, 0.999))
    chance = 1.0 if always else chance
    return Seeds(maps, hexes, shares, chance, near_chances, far_chances, bits)


def _histogram(keys: NDArray[np.intp], shares: Floats) -> Floats:
    return np.bincount(keys, shares, SIZE * SIZE).reshape(SIZE, SIZE).astype(float)


def _level_bits(numbers: Floats) -> Floats:
    """Bits of each elevation by how often each comes."""
    numbers = np.maximum(numbers, 1e-3)
    bits: Floats = -np.log2(numbers / numbers.sum())
    return bits
