"""Explanations of mistakes in labels and hexes: invalid names, parentheses around hexes.

    AREA (north-hill) HAZARDS Bog      # no name of a label; the fix: north_hill, wherever it is
    AREA (D4 D3) HAZARDS Bog           # the fix: D4 D3

``statement_mistakes.explain`` calls these functions: each returns a Problem if it recognises its
mistake, else None.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from randomizer.model.problems import Problem
from randomizer.systems.colossus.script.nearest_valid import label_name
from randomizer.systems.colossus.script.parse_failure import ParseFailure
from randomizer.systems.colossus.script.statement_tokens import offsets_of
from randomizer.systems.colossus.script.tokens import Token
from randomizer.systems.colossus.script.word_mistakes import renaming_of
from randomizer.systems.colossus.script.words import (
    FUNCTIONS,
    KEYWORDS,
    Position,
    WordKind,
    fits,
    kind_of,
)


def explain_label_name(failure: ParseFailure) -> Problem | None:
    """Explain something that is no name where a label is defined or used."""
    statement = failure.statement
    words = _words_of_definition(failure)
    if not words:
        words = _words_of_use(failure)
    if not words:
        return None
    start, end = offsets_of(words)
    written = statement.source.text[start:end]
    if len(words) == 1 and words[0] in KEYWORDS:
        renaming = renaming_of(statement, written)
        return statement.problem("label-is-keyword", words, renaming, name=written)
    valid_name = label_name(written, statement.labels)
    if len(words) == 1 and words[0].type == "QUOTED":
        return statement.problem("label-quoted", words, [statement.replace(words, valid_name)])
    renaming = renaming_of(statement, written)
    if renaming.edits:
        return statement.problem("label-name", words, renaming, name=written)
    # It has blanks, and can have others where it is used: only this one is mended.
    edits = [statement.replace(words, valid_name)]
    return statement.problem("label-name", words, edits, name=written)


def _words_of_definition(failure: ParseFailure) -> Sequence[Token]:
    """Return the tokens between LABEL and ``=``; none if the failure is elsewhere."""
    tokens = failure.statement.tokens
    types = [token.type for token in tokens]
    if types[0] != "LABEL" or failure.index > 2:
        return ()
    if "EQUAL" not in types[2:] or types[1] == "EQUAL":
        return ()
    return tokens[1 : types.index("EQUAL")]


def _words_of_use(failure: ParseFailure) -> Sequence[Token]:
    """Return the tokens in the parentheses around the failure if they look like one label.

    That is words, numbers and minus signs without blanks: ``(north-hill)``, ``(hill2a)``.
    """
    tokens = failure.statement.tokens
    types = [token.type for token in tokens]
    if failure.is_in_section or "LPAR" not in types[: failure.index]:
        return ()
    if "RPAR" not in types[failure.index :]:
        return ()
    start = max(index for index in range(failure.index) if types[index] == "LPAR")
    end = types.index("RPAR", failure.index)
    words = tokens[start + 1 : end]
    touch_one_another = all(word.touches(next_word) for word, next_word in pairwise(words))
    types_of_words = {word.type for word in words}
    has_word = "WORD" in types_of_words
    has_more = types_of_words != {"WORD"}
    has_nothing_else = types_of_words <= {"WORD", "NUMBER", "MINUS"}
    if touch_one_another and has_word and has_more and has_nothing_else:
        return words
    return ()


def explain_parentheses(failure: ParseFailure) -> Problem | None:
    """Explain parentheses around several hexes or labels, or around nothing."""
    group = _parentheses_around(failure)
    if not group:
        return None
    code = "empty-parentheses"
    items = []
    for word in group[1:-1]:
        if word.type == "COMMA":
            continue
        code = "hexes-in-parentheses"
        if fits(word, Position.IN_LIST):
            items.append(str(word))
        else:
            items.append(f"({word})")
    edits = [failure.statement.replace(group, " ".join(items))]
    return failure.statement.problem(code, group, edits)


def _parentheses_around(failure: ParseFailure) -> Sequence[Token]:
    """Return the parentheses around the failure with the words and commas in them.

    () where none are, and where they belong to a function or to a PAIR.
    """
    tokens = failure.statement.tokens
    types_inside = ("WORD", "COMMA", "SUBTRACT")
    start = failure.index - 1
    while tokens[start].type in types_inside:
        start -= 1
    end = failure.index
    while end < len(tokens) and tokens[end].type in types_inside:
        end += 1
    if tokens[start].type != "LPAR" or end == len(tokens) or tokens[end].type != "RPAR":
        return ()
    belongs_to_function = tokens[start - 1].type in FUNCTIONS
    if failure.is_in_section or belongs_to_function or tokens[0].type == "PAIR":
        return ()
    return tokens[start : end + 1]


def explain_hex_in_two_words(failure: ParseFailure) -> Problem | None:
    """Explain a hex with a blank in its name: ``D 4``."""
    token = failure.token
    if token is None or token.type != "NUMBER" or not failure.is_among_hexes:
        return None
    letter_and_number = failure.statement.tokens[failure.index - 1 : failure.index + 1]
    label = "".join(letter_and_number)
    if kind_of(label) is not WordKind.HEX:
        return None
    edits = [failure.statement.replace(letter_and_number, label)]
    return failure.statement.problem("hex-in-two-words", letter_and_number, edits, hex=label)
