"""Explanations of commas between hexes, hazards or hexsides, which need none.

    AREA D4, D3 HAZARDS Bog, Lake,     # the fix takes out those of the list, or of the section

``statement_mistakes.explain`` calls ``explain_commas``, which returns None if commas are not the
mistake.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from randomizer.model.problems import Problem
from randomizer.systems.colossus.script.parse_failure import SECTIONS, ParseFailure
from randomizer.systems.colossus.script.tokens import Token

_COUNT_OF_SIGN = {"LPAR": 1, "RPAR": -1}
"""The number that a token adds to the depth of parentheses."""


def explain_commas(failure: ParseFailure) -> Problem | None:
    """Explain commas between hexes, hazards or hexsides, or after the last of them.

    The fix takes out all of them that are in the same list or section.
    """
    statement = failure.statement
    token = failure.token
    commas = _separating_commas(statement.tokens)
    first_comma = None
    if token is not None and token.type == "COMMA" and failure.is_among_hexes:
        commas += _commas_of_list(statement.tokens[failure.index :])
        first_comma = token
    else:
        # After a comma a number is expected: what is rejected is then the word after it.
        for candidate in statement.tokens[failure.index - 1 : failure.index + 1]:
            # By identity: all commas are equal as texts.
            if any(comma is candidate for comma in commas):
                first_comma = candidate
                break
    if first_comma is None:
        return None
    edits = [statement.replace(comma, " ") for comma in commas]
    return statement.problem("comma-in-list", first_comma, edits)


def _separating_commas(tokens: Sequence[Token]) -> list[Token]:
    """Return the commas after HAZARDS or HEXSIDES before a word, or at the end of the statement."""
    commas = []
    is_in_section = False
    for token, following in zip_longest(tokens, tokens[1:]):
        is_in_section |= token.type in SECTIONS
        if not is_in_section or token.type != "COMMA":
            continue
        if following is None or following.type in ("WORD", "QUOTED", "COMMA"):
            commas.append(token)
    return commas


def _commas_of_list(tokens: Sequence[Token]) -> list[Token]:
    """Return the commas in ``tokens`` up to the end of the list in which they begin.

    Those in parentheses are not among them: they belong to functions and ranges.
    """
    commas = []
    depth = 0
    for token in tokens:
        depth += _COUNT_OF_SIGN.get(token.type, 0)
        if depth < 0 or token.type in SECTIONS:
            break
        if depth == 0 and token.type == "COMMA":
            commas.append(token)
    return commas
