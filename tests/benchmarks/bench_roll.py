"""How long one plain roll takes, and how that compares with a roller as plain as can be.

The last two columns say how many times as fast maps come when MAPS are rolled at once (goals for
the worst of the game's own scripts: 60 without hexsides, 80 with).

Run: python tests/benchmarks/bench_roll.py [SCRIPT.rnd ...]; without names, the scripts of the
package and, where they are, the game's own. The best of several rounds counts: other work on the
machine only ever adds.
"""

from __future__ import annotations

import sys
import time
import timeit
from collections.abc import Callable
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "randomizer" / "systems" / "colossus")]

from randomizer.systems.colossus.rolling.batch_roller import roll_many  # noqa: E402
from randomizer.systems.colossus.rolling.compiler import compile_script  # noqa: E402
from randomizer.systems.colossus.rolling.draws import KeyedDraws  # noqa: E402
from randomizer.systems.colossus.rolling.roller import PLAIN_HEXES, place_hexes, roll  # noqa: E402
from randomizer.systems.colossus.script.parser import parse  # noqa: E402
from tests.randomizer.systems.colossus.simple_roller import SimpleRoller  # noqa: E402  (the path comes first)

ROUNDS = 7
MAPS = 10_000


def scripts() -> list[Path]:
    """The scripts named, or all that are known."""
    if len(sys.argv) > 1:
        return [Path(name) for name in sys.argv[1:]]
    own = (ROOT / "randomizer" / "systems" / "colossus" / "scripts").glob("*.rnd")
    recorded = (ROOT.parent / "shared" / "corpus" / "colossus" / "rnd").glob("*.rnd")
    return sorted(own) + sorted(recorded)


def milliseconds(action: Callable[[], object], times: int) -> float:
    """The best mean of ROUNDS rounds of ``times`` calls."""
    rounds = timeit.repeat(action, timer=time.process_time, number=times, repeat=ROUNDS)
    return min(rounds) / times * 1000


def main() -> None:
    """Print a row a script: parsing, compiling, one roll, one simple roll, ratios."""
    print(
        f"{'script':32} {'parse':>8} {'compile':>8} {'roll':>8} {'simple':>8} {'ratio':>6}"
        f" {'at once':>8} {'hexes':>6}   (ms)"
    )
    numbers = np.arange(MAPS, dtype=np.uint64)
    for path in scripts():
        text = path.read_text("utf-8")
        script = parse(text).script
        program = compile_script(script)
        draws = KeyedDraws(1, 0)

        def one_roll(program=program, draws=draws) -> None:
            draws.number += 1
            roll(program, draws)

        def one_without_hexsides(program=program, draws=draws) -> None:
            draws.number += 1
            draws.start(program)
            place_hexes(program, draws, PLAIN_HEXES)

        def at_once(hexsides: bool, program=program) -> float:
            def rolling() -> object:
                return roll_many(program, PLAIN_HEXES, 1, numbers, hexsides=hexsides)

            return milliseconds(rolling, 1) / MAPS

        times = (
            milliseconds(lambda text=text: parse(text), 3),
            milliseconds(lambda script=script: compile_script(script), 20),
            milliseconds(one_roll, 300),
            milliseconds(lambda script=script: SimpleRoller(1, 5).roll(script), 30),
        )
        many = (
            times[2] / at_once(hexsides=True),
            milliseconds(one_without_hexsides, 300) / at_once(hexsides=False),
        )
        name = f"{path.parent.name}/{path.name}"
        row = " ".join(f"{figure:8.3f}" for figure in times)
        print(f"{name:32} {row} {times[3] / times[2]:5.1f}x {many[0]:7.1f}x {many[1]:5.1f}x")


if __name__ == "__main__":
    main()
