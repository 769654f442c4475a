"""The tokens of one statement of a script, and their places."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from randomizer.model.problems import Problem, TextEdit
from randomizer.systems.colossus.script.source import Source, replace
from randomizer.systems.colossus.script.syntax import Span
from randomizer.systems.colossus.script.tokens import Token

Place = Token | Sequence[Token]


@dataclass(frozen=True)
class StatementTokens:
    """The tokens of one (valid or invalid) statement without comments; at least one.

    ``labels`` are all names that the script uses as labels, the predefined ones included.
    """

    source: Source
    tokens: Sequence[Token]
    labels: frozenset[str]

    @cached_property
    def span(self) -> Span:
        """The span of the whole statement."""
        return self.span_of(self.tokens)

    def span_of(self, place: Place) -> Span:
        """Return the span of a token, or of a row of tokens from the first to the last."""
        return self.source.span(*bounds(place))

    def index_of(self, token: Token) -> int:
        """Return the index of ``token``, compared by identity."""
        return next(index for index, other_token in enumerate(self.tokens) if other_token is token)

    def text_before(self, token: Token) -> str:
        """Return the statement's text up to ``token``, with single blanks."""
        start = bounds(self.tokens[0])[0]
        end = bounds(token)[0]
        return " ".join(self.source.text[start:end].split())

    def replacing(self, place: Place, replacement: str) -> TextEdit:
        """Return the edit that replaces tokens with ``replacement``."""
        return replace(self.span_of(place), replacement)

    def problem(
        self,
        code: str,
        place: Place,
        edits: Iterable[TextEdit] = (),
        **fields: Any,
    ) -> Problem:
        """Return a problem at a token or a row of tokens."""
        return self.source.problem(code, self.span_of(place), edits, **fields)


def bounds(place: Place) -> tuple[int, int]:
    """Return the offsets in the text at which a token, or a row of tokens, starts and ends."""
    first: Any = place if isinstance(place, str) else place[0]
    last: Any = place if isinstance(place, str) else place[-1]
    return first.start_pos, last.end_pos
