"""The odds of a script as tables: the first after a thousand maps, each better than the last.

    for table in odds_tables(program, base, NO_LOCKS, sides=True, sources=False, samples=0, seed=1):
        ...  # each is shown until the next one comes

The odds are the share of rolled maps on which a hex has a terrain and elevation, and a hexside a
value. ``Sample`` rolls the maps and counts; this module turns its counts, which are by hex id, into
tables of shares by cells of the grid. The generator passes them on to the panel of odds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.odds_table import OddsTable, Origin, Stage
from randomizer.model.problems import ProblemError
from randomizer.systems.colossus.board import CELL_OF_HEX, GRID
from randomizer.systems.colossus.odds.sampled import Sample
from randomizer.systems.colossus.rolling.draws import KeyedDraws
from randomizer.systems.colossus.rolling.hex_locks import Locks
from randomizer.systems.colossus.rolling.lock_problems import impossible_locks
from randomizer.systems.colossus.rolling.program import Program
from randomizer.systems.colossus.rolling.roller import HexBase, roll
from randomizer.systems.colossus.script.syntax import Area

FIRST = 1_024
"""The number of maps of the first table. If it is larger, the first picture comes later."""

STEP = 1 << 17
"""The largest number of maps between two tables.

If it is larger, tables come less often than each second.
"""

ENOUGH = 1 << 20
"""The number of counted maps that ends the sampling.

The standard error of each chance is then 0.05 %; four times as many maps would halve it.
"""

TRIES = 1 << 22
"""The number of rolled maps that ends the sampling, even if locks excluded most of them.

If it is larger, scripts whose locks are hardly ever met are rolled for longer.
"""

_CELLS = np.array(CELL_OF_HEX)


def odds_tables(
    program: Program,
    base: HexBase,
    locks: Locks,
    *,
    sides: bool,
    sources: bool,
    samples: int,
    seed: int,
    step: int = STEP,
    enough: int = ENOUGH,
    tries: int = TRIES,
) -> Iterator[OddsTable]:
    """Yield the tables of ``BatchGenerator.odds`` for a program that is rolled onto ``base``.

    Each table has twice as many maps as the last; later ones have ``step`` maps more. The last one
    has ``enough`` maps that were counted, or ``tries`` maps that were rolled. If ``samples`` is not
    0, there is one table, of so many maps. Maps that break a lock, or for which ``roll`` raises,
    are not counted.

    A table has stages (the odds after each AREA) only without locks, and only if no list can hold
    more than 255 hexes. Raises ProblemError if the locks are impossible, or if every roll fails.
    """
    impossible = impossible_locks(program, base, locks)
    if impossible:
        raise ProblemError(impossible)
    sample = Sample(program, base, seed, locks, count_sides=sides, count_sources=sources)
    maps_to_try = samples or FIRST
    while True:
        sample.roll_up_to(maps_to_try)
        if sample.failed == sample.tried:
            roll(program, KeyedDraws(program, seed, 0), base)  # raises, with the reason
        yield _table(sample)
        if samples or sample.maps >= enough or sample.tried >= tries:
            return
        maps_to_try += min(maps_to_try, step)


def _table(sample: Sample) -> OddsTable:
    """Return the table of the maps counted so far."""
    maps = max(sample.maps, 1)  # no division by 0 if no map is counted
    origins = tuple(_origin(sample.program, statement) for statement in sample.areas)
    stages: list[Stage] = []
    if sample.stages is not None:
        for origin, counts in zip(origins, sample.stages, strict=True):
            stages.append(Stage(origin, _on_grid(counts / maps)))
    chances_of_sides = None
    if sample.sides is not None:
        chances_of_sides = _chances_of_sides(sample.sides, maps)
    chances_by_origin = None
    if sample.sources is not None:
        chances_by_origin = _on_grid(sample.sources / maps)
    return OddsTable(
        sample.maps,
        sample.tried,
        sample.states,
        _on_grid(sample.hexes / maps),
        sides=chances_of_sides,
        stages=tuple(stages),
        origins=origins,
        sources=chances_by_origin,
        possible=_on_grid(sample.possible).astype(np.bool_),
    )


def _chances_of_sides(
    counts_by_side: Mapping[tuple[int, int], Mapping[int, int]], maps: int
) -> dict[tuple[int, int], dict[int, float]]:
    """Return the chances by (cell, side) and plane value, without what never came up."""
    chances: dict[tuple[int, int], dict[int, float]] = {}
    for (number, side), counts in counts_by_side.items():
        row = {code: count / maps for code, count in counts.items() if count}
        if row:
            chances[CELL_OF_HEX[number], side] = row
    return chances


def _on_grid(values: NDArray[np.generic]) -> NDArray[np.float64]:
    """Return values by hex id, moved to the flat cells of the grid; 0 where no hex is."""
    grid_values = np.zeros((GRID.size, *values.shape[1:]))
    grid_values[_CELLS] = values
    return grid_values


def _origin(program: Program, statement: int) -> Origin:
    """Return the place in the script of an AREA, by its index among the statements."""
    area = program.script.statements[statement]
    assert isinstance(area, Area), "only AREAs change hexes"
    return Origin(area.span.line, area.span.end_line, area.head)
