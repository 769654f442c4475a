"""Results are cached up to a number and up to a size together."""

from __future__ import annotations

import pytest

from randomizer.model.basics.sized_cache import sized_cache


class Counted:
    def __init__(self, most: int, characters: int) -> None:
        self.calls: list[str] = []

        @sized_cache(max_entries=most, max_size=characters)
        def upper(text: str, further: tuple[tuple[str, str], ...] = ()) -> str | None:
            self.calls.append(text)
            if text == "fault":
                raise ValueError(text)
            return None if text == "none" else text.upper()

        self.upper = upper


def test_the_results_used_last_stay_up_to_a_number() -> None:
    counted = Counted(2, 1000)
    for text in "abacab":
        counted.upper(text)
    assert counted.calls == list("abcb")
    assert counted.upper.content() == (2, 2)


def test_results_go_when_their_texts_together_are_too_long_but_one_stays() -> None:
    counted = Counted(9, 10)
    for text in ("aaaa", "bbbb", "cccc", "cccc", "bbbb", "aaaa"):
        counted.upper(text)
    assert counted.calls == ["aaaa", "bbbb", "cccc", "aaaa"]
    counted.upper("d" * 50)
    counted.upper("d" * 50)
    assert counted.calls[4:] == ["d" * 50], "a text that is longer than all may be is kept alone"
    assert counted.upper.content() == (1, 50)
    counted.upper("e", (("file", "eeee"),))
    assert counted.upper.content() == (1, 9), "texts in tuples count"


def test_none_is_a_result_and_an_exception_is_not() -> None:
    counted = Counted(9, 100)
    assert [counted.upper("none") for _ in range(2)] == [None, None]
    assert counted.calls == ["none"]
    for _ in range(2):
        with pytest.raises(ValueError, match="fault"):
            counted.upper("fault")
    assert counted.calls == ["none", "fault", "fault"]
    counted.upper.cache_clear()
    assert counted.upper.content() == (0, 0)


def test_the_size_can_be_that_of_the_results() -> None:
    calls: list[int] = []

    @sized_cache(max_entries=9, max_size=10, size_of=len)
    def zeros(count: int) -> bytes:
        calls.append(count)
        return bytes(count)

    for count in (4, 5, 4, 6, 4, 5):
        assert len(zeros(count)) == count
    assert calls == [4, 5, 6, 5]
    assert zeros.content() == (2, 9)
