"""Rolls maps two at a time: in child processes, or on threads where the generator has its own.

Callers use the one pool of the program; a caller that wants to stop closes the iterator::

    with closing(roll_pool().rolls(generator, settings, seed, range(100), base)) as rolls:
        for single_roll in rolls:           # None every ``STEP_S`` while the next map is not made
            ...

A thread of the pool takes a ``Worker`` (a child process) for each map, hands it the number, waits
for the map, and gives the worker back. Nothing else ends a map that takes too long: so when a
caller stops, the processes that are still busy for it are killed.
"""

from __future__ import annotations

import atexit
import sys
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import cache
from threading import Event, Lock, Timer

from randomizer.batches.single_rolls import SingleRoll, roll_single
from randomizer.generator import MapGenerator
from randomizer.model.basics.caches import KB, registered
from randomizer.model.problems import Problem, Severity
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.processes.worker import Setup, Worker, setup_of
from randomizer.roll_base import Base

AT_ONCE = 2
"""The number of maps that are rolled at the same time; each takes a process and its memory."""

AHEAD = 2 * AT_ONCE
"""The number of maps under way, rolled ahead of the caller, so that no process waits for it."""

STEP_S = 0.03
"""The longest time between two answers to the caller, who may want to stop."""

KILL_AFTER_S = 0.1
"""The time that a process gets to end a map after the caller has stopped.

Most do, and can be used again; starting a new one takes longer.
"""

ENDED = Problem(
    Severity.ERROR, "process-ended", "the process that rolled this map ended before it was made"
)
"""The problem of a map whose process was killed, by this program or by the system."""


class _Task:
    """The maps of one call of ``RollPool.rolls``, and the processes that are busy with them."""

    def __init__(
        self, generator: MapGenerator, settings: Mapping[str, object], seed: int, base: Base
    ) -> None:
        self.generator = generator
        self.settings = settings
        self.seed = seed
        self.base = base
        self.setup: Setup | None = None
        """What a process needs to roll the maps; None if they are rolled on threads.

        That is so for a generator with a process of its own, and for one that cannot be made again
        in another process.
        """
        if not generator.rolls_outside:
            self.setup = setup_of(generator, settings, seed, base)
        self.cancelled = Event()
        """Set when no more maps are to be begun."""
        self.lock = Lock()
        """Guards ``busy``: a worker that was given back must not be killed for this task."""
        self.busy: set[Worker] = set()
        """The processes that are rolling its maps."""

    def cancel(self) -> None:
        """Begin no more maps, and soon kill the processes that have not ended theirs."""
        self.cancelled.set()
        if self.busy:
            # Most maps are made before the timer ends: then the processes can be used again.
            timer = Timer(KILL_AFTER_S, self._kill_busy)
            timer.daemon = True
            timer.start()

    def _kill_busy(self) -> None:
        """Kill the processes that still roll a map of this task."""
        with self.lock:
            for worker in self.busy:
                worker.kill()


class RollPool:
    """``AT_ONCE`` threads; each rolls a map by itself, or has a child process do it."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="roll")
        self._lock = Lock()
        """Held only for moments, never while a map is rolled."""
        self.idle: list[Worker] = []
        """The processes that wait for a map to roll; guarded by ``_lock``."""
        self._busy: set[Worker] = set()
        """The processes that roll a map for any task; guarded by ``_lock``."""
        self._is_closed = False
        """True from ``close`` on; guarded by ``_lock``."""

    def rolls(
        self,
        generator: MapGenerator,
        settings: Mapping[str, object],
        seed: int,
        numbers: Iterable[int],
        base: Base,
    ) -> Generator[SingleRoll | None, None, None]:
        """Yield maps ``numbers`` of ``seed``, one after the other; None while the next is not made.

        A map that cannot be made has problems. Closing the generator cancels what is under way.
        """
        task = _Task(generator, settings, seed, base)
        futures = deque[Future[SingleRoll]]()  # of the maps under way, in the order of numbers
        numbers_left = iter(numbers)
        try:
            while True:
                self._roll_ahead(task, futures, numbers_left)
                if not futures:
                    return
                # The maps are yielded in order, so the first one is waited for. Not by the timeout
                # of ``result``: a generator can raise TimeoutError itself.
                wait([futures[0]], STEP_S)
                if futures[0].done():
                    yield futures.popleft().result()
                else:
                    yield None
        finally:
            for future in futures:
                future.cancel()
            task.cancel()

    def _roll_ahead(
        self, task: _Task, futures: deque[Future[SingleRoll]], numbers_left: Iterator[int]
    ) -> None:
        """Begin further maps, which are added to ``futures``, until ``AHEAD`` are under way."""
        while len(futures) < AHEAD:
            number = next(numbers_left, None)
            if number is None:
                return
            futures.append(self._threads.submit(self._roll, task, number))

    def _roll(self, task: _Task, number: int) -> SingleRoll:
        """Return one map. Runs on one of the threads."""
        key = DrawKey(task.seed, number)
        if task.setup is None:
            return roll_single(task.generator, task.settings, key, task.base, task.cancelled.is_set)

        worker = self._take_worker()
        with task.lock:
            task.busy.add(worker)
        single_roll: SingleRoll | None = None
        try:
            # Asked only now that the worker is among the busy ones, where ``cancel`` can kill it.
            if not task.cancelled.is_set():
                single_roll = worker.roll(task.setup, number)
        finally:
            with task.lock:
                task.busy.discard(worker)
            self._return_worker(worker)
        if single_roll is None:
            return SingleRoll(number, problems=(ENDED,))
        return single_roll

    def _take_worker(self) -> Worker:
        """Return a process that waits for a map, a new one if there is none."""
        worker: Worker | None = None
        with self._lock:
            if self.idle:
                worker = self.idle.pop()
        if worker is not None and worker.path != tuple(sys.path):
            # A package was installed or removed since it was started: it knows others.
            worker.close()
            worker = None
        if worker is None:
            worker = Worker()
        with self._lock:
            self._busy.add(worker)
            if self._is_closed:
                worker.kill()
        return worker

    def _return_worker(self, worker: Worker) -> None:
        """Keep a process for the next map, unless it has ended."""
        with self._lock:
            self._busy.discard(worker)
        if not worker.alive:
            worker.close()
            return
        with self._lock:
            self.idle.append(worker)

    def close(self) -> None:
        """End all processes: maps that are being rolled are not wanted any more."""
        with self._lock:
            self._is_closed = True
            for worker in self._busy:
                worker.kill()  # its thread gets no map, and ends
        self._threads.shutdown(cancel_futures=True)
        for worker in self.idle:
            worker.close()
        self.idle.clear()


@registered(count=1, bytes_each=20 * KB)
@cache
def roll_pool() -> RollPool:
    """Return the pool of this process, made when it is first asked for."""
    pool = RollPool()
    atexit.register(pool.close)
    return pool
