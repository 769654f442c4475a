"""The random numbers that decide about hexsides, of many maps at once.

A draw is a *lane*, a number below 2**16; four lanes are a word of 64 bits. The lanes of the
hexsides follow one another, six a hex, so that every two hexes begin a new word::

    word     0               1               2               3
    lane     0   1   2   3   4   5   6   7   8   9  10  11   12 ...
    hex      0   0   0   0   0   0   1   1   1   1   1   1   2 ...
    side     0   1   2   3   4   5   0   1   2   3   4   5   0 ...

Only the words that are asked for are drawn: they are keyed, so that those left out change nothing.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.dice import steps, streams, words_at
from randomizer.systems.colossus.board import SIDES
from randomizer.systems.colossus.rolling.program import Program
from randomizer.systems.colossus.rolling.side_rules import LANES_OF_WORD, SideRules, Table

WORDS_OF_TWO_HEXES = 3
"""Two hexes have 12 sides, and so 12 lanes."""


class HexsideDraws:
    """Draws the buckets (``side_rules``) of hexsides in n maps of a script."""

    def __init__(
        self, program: Program, rules: SideRules, seed: int, numbers: NDArray[np.uint64]
    ) -> None:
        """``rules`` are those of the program, ``numbers`` (n,) the numbers of the maps."""
        self._rules = rules
        self._starts = streams(seed, program.sites[program.first_edge_word :])
        """The start of the stream of each word (randomizer/model/basics/dice.py)."""
        self._steps = steps(numbers)
        """(n,): the step of each map in all streams."""

    def buckets_in_all_maps(self, hexes: NDArray[np.intp], sides: NDArray[np.intp]) -> Table:
        """Return the buckets (e, n) of some hexsides in all maps.

        ``hexes`` (e,), ascending, and ``sides`` (e,) tell the hexsides. The words from those of the
        first hex to those of the last one are drawn: so the hexes should be close together.
        """
        first_word = int(hexes[0]) // 2 * WORDS_OF_TWO_HEXES
        end_word = (int(hexes[-1]) // 2 + 1) * WORDS_OF_TWO_HEXES
        words = words_at(self._starts[first_word:end_word, None], self._steps)  # (words, n)
        lanes = hexes * SIDES + sides - first_word * LANES_OF_WORD
        buckets: Table = _by_lane(self._rules.buckets(words))[lanes]
        return buckets

    def buckets_of_hexes(self, hexes: NDArray[np.intp], maps: NDArray[np.intp]) -> Table:
        """Return the buckets (m, 6) of all sides of a hex in one map each.

        ``hexes`` (m,) are the hexes, ``maps`` (m,) the indices of their maps.
        """
        # The 6 lanes of a hex lie in 2 words: the first ones, or from the third one on.
        first_words, first_lanes = np.divmod(hexes * SIDES, LANES_OF_WORD)
        starts = self._starts[first_words[:, None] + [0, 1]]  # (m, 2)
        words = words_at(starts, self._steps[maps, None])  # (m, 2), by the step of each map
        buckets = self._rules.buckets(words).reshape(-1, 2 * LANES_OF_WORD)  # (m, 8)
        lanes = first_lanes[:, None] + np.arange(SIDES)  # (m, 6)
        return buckets[np.arange(maps.size)[:, None], lanes]


def _by_lane(buckets: Table) -> Table:
    """Return the buckets (i, j, 4) of i words in j maps as 4 * i rows of j, one for each lane."""
    if buckets.dtype != np.uint8:
        return buckets.transpose(0, 2, 1).reshape(-1, buckets.shape[1])
    # The four bytes of a word are read as one number: shifting it is twice as fast as taking every
    # fourth byte. Storing into bytes cuts off all but the lowest.
    four_buckets = buckets.view("<u4")[:, :, 0]
    rows = np.empty((len(four_buckets), LANES_OF_WORD, four_buckets.shape[1]), np.uint8)
    for lane in range(LANES_OF_WORD):
        rows[:, lane] = four_buckets >> np.uint32(8 * lane)
    return rows.reshape(-1, four_buckets.shape[1])
