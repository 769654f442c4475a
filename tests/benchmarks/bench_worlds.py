"""Worlds of Xconq: ``python -m tests.benchmarks.bench_worlds``.

How many times as fast as the plain roller relief and moisture are made, in CPU time; the CPU time
of larger worlds against its target; and that of giving a kept relief its terrain again.
"""

from __future__ import annotations

from time import process_time

import numpy as np

from randomizer.generator import DrawKey
from randomizer.systems.xconq.world.classification import Limits, classify
from randomizer.systems.xconq.world.random_numbers import KeyedDraws
from randomizer.systems.xconq.world.relief import WorldSettings, relief_of
from tests.randomizer.systems.xconq.plain_world import original_rnd, plain_world

RATIOS = ((60, 80, 70), (60, 96, 96), (60, 100, 100), (200, 80, 70))
TARGETS_S = {
    (60, 80, 70): 0.1,
    (60, 96, 96): 0.5,
    (60, 0, 0): 0.5,
    (200, 80, 70): 0.15,
    (200, 99, 99): 10.0,
    (1000, 80, 70): 1.5,
    (1000, 0, 0): 10.0,
    (1000, 99, 99): 10.0,
    (1000, 100, 100): 10.0,
}
LIMITS = Limits(
    *(np.array(row) for row in ([0, 61, 61], [60, 100, 100], [0, 0, 41], [100, 40, 100]))
)


def world_s(settings: WorldSettings, key: DrawKey) -> float:
    """The CPU time of a world that is not kept."""
    before = process_time()
    relief_of(settings, key)
    return process_time() - before


def main() -> None:
    """Print all of them."""
    KeyedDraws(DrawKey(1, 1)).below(2)
    relief_of(WorldSettings(9, 9, 50, 50), DrawKey(1, 0))
    for size, alt, wet in RATIOS:
        settings = WorldSettings(size, size, alt, wet)
        before = process_time()
        plain_world(settings, original_rnd(2))
        plain = process_time() - before
        fast = min(world_s(settings, DrawKey(seed, 0)) for seed in (2, 3, 4))
        print(f"{size}x{size} roughness {alt}/{wet}: {plain / fast:.0f} times as fast as plain")
    for (size, alt, wet), target in TARGETS_S.items():
        settings = WorldSettings(size, size, alt, wet)
        for number, dice in enumerate(("original", "keyed")):
            spent = world_s(settings, DrawKey(77, number))
            share = spent / target
            print(f"{size}x{size} {alt}/{wet} {dice}: {1000 * spent:.0f} ms, {share:.0%} of target")
    relief = relief_of(WorldSettings(1000, 1000, 80, 70), DrawKey(77, 0))
    for again in ("first", "again"):
        before = process_time()
        classify(relief, LIMITS, edge=0)
        print(f"1000x1000 terrain, {again}: {1000 * (process_time() - before):.1f} ms")


if __name__ == "__main__":
    main()
