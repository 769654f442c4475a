"""Runs one benchmark in a process of its own and receives its rows.

This file is the program of that process, too: ``python -m tests.benchmarks.running MODULE NAME``.
It imports only the module of the benchmark, as what others need would count in its memory.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import tempfile
import traceback
from dataclasses import asdict

from tests.benchmarks.benchmark import BENCHMARKS, ROOT, Benchmark, Row

MARK = "row "
"""A line of the process's output that begins so holds a row as JSON; others are the program's."""

LONGEST_S = 1800
"""Seconds by the clock. The longest (only by name) takes some ten minutes of a quiet core."""

FAULT_LINES = 12


class BenchmarkError(Exception):
    """A benchmark failed, hung or yielded nothing; the text says which, with its last output.

    ``rows`` are those that it had yielded by then.
    """

    def __init__(self, text: str, rows: list[Row]) -> None:
        super().__init__(text)
        self.rows = rows


def run_benchmark(benchmark: Benchmark, *, tiny: bool) -> list[Row]:
    """Run a benchmark in a new process, with a home of its own, and return its rows.

    Raises BenchmarkError.
    """
    module = benchmark.measure.__module__
    command = [sys.executable, "-m", "tests.benchmarks.running", module, benchmark.name]
    if tiny:
        command.append("tiny")
    with tempfile.TemporaryDirectory(prefix="battlelands-benchmark-") as home:
        try:
            process = subprocess.run(
                command,
                cwd=ROOT,
                env=environment_of(home),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                check=False,
                timeout=LONGEST_S,
            )
        except subprocess.TimeoutExpired as expired:
            # Its output is bytes even of a process with text.
            output = (expired.stdout or b"").decode()
            text = f"it had not ended after {LONGEST_S} seconds"
            raise BenchmarkError(text, rows_in(output)) from None
    rows = rows_in(process.stdout)
    if process.returncode:
        last_lines = process.stderr.splitlines()[-FAULT_LINES:]
        text = "\n".join([f"exit status {process.returncode}", *last_lines])
        raise BenchmarkError(text, rows)
    if not rows:
        raise BenchmarkError("it yielded no row", rows)
    return rows


def rows_in(output: str) -> list[Row]:
    """Return the rows that a process has written."""
    lines = [line for line in output.splitlines() if line.startswith(MARK)]
    return [Row(**json.loads(line.removeprefix(MARK))) for line in lines]


def environment_of(home: str) -> dict[str, str]:
    """Return the variables of a process that must not meet what its user keeps at home."""
    environment = {"QT_QPA_PLATFORM": "offscreen"}
    for name, value in os.environ.items():
        if not name.startswith("XDG_"):
            environment[name] = value
    environment["HOME"] = home
    # A user's second start finds compiled files.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return environment


def measure_here(module: str, name: str, size: str = "full") -> None:
    """Measure in this process and write the rows for the one that started it; ends the process."""
    importlib.import_module(module)
    benchmark = BENCHMARKS[name]
    status = 0
    try:
        for row in benchmark.measure(benchmark.tiny if size == "tiny" else benchmark.full):
            print(f"\n{MARK}{json.dumps(asdict(row))}", flush=True)
    except Exception:  # noqa: BLE001 - its traceback is told by the process that started this one
        traceback.print_exc()
        sys.stderr.flush()
        status = 1
    os._exit(status)  # windows and threads that a benchmark leaves are not taken apart


if __name__ == "__main__":
    measure_here(*sys.argv[1:])
