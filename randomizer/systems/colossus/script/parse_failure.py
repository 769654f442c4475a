"""The point at which the grammar rejects a statement, with the token there and those expected.

    AREA D4 D3) HAZARDS Bog       # ParseFailure at the token ")", index 3

The parser makes a ``ParseFailure`` of each statement that it rejects. ``statement_mistakes`` looks
there for a known mistake; for all others ``ParseFailure.problem`` names the token and what was
expected, with a fix if one sign too many or too few is the whole mistake. Token types are those of
``tokens``; ``$END`` is that of the end of a statement. What they are in the grammar, ``rnd.lark``
tells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from randomizer.model.basics.plurals import listed
from randomizer.model.problems import Problem, TextEdit
from randomizer.systems.colossus.script.message_texts import messages
from randomizer.systems.colossus.script.source import insert_after
from randomizer.systems.colossus.script.statement_tokens import StatementTokens
from randomizer.systems.colossus.script.tokens import SUBTRACT, Token

if TYPE_CHECKING:
    from lark.parsers.lalr_interactive_parser import InteractiveParser

SECTION_OF = {"AREA": "HAZARDS", "PAIR": "HEXSIDES"}
"""The keyword in the middle of a statement, by that at its beginning."""

SECTIONS = tuple(SECTION_OF.values())
"""The keywords that follow the list of an AREA and the two ends of a PAIR."""

LIST_STARTERS = frozenset({"WORD", "LPAR", "SOMEOF", "SUBSTRACT", SUBTRACT, "SURROUNDINGSOF"})
"""The token types with which an item of a list can begin.

SUBSTRACT is a misspelling of the game, and the only keyword for it that the game knows. The grammar
accepts SUBTRACT as well, so that a script with the right spelling gets a problem with a fix.
"""

_NAME_TYPES = frozenset({"WORD", "QUOTED", SUBTRACT})
"""The token types of names (``_name`` and ``_word`` of the grammar).

To the game SUBTRACT is a word like any other, so a label or a terrain may be called so.
"""

_NUMBER_TYPES = frozenset({"NUMBER", "FPNUMBER", "STAR"})
"""The token types of numbers (``_value`` of the grammar); as an elevation ``*`` stands for any.

Where only a whole number may stand (``_count``), FPNUMBER is missing.
"""

_SIGNS = {"LPAR": "(", "RPAR": ")", "COMMA": ",", "EQUAL": "="}
"""The signs by token type, which a fix puts in or takes out."""

LONGEST_QUOTATION = 30
"""The number of characters that a message quotes of a token."""


class _SignFix(NamedTuple):
    """A fix that inserts or removes one sign."""

    title: str
    edits: tuple[TextEdit, ...]


_NO_FIX = _SignFix("", ())


class _Expected(StrEnum):
    """What a message calls by one name though the grammar accepts several token types for it.

    The values are keys of "expected" in ``messages.json``, which has the words for each.
    """

    LIST = "list"
    """The first item of a list of hexes: any of ``LIST_STARTERS``."""
    TITLE = "title"
    """A name after TITLE or SUBTITLE."""
    HAZARD = "hazard"
    """A name after HAZARDS, or in one of the two ends of a PAIR."""
    HEXSIDE = "hexside"
    """A word after HEXSIDES: the letter of a hexside."""
    LABEL = "label"
    """A name after LABEL, or in parentheses."""
    NUMBER = "number"
    """A number, whole or not."""
    WHOLE_NUMBER = "whole-number"
    """A number without a dot."""
    COMMA_AND_NUMBER = "comma-number"
    """A comma after a hazard or a hexside, which only a number can follow."""


@dataclass(frozen=True)
class ParseFailure:
    """A statement that the grammar rejects, at one of its tokens or at its end."""

    statement: StatementTokens
    """All tokens of the statement."""

    index: int
    """The index of the rejected token; the number of tokens if the statement ends too early."""

    parser: InteractiveParser
    """The parser with the tokens before the rejected one; to be copied, not to be fed."""

    @cached_property
    def accepted(self) -> frozenset[str]:
        """The token types that are accepted here, ``$END`` for the end of the statement."""
        return frozenset(self.parser.accepts())  # type: ignore[no-untyped-call]

    @property
    def token(self) -> Token | None:
        """The rejected token, None at the end."""
        if self.index < len(self.statement.tokens):
            return self.statement.tokens[self.index]
        return None

    @property
    def is_among_hexes(self) -> bool:
        """True if a list of hexes is accepted here."""
        return self.accepted >= LIST_STARTERS

    @property
    def is_in_section(self) -> bool:
        """True if this is after HAZARDS or HEXSIDES."""
        return any(token.type in SECTIONS for token in self.statement.tokens[: self.index])

    def problem(self) -> Problem:
        """Return the problem that names the rejected token and those that were expected.

        The fix inserts or removes a sign if the rest of the statement is accepted then.
        """
        expected = listed(self._expected_words(), "or")
        token = self.token
        fix = self._insertion_of_sign()
        if token is None:
            last = self.statement.tokens[-1]
            return self.statement.problem(
                "ends-too-early", last, fix.edits, expected=expected, change=fix.title
            )
        if not fix.edits:
            fix = self._removal_of_sign(token)
        return self.statement.problem(
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
        following_types = [token.type for token in self.statement.tokens[self.index :]]
        for sign_type, sign in _SIGNS.items():
            if sign_type in self.accepted and self._accepts_rest([sign_type, *following_types]):
                # There is a token before it: the keyword of the statement is always accepted.
                span = self.statement.span_of(self.statement.tokens[self.index - 1])
                return _SignFix(f"Put `{sign}` in", (insert_after(span, sign),))
        return _NO_FIX

    def _removal_of_sign(self, token: Token) -> _SignFix:
        """Return the fix that removes the rejected ``token``.

        It is ``_NO_FIX`` if the token is no sign, or the statement is not valid without it.
        """
        following_types = [token.type for token in self.statement.tokens[self.index + 1 :]]
        if token.type in (*_SIGNS, "MINUS") and self._accepts_rest(following_types):
            return _SignFix(f"Take `{token}` out", (self.statement.replace(token, " "),))
        return _NO_FIX

    def _accepts_rest(self, token_types: Sequence[str]) -> bool:
        """Return whether the statement is valid with these tokens from the failure on."""
        from lark import UnexpectedToken

        trial: InteractiveParser = self.parser.copy(deepcopy_values=False)  # type: ignore[no-untyped-call]
        try:
            for token_type in (*token_types, "$END"):
                feed_token(trial, Token("", token_type))
        except UnexpectedToken:
            return False
        return True

    def _expected_words(self) -> list[str]:
        """Return what is accepted here, in the words of a message.

        Token types that mean the same to a user have one name: all starts of a list are "a list of
        hexes". What has no such name is told token type by token type.
        """
        expected: list[str] = []
        # Each step names some of the types and removes them, so that none is named twice.
        unnamed_types = set(self.accepted)

        # Lists come before names: a WORD that can begin a list is a hex, not a name.
        if self.is_among_hexes:
            expected.append(_Expected.LIST)
            unnamed_types -= LIST_STARTERS
        if unnamed_types & {"WORD", "QUOTED"}:
            expected.append(self._meaning_of_name())
            unnamed_types -= _NAME_TYPES

        if "NUMBER" in unnamed_types:
            if "FPNUMBER" in unnamed_types:
                expected.append(_Expected.NUMBER)
            else:
                expected.append(_Expected.WHOLE_NUMBER)
            # With ``*``, which is seldom what is missing, the message would only be longer.
            unnamed_types -= _NUMBER_TYPES

        # In a list of hexes or an end of a PAIR the comma is a sign of its own.
        if self.is_in_section and "COMMA" in unnamed_types:
            expected.append(_Expected.COMMA_AND_NUMBER)
            unnamed_types.remove("COMMA")

        # Signs and keywords are left, each with its own name; the end of the statement comes last.
        ends_here = "$END" in unnamed_types
        expected += sorted(unnamed_types - {"$END"})
        if ends_here:
            expected.append("$END")
        return [_words_for(name) for name in expected]

    def _meaning_of_name(self) -> _Expected:
        """Return what a name would be at this position."""
        statement_type = self.statement.tokens[0].type
        if statement_type in ("TITLE", "SUBTITLE"):
            return _Expected.TITLE
        if statement_type == "PAIR":
            if self.is_in_section:
                return _Expected.HEXSIDE
            return _Expected.HAZARD
        if statement_type == "AREA" and self.is_in_section:
            return _Expected.HAZARD
        return _Expected.LABEL


def _words_for(name: str) -> str:
    """Return the words for an ``_Expected``, a sign or ``$END``; a keyword stands for itself."""
    entry = messages()["expected"].get(name)
    if entry is None:
        return f"`{name}`"
    return entry["text"]


def feed_token(parser: InteractiveParser, token: Token) -> Any:
    """Advance a parser by one token.

    Returns the tree if the token is $END, else None. Raises UnexpectedToken if it is rejected.
    """
    # Our tokens are not lark's, but have all the attributes that lark reads.
    return parser.feed_token(token)  # type: ignore[arg-type]


def quote_token(token: Token) -> str:
    """Return a token as messages show it, shortened if it is long."""
    if len(token) <= LONGEST_QUOTATION:
        return f"`{token}`"
    return f"`{token[:LONGEST_QUOTATION]}...`"
