"""Words and numbers that do not fit their position in a statement of the right form.

    AREA inside HAZARDS Bog,75           # ``inside`` needs parentheses, 75 a dot

The grammar accepts any word where a word can stand. ``tree_reader`` then looks at what each word
is, and calls a function of this module for one that does not fit. Each function returns one Problem
of severity error, with its fix where one is known. ``row`` are the tokens of the whole statement.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from randomizer.model.problems import Problem, TextEdit
from randomizer.systems.colossus.script.nearest_valid import label_name
from randomizer.systems.colossus.script.source import Renaming, insert_after, replacement_edit
from randomizer.systems.colossus.script.statement_tokens import StatementTokens
from randomizer.systems.colossus.script.tokens import Token
from randomizer.systems.colossus.script.words import FUNCTIONS, WordKind, kind_of, nearest

NUMBERS_WITH_ELEVATION = 2
"""The number of numbers after a hazard with a probability and one elevation."""

MAX_HAZARD_NUMBERS = 4
"""The largest number of numbers after a hazard: a probability and the odds of three elevations."""


def misspelt_keyword_problem(row: StatementTokens, word: Token, keyword: str) -> Problem:
    """Return the problem of a word that is spelt almost like ``keyword``."""
    edits = [row.replace(word, keyword)]
    return row.problem("misspelt-keyword", word, edits, found=word, keyword=keyword)


def glued_words_problem(row: StatementTokens, word: Token, cut: int) -> Problem:
    """Return the problem of two words without a blank; the first has ``cut`` characters."""
    first = word[:cut]
    second = word[cut:]
    edits = [row.replace(word, f"{first} {second}")]
    return row.problem("glued-words", word, edits, first=first, second=second)


def hex_problem(row: StatementTokens, word: Token) -> Problem:
    """Return the problem of a word that stands in a list and is no hex.

    Likely mistakes are tried one after the other: a missing blank, a misspelt keyword, a hex off
    the board, and a label without parentheses, which is left at the end.
    """
    keywords: tuple[str, ...] = FUNCTIONS
    if row.tokens[0].type == "AREA":
        keywords = (*FUNCTIONS, "HAZARDS")
    for keyword in keywords:
        hex_label = word.removesuffix(keyword)
        if hex_label != word and kind_of(hex_label) is WordKind.HEX:
            return glued_words_problem(row, word, len(hex_label))
    if word not in row.labels:
        similar_keyword = nearest(word, keywords)
        if similar_keyword:
            return misspelt_keyword_problem(row, word, similar_keyword)
    looks_like_hex = re.fullmatch(r"[A-Za-z][0-9]+|[A-Z]", word)
    if looks_like_hex:
        return row.problem("not-a-hex", word, word=word)
    edits = [row.replace(word, f"({word})")]
    return row.problem("label-without-parentheses", word, edits, name=word)


def label_use_problem(row: StatementTokens, word: Token) -> Problem:
    """Return the problem of a word in parentheses, ``(word)``, that cannot be a label."""
    if kind_of(word) is WordKind.HEX:
        if word in row.labels:
            return label_name_problem(row, word)
        # A hex was put into parentheses; the fix removes these.
        index = row.index_of(word)
        word_with_parentheses = row.tokens[index - 1 : index + 2]
        edits = [row.replace(word_with_parentheses, str(word))]
        return row.problem("hexes-in-parentheses", word_with_parentheses, edits)
    return row.problem("label-one-capital", word, renaming_of(row, word), name=word)


def label_name_problem(row: StatementTokens, word: Token) -> Problem:
    """Return the problem of a word that cannot be the name of a label: ``LABEL word =``."""
    # No other kind comes here: all others fit the position (``words.KINDS_AT``).
    codes = {
        WordKind.HEX: "label-like-hex",
        WordKind.CAPITAL: "label-one-capital",
        WordKind.LIVE_LABEL: "label-is-set-by-area",
    }
    return row.problem(codes[kind_of(word)], word, renaming_of(row, word), name=word)


def hazard_name_problem(row: StatementTokens, word: Token) -> Problem:
    """Return the problem of a hex, or a label set by AREAs, in the position of a hazard."""
    preceding = row.tokens[row.index_of(word) - 1]
    if preceding.is_number and preceding.touches(word):
        number = f"{preceding}{word}"
        if re.fullmatch(r"[0-9.]+[eE][0-9]", number):  # ``1e5`` is the number 1 and the hex e5
            plain = f"{float(number):.0f}."
            tokens = [preceding, word]
            edits = [row.replace(tokens, plain)]
            return row.problem("number-with-exponent", tokens, edits, plain=plain)
    return row.problem("not-a-hazard", word, word=word)


def bare_title_problem(row: StatementTokens, word: Token) -> Problem:
    """Return the problem of a word that is a valid title only in quotes."""
    quoted_word = f'"{word}"'
    edits = [row.replace(word, quoted_word)]
    return row.problem("title-needs-quotes", word, edits, title=quoted_word)


def hazard_numbers_problem(row: StatementTokens, numbers: Sequence[Token]) -> Problem:
    """Return the problem of the numbers after a hazard: too many, or dots in wrong places."""
    if len(numbers) > MAX_HAZARD_NUMBERS:
        return _too_many_numbers(row, numbers)
    if len(numbers) > NUMBERS_WITH_ELEVATION:  # odds of elevations, perhaps with one missing
        edits = [_add_dot(row, number) for number in numbers if number.type == "NUMBER"]
        return row.problem("odds-without-dot", numbers, edits)

    # Two numbers: a probability with a dot, and an elevation without one.
    probability, elevation = numbers
    if probability.type == "NUMBER" and elevation.type == "FPNUMBER":
        edits = [row.replace(numbers, f"{elevation},{probability}")]
        return row.problem("elevation-before-probability", numbers, edits)
    if probability.type == "NUMBER":
        edits = [_add_dot(row, probability)]
        return row.problem("probability-without-dot", probability, edits, number=probability)
    # "1" for 1.0, but still "1.5" for 1.5: then there is no fix, which alone names it.
    shortest = elevation.rstrip("0").rstrip(".") or "0"
    edits = []
    if shortest in ("0", "1", "2"):
        edits = [row.replace(elevation, shortest)]
    return row.problem("elevation-with-dot", elevation, edits, number=elevation, whole=shortest)


def _too_many_numbers(row: StatementTokens, numbers: Sequence[Token]) -> Problem:
    """Return the problem of more numbers than a probability and three odds.

    The fix deletes those after the fourth, and gives dots to those that remain.
    """
    remaining = numbers[:MAX_HAZARD_NUMBERS]
    edits = [_add_dot(row, number) for number in remaining[:-1] if number.type == "NUMBER"]
    # Edits must not touch one another: the dot of the last one is put in by the deletion.
    last = remaining[-1]
    dot = ""
    if last.type == "NUMBER":
        dot = "."
    edits.append(row.source.edit(last.end_pos, numbers[-1].end_pos, dot))
    return row.problem("too-many-numbers", numbers[MAX_HAZARD_NUMBERS:], edits)


def _add_dot(row: StatementTokens, number: Token) -> TextEdit:
    """Return the edit that makes ``12.`` of the number 12."""
    return insert_after(row.span_of(number), ".")


def renaming_of(row: StatementTokens, name: str) -> Renaming:
    """Return the renaming of an invalid label to a valid name, wherever the script has it.

    It is made once for each name, and kept in the source.
    """
    renamings = row.source.renamings
    if name not in renamings:
        valid_name = label_name(name, row.labels)
        spans = row.source.label_places.get(name, [])
        renamings[name] = Renaming(tuple(replacement_edit(span, valid_name) for span in spans))
    return renamings[name]
