"""Sampled odds: counts over many maps of a script, of all or of those that keep the locks.

A hex of the battleland has a *state*, its terrain and elevation. Most hexes can have only some of
the states, so tables of counts have a column for each of the S states that occur::

                     (Plains, 0)   (Bog, 0)   (Volcano, 2)
    hex 0  A1            980           20            0
    hex 1  A2           1000            0            0          27 rows, S columns

An *area* is an AREA statement of the script, which places states; the *origin* of a state is the
area that placed it. Counts are added map by map, so a table depends on the seed and the number of
maps, not on the chunks in which they are rolled.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.colossus.board import HEX_COUNT, NEIGHBOURS, SIDES
from randomizer.systems.colossus.odds.state_columns import Bytes, Counts, Origins, columns_of
from randomizer.systems.colossus.rolling.batch_lists import ROW_LIMIT
from randomizer.systems.colossus.rolling.batch_sides import mark_sides
from randomizer.systems.colossus.rolling.draws import keyed_draws
from randomizer.systems.colossus.rolling.hex_locks import Locks, State
from randomizer.systems.colossus.rolling.lock_problems import reachable_states
from randomizer.systems.colossus.rolling.locks import LockedRolls
from randomizer.systems.colossus.rolling.map_chunk import CHUNK, MapChunk
from randomizer.systems.colossus.rolling.program import (
    AreaStep,
    LabelStep,
    Program,
    StartStep,
    state_of,
)
from randomizer.systems.colossus.rolling.program_analysis import longest_list, needed_steps
from randomizer.systems.colossus.rolling.roller import FROM_BASE, HexBase, place_hexes

Numbers = NDArray[np.uint64]
"""The numbers of maps of a seed, shape (n,)."""

ALL_HEXES = range(HEX_COUNT)


@dataclass(eq=False)
class MapCounts:
    """The counts over the maps of a sample so far; a table that is None is not counted."""

    hexes: Counts
    """(27, S): the number of maps on which a hex has a state."""

    sides: dict[tuple[int, int], dict[int, int]] | None
    """By hex id and side the number of maps with each plane value but 0, on request."""

    by_area: Counts | None
    """(27, S, O): ``hexes`` by the area that set the state, on request; the map below is last."""

    stages: Counts | None
    """(O - 1, 27, S): ``hexes`` as they were after each area.

    They are counted without locks, and where all lists are short enough for a ``MapChunk``.
    """


class Sample:
    """Counts over the first maps of a seed, continued by ``roll_up_to``.

    For instance ``sample.counts.hexes[number, column] / sample.maps`` is the chance that a hex has
    the state ``sample.states[column]``.
    """

    def __init__(
        self,
        program: Program,
        base: HexBase,
        seed: int,
        locks: Locks,
        *,
        count_sides: bool,
        count_by_area: bool,
        chunk: int = CHUNK,
    ) -> None:
        """Prepare the counts of maps of ``program`` that are rolled onto ``base``.

        ``chunk`` maps are rolled at once: larger ones need more memory, and the counts are the
        same.
        """
        # What is rolled does not change:
        self.program = program
        self.base = base
        self.seed = seed
        self._rolls = LockedRolls(program, base, seed, locks)
        self._chunk = chunk

        # Nor does what follows from the program:
        self._steps = _steps_on_hexes(program)
        """The steps that change hexes or labels, with the labels that are still read after each."""
        self.areas = tuple(
            step.statement for step, _labels_read in self._steps if isinstance(step, AreaStep)
        )
        """The numbers of the AREA statements."""
        self._hexside_codes = _hexside_codes(program)
        """The plane values that the script can give to hexsides."""
        self._columns = columns_of(reachable_states(program, base))
        self._fits_chunks = longest_list(program) <= ROW_LIMIT
        """True if many maps can be rolled at once (``MapChunk``), False if one after the other."""
        # A list that is too long for a chunk can exceed LIST_LIMIT, too, which fails the map.
        self._counts_all_maps = self._fits_chunks and not locks and not _may_place_unknown(program)
        """True if no map is left out for a lock or as failed, so that none has to be checked."""

        # These grow as maps are rolled:
        self.tried = 0
        """The number of maps that have been rolled."""
        self.failed = 0
        """The number of them that cannot be made: ``roll`` raises for them."""
        self.maps = 0
        """The number of the others that have the locked values: these are counted."""
        self.counts = self._zero_counts(
            sides=count_sides, by_area=count_by_area, stages=self._fits_chunks and not locks
        )

    def _zero_counts(self, *, sides: bool, by_area: bool, stages: bool) -> MapCounts:
        """Return tables of zeros for what is to be counted."""
        shape = (HEX_COUNT, len(self.states))
        counts = MapCounts(np.zeros(shape, np.int64), sides=None, by_area=None, stages=None)
        if sides:
            counts.sides = {}
        if by_area:
            counts.by_area = np.zeros((*shape, len(self.areas) + 1), np.int64)
        if stages:
            counts.stages = np.zeros((len(self.areas), *shape), np.int64)
        return counts

    @property
    def states(self) -> tuple[State, ...]:
        """The S states that some hex can have, in ascending order."""
        return self._columns.states

    @property
    def possible(self) -> NDArray[np.bool_]:
        """(27, S): whether some list of the script lets a hex have a state."""
        return self._columns.possible

    def roll_up_to(self, tried: int) -> None:
        """Continue until ``tried`` maps have been rolled."""
        while self.tried < tried:
            next_tried = min(self.tried + self._chunk, tried)
            numbers = np.arange(self.tried, next_tried, dtype=np.uint64)
            if not self._counts_all_maps:
                eligible = self._rolls.roll_and_check(numbers)
                self.failed += eligible.failed
                numbers = numbers[eligible.keeps_locks]
            if numbers.size:
                self._count(numbers)
            self.tried = next_tried
            self.maps += numbers.size

    def _count(self, numbers: Numbers) -> None:
        """Roll maps and add them to all counts."""
        if self._fits_chunks:
            rolled = self._roll_chunk(numbers)
        else:
            rolled = self._roll_one_by_one(numbers)
        counts = self.counts
        self._columns.add(counts.hexes, rolled.states, ALL_HEXES)
        if counts.sides is not None:
            self._add_sides(counts.sides, numbers, rolled.states)
        if counts.by_area is not None:
            assert rolled.origins is not None, "they were asked for"
            self._columns.add_by_origin(counts.by_area, rolled.states, rolled.origins)
        if counts.stages is not None:
            assert rolled.stages is not None, "chunks count them"
            counts.stages += rolled.stages

    # --- rolling ------------------------------------------------------------------------------

    def _roll_chunk(self, numbers: Numbers) -> _RolledMaps:
        """Roll many maps at once, and count the states after each area if they are wanted."""
        with_origins = self.counts.by_area is not None
        maps = MapChunk(self.program, self.base, self.seed, numbers, origins=with_origins)
        if self.counts.stages is None:
            for step, labels_read in self._steps:
                maps.run(step, labels_read)
            return _RolledMaps(maps.states, maps.origins, None)

        stages = np.zeros_like(self.counts.stages)
        counts = np.zeros_like(self.counts.hexes)
        self._columns.add(counts, maps.states, ALL_HEXES)
        area = 0
        for step, labels_read in self._steps:
            hexes = maps.run(step, labels_read)
            if isinstance(step, AreaStep):
                # Only the hexes of the AREA can have changed: the others are not counted again.
                counts[list(hexes)] = 0
                self._columns.add(counts, maps.states, hexes)
                stages[area] = counts
                area += 1
        return _RolledMaps(maps.states, maps.origins, stages)

    def _roll_one_by_one(self, numbers: Numbers) -> _RolledMaps:
        """Roll maps of a script whose lists are too long for a ``MapChunk``."""
        states = np.zeros((HEX_COUNT, numbers.size), np.uint8)
        origins = np.zeros((HEX_COUNT, numbers.size), np.uint16)
        origin_of_statement = {FROM_BASE: 0}
        for origin, statement in enumerate(self.areas, 1):
            origin_of_statement[statement] = origin
        all_draws = keyed_draws(self.program, self.seed, numbers.tolist())
        for column, draws in enumerate(all_draws):
            rolled = place_hexes(self.program, draws, self.base)
            states[:, column] = list(map(state_of, rolled.terrain, rolled.elevation))
            origins[:, column] = [origin_of_statement[statement] for statement in rolled.origin]
        return _RolledMaps(states, origins, None)

    # --- counting hexsides --------------------------------------------------------------------

    def _add_sides(
        self,
        counts_by_side: dict[tuple[int, int], dict[int, int]],
        numbers: Numbers,
        states: Bytes,
    ) -> None:
        """Make the hexsides of maps with these states (27, n), and add them to the counts."""
        hexside = np.empty((HEX_COUNT, SIDES, numbers.size), np.uint8)
        mark_sides(
            hexside,
            program=self.program,
            seed=self.seed,
            numbers=numbers,
            states=states,
            base=self.base,
        )
        for index, base_codes in enumerate(self.base.hexside):
            for side, neighbour in enumerate(NEIGHBOURS[index]):
                counts = counts_by_side.setdefault((index, side), {})
                possible_codes = {base_codes[side]}
                if neighbour >= 0:
                    possible_codes |= self._hexside_codes
                for code in possible_codes - {0}:
                    maps = np.count_nonzero(hexside[index, side] == code)
                    counts[code] = counts.get(code, 0) + int(maps)


class _RolledMaps(NamedTuple):
    """n maps that were rolled."""

    states: Bytes
    """(27, n): terrain and elevation of each hex as one byte (``state_of``)."""

    origins: Origins | None
    """(27, n): 1 for the first of the areas, 0 for the map below; None if not asked for."""

    stages: Counts | None
    """(O - 1, 27, S): how many of the maps have a state after each area; None if not counted."""


def _may_place_unknown(program: Program) -> bool:
    """Return whether a roll can place a hazard that the game does not have, and then fails."""
    for step in program.steps:
        if not isinstance(step, AreaStep):
            continue
        for placing in step.placings:
            if not placing.is_known and placing.chance > 0:
                return True
    return False


def _steps_on_hexes(program: Program) -> list[tuple[AreaStep | LabelStep, frozenset[str]]]:
    """Return the steps that change hexes or labels, with the labels still read after each."""
    steps = []
    for step, labels_read in needed_steps(program):
        if not isinstance(step, StartStep):
            steps.append((step, labels_read))
    return steps


def _hexside_codes(program: Program) -> set[int]:
    """Return the plane values that the PAIRs of a program can give to a hexside."""
    codes: set[int] = set()
    for row in program.pairs:
        if row is None:
            continue
        for choices in row.values():
            codes.update(choices.codes)
    return codes
