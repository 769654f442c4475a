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

What random numbers decide is in ``batch_draws``. All values are bytes, and changed in some of the
maps only by byte masks (``byte_masks``).
"""

from __future__ import annotations

from collections.abc import Set

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.dice import steps, stream, streams, words_at
from randomizer.systems.colossus.board import HEX_COUNT, PARTS
from randomizer.systems.colossus.rolling.batch_draws import (
    ALWAYS_PLACED,
    LANES_OF_WORD,
    HazardDraws,
    lane_of_words,
    positions_by_lanes,
)
from randomizer.systems.colossus.rolling.batch_lists import (
    DrawableList,
    HexLists,
    constant_list,
    join_lists,
    list_neighbours,
    subtract_list,
)
from randomizer.systems.colossus.rolling.batch_sides import mark_sides
from randomizer.systems.colossus.rolling.byte_masks import Row, Rows, write_where
from randomizer.systems.colossus.rolling.program import (
    ELEVATIONS,
    LEFTOVER,
    OTHER_ELEVATION,
    USEDUP,
    AreaStep,
    Around,
    Chain,
    Fixed,
    HexList,
    LabelStep,
    Pick,
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

NO_HEXES = constant_list(())
"""The empty list, in every map."""

_ELEVATION_BITS = 0b11
"""The bits of a state that are its elevation: a state is terrain * 4 + elevation."""

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
        self._labels = {name: constant_list(hex_ids) for name, hex_ids in PARTS.items()}
        """The lists of all labels that are still needed."""
        self._start_list = NO_HEXES
        """The start list."""
        self._failed = np.zeros(map_numbers.size, np.uint8)
        """(n,): 1 where the map cannot be made, else 0: bytes are quicker to combine than bools."""

    def run(self, step: Step, labels_read: Set[str]) -> NDArray[np.intp]:
        """Run one step and return the hex ids that its list has in any of the maps.

        ``labels_read`` are the labels that later steps read; others need not be set.
        """
        hexes = self._list_of(step.hexes)
        if isinstance(step, AreaStep):
            self._place_hazards(step, hexes, labels_read)
        elif isinstance(step, LabelStep):
            self._labels[step.name] = hexes
        else:
            self._start_list = hexes
        return hexes.hex_ids

    def _place_hazards(self, step: AreaStep, hexes: HexLists, labels_read: Set[str]) -> None:
        """Place the hazards of an AREA on its list, one draw of a hex after the other.

        All maps draw at once. Where a hazard does not come the map draws a position behind every
        hex (batch_lists.NO_POSITION), so that it needs no branch of its own.
        """
        self.areas_done += 1
        hex_ids = hexes.hex_ids
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

            draws = HazardDraws(words_at(self._starts[placing.index], self._steps))
            drawn = drawable.draw(draws.positions(placing, drawable.live_sizes))
            masks = drawn.masks()
            new_states: Row | int = 0  # of a map that fails, until ``write`` resets it
            if placing.is_known:
                new_states = draws.states(placing)
            else:
                self._failed |= drawn.has_drawn()
            write_where(masks, new_states, states)
            if self.origins is not None:
                self._note_origins(self.origins, hex_ids, masks)
        self.states[hex_ids] = states

        if not labels_read.isdisjoint({LEFTOVER, USEDUP}):
            left_over = drawable.counts()
            self._labels[LEFTOVER] = HexLists(hex_ids, left_over)
            self._labels[USEDUP] = HexLists(hex_ids, hexes.counts - left_over)

    def _note_origins(
        self, origins: NDArray[np.uint16], hex_ids: NDArray[np.intp], masks: Rows
    ) -> None:
        """Note in ``origins`` that the present AREA placed the states where ``masks`` are 255."""
        origins_of_hexes = origins[hex_ids]
        origins_of_hexes[masks != 0] = self.areas_done
        origins[hex_ids] = origins_of_hexes

    # --- lists -------------------------------------------------------------------------------

    def _list_of(self, hexes: HexList) -> HexLists:
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

    def _some_of(self, pick: Pick, source: HexLists) -> HexLists:
        """Return the hexes that SOMEOF draws."""
        drawable = DrawableList(source, self._map_numbers.size)
        is_all_drawn = pick.count >= drawable.live_sizes.max()  # on every map
        if is_all_drawn:
            return source
        draws_left = pick.count
        word_site = pick.site
        while draws_left > 0:
            words = words_at(np.uint64(stream(self.seed, word_site)), self._steps)
            for lane in range(min(draws_left, LANES_OF_WORD)):
                lanes = lane_of_words(words, lane)
                drawable.draw(positions_by_lanes(lanes, drawable.live_sizes))
            draws_left -= LANES_OF_WORD
            word_site += 1
        return HexLists(source.hex_ids, source.counts - drawable.counts())

    # --- the result --------------------------------------------------------------------------

    def write(self, rolls: Rolls, rows: slice) -> None:
        """Write the maps into some ``rows`` of ``rolls``; failed ones show the base."""
        # A state is split into terrain and elevation: see ``state_of``.
        np.floor_divide(self.states, ELEVATIONS, out=rolls.terrain.T[:, rows])
        np.bitwise_and(self.states, _ELEVATION_BITS, out=rolls.elevation.T[:, rows])
        for index, base_elevation in enumerate(self.base.elevation):
            # Only the base can have another elevation than scripts give: where it was not changed,
            # the value of the base is put back.
            if not 0 <= base_elevation < OTHER_ELEVATION:
                elevations = rolls.elevation[rows, index]
                elevations[elevations == OTHER_ELEVATION] = base_elevation
        if rolls.start is not None:
            rolls.start.T[self._start_list.hex_ids, rows] = self._start_list.counts
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


def _let_allocator_keep_arrays() -> None:
    """Let Linux's memory allocator keep the arrays of a chunk when they are freed.

    It returns them to the system and fetches them again page by page, which can double the time of
    10,000 maps. But it keeps those up to the size of the largest one freed so far: such a one is
    made here, and freed at once. That takes microseconds, as nothing is written into it. (Once for
    the process, rather than for each chunk, was measured to be slower.)
    """
    np.empty(_KEPT_BYTES, np.uint8)
