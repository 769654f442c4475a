"""Balance: the edits that bring the shares of wins near one another."""

from __future__ import annotations

import pytest

from randomizer.batches.fairness import BalanceState, spread
from randomizer.model.edits.value_edits import set_locks, set_property, set_values
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.problems import ProblemError
from randomizer.systems.colossus.battle_terrain import ENTRY_HEXES
from randomizer.systems.colossus.board import CELL_OF_HEX, GRID
from randomizer.systems.colossus.fairness.balance import balance
from randomizer.systems.colossus.system import SYSTEM
from randomizer.systems.colossus.terrain_set import COLOSSUS
from tests.randomizer.systems.colossus.few_battles import balance_few

LEFT = [CELL_OF_HEX[number] for number in ENTRY_HEXES[5]]


@pytest.fixture(autouse=True)
def _few_battles(monkeypatch):
    balance_few(monkeypatch)


def closed_to_the_left() -> BattleMap:
    """Nobody can come in from the left: all its entry hexes are Stone."""
    battlemap = BattleMap.new(SYSTEM, layers=[Layer(1, "Ground")])
    set_values(battlemap, 1, "terrain", LEFT, COLOSSUS.terrain_code("Stone")).apply(battlemap)
    return battlemap


def balanced(battlemap: BattleMap, **options) -> list[BalanceState]:
    return list(balance(battlemap, 1, **options))


@pytest.mark.deep
def test_a_closed_side_is_opened():
    battlemap = closed_to_the_left()
    states = balanced(battlemap)
    last = states[-1]
    shares = {name: wins.chance for name, wins in last.before}
    assert [*shares] == ["Bottom", "Right", "Left"]
    assert shares["Left"] == 0 < min(shares["Right"], shares["Bottom"])
    assert [state.percent for state in states] == sorted(state.percent for state in states)
    assert last.percent == 100
    best = last.proposals[-1]
    apart = [spread(last.before), *(spread(proposal.wins) for proposal in last.proposals)]
    assert apart == sorted(apart, reverse=True), "more edits do better"
    assert len(best.texts) <= 2
    assert {*best.cells} & {*LEFT}
    assert apart[-1] < apart[0]
    assert dict(best.wins)["Left"].chance > 0
    shown = battlemap.composite()
    best.edit.apply(battlemap)
    assert [f"Stone at {SYSTEM.cell_name(GRID, each)} removed" for each in LEFT
            if not battlemap.composite().planes["terrain"].flat[each]]  # fmt: skip
    best.edit.inverse().apply(battlemap)
    assert battlemap.composite().same_as(shown)


@pytest.mark.deep
def test_the_same_seed_proposes_the_same():
    first, again, other = (balanced(closed_to_the_left(), seed=seed)[-1] for seed in (1, 1, 2))
    assert first.before == again.before != other.before
    assert [proposal.wins for proposal in first.proposals] == [
        proposal.wins for proposal in again.proposals
    ]
    assert [proposal.texts for proposal in first.proposals] == [
        proposal.texts for proposal in again.proposals
    ]


@pytest.mark.deep
def test_locked_hexes_stay():
    battlemap = closed_to_the_left()
    set_locks(battlemap, LEFT[:3], locked=True).apply(battlemap)
    for proposal in balanced(battlemap)[-1].proposals:
        assert not {*proposal.cells} & {*LEFT[:3]}
    set_locks(battlemap, CELL_OF_HEX, locked=True).apply(battlemap)
    assert not balanced(battlemap)[-1].proposals


@pytest.mark.deep
def test_plains_is_one_more_share():
    names = [name for name, _wins in balanced(closed_to_the_left(), plains=True)[-1].before]
    assert names == ["Bottom", "Right", "Left", "Plains"]


def test_onto_a_start_list_attackers_are_compared_with_plains_only():
    battlemap = closed_to_the_left()
    set_property(battlemap, 1, "startlist", ("D4", "D5", "C4")).apply(battlemap)
    with pytest.raises(ProblemError, match="bottom only"):
        balanced(battlemap)
    assert [name for name, _ in balanced(battlemap, plains=True)[-1].before] == ["Bottom", "Plains"]


def test_a_locked_layer_is_refused():
    battlemap = closed_to_the_left()
    battlemap.layers[0] = Layer(1, "Ground", locked=True)
    with pytest.raises(ProblemError, match="locked"):
        balanced(battlemap)


def test_it_can_be_closed_at_any_time():
    states = balance(closed_to_the_left(), 1)
    assert next(states).proposals == ()
    states.close()
    assert not [*states]
