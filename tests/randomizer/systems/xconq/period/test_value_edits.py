"""The least change of a period's text that changes one value."""

from __future__ import annotations

from difflib import SequenceMatcher
from functools import cache
from importlib import resources

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.systems.xconq.period.period import Period, value_words
from randomizer.systems.xconq.period.reading import read_period
from randomizer.systems.xconq.period.slots import Slot, assignment_of, value_of
from randomizer.systems.xconq.period.text_splices import NotPlain
from randomizer.systems.xconq.period.value_edits import Change, change_values, why_not_plain
from randomizer.systems.xconq.period.words import Shape

HEAD = """Xconq 0 -+---- A test
Period 0
"i" "infantry" "walks" utype
"*" "strange town" "stays" utype
"F" "fuel" "burns" rtype
"." "sea" "blue" ttype
"+" "land" "green" ttype
9 i speed
"""
INFANTRY = 0
TOWN = 1
SEA = 0
LAND = 1


def changed(lines: str, *changes: Change) -> str | NotPlain:
    """What becomes of these lines of a period; the new lines."""
    text = f"{HEAD}{lines}end\n"
    found = change_values(text, changes)
    if isinstance(found, NotPlain):
        return found
    assert found.startswith(HEAD)
    assert found.endswith("end\n")
    return found.removeprefix(HEAD).removesuffix("end\n")


@pytest.mark.parametrize(
    ("before", "slot", "value", "after"),
    [
        ("70 land min-alt\n", Slot("min-alt", LAND), 65, "65 land min-alt\n"),
        ("70% land min-alt\n", Slot("min-alt", LAND), 65, "65% land min-alt\n"),
        ("[ 0 70 ] t* min-alt\n", Slot("min-alt", LAND), 65, "[ 0 65 ] t* min-alt\n"),
        ("[ 1 2 ] t* i moves\n", Slot("moves", INFANTRY, LAND), -1, "[ 1 -1 ] t* i moves\n"),
        (
            "3 u* hp\n4 i hp\n",
            Slot("hp", INFANTRY),
            5,
            "3 u* hp\n5 i hp\n",
        ),
        ("[ 3 4 ] sea u* moves\n", Slot("moves", TOWN, SEA), 5, "[ 3 5 ] sea u* moves\n"),
        ("true i neutral\n", Slot("neutral", INFANTRY), 0, "false i neutral\n"),
        ("1 i neutral\n", Slot("neutral", INFANTRY), 0, "0 i neutral\n"),
        ("sea edge-terrain\n", Slot("edge-terrain"), LAND, "land edge-terrain\n"),
        ("i first-unit\n", Slot("first-unit"), TOWN, "* first-unit\n"),
        ('"x" period-name\n', Slot("period-name"), "y z", '"y z" period-name\n'),
        ('"x" i destroy-message\n', Slot("destroy-message", 0), "", '"" i destroy-message\n'),
        ("5 i speed 6 i speed\n", Slot("speed", INFANTRY), 7, "5 i speed 7 i speed\n"),
    ],
)
def test_a_plain_value_is_changed_where_it_is_set(before, slot, value, after):
    assert changed(before, Change(slot, value)) == after


@pytest.mark.parametrize(
    ("slot", "value", "line"),
    [
        (Slot("alt-roughness"), 60, "60 alt-roughness"),
        (Slot("min-alt", LAND), 70, "70 land min-alt"),
        (Slot("speed", TOWN), 1, "1 * speed"),
        (Slot("to-move", TOWN, 0), 2, "2 fuel * to-move"),
        (Slot("moves", INFANTRY, SEA), 0, "0 sea infantry moves"),
        (Slot("neutral", INFANTRY), 1, "true infantry neutral"),
        (Slot("edge-terrain"), SEA, "sea edge-terrain"),
        (Slot("starve-message", INFANTRY), "starves", '"starves" infantry starve-message'),
    ],
)
def test_what_nothing_sets_gets_a_line_before_the_end(slot, value, line):
    assert changed("", Change(slot, value)) == f"{line}\n"
    assert changed("2 u* hp\n", Change(slot, value)) == f"2 u* hp\n{line}\n"


@pytest.mark.parametrize(
    "before",
    [
        "5 u* speed\n",
        '5 "quick" define quick i speed\n',
        '[ i ] "all" define 5 all speed\n',
        "; nothing\n5;6\n5 i speed\n",
    ],
)
def test_a_value_that_has_no_number_of_its_own_names_the_line(before):
    slot = Slot("speed", INFANTRY)
    period = read_period(f"{HEAD}{before}end\n").period
    assert period is not None
    found = why_not_plain(period, slot)
    assert found is not None
    assert found == changed(before, Change(slot, 9))
    assert found.line == HEAD.count("\n") + before.count("\n")
    assert changed(before, Change(slot, 9, append=True)) == f"{before}9 infantry speed\n"


def test_several_slots_are_changed_at_once():
    before = "[ 0 50 ] t* min-alt\n[ 49 100 ] t* max-alt\n"
    edges = (Change(Slot("max-alt", SEA), 69), Change(Slot("min-alt", LAND), 70))
    after = "[ 0 70 ] t* min-alt\n[ 69 100 ] t* max-alt\n"
    assert changed(before, *edges) == after
    dry = Change(Slot("min-wet", LAND), 20)
    assert changed(before, *edges, dry) == f"{after}20 land min-wet\n"


def test_a_value_of_an_included_file_is_only_overruled():
    included = f"{HEAD}70 land min-alt\nend\n"
    text = "Xconq 1 -+---- Mine\nbase.per\nPeriod 1\n5 i speed\nend\n"
    further = {"base.per": included}
    change = Change(Slot("min-alt", LAND), 60)
    found = change_values(text, [change], further)
    assert isinstance(found, NotPlain)
    assert found.file == "base.per"
    own = change_values(text, [Change(change.slot, 60, append=True)], further)
    assert own == text.replace("end\n", "60 land min-alt\nend\n")


def test_a_file_that_only_includes_is_not_written():
    text = "Xconq 1 ------ Mine\nbase.per\n"
    found = change_values(text, [Change(Slot("alt-roughness"), 5)], {"base.per": f"{HEAD}end\n"})
    assert isinstance(found, NotPlain)
    assert "no period section" in found.why


def test_sections_behind_the_period_stay():
    text = f"{HEAD.replace('-+----', '-++---')}end\nMap 2 1 1 0 0\n2.\n"
    found = change_values(text, [Change(Slot("alt-roughness"), 5)])
    assert found == text.replace("\nend\n", "\n5 alt-roughness\nend\n")


@pytest.mark.parametrize("text", ['a"b', "a;b"])
def test_texts_that_the_language_cannot_say_are_refused(text):
    assert isinstance(changed('"x" period-name\n', Change(Slot("period-name"), text)), NotPlain)


@pytest.mark.parametrize("number", [40000, -40000])
def test_numbers_that_no_period_holds_are_refused(number):
    assert isinstance(changed("5 i speed\n", Change(Slot("speed", 0), number)), NotPlain)


def test_what_would_be_an_error_is_refused_in_its_words():
    found = changed("5 i hp\n", Change(Slot("hp", INFANTRY), 0))
    assert isinstance(found, NotPlain)
    assert "refused" in found.why
    assert found.line is None


def test_a_period_with_errors_is_not_changed():
    assert isinstance(changed("i speed\n", Change(Slot("alt-roughness"), 5)), NotPlain)


# --- the packaged periods ---------------------------------------------------------------------


@cache
def packaged(name: str) -> str:
    scripts = resources.files("randomizer.systems.xconq.scripts")
    return scripts.joinpath(name).read_text("utf-8")


def different_lines(before: str, after: str) -> int:
    """How many lines are others, or new."""
    blocks = SequenceMatcher(None, before.split("\n"), after.split("\n"), autojunk=False)
    return sum(
        max(end - start, new_end - new_start)
        for kind, start, end, new_start, new_end in blocks.get_opcodes()
        if kind != "equal"
    )


def all_values(period: Period) -> dict[str, list]:
    """Every value of a period by its word."""
    found = {}
    for word in value_words():
        if word.shape is Shape.ROW:
            found[word.name] = period.row(word.name).tolist()
        elif word.shape is Shape.TABLE:
            found[word.name] = period.table(word.name).tolist()
        elif word.shape is Shape.TEXTS:
            found[word.name] = list(period.texts(word.name))
        else:
            found[word.name] = [value_of(period, Slot(word.name))]
    return found


@st.composite
def slots(draw, period: Period) -> Slot:
    """A slot that holds a number."""
    numbers = [
        word for word in value_words() if word.shape in (Shape.NUMBER, Shape.ROW, Shape.TABLE)
    ]
    plain = [word for word in numbers if word.arguments[0] not in ("unit", "terrain")]
    word = draw(st.sampled_from(plain))
    counts = [len(period.types(kind)) for kind in word.indices]
    places = [draw(st.integers(0, count - 1)) for count in counts]
    return Slot(word.name, *reversed(places))


@given(st.data(), st.sampled_from(["modern.per", "fantasy.per"]), st.integers(-100, 999))
@settings(max_examples=40)
def test_one_value_and_nothing_else_is_changed(data, name, value):
    text = packaged(name)
    period = read_period(text).period
    slot = data.draw(slots(period))
    append = why_not_plain(period, slot) is not None
    after = change_values(text, [Change(slot, value, append)])
    if value_of(period, slot) == value and not append and assignment_of(period, slot) is not None:
        assert read_period(after).period is not None
        return
    if isinstance(after, NotPlain):  # hp <= 0 and the like is an error
        assert slot.word in ("hp",)
        return
    again = read_period(after).period
    expected = all_values(period)
    found = all_values(again)
    row = expected[slot.word]
    if slot.inner is not None:
        row[slot.unit][slot.inner] = value
    else:
        row[slot.unit or 0] = value
    assert found == expected
    assert again.types("unit") == period.types("unit")
    assert different_lines(text, after) == 1


def test_whole_tables_can_be_said_with_appended_lines():
    text = packaged("modern.per")
    period = read_period(text).period
    slots_of_table = [
        Slot("hit", unit, inner) for unit in range(3) for inner in range(len(period.units))
    ]
    after = change_values(text, [Change(slot, 7, append=True) for slot in slots_of_table])
    again = read_period(after).period
    assert (again.table("hit")[:3] == 7).all()
    assert np.array_equal(again.table("hit")[3:], period.table("hit")[3:])
