"""Spells values and types for the text of a period.

A type can be written as its name ("infantry"), as its character ("i") or as its number (0).
A name or character is preferred if it stands for that type alone. ``value_edits`` and
``value_lines`` write with these functions, and completions offer their words::

    spelled_value(period, words()["first-unit"], 0, None)       # "infantry"
"""

from __future__ import annotations

from collections import Counter

from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.period.reading import Reading
from randomizer.systems.xconq.period.text_splices import NotPlain
from randomizer.systems.xconq.period.tokens import Token, Tokenizer, TokenKind
from randomizer.systems.xconq.period.words import (
    NOTHING,
    RESOURCES,
    TERRAINS,
    UNITS,
    Word,
    words,
)


def written_value(reading: Reading, word: Word, value: int | str) -> str:
    """Return a value as it is written in a new line of a period's text.

    A type is written as a word that the text itself defines, or as its number if there is none.
    """
    if not isinstance(value, str):
        value = int(value)  # it may be a number of numpy, which is written otherwise
        kind = word.arguments[0]
        if kind in (UNITS, TERRAINS) and 0 <= value < len(reading.types[kind]):
            return type_word(reading, kind, value)
    spelled = spelled_value(reading.period, word, value, None)
    if isinstance(spelled, NotPlain):
        return str(value)
    return spelled


def spelled_value(
    period: Period, word: Word, value: int | str, old_token: Token | None
) -> str | NotPlain:
    """Return a value as it is written in the place of ``old_token``; None: in a new line.

    A value that replaces a number is written as one, any other as a word if there is one. NotPlain
    is the reason if a type cannot be written: no word stands for it alone.
    """
    if isinstance(value, str):
        return f'"{value}"'
    if old_token is not None and old_token.kind is not TokenKind.SYMBOL:
        return str(value)
    kind = word.arguments[0]
    if kind in (UNITS, TERRAINS):
        if value == NOTHING:
            return "nothing"
        return type_reference(period, kind, value)
    if kind == "bool" and value == 0:
        return "false"
    if kind == "bool" and value == 1:
        return "true"
    return str(value)


def type_word(reading: Reading, kind: str, index: int) -> str:
    """Return a word of a period's own section that stands for a type, else its number.

    The words of included files do not count: Xconq itself forgets them, see ADR 23.
    """
    word = type_reference(reading.period, kind, index)
    is_own_type = reading.types[kind][index].file.name is None  # defined in no included file
    if is_own_type and isinstance(word, str):
        return word
    return str(index)


def type_reference(period: Period, kind: str, index: int) -> str | NotPlain:
    """Return a word of the period that stands for a type and nothing else, or why there is none.

    It is the name of the type, if that can be a word, else its character. Characters of terrain
    types are no words: they stand in maps only.
    """
    types = period.types(kind)
    if not 0 <= index < len(types):
        return NotPlain(f"There is no {kind} type {index}.")
    # The number of types for which each word stands.
    type_counts: Counter[str] = Counter()
    for kind_with_words in (UNITS, RESOURCES):
        for other_type in period.types(kind_with_words):
            # A set: a type whose character is its name counts once.
            type_counts.update({other_type.char, other_type.name})
    type_counts.update(terrain.name for terrain in period.terrains)
    candidates = [types[index].name]
    if kind != TERRAINS:
        candidates.append(types[index].char)
    for name in candidates:
        if type_counts[name] == 1 and name not in words() and is_symbol(name):
            return name
    return NotPlain(f"No word of the period stands for “{types[index].name}” alone.")


def is_symbol(name: str) -> bool:
    """Return whether a name, written without quotes, is one symbol: "tank", but not "2nd tank"."""
    tokens = Tokenizer(f"{name}\n")
    token = tokens.next()
    if token is None or token.kind is not TokenKind.SYMBOL or token.value != name:
        return False
    return tokens.next() is None


def text_fault(text: str) -> NotPlain | None:
    """Return why a period cannot hold a text, None if it can."""
    if '"' in text or ";" in text:
        return NotPlain("A text of a period can have no quote and no semicolon.")
    return None
