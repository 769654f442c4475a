"""The maps of a generator, block after block.

Wherever many maps are rolled, to be searched, counted or shown, they come from a ``MapStream``. It
decides how many are rolled at once, when it is cancelled, and when all have failed::

    stream = MapStream(generator, settings, base, seed, cancelled)
    for batch in stream.blocks(range(10_000), hexsides=False):
        count += np.count_nonzero(batch.keeps_locks())

There are three ways, of which the generator and ``rolls`` decide (``MapStream.blocks``):

- *Many at once*: some generators make thousands of maps together, in microseconds a map.
- *Elsewhere*: other generators make *single maps*, one after the other, each of which can take
  seconds. Several processes roll them (``rolls``), and they are held, so that none is rolled twice
  (``HeldMaps``).
- *On this thread*: single maps without ``rolls``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.batch import Batch
from randomizer.batches.batch_generator import rolls_many
from randomizer.batches.single_rolls import LOCKS_NOT_KEPT, SingleRoll, roll_single
from randomizer.generator import MapGenerator
from randomizer.generator_run import run
from randomizer.model.problems import Problem, ProblemError
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.roll_base import Base
from randomizer.symmetric_rolls import without_symmetry

FIRST_BLOCK = 512
"""The maps of the first block of those that are rolled together."""

LARGEST_BLOCK = 32_768
"""The most maps of a block, however fast they come: a batch holds them all in memory."""

BLOCK_S = 0.02
"""The time in seconds that rolling a block and counting it is to take: only between blocks a stream
can be cancelled."""

FAILURES_TO_END = 4
"""If so many maps at the beginning fail for the same reason, all will: the stream raises it.

With fewer of them a script that fails now and then would be taken for a broken one.
"""

Rolls = Callable[
    [MapGenerator, Mapping[str, object], int, Iterable[int], Base],
    Generator[SingleRoll | None, None, None],
]
"""Rolls single maps elsewhere, as ``RollPool.rolls``.

Its parameters are the generator, the settings, the seed, the numbers of the maps, and the base.
It yields a ``SingleRoll`` for every number, in their order, and before each of them None any number
of times, while that map is not made. A map that cannot be made is a ``SingleRoll`` with problems.
Closing it ends the rolls.
"""


class HeldMaps:
    """Single maps that were rolled elsewhere, by number: a stream asks here before it rolls one.

    Streams of the same generator, settings, base and seed can share one, so that a second search
    begins with the maps of the first.
    """

    def __init__(self) -> None:
        self._batches: dict[int, Batch] = {}
        """A batch of one map for each number, without what lies above the roll."""

    def __contains__(self, number: int) -> bool:
        return number in self._batches

    def __getitem__(self, number: int) -> Batch:
        return self._batches[number]

    def add(self, number: int, batch: Batch) -> None:
        """Hold the map of a number, or the batch that tells why it could not be made."""
        self._batches[number] = batch


@dataclass(frozen=True, eq=False)
class MapStream:
    """The maps of a seed that a generator makes on a base.

    A generator with ``rolls_many`` makes many at once and ignores locks; any other makes single
    maps, one after the other, and keeps locks in its own way. No map is made symmetric.
    """

    generator: MapGenerator

    settings: Mapping[str, object]
    """The settings of the roll; the symmetry is dropped (``without_symmetry``)."""

    base: Base

    seed: int

    cancelled: Callable[[], bool] = lambda: False
    """Called between blocks: once it returns True, the stream ends early."""

    rolls: Rolls | None = None
    """Rolls single maps elsewhere; None: they are rolled on this thread, and are not held."""

    held: HeldMaps = field(default_factory=HeldMaps)
    """The single maps that ``rolls`` has rolled, for this stream or for those that share it."""

    first_at_once: int = FIRST_BLOCK
    """The maps of the first block, if many are made at once."""

    block_s: float = BLOCK_S
    """The seconds that a block is to take: its successors are made larger or smaller for that."""

    def __post_init__(self) -> None:
        # The class is frozen, so that streams can be shared; this is the one field that it changes.
        settings = without_symmetry(self.generator.system, self.settings)
        object.__setattr__(self, "settings", settings)

    @property
    def makes_many(self) -> bool:
        """True if many maps are made at once."""
        return rolls_many(self.generator)

    def roll(self, numbers: NDArray[np.uint64], *, hexsides: bool = True) -> Batch:
        """Return the maps of these numbers; only if many are made at once (``makes_many``)."""
        assert rolls_many(self.generator), "this generator makes one map after the other"
        return self.generator.roll_batch(
            self.settings, self.seed, numbers, self.base, hexsides=hexsides
        )

    def with_hexsides(self, numbers: Sequence[int]) -> list[Batch]:
        """Return maps that ``blocks`` has yielded once more, now with hexsides.

        Many maps are rolled again, as one batch. Single maps, which always have hexsides, are a
        batch each; they must have been rolled elsewhere, since those rolled here are not held.
        """
        if self.makes_many:
            return [self.roll(np.array(numbers, np.uint64))]
        assert self.rolls is not None, "single maps that were rolled on this thread are not held"
        return [self.held[number] for number in numbers]

    def blocks(
        self,
        numbers: range,
        *,
        hexsides: bool = True,
        largest_block: int = LARGEST_BLOCK,
        same_grid: bool = False,
    ) -> Generator[Batch, None, None]:
        """Yield the maps of these numbers in this order.

        If many are made at once, a batch has at most ``largest_block`` of them, and hexsides only
        if ``hexsides``; how many depends on the time and on nothing else.

        Each single map is a batch, and always has hexsides. While ``rolls`` is waited for, an empty
        batch comes now and then. With ``same_grid`` they are rolled on this thread in any case,
        each onto the base of the previous one: so all have the grid that the first one brought, and
        the same terrain codes.

        Raises ProblemError for a script with errors, if every map fails, and if the first
        ``FAILURES_TO_END`` single ones fail for the same reason.
        """
        if self.makes_many:
            batches = self._many_at_once(numbers, hexsides, largest_block)
        elif same_grid or self.rolls is None:
            batches = self._rolled_on_this_thread(numbers, same_grid)
        else:
            batches = self._rolled_elsewhere(numbers, self.rolls)
        failures = _Failures()
        with closing(batches):
            for batch in batches:
                failures.add(batch)
                if failures.end_the_stream:
                    raise ProblemError(failures.problems)
                yield batch
        if failures.are_all and not self.cancelled():
            if failures.problems:
                raise ProblemError(failures.problems)
            # Batches of many maps do not tell why they failed: the generator raises it for one map.
            key = DrawKey(self.seed, numbers[0])
            run(self.generator, self.settings, key, self.base.unlocked())

    def _many_at_once(
        self, numbers: range, hexsides: bool, largest_block: int
    ) -> Generator[Batch, None, None]:
        """Yield blocks of many maps, each of about the size that takes ``block_s`` seconds.

        Time decides how soon one can cancel, never what is counted.
        """
        size = min(self.first_at_once, largest_block)
        rolled_count = 0
        while rolled_count < len(numbers) and not self.cancelled():
            start_time = time.perf_counter()
            block = numbers[rolled_count : rolled_count + size]
            rolled_count += len(block)
            block_numbers = np.arange(block.start, block.stop, block.step).astype(np.uint64)
            yield self.roll(block_numbers, hexsides=hexsides)
            # The caller has used the block by now: its time counts, too.
            seconds = time.perf_counter() - start_time
            if seconds > self.block_s:
                # Some measures cost the same for one map and for hundreds: blocks never get smaller
                # than the first.
                size = max(self.first_at_once, size // 2)
            elif seconds < self.block_s / 2:
                size *= 2
            size = min(size, largest_block)

    def _rolled_on_this_thread(
        self, numbers: range, same_grid: bool
    ) -> Generator[Batch, None, None]:
        """Yield single maps; ``same_grid`` as in ``blocks``."""
        base = self.base
        for number in numbers:
            key = DrawKey(self.seed, number)
            single = roll_single(self.generator, self.settings, key, base, self.cancelled)
            if self.cancelled():
                return
            batch = single.batch(base, self.seed)
            if same_grid:
                base = batch.base
            yield batch

    def _rolled_elsewhere(self, numbers: range, rolls: Rolls) -> Generator[Batch, None, None]:
        """Yield single maps as ``rolls`` makes them; an empty batch whenever one is waited for."""
        base = self.base
        seed = self.seed
        held = self.held
        missing_numbers = (number for number in numbers if number not in held)
        empty_batch = _empty_batch(base, seed)
        with closing(rolls(self.generator, self.settings, seed, missing_numbers, base)) as singles:
            for number in numbers:
                if self.cancelled():
                    return
                while number not in held:
                    single = next(singles)  # there is one for each of the missing numbers
                    if single is None:
                        yield empty_batch
                        if self.cancelled():
                            return
                    else:
                        held.add(number, single.batch(base, seed))
                yield held[number]


def _empty_batch(base: Base, seed: int) -> Batch:
    """Return a batch of no maps."""
    # A map that was not made gives a batch of one failed map; no row of it is taken.
    batch_of_failed_map = SingleRoll(0).batch(base, seed)
    return replace(batch_of_failed_map.rows(slice(0)), problems=())


class _Failures:
    """Counts the maps of a stream that could not be made.

    A map that only misses the locks is no failure: another number may keep them.
    """

    def __init__(self) -> None:
        self.problems: tuple[Problem, ...] = ()
        """Why the first of them failed; () if that is not known."""
        self._tried_count = 0
        self._failed_count = 0
        self._reasons: set[tuple[str, int | None]] = set()
        """The message and the line of the first problem of each single map."""

    def add(self, batch: Batch) -> None:
        """Count the maps of a batch."""
        self._tried_count += len(batch)
        problems = batch.problems
        codes = {problem.code for problem in problems}
        misses_only_locks = codes == {LOCKS_NOT_KEPT.code}
        if not misses_only_locks:
            self._failed_count += int(np.count_nonzero(batch.failed))
        self.problems = self.problems or problems
        self._reasons |= {(problem.message, problem.line) for problem in problems[:1]}

    @property
    def end_the_stream(self) -> bool:
        """True if the first ``FAILURES_TO_END`` maps, and no others yet, failed for one reason.

        Such a reason, as an error in the script, will make all maps fail. (Only single maps have
        reasons: of many at once none is known.)
        """
        has_one_reason = len(self._reasons) == 1
        return has_one_reason and self._failed_count == self._tried_count == FAILURES_TO_END

    @property
    def are_all(self) -> bool:
        """True if maps were tried and every one failed."""
        return 0 < self._failed_count == self._tried_count
