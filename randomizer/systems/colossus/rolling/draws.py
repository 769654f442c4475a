"""The random decisions of a roll, keyed by seed and map number.

    roll(program, KeyedDraws(seed=17, number=3))     # always the same map

The roller asks a ``Draws`` object which hex, which elevation, which hexside, and never sees a
random number. The program uses ``KeyedDraws``. The tests have another implementation that replays
recordings of the original game, so that the same roller is checked against the game's own rolls.

``KeyedDraws`` makes each decision from random bits that belong to its place in the script, so that
it does not depend on how many others were made before. A *word* is 64 random bits, a *lane* 16 of
them. A number below n is drawn from a lane as ``lane * n >> 16``: the lane as a fraction of 1,
times n, rounded down.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Protocol

from randomizer.model.basics.dice import (
    NUMBER_LIMIT,
    SEED_LIMIT,
    lane16,
    streams,
    word,
    words_of_streams,
)
from randomizer.systems.colossus.rolling.program import Choices, Pick, Placing, Program


class Draws(Protocol):
    """Answers the roller's questions. ``start`` is called first, once for every roll."""

    def start(self, program: Program) -> None:
        """Begin a roll of ``program``."""

    def place(self, placing: Placing, total: int) -> tuple[int, int] | None:
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
    """The draws of map ``number`` of ``seed``: docs/adr/0003-keyed-draws.md.

    Setting ``number`` makes the next roll that of another map.
    """

    def __init__(self, seed: int, number: int) -> None:
        """Raise ValueError for a seed or number out of range (randomizer/model/basics/dice.py)."""
        if not 0 <= seed < SEED_LIMIT:
            raise ValueError(f"a seed is a number from 0 to {SEED_LIMIT - 1}, not {seed}")
        if not 0 <= number < NUMBER_LIMIT:
            raise ValueError(f"a map number is from 0 to {NUMBER_LIMIT - 1}, not {number}")
        self.seed = seed
        self.number = number
        self._program: Program | None = None

    def start(self, program: Program) -> None:
        """Compute the words of all hazards and hexsides at once.

        Those of SOMEOFs are computed when they are drawn.
        """
        if program is not self._program:
            self._program = program
            self._streams = streams(self.seed, program.sites)
        # First a word for each hazard, then the words of hexsides, a lane for each edge.
        words = words_of_streams(self._streams, self.number)
        self._words: list[int] = words[: program.edge_words].tolist()
        # In a little-endian word the lowest lane comes first, so that an edge is an index of lanes.
        self._lanes: list[int] = words[program.edge_words :].astype("<u8").view("<u2").tolist()

    def place(self, placing: Placing, total: int) -> tuple[int, int] | None:
        """Draw from one word.

        Its upper 32 bits decide whether the hazard comes, the next lane which hex gets it, and the
        lowest lane which elevation.
        """
        bits = self._words[placing.index]
        if bits >> 32 >= placing.chance:
            return None
        hex_lane = bits >> 16 & 0xFFFF
        position = (hex_lane * total) >> 16
        elevation_lane = bits & 0xFFFF
        if elevation_lane >= placing.second:
            elevation = 2
        elif elevation_lane >= placing.first:
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
            word_number, lane_of_word = divmod(draw_number, 4)
            if lane_of_word == 0:
                bits = word(self.seed, self.number, pick.site + word_number)
            position = (lane16(bits, lane_of_word) * len(pool)) >> 16
            picked.append(pool.pop(position))
        return picked

    def hexside(self, edge: int, choices: Choices) -> int:
        """Draw from the lane of 16 bits that the edge has, whatever PAIR applies to it."""
        # The limits are ascending: the first one above the lane is that of the choice that comes.
        entry = bisect_right(choices.limits, self._lanes[edge])
        if entry < len(choices.codes):
            return choices.codes[entry]
        return 0
