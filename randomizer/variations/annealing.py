"""Simulated annealing of many variations at once: patches are turned, mirrored and exchanged.

A *chain* is one variation on its way. Its ``Energy`` says how far the neighbourhoods on it differ
from those on the original, and how few of its cells differ from the original and from the
variations before it. So clumps stay clumps, and shores and slopes look as they did.

The method is that of "Optimization by Simulated Annealing" (Kirkpatrick, Gelatt and Vecchi, 1983):
a random move (``Moves``) that lowers the energy is accepted, one that raises it only by a chance,
which sinks with the temperature. The generator of variations calls ``Annealing.run``, where reading
begins.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.dice import steps, stream, words_at
from randomizer.variations.energy import Energy
from randomizer.variations.moves import DICE_A_STEP, LARGE, Move, Moves, shares
from randomizer.variations.original import Ints, Marks, Original

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

FAULTY = 1e6
"""Added to the score of a chain with a fault, so that it is worse than any without."""

LIKE = 0.6
"""The most energy for each cell of a variation that still looks like the original.

With more, variations with scattered clumps are accepted; with less, fewer are found.
"""


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


class _State(NamedTuple):
    """The state of n chains that run together; its arrays change with every step."""

    sources: Ints
    """The variations as they are now, (n, m + 1)."""

    counts: Ints
    """How often each feature is on them (``Energy.features``), (n, features)."""

    changed: Ints
    """How many cells of each look different on each of a other maps, (n, a)."""

    energy: NDArray[np.float64]
    """The energy of each, (n,)."""

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

    @cached_property
    def _energy(self) -> Energy:
        return Energy(self.original, self.least)

    @cached_property
    def _moves(self) -> Moves:
        return Moves(self.original, self.seed)

    def run(self, chains: range, other_states: Ints) -> Generator[int, None, Chains]:
        """Anneal chains; yields the percentage done.

        ``other_states`` (a, m + 1) are the states of the other maps; the original is the first.
        """
        cell_count = len(self.original.cells)
        moves_at_once = max(1, cell_count // APART)
        state = self._first_state(len(chains), other_states)
        no_scores = np.full(len(chains), np.inf)
        best = Chains(state.sources.copy(), no_scores, np.zeros(len(chains), np.intp))
        # Each chain has keys of its own, so that chain k moves alike whichever run with it.
        numbers = np.arange(chains.start * moves_at_once, chains.stop * moves_at_once)
        keys = steps(numbers.astype(np.uint64))
        chain_of_moves = np.repeat(np.arange(len(chains)), moves_at_once)
        step_count = max(self.pace.least_steps, self.pace.steps_per_cell * cell_count)
        step_count //= moves_at_once
        sample_interval = max(1, step_count // (2 * self.pace.samples))
        hot = HOT
        if cell_count >= LARGE:
            hot = HOT_LARGE
        for step in range(step_count):
            share_done = step / step_count
            temperature = hot * (COLD / hot) ** share_done
            move = self._moves.choose(step, share_done, keys)
            dice = shares(words_at(np.uint64(stream(self.seed, DICE_A_STEP * step)), keys))
            self._try_move(state, move, chain_of_moves, temperature, dice)
            if (step + 1) % sample_interval:
                continue
            # Hot chains have faults, and to look for them takes long on a large map: so the first
            # half is not looked at.
            if step >= step_count // 2:
                self._note_better(best, state)
            yield 1 + 98 * step // step_count
        return best

    def _note_better(self, best: Chains, state: _State) -> None:
        """Copy into ``best`` those chains that are better now than ever before."""
        faults = self._faults(state)
        score = state.energy + FAULTY * (faults > 0)
        is_better = score < best.score
        best.sources[is_better] = state.sources[is_better]
        best.score[is_better] = score[is_better]
        best.faults[is_better] = faults[is_better]

    def _first_state(self, chain_count: int, other_states: Ints) -> _State:
        """Return the state of chains that begin: all of them are the original."""
        cell_count = len(self.original.cells)
        sources = np.repeat(np.arange(cell_count + 1)[None], chain_count, axis=0)
        counts = np.repeat(self._energy.goal[None], chain_count, axis=0)
        looks = self.original.states[sources]
        changed = (other_states[None] != looks[:, None]).sum(axis=2)
        energy = self._energy.of(counts, changed)
        return _State(sources, counts, changed, energy, other_states, np.zeros_like(sources))

    def _try_move(
        self,
        state: _State,
        move: Move,
        chain_of_moves: Ints,
        temperature: float,
        dice: NDArray[np.float64],
    ) -> None:
        """Make those of the moves that are accepted; changes ``state`` in place.

        ``chain_of_moves`` and ``dice`` (0 to below 1) have shape (moves,). Moves of one chain are
        judged each as if it were alone, which holds since they lie apart.
        """
        # Left out are moves that change no look, and those that touch another one.
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
        count_changes = -self._energy.features(state.sources, rows, region)
        state.sources[rows, cells] = new
        count_changes += self._energy.features(state.sources, rows, region)
        other_looks = state.other_states[:, cells]
        differed = looks[old] != other_looks
        differs = looks[new] != other_looks
        changed_changes = differs.sum(axis=2).T - differed.sum(axis=2).T
        new_energy = self._energy.of(
            state.counts[chains] + count_changes, state.changed[chains] + changed_changes
        )
        gain = state.energy[chains] - new_energy
        # A move without loss has the chance 1; the minimum keeps exp() from an overflow.
        is_accepted = dice[is_possible] < np.exp(np.minimum(gain / temperature, 0))
        is_refused = ~is_accepted
        state.sources[rows[is_refused], cells[is_refused]] = old[is_refused]

        # Only now the state is that of the accepted moves, and its numbers follow.
        # ``add.at``, since a chain can have several moves: ``+=`` would add one of them only.
        np.add.at(state.counts, chains[is_accepted], count_changes[is_accepted])
        np.add.at(state.changed, chains[is_accepted], changed_changes[is_accepted])
        state.energy[:] = self._energy.of(state.counts, state.changed)

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

    def _faults(self, state: _State) -> Ints:
        """Return the first ``Fault`` of each chain, (n,)."""
        has_fault = {
            Fault.WAYS: ~self.original.keeps_ways(state.sources),
            Fault.HEIGHTS: ~self.original.keeps_heights(state.sources),
            Fault.ALIKE: (state.changed < self.least).any(axis=1),
            Fault.LOOK: state.energy > LIKE * len(self.original.cells),
        }
        return np.select(list(has_fault.values()), list(has_fault), Fault.NONE)
