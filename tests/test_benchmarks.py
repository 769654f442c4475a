"""Benchmarks run, and each goal belongs to a row: nothing of them is measured here."""

from __future__ import annotations

import pytest

from tests.benchmarks.benchmark import Benchmark, Row, load_benchmarks
from tests.benchmarks.goals import GOALS, Goal, at_least, at_most, ratio_at_most
from tests.benchmarks.running import BenchmarkError, run_benchmark

BENCHMARKS = load_benchmarks()


def test_each_goal_is_that_of_a_benchmark():
    assert set(GOALS) <= set(BENCHMARKS)


@pytest.mark.parametrize(
    ("goal", "row", "is_met"),
    [
        (at_most(5), Row("", 5, "ms"), True),
        (at_most(5), Row("", 5.1, "ms", 1.0), False),
        (at_least(60), Row("", 59, "maps"), False),
        (at_least(60), Row("", 61, "maps"), True),
        (ratio_at_most(1.5), Row("", 900, "ms", 1.4), True),
        (ratio_at_most(1.5), Row("", 1, "ms", 1.6), False),
        (ratio_at_most(1.5), Row("", 1, "ms"), False),
    ],
)
def test_a_goal_bounds_the_figure_or_the_ratio(goal: Goal, row: Row, is_met: bool):
    assert goal.is_met(row) is is_met


def test_a_benchmark_that_fails_is_told_with_its_fault():
    absent = Benchmark("absent", Row, 1, 1, only_by_name=True)  # its module knows no such name
    with pytest.raises(BenchmarkError, match="KeyError: 'absent'"):
        run_benchmark(absent, tiny=True)


@pytest.mark.deep
@pytest.mark.parametrize("name", BENCHMARKS)
def test_a_benchmark_runs_at_its_tiny_size_and_has_a_row_for_each_goal(name):
    rows = run_benchmark(BENCHMARKS[name], tiny=True)
    names = [row.what for row in rows]
    assert len(set(names)) == len(names)
    assert set(GOALS.get(name, {})) <= set(names)
