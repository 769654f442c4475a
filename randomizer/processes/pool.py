"""Rolls maps two at a time: in child processes, or on threads where the generator has its own."""

from __future__ import annotations

import atexit
import sys
from collections import deque
from collections.abc import Generator, Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from threading import Event, Lock, Timer

from randomizer.batches.single_rolls import SingleRoll, roll_single
from randomizer.generator import DrawKey, MapGenerator
from randomizer.model.basics.caches import KB, registered
from randomizer.model.problems import Problem, Severity
from randomizer.processes.worker import Setup, Worker, setup_of
from randomizer.roll_base import Base

AT_ONCE = 2
"""How many maps are rolled at the same time."""

AHEAD = 2 * AT_ONCE
"""How many maps are under way or waiting: no process waits for the caller."""

STEP_S = 0.03
"""The longest time between two answers to the caller, who may want to stop."""

KILL_AFTER_S = 0.1
"""How long a process may go on with a map that nobody wants any more: starting one takes longer."""

ENDED = Problem(
    Severity.ERROR, "process-ended", "the process that rolled this map ended before it was made"
)


class _Task:
    """The maps of one call of ``RollPool.rolls``, and the processes that are busy with them."""

    def __init__(
        self, generator: MapGenerator, settings: Mapping[str, object], seed: int, base: Base
    ) -> None:
        self.generator = generator
        self.settings = settings
        self.seed = seed
        self.base = base
        outside = generator.rolls_outside
        self.setup: Setup | None = None if outside else setup_of(generator, settings, seed, base)
        self.cancelled = Event()
        self.lock = Lock()
        self.busy: set[Worker] = set()

    def cancel(self) -> None:
        """Nobody wants its maps any more."""
        self.cancelled.set()
        if self.busy:
            timer = Timer(KILL_AFTER_S, self._kill)
            timer.daemon = True
            timer.start()

    def _kill(self) -> None:
        with self.lock:
            for worker in self.busy:
                worker.kill()


class RollPool:
    """Two threads; each rolls by itself or has a child process do it."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="roll")
        self._lock = Lock()
        self.idle: list[Worker] = []
        """The processes that wait for a map to roll."""

    def rolls(
        self,
        generator: MapGenerator,
        settings: Mapping[str, object],
        seed: int,
        numbers: Iterable[int],
        base: Base,
    ) -> Generator[SingleRoll | None, None, None]:
        """Yield maps ``numbers`` of ``seed``, one after the other; None while the next is not made.

        A map that cannot be made has problems. Closing it cancels what is under way.
        """
        task = _Task(generator, settings, seed, base)
        waiting = deque[Future[SingleRoll]]()
        left = iter(numbers)
        try:
            while True:
                while len(waiting) < AHEAD and (number := next(left, None)) is not None:
                    waiting.append(self._threads.submit(self._roll, task, number))
                if not waiting:
                    return
                try:
                    generated = waiting[0].result(STEP_S)
                except TimeoutError:
                    yield None
                    continue
                waiting.popleft()
                yield generated
        finally:
            for future in waiting:
                future.cancel()
            task.cancel()

    def _roll(self, task: _Task, number: int) -> SingleRoll:
        """Return one map, on one of the threads."""
        key = DrawKey(task.seed, number)
        if task.setup is None:
            return roll_single(task.generator, task.settings, key, task.base, task.cancelled.is_set)
        worker = self._take()
        with task.lock:
            task.busy.add(worker)
        generated: SingleRoll | None = None
        try:
            if not task.cancelled.is_set():
                generated = worker.roll(task.setup, number)
        finally:
            with task.lock:
                task.busy.discard(worker)
            self._give_back(worker)
        return generated or SingleRoll(number, problems=(ENDED,))

    def _take(self) -> Worker:
        with self._lock:
            worker = self.idle.pop() if self.idle else None
        if worker is not None and worker.path != tuple(sys.path):  # it knows other packages
            worker.close()
            worker = None
        return worker or Worker()

    def _give_back(self, worker: Worker) -> None:
        if not worker.alive:
            worker.close()
            return
        with self._lock:
            self.idle.append(worker)

    def close(self) -> None:
        """Wait for what is under way and end all processes."""
        self._threads.shutdown()
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
