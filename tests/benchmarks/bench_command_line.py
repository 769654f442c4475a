"""The command line: ``python -m tests.benchmarks.bench_command_line``.

The CPU time of one map of a packaged script as a whole process, beside that of an empty Python and
of Python with numpy; and how many maps a CPU second many maps as JSON bring, start-up excluded
(goal 50,000 for Mountains; scripts that draw their start list, as Tower, are slower).
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = 5
MAPS = 200_000


def cpu_s(*words: str) -> float:
    """The least CPU time of a Python process with these words, in ROUNDS processes."""
    found = []
    for _round in range(ROUNDS):
        before = os.times()
        subprocess.run(
            [sys.executable, *words], cwd=ROOT, stdout=subprocess.DEVNULL, check=True, timeout=600
        )
        after = os.times()
        found.append(
            after.children_user
            + after.children_system
            - before.children_user
            - before.children_system
        )
    return min(found)


def main() -> None:
    """Print times and ratios."""
    empty = cpu_s("-c", "pass")
    numpy = cpu_s("-c", "import numpy")
    print(f"python {1000 * empty:.0f} ms, with numpy {1000 * numpy:.0f} ms")
    for script in ("Plains", "Mountains", "Tower"):
        roll = ("-m", "randomizer", "roll", script, "--seed", "1", "--format", "json")
        one = cpu_s(*roll)
        many = cpu_s(*roll, "--count", str(MAPS))
        print(
            f"{script}: one map {1000 * one:.0f} ms, {one / empty:.1f} times an empty Python; "
            f"{MAPS / (many - one):,.0f} maps a CPU second"
        )


if __name__ == "__main__":
    main()
