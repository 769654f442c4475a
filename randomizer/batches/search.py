"""Search for maps of a generator that pass a filter."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.batch import Batch, Measure
from randomizer.batches.filters.conditions import Condition, without_sides
from randomizer.batches.filters.terms import Cost, Truth
from randomizer.batches.map_stream import MOST_AT_ONCE, MapStream
from randomizer.model.basics.dice import NUMBER_LIMIT
from randomizer.model.basics.plurals import counted
from randomizer.model.basics.rarity import Rarity
from randomizer.model.problems import ProblemError

BLOCK = 1024
"""A search counts whole blocks of this many maps, so that rarities from few finds are reliable."""

COSTLY_AT_ONCE = 16
"""Maps that are tested together by a measure with a cost: together they take some seconds."""


@dataclass(frozen=True)
class SearchResult:
    """The state of a search: the first ``numbers`` that pass the filter, or the least by a measure.

    ``tried`` maps of ``seed`` were rolled; ``eligible`` of them did not fail and keep the locks,
    ``matching`` of those pass the filter (``numbers`` are some of them, ``values`` their measures).
    """

    seed: int
    numbers: tuple[int, ...]
    tried: int
    eligible: int
    matching: int
    locked: bool = False
    values: tuple[float, ...] = ()

    @property
    def rarity(self) -> Rarity:
        """The share of maps that pass the filter among those that keep the locks."""
        return Rarity(self.matching, self.eligible)

    @property
    def summary(self) -> str:
        """The rarity in words, and under locks also how rare maps that keep them are."""
        if not self.locked:
            return self.rarity.words()
        if self.eligible == self.tried == self.matching:
            return f"all of {counted(self.tried, 'map')} keep the locks"
        locks = f"the locks are kept by {Rarity(self.eligible, self.tried).words()}"
        if not self.eligible:
            return locks
        return (
            f"{self.rarity.words('map that keeps the locks', 'maps that keep the locks')}; {locks}"
        )


def search_maps(
    stream: MapStream,
    condition: Condition,
    first: int = 0,
    *,
    budget: int = 1_000_000,
    limit: int = 48,
    least: Measure | None = None,
    costly_at_once: int = COSTLY_AT_ONCE,
) -> Generator[SearchResult, None, SearchResult]:
    """Search the maps first, first + 1, ... of a stream for ``limit`` that pass the filter.

    Yields the state every few hundredths of a second; closing it cancels. The filter and the
    measure see what lies above the roll, too (``Batch.as_seen``). The maps keep the base's locks.
    At most ``budget`` maps are tried; the result does not depend on how many are rolled at
    once. With a measure in ``least`` all of them are tried, and ``numbers`` are the ``limit`` with
    the smallest ``values``, ascending. A filter or a measure with a cost gets ``costly_at_once``
    maps at a time. Raises ProblemError for locks known to be impossible and as the stream does.
    """
    locked = stream.base.locked
    if locked:
        impossible = stream.generator.impossible_locks(stream.settings, stream.base)
        if impossible:
            raise ProblemError(impossible)
    # Maps from this number on do not count; it gets smaller when enough maps are found.
    end = max(first, min(first + budget, NUMBER_LIMIT))
    result = SearchResult(stream.seed, (), 0, 0, 0, locked)
    tester = _MapTester(stream, condition)
    is_costly = condition.cost is Cost.SIMULATION or (least is not None and least.cost != "")
    most_at_once = costly_at_once if is_costly else MOST_AT_ONCE
    with closing(tester.blocks(range(first, end), most_at_once)) as blocks:
        for batch in blocks:
            eligible, matching = tester.test(batch)
            numbers = result.numbers
            values = result.values
            if least is None:
                matching_numbers = batch.numbers[matching].tolist()
                numbers += tuple(matching_numbers[: limit - len(numbers)])
                is_last_found = len(numbers) == limit > len(result.numbers)
                if is_last_found:
                    end = min(end, _end_of_block(numbers[-1], first, stream))
            elif matching.any():
                matching_maps = batch.rows(np.flatnonzero(matching))
                found_values = tester.measured(matching_maps, least)
                numbers, values = _smallest(result, matching_maps.numbers, found_values, limit)
            # Of the last batch only the maps before ``end`` count.
            first_of_batch = first + result.tried
            counted_rows = slice(0, end - first_of_batch)
            result = replace(
                result,
                numbers=numbers,
                values=values,
                tried=min(end, first_of_batch + len(batch)) - first,
                eligible=result.eligible + int(np.count_nonzero(eligible[counted_rows])),
                matching=result.matching + int(np.count_nonzero(matching[counted_rows])),
            )
            yield result
            if result.numbers and first + result.tried >= end:
                break
    return result


def _end_of_block(number: int, first: int, stream: MapStream) -> int:
    """Return the number after the last map of the block that holds map ``number``.

    Blocks begin at ``first``. Maps that are rolled one after the other make a block each.
    """
    block_size = BLOCK if stream.many else 1
    blocks_counted = (number - first) // block_size + 1
    return first + blocks_counted * block_size


def _smallest(
    result: SearchResult, numbers: NDArray[np.uint64], values: NDArray[np.float64], limit: int
) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Return the maps of ``result`` and of a further batch with the smallest values, ascending.

    These are the numbers of at most ``limit`` maps, and their values. Of maps with the same value
    the first come first.
    """
    all_numbers = [*result.numbers, *numbers.tolist()]
    all_values = np.append(np.array(result.values), values)
    order = np.argsort(all_values, kind="stable")[:limit].tolist()
    return tuple(all_numbers[row] for row in order), tuple(all_values[order].tolist())


@dataclass(frozen=True, eq=False)
class _MapTester:
    """Tests the maps of a stream: cells first, hexsides only of maps that pass so far."""

    stream: MapStream
    condition: Condition

    @cached_property
    def _early(self) -> Condition | None:
        """The part of the filter that needs no hexsides; None if none, or all of it."""
        locked = self.stream.base.locked_sides.any()
        if locked:
            return None
        return without_sides(self.condition)

    @cached_property
    def _sides(self) -> bool:
        """True if hexsides decide."""
        return bool(self.stream.base.locked_sides.any()) or self.condition.sides

    @cached_property
    def _sides_later(self) -> bool:
        """True if cells are tested first."""
        cells_decide = self._early is not None or self.stream.base.locked_cells.any()
        return bool(self._sides and cells_decide) and self.stream.many

    def blocks(self, numbers: range, most: int) -> Generator[Batch, None, None]:
        """Return the maps of these numbers, at most ``most`` a block, with what is tested first."""
        stream = self.stream
        if self._sides_later:
            free = np.zeros_like(stream.base.locked_sides)
            stream = replace(stream, base=replace(stream.base, locked_sides=free))
        return stream.blocks(numbers, hexsides=self._sides and not self._sides_later, most=most)

    def test(self, batch: Batch) -> tuple[Truth, Truth]:
        """Return shape (n,) each: the maps that keep the locks, those that also pass the filter."""
        eligible = batch.keeps_locks()
        if not self._sides_later:
            return eligible, self._matching(batch, eligible)
        early = self._early
        hopeful = eligible
        if early is not None:
            hopeful = eligible & early.matches(batch.as_seen(self.stream.base))
        rows = np.flatnonzero(hopeful)
        matching = np.zeros_like(eligible)
        if len(rows):
            whole = self.stream.roll(batch.numbers[rows])
            eligible[rows] = whole.keeps_locks()
            matching[rows] = self._matching(whole, eligible[rows])
        return eligible, matching

    def measured(self, batch: Batch, by: Measure) -> NDArray[np.float64]:
        """Return shape (n,): the measure of each map."""
        if by.sides and self.stream.many:
            batch = self.stream.roll(batch.numbers)
        return by.of(batch.as_seen(self.stream.base))

    def _matching(self, batch: Batch, eligible: Truth) -> Truth:
        rows = np.flatnonzero(eligible)
        matching = np.zeros_like(eligible)
        if len(rows):
            batch = batch.as_seen(self.stream.base)
            matching[rows] = self.condition.matches(
                batch if len(rows) == len(batch) else batch.rows(rows)
            )
        return matching
