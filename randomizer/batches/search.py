"""Searches for maps of a generator that pass a filter.

The gallery and ``randomizer find`` iterate over ``search_maps``; each ``SearchResult`` that it
yields is better than the last::

    stream = MapStream(generator, settings, base, seed)
    for result in search_maps(stream, parse_filter("count(Tree) > 2", system)):
        print(result.numbers, result.summary)      # (3, 17): 1 of 512 maps ...

A map is *eligible* if it was made and keeps the locks, and *matching* if it passes the filter, too.
``_Search`` counts the maps of each batch, ``_MapTester`` decides which of them are what.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.batch import Batch, Measure
from randomizer.batches.filters.conditions import Condition, without_hexsides
from randomizer.batches.filters.terms import Cost, Truth
from randomizer.batches.map_stream import LARGEST_BLOCK, MapStream
from randomizer.model.basics.dice import NUMBER_LIMIT
from randomizer.model.basics.plurals import counted, many
from randomizer.model.basics.rarity import NEARLY_ALL, Rarity
from randomizer.model.problems import ProblemError

BLOCK = 1024
"""A search counts whole blocks of this many maps, so that rarities from few matches are reliable.

A block is a unit of counting; the maps come in batches of another size.

If it is larger, a search for a frequent kind of map takes longer.
"""

COSTLY_AT_ONCE = 16
"""Maps that are tested together by a measure with a cost: together they take some seconds."""


@dataclass(frozen=True)
class SearchResult:
    """The state of a search: the maps that it has so far, and how rare they are.

    ``SearchResult(seed)`` is the state of a search that has not begun.
    """

    seed: int
    """The seed of all maps of the search."""

    numbers: tuple[int, ...] = ()
    """The numbers of the first maps that pass the filter, or of those with the smallest measure."""

    tried: int = 0
    """The number of maps that were rolled."""

    eligible: int = 0
    """The number of tried maps that did not fail and keep the locks."""

    matching: int = 0
    """The number of eligible maps that pass the filter; ``numbers`` are some of these."""

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
        """The rarity in words; under locks how many maps keep them, and pass the filter."""
        if not self.locked:
            return self.rarity.words()
        if not self.eligible:
            return f"the locks are kept by {Rarity(0, self.tried).words()}"
        if self.eligible == self.tried:
            text = f"all of {counted(self.tried, 'map')} keep the locks"
        else:
            keep = many(self.eligible, "keeps", "keep")
            text = f"{self.eligible:,} of {counted(self.tried, 'map')} {keep} the locks"
        if self.matching < self.eligible:
            passes = many(self.matching, "passes", "pass")
            text = f"{text}, {self.matching:,} of them {passes} the filter"
        rarity = Rarity(self.matching, self.tried)
        if rarity.chance > NEARLY_ALL:
            return text
        return f"{text}: {rarity.about}"


def search_maps(
    stream: MapStream,
    condition: Condition,
    first: int = 0,
    *,
    budget: int = 1_000_000,
    limit: int = 48,
    order_by: Measure | None = None,
    costly_at_once: int = COSTLY_AT_ONCE,
) -> Generator[SearchResult, None, SearchResult]:
    """Search the maps first, first + 1, ... of a stream for ``limit`` that pass the filter.

    Yields the state every few hundredths of a second; closing it cancels. The filter and the
    measure see what lies above the roll, too (``Batch.as_seen``). The maps keep the base's locks.
    At most ``budget`` maps are tried; the result does not depend on how many are rolled at once.
    With a measure in ``order_by`` all of them are tried, and ``numbers`` are the ``limit`` with the
    smallest ``values``, ascending. A filter or a measure with a cost gets ``costly_at_once`` maps
    at a time. Raises ProblemError for locks known to be impossible and as the stream does.
    """
    if stream.base.locked:
        impossible = stream.generator.impossible_locks(stream.settings, stream.base)
        if impossible:
            raise ProblemError(impossible)

    tester = _MapTester(stream, condition)
    end = max(first, min(first + budget, NUMBER_LIMIT))
    search = _Search(tester, first, end, limit, order_by)
    is_costly = condition.cost is Cost.SIMULATION or (order_by is not None and order_by.cost != "")
    most_at_once = LARGEST_BLOCK
    if is_costly:
        most_at_once = costly_at_once
    with closing(tester.batches(range(first, end), most_at_once)) as batches:
        for batch in batches:
            search.add(batch)
            yield search.result
            if search.is_over:
                break
    return search.result


class _Search:
    """The maps of a search so far."""

    def __init__(
        self, tester: _MapTester, first: int, end: int, limit: int, order_by: Measure | None
    ) -> None:
        """Begin a search of the maps from ``first`` to before ``end``: see ``search_maps``."""
        stream = tester.stream
        self._tester = tester
        self._first = first
        """The number of the first map."""
        self._limit = limit
        """The most maps of the result."""
        self._order_by = order_by
        """The measure of which the smallest values are wanted; None: the first maps are wanted."""
        self._end = end
        """Maps from this number on do not count; it gets smaller when enough maps are found."""
        self.result = SearchResult(stream.seed, locked=stream.base.locked)
        """The result of the maps that were tested so far."""

    @property
    def is_over(self) -> bool:
        """True if enough maps were found, and all of their block are counted."""
        return bool(self.result.numbers) and self._first + self.result.tried >= self._end

    def add(self, batch: Batch) -> None:
        """Test the next maps, and add them to the result."""
        tested = self._tester.test(batch)
        if self._order_by is None:
            self._add_first_maps(batch.numbers[tested.is_matching].tolist())
        elif tested.is_matching.any():
            matching_maps = batch.rows(np.flatnonzero(tested.is_matching))
            values = self._tester.measured(matching_maps, self._order_by)
            self.result = _with_smallest(self.result, matching_maps.numbers, values, self._limit)

        # Of the last batch only the maps before the end count.
        first_of_batch = self._first + self.result.tried
        counted_rows = slice(0, self._end - first_of_batch)
        eligible_count = int(np.count_nonzero(tested.is_eligible[counted_rows]))
        matching_count = int(np.count_nonzero(tested.is_matching[counted_rows]))
        self.result = replace(
            self.result,
            tried=min(self._end, first_of_batch + len(batch)) - self._first,
            eligible=self.result.eligible + eligible_count,
            matching=self.result.matching + matching_count,
        )

    def _add_first_maps(self, matching_numbers: list[int]) -> None:
        """Add the maps of these numbers to the result until it has ``limit`` maps.

        With the last of them the end of the search is known. It is that of the block in which the
        map is: a share counted up to a match would be too high.
        """
        missing_count = self._limit - len(self.result.numbers)
        if not missing_count:
            return
        numbers = (*self.result.numbers, *matching_numbers[:missing_count])
        self.result = replace(self.result, numbers=numbers)
        if len(numbers) == self._limit:
            end_of_block = _end_of_block(numbers[-1], self._first, self._tester.stream)
            self._end = min(self._end, end_of_block)


def _end_of_block(number: int, first: int, stream: MapStream) -> int:
    """Return the number after the last map of the block that holds map ``number``.

    Blocks begin at ``first``. Maps that are rolled one after the other make a block each.
    """
    block_size = 1
    if stream.makes_many:
        block_size = BLOCK
    blocks_counted = (number - first) // block_size + 1
    return first + blocks_counted * block_size


def _with_smallest(
    result: SearchResult, numbers: NDArray[np.uint64], values: NDArray[np.float64], limit: int
) -> SearchResult:
    """Return a result with those of its maps and of further ones that have the smallest values.

    ``numbers`` (n,) and ``values`` (n,) are those of the further maps. At most ``limit`` maps are
    left, ascending by their values; of maps with the same value the first come first.
    """
    all_numbers = [*result.numbers, *numbers.tolist()]
    all_values = np.append(np.array(result.values), values)
    order = np.argsort(all_values, kind="stable")[:limit].tolist()
    return replace(
        result,
        numbers=tuple(all_numbers[row] for row in order),
        values=tuple(all_values[order].tolist()),
    )


class _TestedMaps(NamedTuple):
    """The kinds of the n maps of a batch, as masks (n,)."""

    is_eligible: Truth
    """The maps that were made and keep the locks."""

    is_matching: Truth
    """The eligible maps that pass the filter, too."""


@dataclass(frozen=True, eq=False)
class _MapTester:
    """Tests the maps of a stream: cells first, hexsides only of maps that pass so far.

    In the first step ``batches`` rolls maps without hexsides, and ``test`` looks at their cells. In
    the second step ``test`` itself rolls those that passed again, with hexsides. Where the filter
    and the locks ask for no hexsides, or the stream makes maps one by one, there is one step.
    """

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
        if not self._needs_hexsides or not self.stream.makes_many:
            return False
        return self._early_condition is not None or bool(self.stream.base.locked_cells.any())

    def batches(self, numbers: range, most_at_once: int) -> Generator[Batch, None, None]:
        """Yield the maps of these numbers for ``test``, at most ``most_at_once`` in a batch.

        They have hexsides unless these are rolled in the second step.
        """
        if not self._is_in_two_steps:
            return self.stream.blocks(
                numbers, hexsides=self._needs_hexsides, largest_block=most_at_once
            )
        # Maps without hexsides cannot keep locks of hexsides: these are tested in the second step.
        no_sides = np.zeros_like(self.stream.base.locked_sides)
        stream = replace(self.stream, base=replace(self.stream.base, locked_sides=no_sides))
        return stream.blocks(numbers, hexsides=False, largest_block=most_at_once)

    def test(self, batch: Batch) -> _TestedMaps:
        """Return which of the maps of a batch from ``batches`` are eligible and matching."""
        eligible = batch.keeps_locks()
        if not self._is_in_two_steps:
            return _TestedMaps(eligible, self._matching(batch, eligible))

        # The first step looks at cells alone.
        may_match = eligible.copy()
        if self._early_condition is not None:
            may_match &= self._early_condition.matches(batch.as_seen(self.stream.base))

        # The second step rolls the maps that may match again, now with hexsides.
        rows = np.flatnonzero(may_match)
        matching = np.zeros_like(eligible)
        if len(rows):
            maps_with_hexsides = self.stream.roll(batch.numbers[rows])
            eligible[rows] = maps_with_hexsides.keeps_locks()
            matching[rows] = self._matching(maps_with_hexsides, eligible[rows])
        return _TestedMaps(eligible, matching)

    def measured(self, batch: Batch, measure: Measure) -> NDArray[np.float64]:
        """Return shape (n,): the measure of each map."""
        if measure.needs_hexsides and self.stream.makes_many:
            # ``batches`` gives hexsides only if the locks or the filter ask for them.
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
