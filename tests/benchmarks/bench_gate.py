"""The gate over maps of a million cells: how long it takes, and what it adds to a save.

Run with ``python -m tests.benchmarks.bench_gate``.
"""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

import numpy as np

from randomizer.model.gate import check_map
from randomizer.model.grid.layouts import FLAT
from randomizer.model.system import System
from randomizer.storage.project import read_project, write_project
from randomizer.systems.free.system import free_map

SIZE = 1000


def _ms(work: Callable[[], object], times: int = 5) -> float:
    """The least CPU time of several runs, in ms."""
    spent = []
    for _ in range(times):
        start = process_time()
        work()
        spent.append(process_time() - start)
    return 1000 * min(spent)


def main() -> None:
    """Print the figures."""
    battlemap = free_map(FLAT, SIZE, SIZE)
    system: System = battlemap.system
    dice = np.random.default_rng(1)
    layer = battlemap.layers[0]
    for spec in system.planes:
        plane = layer.planes[spec.name] = spec.allocate(battlemap.grid)
        where = dice.random(plane.shape) < 0.5
        plane[where] = dice.integers(0, 4, int(where.sum()))
    gate = _ms(lambda: check_map(battlemap))
    print(f"gate, {battlemap.grid.size:,} cells, all planes half set: {gate:.1f} ms (at most 50)")
    data = write_project(battlemap)
    print(f"save, proven readable: {_ms(lambda: write_project(battlemap), 2):.0f} ms")
    print(f"read: {_ms(lambda: read_project(data), 2):.0f} ms")


if __name__ == "__main__":
    main()
