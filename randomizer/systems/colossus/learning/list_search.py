"""Learns how one kind of hex is placed, given what has been placed before.

A *layer* is the set of hexes with one terrain (at some elevations) in every map. Its description
are *leaves*: lists of hexes (``AreaList``) with their hazards. The bits that the layer takes with
these are known exactly, so leaves are split greedily, as a decision tree is grown: by a region, by
what is near, into three symmetric parts (list_divisions.py), or by a hidden first hex, a *seed*,
round which the others stand (seeds.py). A split stays if it saves more bits in the maps than it
takes to write down (script_lengths.py). For instance bogs round a lake::

    anywhere: 3 bogs of 27 hexes
        near the lake: 3 of 6           becomes   AREA SURROUNDINGSOF((lake)) HAZARDS Bog Bog Bog
        apart from it: 0 of 21          no AREA

Begin with ``LayerSearch.run``.
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
    histogram,
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
    CERTAIN_BITS,
    STATEMENT_BITS,
    ScriptLengths,
)
from randomizer.systems.colossus.learning.seeds import Seeds, find_seeds

SEED_ROUNDS = 6
"""Rounds of expectation maximisation for the best seeds; more find them better and take longer."""

BEST_SEEDS = 6
"""So many lists for a seed are looked at with all rounds; the others only with one.

With more the search takes longer, and fewer seeds are missed that look bad after one round.
"""

_SMALLEST_SHARE = 1e-9
"""Stands for a share of 0, and what 1 lacks of it for 1, so that logarithms are finite."""

_PENDING_SEED = Ref((-1,))
"""Stands in the lists of a split for its seed, which gets its number when the split is chosen."""


@dataclass(frozen=True, eq=False)
class Split:
    """A way to replace a leaf by others."""

    saved: float
    """The bits that it saves, after those of the longer script."""

    data_saved: float
    """The bits that it saves in the description of the maps."""

    area_lists: tuple[AreaList, ...]
    """The lists of the new leaves; they name the seed as ``_PENDING_SEED``."""

    seed_list: AreaList | None = None
    """The list that the seed is placed on; None without a seed."""

    seeds: Seeds | None = None
    """The seed of each map; None without one."""


class _SeedList(NamedTuple):
    """A list that is tried for the seed of a leaf."""

    area_list: AreaList

    alone: bool
    """True if the hexes beside the seed are no leaf of their own: it stands alone."""


class LayerSearch:
    """Fits one layer of a script: ``run`` fills ``pieces`` and ``layout``."""

    def __init__(
        self,
        kind: Kind,
        layout: Layout,
        copies: int,
        caution: float,
        dice: np.random.Generator,
        on: PieceNumbers = (),
        *,
        thorough: bool = True,
    ) -> None:
        """Begin with the pieces of a ``layout``, which is copied.

        Each map counts ``1 / copies``, since drawn seeds differ in its copies. ``caution``
        multiplies the length of the script: 1 is the usual one, more gives fewer lines. ``on`` are
        the pieces that the layer is placed over. Without ``thorough`` fewer seeds are tried.
        """
        self.kind = kind
        self.layout = layout.copy()
        """What is used up, the pieces of this layer included."""

        self.pieces: list[Piece] = []
        """The AREAs of this layer."""

        self.marginal_bits = 0.0
        """The length of the description of all maps by the leaves so far."""

        self.text_bits = 0.0
        """The length of ``pieces``."""

        self._copies = copies
        self._caution = caution
        self._dice = dice
        self._on = on
        self._thorough = thorough
        self._maps = len(kind.masks) / copies
        self._first_number = len(layout.used)
        """The number of the first piece of this layer."""
        self._masks = kind.masks
        self._levels = kind.by_elevation[list(kind.elevations)]
        """(e, n): the hexes of each elevation that comes at all."""
        self._script = ScriptLengths(self._maps, caution)

    def run(self) -> LayerSearch:
        """Split greedily, and add the leaves to the layout as pieces; return the search itself."""
        # One leaf has all hexes at first.
        whole = self._leaf(AreaList(on=self._on))
        self.marginal_bits = whole.data_bits
        leaves = [replace(whole, gain=self._independent_bits() - whole.data_bits / self._maps)]
        best_splits: dict[Leaf, Split | None] = {}
        while leaves:
            for leaf in leaves:
                if leaf not in best_splits:
                    best_splits[leaf] = _best(self._splits(leaf))
            leaf = max(leaves, key=lambda leaf: _rank(leaf, best_splits[leaf]))
            leaves.remove(leaf)
            split = best_splits[leaf]

            # The best of all splits is made.
            if split is not None:
                leaves += self._new_leaves(split)
                if split.seeds is not None:
                    best_splits.clear()  # the seed is a new piece for the lists of all leaves
                continue

            # No leaf is worth a split: the fullest one is placed, and others may then be near it.
            number = self._add_piece(leaf.area_list, leaf.hits, leaf.lists, leaf.gain)
            for waiting_leaf in leaves:
                divisions = near_and_apart(waiting_leaf.area_list, self._refs((number,)))
                splits = [self._split(waiting_leaf, *area_lists) for area_lists in divisions]
                best_splits[waiting_leaf] = _best(splits, best_splits[waiting_leaf])
        if not self._on:
            # The hexes of pieces that are placed over others belong to the layer below.
            self.layout.layers.append(tuple(range(self._first_number, len(self.layout.used))))
        return self

    def _new_leaves(self, split: Split) -> list[Leaf]:
        """Return the leaves of a chosen split that have hits; its seed becomes a piece."""
        self.marginal_bits -= split.data_saved
        gain = split.data_saved / self._maps
        area_lists = list(split.area_lists)
        if split.seed_list is not None and split.seeds is not None:
            number = self._add_seed(split.seed_list, split.seeds, gain)
            area_lists = [_with_seed(area_list, number) for area_list in area_lists]
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
        lists = self.layout.hexes_in(area_list)
        hits = lists & self._masks
        data_bits, text_bits = self._lengths(area_list, lists, hits)
        return Leaf(area_list, lists, hits, data_bits, text_bits)

    def _lengths(self, area_list: AreaList, lists: Masks, hits: Masks) -> tuple[float, float]:
        """Return the bits of the hexes of a list, and those of its AREA."""
        maps = histogram(size(hits), size(lists))
        chances, sums = quick_chances(maps)
        data_bits = count_bits(maps, sums) / self._copies
        if not chances:
            # No AREA is written, but that nothing comes here is a chance of 0, which counts too.
            return data_bits, self._script.uncut(self._script.chance_bits)
        data_bits += self._elevation_bits(hits)
        text_bits = self._script.list_bits(area_list) + self._script.hazard_bits(chances)
        if len(self._levels) > 1:
            odds = np.count_nonzero(self._hits_of_elevations(hits))
            # The last of the odds follows from the others.
            text_bits += (odds - 1) * self._script.chance_bits
        return data_bits, text_bits

    def _elevation_bits(self, hits: Masks) -> float:
        """Return the bits that tell the elevations of the hits."""
        if len(self._levels) == 1:
            return 0.0
        numbers = self._hits_of_elevations(hits)
        total = numbers.sum()
        shares = numbers[numbers > 0] / total
        return float(-total * (shares @ np.log2(shares))) / self._copies

    def _hits_of_elevations(self, hits: Masks) -> Floats:
        """Return (3,): the number of hits of each elevation."""
        numbers = [int(size(hits & level).sum()) for level in self.kind.by_elevation]
        return np.array(numbers, float)

    # --- splits ------------------------------------------------------------------------------

    def _splits(self, leaf: Leaf) -> Iterator[Split]:
        """Yield all splits of a leaf that are tried."""
        area_list = leaf.area_list
        if area_list.further or leaf.data_bits < self._caution * STATEMENT_BITS:
            return  # no split can pay
        for area_lists in (
            *inside_and_outside(leaf),
            *thirds(area_list),
            *near_and_apart(area_list, self._refs()),
            *on_each_piece(area_list),
        ):
            yield self._split(leaf, *area_lists)
        if not area_list.on:
            yield from self._seed_splits(leaf)

    def _split(self, leaf: Leaf, *area_lists: AreaList) -> Split:
        """Return the split of the leaf into these lists, with what it saves."""
        data_bits = 0.0
        text_bits = 0.0
        for area_list in area_lists:
            lists = self.layout.hexes_in(area_list)
            part_data_bits, part_text_bits = self._lengths(area_list, lists, lists & self._masks)
            data_bits += part_data_bits
            text_bits += part_text_bits
        data_saved = leaf.data_bits - data_bits
        saved = data_saved - self._caution * (text_bits - leaf.text_bits)
        return Split(saved, data_saved, area_lists)

    def _refs(self, new: PieceNumbers = ()) -> Iterator[Ref]:
        """Yield what a list may be near or apart from: pieces, whole layers, everything.

        With ``new``, pieces that have just been added, only references to all of them.
        """
        count = len(self.layout.used)
        groups: list[PieceNumbers] = [(number,) for number in range(count)]
        groups += self.layout.layers
        groups.append(tuple(range(self._first_number, count)))  # this layer so far
        groups.append(tuple(range(self._first_number)))  # all earlier layers
        groups.append(tuple(range(count)))
        for pieces in dict.fromkeys(groups):
            if pieces and set(new) <= set(pieces):
                yield Ref(pieces)
                # Rings round single pieces are tried in the first layer, where there are few.
                if len(pieces) > 1 or not self.layout.layers:
                    yield Ref(pieces, is_ring=True)

    # --- seeds -------------------------------------------------------------------------------

    def _seed_splits(self, leaf: Leaf) -> Iterator[Split]:
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

    def _seed_lists(self, leaf: Leaf) -> list[_SeedList]:
        """Return the lists that are tried for the seed of a leaf: parts of its own list."""
        area_list = leaf.area_list
        tried_regions: Iterable[int] = NAMED_REGIONS
        if self._thorough:
            tried_regions = dividing_regions(leaf)
        regions = {area_list.region: None}  # a set that keeps the order
        for region in tried_regions:
            regions[region & area_list.region] = None
            regions[area_list.region & ~region] = None
        parts = [replace(area_list, region=region) for region in regions if region]
        seed_lists = [_SeedList(part, alone=False) for part in parts]
        if self._thorough:
            seed_lists += [_SeedList(part, alone=True) for part in parts if part != area_list]
            for division in near_and_apart(area_list, self._refs()):
                seed_lists += [_SeedList(part, alone=True) for part in division]
        return seed_lists

    def _seed_split(self, leaf: Leaf, seed_list: _SeedList, rounds: int) -> Split | None:
        """Return the split of a leaf into a seed, its neighbours, and the remaining hexes.

        None if there are too few hits that can be the seed.
        """
        seeds = find_seeds(
            lists=leaf.lists[0],
            hits=leaf.hits[0],
            seed_lists=self.layout.hexes_in(seed_list.area_list)[0],
            levels=self._levels,
            rounds=rounds,
            fewest_candidates=2 * self._copies,  # two hits, each on all copies of its map
            alone=seed_list.alone,
        )
        if seeds is None:
            return None

        area_list = leaf.area_list
        near = replace(area_list, near=(*area_list.near, _PENDING_SEED))
        if seed_list.alone:
            far = area_list
            area_lists: tuple[AreaList, ...] = (far,)
        else:
            far = replace(area_list, apart=(*area_list.apart, _PENDING_SEED))
            area_lists = (near, far)

        # The script has an AREA for the seed, and one for the near and the far hexes if these get
        # any hazards.
        text_bits = self._script.list_bits(seed_list.area_list) + CERTAIN_BITS
        if seeds.chance < 1:
            text_bits += self._script.chance_bits
        if len(self._levels) > 1:
            text_bits += self._script.chance_bits
        if seeds.near:
            text_bits += self._script.list_bits(near) + self._script.hazard_bits(seeds.near)
        if seeds.far:
            text_bits += self._script.list_bits(far) + self._script.hazard_bits(seeds.far)

        data_saved = leaf.data_bits - seeds.bits / self._copies
        saved = data_saved - self._caution * (text_bits - leaf.text_bits)
        return Split(saved, data_saved, area_lists, seed_list.area_list, seeds)

    # --- the result --------------------------------------------------------------------------

    def _add_seed(self, seed_list: AreaList, seeds: Seeds, gain: float) -> int:
        """Draw the seed of every map; add it as a piece; return its number."""
        hits = seeds.draw(self._dice, len(self._masks))[None]
        return self._add_piece(seed_list, hits, self.layout.hexes_in(seed_list), gain, seed=True)

    def _add_piece(
        self, area_list: AreaList, hits: Masks, lists: Masks, gain: float, *, seed: bool = False
    ) -> int:
        """Add a piece that fills ``hits`` of ``lists``, both (parts, n); return its number."""
        maps = histogram(size(hits), size(lists))
        if seed:
            chances, _sums = quick_chances(maps)
        else:
            chances = best_chances(maps)
        chances = tuple(chance for chance in chances if rounded(chance))
        numbers = self._hits_of_elevations(hits)
        odds = tuple((numbers / max(numbers.sum(), 1)).tolist())
        self.text_bits += self._script.list_bits(area_list) + self._script.hazard_bits(chances)
        number = self.layout.add(np.bitwise_or.reduce(hits, 0))
        self.pieces.append(Piece(self.kind.terrain, odds, area_list, chances, gain, number, seed))
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


def _with_seed(area_list: AreaList, number: int) -> AreaList:
    """Return the list with the number of the seed that was pending."""
    near = _numbered(area_list.near, number)
    apart = _numbered(area_list.apart, number)
    return replace(area_list, near=near, apart=apart)


def _numbered(refs: Iterable[Ref], number: int) -> tuple[Ref, ...]:
    """Return references in which the pending seed is the piece of this number."""
    result = []
    for ref in refs:
        if ref == _PENDING_SEED:
            ref = Ref((number,))
        result.append(ref)
    return tuple(result)
