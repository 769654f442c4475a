"""Learns how one kind of hex is placed, given what has been placed before.

A layer is the set of hexes with one terrain (at some elevations) in every map. Its description is a
list of leaves: a list of hexes (``Where``) and hazards for it. The bits that the layer takes with
these are known exactly, so leaves are split greedily: by a region, by what is near, into three
symmetric parts, or by a hidden first hex (a *seed*) round which the others stand. A split stays if
it saves more bits than it takes to write down.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

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
from randomizer.systems.colossus.learning.pieces import RING, Layout, Piece, Ref, Where
from randomizer.systems.colossus.learning.regions import ORBITS, REGIONS, THIRDS, region_of
from randomizer.systems.colossus.learning.seeds import Seeds, find_seeds

STATEMENT_BITS = 10.0
"""The length of an AREA, without its list and hazards."""
NEAR_BITS = 5.0
"""The length of naming what is near or apart."""
CERTAIN_BITS = 1.5
SEED_ROUNDS = 6
NAMED = tuple(region.mask for region in REGIONS)
BEST_SEEDS = 6
"""So many regions for a seed are looked at well."""


@dataclass(frozen=True, eq=False)
class Leaf:
    """A list, what it holds: ``lists`` and ``hits`` (parts, n), and what that costs in bits."""

    where: Where
    lists: Masks
    hits: Masks
    data_bits: float
    text_bits: float
    gain: float = 0.0


@dataclass(frozen=True, eq=False)
class Split:
    """A way to replace a leaf: what it saves, and the new lists (and the seed)."""

    saved: float
    data_saved: float
    wheres: tuple[Where, ...]
    seed: tuple[Where, Seeds] | None = None


class LayerSearch:
    """Fits one layer. ``copies``: each map counts ``1 / copies`` (imputed seeds differ in them).

    ``caution`` multiplies the length of the script: 1 is the usual one, more gives fewer lines.
    """

    def __init__(
        self,
        kind: Kind,
        layout: Layout,
        copies: int,
        caution: float,
        dice: np.random.Generator,
        on: Ref = (),
    ) -> None:
        self.kind = kind
        self.copies = copies
        self.caution = caution
        self.dice = dice
        self.layout = layout.copy()
        self.masks = kind.masks
        self.region_bits: dict[int, float] = {}
        self.levels = kind.by_elevation[list(kind.elevations)]
        self.maps = len(self.masks) / copies
        self.chance_bits = 1.5 + 0.5 * np.log2(max(self.maps, 2))
        self.pieces: list[Piece] = []
        self.first = len(layout.used)
        self.on = on
        self.text_bits = self.marginal_bits = 0.0

    def run(self, *, thorough: bool = True) -> LayerSearch:
        """Split greedily, then add the leaves to the layout as pieces."""
        self.thorough = thorough
        first = self.leaf(Where(on=self.on))
        leaves = [replace(first, gain=self.independent_bits() - first.data_bits / self.maps)]
        self.marginal_bits = first.data_bits
        splits: dict[Leaf, Split | None] = {}
        while leaves:
            for leaf in leaves:
                if leaf not in splits:
                    splits[leaf] = self.best(self.splits(leaf))
            # Without a split the fullest leaf is placed; others may then be near it.
            leaf = max(leaves, key=lambda each: self.rank(splits[each], each))
            leaves.remove(leaf)
            split = splits[leaf]
            if split is None:
                number = self.add_piece(leaf.where, leaf.hits, leaf.lists, leaf.gain)
                for each in leaves:
                    near = self.ref_splits(each, self.refs((number,)))
                    splits[each] = self.best(near, splits[each])
                continue
            self.marginal_bits -= split.data_saved
            gain = split.data_saved / self.maps
            wheres = split.wheres
            if split.seed is not None:
                number = self.plant(*split.seed, gain)
                splits.clear()
                wheres = tuple(
                    replace(
                        where,
                        near=self.with_seed(where.near, number),
                        apart=self.with_seed(where.apart, number),
                    )
                    for where in split.wheres
                )
            leaves += [replace(self.leaf(where), gain=gain) for where in wheres]
            leaves = [leaf for leaf in leaves if leaf.hits.any()]
        if not self.on:
            self.layout.layers.append(tuple(range(self.first, len(self.layout.used))))
        return self

    @staticmethod
    def rank(split: Split | None, leaf: Leaf) -> tuple[float, int]:
        """Return the rank of a leaf with its best split: splits before none, then the fullest."""
        if split is not None:
            return (split.saved, 0)
        return (0.0, int(size(leaf.hits).sum()))

    @staticmethod
    def best(splits: Iterable[Split], best: Split | None = None) -> Split | None:
        """Return the split that saves most, ``best`` or None if none saves more."""
        for split in splits:
            if split.saved > (best.saved if best else 0.0):
                best = split
        return best

    @staticmethod
    def with_seed(refs: tuple[Ref, ...], number: int) -> tuple[Ref, ...]:
        """Replace the number -1, a seed that has none yet."""
        return tuple((number,) if ref == (-1,) else ref for ref in refs)

    def independent_bits(self) -> float:
        """Return the bits a map if each hex had the layer's terrain by the same chance."""
        share = min(max(float(size(self.masks).mean()) / HEX_COUNT, 1e-9), 1 - 1e-9)
        return -HEX_COUNT * float(share * np.log2(share) + (1 - share) * np.log2(1 - share))

    # --- leaves ------------------------------------------------------------------------------

    def leaf(self, where: Where) -> Leaf:
        """Return the leaf of a list."""
        lists = self.layout.lists(where)
        hits = lists & self.masks
        data, text = self.cost(where, lists, hits)
        return Leaf(where, lists, hits, data, text)

    def cost(self, where: Where, lists: Masks, hits: Masks) -> tuple[float, float]:
        """Return the bits of the hexes of a list, and those of its AREA."""
        maps = histogram(size(hits), size(lists))
        chances, sums = quick_chances(maps)
        data = count_bits(maps, sums) / self.copies
        if not chances:
            return data, self.chance_bits / min(self.caution, 1.0) if maps.any() else 0.0
        data += self.elevation_bits(hits)
        text = self.where_bits(where) + self.hazard_bits(chances)
        if len(self.levels) > 1:
            text += (np.count_nonzero(self.elevation_numbers(hits)) - 1) * self.chance_bits
        return data, text

    def elevation_bits(self, hits: Masks) -> float:
        if len(self.levels) == 1:
            return 0.0
        numbers = self.elevation_numbers(hits)
        total = numbers.sum()
        shares = numbers[numbers > 0] / total
        return float(-total * (shares @ np.log2(shares))) / self.copies

    def elevation_numbers(self, hits: Masks) -> Floats:
        return np.array(
            [int(size(hits & level_masks).sum()) for level_masks in self.kind.by_elevation], float
        )

    def where_bits(self, where: Where) -> float:
        bits = self.region_bits.get(where.region)
        if bits is None:
            # Of so many sets one fits by chance: what it takes to name one is never cut short.
            bits = region_of(where.region).bits / min(self.caution, 1.0)
            self.region_bits[where.region] = bits
        return (
            STATEMENT_BITS
            + (bits if not where.further else 5.0)
            + 3.0 * len(where.further)
            + NEAR_BITS * (len(where.near) + len(where.apart) + bool(where.on))
        )

    def hazard_bits(self, chances: tuple[float, ...]) -> float:
        certain = chances.count(1.0)
        loose = len(chances) - certain
        # All that is loose is one chance here; writing them out, each may get its own.
        return CERTAIN_BITS * len(chances) + (self.chance_bits if loose else 0.0) + 0.5 * loose

    # --- splits ------------------------------------------------------------------------------

    def splits(self, leaf: Leaf) -> Iterator[Split]:
        where = leaf.where
        if where.further or leaf.data_bits < self.caution * STATEMENT_BITS:
            return  # no split can pay
        for region in self.regions(leaf):
            inner = where.region & region
            outer = where.region & ~region
            if inner and outer:
                yield self.split(leaf, replace(where, region=inner), replace(where, region=outer))
        for parts in THIRDS:
            union = parts[0] | parts[1] | parts[2]
            if union & ~where.region == 0:
                three = replace(where, region=parts[0], further=parts[1:])
                remainder = where.region & ~union
                yield self.split(
                    leaf, three, *([replace(where, region=remainder)] if remainder else [])
                )
        yield from self.ref_splits(leaf, self.refs())
        for piece in where.on if len(where.on) > 1 else ():
            other_pieces = tuple(on_piece for on_piece in where.on if on_piece != piece)
            yield self.split(leaf, replace(where, on=(piece,)), replace(where, on=other_pieces))
        if not where.on:
            yield from self.seed_splits(leaf)

    def ref_splits(self, leaf: Leaf, refs: Iterable[Ref]) -> Iterator[Split]:
        where = leaf.where
        for ref in refs:
            if where.further or ref in where.near or ref in where.apart:
                continue
            yield self.split(
                leaf,
                replace(where, near=(*where.near, ref)),
                replace(where, apart=(*where.apart, ref)),
            )

    def split(self, leaf: Leaf, *wheres: Where) -> Split:
        """Return what replacing the leaf by these lists saves."""
        data = text = 0.0
        for where in wheres:
            lists = self.layout.lists(where)
            part_data, part_text = self.cost(where, lists, lists & self.masks)
            data += part_data
            text += part_text
        saved = leaf.data_bits - data
        return Split(saved - self.caution * (text - leaf.text_bits), saved, wheres)

    def regions(self, leaf: Leaf) -> Iterator[int]:
        """Yield the sets by which a leaf may be split: named ones, and the fullest orbits and
        hexes.
        """
        seen = set()
        for region in self.candidates(leaf):
            inner = region & leaf.where.region
            key = min(inner, leaf.where.region & ~inner)
            if key and key not in seen:
                seen.add(key)
                yield region

    def candidates(self, leaf: Leaf) -> Iterator[int]:
        for named in REGIONS:
            yield named.mask
        bits = np.arange(HEX_COUNT)
        hits = (leaf.hits[0][:, None] >> bits & 1).sum(0)
        room = (leaf.lists[0][:, None] >> bits & 1).sum(0)
        rates = hits / np.maximum(room, 1)
        yield from self.prefixes([1 << int(n) for n in np.argsort(-rates, kind="stable")])
        yield int(sum(1 << int(n) for n in np.flatnonzero(hits)))
        by_orbit = []
        for orbit in ORBITS:
            members = [n for n in range(HEX_COUNT) if orbit >> n & 1]
            by_orbit.append((-hits[members].sum() / max(room[members].sum(), 1), orbit))
        yield from self.prefixes([orbit for _, orbit in sorted(by_orbit)])

    @staticmethod
    def prefixes(parts: list[int]) -> Iterator[int]:
        mask = 0
        for part in parts[:-1]:
            mask |= part
            yield mask

    def refs(self, new: Ref = ()) -> Iterator[Ref]:
        """Yield what a list may be near or apart from: pieces, whole layers, everything.

        With ``new``, a piece that has just been added, only those with it.
        """
        count = len(self.layout.used)
        singles = [(number,) for number in range(count)]
        own_numbers = tuple(range(self.first, count))
        earlier_numbers = tuple(range(self.first))
        refs = (*singles, *self.layout.layers, own_numbers, earlier_numbers, tuple(range(count)))
        for ref in dict.fromkeys(refs):
            if ref and set(new) <= set(ref):
                yield ref
                if len(ref) > 1 or not self.layout.layers:
                    yield (RING, *ref)

    # --- seeds -------------------------------------------------------------------------------

    def seed_splits(self, leaf: Leaf) -> Iterator[Split]:
        """Yield the splits by a seed: all regions are tried roughly, the best ones well."""
        regions = {leaf.where.region: None}
        for region in self.regions(leaf) if self.thorough else NAMED:
            regions[region & leaf.where.region] = None
            regions[leaf.where.region & ~region] = None
        where = leaf.where
        candidates = [(replace(where, region=region), False) for region in regions if region]
        if self.thorough:
            candidates += [
                (seed_where, True) for seed_where, _ in candidates if seed_where != where
            ]
            for split in self.ref_splits(leaf, self.refs()):
                candidates += [(seed_where, True) for seed_where in split.wheres]
        rough = []
        for index, (seed_where, alone) in enumerate(candidates):
            seed = self.seed_split(leaf, seed_where, 1, alone=alone)
            if seed is not None:
                rough.append((-seed.saved, index))
        for _, index in sorted(rough)[:BEST_SEEDS]:
            seed_where, alone = candidates[index]
            seed = self.seed_split(leaf, seed_where, SEED_ROUNDS, alone=alone)
            if seed is not None:
                yield seed

    def seed_split(
        self, leaf: Leaf, seed_where: Where, rounds: int, *, alone: bool
    ) -> Split | None:
        """Return the split of a leaf into a seed, its neighbours, and the remaining hexes."""
        where = leaf.where
        copies = self.copies
        seeds = find_seeds(
            leaf.lists[0],
            leaf.hits[0],
            self.layout.lists(seed_where)[0],
            self.levels,
            rounds,
            2 * copies,
            alone=alone,
        )
        if seeds is None:
            return None
        text = self.where_bits(seed_where) + CERTAIN_BITS
        text += 0.0 if seeds.chance == 1 else self.chance_bits
        text += 0.0 if len(self.levels) == 1 else self.chance_bits
        near = replace(where, near=(*where.near, (-1,)))
        if not alone:
            far = replace(where, apart=(*where.apart, (-1,)))
        else:
            far = where
        for chances, used_chances in ((seeds.near, near), (seeds.far, far)):
            text += self.where_bits(used_chances) + self.hazard_bits(chances) if chances else 0.0
        saved = leaf.data_bits - seeds.bits / copies
        net = saved - self.caution * (text - leaf.text_bits)
        return Split(net, saved, (far,) if alone else (near, far), (seed_where, seeds))

    def plant(self, seed_where: Where, seeds: Seeds, gain: float) -> int:
        """Draw the seed of every map; add it as a piece; return its number."""
        used = seeds.draw(self.dice, len(self.masks))
        return self.add_piece(
            seed_where, used[None], self.layout.lists(seed_where), gain, seed=True
        )

    # --- the result --------------------------------------------------------------------------

    def add_piece(
        self, where: Where, hits: Masks, lists: Masks, gain: float, *, seed: bool = False
    ) -> int:
        maps = histogram(size(hits), size(lists))
        if seed:
            chances = quick_chances(maps)[0]
        else:
            chances = best_chances(maps)
        numbers = self.elevation_numbers(hits)
        odds = tuple((numbers / max(numbers.sum(), 1)).tolist())
        chances = tuple(chance for chance in chances if rounded(chance))
        self.text_bits += self.where_bits(where) + self.hazard_bits(chances)
        used = np.bitwise_or.reduce(hits, 0)
        number = self.layout.add(used)
        self.pieces.append(Piece(self.kind.terrain, odds, where, chances, gain, number, seed))
        return number
