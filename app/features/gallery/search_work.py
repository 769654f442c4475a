"""The work of a gallery's search, which runs on the threads of jobs: see ``SearchWork``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum, auto
from threading import Event
from typing import TYPE_CHECKING, NamedTuple

from app.background.jobs import lent_thread
from app.features.gallery.candidates import as_seen, measure_all, measure_of_generator, roll_pins
from app.features.gallery.search import FilterError, search
from app.rolling.rolled_maps import RolledMaps
from randomizer.batches.batch_generator import rolls_many
from randomizer.batches.map_stream import HeldMaps

if TYPE_CHECKING:
    from app.features.gallery.candidates import Candidate
    from app.features.gallery.search import Ended, GalleryRequest, Search
    from randomizer.generator import MapGenerator
    from randomizer.generator_run import Progress
    from randomizer.model.map.layer import Roll
    from randomizer.roll_base import Base


class Message(Enum):
    """The kinds of messages from the thread of a search to the window."""

    MEASURES = "what the maps can be measured by"
    PINS = "the pinned maps, rolled"
    MAPS = "further maps"
    TALLY = "how many maps were tried so far, and how many are found"


class Interruption(Enum):
    """Why the work ended before the search did."""

    PAUSED = auto()
    """It can go on: ``SearchWork.run`` is to be called once more."""

    CANCELLED = auto()
    """Nobody wants its outcome any more."""


class RollCache(NamedTuple):
    """The maps of a seed by a generator that makes one after the other: none is rolled twice."""

    maps: RolledMaps
    """The script and the base that all of them were rolled from."""

    seed: int

    held: HeldMaps
    """The maps themselves; each search adds those that it rolls."""

    def can_be_used_for(self, maps: RolledMaps, seed: int) -> bool:
        """Return whether these are maps of the same rolls.

        What lies above the rolls may have changed: it is laid on them when they are shown.
        """
        return self.seed == seed and self.maps.has_rolls_of(maps)


class _RolledPins(NamedTuple):
    """The pinned maps as they were rolled onto a base."""

    base: Base
    candidates: list[Candidate]


class PinCache:
    """The pinned maps as they were rolled last: on the same base none is rolled twice.

    The work of every search uses it, each on its own thread. An older search that still runs can
    store its own pins after a newer one: then they are rolled once more than needed, no worse.
    """

    def __init__(self) -> None:
        self._rolled: _RolledPins | None = None
        """What was rolled last; None before the first pins."""

    def roll(
        self, pins: tuple[Roll, ...], base: Base, cancelled: Callable[[], bool]
    ) -> list[Candidate]:
        """Return the pinned maps, rolled onto a base; those that were so already are reused."""
        earlier: Sequence[Candidate] = ()
        rolled = self._rolled
        if rolled is not None and rolled.base.has_same_rolls(base):
            earlier = rolled.candidates
        candidates = roll_pins(pins, base, earlier, cancelled)
        self._rolled = _RolledPins(base, candidates)
        return candidates


class SearchWork:
    """The work for one request, which can be paused between two of its steps::

        work = SearchWork(request, roll_cache, pin_cache, send)
        work.run(progress, cancelled)       # Interruption.PAUSED, since ``pausing`` was set
        work.pausing.clear()
        work.run(progress, cancelled)       # Ended(...): it has gone on, and come to the end

    Each ``run`` may be on another thread. The window's thread makes the object and sets its two
    events; all else belongs to the thread that runs it.
    """

    def __init__(
        self,
        request: GalleryRequest,
        roll_cache: RollCache,
        pin_cache: PinCache,
        send: Callable[[SearchWork, Message, object], None],
    ) -> None:
        """Begin nothing yet; ``send`` takes what is found to the window, from any thread."""
        self.request = request
        self.enough = Event()
        """Set when what was found is enough: the search ends as soon as it can."""
        self.pausing = Event()
        """Set while the search is to pause; looked at between steps."""
        self._roll_cache = roll_cache
        self._pin_cache = pin_cache
        self._send = send
        self._steps: Search | None = None
        """The steps that are still to be taken; None before the first ``run``."""
        self._waits_for_processes = False
        """True if the thread mostly waits for other processes, which roll the maps."""

    def run(
        self, progress: Progress, cancelled: Callable[[], bool]
    ) -> Ended | FilterError | Interruption:
        """Search until the end or an interruption; after a pause go on from there.

        Returns how the search has ended, the mistake in its filter, or why it was interrupted.
        """
        steps = self._steps
        if steps is None:
            steps = self._begin(cancelled)
            self._steps = steps
        if self._waits_for_processes:
            with lent_thread():  # this one only waits: another job may run meanwhile
                return self._take_steps(steps, progress, cancelled)
        return self._take_steps(steps, progress, cancelled)

    def _begin(self, cancelled: Callable[[], bool]) -> Search:
        """Send what is known before the search, and return its steps."""
        from randomizer.batches.counts import measures_of  # the first time that takes a while

        request = self.request
        generator, _ = request.setup.generator_for(request.base)
        self._waits_for_processes = not rolls_many(generator)
        measures = measures_of(generator, request.base.terrain_set, request.setup.settings)
        self._send(self, Message.MEASURES, measures)
        if request.pins:
            self._send(self, Message.PINS, self._rolled_pins(generator, cancelled))
        return search(request, self._send_maps, self._send_tally, self._roll_cache.held)

    def _rolled_pins(
        self, generator: MapGenerator, cancelled: Callable[[], bool]
    ) -> list[Candidate]:
        """Return the pinned maps as they are seen on the base, measured."""
        base = self.request.base
        rolled = self._pin_cache.roll(self.request.pins, base, cancelled)
        pins = [as_seen(pin, base) for pin in rolled]
        measure_all(measure_of_generator(self.request.measure, generator, base), pins)
        return pins

    def _send_maps(self, candidates: Sequence[Candidate]) -> None:
        self._send(self, Message.MAPS, candidates)

    def _send_tally(self, tried: int, found_count: int) -> None:
        self._send(self, Message.TALLY, (tried, found_count))

    def _take_steps(
        self, steps: Search, progress: Progress, cancelled: Callable[[], bool]
    ) -> Ended | FilterError | Interruption:
        """Take the steps of a search until it ends, or is cancelled or paused."""
        try:
            progress(next(steps))
            while not (cancelled() or self.pausing.is_set()):
                progress(steps.send(self.enough.is_set()))
        except StopIteration as end:
            ended: Ended = end.value
            return ended
        except FilterError as reason:
            return reason
        if cancelled():
            steps.close()
            return Interruption.CANCELLED
        return Interruption.PAUSED
