"""What the percentile chart says of types, gaps and overlaps."""

from __future__ import annotations

import numpy as np

from app.systems.xconq.period.chart_words import (
    describe_faults,
    describe_free_point,
    describe_type,
    describe_won_point,
)
from randomizer.systems.xconq.world.coverage import Box, coverage

SPACE = "\N{NO-BREAK SPACE}"
NAMES = ("sea", "plains", "forest", "hills")


def test_a_type_is_said_with_its_limits_and_its_share():
    box = Box(50, 79, 0, 59)
    assert describe_type("plains", box, "") == "plains: altitude 50 to 79, moisture 0 to 59"
    assert describe_type("plains", box, "9 %").endswith("; 9 % of the world")


def test_percentages_that_no_type_takes_are_said():
    assert describe_free_point((5, 7), "") == "Altitude 5, moisture 7: no terrain type"
    assert (
        describe_won_point((5, 7), "sea", "1 %") == "Altitude 5, moisture 7: sea; 1 % of the world"
    )


def test_nothing_is_said_of_limits_that_meet():
    boxes = (Box(0, 50, 0, 100), Box(50, 100, 0, 50), Box(50, 100, 51, 100))
    assert describe_faults(NAMES, coverage(boxes), None) == ""


def test_gaps_are_counted_and_weighed():
    boxes = (Box(0, 49, 0, 100), Box(75, 100, 0, 100))
    density = np.zeros((101, 101), np.int64)
    density[60, 10] = 1
    density[10, 10] = 3
    words = describe_faults(NAMES, coverage(boxes), density)
    assert words == f"1 gap: 25.0{SPACE}% of the world fits no type."
    assert describe_faults(NAMES, coverage(boxes), None) == "1 gap."


def test_of_many_overlaps_two_are_named():
    boxes = (Box(0, 100, 0, 100), Box(0, 50, 0, 50), Box(60, 100, 0, 50), Box(0, 90, 60, 90))
    words = describe_faults(NAMES, coverage(boxes), None)
    assert "sea and plains overlap: sea is defined first and wins." in words
    assert words.endswith(" 1 more overlap.")
