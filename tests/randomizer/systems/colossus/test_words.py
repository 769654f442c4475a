"""What a word can be (docs/adr/0004)."""

from __future__ import annotations

import pytest

from randomizer.systems.colossus.script.words import (
    MOST_CANDIDATES,
    PREDEFINED_LABELS,
    Kind,
    Position,
    fits,
    is_word,
    kind_of,
    nearest,
)


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("D4", Kind.HEX),
        ("d4", Kind.HEX),
        ("A6", Kind.HEX),
        ("D7", Kind.NAME),
        ("G1", Kind.NAME),
        ("D44", Kind.NAME),
        ("d", Kind.SMALL_LETTER),
        ("D", Kind.CAPITAL),
        ("_", Kind.NAME),
        ("leftover", Kind.LIVE_LABEL),
        ("Leftover", Kind.NAME),
        ("AREA", Kind.KEYWORD),
        ("area", Kind.NAME),
        ("SUBTRACT", Kind.NAME),
        ("Two words", Kind.NAME),
    ],
)
def test_the_kinds_of_words(word, kind):
    assert kind_of(word) is kind


def test_a_hex_is_a_hex_wherever_it_stands():
    assert [position for position in Position if fits("d4", position)] == [Position.IN_LIST]


def test_keywords_fit_nowhere():
    assert not any(fits("TOWER", position) for position in Position)


@pytest.mark.parametrize(
    ("text", "expected"), [("_x.1", True), ("1x", False), ("a b", False), ("", False)]
)
def test_words_need_no_quotes(text, expected):
    assert is_word(text) == expected


def test_the_nearest_word_differs_little():
    assert nearest("INSIDE", PREDEFINED_LABELS) == "inside"
    assert nearest("insid", PREDEFINED_LABELS) == "inside"
    assert nearest("outside.", PREDEFINED_LABELS) is None
    assert nearest("foo", ("Foo", "FOO")) == "Foo"


def test_among_very_many_words_none_is_looked_for():
    many = tuple(f"label{number}" for number in range(MOST_CANDIDATES + 1))
    assert nearest("LABEL7", many[1:]) == "label7"
    assert nearest("LABEL7", many) is None
