"""All variations of a landscape, and of one that is larger than a person would draw."""

from __future__ import annotations

from collections.abc import Iterator

from randomizer.generator_run import run
from randomizer.model.problems import ProblemError
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.roll_base import Base
from randomizer.systems.free.system import SYSTEM
from randomizer.variations.generator import variations_of
from tests.benchmarks.benchmark import Row, benchmark, cpu_s
from tests.randomizer.systems.free.landscape.rolled import roll, size_settings


@benchmark("variations", full=("60x40", "160x125"), tiny=("9x7", "12x9"))
def measure_variations(sizes: tuple[str, str]) -> Iterator[Row]:
    small_size, large_size = sizes
    yield Row("of a landscape", variations_s(small_size), "s")
    yield Row("of a large landscape", variations_s(large_size), "s")


def variations_s(size: str) -> float:
    """Return the CPU time of all variations of a seed; infinite if the map is refused."""
    battlemap = roll({"layout": "flat", **size_settings(size)}, seed=1)[1]
    generator = variations_of(SYSTEM)
    assert generator is not None
    base = Base.under(battlemap, len(battlemap.layers))
    try:
        return cpu_s(lambda: run(generator, {}, DrawKey(1, 0), base))
    except ProblemError as fault:
        if fault.problems[0].code == "variations-size":
            return float("inf")
        raise
