"""The maps of a generator, block after block: how many maps are rolled wherever they are counted.

stream = MapStream(generator, settings, base, seed, cancelled)
for batch in stream.blocks(range(10_000), hexsides=False):
    kept += np.count_nonzero(batch.keeps_locks())
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.batch import Batch
from randomizer.batches.batch_generator import rolls_many
from randomizer.batches.single_rolls import LOST, SingleRoll, roll_single
from randomizer.generator import Base, DrawKey, MapGenerator, own_settings, run
from randomizer.model.problems import Problem, ProblemError

FIRST_AT_ONCE = 512
MOST_AT_ONCE = 32_768
"""How many maps are rolled together: at first, and at most."""

BLOCK_S = 0.02
"""About how long rolling a block and counting it take: in between one can cancel."""

A_FEW = 4
"""If so many maps of a generator that makes one after the other fail alike at first, all will."""

Rolls = Callable[
    [MapGenerator, Mapping[str, object], int, Iterable[int], Base],
    Generator[SingleRoll | None, None, None],
]
"""Rolls single maps in turn, as ``RollPool.rolls``; None while the next one is not made."""


@dataclass(frozen=True, eq=False)
class MapStream:
    """The maps of ``seed`` that a generator makes on ``base``.

    A generator with ``rolls_many`` makes many at once and ignores locks; any other makes one after
    the other and keeps locks in its own way. Those are rolled on this thread, or by ``rolls``;
    ``singles``, if given, holds the batches of those that were rolled, by number: they are not
    rolled again. The stream ends early once it is ``cancelled``. No map of it is made symmetric.
    A stream of many begins with blocks of ``first_at_once`` maps and makes them larger or smaller
    so that each takes about ``block_s`` seconds.
    """

    generator: MapGenerator
    settings: Mapping[str, object]
    base: Base
    seed: int
    cancelled: Callable[[], bool] = lambda: False
    rolls: Rolls | None = None
    singles: dict[int, Batch] | None = None
    first_at_once: int = FIRST_AT_ONCE
    block_s: float = BLOCK_S

    def __post_init__(self) -> None:
        settings = own_settings(self.generator.system, self.settings)
        object.__setattr__(self, "settings", settings)

    @property
    def many(self) -> bool:
        """True if many maps are made at once."""
        return rolls_many(self.generator)

    def roll(self, numbers: NDArray[np.uint64], *, hexsides: bool = True) -> Batch:
        """These maps at once, if the generator has ``rolls_many``."""
        assert rolls_many(self.generator), "others make one map after the other"
        return self.generator.roll_batch(
            self.settings, self.seed, numbers, self.base, hexsides=hexsides
        )

    def again(self, numbers: Sequence[int]) -> list[Batch]:
        """Maps that ``blocks`` gave, hexsides included; single ones are those of ``singles``."""
        if self.many:
            return [self.roll(np.array(numbers, np.uint64))]
        assert self.singles is not None, "single maps are to be held"
        return [self.singles[number] for number in numbers]

    def blocks(
        self,
        numbers: range,
        *,
        hexsides: bool = True,
        most: int = MOST_AT_ONCE,
        alike: bool = False,
    ) -> Generator[Batch, None, None]:
        """Yield the maps of these numbers in this order, at most ``most`` a block.

        How many come at once depends on the time and on nothing else. Single maps come in a batch
        each, with an empty one now and then while ``rolls`` is waited for. With ``alike`` they are
        rolled on this thread, each onto the grid and with the terrain codes of those before. Raises
        ProblemError for a script with errors, if every map fails, and if the first ``A_FEW`` single
        ones fail for the same reason.
        """
        if self.many:
            batches = self._at_once(numbers, hexsides, most)
        elif alike or self.rolls is None:
            batches = self._on_this_thread(numbers, alike)
        else:
            batches = self._by_others(numbers, self.rolls)
        tried = failed = 0
        problems: tuple[Problem, ...] = ()
        reasons = set()
        with closing(batches):
            for batch in batches:
                tried = tried + len(batch)
                failed = failed + _failures(batch)
                problems = problems or batch.problems
                reasons |= {(problem.message, problem.line) for problem in batch.problems[:1]}
                if failed == tried == A_FEW and len(reasons) == 1:
                    raise ProblemError(problems)
                yield batch
        if tried and failed == tried and not self.cancelled():
            if problems:
                raise ProblemError(problems)
            key = DrawKey(self.seed, numbers[0])
            run(self.generator, self.settings, key, self.base.unlocked())  # raises, and says why

    def _at_once(self, numbers: range, hexsides: bool, most: int) -> Generator[Batch, None, None]:
        size = min(self.first_at_once, most)
        at = 0
        while at < len(numbers) and not self.cancelled():
            began = time.perf_counter()
            block = numbers[at : at + size]
            at += len(block)
            these = np.arange(block.start, block.stop, block.step).astype(np.uint64)
            yield self.roll(these, hexsides=hexsides)
            # Halve or double: time decides how soon one can cancel, never what is counted.
            seconds = time.perf_counter() - began
            if seconds > self.block_s:
                # Some measures cost the same for one map and for hundreds: never fewer than at
                # first.
                size = max(self.first_at_once, size // 2)
            elif seconds < self.block_s / 2:
                size *= 2
            size = min(size, most)

    def _on_this_thread(self, numbers: range, alike: bool) -> Generator[Batch, None, None]:
        base = self.base
        for number in numbers:
            key = DrawKey(self.seed, number)
            single = roll_single(self.generator, self.settings, key, base, self.cancelled)
            if self.cancelled():
                return
            batch = single.batch(base, self.seed)
            base = batch.base if alike else base
            yield batch

    def _by_others(self, numbers: range, rolls: Rolls) -> Generator[Batch, None, None]:
        base = self.base
        seed = self.seed
        batches = {} if self.singles is None else self.singles
        unknown = (number for number in numbers if number not in batches)
        waiting = replace(SingleRoll(0).batch(base, seed).rows(slice(0)), problems=())
        with closing(rolls(self.generator, self.settings, seed, unknown, base)) as singles:
            for number in numbers:
                while number not in batches:
                    if self.cancelled():
                        return
                    single = next(singles)
                    if single is None:
                        yield waiting
                    else:
                        batches[number] = single.batch(base, seed)
                yield batches[number]


def _failures(batch: Batch) -> int:
    """Return how many maps could not be made, other than for the locks: another number may keep
    them.
    """
    if all(problem.code == LOST.code for problem in batch.problems) and batch.problems:
        return 0
    return int(np.count_nonzero(batch.failed))
