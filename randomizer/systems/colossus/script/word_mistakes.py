"""Words and numbers that do not fit their place in a statement of the right shape.

Each function gives one Problem of severity error, with its way out where one is known.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from randomizer.model.problems import Problem, TextEdit
from randomizer.systems.colossus.script import quotes
from randomizer.systems.colossus.script.source import insert_after, replace
from randomizer.systems.colossus.script.statement_tokens import Chunk, bounds
from randomizer.systems.colossus.script.words import FUNCTIONS, Kind, kind_of, nearest

if TYPE_CHECKING:
    from lark import Token


def misspelt(chunk: Chunk, word: Token, keyword: str) -> Problem:
    """``word`` is nearly a keyword."""
    edit = chunk.put(word, keyword)
    return chunk.problem("misspelt-keyword", word, [edit], found=word, keyword=keyword)


def glued(chunk: Chunk, word: Token, cut: int) -> Problem:
    """``word`` is two words; the second begins at character ``cut``."""
    first, second = word[:cut], word[cut:]
    edit = chunk.put(word, f"{first} {second}")
    return chunk.problem("glued-words", word, [edit], first=first, second=second)


def wrong_hex(chunk: Chunk, word: Token) -> Problem:
    """``word`` stands among hexes and is none."""
    sections = ("HAZARDS",) if chunk.tokens[0].type == "AREA" else ()
    for second in (*sections, *FUNCTIONS):
        if word.endswith(second) and kind_of(word.removesuffix(second)) is Kind.HEX:
            return glued(chunk, word, len(word) - len(second))
    if word not in chunk.labels:
        keyword = nearest(word, (*FUNCTIONS, *sections))
        if keyword:
            return misspelt(chunk, word, keyword)
    if re.fullmatch(r"[A-Za-z][0-9]+|[A-Z]", word):
        return chunk.problem("not-a-hex", word, word=word)
    edits = [chunk.put(word, f"({word})")]
    return chunk.problem("label-without-parentheses", word, edits, name=word)


def wrong_label_use(chunk: Chunk, word: Token) -> Problem:
    """``(word)`` cannot be a label."""
    if kind_of(word) is Kind.HEX and word in chunk.labels:
        return wrong_label_name(chunk, word)
    if kind_of(word) is Kind.HEX:
        index = chunk.index_of(word)
        group = chunk.tokens[index - 1 : index + 2]
        edit = chunk.put(group, word)
        return chunk.problem("hexes-in-parentheses", group, [edit])
    return chunk.problem("label-one-capital", word, rename(chunk, word), name=word)


def wrong_label_name(chunk: Chunk, word: Token) -> Problem:
    """``LABEL word =`` cannot name a label so."""
    code = {
        Kind.HEX: "label-like-hex",
        Kind.CAPITAL: "label-one-capital",
        Kind.LIVE_LABEL: "label-is-set-by-area",
    }[kind_of(word)]
    return chunk.problem(code, word, rename(chunk, word), name=word)


def wrong_hazard_name(chunk: Chunk, word: Token) -> Problem:
    """A word where a hazard should stand is a hex or one of the labels that AREAs set."""
    before = chunk.tokens[chunk.index_of(word) - 1]
    if before.type in ("NUMBER", "FPNUMBER") and bounds(before)[1] == bounds(word)[0]:
        number = f"{before}{word}"
        if re.fullmatch(r"[0-9.]+[eE][0-9]", number):
            plain = f"{float(number):.0f}."
            edit = chunk.put([before, word], plain)
            return chunk.problem("number-with-exponent", [before, word], [edit], plain=plain)
    return chunk.problem("not-a-hazard", word, word=word)


def wrong_title(chunk: Chunk, word: Token) -> Problem:
    """A word that only quotes make a title."""
    return chunk.problem(
        "title-needs-quotes",
        word,
        [chunk.put(word, f'"{word}"')],
        title=f'"{word}"',
    )


def wrong_hazard_numbers(chunk: Chunk, values: Sequence[Token]) -> Problem:
    """The numbers behind a hazard fit no form: too many, or dots in wrong places."""
    kinds = [value.type for value in values]
    dots = [
        insert_after(chunk.span_of(value), ".") for value in values[:4] if value.type == "NUMBER"
    ]
    if len(values) > 4:
        start, end = bounds(values[3])[1], bounds(values)[1]
        cut = chunk.source.edit(start, end, "")
        if values[3].type == "NUMBER":
            cut, dots = chunk.source.edit(start, end, "."), dots[:-1]
        return chunk.problem("too-many-numbers", values[4:], [*dots, cut])
    if len(values) > 2:
        return chunk.problem("odds-without-dot", values, dots)
    if kinds == ["NUMBER", "FPNUMBER"]:
        edit = chunk.put(values, f"{values[1]},{values[0]}")
        return chunk.problem("elevation-before-probability", values, [edit])
    if kinds[0] == "NUMBER":
        edit = insert_after(chunk.span_of(values[0]), ".")
        return chunk.problem("probability-without-dot", values[0], [edit], number=values[0])
    whole = values[1].rstrip("0").rstrip(".") or "0"
    edits = [chunk.put(values[1], whole)] if whole in ("0", "1", "2") else []
    return chunk.problem("elevation-with-dot", values[1], edits, number=values[1], whole=whole)


def rename(chunk: Chunk, name: str) -> tuple[TextEdit, ...]:
    """Edits that give a label a name that may be, wherever the script defines or uses it."""
    known = chunk.source.renamings
    if name not in known:  # the same for all problems with the label: a script may have many
        new = quotes.label_name(name, chunk.labels)
        places = chunk.source.label_places.get(name, [])
        known[name] = tuple(replace(place, new) for place in places)
    return known[name]
