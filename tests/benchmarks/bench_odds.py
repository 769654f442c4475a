"""How long odds take, and how good they are by then.

The columns, in milliseconds of computing: the first table without and with hexsides (goal 10); the
table of 131,072 maps, whose standard errors are at most 0.14 %; then millions of maps a second of
computing without and with hexsides (Mountains: 1 without).

Run: python -m tests.benchmarks.bench_odds [SCRIPT.rnd ...]; without names, the scripts of the
package and, where they are, the game's own. The best of several rounds counts.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from randomizer.systems.colossus.odds.sampled import Sample
from randomizer.systems.colossus.odds.tables import FIRST
from randomizer.systems.colossus.rolling.batch_roller import roll_many
from randomizer.systems.colossus.rolling.compiler import compile_script
from randomizer.systems.colossus.rolling.program import Program
from randomizer.systems.colossus.rolling.roller import PLAIN_HEXES
from randomizer.systems.colossus.script.parser import parse
from tests.benchmarks.bench_roll import scripts

ROUNDS = 3
MANY_MAPS = 1 << 17


def milliseconds(action: Callable[[], object]) -> float:
    """Return the best of ROUNDS calls, in time of computing."""
    rounds_ms = []
    for _ in range(ROUNDS):
        start_s = time.process_time()
        action()
        rounds_ms.append((time.process_time() - start_s) * 1000)
    return min(rounds_ms)


def table_ms(program: Program, maps: int, *, sides: bool) -> float:
    """Return how long a table of so many maps takes, with the statements responsible."""

    def count_maps() -> None:
        sample = Sample(program, PLAIN_HEXES, 0, {}, {}, sides=sides, sources=True)
        sample.roll_up_to(maps)

    return milliseconds(count_maps)


def millions_a_second(program: Program, *, hexsides: bool) -> float:
    """Return how many maps come in a second of computing, in millions."""
    numbers = np.arange(MANY_MAPS, dtype=np.uint64)
    took_ms = milliseconds(lambda: roll_many(program, PLAIN_HEXES, 1, numbers, hexsides=hexsides))
    return MANY_MAPS / took_ms / 1000


def main() -> None:
    """Print a row a script."""
    headings = ("first", "sides", "131,072", "M/s", "sides")
    print(f"{'script':32}" + "".join(f"{heading:>9}" for heading in headings))
    for path in scripts():
        program = compile_script(parse(path.read_text("utf-8")).script)
        figures = (
            table_ms(program, FIRST, sides=False),
            table_ms(program, FIRST, sides=True),
            table_ms(program, MANY_MAPS, sides=True),
            millions_a_second(program, hexsides=False),
            millions_a_second(program, hexsides=True),
        )
        name = f"{path.parent.name}/{path.name}"
        print(f"{name:32}" + "".join(f"{figure:9.1f}" for figure in figures))


if __name__ == "__main__":
    main()
