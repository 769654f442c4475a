"""How many battles of 7 against 7 a second of computing fights: the goal is 300.

Run: python -m tests.benchmarks.bench_battles. The tables of rules are included; the best of several
rounds counts.
"""

from __future__ import annotations

import time

from randomizer.systems.colossus.battle.armies import army_text, standard_pairs
from randomizer.systems.colossus.battle.battleland import Battleland
from randomizer.systems.colossus.battle.simulator import CHUNK, Simulator

GOAL = 300
ROUNDS = 3
LAND = Battleland(("Plains", "Plains", "Brambles") * 9)


def main() -> None:
    for attacker, defender in standard_pairs():
        best = 0.0
        for seed in range(ROUNDS):
            start = time.process_time()
            Simulator(LAND, attacker, defender, 1, seed).fight(0, CHUNK)
            best = max(best, CHUNK / (time.process_time() - start))
        verdict = "" if best >= GOAL else "  MISSED"
        print(f"{army_text(attacker):40}{best:6.0f}{verdict}")


if __name__ == "__main__":
    main()
