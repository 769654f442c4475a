"""Fills the arrays of rules of one battleland (``rules_by_land``) from the readable rules."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from randomizer.model.basics.caches import KB, registered
from randomizer.systems.colossus.battle.line_of_sight import UNBLOCKED, SightLine, sight_lines
from randomizer.systems.colossus.battle.rules_by_land import SIDES, RulesByLand
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

_HEXES = range(HEX_COUNT)


class RuleFiller:
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
        """Fill ``contact``, ``into_dune``, ``dice`` and ``strike_number``."""
        land = self._land
        rules = self._rules
        for start, side in product(_HEXES, SIDES):
            end = NEIGHBOURS[start][side]
            if end < 0 or land.is_cliff(start, side):
                continue
            edge = land.edge(start, side)
            rules.contact[start, end] = True
            rules.into_dune[start, end] = edge.beyond == "Dune"
            for striker, target in self._enemies:
                roll = strike(land, self._kinds[striker], start, side, self._kinds[target])
                rules.dice[striker, target, start, end] = roll.dice
                rules.strike_number[striker, target, start, end] = roll.number

    def fill_rangestrikes(self) -> None:
        """Fill ``blockers`` and the ranged dice and strike numbers, if anybody rangestrikes."""
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
                self._rules.ranged_strike_number[striker, target, start, end, index] = roll.number

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
        """Fill ``stop_cost`` and ``cross_cost``."""
        land = self._land
        rules = self._rules
        for index, kind in enumerate(self._kinds):
            for hex_id, side in product(_HEXES, SIDES):
                rules.stop_cost[index, hex_id, side] = land.entry_cost(kind, hex_id, side)
            rules.cross_cost[index] = rules.stop_cost[index]
            if kind.flies:
                # A flier crosses all sides alike, and hexes on which it must not land, too.
                for hex_id in _HEXES:
                    can_cross = land.can_cross(kind, hex_id)
                    rules.cross_cost[index, hex_id] = 1 if can_cross else BARRED


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
