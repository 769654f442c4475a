"""The odds of a script as tables: exact where the work is small enough, else sampled."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.odds_table import OddsTable, Origin, Stage
from randomizer.model.problems import ProblemError
from randomizer.systems.colossus.board import CELL_OF_HEX, GRID
from randomizer.systems.colossus.odds.exact import WORK_LIMIT, TooLarge, exact_odds
from randomizer.systems.colossus.odds.sampled import Sample, may_fail
from randomizer.systems.colossus.rolling.draws import KeyedDraws
from randomizer.systems.colossus.rolling.lock_problems import HexLocks, SideLocks, impossible_locks
from randomizer.systems.colossus.rolling.program import AreaStep, Program
from randomizer.systems.colossus.rolling.roller import HexBase, roll
from randomizer.systems.colossus.script.syntax import Area

QUICK_WORK = 250_000
"""In chances as WORK_LIMIT: more than that comes after a first sampled table."""
FIRST = 1_024
"""The number of maps of the first sampled table."""
STEP = 1 << 17
"""The most maps between two tables, until there are ENOUGH, or TRIES were rolled."""
ENOUGH = 1 << 20
TRIES = 1 << 22

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
) -> Iterator[OddsTable]:
    """``HasOdds.odds`` of a program rolled onto ``base``.

    Sampled tables have twice as many maps each, later STEP more each. Maps for which ``roll``
    raises are not counted. Sampled odds have no stages under locks, nor where a list can hold more
    than 255 hexes.
    """
    impossible = impossible_locks(program, base, hex_locks, side_locks)
    if impossible:
        raise ProblemError(impossible)
    may_be_exact = not (samples or hex_locks or side_locks or may_fail(program))
    if may_be_exact and (table := _exact_table(program, base, QUICK_WORK, sides, sources)):
        yield table
        return
    sample = Sample(program, base, seed, hex_locks, side_locks, sides=sides, sources=sources)
    tried = samples or FIRST
    while True:
        sample.roll_up_to(tried)
        if sample.failed == sample.tried:
            roll(program, KeyedDraws(seed, 0), base)  # raises, with the reason
        yield _sampled_table(sample)
        if samples or sample.maps >= ENOUGH or sample.tried >= TRIES:
            return
        if may_be_exact:
            may_be_exact = False
            if table := _exact_table(program, base, WORK_LIMIT, sides, sources):
                yield table
                return
        tried += min(tried, STEP)


def _exact_table(
    program: Program, base: HexBase, limit: int, sides: bool, sources: bool
) -> OddsTable | None:
    """The exact table, None if it takes more work than ``limit``."""
    odds = exact_odds(program, base, limit, sides=sides, by_statement=sources)
    if isinstance(odds, TooLarge):
        return None
    odds_of_sides = odds.sides
    states = tuple(dict.fromkeys(odds.states))
    merged = np.array([[state == column for state in states] for column in odds.states], np.float64)
    areas = [step.statement for step in program.steps if isinstance(step, AreaStep)]
    by_area = None
    if sources:
        placed_by = np.array([*areas, -1]) == np.array(odds.placed_by)[:, None]
        by_area = np.einsum("hc,cs,co->hso", odds.hexes, merged, placed_by)
    return OddsTable(
        "exact",
        0,
        0,
        states,
        _on_grid(odds.hexes @ merged),
        None
        if odds_of_sides is None
        else {(CELL_OF_HEX[h], s): row for (h, s), row in odds_of_sides.items()},
        tuple(Stage(_origin(program, at), _on_grid(then @ merged)) for at, then in odds.after),
        tuple(_origin(program, at) for at in areas),
        None if by_area is None else _on_grid(by_area),
    )


def _sampled_table(sample: Sample) -> OddsTable:
    program, maps = sample.program, max(sample.maps, 1)
    origins = tuple(_origin(program, statement) for statement in sample.areas)
    sides = None if sample.sides is None else sample.sides.items()
    return OddsTable(
        "sampled",
        sample.maps,
        sample.tried,
        sample.states,
        _on_grid(sample.hexes / maps),
        None
        if sides is None
        else {
            (CELL_OF_HEX[number], side): {code: count / maps for code, count in present.items()}
            for (number, side), seen in sides
            if (present := {code: count for code, count in seen.items() if count})
        },
        tuple(
            Stage(origin, _on_grid(counts / maps))
            for origin, counts in zip(origins, sample.after, strict=True)
        )
        if sample.after is not None
        else (),
        origins,
        None if sample.sources is None else _on_grid(sample.sources / maps),
    )


def _on_grid(chances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Values by hex id, moved to the flat cells of the grid."""
    placed = np.zeros((GRID.size, *chances.shape[1:]))
    placed[_CELLS] = chances
    return placed


def _origin(program: Program, statement: int) -> Origin:
    area = program.script.statements[statement]
    assert isinstance(area, Area), "only AREAs change hexes"
    return Origin(area.span.line, area.span.end_line, area.head)
