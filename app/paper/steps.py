"""Work in short steps: generators that yield the percentage done and return their result.

They are run to their end, or as a job on another thread, which can be cancelled between two steps.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from functools import partial
from pathlib import Path
from typing import TypeVar

from randomizer.storage.disk.atomic import write_atomically

Made = TypeVar("Made")

Steps = Generator[int, None, bytes]
"""The steps that make a file."""


def run(
    steps: Generator[int, None, Made],
    progress: Callable[[int], None] = lambda _percent: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Made | None:
    """Run all steps and give their result; None if it was cancelled."""
    done = 0
    while not cancelled():
        try:
            percent = next(steps)
        except StopIteration as end:
            product: Made = end.value
            return product
        if percent > done:
            done = percent
            progress(percent)
    steps.close()
    return None


def as_work(
    steps: Generator[int, None, Made],
) -> Callable[[Callable[[int], None], Callable[[], bool]], Made | None]:
    """``run`` as the work of a job."""
    return partial(run, steps)


def write_work(
    path: Path, steps: Steps
) -> Callable[[Callable[[int], None], Callable[[], bool]], Path | None]:
    """Return work of a job: write the result of steps into ``path``, atomically, and give ``path``.

    It gives None if it was cancelled.
    """

    def work(progress: Callable[[int], None], cancelled: Callable[[], bool]) -> Path | None:
        data = run(steps, progress, cancelled)
        # The last step, which ends a PDF, may take seconds: it may be cancelled meanwhile.
        if data is None or cancelled():
            return None
        write_atomically(path, data)
        return path

    return work
