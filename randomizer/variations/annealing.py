"""Simulated annealing of many variations at once: patches are turned, mirrored and exchanged.

A chain is one variation on its way. Its energy says how far the neighbourhoods on it differ from
those on the original, and how few of its cells differ from the original and from the variations
before it. So clumps stay clumps, and shores and slopes look as they did.

The method is that of "Optimization by Simulated Annealing" (Kirkpatrick, Gelatt and Vecchi, 1983):
a random move that lowers the energy is accepted, one that raises it only by a chance, which sinks
with the temperature.
"""

from __future__ import annotations

import math
from collections.abc import Generator
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
"""Maps of so many cells are twirled first: that changes much of them, and little of their look.

If it is smaller, discs of ``LARGEST`` are twirled on maps that are hardly larger than they are.
"""

TWIRLED = 3
"""Discs of this radius and larger ones are twirled: each ring is moved round by a few cells.

Smaller discs are turned, mirrored and exchanged.
"""

LARGEST = 7
"""The largest radius of a disc on a large map; larger ones move more at once and fit less often."""

TWIRLING = 0.1
"""The share of the moves of a large map that twirl.

With more the relief is not smooth again at the end.
"""

HOT = 3.0
"""The temperature at the beginning, in energies of a pair of neighbours.

A hotter chain loses more of the look of the original before it cools.
"""

HOT_LARGE = 0.5
"""The temperature of large maps at the beginning: twirls have changed them enough."""

COLD = 0.15
"""The temperature at the end; in warmer chains faults that cost little would stay."""


class Pace(NamedTuple):
    """The effort with which variations are sought."""

    steps_per_cell: int = 5
    """How many moves each chain tries; with more it takes longer, and looks like the original."""

    least_steps: int = 1600
    """How many moves a chain tries at least, on small maps."""

    samples: int = 8
    """How often the chains are looked at in their colder half; the best look of each counts."""

    chains_at_once: int = 40
    """How many chains run together at most."""


PACE = Pace()

APART = 200
"""In each step a chain tries one move for so many cells, in different parts of the map.

With fewer cells moves touch more often, and those that touch another one are dropped.
"""

# Energies. That of a pair of neighbours that is there once too often, or too seldom, is 1.

TOO_FEW = 5.0
"""The energy of each cell that must still come to differ from another map."""

TOO_MANY = 1.5
"""The energy of each cell that differs from the original beyond what is asked for and spared."""

DEEP = 8.0
"""The energy of a step of two elevations or more that the original has not."""

ALONE = 3.0
"""The energy of an open cell without open neighbours, or a closed one without closed neighbours."""

DEEPER = 1000.0
"""The energy of a step that is deeper than any on the original: no move makes one.

With less, one of them would be left somewhere on a large map, and the whole variation thrown away.
"""

FAULTY = 1e6
"""Added to the score of a chain with a fault, so that it is worse than any without."""

OUTLINE = 0.1
"""The energy of a terrain or elevation that is once too often at an edge of the map."""

LIKE = 0.6
"""The most energy for each cell of a variation that still looks like the original.

With more, variations with scattered clumps are accepted; with less, fewer are found.
"""

SPARE = 0.15
"""The share of the map in which a variation may differ beyond what is asked for."""


class Fault(IntEnum):
    """The reason that a candidate is no variation; the first that applies."""

    NONE = 0
    WAYS = 1
    HEIGHTS = 2
    ALIKE = 3
    LOOK = 4
    UNFAIR = 5


class Chains(NamedTuple):
    """The best that each of n chains came to."""

    sources: Ints
    """The variations (``original.py``), shape (n, m + 1)."""

    score: NDArray[np.float64]
    """Their energies, more with a fault, (n,): the less the better."""

    faults: Ints
    """The ``Fault`` of each, (n,)."""


class Discs(NamedTuple):
    """The discs of one radius around each of m cells, and the motions of their content.

    A disc has k cells, with all their neighbours l. What is off the map has the number m.
    """

    cells: Ints
    """The numbers of the cells of each disc, (m, k)."""

    region: Ints
    """The numbers of its cells and of all their neighbours, (m, l)."""

    motions: Ints
    """For each of p motions, from which position of the disc the content of each comes: (p, k)."""


class _Move(NamedTuple):
    """One move for each of n parts of chains."""

    cells: Ints
    """The cells whose content moves, (n, k)."""

    motion: Ints
    """From which position in its row of ``cells`` the content of each comes, (n, k)."""

    region: Ints
    """The cells whose neighbourhood can change, (n, l)."""


class _State(NamedTuple):
    """The state of n chains that run together; its arrays change with every step."""

    sources: Ints
    """The variations as they are now, (n, m + 1)."""

    counts: Ints
    """How often each feature is on them (``Annealing._features``), (n, features)."""

    changed: Ints
    """How many cells of each look different on each of a other maps, (n, a)."""

    energy: NDArray[np.float64]
    """(n,)"""

    other_states: Ints
    """The looks of the other maps, the original first, (a, m + 1)."""

    claims: Ints
    """Space in which moves of one chain note their cells, (n, m + 1): ``Annealing._are_apart``."""


@dataclass(frozen=True, eq=False)
class Annealing:
    """The search for variations in which at least ``least`` cells differ from each other map.

    Chain ``k`` of ``seed`` is always the same one of a pace and of other maps. It is used by one
    thread, while the variations of a seed are made.
    """

    original: Original
    least: int
    seed: int
    pace: Pace = PACE

    def run(self, chains: range, other_states: Ints) -> Generator[int, None, Chains]:
        """Anneal chains; yields the percentage done.

        ``other_states`` (a, m + 1) are the states of the other maps; the original is the first.
        """
        cell_count = len(self.original.cells)
        moves_at_once = max(1, cell_count // APART)
        state = self._first_state(len(chains), other_states)
        best = Chains(
            state.sources.copy(), np.full(len(chains), np.inf), np.zeros(len(chains), np.intp)
        )
        # Each chain has keys of its own, so that chain k moves alike whichever run with it.
        numbers = np.arange(chains.start * moves_at_once, chains.stop * moves_at_once)
        keys = steps(numbers.astype(np.uint64))
        chain_of_moves = np.repeat(np.arange(len(chains)), moves_at_once)
        step_count = max(self.pace.least_steps, self.pace.steps_per_cell * cell_count)
        step_count //= moves_at_once
        sample_interval = max(1, step_count // (2 * self.pace.samples))
        hot = HOT if cell_count < LARGE else HOT_LARGE
        for step in range(step_count):
            share_done = step / step_count
            temperature = hot * (COLD / hot) ** share_done
            move = self._move(step, share_done, keys)
            self._try_move(state, move, chain_of_moves, temperature, self._dice(4 * step, keys))
            if (step + 1) % sample_interval:
                continue
            # Hot chains have faults, and to look for them takes long on a large map: so the first
            # half is not looked at.
            if step >= step_count // 2:
                faults = self._faults(state)
                score = state.energy + FAULTY * (faults > 0)
                is_better = score < best.score
                best.sources[is_better] = state.sources[is_better]
                best.score[is_better] = score[is_better]
                best.faults[is_better] = faults[is_better]
            yield 1 + 98 * step // step_count
        return best

    def _first_state(self, chain_count: int, other_states: Ints) -> _State:
        """Return the state of chains that begin: all of them are the original."""
        cell_count = len(self.original.cells)
        sources = np.repeat(np.arange(cell_count + 1)[None], chain_count, axis=0)
        counts = np.repeat(self._goal[None], chain_count, axis=0)
        looks = self.original.states[sources]
        changed = (other_states[None] != looks[:, None]).sum(axis=2)
        energy = self._energy(counts, changed)
        return _State(sources, counts, changed, energy, other_states, np.zeros_like(sources))

    def _try_move(
        self,
        state: _State,
        move: _Move,
        chain_of_moves: Ints,
        temperature: float,
        dice: NDArray[np.float64],
    ) -> None:
        """Make those of the moves that are accepted; changes ``state`` in place.

        ``chain_of_moves`` and ``dice`` (0 to below 1) have shape (moves,). Moves of one chain are
        judged each as if it were alone, which holds since they lie apart.
        """
        looks = self.original.states
        rows = chain_of_moves[:, None]
        old = state.sources[rows, move.cells]
        new = np.take_along_axis(old, move.motion, 1)
        is_possible = (looks[old] != looks[new]).any(axis=1)
        is_possible[is_possible] = self._are_apart(
            move.region[is_possible], rows[is_possible], state.claims
        )
        cells = move.cells[is_possible]
        region = move.region[is_possible]
        rows = rows[is_possible]
        chains = chain_of_moves[is_possible]
        old = old[is_possible]
        new = new[is_possible]

        # All are made, judged by the difference, and taken back if they are not accepted.
        count_changes = -self._features(state.sources, rows, region)
        state.sources[rows, cells] = new
        count_changes += self._features(state.sources, rows, region)
        other_looks = state.other_states[:, cells]
        differed = looks[old] != other_looks
        differs = looks[new] != other_looks
        changed_changes = differs.sum(axis=2).T - differed.sum(axis=2).T
        new_energy = self._energy(
            state.counts[chains] + count_changes, state.changed[chains] + changed_changes
        )
        gain = state.energy[chains] - new_energy
        # A move without loss has the chance 1; the minimum keeps exp() from an overflow.
        is_accepted = dice[is_possible] < np.exp(np.minimum(gain / temperature, 0))
        is_refused = ~is_accepted
        state.sources[rows[is_refused], cells[is_refused]] = old[is_refused]
        # ``add.at``, since a chain can have several moves: ``+=`` would add one of them only.
        np.add.at(state.counts, chains[is_accepted], count_changes[is_accepted])
        np.add.at(state.changed, chains[is_accepted], changed_changes[is_accepted])
        state.energy[:] = self._energy(state.counts, state.changed)

    def _are_apart(self, region: Ints, rows: Ints, claims: Ints) -> Marks:
        """Return (k,): which regions touch no later one of their chain; overwrites ``claims``.

        Each region writes its number onto its cells. A number that is overwritten by a later one
        tells that the two touch.
        """
        numbers = np.arange(len(rows))[:, None]
        claims[rows, region] = numbers
        off_map = region == len(self.original.cells)
        is_own_claim = (claims[rows, region] == numbers) | off_map
        return np.asarray(is_own_claim.all(axis=1))

    def _dice(self, site: int, keys: NDArray[np.uint64]) -> NDArray[np.float64]:
        return _shares(words_at(np.uint64(stream(self.seed, site)), keys))

    # --- energy -----------------------------------------------------------------------------

    @cached_property
    def _starts(self) -> tuple[int, ...]:
        """The number of the first feature of each kind, and the number of features.

        The kinds are pairs of terrains, pairs of elevations, neighbours of the same terrain, and
        neighbours that are open or closed alike.
        """
        terrain_count = len(self.original.terrains[0])
        level_count = len(self.original.levels[0])
        degree = self.original.around.shape[1]
        sizes = (
            terrain_count * (terrain_count + 1),
            level_count * (level_count + 1),
            terrain_count * (degree + 1),
            2 * (degree + 1),
        )
        return (0, *np.cumsum(sizes).tolist())

    def _features(self, sources: Ints, row: Ints, region: Ints) -> Ints:
        """Count the features of regions (k, l) of the maps in ``row`` (k, 1): (k, features).

        They are pairs of neighbours by terrain, pairs by elevation, for each terrain how many
        neighbours have it too, and the same for open and closed cells. In pairs what is off the map
        is a terrain and an elevation, else it is like the cell.
        """
        # Each cell has 2 * degree + 2 features: numbers, all counted by one ``bincount``. Flat
        # ``take`` instead of indexing, and sums written into one array: this is where most of the
        # time of all chains is spent.
        original = self.original
        degree = original.around.shape[1]
        terrains = original.terrains[1]
        levels = original.levels[1]
        _, first_level_pair, first_clump, first_open, feature_count = self._starts
        row_starts = row * sources.shape[1]
        cell_sources = sources.take(region + row_starts)[..., None]
        neighbours = original.around.take(region, axis=0)
        neighbour_sources = sources.take(neighbours + row_starts[:, :, None])
        off_map = neighbour_sources == len(original.cells)
        terrain = terrains.take(cell_sources)
        neighbour_terrain = terrains.take(neighbour_sources)
        is_open = original.open.take(cell_sources)
        numbers = np.empty((*region.shape, 2 * degree + 2), np.intp)
        np.add(terrain * (int(terrains[-1]) + 1), neighbour_terrain, out=numbers[..., :degree])
        level_rows = first_level_pair + levels.take(cell_sources) * (int(levels[-1]) + 1)
        np.add(level_rows, levels.take(neighbour_sources), out=numbers[..., degree:-2])
        alike = ((terrain == neighbour_terrain) | off_map).sum(axis=2)
        numbers[..., -2] = first_clump + terrain[..., 0] * (degree + 1) + alike
        alike = ((is_open == original.open.take(neighbour_sources)) | off_map).sum(axis=2)
        numbers[..., -1] = first_open + is_open[..., 0] * (degree + 1) + alike
        # Cells of a region that are off the map count into one column more, which is cut off.
        numbers[region == len(original.cells)] = feature_count
        columns = feature_count + 1
        numbers += np.arange(0, len(region) * columns, columns)[:, None, None]
        counts = np.bincount(numbers.ravel(), minlength=len(region) * columns)
        features: Ints = counts.reshape(len(region), columns)[:, :-1]
        return features

    @cached_property
    def _goal(self) -> Ints:
        m = len(self.original.cells)
        whole = np.arange(m)[None]
        goal: Ints = self._features(np.arange(m + 1)[None], np.zeros((1, 1), np.intp), whole)[0]
        return goal

    @cached_property
    def _weights(self) -> NDArray[np.float64]:
        """The energies of features, (features, 4).

        Column 0: for each that is there too often or too seldom. The others, only for those that
        are there too often: deep steps, steps deeper than any on the original, and lone cells.
        """
        _, first_level_pair, first_clump, first_open, feature_count = self._starts
        terrain_count = len(self.original.terrains[0])
        heights = self.original.levels[0]
        degree = self.original.around.shape[1]
        deepest_step = self.original.steps(self.original.itself)[0, 1]
        weights = np.zeros((feature_count, 4))
        weights[:, 0] = 0.5  # half of 1: a pair counts from both its cells
        # The last column of the pairs is "off the map".
        terrain_pairs = weights[:first_level_pair, 0].reshape(terrain_count, -1)
        terrain_pairs[:, -1] = OUTLINE
        level_pairs = weights[first_level_pair:first_clump].reshape(len(heights), -1, 4)
        level_pairs[:, -1, 0] = OUTLINE
        drops = np.abs(heights[:, None] - heights)
        level_pairs[:, :-1, 1] = DEEP / 2 * (drops > 1)
        level_pairs[:, :-1, 2] = DEEPER / 2 * (drops > deepest_step)
        # A closed cell with no closed neighbour, and an open one with no open neighbour.
        weights[[first_open, first_open + degree + 1], 3] = ALONE
        return weights

    def _energy(self, counts: Ints, changed: Ints) -> NDArray[np.float64]:
        """Return the energies (n,) from counts (n, features) and changed cells (n, a)."""
        differences = counts - self._goal
        energy = np.abs(differences) @ self._weights[:, 0]
        energy += np.maximum(differences @ self._weights[:, 1:], 0).sum(axis=1)
        missing = np.maximum(self.least - changed, 0).sum(axis=1)
        # Column 0 is the original: only from it a variation can differ too much.
        changed_limit = self.least + SPARE * len(self.original.cells)
        too_many = np.maximum(changed[:, 0] - changed_limit, 0)
        energy += TOO_FEW * missing + TOO_MANY * too_many
        return np.asarray(energy)

    def _faults(self, state: _State) -> Ints:
        """Return the first ``Fault`` of each chain, (n,)."""
        has_fault = {
            Fault.WAYS: ~self.original.keeps_ways(state.sources),
            Fault.HEIGHTS: ~self.original.keeps_heights(state.sources),
            Fault.ALIKE: (state.changed < self.least).any(axis=1),
            Fault.LOOK: state.energy > LIKE * len(self.original.cells),
        }
        return np.select(list(has_fault.values()), list(has_fault), Fault.NONE)

    # --- moves ------------------------------------------------------------------------------

    def _move(self, step: int, done: float, keys: NDArray[np.uint64]) -> _Move:
        """Return move ``step`` of each chain: of one kind for all, each of its own cells.

        ``done`` is the share of the steps that are done: later moves are smaller.
        """
        # Four streams of dice a step: 0 decides what is accepted, 1 the kind, 2 the size, 3 the
        # cells and the motion.
        kind = (stream(self.seed, 4 * step + 1) >> 11) * 2.0**-53
        size = (stream(self.seed, 4 * step + 2) >> 11) * 2.0**-53
        words = words_at(np.uint64(stream(self.seed, 4 * step + 3)), keys)
        first_pick = words.astype(np.uint32)
        second_pick = (words >> np.uint64(32)).astype(np.uint32)
        largest = len(self.discs) - 1
        if done < TWIRLING and largest >= TWIRLED:
            radius = TWIRLED + int(size * (largest + 1 - TWIRLED))
            return self._turned(radius, first_pick, second_pick % len(self.discs[radius].motions))
        if kind < 0.45:
            # The last motions of a disc of radius 1 exchange its middle and a neighbour.
            from_last = 1 + second_pick % self.original.around.shape[1]
            return self._turned(1, first_pick, len(self.discs[1].motions) - from_last)
        radius = 1 + int(size * (1 - done) * min(2, largest))
        if kind < 0.65:
            return self._turned(radius, first_pick, second_pick % len(self.discs[radius].motions))
        if kind < 0.85:
            radius = 0  # two single cells are exchanged
        return self._exchanged(radius, first_pick, second_pick)

    def _turned(self, radius: int, centre: NDArray[np.uint32], motion: NDArray[np.uint32]) -> _Move:
        """Return the motion of the content of discs; only cycles of free cells take part.

        ``centre`` picks the cell in the middle of each disc, ``motion`` is the number of a motion.
        """
        discs = self.discs[radius]
        cell_numbers = centre % len(discs.cells)
        cells = discs.cells[cell_numbers]
        motions = discs.motions[motion]
        # A cell may move if all cells of its cycle are free. Pointer doubling: after k rounds each
        # cell knows of 2 ** k cells of its cycle, and six rounds suffice for 42 cells, the longest
        # (the outermost ring of a disc of radius 7).
        may_move = self.original.free[cells]
        leaps = motions
        for _round in range(6):
            may_move = may_move & np.take_along_axis(may_move, leaps, 1)
            leaps = np.take_along_axis(leaps, leaps, 1)
        stays = np.arange(motions.shape[1])
        motions = np.where(may_move, motions, stays)
        return _Move(cells, motions, discs.region[cell_numbers])

    def _exchanged(
        self, radius: int, first: NDArray[np.uint32], second: NDArray[np.uint32]
    ) -> _Move:
        """Return the exchange of the content of two discs; none for those that are not apart.

        ``first`` and ``second`` pick the cells in the middle of the discs. Of two cells that change
        places both must be free.
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
        return _Move(cells, motion, region)

    @cached_property
    def discs(self) -> tuple[Discs, ...]:
        """The discs of the map, by radius from 0 on."""
        grid = self.original.base.grid
        largest = 2 if len(self.original.cells) < LARGE else LARGEST
        if grid.wrap:
            # A disc that meets itself round the map would move a cell to two places.
            largest = max(1, min(largest, (grid.width - 3) // 2))
        return tuple(self._discs_of(radius) for radius in range(largest + 1))

    def _discs_of(self, radius: int) -> Discs:
        degree = self.original.base.grid.layout.degree
        offsets = _offsets(degree, radius)
        motions: list[Ints] = []
        if radius >= TWIRLED:
            motions += self._twirls(radius, offsets)
        elif radius > 0:
            motions += self._turns(offsets)
        if radius == 1:
            motions += self._exchanges_with_neighbours(offsets)  # the last ones: see ``_move``
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
        """Return the motions that move each ring of a disc round, those halfway out the farthest.

        So middle and rim fit to what is around them, and what lies between is bent.
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


def _offsets(degree: int, radius: int) -> list[tuple[int, int]]:
    """Return the axial steps from the middle of a disc to each of its cells; squares on squares."""
    span = range(-radius, radius + 1)
    return [(q, r) for q in span for r in span if degree == 4 or abs(q + r) <= radius]


def _ring(degree: int, ring: int) -> list[tuple[int, int]]:
    """Return the axial steps to the outermost cells of a disc, in their order around it."""
    cells = {*_offsets(degree, ring)} - {*_offsets(degree, ring - 1)}

    def angle(offset: tuple[int, int]) -> float:
        q, r = offset
        if degree == 4:
            return math.atan2(r, q)
        # The second axis of hexes leans: a step along it goes half a cell to the right.
        return math.atan2(r * 0.875, q + 0.5 * r)

    return sorted(cells, key=angle)


def _shares(words: NDArray[np.uint64]) -> NDArray[np.float64]:
    """Return words of dice as numbers from 0 to below 1."""
    return np.asarray((words >> np.uint64(11)) * 2.0**-53)
