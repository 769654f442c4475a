"""How long odds take: exact ones, the first sampled picture, and maps by the hundred thousand.

The columns, in milliseconds of computing: exact odds of hexes, with the statements responsible, and
with hexsides (goals for the game's own scripts: 100, 400 with hexsides; for the packaged ones 500;
"-": too much work, so they are sampled); the most classes of maps that were followed at once (ADR
40), and how many sampled maps take as long as the exact odds of hexes; the first sampled table
without and with hexsides (10), and what comes first when nothing but the script is given; then
millions of maps a second of computing without and with hexsides (Mountains: 1 without).

Run: python tests/benchmarks/bench_odds.py [SCRIPT.rnd ...]; without names, the scripts of the
package and, where they are, the game's own. The best of several rounds counts.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]

from randomizer.systems.colossus.odds import exact as exact_module  # noqa: E402
from randomizer.systems.colossus.odds.classes import Classes, next_classes  # noqa: E402
from randomizer.systems.colossus.odds.exact import TooLarge, exact_odds  # noqa: E402
from randomizer.systems.colossus.odds.sampled import Sample  # noqa: E402
from randomizer.systems.colossus.odds.tables import FIRST, odds_tables  # noqa: E402
from randomizer.systems.colossus.rolling.batch_roller import roll_many  # noqa: E402
from randomizer.systems.colossus.rolling.compiler import compile_script  # noqa: E402
from randomizer.systems.colossus.rolling.program import Program  # noqa: E402
from randomizer.systems.colossus.rolling.roller import PLAIN_HEXES  # noqa: E402
from randomizer.systems.colossus.script.parser import parse  # noqa: E402
from tests.benchmarks.bench_roll import scripts  # noqa: E402

ROUNDS = 5
MAPS = 1 << 17


def milliseconds(action: Callable[[], object]) -> float:
    """The best of ROUNDS calls, in time of computing."""
    best = float("inf")
    for _ in range(ROUNDS):
        before = time.process_time()
        action()
        best = min(best, time.process_time() - before)
    return best * 1000


def exact(program: Program, **options: bool) -> float | None:
    """How long exact odds take, None if they are too much work."""
    if isinstance(exact_odds(program, **options), TooLarge):
        return None
    return milliseconds(lambda: exact_odds(program, **options))


def most_classes(program: Program) -> int:
    """The most classes that exact odds of hexes follow at once; up to the limit if refused."""
    followed = [1]

    def counted(*given: object) -> Classes:
        found = next_classes(*given)  # type: ignore[arg-type]
        followed.append(len(found.masks))
        return found

    exact_module.next_classes = counted
    try:
        exact_odds(program)
    finally:
        exact_module.next_classes = next_classes
    return max(followed)


def first_sampled(program: Program, sides: bool) -> float:
    """How long the first sampled table takes."""

    def sampled() -> None:
        sample = Sample(program, PLAIN_HEXES, 0, {}, {}, sides=sides, sources=False)
        sample.roll_up_to(FIRST)

    return milliseconds(sampled)


def first_table(program: Program) -> float:
    """How long somebody waits who asks for odds."""

    def asked() -> object:
        options = {"sides": False, "sources": False, "samples": 0, "seed": 0}
        return next(odds_tables(program, PLAIN_HEXES, {}, {}, **options))

    return milliseconds(asked)


def millions_a_second(program: Program, hexsides: bool) -> float:
    """How many maps come in a second of computing."""
    numbers = np.arange(MAPS, dtype=np.uint64)
    took = milliseconds(lambda: roll_many(program, PLAIN_HEXES, 1, numbers, hexsides=hexsides))
    return MAPS / took / 1000


def main() -> None:
    """Print a row a script."""
    print(f"{'script':32} {'exact':>7} {'sources':>7} {'sides':>7}", end=" ")
    print(f"{'classes':>7} {'= maps':>8}", end=" ")
    print(f"{'sampled':>7} {'sides':>7} {'first':>7} {'M/s':>6} {'sides':>6}")
    for path in scripts():
        program = compile_script(parse(path.read_text("utf-8")).script)
        figures = (
            exact(program),
            exact(program, by_statement=True),
            exact(program, sides=True),
            first_sampled(program, sides=False),
            first_sampled(program, sides=True),
            first_table(program),
        )
        row = [f"{'-':>7}" if figure is None else f"{figure:7.1f}" for figure in figures]
        rates = [millions_a_second(program, sides) for sides in (False, True)]
        as_maps = "-" if figures[0] is None else f"{figures[0] * rates[0] * 1000:,.0f}"
        row[3:3] = [f"{most_classes(program):7}", f"{as_maps:>8}"]
        row += [f"{rate:6.2f}" for rate in rates]
        print(f"{path.parent.name + '/' + path.name:32} {' '.join(row)}")


if __name__ == "__main__":
    main()
