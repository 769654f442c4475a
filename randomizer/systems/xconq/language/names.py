"""The names that a period defines: where, where they are used, and renaming them."""

from __future__ import annotations

from collections.abc import Iterator

from randomizer.languages.language import TextPlace
from randomizer.systems.xconq.language.period_text import Written, written
from randomizer.systems.xconq.period.objects import PeriodFile
from randomizer.systems.xconq.period.tokens import Token, Tokenizer, TokenKind
from randomizer.systems.xconq.period.words import words


def definition(text: str, line: int, column: int) -> TextPlace | None:
    """Where the name at a place is defined in the text; None for other places and names."""
    found = written(text)
    name = _name_at(found, line, column)
    if name is None or name not in found.reading.names:
        return None
    return _definition_place(found, name)


def references(text: str, line: int, column: int) -> tuple[TextPlace, ...]:
    """The places that define or use the name at a place, in the order of the text."""
    found = written(text)
    name = _name_at(found, line, column)
    return () if name is None else tuple(sorted(_places(found, name)))


def name_fault(text: str, name: str, new_name: str) -> str:
    """Why a name that the period defines cannot be replaced by another; "" if it can."""
    period = written(text)
    reason = _no_name(period, new_name) if new_name != name else None
    if reason is not None:
        return f"“{new_name}” cannot be a name: {reason}"
    if period.reading.names[name][1].kind and len(name) == 1 and len(new_name) != 1:
        return f"“{name}” is the character of a type: it stays one character"
    return ""


def _name_at(found: Written, line: int, column: int) -> str | None:
    """The name, defined in this text, that a token uses or defines."""
    token = found.token_at(line, column)
    if token is None or not isinstance(token.value, str):
        return None
    known = found.reading.names.get(token.value)
    if known is None or known[0].name is not None:
        return None
    defines = token.start == known[1].first.start
    return token.value if defines or token.kind is TokenKind.SYMBOL else None


def _places(found: Written, name: str) -> Iterator[TextPlace]:
    yield _definition_place(found, name)
    for token in found.symbols(name):
        yield found.file.place(token.start, token.end)


def _definition_place(found: Written, name: str) -> TextPlace:
    """The name between the quotes."""
    file, item = found.reading.names[name]
    return _inside(file, item.first)


def _inside(file: PeriodFile, token: Token) -> TextPlace:
    return file.place(token.start + 1, token.end - 1)


def _no_name(found: Written, name: str) -> str | None:
    """Why a word cannot be a new name, None if it can."""
    tokenizer = Tokenizer(f"{name} ")
    token = tokenizer.next()
    if token is None or token.kind is not TokenKind.SYMBOL or token.value != name:
        return "it must be one word without quotes and semicolons, and not begin as a number does"
    if name in words():
        return "it is a word of the language"
    return "it means something else already" if name in found.reading.names else None
