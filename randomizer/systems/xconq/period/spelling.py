"""Spells values and types for the text of a period.

A type can be written as its name ("infantry"), as its character ("i") or as its number (0).
A name or character is preferred if it stands for that type alone. Four functions differ by what
they write where no word does so::

    unambiguous_type_word(period, UNITS, 0)         a word, or the reason why there is none
    value_as_word(period, word, value)              the same for any value, of which only some
                                                    are types; ``value_edits`` writes these
    own_type_word_or_number(reading, UNITS, 0)      a word of the text itself, or the number
    value_in_new_line(reading, word, value)         the same for any value; ``value_lines`` writes
                                                    these
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


def value_in_new_line(reading: Reading, word: Word, value: int | str) -> str:
    """Return a value of a word as it is written in a new line of a period's text.

    A type is written as a word that the text itself defines, or as its number if there is none.
    """
    if isinstance(value, str):
        return _quoted(value)
    number = int(value)  # it may be a number of numpy, which is written otherwise
    kind = word.arguments[0]
    if kind in (UNITS, TERRAINS) and 0 <= number < len(reading.types[kind]):
        return own_type_word_or_number(reading, kind, number)
    spelled = value_as_word(reading.period, word, number)
    if isinstance(spelled, NotPlain):
        return str(number)
    return spelled


def value_in_place_of(
    old_token: Token, period: Period, word: Word, value: int | str
) -> str | NotPlain:
    """Return a value of a word as it is written in the place of a token.

    A value that replaces a number is written as one, any other as ``value_as_word`` does.
    """
    if isinstance(value, int) and old_token.kind is not TokenKind.SYMBOL:
        return str(value)
    return value_as_word(period, word, value)


def value_as_word(period: Period, word: Word, value: int | str) -> str | NotPlain:
    """Return a value of a word, written as a word if there is one: "false", "nothing", "infantry".

    NotPlain is the reason if it is a type that no word stands for alone.
    """
    if isinstance(value, str):
        return _quoted(value)
    kind = word.arguments[0]
    if kind in (UNITS, TERRAINS):
        if value == NOTHING:
            return "nothing"
        return unambiguous_type_word(period, kind, value)
    if kind == "bool" and value == 0:
        return "false"
    if kind == "bool" and value == 1:
        return "true"
    return str(value)


def _quoted(text: str) -> str:
    """Return a text as the language writes it; ``text_fault`` tells which it cannot write."""
    return f'"{text}"'


def own_type_word_or_number(reading: Reading, kind: str, index: int) -> str:
    """Return a word of a period's own section that stands for a type, else its number.

    The words of included files do not count: Xconq itself forgets all names at each section.
    """
    is_own_type = reading.types[kind][index].file.name is None  # defined in no included file
    word = unambiguous_type_word(reading.period, kind, index)
    if is_own_type and isinstance(word, str):
        return word
    return str(index)


def unambiguous_type_word(period: Period, kind: str, index: int) -> str | NotPlain:
    """Return a word of the period that stands for a type and nothing else, or why there is none.

    It is the name of the type, if that can be a word, else its character. Characters of terrain
    types are no words: they stand in maps only.
    """
    types = period.types(kind)
    if not 0 <= index < len(types):
        return NotPlain(f"There is no {kind} type {index}.")
    candidates = [types[index].name]
    if kind != TERRAINS:
        candidates.append(types[index].char)
    type_counts = _type_counts_of_words(period)
    for name in candidates:
        if type_counts[name] == 1 and name not in words() and is_symbol(name):
            return name
    return NotPlain(f"No word of the period stands for “{types[index].name}” alone.")


def _type_counts_of_words(period: Period) -> Counter[str]:
    """Return the number of types, of any kind, for which each word of a period stands."""
    type_counts: Counter[str] = Counter()
    for kind in (UNITS, RESOURCES):
        for type_ in period.types(kind):
            # A set: a type whose character is its name counts once.
            type_counts.update({type_.char, type_.name})
    # The characters of terrain types are no words.
    type_counts.update(terrain.name for terrain in period.terrains)
    return type_counts


def is_symbol(name: str) -> bool:
    """Return whether a name, written without quotes, is one symbol: "tank", but not "2nd tank"."""
    tokens = Tokenizer(f"{name}\n")
    token = tokens.next()
    if token is None or token.kind is not TokenKind.SYMBOL or token.value != name:
        return False
    return tokens.next() is None


def text_fault(text: str) -> NotPlain | None:
    """Return why a period cannot hold a text, None if it can.

    A quote would end the text, and a semicolon begins a comment even in quotes.
    """
    if '"' in text or ";" in text:
        return NotPlain("A text of a period can have no quote and no semicolon.")
    return None
