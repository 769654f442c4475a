"""The chances of hexes, and of the two hexes at each edge, in many cases, and their symmetries.

``columns`` (C) are the things a hex can show. Each case has a weight; the chances of a case sum to
it, for every hex and for every edge.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.colossus.board import HEX_COUNT, NEIGHBOURS
from randomizer.systems.colossus.odds.area_odds import EDGES, AreaOdds, Chances
from randomizer.systems.colossus.odds.hex_sets import Const, Counts

Symmetry = tuple[int, ...]
"""Hex id h goes to ``symmetry[h]``."""


@lru_cache(1)
def board_symmetries() -> tuple[Symmetry, ...]:
    """Return all of them, the identity first: neighbours stay neighbours."""
    return tuple(
        sorted(
            image
            for step in range(6)
            for turn in (1, -1)
            for origin in range(HEX_COUNT)
            if (image := _image(origin, step, turn)) is not None
        )
    )


def _image(origin: int, step: int, turn: int) -> Symmetry | None:
    """Hex 0 goes to ``origin``, side s to side ``step + turn * s``; None if that is no symmetry."""
    image = {0: origin}
    new = [0]
    while new:
        number = new.pop()
        for side, other in enumerate(NEIGHBOURS[number]):
            to = NEIGHBOURS[image[number]][(step + turn * side) % 6]
            if (other < 0) != (to < 0) or image.get(other, to) != to:
                return None
            if other >= 0 and other not in image:
                image[other] = to
                new.append(other)
    return tuple(image[number] for number in range(HEX_COUNT))


def symmetries_of(constants: Iterable[Const]) -> tuple[Symmetry, ...]:
    """Return the symmetries that map each of the known lists to itself, the identity first."""
    lists = {each.hexes for each in constants}
    return tuple(
        image
        for image in board_symmetries()
        if all(tuple(sorted(image[number] for number in hexes)) == hexes for hexes in lists)
    )


def sources(symmetry: Symmetry) -> NDArray[np.intp]:
    """For each hex the one that goes there: ``values[sources(symmetry)]`` are the moved values."""
    return np.argsort(np.array(symmetry))


def byte_tables(symmetry: Symmetry) -> NDArray[np.uint32]:
    """(4, 256): where the bits of each byte of a mask go; the moved mask is the OR of all four."""
    tables = np.zeros((4, 256), np.uint32)
    for number, to in enumerate(symmetry):
        place, bit = divmod(number, 8)
        tables[place, np.arange(256) >> bit & 1 == 1] |= np.uint32(1 << to)
    return tables


Taken = tuple[AreaOdds, int | None]
"""An AREA on a list of some length, and how many hexes it takes; None: not known."""

FIRST = np.array([number for number, _side, _other in EDGES])
SECOND = np.array([other for _number, _side, other in EDGES])
_EDGE_OF = {(number, other): edge for edge, (number, _side, other) in enumerate(EDGES)}


def _most(taken: Taken) -> int:
    """How many of the hexes that count in ``AreaOdds.one`` there are."""
    area, count = taken
    return area.total if count is None else count


class HexChances:
    """(n, 27, C): the chance of every column on every hex."""

    edges = False

    @staticmethod
    def start(columns: int) -> Chances:
        """Return one case in which every hex shows the first column."""
        chances = np.zeros((1, HEX_COUNT, columns))
        chances[:, :, 0] = 1
        return chances

    @staticmethod
    def hexes(chances: Chances) -> Chances:
        """(..., 27, C)."""
        return chances

    @staticmethod
    def moved(chances: Chances, symmetry: Symmetry) -> Chances:
        """Return the same cases, turned."""
        return chances[..., sources(symmetry), :]

    @staticmethod
    def after(
        chances: Chances, taken: Sequence[Taken], which: NDArray[np.intp], copies: Counts
    ) -> Chances:
        """After an AREA: row i is ``taken[which[i]]``, with ``copies`` (n, 27) of each hex.

        Where it is known how many hexes are taken the weights become those of just that number.
        """
        most = int(copies.max(initial=0))
        table = np.zeros((len(taken), most + 1, chances.shape[-1] + 1))
        for rows, each in zip(table, taken, strict=True):
            for own in range(min(most, _most(each)) + 1):
                rows[own] = each[0].one(each[1], own)
        rows = table[which[:, None], copies]
        weights = chances[:, 0].sum(1)
        now: Chances = rows[..., :-1] * weights[:, None, None]
        now += rows[..., -1:] * chances
        return now


class EdgeChances:
    """(n, 66, C, C): the joint chances of the two hexes at each edge."""

    edges = True

    @staticmethod
    def start(columns: int) -> Chances:
        """As in ``HexChances``."""
        chances = np.zeros((1, len(EDGES), columns, columns))
        chances[:, :, 0, 0] = 1
        return chances

    @staticmethod
    def hexes(chances: Chances) -> Chances:
        """(..., 27, C)."""
        result = np.empty((*chances.shape[:-3], HEX_COUNT, chances.shape[-1]))
        result[..., SECOND, :] = chances.sum(axis=-2)
        result[..., FIRST, :] = chances.sum(axis=-1)
        return result

    @staticmethod
    def moved(chances: Chances, symmetry: Symmetry) -> Chances:
        """As in ``HexChances``."""
        came = np.argsort(np.array(symmetry))
        ends = list(zip(came[FIRST].tolist(), came[SECOND].tolist(), strict=True))
        turned = np.array([first > second for first, second in ends])
        moved = chances[..., [_EDGE_OF[min(pair), max(pair)] for pair in ends], :, :]
        moved[..., turned, :, :] = np.swapaxes(moved[..., turned, :, :], -1, -2)
        return moved

    @staticmethod
    def after(
        chances: Chances, taken: Sequence[Taken], which: NDArray[np.intp], copies: Counts
    ) -> Chances:
        """As in ``HexChances``."""
        most, width = int(copies.max(initial=0)), chances.shape[-1] + 1
        table = np.zeros((len(taken), most + 1, most + 1, width, width))
        for rows, each in zip(table, taken, strict=True):
            for first in range(min(most, _most(each)) + 1):
                for second in range(min(most, _most(each) - first) + 1):
                    rows[first, second] = each[0].two(each[1], first, second)
        rows = table[which[:, None], copies[:, FIRST], copies[:, SECOND]]
        return both_after(rows, chances)


def both_after(rows: Chances, chances: Chances) -> Chances:
    """The chances (n, 66, C, C) after each edge's row (C + 1, C + 1): what its two hexes become.

    The last line and column of a row mean that a hex stays as it is.
    """
    now: Chances = rows[..., :-1, :-1] * chances.sum((2, 3))[..., None, None]
    now += rows[..., :-1, -1:] * chances.sum(2)[:, :, None]
    now += chances.sum(3)[..., None] * rows[..., -1:, :-1]
    now += rows[..., -1:, -1:] * chances
    return now
