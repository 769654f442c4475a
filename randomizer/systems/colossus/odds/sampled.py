"""Sampled odds: counts over many maps of a script, of all or of those that keep the locks.

Counts are added map by map, so a table depends on the seed and the number of maps, not on the
chunks they are rolled in.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

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
    LabelStep,
    Program,
    StartStep,
    longest_list,
    needed_steps,
    state_of,
)
from randomizer.systems.colossus.rolling.roller import HexBase, place_hexes

Numbers = NDArray[np.uint64]
"""The numbers of maps of a seed, shape (n,)."""

Bytes = NDArray[np.uint8]
Origins = NDArray[np.uint16]
Counts = NDArray[np.int64]


def may_fail(program: Program) -> bool:
    """Return whether a roll can place a hazard that the game does not have."""
    for step in program.steps:
        if not isinstance(step, AreaStep):
            continue
        for placing in step.placings:
            if placing.terrain < 0 and placing.chance > 0:
                return True
    return False


class StateColumn(NamedTuple):
    """A state that a hex can have.

    As a pair, terrain and elevation, it is in ``Sample.states``.
    """

    state: int
    """Terrain and elevation as one byte: see ``state_of``."""

    column: int
    """Where its counts are: the index in ``Sample.states``."""


class Sample:
    """Counts over the first maps of a seed, continued by ``roll_up_to``.

    For instance ``sample.hexes[number, column] / sample.maps`` is the chance that a hex has the
    state ``sample.states[column]``.
    """

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
        """Count maps of ``program`` over the map ``base``, hexsides and ``sources`` on request.

        ``chunk`` maps are rolled at once: larger ones need more memory, and the counts are the
        same.
        """
        self.program = program
        self.base = base
        self.seed = seed
        self._hex_locks = hex_locks
        self._side_locks = side_locks
        self._chunk = chunk

        self._steps = _steps_on_hexes(program)
        """The steps that change hexes or labels, with the labels that are still read after each."""

        self.areas = tuple(
            step.statement for step, _labels_read in self._steps if isinstance(step, AreaStep)
        )
        """The numbers of the AREA statements."""

        self._hexside_codes = _hexside_codes(program)
        """The plane values that the script can give to hexsides."""

        states_of_hexes = reachable_states(program, base)
        self.states = tuple(sorted(set().union(*states_of_hexes)))
        """The S states, terrain and elevation, that some hex can have."""

        self._state_columns = _state_columns(self.states, states_of_hexes)
        """By hex id the states that the hex can have."""

        self._fits_rows = longest_list(program) <= ROW_LIMIT
        """Whether many maps can be rolled at once: see ``Rows``."""

        has_locks = bool(hex_locks or side_locks)
        self._counts_all_maps = self._fits_rows and not has_locks and not may_fail(program)
        """Whether maps are counted without being completed first, since none is left out."""

        self.tried = 0
        """The number of maps that have been rolled."""

        self.failed = 0
        """The number of them that cannot be made: ``roll`` raises for them."""

        self.maps = 0
        """The number of the others that have the locked values: these are counted."""

        shape = (HEX_COUNT, len(self.states))
        self.possible = _possible_states(shape, self._state_columns)
        """(27, S): whether some list of the script lets a hex have a state."""

        self.hexes = np.zeros(shape, np.int64)
        """(27, S): the number of maps on which a hex has a state."""

        self.sides: dict[tuple[int, int], dict[int, int]] | None = None
        """By hex id and side the number of maps with each plane value but 0.

        None if it was not requested.
        """
        if sides:
            self.sides = {}

        self.sources: Counts | None = None
        """(27, S, O): the states by the AREA that set them, last those of the map below.

        None if it was not requested.
        """
        if sources:
            self.sources = np.zeros((*shape, len(self.areas) + 1), np.int64)

        self.stages: Counts | None = None
        """(O - 1, 27, S): the states after each AREA.

        None under locks, and where a list can be too long to be counted in rows.
        """
        if self._fits_rows and not has_locks:
            self.stages = np.zeros((len(self.areas), *shape), np.int64)

    def roll_up_to(self, tried: int) -> None:
        """Continue until ``tried`` maps have been rolled."""
        while self.tried < tried:
            next_tried = min(self.tried + self._chunk, tried)
            numbers = np.arange(self.tried, next_tried, dtype=np.uint64)
            if not self._counts_all_maps:
                numbers = self._eligible(numbers)
            if numbers.size:
                self._count(numbers)
            self.tried = next_tried
            self.maps += numbers.size

    # --- rolling ------------------------------------------------------------------------------

    def _eligible(self, numbers: Numbers) -> Numbers:
        """Return the maps that do not fail and have the locked values; count those that fail."""
        keep_locks, failed = maps_keeping_locks(
            self.program, self.base, self.seed, numbers, self._hex_locks, self._side_locks
        )
        self.failed += failed
        return numbers[keep_locks]

    def _count(self, numbers: Numbers) -> None:
        """Roll maps and add them to all counts."""
        states, origins = self._roll(numbers)
        self._add_states(self.hexes, states, range(HEX_COUNT))
        if self.sides is not None:
            self._add_sides(self._mark_hexsides(numbers, states))
        if self.sources is not None:
            assert origins is not None
            self._add_sources(self.sources, states, origins)

    def _roll(self, numbers: Numbers) -> tuple[Bytes, Origins | None]:
        """Return states and, if requested, origins (27, n), and count the stages meanwhile.

        An origin is 1 for the first of ``areas``, 0 for the map below.
        """
        if not self._fits_rows:
            return self._roll_one_by_one(numbers)
        rows = Rows(self.program, self.base, self.seed, numbers, origins=self.sources is not None)
        counts = np.zeros_like(self.hexes)
        if self.stages is not None:
            self._add_states(counts, rows.states, range(HEX_COUNT))
        for step, labels_read in self._steps:
            hexes = rows.take(step, labels_read)
            if self.stages is not None and isinstance(step, AreaStep):
                # Only the hexes of the AREA can have changed: the others are not counted again.
                counts[list(hexes)] = 0
                self._add_states(counts, rows.states, hexes)
                self.stages[rows.areas_done - 1] += counts
        return rows.states, rows.origins

    def _roll_one_by_one(self, numbers: Numbers) -> tuple[Bytes, Origins]:
        """Return states and origins (27, n) of maps of a script with too long lists for rows."""
        states = np.zeros((HEX_COUNT, numbers.size), np.uint8)
        origins = np.zeros((HEX_COUNT, numbers.size), np.uint16)
        origin_of_statement = {-1: 0}
        for origin, statement in enumerate(self.areas, 1):
            origin_of_statement[statement] = origin
        draws = KeyedDraws(self.seed, 0)
        for column, number in enumerate(numbers.tolist()):
            draws.number = number
            draws.start(self.program)
            rolled = place_hexes(self.program, draws, self.base)
            states[:, column] = list(map(state_of, rolled.terrain, rolled.elevation))
            origins[:, column] = [origin_of_statement[statement] for statement in rolled.origin]
        return states, origins

    def _mark_hexsides(self, numbers: Numbers, states: Bytes) -> Bytes:
        """Return the plane values of the hexsides (27, 6, n) of maps with these states."""
        hexside = np.empty((HEX_COUNT, 6, numbers.size), np.uint8)
        mark_sides(self.program, self.seed, numbers, states, hexside, self.base)
        return hexside

    # --- counting -----------------------------------------------------------------------------

    def _add_states(self, counts: Counts, states: Bytes, hexes: Iterable[int]) -> None:
        """Add the states (27, n) of some hexes to ``counts`` (27, S)."""
        for number in hexes:
            states_of_hex = states[number]
            for state, column in self._state_columns[number]:
                counts[number, column] += np.count_nonzero(states_of_hex == state)

    def _add_sides(self, hexside: Bytes) -> None:
        """Add the plane values of hexsides (27, 6, n)."""
        assert self.sides is not None
        for number, base_codes in enumerate(self.base.hexside):
            for side, neighbour in enumerate(NEIGHBOURS[number]):
                counts = self.sides.setdefault((number, side), {})
                possible_codes = {base_codes[side]}
                if neighbour >= 0:
                    possible_codes |= self._hexside_codes
                for code in possible_codes - {0}:
                    maps = np.count_nonzero(hexside[number, side] == code)
                    counts[code] = counts.get(code, 0) + int(maps)

    def _add_sources(self, counts: Counts, states: Bytes, origins: Origins) -> None:
        """Add the states (27, n) by their origins (27, n) to ``counts`` (27, S, O)."""
        origin_count = len(self.areas) + 1
        for number, state_columns in enumerate(self._state_columns):
            # Origin and state become one number, so that both are counted in one go.
            pairs = origins[number] * np.intp(256) + states[number]
            pair_counts = np.bincount(pairs, minlength=256 * origin_count).reshape(-1, 256)
            by_area = np.roll(pair_counts, -1, 0)  # the map below comes last
            for state, column in state_columns:
                counts[number, column] += by_area[:, state]


def _steps_on_hexes(program: Program) -> list[tuple[AreaStep | LabelStep, frozenset[str]]]:
    """Return the steps that change hexes or labels, with the labels still read after each."""
    steps = []
    for step, labels_read in needed_steps(program):
        if not isinstance(step, StartStep):
            steps.append((step, labels_read))
    return steps


def _state_columns(
    states: Sequence[tuple[int, int]], states_of_hexes: Sequence[Iterable[tuple[int, int]]]
) -> list[list[StateColumn]]:
    """Return by hex id the columns of its states; ``states`` are those of all hexes."""
    columns = {}
    for column, state in enumerate(states):
        columns[state] = StateColumn(state_of(*state), column)
    return [[columns[state] for state in states_of_hex] for states_of_hex in states_of_hexes]


def _possible_states(
    shape: tuple[int, int], state_columns: Sequence[Iterable[StateColumn]]
) -> NDArray[np.bool_]:
    """Return the columns of each hex as truth values (27, S)."""
    possible = np.zeros(shape, np.bool_)
    for number, columns_of_hex in enumerate(state_columns):
        for _state, column in columns_of_hex:
            possible[number, column] = True
    return possible


def _hexside_codes(program: Program) -> set[int]:
    """Return the plane values that the PAIRs of a program can give to a hexside."""
    codes: set[int] = set()
    for row in program.pairs:
        if row is None:
            continue
        for choices in row.values():
            codes.update(choices.codes)
    return codes
