"""The record of battles of a search for balancing edits."""

from __future__ import annotations

import numpy as np

from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.systems.colossus.fairness.battle_record import BattleRecord
from randomizer.systems.colossus.fairness.battles import ATTACKS
from randomizer.systems.colossus.fairness.board_battles import ArmyWins, BoardBattles
from randomizer.systems.colossus.system import SYSTEM
from tests.randomizer.systems.colossus.few_battles import ARMIES

SIDES = tuple(attack.attacker for attack in ATTACKS)


class CertainBattles(BoardBattles):
    """Battles whose attackers win certain shares of them from each side, without chance."""

    def __init__(self, *percents_by_pass: tuple[int, int, int]) -> None:
        super().__init__(ARMIES, SIDES, seed=0)
        self.percents_by_pass = list(percents_by_pass)

    def fight(self, lands, army_indices, numbers, draw_kind, sides=None):
        percents = np.array([self.percents_by_pass.pop(0)])
        for army in army_indices:
            yield ArmyWins(army, percents * len(numbers) // 100)


def battles_on_the_map(battles: BoardBattles, *, may_stop: bool) -> int:
    """Return how many battles a verification of the map as it is has fought from each side."""
    battlemap = BattleMap.new(SYSTEM, layers=[Layer(1, "Ground")])
    record = BattleRecord(battlemap.composite(), battles)
    for _army in record.verify((), (100, 300), may_stop=may_stop):
        pass
    return record.verified_wins[()][0].wins.tried


def test_a_verification_stops_where_the_goal_is_out_of_reach():
    assert battles_on_the_map(CertainBattles((80, 50, 50), (80, 50, 50)), may_stop=True) == 200


def test_a_verification_does_not_stop_where_the_goal_is_reached_or_near():
    # Who stopped at good luck would tell shares that are too good.
    for percents in ((50, 50, 50), (60, 50, 50)):
        assert battles_on_the_map(CertainBattles(percents, percents), may_stop=True) == 800


def test_a_verification_that_may_not_stop_fights_all_battles():
    assert battles_on_the_map(CertainBattles((80, 50, 50), (80, 50, 50)), may_stop=False) == 800
