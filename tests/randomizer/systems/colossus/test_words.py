"""The kinds of words and the positions they fit (docs/adr/0004)."""

from __future__ import annotations

import pytest

from randomizer.systems.colossus.script.words import (
    MOST_CANDIDATES,
    PREDEFINED_LABELS,
    Position,
    WordKind,
    fits,
    is_word,
    kind_of,
    nearest,
)


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("D4", WordKind.HEX),
        ("d4", WordKind.HEX),
        ("A6", WordKind.HEX),
        ("D7", WordKind.NAME),
        ("G1", WordKind.NAME),
        ("D44", WordKind.NAME),
        ("d", WordKind.SMALL_LETTER),
        ("D", WordKind.CAPITAL),
        ("_", WordKind.NAME),
        ("leftover", WordKind.LIVE_LABEL),
        ("Leftover", WordKind.NAME),
        ("AREA", WordKind.KEYWORD),
        ("area", WordKind.NAME),
        ("SUBTRACT", WordKind.NAME),
        ("Two words", WordKind.NAME),
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
