"""Help on what stands at a place of a period: the word, its default, and what it sets here."""

from __future__ import annotations

from collections.abc import Mapping

from randomizer.model.map.layer import NO_TEXTS
from randomizer.systems.xconq.language.period_text import PeriodTokens, tokenize_period
from randomizer.systems.xconq.period.objects import Assignment, Item
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.period.tokens import Token, TokenKind
from randomizer.systems.xconq.period.words import TERRAINS, Shape, Word, words

_SHOWN = 8
"""How many values are shown."""

_KINDS = {"unit": "Unit type", "resource": "Resource", "terrain": "Terrain type"}


def help_at(text: str, line: int, column: int, texts: Mapping[str, str] = NO_TEXTS) -> str | None:
    """Help on the word, name or number at a place, None where there is none."""
    tokens = tokenize_period(text, texts)
    token = tokens.token_at(line, column)
    if token is None:
        return None
    if token.kind is TokenKind.SYMBOL:
        name = str(token.value)
        word = words().get(name)
        if word is not None:
            return " ".join([word_help(word), *_set_here(tokens, token)])
        named_item = tokens.reading.names.get(name)
        if named_item is None:
            return None
        return meaning(tokens.reading.period, named_item[1])
    if token.kind is TokenKind.NUMBER:
        return _number_help(tokens, token)
    defined = tokens.reading.names.get(str(token.value))
    if defined is None or defined[1].first.start != token.start:
        return None
    return meaning(tokens.reading.period, defined[1])


def word_help(word: Word) -> str:
    """Return a word with its arguments, its meaning, its default, and what becomes of it."""
    parts = [f"{word.usage}:", f"{word.title}.", word.help]
    default = default_text(word)
    if default:
        parts.append(f"Default: {default}.")
    return " ".join([*parts, *word_remarks(word)])


def default_text(word: Word) -> str:
    """Return the default of a word as a person reads it, "" for words without one."""
    if word.shape is Shape.COMMAND or not word.default:
        return ""
    if word.shape in (Shape.TEXT, Shape.TEXTS):
        return f"“{word.default}”"
    if word.default == "-1" and word.arguments[0] == TERRAINS:
        return "none"
    return word.default


def word_remarks(word: Word) -> list[str]:
    """Return what is to be known about a word's past, and about its effect."""
    remarks = []
    if word.not_implemented:
        remarks.append("The document says that it is not implemented yet.")
    if word.not_simulated:
        remarks.append("Kept, but not simulated here.")
    if "s" not in word.since:
        later = "the later fork" if "f" in word.since else "the document only"
        remarks.append(f"Known to {later}; version 5.5 does not know it.")
    elif "d" not in word.since:
        remarks.append("Newer than the document.")
    return remarks


def _set_here(tokens: PeriodTokens, token: Token) -> list[str]:
    """Return what the word at a token has set, as the period ends up."""
    assignment = tokens.assignment_at(token)
    if assignment is None or assignment.token.start != token.start:
        return []
    period = tokens.reading.period
    word = words()[assignment.word]
    if word.shape is Shape.NUMBER:
        return [f"Here: {period.number(word.name)}."]
    if word.shape is Shape.TEXT:
        return [f"Here: “{period.text(word.name)}”."]
    rows = [value_line(period, word, unit) for unit in _indices(assignment, period, word)]
    more = ["…"] if len(rows) > _SHOWN else []
    return [f"Here: {'; '.join([*rows[:_SHOWN], *more])}."]


def _indices(assignment: Assignment, period: Period, word: Word) -> list[int]:
    """Return the types of the last index of an assignment, as far as there are such."""
    value = assignment.indices[-1].value
    many = len(period.types(word.indices[-1] if word.indices else "unit"))
    numbers = value if isinstance(value, tuple) else (value,)
    return [number for number in numbers if isinstance(number, int) and 0 <= number < many]


def value_line(period: Period, word: Word, index: int) -> str:
    """Return the value of a word for one type, with the type's name."""
    if word.shape in (Shape.TEXTS, Shape.TABLE):
        kind = "unit"
    else:
        kind = word.indices[0]
    name = period.types(kind)[index].name
    if word.shape is Shape.TEXTS:
        return f"{name} “{period.texts(word.name)[index] or ''}”"
    if word.shape is Shape.ROW:
        return f"{name} {period.row(word.name)[index]}"
    inner = [kind.name for kind in period.types(word.indices[0])]
    values = [
        f"{value} {kind}"
        for value, kind in zip(period.table(word.name)[index].tolist(), inner, strict=True)
        if value != word.default_number
    ]
    listed_values = ", ".join([*values[:_SHOWN], *(["…"] if len(values) > _SHOWN else [])])
    return f"{name}: {listed_values or 'the default'}"


def meaning(period: Period, item: Item) -> str:
    """Return what a defined name stands for."""
    value = item.value
    if isinstance(value, str):
        return f"Defined here: the text “{value}”."
    if isinstance(value, int) and item.kind:
        return _type_help(period, item.kind, value)
    if isinstance(value, tuple):
        names = [
            period.types(item.kind)[number].name
            if item.kind and 0 <= number < len(period.types(item.kind))
            else str(number)
            for number in value
        ]
        return f"Defined here: [ {', '.join(names)} ]."
    return f"Defined here: {value}."


def _type_help(period: Period, kind: str, number: int) -> str:
    types = period.types(kind)
    if not 0 <= number < len(types):
        return f"No {kind}."
    char, name, third = types[number]
    return f"{_KINDS[kind]} {number}, “{char}”: {name}. {third}"


def _number_help(tokens: PeriodTokens, token: Token) -> str | None:
    """Return which type's value a number between brackets is."""
    assignment = tokens.assignment_at(token)
    if assignment is None or assignment.value.number_tokens is None:
        return None
    parts = [part.start for part in assignment.value.number_tokens]
    vector = next((index for index in assignment.indices if isinstance(index.value, tuple)), None)
    if token.start not in parts or vector is None or not isinstance(vector.value, tuple):
        return None
    at = parts.index(token.start)
    word = words()[assignment.word]
    kind = word.indices[len(word.indices) - len(assignment.indices) :][
        assignment.indices.index(vector)
    ]
    types = tokens.reading.period.types(kind)
    if at >= len(vector.value) or not 0 <= vector.value[at] < len(types):
        return None
    return f"{word.title} for {types[vector.value[at]].name}."
