"""The parts of a learned script: AREAs, whose lists of hexes refer to those of earlier AREAs.

An AREA of a script places hazards on hexes of a list, and has then *used up* the hexes that it
filled. A ``Piece`` is one AREA, its ``AreaList`` the list. A ``Layout`` has the hexes that the
pieces so far have used up on every map. For instance::

    AREA (inside) HAZARDS Lake                          # piece 0: AreaList(region=inside)
    LABEL lake = (usedup)
    AREA SURROUNDINGSOF((lake)) HAZARDS Bog Bog,50.     # piece 1: AreaList(near=(Ref((0,)),))
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from randomizer.systems.colossus.learning.hex_masks import ALL, Masks, neighbours

PieceNumbers = tuple[int, ...]
"""Pieces by their ``Piece.number``, ascending."""


class Ref(NamedTuple):
    """A reference of a list to the hexes that earlier pieces have used up."""

    pieces: PieceNumbers
    """The pieces: a hex that any of them has used up is meant."""

    is_ring: bool = False
    """True if the hexes around these are meant in their place, as by SURROUNDINGSOF.

    A list near such a ring around a lake has the hexes two steps from the lake.
    """


@dataclass(frozen=True, slots=True)
class AreaList:
    """The list of hexes of an AREA, which differs from map to map.

    It begins with the hexes of ``region`` that no piece has used up yet. Each entry of ``near`` and
    ``apart`` takes some of them away.
    """

    region: int = ALL
    """A set of hexes as a mask: bit i stands for hex i."""

    further: tuple[int, ...] = ()
    """The two rotations of ``region``, or none: each gets an AREA with the same hazards."""

    near: tuple[Ref, ...] = ()
    """For each reference only hexes beside those that it means stay in the list."""

    apart: tuple[Ref, ...] = ()
    """For each reference only hexes that are not beside those that it means stay in the list."""

    on: PieceNumbers = ()
    """The pieces on whose hexes another hazard is placed, as an island in a lake.

    Then the list begins with the hexes of these pieces, not with those that no piece has used up.
    () for most lists.
    """

    @property
    def regions(self) -> tuple[int, ...]:
        """All sets of hexes, a mask for each AREA."""
        return self.region, *self.further


@dataclass(frozen=True, slots=True)
class Piece:
    """An AREA of a learned script."""

    terrain: int
    """The code of the terrain of its hazards."""

    elevation_odds: tuple[float, float, float]
    """The odds of the elevations 0, 1 and 2 of each hazard; they sum to 1."""

    area_list: AreaList

    chances: tuple[float, ...]
    """The chance of each hazard, from 0 to 1, the highest first."""

    gain: float
    """The bits a map that the AREA saves."""

    number: int
    """The number by which a ``Ref`` names the piece; later AREAs have higher numbers."""

    seed: bool = False
    """True if it places the first hex of a group, around which a later piece places the others.

    The maps do not tell which hex of a group that is; the module ``seeds`` finds it.
    """


@dataclass(eq=False)
class Layout:
    """The hexes that the pieces so far have used up on n maps."""

    used_by_any: Masks
    """(n,): the hexes that any piece has used up."""

    used: list[Masks] = field(default_factory=list)
    """By the number of a piece (n,): the hexes that it has used up."""

    layers: list[PieceNumbers] = field(default_factory=list)
    """The pieces of each kind of hexes (``kinds``) that is complete."""

    def copy(self) -> Layout:
        """Return a layout to which pieces can be added."""
        return Layout(self.used_by_any, list(self.used), list(self.layers))

    def add(self, used: Masks) -> int:
        """Add a piece that has used up these hexes (n,); return its number."""
        self.used.append(used)
        self.used_by_any = self.used_by_any | used
        return len(self.used) - 1

    def hexes_of(self, pieces: PieceNumbers) -> Masks:
        """Return (n,): the hexes that any of the pieces, one at least, has used up."""
        first_piece, *further_pieces = pieces
        hexes = self.used[first_piece]
        for piece in further_pieces:
            hexes = hexes | self.used[piece]
        return hexes

    def hexes_meant_by(self, ref: Ref) -> Masks:
        """Return (n,): the hexes that a reference means on every map."""
        hexes = self.hexes_of(ref.pieces)
        if ref.is_ring:
            return neighbours(hexes) & ~hexes
        return hexes

    def _hexes_around(self, ref: Ref) -> Masks:
        """Return (n,): the hexes around those that a reference means, which are none of them.

        So ``SURROUNDINGSOF`` of a script has it.
        """
        hexes = self.hexes_meant_by(ref)
        return neighbours(hexes) & ~hexes

    def hexes_in(self, area_list: AreaList) -> Masks:
        """Return (regions, n): the hexes of a list on every map, a row for each of its regions."""
        if area_list.on:
            hexes = self.hexes_of(area_list.on)
        else:
            hexes = ~self.used_by_any  # with bits above the board until ``regions`` are applied
        for ref in area_list.near:
            hexes = hexes & self._hexes_around(ref)
        for ref in area_list.apart:
            hexes = hexes & ~self._hexes_around(ref)
        regions = np.array(area_list.regions, np.int32)
        return hexes[None] & regions[:, None]
