"""A type taken out of a period: its words go with their values, nothing else changes."""

from __future__ import annotations

from importlib.resources import files

import pytest

from randomizer.systems.xconq.period.changed_types import TypeTexts
from randomizer.systems.xconq.period.packaged_periods import packaged_text
from randomizer.systems.xconq.period.reading import reading_of
from randomizer.systems.xconq.period.removal_check import is_period_without_type
from randomizer.systems.xconq.period.slots import Slot, value_of
from randomizer.systems.xconq.period.text_splices import NotPlain
from randomizer.systems.xconq.period.type_copies import copy_type
from randomizer.systems.xconq.period.type_removal import remove_type
from randomizer.systems.xconq.period.words import TERRAINS, UNITS
from tests.randomizer.systems.xconq.period.texts import TYPES, read

SKELETON = (files("randomizer.systems.xconq") / "skeleton" / "Untitled.per").read_text("utf-8")

PERIODS = {
    "modern": packaged_text("modern.per"),
    "fantasy": packaged_text("fantasy.per"),
    "new": SKELETON,
}

INFANTRY = 0
PLAINS = 1


def without(text: str, kind: str, index: int) -> str:
    new_text = remove_type(text, kind, index)
    assert isinstance(new_text, str), new_text
    return new_text


@pytest.mark.parametrize("name", PERIODS)
@pytest.mark.parametrize("kind", [UNITS, TERRAINS])
def test_each_type_of_the_programs_periods_can_be_taken_out(name, kind):
    text = PERIODS[name]
    types = list(reading_of(text).period.types(kind))
    for index, removed_type in enumerate(types):
        reading = reading_of(without(text, kind, index))
        assert reading.problems == reading_of(text).problems
        assert [*reading.period.types(kind)] == [each for each in types if each != removed_type]


def test_words_and_values_go_from_vectors_and_statements_of_the_type_go_whole():
    text = without(SKELETON, UNITS, INFANTRY)
    assert "infantry" not in text.replace("carries infantry over the sea", "")
    assert "\n3 s speed  0 sea s moves\n" in text
    assert "\n4 [ s ] @ capacity\n" in text
    assert "[ 8 ] [ s ] @ make" in text
    text = without(SKELETON, TERRAINS, PLAINS)
    assert "[ 0 90 0 ] t* min-alt  [ 60 100 0 ] t* max-alt" in text
    assert "\n@ first-unit  1 @ in-country\n" in text


def test_types_that_are_written_as_numbers_are_still_the_same_types():
    numbered = SKELETON.replace("3 s speed", "3 1 speed").replace("@ first-unit", "2 first-unit")
    text = without(numbered, UNITS, INFANTRY)
    period = reading_of(text).period
    assert value_of(period, Slot("speed", 0)) == 3
    assert period.number("first-unit") == 1


def test_a_copy_that_is_taken_out_leaves_the_text_as_it_was():
    copied = copy_type(SKELETON, UNITS, INFANTRY, TypeTexts("r", "riders", "fast"))
    assert isinstance(copied, str)
    assert reading_of(without(copied, UNITS, 3)).period == reading_of(SKELETON).period


def test_what_the_text_cannot_do_without_is_refused_with_the_reason():
    named = SKELETON.replace("end\n", 'i "guards" define\n5 guards hp\nend\n')
    refusal = remove_type(named, UNITS, INFANTRY)
    assert isinstance(refusal, NotPlain)
    assert refusal.why.startswith("The period needs infantry. Without it: ")
    assert refusal.line is not None
    one_terrain = TYPES.replace('"+" "land" "green" ttype\n', "")
    refusal = remove_type(f"{one_terrain}end\n", TERRAINS, 0)
    assert refusal == NotPlain("A period needs a terrain type.")


def test_a_terrain_for_none_is_more_than_the_type_that_is_gone():
    # -1 is no terrain: it is not what was the removed type, and has to stay.
    old = read("-1 default-terrain").period
    other_text = TYPES.replace('"+" "land" "green" ttype\n', "")
    for number, is_same in ((-1, True), (0, False)):
        new = reading_of(f"{other_text}{number} default-terrain\nend\n").period
        assert is_period_without_type(new, old, TERRAINS, 1) == is_same
