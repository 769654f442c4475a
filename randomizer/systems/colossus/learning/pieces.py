"""What a learned script is made of: AREAs whose lists lean on what earlier AREAs have used up.

A ``Piece`` is one AREA, its ``AreaList`` the list of hexes that the hazards are placed on. A
``Layout`` has the hexes that the pieces so far have used up on every map. For instance::

    AREA (inside) HAZARDS Lake                          # piece 0: AreaList(region=inside)
    LABEL lake = (usedup)
    AREA SURROUNDINGSOF((lake)) HAZARDS Bog Bog,50.     # piece 1: AreaList(near=((0,),))
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from randomizer.systems.colossus.learning.hex_masks import ALL, Masks, neighbours

Ref = tuple[int, ...]
"""Pieces by number: the hexes that any of them has used up. After RING: those around them."""

RING = -2
"""Begins a ``Ref`` to the neighbours of the hexes that the pieces behind it have used up."""


@dataclass(frozen=True, slots=True)
class AreaList:
    """The list of hexes of an AREA: those of ``region`` that are not used up yet, or less."""

    region: int = ALL
    """The set of hexes that the list is cut out of."""

    further: tuple[int, ...] = ()
    """Further sets of hexes: each gets an AREA of its own with the same hazards."""

    near: tuple[Ref, ...] = ()
    """For each reference the list has only neighbours of its hexes."""

    apart: tuple[Ref, ...] = ()
    """For each reference the list has no neighbour of its hexes."""

    on: Ref = ()
    """The pieces of whose hexes the list is: something is placed over them. (): free hexes."""

    @property
    def regions(self) -> tuple[int, ...]:
        """All sets of hexes."""
        return self.region, *self.further


@dataclass(frozen=True, slots=True)
class Piece:
    """An AREA of a learned script."""

    terrain: int
    """The code of the terrain of its hazards."""

    elevations: tuple[float, float, float]
    """The odds of the elevations 0, 1 and 2 of each hazard; they sum to 1."""

    area_list: AreaList

    chances: tuple[float, ...]
    """The chance of each hazard, from 0 to 1, the highest first."""

    gain: float
    """What the AREA saves, in bits a map."""

    number: int
    """By which references name the piece; later AREAs have higher numbers."""

    seed: bool = False
    """Whether its hexes are seeds: see ``seeds``."""


@dataclass(eq=False)
class Layout:
    """The hexes that the pieces so far have used up on n maps."""

    taken: Masks
    """(n,): the hexes that any piece has used up."""

    used: list[Masks] = field(default_factory=list)
    """By the number of a piece (n,): the hexes that it has used up."""

    layers: list[Ref] = field(default_factory=list)
    """The pieces of each layer that is complete."""

    def copy(self) -> Layout:
        """Return a layout to which pieces can be added."""
        return Layout(self.taken, list(self.used), list(self.layers))

    def add(self, used: Masks) -> int:
        """Add a piece that has used up these hexes (n,); return its number."""
        self.used.append(used)
        self.taken = self.taken | used
        return len(self.used) - 1

    def hexes_of(self, ref: Ref) -> Masks:
        """Return (n,): the hexes that the pieces have used up, or those around them."""
        if ref[0] == RING:
            members = self.hexes_of(ref[1:])
            return neighbours(members) & ~members
        result = self.used[ref[0]]
        for piece in ref[1:]:
            result = result | self.used[piece]
        return result

    def lists(self, area_list: AreaList) -> Masks:
        """Return (parts, n): the hexes of the list on every map, a part for each region."""
        if area_list.on:
            hexes = self.hexes_of(area_list.on)
        else:
            hexes = ~self.taken
        for ref in area_list.near:
            hexes = hexes & neighbours(self.hexes_of(ref))
        for ref in area_list.apart:
            hexes = hexes & ~neighbours(self.hexes_of(ref))
        regions = np.array(area_list.regions, np.int32)
        return hexes[None] & regions[:, None]
