"""Explanations of mistakes in numbers: a minus, dots, a missing elevation.

    AREA SOMEOF(-1,(rim)) HAZARDS Bog      # the fix: 0
    PAIR (Plains)(Bog,0)                   # no elevation; the fix: (Plains,*)

``statement_mistakes.explain`` calls these functions: each returns a Problem if it recognises its
mistake, else None.
"""

from __future__ import annotations

import re

from randomizer.model.problems import Problem
from randomizer.systems.colossus.script.parse_failure import ParseFailure
from randomizer.systems.colossus.script.source import insert_after


def explain_minus(failure: ParseFailure) -> Problem | None:
    """Explain a minus sign before a number; the fix writes 0."""
    token = failure.token
    if token is None or token.type != "MINUS" or "NUMBER" not in failure.accepted:
        return None
    sign_and_number = failure.statement.tokens[failure.index : failure.index + 2]
    if len(sign_and_number) < 2 or not sign_and_number[1].is_number:
        return None
    number = sign_and_number[1]
    zero = "0."
    if number.type == "NUMBER":
        zero = "0"
    edits = [failure.statement.replace(sign_and_number, zero)]
    return failure.statement.problem("negative-number", sign_and_number, edits)


def explain_pair_without_elevation(failure: ParseFailure) -> Problem | None:
    """Explain a PAIR without elevations: ``PAIR (Plains)(Plains)``."""
    statement = failure.statement
    tokens = statement.tokens
    if tokens[0].type != "PAIR" or failure.is_in_section or failure.accepted != {"COMMA"}:
        return None
    names = []
    for left_sign, name, right_sign in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if left_sign.type == "LPAR" and right_sign.type == "RPAR":
            names.append(name)
    if not names:
        return None
    edits = [insert_after(statement.span_of(name), ",*") for name in names]
    return statement.problem("pair-without-elevation", names, edits)


def explain_dots(failure: ParseFailure) -> Problem | None:
    """Explain a number with a dot where none is allowed, or one that begins with its dot."""
    statement = failure.statement
    token = failure.token
    if token is None or "NUMBER" not in failure.accepted:
        return None
    if token.type == "FPNUMBER":
        whole = token.split(".")[0]
        edits = [statement.replace(token, whole)]
        return statement.problem("number-with-dot", token, edits, whole=whole)
    if re.fullmatch(r"\.[0-9]+", token):
        if "FPNUMBER" in failure.accepted:
            number = f"0{token}"
        else:
            number = "0"
        edits = [statement.replace(token, number)]
        return statement.problem("number-begins-with-dot", token, edits)
    return None
