"""One roll, with all decided: which map of a setup, onto what, and where it goes.

``Rolling`` makes a ``RollRequest`` and calls ``roll`` on a job's thread; the result becomes a
``FinishedRoll``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from app.rolling.destination import Destination
from app.rolling.roll_setup import RollSetup
from randomizer.batches.batch_generator import rolls_many
from randomizer.batches.map_stream import MapStream
from randomizer.forced_roll import force
from randomizer.generator import Base, DrawKey, MapGenerator, Progress, run
from randomizer.model.problems import error
from randomizer.model.rolls.generated import Generated


@dataclass(frozen=True)
class RollRequest:
    """One roll: a map of a setup, rolled onto a base, for a destination."""

    setup: RollSetup

    key: DrawKey
    """Seed and number of the map."""

    base: Base

    destination: Destination

    verb: str = "Roll"
    """The first word of the text of the undo step."""

    back: DrawKey | None = None
    """The key of the map shown now, when one steps back: if map ``key`` does not keep the locks,
    the last map before this one that does is taken. None when one does not step back."""

    forced: bool = False
    """True for a free roll, on which what is locked is put back."""

    @property
    def searches(self) -> bool:
        """True if map after map is tried for one that keeps the locks."""
        return self.setup.searches and self.base.locked and not self.forced

    def roll(self, progress: Progress, cancelled: Callable[[], bool]) -> Generated | None:
        """Roll it, on a job's thread; None if cancelled. Raises ProblemError as generators do."""
        generator = self.setup.generator()
        settings = self.setup.settings
        if self.forced:
            return force(generator, settings, self.key, self.base, progress, cancelled)
        key = self._key_that_keeps(generator, cancelled)
        if key is None:
            return None
        return run(generator, settings, key, self.base, progress, cancelled)

    def _key_that_keeps(
        self, generator: MapGenerator, cancelled: Callable[[], bool]
    ) -> DrawKey | None:
        """Return the key to be rolled: when one steps back, that of a map that keeps the locks.

        Forwards the generator itself looks for such a map, and so it does after a map of another
        seed. None if cancelled. Raises ProblemError if there is none.
        """
        key = self.key
        back = self.back
        if back is None or back.seed != key.seed or not self.base.locked:
            return key
        if not rolls_many(generator):
            return key
        stream = MapStream(generator, self.setup.settings, self.base, key.seed, cancelled)
        only_this = range(key.number, key.number + 1)
        if next(_numbers_that_keep(stream, only_this), None) is not None:
            return key
        number = last_before(stream, back.number)
        if number is None:
            return None
        return key._replace(number=number)


def last_before(stream: MapStream, number: int) -> int | None:
    """Return the number of the last map before ``number`` that keeps the locks.

    None if cancelled. Raises ProblemError if there is none.
    """
    earlier_number = next(_numbers_that_keep(stream, range(number - 1, -1, -1)), None)
    if earlier_number is None and not stream.cancelled():
        message = (
            f"no map of seed {stream.seed} before number {number} has what you locked; unlock some "
            "of it, or go on to later numbers"
        )
        raise error("no-earlier-map", message)
    return earlier_number


def _numbers_that_keep(stream: MapStream, numbers: range) -> Iterator[int]:
    """Yield those of the numbers whose maps keep the locks, in their order."""
    for batch in stream.blocks(numbers, hexsides=bool(stream.base.locked_sides.any())):
        yield from batch.numbers[batch.keeps_locks()].tolist()
