"""Battles from each side: refined, the same each time, cancelled, and who dies where."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.batches import search
from randomizer.batches.counts import measures_of
from randomizer.batches.fairness import BattleResults
from randomizer.batches.filters.language import FilterLanguage
from randomizer.batches.filters.parser import parse_filter
from randomizer.batches.map_stream import MapStream
from randomizer.batches.search import search_maps
from randomizer.generator import Base, DrawKey, run
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.planes.composite import Composite
from randomizer.model.problems import ProblemError
from randomizer.systems.colossus.battle.battleland import BOTTOM, Battleland
from randomizer.systems.colossus.battle.simulator import Simulator
from randomizer.systems.colossus.board import CELL_OF_HEX, GRID, HEX_COUNT, HEX_OF_LABEL
from randomizer.systems.colossus.fairness import mirror_battles
from randomizer.systems.colossus.fairness.mirror_battles import PLAINS, fight_from_each_side
from randomizer.systems.colossus.generator import from_text
from randomizer.systems.colossus.system import SYSTEM
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
    assert fought(Battleland())[-1].wins[0][1].matching == one


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


# --- as measures of many maps -------------------------------------------------------------------

SCRIPT = """
AREA (anywhere) HAZARDS Tree Tree Tree Bog Bog Brambles Lake
"""

CHEAP = "count(Tree in (C3, C4, D4)) >= 1"


def stream_of(text: str) -> MapStream:
    battlemap = BattleMap.new(SYSTEM, layers=[Layer(1, "Ground")])
    return MapStream(from_text(text, "script.rnd"), {}, Base.under(battlemap, 1), 3)


@pytest.mark.parametrize("ending", ["", "TOWER\n", "STARTLIST C3 D4 B2\n"])
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


def test_maps_are_searched_together_as_alone_and_cheap_conditions_come_first(monkeypatch):
    stream = stream_of(SCRIPT)
    measures = measures_of(stream.generator)
    parsed = parse_filter(f"WINS(left) >= 40 % and {CHEAP}", SYSTEM, measures, GRID)
    assert str(parsed) == f"wins(left) >= 40 % and {CHEAP}"
    fights: list[Battleland] = []
    wins_on = mirror_battles.wins_on

    def fight(tables, *more):
        fights.extend(table.lands[0] for table in tables)
        return wins_on(tables, *more)

    monkeypatch.setattr(mirror_battles, "wins_on", fight)
    together = list(search_maps(stream, parsed, budget=16))
    assert len(together) < 16
    middle = [HEX_OF_LABEL[label] for label in ("C3", "C4", "D4")]
    assert all("Tree" in [land.hazards[each] for each in middle] for land in fights)
    monkeypatch.setattr(search, "COSTLY_AT_ONCE", 1)
    alone = list(search_maps(stream, parsed, budget=16))
    assert [state.tried for state in alone] == [*range(1, 17)]
    assert alone[-1] == together[-1]
    assert 0 < len(alone[-1].numbers) < 16


def fights_of(monkeypatch: pytest.MonkeyPatch, share: float) -> list[int]:
    """Let attackers win this share of the battles of ten armies; return how many are fought."""
    fought: list[int] = []

    def fight(_tables: object, _first: int, count: int) -> list[int]:
        before = round(share * sum(fought))
        fought.append(count)
        return [round(share * sum(fought)) - before]

    monkeypatch.setattr(mirror_battles, "ROUNDS", (20,))
    monkeypatch.setattr(mirror_battles, "STEPS", (4, 10, 20))
    monkeypatch.setattr(mirror_battles, "standard_pairs", lambda: [(ARMIES[0], ARMIES[0])] * 10)
    monkeypatch.setattr(mirror_battles, "RuleTables", lambda *_given: None)
    monkeypatch.setattr(mirror_battles, "wins_on", fight)
    return fought


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
def test_a_share_far_from_the_limit_is_decided_by_few_battles(
    monkeypatch, share, text, matches, battles
):
    fought = fights_of(monkeypatch, share)
    stream = stream_of(SCRIPT)
    condition = parse_filter(text, SYSTEM, measures_of(stream.generator), GRID)
    batch = stream.roll(np.arange(1, dtype=np.uint64))
    assert condition.matches(batch).tolist() == [matches]
    assert sum(fought) == 10 * battles


@given(st.floats(0, 1), st.floats(0, 100))
def test_what_a_sequential_test_decides_is_seldom_what_all_battles_deny(share, limit):
    with pytest.MonkeyPatch.context() as monkeypatch:
        fights_of(monkeypatch, share)
        (every,) = mirror_battles.shares_on([PLAINS], BOTTOM, None)
        assert every == pytest.approx(100 * share, abs=0.5)
        if abs(every - limit) > mirror_battles.ZONE:
            (decided,) = mirror_battles.shares_on([PLAINS], BOTTOM, limit)
            assert (decided > limit) == (every > limit)


def test_a_filter_says_beforehand_what_its_battles_cost():
    language = FilterLanguage(SYSTEM, measures_of(from_text(SCRIPT, "s.rnd")), GRID)
    battles = mirror_battles.COST
    assert language.cost(f"{CHEAP} and not (wins(left) < 3 or 4 < wins(right))") == battles
    assert language.cost(CHEAP) == language.cost("wins(left) >=") == ""


@pytest.mark.parametrize("text", ["wins", "wins >= 3", "wins(top) > 1", "wins(left", "wins()"])
def test_a_side_that_is_missing_or_unknown_is_a_located_problem(text):
    with pytest.raises(ProblemError) as failed:
        parse_filter(text, SYSTEM, measures_of(from_text(SCRIPT, "s.rnd")), GRID)
    assert failed.value.problems[0].column
