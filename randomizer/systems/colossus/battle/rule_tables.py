"""The rules of one battle as arrays, so that thousands of battles can look them up at once.

``rule_filling`` fills the arrays from the readable rules (``strikes``, ``line_of_sight``,
``battle_terrain``), which are asked once for every pair of hexes and of creatures. Hexes are given
by hex id; one more row, OUTSIDE, stands for creatures that are not on the board, where nobody is
reached or struck::

    tables = RuleTables.of(land, attacker, defender, entry_side=1)
    rules = tables.by_land
    rules.dice[0, lion, troll, 3, 8]            # of a Lion on hex 3 against a Troll on hex 8
    rules.strike_number[0, lion, troll, 3, 8]   # the face that each of them must show at least

Here 0 is the only battleland. The two creatures are given as indices of ``RuleTables.kinds``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.colossus.battle.armies import Army, most_important_first
from randomizer.systems.colossus.battle.rule_filling import RuleFiller
from randomizer.systems.colossus.battle.rules_by_land import (
    HIGHEST_FACE,
    SIZE,
    Flags,
    Indices,
    RulesByLand,
    Whole,
    blank_rules,
    joined_rules,
)
from randomizer.systems.colossus.battle_terrain import Battleland
from randomizer.systems.colossus.board import opposite_side
from randomizer.systems.colossus.creatures import Creature


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
        attackers = tuple(kinds.index(creature) for creature in most_important_first(attacker))
        defenders = tuple(kinds.index(creature) for creature in most_important_first(defender))
        rules = blank_rules(len(kinds))
        filler = RuleFiller(land, kinds, _enemies(attackers, defenders), rules)
        filler.fill_strikes()
        filler.fill_rangestrikes()
        filler.fill_hazards()
        filler.fill_costs()
        tables = cls(
            lands=(land,),
            kinds=kinds,
            attackers=attackers,
            defenders=defenders,
            start=np.isin(np.arange(SIZE), land.start),
            by_land=rules,
        )
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

    def rangestrike(
        self,
        lands: Indices,
        striker: int,
        target: int,
        start: Indices,
        end: Indices,
        occupied: NDArray[np.uint32],
    ) -> Rangestrikes:
        """Return the rangestrikes between two kinds of creatures in n battles.

        ``lands`` (n or 1), the hexes ``start`` and ``end`` (n) and ``occupied`` (n) belong to n
        battles; ``occupied`` are bit sets of hexes, each with the bit BLOCKED.
        """
        rules = self.by_land
        dice: Whole = rules.ranged_dice[lands, striker, target, start, end]
        numbers: Whole = rules.ranged_strike_number[lands, striker, target, start, end]
        if self.kinds[striker].magic:
            # Nothing blocks a magic missile, whose only line is the first one.
            return Rangestrikes(dice, np.asarray(numbers[..., 0]))
        blocked = (rules.blockers[lands, start, end] & occupied[..., None]) != 0
        dice = np.where(blocked.all(axis=-1), 0, dice)
        # Of two free lines the striker takes the one with the lower, better strike number.
        numbers_of_free_lines = np.where(blocked, HIGHEST_FACE, numbers)
        return Rangestrikes(dice, np.asarray(numbers_of_free_lines.min(axis=-1)))


class Rangestrikes(NamedTuple):
    """The rangestrikes of one kind of creature at another in n battles, (n,) each."""

    dice: Whole
    """The dice, 0 where no rangestrike is possible."""

    strike_numbers: Whole
    """What each die must show at least; without dice it means nothing."""


def _enemies(attackers: Sequence[int], defenders: Sequence[int]) -> list[tuple[int, int]]:
    """Return the pairs (striker, target) of kinds that can be enemies.

    A kind that both armies have is an enemy of itself.
    """
    attacks = set(product(attackers, defenders))
    strikes_back = set(product(defenders, attackers))
    return sorted(attacks | strikes_back)
