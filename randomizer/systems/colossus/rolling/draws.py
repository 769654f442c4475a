"""The random decisions of a roll, keyed by seed and map number.

    roll(program, KeyedDraws(program, seed=17, number=3))     # always the same map
    for draws in keyed_draws(program, 17, range(1000)): ...   # those of many maps

The roller asks a ``Draws`` object which hex, which elevation, which hexside, and never sees a
random number. The program uses ``KeyedDraws``. The tests have another implementation that replays
recordings of the original game, so that the same roller is checked against the game's own rolls.

``KeyedDraws`` makes each decision from random bits that belong to its position in the script, so
that it does not depend on how many others were made before. A *word* is 64 random bits, a *lane* 16
of them, lane 0 the lowest. The word of a hazard is for instance

    bits   63 ................ 32    31 ...... 16    15 ....... 0
           does it come?             on which hex    at which elevation
                                     (lane 1)        (lane 0)

A SOMEOF draws a hex, and a side of a hex its hexside, from a lane each.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.dice import (
    NUMBER_LIMIT,
    SEED_LIMIT,
    lane16,
    streams,
    word,
    words_of_streams,
)
from randomizer.systems.colossus.rolling.program import Choices, Pick, Placing, Program

_HIT_BITS = 32
"""The bits of a word that decide whether a hazard comes."""

_LANE_BITS = 16
"""The bits of a lane."""

_LANES_OF_WORD = 4
"""The lanes of a word."""

Placed = tuple[int, int]
"""Where a hazard is placed: the position of the hex in its list, and the elevation."""


class Draws(Protocol):
    """Answers the roller's questions about one roll of a program."""

    def place(self, placing: Placing, total: int) -> Placed | None:
        """Return the position of the hex that gets the hazard, and the hazard's elevation.

        The position is one of ``total`` (at least 1) sorted hexes. None if the hazard is not
        placed.
        """

    def some_of(self, pick: Pick, hexes: Sequence[int]) -> list[int]:
        """Return ``pick.count`` of ``hexes`` (all, if there are fewer) in the order drawn."""

    def hexside(self, edge: int, choices: Choices) -> int:
        """Return the plane value of directed hexside ``edge`` (hex id * 6 + side).

        0 if no hexside of the PAIR comes.
        """


class KeyedDraws:
    """The draws of one map of a seed: docs/adr/0003-keyed-draws.md."""

    def __init__(
        self,
        program: Program,
        seed: int,
        number: int,
        *,
        starts: NDArray[np.uint64] | None = None,
    ) -> None:
        """Compute the words of all hazards and hexsides; those of SOMEOFs when they are drawn.

        ``starts`` are those of the streams of ``program.sites`` under this seed; they are computed
        if they are not given. Raises ValueError as ``check_key``.
        """
        check_key(seed, number)
        if starts is None:
            starts = streams(seed, program.sites)
        self._seed = seed
        self._number = number
        words = words_of_streams(starts, number)
        self._words_of_hazards: list[int] = words[: program.first_edge_word].tolist()
        """By ``Placing.index``."""
        # In a little-endian word the lowest lane comes first, so that an edge (4 * word + lane) is
        # an index of all lanes.
        lanes = words[program.first_edge_word :].astype("<u8").view("<u2")
        self._lanes_of_edges: list[int] = lanes.tolist()
        """By directed hexside: hex id * 6 + side."""

    def place(self, placing: Placing, total: int) -> Placed | None:
        """Draw from the word of the hazard."""
        bits = self._words_of_hazards[placing.index]
        hit_bits = bits >> _HIT_BITS
        if hit_bits >= placing.chance:
            return None
        position = _number_below(total, lane16(bits, 1))
        elevation_lane = lane16(bits, 0)
        if elevation_lane >= placing.level_2_from:
            elevation = 2
        elif elevation_lane >= placing.level_1_from:
            elevation = 1
        else:
            elevation = 0
        return position, elevation

    def some_of(self, pick: Pick, hexes: Sequence[int]) -> list[int]:
        """Draw from the hexes in the order of their ids; each word serves four draws."""
        pool = sorted(hexes)
        picked: list[int] = []
        bits = 0
        for draw_number in range(min(pick.count, len(pool))):
            word_number, lane_of_word = divmod(draw_number, _LANES_OF_WORD)
            if lane_of_word == 0:
                bits = word(self._seed, self._number, pick.site + word_number)
            position = _number_below(len(pool), lane16(bits, lane_of_word))
            picked.append(pool.pop(position))
        return picked

    def hexside(self, edge: int, choices: Choices) -> int:
        """Draw from the lane of 16 bits that the edge has, whatever PAIR applies to it."""
        # The limits are ascending: the first one above the lane is that of the choice that comes.
        entry = bisect_right(choices.limits, self._lanes_of_edges[edge])
        if entry < len(choices.codes):
            return choices.codes[entry]
        return 0


def keyed_draws(program: Program, seed: int, numbers: Iterable[int]) -> Iterator[KeyedDraws]:
    """Yield the draws of the maps ``numbers`` of a seed, one after the other.

    Raises ValueError as ``check_key``.
    """
    # The streams are the same for all maps of a seed.
    starts = streams(seed, program.sites)
    for number in numbers:
        yield KeyedDraws(program, seed, number, starts=starts)


def check_key(seed: int, number: int) -> None:
    """Raise ValueError for a seed or number out of range (randomizer/model/basics/dice.py)."""
    if not 0 <= seed < SEED_LIMIT:
        raise ValueError(f"a seed is a number from 0 to {SEED_LIMIT - 1}, not {seed}")
    if not 0 <= number < NUMBER_LIMIT:
        raise ValueError(f"a map number is from 0 to {NUMBER_LIMIT - 1}, not {number}")


def _number_below(limit: int, lane: int) -> int:
    """Return a number below ``limit``: the lane as a fraction of 1, times it, rounded down."""
    return lane * limit >> _LANE_BITS
