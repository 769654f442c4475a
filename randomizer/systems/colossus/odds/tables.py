"""The odds of a script as tables: the first after a thousand maps, each better than the last.

    for table in odds_tables(program, base, NO_LOCKS, sides=True, sources=False, seed=1):
        ...  # each is shown until the next one comes

The odds are the share of rolled maps on which a hex has a *state* (a terrain and an elevation), and
a hexside a value. Two classes share the work: ``Sample`` rolls maps and counts, by hex id; this
module says how many maps are rolled, and turns counts into tables of shares by cells of the grid::

    counts  (27, S)     hex id 14, Bog of elevation 0: on 512 of 1,024 maps
    shares  (36, S)     cell 15 (D4), Bog of elevation 0: 0.5

The generator passes the tables on to the panel of odds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

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

FIRST_TABLE_MAPS = 1_024
"""The number of maps of the first table. If it is larger, the first picture comes later."""


@dataclass(frozen=True, slots=True)
class SampleLimits:
    """The numbers of maps that are rolled for odds that get better and better."""

    step: int = 1 << 17
    """The largest number of maps between two tables.

    If it is larger, tables come less often than each second.
    """

    enough: int = 1 << 20
    """The number of counted maps that ends the sampling.

    The standard error of each chance is then 0.05 %; four times as many maps would halve it.
    """

    tries: int = 1 << 22
    """The number of rolled maps that ends the sampling, even if locks excluded most of them.

    If it is larger, scripts whose locks are hardly ever met are rolled for longer.
    """


LIMITS = SampleLimits()

_Value = TypeVar("_Value", bound=np.generic)
"""The type of the values of a table."""

_CELLS = np.array(CELL_OF_HEX)
"""(27,): the flat cell of each hex id."""


def odds_tables(
    program: Program,
    base: HexBase,
    locks: Locks,
    *,
    sides: bool,
    sources: bool,
    seed: int,
    limits: SampleLimits = LIMITS,
) -> Iterator[OddsTable]:
    """Yield the tables of ``BatchGenerator.odds`` for a program that is rolled onto ``base``.

    Each table has twice as many maps as the last, or ``limits.step`` more where that is less, until
    ``limits`` end it. Maps that break a lock, or for which ``roll`` raises, are rolled but not
    counted.

    A table has hexsides with ``sides``, and the AREAs that set each state with ``sources``. It has
    stages (the odds after each AREA) only without locks, and only if no list can hold more than 255
    hexes. Raises ProblemError if the locks are impossible, or if every roll fails.
    """
    _check_locks(program, base, locks)
    sample = Sample(program, base, seed, locks, count_sides=sides, count_by_area=sources)
    map_count = FIRST_TABLE_MAPS
    while True:
        yield _table_of_first_maps(sample, map_count)
        if sample.maps >= limits.enough or sample.tried >= limits.tries:
            return
        map_count += min(map_count, limits.step)


def table_of_maps(
    program: Program,
    base: HexBase,
    locks: Locks,
    map_count: int,
    *,
    sides: bool,
    sources: bool,
    seed: int,
) -> OddsTable:
    """Return the table of the first ``map_count`` maps of a seed, else as ``odds_tables`` does."""
    _check_locks(program, base, locks)
    sample = Sample(program, base, seed, locks, count_sides=sides, count_by_area=sources)
    return _table_of_first_maps(sample, map_count)


def _check_locks(program: Program, base: HexBase, locks: Locks) -> None:
    """Raise ProblemError if no map of the program can keep the locks."""
    impossible = impossible_locks(program, base, locks)
    if impossible:
        raise ProblemError(impossible)


def _table_of_first_maps(sample: Sample, map_count: int) -> OddsTable:
    """Continue a sample until it has rolled ``map_count`` maps in all, and return its table.

    Raises ProblemError if all rolls have failed.
    """
    sample.roll_up_to(map_count)
    if sample.failed == sample.tried:
        # Roll map 0 again to raise its error, which tells the reason.
        first_draws = KeyedDraws(sample.program, sample.seed, 0)
        roll(sample.program, first_draws, sample.base)
    return _table(sample)


def _table(sample: Sample) -> OddsTable:
    """Return the table of the maps counted so far."""
    counts = sample.counts
    maps = max(sample.maps, 1)  # no division by 0 if no map is counted
    origins = tuple(_origin(sample.program, statement) for statement in sample.areas)
    stages: list[Stage] = []
    if counts.stages is not None:
        for origin, counts_of_stage in zip(origins, counts.stages, strict=True):
            stages.append(Stage(origin, _on_grid(counts_of_stage / maps)))
    chances_of_sides = None
    if counts.sides is not None:
        chances_of_sides = _chances_of_sides(counts.sides, maps)
    chances_by_origin = None
    if counts.by_area is not None:
        chances_by_origin = _on_grid(counts.by_area / maps)
    return OddsTable(
        samples=sample.maps,
        tried=sample.tried,
        states=sample.states,
        chances=_on_grid(counts.hexes / maps),
        sides=chances_of_sides,
        stages=tuple(stages),
        origins=origins,
        sources=chances_by_origin,
        possible=_on_grid(sample.possible),
    )


def _chances_of_sides(
    counts_by_side: Mapping[tuple[int, int], Mapping[int, int]], maps: int
) -> dict[tuple[int, int], dict[int, float]]:
    """Return the chances by (cell, side) and plane value, without what never came up."""
    chances: dict[tuple[int, int], dict[int, float]] = {}
    for (hex_id, side), counts in counts_by_side.items():
        chances_of_side = {code: count / maps for code, count in counts.items() if count}
        if chances_of_side:
            chances[CELL_OF_HEX[hex_id], side] = chances_of_side
    return chances


def _on_grid(values: NDArray[_Value]) -> NDArray[_Value]:
    """Return values by hex id, (27, ...), by the flat cells of the grid; 0 where no hex is."""
    grid_values = np.zeros((GRID.size, *values.shape[1:]), values.dtype)
    grid_values[_CELLS] = values
    return grid_values


def _origin(program: Program, statement: int) -> Origin:
    """Return the place in the script of an AREA, by its index among the statements."""
    area = program.script.statements[statement]
    assert isinstance(area, Area), "only AREAs change hexes"
    return Origin(area.span.line, area.span.end_line, area.head)
