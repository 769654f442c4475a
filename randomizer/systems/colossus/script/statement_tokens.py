"""The tokens of one statement of a script, and their positions in its text.

The parser and the modules that explain mistakes get a statement as ``StatementTokens``. From its
tokens they make spans, edits of the text, and problems that are underlined there:

    raw.problem("unexpected", token, [raw.replace(token, " ")])
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from randomizer.model.problems import Problem, TextEdit
from randomizer.systems.colossus.script.source import Renaming, Source, TextSpan, replacement_edit
from randomizer.systems.colossus.script.syntax import Span
from randomizer.systems.colossus.script.tokens import Token

Tokens = Token | Sequence[Token]
"""One token, or a sequence of one or more that follow one another in a statement.

A ``Token`` is a str, and so a sequence of characters: which of the two it is, ``isinstance`` tells.
"""


@dataclass(frozen=True)
class StatementTokens:
    """The tokens of one statement, valid or not, of the script ``source``."""

    source: Source
    """The script."""

    tokens: Sequence[Token]
    """All tokens but comments; at least one."""

    labels: frozenset[str]
    """The names that the whole script defines as labels, and the predefined ones."""

    @cached_property
    def span(self) -> Span:
        """The span of the whole statement."""
        return self.span_of(self.tokens)

    def span_of(self, tokens: Tokens) -> Span:
        """Return the span of a token, or from the first to the last of several."""
        start, end = offsets_of(tokens)
        return self.source.span(start, end)

    def index_of(self, token: Token) -> int:
        """Return the index of ``token``, compared by identity: tokens of the same text are equal.

        Raises ValueError for a token of another statement.
        """
        for index, candidate in enumerate(self.tokens):
            if candidate is token:
                return index
        raise ValueError(f"{token!r} is not in this statement")

    def text_before(self, token: Token) -> str:
        """Return the statement's text up to ``token``, with single blanks."""
        text = self.source.text[self.tokens[0].start_pos : token.start_pos]
        return " ".join(text.split())

    def replace(self, tokens: Tokens, replacement: str) -> TextEdit:
        """Return the edit that replaces tokens, and what is between them, with ``replacement``."""
        return replacement_edit(self.span_of(tokens), replacement)

    def problem(
        self,
        code: str,
        tokens: Tokens,
        edits: Iterable[TextEdit] | Renaming = (),
        **fields: Any,
    ) -> Problem:
        """Return the problem with this code at one or more tokens.

        ``edits`` are its fix; ``fields`` are the values that its message names, as for
        ``Source.problem``. Raises KeyError for a message with a field that is missing.
        """
        return self.source.problem(code, self.span_of(tokens), edits, **fields)


def offsets_of(tokens: Tokens) -> TextSpan:
    """Return the offsets in the script at which a token, or several, start and end."""
    if isinstance(tokens, Token):
        return TextSpan(tokens.start_pos, tokens.end_pos)
    return TextSpan(tokens[0].start_pos, tokens[-1].end_pos)
