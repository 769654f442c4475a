"""Completion at a place of an unfinished script, and help on its words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.catalog.scripts import script_host
from randomizer.languages.language import SourceText
from randomizer.systems.colossus.board import LABELS
from randomizer.systems.colossus.script.words import (
    CANDIDATE_LIMIT,
    PREDEFINED_LABELS,
    Position,
    WordKind,
    fits,
    is_word,
    kind_of,
    nearest,
)
from tests.randomizer.systems.colossus.script_strategies import scripts

LANGUAGE = script_host("Some.rnd").language
ABOVE = "LABEL shore = SURROUNDINGSOF(D4)\nLABEL dry = (leftover)\n"


def offered(line: str, above: str = ABOVE) -> list[str]:
    """The words that fit where | stands in the last line."""
    before, _, behind = line.partition("|")
    found = LANGUAGE.completions(
        SourceText(above + before + behind), above.count("\n") + 1, len(before) + 1
    )
    return [completion.word for completion in found]


def test_a_line_begins_with_the_keyword_of_a_statement():
    assert offered("|") == ["AREA", "LABEL", "PAIR", "STARTLIST", "TOWER", "TITLE", "SUBTITLE"]
    assert offered("  sub|") == ["SUBTITLE"]
    assert offered("TOWER AR|")[:1] == []


@pytest.mark.parametrize(
    "line", ["AREA |", "AREA D4 |", "AREA SOMEOF(2,|", "LABEL x = |", "STARTLIST (1,2) |"]
)
def test_lists_take_functions_and_the_labels_above(line):
    words = offered(line)
    assert [word for word in words if word != "HAZARDS"][:3] == ["dry", "shore", "anywhere"]
    assert {"SOMEOF", "SUBSTRACT", "SURROUNDINGSOF", "usedup"} < set(words)
    assert ("HAZARDS" in words) == line.startswith("AREA ") & ("SOMEOF" not in line)


def test_hexes_come_behind_the_labels_and_functions_and_first_when_a_letter_asks_for_them():
    words = offered("AREA |")
    assert words[-28:] == ["SURROUNDINGSOF", *sorted(LABELS)]
    assert offered("AREA SUBSTRACT((inside),d|")[:7] == ["dry", *(f"D{n}" for n in range(1, 7))]
    assert "D4" not in offered("AREA (d|") + offered("AREA D4 HAZARDS D|")


def test_a_label_brings_its_parentheses_where_they_are_missing():
    def put(line):
        (found,) = LANGUAGE.completions(SourceText(line), 1, len(line.rstrip(")")) + 1)
        return found.text, found.replaces

    assert put("AREA insi") == ("(inside)", 4)
    assert put("AREA (insi") == ("inside)", 4)
    assert put("AREA (insi)") == ("inside", 4)
    assert put("AREA SURR") == ("SURROUNDINGSOF(", 4)


@pytest.mark.parametrize(
    "line", ["AREA D4 HAZARDS |", "AREA HAZARDS Bog,50. |", 'AREA D4 HAZARDS "Bog" |', "PAIR (|"]
)
def test_hazards_come_behind_their_keyword_and_in_pairs(line):
    words = offered(line)
    assert len(words) == 12
    assert {"Brambles", "TarPit"} < set(words)


def test_hexsides_are_letters_with_their_names():
    assert offered("PAIR (Sand,0)(Plains,*) |") == ["HEXSIDES"]
    assert offered("PAIR (Sand,0)(Plains,*) HEXSIDES d,50. |") == ["d", "c", "s", "w", "r"]
    (dune,) = LANGUAGE.completions(SourceText("PAIR (Sand,0)(Plains,*) HEXSIDES d"), 1, 35)
    assert (dune.kind, dune.help) == ("hexside", "Dune")


@pytest.mark.parametrize(
    "line",
    [
        "# AREA |",
        "AREA D4 HAZARDS Bog # Tr|",
        "AREA D4 HAZARDS Bog,|",
        "AREA D4 HAZARDS Bog,5|",
        'AREA D4 HAZARDS "|',
        'AREA "|',
        'TITLE "In|',
        "TITLE In|",
        "LABEL in|",
        "AREA SOMEOF(|",
        "AREA (0-|",
        "AREA (1,|",
        "PAIR (Sand,|",
        "PAIR (Sand,0)|(",
        "nonsense |",
    ],
)
def test_nothing_is_offered_where_nothing_is_known_to_fit(line):
    assert offered(line) == []


def test_words_that_begin_so_come_before_those_that_hold_it():
    assert offered("AREA (defen|") == ["leftdefenseentry", "upperdefenseentry", "lowerdefenseentry"]
    assert offered("AREA (l|")[:3] == ["leftdefenseentry", "lowerdefenseentry", "leftover"]
    assert offered("AREA D4 HAZARDS t|")[:3] == ["Tree", "Tower", "TarPit"]


def test_a_label_of_the_script_takes_the_place_of_the_languages():
    above = "LABEL inside = D4\nLABEL one = A1\nLABEL inside = D4 D5 # two\n"
    found = LANGUAGE.completions(SourceText(above + "AREA (ins"), 4, 10)
    assert [(c.word, c.help) for c in found] == [("inside", "LABEL inside = D4 D5")]


def test_every_completion_has_help_and_no_text_breaks_it():
    for line in ("", "AREA ", "AREA HAZARDS ", "PAIR (Sand,0)(Sand,0) HEXSIDES "):
        assert all(
            c.help and c.kind for c in LANGUAGE.completions(SourceText(line), 1, len(line) + 1)
        )


@given(scripts | st.text(max_size=80), st.integers(-1, 12), st.integers(1, 90))
def test_any_text_has_an_answer_at_any_place(text, line, column):
    LANGUAGE.completions(SourceText(text), line, column)
    LANGUAGE.help_at(SourceText(text), line, column)
    LANGUAGE.definition(SourceText(text), line, column)
    LANGUAGE.references(SourceText(text), line, column)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("AR|EA (shore) HAZARDS Bog", "Places hazards"),
        ("AREA (sho|re) HAZARDS Bog", "LABEL shore = SURROUNDINGSOF(D4), line 1"),
        ("AREA (ins|ide) HAZARDS Bog", "not on the rim"),
        ("AREA (shore) HAZARDS |Bog,50.", "Bog: Natives only; fliers pass over."),
        ("AREA (shore) HAZARDS Br|ush", "Brambles: Slows"),
        ("PAIR (Sand|,0)(Bog,0) HEXSIDES d", "Sand: Slows ground"),
        ("PAIR (Sand,0)(Bog,0) HEXSIDES |d", "Dune"),
    ],
)
def test_help_on_a_word_says_what_it_is_there(line, words):
    before, _, behind = line.partition("|")
    assert words in (
        LANGUAGE.help_at(SourceText(ABOVE + before + behind), 3, len(before) + 1) or ""
    )


@pytest.mark.parametrize("line", ["AREA D|4", "AREA HAZARDS Nothi|ng", "# AR|EA", "|", "AREA 5|0"])
def test_other_words_have_no_help(line):
    before, _, behind = line.partition("|")
    assert LANGUAGE.help_at(SourceText(before + behind), 1, len(before) + 1) is None


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
    many = tuple(f"label{number}" for number in range(CANDIDATE_LIMIT + 1))
    assert nearest("LABEL7", many[1:]) == "label7"
    assert nearest("LABEL7", many) is None
