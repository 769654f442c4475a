"""The rules of one battle as arrays, worked out from the readable ones for every pair of hexes.

Indices of hexes are hex ids; OUTSIDE is one more row, where nobody is reached or struck.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.colossus.battle.armies import Army
from randomizer.systems.colossus.battle.battleland import OUTSIDE, Battleland, hazard_damage
from randomizer.systems.colossus.battle.creatures import Creature
from randomizer.systems.colossus.battle.line_of_sight import steps_between, ways_of_sight
from randomizer.systems.colossus.battle.strikes import rangestrike, strike
from randomizer.systems.colossus.board import HEX_COUNT, NEIGHBOURS
from randomizer.systems.colossus.rules import HAZARDS

Whole = NDArray[np.int8]
Flags = NDArray[np.bool_]
Numbers = NDArray[np.float32]
Indices = NDArray[np.intp]

SIZE = HEX_COUNT + 1
"""The hexes and OUTSIDE."""

MOST_DICE = 20 + 2
"""A Serpent's 18 and what terrain adds; a Titan's power does not grow here."""

WAYS = 2
"""A line of sight along edges of hexes has two ways."""

BLOCKED = np.uint32(1 << 31)
"""A bit that every set of occupied hexes holds: in a way's blockers it says "no such way"."""


def importance(creature: Creature) -> tuple[bool, int, bool, bool, str]:
    """Return the key that sorts creatures as the game's AI moves them: the most important first."""
    known = creature
    return (
        not known.is_titan,
        -known.points,
        not known.rangestrikes,
        not known.flies,
        known.name,
    )


class RuleTables:
    """The rules for the creatures of two armies on a battleland.

    ``kinds`` are the different creatures; ``attackers`` and ``defenders`` index them, the most
    important first. Tables of strikes have the shape (kinds, kinds, SIZE, SIZE): striker, target,
    their hexes; ``dice`` is 0 where there is no strike.
    """

    def __init__(self, land: Battleland, attacker: Army, defender: Army, entry_side: int) -> None:
        self.land = land
        self.kinds = tuple(dict.fromkeys((*attacker, *defender)))
        self.attackers = [self.kinds.index(each) for each in sorted(attacker, key=importance)]
        self.defenders = [self.kinds.index(each) for each in sorted(defender, key=importance)]
        self.entry_sides = (entry_side, (entry_side + 3) % 6)
        """Of the attacker and the defender."""
        self.contact = np.zeros((SIZE, SIZE), np.bool_)
        self.into_dune = np.zeros((SIZE, SIZE), np.bool_)
        for number, side, beyond in _edges():
            self.contact[number, beyond] = not land.is_cliff(number, side)
            self.into_dune[number, beyond] = land.edge(number, side)[1] == "Dune"
        shape = (len(self.kinds), len(self.kinds), SIZE, SIZE)
        self.dice = np.zeros(shape, np.int8)
        self.number = np.full(shape, 6, np.int8)
        self.ranged_dice = np.zeros(shape, np.int8)
        self.ranged_number = np.full((*shape, WAYS), 6, np.int8)
        self.blockers = np.full((SIZE, SIZE, WAYS), BLOCKED)
        """(SIZE, SIZE, WAYS): bit sets of the hexes that block a way when they are occupied."""
        self._fill_strikes()
        self._fill_rangestrikes()
        self.damage, self.slows = self._effects()
        self.heals = np.array([*(max(0, HAZARDS[name].heals) for name in land.hazards), 0], np.int8)
        self.flights = [self._flights(kind) if kind.flies else None for kind in self.kinds]
        """By kind of flier, (points + 1, 2, SIZE, SIZE): where it comes, for attacker and defender.
        """
        self.cost = np.array(
            [
                [[land.entry_cost(kind, number, side) for side in range(6)] for number in _HEXES]
                for kind in self.kinds
            ],
            np.int8,
        )
        """(kinds, hexes, 6): the cost of entering a hex across a side."""

    def _pairs(self) -> Iterable[tuple[int, int]]:
        """Yield the kinds that can strike each other."""
        pairs = {(one, other) for one in self.attackers for other in self.defenders}
        return sorted(pairs | {(other, one) for one, other in pairs})

    def _fill_strikes(self) -> None:
        for one, other in self._pairs():
            for number, side, beyond in _edges():
                if self.contact[number, beyond]:
                    how = strike(self.land, self.kinds[one], number, side, self.kinds[other])
                    self.dice[one, other, number, beyond] = how.dice
                    self.number[one, other, number, beyond] = how.number

    def _fill_rangestrikes(self) -> None:
        reach = max((kind.skill for kind in self.kinds if kind.rangestrikes), default=0)
        for start in _HEXES:
            for end in _HEXES:
                steps = steps_between(start, end)
                if not 1 <= steps < reach:
                    continue
                ways = ways_of_sight(self.land, start, end)
                for index, way in enumerate(ways):
                    self.blockers[start, end, index] = sum(1 << number for number in way.blockers)
                for one, other in self._pairs():
                    magic = self.kinds[one].magic
                    for index, brambles in enumerate(
                        [0] if magic else [way.brambles for way in ways]
                    ):
                        pair = self.kinds[one], start, end, self.kinds[other]
                        how = rangestrike(self.land, *pair, brambles)
                        if how is not None:
                            self.ranged_dice[one, other, start, end] = how.dice
                            self.ranged_number[one, other, start, end, index] = how.number

    def _effects(self) -> tuple[Whole, Flags]:
        """(kinds, SIZE): the hits that a hazard gives, and whether it takes a point of speed."""
        damage = np.zeros((len(self.kinds), SIZE), np.int8)
        slows = np.zeros((len(self.kinds), SIZE), np.bool_)
        for row, kind in enumerate(self.kinds):
            for number, hazard in enumerate(self.land.hazards):
                damage[row, number] = hazard_damage(kind, hazard)
                slows[row, number] = HAZARDS[hazard].lingers and not kind.lives_in(hazard)
        return damage, slows

    def rangestrike(
        self, one: int, other: int, start: Indices, end: Indices, occupied: NDArray[np.uint32]
    ) -> tuple[Whole, Whole]:
        """Return dice (0: none) and strike numbers of rangestrikes between two kinds, (n,) each.

        ``occupied`` are bit sets of hexes, each with the bit BLOCKED.
        """
        dice = self.ranged_dice[one, other, start, end]
        number = self.ranged_number[one, other, start, end]
        if self.kinds[one].magic:
            return dice, number[..., 0]
        blocked = (self.blockers[start, end] & occupied[..., None]) != 0
        return dice * ~blocked.all(axis=-1), np.where(blocked, 6, number).min(axis=-1)

    def _flights(self, kind: Creature) -> Flags:
        ends = np.zeros((kind.skill + 1, 2, SIZE, SIZE), np.bool_)
        for points in range(kind.skill + 1):
            for row, side in enumerate(self.entry_sides):
                for start in range(SIZE):
                    ends[points, row, start, list(self.land.moves(kind, start, side, points))] = True
        return ends


_HEXES = range(HEX_COUNT)


def _edges() -> Iterable[tuple[int, int, int]]:
    """Yield every hex, each of its sides inside the board, and the hex beyond."""
    for number in _HEXES:
        for side, beyond in enumerate(NEIGHBOURS[number]):
            if beyond >= 0:
                yield number, side, beyond


def hits_at(chance: NDArray[np.float64], dice: Whole, number: Whole) -> Whole:
    """Return the hits of strikes, (n,), drawn by chances of 0 .. 1."""
    return (chance[:, None] >= _CUMULATIVE[dice, number]).sum(axis=1).astype(np.int8)


SIXTHS = np.arange(MOST_DICE + 1, dtype=np.int16)[:, None] * (7 - np.maximum(np.arange(7), 1))
"""(dice, strike number 0 .. 6): the expected hits in sixths, which add up without rounding."""


def _binomials() -> NDArray[np.float64]:
    """(dice, strike number 0 .. 6, hits): the chance of at most so many hits."""
    table = np.ones((MOST_DICE + 1, 7, MOST_DICE + 1))
    for number in range(7):
        chance = (7 - max(number, 1)) / 6
        row = np.zeros(MOST_DICE + 1)
        row[0] = 1
        for dice in range(MOST_DICE + 1):
            table[dice, number] = np.cumsum(row)
            row = row * (1 - chance) + np.concatenate(([0], row[:-1])) * chance
        table[:, number][np.arange(MOST_DICE + 1) >= np.arange(MOST_DICE + 1)[:, None]] = 1
    return table


_CUMULATIVE = _binomials()
