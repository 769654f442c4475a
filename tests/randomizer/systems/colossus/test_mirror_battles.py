"""Battles from each side: refined, the same each time, cancelled, and who dies where."""

from __future__ import annotations

import numpy as np
import pytest

from randomizer.batches.fairness import BattleResults
from randomizer.systems.colossus.battle.battleland import BOTTOM, Battleland
from randomizer.systems.colossus.battle.simulator import Simulator
from randomizer.systems.colossus.board import CELL_OF_HEX, HEX_COUNT, HEX_OF_LABEL
from randomizer.systems.colossus.fairness import mirror_battles
from randomizer.systems.colossus.fairness.mirror_battles import fight_from_each_side
from tests.randomizer.systems.colossus.few_battles import ARMIES, fight_few


@pytest.fixture(autouse=True)
def _few_battles(monkeypatch):
    fight_few(monkeypatch)


def fought(land: Battleland) -> list[BattleResults]:
    return list(fight_from_each_side(land, lambda: False))


def test_each_side_is_fought_from_in_turn_and_open_ground_last():
    results = fought(Battleland())
    counts = [[wins.tried for _, wins in (*each.wins, each.base_line)] for each in results]
    assert counts[:4] == [[8, 0, 0, 0], [8, 8, 0, 0], [8, 8, 8, 0], [8, 8, 8, 8]]
    assert counts[-1] == [20, 20, 20, 20]
    assert [name for name, _ in results[0].wins] == ["Bottom", "Right", "Left"]


def test_the_refined_result_is_that_of_all_battles_of_the_simulator():
    one = sum(Simulator(Battleland(), a, a, BOTTOM).fight(0, 10).attacker_wins for a in ARMIES)
    assert fought(Battleland())[-1].wins[0][1].found == one


def test_equal_battlelands_have_equal_results_without_a_second_fight(monkeypatch):
    before = fought(Battleland())[-1]
    monkeypatch.setattr(mirror_battles, "Simulator", None)
    after = fought(Battleland())[-1]
    assert (before.wins, before.base_line) == (after.wins, after.base_line)


def test_a_battleland_with_a_start_list_is_attacked_from_the_bottom_only():
    results = fought(Battleland(start=(HEX_OF_LABEL["D4"], HEX_OF_LABEL["D5"], HEX_OF_LABEL["C4"])))
    assert [name for name, _ in results[-1].wins] == ["Bottom"]


def test_nobody_dies_beyond_the_board_or_where_nobody_can_stand():
    lake = HEX_OF_LABEL["D4"]
    hazards = ["Plains"] * HEX_COUNT
    hazards[lake] = "Lake"
    for plane in fought(Battleland(tuple(hazards)))[-1].deaths:
        assert set(np.flatnonzero(~np.isnan(plane)).tolist()) == set(CELL_OF_HEX)
        assert plane.flat[CELL_OF_HEX[lake]] == 0
        assert 0 < np.nansum(plane) <= 300, "deaths of three creatures in 100 battles"


def test_cancelled_battles_end_before_the_next_army():
    asked: list[bool] = []
    assert not list(
        fight_from_each_side(Battleland(), lambda: bool(asked.append(True) or len(asked) > 1))
    )
    assert len(asked) == 2
