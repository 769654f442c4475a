"""The width of a cell, as people write it."""

from __future__ import annotations

import pytest

from randomizer.model.system.cell_width import read_cell_width


@pytest.mark.parametrize(
    ("text", "length", "unit"),
    [
        ("6 miles", 6, "miles"),
        ("2.5 km", 2.5, "km"),
        (" 5ft ", 5, "ft"),
        ("3", 3, ""),
        ("6 miles/hex", 6, "miles"),
        ("1.5 nautical miles per hex", 1.5, "nautical miles"),
    ],
)
def test_number_and_unit_are_read(text, length, unit):
    assert read_cell_width(text) == (length, unit)


@pytest.mark.parametrize("text", ["", "0 miles", "wide", "6 miles 3", "1/2 mile", "-3 km", "1:50"])
def test_what_is_no_width_gives_none(text):
    assert read_cell_width(text) is None


@pytest.mark.parametrize(
    ("cells", "text"),
    [(7, "42 miles"), (0.5, "3 miles"), (1000, "6,000 miles"), (0.1, "0.6 miles")],
)
def test_lengths_are_written_with_few_digits(cells, text):
    width = read_cell_width("6 miles")
    assert width is not None
    assert width.text(cells) == text
