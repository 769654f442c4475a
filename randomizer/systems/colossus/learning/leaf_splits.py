"""The ways to split a leaf of a layer, with the bits that each of them saves.

A leaf (list_search.py) is split into the leaves of several lists, a ``ListSplit``. Or a
``SeedSplit`` places a *seed* first, a hidden first hex around which the others stand::

    finder = SplitFinder(measure, options)
    split = finder.best_split(leaf)                  # None if none saves anything
    split.saved                                      # 12.7, in bits
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from randomizer.systems.colossus.learning.leaf_bits import LeafMeasure
from randomizer.systems.colossus.learning.list_divisions import (
    NAMED_REGIONS,
    Leaf,
    dividing_regions,
    inside_and_outside,
    near_and_apart,
    on_each_piece,
    thirds,
)
from randomizer.systems.colossus.learning.pieces import AreaList, PieceNumbers, Ref
from randomizer.systems.colossus.learning.script_lengths import HAZARD_BITS, STATEMENT_BITS
from randomizer.systems.colossus.learning.seeds import OtherHits, SeededLists, Seeds, find_seeds

SEED_ROUNDS = 6
"""Rounds of expectation maximisation for the best seeds; more find them better and take longer."""

BEST_SEEDS = 6
"""So many lists for a seed are looked at with all rounds; the others only with one.

With more the search takes longer, and fewer seeds are missed that look bad after one round.
"""


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """The options of a search for a layer."""

    copies: int
    """How often each map is among the maps, since drawn seeds differ in its copies.

    Each copy counts ``1 / copies`` of a map.
    """

    caution: float
    """The weight of the script's length: 1 is the usual one, more gives fewer lines."""

    thorough: bool = True
    """Whether all lists are tried for seeds; if not, only those with a name in the language."""


@dataclass(frozen=True, eq=False)
class ListSplit:
    """A way to replace a leaf: by a leaf for each of several lists."""

    saved: float
    """The bits that it saves, after those of the longer script."""

    data_saved: float
    """The bits that it saves in the description of the maps."""

    area_lists: tuple[AreaList, ...]
    """The lists of the new leaves."""


class SeedList(NamedTuple):
    """A list of hexes that is tried for the seed of a leaf."""

    area_list: AreaList

    other_hits: OtherHits
    """Whether the hexes near the seed become a leaf of their own."""

    def lists_without_seed(self, area_list: AreaList, seed_number: int) -> tuple[AreaList, ...]:
        """Return the lists of the hexes of ``area_list`` that are not the seed.

        These are the hexes near the seed, then those apart from it; all in one list if the other
        hits are anywhere. ``seed_number`` is the number of the seed as a piece.
        """
        if self.other_hits is OtherHits.ANYWHERE:
            return (area_list,)
        seed = Ref((seed_number,))
        near = replace(area_list, near=(*area_list.near, seed))
        apart = replace(area_list, apart=(*area_list.apart, seed))
        return near, apart


@dataclass(frozen=True, eq=False)
class SeedSplit:
    """A way to replace a leaf: by a piece for the seed, and leaves for the other hexes."""

    saved: float
    """The bits that it saves, after those of the longer script."""

    data_saved: float
    """The bits that it saves in the description of the maps."""

    seed_list: SeedList
    """The list that the seed is placed on."""

    seeds: Seeds
    """The probable seeds of each map."""


Split = ListSplit | SeedSplit


class SplitFinder:
    """Finds the splits of the leaves of one layer."""

    def __init__(self, measure: LeafMeasure, options: SearchOptions) -> None:
        self._measure = measure
        self._options = options
        self._layout = measure.layout
        """What is used up so far, by pieces of this layer as well."""
        self._first_number = len(self._layout.used)
        """The number that the first piece of this layer gets."""

    def best_split(self, leaf: Leaf) -> Split | None:
        """Return the split of a leaf that saves most, None if none saves anything."""
        return best_of(self._splits(leaf))

    def splits_by_piece(self, leaf: Leaf, number: int) -> list[ListSplit]:
        """Return the splits of a leaf that a piece has made possible since it was placed.

        ``number`` is that of the piece, the last one so far.
        """
        divisions = near_and_apart(leaf.area_list, self._refs_with(number))
        return [self._list_split(leaf, area_lists) for area_lists in divisions]

    def _splits(self, leaf: Leaf) -> Iterator[Split]:
        """Yield all splits of a leaf that are tried."""
        area_list = leaf.area_list
        # Three symmetric parts are not split further: they would not be alike any more. And no
        # split pays that saves less than its first statement takes.
        if area_list.further or leaf.data_bits < self._options.caution * STATEMENT_BITS:
            return
        for area_lists in (
            *inside_and_outside(leaf),
            *thirds(area_list),
            *near_and_apart(area_list, self._refs()),
            *on_each_piece(area_list),
        ):
            yield self._list_split(leaf, area_lists)
        if not area_list.on:
            yield from self._seed_splits(leaf)

    # --- splits into lists ---

    def _list_split(self, leaf: Leaf, area_lists: tuple[AreaList, ...]) -> ListSplit:
        """Return the split of the leaf into these lists, with what it saves."""
        data_bits = 0.0
        text_bits = 0.0
        for area_list in area_lists:
            bits = self._measure.bits_of(area_list)
            data_bits += bits.data
            text_bits += bits.text
        data_saved = leaf.data_bits - data_bits
        saved = data_saved - self._options.caution * (text_bits - leaf.text_bits)
        return ListSplit(saved, data_saved, area_lists)

    def _refs(self) -> Iterator[Ref]:
        """Yield what a list may be near or apart from: pieces, whole layers, everything."""
        piece_count = len(self._layout.used)
        groups: list[PieceNumbers] = [(number,) for number in range(piece_count)]
        groups += self._layout.layers
        groups.append(tuple(range(self._first_number, piece_count)))  # this layer so far
        groups.append(tuple(range(self._first_number)))  # all earlier layers
        groups.append(tuple(range(piece_count)))
        for pieces in dict.fromkeys(groups):  # each once: this layer can be a single piece so far
            if not pieces:
                continue
            yield Ref(pieces)
            # Rings around single pieces are tried in the first layer, where there are few.
            if len(pieces) > 1 or not self._layout.layers:
                yield Ref(pieces, is_ring=True)

    def _refs_with(self, number: int) -> Iterator[Ref]:
        """Yield the references that mean a piece, alone or with others."""
        for ref in self._refs():
            if number in ref.pieces:
                yield ref

    # --- splits by a seed ---

    def _seed_splits(self, leaf: Leaf) -> Iterator[SeedSplit]:
        """Yield the splits by a seed: all lists for it are tried with one round, the best well."""
        # Each seed list with the bits that one round saves.
        quick_results = []
        for seed_list in self._seed_lists(leaf):
            split = self._seed_split(leaf, seed_list, rounds=1)
            if split is not None:
                quick_results.append((split.saved, seed_list))
        quick_results.sort(key=lambda result: -result[0])  # of equals the first stays first
        for _saved, seed_list in quick_results[:BEST_SEEDS]:
            split = self._seed_split(leaf, seed_list, SEED_ROUNDS)
            if split is not None:
                yield split

    def _seed_lists(self, leaf: Leaf) -> list[SeedList]:
        """Return the lists that are tried for the seed of a leaf: parts of its own list."""
        area_list = leaf.area_list
        tried_regions: Iterable[int] = NAMED_REGIONS
        if self._options.thorough:
            tried_regions = dividing_regions(leaf)
        regions = {area_list.region: None}  # a dict as a set that keeps the order
        for region in tried_regions:
            regions[region & area_list.region] = None
            regions[area_list.region & ~region] = None
        parts = [replace(area_list, region=region) for region in regions if region]
        seed_lists = [SeedList(part, OtherHits.NEAR_AND_FAR) for part in parts]
        if self._options.thorough:
            lists_of_lone_seeds = [part for part in parts if part != area_list]
            for division in near_and_apart(area_list, self._refs()):
                lists_of_lone_seeds += division
            seed_lists += [SeedList(part, OtherHits.ANYWHERE) for part in lists_of_lone_seeds]
        return seed_lists

    def _seed_split(self, leaf: Leaf, seed_list: SeedList, rounds: int) -> SeedSplit | None:
        """Return the split of a leaf into a seed, its neighbours, and the remaining hexes.

        None if there are too few hits that can be the seed.
        """
        lists = SeededLists(
            lists=leaf.hexes[0],
            hits=leaf.hits[0],
            seed_lists=self._layout.hexes_in(seed_list.area_list)[0],
            elevation_masks=self._measure.elevation_masks,
            other_hits=seed_list.other_hits,
        )
        # At least two hits, each on all copies of its map.
        fewest_candidates = 2 * self._options.copies
        seeds = find_seeds(lists, rounds=rounds, fewest_candidates=fewest_candidates)
        if seeds is None:
            return None
        text_bits = self._text_bits_of_seed(leaf, seed_list, seeds)
        data_saved = leaf.data_bits - seeds.bits / self._options.copies
        saved = data_saved - self._options.caution * (text_bits - leaf.text_bits)
        return SeedSplit(saved, data_saved, seed_list, seeds)

    def _text_bits_of_seed(self, leaf: Leaf, seed_list: SeedList, seeds: Seeds) -> float:
        """Return the length of the AREAs in the script that replace a leaf by a seed.

        There is one for the seed, and one each for the near and the far hexes if these get any
        hazards.
        """
        lengths = self._measure.lengths
        bits = lengths.area_bits(seed_list.area_list) + HAZARD_BITS
        if seeds.chance < 1:
            bits += lengths.chance_bits
        if self._measure.has_elevations:
            bits += lengths.chance_bits

        # The seed will be the next piece; but the length of a list does not depend on its number.
        area_lists = seed_list.lists_without_seed(leaf.area_list, len(self._layout.used))
        # For ``OtherHits.ANYWHERE`` both are the same list, and nothing is near.
        near_list = area_lists[0]
        far_list = area_lists[-1]
        if seeds.near_chances:
            bits += lengths.area_bits(near_list) + lengths.hazard_bits(seeds.near_chances)
        if seeds.far_chances:
            bits += lengths.area_bits(far_list) + lengths.hazard_bits(seeds.far_chances)
        return bits


def best_of(splits: Iterable[Split], best: Split | None = None) -> Split | None:
    """Return the split that saves most: ``best`` or None if none saves more, or anything."""
    most_saved = 0.0
    if best is not None:
        most_saved = best.saved
    for split in splits:
        if split.saved > most_saved:
            best = split
            most_saved = split.saved
    return best
