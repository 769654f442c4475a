"""Battles of 7 against 7, with the tables of rules. The slowest pair of armies counts."""

from __future__ import annotations

from collections.abc import Iterator

from randomizer.systems.colossus.battle.armies import standard_pairs
from randomizer.systems.colossus.battle.rule_tables import RuleTables
from randomizer.systems.colossus.battle.simulator import CHUNK, Simulator
from randomizer.systems.colossus.battle_terrain import Battleland
from tests.benchmarks.benchmark import Row, benchmark, cpu_s

LAND = Battleland(("Plains", "Plains", "Brambles") * 9)


@benchmark("battles", full=100, tiny=1)
def measure_battles(max_pairs: int) -> Iterator[Row]:
    rates = []
    for attacker, defender in list(standard_pairs())[:max_pairs]:
        simulator = Simulator(RuleTables.of(LAND, attacker, defender, 1))
        rates.append(CHUNK / cpu_s(lambda simulator=simulator: simulator.fight(0, CHUNK)))
    yield Row("battles a CPU second", min(rates), "battles")
