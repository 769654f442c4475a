"""Simulated annealing of many variations at once: patches are turned, mirrored and exchanged.

A chain is one variation on its way. Its energy says how far the neighbourhoods on it differ from
those on the original, and how few of its cells differ from the original and from the variations
before it. So clumps stay clumps, and shores and slopes look as they did.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.geometry.shapes import axial_of, cells_of_axial
from randomizer.geometry.turn import Turn
from randomizer.model.basics.dice import steps, stream, words_at
from randomizer.variations.original import Ints, Marks, Original

LARGE = 300
"""Maps of so many cells are twirled first: that changes much of them, and little of their look."""

TWIRLED = 3
LARGEST = 7
"""Discs of these radii are twirled, smaller ones turned and exchanged."""

TWIRLING = 0.1
"""The share of the moves of a large map that twirl; with more the relief is not smooth again at the
end."""

HOT = 3.0
HOT_LARGE = 0.5
COLD = 0.15
"""The temperatures at the beginning, also of large maps, and at the end."""


class Pace(NamedTuple):
    """The effort with which variations are sought."""

    steps_per_cell: int = 5
    """How many moves each chain tries; with more it takes longer, and looks like the original."""
    least_steps: int = 1600
    """So many on small maps."""
    samples: int = 8
    """How often the chains are looked at in their colder half; the best look of each counts."""
    chains_at_once: int = 40
    """How many chains run together at most."""


PACE = Pace()
APART = 200
"""A move is tried at once for so many cells of a chain: far from others it counts as if alone."""

TOO_FEW = 5.0
TOO_MANY = 1.5
DEEP = 8.0
ALONE = 3.0
"""The energies of a cell too few that differs and one too many, of a step of 2 or more, and of an
open or closed cell without neighbours that are so, too; that of a pair of neighbours is 1."""

DEEPER = 1000.0
"""The energy of a step that is deeper than any on the original: no move makes one, for on a large
map one of them would be left somewhere, and the whole variation thrown away."""

FAULTY = 1e6
"""A chain with a fault is worse than any without."""

OUTLINE = 0.1
"""The energy of a terrain or elevation that is once too often at an edge of the map."""

LIKE = 0.6
"""The most energy a cell of what still looks like the original."""

SPARE = 0.15
"""A variation differs in so much of the map more than it must, and then costs energy."""


class Fault(IntEnum):
    """The reason that a candidate is no variation; the first that applies."""

    NONE = 0
    WAYS = 1
    HEIGHTS = 2
    ALIKE = 3
    LOOK = 4
    UNFAIR = 5


class Chains(NamedTuple):
    """The best of n chains: ``sources`` (n, m + 1), ``score``, the less the better, ``Fault``s."""

    sources: Ints
    score: NDArray[np.float64]
    faults: Ints


class Discs(NamedTuple):
    """The discs of one radius around each cell, and the motions of their content.

    ``cells`` (m, k) are numbers of cells; ``region`` (m, l) are those with all neighbours. A motion
    is a row of ``came`` (p, k): the position in the disc from which the content of each comes.
    """

    cells: Ints
    region: Ints
    came: Ints


class _Move(NamedTuple):
    """A move of each chain: the content of ``cells`` (n, k) comes from their positions ``came``.

    What changes is within ``region`` (n, l).
    """

    cells: Ints
    came: Ints
    region: Ints


@dataclass(frozen=True, eq=False)
class Annealing:
    """At least ``least`` cells of a variation differ from each other map.

    Chain ``k`` of ``seed`` is always the same one of a pace and of other maps.
    """

    original: Original
    least: int
    seed: int
    pace: Pace = PACE

    def run(self, chains: range, other_states: Ints) -> Generator[int, None, Chains]:
        """Anneal chains; yields the percentage done.

        ``other_states`` (a, m + 1) are the states of the other maps; the original is the first.
        """
        original = self.original
        m = len(self.original.cells)
        moves_at_once = max(1, m // APART)
        n = len(chains)
        numbers = np.arange(chains.start * moves_at_once, chains.stop * moves_at_once)
        keys = steps(numbers.astype(np.uint64))
        owner = np.repeat(np.arange(n), moves_at_once)
        row = owner[:, None]
        sources = np.repeat(np.arange(m + 1)[None], n, axis=0)
        claims = np.zeros_like(sources)
        counts = np.repeat(self._goal[None], n, axis=0)
        changed = (other_states[None] != original.states[sources][:, None]).sum(axis=2)
        energy = self._energy(counts, changed)
        best = Chains(sources.copy(), np.full(n, np.inf), np.zeros(n, np.intp))
        total = max(self.pace.least_steps, self.pace.steps_per_cell * m) // moves_at_once
        sample_interval = max(1, total // (2 * self.pace.samples))
        hot = HOT if m < LARGE else HOT_LARGE
        for step in range(total):
            move = self._move(step, step / total, keys)
            old = sources[row, move.cells]
            new = np.take_along_axis(old, move.came, 1)
            able = (original.states[old] != original.states[new]).any(axis=1)
            able[able] = self._apart(move.region[able], row[able], claims)
            move = _Move(*(column[able] for column in move))
            at = row[able]
            whose = owner[able]
            old = old[able]
            new = new[able]
            change = -self._features(sources, at, move.region)
            sources[at, move.cells] = new
            change += self._features(sources, at, move.region)
            theirs = other_states[:, move.cells]
            was = original.states[old] != theirs
            now = original.states[new] != theirs
            farther = now.sum(axis=2).T - was.sum(axis=2).T
            gain = energy[whose] - self._energy(counts[whose] + change, changed[whose] + farther)
            heat = hot * (COLD / hot) ** (step / total)
            is_accepted = self._dice(4 * step, keys[able]) < np.exp(np.minimum(gain / heat, 0))
            sources[at[~is_accepted], move.cells[~is_accepted]] = old[~is_accepted]
            np.add.at(counts, whose[is_accepted], change[is_accepted])
            np.add.at(changed, whose[is_accepted], farther[is_accepted])
            energy = self._energy(counts, changed)
            if (step + 1) % sample_interval:
                continue
            if step >= total // 2:
                # Hot chains have faults, and to look for them takes long on a large map.
                faults = self._faults(sources, energy, changed)
                score = energy + FAULTY * (faults > 0)
                better = score < best.score
                for mine, its in zip(best, (sources, score, faults), strict=True):
                    mine[better] = its[better]
            yield 1 + 98 * step // total
        return best

    def _apart(self, region: Ints, row: Ints, claims: Ints) -> Marks:
        """Return (k,): which regions touch no later one of their chain; overwrites ``claims``."""
        number = np.arange(len(row))[:, None]
        claims[row, region] = number
        is_claimed_here = (claims[row, region] == number) | (region == len(self.original.cells))
        return np.asarray(is_claimed_here.all(axis=1))

    def _dice(self, site: int, keys: NDArray[np.uint64]) -> NDArray[np.float64]:
        return _shares(words_at(np.uint64(stream(self.seed, site)), keys))

    # --- energy -----------------------------------------------------------------------------

    @cached_property
    def _sizes(self) -> tuple[int, ...]:
        """The starts of the kinds of features: terrains, elevations, clumps, open cells, end."""
        t = len(self.original.terrains[0])
        e = len(self.original.levels[0])
        degree = self.original.around.shape[1]
        sizes = (t * (t + 1), e * (e + 1), t * (degree + 1), 2 * (degree + 1))
        return (0, *np.cumsum(sizes).tolist())

    def _features(self, sources: Ints, row: Ints, region: Ints) -> Ints:
        """Count the features of regions (k, l) of the maps in ``row`` (k, 1): (k, features).

        They are pairs of neighbours by terrain, pairs by elevation, for each terrain how many
        neighbours have it too, and the same for open and closed cells. In pairs what is off the map
        is a terrain and an elevation, else it is like the cell.
        """
        original = self.original
        degree = self.original.around.shape[1]
        terrains = original.terrains[1]
        levels = original.levels[1]
        _, heights, clumps, opens, count = self._sizes
        first = row * sources.shape[1]
        here = sources.take(region + first)[..., None]
        beyond = sources.take(original.around.take(region, axis=0) + first[:, :, None])
        outside = beyond == len(original.cells)
        terrain = terrains.take(here)
        neighbour_terrain = terrains.take(beyond)
        open_ = original.open.take(here)
        every = np.empty((*region.shape, 2 * degree + 2), np.intp)
        np.add(terrain * (int(terrains[-1]) + 1), neighbour_terrain, out=every[..., :degree])
        level = heights + levels.take(here) * (int(levels[-1]) + 1)
        np.add(level, levels.take(beyond), out=every[..., degree:-2])
        equal_neighbours = ((terrain == neighbour_terrain) | outside).sum(axis=2)
        every[..., -2] = clumps + terrain[..., 0] * (degree + 1) + equal_neighbours
        equal_neighbours = ((open_ == original.open.take(beyond)) | outside).sum(axis=2)
        every[..., -1] = opens + open_[..., 0] * (degree + 1) + equal_neighbours
        every[region == len(original.cells)] = count
        every += np.arange(0, len(region) * (count + 1), count + 1)[:, None, None]
        counted = np.bincount(every.ravel(), minlength=len(region) * (count + 1))
        features: Ints = counted.reshape(len(region), count + 1)[:, :-1]
        return features

    @cached_property
    def _goal(self) -> Ints:
        m = len(self.original.cells)
        whole = np.arange(m)[None]
        goal: Ints = self._features(np.arange(m + 1)[None], np.zeros((1, 1), np.intp), whole)[0]
        return goal

    @cached_property
    def _weights(self) -> NDArray[np.float64]:
        """(features, 4): the energy of each too many or too few, and what too many deep steps,
        steps deeper than any on the original, and lone cells cost more."""
        _, levels, clumps, opens, count = self._sizes
        heights = self.original.levels[0]
        deepest = self.original.steps(self.original.itself)[0, 1]
        weights = np.zeros((count, 4))
        weights[:, 0] = 0.5  # a pair counts from both its cells
        weights[:levels, 0].reshape(len(self.original.terrains[0]), -1)[:, -1] = OUTLINE
        pairs = weights[levels:clumps].reshape(len(heights), -1, 4)
        pairs[:, -1, 0] = OUTLINE
        drops = np.abs(heights[:, None] - heights)
        pairs[:, :-1, 1] = DEEP / 2 * (drops > 1)
        pairs[:, :-1, 2] = DEEPER / 2 * (drops > deepest)
        weights[[opens, opens + self.original.around.shape[1] + 1], 3] = ALONE
        return weights

    def _energy(self, counts: Ints, changed: Ints) -> NDArray[np.float64]:
        """Return (n,) from counts (n, features) and changed cells (n, a)."""
        differences = counts - self._goal
        energy = np.abs(differences) @ self._weights[:, 0]
        energy += np.maximum(differences @ self._weights[:, 1:], 0).sum(axis=1)
        missing = np.maximum(self.least - changed, 0).sum(axis=1)
        most = self.least + SPARE * len(self.original.cells)
        energy += TOO_FEW * missing + TOO_MANY * np.maximum(changed[:, 0] - most, 0)
        return np.asarray(energy)

    def _faults(self, sources: Ints, energy: NDArray[np.float64], changed: Ints) -> Ints:
        """Return the first ``Fault`` of each chain."""
        wrong = [
            ~self.original.keeps_ways(sources),
            ~self.original.keeps_heights(sources),
            (changed < self.least).any(axis=1),
            energy > LIKE * len(self.original.cells),
        ]
        kinds = [Fault.WAYS, Fault.HEIGHTS, Fault.ALIKE, Fault.LOOK]
        return np.select(wrong, kinds, Fault.NONE)

    # --- moves ------------------------------------------------------------------------------

    def _move(self, step: int, done: float, keys: NDArray[np.uint64]) -> _Move:
        """Return move ``step`` of each chain: of one kind for all, each of its own cells."""
        kind, size = ((stream(self.seed, 4 * step + n) >> 11) * 2.0**-53 for n in (1, 2))
        picks = words_at(np.uint64(stream(self.seed, 4 * step + 3)), keys)
        first, second = ((picks >> np.uint64(32 * half)).astype(np.uint32) for half in (0, 1))
        largest = len(self.discs) - 1
        if done < TWIRLING and largest >= TWIRLED:
            radius = TWIRLED + int(size * (largest + 1 - TWIRLED))
            return self._turned(radius, first, second % len(self.discs[radius].came))
        if kind < 0.45:  # the last motions exchange the middle and a neighbour
            neighbour = 1 + second % self.original.around.shape[1]
            return self._turned(1, first, len(self.discs[1].came) - neighbour)
        radius = 1 + int(size * (1 - done) * min(2, largest))
        if kind < 0.65:
            return self._turned(radius, first, second % len(self.discs[radius].came))
        return self._exchanged(0 if kind < 0.85 else radius, first, second)

    def _turned(self, radius: int, centre: NDArray[np.uint32], motion: NDArray[np.uint32]) -> _Move:
        """Move the content of a disc; only circles of free cells take part."""
        discs = self.discs[radius]
        at = centre % len(discs.cells)
        cells = discs.cells[at]
        came = discs.came[motion]
        whole = self.original.free[cells]
        chain = came
        for _ in range(6):  # circles of 42 cells are the longest
            whole = whole & np.take_along_axis(whole, chain, 1)
            chain = np.take_along_axis(chain, chain, 1)
        came = np.where(whole, came, np.arange(came.shape[1]))
        return _Move(cells, came, discs.region[at])

    def _exchanged(
        self, radius: int, first: NDArray[np.uint32], second: NDArray[np.uint32]
    ) -> _Move:
        """Exchange the content of two discs that are apart."""
        discs = self.discs[radius]
        grid = self.original.base.grid
        first_cell = first % len(discs.cells)
        target = second % len(discs.cells)
        ys, xs = np.divmod(self.original.cells, grid.width)
        wide = np.abs(xs[first_cell] - xs[target])
        high = np.abs(ys[first_cell] - ys[target])
        if grid.wrap:
            wide = np.minimum(wide, grid.width - wide)
        else:
            wide = wide
        apart = np.maximum(wide, high) > 2 * (radius + 1)
        k = discs.cells.shape[1]
        cells = np.hstack([discs.cells[first_cell], discs.cells[target]])
        free = self.original.free[cells]
        both = np.tile(free[:, :k] & free[:, k:] & apart[:, None], 2)
        came = np.where(both, np.roll(np.arange(2 * k), k), np.arange(2 * k))
        region = np.hstack([discs.region[first_cell], discs.region[target]])
        region[~apart] = len(self.original.cells)
        return _Move(cells, came, region)

    @cached_property
    def discs(self) -> tuple[Discs, ...]:
        grid = self.original.base.grid
        largest = 2 if len(self.original.cells) < LARGE else LARGEST
        if grid.wrap:  # a disc does not meet itself
            largest = max(1, min(largest, (grid.width - 3) // 2))
        return tuple(self._discs_of(radius) for radius in range(largest + 1))

    def _discs_of(self, radius: int) -> Discs:
        layout = self.original.base.grid.layout
        offsets = _offsets(layout.degree, radius)
        position = {offset: number for number, offset in enumerate(offsets)}
        motions: list[Ints] = []

        def move(path: Sequence[tuple[int, int]], by: int, motion: Ints) -> Ints:
            """Move the content along a path by so many cells; what leaves comes in again."""
            numbers = [position[offset] for offset in path]
            motion[numbers] = np.roll(numbers, by)
            return motion

        if 0 < radius < TWIRLED:
            turns = [
                Turn(layout, n, mirrors) for n in range(layout.degree) for mirrors in (False, True)
            ]
            goes = [[position[turn.apply(*offset)] for offset in offsets] for turn in turns[1:]]
            motions += [np.argsort(goe) for goe in goes]
        identity = np.arange(len(offsets))
        if radius == 1:
            motions += [move([(0, 0), step], 1, identity.copy()) for step in layout.steps]
        for by in (-2, -1, 1, 2) if radius >= TWIRLED else ():
            motions.append(identity.copy())
            for ring in range(1, radius + 1):  # those halfway out the farthest
                far = round(by * np.sin(np.pi * ring / (radius + 1)))
                move(_ring(layout.degree, ring), far, motions[-1])
        cells, region = (
            self._cells_at(_offsets(layout.degree, size)) for size in (radius, radius + 1)
        )
        return Discs(cells, region, np.array(motions, np.intp).reshape(-1, len(offsets)))

    def _cells_at(self, offsets: list[tuple[int, int]]) -> Ints:
        """Return the numbers of the cells at these steps from each cell: (m, k)."""
        q, r = axial_of(self.original.base.grid, self.original.cells)
        to_q, to_r = np.array(offsets).T
        at = cells_of_axial(self.original.base.grid, q[:, None] + to_q, r[:, None] + to_r)
        numbers: Ints = self.original.numbers[at]
        return numbers


def _offsets(degree: int, radius: int) -> list[tuple[int, int]]:
    """Return the axial steps from the middle of a disc to each of its cells; squares on squares."""
    span = range(-radius, radius + 1)
    return [(q, r) for q in span for r in span if degree == 4 or abs(q + r) <= radius]


def _ring(degree: int, ring: int) -> list[tuple[int, int]]:
    """Return the outermost cells of a disc in their order around it."""
    cells = {*_offsets(degree, ring)} - {*_offsets(degree, ring - 1)}
    lean = 0.5 if degree == 6 else 0.0  # axial hexes lean: the second axis is 60 degrees on
    return sorted(cells, key=lambda at: math.atan2(at[1] * (1 - lean / 4), at[0] + lean * at[1]))


def _shares(words: NDArray[np.uint64]) -> NDArray[np.float64]:
    """Return words of dice as numbers from 0 to below 1."""
    return np.asarray((words >> np.uint64(11)) * 2.0**-53)
