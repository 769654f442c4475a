"""Words and numbers that do not fit their position in a statement of the right form.

Each function returns one Problem of severity error, with its fix where one is known.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from randomizer.model.problems import Problem, TextEdit
from randomizer.systems.colossus.script import quotes
from randomizer.systems.colossus.script.source import insert_after, replace
from randomizer.systems.colossus.script.statement_tokens import StatementTokens, bounds
from randomizer.systems.colossus.script.tokens import Token
from randomizer.systems.colossus.script.words import FUNCTIONS, WordKind, kind_of, nearest


def misspelt_keyword(raw: StatementTokens, word: Token, keyword: str) -> Problem:
    """``word`` is almost a keyword."""
    edit = raw.replacing(word, keyword)
    return raw.problem("misspelt-keyword", word, [edit], found=word, keyword=keyword)


def glued_words(raw: StatementTokens, word: Token, cut: int) -> Problem:
    """``word`` is two words without a blank; the second begins at character ``cut``."""
    first = word[:cut]
    second = word[cut:]
    edit = raw.replacing(word, f"{first} {second}")
    return raw.problem("glued-words", word, [edit], first=first, second=second)


def wrong_hex(raw: StatementTokens, word: Token) -> Problem:
    """``word`` is in the position of a hex and is none."""
    sections = ("HAZARDS",) if raw.tokens[0].type == "AREA" else ()
    for second in (*sections, *FUNCTIONS):
        if word.endswith(second) and kind_of(word.removesuffix(second)) is WordKind.HEX:
            return glued_words(raw, word, len(word) - len(second))
    if word not in raw.labels:
        keyword = nearest(word, (*FUNCTIONS, *sections))
        if keyword:
            return misspelt_keyword(raw, word, keyword)
    if re.fullmatch(r"[A-Za-z][0-9]+|[A-Z]", word):
        return raw.problem("not-a-hex", word, word=word)
    edits = [raw.replacing(word, f"({word})")]
    return raw.problem("label-without-parentheses", word, edits, name=word)


def wrong_label_use(raw: StatementTokens, word: Token) -> Problem:
    """``(word)`` cannot be a label."""
    if kind_of(word) is WordKind.HEX and word in raw.labels:
        return wrong_label_name(raw, word)
    if kind_of(word) is WordKind.HEX:
        index = raw.index_of(word)
        group = raw.tokens[index - 1 : index + 2]
        edit = raw.replacing(group, str(word))
        return raw.problem("hexes-in-parentheses", group, [edit])
    return raw.problem("label-one-capital", word, rename(raw, word), name=word)


def wrong_label_name(raw: StatementTokens, word: Token) -> Problem:
    """``LABEL word =``: the name is invalid."""
    code = {
        WordKind.HEX: "label-like-hex",
        WordKind.CAPITAL: "label-one-capital",
        WordKind.LIVE_LABEL: "label-is-set-by-area",
    }[kind_of(word)]
    return raw.problem(code, word, rename(raw, word), name=word)


def wrong_hazard_name(raw: StatementTokens, word: Token) -> Problem:
    """Return a word in the position of a hazard is a hex or a label that AREAs set."""
    before = raw.tokens[raw.index_of(word) - 1]
    if before.type in ("NUMBER", "FPNUMBER") and bounds(before)[1] == bounds(word)[0]:
        number = f"{before}{word}"
        if re.fullmatch(r"[0-9.]+[eE][0-9]", number):
            plain = f"{float(number):.0f}."
            edit = raw.replacing([before, word], plain)
            return raw.problem("number-with-exponent", [before, word], [edit], plain=plain)
    return raw.problem("not-a-hazard", word, word=word)


def wrong_title(raw: StatementTokens, word: Token) -> Problem:
    """Return a word that is a valid title only in quotes."""
    return raw.problem(
        "title-needs-quotes",
        word,
        [raw.replacing(word, f'"{word}"')],
        title=f'"{word}"',
    )


def wrong_hazard_numbers(raw: StatementTokens, values: Sequence[Token]) -> Problem:
    """Return the numbers after a hazard fit no form: too many, or dots in wrong places."""
    kinds = [value.type for value in values]
    dots = [insert_after(raw.span_of(value), ".") for value in values[:4] if value.type == "NUMBER"]
    if len(values) > 4:
        start = bounds(values[3])[1]
        end = bounds(values)[1]
        cut = raw.source.edit(start, end, "")
        if values[3].type == "NUMBER":
            cut = raw.source.edit(start, end, ".")
            dots = dots[:-1]
        return raw.problem("too-many-numbers", values[4:], [*dots, cut])
    if len(values) > 2:
        return raw.problem("odds-without-dot", values, dots)
    if kinds == ["NUMBER", "FPNUMBER"]:
        edit = raw.replacing(values, f"{values[1]},{values[0]}")
        return raw.problem("elevation-before-probability", values, [edit])
    if kinds[0] == "NUMBER":
        edit = insert_after(raw.span_of(values[0]), ".")
        return raw.problem("probability-without-dot", values[0], [edit], number=values[0])
    whole = values[1].rstrip("0").rstrip(".") or "0"
    if whole in ("0", "1", "2"):
        edits = [raw.replacing(values[1], whole)]
    else:
        edits = []
    return raw.problem("elevation-with-dot", values[1], edits, number=values[1], whole=whole)


def rename(raw: StatementTokens, name: str) -> tuple[TextEdit, ...]:
    """Edits that give an invalid label a valid name wherever the script defines or uses it."""
    renamings = raw.source.renamings
    if (
        name not in renamings
    ):  # computed once for all problems with the label: a script can have many
        new = quotes.label_name(name, raw.labels)
        places = raw.source.label_places.get(name, [])
        renamings[name] = tuple(replace(place, new) for place in places)
    return renamings[name]
