"""What the editor of a period is told: words that fit, help, definitions, renaming."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.languages.language import SourceText
from randomizer.model.problems import ProblemError, apply_fix, place_of
from randomizer.systems.xconq.period.words import words
from randomizer.systems.xconq.script_host import HOST
from tests.randomizer.systems.xconq.period.texts import TYPES

LANGUAGE = HOST.language

TEXT = f"""{TYPES}[ i a ] "movers" define
[ 2 3 ] movers hp
5 city fuel storage ; fuel of a city
20 land a defense
begin{{notes}}
movers hp
end{{notes}}
end
"""


def at(part: str, inside: int = 0, text: str = TEXT) -> tuple[int, int]:
    """The place of a part of the text that is there once, so many characters into it."""
    assert text.count(part) == 1
    return place_of(text, text.index(part) + inside)


def offered(line: str) -> list[str]:
    """The words offered at the end of a line behind the types."""
    text = f"{TYPES}{line}"
    return [
        found.word for found in LANGUAGE.completions(SourceText(text), *place_of(text, len(text)))
    ]


@pytest.mark.parametrize(
    ("line", "first"),
    [
        ("5 i in-c", "in-country"),
        ("5 country", "country-size"),
        ("30 la", "land"),
        ('"x" per', "period-name"),
        ("5 land i fav", "favored"),
        ("5 i a ma", "make"),
        ("5 land min", "min-alt"),
        ("5 land i ", "favored"),
        ("5 land ", "max-alt"),
        ('[ i ] "mine" define 5 mi', "mine"),
    ],
)
def test_what_fits_the_stack_comes_first(line, first):
    assert offered(line)[0] == first


def test_after_a_number_types_and_then_words_for_one_number():
    found = offered("5 ")
    assert found.index("scale") < found.index("define")
    assert found.index("city") < found.index("true")


@pytest.mark.parametrize("line", ['"in', "; in", "5;in", "begin{notes}\nin", '"a b'])
def test_nothing_is_offered_in_texts_comments_and_notes(line):
    assert offered(line) == []


def test_a_word_replaces_what_is_written_of_it():
    text = f"{TYPES}5 MIN-"
    found = LANGUAGE.completions(SourceText(text), *place_of(text, len(text)))[0]
    assert (found.replaces, found.text) == (4, f"{found.word} ")


@pytest.mark.parametrize(
    ("place", "parts"),
    [
        (at("movers hp\n5", 8), ["n unit hp", "Default: 1.", "infantry 2; armor 3"]),
        (at("defense", 2), ["terrain unit", "armor: 20 land", "not simulated"]),
        (at("[ 2 3 ]", 4), ["Hit points for armor"]),
        (at("] movers"), ["Ends a vector"]),
        (at("city fuel", 1), ["Unit type 2", "city"]),
        (at("land a"), ["Terrain type 1", "land"]),
        (at('"movers"', 3), ["infantry, armor"]),
    ],
)
def test_help(place, parts):
    found = LANGUAGE.help_at(SourceText(TEXT), *place)
    assert found is not None
    for part in parts:
        assert part in found


@pytest.mark.parametrize("place", [at("; fuel of", 3), at("begin{notes}\nmovers", 15), (99, 1)])
def test_no_help_in_comments_and_notes(place):
    assert LANGUAGE.help_at(SourceText(TEXT), *place) is None


def test_where_a_name_is_defined_and_used():
    uses = LANGUAGE.references(SourceText(TEXT), *at("movers hp\n5", 3))
    assert [place.line for place in uses] == [9, 10]
    found = LANGUAGE.definition(SourceText(TEXT), *at("movers hp\n5", 3))
    assert found == uses[0]
    assert TEXT.split("\n")[found.line - 1][found.column - 1 : found.end_column - 1] == "movers"
    assert LANGUAGE.definition(SourceText(TEXT), *at("defense", 1)) is None


def test_a_renamed_name_means_the_same():
    renamed = apply_fix(TEXT, LANGUAGE.rename(SourceText(TEXT), *at("] movers", 4), "all-movers"))
    assert renamed.count("all-movers") == 2
    assert apply_fix(TEXT, LANGUAGE.rename(SourceText(TEXT), *at("] movers", 4), "movers")) == TEXT
    assert renamed.count("movers") == 3
    assert "infantry 2; armor 3" in LANGUAGE.help_at(
        SourceText(renamed), *at("movers hp\n5", 8, renamed)
    )


@pytest.mark.parametrize("name", ["hp", "land", "two words", '"x"', "5x", "-", "a;b", "", "+5"])
def test_a_name_that_cannot_be_given(name):
    with pytest.raises(ProblemError, match="cannot be a name"):
        LANGUAGE.rename(SourceText(TEXT), *at("] movers", 4), name)


def test_the_character_of_a_type_stays_one_character():
    with pytest.raises(ProblemError, match="one character"):
        LANGUAGE.rename(SourceText(TEXT), *at("land a", 5), "aa")


def test_a_name_of_two_lines_can_be_replaced():
    text = f'{TYPES}5 "far\noff" define\nend\n'
    renamed = apply_fix(text, LANGUAGE.rename(SourceText(text), *at('"far', 2, text), "near"))
    assert renamed == f'{TYPES}5 "near" define\nend\n'


@given(
    st.lists(
        st.sampled_from([*words(), "i", "land", "5", '"x"', '"', ";", "x", "\n"]), max_size=30
    ),
    st.integers(1, 14),
    st.integers(1, 60),
)
@settings(max_examples=40)
def test_any_place_of_any_text_can_be_asked_about(parts, line, column):
    text = TYPES + " ".join(parts)
    LANGUAGE.help_at(SourceText(text), line, column)
    LANGUAGE.completions(SourceText(text), line, column)
    for place in LANGUAGE.references(SourceText(text), line, column):
        assert place.line <= text.count("\n") + 1
