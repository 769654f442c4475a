"""The splits of a leaf of a layer into the leaves of several lists, with the bits that they save.

The words are those of leaves.py, the ways to divide a list those of list_divisions.py::

    for split in list_splits(leaf, measure, options, first_of_layer):
        split.bits_saved                             # 12.7
        split.area_lists                             # of the new leaves
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from randomizer.systems.colossus.learning.leaves import Leaf, LeafMeasure, SearchOptions
from randomizer.systems.colossus.learning.list_divisions import (
    inside_and_outside,
    near_and_apart,
    on_each_piece,
    references,
    thirds,
)
from randomizer.systems.colossus.learning.pieces import AreaList


@dataclass(frozen=True, eq=False)
class ListSplit:
    """A way to replace a leaf: by a leaf for each of several lists."""

    bits_saved: float
    """The bits that it saves on all maps together, after those of the longer script."""

    data_bits_saved: float
    """The bits that it saves in the description of the maps alone."""

    area_lists: tuple[AreaList, ...]
    """The lists of the new leaves."""


def list_splits(
    leaf: Leaf, measure: LeafMeasure, options: SearchOptions, first_of_layer: int
) -> Iterator[ListSplit]:
    """Yield all splits of a leaf into lists; ``first_of_layer`` is as in ``references``.

    The leaf's list is a single one, without ``AreaList.further``.
    """
    area_list = leaf.area_list
    for area_lists in (
        *inside_and_outside(leaf),
        *thirds(area_list),
        *near_and_apart(area_list, references(measure.layout, first_of_layer)),
        *on_each_piece(area_list),
    ):
        yield _list_split(leaf, area_lists, measure, options)


def list_splits_by_piece(
    leaf: Leaf, piece_number: int, measure: LeafMeasure, options: SearchOptions, first_of_layer: int
) -> Iterator[ListSplit]:
    """Yield those splits of a leaf that a piece has made possible since it was placed.

    It is the last piece so far: each of its splits is near it, or near it and others.
    """
    refs_with_piece = []
    for ref in references(measure.layout, first_of_layer):
        if piece_number in ref.pieces:
            refs_with_piece.append(ref)
    for area_lists in near_and_apart(leaf.area_list, refs_with_piece):
        yield _list_split(leaf, area_lists, measure, options)


def _list_split(
    leaf: Leaf, area_lists: tuple[AreaList, ...], measure: LeafMeasure, options: SearchOptions
) -> ListSplit:
    """Return the split of the leaf into these lists, with what it saves."""
    data_bits = 0.0
    text_bits = 0.0
    for area_list in area_lists:
        bits = measure.leaf(area_list).bits
        data_bits += bits.data
        text_bits += bits.text
    data_bits_saved = leaf.bits.data - data_bits
    bits_saved = data_bits_saved - options.caution * (text_bits - leaf.bits.text)
    return ListSplit(bits_saved, data_bits_saved, area_lists)
