"""The tokens of scripts: what parser, colours, completion and renaming all look at."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from randomizer.catalog import script_host
from randomizer.languages.language import SourceText
from randomizer.systems.colossus.script.tokens import tokens

LANGUAGE = script_host("Some.rnd").language


@given(st.text(alphabet=st.sampled_from('AREA LABEL(x)=,-*.19"#\n\r\tö\ufeff'), max_size=40))
def test_every_character_but_blanks_is_in_one_token(text: str) -> None:
    end = 0
    for token in tokens(text):
        assert not text[end : token.start_pos].strip(" \t\r")
        assert text[token.start_pos : token.end_pos] == token
        end = token.end_pos
    assert not text[end:].strip(" \t\r")


def test_a_sign_in_quotes_begins_no_comment_and_no_label() -> None:
    text = 'TITLE "a # (b)"\nLABEL b = D4\nAREA (b)\n'
    assert [place.line for place in LANGUAGE.references(SourceText(text), 2, 7)] == [2, 3]
    kinds = [(token.kind, token.end) for token in LANGUAGE.tokens('TITLE "a # (b)"')]
    assert kinds == [("keyword", 5), ("quoted", 15)]


def test_help_is_given_from_the_start_of_a_word_to_its_end() -> None:
    text = "TOWER\nAREA (inside)\n"
    assert len({LANGUAGE.help_at(SourceText(text), 2, column) for column in range(1, 6)}) == 1
    assert "twelve hexes" in (LANGUAGE.help_at(SourceText(text), 2, 7) or "")
    assert LANGUAGE.help_at(SourceText(text), 2, 14) is None
