"""Help on the word, name or number at a position of a period's text.

The editor calls ``help_at`` when the mouse rests on a word::

    n unit speed: Speed. How many hexes a turn the unit moves at most. Default: 0. Here: tank 2.

Completions and the inspector of values use ``word_help`` and ``meaning``.
"""

from __future__ import annotations

from collections.abc import Mapping

from randomizer.model.map.layer import NO_TEXTS
from randomizer.systems.xconq.language.period_text import PeriodTokens, tokenize_period
from randomizer.systems.xconq.period.objects import Assignment, Item
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.period.tokens import Token, TokenKind
from randomizer.systems.xconq.period.words import TERRAINS, UNITS, Shape, Word, words

_MAX_VALUES = 8
"""The most values in a help text; dots stand for the others."""

_KINDS = {"unit": "Unit type", "resource": "Resource", "terrain": "Terrain type"}
"""The beginning of the help on a type, by its kind."""

# The versions of Xconq that know a word, as letters in ``Word.since``.
_VERSION_5_5 = "s"
_LATER_FORK = "f"
_DOCUMENT = "d"


def help_at(text: str, line: int, column: int, texts: Mapping[str, str] = NO_TEXTS) -> str | None:
    """Return help on the word, name or number at a position; None where there is none."""
    tokens = tokenize_period(text, texts)
    token = tokens.token_at(line, column)
    if token is None:
        return None
    if token.kind is TokenKind.SYMBOL:
        name = str(token.value)
        word = words().get(name)
        if word is not None:
            return " ".join([word_help(word), *_values_set_here(tokens, token)])
        definition = tokens.reading.names.get(name)
        if definition is None:
            return None
        return meaning(tokens.reading.period, definition.item)
    if token.kind is TokenKind.NUMBER:
        return _number_help(tokens, token)
    # A text has help only where it is the name of a definition.
    definition = tokens.reading.names.get(str(token.value))
    if definition is None or definition.item.first.start != token.start:
        return None
    return meaning(tokens.reading.period, definition.item)


def word_help(word: Word) -> str:
    """Return a word with its arguments, its meaning, its default, and remarks on its effect."""
    sentences = [f"{word.usage}:", f"{word.title}.", word.help]
    default = default_text(word)
    if default:
        sentences.append(f"Default: {default}.")
    sentences += word_remarks(word)
    return " ".join(sentences)


def default_text(word: Word) -> str:
    """Return the default of a word as a person reads it, "" for words without one."""
    if word.shape is Shape.COMMAND or not word.default:
        return ""
    if word.shape in (Shape.TEXT, Shape.TEXTS):
        return f"“{word.default}”"
    is_terrain_type = word.arguments[0] == TERRAINS
    if is_terrain_type and word.default == "-1":
        return "none"
    return word.default


def word_remarks(word: Word) -> list[str]:
    """Return sentences about a word's effect, and about the versions that know it."""
    remarks = []
    if word.not_implemented:
        remarks.append("The document says that it is not implemented yet.")
    if word.not_simulated:
        remarks.append("Kept, but not simulated here.")
    if _VERSION_5_5 not in word.since:
        if _LATER_FORK in word.since:
            knower = "the later fork"
        else:
            knower = "the document only"
        remarks.append(f"Known to {knower}; version 5.5 does not know it.")
    elif _DOCUMENT not in word.since:
        remarks.append("Newer than the document.")
    return remarks


def _values_set_here(tokens: PeriodTokens, token: Token) -> list[str]:
    """Return a sentence with the values that the word at a token sets; [] if it sets none.

    They are those of the period as a whole, so later lines may have changed them.
    """
    assignment = tokens.assignment_at(token)
    if assignment is None or assignment.token.start != token.start:
        return []
    period = tokens.reading.period
    word = words()[assignment.word]
    if word.shape is Shape.NUMBER:
        return [f"Here: {period.number(word.name)}."]
    if word.shape is Shape.TEXT:
        return [f"Here: “{period.text(word.name)}”."]
    values = [
        value_line(period, word, unit) for unit in _types_of_last_index(assignment, period, word)
    ]
    return [f"Here: {'; '.join(_first_values(values))}."]


def _first_values(values: list[str]) -> list[str]:
    """Return at most ``_MAX_VALUES`` values, with dots if there are further ones."""
    if len(values) > _MAX_VALUES:
        return [*values[:_MAX_VALUES], "…"]
    return values


def _types_of_last_index(assignment: Assignment, period: Period, word: Word) -> list[int]:
    """Return the types of the last index of an assignment; other numbers are left out."""
    kind = UNITS  # a word with texts lists no indices, but has one: a unit type
    if word.indices:
        kind = word.indices[-1]
    type_count = len(period.types(kind))
    value = assignment.indices[-1].value
    numbers: tuple[object, ...] = (value,)
    if isinstance(value, tuple):
        numbers = value
    return [number for number in numbers if isinstance(number, int) and 0 <= number < type_count]


def value_line(period: Period, word: Word, index: int) -> str:
    """Return the value of a word for one type, with the type's name.

    For a table ``index`` is a unit type, and the values are those that are not the default.
    """
    match word.shape:
        case Shape.TEXTS:
            name = period.types(UNITS)[index].name
            return f"{name} “{period.texts(word.name)[index] or ''}”"
        case Shape.TABLE:
            name = period.types(UNITS)[index].name
            return f"{name}: {_row_of_table(period, word, index)}"
        case _:
            name = period.types(word.indices[0])[index].name
            return f"{name} {period.row(word.name)[index]}"


def _row_of_table(period: Period, word: Word, unit: int) -> str:
    """Return the values of a table for a unit type that differ from the default, as words."""
    values = []
    numbers = period.table(word.name)[unit].tolist()
    for number, inner_type in zip(numbers, period.types(word.indices[0]), strict=True):
        if number != word.default_number:
            values.append(f"{number} {inner_type.name}")
    if not values:
        return "the default"
    return ", ".join(_first_values(values))


def meaning(period: Period, item: Item) -> str:
    """Return the object that a defined name stands for, as a sentence."""
    value = item.value
    if isinstance(value, str):
        return f"Defined here: the text “{value}”."
    if isinstance(value, int) and item.kind:
        return _type_help(period, item.kind, value)
    if isinstance(value, tuple):
        names = [_name_of_number(period, item.kind, number) for number in value]
        return f"Defined here: [ {', '.join(names)} ]."
    return f"Defined here: {value}."


def _name_of_number(period: Period, kind: str, number: int) -> str:
    """Return the name of a type; the number itself if it is none, or ``kind`` is "" for numbers."""
    if kind and 0 <= number < len(period.types(kind)):
        return period.types(kind)[number].name
    return str(number)


def _type_help(period: Period, kind: str, number: int) -> str:
    """Return a type by its number, as a sentence."""
    types = period.types(kind)
    if not 0 <= number < len(types):
        return f"No {kind}."
    char, name, description = types[number]
    return f"{_KINDS[kind]} {number}, “{char}”: {name}. {description}"


def _number_help(tokens: PeriodTokens, token: Token) -> str | None:
    """Return the type that gets a number between brackets, as a sentence; None for other numbers.

    In ``[ 3 2 ] [ i a ] hp`` the 2 is the hit points of the type ``a``.
    """
    assignment = tokens.assignment_at(token)
    if assignment is None or assignment.value.number_tokens is None:
        return None
    starts = [number_token.start for number_token in assignment.value.number_tokens]
    if token.start not in starts:
        return None
    position = starts.index(token.start)
    word = words()[assignment.word]
    # An index that is left out is the first one: the kinds are the last ones of the word.
    left_out = len(word.indices) - len(assignment.indices)
    kinds = word.indices[left_out:]
    for kind, index in zip(kinds, assignment.indices, strict=True):
        if isinstance(index.value, tuple):
            types = tokens.reading.period.types(kind)
            if position >= len(index.value) or not 0 <= index.value[position] < len(types):
                return None
            return f"{word.title} for {types[index.value[position]].name}."
    return None
