"""Battles from each side: refined, the same each time, cancelled, and who dies where."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.batches.counts import measures_of
from randomizer.batches.fairness import BattleResults
from randomizer.batches.filters.language import FilterLanguage
from randomizer.batches.filters.parser import parse_filter
from randomizer.batches.map_stream import MapStream
from randomizer.batches.search import search_maps
from randomizer.generator_run import run
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.planes.composite import Composite
from randomizer.model.problems import ProblemError
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.roll_base import Base
from randomizer.systems.colossus.battle.armies import Army
from randomizer.systems.colossus.battle.rule_tables import RuleTables
from randomizer.systems.colossus.battle.simulator import Simulator, wins_on
from randomizer.systems.colossus.battle_terrain import Battleland
from randomizer.systems.colossus.board import BOTTOM, CELL_OF_HEX, GRID, HEX_COUNT, HEX_OF_LABEL
from randomizer.systems.colossus.fairness.mirror_battles import PLAINS, fight_from_each_side
from randomizer.systems.colossus.fairness.standard_battles import StandardBattles
from randomizer.systems.colossus.fairness.win_shares import (
    COST_NOTE,
    ZONE,
    shares_against,
    shares_on,
    win_measures,
)
from randomizer.systems.colossus.generator import from_text
from randomizer.systems.colossus.system import SYSTEM
from tests.counting import watched_calls
from tests.daily import deep_but
from tests.randomizer.systems.colossus.few_battles import ARMIES, fight_few


@pytest.fixture(autouse=True)
def _few_battles(monkeypatch):
    fight_few(monkeypatch)


def fought(land: Battleland) -> list[BattleResults]:
    return list(fight_from_each_side(land, lambda: False))


def test_each_side_is_fought_from_in_turn_and_open_ground_last():
    results = fought(Battleland())
    counts = [[wins.tried for _, wins in (*result.wins, result.base_line)] for result in results]
    assert counts[:4] == [[8, 0, 0, 0], [8, 8, 0, 0], [8, 8, 8, 0], [8, 8, 8, 8]]
    assert counts[-1] == [20, 20, 20, 20]
    assert [name for name, _ in results[0].wins] == ["Bottom", "Right", "Left"]


def test_the_refined_result_is_that_of_all_battles_of_the_simulator():
    tables = [RuleTables.of(Battleland(), army, army, BOTTOM) for army in ARMIES]
    one = sum(Simulator(of_army).fight(0, 10).attacker_wins for of_army in tables)
    assert fought(Battleland())[-1].wins[0][1].matching == one


def test_equal_battlelands_have_equal_results_without_a_second_fight():
    before = fought(Battleland())[-1]
    with watched_calls(Simulator.fight) as fights:
        after = fought(Battleland())[-1]
    assert fights == []
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


# --- as measures of many maps -------------------------------------------------------------------

SCRIPT = """
AREA (anywhere) HAZARDS Tree Tree Tree Bog Bog Brambles Lake
"""

CHEAP = "count(Tree in (C3, C4, D4)) >= 1"


def stream_of(text: str) -> MapStream:
    battlemap = BattleMap.new(SYSTEM, layers=[Layer(1, "Ground")])
    return MapStream(from_text(text, "script.rnd"), {}, Base.under(battlemap, 1), 3)


@pytest.mark.parametrize("ending", deep_but(["", "TOWER\n", "STARTLIST C3 D4 B2\n"], ""))
def test_the_measures_are_the_first_round_on_each_map(ending):
    stream = stream_of(SCRIPT + ending)
    batch = stream.roll(np.arange(3, dtype=np.uint64))
    measures = {each.name: each for each in measures_of(stream.generator) if each.cost}
    assert list(measures) == ["wins(bottom)", "wins(right)", "wins(left)"]
    shares = [measure.of(batch) for measure in measures.values()]
    for row, number in enumerate(batch.numbers.tolist()):
        land = Battleland.of(shown(stream, number))
        assert (land.tower, bool(land.start)) == (ending == "TOWER\n", "START" in ending)
        first = fought(land)[2 if not land.start else 0].wins
        chances = [100 * wins.chance for _, wins in first]
        assert [share[row] for share in shares] == chances * (3 // len(chances))


def shown(stream: MapStream, number: int) -> Composite:
    """One map as it is rolled alone."""
    generated = run(stream.generator, {}, DrawKey(stream.seed, number), stream.base)
    layers = [*generated.layers]
    return BattleMap.new(SYSTEM, layers=layers).composite()


def test_maps_are_searched_together_as_alone_and_cheap_conditions_come_first():
    stream = stream_of(SCRIPT)
    measures = measures_of(stream.generator)
    parsed = parse_filter(f"WINS(left) >= 40 % and {CHEAP}", SYSTEM, measures, GRID)
    assert str(parsed) == f"wins(left) >= 40 % and {CHEAP}"
    with watched_calls(wins_on) as calls:
        together = list(search_maps(stream, parsed, budget=16))
    assert len(together) < 16
    middle = [HEX_OF_LABEL[label] for label in ("C3", "C4", "D4")]
    lands = [tables.lands[0] for call in calls for tables in call["tables"]]
    assert lands
    assert all("Tree" in [land.hazards[each] for each in middle] for land in lands)
    alone = list(search_maps(stream, parsed, budget=16, costly_at_once=1))
    assert [state.tried for state in alone] == [*range(1, 17)]
    assert alone[-1] == together[-1]
    assert 0 < len(alone[-1].numbers) < 16


class SettledBattles(StandardBattles):
    """Battles of ten armies of which attackers win a share; ``fought`` is how many there were."""

    rounds = (20,)
    steps = (4, 10, 20)

    def __init__(self, share: float) -> None:
        self._share = share
        self.fought = 0

    def armies(self) -> list[Army]:
        return [ARMIES[0]] * 10

    def tables(self, _land: Battleland, _army: Army, _side: int) -> None:
        """No rules are needed where nothing is fought."""

    def wins(self, _tables: object, _first: int, count: int) -> list[int]:
        wins_so_far = round(self._share * self.fought)
        self.fought += count
        return [round(self._share * self.fought) - wins_so_far]


@pytest.mark.parametrize(
    ("share", "text", "matches", "battles"),
    [
        (0.75, "wins(left) >= 45 %", True, 4),
        (0.75, "wins(left) < 45 %", False, 4),
        (0.75, "45 % <= wins(left)", True, 4),
        (0.75, "wins(left) = 45 %", False, 4),
        (0.40, "wins(left) >= 45 %", False, 10),
        (0.45, "wins(left) >= 45 %", True, 20),
        (0.45, "wins(left) > 45 %", False, 20),
        (0.40, "45 % > wins(left)", True, 10),
        (0.0, "wins(left) >= 0 %", True, 20),
        (0.0, "wins(left) > 5 %", False, 20),
    ],
)
def test_a_share_far_from_the_limit_is_decided_by_few_battles(share, text, matches, battles):
    settled = SettledBattles(share)
    condition = parse_filter(text, SYSTEM, win_measures(lambda: None, settled), GRID)
    batch = stream_of(SCRIPT).roll(np.arange(1, dtype=np.uint64))
    assert condition.matches(batch).tolist() == [matches]
    assert settled.fought == 10 * battles


@given(st.floats(0, 1), st.floats(0, 100))
def test_what_a_sequential_test_decides_is_seldom_what_all_battles_deny(share, limit):
    (every,) = shares_on([PLAINS], BOTTOM, SettledBattles(share))
    assert every == pytest.approx(100 * share, abs=0.5)
    if abs(every - limit) > ZONE:
        (decided,) = shares_against(limit, [PLAINS], BOTTOM, SettledBattles(share))
        assert (decided > limit) == (every > limit)


def test_a_filter_says_beforehand_what_its_battles_cost():
    language = FilterLanguage(SYSTEM, measures_of(from_text(SCRIPT, "s.rnd")), GRID)
    battles = COST_NOTE
    assert language.cost(f"{CHEAP} and not (wins(left) < 3 or 4 < wins(right))") == battles
    assert language.cost(CHEAP) == language.cost("wins(left) >=") == ""


@pytest.mark.parametrize("text", ["wins", "wins >= 3", "wins(top) > 1", "wins(left", "wins()"])
def test_a_side_that_is_missing_or_unknown_is_a_located_problem(text):
    with pytest.raises(ProblemError) as failed:
        parse_filter(text, SYSTEM, measures_of(from_text(SCRIPT, "s.rnd")), GRID)
    assert failed.value.problems[0].column
