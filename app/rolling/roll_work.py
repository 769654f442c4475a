"""Rolling one request: plain functions for a job's thread."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from app.rolling.roll_request import RollRequest
from randomizer.batches.batch import RollsMany
from randomizer.forcing import force
from randomizer.generator import Base, DrawKey, Generated, Progress, run
from randomizer.model.problems import error


def roll(
    request: RollRequest, progress: Progress, cancelled: Callable[[], bool]
) -> Generated | None:
    """Roll what is requested; None if it was cancelled. Raises ProblemError as generators do."""
    generator = request.recipe.generator()
    settings, key, base, back = request.recipe.settings, request.key, request.base, request.back
    if request.forced:
        return force(generator, settings, key, base, progress, cancelled)
    # A map of another seed was shown before: the nearest map from it on that keeps the locks.
    backwards = base.locked and back is not None and key.seed == back.seed
    if backwards and isinstance(generator, RollsMany):
        one = np.array([key.number], np.uint64)
        if not _that_keep(generator, settings, key.seed, one, base).size:
            assert back is not None, "asked above"
            number = last_before(generator, settings, back, base, cancelled)
            if number is None:
                return None
            key = key._replace(number=number)
    return run(generator, settings, key, base, progress, cancelled)


FIRST_BLOCK, LARGEST_BLOCK = 64, 16_384
"""How many maps are rolled at once when one searches backwards: at first, and at most."""


def last_before(
    generator: RollsMany,
    settings: Mapping[str, object],
    key: DrawKey,
    base: Base,
    cancelled: Callable[[], bool] = lambda: False,
) -> int | None:
    """The number of the last map of the seed before ``key`` that keeps the locks.

    It is searched in blocks that grow. None if cancelled. Raises ProblemError if there is none.
    """
    end, block = key.number, FIRST_BLOCK
    while end > 0:
        if cancelled():
            return None
        numbers = np.arange(max(0, end - block), end, dtype=np.uint64)
        kept = _that_keep(generator, settings, key.seed, numbers, base)
        if kept.size:
            return int(kept[-1])
        end, block = int(numbers[0]), min(block * 4, LARGEST_BLOCK)
    raise error(
        "no-earlier-map", f"no map of seed {key.seed} before number {key.number} keeps the locks"
    )


def _that_keep(
    generator: RollsMany,
    settings: Mapping[str, object],
    seed: int,
    numbers: NDArray[np.uint64],
    base: Base,
) -> NDArray[np.uint64]:
    """Those of the numbers whose maps keep the locks."""
    sides = bool(base.locked_sides.any())
    batch = generator.roll_batch(settings, seed, numbers, base, hexsides=sides)
    return numbers[batch.keeps_locks()]
