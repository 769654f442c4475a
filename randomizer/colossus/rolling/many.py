"""Rolling a script thousands of times at once: the very maps that ``roll`` makes, one by one.

Draws are keyed (docs/adr/0003), so it does not matter in which company a map is rolled. A list of
hexes is a dictionary of counts: hex id -> how often it stands in the list, one number where this is
the same in all maps, else a row with a number for each map. Hexes that cannot be in it are left
out. What a hex shows is one row of states (``state_of``). The *order* of a list is not kept: only
the start list has a use for it, and it is told by the map's own ``roll``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Set
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any

import numpy as np
from numpy.typing import NDArray

from randomizer.colossus.board import HEX_COUNT, HEX_OF_LABEL, NEIGHBOURS, PARTS
from randomizer.colossus.rolling.draws import KeyedDraws
from randomizer.colossus.rolling.foresight import longest_list, needed_steps
from randomizer.colossus.rolling.many_sides import mark_sides
from randomizer.colossus.rolling.program import (
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
from randomizer.colossus.rolling.roller import Base, mark_hexsides, place_hexes
from randomizer.dice import steps, stream, streams, words_at
from randomizer.problems import ProblemError

CHUNK = 32_768
"""How many maps are rolled at once: few enough for the cache, enough to outweigh each call."""
ROW_LIMIT = 255
"""The most hexes, duplicates counted, that a list may hold to be counted in rows of bytes."""

# Linux's memory allocator hands freed arrays back to the system and has to fetch them again page by
# page, which may double the time of 10,000 maps. It keeps those up to the largest it saw freed.
np.empty(8 << 20, np.uint8)

Row = NDArray[np.uint8]
Count = Any
"""An int or a Row. (The checker believes that the sum of both is no Row of bytes; it is.)"""
Counts = dict[int, Count]
"""By ascending hex id; never changed once made."""


@dataclass(frozen=True, eq=False)
class Rolls:
    """Maps ``numbers`` of ``seed``, one a row.

    ``terrain`` (n, 27) uint8, ``elevation`` (n, 27) int16 and ``hexside`` (n, 27, 6) uint8 hold
    the whole maps as in ``RolledMap``; ``hexside`` is None if it was not asked for. ``start``
    (n, 27) uint16 says how often each hex stands in the start list, None if the script has none.
    ``failed`` (n) marks the maps that ``roll`` refuses to make: they show the base and an empty
    start list. All are laid out in memory hex by hex.
    """

    seed: int
    numbers: NDArray[np.uint64]
    terrain: NDArray[np.uint8]
    elevation: NDArray[np.int16]
    hexside: NDArray[np.uint8] | None
    start: NDArray[np.uint16] | None
    failed: NDArray[np.bool_]


def roll_many(
    program: Program,
    base: Base,
    seed: int,
    numbers: NDArray[np.uint64],
    *,
    hexsides: bool = True,
    chunk: int = CHUNK,
) -> Rolls:
    """Roll the maps ``numbers`` (n, in any order) of ``seed`` onto ``base``.

    The result does not depend on ``chunk``. A script with a list that may grow beyond ROW_LIMIT
    hexes is rolled map by map, as slowly as ``roll``. Raises ValueError for a seed or a number out
    of range (randomizer/dice.py).
    """
    numbers = np.asarray(numbers, np.uint64)
    if numbers.size:
        KeyedDraws(seed, int(numbers.max()))
    rolls = _not_rolled(program, base, seed, numbers, hexsides)
    if longest_list(program) > ROW_LIMIT:
        _roll_one_by_one(program, base, rolls)
        return rolls
    steps = needed_steps(program)
    for first in range(0, numbers.size, chunk):
        part = slice(first, first + chunk)
        rows = Rows(program, base, seed, numbers[part])
        for step, needed in steps:
            rows.take(step, needed)
        rows.write(rolls, part)
    return rolls


def _not_rolled(
    program: Program, base: Base, seed: int, numbers: NDArray[np.uint64], hexsides: bool
) -> Rolls:
    """Room for the maps; the hexsides are the base's."""
    n = numbers.size
    terrain = np.empty((HEX_COUNT, n), np.uint8)
    elevation = np.empty((HEX_COUNT, n), np.int16)
    sides = np.zeros((HEX_COUNT, 6, n), np.uint8) if hexsides else None
    below = np.array(base.hexside, np.uint8)
    if sides is not None and below.any():
        sides[:] = below[:, :, None]
    has_start = any(isinstance(step, StartStep) for step in program.steps)
    return Rolls(
        seed,
        numbers,
        terrain.T,
        elevation.T,
        None if sides is None else np.moveaxis(sides, 2, 0),
        np.zeros((HEX_COUNT, n), np.uint16).T if has_start else None,
        np.zeros(n, np.bool_),
    )


def _roll_one_by_one(program: Program, base: Base, rolls: Rolls) -> None:
    draws = KeyedDraws(rolls.seed, 0)
    for row, number in enumerate(rolls.numbers.tolist()):
        draws.number = number
        draws.start(program)
        try:
            rolled = place_hexes(program, draws, base)
        except ProblemError:  # marked; ``roll`` of the number tells which
            rolls.failed[row] = True
            rolls.terrain[row], rolls.elevation[row] = base.terrain, base.elevation
            continue
        rolls.terrain[row] = rolled.terrain
        rolls.elevation[row] = rolled.elevation
        if rolls.hexside is not None:
            mark_hexsides(program, draws, rolled)
            rolls.hexside[row] = rolled.hexside
        if rolls.start is not None:
            for label, count in Counter(rolled.startlist).items():
                rolls.start[row, HEX_OF_LABEL[label]] = count


# --- rolling ----------------------------------------------------------------------------------


class Rows:
    """The maps ``numbers`` (n) while they are rolled, a map a column; n should be at most CHUNK.

    ``states`` (27, n) is what the hexes show by now (``state_of``); ``failed`` (n) is 1 where there
    is no such map. With ``origins``, ``origins`` (27, n) tells which AREA placed it: 1 for the
    program's first, 0 for the base. Only for lists that stay within ROW_LIMIT.
    """

    def __init__(
        self,
        program: Program,
        base: Base,
        seed: int,
        numbers: NDArray[np.uint64],
        *,
        origins: bool = False,
    ) -> None:
        self.program, self.base, self.seed, self.numbers = program, base, seed, numbers
        states = np.array(list(map(state_of, base.terrain, base.elevation)), np.uint8)
        self.states = np.repeat(states[:, None], numbers.size, 1)
        self.failed = np.zeros(numbers.size, np.uint8)
        self.starts = streams(seed, program.sites[: program.edge_words])
        self.steps = steps(numbers)
        self.start: Counts = {}
        self.labels: dict[str, Counts] = {name: _counted(part) for name, part in PARTS.items()}
        self.origins: NDArray[np.uint16] | None = None
        if origins:
            self.origins = np.zeros((HEX_COUNT, numbers.size), np.uint16)
        self.areas_done = 0

    def take(self, step: Step, needed: Set[str]) -> Iterable[int]:
        """Do one step; of the labels it sets, only those ``needed`` later. The list's hexes."""
        counts = self.list_of(step.hexes)
        if isinstance(step, AreaStep):
            left, used = self._place(step, counts, USEDUP in needed)
            self.labels |= {LEFTOVER: left, USEDUP: used}
        elif isinstance(step, LabelStep):
            self.labels[step.name] = counts
        else:
            self.start = counts
        return counts.keys()

    def _place(self, step: AreaStep, counts: Counts, keep: bool) -> tuple[Counts, Counts]:
        """What is left over and, if it is to be kept, used up."""
        numbers = list(counts)
        left = self._matrix(counts)
        total = _total(counts, left)
        used = np.zeros_like(left) if keep else left[:0]
        states = self.states[numbers]
        self.areas_done += 1
        for placing in step.placings:
            if isinstance(total, int) and total == 0:
                break
            if placing.chance == 0:
                continue
            bits = words_at(self.starts[placing.index], self.steps)
            lanes = bits.astype("<u8", copy=False).view("<u2")
            position = _position(lanes[1::4], total)
            placed = _at_least_one(total)
            if placing.chance < 1 << 32:
                hit = (bits < np.uint64(placing.chance << 32)).view(np.uint8)
                position |= hit - 1  # a miss becomes 255, behind every hex
                placed = hit & placed
            total = total - placed
            if placing.terrain < 0:
                self.failed |= placed
                code: Count = 0
            else:
                code = placing.terrain * ELEVATIONS + _elevation(placing, lanes)
            chosen = _taken(left, position)
            change = code - states
            change *= chosen
            states += change
            if keep:
                used += chosen
            if self.origins is not None:
                origins = self.origins[numbers]
                origins[chosen.view(np.bool_)] = self.areas_done
                self.origins[numbers] = origins
        self.states[numbers] = states
        return dict(zip(numbers, left, strict=True)), dict(zip(numbers, used, strict=False))

    # --- lists -------------------------------------------------------------------------------

    def list_of(self, hexes: HexList) -> Counts:
        """The list in every map."""
        if isinstance(hexes, Fixed):
            return _counted(hexes.hexes)
        if isinstance(hexes, Use):
            return self.labels.get(hexes.name, {})
        if isinstance(hexes, Chain):
            joined: Counts = {}
            for part in hexes.parts:
                for number, count in self.list_of(part).items():
                    joined[number] = joined.get(number, 0) + count
            return dict(sorted(joined.items()))
        source = self.list_of(hexes.source)
        if isinstance(hexes, Pick):
            return self._some_of(hexes, source)
        return _around(source) if isinstance(hexes, Around) else self._without(hexes, source)

    def _some_of(self, pick: Pick, source: Counts) -> Counts:
        pool = self._matrix(source)
        total = _total(source, pool)
        if pick.count >= int(np.max(total)):
            return source
        taken = np.zeros_like(pool)
        for k in range(pick.count):
            if not k & 3:
                start = np.uint64(stream(self.seed, pick.site + (k >> 2)))
                bits = words_at(start, self.steps)
                lanes = bits.astype("<u8", copy=False).view("<u2")
            taken += _taken(pool, _position(lanes[k & 3 :: 4], total))
            total = total - _at_least_one(total)
        return dict(zip(source, taken, strict=True))

    def _matrix(self, counts: Counts) -> Row:
        """A row for each hex."""
        matrix = np.empty((len(counts), self.numbers.size), np.uint8)
        for row, count in zip(matrix, counts.values(), strict=True):
            row[:] = count
        return matrix

    def _without(self, without: Without, source: Counts) -> Counts:
        left_out = self.list_of(without.without)
        kept: Counts = {}
        for number, count in source.items():
            out = left_out.get(number, 0)
            if not isinstance(out, int):
                kept[number] = count * (out == 0).view(np.uint8)
            elif not out:
                kept[number] = count
        return kept

    # --- the result --------------------------------------------------------------------------

    def write(self, rolls: Rolls, part: slice) -> None:
        """Into the rows ``part`` of ``rolls``; failed ones show the base."""
        np.floor_divide(self.states, ELEVATIONS, out=rolls.terrain.T[:, part])
        np.bitwise_and(self.states, ELEVATIONS - 1, out=rolls.elevation.T[:, part])
        for number, below in enumerate(self.base.elevation):
            if not 0 <= below < ELEVATIONS - 1:  # the last stands for it: AREAs place 0 to 2
                row = rolls.elevation[part, number]
                row[row == ELEVATIONS - 1] = below
        if rolls.start is not None:
            for number, count in self.start.items():
                rolls.start[part, number] = count
        if rolls.hexside is not None and any(self.program.pairs):
            sides = rolls.hexside[part].transpose(1, 2, 0)
            mark_sides(self.program, self.seed, self.numbers, self.states, sides, self.base)
        if self.failed.any():
            self._take_back(rolls, part)

    def _take_back(self, rolls: Rolls, part: slice) -> None:
        failed = rolls.failed[part] = self.failed.view(np.bool_)
        rolls.terrain[part][failed] = self.base.terrain
        rolls.elevation[part][failed] = self.base.elevation
        if rolls.start is not None:
            rolls.start[part][failed] = 0
        if rolls.hexside is not None:
            rolls.hexside[part][failed] = self.base.hexside


def _counted(hexes: tuple[int, ...]) -> Counts:
    return dict(sorted(Counter(hexes).items()))


def _total(counts: Counts, matrix: Row) -> Count:
    if all(isinstance(count, int) for count in counts.values()):
        return sum(counts.values())
    return np.add.reduce(matrix, 0, np.uint8)


def _at_least_one(total: Count) -> Count:
    return 1 if isinstance(total, int) else (total > 0).view(np.uint8)


def _position(lane: NDArray[np.uint16], total: Count) -> Row:
    """``lane * total >> 16``: less than ``total``, 0 where that is 0."""
    product = lane.astype("<u4")
    product *= total
    return product.view(np.uint8)[2::4].copy()


def _taken(counts: Row, position: Row) -> Row:
    """Take the hex at ``position`` out of ``counts`` (k, n): 1 where it was, shape (k, n).

    ``position`` wears away: it counts down to the hex, and then lies (below 256) behind the rest.
    """
    taken = np.empty(counts.shape, np.bool_)
    for chosen, count in zip(taken, counts, strict=True):
        np.less(position, count, out=chosen)
        position -= count
    chosen_ones = taken.view(np.uint8)
    counts -= chosen_ones
    return chosen_ones


def _elevation(placing: Placing, lanes: NDArray[np.uint16]) -> Count:
    if len(placing.elevations) == 1:
        return placing.elevations[0]
    lane = lanes[::4].copy()
    first, second = (lane >= placing.first).view(np.uint8), (lane >= placing.second).view(np.uint8)
    return np.maximum(first, second * np.uint8(2))


def _around(source: Counts) -> Counts:
    members = {
        number: int(count > 0) if isinstance(count, int) else (count > 0).view(np.uint8)
        for number, count in source.items()
    }
    ring: Counts = {}
    for number, others in enumerate(NEIGHBOURS):
        found = [members[other] for other in others if other in members]
        inside = members.get(number, 0)
        if not found or (isinstance(inside, int) and inside):
            continue
        near = reduce(or_, found)
        if not isinstance(near, int) or near:
            ring[number] = near if isinstance(inside, int) else (near > inside).view(np.uint8)
    return ring
