"""What a person types stands for a text by its words, never by loose letters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.commands.word_match import match_score, words_of


def best(query: str, *titles: str) -> str:
    scores = {title: match_score(query, title) for title in titles}
    return max((title for title in titles if scores[title] is not None), key=lambda t: scores[t])


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("pdf", "Go to the definition"),
        ("title", "Paint elevation 0"),
        ("fight", "Fill edges with cliffs right"),
        ("ave", "Save"),
        ("save pdf", "Save as"),
    ],
)
def test_loose_letters_and_ends_of_words_find_nothing(query, text):
    assert match_score(query, text) is None


def test_whole_words_come_before_beginnings_and_these_before_initials():
    assert best("map", "Mapper", "Map", "Move a picture") == "Map"
    assert best("sa", "Select all", "Save") == "Save"


def test_initials_are_those_of_words_that_follow_one_another():
    assert match_score("fsa", "Save as", lead="File") is not None
    assert best("fsa", "File Save", "File Save as") == "File Save as"
    assert match_score("hexlab", "Hex labels") is not None
    assert match_score("fas", "Save it as", lead="File") is None


def test_the_title_counts_most_then_words_path_and_what_it_does():
    texts = (("fog",), ("s", "fog"), ("s", "", "fog"), ("s", "", "", "fog"))
    scores = [match_score("fog", *text) for text in texts]
    assert None not in scores
    assert scores == sorted(scores, reverse=True)


def test_little_words_need_not_stand_there_but_alone_they_must():
    assert match_score("export to pdf", "Export picture", "pdf") is not None
    assert match_score("to", "Export picture", "pdf") is None


@given(st.text(max_size=40))
def test_every_text_is_found_by_each_of_its_words(text):
    for word in words_of(text):
        assert match_score(word, text) is not None
