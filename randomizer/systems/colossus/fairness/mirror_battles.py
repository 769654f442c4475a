"""Battles on one map, round by round: how many attackers win from each side, and who dies where.

The panel *Fairness* shows the results of each round, which become more exact from round to round::

    for results in fight_from_each_side(Battleland.of(composite), lambda: False):
        print(results.wins)

The battles are those of ``standard_battles``: each army fights its equal. The results are cached,
so that a map that comes back, for instance by undo, needs no further battles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from randomizer.batches.fairness import BattleResults, Deaths, WinsOfAttack
from randomizer.model.basics.caches import KB, registered
from randomizer.model.basics.rarity import Rarity
from randomizer.systems.colossus.battle.armies import Army
from randomizer.systems.colossus.battle.rule_tables import RuleTables
from randomizer.systems.colossus.battle.simulator import Results, Simulator
from randomizer.systems.colossus.battle_terrain import Battleland
from randomizer.systems.colossus.board import BOTTOM, CELL_OF_HEX, ENTRY_SIDES, GRID, HEX_COUNT
from randomizer.systems.colossus.fairness import standard_battles
from randomizer.systems.colossus.fairness.battles import ATTACKS

PLAINS = Battleland()
"""Open ground: the wins on a map are compared with those on it."""


class _Attack(NamedTuple):
    """The battles on one battleland with the attacker from one side, and their results so far."""

    land: Battleland

    side: int
    """The entry side of the attacker."""

    results: Results
    """These grow while battles are fought; the object stays."""


def fight_from_each_side(
    land: Battleland, cancelled: Callable[[], bool]
) -> Iterator[BattleResults]:
    """Yield the results after each side of each round; sides not yet fought from have 0 battles.

    Ends early if cancelled, which is asked before each army. With a start list the attacker comes
    from the bottom only.
    """
    plan = standard_battles.STANDARD
    armies = plan.armies()
    sides = [attacker for attacker, _defender in ATTACKS]
    if land.start:
        sides = [BOTTOM]
    attacks = [_Attack(land, side, Results()) for side in sides]
    on_open_ground = _Attack(PLAINS, BOTTOM, Results())
    battles_fought = 0
    for battles_after_round in plan.rounds:
        count = battles_after_round - battles_fought
        for attack in (*attacks, on_open_ground):
            for army in armies:
                if cancelled():
                    return
                attack.results.add(
                    _results_of_round(attack.land, army, attack.side, battles_fought, count)
                )
            yield _results_so_far(attacks, on_open_ground, plan)
        battles_fought = battles_after_round


def _results_so_far(
    attacks: Sequence[_Attack], on_open_ground: _Attack, plan: standard_battles.StandardBattles
) -> BattleResults:
    """Return the results of all attacks, as the panel shows them."""
    wins = []
    for attack in attacks:
        name_of_side, _hexes = ENTRY_SIDES[attack.side]
        wins.append(WinsOfAttack(name_of_side, _wins(attack.results)))
    deaths = deaths_in_100([attack.results for attack in attacks])
    base_line = WinsOfAttack("Plains", _wins(on_open_ground.results))
    return BattleResults(
        wins=tuple(wins),
        base_line=base_line,
        battles_planned=plan.rounds[-1] * len(plan.armies()),
        deaths=deaths,
    )


@registered(bytes_each=2 * KB)
@lru_cache(maxsize=256)
def _results_of_round(land: Battleland, army: Army, side: int, first: int, count: int) -> Results:
    """Return the results of the battles ``first`` to ``first + count - 1`` of two equal armies."""
    return Simulator(RuleTables.of(land, army, army, side)).fight(first, count)


def _wins(results: Results) -> Rarity:
    """Return the share of battles that attackers have won, with its interval."""
    return Rarity(results.attacker_wins, results.battles)


def deaths_in_100(results_of_attacks: Sequence[Results]) -> Deaths:
    """Return the attackers' and the defenders' deaths in 100 battles on each cell, of all attacks.

    Both have the shape (height, width), with nan off the board.
    """
    total = Results()
    for results in results_of_attacks:
        total.add(results)
    deaths_on_cells = np.full((2, GRID.height * GRID.width), np.nan)
    deaths_on_hexes = total.deaths[:, :HEX_COUNT]  # the last column counts those who never entered
    deaths_on_cells[:, CELL_OF_HEX] = deaths_on_hexes * 100 / max(1, total.battles)
    of_attackers, of_defenders = deaths_on_cells.reshape(2, GRID.height, GRID.width)
    return Deaths(of_attackers, of_defenders)
