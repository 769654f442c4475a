from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from randomizer.systems.zeroad.export.packing import (
    LINE_LENGTH,
    pack_numbers,
    pack_runs,
    pack_steps,
    unpack_numbers,
    unpack_runs,
    unpack_steps,
)

VALUES = arrays(np.uint16, st.integers(1, 300), elements=st.integers(0, 0xFFFF))


@given(st.lists(st.integers(0, 2**30 - 1)))
@settings(max_examples=40)
def test_numbers_are_the_same_after_they_were_packed(numbers: list[int]) -> None:
    lines = pack_numbers(np.array(numbers, np.int64))
    assert unpack_numbers(lines).tolist() == numbers
    assert all(len(line) == LINE_LENGTH for line in lines[:-1])


@given(VALUES)
@settings(max_examples=40)
def test_values_are_the_same_after_they_were_packed(values: np.ndarray) -> None:
    count = len(values)
    assert unpack_steps(pack_steps(values), count).tolist() == values.tolist()
    assert unpack_runs(pack_runs(values), count).tolist() == values.tolist()


@pytest.mark.parametrize(
    "lines", [["g"], ["A*"], ["gggggggA"], ["BB", "B"], ["//////A"], [""], ["é"]]
)
def test_damaged_text_is_refused(lines: list[str]) -> None:
    with pytest.raises(ValueError):
        unpack_runs(lines, 5)
    with pytest.raises(ValueError):
        unpack_steps(lines, 5)


def test_what_is_repeated_takes_little_room() -> None:
    flat = np.full(512 * 512, 7, np.uint16)
    assert len("".join(pack_runs(flat))) < 10
    slope = np.arange(512 * 512, dtype=np.uint32).astype(np.uint16)
    assert len("".join(pack_steps(slope))) < 1.1 * slope.size
