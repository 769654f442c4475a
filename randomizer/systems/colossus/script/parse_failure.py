"""The point at which the grammar rejects a statement, with the token there and those expected.

    AREA D4 D3) HAZARDS Bog       # ParseFailure at the token ")", index 3

The parser makes a ``ParseFailure`` of each statement that it rejects. ``statement_mistakes`` looks
there for a known mistake; for all others ``ParseFailure.problem`` names the token and what was
expected, with a fix if one sign too many or too few is the whole mistake. Token types are those of
``tokens``; ``$END`` is that of the end of a statement.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from randomizer.model.basics.plurals import listed
from randomizer.model.problems import Problem, TextEdit
from randomizer.systems.colossus.script.message_texts import messages
from randomizer.systems.colossus.script.source import insert_after
from randomizer.systems.colossus.script.statement_tokens import StatementTokens
from randomizer.systems.colossus.script.tokens import Token

if TYPE_CHECKING:
    from lark.parsers.lalr_interactive_parser import InteractiveParser

SECTION_OF = {"AREA": "HAZARDS", "PAIR": "HEXSIDES"}
"""The keyword in the middle of a statement, by that at its beginning."""

SECTIONS = tuple(SECTION_OF.values())
"""The keywords that follow the list of an AREA and the two ends of a PAIR."""

LIST_STARTERS = frozenset({"WORD", "LPAR", "SOMEOF", "SUBSTRACT", "SUBTRACT", "SURROUNDINGSOF"})
"""The token types with which an item of a list can begin."""

_NUMBERS = frozenset({"NUMBER", "FPNUMBER", "STAR"})
"""The token types of numbers."""

_SIGNS = {"LPAR": "(", "RPAR": ")", "COMMA": ",", "EQUAL": "="}
"""The signs by token type, which a fix puts in or takes out."""

LONGEST_QUOTATION = 30
"""The number of characters that a message quotes of a token."""


class _SignFix(NamedTuple):
    """A fix that inserts or removes one sign."""

    title: str
    edits: tuple[TextEdit, ...]


_NO_FIX = _SignFix("", ())


@dataclass(frozen=True)
class ParseFailure:
    """A statement that the grammar rejects, at one of its tokens or at its end."""

    row: StatementTokens
    """All tokens of the statement."""

    index: int
    """The index of the rejected token; the number of tokens if the statement ends too early."""

    state: InteractiveParser
    """The parser as it was before the rejected token; it must not be changed."""

    @cached_property
    def accepted(self) -> frozenset[str]:
        """The token types that are accepted here, ``$END`` for the end of the statement."""
        return frozenset(self.state.accepts())  # type: ignore[no-untyped-call]

    @property
    def token(self) -> Token | None:
        """The rejected token, None at the end."""
        if self.index < len(self.row.tokens):
            return self.row.tokens[self.index]
        return None

    @property
    def is_among_hexes(self) -> bool:
        """True if a list of hexes is accepted here."""
        return self.accepted >= LIST_STARTERS

    @property
    def is_in_section(self) -> bool:
        """True if this is after HAZARDS or HEXSIDES."""
        return any(token.type in SECTIONS for token in self.row.tokens[: self.index])

    def problem(self) -> Problem:
        """Return the problem that names the rejected token and those that were expected.

        The fix inserts or removes a sign if the rest of the statement is accepted then.
        """
        expected = listed(self._expected_words(), "or")
        token = self.token
        fix = self._insertion_of_sign()
        if token is None:
            last = self.row.tokens[-1]
            return self.row.problem(
                "ends-too-early", last, fix.edits, expected=expected, change=fix.title
            )
        if not fix.edits:
            fix = self._removal_of_sign(token)
        return self.row.problem(
            "unexpected",
            token,
            fix.edits,
            expected=expected,
            found=quote_token(token),
            change=fix.title,
        )

    def _insertion_of_sign(self) -> _SignFix:
        """Return the fix that inserts one sign before the rejected token.

        It is ``_NO_FIX`` if the statement is not valid with any sign.
        """
        following_types = [token.type for token in self.row.tokens[self.index :]]
        for sign_type, sign in _SIGNS.items():
            if sign_type in self.accepted and self._accepts_rest([sign_type, *following_types]):
                # There is a token before it: the keyword of the statement is always accepted.
                span = self.row.span_of(self.row.tokens[self.index - 1])
                return _SignFix(f"Put `{sign}` in", (insert_after(span, sign),))
        return _NO_FIX

    def _removal_of_sign(self, token: Token) -> _SignFix:
        """Return the fix that removes the rejected ``token``.

        It is ``_NO_FIX`` if the token is no sign, or the statement is not valid without it.
        """
        following_types = [token.type for token in self.row.tokens[self.index + 1 :]]
        if token.type in (*_SIGNS, "MINUS") and self._accepts_rest(following_types):
            return _SignFix(f"Take `{token}` out", (self.row.replace(token, " "),))
        return _NO_FIX

    def _accepts_rest(self, token_types: Sequence[str]) -> bool:
        """Return whether the statement is valid with these tokens from the failure on."""
        from lark import UnexpectedToken

        trial: InteractiveParser = self.state.copy(deepcopy_values=False)  # type: ignore[no-untyped-call]
        try:
            for token_type in (*token_types, "$END"):
                feed_token(trial, Token("", token_type))
        except UnexpectedToken:
            return False
        return True

    def _expected_words(self) -> list[str]:
        """Return what is accepted here, in the words of a message.

        Token types that mean the same to a user have one name: all starts of a list are "list".
        """
        # What no name stands for yet.
        unnamed_types = set(self.accepted)
        names = []
        if self.is_among_hexes:
            names.append("list")
            unnamed_types -= LIST_STARTERS
        if unnamed_types & {"WORD", "QUOTED"}:
            names.append(self._role_of_word())
            unnamed_types -= {"WORD", "QUOTED", "SUBTRACT"}
        if "NUMBER" in unnamed_types:
            if unnamed_types >= _NUMBERS:
                names.append("number")
            else:
                names.append("whole-number")  # also where ``*`` is accepted beside it
            unnamed_types -= _NUMBERS
        if self.is_in_section and "COMMA" in unnamed_types:
            names.append("comma-number")
            unnamed_types.remove("COMMA")
        # The end of the statement comes last.
        names += sorted(unnamed_types, key=lambda name: (name == "$END", name))
        return [_words_for(name) for name in names]

    def _role_of_word(self) -> str:
        """Return the name in ``messages.json`` of what a word would be at this position."""
        statement_type = self.row.tokens[0].type
        if statement_type in ("TITLE", "SUBTITLE"):
            return "title"
        if statement_type == "PAIR":
            if self.is_in_section:
                return "hexside"
            return "hazard"
        if statement_type == "AREA" and self.is_in_section:
            return "hazard"
        return "label"


def _words_for(name: str) -> str:
    """Return the words for something expected: a keyword has none but itself."""
    entry = messages()["expected"].get(name)
    if entry is None:
        return f"`{name}`"
    return entry["text"]


def feed_token(state: InteractiveParser, token: Token) -> Any:
    """Advance a parser by one token.

    Returns the tree if the token is $END, else None. Raises UnexpectedToken if it is rejected.
    """
    # Our tokens are not lark's, but have all the attributes that lark reads.
    return state.feed_token(token)  # type: ignore[arg-type]


def quote_token(token: Token) -> str:
    """Return a token as messages show it, shortened if it is long."""
    if len(token) <= LONGEST_QUOTATION:
        return f"`{token}`"
    return f"`{token[:LONGEST_QUOTATION]}...`"
