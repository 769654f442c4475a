"""The moves of an annealing: the content of discs is turned, mirrored, twirled or exchanged.

Variations of a map are found by many small random changes of it, the *moves* (``annealing``). A
*disc* is a cell with all cells up to a radius around it. A *motion* says from which position of the
disc the content of each of its positions comes (``discs``). ``Annealing`` asks for the moves of a
step with ``MoveMaker.choose``, where reading begins.

Cells are numbered 0 .. m-1; m stands for everything off the map.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.dice import words_at
from randomizer.variations.discs import TWIRLED, Discs, discs_of
from randomizer.variations.original import Ints, Original
from randomizer.variations.step_dice import DiceUse, one_share, stream_of_step

TWIRLING = 0.1
"""The share of the moves of a large map that twirl.

With more the relief is not smooth again at the end.
"""

# A random number from 0 to 1 decides the kind of a move by these bounds.

EXCHANGE_NEIGHBOURS_BELOW = 0.45
"""With a smaller number a move exchanges a cell with a neighbour."""

TURN_BELOW = 0.65
"""With a number from the last bound to this one a move turns or mirrors a disc."""

EXCHANGE_CELLS_BELOW = 0.85
"""With a number from the last bound to this one a move exchanges two cells anywhere.

With a larger number it exchanges two discs.
"""

LONGEST_CYCLE = 56
"""The largest number of cells that a motion moves in a circle.

These are the cells of the outermost ring of a disc of radius 7: 42 of hexes, 56 of squares.
"""


class MovesOfStep(NamedTuple):
    """The n moves of one step, each of k cells of a map; a map can have several."""

    cells: Ints
    """The cells whose content moves, (n, k)."""

    motion: Ints
    """The index in its row of ``cells`` from which the content of each comes, (n, k)."""

    region: Ints
    """The cells whose neighbourhood can change, (n, l)."""


@dataclass(frozen=True, eq=False)
class MoveMaker:
    """Makes the moves on a map; those of a ``seed`` are always the same ones."""

    original: Original
    """The map of which variations are made."""

    seed: int

    def choose(self, step: int, share_done: float, keys: NDArray[np.uint64]) -> MovesOfStep:
        """Return the moves of one step: of one kind for all chains, each of its own cells.

        ``share_done`` is the share of the steps that are done: later moves are smaller. ``keys``
        (moves,) are the keys of the dice of each move (``Annealing.run``).
        """
        # The dice: two numbers for all moves, and two for each.
        kind = one_share(stream_of_step(self.seed, step, DiceUse.KIND))
        size = one_share(stream_of_step(self.seed, step, DiceUse.SIZE))
        words = words_at(np.uint64(stream_of_step(self.seed, step, DiceUse.CELLS)), keys)
        # Each word of 64 bits makes two random numbers of 32.
        first_pick = words.astype(np.uint32)
        second_pick = (words >> np.uint64(32)).astype(np.uint32)

        # On a large map the first moves twirl.
        largest = len(self.discs) - 1
        if share_done < TWIRLING and largest >= TWIRLED:
            radius = TWIRLED + int(size * (largest + 1 - TWIRLED))
            return self._moved_by_motions(
                radius, self.discs[radius].motions, first_pick, second_pick
            )

        if kind < EXCHANGE_NEIGHBOURS_BELOW:
            exchanges = self.discs[1].neighbour_exchanges
            return self._moved_by_motions(1, exchanges, first_pick, second_pick)

        # The radius is 1 or 2 at the beginning, and only 1 near the end.
        radius = 1 + int(size * (1 - share_done) * min(2, largest))
        if kind < TURN_BELOW:
            return self._moved_by_motions(
                radius, self.discs[radius].motions, first_pick, second_pick
            )
        if kind < EXCHANGE_CELLS_BELOW:
            radius = 0  # single cells
        return self._exchanged(radius, first_pick, second_pick)

    def _moved_by_motions(
        self,
        radius: int,
        possible_motions: Ints,
        cell_picks: NDArray[np.uint32],
        motion_picks: NDArray[np.uint32],
    ) -> MovesOfStep:
        """Return the moves that each apply one of some motions to the content of a disc.

        ``cell_picks`` and ``motion_picks`` (n,) are random numbers that pick the cell in the middle
        of each disc, and its motion among ``possible_motions``. Content moves in cycles; only
        cycles of which all cells are free take part.
        """
        discs = self.discs[radius]
        cell_numbers = cell_picks % len(discs.cells)
        cells = discs.cells[cell_numbers]
        motions = possible_motions[motion_picks % len(possible_motions)]
        # A cell may move if all cells of its cycle are free. This is pointer doubling: ``leaps`` is
        # the motion applied 2 ** k times after k rounds, and ``may_move`` is true for a cell if the
        # next 2 ** k cells of its cycle are free.
        may_move = self.original.is_free[cells]
        leaps = motions
        for _round in range(LONGEST_CYCLE.bit_length()):
            may_move = may_move & np.take_along_axis(may_move, leaps, 1)
            leaps = np.take_along_axis(leaps, leaps, 1)
        stays = np.arange(motions.shape[1])
        motions = np.where(may_move, motions, stays)
        return MovesOfStep(cells, motions, discs.region[cell_numbers])

    def _exchanged(
        self, radius: int, first: NDArray[np.uint32], second: NDArray[np.uint32]
    ) -> MovesOfStep:
        """Return the moves that exchange the content of two discs, for each of n pairs of discs.

        ``first`` and ``second`` (n,) are random numbers that pick the cells in the middle of the
        discs. Only cells that are both free are exchanged, and nothing if the discs are not apart.
        """
        discs = self.discs[radius]
        grid = self.original.base.grid
        first_cells = first % len(discs.cells)
        second_cells = second % len(discs.cells)
        ys, xs = np.divmod(self.original.cells, grid.width)
        columns_between = np.abs(xs[first_cells] - xs[second_cells])
        rows_between = np.abs(ys[first_cells] - ys[second_cells])
        if grid.wrap:
            columns_between = np.minimum(columns_between, grid.width - columns_between)
        # So far apart the discs and their neighbours have no cell in common.
        is_apart = np.maximum(columns_between, rows_between) > 2 * (radius + 1)
        size = discs.cells.shape[1]
        cells = np.hstack([discs.cells[first_cells], discs.cells[second_cells]])
        is_free = self.original.is_free[cells]
        is_exchanged = is_free[:, :size] & is_free[:, size:] & is_apart[:, None]
        stays = np.arange(2 * size)
        exchange = np.roll(stays, size)
        motion = np.where(np.tile(is_exchanged, 2), exchange, stays)
        region = np.hstack([discs.region[first_cells], discs.region[second_cells]])
        region[~is_apart] = len(self.original.cells)
        return MovesOfStep(cells, motion, region)

    @cached_property
    def discs(self) -> tuple[Discs, ...]:
        """The discs of the map, by radius from 0 on."""
        return discs_of(self.original)
