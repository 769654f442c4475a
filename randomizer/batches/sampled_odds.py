"""Odds of generators without exact odds: maps are rolled and counted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.batch import Batch, roll_batch
from randomizer.batches.odds_table import HasOdds, OddsTable, State
from randomizer.batches.single_rolls import RollsOutside
from randomizer.generator import Base, MapGenerator

MOST = 400
"""Known to 2.5 % at worst, one standard error: such generators take some milliseconds a map."""

CHUNK = 16
"""So many maps at most are rolled between two tables."""


def odds_of(generator: MapGenerator) -> HasOdds:
    """The generator itself if it ``HasOdds``, else a sampler of its maps."""
    return generator if isinstance(generator, HasOdds) else SampledOdds(generator)


@dataclass(frozen=True)
class SampledOdds:
    """Counts the maps of any generator. It gives no sides, sources or stages."""

    generator: MapGenerator

    @property
    def _chunk(self) -> int:
        """One map where each takes seconds."""
        return 1 if isinstance(self.generator, RollsOutside) else CHUNK

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
        """As ``HasOdds.odds``: tables of 1, 2, 4 ... up to ``MOST`` maps, or one of ``samples``.

        Maps in which the generator could not keep the locks are not counted. If the generator
        brings a grid, the cells are those of the first map, and maps of another size are not
        counted. Raises ProblemError as ``generate`` does.
        """
        counts: dict[State, NDArray[np.int64]] = {}
        counted = tried = size = 0
        while tried < (samples or MOST):
            more = min(samples - tried if samples else max(1, tried), self._chunk, MOST)
            numbers = np.arange(tried, tried + more, dtype=np.uint64)
            batch = roll_batch(self.generator, settings, seed, numbers, base, hexsides=False)
            size = size or batch.base.grid.size
            if batch.base.grid.size == size:
                counted += _count(batch, counts, size)
            tried += more
            base = batch.base  # codes of terrains that the roll brought stay, and so does its grid
            if not samples or tried >= samples:
                yield replace(_table(counts, counted, tried, size), terrain_set=base.terrain_set)


def _count(batch: Batch, counts: dict[State, NDArray[np.int64]], size: int) -> int:
    """Add the maps of a batch to the counts; returns how many were added."""
    rows = np.flatnonzero(~batch.failed)
    terrain, elevation = batch.terrain[rows], batch.elevation[rows]
    states = {*zip(terrain.ravel().tolist(), elevation.ravel().tolist(), strict=True)}
    for state in states:
        there = ((terrain == state[0]) & (elevation == state[1])).sum(axis=0)
        counts.setdefault(state, np.zeros(size, np.int64))[batch.cells] += there
    return len(rows)


def _table(
    counts: Mapping[State, NDArray[np.int64]], counted: int, tried: int, size: int
) -> OddsTable:
    states = tuple(sorted(counts))
    chances = np.zeros((size, len(states)))
    for column, state in enumerate(states):
        chances[:, column] = counts[state] / counted
    return OddsTable("sampled", counted, tried, states, chances)
