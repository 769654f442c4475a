"""Many maps in one batch, of generators too that make one after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.batch import Batch
from randomizer.batches.map_stream import MapStream
from randomizer.generator import MapGenerator
from randomizer.roll_base import Base


def roll_batch(
    generator: MapGenerator,
    settings: Mapping[str, object],
    seed: int,
    numbers: NDArray[np.uint64],
    base: Base,
    *,
    hexsides: bool = True,
) -> Batch:
    """Maps ``numbers`` of ``seed`` as one batch; single maps must be alike in grid and terrains."""
    stream = MapStream(generator, settings, base, seed)
    if stream.makes_many:
        return stream.roll(numbers, hexsides=hexsides)
    singles = [
        batch for number in numbers.tolist() for batch in stream.blocks(range(number, number + 1))
    ]
    return joined(singles)


def joined(singles: Sequence[Batch]) -> Batch:
    """Batches of one map each as one batch."""
    first = singles[0]

    def rows(name: str) -> NDArray[np.generic]:
        return np.concatenate([getattr(each, name) for each in singles])

    return replace(
        first,
        numbers=rows("numbers"),
        terrain=rows("terrain"),
        elevation=rows("elevation"),
        hexside=None if first.hexside is None else rows("hexside"),
        failed=rows("failed"),
        problems=(),
        others={
            name: np.concatenate([each.others[name] for each in singles]) for name in first.others
        },
        measured={
            name: np.concatenate([each.measured[name] for each in singles])
            for name in first.measured
        },
    )
