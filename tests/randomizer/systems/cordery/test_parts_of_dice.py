"""The part of the page to which a die belongs, by its name."""

from __future__ import annotations

import pytest

from randomizer.model.rolls.draw_key import DrawKey
from randomizer.roll_base import Base
from randomizer.systems.cordery.dice_log import build_table
from randomizer.systems.cordery.page_parts import PARTS, part_of_die
from tests.app.cordery_tables import bare_table


@pytest.mark.parametrize("road", ["road", "track"])
def test_every_die_of_whole_tables_belongs_to_the_part_that_asked_for_it(road) -> None:
    chosen = {"rivers": 3, "roads": 3, "railways": 2, "road": road, "planted": "orchard"}
    settings = {**chosen, "lakes": True, "marshes": True, "area": "urban", "relief": "hilly"}
    base = Base.under(bare_table("square", 8, 8), 1)
    parts = set()
    for number in range(8):
        for entry in build_table(settings, DrawKey(5, number), base).entries:
            for name, _scores in entry.scores:
                assert part_of_die(name) == entry.part, name
                parts.add(entry.part)
    assert parts == set(PARTS)


def test_a_name_that_the_page_does_not_have_belongs_to_no_part() -> None:
    assert part_of_die("hillock 3 row") == ""
