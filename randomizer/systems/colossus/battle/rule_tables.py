"""The rules of one battle as arrays, so that thousands of battles can look them up at once.

The arrays are filled from the readable rules (``strikes``, ``line_of_sight``, ``battle_terrain``),
which are asked once for every pair of hexes and of creatures. Hexes are given by hex id; one more
row, OUTSIDE, stands for creatures that are not on the board, where nobody is reached or struck::

    tables = RuleTables(land, attacker, defender, entry_side=1)
    tables.dice[0, lion, troll, 3, 8]       # the dice of a Lion on hex 3 against a Troll on hex 8
    tables.number[0, lion, troll, 3, 8]     # the face that each of them must show at least

Here 0 is the only battleland. The two creatures are given as indices of ``RuleTables.kinds``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.caches import KB, registered
from randomizer.systems.colossus.battle.armies import Army
from randomizer.systems.colossus.battle.line_of_sight import UNBLOCKED, SightLine, sight_lines
from randomizer.systems.colossus.battle.strikes import rangestrike, strike
from randomizer.systems.colossus.battle_terrain import (
    BARRED,
    Battleland,
    hazard_damage,
    hazard_heals,
    hazard_slows,
)
from randomizer.systems.colossus.board import HEX_COUNT, NEIGHBOURS, opposite_side
from randomizer.systems.colossus.creatures import Creature

Whole = NDArray[np.int8]
"""Small whole numbers, such as hits and dice."""

Flags = NDArray[np.bool_]
"""Truth values."""

Numbers = NDArray[np.float32]
"""Scores."""

Indices = NDArray[np.intp]
"""Indices, such as those of hexes, of kinds and of battles."""

SIZE = HEX_COUNT + 1
"""The number of hexes, and one for OUTSIDE."""

MOST_LINES = 2
"""The lines of sight between two hexes: a line along edges can pass on either side of them."""

BLOCKED = np.uint32(1 << 31)
"""A bit that every set of occupied hexes holds, and that stands for a line that there is not.

So such a line is always blocked, by the same test as a line with creatures on it.
"""

_HIGHEST_FACE = 6
"""The highest face of a die, and so the strike number of the hardest strike."""

_SIDES = range(6)
"""The sides of a hex."""

_HEXES = range(HEX_COUNT)


class RuleTables:
    """The rules for the creatures of two armies on one battleland, or on several.

    The tables are made for one battleland; ``joined`` puts those of several together. In the shapes
    *lands* is the number of battlelands, *kinds* that of the different creatures. Begin with
    ``dice`` and ``_fill_strikes``: the other tables are filled likewise.
    """

    ARRAYS = (
        "entry_sides",
        "contact",
        "into_dune",
        "dice",
        "number",
        "ranged_dice",
        "ranged_number",
        "blockers",
        "damage",
        "slows",
        "heals",
        "cost",
        "crossing",
    )
    """The fields that are arrays whose first axis is that of the battlelands."""

    def __init__(self, land: Battleland, attacker: Army, defender: Army, entry_side: int) -> None:
        self.lands = [land]
        """The battlelands, in the order of the arrays."""
        self.kinds = tuple(dict.fromkeys((*attacker, *defender)))
        """The different creatures of both armies; the other fields give them by index."""
        self.attackers = self._most_important_first(attacker)
        """The kind of each creature of the attacker."""
        self.defenders = self._most_important_first(defender)
        """The kind of each creature of the defender."""
        self.start = np.isin(np.arange(SIZE), land.start)
        """(SIZE,): whether a hex is in the start list, which joined battlelands share."""
        self.entry_sides = np.array([entry_side, opposite_side(entry_side)])
        """(lands, 2): the entry side of the attacker and that of the defender, who is opposite."""

        self.contact = np.zeros((SIZE, SIZE), np.bool_)
        """(lands, SIZE, SIZE): whether two hexes are neighbours without a cliff between them."""
        self.into_dune = np.zeros((SIZE, SIZE), np.bool_)
        """(lands, SIZE, SIZE): whether a strike from the first hex goes up a dune of the second."""
        strike_shape = (len(self.kinds), len(self.kinds), SIZE, SIZE)
        self.dice = np.zeros(strike_shape, np.int8)
        """(lands, kinds, kinds, SIZE, SIZE): the dice of a strike, 0 where there is none.

        The axes are striker, target, the striker's hex and the target's.
        """
        self.number = np.full(strike_shape, _HIGHEST_FACE, np.int8)
        """The strike number, which each die must show at least; the shape is that of ``dice``."""
        self._fill_strikes(land)

        self.ranged_dice = np.zeros(strike_shape, np.int8)
        """The dice of a rangestrike, 0 where there is none; the shape is that of ``dice``."""
        self.ranged_number = np.full((*strike_shape, MOST_LINES), _HIGHEST_FACE, np.int8)
        """The strike number of a rangestrike, with one more axis: the lines of sight."""
        self.blockers = np.full((SIZE, SIZE, MOST_LINES), BLOCKED)
        """(lands, SIZE, SIZE, MOST_LINES): bit sets of the hexes that block a line if occupied."""
        self._fill_rangestrikes(land)

        self.damage = self._by_kind_and_hazard(land, hazard_damage)
        """(lands, kinds, SIZE): the hits that a creature takes from the hazard before strikes."""
        self.slows = self._by_kind_and_hazard(land, hazard_slows)
        """(lands, kinds, SIZE): whether the hazard takes a movement point before strikes."""
        self.heals = self._by_kind_and_hazard(land, hazard_heals)
        """(lands, kinds, SIZE): the hits that the hazard heals before strikes."""
        self.cost = self._entry_costs(land)
        """(lands, kinds, hexes, 6): the cost of entering a hex across a side, and stopping."""
        self.crossing = self._crossing_costs(land, self.cost)
        """The cost of entering a hex and going on, in the shape of ``cost``.

        It differs for fliers, who cross what they cannot land on.
        """
        # So far the arrays are those of one battleland: now they get the axis of battlelands.
        for name in self.ARRAYS:
            with_axis_of_lands = getattr(self, name)[None]
            setattr(self, name, with_axis_of_lands)

    def facing(self, entry_side: int) -> RuleTables:
        """Return the tables for attackers from another entry side of the one battleland.

        All arrays but ``entry_sides`` are shared with this object.
        """
        tables = copy(self)
        tables.entry_sides = np.array([[entry_side, opposite_side(entry_side)]])
        return tables

    @classmethod
    def joined(cls, several: Sequence[RuleTables]) -> RuleTables:
        """Return the tables of the battlelands of all ``several``, which have the same armies.

        Their battlelands must have the same start list, and must all be towers, or none.
        """
        tables = copy(several[0])
        if len(several) == 1:
            return tables
        tables.lands = []
        for table in several:
            tables.lands.extend(table.lands)
        for name in cls.ARRAYS:
            arrays = [getattr(table, name) for table in several]
            setattr(tables, name, np.concatenate(arrays))
        return tables

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

        ``lands`` (n or 1), the hexes ``start`` and ``end`` (n) and ``occupied`` (n) belong to n
        battles; ``occupied`` are bit sets of hexes, each with the bit BLOCKED.
        """
        dice: Whole = self.ranged_dice[lands, striker, target, start, end]
        number: Whole = self.ranged_number[lands, striker, target, start, end]
        if self.kinds[striker].magic:
            return dice, np.asarray(number[..., 0])
        blocked = (self.blockers[lands, start, end] & occupied[..., None]) != 0
        dice = np.where(blocked.all(axis=-1), 0, dice)
        # Of two free lines the striker takes the one with the lower, better strike number.
        number_of_free_lines = np.where(blocked, _HIGHEST_FACE, number)
        return dice, np.asarray(number_of_free_lines.min(axis=-1))

    # --- filling the tables ---------------------------------------------------------------------

    def _most_important_first(self, army: Army) -> list[int]:
        """Return the kinds of an army's creatures in the order in which the AI moves them."""
        return [self.kinds.index(creature) for creature in sorted(army, key=_rank)]

    def _enemies(self) -> list[tuple[int, int]]:
        """Return the pairs (striker, target) of kinds that can be enemies.

        A kind that both armies have is an enemy of itself.
        """
        pairs = []
        for striker, target in product(range(len(self.kinds)), repeat=2):
            attacks = striker in self.attackers and target in self.defenders
            defends = striker in self.defenders and target in self.attackers
            if attacks or defends:
                pairs.append((striker, target))
        return pairs

    def _fill_strikes(self, land: Battleland) -> None:
        """Fill ``contact``, ``into_dune``, ``dice`` and ``number``."""
        pairs = self._enemies()
        for start, side in product(_HEXES, _SIDES):
            end = NEIGHBOURS[start][side]
            if end < 0 or land.is_cliff(start, side):
                continue
            _own_hexside, opposite_hexside = land.edge(start, side)
            self.contact[start, end] = True
            self.into_dune[start, end] = opposite_hexside == "Dune"
            for striker, target in pairs:
                roll = strike(land, self.kinds[striker], start, side, self.kinds[target])
                self.dice[striker, target, start, end] = roll.dice
                self.number[striker, target, start, end] = roll.number

    def _fill_rangestrikes(self, land: Battleland) -> None:
        """Fill ``blockers``, ``ranged_dice`` and ``ranged_number``, if anybody rangestrikes."""
        pairs = [pair for pair in self._enemies() if self.kinds[pair[0]].rangestrikes]
        if not pairs:
            return
        for sight in _sights(land):
            for index, line in enumerate(sight.lines):
                bits = sum(1 << hex_id for hex_id in line.blockers)
                self.blockers[sight.start, sight.end, index] = bits
            for striker, target in pairs:
                self._fill_rangestrike(land, striker, target, sight)

    def _fill_rangestrike(self, land: Battleland, striker: int, target: int, sight: _Sight) -> None:
        """Fill in the dice and numbers of one kind against another, from one hex to another."""
        striker_kind = self.kinds[striker]
        target_kind = self.kinds[target]
        start = sight.start
        end = sight.end
        lines = sight.lines
        if striker_kind.magic:
            lines = (UNBLOCKED,)
        for index, line in enumerate(lines):
            roll = rangestrike(land, striker_kind, start, end, target_kind, line.brambles)
            if roll is not None:
                self.ranged_dice[striker, target, start, end] = roll.dice
                self.ranged_number[striker, target, start, end, index] = roll.number

    def _by_kind_and_hazard(
        self, land: Battleland, effect: Callable[[Creature, str], int]
    ) -> NDArray[Any]:
        """Return the effect of each hex's hazard on each kind, (kinds, SIZE); OUTSIDE is Plains."""
        hazards = (*land.hazards, "Plains")
        return np.array([[effect(kind, hazard) for hazard in hazards] for kind in self.kinds])

    def _entry_costs(self, land: Battleland) -> Whole:
        """Return ``cost`` of a battleland, (kinds, hexes, 6)."""
        costs = np.zeros((len(self.kinds), HEX_COUNT, len(_SIDES)), np.int8)
        for index, kind in enumerate(self.kinds):
            for hex_id, side in product(_HEXES, _SIDES):
                costs[index, hex_id, side] = land.entry_cost(kind, hex_id, side)
        return costs

    def _crossing_costs(self, land: Battleland, entry_costs: Whole) -> Whole:
        """Return ``crossing`` of a battleland: ``entry_costs``, but for fliers 1 or BARRED."""
        costs = entry_costs.copy()
        for index, kind in enumerate(self.kinds):
            if not kind.flies:
                continue
            for hex_id in _HEXES:
                if land.can_cross(kind, hex_id):
                    costs[index, hex_id] = 1
                else:
                    costs[index, hex_id] = BARRED
        return costs


class _Sight(NamedTuple):
    """The lines of sight from one hex to another."""

    start: int
    end: int
    lines: tuple[SightLine, ...]


@registered(bytes_each=300 * KB)
@lru_cache(maxsize=1)
def _sights(land: Battleland) -> list[_Sight]:
    """Return the lines of sight between all hexes.

    They are the same for all armies on a battleland, so the last battleland's are cached.
    """
    pairs = product(_HEXES, repeat=2)
    return [_Sight(start, end, sight_lines(land, start, end)) for start, end in pairs]


class _Rank(NamedTuple):
    """The importance of a creature to the game's AI; the most important one sorts first.

    False sorts before True, so that each field is False, or low, for important creatures.
    """

    is_no_titan: bool
    negative_points: int
    cannot_rangestrike: bool
    cannot_fly: bool
    name: str


def _rank(kind: Creature) -> _Rank:
    """Return the rank of a creature: Titans first, then by points, then by abilities and name."""
    return _Rank(
        is_no_titan=not kind.is_titan,
        negative_points=-kind.points,
        cannot_rangestrike=not kind.rangestrikes,
        cannot_fly=not kind.flies,
        name=kind.name,
    )
