"""A type of a period as a copy of another: lines are added, nothing else changes."""

from __future__ import annotations

from difflib import SequenceMatcher

import numpy as np
import pytest

from randomizer.systems.xconq.period.changed_types import TypeTexts
from randomizer.systems.xconq.period.packaged_periods import MODERN, packaged_text
from randomizer.systems.xconq.period.period import value_words
from randomizer.systems.xconq.period.reading import reading_of
from randomizer.systems.xconq.period.slots import Slot, values_of
from randomizer.systems.xconq.period.text_splices import NotPlain
from randomizer.systems.xconq.period.type_changes import change_type
from randomizer.systems.xconq.period.type_copies import copy_type
from randomizer.systems.xconq.period.words import TERRAINS, UNITS
from tests.randomizer.systems.xconq.period.texts import CORPUS, TYPES, corpus_texts

PACKAGED = ("modern.per", "fantasy.per")
REAL = sorted(path.name for path in CORPUS.glob("*.per")) if CORPUS.is_dir() else []
INFANTRY = 0
ARMOR = 1
CITY = 2
SEA = 0
LAND = 1


def texts_of(name: str) -> tuple[str, dict[str, str]]:
    """A real period and what it may include."""
    return (packaged_text(name), {}) if name in PACKAGED else (corpus_texts()[name], corpus_texts())


def free_char(period) -> str:
    used = {each.char for kind in (UNITS, "resource", TERRAINS) for each in period.types(kind)}
    return next(char for char in "TZQXVYUJ!#$&" if char not in used)


def diff(before: str, after: str) -> list[tuple[str, list[str]]]:
    """What kinds of changes there are between two texts, and the new lines of each."""
    old = before.splitlines()
    new = after.splitlines()
    codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [(tag, new[first:last]) for tag, _, _, first, last in codes if tag != "equal"]


def copied(lines: str, kind: str, like: int, values=None) -> list[str]:
    """The lines that a copy called “tanks” adds to these ones and their types."""
    before = f"{TYPES}{lines}end\n"
    after = copy_type(before, kind, like, TypeTexts("t", "tanks", "red"), values or {})
    assert isinstance(after, str), after
    changes = diff(before, after)
    assert {tag for tag, _lines in changes} == {"insert"}
    return [line for _tag, new in changes for line in new]


@pytest.mark.parametrize(
    "name",
    [
        *PACKAGED,
        *(pytest.param(name, marks=pytest.mark.deep) for name in REAL if name not in PACKAGED),
    ],
)
def test_types_of_the_real_periods_can_be_copied(name):
    """Every third type: all of them take long."""
    text, further = texts_of(name)
    before = reading_of(text, None, further)
    for kind in (UNITS, TERRAINS):
        for like, known in list(enumerate(before.period.types(kind)))[len(name) % 3 :: 3]:
            texts = TypeTexts(free_char(before.period), "brandnew", known[2])
            after_text = copy_type(text, kind, like, texts, {}, further)
            assert isinstance(after_text, str), (known, after_text)
            lines = iter(after_text.split("\n"))
            assert all(line in lines for line in text.split("\n")), "lines are only inserted"
            after = reading_of(after_text, None, further)
            assert len(after.problems) - len(before.problems) in (
                0,
                known[2] in str(after.problems),
            )
            assert tuple(after.period.types(kind)) == (*before.period.types(kind), texts)
            assert_is_copy(before.period, after.period, kind, like)


def assert_is_copy(before, after, kind, like):
    """All values are as before, those of the last type as those of the type ``like``."""
    count = len(before.types(kind))
    for word in value_words():
        values = values_of(after, word)
        expected = values_of(before, word)
        for axis, each in enumerate(reversed(word.indices)):
            if each == kind:
                index = np.append(np.arange(count), like)
                expected = expected.take(index, axis)
        assert np.array_equal(values, expected), word.name


def test_a_definition_stands_behind_the_last_and_values_behind_those_of_the_other():
    before = f"{TYPES}; how fast\n3 a speed  ; tracks\n; how strong\n4 a hp\nend\n"
    after = copy_type(before, UNITS, ARMOR, TypeTexts("t", "tanks", "red"))
    assert after == (
        before.replace('"city" "stays" utype\n', '"city" "stays" utype\n"t" "tanks" "red" utype\n')
        .replace("; tracks\n", "; tracks\n3 tanks speed\n")
        .replace("4 a hp\n", "4 a hp\n4 tanks hp\n")
    )


def test_where_a_vector_over_all_types_would_not_fit_it_stands_at_the_end():
    lines = "[ 1 2 3 ] u* hp\n[ 0 9 ] t* min-alt\n"
    assert copied(lines, UNITS, ARMOR) == [
        "",
        "; tanks: as armor",
        '"t" "tanks" "red" utype',
        "2 tanks hp",
    ]
    assert copied(lines, TERRAINS, LAND)[2:] == ['"t" "tanks" "red" ttype', "9 tanks min-alt"]


def test_what_all_types_have_needs_no_line():
    assert copied("7 u* hp\n", UNITS, ARMOR) == ['"t" "tanks" "red" utype']


def test_tables_in_both_directions_and_with_itself():
    lines = "[ 5 6 7 ] [ i a @ ] a hit\n[ 4 9 ] a [ i @ ] hit\n"
    new = copied(lines, UNITS, ARMOR)
    assert new[1:] == ["[ 5 6 7 6 ] u* tanks hit", "[ 4 6 9 ] tanks [ infantry armor city ] hit"]


def test_values_that_are_not_as_the_other_type_has_them():
    values = {Slot("moves", 3, SEA): 2, Slot("icon-name", 3): "tank"}
    assert copied("1 land a moves\n", UNITS, ARMOR, values)[1:] == [
        '"tank" tanks icon-name',
        "[ 2 1 ] t* tanks moves",
    ]


def test_a_copy_of_a_terrain_keeps_the_numbers_of_the_others():
    before = f"{TYPES}end\n"
    after = copy_type(before, TERRAINS, SEA, TypeTexts("t", "deep sea", "navy"))
    assert [terrain.name for terrain in reading_of(after).period.terrains] == [
        "sea",
        "land",
        "deep sea",
    ]


@pytest.mark.parametrize(
    ("texts", "why"),
    [
        (TypeTexts("i", "tanks", ""), "“i”"),
        (TypeTexts("t", "armor", ""), "“armor”"),
        (TypeTexts("tt", "tanks", ""), "one character"),
        (TypeTexts("t", 'ta"nks', ""), "quote"),
        (TypeTexts("", "tanks", ""), "a character and a name"),
    ],
)
def test_a_type_that_cannot_be_is_refused(texts, why):
    refusal = copy_type(f"{TYPES}end\n", UNITS, ARMOR, texts)
    assert isinstance(refusal, NotPlain)
    assert why in refusal.why


def test_another_name_and_character_stand_where_the_old_ones_did():
    before = f'{TYPES}[ i a ] "a b" define\n3 armor speed\n"a" "x" define\n4 a hp\nend\n'
    after = change_type(before, UNITS, ARMOR, TypeTexts("t", "tanks", "rolls"))
    assert isinstance(after, str)
    assert after == (
        before.replace('"a" "armor"', '"t" "tanks"')
        .replace("[ i a ]", "[ i t ]")
        .replace("3 armor", "3 tanks")
        .replace("4 a hp", "4 t hp")
    )


def test_a_name_of_several_words_leaves_the_character_where_units_are_named():
    before = f"{TYPES}3 armor speed\n2 land armor moves\nend\n"
    after = change_type(before, UNITS, ARMOR, TypeTexts("a", "old tanks", "rolls"))
    assert "3 a speed\n2 land a moves" in after
    refusal = change_type(before, TERRAINS, LAND, TypeTexts("+", "dry land", "green"))
    assert isinstance(refusal, NotPlain)
    assert "several words" in refusal.why


def test_a_terrain_that_no_line_names_may_have_a_name_of_several_words():
    before = f"{TYPES}end\n"
    after = change_type(before, TERRAINS, LAND, TypeTexts("+", "dry land", "green"))
    assert after == before.replace('"land"', '"dry land"')


def test_a_colour_changes_one_text():
    text = packaged_text(MODERN)
    after = change_type(text, TERRAINS, 4, TypeTexts("+", "plains", "#123456"))
    assert diff(text, after) == [("replace", ['"+" "plains" "#123456" ttype'])]


def test_a_type_of_an_included_period_is_not_changed_here():
    text = "Xconq 1 -+---- A test\nbase.per\nPeriod 1\n2 i speed\nend\n"
    further = {"base.per": f"Xconq 0 -+---- A base\n{TYPES}end\n"}
    refusal = change_type(text, UNITS, INFANTRY, TypeTexts("t", "tanks", ""), further)
    assert isinstance(refusal, NotPlain)
    assert refusal.file == "base.per"
    assert isinstance(copy_type(text, UNITS, CITY, TypeTexts("t", "fort", ""), {}, further), str)
