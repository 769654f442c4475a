"""The draws of a roll, keyed by seed and number.

The roller asks a ``Draws`` object and never sees a random number. The tests have one that replays
recordings of the original game, so that the same roller is checked against the game's own rolls.
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
        """A roll of ``program`` begins."""

    def place(self, placing: Placing, total: int) -> tuple[int, int] | None:
        """Return which of ``total`` (at least 1) sorted hexes gets the hazard, and its elevation.

        None if the hazard is not placed.
        """

    def some_of(self, pick: Pick, hexes: Sequence[int]) -> list[int]:
        """``pick.count`` of ``hexes`` (all, if there are fewer) in the order drawn."""

    def hexside(self, edge: int, choices: Choices) -> int:
        """Return the plane value for directed hexside ``edge`` (hex id * 6 + side), 0 if none
        hits.
        """


class KeyedDraws:
    """The draws of map ``number`` of ``seed``: docs/adr/0003-keyed-draws.md.

    Setting ``number`` makes the next roll that of another map. Raises ValueError for a seed or
    number out of range (randomizer/model/basics/dice.py).
    """

    def __init__(self, seed: int, number: int) -> None:
        if not 0 <= seed < SEED_LIMIT:
            raise ValueError(f"a seed is a number from 0 to {SEED_LIMIT - 1}, not {seed}")
        if not 0 <= number < NUMBER_LIMIT:
            raise ValueError(f"a map number is from 0 to {NUMBER_LIMIT - 1}, not {number}")
        self.seed = seed
        self.number = number
        self._program: Program | None = None

    def start(self, program: Program) -> None:
        """Compute all words of hazards and hexsides at once; those of SOMEOFs on demand."""
        if program is not self._program:
            self._program = program
            self._streams = streams(self.seed, program.sites)
        words = words_of_streams(self._streams, self.number)
        self._words: list[int] = words[: program.edge_words].tolist()
        # All 16-bit lanes, the lowest of each word first: the lane of an edge is at its own index.
        self._lanes: list[int] = words[program.edge_words :].astype("<u8").view("<u2").tolist()

    def place(self, placing: Placing, total: int) -> tuple[int, int] | None:
        """Return one word: the high 32 bits the chance, then 16 the pick, the low 16 the
        elevation.
        """
        bits = self._words[placing.index]
        if bits >> 32 >= placing.chance:
            return None
        lane = bits & 0xFFFF
        if lane >= placing.second:
            elevation = 2
        elif lane >= placing.first:
            elevation = 1
        else:
            elevation = 0
        return ((bits >> 16 & 0xFFFF) * total) >> 16, elevation

    def some_of(self, pick: Pick, hexes: Sequence[int]) -> list[int]:
        """Pick k uses lane k % 4 of word k // 4, from the hexes in the order of their ids."""
        pool = sorted(hexes)
        picked: list[int] = []
        bits = 0
        for k in range(min(pick.count, len(pool))):
            if not k & 3:
                bits = word(self.seed, self.number, pick.site + (k >> 2))
            picked.append(pool.pop((lane16(bits, k & 3) * len(pool)) >> 16))
        return picked

    def hexside(self, edge: int, choices: Choices) -> int:
        """Return the hexside of an edge: each has its own lane, whatever PAIR applies to it."""
        entry = bisect_right(choices.limits, self._lanes[edge])
        if entry < len(choices.codes):
            return choices.codes[entry]
        return 0
