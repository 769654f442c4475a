"""The tokens of one statement, cut out of a script, and their places."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from randomizer.model.problems import Problem, TextEdit
from randomizer.systems.colossus.script.source import Source, replace
from randomizer.systems.colossus.script.syntax import Span

if TYPE_CHECKING:
    from lark import Token

    Place = Token | Sequence[Token]


@dataclass(frozen=True)
class Chunk:
    """The tokens of one (good or bad) statement, comments left out; there is at least one.

    ``labels`` are all names that the script uses as labels, the predefined ones included.
    """

    source: Source
    tokens: Sequence[Token]
    labels: frozenset[str]

    @cached_property
    def span(self) -> Span:
        """The whole statement."""
        return self.span_of(self.tokens)

    def span_of(self, place: Place) -> Span:
        """The place of a token, or of a row of tokens from the first to the last."""
        return self.source.span(*bounds(place))

    def index_of(self, token: Token) -> int:
        """The place of ``token`` (the very one) in the row."""
        return next(index for index, other in enumerate(self.tokens) if other is token)

    def text_before(self, token: Token) -> str:
        """The statement's text up to ``token``, with single blanks."""
        start, end = bounds(self.tokens[0])[0], bounds(token)[0]
        return " ".join(self.source.text[start:end].split())

    def put(self, place: Place, replacement: str) -> TextEdit:
        """The edit that puts ``replacement`` in the place of tokens."""
        return replace(self.span_of(place), replacement)

    def problem(
        self,
        code: str,
        place: Place,
        edits: Iterable[TextEdit] = (),
        **fields: Any,
    ) -> Problem:
        """A problem at a token or a row of tokens."""
        return self.source.problem(code, self.span_of(place), edits, **fields)


def bounds(place: Place) -> tuple[int, int]:
    """The offsets at which a token, or a row of tokens, starts and ends in the text."""
    first: Any = place if isinstance(place, str) else place[0]
    last: Any = place if isinstance(place, str) else place[-1]
    return first.start_pos, last.end_pos
