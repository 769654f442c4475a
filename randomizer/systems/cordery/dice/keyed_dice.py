"""The dice that the program throws, keyed by seed and map number.

    KeyedDice(seed=17, number=3).scores("hill 2 die", DicePlace(1, repeats=0), count=1)     # (4,)

A score is drawn from random bits (model/basics/dice.py) that belong to the *site* of the die. The
site is made of the part of the page, how often that part was thrown again, and the name of the die.
So a decision of a person, or one part thrown again, changes no other die.
"""

from __future__ import annotations

from typing import NamedTuple
from zlib import crc32

from randomizer.model.basics.dice import lane32, word
from randomizer.systems.cordery.dice.dice_names import rename_for_road
from randomizer.systems.cordery.dice.scores import SIDES


class DicePlace(NamedTuple):
    """Where on the page dice are thrown."""

    part: int
    """The number of the part of the page, 1 to 7."""

    repeats: int
    """How often this part was thrown again."""


class KeyedDice(NamedTuple):
    """The dice of one table."""

    seed: int

    number: int
    """The map number: tables of one seed differ by it."""

    def scores(self, name: str, place: DicePlace, count: int) -> tuple[int, ...]:
        """Return the scores of ``count`` dice (15 at most) thrown together under a name.

        A track has the dice of the road of its number: another kind of road takes the same way.
        """
        name_of_site = rename_for_road(name, "road")
        scores = []
        for index in range(count):
            random_bits = lane32(word(self.seed, self.number, _site(name_of_site, place, index)), 1)
            # 32 random bits as a fraction of 2**32, times the sides of a die, rounded down.
            scores.append((random_bits * SIDES >> 32) + 1)
        return tuple(scores)


def _site(name: str, place: DicePlace, index: int) -> int:
    """Return the 64 bits of the site of a die.

    ``index`` is its place among the dice thrown together. The bits are::

        bits   63 .. 60   59 ........... 36   35 .. 32   31 ........ 0
               part       repeats             index      name (crc32)
    """
    return place.part << 60 | place.repeats << 36 | index << 32 | crc32(name.encode())
