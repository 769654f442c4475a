"""Learns how one kind of hex is placed, given what has been placed before: one layer of a script.

A *layer* is the set of hexes with one terrain (at some elevations) in every map. It is described by
*leaves*, as those of a decision tree: lists of hexes (``AreaList``), each with the number of its
hexes that belong to the layer, its *hits*. For instance bogs around a lake::

    one leaf, anywhere: 3 bogs in 27 hexes
        near the lake: 3 in 6           becomes   AREA SURROUNDINGSOF((lake)) HAZARDS Bog Bog Bog
        apart from it: 0 in 21          no AREA

How many bits the layer takes by its leaves is known exactly. So the tree is grown greedily: of all
splits of all leaves the one that saves most bits is made, until no split saves more than its own
words in the script take (script_lengths.py). A leaf is split

- into lists of its hexes: by a region of the board, by what is near, or into three symmetric parts
  (list_divisions.py);
- or by a *seed*, a hidden first hex around which the others stand (seeds.py).

A leaf that is not split any more becomes a *piece*, an AREA of the script, which later lists can
refer to. Call ``fit_layer``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from randomizer.systems.colossus.board import HEX_COUNT
from randomizer.systems.colossus.learning.counts import (
    Floats,
    best_chances,
    count_bits,
    count_histogram,
    quick_chances,
    rounded,
)
from randomizer.systems.colossus.learning.hex_masks import Masks, size
from randomizer.systems.colossus.learning.kinds import Kind
from randomizer.systems.colossus.learning.list_divisions import (
    NAMED_REGIONS,
    Leaf,
    dividing_regions,
    inside_and_outside,
    near_and_apart,
    on_each_piece,
    thirds,
)
from randomizer.systems.colossus.learning.pieces import AreaList, Layout, Piece, PieceNumbers, Ref
from randomizer.systems.colossus.learning.script_lengths import (
    HAZARD_BITS,
    STATEMENT_BITS,
    ScriptLengths,
)
from randomizer.systems.colossus.learning.seeds import OtherHits, SeededLists, Seeds, find_seeds

SEED_ROUNDS = 6
"""Rounds of expectation maximisation for the best seeds; more find them better and take longer."""

BEST_SEEDS = 6
"""So many lists for a seed are looked at with all rounds; the others only with one.

With more the search takes longer, and fewer seeds are missed that look bad after one round.
"""

_SMALLEST_SHARE = 1e-9
"""Stands for a share of 0, and what 1 lacks of it for 1, so that logarithms are finite."""


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
class FittedLayer:
    """The statements of the script about one kind."""

    kind: Kind

    pieces: tuple[Piece, ...]
    """The AREAs of the layer, in the order in which they are placed."""

    layout: Layout
    """What is used up on the maps behind this layer: by earlier layers and by its own pieces."""

    map_bits: float
    """The length of the description of the layer on all maps."""

    text_bits: float
    """The length of ``pieces`` in the script."""


def fit_layer(
    kind: Kind,
    layout: Layout,
    dice: np.random.Generator,
    options: SearchOptions,
    on: PieceNumbers = (),
) -> FittedLayer:
    """Return the layer of a kind, placed behind what ``layout`` has; this is not changed.

    ``on`` are the pieces that the kind is placed over, () if it is placed on free hexes. The seeds
    of the maps are drawn with ``dice``.
    """
    return _LayerSearch(kind, layout, dice, options, on).run()


@dataclass(frozen=True, eq=False)
class ListSplit:
    """A way to replace a leaf: by a leaf for each of several lists."""

    saved: float
    """The bits that it saves, after those of the longer script."""

    data_saved: float
    """The bits that it saves in the description of the maps."""

    area_lists: tuple[AreaList, ...]
    """The lists of the new leaves."""


class LeafBits(NamedTuple):
    """The lengths of a leaf, in bits."""

    data: float
    """That of the description of all maps: which hexes of the list are hits."""

    text: float
    """That of its AREA in the script."""


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


class _LayerSearch:
    """The search for one layer, while ``run`` goes on; it serves once."""

    def __init__(
        self,
        kind: Kind,
        layout: Layout,
        dice: np.random.Generator,
        options: SearchOptions,
        on: PieceNumbers,
    ) -> None:
        """Begin with the pieces of a ``layout``, which is copied; arguments as ``fit_layer``."""
        # What is searched for does not change:
        self._kind = kind
        self._masks = kind.masks
        """(n,): the hexes of the kind on each map."""
        self._elevation_masks = kind.by_elevation[list(kind.elevations)]
        """(e, n): the hexes of each elevation that comes at all."""
        self._on = on
        self._options = options
        self._dice = dice
        self._maps = len(self._masks) / options.copies
        """The number of maps, without copies."""
        self._lengths_of_script = ScriptLengths(self._maps, options.caution)
        self._first_number = len(layout.used)
        """The number that the first piece of this layer gets."""

        # The layer grows as leaves become pieces:
        self._layout = layout.copy()
        """What is used up, by the pieces of this layer so far as well."""
        self._pieces: list[Piece] = []
        """The pieces of this layer so far."""
        self._text_bits = 0.0
        """The length of these pieces."""

    def run(self) -> FittedLayer:
        """Split greedily, and place the leaves as pieces; return the layer."""
        # One leaf has all hexes at first.
        whole = self._leaf(AreaList(on=self._on))
        map_bits = whole.data_bits
        leaves = [replace(whole, gain=self._independent_bits() - whole.data_bits / self._maps)]
        # The best split of each leaf, None if none saves anything. A leaf is not in the dict while
        # its splits have to be tried: a new leaf, and every leaf after a seed was placed.
        best_splits: dict[Leaf, Split | None] = {}
        while leaves:
            for leaf in leaves:
                if leaf not in best_splits:
                    best_splits[leaf] = _best(self._splits(leaf))

            # Make the best of all splits.
            leaf = max(leaves, key=lambda leaf: _rank(leaf, best_splits[leaf]))
            leaves.remove(leaf)
            split = best_splits[leaf]
            if split is not None:
                map_bits -= split.data_saved
                if isinstance(split, SeedSplit):
                    area_lists = self._place_seed(split, leaf.area_list)
                    best_splits.clear()  # the seed is a new piece for the lists of all leaves
                else:
                    area_lists = split.area_lists
                leaves += self._leaves_with_hits(area_lists, split.data_saved / self._maps)
                continue

            # No leaf is worth a split: the fullest one is placed, and others may then be near it.
            # The lists of the others stay as they are, since no two leaves have a hex in common.
            number = self._place_leaf(leaf)
            for waiting_leaf in leaves:
                divisions = near_and_apart(waiting_leaf.area_list, self._refs((number,)))
                splits = [self._list_split(waiting_leaf, area_lists) for area_lists in divisions]
                best_splits[waiting_leaf] = _best(splits, best_splits[waiting_leaf])
        if not self._on:
            # The hexes of pieces that are placed over others belong to the layer below.
            numbers_of_layer = range(self._first_number, len(self._layout.used))
            self._layout.layers.append(tuple(numbers_of_layer))
        return FittedLayer(
            kind=self._kind,
            pieces=tuple(self._pieces),
            layout=self._layout,
            map_bits=map_bits,
            text_bits=self._text_bits,
        )

    def _leaves_with_hits(self, area_lists: Iterable[AreaList], gain: float) -> list[Leaf]:
        """Return the leaves of a split that has these lists, without those that have no hits.

        ``gain`` is what the split saves, in bits a map.
        """
        leaves = [replace(self._leaf(area_list), gain=gain) for area_list in area_lists]
        return [leaf for leaf in leaves if leaf.hits.any()]

    def _independent_bits(self) -> float:
        """Return the bits a map if each hex had the layer's terrain by the same chance."""
        share = float(size(self._masks).mean()) / HEX_COUNT
        share = min(max(share, _SMALLEST_SHARE), 1 - _SMALLEST_SHARE)
        return -HEX_COUNT * float(share * np.log2(share) + (1 - share) * np.log2(1 - share))

    # --- the bits of leaves ------------------------------------------------------------------

    def _leaf(self, area_list: AreaList) -> Leaf:
        """Return the leaf of a list."""
        lists = self._layout.hexes_in(area_list)
        hits = lists & self._masks
        bits = self._bits_of_leaf(area_list, lists, hits)
        return Leaf(area_list, lists, hits, bits.data, bits.text)

    def _bits_of_leaf(self, area_list: AreaList, lists: Masks, hits: Masks) -> LeafBits:
        """Return the lengths of a leaf with these hexes and hits, (parts, n) each."""
        histogram = count_histogram(size(hits), size(lists))
        chances, chances_of_sum = quick_chances(histogram)
        data_bits = count_bits(histogram, chances_of_sum) / self._options.copies
        if not chances:
            # No AREA is written, but that nothing comes here is a chance of 0, which counts too.
            chance_bits = self._lengths_of_script.chance_bits
            return LeafBits(data_bits, self._lengths_of_script.protected(chance_bits))
        data_bits += self._elevation_bits(hits)
        text_bits = self._lengths_of_script.area_bits(
            area_list
        ) + self._lengths_of_script.hazard_bits(chances)
        if len(self._elevation_masks) > 1:
            odds = np.count_nonzero(self._hits_of_elevations(hits))
            # The last of the odds follows from the others.
            text_bits += (odds - 1) * self._lengths_of_script.chance_bits
        return LeafBits(data_bits, text_bits)

    def _elevation_bits(self, hits: Masks) -> float:
        """Return the bits that tell the elevations of the hits."""
        if len(self._elevation_masks) == 1:
            return 0.0
        numbers = self._hits_of_elevations(hits)
        total = numbers.sum()
        shares = numbers[numbers > 0] / total
        return float(-total * (shares @ np.log2(shares))) / self._options.copies

    def _hits_of_elevations(self, hits: Masks) -> Floats:
        """Return (3,): the number of hits of each elevation."""
        numbers = [int(size(hits & level).sum()) for level in self._kind.by_elevation]
        return np.array(numbers, float)

    # --- splits ------------------------------------------------------------------------------

    def _splits(self, leaf: Leaf) -> Iterator[Split]:
        """Yield all splits of a leaf that are tried."""
        area_list = leaf.area_list
        if area_list.further or leaf.data_bits < self._options.caution * STATEMENT_BITS:
            return  # no split can pay
        for area_lists in (
            *inside_and_outside(leaf),
            *thirds(area_list),
            *near_and_apart(area_list, self._refs()),
            *on_each_piece(area_list),
        ):
            yield self._list_split(leaf, area_lists)
        if not area_list.on:
            yield from self._seed_splits(leaf)

    def _list_split(self, leaf: Leaf, area_lists: tuple[AreaList, ...]) -> ListSplit:
        """Return the split of the leaf into these lists, with what it saves."""
        data_bits = 0.0
        text_bits = 0.0
        for area_list in area_lists:
            lists = self._layout.hexes_in(area_list)
            bits = self._bits_of_leaf(area_list, lists, lists & self._masks)
            data_bits += bits.data
            text_bits += bits.text
        data_saved = leaf.data_bits - data_bits
        saved = data_saved - self._options.caution * (text_bits - leaf.text_bits)
        return ListSplit(saved, data_saved, area_lists)

    def _refs(self, new: PieceNumbers = ()) -> Iterator[Ref]:
        """Yield what a list may be near or apart from: pieces, whole layers, everything.

        With ``new``, the numbers of pieces that have just been added, only references that contain
        all of these; with () all references.
        """
        count = len(self._layout.used)
        groups: list[PieceNumbers] = [(number,) for number in range(count)]
        groups += self._layout.layers
        groups.append(tuple(range(self._first_number, count)))  # this layer so far
        groups.append(tuple(range(self._first_number)))  # all earlier layers
        groups.append(tuple(range(count)))
        for pieces in dict.fromkeys(groups):
            if pieces and set(new) <= set(pieces):
                yield Ref(pieces)
                # Rings around single pieces are tried in the first layer, where there are few.
                if len(pieces) > 1 or not self._layout.layers:
                    yield Ref(pieces, is_ring=True)

    # --- seeds -------------------------------------------------------------------------------

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
            lists=leaf.lists[0],
            hits=leaf.hits[0],
            seed_lists=self._layout.hexes_in(seed_list.area_list)[0],
            elevation_masks=self._elevation_masks,
            other_hits=seed_list.other_hits,
        )
        # At least two hits, each on all copies of its map.
        fewest_candidates = 2 * self._options.copies
        seeds = find_seeds(lists, rounds=rounds, fewest_candidates=fewest_candidates)
        if seeds is None:
            return None

        # The script has an AREA for the seed, and one each for the near and the far hexes if these
        # get any hazards. (The length of a list does not depend on the number of the seed.)
        text_bits = self._lengths_of_script.area_bits(seed_list.area_list) + HAZARD_BITS
        if seeds.chance < 1:
            text_bits += self._lengths_of_script.chance_bits
        if len(self._elevation_masks) > 1:
            text_bits += self._lengths_of_script.chance_bits
        area_lists = seed_list.lists_without_seed(leaf.area_list, len(self._layout.used))
        # For ``OtherHits.ANYWHERE`` both are the same list, and nothing is near.
        near_list = area_lists[0]
        far_list = area_lists[-1]
        if seeds.near_chances:
            near_hazard_bits = self._lengths_of_script.hazard_bits(seeds.near_chances)
            text_bits += self._lengths_of_script.area_bits(near_list) + near_hazard_bits
        if seeds.far_chances:
            far_hazard_bits = self._lengths_of_script.hazard_bits(seeds.far_chances)
            text_bits += self._lengths_of_script.area_bits(far_list) + far_hazard_bits

        data_saved = leaf.data_bits - seeds.bits / self._options.copies
        saved = data_saved - self._options.caution * (text_bits - leaf.text_bits)
        return SeedSplit(saved, data_saved, seed_list, seeds)

    # --- pieces ------------------------------------------------------------------------------

    def _place_seed(self, split: SeedSplit, area_list: AreaList) -> tuple[AreaList, ...]:
        """Draw the seed of every map, and add it as a piece.

        Returns the lists of the other hexes of ``area_list``, which is that of the split leaf.
        """
        seed_area_list = split.seed_list.area_list
        hits = split.seeds.draw(self._dice, len(self._masks))[None]
        lists = self._layout.hexes_in(seed_area_list)
        # A seed is one hazard, whose quick chance is the best one.
        chances = quick_chances(count_histogram(size(hits), size(lists))).chances
        gain = split.data_saved / self._maps
        seed_number = self._add_piece(seed_area_list, hits, chances, gain, seed=True)
        return split.seed_list.lists_without_seed(area_list, seed_number)

    def _place_leaf(self, leaf: Leaf) -> int:
        """Add a leaf as a piece; return its number."""
        chances = best_chances(count_histogram(size(leaf.hits), size(leaf.lists)))
        return self._add_piece(leaf.area_list, leaf.hits, chances, leaf.gain)

    def _add_piece(
        self,
        area_list: AreaList,
        hits: Masks,
        chances: tuple[float, ...],
        gain: float,
        *,
        seed: bool = False,
    ) -> int:
        """Add a piece that fills ``hits`` (parts, n); return its number.

        ``chances`` are those of its hazards, and those that would be written as 0 are left out.
        """
        written_chances = tuple(chance for chance in chances if rounded(chance))
        numbers = self._hits_of_elevations(hits)
        odds = tuple((numbers / max(numbers.sum(), 1)).tolist())
        list_bits = self._lengths_of_script.area_bits(area_list)
        self._text_bits += list_bits + self._lengths_of_script.hazard_bits(written_chances)
        number = self._layout.add(np.bitwise_or.reduce(hits, 0))
        piece = Piece(
            terrain=self._kind.terrain,
            elevation_odds=odds,
            area_list=area_list,
            chances=written_chances,
            gain=gain,
            number=number,
            seed=seed,
        )
        self._pieces.append(piece)
        return number


def _rank(leaf: Leaf, split: Split | None) -> tuple[float, int]:
    """Return the rank of a leaf with its best split: splits before none, then the fullest."""
    if split is not None:
        return (split.saved, 0)
    return (0.0, int(size(leaf.hits).sum()))


def _best(splits: Iterable[Split], best: Split | None = None) -> Split | None:
    """Return the split that saves most: ``best`` or None if none saves more, or anything."""
    most_saved = 0.0
    if best is not None:
        most_saved = best.saved
    for split in splits:
        if split.saved > most_saved:
            best = split
            most_saved = split.saved
    return best
