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

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.colossus.battle_terrain import BARRED, hazard_damage, hazard_heals
from randomizer.systems.colossus.board import HEX_COUNT, HEX_OF_LABEL
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
from randomizer.systems.colossus.rules import HAZARDS, HEXSIDES, HazardRule, HexsideRule, Strike
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


class EntrySides(NamedTuple):
    """The entry sides of one attack, as numbers of ``ENTRY_SIDES``."""

    attacker: int
    defender: int


ATTACKS = (EntrySides(3, 0), EntrySides(1, 4), EntrySides(5, 2))
"""The attacks that the game has; the first is also that of maps with a start list."""


@dataclass(frozen=True, eq=False)
class Battle:
    """One attack on n maps."""

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
        """The army that reaches each hex first, (27, n): ``ATTACKER``, ``DEFENDER``, 0 for both."""
        return _first_army(self.attacker_costs, self.defender_costs)

    def share(self, army: int) -> Numbers:
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
    """Return the army with the lower cost: ``ATTACKER``, ``DEFENDER``, or 0 for equal costs."""
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
    has_start_list: NDArray[np.bool_] | None = None
    if maps.start is not None:
        has_start_list = np.asarray(maps.start.any(axis=0))
    result = []
    for sides in ATTACKS:
        attacker_costs = costs[sides.attacker]
        defender_costs = costs[sides.defender]
        open_attacker_costs = _OPEN_ENTRY_COSTS[sides.attacker]
        open_defender_costs = _OPEN_ENTRY_COSTS[sides.defender]
        if has_start_list is not None:
            assert maps.start is not None
            # On the maps with a start list the armies come from elsewhere.
            bottom = ATTACKS[0].attacker
            attacker_costs = np.where(has_start_list, costs[bottom], attacker_costs)
            defender_costs = np.where(has_start_list, costs[FROM_START_LIST], defender_costs)
            open_attacker_costs = np.where(
                has_start_list, _OPEN_ENTRY_COSTS[bottom], open_attacker_costs
            )
            open_defender_costs = np.where(
                has_start_list, _steps_from(maps.start), open_defender_costs
            )
        open_ground_lead = _lead(
            _first_army(open_attacker_costs, open_defender_costs),
            open_attacker_costs,
            open_defender_costs,
            np.ones((HEX_COUNT, 1)),
        )
        battle = Battle(attacker_costs, defender_costs, worth, open_ground_lead, high_edge_counts)
        result.append(battle)
    return tuple(result)


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


def _steps_from(start: NDArray[np.bool_]) -> Bytes:
    """Return the steps from the nearest hex of a start list on open ground: (27, n) in and out."""
    steps = np.full(start.shape, BARRED, np.uint8)
    for number in range(HEX_COUNT):
        steps_from_hex = np.where(start[number], _OPEN_STEPS[:, number, None], BARRED)
        np.minimum(steps, steps_from_hex, out=steps, casting="unsafe")
    return steps


# --- what a hex is worth ----------------------------------------------------------------------


def hex_worth(maps: Battlelands, creature: Creature) -> Numbers:
    """Return the value of holding each hex for a creature, (27, n): 1 for open ground, at least 0.

    Added are, as a mean over the hex's edges, the points of skill and power by which a strike out
    of it at a non-native is better than the strike back (``edge_gains``); then the damage that one
    turn there heals (wounds count negative).
    """
    is_on_board = AROUND >= 0
    gains = edge_gains(maps, creature) * is_on_board[:, :, None]
    mean_gains = gains.sum(axis=1) / is_on_board.sum(axis=1)[:, None]
    healed_damage = _by_hazard(
        lambda name, _rule: hazard_heals(creature, name) - hazard_damage(creature, name)
    )
    return np.asarray(np.maximum(0, 1 + mean_gains + healed_damage[maps.terrain]), np.float64)


def _by_hazard(points: Callable[[str, HazardRule], int]) -> NDArray[np.int8]:
    """Return the points of each hazard by its code; ``points`` gets its name and its rule."""
    values = [points(terrain.name, HAZARDS[terrain.name]) for terrain in COLOSSUS.terrains]
    return np.array(values, np.int8)


def _by_hexside(points: Callable[[str, HexsideRule], int]) -> NDArray[np.int8]:
    """Return the points of each hexside by its code, 0 for code 0, which is no hexside."""
    values = [points(hexside.name, HEXSIDES[hexside.name]) for hexside in COLOSSUS.hexsides]
    return np.array([0, *values], np.int8)


def edge_gains(maps: Battlelands, creature: Creature) -> NDArray[np.int8]:
    """Return by how many points a strike across each edge is better than that back, (27, 6, n).

    ``creature`` is in the hex, a creature native to nothing beyond the edge. Four things count: the
    hazard of either hex, and the hexside of either hex at the edge. Nobody strikes across a cliff.
    At the rim of the board the values are undefined.
    """

    def lead(name: str, our_strike: Strike, their_strike: Strike) -> int:
        """Return the points of our strike less theirs, by the effects of one hazard or hexside."""
        is_native = creature.lives_in(name)
        our_points = our_strike.points(striker_native=is_native, target_native=False)
        their_points = their_strike.points(striker_native=False, target_native=is_native)
        return our_points - their_points

    # Out of a hazard we strike by ``striking`` and are struck by ``struck``; into one vice versa.
    of_our_hazard = _by_hazard(lambda name, rule: lead(name, rule.striking, rule.struck))
    of_their_hazard = _by_hazard(lambda name, rule: lead(name, rule.struck, rule.striking))
    their_terrain = across(maps.terrain)
    gains = np.asarray(of_our_hazard[maps.terrain][:, None] + of_their_hazard[their_terrain])
    if maps.hexside is None:
        return gains

    # Across a hexside of our hex we strike down, across one of theirs up.
    of_our_hexside = _by_hexside(
        lambda name, rule: lead(name, rule.striking_down, rule.striking_up)
    )
    of_their_hexside = _by_hexside(
        lambda name, rule: lead(name, rule.striking_up, rule.striking_down)
    )
    their_hexside = across(maps.hexside)
    our_hex_is_higher = maps.elevation[:, None] > across(maps.elevation)
    their_hex_is_higher = maps.elevation[:, None] < across(maps.elevation)
    gains += of_our_hexside[maps.hexside] * _has_effect(maps.hexside, our_hex_is_higher)
    gains += of_their_hexside[their_hexside] * _has_effect(their_hexside, their_hex_is_higher)

    allows_strikes = [HEXSIDES[hexside.name].allows_strikes for hexside in COLOSSUS.hexsides]
    can_strike_across = np.array([True, *allows_strikes])
    can_strike = can_strike_across[maps.hexside] & can_strike_across[their_hexside]
    return np.asarray(gains * can_strike)


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

    def gain(_name: str, rule: HexsideRule) -> int:
        """Return the points of a strike down less those of a strike up, between non-natives."""
        points_down = rule.striking_down.points(striker_native=False, target_native=False)
        points_up = rule.striking_up.points(striker_native=False, target_native=False)
        return points_down - points_up

    is_better_down = _by_hexside(gain) > 0
    hex_is_higher = maps.elevation[:, None] > across(maps.elevation)
    is_high = is_better_down[maps.hexside] & _has_effect(maps.hexside, hex_is_higher)
    is_on_board = (AROUND >= 0)[:, :, None]
    return np.asarray((is_high & is_on_board).sum(axis=1), np.uint8)
