"""Search for maps of a generator that pass a filter."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.batch import Batch, Measure
from randomizer.batches.filters.conditions import Condition, without_hexsides
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
    """The state of a search: the maps that it has so far, and how rare they are."""

    seed: int
    """The seed of all maps of the search."""

    numbers: tuple[int, ...]
    """The numbers of the first maps that pass the filter, or of those with the least measure."""

    tried: int
    """How many maps were rolled."""

    eligible: int
    """How many of the tried maps did not fail and keep the locks."""

    matching: int
    """How many of the eligible maps pass the filter; ``numbers`` are some of these."""

    locked: bool = False
    """True if the base has locks."""

    values: tuple[float, ...] = ()
    """The measures of the maps ``numbers``; empty in a search without a measure."""

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
    most_at_once = MOST_AT_ONCE
    if is_costly:
        most_at_once = costly_at_once
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
    def _early_condition(self) -> Condition | None:
        """The part of the filter that is tested before hexsides are rolled.

        None if no part of it can be, and if hexsides are locked.
        """
        # Which maps keep locked hexsides is counted for all, not only for those that may match.
        if self.stream.base.locked_sides.any():
            return None
        return without_hexsides(self.condition)

    @cached_property
    def _needs_hexsides(self) -> bool:
        """True if the locks or the filter ask for hexsides."""
        return bool(self.stream.base.locked_sides.any()) or self.condition.needs_hexsides

    @cached_property
    def _is_in_two_steps(self) -> bool:
        """True if maps are rolled without hexsides first, and with them if their cells pass.

        That costs a second roll, which only a stream of many maps at once gives.
        """
        if not self._needs_hexsides or not self.stream.many:
            return False
        return self._early_condition is not None or bool(self.stream.base.locked_cells.any())

    def blocks(self, numbers: range, most: int) -> Generator[Batch, None, None]:
        """Yield the maps of these numbers, at most ``most`` a block, with what is tested first."""
        if not self._is_in_two_steps:
            return self.stream.blocks(numbers, hexsides=self._needs_hexsides, most=most)
        # Maps without hexsides cannot keep locks of hexsides: these are tested in the second step.
        no_sides = np.zeros_like(self.stream.base.locked_sides)
        stream = replace(self.stream, base=replace(self.stream.base, locked_sides=no_sides))
        return stream.blocks(numbers, hexsides=False, most=most)

    def test(self, batch: Batch) -> tuple[Truth, Truth]:
        """Return shape (n,) each: the maps that keep the locks, those that also pass the filter."""
        eligible = batch.keeps_locks()
        if not self._is_in_two_steps:
            return eligible, self._matching(batch, eligible)

        # The first step looks at cells alone.
        may_match = eligible
        if self._early_condition is not None:
            may_match = eligible & self._early_condition.matches(batch.as_seen(self.stream.base))

        # The second step rolls the maps that may match again, now with hexsides.
        rows = np.flatnonzero(may_match)
        matching = np.zeros_like(eligible)
        if len(rows):
            maps_with_hexsides = self.stream.roll(batch.numbers[rows])
            eligible[rows] = maps_with_hexsides.keeps_locks()
            matching[rows] = self._matching(maps_with_hexsides, eligible[rows])
        return eligible, matching

    def measured(self, batch: Batch, measure: Measure) -> NDArray[np.float64]:
        """Return shape (n,): the measure of each map."""
        if measure.needs_hexsides and self.stream.many:
            # ``blocks`` gives hexsides only if the locks or the filter ask for them.
            batch = self.stream.roll(batch.numbers)
        return measure.of(batch.as_seen(self.stream.base))

    def _matching(self, batch: Batch, eligible: Truth) -> Truth:
        """Return shape (n,): those of the ``eligible`` maps that pass the whole filter."""
        rows = np.flatnonzero(eligible)
        matching = np.zeros_like(eligible)
        if len(rows):
            maps = batch.as_seen(self.stream.base)
            if len(rows) < len(maps):
                maps = maps.rows(rows)
            matching[rows] = self.condition.matches(maps)
        return matching
