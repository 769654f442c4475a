"""What is to be rolled, and the rolling itself: plain functions for a job's thread."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from randomizer.generator import Base, DrawKey, Generated, MapGenerator, Progress, run
from randomizer.problems import error


@dataclass(frozen=True)
class Wish:
    """What is to be rolled. ``generator`` is called on the job's thread and may raise ProblemError.

    ``text`` is the script as shown.
    """

    text: str
    generator: Callable[[], MapGenerator]
    settings: Mapping[str, object]


@dataclass(frozen=True)
class Order:
    """A wish with everything decided. ``layer_id`` is replaced, or lies just below (``replaces``).

    ``verb`` begins the name of the undo step. ``back`` asks for the last map before this one that
    keeps the locks, if map ``key`` does not.
    """

    wish: Wish
    key: DrawKey
    layer_id: int
    replaces: bool
    base: Base
    verb: str
    back: DrawKey | None = None


def made(order: Order, progress: Progress, cancelled: Callable[[], bool]) -> Generated | None:
    """Do what an order says; None if it was cancelled. Raises ProblemError as generators do."""
    generator = order.wish.generator()
    settings, base, back = order.wish.settings, order.base, order.back
    result = run(generator, settings, order.key, base, progress, cancelled)
    if result is None or back is None or result.number == order.key.number:
        return result
    if order.key.seed != back.seed:
        return result  # a map of another seed was shown before: the nearest that keeps the locks
    return last_before(generator, settings, back, base, cancelled)


def last_before(
    generator: MapGenerator,
    settings: Mapping[str, object],
    key: DrawKey,
    base: Base,
    cancelled: Callable[[], bool] = lambda: False,
) -> Generated | None:
    """The last map of the seed before ``key`` that keeps the locks; None if cancelled.

    Generators search forwards only, so blocks of numbers that grow are searched, nearest first.
    Raises ProblemError if there is none.
    """
    end, block = key.number, 1
    while end > 0:
        start = max(0, end - block)
        found: Generated | None = None
        number = start
        while number < end:
            result = run(generator, settings, DrawKey(key.seed, number), base, cancelled=cancelled)
            if result is None:
                return None
            if result.number >= end:
                break
            found, number = result, result.number + 1
        if found is not None:
            return replace(found, tried=1)
        end, block = start, block * 4
    raise error(
        "no-earlier-map", f"no map of seed {key.seed} before number {key.number} keeps the locks"
    )
