"""Finding the maps of a generator that pass a filter, among as many as it takes."""

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
"""A search counts blocks of so many maps to their end: what it found a few of is counted well."""
MOST_AT_ONCE = 32_768
FIRST_AT_ONCE = 512
PIECE_SECONDS = 0.02
"""About how long a search works between two yields."""


@runtime_checkable
class KnowsImpossible(Protocol):
    """A generator that sees of some locks without rolling that no map of its keeps them."""

    def impossible(self, settings: Mapping[str, object], base: Base) -> tuple[Problem, ...]:
        """Errors, of code ``lock-impossible``, of those of the base's locks."""


@dataclass(frozen=True)
class Found:
    """What a search has found so far: the first, or the least, ``numbers`` that pass the filter.

    ``tried`` maps of ``seed`` were rolled; ``kept`` of them could be made and keep the locks,
    ``holding`` of those pass the filter (``numbers`` are some of them).
    """

    seed: int
    numbers: tuple[int, ...]
    tried: int
    kept: int
    holding: int
    locked: bool = False

    @property
    def rarity(self) -> Rarity:
        """How rare the filter is among the maps that keep the locks."""
        return Rarity(self.holding, self.kept)

    @property
    def words(self) -> str:
        """How rare the filter is, and under locks, how rare those are."""
        if not self.locked:
            return self.rarity.words()
        locks = f"the locks are kept by {Rarity(self.kept, self.tried).words()}"
        if not self.kept:
            return locks
        return (
            f"{self.rarity.words('map that keeps the locks', 'maps that keep the locks')}; {locks}"
        )


def searching(
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
) -> Generator[Found, None, Found]:
    """Search the maps first, first + 1, ... of ``seed`` for ``limit`` that pass the filter.

    Yields every few hundredths of a second what has been found so far; closing it cancels. The maps
    keep the base's locks. At most ``budget`` maps are tried; what is found does not depend on how
    many are tried at once. With a measure all of them are tried, and ``numbers`` are the
    ``limit`` that have ``least`` of it, the least first. Raises ProblemError as a roll does, if
    every map tried fails, and for locks that are seen to be impossible.
    """
    if base.locked and isinstance(generator, KnowsImpossible):
        impossible = generator.impossible(settings, base)
        if impossible:
            raise ProblemError(impossible)
    judge = _Judge(generator, settings, base, wanted, seed)
    many = isinstance(generator, RollsMany)
    block, smallest = (BLOCK, FIRST_AT_ONCE) if many else (1, 1)
    size = smallest
    end = max(first, min(first + budget, NUMBER_LIMIT))
    found = Found(seed, (), 0, 0, 0, base.locked)
    failed = 0
    values = np.zeros(0)
    while first + found.tried < end:
        began = time.perf_counter()
        at = first + found.tried
        numbers = np.arange(at, min(at + size, end), dtype=np.uint64)
        try:
            whole, kept, holding = judge.rows(numbers)
        except ProblemError:  # all of them failed
            if many or not found.tried:
                raise
            whole = kept = holding = np.zeros(len(numbers), np.bool_)
        fresh = numbers[holding].tolist()
        listed = found.numbers
        if least is None:
            listed += tuple(fresh[: limit - len(listed)])
        elif fresh:
            values = np.append(values, judge.measured(numbers[holding], least))
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
            holding=found.holding + int(np.count_nonzero(holding[counted])),
        )
        yield found
        # Half and double: the clock decides how soon one can cancel, never what is found.
        seconds = time.perf_counter() - began
        size = size * 2 if seconds < PIECE_SECONDS / 2 else size
        # Some measures cost the same for one map and for hundreds: no fewer than at first.
        size = max(smallest, size // 2) if seconds > PIECE_SECONDS else min(size, MOST_AT_ONCE)
    if found.tried and failed == found.tried:
        run(generator, settings, DrawKey(seed, first), base.unlocked())  # raises, and says why
    return found


@dataclass(frozen=True, eq=False)
class _Judge:
    """Rolls maps and judges them: with hexsides only those of which it is worth it."""

    generator: MapGenerator
    settings: Mapping[str, object]
    base: Base
    wanted: Filter
    seed: int

    def rows(self, numbers: NDArray[np.uint64]) -> tuple[Truth, Truth, Truth]:
        """(n,) each: which maps could be made, which keep the locks, which pass the filter too."""
        side_locks = bool(self.base.locked_sides.any())
        sides = side_locks or self.wanted.needs_sides
        early = None if side_locks else self.wanted.before_sides
        told_early = early is not None or self.base.locked_cells.any()
        if not sides or not told_early or not isinstance(self.generator, RollsMany):
            batch = self._roll(numbers, self.base, sides)
            kept = batch.keeps_locks()
            return ~batch.failed, kept, self._holding(batch, kept)
        cells_only = replace(self.base, locked_sides=np.zeros_like(self.base.locked_sides))
        batch = self._roll(numbers, cells_only, False)
        whole, kept = ~batch.failed, batch.keeps_locks()
        rows = np.flatnonzero(kept if early is None else kept & early.holds(batch))
        holding = np.zeros_like(kept)
        if len(rows):
            batch = self._roll(numbers[rows], self.base, True)
            kept[rows] = batch.keeps_locks()
            holding[rows] = self._holding(batch, kept[rows])
        return whole, kept, holding

    def measured(self, numbers: NDArray[np.uint64], by: Measure) -> NDArray[np.float64]:
        """(n,): the measure of each of the maps."""
        return by.of(self._roll(numbers, self.base, by.sides))

    def _roll(self, numbers: NDArray[np.uint64], base: Base, hexsides: bool) -> Batch:
        return roll_batch(
            self.generator, self.settings, self.seed, numbers, base, hexsides=hexsides
        )

    def _holding(self, batch: Batch, kept: Truth) -> Truth:
        rows = np.flatnonzero(kept)
        holding = np.zeros_like(kept)
        if len(rows) == len(batch):
            return self.wanted.holds(batch)
        if len(rows):
            holding[rows] = self.wanted.holds(batch.rows(rows))
        return holding
