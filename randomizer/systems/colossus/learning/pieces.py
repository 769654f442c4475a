"""What a learned script is made of: AREAs whose lists lean on what earlier AREAs have used up."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from randomizer.systems.colossus.learning.hex_masks import ALL, Masks, neighbours

Ref = tuple[int, ...]
"""Pieces by number: the hexes that any of them has used up. After RING: those around them."""

RING = -2


@dataclass(frozen=True, slots=True)
class Where:
    """A list of hexes: ``region`` without what is taken, near and apart from used-up hexes.

    ``region`` is a set of hexes; with ``further`` ones the same hazards are placed on each of them.
    ``near`` and ``apart``: the list has only neighbours of the hexes of each, or none. With ``on``
    it is of hexes that these pieces have used up: something is placed over them.
    """

    region: int = ALL
    further: tuple[int, ...] = ()
    near: tuple[Ref, ...] = ()
    apart: tuple[Ref, ...] = ()
    on: Ref = ()

    @property
    def regions(self) -> tuple[int, ...]:
        """All sets of hexes."""
        return self.region, *self.further


@dataclass(frozen=True, slots=True)
class Piece:
    """An AREA: ``chances`` of its hazards and, for each of them, the odds of elevations 0 to 2.

    ``gain`` is what it saves in bits a map, ``count`` the hexes that it places a map on average.
    """

    terrain: int
    elevations: tuple[float, float, float]
    where: Where
    chances: tuple[float, ...]
    gain: float
    number: int
    seed: bool = False


@dataclass(eq=False)
class Layout:
    """The hexes with something placed on n maps: ``used`` (n) by piece, ``taken`` (n) by any."""

    taken: Masks
    used: list[Masks] = field(default_factory=list)
    layers: list[Ref] = field(default_factory=list)

    def copy(self) -> Layout:
        """Return a layout to which pieces can be added."""
        return Layout(self.taken, list(self.used), list(self.layers))

    def add(self, used: Masks) -> int:
        """Add a piece; return its number."""
        self.used.append(used)
        self.taken = self.taken | used
        return len(self.used) - 1

    def of(self, ref: Ref) -> Masks:
        """Return the hexes that the pieces have used up, or those around them."""
        if ref[0] == RING:
            members = self.of(ref[1:])
            return neighbours(members) & ~members
        result = self.used[ref[0]]
        for piece in ref[1:]:
            result = result | self.used[piece]
        return result

    def lists(self, where: Where) -> Masks:
        """Return (parts, n): the hexes of the list in every map."""
        free = self.of(where.on) if where.on else ~self.taken
        for ref in where.near:
            free = free & neighbours(self.of(ref))
        for ref in where.apart:
            free = free & ~neighbours(self.of(ref))
        regions = np.array(where.regions, np.int32)
        return free[None] & regions[:, None]
