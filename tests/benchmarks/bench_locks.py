"""How long a re-roll takes when three of the hexes that a script placed are locked.

For every script some maps are rolled, three hexes of each, with hazards, are locked, and the next
map that keeps them is searched for, the estimate of how rare such maps are included (goal: 50 ms).

Run: python tests/benchmarks/bench_locks.py [SCRIPT.rnd ...]; without names, the scripts of the
package and, where they are, the game's own.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]

from randomizer.model.problems import ProblemError  # noqa: E402
from randomizer.systems.colossus.rolling.compiler import compile_script  # noqa: E402
from randomizer.systems.colossus.rolling.draws import KeyedDraws  # noqa: E402
from randomizer.systems.colossus.rolling.locks import search_with_locks  # noqa: E402
from randomizer.systems.colossus.rolling.program import Program  # noqa: E402
from randomizer.systems.colossus.rolling.roller import PLAIN_HEXES, roll  # noqa: E402
from randomizer.systems.colossus.script.parser import parse  # noqa: E402
from tests.benchmarks.bench_roll import scripts  # noqa: E402

MAPS = 40
LOCKS = 3


def searches(program: Program) -> tuple[list[float], list[float], int]:
    """How long each search took (ms), one map in how many each found, how many found none."""
    choose = random.Random(4)
    times = []
    rarities = []
    lost = 0
    for number in range(MAPS):
        shown = roll(program, KeyedDraws(1, number))
        placed = [hex_ for hex_ in shown.placed if shown.terrain[hex_]]
        locks = {
            hex_: (shown.terrain[hex_], shown.elevation[hex_])
            for hex_ in choose.sample(placed, min(LOCKS, len(placed)))
        }
        begins = time.perf_counter()
        search = search_with_locks(program, 1, number + 1, PLAIN_HEXES, locks)
        try:
            while True:
                next(search)
        except StopIteration as end:
            rarities.append(end.value.tried / end.value.eligible)
        except ProblemError:
            lost += 1
        times.append((time.perf_counter() - begins) * 1000)
    return sorted(times), sorted(rarities), lost


def main() -> None:
    """Print a row a script: the median and worst time, and how rare the maps are."""
    print(f"{'script':32} {'median':>8} {'worst':>8} {'1 map in':>16} {'lost':>5}   (ms)")
    for path in scripts():
        program = compile_script(parse(path.read_text("utf-8")).script)
        times, rarities, lost = searches(program)
        middle = rarities[len(rarities) // 2]
        name = f"{path.parent.name}/{path.name}"
        figures = f"{times[MAPS // 2]:8.1f} {times[-1]:8.1f}"
        print(f"{name:32} {figures} {middle:7,.0f}-{rarities[-1]:8,.0f} {lost:5}")


if __name__ == "__main__":
    main()
