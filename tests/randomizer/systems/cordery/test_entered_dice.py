"""The record of dice that were entered by hand, and which names are those of dice."""

from __future__ import annotations

import json

import pytest

from randomizer.model.problems import ProblemError
from randomizer.model.records.map_records import MapRecord
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.roll_base import Base
from randomizer.systems.cordery.choices import Choices
from randomizer.systems.cordery.dice.dice_names import is_die
from randomizer.systems.cordery.dice.throws import Throws
from randomizer.systems.cordery.dice.wanted_die import DieWantedError
from randomizer.systems.cordery.dice_log import build_table, estimate_dice_count
from randomizer.systems.cordery.entered_dice import EnteredDice, read_entered_dice
from randomizer.systems.cordery.generator import page, start_table
from tests.app.cordery_tables import bare_table

CHOICES = {"relief": "hilly", "dice": "typed", "fixed": "river 1 width = 2", "symmetry": "turn2"}


def dice(**changes: object) -> EnteredDice:
    return EnteredDice(
        CHOICES,
        {"hills die": (3,)},
        (1, 2),
        "hill 1 steps",
        {"hill 9 row": (4,)},
        {},
        65,
        **changes,
    )


def test_a_record_gives_the_dice_back_in_their_order() -> None:
    begun = EnteredDice(CHOICES, expected_count=65)
    thrown = begun.with_die("hills die", 1, 3).with_die("hill 1 steps", 3, 1)
    thrown = thrown.with_die("hill 1 steps", 3, 2)
    assert (thrown.count, thrown.incomplete_throw, thrown.progress) == (3, (1, 2), "3 of about 65")
    assert read_entered_dice(thrown.as_record()) == thrown
    thrown = thrown.with_die("hill 1 steps", 3, 6)
    assert list(thrown.throws.items()) == [("hills die", (3,)), ("hill 1 steps", (1, 2, 6))]
    without_six = thrown.without_last()
    assert (without_six.incomplete_throw, without_six.incomplete_name) == ((1, 2), "hill 1 steps")
    without_throw = without_six.without_last().without_last()
    assert without_throw == begun.with_die("hills die", 1, 3)
    again = (
        begun.with_die("hills die", 1, 3).with_die("lakes die", 1, 2).with_die("hills die", 1, 5)
    )
    assert list(again.without_last().throws) == ["lakes die"], "the last die is taken back"
    assert not begun.without_last().count
    assert read_entered_dice(dice().as_record()) == dice()


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"throws": {"hills die": [7]}}, "a score is no whole number from 1 to 6"),
        ({"throws": {"hills die": 3}}, "no JSON list"),
        ({"throws": []}, "no JSON object"),
        ({"together": [True]}, "a score is no whole number"),
        ({"together_name": 3}, "no text"),
        ({"known": None}, "no JSON object"),
        ({"choices": {"relief": "steep"}}, "relief"),
        ({"choices": {"fixed": "hills"}}, "expected: name = value"),
        ({"choices": 3}, "choices"),
        ({"previous_choices": {"no such": 1}}, "there is no setting no such"),
        ({"expected": -1}, "expected"),
    ],
)
def test_a_forged_record_is_refused_in_words(changes, fault) -> None:
    data = json.loads(dice().as_record().text) | changes
    with pytest.raises(ProblemError, match=r"the dice entered by hand cannot be read") as refused:
        read_entered_dice(MapRecord(json.dumps(data), is_json=True))
    assert fault in refused.value.problems[0].message


@pytest.mark.parametrize("text", ["", "[1]", "{", "3"])
def test_a_record_of_something_else_is_refused(text) -> None:
    with pytest.raises(ProblemError, match="cannot be read"):
        read_entered_dice(MapRecord(text))


@pytest.mark.parametrize("seed", range(12))
def test_dice_and_decisions_are_told_apart_by_their_names(seed) -> None:
    table = bare_table("hex" if seed % 2 else "square", 9, 8)
    chosen = {"rivers": seed % 4, "roads": 3, "railways": 2, "relief": "mountainous"}
    chosen |= {"road": "track" if seed % 3 else "road", "planted": "orchard", "detour": True}
    chosen |= {"lakes": True, "marshes": True, "area": "urban" if seed % 2 else "cultivated"}
    builder = start_table(Choices.of(chosen), DrawKey(seed, 0), Base.under(table, 1))
    for _part, steps in page(builder):
        list(steps)
    throws = builder.throws
    decisions = {decision.name for line in throws.log for decision in line.decisions}
    assert len(decisions) > 20
    assert len(throws.scores) > 40
    assert not any(map(is_die, decisions))
    assert all(map(is_die, throws.scores))


@pytest.mark.parametrize(
    ("areas", "options"),
    [
        (["0305", "0405"], "1 to 3: 0305, 4 to 6: 0405"),
        (["0305", "0405", "0504"], "1 or 2: 0305, 3 or 4: 0405, 5 or 6: 0504"),
        (
            ["0305", "0405", "0504", "0503"],
            "1: 0305, 2: 0405, 3: 0504, 4: 0503, 5 or 6: thrown again",
        ),
        (
            ["0305", "0405", "0504", "0503", "0402"],
            "1: 0305, 2: 0405, 3: 0504, 4: 0503, 5: 0402, 6: thrown again",
        ),
    ],
)
def test_who_enters_a_die_of_a_fork_is_told_which_score_goes_where(areas, options) -> None:
    throws = Throws(1, 0, typed=True)
    with pytest.raises(DieWantedError) as wanted:
        throws.one_of("road 1 fork at 0404", areas, str)
    assert wanted.value.options == options
    for score in range(1, 7):
        throws = Throws(1, 0, {"road 1 fork at 0404": str(score)}, typed=True)
        try:
            chosen, _ = throws.one_of("road 1 fork at 0404", areas, str)
        except DieWantedError:
            chosen = "thrown again"
        scores = next(text for text in options.split(", ") if text.endswith(f": {chosen}"))
        lowest = int(scores[0])
        highest = int(scores.split(":")[0][-1])
        assert lowest <= score <= highest


def test_the_number_of_dice_is_about_that_of_tables_of_the_program() -> None:
    base = Base.under(bare_table("square", 8, 8), 1)
    typed = {"dice": "typed", "fixed": ""}
    assert build_table(typed, DrawKey(5, 0), base).next_die is not None
    counts = []
    for number in range(12):
        entries = build_table({}, DrawKey(5, number), base).entries
        whole = {name: scores for entry in entries for name, scores in entry.scores}
        counts.append(sum(map(len, whole.values())))
    assert min(counts) < estimate_dice_count(typed, DrawKey(5, 0), base) < max(counts)


def test_the_number_of_dice_is_exact_before_the_last_one() -> None:
    base = Base.under(bare_table("square", 8, 8), 1)
    key = DrawKey(5, 0)
    scores = {}
    for entry in build_table({}, key, base).entries:
        scores.update(entry.scores)
    last_name = list(scores)[-1]
    texts = [f"{name} = {'+'.join(map(str, throw))}" for name, throw in scores.items()]
    settings = {"dice": "typed", "fixed": "; ".join(texts[:-1])}
    table = build_table(settings, key, base)
    assert table.next_die is not None
    assert table.next_die.name == last_name
    assert estimate_dice_count(settings, key, base) == sum(map(len, scores.values()))


def test_the_expected_number_stays_while_estimates_differ_little_and_is_exact_at_the_end() -> None:
    begun = EnteredDice(CHOICES).with_estimate(70)
    assert begun.with_estimate(73).expected_count == 70
    assert begun.with_estimate(67).expected_count == 70
    assert begun.with_estimate(80).expected_count == 80
    assert begun.with_estimate(0).expected_count == 0, "it cannot be told"
    near_end = begun
    for number in range(64):
        near_end = near_end.with_die(f"hill {number} row", 1, 3)
    assert near_end.with_estimate(72).expected_count == 72


def test_a_fixed_die_is_named_in_its_line_where_the_program_throws() -> None:
    base = Base.under(bare_table("square", 8, 8), 1)
    key = DrawKey(5, 0)
    fixed = "hill 1 steps = 1+1+1; hills = 2"
    lines = [str(entry.line) for entry in build_table({"fixed": fixed}, key, base).entries]
    marked = [line for line in lines if "fixed by hand" in line]
    assert len(marked) == 1
    assert marked[0].startswith("1.2 Hill 1")
    assert marked[0].endswith("(fixed by hand: areas along)")
    typed = build_table({"fixed": fixed, "dice": "typed"}, key, base)
    assert not any("fixed by hand" in str(entry.line) for entry in typed.entries)
