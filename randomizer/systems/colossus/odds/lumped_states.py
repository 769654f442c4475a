"""Classes of maps once no later list asks which hexes are neighbours: they need only be counted.

Each hex has a *part*: which of the lists still needed it is in. Hexes of one *block*, the same for
the lists known beforehand, and one part behave alike; so maps with equally many hexes in each block
and part are one class, a lump. What is drawn is counted as well: how many of each block and part.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from randomizer.model.sized_cache import sized_cache
from randomizer.systems.colossus.board import HEX_COUNT
from randomizer.systems.colossus.odds.area_odds import Chances
from randomizer.systems.colossus.odds.chances import FIRST, SECOND, Taken, both_after
from randomizer.systems.colossus.odds.classes import AreaOf, Classes, Kind, Spend, distinct
from randomizer.systems.colossus.odds.draw_order import Draw, Stage
from randomizer.systems.colossus.odds.hex_sets import Board, Const, Counts, consts, value

Members = Mapping[int, NDArray[np.bool_]]
"""For each atom index, which of the parts are in its list: (parts,)."""


MOST_LISTS = 62
"""The most lists that parts can be told apart by: one bit of a number each."""


class NotLumpedError(Exception):
    """Some list holds a hex twice, so its hexes are not alike; or there are too many lists."""


@dataclass(frozen=True, eq=False)
class Lumps:
    """``counts`` (n, blocks, parts): the hexes of each block and part in n lumps.

    ``block`` (27) is the block of each hex. ``chances``: (n, 27, parts, C), or
    (n, 66, parts, parts, C, C) with edges: the chance that a hex has a part and shows a column.
    """

    block: NDArray[np.intp]
    counts: NDArray[np.intp]
    members: Members
    chances: Chances

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of blocks and of parts."""
        return self.counts.shape[1], self.counts.shape[2]

    def list_of(self, draw: Draw) -> NDArray[np.bool_]:
        """Return which blocks and parts (blocks, parts) a draw's list has."""
        blocks, parts = self.shape
        hexes = np.array([np.flatnonzero(self.block == block)[0] for block in range(blocks)])
        board = Board(np.repeat(hexes, parts))
        of = {index: np.tile(part, blocks)[None] for index, part in self.members.items()}
        counts = value(draw.source, {at: x.astype(np.uint8) for at, x in of.items()}, board)
        counts = counts.reshape(blocks, parts)
        if (counts[self.counts.any(0)] > 1).any():
            raise NotLumpedError
        return np.equal(counts, 1)


def blocks_of(constants: Iterable[Const]) -> NDArray[np.intp]:
    """Return the block of each hex (27): hexes that are in the same of the known lists."""
    lists = {each.hexes for each in constants}
    if any(len(set(hexes)) < len(hexes) for hexes in lists):
        raise NotLumpedError
    inside = [[number in hexes for hexes in lists] for number in range(HEX_COUNT)]
    return np.unique(np.array(inside).reshape(HEX_COUNT, -1), axis=0, return_inverse=True)[1]


def lumps_of(classes: Classes, rest: Sequence[Draw], kind: Kind, spend: Spend) -> Lumps:
    """Return the lumps of classes, for the draws to come. Raises NotLumpedError."""
    lists = classes.lists()
    if len(lists) > MOST_LISTS or any((counts > 1).any() for counts in lists.values()):
        raise NotLumpedError
    block = blocks_of(constant for draw in rest for constant in consts(draw.source))
    code = np.zeros((len(classes.masks), HEX_COUNT), np.intp)
    for place, copies in enumerate(lists.values()):
        code |= copies.astype(np.intp) << place
    codes, part = np.unique(code, return_inverse=True)
    members = {index: codes >> place & 1 != 0 for place, index in enumerate(lists)}
    blocks, parts = int(block.max()) + 1, len(codes)
    places = part.reshape(code.shape) + block * parts
    counts = np.zeros((len(code), blocks * parts), np.intp)
    np.add.at(counts, (np.arange(len(code))[:, None], places), 1)
    first, target = _distinct_counts(counts)
    part = part.reshape(code.shape)
    chances = classes.chances
    spend(chances.size + len(first) * chances[0].size * parts ** (2 if kind.edges else 1))
    if kind.edges:
        columns = chances.shape[-1]
        table = np.zeros((len(first), len(FIRST), parts, parts, columns, columns))
        edges = np.arange(len(FIRST))
        np.add.at(table, (target[:, None], edges, part[:, FIRST], part[:, SECOND]), chances)
    else:
        table = np.zeros((len(first), HEX_COUNT, parts, chances.shape[-1]))
        np.add.at(table, (target[:, None], np.arange(HEX_COUNT), part), chances)
    return Lumps(block, counts[first].reshape(-1, blocks, parts), members, table)


def _distinct_counts(counts: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """As ``distinct``, for rows of numbers up to 27."""
    words = []
    for at in range(0, counts.shape[1], 12):
        some = counts[:, at : at + 12].astype(np.uint64)
        places = np.arange(some.shape[1], dtype=np.uint64) * np.uint64(5)
        words.append((some << places).sum(1, dtype=np.uint64))
    return distinct(words, len(counts))


def all_parts(lumps: Lumps, kind: Kind) -> Chances:
    """Return the chances of all lumps together, as ``Kind`` has them for one case."""
    return np.asarray(lumps.chances.sum((0, 2, 3) if kind.edges else (0, 2)))


# --- stages --------------------------------------------------------------------------------------


def next_lumps(lumps: Lumps, stage: Stage, area_of: AreaOf, kind: Kind, spend: Spend) -> Lumps:
    """Return the lumps after a stage. Raises NotLumpedError."""
    listed = lumps.list_of(stage.draw)
    size = lumps.chances[0].size * (4 if kind.edges and stage.enumerated else 1)
    ways = list(_ways(lumps, stage, listed, area_of, lambda rows: spend(rows * size)))
    origin = np.concatenate([each.origin for each in ways])
    drawn = np.concatenate([each.drawn for each in ways]) if stage.enumerated else None
    share = np.concatenate([each.share for each in ways])
    which = np.concatenate([np.full(len(e.origin), n, np.intp) for n, e in enumerate(ways)])
    taken = [each.taken for each in ways]
    parts = _new_parts(lumps, stage, listed)
    counts = _recounted(lumps, origin, drawn, parts)
    first, target = _distinct_counts(counts.reshape(len(origin), -1))
    after = _edges_after if kind.edges else _hexes_after
    chances = after(lumps, listed, origin, drawn, which, taken, parts)
    chances *= share.reshape(-1, *[1] * (chances.ndim - 1))
    order = np.argsort(target, kind="stable")
    starts = np.flatnonzero(np.diff(target[order], prepend=-1))
    members = {atom.index: parts.members[at] for at, (atom, _e, _c) in enumerate(stage.replaced)}
    summed = np.add.reduceat(chances[order], starts, axis=0)
    return Lumps(lumps.block, counts[first], members, summed)


@dataclass(frozen=True, eq=False)
class _Ways:
    """Row i: from lump ``origin[i]`` ``drawn[i]`` (blocks, parts) hexes are taken."""

    origin: NDArray[np.intp]
    drawn: NDArray[np.intp]
    share: NDArray[np.float64]
    taken: Taken | None


def _ways(
    lumps: Lumps, stage: Stage, listed: NDArray[np.bool_], area_of: AreaOf, spend: Spend
) -> Iterator[_Ways]:
    draw = stage.draw
    in_list = lumps.counts * listed
    totals = in_list.sum((1, 2))
    for total in np.unique(totals).tolist():
        own = np.flatnonzero(totals == total)
        if not stage.enumerated:
            spend(len(own))
            taken = (area_of(total), None) if draw.placings else None
            yield _Ways(own, np.zeros((len(own), 0), np.intp), np.ones(len(own)), taken)
            continue
        cases: list[tuple[int, Taken | None]] = [(min(draw.count, total), None)]
        if draw.placings:
            area = area_of(total)
            chances = enumerate(area.counts.tolist())
            cases = [(count, (area, count)) for count, chance in chances if chance]
        for count, how in cases:
            origin, drawn, share = [], [], []
            for lump in own.tolist():
                hexes_by_part = tuple(in_list[lump].ravel().tolist())
                spend(_divisions(hexes_by_part, count))
                every, chances_of = _divided(hexes_by_part, count)
                origin.append(np.full(len(every), lump))
                drawn.append(every)
                share.append(chances_of)
            every = np.concatenate(drawn).reshape(-1, *in_list.shape[1:])
            yield _Ways(np.concatenate(origin), every, np.concatenate(share), how)


@lru_cache(512)
def _divisions(hexes_by_part: tuple[int, ...], count: int) -> int:
    """The number of rows of ``_divided``."""
    ways = [1] + [0] * count
    for many in hexes_by_part:
        ways = [sum(ways[max(total - many, 0) : total + 1]) for total in range(count + 1)]
    return ways[count]


@sized_cache(most=4096, size=1 << 19, size_of=lambda result: result[0].nbytes + result[1].nbytes)
def _divided(
    hexes_by_part: tuple[int, ...], count: int
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """How many of each group are among ``count`` hexes drawn of all, and the chances."""
    divisions: list[tuple[tuple[int, ...], int]] = [((), 1)]
    left = sum(hexes_by_part)
    for many in hexes_by_part:
        left -= many
        divisions = [
            ((*drawn, own), ways * math.comb(many, own))
            for drawn, ways in divisions
            for need in (count - sum(drawn),)
            for own in range(max(need - left, 0), min(need, many) + 1)
        ]
    every = math.comb(sum(hexes_by_part), count)
    return (
        np.array([drawn for drawn, _ways in divisions], np.intp),
        np.array([ways / every for _drawn, ways in divisions]),
    )


@dataclass(frozen=True, eq=False)
class _Parts:
    """``new`` (2, blocks, parts): the new part of what is not drawn, and of what is.

    ``members`` (atoms, new parts): which of them the new lists have.
    """

    new: NDArray[np.intp]
    members: NDArray[np.bool_]


def _new_parts(lumps: Lumps, stage: Stage, listed: NDArray[np.bool_]) -> _Parts:
    blocks, parts = lumps.shape
    hexes = np.array([np.flatnonzero(lumps.block == block)[0] for block in range(blocks)])
    board = Board(np.tile(np.repeat(hexes, parts), 2))
    of: dict[int, Counts] = {
        index: np.tile(part, 2 * blocks)[None].astype(np.uint8)
        for index, part in lumps.members.items()
    }
    of[stage.draw.atom.index] = np.repeat(np.array([[0, 1]], np.uint8), blocks * parts, axis=1)
    if len(stage.replaced) > MOST_LISTS:
        raise NotLumpedError
    codes = np.zeros(2 * blocks * parts, np.intp)
    present = lumps.counts.any(0)
    exists = np.array([present, present & listed]).ravel()
    for place, (_atom, expression, counted) in enumerate(stage.replaced):
        counts = value(expression, of, board)[0]
        if counted and (counts[exists] > 1).any():
            raise NotLumpedError
        codes |= (counts != 0).astype(np.intp) << place
    every, new = np.unique(codes, return_inverse=True)
    members = np.array([every >> place & 1 != 0 for place in range(len(stage.replaced))])
    return _Parts(new.reshape(2, blocks, parts), members.reshape(len(stage.replaced), len(every)))


def _recounted(
    lumps: Lumps, origin: NDArray[np.intp], drawn: NDArray[np.intp] | None, parts: _Parts
) -> NDArray[np.intp]:
    """(n, blocks, new parts)."""
    before = lumps.counts[origin]
    many = parts.members.shape[1]
    result = np.zeros((len(origin), before.shape[1], many), np.intp)
    for block in range(before.shape[1]):
        for part in range(before.shape[2]):
            taken = 0 if drawn is None else drawn[:, block, part]
            result[:, block, parts.new[0, block, part]] += before[:, block, part] - taken
            if drawn is not None:
                result[:, block, parts.new[1, block, part]] += taken
    return result


def _tables(
    taken: Sequence[Taken | None], columns: int, after: Callable[[Taken, bool], Chances]
) -> NDArray[np.float64]:
    """(ways, 2, C + 1): what happens to a hex of the list that is not taken, and to a taken one."""
    rows = np.zeros((len(taken), 2, columns + 1))
    rows[:, :, -1] = 1
    for row, each in zip(rows, taken, strict=True):
        if each is not None:
            row[0], row[1] = after(each, False), after(each, True)
    return rows


def _hexes_after(
    lumps: Lumps,
    listed: NDArray[np.bool_],
    origin: NDArray[np.intp],
    drawn: NDArray[np.intp] | None,
    which: NDArray[np.intp],
    taken: Sequence[Taken | None],
    parts: _Parts,
) -> Chances:
    """(n, 27, new parts, C)."""
    old = lumps.chances[origin]
    columns = old.shape[-1]
    result = np.zeros((*old.shape[:2], parts.members.shape[1], columns))
    hexes = np.arange(HEX_COUNT)
    tables = _tables(taken, columns, _one)[which]
    for part in range(lumps.shape[1]):
        in_list = listed[lumps.block, part]  # (27,)
        before = old[:, :, part]
        weight = before.sum(2, keepdims=True)
        missed, hit = (tables[:, None, own, :-1] * weight for own in (0, 1))
        missed = missed + tables[:, None, 0, -1:] * before
        hit = hit + tables[:, None, 1, -1:] * before
        if drawn is None:
            now = np.where(in_list[:, None], hit, before)
            result[:, hexes, parts.new[0, lumps.block, part]] += now
            continue
        chance = _chance_of(lumps, origin, drawn, part)[..., None]
        result[:, hexes, parts.new[0, lumps.block, part]] += (1 - chance) * missed
        result[:, hexes, parts.new[1, lumps.block, part]] += chance * hit
    return result


def _one(taken: Taken, hit: bool) -> Chances:
    area, count = taken
    if hit and not (area.total if count is None else count):
        return np.zeros_like(area.one(count, 0))
    return area.one(count, int(hit))


def _chance_of(
    lumps: Lumps, origin: NDArray[np.intp], drawn: NDArray[np.intp], part: int
) -> NDArray[np.float64]:
    """The chance (n, 27) that a hex of this part is among the drawn."""
    hexes_there = np.maximum(lumps.counts[origin][:, :, part], 1)
    return (drawn[:, :, part] / hexes_there)[:, lumps.block]


def _edges_after(
    lumps: Lumps,
    listed: NDArray[np.bool_],
    origin: NDArray[np.intp],
    drawn: NDArray[np.intp] | None,
    which: NDArray[np.intp],
    taken: Sequence[Taken | None],
    parts: _Parts,
) -> Chances:
    """(n, 66, new parts, new parts, C, C)."""
    old = lumps.chances[origin]
    many, columns = parts.members.shape[1], old.shape[-1]
    result = np.zeros((*old.shape[:2], many, many, columns, columns))
    first, second = lumps.block[FIRST], lumps.block[SECOND]
    tables = np.zeros((len(taken), 2, 2, columns + 1, columns + 1))
    for table, each in zip(tables, taken, strict=True):
        for one, two in product((0, 1), repeat=2):
            table[one, two] = _two(each, one, two, columns)
    tables = tables[which]
    for one, two in product(range(lumps.shape[1]), repeat=2):
        edges = np.flatnonzero(old[:, :, one, two].any((0, 2, 3)))
        if not edges.size:
            continue
        before = old[:, edges, one, two]
        at, to = first[edges], second[edges]
        if drawn is None:
            rows = tables[:, listed[at, one].astype(int), listed[to, two].astype(int)]
            result[:, edges, parts.new[0, at, one], parts.new[0, to, two]] += both_after(
                rows, before
            )
            continue
        chances = _chances_of(lumps, origin, drawn, (at, one), (to, two))
        for hits, chance in chances.items():
            if chance.any():
                now = both_after(tables[:, None, *hits], before)
                new = parts.new[hits[0], at, one], parts.new[hits[1], to, two]
                result[:, edges, *new] += chance[..., None, None] * now
    return result


def _two(taken: Taken | None, first: int, second: int, columns: int) -> Chances:
    table = np.zeros((columns + 1, columns + 1))
    if taken is None:
        table[-1, -1] = 1
    elif first + second <= (taken[0].total if taken[1] is None else taken[1]):
        table[:] = taken[0].two(taken[1], first, second)
    return table


_Group = tuple[NDArray[np.intp], int]
"""For each of some edges the block of one of its hexes, and the part of these hexes."""


def _chances_of(
    lumps: Lumps, origin: NDArray[np.intp], drawn: NDArray[np.intp], one: _Group, two: _Group
) -> dict[tuple[int, int], NDArray[np.float64]]:
    """For each edge (n, edges) the chance that its two hexes are, 1, or are not, 0, drawn."""
    hexes_there = np.maximum(lumps.counts[origin], 1)
    first, second = drawn[:, *one], drawn[:, *two]
    alone, other = first / hexes_there[:, *one], second / hexes_there[:, *two]
    same = (one[0] == two[0]) & (one[1] == two[1])
    # The second of two of the same group is drawn among one less.
    left = np.where(same, np.maximum(hexes_there[:, *two] - 1, 1), hexes_there[:, *two])
    both = alone * np.maximum(second - same, 0) / left
    return {
        (1, 1): both,
        (1, 0): alone - both,
        (0, 1): other - both,
        (0, 0): 1 - alone - other + both,
    }
