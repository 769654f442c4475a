"""One roll, with all decided: which map of a setup, onto what, and where it goes.

``Rolling`` makes a ``RollRequest`` and calls ``roll`` on a job's thread; the result becomes a
``FinishedRoll``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from app.rolling.destination import Destination
from app.rolling.roll_setup import RollSetup
from randomizer import forced_roll, generator_run
from randomizer.batches.batch_generator import rolls_many
from randomizer.batches.map_stream import MapStream
from randomizer.generator import MapGenerator
from randomizer.generator_run import Progress
from randomizer.model.grid.grid import Grid
from randomizer.model.map.layer import Roll
from randomizer.model.problems import error
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.generated import Generated
from randomizer.model.settings.grid_settings import values_on_grid
from randomizer.roll_base import Base


@dataclass(frozen=True)
class RollRequest:
    """One roll: a map of a setup, rolled onto a base, for a destination."""

    setup: RollSetup

    key: DrawKey
    """Seed and number of the map."""

    base: Base
    """The map, with its locks, that the roll starts from."""

    destination: Destination
    """The layer or map into which the result goes."""

    verb: str = "Roll"
    """The first word of the text of the undo step."""

    step_back_from: DrawKey | None = None
    """For a step back the key of the map on display, else None.

    If map ``key`` does not keep the locks, the last map before ``step_back_from`` that does is
    rolled.
    """

    restored_roll: Roll | None = None
    """For a step to a map that was seen before, its roll, else None."""

    restored_grid: Grid | None = None
    """For a step to a map that was seen on another grid than that of now, that grid, else None.

    It is rolled again where the settings leave the grid to the map.
    """

    forced: bool = False
    """True to roll without regard to locks, and then put back what is locked."""

    has_base_of_recipe: bool = False
    """True if ``base`` is that of a pasted recipe, whose locks need not be those of the map."""

    @property
    def searches_for_locks(self) -> bool:
        """True if map after map is tried for one that keeps the locks."""
        searches = self.setup.behaviour.searches_for_locks
        return searches and self.base.locked and not self.forced

    def roll(self, progress: Progress, cancelled: Callable[[], bool]) -> Generated | None:
        """Roll the map; None if cancelled. Raises ProblemError as generators and the check do.

        It is called on a job's thread; ``progress`` is called there, too.
        """
        check_script = self.setup.behaviour.check_script
        if check_script is not None:
            check_script()
        generator = self.setup.make_generator()
        settings = self.setup.settings
        if self.restored_grid is not None:
            settings = values_on_grid(generator.settings, settings, self.restored_grid)
        if self.forced:
            return forced_roll.force(generator, settings, self.key, self.base, progress, cancelled)
        key = self._key_to_roll(generator, settings, cancelled)
        if key is None:
            return None
        return generator_run.run(generator, settings, key, self.base, progress, cancelled)

    def _key_to_roll(
        self,
        generator: MapGenerator,
        settings: Mapping[str, object],
        cancelled: Callable[[], bool],
    ) -> DrawKey | None:
        """Return ``key``; for a step back under locks the key of an earlier map that keeps them.

        From any other key the generator itself searches on, to higher numbers. None if cancelled.
        Raises ProblemError if no earlier map keeps the locks.
        """
        key = self.key
        shown_key = self.step_back_from
        if shown_key is None or shown_key.seed != key.seed or not self.base.locked:
            return key
        if not rolls_many(generator):
            return key  # without batches of maps none can be searched
        stream = MapStream(generator, settings, self.base, key.seed, cancelled)
        if _keeps_locks(stream, key.number):
            return key
        number = last_before(stream, shown_key.number)
        if number is None:
            return None
        return key._replace(number=number)


def last_before(stream: MapStream, number: int) -> int | None:
    """Return the number of the last map before ``number`` that keeps the locks.

    None if cancelled. Raises ProblemError if there is none.
    """
    earlier_numbers = range(number - 1, -1, -1)
    earlier_number = next(_numbers_that_keep(stream, earlier_numbers), None)
    if earlier_number is None and not stream.cancelled():
        message = (
            f"no map of seed {stream.seed} before number {number} has what you locked; unlock some "
            "of it, or go on to later numbers"
        )
        raise error("no-earlier-map", message)
    return earlier_number


def _keeps_locks(stream: MapStream, number: int) -> bool:
    """Return whether the map with a number keeps the locks; False if cancelled."""
    only_number = range(number, number + 1)
    return any(True for _number in _numbers_that_keep(stream, only_number))


def _numbers_that_keep(stream: MapStream, numbers: range) -> Iterator[int]:
    """Yield those numbers whose maps keep the locks, in the order of ``numbers``.

    It ends early if the stream is cancelled.
    """
    # Hexsides take time to roll, and count only if some are locked.
    for batch in stream.blocks(numbers, hexsides=bool(stream.base.locked_sides.any())):
        yield from batch.numbers[batch.keeps_locks()].tolist()
