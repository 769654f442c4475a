"""Words and numbers that do not fit their position in a statement of the right form.

    AREA inside HAZARDS Bog,75           # ``inside`` needs parentheses, 75 a dot

The grammar accepts any word where a word can stand. ``tree_reader`` then looks at what each word
is, and calls a function of this module for one that does not fit. Each function returns one Problem
of severity error, with its fix where one is known. ``raw`` are the tokens of the whole statement.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from randomizer.model.problems import Problem, TextEdit
from randomizer.systems.colossus.script import quotes
from randomizer.systems.colossus.script.source import Renaming, insert_after, replace
from randomizer.systems.colossus.script.statement_tokens import StatementTokens
from randomizer.systems.colossus.script.tokens import Token
from randomizer.systems.colossus.script.words import FUNCTIONS, WordKind, kind_of, nearest

MOST_HAZARD_NUMBERS = 4
"""The largest number of numbers after a hazard: a probability and the odds of three elevations."""


def misspelt_keyword(raw: StatementTokens, word: Token, keyword: str) -> Problem:
    """Return the problem of a word that is spelt almost like ``keyword``."""
    edits = [raw.replace(word, keyword)]
    return raw.problem("misspelt-keyword", word, edits, found=word, keyword=keyword)


def glued_words(raw: StatementTokens, word: Token, cut: int) -> Problem:
    """Return the problem of two words without a blank; the first has ``cut`` characters."""
    first = word[:cut]
    second = word[cut:]
    edits = [raw.replace(word, f"{first} {second}")]
    return raw.problem("glued-words", word, edits, first=first, second=second)


def wrong_hex(raw: StatementTokens, word: Token) -> Problem:
    """Return the problem of a word that stands in a list and is no hex.

    Likely mistakes are tried one after the other: a missing blank, a misspelt keyword, a hex off
    the board, and a label without parentheses, which is left at the end.
    """
    keywords: tuple[str, ...] = FUNCTIONS
    if raw.tokens[0].type == "AREA":
        keywords = (*FUNCTIONS, "HAZARDS")
    for keyword in keywords:
        hex_label = word.removesuffix(keyword)
        if hex_label != word and kind_of(hex_label) is WordKind.HEX:
            return glued_words(raw, word, len(hex_label))
    if word not in raw.labels:
        similar_keyword = nearest(word, keywords)
        if similar_keyword:
            return misspelt_keyword(raw, word, similar_keyword)
    looks_like_hex = re.fullmatch(r"[A-Za-z][0-9]+|[A-Z]", word)
    if looks_like_hex:
        return raw.problem("not-a-hex", word, word=word)
    edits = [raw.replace(word, f"({word})")]
    return raw.problem("label-without-parentheses", word, edits, name=word)


def wrong_label_use(raw: StatementTokens, word: Token) -> Problem:
    """Return the problem of a word in parentheses, ``(word)``, that cannot be a label."""
    if kind_of(word) is not WordKind.HEX:
        return raw.problem("label-one-capital", word, rename(raw, word), name=word)
    if word in raw.labels:
        return wrong_label_name(raw, word)
    # A hex was put into parentheses; the fix removes these.
    index = raw.index_of(word)
    word_with_parentheses = raw.tokens[index - 1 : index + 2]
    edits = [raw.replace(word_with_parentheses, str(word))]
    return raw.problem("hexes-in-parentheses", word_with_parentheses, edits)


def wrong_label_name(raw: StatementTokens, word: Token) -> Problem:
    """Return the problem of a word that cannot be the name of a label: ``LABEL word =``."""
    codes = {
        WordKind.HEX: "label-like-hex",
        WordKind.CAPITAL: "label-one-capital",
        WordKind.LIVE_LABEL: "label-is-set-by-area",
    }
    return raw.problem(codes[kind_of(word)], word, rename(raw, word), name=word)


def wrong_hazard_name(raw: StatementTokens, word: Token) -> Problem:
    """Return the problem of a hex, or a label set by AREAs, in the position of a hazard."""
    preceding = raw.tokens[raw.index_of(word) - 1]
    if preceding.is_number and preceding.touches(word):
        number = f"{preceding}{word}"
        if re.fullmatch(r"[0-9.]+[eE][0-9]", number):  # ``1e5`` is the number 1 and the hex e5
            plain = f"{float(number):.0f}."
            tokens = [preceding, word]
            edits = [raw.replace(tokens, plain)]
            return raw.problem("number-with-exponent", tokens, edits, plain=plain)
    return raw.problem("not-a-hazard", word, word=word)


def wrong_title(raw: StatementTokens, word: Token) -> Problem:
    """Return the problem of a word that is a valid title only in quotes."""
    quoted_word = f'"{word}"'
    edits = [raw.replace(word, quoted_word)]
    return raw.problem("title-needs-quotes", word, edits, title=quoted_word)


def wrong_hazard_numbers(raw: StatementTokens, numbers: Sequence[Token]) -> Problem:
    """Return the problem of the numbers after a hazard: too many, or dots in wrong places."""
    if len(numbers) > MOST_HAZARD_NUMBERS:
        return _too_many_numbers(raw, numbers)
    if len(numbers) > 2:  # the odds of elevations, perhaps with one missing
        edits = [_add_dot(raw, number) for number in numbers if number.type == "NUMBER"]
        return raw.problem("odds-without-dot", numbers, edits)

    # Two numbers: a probability with a dot, and an elevation without one.
    probability, elevation = numbers
    if probability.type == "NUMBER" and elevation.type == "FPNUMBER":
        edits = [raw.replace(numbers, f"{elevation},{probability}")]
        return raw.problem("elevation-before-probability", numbers, edits)
    if probability.type == "NUMBER":
        edits = [_add_dot(raw, probability)]
        return raw.problem("probability-without-dot", probability, edits, number=probability)
    whole = elevation.rstrip("0").rstrip(".") or "0"
    if whole in ("0", "1", "2"):
        edits = [raw.replace(elevation, whole)]
    else:
        edits = []
    return raw.problem("elevation-with-dot", elevation, edits, number=elevation, whole=whole)


def _too_many_numbers(raw: StatementTokens, numbers: Sequence[Token]) -> Problem:
    """Return the problem of more numbers than a probability and three odds.

    The fix deletes those after the fourth, and gives dots to those that remain.
    """
    remaining = numbers[:MOST_HAZARD_NUMBERS]
    edits = [_add_dot(raw, number) for number in remaining[:-1] if number.type == "NUMBER"]
    # Edits must not touch one another: the dot of the last one is put in by the deletion.
    last = remaining[-1]
    dot = ""
    if last.type == "NUMBER":
        dot = "."
    edits.append(raw.source.edit(last.end_pos, numbers[-1].end_pos, dot))
    return raw.problem("too-many-numbers", numbers[MOST_HAZARD_NUMBERS:], edits)


def _add_dot(raw: StatementTokens, number: Token) -> TextEdit:
    """Return the edit that makes ``12.`` of the number 12."""
    return insert_after(raw.span_of(number), ".")


def rename(raw: StatementTokens, name: str) -> Renaming:
    """Return the renaming of an invalid label to a valid name, made once for each name."""
    renamings = raw.source.renamings
    if name not in renamings:
        valid_name = quotes.label_name(name, raw.labels)
        spans = raw.source.label_places.get(name, [])
        renamings[name] = Renaming(tuple(replace(span, valid_name) for span in spans))
    return renamings[name]
