"""Work in short steps: generators that yield the percentage done and return their result.

They are run to their end, or as a job on another thread, which can be cancelled between two steps.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from functools import partial
from pathlib import Path
from typing import TypeVar

from randomizer.storage.disk.atomic import write_atomically

Result = TypeVar("Result")

Steps = Generator[int, None, bytes]
"""The steps that make a file: they yield percents and return the bytes."""

Progress = Callable[[int], None]
"""Is told the percentage done, 1 to 100."""

Cancelled = Callable[[], bool]
"""Returns True once the work is not wanted any more."""


def _ignore_progress(_percent: int) -> None:
    """Do nothing: the default for callers that show no progress."""


def _never_cancelled() -> bool:
    """Return False: the default for callers that cannot cancel."""
    return False


def run(
    steps: Generator[int, None, Result],
    progress: Progress = _ignore_progress,
    cancelled: Cancelled = _never_cancelled,
) -> Result | None:
    """Run all steps and return their result, None if they were cancelled.

    ``progress`` is called only when the percentage grows.
    """
    percent_so_far = 0
    while not cancelled():
        try:
            percent = next(steps)
        except StopIteration as end:
            product: Result = end.value
            return product
        if percent > percent_so_far:
            percent_so_far = percent
            progress(percent)
    steps.close()
    return None


def as_work(
    steps: Generator[int, None, Result],
) -> Callable[[Progress, Cancelled], Result | None]:
    """Return the work of a job (``app.background``) that runs these steps."""
    return partial(run, steps)


def write_work(path: Path, steps: Steps) -> Callable[[Progress, Cancelled], Path | None]:
    """Return the work of a job that writes the result of steps into ``path``, atomically.

    The work returns ``path``, None if it was cancelled.
    """
    return partial(_write, path, steps)


def _write(path: Path, steps: Steps, progress: Progress, cancelled: Cancelled) -> Path | None:
    """Run the steps and write their result into ``path``, as ``write_work`` promises."""
    data = run(steps, progress, cancelled)
    # The last step, which ends a PDF, may take seconds: it may be cancelled meanwhile.
    if data is None or cancelled():
        return None
    write_atomically(path, data)
    return path
