"""The rules of one battle as arrays, so that thousands of battles can look them up at once.

The arrays are filled from the readable rules (``strikes``, ``line_of_sight``, ``battle_terrain``),
which are asked once for every pair of hexes and of creatures. Hexes are given by hex id; one more
row, OUTSIDE, stands for creatures that are not on the board, where nobody is reached or struck::

    tables = RuleTables.of(land, attacker, defender, entry_side=1)
    rules = tables.by_land
    rules.dice[0, lion, troll, 3, 8]       # the dice of a Lion on hex 3 against a Troll on hex 8
    rules.number[0, lion, troll, 3, 8]     # the face that each of them must show at least

Here 0 is the only battleland. The two creatures are given as indices of ``RuleTables.kinds``.
To add an array, name it in ``RulesByLand`` and ``blank_rules``, and fill it in ``_Filler``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import NamedTuple

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


class RulesByLand(NamedTuple):
    """What the rules say on one battleland, or on several, by battleland.

    The first axis of each array, *lands*, is that of the battlelands. *kinds* is the number of the
    different creatures.
    """

    entry_sides: Indices
    """(lands, 2): the entry side of the attacker and that of the defender, who is opposite."""

    contact: Flags
    """(lands, SIZE, SIZE): whether two hexes are neighbours without a cliff between them."""

    into_dune: Flags
    """(lands, SIZE, SIZE): whether a strike from the first hex goes up a dune of the second."""

    dice: Whole
    """(lands, kinds, kinds, SIZE, SIZE): the dice of a strike, 0 where there is none.

    The axes after the first are striker, target, the striker's hex and the target's.
    """

    number: Whole
    """The strike number, which each die must show at least; the shape is that of ``dice``."""

    ranged_dice: Whole
    """The dice of a rangestrike, 0 where there is none; the shape is that of ``dice``."""

    ranged_number: Whole
    """The strike number of a rangestrike: ``dice``'s axes, and one more for the lines of sight."""

    blockers: NDArray[np.uint32]
    """(lands, SIZE, SIZE, MOST_LINES): bit sets of the hexes that block a line if occupied."""

    damage: Whole
    """(lands, kinds, SIZE): the hits that a creature takes from the hazard before strikes."""

    slows: Whole
    """(lands, kinds, SIZE): the movement points that the hazard takes before strikes."""

    heals: Whole
    """(lands, kinds, SIZE): the hits that the hazard heals before strikes."""

    cost: Whole
    """(lands, kinds, hexes, 6): the cost of entering a hex across a side, and stopping."""

    crossing: Whole
    """The cost of entering a hex and going on, in the shape of ``cost``.

    It differs for fliers, who cross what they cannot land on.
    """


def blank_rules(kind_count: int) -> RulesByLand:
    """Return the arrays of one battleland on which no creature can strike or is hindered."""
    strikes = (1, kind_count, kind_count, SIZE, SIZE)
    hazards = (1, kind_count, SIZE)
    entries = (1, kind_count, HEX_COUNT, len(_SIDES))
    return RulesByLand(
        entry_sides=np.zeros((1, 2), np.intp),
        contact=np.zeros((1, SIZE, SIZE), np.bool_),
        into_dune=np.zeros((1, SIZE, SIZE), np.bool_),
        dice=np.zeros(strikes, np.int8),
        number=np.full(strikes, _HIGHEST_FACE, np.int8),
        ranged_dice=np.zeros(strikes, np.int8),
        ranged_number=np.full((*strikes, MOST_LINES), _HIGHEST_FACE, np.int8),
        blockers=np.full((1, SIZE, SIZE, MOST_LINES), BLOCKED),
        damage=np.zeros(hazards, np.int8),
        slows=np.zeros(hazards, np.int8),
        heals=np.zeros(hazards, np.int8),
        cost=np.zeros(entries, np.int8),
        crossing=np.zeros(entries, np.int8),
    )


def joined_rules(several: Sequence[RulesByLand]) -> RulesByLand:
    """Return the arrays of all battlelands, one after the other; the same creatures fight on all.

    Joining two battlelands, whose ``dice`` are each (1, kinds, kinds, SIZE, SIZE), gives ``dice``
    of the shape (2, kinds, kinds, SIZE, SIZE).
    """
    # zip puts the same array of all battlelands together: all ``entry_sides``, all ``contact`` ...
    return RulesByLand(*(np.concatenate(arrays) for arrays in zip(*several, strict=True)))


@dataclass(frozen=True, eq=False)
class RuleTables:
    """The rules for the creatures of two armies on one battleland, or on several.

    ``of`` makes those of one battleland; ``joined`` puts those of several together.
    """

    lands: tuple[Battleland, ...]
    """The battlelands, in the order of the first axis of ``by_land``."""

    kinds: tuple[Creature, ...]
    """The different creatures of both armies; the other fields give them by index."""

    attackers: tuple[int, ...]
    """The kind of each creature of the attacker, in the order in which the AI moves them."""

    defenders: tuple[int, ...]
    """The kind of each creature of the defender, likewise."""

    start: Flags
    """(SIZE,): whether a hex is in the start list, which joined battlelands share."""

    by_land: RulesByLand
    """The rules that depend on the battleland."""

    @classmethod
    def of(cls, land: Battleland, attacker: Army, defender: Army, entry_side: int) -> RuleTables:
        """Return the tables of one battleland, which the attacker enters from this side, 0 to 5."""
        kinds = tuple(dict.fromkeys((*attacker, *defender)))
        tables = cls(
            lands=(land,),
            kinds=kinds,
            attackers=_most_important_first(attacker, kinds),
            defenders=_most_important_first(defender, kinds),
            start=np.isin(np.arange(SIZE), land.start),
            by_land=blank_rules(len(kinds)),
        )
        filler = _Filler(land, kinds, tables.enemies(), tables.by_land)
        filler.fill_strikes()
        filler.fill_rangestrikes()
        filler.fill_hazards()
        filler.fill_costs()
        return tables.facing(entry_side)

    @classmethod
    def joined(cls, several: Sequence[RuleTables]) -> RuleTables:
        """Return the tables of the battlelands of all ``several``, which have the same armies.

        Their battlelands must have the same start list, and must all be towers, or none.
        """
        first = several[0]
        if len(several) == 1:
            return first
        lands = tuple(land for tables in several for land in tables.lands)
        by_land = joined_rules([tables.by_land for tables in several])
        return replace(first, lands=lands, by_land=by_land)

    def facing(self, entry_side: int) -> RuleTables:
        """Return the tables for attackers from another entry side of the one battleland.

        All arrays but ``entry_sides`` are shared with this object.
        """
        entry_sides = np.array([[entry_side, opposite_side(entry_side)]])
        return replace(self, by_land=self.by_land._replace(entry_sides=entry_sides))

    def enemies(self) -> list[tuple[int, int]]:
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
        rules = self.by_land
        dice: Whole = rules.ranged_dice[lands, striker, target, start, end]
        number: Whole = rules.ranged_number[lands, striker, target, start, end]
        if self.kinds[striker].magic:
            return dice, np.asarray(number[..., 0])
        blocked = (rules.blockers[lands, start, end] & occupied[..., None]) != 0
        dice = np.where(blocked.all(axis=-1), 0, dice)
        # Of two free lines the striker takes the one with the lower, better strike number.
        number_of_free_lines = np.where(blocked, _HIGHEST_FACE, number)
        return dice, np.asarray(number_of_free_lines.min(axis=-1))


class _Filler:
    """Asks the readable rules about one battleland, and fills in what they answer.

    Each method fills the arrays that its docstring names; they can be called in any order.
    """

    def __init__(
        self,
        land: Battleland,
        kinds: Sequence[Creature],
        enemies: Sequence[tuple[int, int]],
        rules: RulesByLand,
    ) -> None:
        self._land = land
        self._kinds = kinds
        self._enemies = enemies
        """The pairs (striker, target) of kinds that can strike each other."""
        # Writing to these views of the only battleland writes to ``rules``.
        self._rules = RulesByLand(*(array[0] for array in rules))
        """The blank arrays to fill, without their first axis."""

    def fill_strikes(self) -> None:
        """Fill ``contact``, ``into_dune``, ``dice`` and ``number``."""
        land = self._land
        rules = self._rules
        for start, side in product(_HEXES, _SIDES):
            end = NEIGHBOURS[start][side]
            if end < 0 or land.is_cliff(start, side):
                continue
            _own_hexside, opposite_hexside = land.edge(start, side)
            rules.contact[start, end] = True
            rules.into_dune[start, end] = opposite_hexside == "Dune"
            for striker, target in self._enemies:
                roll = strike(land, self._kinds[striker], start, side, self._kinds[target])
                rules.dice[striker, target, start, end] = roll.dice
                rules.number[striker, target, start, end] = roll.number

    def fill_rangestrikes(self) -> None:
        """Fill ``blockers``, ``ranged_dice`` and ``ranged_number``, if anybody rangestrikes."""
        pairs = [pair for pair in self._enemies if self._kinds[pair[0]].rangestrikes]
        if not pairs:
            return
        for sight in _sights(self._land):
            for index, line in enumerate(sight.lines):
                bits = sum(1 << hex_id for hex_id in line.blockers)
                self._rules.blockers[sight.start, sight.end, index] = bits
            for striker, target in pairs:
                self._fill_rangestrike(striker, target, sight)

    def _fill_rangestrike(self, striker: int, target: int, sight: _Sight) -> None:
        """Fill in the dice and numbers of one kind against another, from one hex to another."""
        striker_kind = self._kinds[striker]
        target_kind = self._kinds[target]
        start = sight.start
        end = sight.end
        lines = sight.lines
        if striker_kind.magic:
            lines = (UNBLOCKED,)
        for index, line in enumerate(lines):
            roll = rangestrike(self._land, striker_kind, start, end, target_kind, line.brambles)
            if roll is not None:
                self._rules.ranged_dice[striker, target, start, end] = roll.dice
                self._rules.ranged_number[striker, target, start, end, index] = roll.number

    def fill_hazards(self) -> None:
        """Fill ``damage``, ``slows`` and ``heals``; outside of the board the hazard is Plains."""
        rules = self._rules
        hazards = (*self._land.hazards, "Plains")
        for kind_index, kind in enumerate(self._kinds):
            for hex_id, hazard in enumerate(hazards):
                rules.damage[kind_index, hex_id] = hazard_damage(kind, hazard)
                rules.slows[kind_index, hex_id] = hazard_slows(kind, hazard)
                rules.heals[kind_index, hex_id] = hazard_heals(hazard)

    def fill_costs(self) -> None:
        """Fill ``cost`` and ``crossing``."""
        land = self._land
        rules = self._rules
        for index, kind in enumerate(self._kinds):
            for hex_id, side in product(_HEXES, _SIDES):
                rules.cost[index, hex_id, side] = land.entry_cost(kind, hex_id, side)
            rules.crossing[index] = rules.cost[index]
            if kind.flies:
                # A flier crosses all sides alike, and hexes on which it must not land, too.
                for hex_id in _HEXES:
                    can_cross = land.can_cross(kind, hex_id)
                    rules.crossing[index, hex_id] = 1 if can_cross else BARRED


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


def _most_important_first(army: Army, kinds: Sequence[Creature]) -> tuple[int, ...]:
    """Return the kinds of an army's creatures in the order in which the AI moves them."""
    return tuple(kinds.index(creature) for creature in sorted(army, key=_rank))


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
