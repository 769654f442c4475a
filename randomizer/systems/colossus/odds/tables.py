"""The odds of a script as tables: the first after a thousand maps, each better than the last."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.odds_table import OddsTable, Origin, Stage
from randomizer.model.problems import ProblemError
from randomizer.systems.colossus.board import CELL_OF_HEX, GRID
from randomizer.systems.colossus.odds.sampled import Sample
from randomizer.systems.colossus.rolling.draws import KeyedDraws
from randomizer.systems.colossus.rolling.lock_problems import HexLocks, SideLocks, impossible_locks
from randomizer.systems.colossus.rolling.program import Program
from randomizer.systems.colossus.rolling.roller import HexBase, roll
from randomizer.systems.colossus.script.syntax import Area

FIRST = 1_024
"""The number of maps of the first table; with more the first picture would come later."""

STEP = 1 << 17
"""The most maps between two tables; with more a table would come less often than each second."""

ENOUGH = 1 << 20
"""So many counted maps end the sampling: each chance is then known to 0.05 % (standard error)."""

TRIES = 1 << 22
"""So many rolled maps end the sampling, even if locks excluded most of them."""

_CELLS = np.array(CELL_OF_HEX)


def odds_tables(
    program: Program,
    base: HexBase,
    hex_locks: HexLocks,
    side_locks: SideLocks,
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

    Each table has twice as many maps as the last, later ``step`` more. The last one has ``enough``
    maps that were counted, or ``tries`` maps that were rolled. Maps for which ``roll`` raises
    are not counted. There are no stages under locks, nor where a list can hold more than 255 hexes.
    """
    impossible = impossible_locks(program, base, hex_locks, side_locks)
    if impossible:
        raise ProblemError(impossible)
    sample = Sample(program, base, seed, hex_locks, side_locks, sides=sides, sources=sources)
    maps_to_try = samples or FIRST
    while True:
        sample.roll_up_to(maps_to_try)
        if sample.failed == sample.tried:
            roll(program, KeyedDraws(seed, 0), base)  # raises, with the reason
        yield _table(sample)
        if samples or sample.maps >= enough or sample.tried >= tries:
            return
        maps_to_try += min(maps_to_try, step)


def _table(sample: Sample) -> OddsTable:
    """Return the shares of the maps counted so far."""
    maps = max(sample.maps, 1)
    origins = tuple(_origin(sample.program, statement) for statement in sample.areas)
    stages: list[Stage] = []
    if sample.after is not None:
        for origin, counts in zip(origins, sample.after, strict=True):
            stages.append(Stage(origin, _on_grid(counts / maps)))
    return OddsTable(
        sample.maps,
        sample.tried,
        sample.states,
        _on_grid(sample.hexes / maps),
        None if sample.sides is None else _chances_of_sides(sample.sides, maps),
        tuple(stages),
        origins,
        None if sample.sources is None else _on_grid(sample.sources / maps),
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
    placed = np.zeros((GRID.size, *values.shape[1:]))
    placed[_CELLS] = values
    return placed


def _origin(program: Program, statement: int) -> Origin:
    area = program.script.statements[statement]
    assert isinstance(area, Area), "only AREAs change hexes"
    return Origin(area.span.line, area.span.end_line, area.head)
