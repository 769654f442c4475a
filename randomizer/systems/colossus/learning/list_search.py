"""Learns how one kind of hex is placed, given what has been placed before: one layer of a script.

A *layer* is the set of hexes with one terrain (at some elevations) on every map. It is described by
*leaves*, as those of a decision tree: lists of hexes, each with its *hits*, the hexes that belong
to the layer (leaves.py). For instance bogs around a lake::

    one leaf, anywhere: 3 bogs in 27 hexes
        near the lake: 3 in 6           becomes   AREA SURROUNDINGSOF((lake)) HAZARDS Bog Bog Bog
        apart from it: 0 in 21          no AREA

How many bits the layer takes by its leaves is known exactly. So the tree is grown greedily: of all
splits of all leaves the one that saves most bits is made, until no split saves more than its own
words in the script take. A leaf is split

- into lists of its hexes: by a region of the board, by what is near, or into three symmetric parts
  (leaf_splits.py);
- or by a *seed*, a hidden first hex around which the others stand (seed_splits.py).

A leaf that is not split any more becomes a *piece*, an AREA of the script, which later lists can
refer to: above, the lake is a piece of an earlier layer. Call ``fit_layer``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from randomizer.systems.colossus.learning.counts import (
    best_chances,
    count_histogram,
    quick_chances,
    rounded,
)
from randomizer.systems.colossus.learning.hex_masks import Masks, size
from randomizer.systems.colossus.learning.kinds import Kind
from randomizer.systems.colossus.learning.leaf_splits import (
    ListSplit,
    list_splits,
    list_splits_by_piece,
)
from randomizer.systems.colossus.learning.leaves import Leaf, LeafMeasure, SearchOptions
from randomizer.systems.colossus.learning.pieces import AreaList, Layout, Piece, PieceNumbers
from randomizer.systems.colossus.learning.script_lengths import STATEMENT_BITS
from randomizer.systems.colossus.learning.seed_splits import SeedSplit, seed_splits

Split = ListSplit | SeedSplit


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
    pieces_below: PieceNumbers = (),
) -> FittedLayer:
    """Return the layer of a kind, placed behind what ``layout`` has; this is not changed.

    The kind is placed on hexes that nothing has used up; or, if there are ``pieces_below``, over
    the hexes of these, as an island in a lake. Its own hexes then still count as those of the layer
    below. The seeds of the maps are drawn with ``dice``.
    """
    search = _LayerSearch(kind, layout.copy(), dice, options)
    return search.run(pieces_below)


@dataclass(eq=False)
class _OpenLeaf:
    """A leaf that is neither split nor placed as a piece yet."""

    leaf: Leaf

    gain_per_map: float
    """What the split that made the leaf has saved, in bits a map."""

    is_tried: bool = False
    """False if its splits have to be tried: of a new leaf, and of all after a seed was placed."""

    best_split: Split | None = None
    """The split that saves most, of those tried; None if none saves anything."""


class _LayerSearch:
    """The search for one layer: made, ``run`` once, and then of no use any more."""

    def __init__(
        self, kind: Kind, layout: Layout, dice: np.random.Generator, options: SearchOptions
    ) -> None:
        """Begin with the pieces of a ``layout``, to which those of this layer are added."""
        self._kind = kind
        self._dice = dice
        self._options = options
        self._measure = LeafMeasure(kind, layout, options)
        self._first_number = len(layout.used)
        """The number that the first piece of this layer gets: those below are earlier layers'."""

        # The layer grows as leaves are split and become pieces:
        self._open_leaves: list[_OpenLeaf] = []
        """The leaves so far; no two of them have a hex in common."""
        self._layout = layout
        """What is used up, by the pieces of this layer so far as well."""
        self._pieces: list[Piece] = []
        """The pieces of this layer so far."""
        self._map_bits = 0.0
        """The length of the description of all maps by the leaves and pieces so far."""
        self._text_bits = 0.0
        """The length of the pieces in the script."""

    def run(self, pieces_below: PieceNumbers) -> FittedLayer:
        """Split greedily, and place the leaves as pieces; return the layer.

        ``pieces_below`` is as in ``fit_layer``.
        """
        # One leaf has all hexes at first.
        whole = self._measure.leaf(AreaList(on=pieces_below))
        self._map_bits = whole.bits.data
        bits_per_map = whole.bits.data / self._measure.map_count
        gain_per_map = self._measure.independent_bits_per_map() - bits_per_map
        self._open_leaves = [_OpenLeaf(whole, gain_per_map)]

        while self._open_leaves:
            self._try_splits()
            # The best split of all leaves is made. Where no leaf is worth a split, the one with
            # most hits is placed.
            splits = [open_leaf.best_split for open_leaf in self._open_leaves]
            best_split = _best_of(split for split in splits if split is not None)
            if best_split is not None:
                split_leaf = self._open_leaves.pop(splits.index(best_split))
                self._split(split_leaf.leaf, best_split)
            else:
                fullest_leaf = max(self._open_leaves, key=_hit_count)
                self._open_leaves.remove(fullest_leaf)
                self._place(fullest_leaf)

        if not pieces_below:
            numbers_of_layer = range(self._first_number, len(self._layout.used))
            self._layout.layers.append(tuple(numbers_of_layer))
        return FittedLayer(
            kind=self._kind,
            pieces=tuple(self._pieces),
            layout=self._layout,
            map_bits=self._map_bits,
            text_bits=self._text_bits,
        )

    # --- splits ---

    def _try_splits(self) -> None:
        """Find the best split of each leaf whose splits have to be tried."""
        for open_leaf in self._open_leaves:
            if not open_leaf.is_tried:
                open_leaf.best_split = _best_of(self._splits(open_leaf.leaf))
                open_leaf.is_tried = True

    def _splits(self, leaf: Leaf) -> Iterator[Split]:
        """Yield all splits of a leaf that are tried."""
        # Three symmetric parts are not split further: they would not be alike any more.
        has_symmetric_parts = bool(leaf.area_list.further)
        # No split pays that saves less than its first statement takes.
        is_too_short = leaf.bits.data < self._options.caution * STATEMENT_BITS
        if has_symmetric_parts or is_too_short:
            return
        yield from list_splits(leaf, self._measure, self._options, self._first_number)
        if not leaf.area_list.on:
            yield from seed_splits(leaf, self._measure, self._options, self._first_number)

    def _split(self, leaf: Leaf, split: Split) -> None:
        """Replace a leaf, which is not open any more, by those of a split."""
        self._map_bits -= split.data_bits_saved
        if isinstance(split, SeedSplit):
            seed_number = self._place_seed(split)
            area_lists = split.seed_list.lists_without_seed(leaf.area_list, seed_number).all()
            # The seed is a new piece, near which the hexes of any leaf may be.
            for open_leaf in self._open_leaves:
                open_leaf.is_tried = False
        else:
            area_lists = split.area_lists
        gain_per_map = split.data_bits_saved / self._measure.map_count
        for area_list in area_lists:
            new_leaf = self._measure.leaf(area_list)
            if new_leaf.hits.any():
                self._open_leaves.append(_OpenLeaf(new_leaf, gain_per_map))

    # --- pieces ---

    def _place_seed(self, split: SeedSplit) -> int:
        """Draw the seed of every map, and add it as a piece; return the piece's number."""
        area_list = split.seed_list.area_list
        seeds = split.seeds.draw(self._dice, len(self._kind.masks))  # (n,)
        hits = seeds[None]  # (1, n), of the only part
        hexes = self._layout.hexes_in(area_list)
        # A seed is one hazard, whose quick chance is the best one.
        chances = quick_chances(count_histogram(size(hits), size(hexes))).chances
        gain_per_map = split.data_bits_saved / self._measure.map_count
        return self._add_piece(area_list, hits, chances, gain_per_map, seed=True)

    def _place(self, placed_leaf: _OpenLeaf) -> None:
        """Add a leaf, which is not open any more, as a piece.

        The hexes of other leaves may then be near it. Their lists stay as they are, since no two
        leaves have a hex in common; so only the splits by the new piece are new.
        """
        leaf = placed_leaf.leaf
        chances = best_chances(count_histogram(size(leaf.hits), size(leaf.hexes)))
        number = self._add_piece(leaf.area_list, leaf.hits, chances, placed_leaf.gain_per_map)
        for open_leaf in self._open_leaves:
            new_splits = list_splits_by_piece(
                open_leaf.leaf, number, self._measure, self._options, self._first_number
            )
            open_leaf.best_split = _best_of(new_splits, open_leaf.best_split)

    def _add_piece(
        self,
        area_list: AreaList,
        hits: Masks,
        chances: tuple[float, ...],
        gain_per_map: float,
        *,
        seed: bool = False,
    ) -> int:
        """Add a piece that fills ``hits`` (parts, n); return its number.

        ``chances`` are those of its hazards, and those that would be written as 0 are left out.
        """
        written_chances = tuple(chance for chance in chances if rounded(chance))
        numbers = self._measure.hits_of_elevations(hits)
        odds = tuple((numbers / max(numbers.sum(), 1)).tolist())
        lengths = self._measure.lengths
        self._text_bits += lengths.area_bits(area_list) + lengths.hazard_bits(written_chances)
        number = self._layout.add(np.bitwise_or.reduce(hits, 0))
        piece = Piece(
            terrain=self._kind.terrain,
            elevation_odds=odds,
            area_list=area_list,
            chances=written_chances,
            gain=gain_per_map,
            number=number,
            seed=seed,
        )
        self._pieces.append(piece)
        return number


def _best_of(splits: Iterable[Split], best: Split | None = None) -> Split | None:
    """Return the split that saves most: ``best`` or None if none saves more, or anything."""
    most_saved = 0.0
    if best is not None:
        most_saved = best.bits_saved
    for split in splits:
        if split.bits_saved > most_saved:
            best = split
            most_saved = split.bits_saved
    return best


def _hit_count(open_leaf: _OpenLeaf) -> int:
    """Return the number of hits of a leaf on all maps."""
    return int(size(open_leaf.leaf.hits).sum())
