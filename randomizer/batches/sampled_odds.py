"""Odds of generators that make one map after the other: maps are rolled and counted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.batch import Batch
from randomizer.batches.batch_generator import BatchGenerator
from randomizer.batches.map_stream import MapStream
from randomizer.batches.odds_table import OddsTable, State
from randomizer.generator import Base, MapGenerator

MOST = 400
"""Known to 2.5 % at worst, one standard error: such generators take some milliseconds a map."""

CHUNK = 16
"""So many maps at most are rolled between two tables."""


def odds_of(generator: MapGenerator) -> BatchGenerator | SampledOdds:
    """Return what tells the odds of a generator: itself, or a sampler of its maps."""
    if isinstance(generator, BatchGenerator) and generator.tells_odds:
        return generator
    return SampledOdds(generator)


@dataclass(frozen=True)
class SampledOdds:
    """Counts ``maps`` maps of any generator. It gives no sides, sources or stages."""

    generator: MapGenerator
    maps: int = MOST

    def odds(
        self,
        settings: Mapping[str, object],
        base: Base,
        *,
        sides: bool = False,
        sources: bool = False,
        samples: int = 0,
        seed: int = 0,
    ) -> Iterator[OddsTable]:
        """Yield ``BatchGenerator.odds``: of 1, 2, 4 ... ``maps`` maps, or one table of ``samples``.

        Maps in which the generator could not keep the locks are not counted. If the generator
        brings a grid, the cells are those of the first map, and maps of another size are not
        counted. Raises ProblemError as ``generate`` does.
        """
        counts: dict[State, NDArray[np.int64]] = {}
        counted = tried = size = 0
        often = self.generator.rolls_outside  # each map takes seconds
        end = samples or self.maps
        stream = MapStream(self.generator, settings, base, seed)
        with closing(stream.blocks(range(end), hexsides=False, most=CHUNK, alike=True)) as blocks:
            for batch in blocks:
                ground = batch.base
                size = size or ground.grid.size
                if ground.grid.size == size:
                    counted += _count(batch, counts, size)
                tried += len(batch)
                better = often or tried % CHUNK == 0 or tried.bit_count() == 1
                tells = bool(counted) or base.locked  # the reason follows if no map can be made
                if tells and (tried == end or (better and not samples)):
                    table = _table(counts, counted, tried, size)
                    yield replace(table, terrain_set=ground.terrain_set)


def _count(batch: Batch, counts: dict[State, NDArray[np.int64]], size: int) -> int:
    """Add the maps of a batch to the counts; returns how many were added."""
    rows = np.flatnonzero(~batch.failed)
    terrain = batch.terrain[rows]
    elevation = batch.elevation[rows]
    states = {*zip(terrain.ravel().tolist(), elevation.ravel().tolist(), strict=True)}
    for state in states:
        hits = ((terrain == state[0]) & (elevation == state[1])).sum(axis=0)
        counts.setdefault(state, np.zeros(size, np.int64))[batch.cells] += hits
    return len(rows)


def _table(
    counts: Mapping[State, NDArray[np.int64]], counted: int, tried: int, size: int
) -> OddsTable:
    states = tuple(sorted(counts))
    chances = np.zeros((size, len(states)))
    for column, state in enumerate(states):
        chances[:, column] = counts[state] / counted
    return OddsTable(counted, tried, states, chances)
