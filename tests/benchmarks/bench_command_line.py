"""Commands as whole processes, beside ``python -c "import numpy"``."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from randomizer.model.grid.layouts import FLAT
from randomizer.storage.files.project import write_project
from randomizer.systems.free.system import free_map
from tests.benchmarks.benchmark import ROOT, Row, benchmark
from tests.benchmarks.processes import child_cpu_s

SCRIPTS = ("Plains", "Mountains", "Tower")


@benchmark("command-line", full=(5, 200_000), tiny=(1, 50))
def measure_commands(size: tuple[int, int]) -> Iterator[Row]:
    rounds, maps = size
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "small.battlemap"
        path.write_bytes(write_project(free_map(FLAT, 20, 15)))
        battleland = Path(folder) / "plains.xml"
        run_python("-m", "randomizer", "roll", "Plains", "--seed", "1", "--out", str(battleland))
        numpy_s = python_cpu_s(rounds, "-c", "import numpy")
        yield Row("python -c 'import numpy'", 1000 * numpy_s, "ms")
        for what, file in (
            ("show a .battlemap", path),
            ("show a battleland", battleland),
        ):
            shown_s = python_cpu_s(rounds, "-m", "randomizer", "show", str(file))
            yield Row(f"{what} (x import numpy)", 1000 * shown_s, "ms", shown_s / numpy_s)
    for name in SCRIPTS:
        roll = ("-m", "randomizer", "roll", name, "--seed", "1", "--format", "json")
        one_s = python_cpu_s(rounds, *roll)
        yield Row(f"roll {name} (x import numpy)", 1000 * one_s, "ms", one_s / numpy_s)
        many_s = python_cpu_s(1, *roll, "--count", str(maps))
        # Of a few maps the start is all, so that the difference may be nothing.
        rolling_s = max(many_s - one_s, 1e-3)
        yield Row(f"roll {name}, many", maps / rolling_s / 1000, "thousand/s")


def python_cpu_s(rounds: int, *words: str) -> float:
    """Return the least CPU time of a Python process with these words."""
    return min(child_cpu_s(lambda: run_python(*words)) for _round in range(rounds))


def run_python(*words: str) -> None:
    """Run a Python process. Raises CalledProcessError if it fails."""
    subprocess.run([sys.executable, *words], cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
