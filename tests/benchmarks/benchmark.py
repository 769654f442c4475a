"""A benchmark is a function that yields rows, with a full size and a tiny one.

    @benchmark("minimap", full=1000, tiny=40)
    def measure_minimap(side: int) -> Iterator[Row]:
        ...
        yield Row("one cell changes", median_ms(change_cell), "ms")

The names of its rows are the same at both sizes, since goals (``goals.py``) are found by them.
"""

from __future__ import annotations

import importlib
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]

COLOSSUS_CORPUS = ROOT.parent / "shared" / "corpus" / "colossus"
"""Scripts and battlelands of the game, which need not be there."""

WARM_UP_ROUNDS = 2
"""So many first rounds do not count: imports and empty caches are theirs."""


@dataclass(frozen=True, slots=True)
class Row:
    """One figure of a benchmark.

    ``ratio`` compares it with a plain implementation that ran beside it, as ``what`` says; None
    where there is nothing to compare with.
    """

    what: str
    figure: float
    unit: str
    ratio: float | None = None


Measure = Callable[[Any], Iterator[Row]]


@dataclass(frozen=True, slots=True)
class Benchmark:
    """``measure`` gets ``full`` or ``tiny``; these are a number, or a tuple of numbers.

    ``only_by_name``: it takes so long that it does not run with all the others.
    """

    name: str
    measure: Measure
    full: Any
    tiny: Any
    only_by_name: bool


BENCHMARKS: dict[str, Benchmark] = {}
"""All of them by name, once ``load_benchmarks`` has been called."""


def benchmark(
    name: str, *, full: Any, tiny: Any, only_by_name: bool = False
) -> Callable[[Measure], Measure]:
    """Register the function below as a benchmark. Raises ValueError if the name is taken."""

    def register(measure: Measure) -> Measure:
        if name in BENCHMARKS:
            raise ValueError(f"there are two benchmarks {name!r}")
        BENCHMARKS[name] = Benchmark(name, measure, full, tiny, only_by_name)
        return measure

    return register


def load_benchmarks() -> dict[str, Benchmark]:
    """Import each ``bench_*.py`` of this folder and return the benchmarks by name."""
    for path in sorted(Path(__file__).parent.glob("bench_*.py")):
        importlib.import_module(f"tests.benchmarks.{path.stem}")
    return BENCHMARKS


def times_ms(work: Callable[[int], object], rounds: int, clock: Callable[[], float]) -> list[float]:
    """Return the times of ``work(round)`` by ``clock`` in ms, without the first rounds."""
    rounds_ms = []
    for number in range(WARM_UP_ROUNDS + rounds):
        start_s = clock()
        work(number)
        rounds_ms.append((clock() - start_s) * 1000)
    return rounds_ms[WARM_UP_ROUNDS:]


def median_ms(work: Callable[[int], object], rounds: int = 11) -> float:
    """Return the median CPU time of this thread in ``work(round)``."""
    return statistics.median(times_ms(work, rounds, time.thread_time))


def min_ms(work: Callable[[], object], rounds: int = 5) -> float:
    """Return the least CPU time of this process in ``work()``: other work only ever adds."""
    return min(times_ms(lambda _round: work(), rounds, time.process_time))


def cpu_s(work: Callable[[], object]) -> float:
    """Return the CPU time of this process, all its threads together, in one call."""
    start_s = time.process_time()
    work()
    return time.process_time() - start_s
