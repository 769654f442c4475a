"""Rolling one request: plain functions for a job's thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from app.rolling.roll_request import RollRequest
from randomizer.batches.batch import RollsMany
from randomizer.batches.map_stream import MapStream
from randomizer.forcing import force
from randomizer.generator import Progress, run
from randomizer.model.problems import error
from randomizer.model.rolls.generated import Generated


def roll(
    request: RollRequest, progress: Progress, cancelled: Callable[[], bool]
) -> Generated | None:
    """Roll what is requested; None if it was cancelled. Raises ProblemError as generators do."""
    generator = request.recipe.generator()
    settings, key, base, back = request.recipe.settings, request.key, request.base, request.back
    if request.forced:
        return force(generator, settings, key, base, progress, cancelled)
    # A map of another seed was shown before: the nearest map from it on that keeps the locks.
    backwards = base.locked and back is not None and key.seed == back.seed
    if backwards and isinstance(generator, RollsMany):
        stream = MapStream(generator, settings, base, key.seed, cancelled)
        if next(_that_keep(stream, range(key.number, key.number + 1)), None) is None:
            assert back is not None, "asked above"
            number = last_before(stream, back.number)
            if number is None:
                return None
            key = key._replace(number=number)
    return run(generator, settings, key, base, progress, cancelled)


def last_before(stream: MapStream, number: int) -> int | None:
    """The number of the last map before ``number`` that keeps the locks.

    None if cancelled. Raises ProblemError if there is none.
    """
    kept = next(_that_keep(stream, range(number - 1, -1, -1)), None)
    if kept is None and not stream.cancelled():
        words = f"no map of seed {stream.seed} before number {number} keeps the locks"
        raise error("no-earlier-map", words)
    return kept


def _that_keep(stream: MapStream, numbers: range) -> Iterator[int]:
    """Those of the numbers whose maps keep the locks."""
    for batch in stream.blocks(numbers, hexsides=bool(stream.base.locked_sides.any())):
        yield from batch.numbers[batch.keeps_locks()].tolist()
