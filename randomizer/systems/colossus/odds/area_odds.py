"""The effect of one AREA on the chances of hexes, and of the two hexes at an edge.

Given how many hexes are taken, all choices of that many from the list are equally likely; so the
result for a hex depends only on how often it is in the list, or among the hexes taken.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.colossus.board import NEIGHBOURS

Chances = NDArray[np.float64]
EDGES = tuple(
    (number, side, other)
    for number, row in enumerate(NEIGHBOURS)
    for side, other in enumerate(row)
    if other > number
)
"""Every edge between two hexes once: (hex id, its side, the hex id beyond), 66 in all."""


class AreaOdds:
    """The effect of an AREA's hazards on a list of ``total`` hexes, whichever they are.

    ``rows`` (K, S + 1) are the hazards: the chance of each state, and last that the hex is left as
    it is; ``percents`` (K) how often they are placed. ``counts[j]`` is the chance that j hexes are
    taken. ``edges`` enables ``two``.
    """

    def __init__(
        self, percents: Sequence[float], rows: Chances, total: int, edges: bool = False
    ) -> None:
        self.total = total
        most, width = min(total, len(percents)), rows.shape[1]
        self.counts = np.zeros(most + 1)
        self.counts[0] = 1
        # The chances of the hex taken as the r-th of j, times counts[j]: [j, r]; and those of the
        # r-th and a later one: [j, r, later].
        self._nth = np.zeros((most + 1, most, width))
        self._both = np.zeros((most + 1, most, most, width, width) if edges else (most + 1, 0))
        every, order = np.arange(1, most + 1), np.arange(most)
        for percent, row in zip(percents, rows, strict=True):
            hit = percent / 100
            moved = [table[:-1] * hit for table in (self.counts, self._nth, self._both)]
            for table, taken in zip((self.counts, self._nth, self._both), moved, strict=True):
                table[:-1] *= 1 - hit  # where no hex is left, the last row, no hazard is drawn
                table[1:] += taken
            self._nth[every, order] += moved[0][:, None] * row
            if edges:
                self._both[every, :, order] += moved[1][..., None] * row
        self._one: dict[tuple[int | None, int], Chances] = {}
        self._two: dict[tuple[int | None, int, int], Chances] = {}

    @staticmethod
    def work(hazards: int, total: int, states: int, edges: bool) -> int:
        """Return the cost of constructing one, in branches of ``odds``."""
        most = min(total, hazards)
        cells = most * most * states
        return hazards * (1 + (cells * (most * states if edges else 1)) // 10_000)

    def one(self, taken: int | None, copies: int) -> Chances:
        """Return the chances of a hex: (S + 1,).

        It is ``copies`` times among ``taken`` hexes (then the chances are multiplied by
        ``counts[taken]``) or, if that is None, in the list.
        """
        key = taken, copies
        if key not in self._one:
            self._one[key] = result = np.zeros(self._nth.shape[2])
            if taken is None:
                for j, own, ways in self._draws(copies):
                    result += self.one(j, own) * ways
            elif not copies:
                result[-1] = self.counts[taken]
            else:  # the last hazard on a hex applies
                in_all = math.comb(taken, copies)
                shares = [math.comb(r, copies - 1) / in_all for r in range(taken)]
                result += np.array(shares) @ self._nth[taken, :taken]
        return self._one[key]

    def two(self, taken: int | None, first: int, second: int) -> Chances:
        """The joint chances of two hexes with ``first`` and ``second`` copies: (S + 1, S + 1)."""
        key = taken, first, second
        if key not in self._two:
            width = self._nth.shape[2]
            self._two[key] = result = np.zeros((width, width))
            if taken is None:
                for j, own, ways in self._draws(first + second):
                    for a in range(max(own - second, 0), min(own, first) + 1):
                        split = math.comb(first, a) * math.comb(second, own - a)
                        share = split / math.comb(first + second, own)
                        result += self.two(j, a, own - a) * (ways * share)
            elif not second:
                result[:, -1] = self.one(taken, first)
            elif not first:
                result[-1] = self.one(taken, second)
            else:
                ways_in_all = math.comb(taken, first) * math.comb(taken - first, second)
                for r in range(taken):
                    for later in range(r + 1, taken):
                        table = self._both[taken, r, later]
                        ways = math.comb(r, first - 1) * _ways(later - first, second - 1)
                        result += table * (ways / ways_in_all)
                        ways = math.comb(r, second - 1) * _ways(later - second, first - 1)
                        result += table.T * (ways / ways_in_all)
        return self._two[key]

    def _draws(self, copies: int) -> list[tuple[int, int, float]]:
        """How many hexes are taken, how many of those are the ``copies``, and the chance."""
        return [
            (j, own, math.comb(copies, own) * math.comb(self.total - copies, j - own) / every)
            for j in range(len(self.counts))
            for every in (math.comb(self.total, j),)
            for own in range(min(copies, j) + 1)
        ]


def _ways(places: int, chosen: int) -> int:
    return math.comb(places, chosen) if places >= 0 else 0
