"""The rules of one battle as arrays, worked out from the readable ones for every pair of hexes.

The readable rules are ``strikes``, ``line_of_sight`` and ``battle_terrain``, which tell of one
creature at a time. ``many_battles`` fights thousands of battles at once, and looks up here.
Indices of hexes are hex ids; OUTSIDE is one more row, where nobody is reached or struck.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from functools import lru_cache
from itertools import product
from math import comb
from typing import Any

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
    """The rules for the creatures of two armies on one battleland, or on several.

    The first axis of each array is the battleland: ``joined`` makes tables of several of them.
    Tables of strikes have the shape (lands, kinds, kinds, SIZE, SIZE): striker, target, the
    striker's hex, the target's.
    """

    ARRAYS = (
        *("dice", "number", "ranged_dice", "ranged_number", "blockers", "contact", "into_dune"),
        *("damage", "slows", "heals", "cost", "crossing", "entry_sides"),
    )
    """The names of the arrays with an axis of battlelands."""

    def __init__(self, land: Battleland, attacker: Army, defender: Army, entry_side: int) -> None:
        self.lands = [land]
        kinds = tuple(dict.fromkeys((*attacker, *defender)))
        self.kinds = kinds
        """The different creatures of both armies."""
        self.attackers = [kinds.index(kind) for kind in sorted(attacker, key=_rank)]
        """The attacker's creatures as indices of ``kinds``, the most important first."""
        self.defenders = [kinds.index(kind) for kind in sorted(defender, key=_rank)]
        """The defender's."""
        self.entry_sides = np.array([entry_side, (entry_side + 3) % 6])
        """(lands, 2): the entry sides of the attacker and the defender."""
        shape = (len(kinds), len(kinds), SIZE, SIZE)
        self.dice = np.zeros(shape, np.int8)
        """The dice of each strike, 0 where there is none."""
        self.number = np.full(shape, 6, np.int8)
        """The strike number: what each die must show at least."""
        self.ranged_dice = np.zeros(shape, np.int8)
        """The dice of each rangestrike, 0 where there is none."""
        self.ranged_number = np.full((*shape, 2), 6, np.int8)
        """Its strike number; the last axis is the way of the line of sight: there are two at most.
        """
        self.contact = np.zeros((SIZE, SIZE), np.bool_)
        """(lands, SIZE, SIZE): whether creatures on two hexes strike each other."""
        self.into_dune = np.zeros((SIZE, SIZE), np.bool_)
        """(lands, SIZE, SIZE): whether a strike goes up a dune of the target's hex."""
        self.blockers = np.full((SIZE, SIZE, 2), BLOCKED)
        """(lands, SIZE, SIZE, 2): the set of hexes that block each way when they are occupied."""
        enemy_pairs = self._enemy_pairs()
        self._fill_strikes(land, enemy_pairs)
        ranged_pairs = [(kind, target) for kind, target in enemy_pairs if kinds[kind].rangestrikes]
        self._fill_rangestrikes(land, ranged_pairs)
        self.damage = self._hazard_table(land, hazard_damage)
        """(lands, kinds, SIZE): the hits that a hazard gives before strikes."""
        self.slows = self._hazard_table(land, hazard_slows)
        """(lands, kinds, SIZE): whether it takes a movement point before strikes."""
        self.heals = self._hazard_table(land, hazard_heals)
        """(lands, kinds, SIZE): the hits that it heals before strikes."""
        self.cost = np.array([_entry_costs(land, kind) for kind in kinds], np.int8)
        """(lands, kinds, hexes, 6): the cost of entering a hex across a side, and of stopping."""
        self.crossing = self.cost.copy()
        """As ``cost``, for who goes on: fliers cross what they cannot land on."""
        for kind, costs in zip(kinds, self.crossing, strict=True):
            if kind.flies:
                costs[:] = [[1 if land.can_cross(kind, number) else BARRED] for number in _HEXES]
        self.start = np.isin(np.arange(SIZE), land.start)
        """(SIZE,): the hexes of the start list."""
        # All tables above are those of one battleland: they get the axis of battlelands.
        for name in self.ARRAYS:
            setattr(self, name, getattr(self, name)[None])

    def _enemy_pairs(self) -> list[tuple[int, int]]:
        """Return the pairs of kinds (striker, target) that can meet as enemies."""
        pairs = []
        for striker, target in product(range(len(self.kinds)), repeat=2):
            attacks = striker in self.attackers and target in self.defenders
            defends = striker in self.defenders and target in self.attackers
            if attacks or defends:
                pairs.append((striker, target))
        return pairs

    def _hazard_table(
        self, land: Battleland, effect: Callable[[Creature, str], int | bool]
    ) -> NDArray[Any]:
        """Return the effect of the hazard of each hex on each kind, (kinds, SIZE).

        Outside, there is no more effect than in Plains.
        """
        hazards = (*land.hazards, "Plains")
        return np.array([[effect(kind, hazard) for hazard in hazards] for kind in self.kinds])

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
        if len(several) == 1:
            return tables
        tables.lands = []
        for table in several:
            tables.lands += table.lands
        for name in cls.ARRAYS:
            setattr(tables, name, np.concatenate([getattr(table, name) for table in several]))
        return tables

    def _fill_strikes(self, land: Battleland, pairs: list[tuple[int, int]]) -> None:
        """Fill the tables of contact and of strikes, for pairs of kinds (striker, target)."""
        for hex_of_striker, side in product(_HEXES, range(6)):
            hex_of_target = NEIGHBOURS[hex_of_striker][side]
            if hex_of_target < 0 or land.is_cliff(hex_of_striker, side):
                continue
            hexes = (hex_of_striker, hex_of_target)
            self.contact[hexes] = True
            _near_hexside, far_hexside = land.edge(hex_of_striker, side)
            self.into_dune[hexes] = far_hexside == "Dune"
            for striker, target in pairs:
                result = strike(land, self.kinds[striker], hex_of_striker, side, self.kinds[target])
                self.dice[(striker, target, *hexes)] = result.dice
                self.number[(striker, target, *hexes)] = result.number

    def _fill_rangestrikes(self, land: Battleland, pairs: list[tuple[int, int]]) -> None:
        """Fill the tables of rangestrikes and of what blocks them, for pairs (striker, target)."""
        if not pairs:
            return
        for start, end, ways in _sights(land):
            for index, way in enumerate(ways):
                self.blockers[start, end, index] = sum(1 << number for number in way.blockers)
            for striker, target in pairs:
                kind = self.kinds[striker]
                ways_of_kind = (NO_SIGHT,) if kind.magic else ways
                for index, way in enumerate(ways_of_kind):
                    result = rangestrike(land, kind, start, end, self.kinds[target], way.brambles)
                    if result is not None:
                        self.ranged_dice[striker, target, start, end] = result.dice
                        self.ranged_number[striker, target, start, end, index] = result.number

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
        numbers_by_way: Whole = self.ranged_number[lands, striker, target, start, end]
        if self.kinds[striker].magic:
            # Magic missiles need no line of sight: their one way is the first.
            return dice, np.asarray(numbers_by_way[..., 0])
        is_blocked = (self.blockers[lands, start, end] & occupied[..., None]) != 0
        dice = np.where(is_blocked.all(axis=-1), 0, dice)
        # Of two free ways the one with the better number is taken, that is with fewer Brambles.
        return dice, np.asarray(np.where(is_blocked, 6, numbers_by_way).min(axis=-1))


def _entry_costs(land: Battleland, kind: Creature) -> list[list[int]]:
    """Return the costs for a creature of entering each hex across each of its six sides."""
    return [[land.entry_cost(kind, number, side) for side in range(6)] for number in _HEXES]


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


def _cumulative_chances() -> NDArray[np.float64]:
    """Return the chances of at most so many hits: (dice, strike number 0 .. 6, hits)."""
    chances = np.zeros((MOST_DICE + 1, len(SIXTHS[1]), MOST_DICE))
    for dice in range(MOST_DICE + 1):
        for number, sixths in enumerate(SIXTHS[1]):
            for hits in range(MOST_DICE):
                chances[dice, number, hits] = _at_most(hits, dice, sixths / 6)
    return chances


_CUMULATIVE = _cumulative_chances()
"""The chances of at most so many hits: (dice, strike number 0 .. 6, hits)."""
