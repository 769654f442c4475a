"""Where new lines go in a period's text."""

from __future__ import annotations

import pytest

from randomizer.systems.xconq.period.reading import reading_of
from randomizer.systems.xconq.period.text_splices import end_of_section

HEADER = "Period 0\n"


@pytest.mark.parametrize(
    ("text", "before"),
    [
        ('"Isles" period-name\nend\n', '"Isles" period-name\n'),
        ('"Isles" period-name\nend', '"Isles" period-name\n'),
        ('"Isles" period-name end\n', '"Isles" period-name '),
        ('"Isles" period-name\n', '"Isles" period-name\n'),
        ('"Isles" period-name\nfriend\n', '"Isles" period-name\nfriend\n'),
    ],
)
def test_new_lines_go_before_the_word_that_ends_the_section(text, before):
    period_text = HEADER + text
    offset = end_of_section(reading_of(period_text))
    assert period_text[:offset] == HEADER + before
