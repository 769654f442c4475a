"""Common mistakes in the form of statements: a message for each, and a fix where there is one.

    AREA D 4 HAZARDS Bog          # a hex in two words; the fix: D4
    PAIR (Plains)(Bog,0)          # an end of a PAIR without its elevation; the fix: (Plains,*)

``explain`` asks each function of ``_EXPLANATIONS`` in turn. A function examines one
``ParseFailure``, and returns a Problem of severity error if it recognises its mistake, else None.
If none does, the message is "expected ..., found ...".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from randomizer.model.problems import Problem, TextEdit
from randomizer.systems.colossus.script import quotes
from randomizer.systems.colossus.script.comma_mistakes import explain_commas
from randomizer.systems.colossus.script.keyword_mistakes import (
    explain_missing_section,
    explain_misspelt_keyword,
)
from randomizer.systems.colossus.script.label_mistakes import (
    explain_hex_in_two_words,
    explain_label_name,
    explain_parentheses,
)
from randomizer.systems.colossus.script.nearest_valid import nearest_text
from randomizer.systems.colossus.script.number_mistakes import (
    explain_dots,
    explain_minus,
    explain_pair_without_elevation,
)
from randomizer.systems.colossus.script.parse_failure import (
    SECTION_OF,
    SECTIONS,
    ParseFailure,
    quote_token,
)
from randomizer.systems.colossus.script.source import insert_before
from randomizer.systems.colossus.script.statement_tokens import StatementTokens
from randomizer.systems.colossus.script.tokens import Token
from randomizer.systems.colossus.script.word_mistakes import (
    glued_words_problem,
    misspelt_keyword_problem,
)
from randomizer.systems.colossus.script.words import STATEMENTS, WordKind, kind_of, nearest

_CHARACTERISTIC_TYPES = {**SECTION_OF, "LABEL": "EQUAL"}
"""The type of a token that only statements with this keyword have."""

_STRANGE = ("STRANGE", "BYTE_ORDER_MARK")
"""The types of tokens that are characters outside of the language."""


def explain(failure: ParseFailure) -> Problem:
    """Return the problem of a statement that the grammar rejects: the first that is recognised."""
    for explain_mistake in _EXPLANATIONS:
        problem = explain_mistake(failure)
        if problem is not None:
            return problem
    return failure.problem()


def no_statement(row: StatementTokens) -> Problem:
    """Return the problem of a line that does not begin with the keyword of a statement."""
    first = row.tokens[0]
    if first.type in _STRANGE:
        return _strange_characters(row, first)
    if first.type == "BAD_QUOTE":
        return quotes.quote_problem(row, first)
    if first.type == "WORD":
        for keyword in STATEMENTS:
            if first.startswith(keyword) and kind_of(first[len(keyword) :]) is WordKind.HEX:
                return glued_words_problem(row, first, len(keyword))
        similar_keyword = nearest(first, (*STATEMENTS, *SECTIONS))
        if similar_keyword:
            return misspelt_keyword_problem(row, first, similar_keyword)
    following_types = {token.type for token in row.tokens[1:]}
    for keyword, characteristic_type in _CHARACTERISTIC_TYPES.items():
        if characteristic_type in following_types:
            edits = [insert_before(row.span, f"{keyword} ")]
            return row.problem("missing-keyword", first, edits, keyword=keyword)
    return row.problem("not-a-statement", row.tokens, found=quote_token(first))


def broken_over_lines(rows: Sequence[StatementTokens]) -> Problem:
    """Return the problem of one valid statement that is broken over several lines.

    The fix joins the lines. There is none if a comment is in between: it would hide what follows.
    """
    source = rows[0].source
    edits: list[TextEdit] = []
    for line, next_line in pairwise(rows):
        start = line.tokens[-1].end_pos
        end = next_line.tokens[0].start_pos
        has_comment = bool(source.text[start:end].strip())
        if has_comment:
            edits = []
            break
        edits.append(source.edit(start, end, " "))
    return source.problem("statement-over-lines", rows[1].span, edits)


def _strange_characters(row: StatementTokens, token: Token) -> Problem:
    """Return the problem of ``token``; its fix replaces all strange characters of the statement."""
    strange_tokens = [token for token in row.tokens if token.type in _STRANGE]
    edits = [row.replace(token, nearest_text(token)) for token in strange_tokens]
    return row.problem("unknown-character", token, edits, shown=quotes.character_words(token[0]))


def _explain_bad_text(failure: ParseFailure) -> Problem | None:
    """Explain a title without quotes, or a quote that does not end or has invalid characters."""
    statement = failure.statement
    token = failure.token
    if statement.tokens[0].type in ("TITLE", "SUBTITLE") and len(statement.tokens) > 1:
        return quotes.title_problem(statement)
    if token is not None and token.type == "BAD_QUOTE":
        return quotes.quote_problem(statement, token)
    return None


def _explain_strange_character(failure: ParseFailure) -> Problem | None:
    """Explain a character that is not in the language."""
    token = failure.token
    if token is None or token.type not in _STRANGE:
        return None
    return _strange_characters(failure.statement, token)


def _explain_quoted_hexside(failure: ParseFailure) -> Problem | None:
    """Explain a hexside in quotes: ``HEXSIDES "c"``."""
    token = failure.token
    if token is None or token.type != "QUOTED" or "WORD" not in failure.accepted:
        return None
    word = re.sub(r"[^A-Za-z]+", "", token)
    edits = []
    if word:
        edits = [failure.statement.replace(token, word)]
    return failure.statement.problem("word-in-quotes", token, edits)


_EXPLANATIONS: tuple[Callable[[ParseFailure], Problem | None], ...] = (
    # These recognise their mistake by the token itself.
    _explain_bad_text,
    _explain_strange_character,
    # Now all tokens are words, numbers and signs. These look at the tokens around the failure.
    explain_label_name,
    explain_minus,
    explain_pair_without_elevation,
    explain_parentheses,
    explain_hex_in_two_words,
    # Names of labels and hexes are right by now: another word can be meant as a keyword.
    explain_misspelt_keyword,
    explain_missing_section,
    # All keywords are there. These look at the rejected token alone.
    explain_dots,
    explain_commas,
    _explain_quoted_hexside,
)
"""The functions that recognise mistakes, the surer ones before those that guess.

Each relies on those before it: what they recognise does not reach it.
"""
