"""Tokens of the period language: where they begin and end, and what comments do to them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.systems.xconq.period.tokens import Token, Tokenizer, TokenKind


def tokens(text: str) -> list[Token]:
    tokenizer = Tokenizer(text)
    return list(iter(tokenizer.next, None))


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("50% 1\t2\n3 ", [50, 1, 2, 3]),
        ("5%% 6 ", [5, 6]),
        ("+5 -5 +-5 +--5 +---5 - ", [5, -5, -5, 5, -5, 0]),
        ("--7 ", [0, 7]),
        ("1[2 ", [1, 2]),
        ("1%[ ", [1, "["]),
        ("5;x\n6 ", [56]),
        ("5;x\n 6 ", [5, 6]),
        ("50%;x\n7 ", [50, 7]),
        ("5;x\n0%%% 7 ", [50, 7]),
        ("50%;x\n%7 ", [50, 7]),
        ("see;x\n-best ", ["see-best"]),
        ("+;x\n5y ", [5]),
        ("+-;x\n5;z\n6%% 7 ", [-56, 7]),
        ("+;x\ny ", ["+y"]),
        ("a;x\n b ", ["a", "b"]),
        ('"a;b\nc" ', ["ac"]),
        ('"a""b"c ', ["a", "b", "c"]),
        ('"a\nb" ', ["a\nb"]),
        ('a"b c" ', ['a"b', 'c"']),
        ("a\rb ", ["a\rb"]),
        ("+ +x ", ["+", "+x"]),
        (" ; only a comment", []),
        ("00032 ", [32]),
    ],
)
def test_values_of_tokens(text, values):
    assert [token.value for token in tokens(text)] == values


def test_a_token_is_what_stands_in_the_text():
    text = '50% 7[ "a" see;x\n-best 5%; '
    parts = [text[token.start : token.end] for token in tokens(text)]
    assert parts == ["50%", "7", '"a"', "see;x\n-best", "5%"]


def test_a_symbol_is_no_string():
    kinds = [token.kind for token in tokens('"a" a 1 ')]
    assert kinds == [TokenKind.STRING, TokenKind.SYMBOL, TokenKind.NUMBER]


@pytest.mark.parametrize(
    ("text", "swallowed"),
    [("1[ ", "["), ("1%[ ", ""), ("1 [ ", ""), ("-x ", "x"), ("1;c\n[ ", "["), ("1;c\n a ", "")],
)
def test_the_character_that_a_number_takes_away(text, swallowed):
    assert tokens(text)[0].swallowed == swallowed


@pytest.mark.parametrize("text", ["abc", "12", "-", "a;comment", '"abc', '"a;c"'])
def test_a_token_that_the_end_cuts_off_is_lost(text):
    tokenizer = Tokenizer(text)
    assert tokenizer.next() is None
    assert tokenizer.lost is not None


def test_a_string_needs_nothing_behind_its_quote():
    assert [token.value for token in tokens('"abc"')] == ["abc"]


def test_a_number_of_any_length_has_a_value():
    for digits in ("9" * 100_000, "10000000005", "-" + "1" * 40):
        (token,) = tokens(f"{digits} ")
        assert abs(token.value) > 10**6
    assert tokens("00000000000005 ")[0].value == 5


def test_notes_are_raw_lines():
    tokenizer = Tokenizer('begin{notes}\na ; "b\n end{notes}\n\nend{notes}\n5 ')
    assert tokenizer.next().value == "begin{notes}"
    assert tokenizer.notes() == ['a ; "b', " end{notes}", ""]
    assert tokenizer.next().value == 5


def test_notes_without_an_end_take_nothing():
    tokenizer = Tokenizer("begin{notes}\na\nend{notes} \n5 ")
    tokenizer.next()
    assert tokenizer.notes() is None
    assert tokenizer.next().value == "a"


CHARACTERS = st.text(st.sampled_from(' \t\n;"%+-019[]au*'), max_size=40)


@given(CHARACTERS)
@settings(max_examples=40)
def test_tokens_lie_in_the_text_one_behind_the_other(text):
    end = 0
    for token in tokens(text):
        assert end <= token.start < token.end <= len(text)
        end = token.end


def without_comments(text: str) -> str:
    rest = text
    kept = ""
    while ";" in rest:
        before, _, behind = rest.partition(";")
        kept += before
        rest = behind.partition("\n")[2]
    return kept + rest


@given(CHARACTERS)
@settings(max_examples=40)
def test_comments_are_as_if_they_were_not_there(text):
    values = [token.value for token in tokens(text)]
    assert values == [token.value for token in tokens(without_comments(text))]
