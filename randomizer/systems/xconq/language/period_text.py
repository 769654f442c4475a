"""A period's text with its tokens, and the names that it defines: definition, uses, renaming.

A *name* is a word that the text defines in quotes, as ``fast`` by ``4 "fast" define`` or "tank"
by the definition of a type; elsewhere it is used as a *symbol*, a word without quotes.

``tokenize_period`` reads a text once for all questions of an editor about a position in it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from randomizer.languages.language import TextPlace
from randomizer.model.basics.caches import registered
from randomizer.model.basics.sized_cache import sized_cache
from randomizer.model.map.layer import NO_TEXTS
from randomizer.systems.xconq.period.objects import Assignment, PeriodFile
from randomizer.systems.xconq.period.reading import Reading, read_traced
from randomizer.systems.xconq.period.tokens import Token, Tokenizer, TokenKind
from randomizer.systems.xconq.period.words import words


@dataclass(frozen=True)
class PeriodTokens:
    """The text of a period with its tokens, and the result of reading it."""

    file: PeriodFile

    reading: Reading

    tokens: tuple[Token, ...]
    """Its tokens in the order of the text, without those of included files."""

    def offset(self, line: int, column: int) -> int | None:
        """Return the offset of a position, None if the text has no such line."""
        starts = self.file.starts
        if 1 <= line <= len(starts):
            return starts[line - 1] + column - 1
        return None

    def token_at(self, line: int, column: int) -> Token | None:
        """Return the token at a position or just before it.

        None for white space, comments and notes.
        """
        offset = self.offset(line, column)
        if offset is None:
            return None
        index = bisect_right(self.tokens, offset, key=lambda token: token.start) - 1
        if index < 0 or offset > self.tokens[index].end:
            return None
        return self.tokens[index]

    def assignment_at(self, token: Token) -> Assignment | None:
        """Return the assignment that a token belongs to, as its word or as one of its arguments.

        None for other tokens.
        """
        return self._assignments.get(token.start)

    @cached_property
    def _assignments(self) -> dict[int, Assignment]:
        """The assignments of the text, by the offset of each of their tokens."""
        assignments = {}
        for assignment in self.reading.period.assignments:
            if assignment.file.name is not None:
                continue
            assignments[assignment.token.start] = assignment
            for item in (assignment.value, *assignment.indices):
                for token in item.number_tokens or (item.first, item.last):
                    assignments[token.start] = assignment
        return assignments

    def symbols(self, name: str) -> list[Token]:
        """Return the tokens that use this name."""
        return [
            token for token in self.tokens if token.value == name and token.kind is TokenKind.SYMBOL
        ]


def tokenize_period(text: str, texts: Mapping[str, str] = NO_TEXTS) -> PeriodTokens:
    """Return a text that is read, with its tokens; the latest ones are cached.

    ``texts`` are those of included files by name.
    """
    return _cached(text, tuple(sorted(texts.items())))


@registered(bytes_a_unit=45)
@sized_cache(max_entries=2, max_size=1 << 15)
def _cached(text: str, texts: tuple[tuple[str, str], ...]) -> PeriodTokens:
    tokens: list[Token] = []

    def trace(file: PeriodFile, token: Token) -> None:
        if file.name is None:
            tokens.append(token)

    reading = read_traced(text, None, dict(texts), trace)
    return PeriodTokens(reading.period.files[-1], reading, tuple(tokens))


def definition(
    text: str, line: int, column: int, included_texts: Mapping[str, str] = NO_TEXTS
) -> TextPlace | None:
    """Return the place in the text at which the name at a position is defined.

    None if there is no name at the position, or one of an included file.
    """
    tokens = tokenize_period(text, included_texts)
    name = _name_at(tokens, line, column)
    if name is None or name not in tokens.reading.names:
        return None
    return _definition_place(tokens, name)


def references(
    text: str, line: int, column: int, included_texts: Mapping[str, str] = NO_TEXTS
) -> tuple[TextPlace, ...]:
    """Return the places at which the name at a position is defined and used, in their order."""
    tokens = tokenize_period(text, included_texts)
    name = _name_at(tokens, line, column)
    if name is None:
        return ()
    uses = [tokens.file.place(*token.span) for token in tokens.symbols(name)]
    return tuple(sorted([_definition_place(tokens, name), *uses]))


def name_fault(
    text: str, name: str, new_name: str, included_texts: Mapping[str, str] = NO_TEXTS
) -> str:
    """Return why a name that the period defines cannot be replaced by another; "" if it can."""
    tokens = tokenize_period(text, included_texts)
    if new_name == name:
        return ""
    reason = _why_no_name(tokens, new_name)
    if reason is not None:
        return f"“{new_name}” cannot be a name: {reason}"
    is_type = bool(tokens.reading.names[name].item.kind)
    if is_type and len(name) == 1 and len(new_name) != 1:
        return f"“{name}” is the character of a type: it stays one character"
    return ""


def _name_at(tokens: PeriodTokens, line: int, column: int) -> str | None:
    """Return the name, defined in this text, that a token uses or defines."""
    token = tokens.token_at(line, column)
    if token is None or not isinstance(token.value, str):
        return None
    definition = tokens.reading.names.get(token.value)
    if definition is None or definition.file.name is not None:
        return None
    is_definition = token.start == definition.item.first.start
    if is_definition or token.kind is TokenKind.SYMBOL:
        return token.value
    return None


def _definition_place(tokens: PeriodTokens, name: str) -> TextPlace:
    """Return the place of the name in its definition, between the quotes."""
    definition = tokens.reading.names[name]
    token = definition.item.first
    return definition.file.place(token.start + 1, token.end - 1)


def _why_no_name(tokens: PeriodTokens, name: str) -> str | None:
    """Return the reason why a word cannot be a new name; None if it can."""
    tokenizer = Tokenizer(f"{name} ")
    token = tokenizer.next()
    if token is None or token.kind is not TokenKind.SYMBOL or token.value != name:
        return "it must be one word without quotes and semicolons, and not begin as a number does"
    if name in words():
        return "it is a word of the language"
    if name in tokens.reading.names:
        return "it means something else already"
    return None
