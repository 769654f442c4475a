"""Tables built from dice that were entered, and how often their number is estimated."""

from __future__ import annotations

from dataclasses import replace

from app.systems.cordery.entered_tables import TableSoFar, build_known, build_so_far
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.roll_base import Base
from randomizer.systems.cordery.entered_dice import EnteredDice
from tests.app.cordery_tables import bare_table

BEGUN = EnteredDice({"relief": "hilly"}, expected_count=80)


def built(dice: EnteredDice) -> TableSoFar:
    base = Base.under(bare_table("square", 8, 8), 1)
    return build_so_far(dice, DrawKey(5, 0), base, None, None)


def enter(dice: EnteredDice, *scores: int) -> EnteredDice:
    """Return the dice with the next throw that the table asks for."""
    die = built(dice).table.next_die
    for score in scores:
        dice = dice.with_die(die.name, die.count, score)
    return dice


def test_the_number_of_dice_is_estimated_where_a_step_of_the_page_begins():
    first = built(BEGUN)
    assert first.table.next_die.step == "1.1"
    assert first.dice_count > 0
    of_hills = enter(BEGUN, 4)
    second = built(of_hills)
    assert second.table.next_die.step == "1.2"
    assert second.dice_count > 0

    table = second.table
    dice = of_hills
    while len({entry.line.step for entry in table.entries}) < 3:
        dice = enter(dice, *[3] * table.next_die.count)
        table = built(dice).table
    so_far = built(dice)
    assert any(entry.line.step == table.next_die.step for entry in table.entries)
    assert so_far.dice_count is None
    unknown = replace(dice, expected_count=0)
    assert built(unknown).dice_count > 0


def test_a_table_is_known_as_far_without_an_estimate():
    dice = enter(BEGUN, 4)
    base = Base.under(bare_table("square", 8, 8), 1)
    table = build_known(dice, DrawKey(5, 0), base, None, None)
    assert table.next_die.name == built(dice).table.next_die.name
