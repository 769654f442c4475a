"""A period's text with its tokens: what completion, help and renaming look at."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from randomizer.model.layer import NO_TEXTS
from randomizer.model.sized_cache import sized_cache
from randomizer.systems.xconq.period.objects import Assignment, PeriodFile
from randomizer.systems.xconq.period.reading import Reading, read_traced
from randomizer.systems.xconq.period.tokens import Token, TokenKind


@dataclass(frozen=True)
class Written:
    """A period's text, what was read from it, and its tokens in the order of the text."""

    file: PeriodFile
    reading: Reading
    tokens: tuple[Token, ...]

    def offset(self, line: int, column: int) -> int | None:
        """The offset of a place, None if the text has no such line."""
        starts = self.file.starts
        return starts[line - 1] + column - 1 if 1 <= line <= len(starts) else None

    def token_at(self, line: int, column: int) -> Token | None:
        """The token at a place or just before it, None for white space, comments and notes."""
        offset = self.offset(line, column)
        if offset is None:
            return None
        at = bisect_right(self.tokens, offset, key=lambda token: token.start) - 1
        token = self.tokens[at] if at >= 0 else None
        return token if token is not None and offset <= token.end else None

    def assignment_at(self, token: Token) -> Assignment | None:
        """What a word at a token sets, or what an object at it is part of; None for others."""
        return self._assignments.get(token.start)

    @cached_property
    def _assignments(self) -> dict[int, Assignment]:
        """By the offset of each token of an assignment."""
        found = {}
        for assignment in self.reading.period.assignments:
            if assignment.file.name is None:
                found[assignment.token.start] = assignment
                for item in (assignment.value, *assignment.indices):
                    for token in item.parts or (item.first, item.last):
                        found[token.start] = assignment
        return found

    def symbols(self, name: str) -> list[Token]:
        """The symbols of this name."""
        return [
            token for token in self.tokens if token.value == name and token.kind is TokenKind.SYMBOL
        ]


def written(text: str, texts: Mapping[str, str] = NO_TEXTS) -> Written:
    """A text with its tokens; ``texts`` are those of included files by name.

    The latest are kept.
    """
    return _cached(text, tuple(sorted(texts.items())))


@sized_cache(most=2, size=1 << 15)
def _cached(text: str, texts: tuple[tuple[str, str], ...]) -> Written:
    tokens: list[Token] = []

    def trace(file: PeriodFile, token: Token) -> None:
        if file.name is None:
            tokens.append(token)

    reading = read_traced(text, None, dict(texts), trace)
    return Written(reading.period.files[-1], reading, tuple(tokens))
