"""A chunk of maps of a script while they are rolled, all at once.

    maps = MapChunk(program, base, seed, map_numbers)
    for step, labels_read in needed_steps(program):
        maps.run(step, labels_read)
    maps.write(rolls, slice(0, len(map_numbers)))

Each step of the program is run on all n maps, so that one call of numpy serves thousands of maps.
While they are rolled,

- the hexes are rows of *states*, (27, n): terrain and elevation as one byte (``state_of``);
- a list of hexes is a table that tells how often each hex is in it, map by map (``batch_lists``);
- hexsides are made last, from the states (``batch_sides``).

All this is done in bytes, of which numpy handles many at a time. Where something holds for some of
the maps only, there is a *byte mask*: 255 (all bits set) where it holds, else 0. Combined bit by
bit with it, values stay or change, without a branch for each map (``_byte_mask``, ``_put``). The
random numbers are words of 64 bits, cut into four *lanes* of 16 bits.
"""

from __future__ import annotations

from collections.abc import Set

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.dice import steps, stream, streams, words_at
from randomizer.systems.colossus.board import HEX_COUNT, PARTS
from randomizer.systems.colossus.rolling.batch_lists import (
    DrawableList,
    Hexes,
    Row,
    Rows,
    constant_list,
    join_lists,
    list_neighbours,
    subtract_list,
)
from randomizer.systems.colossus.rolling.batch_sides import mark_sides
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
    Step,
    Use,
    Without,
    state_of,
)
from randomizer.systems.colossus.rolling.roller import HexBase
from randomizer.systems.colossus.rolling.rolls import Rolls

CHUNK = 32_768
"""The number of maps rolled at once: few enough for the cache, enough to amortise each call."""

ALWAYS_PLACED = 1 << 32
"""The ``Placing.chance`` of a hazard that is certain: above every draw of 32 bits."""

NO_HEXES = constant_list(())
"""The empty list, in every map."""

LANE_BITS = 16
"""The random bits of one number, of which a word of 64 bits has four."""

LANES_OF_WORD = 4
"""A word of 64 random bits serves four draws of a SOMEOF."""

_KEPT_BYTES = 8 << 20
"""The size of freed arrays that the memory allocator keeps; those of a chunk are smaller."""


class MapChunk:
    """n maps while they are rolled: made, then ``run`` for each step, then ``write``.

    n should be at most CHUNK. Only for programs whose lists stay within ROW_LIMIT.
    """

    def __init__(
        self,
        program: Program,
        base: HexBase,
        seed: int,
        map_numbers: NDArray[np.uint64],
        *,
        origins: bool = False,
    ) -> None:
        """Begin the maps ``map_numbers`` (n,) of a seed.

        With ``origins`` it is noted which AREA places each state.
        """
        _let_allocator_keep_arrays()
        # What is rolled does not change:
        self.program = program
        self.base = base
        self.seed = seed
        self._map_numbers = map_numbers
        self._starts = streams(seed, program.sites[: program.first_edge_word])
        """The starts of the streams of the hazards' draws (randomizer/model/basics/dice.py)."""
        self._steps = steps(map_numbers)
        """(n,): the steps of the maps in each stream."""

        # The maps, which every step changes:
        states = np.array(list(map(state_of, base.terrain, base.elevation)), np.uint8)
        self.states = np.repeat(states[:, None], map_numbers.size, 1)
        """(27, n): the present state of the hexes (``state_of``)."""
        self.areas_done = 0
        """The number of AREAs that have been run."""
        self.origins: NDArray[np.uint16] | None = None
        """(27, n): the AREA that placed each state, 1 for the program's first, 0 for the base.

        None if they are not noted.
        """
        if origins:
            self.origins = np.zeros((HEX_COUNT, map_numbers.size), np.uint16)
        self._labels = {name: constant_list(part) for name, part in PARTS.items()}
        """The lists of all labels that are still needed."""
        self._start = NO_HEXES
        """The start list."""
        self._failed = np.zeros(map_numbers.size, np.uint8)
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
        self.areas_done += 1
        hex_ids = hexes.numbers
        states = self.states[hex_ids]
        drawable = DrawableList(hexes, self._map_numbers.size)
        hexes_left = int(drawable.live_sizes.max())  # on the map with most of them
        for placing in step.placings:
            if hexes_left == 0:
                break
            if placing.chance == 0:
                continue
            if placing.chance == ALWAYS_PLACED:
                hexes_left -= 1  # every map with hexes left loses one

            bits = words_at(self._starts[placing.index], self._steps)
            low_half = bits.astype(np.uint32)
            drawn = drawable.draw(_positions(placing, bits, low_half, drawable.live_sizes))
            masks = drawn.masks()
            new_states: Row | int = 0  # of a map that fails, until ``write`` resets it
            if placing.is_known:
                new_states = placing.terrain * ELEVATIONS + _elevations(placing, low_half)
            else:
                self._failed |= drawn.has_drawn()
            _put(new_states, states, masks)
            if self.origins is not None:
                self._note_origins(self.origins, hex_ids, masks)
        self.states[hex_ids] = states

        if not labels_read.isdisjoint({LEFTOVER, USEDUP}):
            left_over = drawable.counts()
            self._labels[LEFTOVER] = Hexes(hex_ids, left_over)
            self._labels[USEDUP] = Hexes(hex_ids, hexes.counts - left_over)

    def _note_origins(
        self, origins: NDArray[np.uint16], hex_ids: NDArray[np.intp], masks: Rows
    ) -> None:
        """Note in ``origins`` that the present AREA placed the states where ``masks`` are 255."""
        origins_of_hexes = origins[hex_ids]
        origins_of_hexes[masks != 0] = self.areas_done
        origins[hex_ids] = origins_of_hexes

    # --- lists -------------------------------------------------------------------------------

    def _list_of(self, hexes: HexList) -> Hexes:
        """Return the list in every map."""
        match hexes:
            case Fixed(numbers):
                return constant_list(numbers)
            case Use(name):
                return self._labels.get(name, NO_HEXES)
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
        drawable = DrawableList(source, self._map_numbers.size)
        is_all_drawn = pick.count >= drawable.live_sizes.max()  # on every map
        if is_all_drawn:
            return source
        for draw_number in range(pick.count):
            word_number, lane_of_word = divmod(draw_number, LANES_OF_WORD)
            if lane_of_word == 0:
                start = np.uint64(stream(self.seed, pick.site + word_number))
                bits = words_at(start, self._steps)
            lanes = (bits >> np.uint64(LANE_BITS * lane_of_word)).astype(np.uint16)
            drawable.draw(_lanes_to_positions(lanes.astype(np.uint32), drawable.live_sizes))
        return Hexes(source.numbers, source.counts - drawable.counts())

    # --- the result --------------------------------------------------------------------------

    def write(self, rolls: Rolls, rows: slice) -> None:
        """Write the maps into some ``rows`` of ``rolls``; failed ones show the base."""
        # A state is split into terrain and elevation: see ``state_of``.
        np.floor_divide(self.states, ELEVATIONS, out=rolls.terrain.T[:, rows])
        np.bitwise_and(self.states, ELEVATIONS - 1, out=rolls.elevation.T[:, rows])
        for index, base_elevation in enumerate(self.base.elevation):
            # As elevation of a state 3 means "not 0, 1 or 2". Only the base can have such a one, so
            # where it stays the value of the base is put back.
            if not 0 <= base_elevation < ELEVATIONS - 1:
                elevations = rolls.elevation[rows, index]
                elevations[elevations == ELEVATIONS - 1] = base_elevation
        if rolls.start is not None:
            rolls.start.T[self._start.numbers, rows] = self._start.counts
        if rolls.hexside is not None:
            mark_sides(
                rolls.hexside[rows].transpose(1, 2, 0),
                program=self.program,
                seed=self.seed,
                numbers=self._map_numbers,
                states=self.states,
                base=self.base,
            )
        if self._failed.any():
            self._reset_failed(rolls, rows)

    def _reset_failed(self, rolls: Rolls, rows: slice) -> None:
        """Let failed maps show the base and an empty start list."""
        failed = self._failed.view(np.bool_)
        rolls.failed[rows] = failed
        rolls.terrain[rows][failed] = self.base.terrain
        rolls.elevation[rows][failed] = self.base.elevation
        if rolls.start is not None:
            rolls.start[rows][failed] = 0
        if rolls.hexside is not None:
            rolls.hexside[rows][failed] = self.base.hexside


def _positions(
    placing: Placing, bits: NDArray[np.uint64], low_half: NDArray[np.uint32], sizes: Row
) -> Row:
    """Return the position in each map's list of the hex that gets a hazard, by a word of bits.

    The high half of the word decides whether the hazard comes, the lane below it which hex gets it,
    and the lowest lane the elevation. (Casts and shifts are faster than strided views.)
    """
    positions = _lanes_to_positions(low_half >> np.uint32(LANE_BITS), sizes)
    if placing.chance < ALWAYS_PLACED:
        # The chance is one of 32 bits: it is compared with the high half of the word.
        is_left_out = bits >= np.uint64(placing.chance << 32)
        positions |= _byte_mask(is_left_out)  # 255 there, which is NO_POSITION
    return positions


def _byte_mask(condition: NDArray[np.bool_]) -> Row:
    """Return 255 (all bits set) where a condition is true, else 0."""
    # A bool is a byte that is 1 or 0, and as a byte 0 - 1 is 255.
    return np.negative(condition.view(np.uint8))


def _lanes_to_positions(lanes: NDArray[np.uint32], sizes: Row) -> Row:
    """Return positions below ``sizes``, 0 where that is 0, by draws of 16 bits.

    A position is the lane as a fraction of 1, times the size, rounded down. The array ``lanes`` is
    used to compute it: its values are lost.
    """
    lanes *= sizes
    lanes >>= np.uint32(LANE_BITS)
    return lanes.astype(np.uint8)


def _elevations(placing: Placing, bits: NDArray[np.uint32]) -> Row | int:
    """Return the elevation that a hazard gets: an int, or by map where it depends on the draw.

    The draw is the lowest lane. Of a hazard that comes with elevation 1 or 2, never with 0, one of
    the two thresholds is 0, so that every lane reaches it.
    """
    lowest, *higher = placing.elevations
    if not higher:
        return lowest
    lanes = bits.astype(np.uint16)  # the lowest lane
    # A lane from ``level_2_from`` on gives 2, even if it is below ``level_1_from``.
    is_raised = (lanes >= min(placing.level_1_from, placing.level_2_from)).view(np.uint8)
    if 2 in higher:
        return is_raised + (lanes >= placing.level_2_from).view(np.uint8)
    return is_raised


def _put(new_states: Row | int, states: Rows, masks: Rows) -> None:
    """Write ``new_states`` into ``states`` (k, n) where ``masks`` are 255.

    It is the same as ``states[masks == 255] = new_states``, many times as fast::

        state          0b0101       a bit is changed if it differs from that of the
        new state      0b0110       new state, and is set in the mask
        their ^        0b0011
        & mask 255     0b0011       state becomes 0b0110
        & mask 0       0b0000       state stays 0b0101
    """
    changed_bits = states ^ new_states
    changed_bits &= masks
    states ^= changed_bits


def _let_allocator_keep_arrays() -> None:
    """Let Linux's memory allocator keep freed arrays.

    It returns them to the system and fetches them again page by page, which can double the time of
    10,000 maps. But it keeps those up to the size of the largest one freed so far: such a one is
    made here, and freed at once. That takes microseconds, as nothing is written into it.
    """
    np.empty(_KEPT_BYTES, np.uint8)
