"""The splits of a leaf of a layer by a *seed*, with the bits that each of them saves.

A seed is a hidden first hex, around which the other hexes of a group were placed (seeds.py). A
``SeedSplit`` replaces a leaf by up to three AREAs::

    the seed             1 hazard on some list, for instance (inside)
    the hexes near it    several hazards on those of the leaf's list that are beside the seed
    the hexes far away   other hazards on the rest of the leaf's list

Which hexes are near is not known before the seed of each map is drawn, so the bits are those of the
most probable seeds. The words are those of leaves.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import NamedTuple

from randomizer.systems.colossus.learning.leaves import Leaf, LeafMeasure, SearchOptions
from randomizer.systems.colossus.learning.list_divisions import (
    NAMED_REGIONS,
    dividing_regions,
    near_and_apart,
    references,
)
from randomizer.systems.colossus.learning.pieces import AreaList, Ref
from randomizer.systems.colossus.learning.script_lengths import HAZARD_BITS
from randomizer.systems.colossus.learning.seeds import OtherHits, SeededLists, Seeds, find_seeds

SEED_ROUNDS = 6
"""Rounds of expectation maximisation for the best seeds; more find them better and take longer."""

BEST_SEEDS = 6
"""So many lists for a seed are looked at with all rounds; the others only with one.

With more the search takes longer, and fewer seeds are missed that look bad after one round.
"""


class ListsWithoutSeed(NamedTuple):
    """The lists of the hexes of a leaf that are not the seed."""

    near: AreaList | None
    """Those beside the seed; None if they are not told apart, as with ``OtherHits.ANYWHERE``."""

    far: AreaList
    """All others."""

    def all(self) -> tuple[AreaList, ...]:
        """Return both lists, or the only one."""
        if self.near is None:
            return (self.far,)
        return self.near, self.far


class SeedList(NamedTuple):
    """A list of hexes that is tried for the seed of a leaf."""

    area_list: AreaList

    other_hits: OtherHits
    """Whether the hexes near the seed become a leaf of their own."""

    def lists_without_seed(self, area_list: AreaList, seed_number: int) -> ListsWithoutSeed:
        """Return how the seed divides the list of the leaf.

        ``seed_number`` is the number of the seed as a piece.
        """
        if self.other_hits is OtherHits.ANYWHERE:
            return ListsWithoutSeed(None, area_list)
        seed = Ref((seed_number,))
        near = replace(area_list, near=(*area_list.near, seed))
        far = replace(area_list, apart=(*area_list.apart, seed))
        return ListsWithoutSeed(near, far)


@dataclass(frozen=True, eq=False)
class SeedSplit:
    """A way to replace a leaf: by a piece for the seed, and leaves for the other hexes."""

    bits_saved: float
    """The bits that it saves on all maps together, after those of the longer script."""

    data_bits_saved: float
    """The bits that it saves in the description of the maps alone."""

    seed_list: SeedList
    """The list that the seed is placed on."""

    seeds: Seeds
    """The probable seeds of each map."""


def seed_splits(
    leaf: Leaf, measure: LeafMeasure, options: SearchOptions, first_of_layer: int
) -> Iterator[SeedSplit]:
    """Yield the best splits of a leaf by a seed; ``first_of_layer`` is as in ``references``."""
    # All lists for the seed are tried with one round, and the best of them again with all rounds.
    quick_splits = []
    for seed_list in _seed_lists(leaf, measure, options, first_of_layer):
        split = _seed_split(leaf, seed_list, measure, options, rounds=1)
        if split is not None:
            quick_splits.append(split)
    quick_splits.sort(key=attrgetter("bits_saved"), reverse=True)  # of equals the first stays first
    for quick_split in quick_splits[:BEST_SEEDS]:
        split = _seed_split(leaf, quick_split.seed_list, measure, options, SEED_ROUNDS)
        if split is not None:
            yield split


def _seed_lists(
    leaf: Leaf, measure: LeafMeasure, options: SearchOptions, first_of_layer: int
) -> list[SeedList]:
    """Return the lists that are tried for the seed of a leaf: parts of its own list."""
    area_list = leaf.area_list
    tried_regions: Iterable[int] = NAMED_REGIONS
    if options.thorough:
        tried_regions = dividing_regions(leaf)
    regions = {area_list.region: None}  # a dict as a set that keeps the order
    for region in tried_regions:
        regions[region & area_list.region] = None
        regions[area_list.region & ~region] = None
    parts = [replace(area_list, region=region) for region in regions if region]
    seed_lists = [SeedList(part, OtherHits.NEAR_AND_FAR) for part in parts]
    if options.thorough:
        # A seed alone, which the other hits do not depend on, can be on such a part, or near what
        # was placed before.
        lists_of_lone_seeds = [part for part in parts if part != area_list]
        refs = references(measure.layout, first_of_layer)
        for division in near_and_apart(area_list, refs):
            lists_of_lone_seeds += division
        seed_lists += [SeedList(part, OtherHits.ANYWHERE) for part in lists_of_lone_seeds]
    return seed_lists


def _seed_split(
    leaf: Leaf, seed_list: SeedList, measure: LeafMeasure, options: SearchOptions, rounds: int
) -> SeedSplit | None:
    """Return the split of a leaf by a seed; None if there are too few hits that can be the seed."""
    (hexes,) = leaf.hexes  # of the only region
    (hits,) = leaf.hits
    (seed_hexes,) = measure.layout.hexes_in(seed_list.area_list)
    lists = SeededLists(
        lists=hexes,
        hits=hits,
        seed_lists=seed_hexes,
        elevation_masks=measure.elevation_masks,
        other_hits=seed_list.other_hits,
    )
    # At least two hits, each on all copies of its map.
    fewest_candidates = 2 * options.copies
    seeds = find_seeds(lists, rounds=rounds, fewest_candidates=fewest_candidates)
    if seeds is None:
        return None
    text_bits = _text_bits(leaf, seed_list, seeds, measure)
    data_bits_saved = leaf.bits.data - seeds.bits / options.copies
    bits_saved = data_bits_saved - options.caution * (text_bits - leaf.bits.text)
    return SeedSplit(bits_saved, data_bits_saved, seed_list, seeds)


def _text_bits(leaf: Leaf, seed_list: SeedList, seeds: Seeds, measure: LeafMeasure) -> float:
    """Return the length of the AREAs in the script that replace a leaf by a seed.

    There is one for the seed, and one each for the near and the far hexes if these get any hazards.
    """
    lengths = measure.lengths
    bits = lengths.area_bits(seed_list.area_list) + HAZARD_BITS
    if seeds.chance < 1:
        bits += lengths.chance_bits  # of the seed's hazard
    if measure.has_elevations:
        bits += lengths.chance_bits  # for the elevation of the seed

    # The seed will be the next piece; but the length of a list does not depend on its number.
    lists = seed_list.lists_without_seed(leaf.area_list, len(measure.layout.used))
    if lists.near is not None and seeds.near_chances:
        bits += lengths.area_bits(lists.near) + lengths.hazard_bits(seeds.near_chances)
    if seeds.far_chances:
        bits += lengths.area_bits(lists.far) + lengths.hazard_bits(seeds.far_chances)
    return bits
