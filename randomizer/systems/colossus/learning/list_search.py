"""Learns how one kind of hex is placed, given what has been placed before.

A layer is the set of hexes with one terrain (at some elevations) in every map. Its description
are leaves: lists of hexes (``AreaList``) with their hazards. The bits that the layer takes with
these are known exactly, so leaves are split greedily: by a region, by what is near, into three
symmetric parts, or by a hidden first hex (a *seed*) round which the others stand. A split stays if
it saves more bits than it takes to write down.

Begin with ``LayerSearch.run``. For instance bogs round a lake: the leaf ``anywhere`` is split into
``SURROUNDINGSOF((lake))`` with most of the bogs and the hexes apart from it with few; each half is
split again until nothing pays, and becomes an AREA.
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
from randomizer.systems.colossus.learning.pieces import AreaList, Layout, Piece, PieceNumbers, Ref
from randomizer.systems.colossus.learning.regions import ORBITS, REGIONS, THIRDS, region_of
from randomizer.systems.colossus.learning.seeds import Seeds, find_seeds

# The length of a script in bits. Where a number is larger, fewer lines with it are learned.

STATEMENT_BITS = 10.0
"""The length of an AREA, without its list and hazards."""

NEAR_BITS = 5.0
"""The length of naming what is near or apart, or what the list lies on."""

THIRDS_BITS = 5.0
"""The length of naming the first of three symmetric regions."""

FURTHER_BITS = 3.0
"""The length of each further one, which follows from the first."""

CERTAIN_BITS = 1.5
"""The length of a hazard without a chance."""

LOOSE_BITS = 0.5
"""What a hazard with a chance takes beside that chance, which counts once for all of them."""

SEED_ROUNDS = 6
"""Rounds of expectation maximisation for the best seeds; more take longer."""

BEST_SEEDS = 6
"""So many lists for a seed are looked at with all rounds; the others only with one."""

CHANCE_BITS = 1.5
"""The length of a chance beside its digits, of which more are needed the more maps there are."""

_SMALLEST_SHARE = 1e-9
"""Stands for a share of 0, and what 1 lacks of it for 1, so that logarithms are finite."""

_NAMED_REGIONS = tuple(region.mask for region in REGIONS)

_PENDING_SEED = Ref((-1,))
"""Stands in the lists of a split for its seed, which gets its number when the split is chosen."""


@dataclass(frozen=True, eq=False)
class Leaf:
    """A list of hexes on n maps, and what the layer has of it."""

    area_list: AreaList

    lists: Masks
    """(parts, n): the hexes of the list, a part for each of its regions."""

    hits: Masks
    """(parts, n): those of them that the layer fills."""

    data_bits: float
    """The length of the description of all maps: which hexes of the list are hits."""

    text_bits: float
    """The length of the AREA."""

    gain: float = 0.0
    """What the split that made the leaf has saved, in bits a map."""


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
    """Whether the hexes beside the seed are no leaf of their own."""


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
        self._region_bits: dict[int, float] = {}
        """The length of naming each region so far."""
        # A parameter is worth half a logarithm of the number of maps it is fitted to, by the
        # principle of minimum description length.
        self._chance_bits = CHANCE_BITS + 0.5 * np.log2(max(self._maps, 2))
        """The length of a chance in the script."""

    def run(self) -> LayerSearch:
        """Split greedily, and add the leaves to the layout as pieces; return the search itself."""
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
            if split is not None:
                leaves += self._new_leaves(split)
                if split.seeds is not None:
                    best_splits.clear()  # the seed is a new piece for the lists of all leaves
                continue

            # No leaf is worth a split: the fullest one is placed, and others may then be near it.
            number = self._add_piece(leaf.area_list, leaf.hits, leaf.lists, leaf.gain)
            for waiting_leaf in leaves:
                splits = self._ref_splits(waiting_leaf, self._refs((number,)))
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
            return data_bits, self._uncut(self._chance_bits)
        data_bits += self._elevation_bits(hits)
        text_bits = self._list_bits(area_list) + self._hazard_bits(chances)
        if len(self._levels) > 1:
            odds = np.count_nonzero(self._hits_of_elevations(hits))
            # The last of the odds follows from the others.
            text_bits += (odds - 1) * self._chance_bits
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

    def _list_bits(self, area_list: AreaList) -> float:
        """Return the length of an AREA with this list, without its hazards."""
        bits = STATEMENT_BITS
        if area_list.further:
            bits += THIRDS_BITS + FURTHER_BITS * len(area_list.further)
        else:
            bits += self._bits_of_region(area_list.region)
        references = len(area_list.near) + len(area_list.apart)
        if area_list.on:
            references += 1
        return bits + NEAR_BITS * references

    def _bits_of_region(self, region: int) -> float:
        """Return the length of naming a set of hexes."""
        bits = self._region_bits.get(region)
        if bits is None:
            # There are so many sets of hexes that one of them fits by chance.
            bits = self._uncut(region_of(region).bits)
            self._region_bits[region] = bits
        return bits

    def _uncut(self, bits: float) -> float:
        """Return a length that a ``caution`` below 1, by which it is multiplied, cannot lessen."""
        return bits / min(self._caution, 1.0)

    def _hazard_bits(self, chances: tuple[float, ...]) -> float:
        """Return the length of the hazards of an AREA.

        All that are not certain have one chance here, as ``quick_chances`` finds it; when they are
        written out, each may get its own.
        """
        bits = CERTAIN_BITS * len(chances)
        loose = len(chances) - chances.count(1.0)
        if loose:
            bits += self._chance_bits
        return bits + LOOSE_BITS * loose

    # --- splits ------------------------------------------------------------------------------

    def _splits(self, leaf: Leaf) -> Iterator[Split]:
        """Yield all splits of a leaf that are tried."""
        if leaf.area_list.further or leaf.data_bits < self._caution * STATEMENT_BITS:
            return  # no split can pay
        yield from self._region_splits(leaf)
        yield from self._thirds_splits(leaf)
        yield from self._ref_splits(leaf, self._refs())
        yield from self._base_splits(leaf)
        if not leaf.area_list.on:
            yield from self._seed_splits(leaf)

    def _region_splits(self, leaf: Leaf) -> Iterator[Split]:
        """Yield the splits into the hexes inside a region and those outside."""
        area_list = leaf.area_list
        for region in _regions(leaf):
            inner = area_list.region & region
            outer = area_list.region & ~region
            if inner and outer:
                yield self._split(
                    leaf, replace(area_list, region=inner), replace(area_list, region=outer)
                )

    def _thirds_splits(self, leaf: Leaf) -> Iterator[Split]:
        """Yield the splits into three parts alike and the remaining hexes."""
        area_list = leaf.area_list
        for parts in THIRDS:
            union = parts[0] | parts[1] | parts[2]
            if union & ~area_list.region:
                continue
            area_lists = [replace(area_list, region=parts[0], further=parts[1:])]
            remainder = area_list.region & ~union
            if remainder:
                area_lists.append(replace(area_list, region=remainder))
            yield self._split(leaf, *area_lists)

    def _ref_splits(self, leaf: Leaf, refs: Iterable[Ref]) -> Iterator[Split]:
        """Yield the splits into the hexes near each reference and those apart from it."""
        for area_lists in _near_and_apart(leaf.area_list, refs):
            yield self._split(leaf, *area_lists)

    def _base_splits(self, leaf: Leaf) -> Iterator[Split]:
        """Yield the splits of a list on several pieces: on one of them, and on the others."""
        on = leaf.area_list.on
        if len(on) < 2:
            return
        for piece in on:
            remaining_pieces = tuple(number for number in on if number != piece)
            yield self._split(
                leaf,
                replace(leaf.area_list, on=(piece,)),
                replace(leaf.area_list, on=remaining_pieces),
            )

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
        dividing_regions: Iterable[int] = _NAMED_REGIONS
        if self._thorough:
            dividing_regions = _regions(leaf)
        regions = {area_list.region: None}  # a set that keeps the order
        for region in dividing_regions:
            regions[region & area_list.region] = None
            regions[area_list.region & ~region] = None
        parts = [replace(area_list, region=region) for region in regions if region]
        seed_lists = [_SeedList(part, alone=False) for part in parts]
        if self._thorough:
            seed_lists += [_SeedList(part, alone=True) for part in parts if part != area_list]
            for near_and_apart in _near_and_apart(area_list, self._refs()):
                seed_lists += [_SeedList(part, alone=True) for part in near_and_apart]
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
        text_bits = self._list_bits(seed_list.area_list) + CERTAIN_BITS
        if seeds.chance < 1:
            text_bits += self._chance_bits
        if len(self._levels) > 1:
            text_bits += self._chance_bits
        if seeds.near:
            text_bits += self._list_bits(near) + self._hazard_bits(seeds.near)
        if seeds.far:
            text_bits += self._list_bits(far) + self._hazard_bits(seeds.far)

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
        self.text_bits += self._list_bits(area_list) + self._hazard_bits(chances)
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


def _near_and_apart(
    area_list: AreaList, refs: Iterable[Ref]
) -> Iterator[tuple[AreaList, AreaList]]:
    """Yield, for each reference, the hexes of a list near it and those apart from it."""
    if area_list.further:
        return
    for ref in refs:
        if ref not in area_list.near and ref not in area_list.apart:
            near = replace(area_list, near=(*area_list.near, ref))
            apart = replace(area_list, apart=(*area_list.apart, ref))
            yield near, apart


def _regions(leaf: Leaf) -> Iterator[int]:
    """Yield the sets of hexes by which a leaf may be split, each division once."""
    tried = set()
    for region in _candidate_regions(leaf):
        inner = region & leaf.area_list.region
        outer = leaf.area_list.region & ~inner
        division = min(inner, outer)  # a set and its complement divide the leaf alike
        if division and division not in tried:
            tried.add(division)
            yield region


def _candidate_regions(leaf: Leaf) -> Iterator[int]:
    """Yield the named regions, then the fullest hexes and the fullest orbits of a leaf.

    A hex is the fuller the more often it is hit where it is in the list; the fullest one, the two
    fullest ones, and so on, are a region.
    """
    yield from _NAMED_REGIONS
    hex_ids = np.arange(HEX_COUNT)
    hits_of_hexes = (leaf.hits[0][:, None] >> hex_ids & 1).sum(0)
    maps_of_hexes = (leaf.lists[0][:, None] >> hex_ids & 1).sum(0)

    rates = hits_of_hexes / np.maximum(maps_of_hexes, 1)
    fullest_hexes = np.argsort(-rates, kind="stable")
    yield from _unions([1 << int(number) for number in fullest_hexes])
    yield int(sum(1 << int(number) for number in np.flatnonzero(hits_of_hexes)))

    orbits = []
    for orbit in ORBITS:
        members = [number for number in range(HEX_COUNT) if orbit >> number & 1]
        rate = hits_of_hexes[members].sum() / max(maps_of_hexes[members].sum(), 1)
        orbits.append((-rate, orbit))
    yield from _unions([orbit for _, orbit in sorted(orbits)])


def _unions(sets: list[int]) -> Iterator[int]:
    """Yield the first set, the union of the first two, and so on, but not that of all."""
    union = 0
    for mask in sets[:-1]:
        union |= mask
        yield union
