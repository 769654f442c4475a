"""The leaves that a layer is described by, and their lengths in bits.

The words of the search for a layer (list_search.py):

- a *layer* is the set of hexes with one terrain (at some elevations) on every map;
- a *list* (``AreaList``) is a set of hexes on every map that an AREA of a script can name, such as
  the hexes beside the lakes;
- a *leaf* is a list together with its *hits*: the hexes of the list that belong to the layer. The
  lists of all leaves have each hex of the board once, as the leaves of a decision tree do;
- a *piece* (``Piece``) is a leaf that has become an AREA of the script.

The fewer bits describe all maps and the script, the better the leaves are. For a leaf the bits
tell, map by map, how many of its hexes are hits, by the chances of the hazards of its AREA; which
ones these are, where all hexes of the list are equally likely; and the elevation of each. That is
its *data*. Its *text* is the AREA in the script (script_lengths.py)::

    measure = LeafMeasure(kind, layout, options)
    leaf = measure.leaf(AreaList(region=inside))
    leaf.bits                                       # LeafBits(data=310.5, text=21.3)
"""

from __future__ import annotations

from dataclasses import dataclass
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
from randomizer.systems.colossus.learning.pieces import AreaList, Layout
from randomizer.systems.colossus.learning.script_lengths import ScriptLengths

_MIN_SHARE = 1e-9
"""Stands for a share of 0, and what 1 lacks of it for 1, so that logarithms are finite."""


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """The options of a search for a layer."""

    copies: int
    """How often each given map stands among the n maps of the search.

    The first hex of a group (seeds.py) is not seen on a map: it is drawn. Of few maps there are
    copies, each with draws of its own, so that one unlucky draw decides nothing. A copy counts as
    ``1 / copies`` of a map.
    """

    caution: float
    """The weight of the script's length: 1 is the usual one, more gives fewer lines."""

    thorough: bool = True
    """Whether all lists are tried for seeds; if not, only those with a name in the language."""


class LeafBits(NamedTuple):
    """The lengths of a leaf, in bits."""

    data: float
    """That of the description of all maps: which hexes of the list are hits."""

    text: float
    """That of its AREA in the script."""


@dataclass(frozen=True, eq=False)
class Leaf:
    """A list of hexes on n maps, and what the layer has of it."""

    area_list: AreaList

    hexes: Masks
    """(parts, n): the hexes of the list, a part for each of its regions."""

    hits: Masks
    """(parts, n): those of them that belong to the layer."""

    bits: LeafBits


class LeafMeasure:
    """Makes the leaves of one kind of hexes, on n maps with their copies, and measures them."""

    def __init__(self, kind: Kind, layout: Layout, options: SearchOptions) -> None:
        """Begin with a layout, to which the search adds pieces meanwhile."""
        self.kind = kind
        self.layout = layout
        """What is used up so far; the lists of leaves depend on it."""
        self._copies = options.copies
        self.map_count = len(kind.masks) / options.copies
        """The number of maps that the copies count as.

        It can be a fraction: ``OrderSearch`` uses only the first of many copies.
        """
        self.lengths = ScriptLengths(self.map_count, options.caution)
        """The lengths of the parts of a script."""
        self.elevation_masks: Masks = kind.by_elevation[list(kind.elevations)]
        """(e, n): the hexes of each of the e elevations that the layer has."""

    @property
    def has_elevations(self) -> bool:
        """True if the layer has several elevations, so that the script must tell their odds."""
        return len(self.elevation_masks) > 1

    def leaf(self, area_list: AreaList) -> Leaf:
        """Return the leaf of a list."""
        hexes = self.layout.hexes_in(area_list)
        hits = hexes & self.kind.masks
        return Leaf(
            area_list=area_list, hexes=hexes, hits=hits, bits=self._bits(area_list, hexes, hits)
        )

    def _bits(self, area_list: AreaList, hexes: Masks, hits: Masks) -> LeafBits:
        """Return the lengths of a leaf with these hexes and hits, (parts, n) each."""
        # How many hexes are hits, and which.
        histogram = count_histogram(size(hits), size(hexes))
        hazards = quick_chances(histogram)
        data_bits = count_bits(histogram, hazards.chances_of_arrivals) / self._copies
        if not hazards.chances:
            # There are no hits, and no AREA is written. But that this is so everywhere on the list
            # is a finding, too, which can be by chance: it costs as much as a chance.
            return LeafBits(data_bits, self.lengths.protected(self.lengths.chance_bits))
        text_bits = self.lengths.area_bits(area_list) + self.lengths.hazard_bits(hazards.chances)

        # The elevations of the hits: each map tells them, and the script has their odds.
        if self.has_elevations:
            hit_counts = self.hits_of_elevations(hits)
            data_bits += _bits_of_choices(hit_counts) / self._copies
            # The last of the odds follows from the others.
            text_bits += (np.count_nonzero(hit_counts) - 1) * self.lengths.chance_bits
        return LeafBits(data_bits, text_bits)

    def hits_of_elevations(self, hits: Masks) -> Floats:
        """Return the number of hits of the elevations 0, 1 and 2, (3,)."""
        hit_counts = [int(size(hits & level).sum()) for level in self.kind.by_elevation]
        return np.array(hit_counts, float)

    def independent_bits_per_map(self) -> float:
        """Return the bits of a map if each hex had the layer's terrain by the same chance.

        That is the number of hexes times the binary entropy of the chance.
        """
        share = float(size(self.kind.masks).mean()) / HEX_COUNT
        share = min(max(share, _MIN_SHARE), 1 - _MIN_SHARE)
        entropy = -(share * np.log2(share) + (1 - share) * np.log2(1 - share))
        return HEX_COUNT * float(entropy)


def _bits_of_choices(numbers: Floats) -> float:
    """Return the bits that tell choices of which each comes so often: the entropy of all."""
    total = numbers.sum()
    shares = numbers[numbers > 0] / total
    return float(-total * (shares @ np.log2(shares)))
