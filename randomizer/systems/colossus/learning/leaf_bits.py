"""The lengths of leaves in bits: what decides which splits a search for a layer makes.

A *leaf* is a list of hexes, of which on every map some are *hits*: hexes of the layer
(list_search.py). Its length has two parts:

* the *data bits*: those of the description of all maps, that is, which hexes of the list are hits;
* the *text bits*: those of its AREA in the script (script_lengths.py).

    measure = LeafMeasure(kind, layout, copies=1, caution=1.0)
    measure.bits_of(AreaList(region=inside))         # LeafBits(data=310.5, text=21.3)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from randomizer.systems.colossus.board import HEX_COUNT
from randomizer.systems.colossus.learning.counts import (
    Floats,
    count_bits,
    count_histogram,
    quick_chances,
)
from randomizer.systems.colossus.learning.hex_masks import Masks, size
from randomizer.systems.colossus.learning.kinds import Kind
from randomizer.systems.colossus.learning.list_divisions import Leaf
from randomizer.systems.colossus.learning.pieces import AreaList, Layout
from randomizer.systems.colossus.learning.script_lengths import ScriptLengths

_MIN_SHARE = 1e-9
"""Stands for a share of 0, and what 1 lacks of it for 1, so that logarithms are finite."""


class LeafBits(NamedTuple):
    """The lengths of a leaf, in bits."""

    data: float
    """That of the description of all maps: which hexes of the list are hits."""

    text: float
    """That of its AREA in the script."""


class LeafMeasure:
    """Measures the leaves of one kind of hexes, on n maps with their copies."""

    def __init__(self, kind: Kind, layout: Layout, *, copies: int, caution: float) -> None:
        """Begin with a layout, to which the search adds pieces meanwhile.

        ``copies`` and ``caution`` are those of ``SearchOptions``.
        """
        self.kind = kind
        self.layout = layout
        """What is used up so far; the lists of leaves depend on it."""
        self.copies = copies
        self.map_count = len(kind.masks) / copies
        """The number of maps, without copies."""
        self.lengths = ScriptLengths(self.map_count, caution)
        """The lengths of the parts of a script."""
        self.elevation_masks: Masks = kind.by_elevation[list(kind.elevations)]
        """(e, n): the hexes of each elevation that comes at all."""

    @property
    def has_elevations(self) -> bool:
        """True if the layer has several elevations, so that the script must tell their odds."""
        return len(self.elevation_masks) > 1

    def leaf(self, area_list: AreaList, gain: float = 0.0) -> Leaf:
        """Return the leaf of a list. ``gain`` is what the split that makes it saves."""
        hexes = self.layout.hexes_in(area_list)
        hits = hexes & self.kind.masks
        bits = self._bits(area_list, hexes, hits)
        return Leaf(area_list, hexes, hits, bits.data, bits.text, gain)

    def bits_of(self, area_list: AreaList) -> LeafBits:
        """Return the lengths of the leaf of a list."""
        hexes = self.layout.hexes_in(area_list)
        return self._bits(area_list, hexes, hexes & self.kind.masks)

    def _bits(self, area_list: AreaList, hexes: Masks, hits: Masks) -> LeafBits:
        """Return the lengths of a leaf with these hexes and hits, (parts, n) each."""
        # Which hexes are hits: only their number on each map has a chance, all hexes are alike.
        histogram = count_histogram(size(hits), size(hexes))
        chances, chances_of_arrivals = quick_chances(histogram)
        data_bits = count_bits(histogram, chances_of_arrivals) / self.copies
        if not chances:
            # No AREA is written, but that nothing comes here is a chance of 0, which counts too.
            return LeafBits(data_bits, self.lengths.protected(self.lengths.chance_bits))
        text_bits = self.lengths.area_bits(area_list) + self.lengths.hazard_bits(chances)

        # The elevations of the hits: each map tells them, and the script has their odds.
        if self.has_elevations:
            numbers = self.hits_of_elevations(hits)
            data_bits += _bits_of_choices(numbers) / self.copies
            # The last of the odds follows from the others.
            text_bits += (np.count_nonzero(numbers) - 1) * self.lengths.chance_bits
        return LeafBits(data_bits, text_bits)

    def hits_of_elevations(self, hits: Masks) -> Floats:
        """Return (3,): the number of hits of each elevation."""
        numbers = [int(size(hits & level).sum()) for level in self.kind.by_elevation]
        return np.array(numbers, float)

    def independent_bits(self) -> float:
        """Return the bits a map if each hex had the layer's terrain by the same chance."""
        share = float(size(self.kind.masks).mean()) / HEX_COUNT
        share = min(max(share, _MIN_SHARE), 1 - _MIN_SHARE)
        return -HEX_COUNT * float(share * np.log2(share) + (1 - share) * np.log2(1 - share))


def _bits_of_choices(numbers: Floats) -> float:
    """Return the bits that tell choices of which each comes so often: the entropy of all."""
    total = numbers.sum()
    shares = numbers[numbers > 0] / total
    return float(-total * (shares @ np.log2(shares)))
