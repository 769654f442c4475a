"""Classes of maps that are alike from a draw on: equal lists of hexes that are still needed.

Everything is done for all classes at once. Images of each other under the symmetries are one class.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from randomizer.model.sized_cache import sized_cache
from randomizer.systems.colossus.board import HEX_COUNT
from randomizer.systems.colossus.odds.area_odds import AreaOdds, Chances
from randomizer.systems.colossus.odds.chances import (
    EdgeChances,
    HexChances,
    Symmetry,
    Taken,
    byte_tables,
)
from randomizer.systems.colossus.odds.draw_order import Stage
from randomizer.systems.colossus.odds.hex_sets import Counts, value

Kind = type[HexChances] | type[EdgeChances]
Masks = NDArray[np.uint32]
Spend = Callable[[int], None]
"""Counts work, and raises if it is too much."""
AreaOf = Callable[[int], AreaOdds]
"""The effect of the draw's AREA on a list of so many hexes."""

CHUNK = 1 << 20
"""So many chances at most are worked out at once: they should fit into the cache."""

LISTS_WORK = 100
"""Working out the lists of a branch, and finding its class, costs as much as so many chances."""


@dataclass(frozen=True, eq=False)
class Classes:
    """``masks`` (n, planes): the lists by which n classes differ; ``planes`` how many each has.

    Plane p of a list has bit p of how often each hex is in it. ``planes`` are by atom index.
    ``chances`` is as ``Kind`` has it.
    """

    masks: Masks
    planes: Mapping[int, int]
    chances: Chances

    def lists(self) -> dict[int, Counts]:
        """Return the counts (n, 27) of each list, by atom index."""
        result, first = {}, 0
        for index, planes in self.planes.items():
            counts = np.zeros((len(self.masks), HEX_COUNT), np.uint8)
            for plane in range(planes):
                counts += _unpacked(self.masks[:, first + plane]) << plane
            result[index] = counts
            first += planes
        return result


def _unpacked(masks: Masks) -> Counts:
    as_bytes = np.ascontiguousarray(masks, "<u4").view(np.uint8).reshape(-1, 4)
    return np.unpackbits(as_bytes, axis=1, count=HEX_COUNT, bitorder="little")


def _packed(members: NDArray[np.bool_]) -> Masks:
    whole = np.zeros((len(members), 4), np.uint8)
    packed = np.packbits(members, axis=1, bitorder="little")
    whole[:, : packed.shape[1]] = packed
    return whole.view("<u4").ravel().astype(np.uint32)


@dataclass(frozen=True, eq=False)
class _Branches:
    """Row i comes from class ``origin[i]``, with probability ``share[i]`` apart from ``taken``.

    ``copies`` (B, 27) are the hexes taken, or the whole list if it does not matter which are.
    ``taken[which[i]]`` says how many; it is empty for a pick.
    """

    origin: NDArray[np.intp]
    share: NDArray[np.float64]
    copies: Counts
    taken: tuple[Taken, ...]
    which: NDArray[np.intp]


def next_classes(
    classes: Classes,
    stage: Stage,
    area_of: AreaOf,
    kind: Kind,
    symmetries: Sequence[Symmetry],
    spend: Spend,
) -> Classes:
    """The classes after a stage; ``spend`` gets the number of chances before they are computed."""
    of = classes.lists()
    many = len(classes.masks)
    lists = np.broadcast_to(value(stage.draw.source, of), (many, HEX_COUNT))
    size = classes.chances[0].size + LISTS_WORK
    if stage.enumerated:
        branches = _enumerated(stage, lists, area_of, lambda rows: spend(rows * size))
    else:
        spend(many * size)
        branches = _whole(stage, lists, area_of)
    of = {index: counts[branches.origin] for index, counts in of.items()}
    of[stage.draw.atom.index] = branches.copies
    masks: list[Masks] = []
    planes: dict[int, int] = {}
    for atom, expression, counted in stage.replaced:
        counts = value(expression, of)
        counts = np.broadcast_to(counts, branches.copies.shape)
        planes[atom.index] = most = int(counts.max(initial=1)).bit_length() if counted else 1
        for plane in range(most):
            masks.append(_packed(counts >> plane & 1 != 0 if counted else counts != 0))
    rows = len(branches.origin)
    every = np.stack(masks, 1) if masks else np.zeros((rows, 0), np.uint32)
    every, image = _canonical(every, symmetries)
    first, target = distinct(_words(every), rows)
    chances = _summed(classes.chances, branches, target, len(first), image, kind, symmetries)
    return Classes(every[first], planes, chances)


# --- branches ------------------------------------------------------------------------------------


def _whole(stage: Stage, lists: Counts, area_of: AreaOf) -> _Branches:
    """Each class as it is: what the draw takes does not matter later."""
    totals, which = np.unique(lists.sum(1, dtype=np.intp), return_inverse=True)
    taken = tuple((area_of(total), None) for total in totals.tolist() if stage.draw.placings)
    many = len(lists)
    return _Branches(np.arange(many), np.ones(many), lists, taken, which)


def _enumerated(stage: Stage, lists: Counts, area_of: AreaOf, spend: Spend) -> _Branches:
    """A branch for each set of hexes that can be taken of each class's list."""
    draw = stage.draw
    totals = lists.sum(1, dtype=np.intp)
    cases: list[tuple[int, int, Taken | None]] = []
    for total in np.unique(totals).tolist():
        if draw.placings:
            area = area_of(total)
            chances = enumerate(area.counts.tolist())
            cases += [(total, count, (area, count)) for count, chance in chances if chance]
        else:
            cases.append((total, min(draw.count, total), None))
    ways = np.bincount(totals)
    spend(sum(math.comb(total, count) * int(ways[total]) for total, count, _taken in cases))
    origins, shares, copies, which = [], [], [], []
    taken: list[Taken] = []
    for total, count, how in cases:
        own = np.flatnonzero(totals == total)
        every = _subsets(lists[own], total, count)
        many = every.shape[1]
        origins.append(np.repeat(own, many))
        shares.append(np.full(len(own) * many, 1 / many))
        copies.append(every.reshape(-1, HEX_COUNT))
        if how is not None:
            which.append(np.full(len(own) * many, len(taken), np.intp))
            taken.append(how)
    return _Branches(
        np.concatenate(origins),
        np.concatenate(shares),
        np.concatenate(copies),
        tuple(taken),
        np.concatenate(which) if which else np.zeros(0, np.intp),
    )


def _subsets(lists: Counts, total: int, count: int) -> Counts:
    """The ways to take ``count`` of the ``total`` hexes of each list: (n, ways, 27)."""
    if total == 0 or count == 0:
        return np.zeros((len(lists), 1, HEX_COUNT), np.uint8)
    everywhere = np.broadcast_to(np.arange(HEX_COUNT), lists.shape).ravel()
    places = np.repeat(everywhere, lists.ravel()).reshape(len(lists), total)
    chosen = _combinations(total, count)
    taken = np.zeros((len(lists), len(chosen), HEX_COUNT), np.uint8)
    rows, columns = np.arange(len(lists))[:, None], np.arange(len(chosen))
    for position in chosen.T:
        taken[rows, columns, places[:, position]] += 1
    return taken


@sized_cache(most=256, size=1 << 19, size_of=lambda table: table.nbytes)
def _combinations(total: int, count: int) -> NDArray[np.intp]:
    return np.array(list(combinations(range(total), count)), np.intp)


# --- merging -------------------------------------------------------------------------------------


def _canonical(
    masks: Masks, symmetries: Sequence[Symmetry]
) -> tuple[Masks, NDArray[np.intp] | None]:
    """The least image of each row, and by which symmetry; None if there is only the identity."""
    if len(symmetries) == 1 or not masks.shape[1]:
        return masks, None
    least, image = masks.copy(), np.zeros(len(masks), np.intp)
    for number, symmetry in enumerate(symmetries[1:], 1):
        tables = byte_tables(symmetry)
        moved = np.zeros_like(masks)
        for place, table in enumerate(tables):
            moved |= table[masks >> np.uint32(8 * place) & np.uint32(255)]
        less = np.zeros(len(masks), np.bool_)
        same = ~less
        for column in range(masks.shape[1]):
            less |= same & (moved[:, column] < least[:, column])
            same &= moved[:, column] == least[:, column]
        least[less], image[less] = moved[less], number
    return least, image


def _words(masks: Masks) -> list[NDArray[np.uint64]]:
    """Two masks in each word."""
    wide = masks.astype(np.uint64)
    return [
        wide[:, at] | wide[:, at + 1] << np.uint64(32) if at + 1 < wide.shape[1] else wide[:, at]
        for at in range(0, wide.shape[1], 2)
    ]


def distinct(
    words: Sequence[NDArray[np.uint64]], rows: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Of the different rows of ``words`` the first of each (n), and for each row which it is."""
    first, target = np.zeros(min(rows, 1), np.intp), np.zeros(rows, np.intp)
    for number, word in enumerate(words):
        if number:
            _values, at = np.unique(word, return_inverse=True)
            word = target.astype(np.uint64) * np.uint64(rows + 1) + at.astype(np.uint64)
        _values, first, target = np.unique(word, return_index=True, return_inverse=True)
    return first, target


def _summed(
    chances: Chances,
    branches: _Branches,
    target: NDArray[np.intp],
    many: int,
    image: NDArray[np.intp] | None,
    kind: Kind,
    symmetries: Sequence[Symmetry],
) -> Chances:
    """The chances of the ``many`` new classes: the sums of their branches'."""
    result = np.zeros((many, *chances.shape[1:]))
    code = target if image is None else target * len(symmetries) + image
    order = np.argsort(code, kind="stable")
    for rows in _chunks(order, chances[0].size):
        part = chances[branches.origin[rows]]
        if branches.taken:
            part = kind.after(part, branches.taken, branches.which[rows], branches.copies[rows])
        part *= branches.share[rows].reshape(-1, *[1] * (part.ndim - 1))
        codes = code[rows]
        starts = np.flatnonzero(np.diff(codes, prepend=-1))
        part = np.add.reduceat(part, starts, axis=0)
        codes = codes[starts]
        if image is None:
            result[codes] += part
            continue
        targets, images = np.divmod(codes, len(symmetries))
        for number in np.unique(images).tolist():
            own = images == number
            result[targets[own]] += kind.moved(part[own], symmetries[number])
    return result


def _chunks(order: NDArray[np.intp], size: int) -> Iterator[NDArray[np.intp]]:
    step = max(1, CHUNK // size)
    for start in range(0, len(order), step):
        yield order[start : start + step]
