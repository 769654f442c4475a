"""Rolls a script thousands of times at once; each map equals the one that ``roll`` makes.

    rolls = roll_many(program, base, seed=17, numbers=np.arange(10_000, dtype=np.uint64))
    rolls.terrain[4711]           # (27,): the terrain of map 4711 of the seed

Odds, galleries, locks and the learner need many maps. ``roll_many`` rolls a chunk of n maps at once
(``MapChunk``): each step of the program is run on all of them, so that one call of numpy serves
thousands of maps. While they are rolled,

- the hexes are rows of *states*, (27, n): terrain and elevation as one byte (``state_of``);
- a list of hexes is a table that tells how often each hex is in it, map by map (``batch_lists``);
- hexsides are made last, from the states (``batch_sides``).

Draws are keyed (docs/adr/0003), so a map does not depend on the others of its chunk.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Set
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.dice import steps, stream, streams, words_at
from randomizer.model.problems import ProblemError
from randomizer.systems.colossus.board import HEX_COUNT, HEX_OF_LABEL, PARTS
from randomizer.systems.colossus.rolling.batch_lists import (
    DrawableList,
    Hexes,
    Row,
    constant_list,
    join_lists,
    list_neighbours,
    subtract_list,
)
from randomizer.systems.colossus.rolling.batch_sides import mark_sides
from randomizer.systems.colossus.rolling.draws import check_key, keyed_draws
from randomizer.systems.colossus.rolling.program import (
    ELEVATIONS,
    LEFTOVER,
    USEDUP,
    AreaStep,
    Around,
    Chain,
    Fixed,
    HexList,
    LabelStep,
    Pick,
    Placing,
    Program,
    StartStep,
    Step,
    Use,
    Without,
    state_of,
)
from randomizer.systems.colossus.rolling.program_analysis import longest_list, needed_steps
from randomizer.systems.colossus.rolling.roller import HexBase, mark_hexsides, place_hexes

CHUNK = 32_768
"""The number of maps rolled at once: few enough for the cache, enough to amortise each call."""

ALWAYS_PLACED = 1 << 32
"""The ``Placing.chance`` of a hazard that is certain: above every draw of 32 bits."""

ROW_LIMIT = 255
"""The most hexes, duplicates counted, of a list in a ``MapChunk``: positions in it are bytes."""

# Linux's memory allocator returns freed arrays to the system and fetches them again page by
# page, which can double the time of 10,000 maps. It keeps those up to the largest freed so far.
np.empty(8 << 20, np.uint8)

NONE = constant_list(())
"""The empty list, in every map."""

LANE_BITS = 16
"""The random bits of one number, of which a word of 64 bits has four."""


@dataclass(frozen=True, eq=False)
class Rolls:
    """The maps ``numbers`` of ``seed``, one a row, with the values of ``RolledMap``.

    In memory the arrays are ordered hex by hex.
    """

    seed: int

    numbers: NDArray[np.uint64]

    terrain: NDArray[np.uint8]
    """(n, 27)."""

    elevation: NDArray[np.int16]
    """(n, 27)."""

    hexside: NDArray[np.uint8] | None
    """(n, 27, 6), None if it was not requested."""

    start: NDArray[np.uint16] | None
    """(n, 27): how often each hex is in the start list, None if the script has none."""

    failed: NDArray[np.bool_]
    """(n,): the maps for which ``roll`` raises; they show the base and an empty start list."""


def roll_many(
    program: Program,
    base: HexBase,
    seed: int,
    numbers: NDArray[np.uint64],
    *,
    hexsides: bool = True,
    chunk: int = CHUNK,
) -> Rolls:
    """Roll the maps ``numbers`` (n, in any order) of ``seed`` onto ``base``.

    The result does not depend on ``chunk``. A script with a list that can grow beyond ROW_LIMIT
    hexes is rolled map by map, at the speed of ``roll``. Raises ValueError for a seed or a number
    out of range (randomizer/model/basics/dice.py).
    """
    numbers = np.asarray(numbers, np.uint64)
    if numbers.size:
        check_key(seed, int(numbers.max()))
    rolls = _not_rolled(program, seed, numbers, hexsides)
    if longest_list(program) > ROW_LIMIT:
        _roll_one_by_one(program, base, rolls)
        return rolls
    for first in range(0, numbers.size, chunk):
        rows_of_chunk = slice(first, first + chunk)
        maps = MapChunk(program, base, seed, numbers[rows_of_chunk])
        for step, labels_read in needed_steps(program):
            maps.run(step, labels_read)
        maps.write(rolls, rows_of_chunk)
    return rolls


def _not_rolled(program: Program, seed: int, numbers: NDArray[np.uint64], hexsides: bool) -> Rolls:
    """Return ``Rolls`` whose maps are uninitialised.

    The arrays are made hex by hex and turned: all maps' values of one hex lie side by side, since
    the rollers write them so.
    """
    n = numbers.size
    hexside = None
    if hexsides:
        hexside = np.moveaxis(np.empty((HEX_COUNT, 6, n), np.uint8), 2, 0)
    start = None
    if any(isinstance(step, StartStep) for step in program.steps):
        start = np.zeros((HEX_COUNT, n), np.uint16).T
    return Rolls(
        seed=seed,
        numbers=numbers,
        terrain=np.empty((HEX_COUNT, n), np.uint8).T,
        elevation=np.empty((HEX_COUNT, n), np.int16).T,
        hexside=hexside,
        start=start,
        failed=np.zeros(n, np.bool_),
    )


def _roll_one_by_one(program: Program, base: HexBase, rolls: Rolls) -> None:
    """Fill ``rolls`` by the roller of single maps."""
    all_draws = keyed_draws(program, rolls.seed, rolls.numbers.tolist())
    for row, draws in enumerate(all_draws):
        try:
            rolled = place_hexes(program, draws, base)
        except ProblemError:  # only noted here: ``roll`` of that number raises it again
            rolls.failed[row] = True
            rolls.terrain[row] = base.terrain
            rolls.elevation[row] = base.elevation
            if rolls.hexside is not None:
                rolls.hexside[row] = base.hexside
            continue
        rolls.terrain[row] = rolled.terrain
        rolls.elevation[row] = rolled.elevation
        if rolls.hexside is not None:
            mark_hexsides(program, draws, rolled)
            rolls.hexside[row] = rolled.hexside
        if rolls.start is not None:
            for label, count in Counter(rolled.startlist).items():
                rolls.start[row, HEX_OF_LABEL[label]] = count


# --- a chunk of maps --------------------------------------------------------------------------


class MapChunk:
    """n maps while they are rolled: made, then ``run`` for each step, then ``write``.

    n should be at most CHUNK. Only for programs whose lists stay within ROW_LIMIT.
    """

    def __init__(
        self,
        program: Program,
        base: HexBase,
        seed: int,
        numbers: NDArray[np.uint64],
        *,
        origins: bool = False,
    ) -> None:
        """Begin the maps ``numbers`` (n,) of a seed.

        With ``origins`` it is noted which AREA places each state.
        """
        # What is rolled does not change:
        self.program = program
        self.base = base
        self.seed = seed
        self.numbers = numbers
        self._starts = streams(seed, program.sites[: program.edge_words])
        """The starts of the streams of the hazards' draws (randomizer/model/basics/dice.py)."""
        self._steps = steps(numbers)
        """(n,): the steps of the maps in each stream."""

        # The maps, which every step changes:
        states = np.array(list(map(state_of, base.terrain, base.elevation)), np.uint8)
        self.states = np.repeat(states[:, None], numbers.size, 1)
        """(27, n): the present state of the hexes (``state_of``)."""
        self.areas_done = 0
        """The number of AREAs that have been run."""
        self.origins: NDArray[np.uint16] | None = None
        """(27, n): the AREA that placed each state, 1 for the program's first, 0 for the base.

        None if they are not noted.
        """
        if origins:
            self.origins = np.zeros((HEX_COUNT, numbers.size), np.uint16)
        self._labels = {name: constant_list(part) for name, part in PARTS.items()}
        """The lists of all labels that are still needed."""
        self._start = NONE
        """The start list."""
        self._failed = np.zeros(numbers.size, np.uint8)
        """(n,): 1 where the map cannot be made, else 0: bytes are quicker to combine than bools."""

    def run(self, step: Step, labels_read: Set[str]) -> NDArray[np.intp]:
        """Run one step and return the hex ids that its list has in any of the maps.

        ``labels_read`` are the labels that later steps read; others need not be set.
        """
        hexes = self._list_of(step.hexes)
        if isinstance(step, AreaStep):
            self._place(step, hexes, labels_read)
        elif isinstance(step, LabelStep):
            self._labels[step.name] = hexes
        else:
            self._start = hexes
        return hexes.numbers

    def _place(self, step: AreaStep, hexes: Hexes, labels_read: Set[str]) -> None:
        """Place the hazards of an AREA on its list, one draw of a hex after the other.

        All maps draw at once. Where a hazard does not come the map draws a position behind every
        hex (batch_lists.NO_POSITION), so that it needs no branch of its own.
        """
        drawable = DrawableList(hexes, self.numbers.size)
        hexes_left = int(drawable.sizes.max())  # on the map with most of them
        states = self.states[hexes.numbers]
        self.areas_done += 1
        for placing in step.placings:
            if hexes_left == 0:
                break
            if placing.chance == 0:
                continue
            if placing.chance == ALWAYS_PLACED:
                hexes_left -= 1  # every map with hexes left loses one

            # Draw the position of a hex. Of a word the high half decides whether the hazard
            # comes, the low half which hex it gets and its elevation, by a lane each. (Casts and
            # shifts are faster than strided views.)
            bits = words_at(self._starts[placing.index], self._steps)
            low_half = bits.astype(np.uint32)
            position = _position(low_half >> np.uint32(LANE_BITS), drawable.sizes)
            if placing.chance < ALWAYS_PLACED:
                comes = (bits < np.uint64(placing.chance << 32)).view(np.uint8)
                # Where it does not come all bits are set (0 - 1 is 255): NO_POSITION.
                position |= comes - 1
            drawn = drawable.draw(position)

            # Which state do the drawn hexes get?
            if not placing.is_known:
                self._failed |= drawn.has_drawn()  # an unknown hazard was placed
                new_state: Any = 0
            else:
                new_state = placing.terrain * ELEVATIONS + _elevation(placing, low_half)

            # Put the state on the drawn hexes: where the mask is 0 no bit changes.
            is_drawn = drawn.masks()
            change = states ^ new_state
            change &= is_drawn
            states ^= change
            if self.origins is not None:
                origins = self.origins[hexes.numbers]
                origins[is_drawn != 0] = self.areas_done
                self.origins[hexes.numbers] = origins

        self.states[hexes.numbers] = states
        if not labels_read.isdisjoint({LEFTOVER, USEDUP}):
            left_over = drawable.counts()
            self._labels[LEFTOVER] = Hexes(hexes.numbers, left_over)
            self._labels[USEDUP] = Hexes(hexes.numbers, hexes.counts - left_over)

    # --- lists -------------------------------------------------------------------------------

    def _list_of(self, hexes: HexList) -> Hexes:
        """Return the list in every map."""
        match hexes:
            case Fixed(numbers):
                return constant_list(numbers)
            case Use(name):
                return self._labels.get(name, NONE)
            case Chain(parts):
                return join_lists([self._list_of(part) for part in parts])
            case Without(source, left_out):
                return subtract_list(self._list_of(source), self._list_of(left_out))
            case Around(source):
                return list_neighbours(self._list_of(source))
            case Pick(_, source):
                return self._some_of(hexes, self._list_of(source))

    def _some_of(self, pick: Pick, source: Hexes) -> Hexes:
        """Return the hexes that SOMEOF draws; a word of 64 bits is enough for four draws."""
        drawable = DrawableList(source, self.numbers.size)
        is_all_drawn = pick.count >= drawable.sizes.max()  # on every map
        if is_all_drawn:
            return source
        for draw_number in range(pick.count):
            word_number, lane_of_word = divmod(draw_number, 4)
            if lane_of_word == 0:
                start = np.uint64(stream(self.seed, pick.site + word_number))
                bits = words_at(start, self._steps)
            lane = (bits >> np.uint64(LANE_BITS * lane_of_word)).astype(np.uint16)
            drawable.draw(_position(lane.astype(np.uint32), drawable.sizes))
        return Hexes(source.numbers, source.counts - drawable.counts())

    # --- the result --------------------------------------------------------------------------

    def write(self, rolls: Rolls, rows: slice) -> None:
        """Write the maps into some ``rows`` of ``rolls``; failed ones show the base."""
        # A state is split into terrain and elevation: see ``state_of``.
        np.floor_divide(self.states, ELEVATIONS, out=rolls.terrain.T[:, rows])
        np.bitwise_and(self.states, ELEVATIONS - 1, out=rolls.elevation.T[:, rows])
        for number, base_elevation in enumerate(self.base.elevation):
            # AREAs place 0 to 2 only; the last elevation of a state stands for any other, so a hex
            # with it was not placed and has its elevation from the base.
            if not 0 <= base_elevation < ELEVATIONS - 1:
                elevations = rolls.elevation[rows, number]
                elevations[elevations == ELEVATIONS - 1] = base_elevation
        if rolls.start is not None:
            rolls.start.T[self._start.numbers, rows] = self._start.counts
        if rolls.hexside is not None:
            mark_sides(
                rolls.hexside[rows].transpose(1, 2, 0),
                program=self.program,
                seed=self.seed,
                numbers=self.numbers,
                states=self.states,
                base=self.base,
            )
        if self._failed.any():
            self._reset_failed(rolls, rows)

    def _reset_failed(self, rolls: Rolls, rows: slice) -> None:
        """Let failed maps show the base and an empty start list."""
        failed = rolls.failed[rows] = self._failed.view(np.bool_)
        rolls.terrain[rows][failed] = self.base.terrain
        rolls.elevation[rows][failed] = self.base.elevation
        if rolls.start is not None:
            rolls.start[rows][failed] = 0
        if rolls.hexside is not None:
            rolls.hexside[rows][failed] = self.base.hexside


def _position(lane: NDArray[np.uint32], total: Row) -> Row:
    """Return a position below ``total``, 0 where that is 0, by draws of 16 bits.

    It is the lane as a fraction of 1, times ``total``, rounded down. The array ``lane`` is used to
    compute it: its values are lost.
    """
    lane *= total
    lane >>= np.uint32(LANE_BITS)
    return lane.astype(np.uint8)


def _elevation(placing: Placing, bits: NDArray[np.uint32]) -> Any:
    """Return the elevation that a hazard gets: an int, or a Row where it depends on the draw."""
    lowest, *higher = placing.elevations
    if not higher:
        return lowest
    lane = bits.astype(np.uint16)  # the lowest lane
    # A lane of ``second`` or more gives 2, even below ``first``.
    is_raised = (lane >= min(placing.level_1_from, placing.level_2_from)).view(np.uint8)
    if 2 in higher:
        return is_raised + (lane >= placing.level_2_from).view(np.uint8)
    return is_raised
