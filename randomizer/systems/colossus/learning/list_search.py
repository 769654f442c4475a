"""Learns how one kind of hex is placed, given what has been placed before: one layer of a script.

A *layer* is the set of hexes with one terrain (at some elevations) in every map. It is described by
*leaves*, as those of a decision tree: lists of hexes (``AreaList``), each with the number of its
hexes that belong to the layer, its *hits*. For instance bogs around a lake::

    one leaf, anywhere: 3 bogs in 27 hexes
        near the lake: 3 in 6           becomes   AREA SURROUNDINGSOF((lake)) HAZARDS Bog Bog Bog
        apart from it: 0 in 21          no AREA

How many bits the layer takes by its leaves is known exactly (leaf_bits.py). So the tree is grown
greedily: of all splits of all leaves the one that saves most bits is made, until no split saves
more than its own words in the script take (script_lengths.py). A leaf is split

- into lists of its hexes: by a region of the board, by what is near, or into three symmetric parts
  (list_divisions.py);
- or by a *seed*, a hidden first hex around which the others stand (seeds.py).

The module leaf_splits.py finds the best split of a leaf.

A leaf that is not split any more becomes a *piece*, an AREA of the script, which later lists can
refer to. Call ``fit_layer``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from randomizer.systems.colossus.learning.counts import (
    best_chances,
    count_histogram,
    quick_chances,
    rounded,
)
from randomizer.systems.colossus.learning.hex_masks import Masks, size
from randomizer.systems.colossus.learning.kinds import Kind
from randomizer.systems.colossus.learning.leaf_bits import LeafMeasure
from randomizer.systems.colossus.learning.leaf_splits import (
    SearchOptions,
    SeedSplit,
    Split,
    SplitFinder,
    best_of,
)
from randomizer.systems.colossus.learning.list_divisions import Leaf
from randomizer.systems.colossus.learning.pieces import AreaList, Layout, Piece, PieceNumbers


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
    search = _LayerSearch(kind, layout.copy(), dice, options)
    return search.run(on)


@dataclass(eq=False)
class _OpenLeaf:
    """A leaf that is neither split nor placed as a piece yet."""

    leaf: Leaf

    has_best_split: bool = False
    """False if its splits have to be tried: of a new leaf, and of all after a seed was placed."""

    best_split: Split | None = None
    """The split that saves most, if ``has_best_split``; None if none saves anything."""


class _LayerSearch:
    """The search for one layer: made, ``run`` once, and then of no use any more."""

    def __init__(
        self, kind: Kind, layout: Layout, dice: np.random.Generator, options: SearchOptions
    ) -> None:
        """Begin with the pieces of a ``layout``, to which those of this layer are added."""
        self._kind = kind
        self._dice = dice
        self._measure = LeafMeasure(kind, layout, copies=options.copies, caution=options.caution)
        self._finder = SplitFinder(self._measure, options)
        self._first_number = len(layout.used)
        """The number that the first piece of this layer gets."""

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

    def run(self, on: PieceNumbers) -> FittedLayer:
        """Split greedily, and place the leaves as pieces; return the layer.

        ``on`` is as in ``fit_layer``.
        """
        # One leaf has all hexes at first.
        whole = self._measure.leaf(AreaList(on=on))
        gain = self._measure.independent_bits() - whole.data_bits / self._measure.map_count
        self._map_bits = whole.data_bits
        self._open_leaves = [_OpenLeaf(replace(whole, gain=gain))]

        while self._open_leaves:
            self._try_splits()
            next_leaf = max(self._open_leaves, key=_rank)
            self._open_leaves.remove(next_leaf)
            if next_leaf.best_split is not None:
                self._split(next_leaf.leaf, next_leaf.best_split)
            else:
                # No leaf is worth a split: the fullest one is placed.
                self._place(next_leaf.leaf)

        # The hexes of pieces that are placed over others belong to the layer below.
        if not on:
            numbers_of_layer = range(self._first_number, len(self._layout.used))
            self._layout.layers.append(tuple(numbers_of_layer))
        return FittedLayer(
            kind=self._kind,
            pieces=tuple(self._pieces),
            layout=self._layout,
            map_bits=self._map_bits,
            text_bits=self._text_bits,
        )

    def _try_splits(self) -> None:
        """Find the best split of each leaf whose splits have to be tried."""
        for open_leaf in self._open_leaves:
            if not open_leaf.has_best_split:
                open_leaf.best_split = self._finder.best_split(open_leaf.leaf)
                open_leaf.has_best_split = True

    def _split(self, leaf: Leaf, split: Split) -> None:
        """Replace a leaf by those of a split."""
        self._map_bits -= split.data_saved
        area_lists: Iterable[AreaList]
        if isinstance(split, SeedSplit):
            seed_number = self._place_seed(split)
            area_lists = split.seed_list.lists_without_seed(leaf.area_list, seed_number)
            # The seed is a new piece, near which the hexes of any leaf may be.
            for open_leaf in self._open_leaves:
                open_leaf.has_best_split = False
        else:
            area_lists = split.area_lists
        gain = split.data_saved / self._measure.map_count
        for area_list in area_lists:
            new_leaf = self._measure.leaf(area_list, gain)
            if new_leaf.hits.any():
                self._open_leaves.append(_OpenLeaf(new_leaf))

    # --- pieces ---

    def _place_seed(self, split: SeedSplit) -> int:
        """Draw the seed of every map, and add it as a piece; return the piece's number."""
        area_list = split.seed_list.area_list
        hits = split.seeds.draw(self._dice, len(self._kind.masks))[None]
        hexes = self._layout.hexes_in(area_list)
        # A seed is one hazard, whose quick chance is the best one.
        chances = quick_chances(count_histogram(size(hits), size(hexes))).chances
        gain = split.data_saved / self._measure.map_count
        return self._add_piece(area_list, hits, chances, gain, seed=True)

    def _place(self, leaf: Leaf) -> None:
        """Add a leaf as a piece.

        The hexes of other leaves may then be near it. Their lists stay as they are, since no two
        leaves have a hex in common; so only the splits by the new piece are new.
        """
        chances = best_chances(count_histogram(size(leaf.hits), size(leaf.hexes)))
        number = self._add_piece(leaf.area_list, leaf.hits, chances, leaf.gain)
        for open_leaf in self._open_leaves:
            new_splits = self._finder.splits_by_piece(open_leaf.leaf, number)
            open_leaf.best_split = best_of(new_splits, open_leaf.best_split)

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
            gain=gain,
            number=number,
            seed=seed,
        )
        self._pieces.append(piece)
        return number


def _rank(open_leaf: _OpenLeaf) -> tuple[float, int]:
    """Return the rank of a leaf: that with the highest is next.

    The splits come first, the best one of all; when none pays, the leaves by their hits.
    """
    if open_leaf.best_split is not None:
        return (open_leaf.best_split.saved, 0)
    return (0.0, int(size(open_leaf.leaf.hits).sum()))
