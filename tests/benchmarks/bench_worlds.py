"""Worlds of Xconq: relief and moisture beside the plain roller, large worlds, terrain again."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from randomizer.model.rolls.draw_key import DrawKey
from randomizer.systems.xconq.world.classification import Limits, classify
from randomizer.systems.xconq.world.random_numbers import KeyedDraws
from randomizer.systems.xconq.world.relief import WorldSettings, relief_of
from tests.benchmarks.benchmark import Row, benchmark, cpu_s, min_ms
from tests.randomizer.systems.xconq.plain_world import original_rnd, plain_world

ROUGHNESS = ((80, 70), (96, 96), (100, 100))
"""Of relief and moisture: the usual one and the roughest."""

EXTREMES = (*ROUGHNESS, (0, 0), (99, 99))

LIMITS = Limits(
    np.array([0, 61, 61]), np.array([60, 100, 100]), np.array([0, 0, 41]), np.array([100, 40, 100])
)


@benchmark("worlds", full=(60, 200, 1000), tiny=(9, 12, 20))
def measure_worlds(sides: tuple[int, int, int]) -> Iterator[Row]:
    small_side, medium_side, large_side = sides
    # What is made once for all worlds does not count.
    KeyedDraws(DrawKey(1, 1)).below(2)
    relief_of(WorldSettings(9, 9, 50, 50), DrawKey(1, 0))
    longest_s = 0.0
    ratios = []
    for altitude, moisture in ROUGHNESS:
        settings = WorldSettings(small_side, small_side, altitude, moisture)
        plain_s = cpu_s(lambda settings=settings: plain_world(settings, original_rnd(2)))
        fast_s = min(world_s(settings, seed) for seed in (2, 3, 4))
        longest_s = max(longest_s, fast_s)
        ratios.append(plain_s / fast_s)
    yield Row("a small world (x the plain roller)", longest_s * 1000, "ms", min(ratios))
    for title, side in (("medium", medium_side), ("large", large_side)):
        usual = WorldSettings(side, side, 80, 70)
        yield Row(f"a {title} world, usual roughness", world_s(usual, 77), "s")
        settings_of_all = [WorldSettings(side, side, *roughness) for roughness in EXTREMES]
        longest_s = max(world_s(settings, 77) for settings in settings_of_all)
        yield Row(f"a {title} world, any roughness", longest_s, "s")
    relief = relief_of(WorldSettings(large_side, large_side, 80, 70), DrawKey(77, 0))
    terrain_ms = min_ms(lambda: classify(relief, LIMITS, edge=0))
    yield Row("terrain of a large world again", terrain_ms, "ms")


def world_s(settings: WorldSettings, seed: int) -> float:
    """Return the CPU time of a world, of the slower of both kinds of dice (original and keyed)."""
    original_s = cpu_s(lambda: relief_of(settings, DrawKey(seed, 0)))
    keyed_s = cpu_s(lambda: relief_of(settings, DrawKey(seed, 1)))
    return max(original_s, keyed_s)
