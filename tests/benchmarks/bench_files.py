"""The gate, saving and reading of a large map, half of whose terrain, heights and sides are set."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from randomizer.model.gate.gate import check_map
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.storage.files.project import read_project, write_project
from randomizer.systems.free.system import free_map
from tests.benchmarks.benchmark import Row, benchmark, min_ms

PLANES = ("terrain", "elevation", "hexside")


@benchmark("files", full=1000, tiny=40)
def measure_files(side: int) -> Iterator[Row]:
    battlemap = half_set_map(side)
    yield Row("check by the gate", min_ms(lambda: check_map(battlemap)), "ms")
    data = write_project(battlemap)
    yield Row("save, proven readable", min_ms(lambda: write_project(battlemap), 2), "ms")
    yield Row("read", min_ms(lambda: read_project(data), 2), "ms")


def half_set_map(side: int) -> BattleMap:
    """Return a free map with values from 0 to 3 by dice on half the places of each plane."""
    battlemap = free_map(FLAT, side, side)
    dice = np.random.default_rng(1)
    layer = battlemap.layers[0]
    for spec in battlemap.system.planes:
        if spec.name not in PLANES:
            continue
        plane = spec.allocate(battlemap.grid)
        is_set = dice.random(plane.shape) < 0.5
        plane[is_set] = dice.integers(0, 4, int(is_set.sum()))
        layer.planes[spec.name] = plane
    return battlemap
