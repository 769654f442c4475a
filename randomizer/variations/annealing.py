"""Simulated annealing of many variations at once: patches are turned, mirrored and exchanged.

A *variation* of a map has the same cells in another arrangement. A *chain* is one variation while
it is searched for. It begins as the original map and is changed by random moves (``MoveMaker``).
Its ``Energy`` is high if the neighbourhoods on it differ from those on the original, and if too
few of its cells differ from the original and from other variations. So clumps stay clumps, and
shores and slopes look as they did.

The method is that of "Optimization by Simulated Annealing" (Kirkpatrick, Gelatt and Vecchi, 1983).
A move that lowers the energy is accepted. One that raises it is accepted with a probability, which
sinks with the temperature, and the temperature sinks from step to step: so a chain can leave a dead
end early, and settles late. The generator of variations calls ``Annealing.run``, where reading
begins.

Arrays hold n chains at once. Cells are numbered 0 .. m-1; m stands for everything off the map. The
*look* of a cell is its terrain and elevation as one number.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.dice import steps, words_at
from randomizer.variations.discs import LARGE
from randomizer.variations.energy import Energy
from randomizer.variations.features import Regions
from randomizer.variations.moves import MoveMaker, MovesOfStep
from randomizer.variations.original import Ints, Marks, Original
from randomizer.variations.relief import Relief
from randomizer.variations.step_dice import DiceUse, shares, stream_of_step
from randomizer.variations.walking import Walking

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
    """The number of moves that a chain tries, for each cell of the map.

    With more the search takes longer, and variations look more like the original.
    """

    min_steps: int = 1600
    """The least number of moves that a chain tries, which holds on small maps."""

    samples: int = 8
    """The number of times that each chain is judged in its colder half; the best time counts."""

    chains_at_once: int = 40
    """The largest number of chains that run together."""


PACE = Pace()
"""The usual pace."""

CELLS_PER_MOVE = 200
"""The number of cells of the map for each move that a chain tries in one step.

The moves of a step are in different parts of the map. With fewer cells they touch more often, and
moves that touch another one are dropped.
"""

FAULTY = 1e6
"""A number added to the score of a chain with a fault: more than any energy, so that chains without
faults are better.
"""

LIKE = 0.6
"""The largest energy, for each cell, of a variation that still looks like the original.

With more, variations with scattered clumps are accepted; with less, fewer are found.
"""


class _Schedule(NamedTuple):
    """The steps of an annealing, and how the temperature sinks on the way."""

    moves_at_once: int
    """The number of moves that a chain tries in one step."""

    step_count: int

    sample_interval: int
    """The number of steps after which the chains are judged again."""

    first_temperature: float
    """The temperature of the first step."""

    @classmethod
    def of(cls, pace: Pace, cell_count: int) -> _Schedule:
        """Return the schedule for a map of so many cells."""
        moves_at_once = max(1, cell_count // CELLS_PER_MOVE)
        moves_of_chain = max(pace.min_steps, pace.steps_per_cell * cell_count)
        step_count = moves_of_chain // moves_at_once
        first_temperature = HOT
        if cell_count >= LARGE:
            first_temperature = HOT_LARGE
        return cls(
            moves_at_once=moves_at_once,
            step_count=step_count,
            sample_interval=max(1, step_count // (2 * pace.samples)),
            first_temperature=first_temperature,
        )

    def temperature(self, share_done: float) -> float:
        """Return the temperature after this share of the steps; each sinks by the same factor."""
        temperature: float = self.first_temperature * (COLD / self.first_temperature) ** share_done
        return temperature


class Fault(IntEnum):
    """The reason why a chain's result is refused as a variation; of several the first one."""

    NONE = 0

    WAYS = 1
    """Fewer open cells can be reached from a side than on the original, or fewer sides."""

    HEIGHTS = 2
    """It has more deep drops than the original, or more separate high areas."""

    ALIKE = 3
    """Too few cells differ from another map."""

    LOOK = 4
    """Its energy is above ``LIKE``."""

    UNFAIR = 5
    """It is less fair than asked for, which the generator finds out, not the search."""


class Chains(NamedTuple):
    """The best state that each of n chains had. ``Annealing.run`` fills the arrays as it goes."""

    sources: Ints
    """The variations: the cell of the original from which each cell's content came, (n, m + 1)."""

    score: NDArray[np.float64]
    """The energy of each, plus ``FAULTY`` with a fault, (n,): the lower the better."""

    faults: Ints
    """The ``Fault`` of each, (n,)."""


class _State(NamedTuple):
    """The state of n chains that run together; its arrays change with every step."""

    sources: Ints
    """The variations as they are now, (n, m + 1)."""

    counts: Ints
    """The number of times that each feature is on them (``Energy.features``), (n, features)."""

    changed: Ints
    """The number of cells that look different on each of a other maps, (n, a)."""

    energy: NDArray[np.float64]
    """The energy of each, (n,)."""

    looks_of_others: Ints
    """The looks of the other maps, the original first, (a, m + 1)."""

    claims: Ints
    """Memory in which ``Annealing`` notes which move a cell belongs to, (n, m + 1)."""


class _TriedMoves(NamedTuple):
    """The n moves of one step that are tried, each of k cells."""

    numbers: Ints
    """Their indices among all moves of the step, (n,)."""

    chains: Ints
    """The chain of each, (n,); a chain can have several."""

    cells: Ints
    """The cells whose content moves, (n, k)."""

    region: Ints
    """The cells whose neighbourhood can change (``MovesOfStep.region``), (n, l)."""

    old: Ints
    """The sources of the cells before the move, (n, k)."""

    new: Ints
    """Their sources after it, (n, k)."""


@dataclass(frozen=True, eq=False)
class Annealing:
    """The search for variations of a map.

    The same seed, pace and other maps always give the same chain of a number. An instance is used
    by one thread, while the variations of a seed are made.
    """

    original: Original

    least_changed: int
    """The number of cells in which a variation must differ from each of the other maps."""

    seed: int
    pace: Pace = PACE

    # The following four are computed once for the map.

    @cached_property
    def _energy(self) -> Energy:
        """The measure of how good a chain is."""
        return Energy(self.original, self.least_changed)

    @cached_property
    def _move_maker(self) -> MoveMaker:
        return MoveMaker(self.original, self.seed)

    @cached_property
    def _walking(self) -> Walking:
        return Walking(self.original)

    @cached_property
    def _relief(self) -> Relief:
        return Relief(self.original)

    def run(self, chains: range, looks_of_others: Ints) -> Generator[int, None, Chains]:
        """Anneal the chains with these numbers; yield the percentage done, return the results.

        ``looks_of_others`` (a, m + 1) are the looks of the maps that variations must differ from,
        the original first.
        """
        schedule = _Schedule.of(self.pace, len(self.original.cells))
        moves_at_once = schedule.moves_at_once
        state = self._first_state(len(chains), looks_of_others)
        no_scores = np.full(len(chains), np.inf)
        best = Chains(state.sources.copy(), no_scores, np.zeros(len(chains), np.intp))

        # Each chain has keys of its own, so that chain k moves alike whichever run with it.
        numbers = np.arange(chains.start * moves_at_once, chains.stop * moves_at_once)
        keys = steps(numbers.astype(np.uint64))
        chain_of_moves = np.repeat(np.arange(len(chains)), moves_at_once)

        for step in range(schedule.step_count):
            share_done = step / schedule.step_count
            temperature = schedule.temperature(share_done)
            moves = self._move_maker.choose(step, share_done, keys)
            acceptance_stream = np.uint64(stream_of_step(self.seed, step, DiceUse.ACCEPTANCE))
            dice = shares(words_at(acceptance_stream, keys))
            self._try_moves_of_step(state, moves, chain_of_moves, temperature, dice)
            if (step + 1) % schedule.sample_interval:
                continue
            # In the first half chains are hot and have faults; looking for these takes long on a
            # large map, and is left out.
            if step >= schedule.step_count // 2:
                self._note_better(best, state)
            yield 1 + 98 * step // schedule.step_count
        return best

    def _note_better(self, best: Chains, state: _State) -> None:
        """Copy the chains that are better now than ever before into ``best``, in place."""
        faults = self._faults(state)
        score = state.energy + FAULTY * (faults > 0)
        is_better = score < best.score
        best.sources[is_better] = state.sources[is_better]
        best.score[is_better] = score[is_better]
        best.faults[is_better] = faults[is_better]

    def _first_state(self, chain_count: int, looks_of_others: Ints) -> _State:
        """Return the state of chains before their first move: all of them are the original."""
        cell_count = len(self.original.cells)
        sources = np.repeat(np.arange(cell_count + 1)[None], chain_count, axis=0)
        counts = np.repeat(self._energy.features.goal[None], chain_count, axis=0)
        looks = self.original.looks[sources]
        changed = (looks_of_others[None] != looks[:, None]).sum(axis=2)
        energy = self._energy.of_variations(counts, changed)
        return _State(
            sources=sources,
            counts=counts,
            changed=changed,
            energy=energy,
            looks_of_others=looks_of_others,
            claims=np.zeros_like(sources),
        )

    def _try_moves_of_step(
        self,
        state: _State,
        moves: MovesOfStep,
        chain_of_moves: Ints,
        temperature: float,
        dice: NDArray[np.float64],
    ) -> None:
        """Try the moves of one step, and make those that are accepted; changes ``state`` in place.

        ``moves`` has a row for each of the moves. ``chain_of_moves`` (moves,) is the chain of each,
        ``dice`` (moves,) a random number from 0 to below 1 that decides whether it is accepted.
        Each move is judged as if it were the only one of its chain, which is right because moves
        that touch one another are dropped.
        """
        tried = self._possible_moves(state, moves, chain_of_moves)
        chain_column = tried.chains[:, None]
        regions = Regions(tried.chains, tried.region)

        # Make all moves, to see how they change the features and the differences from other maps.
        looks = self.original.looks
        count_changes = -self._energy.features.count(state.sources, regions)
        state.sources[chain_column, tried.cells] = tried.new
        count_changes += self._energy.features.count(state.sources, regions)
        other_looks = state.looks_of_others[:, tried.cells]
        differed = looks[tried.old] != other_looks
        differs = looks[tried.new] != other_looks
        difference_changes = differs.sum(axis=2).T - differed.sum(axis=2).T
        new_energy = self._energy.of_variations(
            state.counts[tried.chains] + count_changes,
            state.changed[tried.chains] + difference_changes,
        )
        gain = state.energy[tried.chains] - new_energy

        # Undo the moves that are not accepted. A move without loss has the chance 1: the minimum
        # keeps exp() from an overflow.
        is_accepted = dice[tried.numbers] < np.exp(np.minimum(gain / temperature, 0))
        is_refused = ~is_accepted
        state.sources[chain_column[is_refused], tried.cells[is_refused]] = tried.old[is_refused]

        # Bring the numbers of the state up to date. A chain can have several moves, of which ``+=``
        # would add only one.
        accepted_chains = tried.chains[is_accepted]
        np.add.at(state.counts, accepted_chains, count_changes[is_accepted])
        np.add.at(state.changed, accepted_chains, difference_changes[is_accepted])
        state.energy[:] = self._energy.of_variations(state.counts, state.changed)

    def _possible_moves(
        self, state: _State, moves: MovesOfStep, chain_of_moves: Ints
    ) -> _TriedMoves:
        """Return the moves that change a look, and touch no later one of their chain.

        The parameters are those of ``_try_moves_of_step``.
        """
        looks = self.original.looks
        chain_column = chain_of_moves[:, None]
        old = state.sources[chain_column, moves.cells]
        new = np.take_along_axis(old, moves.motion, 1)
        is_possible = (looks[old] != looks[new]).any(axis=1)
        is_possible[is_possible] = self._touches_no_later_region(
            moves.region[is_possible], chain_column[is_possible], state.claims
        )
        return _TriedMoves(
            numbers=np.flatnonzero(is_possible),
            chains=chain_of_moves[is_possible],
            cells=moves.cells[is_possible],
            region=moves.region[is_possible],
            old=old[is_possible],
            new=new[is_possible],
        )

    def _touches_no_later_region(self, region: Ints, chain_column: Ints, claims: Ints) -> Marks:
        """Return which regions touch no later region of their chain, (k,).

        ``region`` (k, l) are the cells of each, ``chain_column`` (k, 1) the chain. Of three regions
        with the cells [1, 2], [2, 3] and [5, 6] of one chain the first touches a later one, at 2.
        """
        # Each region writes its number onto its cells in ``claims``; of several values for one
        # element numpy keeps the last. So a cell that then has another number belongs to a later
        # region as well. What ``claims`` held before has no effect.
        numbers = np.arange(len(region))[:, None]
        claims[chain_column, region] = numbers
        off_map = region == len(self.original.cells)
        is_own_claim = (claims[chain_column, region] == numbers) | off_map
        return np.asarray(is_own_claim.all(axis=1))

    def _faults(self, state: _State) -> Ints:
        """Return the first ``Fault`` of each chain, (n,)."""
        has_fault = {
            Fault.WAYS: ~self._walking.keeps_connections(state.sources),
            Fault.HEIGHTS: ~self._relief.is_kept(state.sources),
            Fault.ALIKE: (state.changed < self.least_changed).any(axis=1),
            Fault.LOOK: state.energy > LIKE * len(self.original.cells),
        }
        return np.select(list(has_fault.values()), list(has_fault), Fault.NONE)
