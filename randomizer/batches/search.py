"""Search for maps of a generator that pass a filter."""

from __future__ import annotations

import time
from collections.abc import Generator, Mapping
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.batch import Batch, Measure, RollsMany, roll_batch
from randomizer.batches.filters.filter import Filter
from randomizer.batches.filters.terms import Truth
from randomizer.generator import Base, DrawKey, MapGenerator, run
from randomizer.model.dice import NUMBER_LIMIT
from randomizer.model.problems import Problem, ProblemError
from randomizer.model.rarity import Rarity

BLOCK = 1024
"""A search counts whole blocks of this many maps, so that rarities from few finds are reliable."""
MOST_AT_ONCE = 32_768
FIRST_AT_ONCE = 512
PIECE_SECONDS = 0.02
"""About how long a search works between two yields."""


@runtime_checkable
class FindsImpossibleLocks(Protocol):
    """A generator that can tell without rolling that none of its maps keeps some locks."""

    def impossible_locks(self, settings: Mapping[str, object], base: Base) -> tuple[Problem, ...]:
        """An error of code ``lock-impossible`` for each such lock of the base."""


@dataclass(frozen=True)
class SearchResult:
    """The state of a search: the first ``numbers`` that pass the filter, or the least by a measure.

    ``tried`` maps of ``seed`` were rolled; ``kept`` of them did not fail and keep the locks,
    ``matching`` of those pass the filter (``numbers`` are some of them).
    """

    seed: int
    numbers: tuple[int, ...]
    tried: int
    kept: int
    matching: int
    locked: bool = False

    @property
    def rarity(self) -> Rarity:
        """The share of maps that pass the filter among those that keep the locks."""
        return Rarity(self.matching, self.kept)

    @property
    def words(self) -> str:
        """The rarity in words, and under locks also how rare maps that keep them are."""
        if not self.locked:
            return self.rarity.words()
        locks = f"the locks are kept by {Rarity(self.kept, self.tried).words()}"
        if not self.kept:
            return locks
        return (
            f"{self.rarity.words('map that keeps the locks', 'maps that keep the locks')}; {locks}"
        )


def search_maps(
    generator: MapGenerator,
    settings: Mapping[str, object],
    base: Base,
    wanted: Filter,
    seed: int,
    first: int = 0,
    *,
    budget: int = 1_000_000,
    limit: int = 48,
    least: Measure | None = None,
) -> Generator[SearchResult, None, SearchResult]:
    """Search the maps first, first + 1, ... of ``seed`` for ``limit`` that pass the filter.

    Yields the state every few hundredths of a second; closing it cancels. The filter and the
    measure see what lies above the roll, too (``Batch.as_seen``). The maps keep the base's locks.
    At most ``budget`` maps are tried; the result does not depend on how many are rolled at
    once. With a measure in ``least`` all of them are tried, and ``numbers`` are the ``limit`` with
    the smallest values, ascending. Raises ProblemError for locks known to be impossible and, as
    ``generate`` does, if every map tried fails.
    """
    if base.locked and isinstance(generator, FindsImpossibleLocks):
        impossible = generator.impossible_locks(settings, base)
        if impossible:
            raise ProblemError(impossible)
    tester = _MapTester(generator, settings, base, wanted, seed)
    many = isinstance(generator, RollsMany)
    block, smallest = (BLOCK, FIRST_AT_ONCE) if many else (1, 1)
    size = smallest
    end = max(first, min(first + budget, NUMBER_LIMIT))
    found = SearchResult(seed, (), 0, 0, 0, base.locked)
    failed = 0
    values = np.zeros(0)
    while first + found.tried < end:
        began = time.perf_counter()
        at = first + found.tried
        numbers = np.arange(at, min(at + size, end), dtype=np.uint64)
        try:
            whole, kept, matching = tester.rows(numbers)
        except ProblemError:  # every map of the block failed
            if many or not found.tried:
                raise
            whole = kept = matching = np.zeros(len(numbers), np.bool_)
        fresh = numbers[matching].tolist()
        listed = found.numbers
        if least is None:
            listed += tuple(fresh[: limit - len(listed)])
        elif fresh:
            values = np.append(values, tester.measured(numbers[matching], least))
            order = np.argsort(values, kind="stable")[:limit]
            values, every = values[order], listed + tuple(fresh)
            listed = tuple(every[row] for row in order.tolist())
        if least is None and fresh and len(listed) == limit > len(found.numbers):
            blocks = (listed[-1] - first) // block + 1
            end = min(end, first + blocks * block)
        counted = slice(0, end - at)
        failed += int(np.count_nonzero(~whole[counted]))
        found = replace(
            found,
            numbers=listed,
            tried=min(end, at + len(numbers)) - first,
            kept=found.kept + int(np.count_nonzero(kept[counted])),
            matching=found.matching + int(np.count_nonzero(matching[counted])),
        )
        yield found
        # Halve or double: time decides how soon one can cancel, never what is found.
        seconds = time.perf_counter() - began
        size = size * 2 if seconds < PIECE_SECONDS / 2 else size
        # Some measures cost the same for one map and for hundreds: never fewer than at first.
        size = max(smallest, size // 2) if seconds > PIECE_SECONDS else min(size, MOST_AT_ONCE)
    if found.tried and failed == found.tried:
        run(generator, settings, DrawKey(seed, first), base.unlocked())  # raises, and says why
    return found


@dataclass(frozen=True, eq=False)
class _MapTester:
    """Rolls maps and tests them: cells first, hexsides only of maps that pass so far."""

    generator: MapGenerator
    settings: Mapping[str, object]
    base: Base
    wanted: Filter
    seed: int

    def rows(self, numbers: NDArray[np.uint64]) -> tuple[Truth, Truth, Truth]:
        """Shape (n,) each: the maps that did not fail, that also keep the locks, that also pass."""
        side_locks = bool(self.base.locked_sides.any())
        sides = side_locks or self.wanted.needs_sides
        early = None if side_locks else self.wanted.before_sides
        cells_decide = early is not None or self.base.locked_cells.any()
        if not sides or not cells_decide or not isinstance(self.generator, RollsMany):
            batch = self._roll(numbers, self.base, sides)
            kept = batch.keeps_locks()
            return ~batch.failed, kept, self._matching(batch, kept)
        cells_only = replace(self.base, locked_sides=np.zeros_like(self.base.locked_sides))
        batch = self._roll(numbers, cells_only, False)
        whole, kept = ~batch.failed, batch.keeps_locks()
        rows = np.flatnonzero(
            kept if early is None else kept & early.matches(batch.as_seen(self.base))
        )
        matching = np.zeros_like(kept)
        if len(rows):
            batch = self._roll(numbers[rows], self.base, True)
            kept[rows] = batch.keeps_locks()
            matching[rows] = self._matching(batch, kept[rows])
        return whole, kept, matching

    def measured(self, numbers: NDArray[np.uint64], by: Measure) -> NDArray[np.float64]:
        """Shape (n,): the measure of each map."""
        return by.of(self._roll(numbers, self.base, by.sides).as_seen(self.base))

    def _roll(self, numbers: NDArray[np.uint64], base: Base, hexsides: bool) -> Batch:
        return roll_batch(
            self.generator, self.settings, self.seed, numbers, base, hexsides=hexsides
        )

    def _matching(self, batch: Batch, kept: Truth) -> Truth:
        batch = batch.as_seen(self.base)
        rows = np.flatnonzero(kept)
        matching = np.zeros_like(kept)
        if len(rows) == len(batch):
            return self.wanted.matches(batch)
        if len(rows):
            matching[rows] = self.wanted.matches(batch.rows(rows))
        return matching
