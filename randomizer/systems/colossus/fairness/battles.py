"""Attacker against defender: which army reaches each hex first, and what the hexes are worth.

Attackers enter by an odd entry side, defenders by the opposite one. On a map with a start list the
defender starts on it and the attacker comes from the bottom. Both armies are of one kind of
creature. Arrays as in ``movement``: (27, n), one map a column.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.colossus.battle_terrain import BARRED, hazard_damage, hazard_heals
from randomizer.systems.colossus.board import HEX_COUNT, HEX_OF_LABEL
from randomizer.systems.colossus.creatures import Creature
from randomizer.systems.colossus.fairness.movement import (
    AROUND,
    NON_NATIVE,
    Battlelands,
    Bytes,
    across,
    travel_costs,
)
from randomizer.systems.colossus.rules import HAZARDS, HEXSIDES, HazardRule, HexsideRule, Strike
from randomizer.systems.colossus.terrain_set import COLOSSUS

Numbers = NDArray[np.float64]

FAR = 12
"""The cost counted for an unreachable hex: a path across a board that slows everywhere."""

MIDDLE = tuple(HEX_OF_LABEL[label] for label in ("C3", "D3", "D4"))
"""The three hexes in the middle of the board."""

ATTACKS = ((3, 0), (1, 4), (5, 2))
"""Entry sides of attacker and defender; the first is also that of maps with a start list."""


@dataclass(frozen=True, eq=False)
class Battle:
    """One attack on n maps.

    ``attacker`` and ``defender`` (27, n) are their costs of moving to each hex. ``worth`` (27, n)
    is the value of holding each hex, ``level`` (n) the advantage of the same attack on open ground,
    ``high`` (27, n) the number of high edges of each hex.
    """

    attacker: Bytes
    defender: Bytes
    worth: Numbers
    level: Numbers
    high: Bytes

    @cached_property
    def first(self) -> NDArray[np.int8]:
        """(27, n): 1 where the attacker arrives first, -1 where the defender does, else 0."""
        earlier = self.attacker < self.defender
        return earlier.astype(np.int8) - (self.attacker > self.defender)

    def share(self, sign: int) -> Numbers:
        """Return the percentage of the 27 hexes that attacker (1) or defender (-1) reaches
        first.
        """
        return np.asarray((self.first == sign).mean(axis=0) * 100)

    def high_edges(self, sign: int) -> Numbers:
        """Return the number of high edges that attacker (1) or defender (-1) reaches first."""
        return np.asarray(((self.first == sign) * self.high).sum(axis=0), np.float64)

    @property
    def advantage(self) -> Numbers:
        """The attacker's gain by the terrain, in percent; below 0 it helps the defender.

        The worth of the hexes that the attacker reaches first, less that of the defender's, as a
        share of the worth of all hexes either can reach; less the same value on open ground.
        """
        return _lead(self.first, self.attacker, self.defender, self.worth) - self.level


def middle_cost(costs: Bytes) -> Numbers:
    """Return the mean cost of moving to the middle: (27, n) in, (n,) out."""
    return np.asarray(np.minimum(costs[list(MIDDLE)], FAR).mean(axis=0))


def _lead(first: NDArray[np.int8], ours: Bytes, theirs: Bytes, worth: Numbers) -> Numbers:
    reached = np.minimum(ours, theirs) < BARRED
    whole = (worth * reached).sum(axis=0)
    lead = (worth * first).sum(axis=0) * 100
    return np.asarray(np.divide(lead, whole, out=np.zeros_like(whole), where=whole > 0))


def battles(maps: Battlelands, creature: Creature, costs: Bytes) -> tuple[Battle, ...]:
    """Return the attacks of ATTACKS on each map, all three the same on a map with a start list.

    ``costs`` (7, 27, n) are the creature's ``travel_costs``.
    """
    worth = hex_worth(maps, creature)
    high = high_edges(maps)
    if maps.start is None:
        waits = None
    else:
        waits = maps.start.any(axis=0)
    result = []
    for attacking, defending in ATTACKS:
        one = costs[attacking]
        defender_costs = costs[defending]
        open_one = _OPEN[attacking]
        open_other = _OPEN[defending]
        if waits is not None:
            assert maps.start is not None
            one = np.where(waits, costs[ATTACKS[0][0]], one)
            defender_costs = np.where(waits, costs[6], defender_costs)
            open_one = np.where(waits, _OPEN[ATTACKS[0][0]], open_one)
            open_other = np.where(waits, _steps_from(maps.start), open_other)
        first = (open_one < open_other).astype(np.int8) - (open_one > open_other)
        level = _lead(first, open_one, open_other, np.ones((HEX_COUNT, 1)))
        result.append(Battle(one, defender_costs, worth, level, high))
    return tuple(result)


def _open_board() -> tuple[Bytes, Bytes]:
    """Costs on open ground from every entry side (6, 27, 1), and from every hex (27, 27)."""
    plains = np.zeros((HEX_COUNT, HEX_COUNT), np.uint8)
    maps = Battlelands(plains, plains, None, np.eye(HEX_COUNT, dtype=np.bool_))
    costs = travel_costs(maps, NON_NATIVE)
    return costs[:6, :, :1], costs[6]


_OPEN, _STEPS = _open_board()


def _steps_from(start: NDArray[np.bool_]) -> Bytes:
    """(27, n): the steps from the nearest hex of a start list (27, n) on open ground."""
    steps = np.full(start.shape, BARRED, np.uint8)
    for number in range(HEX_COUNT):
        from_here = np.where(start[number], _STEPS[:, number, None], BARRED)
        np.minimum(steps, from_here, out=steps, casting="unsafe")
    return steps


# --- what a hex is worth ----------------------------------------------------------------------


def hex_worth(maps: Battlelands, creature: Creature) -> Numbers:
    """(27, n): 1 for open ground, never below 0.

    Added are, as a mean over the hex's edges, the points of skill and power by which a strike out
    of it at a non-native is better than the strike back (``edge_gains``); then the damage that one
    turn there heals (wounds count negative).
    """
    gains = edge_gains(maps, creature)
    inner = AROUND >= 0
    strikes = (gains * inner[:, :, None]).sum(axis=1) / inner.sum(axis=1)[:, None]
    heals = _by_hazard(
        lambda name, _rule: hazard_heals(creature, name) - hazard_damage(creature, name)
    )
    return np.asarray(np.maximum(0, 1 + strikes + heals[maps.terrain]), np.float64)


def _by_hazard(points: Callable[[str, HazardRule], int]) -> NDArray[np.int8]:
    return np.array([points(t.name, HAZARDS[t.name]) for t in COLOSSUS.terrains], np.int8)


def _by_hexside(points: Callable[[str, HexsideRule], int]) -> NDArray[np.int8]:
    return np.array([0, *(points(h.name, HEXSIDES[h.name]) for h in COLOSSUS.hexsides)], np.int8)


def edge_gains(maps: Battlelands, creature: Creature) -> NDArray[np.int8]:
    """(27, 6, n): points by which a strike across each side is better than the strike back.

    ``creature`` is in the hex, a creature native to nothing beyond the side. Nobody strikes across
    a cliff.
    """

    def lead(name: str, ours: Strike, theirs: Strike) -> int:
        native = creature.lives_in(name)
        return ours.points(native, target_native=False) - theirs.points(
            striker_native=False, target_native=native
        )

    hazard_lead = _by_hazard(lambda name, rule: lead(name, rule.striking, rule.struck))
    defence = _by_hazard(lambda name, rule: lead(name, rule.struck, rule.striking))
    gains = np.asarray(hazard_lead[maps.terrain][:, None] + defence[across(maps.terrain)])
    if maps.hexside is None:
        return gains
    hexside_lead = _by_hexside(lambda name, rule: lead(name, rule.striking_down, rule.striking_up))
    facing = _by_hexside(lambda name, rule: lead(name, rule.striking_up, rule.striking_down))
    opposite_hexsides = across(maps.hexside)
    gains += hexside_lead[maps.hexside] * _holds(maps, maps.hexside, 1)
    gains += facing[opposite_hexsides] * _holds(maps, opposite_hexsides, -1)
    struck = np.array([True, *(HEXSIDES[h.name].allows_strikes for h in COLOSSUS.hexsides)])
    return np.asarray(gains * (struck[maps.hexside] & struck[opposite_hexsides]))


_UPHILL = np.array([False, *(HEXSIDES[h.name].only_uphill for h in COLOSSUS.hexsides)])


def _holds(maps: Battlelands, hexside: NDArray[np.integer], sign: int) -> NDArray[np.bool_]:
    """(27, 6, n): where a hexside applies: always, or only if its hex is the higher one.

    ``sign``: 1 for the hexsides of the hexes themselves, -1 for those of their neighbours.
    """
    own_elevation = maps.elevation[:, None]
    if sign > 0:
        rises = own_elevation > across(maps.elevation)
    else:
        rises = own_elevation < across(maps.elevation)
    return np.asarray(rises | ~_UPHILL[hexside])


def high_edges(maps: Battlelands) -> Bytes:
    """(27, n): the number of hexsides over which a non-native in the hex strikes better."""
    if maps.hexside is None:
        return np.zeros((HEX_COUNT, maps.count), np.uint8)
    non_natives = (False, False)
    gains = _by_hexside(
        lambda _name, rule: (
            rule.striking_down.points(*non_natives) - rule.striking_up.points(*non_natives)
        )
    )
    high = (gains[maps.hexside] > 0) & _holds(maps, maps.hexside, 1)
    return np.asarray((high & (AROUND >= 0)[:, :, None]).sum(axis=1), np.uint8)
