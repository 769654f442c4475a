"""Odds of generators that cannot compute them: maps are rolled, one by one, and counted.

Callers begin with ``odds_of``, which returns what tells the odds of a generator::

    for table in odds_of(generator).odds(settings, base):     # of 1, 2, 4, 8, 16, 32 ... maps
        show(table)
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.batch import Batch
from randomizer.batches.batch_generator import BatchGenerator
from randomizer.batches.map_stream import MapStream
from randomizer.batches.odds_table import OddsTable, State
from randomizer.generator import MapGenerator
from randomizer.model.terrain.terrain import TerrainSet
from randomizer.roll_base import Base

MAP_COUNT = 400
"""The most maps that are counted.

Of 400 maps a chance has a standard error of 2.5 points at worst; more would take too long, as most
of these generators need some milliseconds a map.
"""

CHUNK = 16
"""The most maps between two tables; with a larger number the shown odds would change less often."""


def odds_of(generator: MapGenerator) -> BatchGenerator | SampledOdds:
    """Return what tells the odds of a generator: itself, or a sampler of its maps."""
    if isinstance(generator, BatchGenerator) and generator.tells_odds:
        return generator
    return SampledOdds(generator)


@dataclass(frozen=True)
class SampledOdds:
    """Counts maps of any generator. Its tables have no sides, sources or stages."""

    generator: MapGenerator

    map_count: int = MAP_COUNT
    """The most maps that are counted."""

    def odds(
        self,
        settings: Mapping[str, object],
        base: Base,
        *,
        sides: bool = False,
        sources: bool = False,
        seed: int = 0,
    ) -> Iterator[OddsTable]:
        """Yield tables of 1, 2, 4 ... maps, as ``BatchGenerator.odds``.

        Maps in which the generator could not keep the locks are not counted. If the generator
        brings a grid, the cells are those of the first map, and maps of another size are not
        counted. Raises ProblemError as ``generate`` does.
        """
        with closing(self._growing_counts(settings, base, seed, self.map_count)) as growing_counts:
            for counts in growing_counts:
                is_last = counts.tried == self.map_count
                if not is_last and not self._is_table_due(counts.tried):
                    continue
                # A table of no maps tells, under locks, that none has kept them so far. Without
                # locks it tells nothing: if no map can be made, the stream raises the reason.
                if counts.counted or base.locked:
                    yield counts.table()

    def odds_of_maps(
        self,
        settings: Mapping[str, object],
        base: Base,
        map_count: int,
        *,
        sides: bool = False,
        sources: bool = False,
        seed: int = 0,
    ) -> OddsTable:
        """Return the table of the first ``map_count`` maps of the seed, counted as by ``odds``."""
        for counts in self._growing_counts(settings, base, seed, map_count):
            last_counts = counts
        return last_counts.table()

    def _growing_counts(
        self, settings: Mapping[str, object], base: Base, seed: int, map_count: int
    ) -> Generator[_StateCounts, None, None]:
        """Roll ``map_count`` maps and count them; yield the same counts after each block of them.

        Raises ProblemError as ``MapStream.blocks`` does.
        """
        counts = _StateCounts(base.grid.size)
        stream = MapStream(self.generator, settings, base, seed)
        with closing(
            stream.blocks(range(map_count), hexsides=False, largest_block=CHUNK, same_grid=True)
        ) as blocks:
            for batch in blocks:
                counts.add(batch)
                yield counts

    def _is_table_due(self, tried: int) -> bool:
        """Return whether a better table is worth showing after so many maps."""
        if self.generator.rolls_outside:  # each map takes seconds
            return True
        is_power_of_two = tried.bit_count() == 1
        return is_power_of_two or tried % CHUNK == 0


class _StateCounts:
    """Counts how often each cell has each state, over maps of the same number of cells."""

    def __init__(self, cell_count: int) -> None:
        """Count no map yet; ``cell_count`` is that of a table that is asked for before the first.

        The first map that was made decides: a generator can bring another grid than its base has.
        """
        self._cell_count = cell_count
        self._terrain_set: TerrainSet | None = None
        """The terrains of the last batch, which has those of all before it; None before ``add``."""
        self._counts: dict[State, NDArray[np.int64]] = {}
        """For each state the number of maps in which each cell has it, (cells,)."""
        self.tried = 0
        """The number of maps that were rolled."""
        self.counted = 0
        """The number of those that were made and have as many cells as the first one made."""

    def add(self, batch: Batch) -> None:
        """Count the maps of a batch that were made and have as many cells as the first one made."""
        self.tried += len(batch)
        self._terrain_set = batch.base.terrain_set
        rows = np.flatnonzero(~batch.failed)
        if not len(rows):
            return  # a batch of a failed map has the grid of the base, which says nothing
        if self.counted == 0:
            self._cell_count = batch.base.grid.size
        if batch.base.grid.size != self._cell_count:
            return
        terrain = batch.terrain[rows]
        elevation = batch.elevation[rows]
        states = {*zip(terrain.ravel().tolist(), elevation.ravel().tolist(), strict=True)}
        for state in states:
            terrain_of_state, elevation_of_state = state
            has_state = (terrain == terrain_of_state) & (elevation == elevation_of_state)
            hits = has_state.sum(axis=0)
            counts = self._counts.setdefault(state, np.zeros(self._cell_count, np.int64))
            counts[batch.cells] += hits
        self.counted += len(rows)

    def table(self) -> OddsTable:
        """Return the table of the maps counted so far; without a state if there are none."""
        states = tuple(sorted(self._counts))
        chances = np.zeros((self._cell_count, len(states)))
        for column, state in enumerate(states):
            chances[:, column] = self._counts[state] / self.counted
        return OddsTable(self.counted, self.tried, states, chances, terrain_set=self._terrain_set)
