"""The ways to divide a list of hexes of a learned script into several lists.

A ``Leaf`` is a list with what a terrain takes of it (leaves.py). The search (list_search.py) tries
to replace a leaf by the leaves of the lists that these functions yield::

    inside_and_outside     the hexes in a region of the board, and the others
    thirds                 three parts alike, turned by a third, and the hexes in none of them
    near_and_apart         the hexes beside what earlier AREAs have placed, and the others
    on_each_piece          of a list on several pieces: on one of them, and on the others

``references`` has what a list can be near or apart from.

The lists that are divided are single ones, without ``AreaList.further``: of three symmetric parts
none may become different.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from randomizer.systems.colossus.learning.hex_masks import flags_of, hexes_of, mask_of
from randomizer.systems.colossus.learning.leaves import Leaf
from randomizer.systems.colossus.learning.pieces import AreaList, Layout, PieceNumbers, Ref
from randomizer.systems.colossus.learning.regions import ORBITS, REGIONS, THIRDS

NAMED_REGIONS = tuple(region.mask for region in REGIONS)
"""The sets of hexes for which scripts have a name or a short list."""


def inside_and_outside(leaf: Leaf) -> Iterator[tuple[AreaList, AreaList]]:
    """Yield, for each region that divides the leaf, the hexes inside it and those outside."""
    area_list = leaf.area_list
    for region in dividing_regions(leaf):
        inner = area_list.region & region
        outer = area_list.region & ~region
        yield replace(area_list, region=inner), replace(area_list, region=outer)


def thirds(area_list: AreaList) -> Iterator[tuple[AreaList, ...]]:
    """Yield three symmetric parts of a list, as one list, and the remaining hexes, if any."""
    for parts in THIRDS:
        union = parts[0] | parts[1] | parts[2]
        if union & ~area_list.region:
            continue  # some of the parts are not in the list
        # The three get one AREA each with the same hazards, which are written down once.
        three_parts = replace(area_list, region=parts[0], further=parts[1:])
        remainder = area_list.region & ~union
        if remainder:
            yield three_parts, replace(area_list, region=remainder)
        else:
            yield (three_parts,)


def near_and_apart(area_list: AreaList, refs: Iterable[Ref]) -> Iterator[tuple[AreaList, AreaList]]:
    """Yield, for each reference, the hexes of a list near it and those apart from it."""
    # Three symmetric parts are not divided further: they would not be alike any more.
    if area_list.further:
        return
    for ref in refs:
        if ref not in area_list.near and ref not in area_list.apart:
            near = replace(area_list, near=(*area_list.near, ref))
            apart = replace(area_list, apart=(*area_list.apart, ref))
            yield near, apart


def references(layout: Layout, first_of_layer: int) -> Iterator[Ref]:
    """Yield what a list may be near or apart from: pieces, whole layers, everything.

    ``first_of_layer`` is the number of the first piece of the layer that is searched for.
    """
    piece_count = len(layout.used)
    groups: list[PieceNumbers] = [(number,) for number in range(piece_count)]
    groups += layout.layers
    groups.append(tuple(range(first_of_layer, piece_count)))  # this layer so far
    groups.append(tuple(range(first_of_layer)))  # all earlier layers
    groups.append(tuple(range(piece_count)))
    for pieces in dict.fromkeys(groups):  # each once: this layer can be a single piece so far
        if not pieces:
            continue
        yield Ref(pieces)
        # Rings around single pieces are tried in the first layer, where there are few.
        if len(pieces) > 1 or not layout.layers:
            yield Ref(pieces, is_ring=True)


def on_each_piece(area_list: AreaList) -> Iterator[tuple[AreaList, AreaList]]:
    """Yield, for each piece on which a list is placed, the hexes on it and those on the others."""
    on = area_list.on
    if len(on) < 2:
        return
    for piece in on:
        other_pieces = tuple(number for number in on if number != piece)
        yield replace(area_list, on=(piece,)), replace(area_list, on=other_pieces)


def dividing_regions(leaf: Leaf) -> Iterator[int]:
    """Yield the sets of hexes by which a leaf may be split, each division once."""
    tried: set[frozenset[int]] = set()
    for region in _candidate_regions(leaf):
        inner = region & leaf.area_list.region
        outer = leaf.area_list.region & ~inner
        if not inner or not outer:
            continue
        division = frozenset((inner, outer))  # a set and its complement divide the leaf alike
        if division not in tried:
            tried.add(division)
            yield region


def _candidate_regions(leaf: Leaf) -> Iterator[int]:
    """Yield the named regions, then the fullest hexes and the fullest orbits of a leaf.

    A hex is the fuller the more often it is hit where it is in the list. The fullest one, the two
    fullest ones, and so on, are a region each. An orbit is the three hexes that a rotation carries
    into one another.
    """
    yield from NAMED_REGIONS
    hits_of_hexes = flags_of(leaf.hits[0]).sum(0)
    maps_of_hexes = flags_of(leaf.hexes[0]).sum(0)

    rates = hits_of_hexes / np.maximum(maps_of_hexes, 1)
    fullest_hexes = np.argsort(-rates, kind="stable").tolist()
    yield from _unions([mask_of([hex_id]) for hex_id in fullest_hexes])
    yield mask_of(np.flatnonzero(hits_of_hexes).tolist())

    orbits = []
    for orbit in ORBITS:
        members = list(hexes_of(orbit))
        rate = hits_of_hexes[members].sum() / max(maps_of_hexes[members].sum(), 1)
        orbits.append((-rate, orbit))
    yield from _unions([orbit for _, orbit in sorted(orbits)])


def _unions(sets: list[int]) -> Iterator[int]:
    """Yield the first set, the union of the first two, and so on, but not that of all."""
    union = 0
    for mask in sets[:-1]:
        union |= mask
        yield union
