"""Attacker against defender: which army reaches each hex first, and what the hexes are worth.

These are the numbers on the ground alone, before any battle (docs/manual/fairness.md). An army is
better off that reaches more hexes first, and hexes that are worth more: ``Battle.advantage`` is the
result. Attackers enter by an odd entry side, defenders by the opposite one. On a map with a start
list the defender starts on it, and the attacker comes from the bottom. Both armies are of one kind
of creature.

The measures and the report of fairness call ``battles``, the place to begin reading. Arrays are as
in ``movement``: the hex first, the map last, so (27, n) for n maps, (27, 6, n) for their edges.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.colossus.battle_terrain import BARRED, hazard_damage, hazard_heals
from randomizer.systems.colossus.board import BOTTOM, HEX_COUNT, HEX_OF_LABEL
from randomizer.systems.colossus.creatures import Creature
from randomizer.systems.colossus.fairness.movement import (
    AROUND,
    FROM_START_LIST,
    NON_NATIVE,
    Battlelands,
    Bytes,
    across,
    travel_costs,
)
from randomizer.systems.colossus.rules import (
    HAZARDS,
    HEXSIDES,
    StrikeBonus,
)
from randomizer.systems.colossus.terrain_set import COLOSSUS

Numbers = NDArray[np.float64]

FAR = 12
"""The cost counted for an unreachable hex: a path across a board that slows everywhere."""

MIDDLE = tuple(HEX_OF_LABEL[label] for label in ("C3", "D3", "D4"))
"""The three hexes in the middle of the board."""

ATTACKER = 1
"""Stands for the attacker in arrays of armies."""

DEFENDER = -1
"""Stands for the defender in arrays of armies."""

BOTH = 0
"""Stands for both armies in arrays of armies, where they are equal."""


class EntrySides(NamedTuple):
    """The entry sides of one attack, as numbers of ``ENTRY_SIDES``."""

    attacker: int
    """The entry side of the attacker."""

    defender: int
    """The entry side of the defender, opposite that of the attacker."""


ATTACKS = (EntrySides(3, 0), EntrySides(1, 4), EntrySides(5, 2))
"""The attacks that the game has; the first is also that of maps with a start list."""


@dataclass(frozen=True, eq=False)
class Battle:
    """The battle of one of ``ATTACKS`` on each of n maps."""

    attacker_costs: Bytes
    """The attacker's cost of moving to each hex, (27, n)."""

    defender_costs: Bytes
    """The defender's, (27, n)."""

    worth: Numbers
    """The value of holding each hex, (27, n); see ``hex_worth``."""

    open_ground_lead: Numbers
    """The attacker's lead (``_lead``) in the same attack on open ground, (n,)."""

    high_edge_counts: Bytes
    """The number of high edges of each hex, (27, n)."""

    @cached_property
    def first_army(self) -> NDArray[np.int8]:
        """The army that reaches each hex first, (27, n): ``ATTACKER``, ``DEFENDER`` or ``BOTH``."""
        return _first_army(self.attacker_costs, self.defender_costs)

    def share_of_hexes(self, army: int) -> Numbers:
        """Return the percentage of the 27 hexes that an army reaches first, (n,)."""
        return np.asarray((self.first_army == army).mean(axis=0) * 100)

    def high_edges(self, army: int) -> Numbers:
        """Return the number of high edges of the hexes that an army reaches first, (n,)."""
        counts = (self.first_army == army) * self.high_edge_counts
        return np.asarray(counts.sum(axis=0), np.float64)

    @property
    def advantage(self) -> Numbers:
        """The attacker's gain by the terrain in percent, (n,); below 0 it helps the defender.

        It is the attacker's lead less that on open ground, which is not 0: the attacker enters by
        four hexes, the defender by three.
        """
        lead = _lead(self.first_army, self.attacker_costs, self.defender_costs, self.worth)
        return lead - self.open_ground_lead


def middle_cost(costs: Bytes) -> Numbers:
    """Return the mean cost of moving to the middle: (27, n) in, (n,) out."""
    return np.asarray(np.minimum(costs[list(MIDDLE)], FAR).mean(axis=0))


def _first_army(attacker_costs: Bytes, defender_costs: Bytes) -> NDArray[np.int8]:
    """Return the army with the lower cost: ``ATTACKER``, ``DEFENDER``, or ``BOTH`` if equal.

    ATTACKER is 1 and DEFENDER -1, so that sums over hexes are leads.
    """
    attacker_is_first = attacker_costs < defender_costs
    defender_is_first = attacker_costs > defender_costs
    return attacker_is_first.astype(np.int8) - defender_is_first


def _lead(
    first_army: NDArray[np.int8], attacker_costs: Bytes, defender_costs: Bytes, worth: Numbers
) -> Numbers:
    """Return by how much the attacker's hexes are worth more than the defender's, in percent, (n,).

    That is, the hexes that an army reaches first; 100 % is the worth of all hexes that either can
    reach. 0 where neither reaches any.
    """
    is_reached = np.minimum(attacker_costs, defender_costs) < BARRED
    total_worth = (worth * is_reached).sum(axis=0)
    lead = (worth * first_army).sum(axis=0) * 100
    no_lead = np.zeros_like(total_worth)
    return np.asarray(np.divide(lead, total_worth, out=no_lead, where=total_worth > 0))


def battles(maps: Battlelands, creature: Creature, costs: Bytes) -> tuple[Battle, ...]:
    """Return the attacks of ``ATTACKS`` on each map, all three the same on a map with a start list.

    ``costs`` (7, 27, n) are the creature's ``travel_costs``.
    """
    worth = hex_worth(maps, creature)
    high_edge_counts = high_edges(maps)
    costs_from_list = costs[FROM_START_LIST]
    open_costs_from_list = costs_from_list
    if maps.start is not None:
        open_costs_from_list = _steps_from(maps.start)
    result = []
    for sides in ATTACKS:
        army_costs = _army_costs(maps, sides, costs, costs_from_list)
        # The same attack on open ground, from which ``Battle.advantage`` is reckoned.
        open_costs = _army_costs(maps, sides, _OPEN_ENTRY_COSTS, open_costs_from_list)
        open_ground_lead = _lead(
            _first_army(open_costs.attacker, open_costs.defender),
            open_costs.attacker,
            open_costs.defender,
            np.ones((HEX_COUNT, 1)),
        )
        battle = Battle(
            attacker_costs=army_costs.attacker,
            defender_costs=army_costs.defender,
            worth=worth,
            open_ground_lead=open_ground_lead,
            high_edge_counts=high_edge_counts,
        )
        result.append(battle)
    return tuple(result)


class _ArmyCosts(NamedTuple):
    """The costs of moving to each hex in one attack, (27, n) each, or (27, 1) for all maps."""

    attacker: Bytes

    defender: Bytes


def _army_costs(
    maps: Battlelands, sides: EntrySides, costs: Bytes, costs_from_list: Bytes
) -> _ArmyCosts:
    """Return the costs of both armies in an attack from these sides.

    ``costs`` are those from each entry side, (6 or 7, 27, n or 1), ``costs_from_list`` (27, n)
    those from the start list. On the maps with such a list the attack is always the same: the
    attacker comes from the bottom, the defender from the list.
    """
    attacker_costs = costs[sides.attacker]
    defender_costs = costs[sides.defender]
    if maps.start is None:
        return _ArmyCosts(attacker_costs, defender_costs)
    has_start_list = maps.start.any(axis=0)
    return _ArmyCosts(
        attacker=np.where(has_start_list, costs[BOTTOM], attacker_costs),
        defender=np.where(has_start_list, costs_from_list, defender_costs),
    )


def _open_board() -> tuple[Bytes, Bytes]:
    """Return costs on open ground: from every entry side (6, 27, 1), and between hexes (27, 27).

    The latter are those of each hex from the hex in the start list of a map.
    """
    plains = np.zeros((HEX_COUNT, HEX_COUNT), np.uint8)
    # 27 maps of Plains, of which each has another hex as its start list.
    maps = Battlelands(plains, plains, None, np.eye(HEX_COUNT, dtype=np.bool_))
    costs = travel_costs(maps, NON_NATIVE)
    return costs[:FROM_START_LIST, :, :1], costs[FROM_START_LIST]


_OPEN_ENTRY_COSTS, _OPEN_STEPS = _open_board()
"""The costs on open ground, computed once."""


def _steps_from(start: NDArray[np.bool_]) -> Bytes:
    """Return the steps from the nearest hex of a start list on open ground: (27, n) in and out."""
    steps = np.full(start.shape, BARRED, np.uint8)
    for hex_id in range(HEX_COUNT):
        # From one hex to all others on the maps that list it. BARRED makes the costs int64, though
        # they all fit into bytes.
        steps_from_hex = np.where(start[hex_id], _OPEN_STEPS[:, hex_id, None], BARRED)
        np.minimum(steps, steps_from_hex, out=steps, casting="unsafe")
    return steps


# --- what a hex is worth ----------------------------------------------------------------------


def hex_worth(maps: Battlelands, creature: Creature) -> Numbers:
    """Return the value of holding each hex for a creature, (27, n): 1 for open ground, at least 0.

    Two things are added to 1. The first is the mean over the hex's edges of ``edge_gains``: the
    points of skill and power by which a strike out of the hex at a non-native is better than the
    strike back. The second is the damage that one turn there heals; wounds count negative.
    """
    is_on_board = AROUND >= 0
    gains = edge_gains(maps, creature) * is_on_board[:, :, None]
    mean_gains = gains.sum(axis=1) / is_on_board.sum(axis=1)[:, None]
    healed = []
    for terrain in COLOSSUS.terrains:
        healed.append(hazard_heals(terrain.name) - hazard_damage(creature, terrain.name))
    healed_hits = np.array(healed, np.int8)[maps.terrain]
    return np.asarray(np.maximum(0, 1 + mean_gains + healed_hits), np.float64)


def edge_gains(maps: Battlelands, creature: Creature) -> NDArray[np.int8]:
    """Return by how many points a strike across each edge is better than that back, (27, 6, n).

    ``creature`` is in the hex, a creature native to nothing beyond the edge. Four things count: the
    hazard of either hex, and the hexside of either hex at the edge. Nobody strikes across a cliff.
    At the rim of the board the values are undefined.
    """
    gains = _gains_of_hazards(maps.terrain, creature)
    if maps.hexside is None:
        return gains
    gains = gains + _gains_of_hexsides(maps.hexside, maps.elevation, creature)

    allows_strikes = [HEXSIDES[hexside.name].allows_strikes for hexside in COLOSSUS.hexsides]
    can_strike_across = np.array([True, *allows_strikes])  # code 0 is no hexside
    can_strike = can_strike_across[maps.hexside] & can_strike_across[across(maps.hexside)]
    return np.asarray(gains * can_strike)


def _gains_of_hazards(terrain: NDArray[np.integer], creature: Creature) -> NDArray[np.int8]:
    """Return the part of ``edge_gains`` by the hazards ``terrain`` (27, n) of both hexes."""
    of_our_hazard = []
    of_their_hazard = []
    for hazard in COLOSSUS.terrains:
        rule = HAZARDS[hazard.name]
        is_native = creature.lives_in(hazard.name)
        # Out of a hazard we strike by ``striking`` and are struck by ``struck``; into one vice
        # versa.
        of_our_hazard.append(_points_ahead(rule.striking, rule.struck, is_native=is_native))
        of_their_hazard.append(_points_ahead(rule.struck, rule.striking, is_native=is_native))
    our_gains = np.array(of_our_hazard, np.int8)[terrain]
    their_gains = np.array(of_their_hazard, np.int8)[across(terrain)]
    return np.asarray(our_gains[:, None] + their_gains)


def _gains_of_hexsides(
    hexside: Bytes, elevation: NDArray[np.integer], creature: Creature
) -> NDArray[np.int8]:
    """Return the part of ``edge_gains`` by the hexsides (27, 6, n) that both hexes have there."""
    of_our_hexside = [0]  # code 0 is no hexside
    of_their_hexside = [0]
    for kind in COLOSSUS.hexsides:
        rule = HEXSIDES[kind.name]
        is_native = creature.lives_in(kind.name)
        # Across a hexside of our hex we strike down, across one of theirs up.
        down = _points_ahead(rule.striking_down, rule.striking_up, is_native=is_native)
        up = _points_ahead(rule.striking_up, rule.striking_down, is_native=is_native)
        of_our_hexside.append(down)
        of_their_hexside.append(up)
    their_hexside = across(hexside)
    our_gains = np.array(of_our_hexside, np.int8)[hexside]
    their_gains = np.array(of_their_hexside, np.int8)[their_hexside]
    our_hex_is_higher = elevation[:, None] > across(elevation)
    their_hex_is_higher = elevation[:, None] < across(elevation)
    return np.asarray(
        our_gains * _has_effect(hexside, our_hex_is_higher)
        + their_gains * _has_effect(their_hexside, their_hex_is_higher)
    )


def _points_ahead(our_bonus: StrikeBonus, their_bonus: StrikeBonus, *, is_native: bool) -> int:
    """Return the points of our strike less theirs, by the effects of one hazard or hexside.

    ``is_native`` says whether we are native to it; they are not.
    """
    our_points = our_bonus.points(striker_native=is_native, target_native=False)
    their_points = their_bonus.points(striker_native=False, target_native=is_native)
    return our_points - their_points


_IS_ONLY_UPHILL = np.array(
    [False, *(HEXSIDES[hexside.name].only_uphill for hexside in COLOSSUS.hexsides)]
)
"""For each hexside, by its code, whether it has an effect only if its hex is the higher one."""


def _has_effect(
    hexside: NDArray[np.integer], hex_is_higher: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return where hexsides have an effect, (27, 6, n); ``hex_is_higher`` says it of their hexes.

    Some, such as slopes, have one only where their hex is the higher one; the others always.
    """
    return np.asarray(hex_is_higher | ~_IS_ONLY_UPHILL[hexside])


def high_edges(maps: Battlelands) -> Bytes:
    """Return the number of edges over which a non-native in each hex strikes better, (27, n).

    They are edges with a slope, wall or dune of that hex.
    """
    if maps.hexside is None:
        return np.zeros((HEX_COUNT, maps.count), np.uint8)
    is_better_down = [False]  # code 0 is no hexside
    for hexside in COLOSSUS.hexsides:
        rule = HEXSIDES[hexside.name]
        points = _points_ahead(rule.striking_down, rule.striking_up, is_native=False)
        is_better_down.append(points > 0)
    hex_is_higher = maps.elevation[:, None] > across(maps.elevation)
    is_high = np.array(is_better_down)[maps.hexside] & _has_effect(maps.hexside, hex_is_higher)
    is_on_board = (AROUND >= 0)[:, :, None]
    return np.asarray((is_high & is_on_board).sum(axis=1), np.uint8)
