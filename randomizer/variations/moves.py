"""The moves of an annealing: the content of discs is turned, mirrored, twirled or exchanged.

Variations of a map are found by many small random changes of it, the *moves* (``annealing``). A
*disc* is a cell with all cells up to a radius around it. A *motion* says from which position of the
disc the content of each of its positions comes: ``[1, 0, 2, ...]`` exchanges the first two.
``Annealing`` asks for one move a step with ``Moves.choose``, where reading begins.

Cells are numbered 0 .. m-1; m stands for everything off the map.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.geometry.areas import axial_of, cells_of_axial
from randomizer.geometry.turn import Turn
from randomizer.model.basics.dice import stream, words_at
from randomizer.variations.original import Ints, Original

LARGE = 300
"""The number of cells from which a map is large.

The discs of large maps are twirled first, which changes much of a map, and little of its look. If
this number is smaller, discs of ``LARGEST`` are twirled on maps that are hardly larger than they.
"""

TWIRLED = 3
"""The radius from which discs are twirled: each ring of cells is moved round by a few cells.

Smaller discs are turned, mirrored and exchanged.
"""

LARGEST = 7
"""The largest radius of a disc on a large map; larger ones move more at once and fit less often."""

TWIRLING = 0.1
"""The share of the moves of a large map that twirl.

With more the relief is not smooth again at the end.
"""

LARGEST_ON_SMALL = 2
"""The largest radius of a disc on a map that is not large."""

# A random number from 0 to 1 decides the kind of a move by these bounds.

EXCHANGE_NEIGHBOURS_BELOW = 0.45
"""With a smaller number a move exchanges a cell with a neighbour."""

TURN_BELOW = 0.65
"""With a number from the last bound to this one a move turns or mirrors a disc."""

EXCHANGE_CELLS_BELOW = 0.85
"""With a number from the last bound to this one a move exchanges two cells anywhere.

With a larger number it exchanges two discs.
"""

LONGEST_CYCLE = 42
"""The largest number of cells that a motion moves in a circle.

These are the cells of the outermost ring of a disc of hexes of radius 7.
"""


class Discs(NamedTuple):
    """The discs of one radius around each of m cells, and the motions of their content.

    A disc has k cells; with all neighbours of these it has l.
    """

    cells: Ints
    """The numbers of the cells of each disc, (m, k)."""

    region: Ints
    """The numbers of its cells and of all their neighbours, (m, l)."""

    motions: Ints
    """The p motions, (p, k): the position in the disc from which the content of each comes."""


class Move(NamedTuple):
    """One move for each of n places on maps; a map can have several."""

    cells: Ints
    """The cells whose content moves, (n, k)."""

    motion: Ints
    """The index in its row of ``cells`` from which the content of each comes, (n, k)."""

    region: Ints
    """The cells whose neighbourhood can change, (n, l)."""


@dataclass(frozen=True, eq=False)
class Moves:
    """The moves on a map; those of a ``seed`` are always the same ones."""

    original: Original
    """The map of which variations are made."""

    seed: int

    def choose(self, step: int, share_done: float, keys: NDArray[np.uint64]) -> Move:
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
            return self._turned(radius, first_pick, second_pick % len(self.discs[radius].motions))

        if kind < EXCHANGE_NEIGHBOURS_BELOW:
            # The last motions of a disc of radius 1 exchange its middle and a neighbour.
            from_last = 1 + second_pick % self.original.neighbours.shape[1]
            return self._turned(1, first_pick, len(self.discs[1].motions) - from_last)

        # The radius is 1 or 2 at the beginning, and only 1 near the end.
        radius = 1 + int(size * (1 - share_done) * min(2, largest))
        if kind < TURN_BELOW:
            return self._turned(radius, first_pick, second_pick % len(self.discs[radius].motions))
        if kind < EXCHANGE_CELLS_BELOW:
            radius = 0  # single cells
        return self._exchanged(radius, first_pick, second_pick)

    def _turned(self, radius: int, centre: NDArray[np.uint32], motion: NDArray[np.uint32]) -> Move:
        """Return the move that applies a motion to the content of each disc.

        ``centre`` (n,) are random numbers that pick the cell in the middle of each disc, ``motion``
        (n,) the numbers of the motions. Content moves in cycles; only cycles of which all cells are
        free take part.
        """
        discs = self.discs[radius]
        cell_numbers = centre % len(discs.cells)
        cells = discs.cells[cell_numbers]
        motions = discs.motions[motion]
        # A cell may move if all cells of its cycle are free. This is pointer doubling: ``leaps`` is
        # the motion applied 2 ** k times after k rounds, and ``may_move`` is true for a cell if the
        # next 2 ** k cells of its cycle are free.
        may_move = self.original.free[cells]
        leaps = motions
        for _round in range(LONGEST_CYCLE.bit_length()):
            may_move = may_move & np.take_along_axis(may_move, leaps, 1)
            leaps = np.take_along_axis(leaps, leaps, 1)
        stays = np.arange(motions.shape[1])
        motions = np.where(may_move, motions, stays)
        return Move(cells, motions, discs.region[cell_numbers])

    def _exchanged(
        self, radius: int, first: NDArray[np.uint32], second: NDArray[np.uint32]
    ) -> Move:
        """Return the move that exchanges the content of two discs, for each of n pairs of discs.

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
        is_free = self.original.free[cells]
        is_exchanged = is_free[:, :size] & is_free[:, size:] & is_apart[:, None]
        stays = np.arange(2 * size)
        exchange = np.roll(stays, size)
        motion = np.where(np.tile(is_exchanged, 2), exchange, stays)
        region = np.hstack([discs.region[first_cells], discs.region[second_cells]])
        region[~is_apart] = len(self.original.cells)
        return Move(cells, motion, region)

    @cached_property
    def discs(self) -> tuple[Discs, ...]:
        """The discs of the map, by radius from 0 on."""
        grid = self.original.base.grid
        largest = LARGEST_ON_SMALL
        if len(self.original.cells) >= LARGE:
            largest = LARGEST
        if grid.wrap:
            # On a map without a left and right edge a large disc would meet itself on the other
            # side, and move a cell to two places.
            largest = max(1, min(largest, (grid.width - 3) // 2))
        return tuple(self._discs_of(radius) for radius in range(largest + 1))

    def _discs_of(self, radius: int) -> Discs:
        """Return the discs of a radius around all cells, with their motions."""
        degree = self.original.base.grid.layout.degree
        offsets = _offsets(degree, radius)
        motions: list[Ints] = []
        if radius >= TWIRLED:
            motions += self._twirls(radius, offsets)
        elif radius > 0:
            motions += self._turns(offsets)
        if radius == 1:
            motions += self._exchanges_with_neighbours(offsets)  # the last ones: see ``choose``
        cells = self._cells_at(offsets)
        region = self._cells_at(_offsets(degree, radius + 1))
        return Discs(cells, region, np.array(motions, np.intp).reshape(-1, len(offsets)))

    def _turns(self, offsets: list[tuple[int, int]]) -> list[Ints]:
        """Return the motions that turn and mirror a disc, but for the one that changes nothing."""
        layout = self.original.base.grid.layout
        position = {offset: number for number, offset in enumerate(offsets)}
        motions = []
        for rotation in range(layout.degree):
            for mirrors in (False, True):
                if rotation == 0 and not mirrors:
                    continue
                turn = Turn(layout, rotation, mirrors)
                targets = [position[turn.apply(*offset)] for offset in offsets]
                # ``targets`` says where content goes; a motion says from where it comes.
                motions.append(np.argsort(targets))
        return motions

    def _exchanges_with_neighbours(self, offsets: list[tuple[int, int]]) -> list[Ints]:
        """Return the motions that exchange the middle of a disc and one of its neighbours."""
        position = {offset: number for number, offset in enumerate(offsets)}
        middle = position[0, 0]
        motions = []
        for step in self.original.base.grid.layout.steps:
            motion = np.arange(len(offsets))
            neighbour = position[step]
            motion[middle] = neighbour
            motion[neighbour] = middle
            motions.append(motion)
        return motions

    def _twirls(self, radius: int, offsets: list[tuple[int, int]]) -> list[Ints]:
        """Return the motions that move each ring of a disc round by 0, 1 or 2 cells.

        The rings halfway between the middle and the rim are moved farthest. So the middle and the
        rim still fit to what is beside them, and what lies between is bent.
        """
        degree = self.original.base.grid.layout.degree
        position = {offset: number for number, offset in enumerate(offsets)}
        motions = []
        for greatest_shift in (-2, -1, 1, 2):
            motion = np.arange(len(offsets))
            for ring in range(1, radius + 1):
                shift = round(greatest_shift * np.sin(np.pi * ring / (radius + 1)))
                positions = [position[offset] for offset in _ring(degree, ring)]
                motion[positions] = np.roll(positions, shift)
            motions.append(motion)
        return motions

    def _cells_at(self, offsets: list[tuple[int, int]]) -> Ints:
        """Return the numbers of the cells at these steps from each cell: (m, k)."""
        q, r = axial_of(self.original.base.grid, self.original.cells)
        step_q, step_r = np.array(offsets).T
        cells = cells_of_axial(self.original.base.grid, q[:, None] + step_q, r[:, None] + step_r)
        numbers: Ints = self.original.numbers[cells]
        return numbers


class DiceUse(IntEnum):
    """The uses of the dice of a step; each has a stream of its own.

    The numbers are part of the streams: if they change, every seed makes other variations.
    """

    ACCEPTANCE = 0
    """To accept or refuse each move (``Annealing``)."""

    KIND = 1
    """To choose the kind of all moves."""

    SIZE = 2
    """To choose the radius of their discs."""

    CELLS = 3
    """To choose the cells and the motion of each move."""


def stream_of_step(seed: int, step: int, use: DiceUse) -> int:
    """Return the start of the stream of dice (``dice.stream``) of one step for one use."""
    return stream(seed, len(DiceUse) * step + use)


_FLOAT_BITS = 53
"""The bits of a whole number that a float holds exactly."""

_DROPPED_BITS = 64 - _FLOAT_BITS
"""The lowest bits of a word of dice, which a share leaves out."""


def one_share(word: int) -> float:
    """Return a word of dice (64 bits) as a number from 0 to below 1."""
    return float((word >> _DROPPED_BITS) * 2.0**-_FLOAT_BITS)


def shares(words: NDArray[np.uint64]) -> NDArray[np.float64]:
    """Return words of dice as numbers from 0 to below 1, in the same shape."""
    return np.asarray((words >> np.uint64(_DROPPED_BITS)) * 2.0**-_FLOAT_BITS)


def _offsets(degree: int, radius: int) -> list[tuple[int, int]]:
    """Return the axial steps (q, r) from the middle of a disc to each of its cells.

    A disc of squares is a square, one of hexes a hexagon.
    """
    span = range(-radius, radius + 1)
    offsets = []
    for q in span:
        for r in span:
            if degree == 4 or abs(q + r) <= radius:
                offsets.append((q, r))
    return offsets


def _ring(degree: int, ring: int) -> list[tuple[int, int]]:
    """Return the axial steps to the outermost cells of a disc, in their order around it."""
    cells = {*_offsets(degree, ring)} - {*_offsets(degree, ring - 1)}

    def angle(offset: tuple[int, int]) -> float:
        q, r = offset
        if degree == 4:
            return math.atan2(r, q)
        # The second axis of hexes leans: a step along it goes half a cell to the right, and down
        # by about the root of three quarters.
        return math.atan2(r * 0.875, q + 0.5 * r)

    return sorted(cells, key=angle)
