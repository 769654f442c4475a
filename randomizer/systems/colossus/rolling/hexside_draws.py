"""The hexsides that PAIRs give in many maps at once, by rules (``side_rules``) and draws.

A draw is a *lane*, a random number below 2**16; four lanes are a word of 64 bits. The lanes of the
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
from randomizer.systems.colossus.rolling.side_rules import (
    LANES_OF_WORD,
    Indices,
    Offsets,
    SideRules,
)

WORDS_OF_TWO_HEXES = 3
"""Two hexes have 12 sides, and so 12 lanes."""


class HexsideDraws:
    """Draws the hexsides of n maps of a script.

    The *codes* that it returns are plane values, 0 where no hexside comes; they may be read-only.
    """

    def __init__(
        self, program: Program, rules: SideRules, seed: int, numbers: NDArray[np.uint64]
    ) -> None:
        """``rules`` are those of the program, ``numbers`` (n,) the numbers of the maps."""
        self._rules = rules
        self._starts = streams(seed, program.sites[program.first_edge_word :])
        """The start of the stream of each word (randomizer/model/basics/dice.py)."""
        self._steps = steps(numbers)
        """(n,): the step of each map in all streams."""

    def codes_in_all_maps(
        self, hexes: NDArray[np.intp], sides: NDArray[np.intp], offsets: Offsets
    ) -> NDArray[np.uint8]:
        """Return the codes (e, n) of some hexsides in all maps.

        ``hexes`` (e,), ascending, and ``sides`` (e,) tell the hexsides, ``offsets`` (e, n) the rows
        of the hexes and the columns of the hexes beyond. The words from those of the first hex to
        those of the last one are drawn: so the hexes should be close together.
        """
        indices = self._rules.first_code_indices(offsets.rows, offsets.columns)
        if self._rules.needs_draw(indices):
            indices = indices + self._buckets_in_all_maps(hexes, sides)
        return self._rules.codes_at(indices)

    def codes_of_hexes(
        self, hexes: NDArray[np.intp], maps: NDArray[np.intp], offsets: Offsets
    ) -> NDArray[np.uint8]:
        """Return the codes (m, 6) of all sides of a hex in one map each.

        ``hexes`` (m,) are the hexes, ``maps`` (m,) the indices of their maps, ``offsets`` (m, 6)
        the rows of the hexes and the columns of the hexes beyond.
        """
        indices = self._rules.first_code_indices(offsets.rows, offsets.columns)
        if self._rules.needs_draw(indices):
            indices = indices + self._buckets_of_hexes(hexes, maps)
        return self._rules.codes_at(indices)

    def _buckets_in_all_maps(self, hexes: NDArray[np.intp], sides: NDArray[np.intp]) -> Indices:
        """Return the buckets (e, n) of ``codes_in_all_maps``."""
        first_word = int(hexes[0]) // 2 * WORDS_OF_TWO_HEXES
        end_word = (int(hexes[-1]) // 2 + 1) * WORDS_OF_TWO_HEXES
        words = words_at(self._starts[first_word:end_word, None], self._steps)  # (words, n)
        lanes = hexes * SIDES + sides - first_word * LANES_OF_WORD
        buckets: Indices = _by_lane(self._rules.buckets(words))[lanes]
        return buckets

    def _buckets_of_hexes(self, hexes: NDArray[np.intp], maps: NDArray[np.intp]) -> Indices:
        """Return the buckets (m, 6) of ``codes_of_hexes``."""
        # The 6 lanes of a hex lie in 2 words: the first ones, or from the third one on.
        first_words, first_lanes = np.divmod(hexes * SIDES, LANES_OF_WORD)
        starts = self._starts[first_words[:, None] + [0, 1]]  # (m, 2)
        words = words_at(starts, self._steps[maps, None])  # (m, 2), by the step of each map
        buckets = self._rules.buckets(words).reshape(-1, 2 * LANES_OF_WORD)  # (m, 8)
        lanes = first_lanes[:, None] + np.arange(SIDES)  # (m, 6)
        return buckets[np.arange(maps.size)[:, None], lanes]


def _by_lane(buckets: Indices) -> Indices:
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
