"""The strip of the dice asks in words that a wargamer understands at once."""

from __future__ import annotations

import pytest

from app.systems.cordery.dice_entry_strip import EntryStrip
from app.systems.cordery.die_questions import describe_die
from randomizer.systems.cordery.dice.wanted_die import DieWantedError, Tie
from randomizer.systems.cordery.entered_dice import EnteredDice


@pytest.mark.parametrize(
    ("step", "name", "count", "question"),
    [
        ("1.2", "hill 1 steps", 3, "1.2 Hill 1 steps: throw 3 D6"),
        ("2.1", "river 1 exit area 0606", 1, "2.1 River 1 exit: throw a D6 for area 0606"),
        ("7.2", "field place 2 0606", 1, "7.2 Fields, round 2: throw a D6 for area 0606"),
    ],
)
def test_a_die_of_one_area_among_several_names_it_at_the_end(step, name, count, question):
    assert describe_die(DieWantedError(step, name, count)) == question


def test_a_die_that_breaks_a_tie_names_all_areas_of_the_tie(qtbot):
    die = DieWantedError("2.1", "river 1 entry area 0606 again 2", 1)
    die.tie = Tie(("0606", "0607", "0608"), 5)
    strip = EntryStrip()
    qtbot.addWidget(strip)
    strip.ask(die, EnteredDice(), replaces_table=False)
    assert strip.label.text() == "2.1 River 1 entry: throw again for 0606"
    assert strip.meaning.text().startswith(
        "0606, 0607 and 0608 all threw 5: the highest die counts now."
    )
