"""Sampled odds: counts over many maps of a script, of all or of those that keep the locks.

Counts are added map by map, so a table depends on the seed and the number of maps, not on the
chunks they are rolled in.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.colossus.board import HEX_COUNT, NEIGHBOURS
from randomizer.systems.colossus.rolling.batch_roller import CHUNK, ROW_LIMIT, Rows
from randomizer.systems.colossus.rolling.batch_sides import mark_sides
from randomizer.systems.colossus.rolling.draws import KeyedDraws
from randomizer.systems.colossus.rolling.lock_problems import HexLocks, SideLocks, reachable_states
from randomizer.systems.colossus.rolling.locks import maps_keeping_locks
from randomizer.systems.colossus.rolling.program import (
    AreaStep,
    Program,
    StartStep,
    longest_list,
    needed_steps,
    state_of,
)
from randomizer.systems.colossus.rolling.roller import HexBase, place_hexes

Numbers = NDArray[np.uint64]
Bytes = NDArray[np.uint8]
Counts = NDArray[np.int64]


def may_fail(program: Program) -> bool:
    """Return whether a roll can place an unknown hazard."""
    return any(
        placing.terrain < 0 and placing.chance > 0
        for step in program.steps
        if isinstance(step, AreaStep)
        for placing in step.placings
    )


class Sample:
    """Counts over the first maps of a seed, ``chunk`` at a time, continued by ``roll_up_to``."""

    def __init__(
        self,
        program: Program,
        base: HexBase,
        seed: int,
        hex_locks: HexLocks,
        side_locks: SideLocks,
        *,
        sides: bool,
        sources: bool,
        chunk: int = CHUNK,
    ) -> None:
        self.program = program
        self.base = base
        self.seed = seed
        self._chunk = chunk
        self._hex_locks = hex_locks
        self._side_locks = side_locks
        self._steps = [s for s in needed_steps(program) if not isinstance(s[0], StartStep)]
        areas = [step for step, _needed in self._steps if isinstance(step, AreaStep)]
        self._fits_rows = longest_list(program) <= ROW_LIMIT
        # Where all maps are counted, none has to be complete before it is counted.
        locked = bool(hex_locks or side_locks)
        self._all_count = self._fits_rows and not locked and not may_fail(program)
        self._codes = {
            code for row in program.pairs for c in (row or {}).values() for code in c.codes
        }
        reach = reachable_states(program, base)
        self.states = tuple(sorted(set().union(*reach)))
        """The S states, terrain and elevation, that some hex can have."""
        columns = {state: (state_of(*state), column) for column, state in enumerate(self.states)}
        # For every hex the states of its row, and where they are counted.
        self._reach = [[columns[state] for state in states] for states in reach]
        self.areas = tuple(step.statement for step in areas)
        """The numbers of the AREA statements."""
        shape = (HEX_COUNT, len(self.states))
        self.possible = np.zeros(shape, np.bool_)
        """(27, S): whether some list of the script lets a hex have a state."""
        for number, states in enumerate(self._reach):
            for _code, column in states:
                self.possible[number, column] = True
        self.tried = 0
        """How many maps have been rolled."""
        self.failed = 0
        """How many of them cannot be made."""
        self.maps = 0
        """How many of the others have the locked values: these are counted."""
        self.hexes = np.zeros(shape, np.int64)
        """(27, S): on how many maps a hex has a state."""
        self.sides: dict[tuple[int, int], dict[int, int]] | None = {} if sides else None
        """By hex id and side how many maps have a plane value but 0; None: not requested."""
        self.sources = np.zeros((*shape, len(areas) + 1), np.int64) if sources else None
        """(27, S, O): the states by AREA, last the map below; None: not requested."""
        follows = self._fits_rows and not locked
        self.after = np.zeros((len(areas), *shape), np.int64) if follows else None
        """(O - 1, 27, S): the states after each AREA.

        None under locks, and where a list can be too long to be counted in rows.
        """

    def roll_up_to(self, tried: int) -> None:
        """Continue until ``tried`` maps have been rolled."""
        while self.tried < tried:
            last = min(self.tried + self._chunk, tried)
            numbers = np.arange(self.tried, last, dtype=np.uint64)
            if self._all_count:
                eligible = numbers
            else:
                eligible = self._eligible(numbers)
            if eligible.size:
                self._count(eligible)
            self.tried = last
            self.maps += eligible.size

    # --- rolling ------------------------------------------------------------------------------

    def _eligible(self, numbers: Numbers) -> Numbers:
        """Return the maps that do not fail and have the locked values."""
        keeps, failed = maps_keeping_locks(
            self.program, self.base, self.seed, numbers, self._hex_locks, self._side_locks
        )
        self.failed += failed
        return numbers[keeps]

    def _count(self, numbers: Numbers) -> None:
        states, origins = self._rolled(numbers)
        self._add(self.hexes, states, range(HEX_COUNT))
        if self.sides is not None:
            self._add_sides(self._marked(numbers, states))
        if self.sources is not None:
            assert origins is not None
            below = len(self.areas)
            for number, reach in enumerate(self._reach):
                both = np.bincount(
                    origins[number] * np.intp(256) + states[number], minlength=256 * (below + 1)
                )
                by_area = np.roll(both.reshape(-1, 256), -1, 0)  # the map below comes last
                for state, column in reach:
                    self.sources[number, column] += by_area[:, state]

    def _rolled(self, numbers: Numbers) -> tuple[Bytes, NDArray[np.uint16] | None]:
        """Return states and, if requested, origins (27, n); count the stages meanwhile."""
        if not self._fits_rows:
            return self._rolled_one_by_one(numbers)
        wants_origins = self.sources is not None
        rows = Rows(self.program, self.base, self.seed, numbers, origins=wants_origins)
        now = np.zeros_like(self.hexes)
        if self.after is not None:
            self._add(now, rows.states, range(HEX_COUNT))
        for step, needed in self._steps:
            hexes = rows.take(step, needed)
            if self.after is not None and isinstance(step, AreaStep):
                now[list(hexes)] = 0
                self._add(now, rows.states, hexes)
                self.after[rows.areas_done - 1] += now
        return rows.states, rows.origins

    def _rolled_one_by_one(self, numbers: Numbers) -> tuple[Bytes, NDArray[np.uint16]]:
        states = np.zeros((HEX_COUNT, numbers.size), np.uint8)
        origins = np.zeros((HEX_COUNT, numbers.size), np.uint16)
        places = {-1: 0, **{statement: n for n, statement in enumerate(self.areas, 1)}}
        draws = KeyedDraws(self.seed, 0)
        for column, number in enumerate(numbers.tolist()):
            draws.number = number
            draws.start(self.program)
            rolled = place_hexes(self.program, draws, self.base)
            states[:, column] = list(map(state_of, rolled.terrain, rolled.elevation))
            origins[:, column] = [places[statement] for statement in rolled.origin]
        return states, origins

    def _marked(self, numbers: Numbers, states: Bytes) -> Bytes:
        """Return the hexsides (27, 6, n)."""
        hexside = np.empty((HEX_COUNT, 6, numbers.size), np.uint8)
        mark_sides(self.program, self.seed, numbers, states, hexside, self.base)
        return hexside

    # --- counting -----------------------------------------------------------------------------

    def _add(self, counts: Counts, states: Bytes, hexes: Iterable[int]) -> None:
        for number in hexes:
            row = states[number]
            for state, column in self._reach[number]:
                counts[number, column] += np.count_nonzero(row == state)

    def _add_sides(self, hexside: Bytes) -> None:
        assert self.sides is not None
        for number, below in enumerate(self.base.hexside):
            for side, other in enumerate(NEIGHBOURS[number]):
                seen = self.sides.setdefault((number, side), {})
                codes = {below[side]}
                if other >= 0:
                    codes |= self._codes
                for code in codes - {0}:
                    hits = np.count_nonzero(hexside[number, side] == code)
                    seen[code] = seen.get(code, 0) + int(hits)
