"""The rules of one battle as arrays, worked out from the readable ones for every pair of hexes.

Indices of hexes are hex ids; OUTSIDE is one more row, where nobody is reached or struck.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from functools import lru_cache
from itertools import product
from math import comb

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.caches import KB, registered
from randomizer.systems.colossus.battle.armies import Army
from randomizer.systems.colossus.battle.line_of_sight import NO_SIGHT, Way, ways_of_sight
from randomizer.systems.colossus.battle.strikes import rangestrike, strike
from randomizer.systems.colossus.battle_terrain import (
    BARRED,
    Battleland,
    hazard_damage,
    hazard_heals,
    hazard_slows,
)
from randomizer.systems.colossus.board import HEX_COUNT, NEIGHBOURS
from randomizer.systems.colossus.creatures import Creature

Whole = NDArray[np.int8]
Flags = NDArray[np.bool_]
Numbers = NDArray[np.float32]
Indices = NDArray[np.intp]

SIZE = HEX_COUNT + 1
"""The hexes and OUTSIDE."""

MOST_DICE = 20 + 2
"""A Serpent's 18 and what terrain adds; a Titan's power does not grow here."""

BLOCKED = np.uint32(1 << 31)
"""A bit that every set of occupied hexes holds: in a way's blockers it says "no such way"."""

_HEXES = range(HEX_COUNT)


class RuleTables:
    """The rules for the creatures of two armies on a battleland.

    ``kinds`` are the different creatures; ``attackers`` and ``defenders`` index them, the most
    important first. Tables of strikes have the shape (lands, kinds, kinds, SIZE, SIZE): striker,
    target, their hexes; ``dice`` is 0 where there is no strike. ``joined`` makes tables of several
    battlelands, the first axis of each.
    """

    ARRAYS = (
        *("dice", "number", "ranged_dice", "ranged_number", "blockers", "contact", "into_dune"),
        *("damage", "slows", "heals", "cost", "crossing", "entry_sides"),
    )

    def __init__(self, land: Battleland, attacker: Army, defender: Army, entry_side: int) -> None:
        self.lands = [land]
        self.kinds = kinds = tuple(dict.fromkeys((*attacker, *defender)))
        self.attackers, self.defenders = (
            [kinds.index(kind) for kind in sorted(army, key=_rank)] for army in (attacker, defender)
        )
        self.entry_sides = np.array([entry_side, (entry_side + 3) % 6])
        """(lands, 2): of the attacker and the defender."""
        shape = (len(kinds), len(kinds), SIZE, SIZE)
        self.dice, self.ranged_dice = np.zeros((2, *shape), np.int8)
        self.number = np.full(shape, 6, np.int8)
        self.ranged_number = np.full((*shape, 2), 6, np.int8)
        """By the way of the line of sight, of which there are two at most."""
        self.contact, self.into_dune = np.zeros((2, SIZE, SIZE), np.bool_)
        self.blockers = np.full((SIZE, SIZE, 2), BLOCKED)
        """The sets of hexes that block a way when they are occupied."""
        pairs = [
            (first, second)
            for first, second in product(range(len(kinds)), repeat=2)
            if {first, second} & {*self.attackers} and {first, second} & {*self.defenders}
        ]
        self._fill_strikes(land, pairs)
        self._fill_rangestrikes(land, [pair for pair in pairs if kinds[pair[0]].rangestrikes])
        self.damage, self.slows, self.heals = (
            np.array(
                [[effect(kind, hazard) for hazard in (*land.hazards, "Plains")] for kind in kinds]
            )
            for effect in (hazard_damage, hazard_slows, hazard_heals)
        )
        """(lands, kinds, SIZE): what hazards do before strikes."""
        self.cost = np.array(
            [[[land.entry_cost(kind, n, i) for i in range(6)] for n in _HEXES] for kind in kinds],
            np.int8,
        )
        """(lands, kinds, hexes, 6): the cost of entering a hex across a side, and of stopping."""
        self.crossing = self.cost.copy()
        """As ``cost``, for who goes on: fliers cross what they cannot land on."""
        for kind, costs in zip(kinds, self.crossing, strict=True):
            if kind.flies:
                costs[:] = [[1 if land.can_cross(kind, n) else BARRED] for n in _HEXES]
        self.start = np.isin(np.arange(SIZE), land.start)
        for name in self.ARRAYS:
            setattr(self, name, getattr(self, name)[None])

    def facing(self, entry_side: int) -> RuleTables:
        """Return the tables for attackers from another side of one battleland."""
        tables = copy(self)
        tables.entry_sides = np.array([[entry_side, (entry_side + 3) % 6]])
        return tables

    @classmethod
    def joined(cls, several: Sequence[RuleTables]) -> RuleTables:
        """Return the tables of the battlelands of several, which have the same armies.

        All must have the same start list, and be towers, or none.
        """
        tables = copy(several[0])
        tables.lands = [land for table in several for land in table.lands]
        for name in cls.ARRAYS if len(several) > 1 else ():
            setattr(tables, name, np.concatenate([getattr(table, name) for table in several]))
        return tables

    def _fill_strikes(self, land: Battleland, pairs: list[tuple[int, int]]) -> None:
        for number, side in product(_HEXES, range(6)):
            beyond = NEIGHBOURS[number][side]
            if beyond >= 0 and not land.is_cliff(number, side):
                self.contact[number, beyond] = True
                self.into_dune[number, beyond] = land.edge(number, side)[1] == "Dune"
                for striker, target in pairs:
                    strike_way = strike(land, self.kinds[striker], number, side, self.kinds[target])
                    at = striker, target, number, beyond
                    self.dice[at], self.number[at] = strike_way

    def _fill_rangestrikes(self, land: Battleland, pairs: list[tuple[int, int]]) -> None:
        for start, end, ways in _sights(land) if pairs else ():
            for index, way in enumerate(ways):
                self.blockers[start, end, index] = sum(1 << number for number in way.blockers)
            for striker, target_kind in pairs:
                kind = self.kinds[striker]
                target = self.kinds[target_kind]
                for index, way in enumerate(ways if not kind.magic else (NO_SIGHT,)):
                    rangestrike_way = rangestrike(land, kind, start, end, target, way.brambles)
                    if rangestrike_way is not None:
                        at = striker, target_kind, start, end
                        self.ranged_dice[at], self.ranged_number[(*at, index)] = rangestrike_way

    def rangestrike(
        self,
        lands: Indices,
        striker: int,
        target: int,
        start: Indices,
        end: Indices,
        occupied: NDArray[np.uint32],
    ) -> tuple[Whole, Whole]:
        """Return dice (0: none) and strike numbers of rangestrikes between two kinds, (n,) each.

        ``occupied`` are bit sets of hexes, each with the bit BLOCKED.
        """
        dice: Whole = self.ranged_dice[lands, striker, target, start, end]
        number: Whole = self.ranged_number[lands, striker, target, start, end]
        if self.kinds[striker].magic:
            return dice, np.asarray(number[..., 0])
        blocked = (self.blockers[lands, start, end] & occupied[..., None]) != 0
        dice = np.where(blocked.all(axis=-1), 0, dice)
        return dice, np.asarray(np.where(blocked, 6, number).min(axis=-1))


@registered(bytes_each=300 * KB)
@lru_cache(maxsize=1)
def _sights(land: Battleland) -> list[tuple[int, int, tuple[Way, ...]]]:
    """Return the ways of sight between all hexes: the same for all armies on a battleland."""
    pairs = product(_HEXES, repeat=2)
    return [(start, end, ways_of_sight(land, start, end)) for start, end in pairs]


def _rank(kind: Creature) -> tuple[bool, int, bool, bool, str]:
    """Return the key that sorts creatures as the game's AI does: the most important first."""
    return not kind.is_titan, -kind.points, not kind.rangestrikes, not kind.flies, kind.name


def hits_at(chance: NDArray[np.float64], dice: Whole, number: Whole) -> Whole:
    """Return the hits of strikes, (n,), drawn by chances of 0 .. 1."""
    return np.asarray((chance[:, None] >= _CUMULATIVE[dice, number]).sum(axis=1), np.int8)


SIXTHS = np.arange(MOST_DICE + 1, dtype=np.int16)[:, None] * (7 - np.maximum(np.arange(7), 1))
"""(dice, strike number 0 .. 6): the expected hits in sixths, which add up without rounding."""


def _at_most(hits: int, dice: int, chance: float) -> float:
    """Return the chance of at most so many hits."""
    if hits >= dice:
        return 1.0
    return sum(comb(dice, k) * chance**k * (1 - chance) ** (dice - k) for k in range(hits + 1))


_CUMULATIVE = np.array(
    [
        [[_at_most(hits, dice, sixths / 6) for hits in range(MOST_DICE)] for sixths in SIXTHS[1]]
        for dice in range(MOST_DICE + 1)
    ]
)
"""(dice, strike number 0 .. 6, hits)."""
