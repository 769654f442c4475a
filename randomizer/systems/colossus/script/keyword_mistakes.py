"""Explanations of keywords that are misspelt, joined to another word, or missing.

    AREA D4 HAZRDS Bog      # the fix: HAZARDS
    AREA D4 Bog             # the fix: HAZARDS before Bog

``statement_mistakes.explain`` calls these functions: each returns a Problem if it recognises its
mistake, else None.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from randomizer.model.problems import Problem
from randomizer.systems.colossus.script.parse_failure import SECTION_OF, SECTIONS, ParseFailure
from randomizer.systems.colossus.script.source import insert_after, insert_before
from randomizer.systems.colossus.script.tokens import Token
from randomizer.systems.colossus.script.word_mistakes import (
    glued_words_problem,
    misspelt_keyword_problem,
)
from randomizer.systems.colossus.script.words import (
    FUNCTIONS,
    STATEMENTS,
    Position,
    WordKind,
    fits,
    kind_of,
    nearest,
)
from randomizer.systems.colossus.terrain_set import COLOSSUS


def explain_misspelt_keyword(failure: ParseFailure) -> Problem | None:
    """Explain a keyword or function that is misspelt, in lower case, or joined to its neighbour.

    The mistake can be before the rejected token: words like hexes are accepted in its place.
    """
    statement = failure.statement
    section = SECTION_OF.get(statement.tokens[0].type)
    keywords: tuple[str, ...] = FUNCTIONS
    if section:
        keywords = (*FUNCTIONS, section)
    is_in_section = False
    for token in statement.tokens[: failure.index + 1]:
        is_in_section |= token.type in SECTIONS
        if token.type != "WORD" or token in statement.labels or COLOSSUS.has_terrain(token):
            continue
        if token.upper() in STATEMENTS:
            return misspelt_keyword_problem(statement, token, token.upper())
        if is_in_section or fits(token, Position.IN_LIST):
            continue
        joined_keyword = _joined_keyword(token, section)
        if joined_keyword:
            return glued_words_problem(statement, token, len(token) - len(joined_keyword))
        similar_keyword = nearest(token, keywords)
        if similar_keyword:
            return misspelt_keyword_problem(statement, token, similar_keyword)
    return None


def _joined_keyword(word: Token, section: str | None) -> str:
    """Return the keyword that a word ends with, as if a blank were missing; "" for none.

    It is ``section``, or a function just behind a hex, where a blank should part them.
    """
    if section and word.endswith(section):
        return section
    for function in FUNCTIONS:
        if word.endswith(function) and kind_of(word.removesuffix(function)) is WordKind.HEX:
            return function
    return ""


def explain_missing_section(failure: ParseFailure) -> Problem | None:
    """Explain a missing HAZARDS or HEXSIDES."""
    statement = failure.statement
    section = SECTION_OF.get(statement.tokens[0].type, "")
    if section not in failure.accepted or any(token.type == section for token in statement.tokens):
        return None
    first_of_section = _first_hazard(statement.tokens)
    if first_of_section is None:
        first_of_section = failure.token
    if first_of_section is None:
        edits = [insert_after(statement.span, f" {section}")]
        return statement.problem("missing-section", statement.tokens[-1], edits, section=section)
    if first_of_section.type == "COMMA":
        return None
    edits = [insert_before(statement.span_of(first_of_section), f"{section} ")]
    return statement.problem("missing-section", first_of_section, edits, section=section)


def _first_hazard(tokens: Sequence[Token]) -> Token | None:
    """Return the first word that is neither a hex nor in parentheses like a label."""
    for preceding, token in pairwise(tokens):
        is_bare_word = token.type == "WORD" and preceding.type != "LPAR"
        if is_bare_word and not fits(token, Position.IN_LIST):
            return token
    return None
