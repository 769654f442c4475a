"""The point at which the grammar rejects a statement: what was found, and what was expected."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from randomizer.model.basics.plurals import listed
from randomizer.model.problems import Problem, TextEdit
from randomizer.systems.colossus.script.source import insert_after, messages
from randomizer.systems.colossus.script.statement_tokens import StatementTokens
from randomizer.systems.colossus.script.tokens import Token

if TYPE_CHECKING:
    from lark.parsers.lalr_interactive_parser import InteractiveParser

SECTIONS = ("HAZARDS", "HEXSIDES")
LIST_STARTERS = frozenset({"WORD", "LPAR", "SOMEOF", "SUBSTRACT", "SUBTRACT", "SURROUNDINGSOF"})
_NUMBERS = frozenset({"NUMBER", "FPNUMBER", "STAR"})
_SIGNS = {"LPAR": "(", "RPAR": ")", "COMMA": ",", "EQUAL": "="}


@dataclass(frozen=True)
class ParseFailure:
    """Token ``index`` of ``raw`` is rejected by the parser in ``state``.

    An index after the last token means that the statement ends too early.
    """

    raw: StatementTokens
    index: int
    state: InteractiveParser

    @cached_property
    def accepted(self) -> frozenset[str]:
        """The token types that are accepted here, ``$END`` for the end of the statement."""
        return frozenset(self.state.accepts())  # type: ignore[no-untyped-call]

    @property
    def token(self) -> Token | None:
        """The rejected token, None at the end."""
        if self.index < len(self.raw.tokens):
            return self.raw.tokens[self.index]
        return None

    @property
    def among_hexes(self) -> bool:
        """Whether a list of hexes is accepted here."""
        return self.accepted >= LIST_STARTERS

    @property
    def in_section(self) -> bool:
        """Whether this is after HAZARDS or HEXSIDES."""
        return any(token.type in SECTIONS for token in self.raw.tokens[: self.index])

    def problem(self) -> Problem:
        """Return what was expected and what was found.

        The fix inserts or removes a sign if the rest of the statement is accepted then.
        """
        expected = listed(self._expected(), "or")
        token = self.token
        change, edits = self._sign_put_in()
        if token is None:
            last = self.raw.tokens[-1]
            return self.raw.problem("ends-too-early", last, edits, expected=expected, change=change)
        if not edits:
            change, edits = self._taken_out(token)
        return self.raw.problem(
            "unexpected", token, edits, expected=expected, found=quote_token(token), change=change
        )

    def _sign_put_in(self) -> tuple[str, list[TextEdit]]:
        for name, sign in _SIGNS.items():
            if name in self.accepted and self._goes_on(self.index, name):
                before = self.raw.span_of(self.raw.tokens[self.index - 1])
                return f"Put `{sign}` in", [insert_after(before, sign)]
        return "", []

    def _taken_out(self, token: Token) -> tuple[str, list[TextEdit]]:
        if token.type in (*_SIGNS, "MINUS") and self._goes_on(self.index + 1):
            return f"Take `{token}` out", [self.raw.replacing(token, " ")]
        return "", []

    def _goes_on(self, index: int, *inserted: str) -> bool:
        """Return whether the token types ``inserted``, then the tokens from ``index`` on, are
        accepted.
        """
        from lark import UnexpectedToken

        trial: InteractiveParser = self.state.copy(deepcopy_values=False)  # type: ignore[no-untyped-call]
        types = [*inserted, *(token.type for token in self.raw.tokens[index:]), "$END"]
        try:
            for name in types:
                feed(trial, Token("", name))
        except UnexpectedToken:
            return False
        return True

    def _expected(self) -> list[str]:
        """Return the expected tokens in words."""
        words = messages()["expected"]
        rest = set(self.accepted)
        expected = []
        if self.among_hexes:
            rest -= LIST_STARTERS
            expected.append("list")
        if rest & {"WORD", "QUOTED"}:
            rest -= {"WORD", "QUOTED", "SUBTRACT"}
            expected.append(self._role_of_word())
        if "NUMBER" in rest:
            expected.append("number" if rest >= _NUMBERS else "whole-number")
            rest -= _NUMBERS
        if self.in_section and "COMMA" in rest:
            expected.append("comma-number")
            rest.remove("COMMA")
        # The end of the statement comes last.
        expected += sorted(rest, key=lambda name: (name == "$END", name))
        return [words[name]["text"] if name in words else f"`{name}`" for name in expected]

    def _role_of_word(self) -> str:
        statement = self.raw.tokens[0].type
        if statement == "AREA" and self.in_section:
            return "hazard"
        if statement == "PAIR":
            return "hexside" if self.in_section else "hazard"
        return "title" if statement in ("TITLE", "SUBTITLE") else "label"


def feed(state: InteractiveParser, token: Token) -> Any:
    """Give a token to a parser: None, or the tree if it is $END. Raises UnexpectedToken."""
    return state.feed_token(token)  # type: ignore[arg-type]  # of a token only a few names are asked


def quote_token(token: Token) -> str:
    """Return a token as messages show it, shortened if it is long."""
    if len(token) <= 30:
        return f"`{token}`"
    return f"`{token[:30]}...`"
