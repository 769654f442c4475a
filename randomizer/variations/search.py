"""The search for the variations of a seed: rounds of annealing, until there are enough of them.

    search = Search(original, Wanted(share=30, map_count=16, unfairness_limit=100.0), unfairness)
    variations = yield from search.run(seed)
    variations.sources[3]       # where the content of each cell of the fourth variation comes from

Each round starts more chains than variations are missing, since some chains end with a fault, and
accepts those that differ from all accepted before. So all variations of a seed differ.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.plurals import counted
from randomizer.model.grid.cell_words import cell_words
from randomizer.variations.annealing import PACE, Annealing, Chains, Fault
from randomizer.variations.original import Ints, Original
from randomizer.variations.unfairness import Unfairness

CELLS_AT_ONCE = 60_000
"""The chains that run together have at most so many cells: more of them would need more memory."""

MAX_IDLE_ROUNDS = 3
"""After so many rounds without a new variation the search ends.

With more a full seed takes longer to say that it is full, and finds now and then one map more.
"""

REASONS = {
    Fault.WAYS: "the ways between the sides would be cut",
    Fault.HEIGHTS: "the heights would fall apart, or have new cliffs",
    Fault.ALIKE: "too few cells would differ from the map or from another variation",
    Fault.LOOK: "clumps would be scattered, or other neighbours meet than on the map",
    Fault.UNFAIR: "it would be less fair",
}
"""Why there are no more variations."""


class Wanted(NamedTuple):
    """The variations that are wanted."""

    share: int
    """The percentage of the cells in which variations differ."""

    map_count: int
    """The number of variations that a seed is to have."""

    unfairness_limit: float
    """The greatest unfairness of a variation, in percent; 100 is no limit."""


class Variations(NamedTuple):
    """All variations of a seed."""

    sources: tuple[NDArray[np.uint16], ...]
    """For each variation the cell of the original from which the content of each cell comes
    (``original.py``), shape (m + 1,)."""

    why_no_more: str = ""
    """Why they are fewer than asked for; empty if they are as many."""


class Search:
    """The search for variations of one map: what was accepted so far, and why others were not.

    It lives while the variations of a seed are made, and ``run`` is called once.
    """

    def __init__(self, original: Original, wanted: Wanted, unfairness: Unfairness) -> None:
        self._original = original
        self._wanted = wanted
        self._unfairness = unfairness
        self._least_changed = math.ceil(wanted.share * len(original.cells) / 100)
        """The number of cells in which each two maps must differ at least."""
        self._looks = [original.looks]
        """The look of the original, then of each accepted variation: terrain and elevation of each
        cell as one number, shape (m + 1,). All must differ from one another.
        """
        self._sources: list[NDArray[np.uint16]] = []
        """The accepted variations. Maps have at most ``MAX_CELLS``, which 16 bits can number."""
        self._fault_counts = np.zeros(len(Fault), np.int64)
        """The number of chains with each ``Fault``."""
        self._tried = 0
        """The number of chains that were looked at."""

    @property
    def _missing(self) -> int:
        """The number of variations that are still to be found."""
        return self._wanted.map_count - len(self._sources)

    def run(self, seed: int) -> Generator[int, None, Variations]:
        """Search, and return the variations; yields the percentage done of each round."""
        original = self._original
        if original.most_changed < self._least_changed:
            return Variations((), self._why_none())
        # As unfair as the map itself is always allowed: else an unfair map would have none.
        unfairness_of_original = float(self._unfairness.of_variations(original.itself)[0])
        limit = max(self._wanted.unfairness_limit, unfairness_of_original)
        annealing = Annealing(original, self._least_changed, seed, PACE)
        # On a large map fewer chains fit into the memory at once.
        max_chains = max(1, min(PACE.chains_at_once, CELLS_AT_ONCE // len(original.cells)))

        idle_rounds = 0
        while self._missing and idle_rounds < MAX_IDLE_ROUNDS:
            chain_count = min(2 * self._missing, max_chains)
            numbers = range(self._tried, self._tried + chain_count)
            chains = yield from annealing.run(numbers, np.array(self._looks))
            is_unfair = self._unfairness.of_variations(chains.sources) > limit
            is_unfair &= chains.faults == Fault.NONE  # the first fault is the one that is told
            self._tried += chain_count
            missing_before = self._missing
            self._accept_new(chains, np.where(is_unfair, Fault.UNFAIR, chains.faults))
            if self._missing < missing_before:
                idle_rounds = 0
            else:
                idle_rounds += 1
        return Variations(tuple(self._sources), self._why_no_more())

    def _accept_new(self, chains: Chains, faults: Ints) -> None:
        """Accept those of the chains that are new variations.

        ``faults`` (n,) has the ``Fault`` of each chain. The best chain is looked at first: of two
        that are alike the better one is accepted.
        """
        for row in np.argsort(chains.score, kind="stable").tolist():
            fault = Fault(int(faults[row]))
            look = self._original.looks[chains.sources[row]]
            if fault is Fault.NONE and self._is_like_another(look):
                fault = Fault.ALIKE
            self._fault_counts[fault] += 1
            if fault is Fault.NONE and self._missing:
                self._looks.append(look)
                self._sources.append(chains.sources[row].astype(np.uint16))

    def _is_like_another(self, look: Ints) -> bool:
        """Return whether a look differs too little from that of the original or of a variation."""
        differing_cells = min((look != accepted_look).sum() for accepted_look in self._looks)
        return bool(differing_cells < self._least_changed)

    def _why_no_more(self) -> str:
        """Return why there are fewer variations than wanted, "" if there are as many."""
        if not self._missing:
            return ""
        why = f"{counted(self._tried, 'try', 'tries')} gave no more"
        real_faults = self._fault_counts[1:]  # the first number counts those without a fault
        if real_faults.any():
            reason = REASONS[Fault(int(real_faults.argmax()) + 1)]
            why += f"; most often {reason}"
        return why

    def _why_none(self) -> str:
        """Return why no variation can differ in as many cells as are wanted."""
        original = self._original
        cells = cell_words(original.base.grid.layout).cells
        return (
            f"{self._wanted.share} % are {self._least_changed} {cells}; "
            f"{original.is_free.sum()} are free (without lock, way, river or thing) "
            f"and {original.most_changed} can come to look different"
        )
