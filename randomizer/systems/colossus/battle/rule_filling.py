"""Fills the arrays of rules of one battleland (``rules_by_land``) from the readable rules."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.caches import KB, registered
from randomizer.systems.colossus.battle.line_of_sight import UNBLOCKED, SightLine, sight_lines
from randomizer.systems.colossus.battle.rules_by_land import (
    BLOCKED,
    MAX_LINES,
    SIDES,
    RulesByLand,
)
from randomizer.systems.colossus.battle.strikes import (
    rangestrike,
    rangestrike_terrain,
    strike,
    strike_terrain,
)
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
        # Strikes are equal across edges with the same terrain: the rules are asked about the first
        # edge of each kind.
        edges_by_terrain: dict[object, list[tuple[int, int]]] = {}
        for start, side in product(_HEXES, SIDES):
            if NEIGHBOURS[start][side] >= 0 and not self._land.is_cliff(start, side):
                terrain = strike_terrain(self._land, start, side)
                edges_by_terrain.setdefault(terrain, []).append((start, side))
        for edges in edges_by_terrain.values():
            self._fill_strikes_across(edges)

    def _fill_strikes_across(self, edges: Sequence[tuple[int, int]]) -> None:
        """Fill in the strikes across edges (hex id, side) that have the same terrain."""
        land = self._land
        rules = self._rules
        starts = [start for start, _side in edges]
        ends = [NEIGHBOURS[start][side] for start, side in edges]
        first_start, first_side = edges[0]
        rules.contact[starts, ends] = True
        rules.into_dune[starts, ends] = land.edge(first_start, first_side).beyond == "Dune"
        for striker, target in self._enemies:
            roll = strike(land, self._kinds[striker], first_start, first_side, self._kinds[target])
            rules.dice[striker, target, starts, ends] = roll.dice
            rules.strike_number[striker, target, starts, ends] = roll.number

    def fill_rangestrikes(self) -> None:
        """Fill ``blockers`` and the ranged dice and strike numbers, if anybody rangestrikes."""
        pairs = [pair for pair in self._enemies if self._kinds[pair[0]].rangestrikes]
        if not pairs:
            return
        sights = _sights(self._land)
        self._rules.blockers[:HEX_COUNT, :HEX_COUNT] = sights.blockers
        for equal_sights in sights.by_terrain:
            for striker, target in pairs:
                self._fill_rangestrikes_along(equal_sights, striker, target)

    def _fill_rangestrikes_along(self, sights: Sequence[_Sight], striker: int, target: int) -> None:
        """Fill in the dice and numbers of one kind against another, along sights that are equal."""
        striker_kind = self._kinds[striker]
        target_kind = self._kinds[target]
        first_sight = sights[0]
        start = first_sight.start
        end = first_sight.end
        lines = first_sight.lines
        if striker_kind.magic:
            lines = (UNBLOCKED,)
        starts = [sight.start for sight in sights]
        ends = [sight.end for sight in sights]
        for index, line in enumerate(lines):
            roll = rangestrike(self._land, striker_kind, start, end, target_kind, line.brambles)
            if roll is not None:
                self._rules.ranged_dice[striker, target, starts, ends] = roll.dice
                self._rules.ranged_strike_number[striker, target, starts, ends, index] = roll.number

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
        # Costs are equal for entries with the same terrain: the rules are asked about the first.
        entries_by_terrain: dict[object, list[tuple[int, int]]] = {}
        for hex_id, side in product(_HEXES, SIDES):
            terrain = land.entry_terrain(hex_id, side)
            entries_by_terrain.setdefault(terrain, []).append((hex_id, side))
        for entries in entries_by_terrain.values():
            hexes = [hex_id for hex_id, _side in entries]
            sides = [side for _hex_id, side in entries]
            for index, kind in enumerate(self._kinds):
                rules.stop_cost[index, hexes, sides] = land.entry_cost(kind, hexes[0], sides[0])
        for index, kind in enumerate(self._kinds):
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


class _Sights(NamedTuple):
    """The lines of sight between all hexes of a battleland."""

    blockers: NDArray[np.uint32]
    """(hexes, hexes, MAX_LINES): as ``RulesByLand.blockers``."""

    by_terrain: list[list[_Sight]]
    """All sights, in groups of those along which rangestrikes are equal."""


@registered(bytes_each=400 * KB)
@lru_cache(maxsize=1)
def _sights(land: Battleland) -> _Sights:
    """Return the lines of sight between all hexes.

    They are the same for all armies on a battleland, so the last battleland's are cached.
    """
    blockers = np.full((HEX_COUNT, HEX_COUNT, MAX_LINES), BLOCKED)
    sights_by_terrain: dict[object, list[_Sight]] = {}
    for start, end in product(_HEXES, repeat=2):
        lines = sight_lines(land, start, end)
        for index, line in enumerate(lines):
            blockers[start, end, index] = sum(1 << hex_id for hex_id in line.blockers)
        brambles = tuple(line.brambles for line in lines)
        terrain = (brambles, rangestrike_terrain(land, start, end))
        sights_by_terrain.setdefault(terrain, []).append(_Sight(start, end, lines))
    return _Sights(blockers, list(sights_by_terrain.values()))
