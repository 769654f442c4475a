"""A period as lines of text: every value, and the trace of its tokens.

The lines are for comparing how this program and the original one read a period. The *dump* has a
line for each word, the *trace* one for each token in the order of execution::

    speed 1 4 0                         dump: a row, here of three unit types
    moves | 0 -1 | 0 0 | -1 0           dump: a table, unit by unit
    islands.per:3:5: symbol utype       trace
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from randomizer.model.map.layer import NO_TEXTS
from randomizer.systems.xconq.period.objects import PeriodFile
from randomizer.systems.xconq.period.period import Period, value_words
from randomizer.systems.xconq.period.reading import read_traced
from randomizer.systems.xconq.period.tokens import Token, TokenKind
from randomizer.systems.xconq.period.words import RESOURCES, TERRAINS, UNITS, Shape, Word

_DEFINERS = {UNITS: "utype", RESOURCES: "rtype", TERRAINS: "ttype"}
"""The words that define types, by the kind of types."""

_NAMES_OF_KINDS = {
    TokenKind.NUMBER: "number",
    TokenKind.STRING: "string",
    TokenKind.SYMBOL: "symbol",
}
"""The names of the kinds of tokens in a trace."""

_FIRST_WORD_AFTER_TYPES = "dark"
"""The word before which the types stand in a dump, as in that of the program itself."""


def dump_lines(period: Period) -> Iterator[str]:
    """Yield every value of a period, a word a line, in the order of the table of words.

    A table is written unit by unit, each after a ``|``; ``-`` stands for no text. The counts of
    names are those that the period adds itself.
    """
    for word in value_words():
        if word.name == _FIRST_WORD_AFTER_TYPES:
            yield from _types(period)
        yield " ".join([word.name, *_values(period, word)])
    yield from (f"note {line}" for line in period.notes)


def _types(period: Period) -> Iterator[str]:
    """Yield the types, and a line with the counts of names and with what is cleared."""
    for kind, definer in _DEFINERS.items():
        for number, (char, name, description) in enumerate(period.types(kind)):
            yield f'{definer} {number} \'{char}\' "{name}" "{description}"'
    words = [f"snames {len(period.side_names)} unames {len(period.unit_names)}"]
    if period.clears_side_names:
        words.append("clear-side-names")
    if period.clears_unit_names:
        words.append("clear-unit-names")
    yield " ".join(words)


def _values(period: Period, word: Word) -> Iterable[str]:
    """Return the values of a word as they stand in its line."""
    match word.shape:
        case Shape.NUMBER:
            return (str(period.number(word.name)),)
        case Shape.TEXT:
            return (f'"{period.text(word.name)}"',)
        case Shape.ROW:
            return map(str, period.row(word.name).tolist())
        case Shape.TEXTS:
            return ("-" if text is None else f'"{text}"' for text in period.texts(word.name))
        case _:
            return (" ".join(["|", *map(str, row)]) for row in period.table(word.name).tolist())


def trace_lines(
    text: str, path: str | None = None, included_texts: Mapping[str, str] = NO_TEXTS
) -> list[str]:
    """Return a line for each token in the order of execution: position, kind, and its text."""
    lines: list[str] = []

    def trace(file: PeriodFile, token: Token) -> None:
        span = file.place(*token.span)
        name = file.name or path
        position = f"{span.line}:{span.column}"
        if name:
            position = f"{name}:{position}"
        token_text = file.text[token.start : token.end]
        # A token with a comment in it goes over several lines: its value is shown instead.
        if token.comment is not None and token.kind is TokenKind.STRING:
            token_text = f'"{token.value}"'
        elif token.comment is not None:
            token_text = str(token.value)
        lines.append(f"{position}: {_NAMES_OF_KINDS[token.kind]} {token_text}")

    read_traced(text, path, included_texts, trace)
    return lines
