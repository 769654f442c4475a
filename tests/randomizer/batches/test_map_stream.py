"""One stream of maps: its order, what ends it, and what it closes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import pytest

from randomizer.batches.map_stream import HeldMaps, MapStream
from randomizer.batches.single_rolls import SingleRoll
from randomizer.model.problems import ProblemError, error
from tests.randomizer.batches.test_search import FAILS_AT_TIMES, GENERATOR, PLAIN, OneByOne


class Elsewhere:
    """Rolls by others, each map after a wait; those of ``reasons`` fail."""

    def __init__(self, reasons: dict[int, str]) -> None:
        self.reasons = reasons
        self.rolled: list[int] = []
        self.closed = False

    def __call__(
        self,
        _generator: object,
        _settings: object,
        _seed: int,
        numbers: Iterable[int],
        _base: object,
    ) -> Iterator[SingleRoll | None]:
        try:
            for number in numbers:
                yield None
                self.rolled.append(number)
                reason = self.reasons.get(number, "")
                problems = error("no-map", reason).problems if reason else ()
                yield SingleRoll(number, problems=problems)
        finally:
            self.closed = True


def test_maps_come_in_the_order_asked_for_however_many_at_once():
    for numbers in (range(3, 40), range(39, 2, -1)):
        stream = MapStream(GENERATOR, {}, PLAIN, 1, first_at_once=7)
        batches = [*stream.blocks(numbers, largest_block=16)]
        assert len(batches) > 2
        assert max(len(batch) for batch in batches) <= 16
        assert np.concatenate([batch.numbers for batch in batches]).tolist() == list(numbers)


def test_the_same_reason_four_times_at_first_ends_a_stream_though_one_waits_in_between():
    others = Elsewhere(dict.fromkeys(range(50), "there is no terrain Lava"))
    stream = MapStream(OneByOne(), {}, PLAIN, 1, rolls=others)
    with pytest.raises(ProblemError, match="Lava"):
        list(stream.blocks(range(50)))
    assert others.rolled == [0, 1, 2, 3]
    assert others.closed


def test_different_reasons_end_a_stream_only_if_no_map_is_made():
    reasons = {number: f"reason {number}" for number in range(6)}
    stream = MapStream(OneByOne(), {}, PLAIN, 1, rolls=Elsewhere(reasons))
    batches = stream.blocks(range(6))
    rolled = [next(batches) for _map_and_wait in range(12)]
    assert sum(map(len, rolled)) == 6
    with pytest.raises(ProblemError, match="reason 0"):
        next(batches)


def test_maps_that_are_held_are_not_rolled_again():
    others = Elsewhere({2: "not this one"})
    held = HeldMaps()
    for last in (4, 6):
        list(MapStream(OneByOne(), {}, PLAIN, 1, rolls=others, held=held).blocks(range(last)))
    assert others.rolled == list(range(6))
    assert [problem.message for problem in held[2].problems] == ["not this one"]


def test_a_cancelled_stream_ends_though_the_maps_that_follow_are_held():
    held = HeldMaps()
    list(MapStream(OneByOne(), {}, PLAIN, 1, rolls=Elsewhere({}), held=held).blocks(range(6)))
    shown: list[int] = []

    def two_are_shown() -> bool:
        return len(shown) == 2

    stream = MapStream(OneByOne(), {}, PLAIN, 1, two_are_shown, rolls=Elsewhere({}), held=held)
    for batch in stream.blocks(range(6)):
        shown.extend(batch.numbers.tolist())
    assert shown == [0, 1]


def test_a_stream_ends_when_it_is_cancelled_and_gives_no_reason():
    for generator in (GENERATOR, FAILS_AT_TIMES, OneByOne()):
        assert not [*MapStream(generator, {}, PLAIN, 1, lambda: True).blocks(range(9))]
