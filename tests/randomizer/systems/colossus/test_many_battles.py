"""Many battles at once are the battles of the readable rules."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.systems.colossus.battle.armies import Army, read_army
from randomizer.systems.colossus.battle.battle import Battle, Fighter
from randomizer.systems.colossus.battle.many_battles import Battles, Event
from randomizer.systems.colossus.battle.rule_tables import RuleTables
from randomizer.systems.colossus.battle.simulator import Simulator
from randomizer.systems.colossus.battle.strike_phase import StrikePhase
from randomizer.systems.colossus.battle_terrain import OUTSIDE, Battleland
from randomizer.systems.colossus.board import HEX_COUNT, HEX_OF_LABEL
from randomizer.systems.colossus.creatures import CREATURES
from randomizer.systems.colossus.rules import HAZARDS, HEXSIDES
from tests.randomizer.systems.colossus.battle_replay import REFERENCE, Replay, default_land
from tests.randomizer.systems.colossus.battle_traces import Traces, simulated_traces

needs_results = pytest.mark.skipif(
    not (REFERENCE / "titan-battles.tsv").is_file(), reason="the recordings are not here"
)

HEXES = st.integers(0, HEX_COUNT - 1)
ARMIES = st.lists(st.sampled_from(CREATURES), min_size=1, max_size=7).map(tuple)
SIDES = st.integers(0, 5)


def on_every_hex(values: st.SearchStrategy[object]) -> st.SearchStrategy[tuple[object, ...]]:
    return st.lists(values, min_size=HEX_COUNT, max_size=HEX_COUNT).map(tuple)


HEXSIDE = st.sampled_from(("",) * 5 + tuple(HEXSIDES))
LANDS = st.builds(
    Battleland,
    on_every_hex(st.sampled_from(("Plains",) * len(HAZARDS) + tuple(HAZARDS))),
    on_every_hex(st.integers(0, 3)),
    on_every_hex(st.tuples(*(HEXSIDE,) * 6)),
    st.just(()) | st.lists(HEXES, min_size=3, max_size=9, unique=True).map(tuple),
    st.booleans(),
)
MIRROR = read_army("2 Lion+2 Ogre+Centaur+Minotaur+Troll")
STRONG = read_army("2 Troll+Wyvern+2 Ogre+Angel+Warlock")


@settings(max_examples=12, deadline=None)
@given(LANDS, ARMIES, ARMIES, SIDES, st.integers(0, 99))
def test_simulated_battles_replay_by_the_readable_rules(
    land: Battleland, attacker: Army, defender: Army, side: int, seed: int
) -> None:
    for lines in simulated_traces(land, attacker, defender, side, 2, seed):
        Replay(land, lines)


@settings(max_examples=25, deadline=None)
@given(LANDS, ARMIES, ARMIES, SIDES, st.data())
def test_the_same_position_has_the_same_moves_and_strikes(
    land: Battleland, attacker: Army, defender: Army, side: int, data: st.DataObject
) -> None:
    tables = RuleTables.of(land, attacker, defender, side)
    battles = Battles(tables, np.arange(1, dtype=np.uint64), 0)
    count = len(battles.kinds)
    places = st.lists(HEXES, min_size=count, max_size=count, unique=True)
    outside = st.lists(st.booleans(), min_size=count, max_size=count)
    hexes = np.where(data.draw(outside), OUTSIDE, data.draw(places))
    battles.hex[:, 0] = hexes
    battles.slowed[:, 0] = data.draw(st.lists(st.integers(0, 2), min_size=count, max_size=count))
    battles.turn = data.draw(st.integers(1, 2))
    battle = Battle(land, list(fighters_of(battles)), side, battles.turn)
    for slot, fighter in enumerate(battle.fighters):
        moves = battles.reachable_hexes(slot, np.arange(1))[:, 0]
        assert set(np.flatnonzero(moves).tolist()) == battle.reachable_hexes(fighter)
    hits = data.draw(st.lists(st.integers(0, 18), min_size=count, max_size=count))
    battles.hits[:, 0] = np.minimum(hits, battles.powers[:, 0])
    for fighter, dead in zip(battle.fighters, battles.hits[:, 0].tolist(), strict=True):
        fighter.hits = dead
    for active in (0, 1):
        for ranged in (True, False):
            strikes = StrikePhase(battles, active, 0, ranged=ranged)
            targets = battle.fighters[battles.sides[1 - active]]
            for row, fighter in enumerate(battle.fighters[battles.sides[active]]):
                expected = battle.targets(fighter, ranged=ranged)
                possible = strikes.possible[row, :, 0].tolist()
                assert [each in expected for each in targets] == possible
                for column, target in enumerate(targets):
                    if target in expected:
                        how = strikes.dice[row, column, 0], strikes.number[row, column, 0]
                        assert how == expected[target]


def fighters_of(battles: Battles) -> Iterator[Fighter]:
    """The creatures of the first of the battles, by slot."""
    for slot, kind in enumerate(battles.kinds):
        letter = "A" if slot < battles.sides[1].start else "D"
        place = int(battles.hex[slot, 0])
        slowed = int(battles.slowed[slot, 0])
        yield Fighter(battles.tables.kinds[kind], letter, place, 0, slowed)


@pytest.mark.parametrize(("beside", "carries"), [("Ogre", True), ("Gargoyle", False)])
def test_excess_hits_do_not_carry_to_who_is_harder_to_hit(beside: str, carries: bool) -> None:
    tables = RuleTables.of(Battleland(), read_army("Serpent"), read_army(f"Ogre+{beside}"), 1)
    battles = Battles(tables, np.arange(20, dtype=np.uint64), 0)
    first = battles.kinds.tolist().index(tables.kinds.index(read_army("Ogre")[0]))
    battles.hex[:] = [[HEX_OF_LABEL[label]] for label in ("D4", "D5", "D3")]
    strikes = StrikePhase(battles, 0, 0, ranged=False)
    which = np.arange(20)
    ogre = np.full(20, first - 1)
    strikes.strike(which, np.zeros_like(which), ogre, np.ones((2, 20), np.float32))
    assert (battles.hits[first] == 6).any()
    assert battles.hits[3 - first].any() == carries


def test_an_observer_hears_only_of_hits_that_have_carried_over() -> None:
    carried: list[int] = []

    def observe(_battles: Battles, event: Event, which: np.ndarray, *more: np.ndarray) -> None:
        if event is Event.CARRY:
            _slots, hits = more
            assert len(which) == len(hits)
            carried.extend(hits.tolist())

    tables = RuleTables.of(Battleland(), STRONG, MIRROR, 1)
    Simulator(tables, seed=5).fight(0, 30, observe)
    assert carried
    assert min(carried) > 0


def test_a_battle_is_the_same_alone_and_among_others() -> None:
    land = Battleland(("Plains", "Brambles", "Bog") * 9)
    simulator = Simulator(RuleTables.of(land, MIRROR, STRONG, 1), seed=5)
    together = Traces()
    alone = Traces()
    results = simulator.fight(0, 12, together)
    parts = simulator.fight(0, 7, alone)
    for number in range(7, 12):
        parts.add(simulator.fight(number, 1, alone))
    assert together.lines == alone.lines
    assert results.battles == parts.battles == 12
    assert np.array_equal(results.deaths, parts.deaths)
    other_seed = Traces()
    Simulator(RuleTables.of(land, MIRROR, STRONG, 1), seed=6).fight(0, 12, other_seed)
    assert together.lines != other_seed.lines


def test_who_cannot_enter_dies_and_a_battle_without_a_decision_is_lost_by_the_attacker() -> None:
    bog = Battleland(("Bog",) * HEX_COUNT)
    lion = read_army("Lion")
    results = Simulator(RuleTables.of(bog, lion, read_army("Ogre"), 1)).fight(0, 5)
    assert (results.defender_wins, results.turns) == (5, 5)
    assert results.deaths[:, OUTSIDE].tolist() == [5, 0]
    apart = Battleland(hexsides=(("Cliff",) * 6,) * HEX_COUNT)
    results = Simulator(RuleTables.of(apart, lion, lion, 1)).fight(0, 5)
    assert (results.defender_wins, results.time_losses, results.turns) == (5, 5, 35)
    assert not results.deaths.any()


def test_a_dead_titan_loses_the_battle() -> None:
    tables = RuleTables.of(Battleland(), read_army("7 Serpent"), read_army("Titan+Ogre"), 1)
    assert Simulator(tables).fight(0, 40).attacker_wins == 40


@needs_results
def test_mountains_are_far_better_for_an_attacker_from_the_right_than_from_below() -> None:
    defender = read_army("2 Lion+3 Centaur+Minotaur+Angel")
    land = default_land("Mountains")
    tables = [RuleTables.of(land, STRONG, defender, side) for side in (1, 3)]
    wins = [Simulator(of_side).fight(0, 80).attacker_wins for of_side in tables]
    assert wins[0] > wins[1] + 20  # in the game 35 and 10 of 36


@needs_results
@pytest.mark.deep
def test_results_are_near_the_recorded_ones_of_the_game() -> None:
    differences = []
    beyond = []
    shares = {}
    text = (REFERENCE / "titan-battles.tsv").read_text("utf-8")
    for row in csv.DictReader(text.splitlines(), delimiter="\t"):
        board = row["board"]
        side = int(row["attacker_side"])
        armies = read_army(row["attacker_army"]), read_army(row["defender_army"])
        tables = RuleTables.of(default_land(board), *armies, side)
        share = Simulator(tables).fight(0, 1000).attacker_wins / 1000
        low, high = map(float, row["attacker_share_95"].split(".."))
        differences.append(abs(share - int(row["attacker_wins"]) / int(row["battles"])))
        beyond.append(max(low - share, share - high))
        shares[board, side, armies[0] == MIRROR] = share
    assert np.mean(differences) <= 0.10
    assert max(beyond) <= 0.20
    for mirror in (False, True):
        assert shares["Mountains", 1, mirror] > shares["Mountains", 3, mirror] + 0.1
    assert shares["Swamp", 3, False] > shares["Swamp", 1, False]
    assert shares["Tower", 3, True] < min(shares["Swamp", 1, True], 0.1)


@settings(max_examples=5, deadline=None)
@given(st.lists(st.tuples(LANDS, SIDES), min_size=2, max_size=4), ARMIES, ARMIES)
def test_battles_on_several_lands_at_once_are_those_on_each(
    boards: list[tuple[Battleland, int]], attacker: Army, defender: Army
) -> None:
    first = boards[0][0]
    boards = [(replace(land, start=first.start, tower=first.tower), side) for land, side in boards]
    tables = [RuleTables.of(land, attacker, defender, 0).facing(side) for land, side in boards]
    together = Simulator(RuleTables.joined(tables), seed=3).fight(2, 3)
    alone = []
    for land, side in boards:
        simulator = Simulator(RuleTables.of(land, attacker, defender, side), seed=3)
        alone.append(simulator.fight(2, 3))
    assert together.wins_by_land.tolist() == [each.attacker_wins for each in alone]
    assert together.turns == sum(each.turns for each in alone)
    assert (together.deaths == sum(each.deaths for each in alone)).all()
