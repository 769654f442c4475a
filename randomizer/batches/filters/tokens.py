"""Splits a filter into tokens, and takes them one after the other.

A filter is a text such as ``count(Tree) >= 2``, which chooses some of many maps. Its tokens are
``count``, ``(``, ``Tree``, ``)``, ``>=`` and ``2``::

    tokens = Tokens("not C3 = Tree")
    tokens.take_if_next("not")      # True, and the next token is now C3
    tokens.take_if_next("not")      # False, nothing is taken
    tokens.demand("(")              # raises the ProblemError “(” is wanted here

``Tokens`` is the lowest of three classes, each the base of the next: it knows signs and keywords,
``Names`` (names.py) what a map's terrains and cells are called, ``Parser`` (parser.py) the grammar.

What a parser tries at the end of the text is noted, so that the line where the filter is typed can
complete it (language.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from enum import StrEnum
from typing import NamedTuple, NoReturn

from randomizer.model.problems import Fix, Problem, ProblemError, Severity, TextEdit, place_of

_TOKENS = re.compile(
    r"""\s+
    | (?P<number> -?\d+(?:\.\d+)?(?!\w) )
    | (?P<word> \w+(?:-\w+)* )
    | "(?P<quoted> (?:[^"]|"")+ )"
    | (?P<sign> <=|>=|!=|==|=<|=>|<>|&&|\|\||[≤≥≠=<>():,/%&|!] )
    | (?P<other> . )""",
    re.VERBOSE,
)
"""Blanks, which have no group, or one token; the groups are the values of ``TokenKind``.

A quotation mark within a quoted name is written twice: "old ""Bog"" moor".
"""

_SAME_SIGN = {"==": "=", "≤": "<=", "≥": ">=", "≠": "!="}
"""Other spellings of signs that are read like the sign itself."""

_EQUIVALENTS = {
    "&&": "and",
    "&": "and",
    "||": "or",
    "|": "or",
    "!": "not",
    "<>": "!=",
    "=<": "<=",
    "=>": ">=",
}
"""Signs of other languages that are none here, and what is written instead."""

_MEANINGS = {
    "and": "both hold",
    "or": "one of both holds, or both do",
    "not": "the opposite holds",
    "in": "one of several",
    "(": "brackets hold together",
    ")": "the end of what is in brackets",
    ",": "one more",
    "=": "is",
    "!=": "is not",
    "<": "less than",
    "<=": "at most",
    ">": "more than",
    ">=": "at least",
    "none": "no hexside",
}
"""The meanings of words and signs, as completion shows them."""

KEYWORDS = ("and", "or", "not", "in")
"""Words that end a name, unless they stand in its quotation marks."""


class TokenKind(StrEnum):
    """The kind of a token."""

    NUMBER = "number"
    """Digits, perhaps with a minus and a decimal point: -2, 0.5."""
    WORD = "word"
    """A word, or several with hyphens, also one that begins with a digit: Tree, 3rd."""
    QUOTED = "quoted"
    """A name in quotation marks, which can have any characters."""
    SIGN = "sign"
    """A sign of the language, or of another one: <=, (, &&."""
    OTHER = "other"
    """A character that nothing begins with."""
    END = "end"
    """Behind the last token."""


class Token(NamedTuple):
    """A piece of a filter."""

    kind: TokenKind

    text: str
    """As it is written, a name without its quotation marks; "" at the end."""

    start: int
    """The index of its first character in the filter."""

    end: int
    """The index behind its last character, or behind its closing quotation mark."""

    def is_written(self, text: str) -> bool:
        """Return whether this is a certain word or sign, ignoring case."""
        if self.kind is TokenKind.QUOTED:
            return False  # it is a name, whatever stands in its quotation marks
        folded_text = self.text.casefold()
        return _SAME_SIGN.get(folded_text, folded_text) == text


def quoted(name: str) -> str:
    """Return a name as it is typed: in quotation marks where it would be read as something else."""
    matches = list(_TOKENS.finditer(name))
    # A match of blanks has no group.
    words = [match[0] for match in matches if match.lastgroup]
    has_only_words = all(match.lastgroup in (None, TokenKind.WORD) for match in matches)
    has_single_spaces = " ".join(words) == name  # as ``Names.take_name`` joins them
    # "elevation" alone would begin a kind of cells: count(elevation 2).
    has_keyword = not {*KEYWORDS, "elevation"}.isdisjoint(word.casefold() for word in words)
    if has_only_words and has_single_spaces and not has_keyword:
        return name
    escaped_name = name.replace('"', '""')
    return f'"{escaped_name}"'


class Tokens:
    """A cursor over the tokens of a filter.

    To *take* a token is to move the cursor behind it. To *offer* words is to note what could stand
    at the end of the text; anywhere else it does nothing.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.continuations: dict[str, str] = {}
        """The words and signs that could continue the text at its end, and their meanings.

        Cells are left out. It is complete when the parser has read the text.
        """
        self.possible_cells: set[str] = set()
        """The names of cells that could continue it; at most ``names.MAX_CELLS_OFFERED``."""
        self._tokens: list[Token] = []
        """All tokens; the last is of the kind ``END``."""
        for match in _TOKENS.finditer(text):
            kind = match.lastgroup
            if kind is not None:  # blanks have no group
                token_text = match[kind]
                if kind == TokenKind.QUOTED:
                    token_text = token_text.replace('""', '"')
                token = Token(TokenKind(kind), token_text, match.start(), match.end())
                self._tokens.append(token)
        self._tokens.append(Token(TokenKind.END, "", len(text), len(text)))
        self._position = 0
        """The index of the next token in ``_tokens``."""

    @property
    def next(self) -> Token:
        """The next token; at the end of the text an empty one."""
        return self._tokens[self._position]

    @property
    def last_taken(self) -> Token:
        """The token taken last; the first one if none was taken."""
        return self._tokens[max(self._position - 1, 0)]

    def token_before(self, token: Token) -> Token:
        """Return the token before another; the first one is its own."""
        return self._tokens[max(self._tokens.index(token) - 1, 0)]

    def token_ahead(self, count: int) -> Token:
        """Return the token that is so many behind the next one; the last one if there are fewer."""
        return self._tokens[min(self._position + count, len(self._tokens) - 1)]

    def take(self) -> Token:
        """Return the next token and move on."""
        token = self.next
        self._position += 1
        return token

    def is_next(self, text: str) -> bool:
        """Return whether ``text`` comes next, ignoring case."""
        return self.next.is_written(text)

    def take_if_next(self, text: str, *, is_offered: bool = True) -> bool:
        """Take ``text`` if it comes next, and return whether it did.

        At the end of the filter it is noted as a continuation, if ``is_offered``.
        """
        if is_offered:
            self.offer({text: _MEANINGS.get(text, "")})
        if self.is_next(text):
            self._position += 1
            return True
        return False

    def take_call(self, name: str) -> bool:
        """Take ``name`` and an opening bracket if both come next, and return whether they did."""
        if self.is_next(name) and self._tokens[self._position + 1].text == "(":
            self._position += 2
            return True
        return False

    def demand(self, text: str) -> None:
        """Take ``text``. Raises ProblemError if something else comes next."""
        if not self.take_if_next(text):
            self.fail(self.next, f"“{text}” is wanted here")

    def offer(self, meanings: Mapping[str, str]) -> None:
        """Note words that could come next, with their meanings, if the end of the text does."""
        if self.next.kind is TokenKind.END:
            self.continuations.update(meanings)

    # --- mistakes -----------------------------------------------------------------------------

    def fail(
        self, start: Token, message: str, fix: Fix | None = None, end: Token | None = None
    ) -> NoReturn:
        """Raise what ``error_at`` returns."""
        raise self.error_at(start, message, fix, end)

    def error_at(
        self, start: Token, message: str, fix: Fix | None = None, end: Token | None = None
    ) -> ProblemError:
        """Return the ProblemError for the tokens ``start`` to ``end`` (None: ``start`` alone).

        If ``start`` is a sign of another language, message and fix say what is written instead.
        """
        equivalent = None
        if start.kind is TokenKind.SIGN:  # in quotation marks it is a name
            equivalent = _EQUIVALENTS.get(start.text)
        if equivalent is not None and fix is None:
            message = f"“{start.text}” is no sign here; `{equivalent}` was probably meant"
            fix = self._fix_of_foreign_sign(start, equivalent)

        # If nothing was taken since ``start``, the token taken last ends before it.
        end_token = end or start
        end_index = max(end_token.end, start.start)
        line, column = place_of(self.text, start.start)
        end_line, end_column = place_of(self.text, end_index)
        problem = Problem(
            Severity.ERROR,
            "filter",
            message,
            line=line,
            column=column,
            end_line=end_line,
            end_column=end_column,
            fix=fix,
        )
        return ProblemError(problem)

    def _fix_of_foreign_sign(self, sign: Token, equivalent: str) -> Fix:
        """Return the fix that writes the ``equivalent`` instead of a sign of another language.

        A word gets blanks where it would join its neighbours: "connected&&C3=Tree" becomes
        "connected and C3=Tree".
        """
        if equivalent.isalpha():
            character_before = self.text[: sign.start][-1:]
            character_behind = self.text[sign.end :][:1]
            if character_before and not character_before.isspace() and character_before != "(":
                equivalent = f" {equivalent}"
            if not character_behind.isspace():
                equivalent = f"{equivalent} "
        return self.fix_replacing(sign, sign, equivalent)

    def error_of_unknown(
        self, start: Token, noun: str, name: str, names: Iterable[str]
    ) -> ProblemError:
        """Return the ProblemError for an unknown ``name``, which is written from ``start`` on.

        The name was taken already. Its fix is the most similar one of ``names``, which are given as
        they are typed (``quoted``); if none is similar the message lists all. ``noun`` begins the
        message: "there is no terrain".
        """
        names_by_folded = {known_name.casefold(): known_name for known_name in names}
        matches = get_close_matches(name.casefold(), names_by_folded, n=1)
        fix = None
        advice = ""
        if matches:
            fix = self.fix_replacing(start, self.last_taken, names_by_folded[matches[0]])
        else:
            advice = f" (there are: {', '.join(names_by_folded.values())})"
        return self.error_at(start, f"{noun} “{name}”{advice}", fix, self.last_taken)

    def fix_replacing(self, start: Token, end: Token, text: str) -> Fix:
        """Return the fix that replaces the tokens ``start`` to ``end`` with ``text``."""
        span = (*place_of(self.text, start.start), *place_of(self.text, end.end))
        return Fix(f"Write `{text.strip()}`", (TextEdit(*span, text),))

    def fix_inserting(self, token: Token, text: str) -> Fix:
        """Return the fix that inserts ``text`` after a token."""
        position = place_of(self.text, token.end)
        return Fix(f"Add `{text.strip()}`", (TextEdit(*position, *position, text),))
