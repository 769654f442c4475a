"""Run benchmarks and print one table: ``python -m tests.benchmarks [NAME ...] [--tiny] [--list]``.

Without names all run but those that are too long for that (in brackets in ``--list``). Each runs in
a process of its own, so that none warms or fills the memory of another; one that hangs is ended.
A name that ends in * stands for all that begin so. The exit status is 1 if a benchmark failed or
hung; a goal that is missed is told in the table only, as another machine may be slower.
"""

from __future__ import annotations

import argparse
import fnmatch
import sys

from tests.benchmarks.benchmark import Benchmark, Row, load_benchmarks
from tests.benchmarks.goals import ELSEWHERE, GOALS
from tests.benchmarks.running import BenchmarkError, run_benchmark

LINE = "{:<12} {:<46} {:>12} {:>8} {:>9}  {}"


def main() -> int:
    """Run what the command line names. Returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks")
    parser.add_argument("names", nargs="*", metavar="NAME", help="all but the longest if none")
    parser.add_argument("--tiny", action="store_true", help="only see that they run")
    parser.add_argument("--list", action="store_true", help="print the names")
    options = parser.parse_args()
    benchmarks = load_benchmarks()
    chosen: list[Benchmark] = []
    for name in options.names:
        matches = [benchmarks[key] for key in fnmatch.filter(benchmarks, name)]
        if not matches:
            parser.error(f"no benchmark {name!r}: {', '.join(benchmarks)}")
        chosen += matches
    if not options.names:
        chosen = [benchmark for benchmark in benchmarks.values() if not benchmark.only_by_name]
    if options.list:
        for benchmark in benchmarks.values():
            print(f"({benchmark.name})" if benchmark.only_by_name else benchmark.name)
        return 0
    return print_table(chosen, options.tiny)


def print_table(chosen: list[Benchmark], tiny: bool) -> int:
    """Run the benchmarks and print their rows. Returns the exit status."""
    status = 0
    met = missed = 0
    print(LINE.format("benchmark", "what", "figure", "ratio", "goal", "met"), flush=True)
    for each in chosen:
        fault: BenchmarkError | None = None
        try:
            rows = run_benchmark(each, tiny=tiny)
        except BenchmarkError as error:
            rows = error.rows
            fault = error
        for row in rows:
            goal = GOALS.get(each.name, {}).get(row.what)
            if goal is not None and goal.is_met(row):
                met += 1
            elif goal is not None:
                missed += 1
            print_row(each.name, row)
        if fault is not None:
            print(f"{each.name:<12} FAILED: {fault}", flush=True)
            status = 1
    for text in ELSEWHERE:
        print(f"not measured here: {text}")
    print(f"{met} goals met, {missed} missed")
    return status


def print_row(name: str, row: Row) -> None:
    """Print one line of the table."""
    goal = GOALS.get(name, {}).get(row.what)
    figure = f"{row.figure:,.0f}" if row.figure >= 1000 else f"{row.figure:.3g}"
    ratio = "" if row.ratio is None else f"{row.ratio:.2f}"
    verdict = ""
    if goal is not None:
        verdict = "yes" if goal.is_met(row) else "NO"
    limit = "" if goal is None else str(goal)
    print(
        LINE.format(name, row.what, f"{figure} {row.unit}", ratio, limit, verdict).rstrip(),
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
